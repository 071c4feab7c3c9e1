package edge

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/service/registry"
)

// A Class is a kind of work. Each has a rate of its own, so that cheap calls are not
// held up by the limits of costly ones.
type Class struct {
	// Name is the class in settings: the rate of it is --rate-NAME.
	Name string
	// Rate is that of anonymous callers unless the operator says otherwise.
	Rate Rate
	// Web is set when requests may wait for others than us. They have slots of their own.
	Web bool
	// Fixed is set when a caller with a key has the same rate as one without.
	Fixed bool
	// title is how a refusal calls the rate.
	title string
}

// The classes.
var (
	// Static is what the program carries along; it has no rate.
	Static = &Class{Name: "static"}
	// Read answers from what is known, or asks the web about few publishers.
	Read = &Class{Name: "read", title: "Registry read", Rate: Rate{600, time.Minute}}
	// Lookup may ask the web about publishers that the caller names.
	Lookup = &Class{Name: "lookup", title: "Registry lookup", Rate: Rate{60, time.Minute}, Web: true}
	// Validate asks the web about a domain of the caller's choice.
	Validate = &Class{Name: "validate", title: "Validation", Rate: Rate{20, time.Minute}, Web: true}
	// Create computes without the web.
	Create = &Class{Name: "create", title: "File creation", Rate: Rate{120, time.Minute}}
	// Enrich may call a paid service of a third party.
	Enrich = &Class{Name: "enrich", title: "Brand enrichment", Rate: Rate{20, time.Minute}, Web: true}
	// Message is a message of a language model's program. What it asks for has a class
	// besides, which is charged for when it is known.
	Message = &Class{Name: "mcp", title: "Message", Rate: Rate{600, time.Minute}, Web: true}
	// Log serves parts of the transparency log: who reads all of it asks often.
	Log = &Class{Name: "log", title: "Transparency log", Rate: Rate{6000, time.Minute}}
	// Badge serves pictures that pages of others embed, from what is known. Their visitors ask for
	// nothing else with it.
	Badge = &Class{Name: "badge", title: "Badge", Rate: Rate{600, time.Minute}}
	// Write changes what is stored.
	Write = &Class{Name: "write", title: "Submission", Rate: Rate{60, time.Hour}, Fixed: true}
	// Denied is for secrets that are no keys, not for requests.
	Denied = &Class{Name: "denied", title: "Failed authentication", Rate: Rate{30, time.Minute}}
)

// A Route is what the server has to know about a request before it is answered.
type Route struct {
	// Pattern stands for the path in metrics and logs; empty when nothing answers there.
	Pattern string
	Class   *Class
	// MaxBody is the largest body that is read; zero means 64 KiB.
	MaxBody int64
	// Open routes change nothing and take no key, whatever their method: a page of any
	// origin may use them.
	Open bool
	// NeedsKey routes answer nothing without a key. Elsewhere one that is not known is ignored.
	NeedsKey bool
	// Program is set for what programs read, errors included; otherwise they are for people.
	Program bool
	// Enveloped errors carry success and timestamp beside the error.
	Enveloped bool
}

// A Rate is a number of requests in a period. The zero Rate means no limit.
type Rate struct {
	N   int
	Per time.Duration
}

// A period is a unit of rates.
type period struct {
	word string
	per  time.Duration
}

// periods are the words for periods, the longest first.
var periods = []period{{"day", 24 * time.Hour}, {"h", time.Hour}, {"min", time.Minute}, {"s", time.Second}}

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

// ParseRate reads a rate such as 20/min, 60/h or 5/s; off means no limit.
func ParseRate(s string) (Rate, error) {
	if s == "off" {
		return Rate{}, nil
	}
	count, word, ok := strings.Cut(s, "/")
	n, err := strconv.Atoi(count)
	if !ok || err != nil || n < 1 || n > 1_000_000_000 {
		return Rate{}, fmt.Errorf("%q is not a rate: write 20/min, 60/h, 5/s or off", s)
	}
	i := slices.IndexFunc(periods, func(p period) bool { return p.word == word })
	if i < 0 {
		return Rate{}, fmt.Errorf("%q is not a rate: the period is one of s, min, h and day", s)
	}
	return Rate{N: n, Per: periods[i].per}, nil
}

// Times returns the rate with a larger number.
func (r Rate) Times(factor int) Rate { return Rate{N: r.N * max(factor, 1), Per: r.Per} }

// Each is the time that one request takes to be made up for; zero when nothing is limited.
func (r Rate) Each() time.Duration {
	if r.N <= 0 {
		return 0
	}
	return max(r.Per/time.Duration(r.N), 1)
}

type chargeKey struct{}

// WithCharge returns a context of a request whose class is not all that it costs: charge
// counts one more piece of work of a class for the caller.
func WithCharge(ctx context.Context, charge func(*Class) *registry.Error) context.Context {
	return context.WithValue(ctx, chargeKey{}, charge)
}

// Charge counts a piece of work, and is an error beyond the rate of its class. Without a
// counter, as on standard input and output, everything is free.
func Charge(ctx context.Context, c *Class) error {
	charge, ok := ctx.Value(chargeKey{}).(func(*Class) *registry.Error)
	if !ok {
		return nil
	}
	refused := charge(c)
	if refused != nil {
		return refused
	}
	return nil
}
