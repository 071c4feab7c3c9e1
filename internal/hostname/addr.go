package hostname

import "net/netip"

// reserved4 lists the IPv4 ranges that lead to no publisher on the public
// internet, from the IANA special-purpose address registry.
var reserved4 = prefixes(
	"0.0.0.0/8",       // this network
	"10.0.0.0/8",      // private
	"100.64.0.0/10",   // shared by carriers
	"127.0.0.0/8",     // loopback
	"169.254.0.0/16",  // link-local, cloud metadata
	"172.16.0.0/12",   // private
	"192.0.0.0/24",    // protocol assignments
	"192.0.2.0/24",    // documentation
	"192.88.99.0/24",  // retired 6to4 relays
	"192.168.0.0/16",  // private
	"198.18.0.0/15",   // benchmarking
	"198.51.100.0/24", // documentation
	"203.0.113.0/24",  // documentation
	"224.0.0.0/4",     // multicast
	"240.0.0.0/4",     // future use, broadcast
)

// global6 is the only IPv6 range handed out for the public internet. Loopback,
// unique local, link-local, multicast, and the ranges that embed IPv4
// addresses for translation all lie outside it.
var global6 = netip.MustParsePrefix("2000::/3")

// reserved6 lists the IPv6 ranges within global6 that are not public.
var reserved6 = prefixes(
	"2001::/23",     // protocol assignments, Teredo
	"2001:db8::/32", // documentation
	"2002::/16",     // 6to4, which embeds IPv4 addresses
	"3fff::/20",     // documentation
)

// public6 lists the assignments within 2001::/23 that are reachable after all.
var public6 = prefixes(
	"2001:1::1/128",   // port control anycast
	"2001:1::2/128",   // relay anycast
	"2001:1::3/128",   // service registration anycast
	"2001:3::/32",     // multicast tunnelling
	"2001:4:112::/48", // AS112
	"2001:20::/28",    // ORCHIDv2
	"2001:30::/28",    // drone remote identification
)

// prefixes parses a list of literals of this file.
func prefixes(texts ...string) []netip.Prefix {
	list := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		list[i] = netip.MustParsePrefix(text)
	}
	return list
}

// ReservedAddr reports whether an address is unusable for a public service:
// loopback, private, documentation and the like. An IPv4 address mapped into
// IPv6 is judged as the IPv4 address, and the zero Addr is reserved.
func ReservedAddr(addr netip.Addr) bool {
	addr = addr.Unmap().WithZone("")
	switch {
	case !addr.IsValid():
		return true
	case addr.Is4():
		return inAny(addr, reserved4)
	case !global6.Contains(addr):
		return true
	}
	return inAny(addr, reserved6) && !inAny(addr, public6)
}

// inAny reports whether one of the prefixes contains addr.
func inAny(addr netip.Addr, list []netip.Prefix) bool {
	for _, p := range list {
		if p.Contains(addr) {
			return true
		}
	}
	return false
}
