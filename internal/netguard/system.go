package netguard

import (
	"context"
	"crypto/x509"
	"net"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"
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

// resolvPath is where the system says which name servers to ask.
const resolvPath = "/etc/resolv.conf"

// maxServers is the number of name servers that are used, as in the C library.
const maxServers = 3

// dnsPort is where name servers listen.
const dnsPort = 53

// pickResolver chooses the resolver. Systems that keep their name servers
// elsewhere, such as Windows, get the one of package net. It consults the hosts
// file, but the guard checks what it finds there like any other answer.
func pickResolver(goos, path string) Resolver {
	_, err := os.Stat(path)
	if err == nil || goos == "linux" || goos == "darwin" {
		conf := &resolvConf{path: path}
		return &dnsClient{servers: conf.nameServers, tryTimeout: tryTimeout, grace: familyGrace,
			dial: new(net.Dialer).DialContext}
	}
	return absolute{&net.Resolver{PreferGo: true}}
}

// absolute asks for names with a final dot, which keeps search domains out.
type absolute struct{ resolver *net.Resolver }

// LookupNetIP implements Resolver.
func (a absolute) LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error) {
	return a.resolver.LookupNetIP(ctx, network, host+".")
}

// resolvConf knows the name servers of a resolv.conf file, and reads it again
// when it changes: a service outlives the network it was started in.
type resolvConf struct {
	path string

	mu      sync.Mutex
	changed time.Time // of the file, when servers was read
	servers []netip.AddrPort
}

// nameServers returns the servers to ask, in order.
func (c *resolvConf) nameServers() []netip.AddrPort {
	c.mu.Lock()
	defer c.mu.Unlock()
	var changed time.Time
	info, err := os.Stat(c.path)
	if err == nil {
		changed = info.ModTime()
	}
	if c.servers == nil || !changed.Equal(c.changed) {
		c.changed, c.servers = changed, readServers(c.path)
	}
	return c.servers
}

// readServers reads the file. Without a server in it the one on this machine is
// asked, as everywhere. Search domains and options are not read: the first must
// not apply to the names of strangers, the second are limits of our own.
func readServers(path string) []netip.AddrPort {
	text, _ := os.ReadFile(path) // no file is like an empty one
	var servers []netip.AddrPort
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) < 2 || fields[0] != "nameserver" || len(servers) == maxServers {
			continue
		}
		addr, err := netip.ParseAddr(fields[1])
		if err == nil {
			servers = append(servers, netip.AddrPortFrom(addr, dnsPort))
		}
	}
	if servers == nil {
		servers = []netip.AddrPort{netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), dnsPort)}
	}
	return servers
}
