package directory

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// A View is the directory at a moment. It shows all that this process has committed before.
type View struct {
	d  *Directory
	At custody.Moment
	// Missing is how many publishers have a file that is not in the directory. What is listed
	// may lack them.
	Missing int
	// stored finds a publisher in the records, for a view of a directory that is not read yet;
	// nil for others. Such a view knows about publishers that are asked for by name alone, and
	// is for one goroutine.
	stored func(hostname.Domain) *Publisher
	life   *Life // nil unless Follow was called
	// read reads publishers that are unread, for a view of a directory that lists some; nil for
	// others. Such a view is for one goroutine.
	read func([]hostname.Domain)
	// claims returns the publishers that the store finds by an identifier, for such a view.
	claims func(resolve.Identifier) ([]custodian.Listing, error)
	sought int // how many identifiers were looked for
}

// Named returns a view for questions about publishers by their names. While the directory is
// being read they are answered from the records. The error is that of the context, or of the
// store.
func (d *Directory) Named(ctx context.Context) (*View, error) {
	select {
	case <-d.loaded:
		return d.View(ctx)
	default:
	}
	at, err := d.config.Keeper.Moment(ctx)
	if err != nil {
		return nil, err
	}
	var last hostname.Domain // many questions in a row are about one publisher
	var known *Publisher
	return &View{d: d, At: at, stored: func(domain hostname.Domain) *Publisher {
		if domain == last {
			return known
		}
		s, err := d.config.Keeper.Snapshot(ctx, domain)
		p, _, err := d.make(domain, s, err)
		if err != nil && ctx.Err() == nil {
			d.config.Log.WarnContext(ctx, "cannot read a publisher", "domain", domain, "error", err)
		}
		last, known = domain, p
		return p
	}}, nil
}

// Listed is View for the publishers of agents, and for publishers one after the other. A directory
// that began with an outline has them before it has read them all, and reads those that are asked
// for. What rests on everything is not to be asked of such a view: Stats and Search, and Lists and
// Contests before Find.
func (d *Directory) Listed(ctx context.Context) (*View, error) {
	v, err := d.Named(ctx)
	if err != nil || v.stored == nil {
		return v, err
	}
	waiting, cancel := context.WithTimeout(ctx, d.config.Patience)
	defer cancel()
	select {
	case <-d.loaded:
		return d.View(ctx)
	case <-d.listed:
	case <-waiting.Done():
		return nil, cmp.Or(ctx.Err(), ErrLoading)
	}
	d.queue.settle(waiting)
	count := func() {
		d.mu.RLock()
		defer d.mu.RUnlock()
		v.Missing = d.missing
	}
	v.read = func(domains []hostname.Domain) {
		// What was read of them is not lost because the caller has gone.
		d.readSome(context.WithoutCancel(ctx), domains, unlessPut)
		count()
	}
	v.claims = func(id resolve.Identifier) ([]custodian.Listing, error) {
		return d.config.Keeper.Claims(ctx, id, v.At.Early, mostRead+1)
	}
	count()
	return v, ctx.Err()
}

// mostSought is how many identifiers Find looks for in one view, each with a statement.
const mostSought = 2048

// Find has publishers read that list some identifiers as their own, so that Lists and Contests can
// be asked about these. A view of everything has them already. Others find them by the index of
// the store, which is late for publishers whose file was changed by somebody else's look; but
// those are read before anything is listed. The error is ErrLoading when there are too many, that of the
// context, or of the store.
func (v *View) Find(ids ...resolve.Identifier) error {
	if v.Whole() {
		return nil
	}
	v.sought += len(ids)
	if v.read == nil || v.sought > mostSought {
		return ErrLoading
	}
	for _, id := range ids {
		list, err := v.claims(custodian.CanonicalIdentifier(id))
		if err != nil {
			return err
		}
		if len(list) > mostRead {
			return ErrLoading
		}
		v.read(v.unread(list))
	}
	return nil
}

// unread returns the publishers of a list that are to be read.
func (v *View) unread(list []custodian.Listing) []hostname.Domain {
	v.d.mu.RLock()
	defer v.d.mu.RUnlock()
	var out []hostname.Domain
	for i := range list {
		p := v.d.publishers[list[i].Publisher]
		if p != nil && p.unread && !list[i].Gone {
			out = append(out, p.Domain)
		}
	}
	return out
}

// Whole reports whether everything was read, so that any question can be asked of the view.
func (v *View) Whole() bool { return v.read == nil && v.stored == nil }

// publisher returns what is known about a publisher, nil for nothing.
func (v *View) publisher(domain hostname.Domain) *Publisher {
	if v.stored != nil {
		return v.stored(domain)
	}
	v.d.mu.RLock()
	defer v.d.mu.RUnlock()
	return v.d.publishers[domain]
}

// View returns a view of the present. The error is ErrLoading, that of the context, or an
// error of the store.
func (d *Directory) View(ctx context.Context) (*View, error) {
	at, err := d.config.Keeper.Moment(ctx)
	if err != nil {
		return nil, err
	}
	waiting, cancel := context.WithTimeout(ctx, d.config.Patience)
	defer cancel()
	select {
	case <-d.loaded:
	case <-waiting.Done():
		return nil, cmp.Or(ctx.Err(), ErrLoading)
	}
	d.queue.settle(waiting)
	d.mu.RLock()
	defer d.mu.RUnlock()
	return &View{d: d, At: at, Missing: d.missing}, ctx.Err()
}

// An Entry is a publisher with its standing. Publisher is nil when it was only named.
type Entry struct {
	Domain hostname.Domain
	*Publisher
	Standing Standing
	at       time.Time // of the view
}

func (v *View) entry(domain hostname.Domain) Entry {
	p := v.d.publishers[domain]
	return Entry{domain, p, v.standing(p), v.At.Early}
}

// Publisher returns what is known about a publisher, and whether anything is.
func (v *View) Publisher(domain hostname.Domain) (Entry, bool) {
	p := v.publisher(domain)
	v.d.mu.RLock()
	defer v.d.mu.RUnlock()
	return Entry{domain, p, v.standing(p), v.At.Early}, p != nil || v.d.named[domain] > 0
}

// Looked returns how many publishers were looked at, whatever was found.
func (v *View) Looked() int {
	v.d.mu.RLock()
	defer v.d.mu.RUnlock()
	return len(v.d.publishers)
}

// Publishers returns known publishers after one in alphabetical order that a condition holds
// for, limit at most, and whether there may be more after the last that was looked at.
func (v *View) Publishers(after string, limit int, fits func(*Entry) bool) ([]Entry, string) {
	var out []Entry
	next := v.page(after, limit, mostScanned, func(w *walk) {
		out = nil
		for name := range w.over(v.d.names.after(after), func() int { return len(out) }) {
			e := v.entry(hostname.Domain(name))
			if fits == nil || fits(&e) {
				out = append(out, e)
			}
		}
	})
	return out, next
}

// A Row says that a publisher lets an agent sell something, or does not any more.
type Row struct {
	Entry
	Grant   Grant
	Revoked bool
	// Sold is what the agent may sell of the publisher's own properties.
	Sold resolve.Row
}

// A RowQuery selects rows of an agent.
type RowQuery struct {
	Agent string // canonical URL
	// After is the domain that the row before belongs to.
	After string
	Limit int
	// Authorized and Revoked select rows by their status.
	Authorized, Revoked bool
	// Since leaves out publishers that were not confirmed since then.
	Since time.Time
}

// Rows returns the publishers of an agent in alphabetical order, and where to go on; empty
// when there are no more.
func (v *View) Rows(q RowQuery) ([]Row, string) {
	var out []Row
	next := v.page(q.After, q.Limit, mostRowsScanned, func(w *walk) {
		a := v.d.agents[q.Agent]
		if a == nil {
			out = nil
			return
		}
		var lists []iter.Seq[string]
		if q.Authorized {
			lists = append(lists, a.sells.after(q.After))
		}
		if q.Revoked {
			lists = append(lists, a.revoked.after(q.After))
		}
		out = make([]Row, 0, max(0, min(q.Limit, a.sells.count+a.revoked.count)))
		for name := range w.over(merge(lists), func() int { return len(out) }) {
			row, ok := v.row(hostname.Domain(name), &q)
			if ok {
				out = append(out, row)
			}
		}
	})
	return out, next
}

// First returns the first publisher whose file has an entry for an agent that lets it sell
// something at some time; false when there is none.
func (v *View) First(agent string) (Entry, bool) {
	var out []Entry
	v.page("", 1, mostScanned, func(w *walk) {
		out = nil
		a := v.d.agents[agent]
		if a == nil {
			return
		}
		for name := range w.over(a.sells.after(""), func() int { return len(out) }) {
			out = append(out, v.entry(hostname.Domain(name)))
		}
	})
	if len(out) == 0 {
		return Entry{}, false
	}
	return out[0], true
}

// row returns what is in effect between a publisher and an agent, and whether it is asked for.
func (v *View) row(domain hostname.Domain, q *RowQuery) (Row, bool) {
	row := Row{Entry: v.entry(domain)}
	if row.Publisher == nil || !row.Standing.InEffect || row.Standing.ConfirmedAt.Before(q.Since) {
		return row, false
	}
	grant, ok := row.grant(q.Agent)
	if !ok {
		row.Revoked = slices.Contains(row.revoked, q.Agent)
		return row, row.Revoked
	}
	row.Grant = grant
	if grant.Live {
		row.Sold = row.Entry.Sold(q.Agent)
	}
	return row, grant.Live
}

// Sold returns what an agent may sell of a publisher's own properties now, by the file in effect.
func (e *Entry) Sold(agent string) resolve.Row {
	if e.Publisher == nil || !e.Standing.InEffect {
		return resolve.Row{Agent: agent}
	}
	return e.subject.Row(string(e.Domain), agent, e.at)
}

// merge returns the names of several ordered lists, in order, each once.
func merge(lists []iter.Seq[string]) iter.Seq[string] {
	if len(lists) == 1 {
		return lists[0]
	}
	return func(yield func(string) bool) {
		heads := make([]string, len(lists))
		more := make([]bool, len(lists))
		next := make([]func() (string, bool), len(lists))
		stops := make([]func(), len(lists))
		for i, list := range lists {
			next[i], stops[i] = iter.Pull(list)
			heads[i], more[i] = next[i]()
		}
		defer func() {
			for _, stop := range stops {
				stop()
			}
		}()
		for {
			least := -1
			for i := range heads {
				if more[i] && (least < 0 || heads[i] < heads[least]) {
					least = i
				}
			}
			if least < 0 || !yield(heads[least]) {
				return
			}
			name := heads[least]
			for i := range heads {
				if more[i] && heads[i] == name {
					heads[i], more[i] = next[i]()
				}
			}
		}
	}
}

// Unsettled returns publishers that had an agent in their file, and of whom nothing is in
// effect at present, limit at most, and how many there are.
func (v *View) Unsettled(agent string, limit int) ([]Entry, int) {
	v.d.mu.RLock()
	defer v.d.mu.RUnlock()
	a := v.d.agents[agent]
	if a == nil {
		return nil, 0
	}
	var out []Entry
	for name := range a.unsettled.after("") {
		if len(out) == limit {
			break
		}
		out = append(out, v.entry(hostname.Domain(name)))
	}
	return out, a.unsettled.count
}

// HasAgent reports whether a file in effect names an agent, or did, as far as is known.
func (v *View) HasAgent(agent string) bool {
	v.d.mu.RLock()
	defer v.d.mu.RUnlock()
	return v.d.agents[agent] != nil
}

// An Agent is one with the number of publishers that let it sell something.
type Agent struct {
	URL        string
	Publishers int
}

// Agent returns an agent, which need not be known.
func (v *View) Agent(url string) Agent {
	v.d.mu.RLock()
	defer v.d.mu.RUnlock()
	a := v.d.agents[url]
	if a == nil {
		return Agent{URL: url}
	}
	return Agent{url, a.sells.count}
}

// Agents returns agents after one in alphabetical order that a condition holds for, and where
// to go on; empty when there are no more.
func (v *View) Agents(after string, limit int, fits func(url string) bool) ([]Agent, string) {
	v.d.mu.RLock()
	defer v.d.mu.RUnlock()
	var out []Agent
	last, seen := after, 0
	for url := range v.d.agentNames.after(after) {
		if len(out) == limit || seen == mostScanned {
			return out, last
		}
		last, seen = url, seen+1
		a := v.d.agents[url]
		if a.sells.count > 0 && (fits == nil || fits(url)) {
			out = append(out, Agent{url, a.sells.count})
		}
	}
	return out, ""
}

// Lists returns the publishers in effect that list an identifier as their own, in
// alphabetical order.
func (v *View) Lists(id resolve.Identifier) []Entry {
	v.d.mu.RLock()
	defer v.d.mu.RUnlock()
	var out []Entry
	for _, domain := range v.d.identifiers[custodian.CanonicalIdentifier(id)] {
		e := v.entry(domain)
		if e.Standing.InEffect {
			out = append(out, e)
		}
	}
	slices.SortFunc(out, func(a, b Entry) int { return cmp.Compare(a.Domain, b.Domain) })
	return out
}

// A Contest is an identifier that publishers of several sites list as their own.
type Contest struct {
	Identifier resolve.Identifier
	// Others are the publishers of other sites.
	Others []hostname.Domain
}

// Contests returns the identifiers of a publisher that others list too, limit at most.
func (v *View) Contests(p *Publisher, limit int) []Contest {
	v.d.mu.RLock()
	defer v.d.mu.RUnlock()
	var out []Contest
	own := Site(p.Domain)
	for _, id := range p.Identifiers {
		c := Contest{Identifier: id}
		for _, other := range v.d.identifiers[id] {
			if Site(other) != own && v.entry(other).Standing.InEffect {
				c.Others = append(c.Others, other)
			}
		}
		if len(c.Others) == 0 {
			continue
		}
		slices.Sort(c.Others)
		out = append(out, c)
		if len(out) == limit {
			break
		}
	}
	return out
}

// Decide answers a question in canonical form from what is in memory. It is false when the
// publisher is not in the directory, or something is not as it was when it was read.
func (v *View) Decide(q *resolve.Question) (resolve.Decision, Standing, bool) {
	p := v.publisher(hostname.Domain(q.Publisher))
	s := v.standing(p)
	if p == nil || p.Missing || !s.InEffect {
		return resolve.Decision{}, s, false
	}
	decision, err := p.subject.Decide(q)
	return decision, s, err == nil
}
