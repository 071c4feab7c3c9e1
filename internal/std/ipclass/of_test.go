package ipclass

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"regexp"
	"testing"

	"code.dny.dev/ssrf"
)

func TestOf(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Class{
		"1.1.1.1": Public, "93.184.216.34": Public, "223.255.255.255": Public, "2606:4700:4700::1111": Public,
		"2001:4860:4860::8888": Public, "2a00:1450::1": Public, "3ffe::1": Public,
		"127.0.0.1": Loopback, "::1": Loopback, "10.1.2.3": Private, "fd12:3456::1": UniqueLocal,
		"::127.0.0.1": IPv4Compatible, "::ffff:0:127.0.0.1": IPv4Translated, "64:ff9b::127.0.0.1": NAT64,
		// A public address behind the translation does not help.
		"64:ff9b::8.8.8.8": NAT64, "2002:808:808::1": SixToFour, "2001:0:808:808::1": Teredo, "::8.8.8.8": IPv4Compatible,
		"fe80::1%eth0": LinkLocal, "2606:4700::1%eth0": Public, "400::1": Unallocated, "200::1": Unallocated,
		"2606:4700::5efe:7f00:1": ISATAP, "2606:4700::200:5efe:808:808": ISATAP,
		"2606:4700::100:5efe:7f00:1": Public, "2606:4700::5eff:7f00:1": Public, "fe80::5efe:7f00:1": LinkLocal,
	} {
		got := Of(netip.MustParseAddr(text))
		if got != want {
			t.Errorf("Of(%s) = %s, want %s", text, got, want)
		}
	}
	if got := Of(netip.Addr{}); got != Invalid {
		t.Errorf("Of of the zero Addr = %s", got)
	}
	if got := lookup(&[256][]row{}, 1, netip.MustParseAddr("1.1.1.1")); !got.Reserved() {
		t.Errorf("an empty table says %s", got)
	}
}

// mapped returns the spellings of an IPv4 address in IPv6 form.
func mapped(v4 netip.Addr) []netip.Addr {
	o := v4.As4()
	hi, lo := uint(o[0])<<8|uint(o[1]), uint(o[2])<<8|uint(o[3])
	list := []netip.Addr{netip.AddrFrom16(v4.As16()), netip.AddrFrom16(v4.As16()).WithZone("eth0")}
	for _, text := range []string{
		fmt.Sprintf("::ffff:%s", v4),
		fmt.Sprintf("::FFFF:%s", v4),
		fmt.Sprintf("::fFfF:%x:%x", hi, lo),
		fmt.Sprintf("::ffff:%04X:%04X", hi, lo),
		fmt.Sprintf("0:0:0:0:0:ffff:%x:%x", hi, lo),
		fmt.Sprintf("0:0:0:0:0:ffff:%s", v4),
		fmt.Sprintf("0000:0000:0000:0000:0000:ffff:%04x:%04x", hi, lo),
		fmt.Sprintf("0::0:ffff:%s", v4),
	} {
		list = append(list, netip.MustParseAddr(text))
	}
	return list
}

// TestMapped fails when Of does not unmap: both for addresses that would then
// pass and for public ones that would be refused.
func TestMapped(t *testing.T) {
	t.Parallel()
	probes := []netip.Addr{netip.MustParseAddr("8.8.8.8"), netip.MustParseAddr("93.184.216.34")}
	for _, r := range loaded().v4 {
		probes = append(probes, r.prefix.Addr(), last(r.prefix))
	}
	for _, v4 := range probes {
		want := Of(v4)
		for _, addr := range mapped(v4) {
			got := Of(addr)
			if got != want {
				t.Errorf("Of(%s) = %s, but Of(%s) = %s", addr, got, v4, want)
			}
		}
	}
}

func TestClassNames(t *testing.T) {
	t.Parallel()
	snake := regexp.MustCompile(`^[a-z0-9]+(_[a-z0-9]+)*$`)
	seen := map[string]bool{}
	for c := Invalid; c <= Unallocated; c++ {
		name := c.String()
		if !snake.MatchString(name) || seen[name] {
			t.Errorf("class %d has the name %q", c, name)
		}
		seen[name] = true
		if c.Reserved() == (c == Public) {
			t.Errorf("%s.Reserved() = %v", c, c.Reserved())
		}
	}
	beyond := Unallocated + 1
	if beyond.String() != "invalid" || !beyond.Reserved() {
		t.Errorf("a class beyond the last is %s", beyond)
	}
}

// differences are the ranges on which the oracle and this package disagree, on
// purpose.
var differences = []struct {
	prefix netip.Prefix
	ours   Class
	why    string
}{
	{netip.MustParsePrefix("192.31.196.0/24"), Public, "the registry calls it globally reachable"},
	{netip.MustParsePrefix("192.52.193.0/24"), Public, "the registry calls it globally reachable"},
	{netip.MustParsePrefix("192.175.48.0/24"), Public, "the registry calls it globally reachable"},
	{netip.MustParsePrefix("168.63.129.16/32"), CloudEndpoint, "the oracle does not list it"},
	{netip.MustParsePrefix("2001:3::/32"), Public, "the registry calls it globally reachable"},
	{netip.MustParsePrefix("2001:4:112::/48"), Public, "the registry calls it globally reachable"},
	{netip.MustParsePrefix("2001:20::/28"), Public, "the registry calls it globally reachable"},
	{netip.MustParsePrefix("2001:30::/28"), Public, "the registry calls it globally reachable"},
	{netip.MustParsePrefix("2620:4f:8000::/48"), Public, "the registry calls it globally reachable"},
}

// agrees asks the oracle about the unmapped form: that it refuses every mapped
// address is a difference too.
func agrees(oracle *ssrf.Guardian, addr netip.Addr) bool {
	theirs := oracle.SafeAddr(addr.Unmap())
	return Of(addr).Reserved() == (theirs != nil)
}

// expected reports whether a disagreement is one of the deliberate ones.
func expected(addr netip.Addr) bool {
	class := Of(addr)
	if class == ISATAP {
		return true // a kind that the oracle does not know
	}
	for _, d := range differences {
		if d.prefix.Contains(addr.Unmap()) {
			return class == d.ours
		}
	}
	return false
}

// random returns an address, mostly within the ranges where something is decided.
func random(rng *rand.Rand, rows []row) netip.Addr {
	var octets [16]byte
	binary.BigEndian.PutUint64(octets[:8], rng.Uint64())
	binary.BigEndian.PutUint64(octets[8:], rng.Uint64())
	switch rng.IntN(8) {
	case 0, 1, 2:
		return netip.AddrFrom4([4]byte(octets[:4]))
	case 3, 4:
		octets[0] = octets[0]&0x1f | 0x20 // 2000::/3
	case 5:
		octets[0], octets[1] = 0x20, 0x01
		octets[2] &= 0x0f
	case 6: // close to the edge of a range
		p := rows[rng.IntN(len(rows))].prefix
		addr := p.Addr()
		if rng.IntN(2) == 0 {
			addr = last(p)
		}
		for range rng.IntN(4) {
			addr = addr.Next()
		}
		if addr.IsValid() {
			return addr
		}
	}
	return netip.AddrFrom16(octets)
}

func TestRandomAgainstOracle(t *testing.T) {
	t.Parallel()
	oracle := ssrf.New()
	rows := append(append([]row{}, loaded().v4...), loaded().v6...)
	rng := rand.New(rand.NewPCG(1, 0))
	for range 1_000_000 {
		addr := random(rng, rows)
		if !agrees(oracle, addr) && !expected(addr) {
			t.Fatalf("%s is %s here and %v to the oracle", addr, Of(addr), oracle.SafeAddr(addr.Unmap()))
		}
	}
	for _, d := range differences {
		for _, addr := range []netip.Addr{d.prefix.Addr(), last(d.prefix)} {
			if agrees(oracle, addr) || !expected(addr) {
				t.Errorf("%s is %s, and so it is to the oracle: want %s alone, because %s", addr, Of(addr), d.ours, d.why)
			}
		}
	}
}

func BenchmarkOf(b *testing.B) {
	addrs := []netip.Addr{netip.MustParseAddr("93.184.216.34"), netip.MustParseAddr("2606:4700::1")}
	for i := 0; b.Loop(); i++ {
		Of(addrs[i%2])
	}
}
