package netguard

import (
	"context"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/internal/std/ipclass"
)

// resolverFunc is a Resolver for tests.
type resolverFunc func(ctx context.Context, network, host string) ([]netip.Addr, error)

func (f resolverFunc) LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error) {
	return f(ctx, network, host)
}

// answering returns a guard whose resolver always gives the same addresses.
func answering(addrs []netip.Addr, deny ...netip.Addr) *Guard {
	return New(Network{Resolver: resolverFunc(func(context.Context, string, string) ([]netip.Addr, error) {
		return addrs, nil
	})}, deny)
}

// parseAddrs reads addresses separated by spaces.
func parseAddrs(text string) []netip.Addr {
	var addrs []netip.Addr
	for field := range strings.FieldsSeq(text) {
		addrs = append(addrs, netip.MustParseAddr(field))
	}
	return addrs
}

// publicAddrs returns n different public addresses.
func publicAddrs(n int) []netip.Addr {
	addrs := make([]netip.Addr, n)
	addr := netip.MustParseAddr("93.184.0.1")
	for i := range addrs {
		addrs[i] = addr
		addr = addr.Next()
	}
	return addrs
}

var sameAddr = cmp.Comparer(func(a, b netip.Addr) bool { return a == b })

func TestResolve(t *testing.T) {
	t.Parallel()
	many := publicAddrs(10_000)
	deny := netip.MustParseAddr("93.184.216.99")
	tests := []struct {
		name  string
		found []netip.Addr
		want  []netip.Addr
		// For refusals.
		reason Reason
		addr   string
		class  ipclass.Class
	}{
		{name: "one", found: parseAddrs("93.184.216.34"), want: parseAddrs("93.184.216.34")},
		{name: "both families", found: parseAddrs("2606:2800::1 93.184.216.34"), want: parseAddrs("2606:2800::1 93.184.216.34")},
		{name: "mapped form", found: parseAddrs("::ffff:93.184.216.34 93.184.216.34"), want: parseAddrs("93.184.216.34")},
		{name: "zone", found: parseAddrs("2606:2800::1%eth0"), want: parseAddrs("2606:2800::1")},
		{name: "twice", found: parseAddrs("93.184.216.34 93.184.216.34"), want: parseAddrs("93.184.216.34")},
		{name: "many", found: many, want: many[:MaxAddresses]},
		{name: "reserved", found: parseAddrs("10.0.0.1"), reason: ReservedAddress, addr: "10.0.0.1", class: ipclass.Private},
		{name: "mixed", found: parseAddrs("93.184.216.34 127.0.0.1"), reason: ReservedAddress, addr: "127.0.0.1", class: ipclass.Loopback},
		{name: "mixed families", found: parseAddrs("93.184.216.34 ::1"), reason: ReservedAddress, addr: "::1", class: ipclass.Loopback},
		{
			name: "mapped reserved", found: parseAddrs("93.184.216.34 ::ffff:169.254.169.254"), reason: ReservedAddress,
			addr: "169.254.169.254", class: ipclass.CloudEndpoint,
		},
		{name: "zero", found: []netip.Addr{{}}, reason: ReservedAddress, addr: "", class: ipclass.Invalid},
		{
			name: "last of many", found: append(publicAddrs(9_999), netip.MustParseAddr("192.168.0.1")),
			reason: ReservedAddress, addr: "192.168.0.1", class: ipclass.Private,
		},
		{name: "own", found: []netip.Addr{deny}, reason: OwnAddress, addr: deny.String(), class: ipclass.Public},
		{name: "own mapped", found: parseAddrs("::ffff:93.184.216.99"), reason: OwnAddress, addr: deny.String(), class: ipclass.Public},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := answering(test.found, netip.AddrFrom16(deny.As16())).Resolve(t.Context(), "pub.example")
			if test.reason != 0 {
				test.want = plainAddrs(test.found)
			}
			if diff := cmp.Diff(test.want, got, sameAddr); diff != "" {
				t.Errorf("addresses (-want +got):\n%s", diff)
			}
			var refusal *Refusal
			if !errors.As(err, &refusal) {
				if err != nil || test.reason != 0 {
					t.Fatalf("error %v, want %s", err, test.reason)
				}
				return
			}
			want := Refusal{Reason: test.reason, Host: "pub.example", Class: test.class}
			if test.addr != "" {
				want.Addr = netip.MustParseAddr(test.addr)
			}
			if *refusal != want {
				t.Errorf("refusal %+v, want %+v", *refusal, want)
			}
		})
	}
}

func TestResolveErrors(t *testing.T) {
	t.Parallel()
	_, err := answering(nil).Resolve(t.Context(), "pub.example")
	var missing *net.DNSError
	if !errors.As(err, &missing) || !missing.IsNotFound || missing.Name != "pub.example" {
		t.Errorf("no addresses: %v", err)
	}
	broken := errors.New("broken")
	g := New(Network{Resolver: resolverFunc(func(context.Context, string, string) ([]netip.Addr, error) {
		return parseAddrs("93.184.216.34"), broken
	})}, nil)
	addrs, err := g.Resolve(t.Context(), "pub.example")
	if !errors.Is(err, broken) || addrs != nil {
		t.Errorf("a failing resolver: %v, %v", addrs, err)
	}
}

// TestOddHostsAreNotLookedUp counts the queries for hosts that the grammar refuses.
func TestOddHostsAreNotLookedUp(t *testing.T) {
	t.Parallel()
	var lookups atomic.Int32
	g := New(Network{Resolver: resolverFunc(func(_ context.Context, network, host string) ([]netip.Addr, error) {
		lookups.Add(1)
		if network != "ip" || host != "pub.example" {
			t.Errorf("the resolver was asked for %s %q", network, host)
		}
		return parseAddrs("93.184.216.34"), nil
	})}, nil)
	for _, host := range slices.Concat(oddHosts, localNames) {
		var refusal *Refusal
		addrs, err := g.Resolve(t.Context(), host)
		if !errors.As(err, &refusal) || addrs != nil {
			t.Errorf("Resolve(%q) = %v, %v", host, addrs, err)
		}
	}
	if lookups.Load() != 0 {
		t.Errorf("%d lookups for odd hosts", lookups.Load())
	}
	_, err := g.Resolve(t.Context(), "pub.example")
	if err != nil || lookups.Load() != 1 {
		t.Errorf("a good host: %v after %d lookups", err, lookups.Load())
	}
}

func TestResolveEndsInTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := New(Network{Resolver: resolverFunc(func(ctx context.Context, _, _ string) ([]netip.Addr, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		})}, nil)
		start := time.Now()
		_, err := g.Resolve(t.Context(), "pub.example")
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != LookupTimeout {
			t.Errorf("error %v after %v", err, time.Since(start))
		}
	})
}

// dials records what a guard hands to its dialer.
type dials struct {
	list []netip.AddrPort
	fail map[string]error
}

func (d *dials) dial(ctx context.Context, addr netip.AddrPort) (net.Conn, error) {
	d.list = append(d.list, addr)
	err := d.fail[addr.Addr().String()]
	if errors.Is(err, context.DeadlineExceeded) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	client, server := net.Pipe()
	_ = server.Close()
	return client, nil
}

func TestDial(t *testing.T) {
	t.Parallel()
	refused := errors.New("connection refused")
	all := func(text string) map[string]error {
		fail := map[string]error{}
		for field := range strings.FieldsSeq(text) {
			fail[field] = refused
		}
		return fail
	}
	tests := []struct {
		name  string
		addrs string
		fail  string
		tried string
		ok    bool
	}{
		{"first", "93.184.216.34 2606:2800::1", "", "93.184.216.34", true},
		{"first is v6", "2606:2800::1 93.184.216.34", "", "2606:2800::1", true},
		{"second of the same family", "93.184.216.34 93.184.216.35 93.184.216.36", "93.184.216.34", "93.184.216.34 93.184.216.35", true},
		{"other family first", "93.184.216.34 93.184.216.35 2606:2800::1", "93.184.216.34", "93.184.216.34 2606:2800::1", true},
		{"v6 then v4", "2606:2800::1 2606:2800::2 93.184.216.34", "2606:2800::1", "2606:2800::1 93.184.216.34", true},
		{"mapped is v4", "93.184.216.34 ::ffff:93.184.216.35 2606:2800::1", "93.184.216.34", "93.184.216.34 2606:2800::1", true},
		{"two tries at most", "93.184.216.34 93.184.216.35 93.184.216.36", "93.184.216.34 93.184.216.35", "93.184.216.34 93.184.216.35", false},
		{"one address", "93.184.216.34", "93.184.216.34", "93.184.216.34", false},
		{"same address twice", "93.184.216.34 93.184.216.34", "93.184.216.34", "93.184.216.34", false},
		{"none", "", "", "", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			d := &dials{fail: all(test.fail)}
			conn, target, err := New(Network{Dial: d.dial}, nil).Dial(t.Context(), parseAddrs(test.addrs), 8443)
			var tried []netip.Addr
			for _, addr := range d.list {
				tried = append(tried, addr.Addr())
				if addr.Port() != 8443 {
					t.Errorf("port %d was dialled", addr.Port())
				}
			}
			if diff := cmp.Diff(parseAddrs(test.tried), tried, sameAddr); diff != "" {
				t.Errorf("tried (-want +got):\n%s", diff)
			}
			if len(d.list) > 0 && target != d.list[len(d.list)-1] {
				t.Errorf("returned the address %s, tried last %s", target, d.list[len(d.list)-1])
			}
			if test.ok != (err == nil) || test.ok != (conn != nil) {
				t.Fatalf("connection %v, error %v", conn, err)
			}
			if len(tried) > 0 && !test.ok && !errors.Is(err, refused) {
				t.Errorf("error %v", err)
			}
			if conn != nil {
				_ = conn.Close()
			}
		})
	}
}

func TestDialRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		addrs  string
		port   uint16
		reason Reason
	}{
		{"reserved", "127.0.0.1", 443, ReservedAddress},
		{"reserved later", "93.184.216.34 93.184.216.35 93.184.216.36 10.0.0.1", 443, ReservedAddress},
		{"reserved v6", "93.184.216.34 fd00::1", 443, ReservedAddress},
		{"mapped", "::ffff:127.0.0.1", 443, ReservedAddress},
		{"own", "93.184.216.99", 443, OwnAddress},
		{"port", "93.184.216.34", 25, BadPort},
		{"port zero", "93.184.216.34", 0, BadPort},
	}
	for _, test := range tests {
		d := &dials{}
		conn, target, err := New(Network{Dial: d.dial}, parseAddrs("93.184.216.99")).Dial(t.Context(), parseAddrs(test.addrs), test.port)
		var refusal *Refusal
		if !errors.As(err, &refusal) || refusal.Reason != test.reason || conn != nil || target.IsValid() {
			t.Errorf("%s: %v, %s, %v", test.name, conn, target, err)
		}
		if len(d.list) != 0 {
			t.Errorf("%s: %v was dialled", test.name, d.list)
		}
	}
}

func TestDialEndsInTime(t *testing.T) {
	t.Parallel()
	silent := map[string]error{"93.184.216.34": context.DeadlineExceeded, "93.184.216.35": context.DeadlineExceeded}
	tests := []struct {
		name  string
		limit time.Duration
		want  time.Duration
		tries int
	}{
		{"both tries", time.Minute, 2 * ConnectTimeout, 2},
		{"the caller's limit", 3 * time.Second, 3 * time.Second, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				d := &dials{fail: silent}
				ctx, cancel := context.WithTimeout(t.Context(), test.limit)
				defer cancel()
				start := time.Now()
				_, _, err := New(Network{Dial: d.dial}, nil).Dial(ctx, parseAddrs("93.184.216.34 93.184.216.35"), 443)
				if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != test.want || len(d.list) != test.tries {
					t.Errorf("error %v after %v and %d tries", err, time.Since(start), len(d.list))
				}
			})
		})
	}
}

// TestControlHook hands reserved addresses straight to the default dialer, as if
// every check before it had failed, with a listener behind each.
func TestControlHook(t *testing.T) {
	t.Parallel()
	var hits atomic.Int32
	g := New(Network{}, nil)
	for _, listen := range []string{"127.0.0.1:0", "[::1]:0"} {
		var config net.ListenConfig
		canary, err := config.Listen(t.Context(), "tcp", listen)
		if err != nil {
			t.Fatalf("the canary cannot listen: %v", err)
		}
		go func() {
			for {
				conn, err := canary.Accept()
				if err != nil {
					return
				}
				hits.Add(1)
				_ = conn.Close()
			}
		}()
		target := netip.MustParseAddrPort(canary.Addr().String())
		targets := []netip.AddrPort{target}
		if target.Addr().Is4() {
			targets = append(targets, netip.AddrPortFrom(netip.AddrFrom16(target.Addr().As16()), target.Port()),
				netip.AddrPortFrom(netip.MustParseAddr("0.0.0.0"), target.Port()))
		}
		for _, target := range targets {
			conn, err := g.dialTCP(t.Context(), target)
			var refusal *Refusal
			if !errors.As(err, &refusal) || refusal.Reason != ReservedAddress || conn != nil {
				t.Errorf("dialling %s: %v, %v", target, conn, err)
			}
		}
		// The canary is awake: a bare dialer does reach it.
		var bare net.Dialer
		conn, err := bare.DialContext(t.Context(), "tcp", target.String())
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, conn)
		_ = conn.Close()
		_ = canary.Close()
	}
	if hits.Load() != 2 {
		t.Errorf("%d connections reached the canaries, want the 2 bare ones", hits.Load())
	}
}

func TestControl(t *testing.T) {
	t.Parallel()
	g := New(Network{}, parseAddrs("93.184.216.99"))
	tests := []struct {
		network, address string
		reason           Reason
		other            bool // an error that is no Refusal
	}{
		{"tcp4", "93.184.216.34:443", 0, false},
		{"tcp6", "[2606:2800::1]:443", 0, false},
		{"tcp6", "[::ffff:93.184.216.34]:443", 0, false},
		{"tcp4", "127.0.0.1:443", ReservedAddress, false},
		{"tcp6", "[::ffff:127.0.0.1]:443", ReservedAddress, false},
		{"tcp6", "[fe80::1%eth0]:443", ReservedAddress, false},
		{"tcp6", "[64:ff9b::808:808]:443", ReservedAddress, false},
		{"tcp4", "93.184.216.99:443", OwnAddress, false},
		{"tcp6", "[::ffff:93.184.216.99]:443", OwnAddress, false},
		{"tcp4", "93.184.216.34:22", BadPort, false},
		{"udp4", "93.184.216.34:443", 0, true},
		{"unix", "/run/secret.sock", 0, true},
		{"tcp4", "example.com:443", 0, true},
	}
	for _, test := range tests {
		err := g.control(test.network, test.address, nil)
		var refusal *Refusal
		got := Reason(0)
		if errors.As(err, &refusal) {
			got = refusal.Reason
		}
		if got != test.reason || test.other != (err != nil && refusal == nil) {
			t.Errorf("control(%s, %s) = %v", test.network, test.address, err)
		}
	}
}

func TestRoots(t *testing.T) {
	t.Parallel()
	pool := x509.NewCertPool()
	if New(Network{Roots: pool}, nil).Roots() != pool || New(Network{}, nil).Roots() != nil {
		t.Error("the roots are not those of the network")
	}
}

// plainAddrs are the addresses that come with a refusal, as evidence.
func plainAddrs(found []netip.Addr) []netip.Addr {
	var list []netip.Addr
	for _, a := range found[:min(len(found), MaxAddresses)] {
		list = append(list, plain(a))
	}
	return list
}
