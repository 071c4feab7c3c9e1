package custodian

import (
	"hash/maphash"
	"slices"
	"sync"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/std/hostname"
)

// Times of Watch for what brings nothing. A question about a publisher still asks for it,
// as often as its record allows.
const (
	// watchRare is the shortest time between two requests then.
	watchRare = 24 * time.Hour
	// watchFailing is how long something may fail before it is asked for rarely.
	watchFailing = 24 * time.Hour
	// watchAbsent is how long something may have been taken away until then.
	watchAbsent = 48 * time.Hour
	// watchSeldom is the longest time between two requests to a publisher that never had a
	// file.
	watchSeldom = 7 * 24 * time.Hour
	// watchPart is which part of the time since the first request passes until the next.
	watchPart = 4
)

// FileDue returns when Watch asks for a file next. It is later than what the record says
// when there never was a version, or not of late.
func FileDue(f *custody.File) time.Time {
	if f.Hash == "" || brokenFor(f.TriedAt, f.FailingSince, f.ConfirmedAt, f.Closed != custody.Failed) {
		return laterOf(f.Due(), f.TriedAt)
	}
	return f.Due()
}

// PublisherDue returns when Watch asks a publisher next, whose record began at a time. One
// that never had a file is asked less and less often.
func PublisherDue(p *custody.Publisher, since time.Time) time.Time {
	switch {
	case p.Location == (custody.Location{}) && !p.TriedAt.IsZero():
		rare := min(max(p.TriedAt.Sub(since)/watchPart, watchRare), watchSeldom)
		if next := p.TriedAt.Add(rare); next.After(p.Due()) {
			return next
		}
	case brokenFor(p.TriedAt, p.FailingSince, p.ConfirmedAt, p.Absent || p.Closed != custody.Failed):
		return laterOf(p.Due(), p.TriedAt)
	}
	return p.Due()
}

// brokenFor reports whether something has failed, or been taken away, for long.
func brokenFor(tried, failing, confirmed time.Time, ended bool) bool {
	return !failing.IsZero() && tried.Sub(failing) > watchFailing || ended && tried.Sub(confirmed) > watchAbsent
}

// laterOf returns when something is due that is asked for rarely.
func laterOf(due, tried time.Time) time.Time {
	if rare := tried.Add(watchRare); !tried.IsZero() && rare.After(due) {
		return rare
	}
	return due
}

const (
	// maxNewLocations is how many new locations a publisher may lead to within newLocationsTime.
	maxNewLocations  = 24
	newLocationsTime = 24 * time.Hour
	// maxLeadingPublishers is how many publishers are remembered for that.
	maxLeadingPublishers = 10_000
)

// newLocations counts the locations that publishers lead to and that nothing is known about yet. Each
// is a request to a host that the publisher chooses.
type newLocations struct {
	mu    sync.Mutex
	seed  maphash.Seed
	begun map[hostname.Domain]*seenLocations
}

// A seenLocations has the hashes of the URLs since a time.
type seenLocations struct {
	since time.Time
	urls  []uint64
}

// spent reports whether a publisher may not lead to a URL at present.
func (n *newLocations) spent(domain hostname.Domain, url string, now time.Time) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	l := n.begun[domain]
	return l != nil && now.Sub(l.since).Abs() < newLocationsTime && len(l.urls) >= maxNewLocations &&
		!slices.Contains(l.urls, maphash.String(n.seed, url))
}

// take reports whether a publisher may lead to a URL, and remembers it.
func (n *newLocations) take(domain hostname.Domain, url string, now time.Time) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.begun == nil || len(n.begun) >= maxLeadingPublishers && n.begun[domain] == nil {
		n.seed, n.begun = maphash.MakeSeed(), make(map[hostname.Domain]*seenLocations)
	}
	l := n.begun[domain]
	if l == nil || now.Sub(l.since).Abs() >= newLocationsTime {
		l = &seenLocations{since: now}
		n.begun[domain] = l
	}
	sum := maphash.String(n.seed, url)
	if slices.Contains(l.urls, sum) {
		return true
	}
	if len(l.urls) >= maxNewLocations {
		return false
	}
	l.urls = append(l.urls, sum)
	return true
}

// ClassOf returns the class of a publisher that no caller waits for.
func ClassOf(p *custody.Publisher) Class {
	if p.Location == (custody.Location{}) {
		return Empty
	}
	return Wanted
}

// Own reports whether a file is the publisher's own, which is asked for with the publisher
// and has no time of its own.
func Own(p *custody.Publisher, url string) bool {
	return p != nil && ownPlace(p) && p.Location.URL == url
}

// Due returns when a publisher is asked next, with its own file, if that is known.
func Due(p *custody.Publisher, own *custody.File, since time.Time) time.Time {
	due := PublisherDue(p, since)
	if own == nil || p.Move != nil || !p.FailingSince.IsZero() {
		return due
	}
	if f := FileDue(own); f.Before(due) {
		return f
	}
	return due
}

// NextLook returns when Watch looks at a publisher or its file next. since is when it was
// first seen without a file; zero when that is not known.
func NextLook(p *custody.Publisher, f *custody.File, since time.Time) time.Time {
	if since.IsZero() {
		since = p.TriedAt
	}
	next := PublisherDue(p, since)
	if f != nil && f.Hash != "" {
		if due := FileDue(f); due.Before(next) {
			return due
		}
	}
	return next
}
