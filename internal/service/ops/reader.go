package ops

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/directory"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/supply"
	"github.com/avow-project/avow/internal/wire"
	"github.com/avow-project/avow/resolve"
)

// Known is what is known of everybody. *registry.Service is one.
type Known interface {
	Directory(ctx context.Context) (*directory.View, error)
	Unattended() bool
}

// A Reader shows pages what is known of everybody, and how answers stand to the transparency log.
type Reader struct {
	known    Known
	translog *notary.Handler
	// sample is what examples are about, until it is looked up again.
	mu     sync.Mutex
	sample Sample
	until  time.Time
}

// NewReader returns a Reader; translog is nil when there is no log.
func NewReader(known Known, translog *notary.Handler) *Reader {
	return &Reader{known: known, translog: translog}
}

// A View is the directory at a moment.
type View struct {
	view       *directory.View
	unattended bool
}

// View returns what is known at present.
func (r *Reader) View(ctx context.Context) (*View, error) {
	v, err := r.known.Directory(ctx)
	if err != nil {
		return nil, err
	}
	return &View{v, r.known.Unattended()}, nil
}

// Err returns the first error of the other methods, which return nothing then. It has to be asked
// before what they returned is shown.
func (l *View) Err() error { return registry.StoreTrouble(l.view.Err()) }

// Stats counts everything.
func (l *View) Stats() *StatsReply { return statsOf(l.view, l.unattended) }

// HasAgent reports whether a file names an agent, or did, by its canonical URL.
func (l *View) HasAgent(agent string) bool { return l.view.HasAgent(agent) }

// HasPublisher reports whether anything is known of a publisher.
func (l *View) HasPublisher(domain string) bool {
	_, known := l.view.Publisher(hostname.Domain(domain))
	return known
}

// PublishersOf counts the publishers that have an entry for an agent.
func (l *View) PublishersOf(agent string) int { return l.view.Agent(agent).Publishers }

// A KnownPublisher is what the directory has about a publisher.
type KnownPublisher struct {
	Domain, State string
	InEffect      bool
	Since, Looked time.Time
	Location      custody.Location
	Properties    int
	Identifiers   []resolve.Identifier
}

func knownPublisherOf(e *directory.Entry) KnownPublisher {
	s, shown := &e.Standing, e.Shown()
	return KnownPublisher{
		Domain: string(e.Domain), State: string(s.State), InEffect: s.InEffect, Since: s.Since, Looked: s.LastLook,
		Location: s.Location, Properties: shown.Properties, Identifiers: shown.First,
	}
}

func knownPublishersOf(list []directory.Entry) []KnownPublisher {
	var out []KnownPublisher
	for i := range list {
		out = append(out, knownPublisherOf(&list[i]))
	}
	return out
}

// Unsettled returns publishers that had an agent in their file and of which nothing is in effect,
// and how many there are.
func (l *View) Unsettled(agent string, limit int) ([]KnownPublisher, int) {
	list, n := l.view.Unsettled(agent, limit)
	return knownPublishersOf(list), n
}

// Search returns publishers that a text is found in.
func (l *View) Search(text string, limit int) []KnownPublisher {
	return knownPublishersOf(l.view.Search(text, limit))
}

// Beginning returns the names of known publishers that begin with a text in lower case.
func (l *View) Beginning(text string, limit int) []string {
	var out []string
	for _, e := range l.view.Beginning(text, limit) {
		out = append(out, string(e.Domain))
	}
	return out
}

// Reached is how many publishers of an agent are found in a way and are in a state.
type Reached struct {
	Way   custody.Method
	State string
	Count int
}

// Reach counts the first publishers of an agent by how their files are found and by their state, and reports
// whether there are more.
func (l *View) Reach(agent string, limit int) ([]Reached, bool) {
	rows, next := l.view.Rows(directory.RowQuery{Agent: agent, Limit: limit, Authorized: true})
	counts := map[Reached]int{}
	for i := range rows {
		s := &rows[i].Standing
		counts[Reached{Way: s.Location.Method, State: string(s.State)}]++
	}
	var out []Reached
	for r, n := range counts {
		r.Count = n
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b Reached) int {
		return cmp.Or(cmp.Compare(a.Way, b.Way), cmp.Compare(b.Count, a.Count), cmp.Compare(a.State, b.State))
	})
	return out, next != ""
}

// A KnownAgent is an agent with the number of its publishers.
type KnownAgent struct {
	URL        string
	Publishers int
}

// Agents returns agents whose URL has a text in it, and whether there are more.
func (l *View) Agents(text string, limit int) ([]KnownAgent, bool) {
	list, next := l.view.Agents(text, "", limit)
	var out []KnownAgent
	for _, a := range list {
		out = append(out, KnownAgent{redact.URL(a.URL), a.Publishers})
	}
	return out, next != ""
}

// A Sample is what an example can be about: an agent with a property that it may sell of a publisher. It
// is empty when nothing fit to be shown in a command is known.
type Sample struct{ Domain, Agent, Property string }

// Among so many agents and publishers a sample is chosen.
const sampleAgents, sampleRows = 100, 20

// plain reports whether a text is free of anything that a shell, JSON or an address reads in its own way.
func plain(s string) bool {
	const also = "._~/:-"
	return s != "" && len(s) < 200 && !strings.ContainsFunc(s, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && !strings.ContainsRune(also, c)
	})
}

// sampleLife is how long examples are about the same publisher.
const sampleLife = time.Minute

// Sample returns what examples can be about at a time.
func (r *Reader) Sample(ctx context.Context, now time.Time) Sample {
	r.mu.Lock()
	defer r.mu.Unlock()
	if now.Before(r.until) {
		return r.sample
	}
	view, err := r.View(ctx)
	if err == nil {
		found := view.Sample()
		if view.Err() == nil {
			r.sample = found
		}
	}
	r.until = now.Add(sampleLife)
	return r.sample
}

// Sample returns the agent with the most publishers, and one of them whose file is confirmed.
func (l *View) Sample() Sample {
	list, _ := l.view.Agents("", "", sampleAgents)
	list = slices.DeleteFunc(list, func(a directory.Agent) bool { return !plain(a.URL) })
	if len(list) == 0 {
		return Sample{}
	}
	best := slices.MaxFunc(list, func(a, b directory.Agent) int { return cmp.Compare(a.Publishers, b.Publishers) })
	rows, _ := l.Sold(best.URL, "", sampleRows, 0)
	for i := range rows {
		sold := rows[i].Sold.Authorized
		n := slices.IndexFunc(sold, plain)
		if !rows[i].Revoked && rows[i].State == string(wire.Fresh) && n >= 0 && l.Err() == nil {
			return Sample{rows[i].Domain, best.URL, sold[n]}
		}
	}
	return Sample{}
}

// A SoldRow is what a publisher lets an agent sell, or does not any more.
type SoldRow struct {
	KnownPublisher
	Types           []adagents.AuthorizationType
	Sold            resolve.Row
	Pinned, Revoked bool
	// Contests are identifiers that others list, too.
	Contests []Contest
}

// Sold returns the publishers of an agent after one, and the last of them if there are more. Each has
// its first contests.
func (l *View) Sold(agent, after string, limit, contests int) ([]SoldRow, string) {
	rows, next := l.view.Rows(directory.RowQuery{Agent: agent, After: after, Limit: limit, Authorized: true, Revoked: true,
		IDs: true})
	var out []SoldRow
	for i := range rows {
		r := &rows[i]
		one := SoldRow{KnownPublisher: knownPublisherOf(&r.Entry), Types: r.Types.List(), Sold: r.Sold, Pinned: r.Pinned,
			Revoked: r.Revoked}
		if !r.Revoked {
			one.Contests = contestsOf(l.view.Contests(r.Domain, contests))
		}
		out = append(out, one)
	}
	return out, next
}

// A Contest is an identifier that publishers of other sites list as their own, too.
type Contest struct {
	Identifier resolve.Identifier // in canonical form
	Others     []string
}

func contestsOf(list []directory.Contest) []Contest {
	var out []Contest
	for _, c := range list {
		one := Contest{Identifier: c.Identifier}
		for _, other := range c.Others {
			one.Others = append(one.Others, string(other))
		}
		out = append(out, one)
	}
	return out
}

// Contests returns those of a publisher, limit at most.
func (l *View) Contests(domain string, limit int) []Contest {
	return contestsOf(l.view.Contests(hostname.Domain(domain), limit))
}

// The states of a Receipt.
const (
	Included = notary.Included
	Pending  = notary.Pending
)

// A Receipt says how an answer stands to the transparency log.
type Receipt struct {
	State, Reason string
	// Since is when what is pending was decided.
	Since time.Time
	// Text is nil unless the answer is included.
	Text []byte
}

// Receipt returns the receipt of an answer.
func (r *Reader) Receipt(ctx context.Context, v *registry.QuestionAnswer) *Receipt {
	return r.receipt(ctx, notary.ClaimOf(&v.Question, v.Answer, v.CheckedAt))
}

// PathReceipt returns the receipt of an answer about a supply path.
func (r *Reader) PathReceipt(ctx context.Context, a *supply.Answer) *Receipt {
	return r.receipt(ctx, pathClaim(a))
}

func (r *Reader) receipt(ctx context.Context, c *notary.Claim) *Receipt {
	got := r.translog.Receipt(ctx, c)
	out := &Receipt{State: got.State, Reason: got.Reason, Since: got.Since}
	if got.Receipt != nil {
		out.Text = got.Receipt.Text()
	}
	return out
}

// HasLog reports whether there is a transparency log.
func (r *Reader) HasLog() bool { return r.translog != nil }

// A LogEntry is a leaf of the log; About is publisher or file.
type LogEntry struct {
	Index                 int64
	At                    time.Time
	Kind, Sentence, About string
	// Leaf and Proof are where the leaf and its proof are.
	Leaf, Proof string
}

// A LogView is what the log has about a publisher and its file, the latest first.
type LogView struct {
	Pending bool
	Entries []LogEntry
}

// Log returns what the log has about a publisher.
func (r *Reader) Log(ctx context.Context, domain string) (*LogView, error) {
	about, err := r.translog.Prover.About(ctx, domain)
	out := new(LogView)
	switch {
	case errors.Is(err, notary.ErrPending):
		out.Pending = true
	case errors.Is(err, notary.ErrNotFound):
	case err != nil:
		return nil, err
	default:
		out.Pending = about.Pending
		out.Entries = append(logEntries(about.Publisher, "publisher"), logEntries(about.File, "file")...)
	}
	slices.SortFunc(out.Entries, func(a, b LogEntry) int { return cmp.Compare(b.Index, a.Index) })
	return out, nil
}

func logEntries(list []notary.Entry, about string) []LogEntry {
	var out []LogEntry
	for _, e := range list {
		index := strconv.FormatInt(e.Index, 10)
		out = append(out, LogEntry{e.Index, e.Leaf.At, e.Leaf.Kind, e.Leaf.Sentence(), about, notary.Prefix + "leaf/" + index,
			notary.Prefix + "proof/" + index})
	}
	return out
}
