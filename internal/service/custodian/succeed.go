package custodian

import (
	"context"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// named reports whether the file of a reading names another in its place.
func (r *reading) named() bool {
	if r.file == nil || r.file.report == nil {
		return false
	}
	_, ok := r.file.report.File.Successor()
	return ok
}

// end returns where the publisher's own way ends: where a file may name another in its
// place. A manager cannot hand the publisher on.
func (r *reading) end(p *custody.Publisher) (custody.Location, bool) {
	at := r.to
	if r.outcome == custody.NotModified {
		at = p.Location
	} else if r.outcome != custody.Whole || r.file == nil {
		return at, false
	}
	return at, at.URL != "" && at.Method != custody.ManagerDomain
}

// succeed leads a reading on to the file that the one at the end of its way names in
// superseded_by. The version that was adopted there decides, not one that was refused.
func (k *Keeper) succeed(ctx context.Context, p *custody.Publisher, r *reading, before time.Time) error {
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
	r.file = &glimpse{url: url, role: adagents.Authoritative, known: true}
	return nil
}

// admitsAll reports whether what a reading leads to is kept. A stranger's newcomer is
// decided about before anything of it is stored, with the file that its own names in its
// place: that one is asked for first.
func (k *Keeper) admitsAll(ctx context.Context, p *custody.Publisher, r *reading, at custody.Location) (bool, error) {
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
		if revision == 0 && k.news.take(p.Domain, url, k.now()) {
			r.next, err = k.askPlace(ctx, p.Domain, custody.Location{Method: custody.Superseded, URL: url}, time.Time{})
			if err != nil {
				return false, err
			}
		}
	}
	return k.admits(ctx, Stranger, r), nil
}

// namedAt returns the URL that the file of a reading names in its place, whether or not it
// is adopted; "" when it names none that can be followed.
func (k *Keeper) namedAt(ctx context.Context, domain hostname.Domain, r *reading, at custody.Location) (string, error) {
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
func (k *Keeper) askSuccessor(ctx context.Context, domain hostname.Domain, from, to custody.Location, before time.Time) (bool, error) {
	_, revision, err := k.brief(ctx, to.URL)
	if err != nil {
		return false, err
	}
	if revision == 0 && before.IsZero() && !k.news.take(domain, to.URL, k.now()) {
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
	return !k.config.IgnoreSuperseded && (p.Location.Method == custody.Direct || p.Location.Method == custody.AuthoritativeLocation) &&
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
	case revision == 0 && k.news.spent(p.Domain, url, k.now()):
		return s, nil
	case !p.TriedAt.Before(f.AdoptedAt) && (!k.fileDue(next, s.At) || tooSoon(p.TriedAt, p.TriedAt.Add(custody.RetryFirst), s.At)):
		return s, nil
	}
	err = k.look(ctx, p.Domain, always)
	if err != nil {
		return s, err
	}
	return k.State(ctx, p.Domain)
}

// withoutSuccessor returns the record of a publisher as if nothing was named in
// superseded_by.
func withoutSuccessor(p *custody.Publisher) *custody.Publisher {
	if p.Location.Method != custody.Superseded || p.Via == "" {
		return p
	}
	first := *p
	first.Location = custody.Location{Method: custody.AuthoritativeLocation, URL: p.Via}
	if p.Via == wellKnown(p.Domain) {
		first.Location.Method = custody.Direct
	}
	return &first
}

// wayTo returns the documents that lead to the adopted place of a publisher. hash is that
// of what its well-known path has.
func (k *Keeper) wayTo(ctx context.Context, p *custody.Publisher, hash string) ([]resolve.Evidence, error) {
	if p.Location.Method != custody.Superseded || p.Via == "" || p.Via == wellKnown(p.Domain) {
		return wayTo(p.Domain, p.Location, hash, p.ConfirmedAt), nil
	}
	via, _, err := k.brief(ctx, p.Via)
	if err != nil {
		return nil, err
	}
	way := wayTo(p.Domain, custody.Location{Method: custody.AuthoritativeLocation}, hash, p.ConfirmedAt)
	return append(way, resolve.Evidence{
		Publisher: string(p.Domain), URL: p.Via, SHA256: via.Hash, Method: string(custody.AuthoritativeLocation), Role: "replaced",
		FetchedAt: via.ConfirmedAt, State: resolve.Usable,
	}), nil
}

// replacedAt is replaced for a time that is past.
func (k *Keeper) replacedAt(ctx context.Context, domain hostname.Domain, at *custody.Place, file *parsed, t time.Time) (bool, error) {
	if k.config.IgnoreSuperseded || at.Location.Method == custody.ManagerDomain || at.Location.Method == custody.Superseded || file.report.File == nil {
		return false, nil
	}
	url := successorOf(domain, &custody.File{URL: at.Location.URL, SupersededBy: custody.FactsOf(file.report.File).SupersededBy})
	if url == "" {
		return false, nil
	}
	waiting, err := k.movedAt(ctx, domain, t)
	return waiting != url, err
}

// movedAt returns where a publisher was about to move at a time that is past; "" for nowhere.
func (k *Keeper) movedAt(ctx context.Context, domain hostname.Domain, t time.Time) (string, error) {
	to, last := "", int64(0)
	for {
		events, err := k.config.Store.Events(ctx, EventFilter{Publisher: domain}, last, eventPage)
		if err != nil {
			return "", unavailable(ctx, err)
		}
		for i := range events {
			e := &events[i]
			last = e.ID
			if e.At.After(t) {
				continue
			}
			switch e.Code {
			case "move.held", "move.restarted", "move.doubted", "move.rejected", "move.undone":
				to = e.After
			case "move.cancelled", "move.adopted", "move.confirmed", "publisher.located":
				to = ""
			}
		}
		if len(events) < eventPage {
			return to, nil
		}
	}
}
