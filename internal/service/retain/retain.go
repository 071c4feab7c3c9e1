// Package retain decides what a store keeps and what it may remove. It is pure: facts go
// in, decisions come out, and package records carries them out.
//
// What is small and protects a publisher is never removed: the publishers a file revokes,
// what waits for a decision, the latest date of a file. What is removed are bodies, old
// versions, old events and what checks have found. A publisher that only anonymous callers
// named is a guest: its bodies are kept for a short time, within limits, and are the first
// to go.
package retain

import (
	"strings"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/std/hostname"
)

// Limits are the settings of a store.
type Limits struct {
	// History is how long old versions and events are kept.
	History time.Duration
	// Guests is how long the bodies of guests are kept after the last request for them.
	Guests time.Duration
	// Budget is how many bytes the store may take. The limits of guests are shares of it.
	Budget int64
}

// The defaults.
const (
	DefaultHistory = 30 * 24 * time.Hour
	DefaultGuests  = 72 * time.Hour
	DefaultBudget  = 16_000_000_000
)

// WithDefaults replaces what is zero.
func (l Limits) WithDefaults() Limits {
	if l.History <= 0 {
		l.History = DefaultHistory
	}
	if l.Guests <= 0 {
		l.Guests = DefaultGuests
	}
	if l.Budget <= 0 {
		l.Budget = DefaultBudget
	}
	return l
}

// Shares of the budget.
const (
	guestShare  = 4
	clientShare = 64
	// A site has room for the largest file that there may be, and for little more.
	siteShare = 640
	// nameCost is what the records of a guest take without any body: the record, the one of
	// its file and some events. A quarter of the budget of guests is for them.
	nameCost = 4_000
	// siteNames and clientNames are how many guests there may be of one site, and how many
	// one client may bring in a day.
	siteNames   = 500
	clientNames = 10_000
)

// A Share is how much there is of something.
type Share struct {
	Names, Bytes int64
}

// Add returns the sum of two.
func (s Share) Add(t Share) Share { return Share{s.Names + t.Names, s.Bytes + t.Bytes} }

// within reports whether a share stays within a limit.
func (s Share) within(limit Share) bool { return s.Names <= limit.Names && s.Bytes <= limit.Bytes }

// OfGuests is what all guests may take together.
func (l Limits) OfGuests() Share {
	bytes := l.Budget / guestShare
	return Share{Names: bytes / guestShare / nameCost, Bytes: bytes}
}

// OfSite is what the guests of one site may take.
func (l Limits) OfSite() Share { return Share{Names: siteNames, Bytes: l.Budget / siteShare} }

// OfClient is what one client may bring in a day.
func (l Limits) OfClient() Share { return Share{Names: clientNames, Bytes: l.Budget / clientShare} }

// A Charge is what a change adds to the guests of one site.
type Charge struct {
	Site string
	Share
}

// Total is the sum of charges.
func Total(charges []Charge) Share {
	var t Share
	for _, c := range charges {
		t = t.Add(c.Share)
	}
	return t
}

// A Demand is what a change adds to guests that only strangers asked for, beside what there is:
// every version counts, whether or not its publisher is known.
type Demand struct {
	Charges []Charge
	// Client is what the caller has brought today, Sites what there is of each site of the
	// charges, and All what there is of all guests.
	Client, All Share
	Sites       map[string]Share
}

// A Verdict says whether a change is kept, and if not, which limit is in the way.
type Verdict string

// The verdicts.
const (
	Admitted   Verdict = "admitted"
	ClientFull Verdict = "client"
	SiteFull   Verdict = "site"
	GuestsFull Verdict = "guests"
)

// Admit decides about a demand. Questions about a publisher that is not kept are answered from
// the web.
func (l Limits) Admit(d *Demand) Verdict {
	own := Total(d.Charges)
	if !d.Client.Add(own).within(l.OfClient()) {
		return ClientFull
	}
	sites := map[string]Share{}
	for _, c := range d.Charges {
		sites[c.Site] = sites[c.Site].Add(c.Share)
	}
	for site, more := range sites {
		if !d.Sites[site].Add(more).within(l.OfSite()) {
			return SiteFull
		}
	}
	if !d.All.Add(own).within(l.OfGuests()) {
		return GuestsFull
	}
	return Admitted
}

// SiteOf is the site that a name is charged to: its registrable domain, or the name if it has none.
func SiteOf(name string) string {
	site, ok := hostname.Registrable(name)
	if !ok {
		return name
	}
	return site
}

// SiteOfURL returns the site of a canonical URL's host.
func SiteOfURL(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	host, _, _ := strings.Cut(rest, "/")
	host, _, _ = strings.Cut(host, ":")
	return SiteOf(host)
}

// Usage is how large a store is.
type Usage struct {
	// Bytes is the size of the store, and Log the part of it that is a log of the database, which
	// goes by itself and not by removing anything.
	Bytes, Log int64
	// Live reports whether Bytes goes down as soon as something is removed. A server that
	// keeps the space for later has no such size.
	Live bool
	// Free is what the disk has left; negative when that is not known.
	Free int64
	// Guests is what there is of guests, and Protected the bytes of it that stay: whom they
	// revoke, what waits, and the ends that the change feed still has to tell.
	Guests    Share
	Protected int64
}

// evictable is how many bytes of guests may go.
func (u Usage) evictable() int64 { return max(0, u.Guests.Bytes-u.Protected) }

// A Plan says what to remove.
type Plan struct {
	// Versions and places that something took the place of before History may go, and
	// events that happened before Events.
	History, Events time.Time
	// Guests: the bodies of guests that were last asked for before.
	Guests time.Time
	// Names: guests that were last asked for before, unless they protect a publisher.
	Names time.Time
	// Ended: the ends of what guests let agents sell that the feed told before.
	Ended time.Time
	// Evict is how many bytes of guests have to go whatever their age.
	Evict int64
	// Site is how much of one site may stay.
	Site int64
}

const (
	// replayed is how much longer events are kept than versions: to know what counted at a
	// time takes those before it, for as long as anything counts unconfirmed.
	replayed = custody.MaxAge + 24*time.Hour
	// shortest is the shortest history that a full store is cut down to.
	shortest = 24 * time.Hour
)

// endsKept is how long the feed tells that a guest does not let an agent sell something any more.
const endsKept = 7 * 24 * time.Hour

// Plan decides what to remove at a time. A store that gets full loses guests first, then
// older history.
func (l Limits) Plan(u Usage, now time.Time) Plan {
	history := l.History
	excess := l.excess(u)
	if excess > 0 && u.evictable() < excess {
		history = max(l.History/4, shortest)
	}
	p := Plan{
		History: now.Add(-history), Events: now.Add(-history - replayed),
		Guests: now.Add(-l.Guests), Names: now.Add(-max(l.History, l.Guests)),
		Ended: now.Add(-endsKept), Evict: excess, Site: l.OfSite().Bytes,
	}
	if most := l.OfGuests().Bytes; u.Guests.Bytes > most {
		// Somewhat more than needed, so that it is not needed again at once.
		p.Evict = max(p.Evict, u.Guests.Bytes-most*9/10)
	}
	p.Evict = min(p.Evict, u.evictable())
	return p
}

// excess is how many bytes there are too many: of the store, or for what the disk has left.
func (l Limits) excess(u Usage) int64 {
	excess := int64(0)
	if kept := u.Bytes - u.Log; u.Live && kept > l.Budget*9/10 {
		excess = kept - l.Budget*8/10
	}
	if floor := l.floor(); u.Free >= 0 && u.Free < floor {
		excess = max(excess, floor-u.Free)
	}
	return excess
}

// floor is how much of the disk is to be left free.
func (l Limits) floor() int64 { return l.Budget / 16 }

// A State says how close a store is to its limits.
type State string

// The states.
const (
	Enough     State = ""
	OverBudget State = "store.over_budget"
	DiskLow    State = "store.disk_low"
)

// State judges the size of a store. A state is told before anything fails.
func (l Limits) State(u Usage) State {
	switch {
	case u.Free >= 0 && u.Free < l.floor():
		return DiskLow
	case u.Bytes > l.Budget*95/100:
		return OverBudget
	}
	return Enough
}

// Forgettable reports whether a guest may be forgotten as a whole: it never had a file,
// nothing waits and no operator has decided anything about it.
func Forgettable(p *custody.Publisher) bool {
	return p.Location == (custody.Location{}) && p.HighWater.IsZero() && p.Move == nil && len(p.Rejected) == 0
}

// ForgettableFile is the same for a file: there never was a version of it.
func ForgettableFile(f *custody.File) bool {
	return f.Hash == "" && f.HighWater.IsZero() && f.Refused == nil && len(f.Revocations) == 0 && !f.Overflow
}

// Expendable reports whether a guest without requests in a long time may be forgotten
// although it had a file: nothing waits and no operator has decided anything. What is lost
// is the latest date, and where its file was; a new publisher has neither.
func Expendable(p *custody.Publisher) bool { return p.Move == nil && len(p.Rejected) == 0 }

// ExpendableFile is the same for a file: it revokes no publisher and no version waits.
func ExpendableFile(f *custody.File) bool {
	return f.Refused == nil && len(f.Revocations) == 0 && !f.Overflow
}

// A Removal is how much was removed of one kind, or would be. The bytes are those of the
// bodies and records, as far as they are known.
type Removal struct {
	Rows, Bytes int64
}

// Pruned is what a Prune removed, or would remove.
type Pruned struct {
	// Guests are the bodies of publishers that only anonymous callers named, Names those
	// of them that were forgotten: they never had a file, or no caller asked in a long
	// time.
	Guests, Names Removal
	// Versions, Places and Events are old history.
	Versions, Places, Events Removal
	// Documents are bytes that nothing refers to any more.
	Documents Removal
	// Tables has how many rows each table is left with, after a sweep.
	Tables map[string]int64
	// Before is the size of the store when pruning began, After its size now; nil when that could not be found out.
	Before Usage
	After  *Usage
}

// Kinds returns what was removed by the name of its kind.
func (p *Pruned) Kinds() map[string]Removal {
	return map[string]Removal{
		"guests": p.Guests, "names": p.Names, "versions": p.Versions, "places": p.Places, "events": p.Events,
		"documents": p.Documents,
	}
}

// Total is the sum of what was removed.
func (p *Pruned) Total() Removal {
	var t Removal
	for _, r := range p.Kinds() {
		t.Rows, t.Bytes = t.Rows+r.Rows, t.Bytes+r.Bytes
	}
	return t
}

// Options say how to prune.
type Options struct {
	Limits Limits
	Now    time.Time
	// DryRun changes nothing.
	DryRun bool
	// Sweep looks at every document for those that nothing refers to. Without it only those
	// are looked at that something was removed from.
	Sweep bool
}
