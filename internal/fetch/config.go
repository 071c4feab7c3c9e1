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

// limits are the bounds of one client. They are constants to everyone outside
// this package; tests make them small.
type limits struct {
	budget, hop time.Duration
	// dns, handshake and header bound the parts of an exchange. The guard has
	// limits of its own for lookups and connections, and dns is longer than that:
	// at its limit the guard may still have an answer.
	dns, handshake, header time.Duration
	// excerpt bounds the reading of a body that only serves for hints.
	excerpt time.Duration
	// A body must keep up rate bytes a second on average, once paceAfter has
	// passed. Without this a server could hold a connection for the whole time of
	// an exchange with a byte now and then.
	paceAfter time.Duration
	rate      int64
	// attempts is how often a request is made while it fails for a passing
	// reason, a redirect to follow not counted; firstPause and maxPause bound the
	// pauses between them.
	attempts             int
	firstPause, maxPause time.Duration
	// perHost, perSite and perAddress are exchanges at the same time; addresses are
	// not limited when it is zero. A site is asked burst times at once and then once
	// in each interval, and so is an address when its interval is not zero.
	perHost, perSite int
	perAddress       int
	burst            int
	interval         time.Duration
	addressBurst     int
	addressInterval  time.Duration
}

// defaultLimits fills in what the configuration leaves open.
func defaultLimits(c *Config) limits {
	return limits{
		budget:     orDefault(c.Budget, 30*time.Second),
		hop:        orDefault(c.HopTimeout, 10*time.Second),
		dns:        netguard.LookupTimeout + time.Second,
		handshake:  10 * time.Second,
		header:     10 * time.Second,
		excerpt:    2 * time.Second,
		paceAfter:  5 * time.Second,
		rate:       1000,
		attempts:   orDefault(c.Attempts, 3),
		firstPause: 500 * time.Millisecond,
		maxPause:   5 * time.Second,
		perHost:    orDefault(c.PerHost, 2),
		perSite:    orDefault(c.PerSite, 4),
		perAddress: c.PerAddress,
		burst:      orDefault(c.SiteBurst, 8),
		interval:   orDefault(c.SiteEvery, 500*time.Millisecond),

		addressBurst:    orDefault(c.AddressBurst, 16),
		addressInterval: c.AddressEvery,
	}
}

// orDefault replaces a number that is zero or makes no sense.
func orDefault[N int | time.Duration](n, standard N) N {
	if n <= 0 {
		return standard
	}
	return n
}

// A timeError is the cause of a context that one of the limits ended.
type timeError string

// Error says which limit it was.
func (e timeError) Error() string { return string(e) }

const (
	errBudget     timeError = "timed out, including retries"
	errHop        timeError = "one exchange timed out"
	errLookupTime timeError = "the name lookup took too long"
	errTLSTime    timeError = "the tls handshake took too long"
	errHeaderTime timeError = "the header of the answer took too long"
	errPace       timeError = "the body arrives too slowly"
	errHintTime   timeError = "enough was read for a hint"
	errNoTurn     timeError = "too many requests to the same site are waiting"
	errSpent      timeError = "all requests allowed for this question are used"
)
