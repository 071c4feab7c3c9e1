package custody_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/avow-project/avow/internal/custody"
)

// A world is one simulated history: origins, a machine with a clock and a store, and what
// really happened.
type world struct {
	seed uint64
	rng  *rand.Rand
	// now is the true time. wild worlds have a clock that jumps.
	now  time.Time
	wild bool
	// boot is when the machine started, by true time, with a clock that is off by offset
	// and the latest time that had been noted.
	boot   time.Time
	offset time.Duration
	floor  time.Time
	noted  time.Time

	site    *site
	origins map[string]*origin
	urls    []string

	// owner owns the way to an origin; nil while nobody does.
	owner *pathOwner

	// What the machine has: it is made anew from what was saved when it restarts.
	publisher *custody.Publisher
	files     map[string]*custody.File
	// dirty has the records that were saved since they were last read.
	dirty map[string]bool
	// unsaved are whole observations that another process had and has not saved yet.
	unsaved []unsaved

	truth truth
	// tamper breaks the machine on purpose, to see whether that is noticed.
	tamper func(w *world, was, next *custody.File)
	move   func(w *world, was, next *custody.Publisher)
}

// An unsaved is an observation of the file at a URL.
type unsaved struct {
	url  string
	seen custody.Observation
}

func newWorld(seed uint64) *world {
	rng := rand.New(rand.NewPCG(seed, 1))
	start := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	w := &world{
		seed: seed, rng: rng, now: start, boot: start, wild: seed%2 == 1, site: newSite(rng), origins: map[string]*origin{},
		publisher: &custody.Publisher{Domain: "pub.example"}, files: map[string]*custody.File{},
		dirty: map[string]bool{},
	}
	for _, place := range w.site.places {
		w.origins[place.URL] = newOrigin(place.URL, rng, start)
		w.files[place.URL] = &custody.File{URL: place.URL}
		w.urls = append(w.urls, place.URL)
	}
	slices.Sort(w.urls)
	w.truth = newTruth(w.urls)
	w.restart()
	return w
}

// moment is the present by the machine's clock, which runs evenly since its start.
func (w *world) moment() custody.Moment {
	ran := w.now.Sub(w.boot)
	return custody.Moment{Early: w.boot.Add(w.offset + ran), Late: w.floor.Add(ran)}
}

// restart loses everything that was not saved. The records go through their stored form.
func (w *world) restart() {
	w.boot, w.offset = w.now, 0
	if w.wild && w.rng.IntN(3) == 0 {
		w.offset = span(w.rng, 20*day)
		if w.rng.IntN(2) == 0 {
			w.offset = -w.offset
		}
	}
	early := w.boot.Add(w.offset)
	w.floor = early
	if w.noted.After(early) {
		w.floor = w.noted
	}
	if w.dirty[""] {
		revision := w.publisher.Revision
		w.publisher = reread(w.publisher)
		w.publisher.Revision = revision
	}
	for _, url := range w.urls {
		if w.dirty[url] {
			w.files[url] = rereadFile(w.files[url])
		}
	}
	clear(w.dirty)
}

func rereadFile(f *custody.File) *custody.File {
	again := reread(f)
	again.Revocations, again.Revision = *reread(&f.Revocations), f.Revision
	return again
}

// reread returns what a store gives back.
func reread[T any](v *T) *T {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	out := new(T)
	err = json.Unmarshal(text, out)
	if err != nil {
		panic(err)
	}
	return out
}

// run lives through the days and returns the first invariant that does not hold.
func (w *world) run() error {
	end := w.now.Add(simDays * day)
	for step := 0; w.now.Before(end); step++ {
		w.wait()
		w.step()
		err := w.check()
		if err != nil {
			return fmt.Errorf("seed %d, step %d, %s (clock off by %v): %w", w.seed, step, w.now.Format(time.DateTime), w.offset, err)
		}
	}
	return nil
}

// wait passes time: until something is due, a while, or rarely so long that everything
// ends. Some waits end within a second of a limit.
func (w *world) wait() {
	d := span(w.rng, day)
	switch w.rng.IntN(40) {
	case 0:
		d = span(w.rng, 10*day)
	case 1:
		d = day + time.Duration(w.rng.IntN(3)-1)*time.Second
	case 2:
		d = w.limitAhead(d)
	}
	w.now = w.now.Add(max(w.pathAhead(d), time.Second))
}

// limitAhead returns the time until about the end of a hold.
func (w *world) limitAhead(d time.Duration) time.Duration {
	f := w.files[w.urls[w.rng.IntN(len(w.urls))]]
	if len(f.Revocations) == 0 {
		return d
	}
	r := f.Revocations[w.rng.IntN(len(f.Revocations))]
	ahead := r.First.Add(custody.RevocationHold).Sub(w.moment().Early)
	return min(max(ahead, 0), 7*day) + time.Duration(w.rng.IntN(3)-1)*time.Second
}

func (w *world) step() {
	w.truth.fileSteps, w.truth.waySteps = nil, nil
	for _, url := range w.urls {
		if w.rng.IntN(4) == 0 && (w.owner == nil || w.owner.url != url) {
			w.origins[url].act(w.rng, w.now)
		}
	}
	w.site.act(w.rng, w.now)
	if w.rng.IntN(20) == 0 {
		w.restart()
	}
	if w.rng.IntN(30) == 0 {
		w.decide()
	}
	w.attack()
	w.look()
	w.saveLate()
}

// saveLate saves the observations that were overtaken since.
func (w *world) saveLate() {
	at := w.moment()
	w.unsaved = slices.DeleteFunc(w.unsaved, func(u unsaved) bool {
		was := w.files[u.url]
		if !u.seen.At.Before(was.TriedAt) {
			return false
		}
		next, events := was.Take(u.seen, at)
		if w.tamper != nil {
			w.tamper(w, was, next)
		}
		next.Revision++
		w.files[u.url], w.dirty[u.url] = next, true
		w.truth.lateSaved(u, at, events)
		return true
	})
}

// look asks the publisher, the adopted place and the one it names, as the keeper of the
// records does. A crash in between loses what was not saved.
func (w *world) look() {
	at := w.moment()
	ask, _ := w.publisher.Ask(at)
	way := w.site.answer(ask, at.Early)
	urls := map[string]bool{}
	if w.publisher.Location.URL != "" {
		urls[w.publisher.Location.URL] = true
	}
	if way.Outcome == custody.Whole {
		urls[way.To.URL] = true
	}
	for _, url := range slices.Sorted(maps.Keys(urls)) {
		observation := w.see(url, at)
		if url == way.To.URL && way.To != w.publisher.Location && (observation.Outcome == custody.Whole || observation.Outcome == custody.NotModified) {
			way.Facts, way.Version, way.Usable = w.origins[url].shown.facts, w.origins[url].shown.hash, true
		}
	}
	if way.Outcome == custody.Whole || way.Outcome == custody.NotModified {
		way.Adopted = w.content()
	}
	w.find(way, at)
}

// content is what is known about the file at the adopted place. Its content is read only
// when it is news.
func (w *world) content() custody.Content {
	f := w.files[w.publisher.Location.URL]
	if f == nil || f.Hash == "" {
		return custody.Content{}
	}
	v := custody.Content{Hash: f.Hash, HighWater: f.HighWater}
	if f.Hash != w.publisher.Learned {
		v.Agents = w.truth.files[f.URL].served[f.Hash].facts.Agents
	}
	return v
}

func (w *world) see(url string, at custody.Moment) custody.Observation {
	was, o := w.files[url], w.origins[url]
	ask, _ := was.Ask(at)
	observation := o.answer(ask, at.Early)
	if !w.wild && observation.Outcome == custody.Whole && w.rng.IntN(20) == 0 {
		w.unsaved = append(w.unsaved, unsaved{url, observation})
		return observation
	}
	next, events := was.Take(observation, at)
	if w.rng.IntN(50) == 0 {
		w.restart()
		return observation
	}
	if w.tamper != nil {
		w.tamper(w, was, next)
	}
	next.Revision++
	w.files[url], w.dirty[url] = next, true
	w.note(at)
	w.truth.fileSaved(fileStep{was: was, next: next, seen: observation, at: at, events: events, shown: o.shown})
	return observation
}

func (w *world) find(way custody.Route, at custody.Moment) {
	was := w.publisher
	next, events := was.Take(way, at)
	if w.rng.IntN(50) == 0 {
		w.restart()
		return
	}
	if w.move != nil {
		w.move(w, was, next)
	}
	next.Revision++
	w.publisher, w.dirty[""] = next, true
	w.note(at)
	w.truth.waySaved(wayStep{was: was, next: next, route: way, at: at, events: events})
}

// note keeps the latest time that the clock has shown.
func (w *world) note(at custody.Moment) {
	if at.Early.After(w.noted) {
		w.noted = at.Early
	}
}

// decide is an operator who confirms or rejects what waits.
func (w *world) decide() {
	at := w.moment()
	if m := w.publisher.Move; m != nil {
		if w.rng.IntN(2) == 0 {
			next, events, err := w.publisher.Confirm(m.To.URL, at)
			if err == nil {
				w.truth.count(events)
				w.publisher = next
				w.truth.settled(m.To)
				delete(w.truth.rejected, m.To.URL)
			}
			return
		}
		next, events, err := w.publisher.Reject(m.To.URL, at)
		if err == nil {
			w.truth.count(events)
			w.publisher = next
			w.truth.rejected[m.To.URL] = true
		}
		return
	}
	for _, url := range w.urls {
		if r := w.files[url].Refused; r != nil {
			next, events, err := w.files[url].Confirm(r.Hash, at)
			if err == nil {
				w.truth.count(events)
				w.files[url] = next
				w.truth.files[url].allowed[r.Hash] = true
			}
		}
	}
}
