package custody_test

import (
	"fmt"
	"time"

	"github.com/avow-project/avow/internal/custody"
)

// pathBounds say for how long a forged version may count at most, from the beginning of an
// attack, when somebody owns the way to an origin for a time.
var pathBounds = []struct {
	name         string
	length, most time.Duration
}{
	{"an hour", time.Hour, 2*time.Hour + 40*time.Minute},
	{"a day", day, day + 100*time.Minute},
	{"a week", 7 * day, 9 * day},
}

// A pathOwner is a stranger in a world who owns the way to one of its origins for a time and
// puts a version of his own in the place of the origin's: dated at present, fresh for as long
// as possible, with an agent and a revocation more. The origin itself changes nothing until it
// is over. Everything else in the world goes on, and the machine loses looks as it always does.
type pathOwner struct {
	url          string
	forged       *version
	begun        time.Time
	length, most time.Duration
	// cache is what the origin itself says about caching; owns ends with the attack, and over
	// is set when the forged version must not count any more.
	cache      []string
	owns, over bool
}

// attack lets somebody begin to own the way to an origin, act there, or go.
func (w *world) attack() {
	a := w.owner
	switch {
	case a == nil && !w.wild && w.rng.IntN(200) == 0:
		w.owner = w.seize(w.urls[w.rng.IntN(len(w.urls))])
	case a == nil:
	case a.over || !a.owns && w.files[a.url].Hash != a.forged.hash:
		w.owner = nil
	case a.owns && w.now.Sub(a.begun) >= a.length:
		a.leave(w.origins[a.url])
	default:
		a.over = w.now.Sub(a.begun) > a.most
	}
	a = w.owner
	if a == nil {
		return
	}
	if at := w.moment(); w.now.Equal(a.begun) || !at.Early.Before(w.files[a.url].Due()) {
		w.see(a.url, at)
	}
}

// seize begins an attack on an origin that has a version on record; what is seen first is
// believed in any case.
func (w *world) seize(url string) *pathOwner {
	o := w.origins[url]
	if w.files[url].Hash == "" {
		return nil
	}
	bound := pathBounds[w.rng.IntN(len(pathBounds))]
	v := o.publish(w.now, []string{fmt.Sprintf("p%d.example", w.rng.IntN(6))}, nil)
	o.versions = o.versions[:len(o.versions)-1]
	v.hash = o.passing(w.rng, v)
	v.facts.Agents = append(v.facts.Agents, "https://forger.example/mcp")
	v.changes = []custody.Change{{Code: "agent.added"}}
	a := &pathOwner{url: url, forged: v, begun: w.now, length: bound.length, most: bound.most, cache: o.cache, owns: true}
	o.mode, o.frozen, o.sameTag, o.until = custody.Whole, false, false, time.Time{}
	o.shown, o.cache = v, []string{"max-age=31536000"}
	return a
}

// leave ends the attack: the origin has what it had.
func (a *pathOwner) leave(o *origin) {
	a.owns = false
	o.shown, o.cache = o.versions[len(o.versions)-1], a.cache
}

// pathAhead returns the time until something matters for an attack, if that is before d.
func (w *world) pathAhead(d time.Duration) time.Duration {
	a := w.owner
	if a == nil {
		return d
	}
	d = min(d, w.files[a.url].Due().Sub(w.moment().Early), a.begun.Add(a.most+time.Second).Sub(w.now))
	if a.owns {
		d = min(d, a.begun.Add(a.length).Sub(w.now))
	}
	return d
}

// forgedVersionEnds: what somebody puts in the place of an origin's file for an hour, a day or
// a week counts no longer than pathBounds say.
func forgedVersionEnds(w *world) error {
	a := w.owner
	if a == nil || !a.over {
		return nil
	}
	f := w.files[a.url]
	if f.Hash == a.forged.hash && f.Standing(w.moment()).Usable() {
		return fmt.Errorf("%s counts %v after an attack of %v began", f.Hash, w.now.Sub(a.begun), a.length)
	}
	return nil
}
