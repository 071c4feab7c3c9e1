// Package ipclass says what kind of address an IP address is, and so whether a
// server on the public internet can have it.
//
// The predicates of net/netip are not enough: they call addresses ordinary that
// lead to a carrier's equipment, through a translator back to IPv4, or nowhere.
// This package carries the two registries of special-purpose addresses that IANA
// keeps, and what those leave out: multicast, the retired ranges, every IPv6
// address that is not handed out for the public internet, and the fixed
// addresses at which clouds serve secrets to their machines. All of them are
// tables in text next to the code; the longest prefix that contains an address
// decides.
//
// It departs from the registries in one direction only. Ranges that embed IPv4
// addresses are reserved as a whole, because what is behind the translation is
// not visible here; and so are the anycast addresses that every network routes
// to its own nearest machine.
package ipclass
