package custodian

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
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

// A refreshMode says how a publisher is looked at.
type refreshMode string

const (
	// ifDue asks when that is due by the time it is this one's turn.
	ifDue refreshMode = "due"
	// newcomer asks one of whom there was no record a while ago. If there is by now, the store
	// says so when what was found is committed.
	newcomer refreshMode = "newcomer"
	// always asks in any case, and forced past all caches.
	always refreshMode = "always"
	forced refreshMode = "forced"
)

// look asks a publisher. Those who ask at the same time wait for one answer.
func (k *Keeper) look(ctx context.Context, domain hostname.Domain, how refreshMode) error {
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

func (k *Keeper) lookNow(ctx context.Context, domain hostname.Domain, how refreshMode) error {
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
		before = farFuture
	}
	return k.lookBefore(ctx, p, before)
}

// looking gives a look memory of its own, unless it has that already, until what it returns is called.
func (k *Keeper) looking(ctx context.Context) (context.Context, func()) {
	if k.config.Look == nil || hasMemory(ctx) {
		return ctx, func() {}
	}
	return k.config.Look(WithMemory(ctx))
}

// farFuture sorts after every real time.
var farFuture = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// lookBefore asks a publisher. What was last asked for before a time is asked for as a
// whole and past all caches; zero means only what is due, as its rules say.
func (k *Keeper) lookBefore(ctx context.Context, p *custody.Publisher, before time.Time) error {
	ctx, end := k.looking(ctx)
	defer end()
	d, over, err := k.discover(ctx, p, before)
	if err != nil {
		return err
	}
	r := reader{d, k.since}.publisherObservation()
	if r.unasked {
		return nil
	}
	if over {
		r = &publisherObservation{domain: r.domain, outcome: custody.Failed, at: r.at, refused: true, reply: r.reply,
			detail: "it has led to too many different locations within a day"}
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
func (k *Keeper) discover(ctx context.Context, p *custody.Publisher,
	before time.Time) (*discover.Discovery, bool, error) {
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
		if err == nil && revision == 0 && !force && !k.newLocations.take(p.Domain, url, k.now()) {
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
func (k *Keeper) ask(ctx context.Context, o discover.Options,
	question func(context.Context, discover.Options) (*discover.Discovery, error)) (*discover.Discovery, error) {
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
func (k *Keeper) askPlaces(ctx context.Context, p *custody.Publisher, r *publisherObservation, before time.Time) error {
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
			// All who wait have the result; the memory of the one who came first may be short, or given back.
			ctx, end := k.looking(ctx)
			defer end()
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
func (k *Keeper) askPlace(ctx context.Context, domain hostname.Domain, at custody.Location,
	before time.Time) (*fileObservation, error) {
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
		Method: discover.AuthoritativeLocation, URL: at.URL, Manager: at.Manager,
		Superseding: at.Method == custody.Superseded,
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
	case f.TriedAt.IsZero() || k.unsavedChanges.due(f.URL, at.Early) || f.TriedAt.After(at.Early.Add(maxBack)):
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
	case p.TriedAt.IsZero() || k.unsavedChanges.due(string(p.Domain), at.Early) || p.TriedAt.After(at.Early.Add(maxBack)):
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

// PlanNamed has publishers looked at that files name and of whom nothing is known: perFile of
// each at most, and no more than keep total waiting. It returns how many that are.
func (k *Keeper) PlanNamed(ctx context.Context, files []Naming, perFile, total int) (int, error) {
	if len(files) == 0 {
		return 0, nil
	}
	waiting, err := k.config.Store.NamedWaiting(ctx, total)
	if err != nil {
		return 0, unavailable(ctx, err)
	}
	added := 0
	for _, f := range files {
		left := min(perFile, total-waiting-added)
		if left <= 0 {
			break
		}
		n, err := k.config.Store.PlanNamed(ctx, f.URL, f.Domains, k.now(), left)
		added += n
		if err != nil {
			return added, unavailable(ctx, err)
		}
	}
	return added, nil
}

// Plan has publishers looked at that are not known, and returns how many that are.
func (k *Keeper) Plan(ctx context.Context, domains []hostname.Domain) (int, error) {
	n, err := k.config.Store.Plan(ctx, domains, Wanted, k.now())
	if err != nil {
		return n, unavailable(ctx, err)
	}
	return n, nil
}

// Check asks a publisher for everything as a whole, with fresh past all caches on the way,
// for a caller who wants the current state. Prepare and Keep give it to the records. seen is told of each
// request.
func (k *Keeper) Check(ctx context.Context, domain hostname.Domain, fresh bool,
	seen func(discover.Hop)) (*discover.Discovery, error) {
	return k.config.Finder.Domain(ctx, string(domain),
		discover.Options{IgnoreSuperseded: true, NoCache: fresh, Seen: seen})
}

// A Keeping is the result of a discovery of a publisher, on its way to the records.
type Keeping struct {
	keeper      *Keeper
	observation *publisherObservation
	first       bool
}

// Prepare looks whether there are records that a discovery is about. Nothing is changed
// before Keep.
func (k *Keeper) Prepare(ctx context.Context, d *discover.Discovery) *Keeping {
	k.witness(d)
	p := &Keeping{keeper: k, observation: reader{d, k.since}.publisherObservation()}
	revokes := d.Report == nil || d.Report.File == nil || len(d.Report.File.Revocations) > 0
	p.first = !revokes && !p.observation.named() && k.absent(ctx, p.observation)
	return p
}

// First reports whether the discovery is the first that is known of a publisher and its
// file, and revokes no publisher. Nothing that could be lost with it counts against
// anybody.
func (p *Keeping) First() bool { return p.first }

// Keep keeps it. It is durable when Keep returns. That there were no records is not found
// out again: if there are by now, the store says so.
func (p *Keeping) Keep(ctx context.Context) error {
	if p.observation.unasked {
		return nil
	}
	if !p.first && p.succeed(ctx) != nil {
		// What is known cannot be read. What was found is remembered without it.
		p.observation.replaced = p.observation.named()
	}
	return p.keeper.apply(ctx, p.observation, p.first)
}

// succeed leads on to the file that the one which was found names in its place.
func (p *Keeping) succeed(ctx context.Context) error {
	known, err := p.keeper.publisher(ctx, p.observation.domain)
	if err != nil {
		return err
	}
	return p.keeper.succeed(ctx, known, p.observation, time.Time{})
}

// absent reports whether there is no record of a publisher and of the file that was found.
func (k *Keeper) absent(ctx context.Context, r *publisherObservation) bool {
	if r.unasked || r.file == nil || len(k.unsavedChanges.of(r.names()...)) > 0 {
		return false
	}
	known, err := k.config.Store.Known(ctx, r.domain, r.file.url)
	return err == nil && !known
}

// named reports whether the file of an observation names another in its place.
func (r *publisherObservation) named() bool {
	if r.file == nil || r.file.report == nil {
		return false
	}
	_, ok := r.file.report.File.Successor()
	return ok
}

// end returns where the publisher's own way ends: where a file may name another in its
// place. A manager cannot hand the publisher on.
func (r *publisherObservation) end(p *custody.Publisher) (custody.Location, bool) {
	at := r.to
	if r.outcome == custody.NotModified {
		at = p.Location
	} else if r.outcome != custody.Whole || r.file == nil {
		return at, false
	}
	return at, at.URL != "" && at.Method != custody.ManagerDomain
}

// succeed leads an observation on to the file that the one at the end of its way names in
// superseded_by. The version that was adopted there decides, not one that was refused.
func (k *Keeper) succeed(ctx context.Context, p *custody.Publisher, r *publisherObservation, before time.Time) error {
	at, ok := r.end(p)
	if !ok {
		return nil
	}
	if g := r.file; g != nil && g.report != nil && !r.named() && !follows(p) {
		return nil
	}
	kept, err := k.admitsAll(ctx, p, r, at)
	if err != nil || !kept {
		r.replaced = r.named()
		return err
	}
	if g := r.file; g != nil && !g.known {
		err := k.applyFile(ctx, p.Domain, g)
		if err != nil {
			return err
		}
	}
	url, err := k.successorAt(ctx, p.Domain, at)
	if err != nil || url == "" {
		return err
	}
	to := custody.Location{Method: custody.Superseded, URL: url}
	if g := r.next; g != nil && g.url == url {
		err := k.applyFile(ctx, p.Domain, g)
		if err != nil {
			return err
		}
	}
	usable, err := k.askSuccessor(ctx, p.Domain, at, to, before)
	switch {
	case err != nil:
		return err
	case !usable && p.Location != to:
		r.replaced = true
		return nil
	}
	if r.outcome == custody.NotModified {
		r.outcome, r.headers, r.leadHash, r.reply = custody.Whole, p.Headers, p.Hash, p.Reply
	}
	r.to, r.via = to, at.URL
	r.file = &fileObservation{url: url, role: adagents.Authoritative, known: true}
	return nil
}

// admitsAll reports whether what an observation leads to is kept. A stranger's newcomer is
// decided about before anything of it is stored, with the file that its own names in its
// place: that one is asked for first.
func (k *Keeper) admitsAll(ctx context.Context, p *custody.Publisher, r *publisherObservation,
	at custody.Location) (bool, error) {
	if p.Revision != 0 || askerOf(ctx) != Stranger || k.config.Admit == nil {
		return true, nil
	}
	url, err := k.namedAt(ctx, p.Domain, r, at)
	if err != nil {
		return false, err
	}
	if url != "" && r.next == nil {
		_, revision, err := k.brief(ctx, url)
		if err != nil {
			return false, err
		}
		if revision == 0 && k.newLocations.take(p.Domain, url, k.now()) {
			r.next, err = k.askPlace(ctx, p.Domain, custody.Location{Method: custody.Superseded, URL: url}, time.Time{})
			if err != nil {
				return false, err
			}
		}
	}
	return k.admits(ctx, Stranger, r), nil
}

// namedAt returns the URL that the file of an observation names in its place, whether or not it
// is adopted; "" when it names none that can be followed.
func (k *Keeper) namedAt(ctx context.Context, domain hostname.Domain, r *publisherObservation,
	at custody.Location) (string, error) {
	if !r.named() {
		return k.successorAt(ctx, domain, at)
	}
	return successorOf(domain, &custody.File{URL: at.URL, SupersededBy: r.file.observation.Facts.SupersededBy}), nil
}

// follows reports whether the publisher's authority is, or is about to be, at a place that
// a file names in superseded_by.
func follows(p *custody.Publisher) bool {
	return p.Location.Method == custody.Superseded || moves(p)
}

// moves reports whether a move to such a place waits.
func moves(p *custody.Publisher) bool {
	return p.Move != nil && p.Move.To.Method == custody.Superseded
}

// successorAt returns the URL that the adopted version of a file names in its place; ""
// when it names none that can be followed.
func (k *Keeper) successorAt(ctx context.Context, domain hostname.Domain, at custody.Location) (string, error) {
	f, usable, err := k.usable(ctx, at.URL)
	if err != nil || !usable {
		return "", err
	}
	return successorOf(domain, f), nil
}

// usable returns the record of a file, and whether there is a version that counts.
func (k *Keeper) usable(ctx context.Context, url string) (*custody.File, bool, error) {
	f, _, err := k.brief(ctx, url)
	if err != nil {
		return nil, false, err
	}
	now, err := k.moment(ctx)
	return f, err == nil && f.Hash != "" && f.Standing(now).Usable(), err
}

// successorOf returns what a file names in its place. Itself, and where the way began, are
// no successors.
func successorOf(domain hostname.Domain, f *custody.File) string {
	url := f.SupersededBy
	if url == "" || hostname.SameResource(url, f.URL) || hostname.SameResource(url, wellKnown(domain)) {
		return ""
	}
	return url
}

// askSuccessor asks for the file that another names in its place, if that is due, and
// reports whether it can take that place.
func (k *Keeper) askSuccessor(ctx context.Context, domain hostname.Domain, from, to custody.Location,
	before time.Time) (bool, error) {
	_, revision, err := k.brief(ctx, to.URL)
	if err != nil {
		return false, err
	}
	if revision == 0 && before.IsZero() && !k.newLocations.take(domain, to.URL, k.now()) {
		return false, nil
	}
	err = k.askFile(ctx, domain, to, before)
	if err != nil {
		return false, err
	}
	f, usable, err := k.usable(ctx, to.URL)
	if err != nil || !usable {
		return false, err
	}
	next := f.SupersededBy
	back := next != "" && (hostname.SameResource(next, from.URL) || hostname.SameResource(next, wellKnown(domain)))
	return !back, nil
}

// replaced reports whether the file at the adopted place names another that could not be
// had. While the move there waits, the adopted place counts.
func (k *Keeper) replaced(p *custody.Publisher, f *custody.File) bool {
	return !k.config.IgnoreSuperseded &&
		(p.Location.Method == custody.Direct || p.Location.Method == custody.AuthoritativeLocation) &&
		!moves(p) && successorOf(p.Domain, f) != ""
}

// lookForSuccessor looks at the publisher once more when the file at its place names
// another that was not asked for since, or is due.
func (k *Keeper) lookForSuccessor(ctx context.Context, s *State) (*State, error) {
	p, f := s.Publisher, s.File
	if s.Served != resolve.Usable || k.config.IgnoreSuperseded || follows(p) {
		return s, nil
	}
	if !k.replaced(p, f) {
		return s, nil
	}
	url := successorOf(p.Domain, f)
	next, revision, err := k.brief(ctx, url)
	switch {
	case err != nil:
		return s, err
	case revision == 0 && k.newLocations.spent(p.Domain, url, k.now()):
		return s, nil
	case !p.TriedAt.Before(f.AdoptedAt) &&
		(!k.fileDue(next, s.At) || tooSoon(p.TriedAt, p.TriedAt.Add(custody.RetryFirst), s.At)):
		return s, nil
	}
	err = k.look(ctx, p.Domain, always)
	if err != nil {
		return s, err
	}
	return k.State(ctx, p.Domain)
}

// askURL asks for a file that is due on its own, as one of the publishers that lead there
// would have it. At a well-known path it may be a publisher's own, which is asked for with
// the publisher. A file that no publisher points to any more is dropped: a pointer must not
// cause requests to a host for ever.
func (k *Keeper) askURL(ctx context.Context, url string) error {
	host := hostname.Domain(hostOf(url))
	if url == wellKnown(host) {
		asked, err := k.askOwn(ctx, host)
		if asked || err != nil {
			return err
		}
	}
	domain, err := k.config.Store.Lead(ctx, url)
	switch {
	case errors.Is(err, ErrNotFound) && strings.HasSuffix(url, otherFileMark):
		// It is asked for on request.
		err = errors.Join(k.settle(ctx, k.unsavedChanges.of(url)), k.config.Store.LetGo(ctx, url))
		if err == nil {
			return nil
		}
	case errors.Is(err, ErrNotFound) && k.unsavedChanges.behind(url):
		return k.askFile(ctx, host, custody.Location{Method: custody.AuthoritativeLocation, URL: url}, time.Time{})
	case errors.Is(err, ErrNotFound):
		err = k.config.Store.LetGo(ctx, url)
		if err == nil {
			return nil
		}
	}
	if err != nil {
		return unavailable(ctx, err)
	}
	p, err := k.publisher(ctx, domain)
	switch {
	case err != nil:
		return err
	case p.Location.URL == url:
		return k.askFile(ctx, domain, p.Location, time.Time{})
	case p.Move != nil && p.Move.To.URL == url:
		return k.askFile(ctx, domain, p.Move.To, time.Time{})
	}
	return nil // it has changed meanwhile
}

// askOwn asks a publisher for its own file, if that is one that counts and is there. If it
// is not, or cannot be had, the file has no time of its own: it comes with the publisher.
func (k *Keeper) askOwn(ctx context.Context, domain hostname.Domain) (bool, error) {
	p, err := k.publisher(ctx, domain)
	if err != nil {
		return false, err
	}
	at, err := k.moment(ctx)
	if err != nil || !k.ownDue(p, at) {
		return false, err
	}
	return true, k.look(ctx, domain, ifDue)
}

// otherFileMark ends the URL of a record that is kept beside those of publishers. A canonical URL has no
// fragment, so no publisher leads to such a record, and no question is answered from one.
const otherFileMark = "#experimental"

// A BesideReader says why a body is not a file of the kind that is kept.
type BesideReader func(body []byte) error

// TakeOtherFile keeps what the web answered for the file at a URL that is not an adagents.json: with
// versions, events and leaves of the log, as a file that only strangers asked for. Each version takes
// effect at once, whatever its date: no answer depends on it, so no version waits for a moderator. Nothing
// is kept of a file that never was there.
func (k *Keeper) TakeOtherFile(ctx context.Context, domain hostname.Domain, url string, r *fetch.Result,
	read BesideReader) error {
	hop := &discover.Hop{URL: url, Result: r}
	outcome, unasked := outcomeOf(hop, false)
	if unasked {
		return nil
	}
	g := &fileObservation{url: url + otherFileMark, other: true}
	g.observation = custody.Observation{Outcome: outcome, At: k.now().UTC(), Headers: r.Last().Caching(),
		Detail: r.PublicError()}
	if outcome == custody.Whole {
		err := read(r.Body)
		if err != nil {
			g.observation.Outcome, g.observation.Detail = custody.Invalid, unusable+"it "+err.Error()
		} else {
			g.body, g.report = r.Body, adagents.Check(r.Body, adagents.Options{Domain: string(domain)})
			g.observation.Hash, g.observation.Bytes, g.observation.Detail = hashOf(hop), int64(len(r.Body)), ""
		}
	}
	_, revision, err := k.brief(ctx, g.url)
	if err != nil || revision == 0 && g.observation.Outcome != custody.Whole {
		return err
	}
	return k.applyFile(AskedBy(ctx, Stranger), domain, g)
}
