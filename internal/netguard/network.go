package netguard

import (
	"context"
	"crypto/x509"
	"net"
	"net/netip"
	"net/url"
)

// A Resolver looks up the addresses of a host. host is a canonical name; an
// implementation asks for it as an absolute one. It must be safe for concurrent
// use. When the name does not exist, the error is a *net.DNSError that says so.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// A Network is what lies behind the guard. The zero value is the real one.
// Tests fill it in to put listeners of their own in the place of the internet:
// the guard still checks every address the resolver returns, and only then
// hands it to Dial.
type Network struct {
	// Resolver is asked for addresses; nil means the system's name servers,
	// without search domains and without the hosts file.
	Resolver Resolver
	// Dial connects to an address that passed the checks; nil means a TCP
	// connection, with the address checked again by the socket's control hook.
	Dial func(ctx context.Context, addr netip.AddrPort) (net.Conn, error)
	// Proxy makes connections to hosts by their names, with CONNECT; nil means none. Only the user
	// names one. It looks up the names, so that their addresses cannot be checked: the names are, and
	// what the proxy says that it has connected to.
	Proxy *url.URL
	// Roots are the certificate authorities to trust; nil means the system's.
	Roots *x509.CertPool
}
