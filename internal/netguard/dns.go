package netguard

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

const (
	// tryTimeout limits one question to one server, so that each of three
	// servers gets its turn within LookupTimeout.
	tryTimeout = 1500 * time.Millisecond
	// maxQuestions is the number of times a question is put in all.
	maxQuestions = 4
	// familyGrace is how long the other family is waited for once one has
	// addresses.
	familyGrace = time.Second
)

// dnsClient asks recursive name servers. It exists because the resolver of package
// net consults the hosts file, in which a name of a stranger may have a private
// meaning, and adds search domains. It keeps nothing: caching is the name
// servers' part.
type dnsClient struct {
	servers    func() []netip.AddrPort
	tryTimeout time.Duration
	grace      time.Duration // see familyGrace
	dial       func(ctx context.Context, network, address string) (net.Conn, error)
}

// LookupNetIP implements Resolver. It asks for both families at once. What one of
// them yields is enough: everything that is connected to has been checked, and
// some servers never answer for the other.
func (c *dnsClient) LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error) {
	kinds := []dnsmessage.Type{dnsmessage.TypeA, dnsmessage.TypeAAAA}
	switch network {
	case "ip4":
		kinds = kinds[:1]
	case "ip6":
		kinds = kinds[1:]
	}
	servers := c.servers()
	found := make([][]netip.Addr, len(kinds))
	failed := make([]error, len(kinds))
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var wg sync.WaitGroup
	for i, kind := range kinds {
		wg.Go(func() {
			found[i], failed[i] = c.lookup(ctx, servers, host, kind)
			if len(found[i]) > 0 {
				time.AfterFunc(c.grace, cancel)
			}
		})
	}
	wg.Wait()
	addrs := slices.Concat(found...)
	if len(addrs) > 0 {
		return addrs, nil
	}
	for _, err := range failed {
		if err != nil {
			return nil, err
		}
	}
	return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
}

// lookup asks one server after the other until one knows. A server that was
// silent is asked again after the others, one that failed is not. No addresses
// and no error mean that there are none.
func (c *dnsClient) lookup(ctx context.Context, servers []netip.AddrPort, host string,
	kind dnsmessage.Type) ([]netip.Addr, error) {
	servers = slices.Clone(servers)
	var failure error = &net.DNSError{Err: "no name server", Name: host, IsTemporary: true}
	for range maxQuestions {
		if len(servers) == 0 {
			break
		}
		server := servers[0]
		servers = servers[1:]
		addrs, err := c.ask(ctx, server, host, kind)
		if err == nil {
			return addrs, nil
		}
		if isTimeout(err) {
			servers = append(servers, server)
		}
		failure = lookupError(ctx, err, host, server)
		if ctx.Err() != nil {
			break
		}
	}
	return nil, failure
}

// isTimeout reports whether nothing came back in time.
func isTimeout(err error) bool {
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout()
}

// lookupError gives a failure the type that callers of resolvers expect. It is never
// IsNotFound, because no server said that the name does not exist.
func lookupError(ctx context.Context, err error, host string, server netip.AddrPort) error {
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return &net.DNSError{
		UnwrapErr: err, Err: err.Error(), Name: host, Server: server.String(),
		IsTimeout: isTimeout(err), IsTemporary: true,
	}
}

// ask puts the question to one server: over UDP, and over TCP when the answer was
// too long for that.
func (c *dnsClient) ask(ctx context.Context, server netip.AddrPort, host string,
	kind dnsmessage.Type) ([]netip.Addr, error) {
	ctx, cancel := context.WithTimeout(ctx, c.tryTimeout)
	defer cancel()
	q, err := newQuery(host, kind)
	if err != nil {
		return nil, err
	}
	a, err := c.exchange(ctx, "udp", server, q, overUDP)
	if err == nil && a.truncated {
		a, err = c.exchange(ctx, "tcp", server, q, overTCP)
	}
	switch {
	case err != nil:
		return nil, err
	case a.truncated:
		return nil, errMalformed
	case a.code == dnsmessage.RCodeSuccess, a.code == dnsmessage.RCodeNameError:
		return a.addrs, nil
	}
	return nil, errors.New("server failure: " + a.code.String())
}

// exchange opens a socket for one question and ends it with ctx. Every question
// has a socket of its own, whose port the kernel picks at random; being
// connected, it receives from its server alone.
func (c *dnsClient) exchange(ctx context.Context, network string, server netip.AddrPort, q query,
	over func(net.Conn, query, []byte) (answer, error)) (answer, error) {
	msg, err := q.pack()
	if err != nil {
		return answer{}, err
	}
	conn, err := c.dial(ctx, network, server.String())
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = conn.Close() }()
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	return over(conn, q, msg)
}

// overUDP sends one packet and waits for its answer. Packets that are no answer
// to it are passed over, since anyone can send them.
func overUDP(conn net.Conn, q query, msg []byte) (answer, error) {
	_, err := conn.Write(msg)
	if err != nil {
		return answer{}, err
	}
	buf := make([]byte, 4*udpSize) // for servers that do not keep to udpSize
	for {
		n, err := conn.Read(buf)
		if err != nil {
			return answer{}, err
		}
		a, err := q.read(buf[:n])
		if !errors.Is(err, errNotOurs) {
			return a, err
		}
	}
}

// overTCP sends the question and reads one answer. Both have their length in
// front.
func overTCP(conn net.Conn, q query, msg []byte) (answer, error) {
	framed := binary.BigEndian.AppendUint16(nil, uint16(len(msg)))
	_, err := conn.Write(append(framed, msg...))
	if err != nil {
		return answer{}, err
	}
	var size [2]byte
	_, err = io.ReadFull(conn, size[:])
	if err != nil {
		return answer{}, err
	}
	buf := make([]byte, binary.BigEndian.Uint16(size[:]))
	_, err = io.ReadFull(conn, buf)
	if err != nil {
		return answer{}, err
	}
	return q.read(buf)
}
