package fetch

import (
	"time"

	"github.com/avow-project/avow/internal/netguard"
)

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
