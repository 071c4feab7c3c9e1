package server

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Class is a kind of work. Each has a rate of its own, so that cheap calls are not
// held up by the limits of costly ones.
type Class string

// The classes.
const (
	// Static is what the program carries along; it has no rate.
	Static Class = "static"
	// Read answers from what is stored.
	Read Class = "read"
	// Lookup may ask the web about publishers that the caller names.
	Lookup Class = "lookup"
	// Validate asks the web about a domain of the caller's choice.
	Validate Class = "validate"
	// Create computes without the web.
	Create Class = "create"
	// Enrich may call somebody else's service that costs money.
	Enrich Class = "enrich"
	// Write changes what is stored.
	Write Class = "write"
	// Denied counts secrets that are no keys, not requests.
	Denied Class = "denied"
)

// asksTheWeb reports whether requests of a class may wait for others than us.
func (c Class) asksTheWeb() bool { return c == Lookup || c == Validate || c == Enrich }

// A Route is what the server has to know about a request before it is answered.
type Route struct {
	// Pattern stands for the path in metrics and logs; empty when nothing answers there.
	Pattern string
	Class   Class
	// MaxBody is the largest body that is read; zero means 64 KiB.
	MaxBody int64
	// Open is set for a tool that changes nothing and takes no key: a page of any
	// origin may use it, whatever its method.
	Open bool
}

// A Rate is a number of requests in a period. The zero Rate is no limit.
type Rate struct {
	N   int
	Per time.Duration
}

// periods are the words for periods, the longest first.
var periods = []struct {
	word string
	per  time.Duration
}{{"day", 24 * time.Hour}, {"h", time.Hour}, {"min", time.Minute}, {"s", time.Second}}

// String writes a rate as ParseRate reads it.
func (r Rate) String() string {
	if r.N <= 0 {
		return "off"
	}
	for _, p := range periods {
		if r.Per == p.per {
			return strconv.Itoa(r.N) + "/" + p.word
		}
	}
	return strconv.Itoa(r.N) + "/" + r.Per.String()
}

// ParseRate reads a rate such as 20/min, 60/h or 5/s; off is no limit.
func ParseRate(s string) (Rate, error) {
	if s == "off" {
		return Rate{}, nil
	}
	count, word, ok := strings.Cut(s, "/")
	n, err := strconv.Atoi(count)
	if !ok || err != nil || n < 1 || n > 1_000_000_000 {
		return Rate{}, fmt.Errorf("%q is not a rate: write 20/min, 60/h, 5/s or off", s)
	}
	i := slices.IndexFunc(periods, func(p struct {
		word string
		per  time.Duration
	}) bool {
		return p.word == word
	})
	if i < 0 {
		return Rate{}, fmt.Errorf("%q is not a rate: the period is one of s, min, h and day", s)
	}
	return Rate{N: n, Per: periods[i].per}, nil
}

// times returns the rate with a larger number.
func (r Rate) times(factor int) Rate { return Rate{N: r.N * max(factor, 1), Per: r.Per} }

// DefaultRates are the rates of anonymous callers.
func DefaultRates() map[Class]Rate {
	return map[Class]Rate{
		Read:     {N: 600, Per: time.Minute},
		Lookup:   {N: 60, Per: time.Minute},
		Validate: {N: 20, Per: time.Minute},
		Create:   {N: 120, Per: time.Minute},
		Enrich:   {N: 20, Per: time.Minute},
		Write:    {N: 60, Per: time.Hour},
		Denied:   {N: 30, Per: time.Minute},
	}
}

// knownMethods are those that metrics name.
var knownMethods = []string{
	http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodOptions, http.MethodPatch,
}
