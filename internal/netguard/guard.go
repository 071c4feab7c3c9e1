package netguard

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/ipclass"
)

// Limits. A host that needs more is not worth waiting for.
const (
	// MaxAddresses is the number of addresses of a host that are kept. All of them
	// are checked.
	MaxAddresses = 16
	// MaxTries is the number of addresses that one Dial tries.
	MaxTries = 2
	// LookupTimeout limits a lookup with everything it takes.
	LookupTimeout = 5 * time.Second
	// ConnectTimeout limits the connection to one address.
	ConnectTimeout = 5 * time.Second
)

// A Guard resolves names and makes connections to public addresses only. It is
// safe for concurrent use.
type Guard struct {
	resolver Resolver
	dial     func(ctx context.Context, addr netip.AddrPort) (net.Conn, error)
	roots    *x509.CertPool
	deny     map[netip.Addr]bool
	optedOut map[string]bool
	proxy    *url.URL
}

// New returns a guard in front of n. The addresses in deny are refused as well:
// those this process listens on. So are the domains in optedOut and names below them.
func New(n Network, deny []netip.Addr, optedOut ...string) *Guard {
	g := &Guard{
		resolver: n.Resolver, dial: n.Dial, roots: n.Roots, proxy: n.Proxy,
		deny: make(map[netip.Addr]bool, len(deny)), optedOut: make(map[string]bool, len(optedOut)),
	}
	for _, addr := range deny {
		g.deny[plain(addr)] = true
	}
	for _, domain := range optedOut {
		g.optedOut[domain] = true
	}
	if g.resolver == nil {
		g.resolver = pickResolver(runtime.GOOS, resolvPath)
	}
	if g.dial == nil {
		g.dial = g.dialTCP
	}
	return g
}

// Roots returns the certificate authorities to trust; nil means the system's.
func (g *Guard) Roots() *x509.CertPool { return g.roots }

// Resolve returns the addresses of a host, at most MaxAddresses, in the order of the resolver. One
// address that is not public refuses the host as a whole: a publisher has no use for such a
// mixture, and an attacker does. A refusal is a *Refusal, and comes with the addresses it is about;
// that the name or its addresses do not exist is a *net.DNSError with IsNotFound.
func (g *Guard) Resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	err := CheckHost(host)
	if err != nil {
		return nil, err
	}
	if hostname.Within(host, g.optedOut) {
		return nil, &Refusal{Reason: OptedOut, Host: host}
	}
	ctx, cancel := context.WithTimeout(ctx, LookupTimeout)
	defer cancel()
	if g.proxy != nil {
		return g.resolveProxy(ctx)
	}
	found, err := g.resolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil, err
	}
	kept, err := g.admit(host, found)
	if err != nil {
		return kept, err
	}
	if len(kept) == 0 {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	return kept, nil
}

// admit checks all addresses of a host and returns the first ones, each once, also
// when one of them is refused.
func (g *Guard) admit(host string, found []netip.Addr) ([]netip.Addr, error) {
	kept := make([]netip.Addr, 0, min(len(found), MaxAddresses))
	var refused error
	for _, addr := range found {
		addr = plain(addr)
		if refused == nil {
			refused = g.check(host, addr)
		}
		if len(kept) < MaxAddresses && !slices.Contains(kept, addr) {
			kept = append(kept, addr)
		}
	}
	return kept, refused
}

// check refuses an address that is not public or is our own.
func (g *Guard) check(host string, addr netip.Addr) error {
	addr = plain(addr)
	class := ipclass.Of(addr)
	switch {
	case g.deny[addr]:
		return &Refusal{Reason: OwnAddress, Host: host, Addr: addr, Class: class}
	case class.Reserved():
		return &Refusal{Reason: ReservedAddress, Host: host, Addr: addr, Class: class}
	}
	return nil
}

// plain brings an address to the form that is compared and dialled: the mapped
// form of IPv4 and a zone would be second spellings.
func plain(addr netip.Addr) netip.Addr { return addr.Unmap().WithZone("") }

// Proxied reports whether all hosts are reached through a proxy, and so at its address.
func (g *Guard) Proxied() bool { return g.proxy != nil }

// DialHost is Dial for a host whose addresses Resolve returned: with a proxy it connects through that.
func (g *Guard) DialHost(ctx context.Context, host string, addrs []netip.Addr,
	port uint16) (net.Conn, netip.AddrPort, error) {
	if g.proxy != nil {
		return g.tunnel(ctx, host, port)
	}
	return g.Dial(ctx, addrs, port)
}

// Dial connects to one of the addresses that Resolve returned and says which: the
// first, and if that fails the first of the other family, or else the second.
// The address is also returned with an error, when it was tried. All addresses
// are checked again before the first try.
func (g *Guard) Dial(ctx context.Context, addrs []netip.Addr, port uint16) (net.Conn, netip.AddrPort, error) {
	err := CheckPort(port)
	if err != nil {
		return nil, netip.AddrPort{}, err
	}
	addrs, err = g.admit("", addrs)
	if err != nil {
		return nil, netip.AddrPort{}, err
	}
	target := netip.AddrPort{}
	err = errors.New("no address to connect to")
	var first error
	for _, addr := range Candidates(addrs) {
		target = netip.AddrPortFrom(addr, port)
		var conn net.Conn
		conn, err = g.connect(ctx, target)
		if err == nil {
			return conn, target, nil
		}
		if first != nil && errors.Is(err, syscall.ENETUNREACH) {
			err = first // a machine without the second family says nothing about the server
		}
		first = err
		if ctx.Err() != nil {
			break
		}
	}
	return nil, target, err
}

// Candidates picks the addresses that Dial tries, in their order. The second is of the other family if
// there is one, because what fails for the first often fails for its family.
func Candidates(addrs []netip.Addr) []netip.Addr {
	if len(addrs) <= 1 {
		return addrs
	}
	second := slices.IndexFunc(addrs, func(a netip.Addr) bool { return a.Is4() != addrs[0].Is4() })
	if second < 0 {
		second = 1
	}
	return []netip.Addr{addrs[0], addrs[second]}
}

// connect makes one try.
func (g *Guard) connect(ctx context.Context, addr netip.AddrPort) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, ConnectTimeout)
	defer cancel()
	return g.dial(ctx, addr)
}

// dialTCP makes a real connection. Proxies do not exist at this level, and the
// address is a literal, so that no second lookup takes place.
func (g *Guard) dialTCP(ctx context.Context, addr netip.AddrPort) (net.Conn, error) {
	dialer := net.Dialer{Control: g.control}
	return dialer.DialContext(ctx, "tcp", addr.String())
}

// control runs between the creation of a socket and its connection. It sees the
// address that the kernel is about to connect to, whatever came before.
func (g *Guard) control(network, address string, _ syscall.RawConn) error {
	if network != "tcp4" && network != "tcp6" {
		return fmt.Errorf("refused: a %s socket", network)
	}
	target, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("refused: %w", err)
	}
	err = CheckPort(target.Port())
	if err != nil {
		return err
	}
	return g.check("", target.Addr())
}

// CheckHost applies the grammar of host names, before any DNS query. host must be
// in canonical form already: lower-case A-labels without a trailing dot. The
// grammar leaves no spelling of an IP address: there are at least two labels, and
// the last one is a word. The error is a *Refusal.
func CheckHost(host string) error {
	switch {
	case hostname.IsSpecialUse(host):
		return &Refusal{Reason: SpecialUse, Host: host}
	case !hostname.IsCanonical(host):
		return &Refusal{Reason: BadHost, Host: host}
	}
	return nil
}

// badPorts are the ports that browsers refuse, from the Fetch standard, in
// order: https://fetch.spec.whatwg.org/#port-blocking. A server of another
// protocol might act on what it takes for its own commands.
var badPorts = []uint16{
	0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109,
	110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531,
	532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060,
	5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
}

// CheckPort refuses the ports of other protocols. The error is a *Refusal.
func CheckPort(port uint16) error {
	_, bad := slices.BinarySearch(badPorts, port)
	if bad {
		return &Refusal{Reason: BadPort, Port: port}
	}
	return nil
}

// A Reason says why the guard refused.
type Reason uint8

// The reasons for a refusal.
const (
	// BadHost: the host is not a DNS name that a publisher could own: an IP
	// address in any spelling, a single label, a character outside letters,
	// digits, dots and hyphens, or a name that is too long.
	BadHost Reason = iota + 1
	// SpecialUse: the name is set aside for local use, such as localhost.
	SpecialUse
	// ReservedAddress: the name leads to an address that is not public.
	ReservedAddress
	// OwnAddress: the name leads to an address this process listens on.
	OwnAddress
	// BadPort: the port belongs to another protocol.
	BadPort
	// OptedOut: the owner of the name does not want requests.
	OptedOut
)

var reasonNames = [...]string{
	"unknown", BadHost: "bad_host", SpecialUse: "special_use", ReservedAddress: "reserved_address",
	OwnAddress: "own_address", BadPort: "bad_port", OptedOut: "opted_out",
}

// String returns the stable name, for logs and metrics.
func (r Reason) String() string {
	if int(r) >= len(reasonNames) {
		return reasonNames[0]
	}
	return reasonNames[r]
}

// A Refusal is the error for a connection that the guard does not make. It says
// more than an untrusted caller may learn.
type Refusal struct {
	Reason Reason
	// Host is the name as given. It is outside text. It is empty when a bare
	// address or port was refused.
	Host string
	// Addr and Class are set for ReservedAddress and OwnAddress.
	Addr  netip.Addr
	Class ipclass.Class
	// Port is set for BadPort.
	Port uint16
}

// Error says what was refused and why, for the operator.
func (r *Refusal) Error() string {
	switch r.Reason {
	case BadHost:
		return fmt.Sprintf("refused: %s is not a public host name", quoteOdd(r.Host))
	case SpecialUse:
		return fmt.Sprintf("refused: %s is a name for local use", quoteOdd(r.Host))
	case ReservedAddress:
		return fmt.Sprintf("refused: %s is not a public address (%s)", r.target(), r.Class)
	case OwnAddress:
		return fmt.Sprintf("refused: %s is an address of this service", r.target())
	case OptedOut:
		return fmt.Sprintf("refused: %s does not want to be asked", quoteOdd(r.Host))
	case BadPort:
		return fmt.Sprintf("refused: port %d belongs to another protocol than https", r.Port)
	}
	return "refused"
}

// target names the address, and the host it came from where that is known.
func (r *Refusal) target() string {
	if r.Host == "" {
		return r.Addr.String()
	}
	return fmt.Sprintf("%s of %s", r.Addr, quoteOdd(r.Host))
}

// quoteOdd returns a host name as it is, and anything else so that it cannot
// break out of its place in a log or on a terminal.
func quoteOdd(host string) string {
	if hostname.IsCanonical(host) {
		return host
	}
	return strconv.QuoteToASCII(host)
}
