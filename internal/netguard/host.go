package netguard

import (
	"slices"

	"github.com/avow-project/avow/internal/std/hostname"
)

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
