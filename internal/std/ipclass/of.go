package ipclass

import (
	"encoding/binary"
	"net/netip"
)

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
