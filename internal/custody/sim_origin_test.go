package custody_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/avow-project/avow/internal/custody"
)

const (
	day     = 24 * time.Hour
	simDays = 30
	siteURL = "https://pub.example/.well-known/adagents.json"
)

// A version is one state of a file.
type version struct {
	hash  string
	facts custody.Facts
	// changes are those from the version before, where they matter.
	changes []custody.Change
}

// An origin is a server with one file. What it does is decided by chance.
type origin struct {
	url      string
	versions []*version
	// shown is what it serves, usually the last version.
	shown *version
	// mode is what a request brings, until a time.
	mode  custody.Outcome
	until time.Time
	// frozen answers "not modified" whatever is asked; sameTag has one ETag for all.
	frozen, sameTag bool
	cache           []string
	agents          []string
	passed          int // how many versions were served and not kept
}

func newOrigin(url string, rng *rand.Rand, now time.Time) *origin {
	caches := [][]string{nil, {"max-age=0"}, {"max-age=3600"}, {"max-age=31536000"}, {"no-store"}, {"max-age=60", "public"}}
	o := &origin{url: url, mode: custody.Whole, cache: caches[rng.IntN(len(caches))], agents: []string{"https://agent.example/mcp"}}
	o.publish(now, nil, nil)
	if rng.IntN(4) == 0 {
		o.trouble(rng, now, custody.Invalid)
	}
	return o
}

// publish adds a version with a date, after a change of the list of revoked publishers.
func (o *origin) publish(date time.Time, revoke, drop []string) *version {
	var list []string
	if len(o.versions) > 0 {
		for _, r := range o.versions[len(o.versions)-1].facts.Revoked {
			list = append(list, r.Domain)
		}
	}
	list = slices.DeleteFunc(append(list, revoke...), func(s string) bool { return slices.Contains(drop, s) })
	slices.Sort(list)
	v := &version{hash: fmt.Sprintf("%s#%d", o.url, len(o.versions))}
	v.facts = custody.Facts{LastUpdated: date, Agents: slices.Clone(o.agents), Ends: []custody.End{{At: date.Add(custody.UsualLead + time.Hour), What: "the authorization"}}}
	for _, domain := range slices.Compact(list) {
		v.facts.Revoked = append(v.facts.Revoked, custody.Revoked{Domain: domain})
	}
	o.versions = append(o.versions, v)
	o.shown = v
	return v
}

func (o *origin) tag() string {
	if o.sameTag {
		return `"same"`
	}
	return `"` + o.shown.hash + `"`
}

// answer is what a request brings.
func (o *origin) answer(ifNoneMatch string, asked time.Time) custody.Observation {
	s := custody.Observation{Outcome: o.mode, At: asked, Detail: "by chance"}
	if o.mode != custody.Whole {
		return s
	}
	s.Headers = custody.Headers{CacheControl: o.cache, ETag: o.tag()}
	if o.frozen {
		s.Outcome, s.Headers.ETag = custody.NotModified, ifNoneMatch
		return s
	}
	if ifNoneMatch == o.tag() {
		s.Outcome = custody.NotModified
		return s
	}
	s.Hash, s.Bytes, s.Facts, s.Changes = o.shown.hash, 1, o.shown.facts, o.shown.changes
	return s
}

// act lets something happen at the origin.
func (o *origin) act(rng *rand.Rand, now time.Time) {
	if !o.until.IsZero() && now.After(o.until) {
		o.mode, o.frozen, o.until = custody.Whole, false, time.Time{}
		o.shown = o.versions[len(o.versions)-1]
	}
	domain := fmt.Sprintf("p%d.example", rng.IntN(6))
	switch rng.IntN(24) {
	case 0, 1:
		o.publish(now, nil, nil)
	case 2, 3:
		o.publish(now, []string{domain}, nil)
	case 4, 5:
		o.publish(now, nil, []string{domain})
	case 6:
		o.publish(now.Add(-time.Duration(rng.IntN(120))*time.Second), nil, []string{domain})
	case 7:
		o.trouble(rng, now, custody.Failed)
	case 8:
		o.trouble(rng, now, custody.Invalid)
	case 9:
		o.trouble(rng, now, []custody.Outcome{custody.Gone, custody.Denied}[rng.IntN(2)])
	case 10:
		o.shown, o.until = o.versions[rng.IntN(len(o.versions))], now.Add(span(rng, 3*day))
	case 11:
		o.frozen, o.until = true, now.Add(span(rng, 12*day))
	case 12:
		o.fastForward(rng, now)
	case 13:
		o.sameTag = !o.sameTag
	case 14:
		v := o.publish(time.Time{}, nil, nil)
		o.versions = o.versions[:len(o.versions)-1]
		v.hash = o.passing(rng, v)
		o.shown, o.until = v, now.Add(span(rng, day))
	case 15:
		o.agents = append(o.agents[:1:1], fmt.Sprintf("https://agent%d.example/mcp", rng.IntN(3)))
		o.publish(now, nil, nil)
	}
}

// fastForward serves a version from the future for a while, which nobody keeps.
func (o *origin) fastForward(rng *rand.Rand, now time.Time) {
	v := o.publish(now.Add(2*time.Minute+span(rng, 4000*day)), nil, nil)
	o.versions = o.versions[:len(o.versions)-1]
	v.hash = o.passing(rng, v)
	o.until = now.Add(span(rng, 2*day))
}

// passing returns the hash of a version that is not among those that are kept, so that
// the next one gets its number: two different ones must not have the same hash.
func (o *origin) passing(rng *rand.Rand, v *version) string {
	o.passed++
	return fmt.Sprintf("%s?%d.%d", v.hash, o.passed, rng.IntN(100))
}

func (o *origin) trouble(rng *rand.Rand, now time.Time, mode custody.Outcome) {
	o.mode, o.until = mode, now.Add(span(rng, 4*day))
}

// span returns a time up to a longest, where short ones are as likely as long ones.
func span(rng *rand.Rand, longest time.Duration) time.Duration {
	d := longest >> rng.IntN(12)
	return max(time.Second, time.Duration(rng.Int64N(int64(d)))).Truncate(time.Second)
}

// A site is the publisher's own server, which says where its file is.
type site struct {
	places []custody.Location
	names  custody.Location
	mode   custody.Outcome
	until  time.Time
}

func newSite(rng *rand.Rand) *site {
	s := &site{mode: custody.Whole, places: []custody.Location{
		{Method: custody.Direct, URL: siteURL},
		{Method: custody.AuthoritativeLocation, URL: "https://net-a.example/a.json"},
		{Method: custody.AuthoritativeLocation, URL: "https://net-b.example/b.json"},
		{Method: custody.ManagerDomain, URL: "https://manager.example/.well-known/adagents.json", Manager: "manager.example"},
	}}
	s.names = s.places[rng.IntN(len(s.places))]
	return s
}

// act lets something happen at the site.
func (s *site) act(rng *rand.Rand, now time.Time) {
	if !s.until.IsZero() && now.After(s.until) {
		s.mode, s.until = custody.Whole, time.Time{}
	}
	switch rng.IntN(40) {
	case 0, 1, 2:
		s.names = s.places[rng.IntN(len(s.places))]
	case 3:
		s.mode, s.until = custody.Failed, now.Add(span(rng, 3*day))
	case 4:
		s.mode, s.until = custody.Gone, now.Add(span(rng, 2*day))
	case 5:
		s.mode, s.until = custody.Denied, now.Add(span(rng, day))
	case 6:
		s.mode, s.until = custody.Invalid, now.Add(span(rng, 2*day))
	}
}

// answer is what a look at the publisher brings, without what the place itself has.
func (s *site) answer(ifNoneMatch string, asked time.Time) custody.Route {
	w := custody.Route{Outcome: s.mode, At: asked, Detail: "by chance"}
	if s.mode != custody.Whole {
		return w
	}
	if s.names.Method != custody.ManagerDomain {
		w.Headers.ETag = `"` + s.names.URL + `"`
	}
	if ifNoneMatch != "" && ifNoneMatch == w.Headers.ETag {
		w.Outcome = custody.NotModified
		return w
	}
	w.To, w.Hash = s.names, s.names.URL
	return w
}
