package hostname

import (
	"net/netip"

	"github.com/avow-project/avow/internal/std/ipclass"
)

// ReservedAddr reports whether an address is unusable for a public service:
// loopback, private, documentation and the like. An IPv4 address mapped into
// IPv6 is judged as the IPv4 address, and the zero Addr is reserved.
func ReservedAddr(addr netip.Addr) bool { return ipclass.Of(addr).Reserved() }
