package ipclass

import (
	"net/netip"
	"slices"
	"strings"
	"testing"
)

// edges has every prefix of the tables with the classes of its first and last
// address and of the addresses just outside. It is written out, not computed, so
// that an edit of a table is noticed here.
var edges = []struct {
	prefix                     string
	before, first, last, after Class
}{
	{"0.0.0.0/0", Invalid, Unspecified, Broadcast, Invalid},
	{"0.0.0.0/8", Invalid, Unspecified, ThisNetwork, Public},
	{"0.0.0.0/32", Invalid, Unspecified, Unspecified, ThisNetwork},
	{"10.0.0.0/8", Public, Private, Private, Public},
	{"100.64.0.0/10", Public, Shared, Shared, Public},
	{"100.100.100.200/32", Shared, CloudEndpoint, CloudEndpoint, Shared},
	{"127.0.0.0/8", Public, Loopback, Loopback, Public},
	{"168.63.129.16/32", Public, CloudEndpoint, CloudEndpoint, Public},
	{"169.254.0.0/16", Public, LinkLocal, LinkLocal, Public},
	{"169.254.169.254/32", LinkLocal, CloudEndpoint, CloudEndpoint, LinkLocal},
	{"169.254.170.2/32", LinkLocal, CloudEndpoint, CloudEndpoint, LinkLocal},
	{"169.254.170.23/32", LinkLocal, CloudEndpoint, CloudEndpoint, LinkLocal},
	{"172.16.0.0/12", Public, Private, Private, Public},
	{"192.0.0.0/24", Public, ProtocolAssignment, ProtocolAssignment, Public},
	{"192.0.0.0/29", Public, ProtocolAssignment, ProtocolAssignment, ProtocolAssignment},
	{"192.0.0.8/32", ProtocolAssignment, ProtocolAssignment, ProtocolAssignment, LocalAnycast},
	{"192.0.0.9/32", ProtocolAssignment, LocalAnycast, LocalAnycast, LocalAnycast},
	{"192.0.0.10/32", LocalAnycast, LocalAnycast, LocalAnycast, ProtocolAssignment},
	{"192.0.0.170/32", ProtocolAssignment, ProtocolAssignment, ProtocolAssignment, ProtocolAssignment},
	{"192.0.0.171/32", ProtocolAssignment, ProtocolAssignment, ProtocolAssignment, ProtocolAssignment},
	{"192.0.0.192/32", ProtocolAssignment, CloudEndpoint, CloudEndpoint, ProtocolAssignment},
	{"192.0.2.0/24", Public, Documentation, Documentation, Public},
	{"192.31.196.0/24", Public, Public, Public, Public},
	{"192.52.193.0/24", Public, Public, Public, Public},
	{"192.88.99.0/24", Public, SixToFour, SixToFour, Public},
	{"192.168.0.0/16", Public, Private, Private, Public},
	{"192.175.48.0/24", Public, Public, Public, Public},
	{"198.18.0.0/15", Public, Benchmarking, Benchmarking, Public},
	{"198.51.100.0/24", Public, Documentation, Documentation, Public},
	{"203.0.113.0/24", Public, Documentation, Documentation, Public},
	{"224.0.0.0/4", Public, Multicast, Multicast, FutureUse},
	{"240.0.0.0/4", Multicast, FutureUse, Broadcast, Invalid},
	{"255.255.255.255/32", FutureUse, Broadcast, Broadcast, Invalid},

	{"::/0", Invalid, Unspecified, Multicast, Invalid},
	{"::/96", Invalid, Unspecified, IPv4Compatible, Unallocated},
	{"::/128", Invalid, Unspecified, Unspecified, Loopback},
	{"::1/128", Unspecified, Loopback, Loopback, IPv4Compatible},
	// The edges of the mapped range are 0.0.0.0 and 255.255.255.255.
	{"::ffff:0:0/96", Unallocated, Unspecified, Broadcast, Unallocated},
	{"::ffff:0:0:0/96", Unallocated, IPv4Translated, IPv4Translated, Unallocated},
	{"64:ff9b::/96", Unallocated, NAT64, NAT64, Unallocated},
	{"64:ff9b:1::/48", Unallocated, NAT64, NAT64, Unallocated},
	{"100::/64", Unallocated, Discard, Discard, ProtocolAssignment},
	{"100:0:0:1::/64", Discard, ProtocolAssignment, ProtocolAssignment, Unallocated},
	{"2000::/3", Unallocated, Public, Public, Unallocated},
	{"2001::/23", Public, Teredo, ProtocolAssignment, Public},
	{"2001::/32", Public, Teredo, Teredo, ProtocolAssignment},
	{"2001:1::1/128", ProtocolAssignment, LocalAnycast, LocalAnycast, LocalAnycast},
	{"2001:1::2/128", LocalAnycast, LocalAnycast, LocalAnycast, LocalAnycast},
	{"2001:1::3/128", LocalAnycast, LocalAnycast, LocalAnycast, ProtocolAssignment},
	{"2001:2::/48", ProtocolAssignment, Benchmarking, Benchmarking, ProtocolAssignment},
	{"2001:3::/32", ProtocolAssignment, Public, Public, ProtocolAssignment},
	{"2001:4:112::/48", ProtocolAssignment, Public, Public, ProtocolAssignment},
	{"2001:10::/28", ProtocolAssignment, ProtocolAssignment, ProtocolAssignment, Public},
	{"2001:20::/28", ProtocolAssignment, Public, Public, Public},
	{"2001:30::/28", Public, Public, Public, ProtocolAssignment},
	{"2001:db8::/32", Public, Documentation, Documentation, Public},
	{"2002::/16", Public, SixToFour, SixToFour, Public},
	{"2620:4f:8000::/48", Public, Public, Public, Public},
	{"3fff::/20", Public, Documentation, Documentation, Public},
	{"5f00::/16", Unallocated, SegmentRouting, SegmentRouting, Unallocated},
	{"fc00::/7", Unallocated, UniqueLocal, UniqueLocal, Unallocated},
	{"fd00:ec2::23/128", UniqueLocal, CloudEndpoint, CloudEndpoint, UniqueLocal},
	{"fd00:ec2::254/128", UniqueLocal, CloudEndpoint, CloudEndpoint, UniqueLocal},
	{"fd20:ce::254/128", UniqueLocal, CloudEndpoint, CloudEndpoint, UniqueLocal},
	{"fe80::/10", Unallocated, LinkLocal, LinkLocal, SiteLocal},
	{"fec0::/10", LinkLocal, SiteLocal, SiteLocal, Multicast},
	{"ff00::/8", SiteLocal, Multicast, Multicast, Invalid},
}

// last returns the highest address of a prefix.
func last(p netip.Prefix) netip.Addr {
	octets := p.Addr().AsSlice()
	for bit := p.Bits(); bit < p.Addr().BitLen(); bit++ {
		octets[bit/8] |= 0x80 >> (bit % 8)
	}
	addr, _ := netip.AddrFromSlice(octets)
	return addr
}

func TestEdges(t *testing.T) {
	t.Parallel()
	for _, e := range edges {
		p := netip.MustParsePrefix(e.prefix)
		for _, probe := range []struct {
			where string
			addr  netip.Addr
			want  Class
		}{
			// Prev and Next of the outermost addresses are the invalid one.
			{"before", p.Addr().Prev(), e.before},
			{"first", p.Addr(), e.first},
			{"last", last(p), e.last},
			{"after", last(p).Next(), e.after},
		} {
			got := Of(probe.addr)
			if got != probe.want {
				t.Errorf("%s, %s: Of(%s) = %s, want %s", e.prefix, probe.where, probe.addr, got, probe.want)
			}
		}
	}
}

func TestEdgesCoverTheTables(t *testing.T) {
	t.Parallel()
	var tested, rows []string
	for _, e := range edges {
		tested = append(tested, netip.MustParsePrefix(e.prefix).String())
	}
	for _, r := range slices.Concat(loaded().v4, loaded().v6) {
		rows = append(rows, r.prefix.String())
	}
	slices.Sort(tested)
	slices.Sort(rows)
	if !slices.Equal(tested, rows) {
		t.Errorf("the edges are about\n%v\nthe tables have\n%v", tested, rows)
	}
}

// TestClassesAgreeWithTheRegistries holds the class of every registry row against
// the registry's own word on it. Where the registry calls a range reachable and
// the class is reserved all the same, the reason is one of two.
func TestClassesAgreeWithTheRegistries(t *testing.T) {
	t.Parallel()
	registries, err := parseTables(special4, special6)
	if err != nil {
		t.Fatal(err)
	}
	if len(registries.v4) != 25 || len(registries.v6) != 25 {
		t.Errorf("%d and %d rows, want 25 of each", len(registries.v4), len(registries.v6))
	}
	for _, r := range slices.Concat(registries.v4, registries.v6) {
		switch r.reach {
		case "yes":
			if r.class != Public && r.class != LocalAnycast && r.class != NAT64 {
				t.Errorf("%s is reachable and has the class %s", r.prefix, r.class)
			}
		case "no", "-":
			if r.class == Public {
				t.Errorf("%s is not reachable and has the class public", r.prefix)
			}
		default:
			t.Errorf("%s has %q in its second column", r.prefix, r.reach)
		}
	}
}

func TestParseTablesRefuses(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"10.0.0.0/8 no private\n":           "fewer than four columns",
		"\n":                                "fewer than four columns",
		"10.0.0.0 no private x\n":           "no '/'",
		"10.0.0.1/8 no private x\n":         "bits beyond",
		"10.0.0.0/8 no privat x\n":          "unknown class",
		"10.0.0.0/8 no private x\nfe80::\n": "fewer than four columns",
	} {
		_, err := parseTables("# a comment\n", line)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one about %q", line, err, want)
		}
	}
}
