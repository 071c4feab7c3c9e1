package fetch

import (
	"net/netip"
	"time"

	"github.com/avow-project/avow/internal/netguard"
)

// Config configures a Client. The zero value is ready for use, but an operator
// who sends many requests sets Contact.
type Config struct {
	// Contact is a URL or an e-mail address in the User-Agent, for the owner of a
	// server who wants to know who asks. Empty means the address of the project.
	Contact string
	// Budget limits one call of Get in all: lookups, redirects, repetitions and
	// the pauses between them, but not the wait for Request.Large. Zero means 30
	// seconds.
	Budget time.Duration
	// HopTimeout limits one exchange. Zero means 10 seconds.
	HopTimeout time.Duration
	// Attempts is the number of times a request is made while the failure is
	// transient: it is repeated Attempts-1 times at most, over all its redirects.
	// Zero means 3, 1 means no repetition.
	Attempts int
	// PerHost and PerSite limit the exchanges at the same time with one host and
	// with the hosts of one registrable domain. Zero means 2 and 4.
	PerHost, PerSite int
	// SiteBurst exchanges with a site may begin at once, and then one in each
	// SiteEvery: no more than SiteBurst + d/SiteEvery within any time d. Zero means
	// 8 and half a second.
	SiteBurst int
	SiteEvery time.Duration
	// PerAddress limits the exchanges at the same time with one address, whatever
	// the names are that lead there. Zero means no limit: many sites share an
	// address.
	PerAddress int
	// AddressBurst exchanges with an address may begin at once, and then one in each
	// AddressEvery. An IPv6 address counts with its /64 network. Zero means 16 and no
	// limit.
	AddressBurst int
	AddressEvery time.Duration
	// Deny are addresses that are refused like reserved ones: those this process
	// listens on.
	Deny []netip.Addr
	// OptOut are domains in canonical form that do not want to be asked: nothing is
	// looked up or sent for them and the names below them.
	OptOut []string
	// Observe is called with every exchange when it has ended, but not for one whose
	// turn never came; nil for none. It must be safe for concurrent use and must not
	// change its argument.
	Observe func(*Exchange)
	// Network replaces the internet in tests. Its type is internal, so that no
	// program built on this package can widen what may be reached.
	Network netguard.Network
}
