package server

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/avow-project/avow/internal/service/registry"
)

// Addresses returns the addresses at which a connection to one of the given HOST:PORT
// could reach this process. The service must not ask itself about strangers' files.
func Addresses(ctx context.Context, listen []string) ([]netip.Addr, error) {
	var all []netip.Addr
	for _, a := range listen {
		host, _, err := net.SplitHostPort(a)
		if err != nil {
			return nil, fmt.Errorf("%q is not an address to listen on: %w", a, err)
		}
		addr, err := netip.ParseAddr(host)
		if host != "" && err != nil {
			found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
			if err != nil {
				return nil, fmt.Errorf("cannot listen on %q: %w", a, err)
			}
			all = append(all, found...)
			continue
		}
		if host == "" || addr.IsUnspecified() {
			own, err := interfaceAddresses()
			if err != nil {
				return nil, err
			}
			all = append(all, own...)
			continue
		}
		all = append(all, addr)
	}
	return all, nil
}

func interfaceAddresses() ([]netip.Addr, error) {
	networks, err := net.InterfaceAddrs()
	if err != nil {
		return nil, err
	}
	var all []netip.Addr
	for _, n := range networks {
		prefix, err := netip.ParsePrefix(n.String())
		if err == nil {
			all = append(all, prefix.Addr().Unmap().WithZone(""))
		}
	}
	return all, nil
}

// connections counts open connections, all and by client.
type connections struct {
	// perClient limits those of one client, and most all of them. Proxies and clients
	// on this machine stand for many and have no limit of their own.
	perClient, most int
	exempt          func(netip.Addr) bool
	refused         func()
	open            atomic.Int64

	mu sync.Mutex
	by map[string]int
}

// limitedListener refuses connections beyond the limits.
type limitedListener struct {
	net.Listener
	connections *connections
	// ending is set when no further connections are wanted; rest are those that were
	// there before. Only Accept touches rest.
	ending, swept atomic.Bool
	rest          []net.Conn
	// turning has the slots of clients that are told that there is no room for them, told waits
	// for those, each of whom has turn, and encryption is how to speak to them; nil for none.
	turning chan struct{}
	told    *sync.WaitGroup
	turn    time.Duration

	encryption *tls.Config
}

// Accept returns the next connection within the limits, and turns others away.
func (l *limitedListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.next()
		if err != nil {
			return nil, err
		}
		client, ok := l.connections.enter(conn.RemoteAddr())
		if ok {
			boundBuffer(conn)
			return &countedConn{Conn: conn, leave: func() { l.connections.leave(client) }}, nil
		}
		l.connections.refused()
		l.turnAway(conn)
	}
}

// boundBuffer limits what the system keeps for a client that does not read. Where it cannot
// be limited, the connection is as good.
func boundBuffer(conn net.Conn) {
	tcp, ok := conn.(*net.TCPConn)
	if ok {
		_ = tcp.SetWriteBuffer(sendBuffer)
	}
}

// next returns the next connection of the listener, and when it ends those that came
// before the end.
func (l *limitedListener) next() (net.Conn, error) {
	if !l.ending.Load() {
		conn, err := l.Listener.Accept()
		if err == nil || !l.ending.Load() {
			return conn, err
		}
	}
	if l.swept.CompareAndSwap(false, true) {
		l.rest = sweep(l.Listener)
	}
	if len(l.rest) == 0 {
		return nil, net.ErrClosed
	}
	conn := l.rest[0]
	l.rest = l.rest[1:]
	return conn, nil
}

// end makes Accept return what is there and then an error.
func (l *limitedListener) end() {
	l.ending.Store(true)
	tcp, ok := l.Listener.(*net.TCPListener)
	if ok {
		_ = tcp.SetDeadline(time.Now()) // it wakes Accept; closing would as well, and lose connections
		return
	}
	_ = l.Close() // Accept says so
}

// enter counts a connection. There are no blocks for one whose client has no limit.
func (c *connections) enter(addr net.Addr) ([]registry.Block, bool) {
	if c.open.Add(1) > int64(c.most) {
		c.open.Add(-1)
		return nil, false
	}
	peer, err := netip.ParseAddrPort(addr.String())
	if err != nil {
		return nil, true
	}
	client := peer.Addr().Unmap().WithZone("")
	if c.exempt(client) {
		return nil, true
	}
	blocks := registry.BlocksOf(nameOf(client))
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, b := range blocks {
		if c.by[b.Name] >= c.perClient*b.Factor {
			c.open.Add(-1)
			return nil, false
		}
	}
	for _, b := range blocks {
		c.by[b.Name]++
	}
	return blocks, true
}

func (c *connections) leave(client []registry.Block) {
	c.open.Add(-1)
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, b := range client {
		c.by[b.Name]--
		if c.by[b.Name] <= 0 {
			delete(c.by, b.Name)
		}
	}
}

// countedConn tells when it is closed.
type countedConn struct {
	net.Conn
	once  sync.Once
	leave func()
}

// Close closes the connection.
func (c *countedConn) Close() error {
	c.once.Do(c.leave)
	return c.Conn.Close()
}
