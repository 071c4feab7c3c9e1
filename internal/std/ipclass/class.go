package ipclass

import (
	_ "embed" // for the tables
	"encoding/binary"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"sync"
)

// A Class is a kind of address. Only Public is fit for connecting to a stranger's
// server.
type Class uint8

// The classes. The zero value is reserved, so that an unset Class never passes.
const (
	// Invalid: not an address at all.
	Invalid Class = iota
	// Public: a server on the public internet can have it.
	Public
	// Unspecified: 0.0.0.0 and ::, which many systems take for themselves.
	Unspecified
	// ThisNetwork: the rest of 0.0.0.0/8.
	ThisNetwork
	// Loopback: this machine.
	Loopback
	// Private: the private networks of IPv4.
	Private
	// Shared: between a carrier and its customers.
	Shared
	// LinkLocal: the attached network.
	LinkLocal
	// UniqueLocal: the private networks of IPv6.
	UniqueLocal
	// SiteLocal: the retired private networks of IPv6.
	SiteLocal
	// CloudEndpoint: where a cloud serves metadata and credentials.
	CloudEndpoint
	// LocalAnycast: the nearest machine of some kind in the own network.
	LocalAnycast
	// ProtocolAssignment: set aside for protocols.
	ProtocolAssignment
	// Documentation: for examples only.
	Documentation
	// Benchmarking: for measurements in a laboratory.
	Benchmarking
	// Multicast: more than one receiver.
	Multicast
	// Broadcast: every receiver.
	Broadcast
	// FutureUse: never handed out.
	FutureUse
	// Discard: for traffic that is to be dropped.
	Discard
	// SegmentRouting: instructions to routers.
	SegmentRouting
	// IPv4Mapped: an IPv4 address in IPv6 form. Of never returns it: it judges the
	// IPv4 address.
	IPv4Mapped
	// IPv4Compatible: a retired form that embeds an IPv4 address.
	IPv4Compatible
	// IPv4Translated: another form that embeds an IPv4 address.
	IPv4Translated
	// NAT64: translated to the embedded IPv4 address by the network.
	NAT64
	// SixToFour: tunnelled to the embedded IPv4 address, and the relays for it.
	SixToFour
	// Teredo: tunnelled through an embedded IPv4 address.
	Teredo
	// ISATAP: tunnelled to the IPv4 address in its second half.
	ISATAP
	// Unallocated: IPv6 that is not handed out for the public internet.
	Unallocated
)

var classNames = [...]string{
	Invalid: "invalid", Public: "public", Unspecified: "unspecified", ThisNetwork: "this_network", Loopback: "loopback",
	Private: "private", Shared: "shared", LinkLocal: "link_local", UniqueLocal: "unique_local", SiteLocal: "site_local",
	CloudEndpoint: "cloud_endpoint", LocalAnycast: "local_anycast", ProtocolAssignment: "protocol_assignment",
	Documentation: "documentation", Benchmarking: "benchmarking", Multicast: "multicast", Broadcast: "broadcast",
	FutureUse: "future_use", Discard: "discard", SegmentRouting: "segment_routing", IPv4Mapped: "ipv4_mapped",
	IPv4Compatible: "ipv4_compatible", IPv4Translated: "ipv4_translated", NAT64: "nat64", SixToFour: "6to4",
	Teredo: "teredo", ISATAP: "isatap", Unallocated: "unallocated",
}

// String returns the stable name, for logs and metrics.
func (c Class) String() string {
	if int(c) >= len(classNames) {
		return classNames[Invalid]
	}
	return classNames[c]
}

// Reserved reports whether no server on the public internet has such an address.
func (c Class) Reserved() bool { return c != Public }

// Of returns the class of an address. An IPv4 address in IPv6 form is judged as
// the IPv4 address it is to the kernel, and a zone is ignored: neither can make
// an address look better than it is.
func Of(addr netip.Addr) Class {
	addr = addr.Unmap().WithZone("")
	if !addr.IsValid() {
		return Invalid
	}
	if addr.Is4() {
		return lookup(&loaded().index4, addr.As4()[0], addr)
	}
	class := lookup(&loaded().index6, addr.As16()[0], addr)
	if class == Public && isISATAP(addr) {
		return ISATAP
	}
	return class
}

// lookup returns the class of the first row that contains addr, whose first octet
// is given. Each table ends with a row that contains everything; without it the
// answer would be a reserved one.
func lookup(index *[256][]row, first byte, addr netip.Addr) Class {
	rows := index[first]
	for i := range rows {
		if rows[i].prefix.Contains(addr) {
			return rows[i].class
		}
	}
	return Invalid
}

// isISATAP recognises addresses that a tunnel interface sends to the IPv4 address
// in their last four octets (RFC 5214, section 6.1). They have no prefix of
// their own: the four octets before are fixed, but for one bit.
func isISATAP(addr netip.Addr) bool {
	octets := addr.As16()
	const (
		mark         = 0x00005efe
		universalBit = 0x02000000
	)
	return binary.BigEndian.Uint32(octets[8:])&^uint32(universalBit) == mark
}

// The tables as text. Their first lines give the format and the source.
var (
	//go:embed special4.txt
	special4 string
	//go:embed special6.txt
	special6 string
	//go:embed extra.txt
	extra string
)

// row is one line of a table. reach is the registry's column "globally
// reachable": Of does not use it, but tests hold the class against it.
type row struct {
	prefix netip.Prefix
	reach  string
	class  Class
}

// tables are the rows of both families, longest prefix first; once as they are and
// once for each first octet of an address, which leaves few rows to look at.
type tables struct {
	v4, v6         []row
	index4, index6 [256][]row
}

// loaded is the content of the embedded text. It is read on first use, so that
// a program that never asks does not pay for it at start.
var loaded = sync.OnceValue(func() *tables {
	t, err := parseTables(special4, special6, extra)
	if err != nil {
		// The text is part of the program, and tests read it: this is a build
		// that was never tested, and it must not connect anywhere.
		panic(err)
	}
	return t
})

// parseTables reads the rows of all texts and sorts them so that the first one
// that contains an address is the most specific.
func parseTables(texts ...string) (*tables, error) {
	t := &tables{}
	for _, text := range texts {
		err := t.add(text)
		if err != nil {
			return nil, err
		}
	}
	longest := func(a, b row) int { return b.prefix.Bits() - a.prefix.Bits() }
	slices.SortStableFunc(t.v4, longest)
	slices.SortStableFunc(t.v6, longest)
	t.index4 = index(t.v4, 4)
	t.index6 = index(t.v6, 16)
	return t, nil
}

// index finds the rows that matter for each first octet of an address of so many
// octets.
func index(rows []row, octets int) [256][]row {
	var ix [256][]row
	for first := range ix {
		start, _ := netip.AddrFromSlice(append([]byte{byte(first)}, make([]byte, octets-1)...))
		for _, r := range rows {
			if r.prefix.Overlaps(netip.PrefixFrom(start, 8)) {
				ix[first] = append(ix[first], r)
			}
		}
	}
	return ix
}

// add reads the rows of one text.
func (t *tables) add(text string) error {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		r, err := parseRow(line)
		if err != nil {
			return err
		}
		if r.prefix.Addr().Is4() {
			t.v4 = append(t.v4, r)
		} else {
			t.v6 = append(t.v6, r)
		}
	}
	return nil
}

// parseRow reads one line. The words after the third column are for readers.
func parseRow(line string) (row, error) {
	fields := strings.Fields(line)
	if len(fields) < 4 {
		return row{}, fmt.Errorf("ipclass: %q has fewer than four columns", line)
	}
	prefix, err := netip.ParsePrefix(fields[0])
	if err != nil {
		return row{}, fmt.Errorf("ipclass: %w", err)
	}
	if prefix != prefix.Masked() {
		return row{}, fmt.Errorf("ipclass: %s has bits beyond its length", prefix)
	}
	class := slices.Index(classNames[:], fields[2])
	if class < 0 {
		return row{}, fmt.Errorf("ipclass: %s has the unknown class %q", prefix, fields[2])
	}
	return row{prefix: prefix, reach: fields[1], class: Class(class)}, nil
}
