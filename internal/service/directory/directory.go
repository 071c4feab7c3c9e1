package directory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/projection"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/wire"
	"github.com/avow-project/avow/resolve"
)

// A Store has the tables of the directory.
type Store interface {
	// PairsOf returns the pairs of an agent in a state of package projection, after a publisher in
	// alphabetical order, limit at most, and CountPairs how many there are, most at most.
	PairsOf(ctx context.Context, agent string, state int, after string, limit int) ([]Listed, error)
	CountPairs(ctx context.Context, agent string, state, most int) (int, error)
	// Listed returns publishers after one in alphabetical order, limit at most, also those that were
	// not looked at yet. Beginning returns those whose name begins with a text, and Containing those
	// after one that there is a record of and whose name contains a text: of the next most, and where
	// to go on when there are more.
	Listed(ctx context.Context, after string, limit int) ([]Listed, error)
	Beginning(ctx context.Context, text string, limit int) ([]Listed, error)
	Containing(ctx context.Context, text, after string, limit, most int) ([]Listed, string, error)
	// Holdings is that of a custodian.Store, and so is Sharing. Planned reports whether a publisher is
	// to be looked at.
	Holdings(ctx context.Context, domains []hostname.Domain) ([]custodian.Holding, error)
	Sharing(ctx context.Context, domain hostname.Domain, ids []resolve.Identifier, most int) ([]hostname.Domain, error)
	Planned(ctx context.Context, domain hostname.Domain) (bool, error)
	// Claimed returns the publishers that list each of some identifiers, the first to list it first,
	// most at most of each.
	Claimed(ctx context.Context, ids []resolve.Identifier, most int) (map[resolve.Identifier][]hostname.Domain, error)
	// Agent returns an agent, or custodian.ErrNotFound. Agents returns agents after one in
	// alphabetical order that may sell something and whose URL contains a text.
	Agent(ctx context.Context, url string) (*Agent, error)
	Agents(ctx context.Context, text, after string, limit int) ([]Agent, error)
	Counts(ctx context.Context) (*Counts, error)
	// Grants returns publishers after one in alphabetical order with the authorizations that the
	// feed has told of and that hold, limit at most.
	Grants(ctx context.Context, after string, limit int) ([]Grants, error)
}

// A Listed is a publisher in a list, with the pair that it was found by, if any. Holding is nil when
// it was not looked at yet.
type Listed struct {
	Domain hostname.Domain
	*custodian.Holding
	Pair projection.Pair
}

// An Agent is one with the number of its publishers: those that are known, those that let it sell
// something, and how many properties these are.
type Agent struct {
	URL                           string
	Known, Publishers, Properties int
}

// Grants are the authorizations of a publisher, as the payloads of events by the id of their rows.
type Grants struct {
	*custodian.Holding
	IDs      []string
	Payloads [][]byte
}

// Add adds what an event tells, which may be later than what was told of the same row.
func (g *Grants) Add(e *projection.Event) {
	for i := range g.IDs {
		if g.IDs[i] == e.Entity {
			g.Payloads[i] = e.Payload
			return
		}
	}
	g.IDs, g.Payloads = append(g.IDs, e.Entity), append(g.Payloads, e.Payload)
}

// Counts are what a store counts.
type Counts struct {
	Groups []Group
	// Named is how many publishers were named and not looked at.
	Named                  int
	Agents, Authorizations int
	Types                  map[string]int
}

// A Group is how many publishers stood alike when their records were last written, and were last
// looked at in the same hour.
type Group struct {
	State      wire.PublisherState
	InEffect   bool
	Looked     time.Time
	Publishers int
}

// Config configures a Directory. Keeper and Store are required.
type Config struct {
	Keeper *custodian.Keeper
	Store  Store
	// OptedOut reports whether the owner of a domain wants nothing to do with the service.
	OptedOut func(hostname.Domain) bool
}

// A Directory finds publishers, agents and identifiers. It is safe for concurrent use.
type Directory struct {
	config Config
	tally  tally
}

// New returns a Directory.
func New(c Config) *Directory {
	if c.OptedOut == nil {
		c.OptedOut = func(hostname.Domain) bool { return false }
	}
	return &Directory{config: c}
}

// A View is the directory at a moment, for one call. A method that fails returns nothing; Err
// returns the first error of all of them, and has to be asked before what they returned is used. It
// is not safe for concurrent use.
type View struct {
	d   *Directory
	ctx context.Context //nolint:containedctx // a view belongs to one call
	At  custody.Moment
	err error
	// failed is told the first error, too.
	failed *failure
	// fetched are publishers that Prefetch has read.
	fetched map[hostname.Domain]Entry
}

// A failure is the first error of the views of a call.
type failure struct {
	mu  sync.Mutex
	err error
}

type failureKey struct{}

// Caught returns a context for a call, and what returns the first error of the views that are made
// with it.
func Caught(ctx context.Context) (context.Context, func() error) {
	f := &failure{}
	return context.WithValue(ctx, failureKey{}, f), func() error {
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.err
	}
}

// View returns a view of the present. It fails when the store does.
func (d *Directory) View(ctx context.Context) (*View, error) {
	at, err := d.config.Keeper.Moment(ctx)
	if err != nil {
		return nil, err
	}
	failed, _ := ctx.Value(failureKey{}).(*failure)
	return &View{d: d, ctx: ctx, At: at, failed: failed}, nil
}

// Err returns the first error.
func (v *View) Err() error { return v.err }

// fail notes an error, and reports whether there is one.
func (v *View) fail(err error) bool {
	if err == nil {
		return false
	}
	if !errors.Is(err, custodian.ErrUnavailable) && v.ctx.Err() == nil {
		err = fmt.Errorf("%w: %w", custodian.ErrUnavailable, err)
	}
	v.err = cmp.Or(v.err, err)
	if v.failed != nil {
		v.failed.mu.Lock()
		defer v.failed.mu.Unlock()
		v.failed.err = cmp.Or(v.failed.err, err)
	}
	return true
}

// An Entry is a publisher with its standing.
type Entry struct {
	Domain   hostname.Domain
	Standing custodian.Standing
	// Looked: there is a record of it.
	Looked bool
	// shown is what lists show of it, unless that is packed.
	shown  projection.Shown
	packed projection.PackedShown
	// pairs are those of a publisher that had to be read; nil for others.
	pairs []projection.Pair
	read  bool
}

// entry judges a publisher. One that was told about by another version of its file than the one in
// effect, or for another time, is read.
func (v *View) entry(l *Listed) Entry {
	e := Entry{Domain: l.Domain, Looked: l.Holding != nil, Standing: custodian.Standing{State: wire.NeverLooked}}
	switch {
	case v.d.config.OptedOut(l.Domain):
		e.Standing = custodian.Standing{State: wire.OptedOut}
		return e
	case l.Holding == nil:
		return e
	}
	p, f := l.Publisher, l.File
	if f == nil && p.Location.URL != "" {
		f = &custody.File{URL: p.Location.URL}
	}
	s := v.d.config.Keeper.Judge(p, f, v.At)
	if s.Served == resolve.Usable && (!s.WasReported() ||
		l.Shown.Next() != 0 && v.At.Early.UnixMicro() >= l.Shown.Next()) {
		return v.read(l.Domain)
	}
	e.Standing = s.Standing(s.Document(), l.AbsentSince)
	if e.Standing.InEffect {
		e.packed = l.Shown
	}
	return e
}

// Shown returns what lists show of the publisher beside how it stands.
func (e *Entry) Shown() projection.Shown {
	if e.packed == nil {
		return e.shown
	}
	out, _ := e.packed.Unpack() // it was written here; what is damaged shows nothing
	return out
}

// read reads a publisher from its file. One whose record or file is damaged has nothing in effect,
// and does not keep others from being listed.
func (v *View) read(domain hostname.Domain) Entry {
	e := Entry{Domain: domain, Looked: true, read: true, Standing: custodian.Standing{State: wire.Failing}}
	s, err := v.d.config.Keeper.Snapshot(v.ctx, domain)
	if errors.Is(err, custodian.ErrDamaged) || errors.Is(err, custodian.ErrNotFound) || v.fail(err) {
		return e
	}
	e.Standing = s.Standing(s.Document.State, s.AbsentSince)
	if !e.Standing.InEffect {
		return e
	}
	made, err := projection.Make(s.Input(), nil)
	if v.fail(err) {
		return e
	}
	e.pairs = made.Pairs
	if made.Shown != nil {
		e.shown = *made.Shown
	}
	return e
}

// pair returns the pair of an agent as it is now.
func (e *Entry) pair(listed projection.Pair) (projection.Pair, bool) {
	if !e.read {
		return listed, true
	}
	for _, p := range e.pairs {
		if p.Agent == listed.Agent {
			return p, true
		}
	}
	return listed, false
}

// Publisher returns what is known about a publisher, and whether anything is.
func (v *View) Publisher(domain hostname.Domain) (Entry, bool) {
	if e, ok := v.fetched[domain]; ok {
		return e, e.Looked
	}
	list := v.Publishers(domain)
	if len(list) == 0 {
		return Entry{Domain: domain, Standing: custodian.Standing{State: wire.NeverLooked}}, false
	}
	if list[0].Looked {
		return list[0], true
	}
	planned, err := v.d.config.Store.Planned(v.ctx, domain)
	v.fail(err)
	return list[0], planned
}

// Prefetch reads publishers together that are asked for one by one.
func (v *View) Prefetch(domains []hostname.Domain) {
	v.fetched = make(map[hostname.Domain]Entry, len(domains))
	for some := range slices.Chunk(domains, together) {
		for _, e := range v.Publishers(some...) {
			v.fetched[e.Domain] = e
		}
	}
}

// Publishers returns what is known about some publishers, in their order.
func (v *View) Publishers(domains ...hostname.Domain) []Entry {
	held, err := v.d.config.Store.Holdings(v.ctx, domains)
	if v.fail(err) {
		return nil
	}
	byName := make(map[hostname.Domain]*custodian.Holding, len(held))
	for i := range held {
		byName[held[i].Publisher.Domain] = &held[i]
	}
	out := make([]Entry, 0, len(domains))
	for _, domain := range domains {
		out = append(out, v.entry(&Listed{Domain: domain, Holding: byName[domain]}))
	}
	return out
}

// Agent returns an agent, which need not be known.
func (v *View) Agent(url string) Agent {
	a, err := v.d.config.Store.Agent(v.ctx, url)
	switch {
	case errors.Is(err, custodian.ErrNotFound):
		return Agent{URL: url}
	case v.fail(err):
		return Agent{URL: url}
	}
	return *a
}

// HasAgent reports whether a file names an agent, or did, as far as is known.
func (v *View) HasAgent(url string) bool { return v.Agent(url).Known > 0 }

// Agents returns agents after one in alphabetical order that may sell something and whose URL has a
// text in it, and where to go on; empty when there are no more.
func (v *View) Agents(text, after string, limit int) ([]Agent, string) {
	list, err := v.d.config.Store.Agents(v.ctx, text, after, limit+1)
	if v.fail(err) || len(list) <= limit {
		return list, ""
	}
	return list[:limit], list[limit-1].URL
}

// Site is the registrable domain of a publisher.
func Site(domain hostname.Domain) string {
	name, found := hostname.Registrable(string(domain))
	if !found {
		return string(domain)
	}
	return name
}

// How many names a page looks at, and how many are read at a time. A page that has found few by
// then ends there, and the next begins after it.
const (
	mostScanned  = 5_000
	mostSearched = 50_000
	together     = 500
)

// A tally has the numbers that were counted last.
type tally struct {
	mu    sync.Mutex
	at    time.Time
	stats *Stats
	many  bool
}

// Stats counts what the directory has.
type Stats struct {
	// Publishers counts those known by their state when they were last looked at, and InEffect those
	// that answers rest on.
	Publishers map[wire.PublisherState]int
	InEffect   int
	// Agents are those that may sell something, and Authorizations the pairs of an agent and
	// a publisher.
	Agents, Authorizations int
	Properties             int
	Types                  map[string]int
	// Looks counts publishers by the age of the last look in hours, by the classes of Ages.
	Looks []int
}

// Ages are the limits of the classes that the last looks at publishers are counted in; what
// is older is in one more class.
var Ages = []time.Duration{time.Hour, 6 * time.Hour, 24 * time.Hour, 3 * 24 * time.Hour, 7 * 24 * time.Hour}

// Of more publishers than fewCounted numbers are given again for statsLife: the index of their
// states is gone through for them.
const (
	fewCounted = 1000
	statsLife  = 10 * time.Second
)

// Stats returns the numbers of the present or, where there is much to count, of a moment ago. They
// are not to be changed.
func (v *View) Stats() *Stats {
	t, now := &v.d.tally, v.At.Early
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.many && now.Sub(t.at).Abs() < statsLife {
		return t.stats
	}
	out := &Stats{Publishers: map[wire.PublisherState]int{}, Types: map[string]int{}, Looks: make([]int, len(Ages)+1)}
	counts, err := v.d.config.Store.Counts(v.ctx)
	if v.fail(err) {
		return out
	}
	total := 0
	for _, g := range counts.Groups {
		total += g.Publishers
		out.Publishers[g.State] += g.Publishers
		if g.InEffect {
			out.InEffect += g.Publishers
		}
		if g.State != wire.NeverLooked && g.State != wire.OptedOut {
			out.Looks[ageClass(now.Truncate(time.Hour).Sub(g.Looked))] += g.Publishers
		}
	}
	out.Publishers[wire.NeverLooked] += counts.Named
	out.Agents, out.Authorizations, out.Types = counts.Agents, counts.Authorizations, counts.Types
	for _, n := range counts.Types {
		out.Properties += n
	}
	t.stats, t.at, t.many = out, now, total > fewCounted
	return out
}

// Known is how many publishers were looked at.
func (s *Stats) Known() int {
	n := 0
	for state, count := range s.Publishers {
		if state != wire.NeverLooked {
			n += count
		}
	}
	return n
}

func ageClass(age time.Duration) int {
	for i, limit := range Ages {
		if age < limit {
			return i
		}
	}
	return len(Ages)
}
