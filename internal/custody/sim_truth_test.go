package custody_test

import (
	"time"

	"github.com/avow-project/avow/internal/custody"
)

// The truth is what really happened to the machine, kept in the plainest route: no record of
// the machine is read to make it, except to learn which observations were saved.
type truth struct {
	files map[string]*fileTruth

	place  custody.Location
	spoke  bool
	absent bool
	denied bool
	// refusing is when the publisher began to refuse to answer.
	refusing time.Time
	known    map[string]bool // agents
	high     time.Time
	rejected map[string]bool
	// run is the place that was named in a row since a time, if it is not the adopted
	// one, and whether something ever spoke against it.
	run      custody.Location
	runSince time.Time
	doubted  bool
	named    time.Time
	failing  time.Time
	// fileSteps and waySteps are what was saved since the last check.
	fileSteps []fileStep
	waySteps  []wayStep
	// codes counts the events.
	codes map[string]int
}

// A fileTruth is what really happened to one file.
type fileTruth struct {
	adopted *version
	tag     string
	// first is when a domain was first seen in the list in a row, and listed whether it
	// still is.
	first  map[string]time.Time
	listed map[string]bool
	high   time.Time
	// good, bytes and failing are when it was last confirmed, last had as a whole, and
	// when requests began to fail.
	good, bytes, failing time.Time
	closed               bool
	// refusing is when its origin began to refuse to answer.
	refusing time.Time
	// allowed are the versions that an operator has let in.
	allowed map[string]bool
	served  map[string]*version
}

func newTruth(urls []string) truth {
	t := truth{files: map[string]*fileTruth{}, known: map[string]bool{}, rejected: map[string]bool{}, codes: map[string]int{}}
	for _, url := range urls {
		t.files[url] = &fileTruth{
			first: map[string]time.Time{}, listed: map[string]bool{}, allowed: map[string]bool{}, served: map[string]*version{},
		}
	}
	return t
}

// A fileStep is an observation that was saved.
type fileStep struct {
	was, next *custody.File
	seen      custody.Observation
	at        custody.Moment
	events    []custody.Event
	shown     *version
	// objection is set when the version must be refused, unless it was allowed. good is
	// set when the observation must confirm or replace what was adopted.
	objection, allowed, good bool
	before                   fileTruth
}

func (t *truth) fileSaved(s fileStep) {
	t.count(s.events)
	f := t.files[s.next.URL]
	s.before = *f
	early := s.at.Early
	switch s.seen.Outcome {
	case custody.Whole:
		f.whole(&s)
	case custody.NotModified:
		s.good = f.adopted != nil && !f.closed && s.at.Late.Sub(f.bytes) < 7*day && s.seen.Headers.ETag == f.tag && f.tag != ""
	case custody.Gone:
		f.closed = true
	case custody.Denied:
		f.closed = f.closed || f.adopted == nil || refusedLong(&f.refusing, s.seen.At, s.at)
	}
	if s.objection || s.seen.Outcome == custody.Gone {
		f.refusing = time.Time{}
	}
	switch {
	case s.good:
		f.good, f.failing, f.refusing, f.closed = early, time.Time{}, time.Time{}, false
	case s.seen.Outcome != custody.Gone && (s.seen.Outcome != custody.Denied || !f.closed):
		if f.failing.IsZero() || early.Before(f.failing) {
			f.failing = early
		}
	}
	t.fileSteps = append(t.fileSteps, s)
}

// refusedLong notes that something refused to answer when it was asked, and reports whether
// it has for an hour.
func refusedLong(since *time.Time, asked time.Time, at custody.Moment) bool {
	if asked.After(at.Early) {
		asked = at.Early
	}
	if since.IsZero() || asked.Before(*since) {
		*since = asked
	}
	return at.Late.Sub(at.Early)+asked.Sub(*since) >= time.Hour
}

func (f *fileTruth) whole(s *fileStep) {
	v, early := s.shown, s.at.Early
	f.served[v.hash] = v
	date := v.facts.LastUpdated
	same := f.adopted != nil && f.adopted.hash == v.hash
	back := !f.high.IsZero() && (date.IsZero() || f.high.Sub(date) > time.Minute)
	s.objection = !same && (back || date.Sub(early) > time.Minute)
	s.allowed = f.allowed[v.hash]
	if s.objection && (!s.allowed || s.next.Hash != v.hash) {
		return
	}
	s.good = true
	f.bytes, f.tag = early, s.seen.Headers.ETag
	if same {
		return
	}
	f.adopted = v
	if date.Sub(early) <= time.Minute && date.After(f.high) {
		f.high = date
	}
	f.list(v, s.at.Late)
}

// lateSaved notes an observation that was saved after a later one. Whom it revoked was revoked at
// the time.
func (t *truth) lateSaved(u unsaved, at custody.Moment, events []custody.Event) {
	t.count(events)
	f := t.files[u.url]
	if u.seen.Facts.LastUpdated.Sub(at.Early) > time.Minute {
		return
	}
	for _, r := range u.seen.Facts.Revoked {
		if !f.listed[r.Domain] && u.seen.At.After(f.first[r.Domain]) {
			f.first[r.Domain] = u.seen.At
		}
	}
}

func (f *fileTruth) list(v *version, late time.Time) {
	now := map[string]bool{}
	for _, r := range v.facts.Revoked {
		now[r.Domain] = true
		if !f.listed[r.Domain] && late.After(f.first[r.Domain]) {
			f.first[r.Domain] = late
		}
	}
	f.listed = now
}

// A wayStep is a look at the publisher that was saved.
type wayStep struct {
	was, next *custody.Publisher
	route     custody.Route
	at        custody.Moment
	events    []custody.Event
	// ripe is set when a move may take effect by itself.
	ripe, first bool
}

func (t *truth) count(events []custody.Event) {
	for i := range events {
		t.codes[events[i].Code]++
	}
}

func (t *truth) waySaved(s wayStep) {
	t.count(s.events)
	switch s.route.Outcome {
	case custody.Whole:
		t.failing, t.denied, t.refusing = time.Time{}, false, time.Time{}
		t.listen(&s)
		t.whole(&s)
	case custody.NotModified:
		t.listen(&s)
		// It says that the well-known path has what it had; the machine tells whether
		// that could be confirmed, and what it may not confirm is checked by itself.
		if s.next.FailingSince.IsZero() {
			t.failing, t.named, t.refusing = time.Time{}, s.at.Early, time.Time{}
		} else if t.failing.IsZero() {
			t.failing = s.at.Early
		}
	case custody.Gone:
		t.absent, t.denied, t.run, t.failing = true, false, custody.Location{}, time.Time{}
		t.refusing = time.Time{}
	case custody.Denied:
		t.denied = t.denied || t.absent || t.place == (custody.Location{}) || refusedLong(&t.refusing, s.route.At, s.at)
		if !t.denied {
			t.failed(s.at.Early)
		}
	default:
		t.failed(s.at.Early)
	}
	t.waySteps = append(t.waySteps, s)
}

// failed notes that nothing is known.
func (t *truth) failed(early time.Time) {
	if t.failing.IsZero() || early.Before(t.failing) {
		t.failing = early
	}
}

func (t *truth) whole(s *wayStep) {
	w := &s.route
	s.first = t.place == (custody.Location{}) || !t.spoke && w.Usable && !t.rejected[w.To.URL]
	if w.To == t.place || s.first {
		t.settled(w.To)
		t.named = s.at.Early
		t.learn(s)
		return
	}
	if w.To.Method == custody.ManagerDomain && t.place.Method != custody.ManagerDomain {
		t.absent = true
	}
	if t.run != w.To {
		t.run, t.runSince, t.doubted = w.To, s.at.Late, false
	}
	t.doubted = t.doubted || t.strange(s)
	s.ripe = !t.doubted && !t.rejected[w.To.URL] && s.at.Early.Sub(t.runSince) >= day
	if s.next.Location == w.To {
		t.hearAdopted(s)
		t.settled(w.To)
		t.named = s.at.Early
		t.learn(s)
	}
}

// strange reports whether a pending move looks suspicious.
func (t *truth) strange(s *wayStep) bool {
	w := &s.route
	date := w.Facts.LastUpdated
	for _, agent := range w.Facts.Agents {
		if !t.known[agent] {
			return true
		}
	}
	return !w.Usable || date.Sub(s.at.Early) > time.Minute || !t.high.IsZero() && (date.IsZero() || t.high.Sub(date) > time.Minute)
}

// settled notes that a place is the adopted one.
func (t *truth) settled(place custody.Location) {
	t.place, t.run, t.absent, t.doubted = place, custody.Location{}, false, false
}

// listen: whatever the file at the adopted place has ever said was said for the publisher,
// also when only the file was asked for. A move is measured by what was said when it began.
func (t *truth) listen(s *wayStep) {
	f := t.files[t.place.URL]
	if f == nil || f.adopted == nil {
		return
	}
	t.spoke = true
	if t.run == (custody.Location{}) || s.route.Outcome == custody.Whole && s.route.To != t.run {
		t.hearAdopted(s)
	}
}

func (t *truth) hearAdopted(s *wayStep) {
	f := t.files[t.place.URL]
	if f != nil && f.adopted != nil {
		t.hear(f.high, f.adopted.facts.Agents, s.at)
	}
}

func (t *truth) learn(s *wayStep) {
	facts := &s.route.Facts
	if !s.route.Usable || facts.LastUpdated.Sub(s.at.Early) > time.Minute {
		return
	}
	t.spoke = true
	t.hear(facts.LastUpdated, facts.Agents, s.at)
}

func (t *truth) hear(date time.Time, agents []string, at custody.Moment) {
	if date.After(t.high) && date.Sub(at.Early) <= time.Minute {
		t.high = date
	}
	for _, agent := range agents {
		t.known[agent] = true
	}
}
