package custodian

import (
	"context"
	"errors"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/std/hostname"
)

// RefreshOptions say how a publisher is asked.
type RefreshOptions struct {
	// Force asks for everything as a whole, past all caches on the way.
	Force bool
}

// Refresh asks a publisher now, and the place where its file is known to be, and keeps
// what came back. It is durable when Refresh returns. The error is the context's, or an
// ErrUnavailable.
func (k *Keeper) Refresh(ctx context.Context, domain hostname.Domain, o RefreshOptions) (*State, error) {
	how := always
	if o.Force {
		how = forced
	}
	err := k.look(ctx, domain, how)
	if err != nil {
		return nil, err
	}
	return k.State(ctx, domain)
}

// Keep keeps the result of a discovery that was made elsewhere. It is
// durable when Keep returns.
func (k *Keeper) Keep(ctx context.Context, d *discover.Discovery) error {
	k.witness(d)
	p := Keeping{keeper: k, reading: reader{d, k.since}.reading()}
	return p.Keep(ctx)
}

// Ingest keeps the result of a discovery, and returns what is known then.
func (k *Keeper) Ingest(ctx context.Context, d *discover.Discovery) (*State, error) {
	err := k.Keep(ctx, d)
	if err != nil {
		return nil, err
	}
	return k.State(ctx, hostname.Domain(d.Domain))
}

// since converts the time of an exchange to the keeper's clock, by its age.
func (k *Keeper) since(t time.Time) time.Time {
	return k.now().Add(-max(0, time.Since(t)))
}

// A wish says how a publisher is looked at.
type wish string

const (
	// ifDue asks when that is due by the time it is this one's turn.
	ifDue wish = "due"
	// newcomer asks one of whom there was no record a while ago. If there is by now, the store
	// says so when what was found is committed.
	newcomer wish = "newcomer"
	// always asks in any case, and forced past all caches.
	always wish = "always"
	forced wish = "forced"
)

// look asks a publisher. Those who ask at the same time wait for one answer.
func (k *Keeper) look(ctx context.Context, domain hostname.Domain, how wish) error {
	try := func() error {
		_, err := k.looks.Do(ctx, string(domain)+" "+string(how), func(ctx context.Context) (struct{}, error) {
			return struct{}{}, k.lookNow(ctx, domain, how)
		})
		return err
	}
	err := try()
	if errors.Is(err, ErrFenced) && tenureOf(ctx) == nil {
		return try() // it was another process's lease
	}
	return err
}

func (k *Keeper) lookNow(ctx context.Context, domain hostname.Domain, how wish) error {
	if how == newcomer {
		return k.lookBefore(ctx, &custody.Publisher{Domain: domain}, time.Time{})
	}
	p, err := k.publisher(ctx, domain)
	if err != nil {
		return err
	}
	if how == ifDue {
		due, err := k.lookDue(ctx, p)
		if err != nil || !due {
			return err
		}
	}
	var before time.Time
	if how == forced {
		before = ever
	}
	return k.lookBefore(ctx, p, before)
}

// ever is after all times.
var ever = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// lookBefore asks a publisher. What was last asked for before a time is asked for as a
// whole and past all caches; zero means only what is due, as its rules say.
func (k *Keeper) lookBefore(ctx context.Context, p *custody.Publisher, before time.Time) error {
	if k.config.Look != nil {
		var end func()
		ctx, end = k.config.Look(ctx)
		defer end()
	}
	d, over, err := k.discover(ctx, p, before)
	if err != nil {
		return err
	}
	r := reader{d, k.since}.reading()
	if r.unasked {
		return nil
	}
	if over {
		r = &reading{domain: r.domain, outcome: custody.Failed, at: r.at, refused: true, reply: r.reply, detail: "it has led to too many different locations within a day"}
	}
	err = k.askPlaces(ctx, p, r, before)
	if err != nil {
		return err
	}
	err = k.succeed(ctx, p, r, before)
	if err != nil {
		return err
	}
	// A newcomer with a file of its own has no records, as far as is known. If there are by
	// now, the store says so.
	first := p.Revision == 0 && r.to.Method == custody.Direct && r.file != nil
	return k.apply(ctx, r, first)
}

// discover asks for the way to a publisher's file. The file at the end of it is asked for
// on its own, once for all publishers that share it, unless it is not known yet.
// It reports whether the publisher has led to too many new places; the last of them is not
// asked for then.
func (k *Keeper) discover(ctx context.Context, p *custody.Publisher, before time.Time) (*discover.Discovery, bool, error) {
	force := !before.IsZero()
	o := discover.Options{NoCache: force, IgnoreSuperseded: true}
	if !force {
		tag, date, err := k.condition(ctx, p)
		if err != nil {
			return nil, false, err
		}
		o.IfNoneMatch, o.IfModifiedSince = tag, date
	}
	over := false
	o.Known = func(url string) discover.Copy {
		f, revision, err := k.brief(ctx, url)
		if err == nil && revision == 0 && !force && !k.news.take(p.Domain, url, k.now()) {
			over = true
			return discover.Copy{Fresh: true}
		}
		known := err == nil && f.Hash != "" && f.Closed == custody.Failed && !f.Overflow
		return discover.Copy{Fresh: known && !f.WholeAt.Before(before)}
	}
	d, err := k.ask(ctx, o, func(ctx context.Context, o discover.Options) (*discover.Discovery, error) {
		d, err := k.config.Finder.Domain(ctx, string(p.Domain), o)
		if err == nil && k.config.Seen != nil {
			k.config.Seen(ctx, d)
		}
		return d, err
	})
	return d, over, err
}

// ask makes a question to the web within its time.
func (k *Keeper) ask(ctx context.Context, o discover.Options, question func(context.Context, discover.Options) (*discover.Discovery, error)) (*discover.Discovery, error) {
	limited, cancel := context.WithTimeout(ctx, k.config.Timeout)
	defer cancel()
	d, err := question(limited, o)
	k.witness(d)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return d, err
}

// condition returns what makes the request for the well-known path conditional. Where the
// file is there itself, both records must be about the same answer. Where a file there
// names another in its place it is read every time.
func (k *Keeper) condition(ctx context.Context, p *custody.Publisher) (string, string, error) {
	at, err := k.moment(ctx)
	if err != nil || p.Location.Method == custody.Superseded {
		return "", "", err
	}
	tag, date := p.Ask(at)
	if p.Location.Method != custody.Direct || tag == "" && date == "" {
		return tag, date, nil
	}
	f, _, err := k.brief(ctx, p.Location.URL)
	if err != nil {
		return "", "", err
	}
	fileTag, fileDate := f.Ask(at)
	if tag != fileTag || date != fileDate {
		return "", "", nil
	}
	return tag, date, nil
}

// askPlaces asks for the files that matter to a publisher and were not asked for on the
// way: that at the adopted place, also while the publisher leads elsewhere, and that at
// the place where it leads.
func (k *Keeper) askPlaces(ctx context.Context, p *custody.Publisher, r *reading, before time.Time) error {
	if r.outcome == custody.Gone || r.outcome == custody.Denied && (r.firm || p.Closed != custody.Failed) {
		return nil
	}
	places := []custody.Location{p.Location}
	if r.file != nil && r.to.URL != p.Location.URL {
		places = append(places, r.to)
	}
	for _, at := range places {
		seen := r.file != nil && r.file.url == at.URL && !r.file.known
		if at.URL == "" || at.Method == custody.Direct || seen {
			continue
		}
		err := k.askFile(ctx, p.Domain, at, before)
		if err != nil {
			return err
		}
	}
	return nil
}

// askFile asks for the file at a place if that is due, or as a whole if it was last obtained
// before a time. It is done once for all who want it at the same time.
func (k *Keeper) askFile(ctx context.Context, domain hostname.Domain, at custody.Location, before time.Time) error {
	key := at.URL
	if !before.IsZero() {
		key += " forced"
	}
	try := func() error {
		_, err := k.asks.Do(ctx, key, func(ctx context.Context) (struct{}, error) {
			g, err := k.askPlace(ctx, domain, at, before)
			if err != nil || g == nil {
				return struct{}{}, err
			}
			return struct{}{}, k.applyFile(ctx, domain, g)
		})
		return err
	}
	err := try()
	if errors.Is(err, ErrFenced) && tenureOf(ctx) == nil {
		return try()
	}
	return err
}

// askPlace returns what the place says, or nil when nothing had to be asked or nothing came back.
func (k *Keeper) askPlace(ctx context.Context, domain hostname.Domain, at custody.Location, before time.Time) (*glimpse, error) {
	f, _, err := k.brief(ctx, at.URL)
	if err != nil {
		return nil, err
	}
	now, err := k.moment(ctx)
	if err != nil {
		return nil, err
	}
	force := f.TriedAt.Before(before)
	if !force && !k.fileDue(f, now) {
		return nil, nil
	}
	o := discover.Options{NoCache: force}
	if !force {
		o.IfNoneMatch, o.IfModifiedSince = f.Ask(now)
	}
	place := discover.Place{
		Method: discover.AuthoritativeLocation, URL: at.URL, Manager: at.Manager, Superseding: at.Method == custody.Superseded,
	}
	if at.Method == custody.ManagerDomain {
		place.Method = discover.ManagerDomain
	}
	d, err := k.ask(ctx, o, func(ctx context.Context, o discover.Options) (*discover.Discovery, error) {
		return k.config.Finder.Location(ctx, string(domain), place, o)
	})
	if err != nil {
		return nil, err
	}
	return reader{d, k.since}.located(roleOf(at)), nil
}

// lookDue reports whether to ask a publisher that a caller waits for: where its file is, or
// for the file if it is the publisher's own.
func (k *Keeper) lookDue(ctx context.Context, p *custody.Publisher) (bool, error) {
	at, err := k.moment(ctx)
	if err != nil {
		return false, err
	}
	if k.publisherDue(p, at) {
		return true, nil
	}
	if !k.ownDue(p, at) {
		return false, nil
	}
	f, _, err := k.brief(ctx, p.Location.URL)
	if err != nil {
		return false, err
	}
	return k.fileDue(f, at), nil
}

// ownDue reports whether a publisher is asked when its own file is due. While a move from
// there is held, the file is not there any more; while the publisher cannot be asked, its
// own times count.
func (k *Keeper) ownDue(p *custody.Publisher, at custody.Moment) bool {
	return ownPlace(p) && p.Move == nil && p.FailingSince.IsZero() && p.Standing(at).Usable()
}

// fileDue reports whether to ask for a file that a caller waits for. Callers cannot force
// requests at will: at most one a minute, and fewer while it fails.
func (k *Keeper) fileDue(f *custody.File, at custody.Moment) bool {
	switch {
	case f.TriedAt.IsZero() || k.doubts.due(f.URL, at.Early) || f.TriedAt.After(at.Early.Add(maxBack)):
		return true // the last by a clock that was ahead
	case tooSoon(f.TriedAt, f.TriedAt.Add(custody.RetryFirst), at):
		return false
	case !f.FailingSince.IsZero():
		return !tooSoon(f.TriedAt, f.Due(), at)
	}
	return f.Standing(at) != custody.Fresh
}

// publisherDue is the same for the place of a publisher.
func (k *Keeper) publisherDue(p *custody.Publisher, at custody.Moment) bool {
	switch {
	case p.TriedAt.IsZero() || k.doubts.due(string(p.Domain), at.Early) || p.TriedAt.After(at.Early.Add(maxBack)):
		return true
	case tooSoon(p.TriedAt, p.TriedAt.Add(custody.RetryFirst), at):
		return false
	case !p.FailingSince.IsZero():
		return !tooSoon(p.TriedAt, p.Due(), at)
	}
	return p.Standing(at) != custody.Fresh
}

// tooSoon reports whether something that was tried at a time is not to be tried again
// before another. The late reading counts, and while the clock is known to be ahead, so
// does the early one: attempts are noted by that.
func tooSoon(tried, until time.Time, at custody.Moment) bool {
	return at.Late.Before(until) || !at.Early.Before(tried) && at.Early.Before(until)
}

// timeless returns a report for any time. Discovery judges files by its clock and leaves
// entries without effect whose time has passed, but a question may be about a moment at
// which they held.
func timeless(g *glimpse, domain hostname.Domain) *adagents.Report {
	for i := range g.report.Findings {
		if g.report.Findings[i].Code == "agent.window_expired" {
			return adagents.Check(g.body, adagents.Options{Domain: string(domain), URL: g.url, Role: g.role})
		}
	}
	return g.report
}
