package fakeweb

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"syscall"

	"github.com/avow-project/avow/internal/netguard"
)

// A Web is a running internet. Its methods are safe for concurrent use.
type Web struct {
	spec      *Spec
	authority *authority
	listener  net.Listener
	token     [8]byte // tells connections made by dial from accidental ones

	ctx    context.Context
	cancel context.CancelFunc
	tasks  sync.WaitGroup

	mu      sync.Mutex
	closed  bool
	closers map[closer]bool
	asked   map[route]map[string]int // by route, then host: requests so far
	turns   map[turn]int
	leaves  map[string]*tls.Certificate
	log     records
}

// closer is anything that Close ends: a listener or a connection.
type closer interface{ Close() error }

// records are what happened, each in its order.
type records struct {
	requests []Request
	dials    []netip.AddrPort
	lookups  []string
}

// A Request is a request that arrived.
type Request struct {
	// Host is the name in the Host header, without a port.
	Host   string
	Method string
	// URL is what was asked for, with the port unless it is 443.
	URL    string
	Header http.Header
	// Body is that of a POST, as far as it came.
	Body []byte
	// Addr is the address that the client connected to.
	Addr netip.AddrPort
	// ServerName is the host that the TLS handshake was made for, and Proto the
	// protocol: "HTTP/1.1" or "HTTP/2.0".
	ServerName, Proto string
}

// Start parses an archive and starts it.
func Start(archive []byte) (*Web, error) {
	s, err := Parse(archive)
	if err != nil {
		return nil, err
	}
	return s.Start()
}

// Start brings the archive to life, until Close. Every Web counts requests and
// lookups for itself.
func (s *Spec) Start() (*Web, error) {
	a, err := theAuthority()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	w := &Web{
		spec: s, authority: a, ctx: ctx, cancel: cancel,
		closers: map[closer]bool{},
		asked:   map[route]map[string]int{},
		turns:   map[turn]int{},
		leaves:  map[string]*tls.Certificate{},
	}
	_, err = rand.Read(w.token[:])
	if err != nil {
		cancel()
		return nil, err
	}
	w.listener, err = listen(ctx, netip.MustParseAddrPort("127.0.0.1:0"))
	if err != nil {
		cancel()
		return nil, err
	}
	w.accept(w.listener, w.readDialled)
	return w, nil
}

func listen(ctx context.Context, at netip.AddrPort) (net.Listener, error) {
	var config net.ListenConfig
	return config.Listen(ctx, "tcp", at.String())
}

// Close ends everything and waits until it has ended. Requests that are being
// answered are cut off.
func (w *Web) Close() {
	w.mu.Lock()
	w.closed = true
	w.cancel()
	for c := range w.closers {
		_ = c.Close()
	}
	w.mu.Unlock()
	w.tasks.Wait()
}

// run starts f in a goroutine that Close waits for, unless it is too late: then
// c is closed at once. Close also closes c.
func (w *Web) run(c closer, f func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		_ = c.Close()
		return
	}
	w.closers[c] = true
	w.tasks.Go(func() {
		f()
		w.mu.Lock()
		delete(w.closers, c)
		w.mu.Unlock()
	})
}

// Network returns the web as what lies behind the guard: its name server, its
// addresses and its certificate authority.
func (w *Web) Network() netguard.Network {
	return netguard.Network{Resolver: w, Dial: w.Dial, Roots: w.Roots()}
}

// Roots returns the certificate authority that vouches for the hosts.
func (w *Web) Roots() *x509.CertPool { return w.authority.roots }

// Spec returns what the web was started from.
func (w *Web) Spec() *Spec { return w.spec }

// Requests returns the requests that arrived, in their order.
func (w *Web) Requests() []Request {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.log.requests)
}

// Dials returns the addresses that a connection was tried to, in their order, whether
// or not a server listens there.
func (w *Web) Dials() []netip.AddrPort {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.log.dials)
}

// Lookups returns the names that were asked for, in their order. A client of the
// DNS server asks for addresses of both families, which are two entries.
func (w *Web) Lookups() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.log.lookups)
}

func (w *Web) recordDial(at netip.AddrPort) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.log.dials = append(w.log.dials, at)
}

// Dial connects to an address of the archive. An address that no host serves
// refuses the connection.
func (w *Web) Dial(ctx context.Context, addr netip.AddrPort) (net.Conn, error) {
	addr = netip.AddrPortFrom(addr.Addr().Unmap(), addr.Port())
	w.recordDial(addr)
	switch w.spec.connect(addr) {
	case connectRefused:
		return nil, dialError(addr, syscall.ECONNREFUSED)
	case connectFiltered:
		select {
		case <-ctx.Done():
			return nil, dialError(addr, ctx.Err())
		case <-w.ctx.Done():
			return nil, dialError(addr, net.ErrClosed)
		}
	}
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", w.listener.Addr().String())
	if err != nil {
		return nil, err
	}
	_, err = conn.Write(w.preamble(addr))
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

func dialError(addr netip.AddrPort, err error) error {
	return &net.OpError{Op: "dial", Net: "tcp", Addr: net.TCPAddrFromAddrPort(addr), Err: err}
}

// connect tells what happens to a connection: an address is open when at least
// one of its hosts is.
func (s *Spec) connect(at netip.AddrPort) connectKind {
	kind := connectRefused
	for _, o := range s.serving[at] {
		switch o.tls.connect {
		case connectAccepts:
			return connectAccepts
		case connectFiltered:
			kind = connectFiltered
		}
	}
	return kind
}

// preamble is what Dial sends ahead, for the one listener behind all addresses
// to know which of them was meant.
func (w *Web) preamble(addr netip.AddrPort) []byte {
	ip := addr.Addr().As16()
	return binary.BigEndian.AppendUint16(append(w.token[:], ip[:]...), addr.Port())
}
