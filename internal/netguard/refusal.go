package netguard

import (
	"fmt"
	"net/netip"
	"strconv"

	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/ipclass"
)

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
