package freshness

import (
	"strings"
	"time"
)

// Headers are those of a response that decide how long it may be used. A missing
// header is empty.
type Headers struct {
	CacheControl                           []string
	Age, Date, Expires, ETag, LastModified string
}

// A Basis says what a lifetime comes from.
type Basis uint8

// The bases, in order of precedence.
const (
	// NoStore: the origin forbids to keep the answer.
	NoStore Basis = iota + 1
	// NoCache: the origin forbids to use the answer without asking again.
	NoCache
	// MaxAge: the origin gave a number of seconds.
	MaxAge
	// Expires: the origin gave a date.
	Expires
	// Unstated: the origin said nothing, and the default of the policy holds.
	Unstated
)

var basisNames = [...]string{
	0: "unknown", NoStore: "no_store", NoCache: "no_cache", MaxAge: "max_age", Expires: "expires", Unstated: "unstated",
}

// String returns the stable name.
func (b Basis) String() string {
	if int(b) >= len(basisNames) {
		b = 0
	}
	return basisNames[b]
}

// A Bound says which end of the policy changed a lifetime.
type Bound uint8

// The bounds.
const (
	// Unbound: the lifetime is what its basis gives.
	Unbound Bound = iota
	// Floored: it was raised to the floor.
	Floored
	// Capped: it was lowered to the cap.
	Capped
)

// String returns the stable name.
func (b Bound) String() string {
	switch b {
	case Floored:
		return "floor"
	case Capped:
		return "cap"
	default:
		return "none"
	}
}

// A Verdict says why a lifetime is what it is.
type Verdict struct {
	// Basis is what decided before the policy had its say.
	Basis Basis
	// Stated is the lifetime by that basis, counted from when the origin made the
	// answer. It is never negative.
	Stated time.Duration
	// Age is how old the answer was when it came. It is subtracted from what the
	// origin stated, but not from a default: that is a choice of the policy about
	// the time after receipt, and asking again would bring the same old copy.
	Age time.Duration
	// Bound is the end of the policy that changed the result, if any.
	Bound Bound
	// Policy is the name of the policy.
	Policy string
}

// String puts the verdict in words for a log, such as "max_age 10m0s, age 20s,
// floor of policy pointer".
func (v Verdict) String() string {
	parts := []string{v.Basis.String()}
	if v.Basis >= MaxAge {
		parts[0] += " " + v.Stated.String()
	}
	if v.Age > 0 {
		parts = append(parts, "age "+v.Age.String())
	}
	if v.Bound != Unbound {
		parts = append(parts, v.Bound.String()+" of policy "+v.Policy)
	}
	return strings.Join(parts, ", ")
}

// Lifetime returns for how long after received an answer may be used, and why.
// It is never negative; zero means that the origin has to be asked again.
//
// The rules are those of RFC 9111 for a private cache: s-maxage is ignored.
// There is no guessing from Last-Modified; the policy has a default instead.
func Lifetime(h Headers, received time.Time, policy Policy) (time.Duration, Verdict) {
	v := Verdict{Age: initialAge(h, received), Policy: policy.Name}
	v.Basis, v.Stated = stated(h, received, policy)
	fresh := v.Stated
	if v.Basis != Unstated {
		fresh = max(0, fresh-v.Age)
	}
	if fresh < policy.Floor {
		fresh, v.Bound = policy.Floor, Floored
	}
	most := policy.Cap
	if policy.MaxAgeOnly && v.Basis == Expires {
		most = policy.Default
	}
	if most > 0 && fresh > most {
		fresh, v.Bound = most, Capped
	}
	return fresh, v
}

// stated returns the lifetime that the origin states, or the default.
func stated(h Headers, received time.Time, policy Policy) (Basis, time.Duration) {
	d := ParseCacheControl(h.CacheControl)
	switch {
	case d.NoStore:
		return NoStore, 0
	case d.NoCache:
		return NoCache, 0
	case d.MaxAge.Set:
		return MaxAge, d.MaxAge.Duration()
	case trim(h.Expires) != "":
		return Expires, untilExpiry(h, received)
	}
	return Unstated, max(0, policy.Default)
}

// untilExpiry returns the time from Date to Expires. A date that cannot be read
// has passed: servers write "0" and "-1" to say so.
func untilExpiry(h Headers, received time.Time) time.Duration {
	expires, ok := parseDate(h.Expires, received)
	if !ok {
		return 0
	}
	made, ok := parseDate(h.Date, received)
	if !ok {
		made = received
	}
	return limit(expires.Sub(made))
}

// initialAge returns how old an answer was when it came: by the caches on the
// way, or by the origin's clock, whichever is older. The time the answer took to
// arrive is left out; requests are over within seconds.
func initialAge(h Headers, received time.Time) time.Duration {
	var age time.Duration
	first, _, _ := strings.Cut(h.Age, ",")
	seconds, ok := parseSeconds(trim(first))
	if ok {
		age = time.Duration(seconds) * time.Second
	}
	made, ok := parseDate(h.Date, received)
	if ok {
		age = max(age, limit(received.Sub(made)))
	}
	return age
}

// limit brings a duration into the range of a Delta. Package time stops at its
// own limits before, so that a difference of any two dates is safe.
func limit(d time.Duration) time.Duration {
	return min(max(0, d), MaxSeconds*time.Second)
}

const day = 24 * time.Hour

// A Policy says how long an answer is used for one purpose. Zero for Cap means
// none; where Floor and Cap contradict each other the cap wins, because a floor
// saves requests and a cap limits damage.
type Policy struct {
	// Name is stable and used in logs; Why gives the reason for the values.
	Name, Why string
	// Floor is the shortest lifetime, whatever the origin says.
	Floor time.Duration
	// Cap is the longest, whatever the origin says.
	Cap time.Duration
	// Default is the lifetime when the origin says nothing.
	Default time.Duration
	// MaxAgeOnly means that a date in Expires may shorten the default and never lengthen it:
	// only max-age can.
	MaxAgeOnly bool
}

// The policies, one for each purpose. A file can serve several purposes and is
// then judged once for each.
var (
	// PointerPolicy is for the pointer file at a publisher's well-known path.
	PointerPolicy = Policy{
		Name: "pointer",
		Why: "a pointer hardly ever changes, and the specification has it kept for 24 hours or more; after 7 days " +
			"nothing is trusted without asking",
		Floor:   day,
		Cap:     7 * day,
		Default: day,
	}
	// AuthoritativePolicy is for a file that authorizes agents.
	AuthoritativePolicy = Policy{
		Name:    "authoritative",
		Why:     "a revocation in the file has to be seen within 24 hours, however long the origin lets caches keep it",
		Cap:     day,
		Default: day,
	}
	// KeyPolicy is for the signing keys in such a file.
	KeyPolicy = Policy{
		Name: "keys",
		Why: "a pinned key is used no longer than max-age allows, one hour without one, and never longer than the " +
			"file it is from",
		Cap:        AuthoritativePolicy.Cap,
		Default:    time.Hour,
		MaxAgeOnly: true,
	}
	// DecisionPolicy is for an answer to the question whether an agent is
	// authorized.
	DecisionPolicy = Policy{
		Name:    "decision",
		Why:     "an answer depends on the moment it is given at, and after 5 minutes the question is asked again",
		Cap:     5 * time.Minute,
		Default: 5 * time.Minute,
	}
)

// The three forms of a date in HTTP. The zone is always GMT and therefore part of
// the layout: an abbreviation in its place would be taken for GMT in silence.
const (
	fixdate = "Mon, 02 Jan 2006 15:04:05 GMT"
	rfc850  = "Monday, 02-Jan-06 15:04:05 GMT"
	asctime = "Mon Jan _2 15:04:05 2006"
)

// parseDate reads a date in one of the forms of HTTP. now serves to tell the
// century of a year with two digits.
func parseDate(text string, now time.Time) (time.Time, bool) {
	text = trim(text)
	for _, layout := range []string{fixdate, asctime} {
		t, err := time.Parse(layout, text)
		if err == nil {
			return t, true
		}
	}
	t, err := time.Parse(rfc850, text)
	if err != nil {
		return time.Time{}, false
	}
	return nearCentury(t, now), true
}

// nearCentury moves a date by whole centuries to the last year with the same two
// digits that is at most 50 years after now, as RFC 9110 asks.
func nearCentury(t, now time.Time) time.Time {
	limit := now.AddDate(50, 0, 0)
	century := limit.Year() - limit.Year()%100
	t = t.AddDate(century+t.Year()%100-t.Year(), 0, 0)
	if t.After(limit) {
		return t.AddDate(-100, 0, 0)
	}
	return t
}

// Sent returns the present by the clock of an answer's sender: its date, and the time
// that it has spent in caches since. It is false for an answer without a date.
func Sent(h Headers, received time.Time) (time.Time, bool) {
	made, ok := parseDate(h.Date, received)
	if !ok {
		return time.Time{}, false
	}
	first, _, _ := strings.Cut(h.Age, ",")
	seconds, ok := parseSeconds(trim(first))
	if !ok {
		return made, true
	}
	return made.Add(time.Duration(seconds) * time.Second), true
}
