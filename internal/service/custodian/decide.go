package custodian

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/projection"
	"github.com/avow-project/avow/internal/service/retain"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/wire"
	"github.com/avow-project/avow/resolve"
)

// A draft is a change in the making.
type draft struct {
	k      *Keeper
	domain hostname.Domain
	at     custody.Moment
	change Change
	// known are the records of files before the draft, as far as they were read.
	known map[string]*custody.File
	// observations are what was seen of files, was is the record of the publisher before the draft,
	// and lookedAt is when it was looked at; for the transparency log.
	observations map[string]*custody.Observation
	was          *custody.Publisher
	lookedAt     time.Time
	// names are those of the records in it.
	names []string
	// matters: something would be lost with it that must not be.
	matters bool
	// turnedAway: the publisher is not kept.
	turnedAway bool
	// given are the files that it was made from. The store may not have them yet.
	given []given
	// live are the events of the feed that hold about the publisher, if they were read.
	live []projection.Event
}

// A given is a file that came with what the draft is about.
type given struct {
	version
	body []byte
	*parsed
}

// give keeps a file for the draft.
func (d *draft) give(v version, body []byte, r *adagents.Report) *parsed {
	f := newParsed(r, body)
	d.given = append(d.given, given{v, body, f})
	return f
}

// read returns a version as the file of the publisher. What came with the draft is not
// asked for: it is not in the store before the draft is, and there may be no room to keep
// it in memory beside the version that it replaces.
func (d *draft) read(ctx context.Context, v version) (*parsed, error) {
	i := slices.IndexFunc(d.given, func(g given) bool { return g.version == v })
	if i >= 0 {
		return d.given[i].parsed, nil
	}
	i = slices.IndexFunc(d.given, func(g given) bool { return g.hash == v.hash })
	if i < 0 {
		return d.k.read(ctx, v)
	}
	body := d.given[i].body
	return d.give(v, body, adagents.Check(body, adagents.Options{Domain: string(v.publisher), URL: v.url, Role: v.role})),
		nil
}

func (k *Keeper) newDraft(ctx context.Context, domain hostname.Domain) (*draft, error) {
	at, err := k.moment(ctx)
	return &draft{k: k, domain: domain, at: at, known: map[string]*custody.File{},
		observations: map[string]*custody.Observation{}}, err
}

func (d *draft) empty() bool { return d.change.Publisher == nil && len(d.change.Files) == 0 }

// draft makes the change that an observation leads to. With absent there is no record of the
// publisher and its file.
func (k *Keeper) draft(ctx context.Context, r *publisherObservation, asker Asker, absent bool) (*draft, error) {
	d, err := k.newDraft(ctx, r.domain)
	if err != nil {
		return nil, err
	}
	p := &custody.Publisher{Domain: r.domain}
	if absent {
		d.known[r.file.url] = &custody.File{URL: r.file.url}
	} else {
		p, err = k.publisher(ctx, r.domain)
	}
	if err != nil {
		return nil, err
	}
	if p.Revision == 0 && !k.admits(ctx, asker, r) {
		err = d.onlyFiles(ctx, r)
		return d, err
	}
	for _, g := range d.files(p, r) {
		err = d.takeFile(ctx, g)
		if err != nil {
			return nil, err
		}
	}
	err = d.takeRoute(ctx, p, r)
	if err != nil {
		return nil, err
	}
	err = d.index(ctx, d.change.Publisher)
	return d, err
}

// takeRoute adds what an observation changes about the publisher, after its files.
func (d *draft) takeRoute(ctx context.Context, p *custody.Publisher, r *publisherObservation) error {
	w, err := d.route(ctx, p, r)
	if err != nil {
		return err
	}
	// A file that was replaced when it was first seen has never spoken for the publisher.
	silent := p.SpokeAt.IsZero() && (r.replaced || r.via != "" && p.Location.URL == r.via)
	if !silent && (w.Outcome == custody.Whole || w.Outcome == custody.NotModified) {
		w.Adopted, err = d.adoptedContent(ctx, p)
		if err != nil {
			return err
		}
	}
	d.takePublisher(p, w, r)
	return nil
}

// files returns the files that an observation says something about, as far as that is of
// interest to the publisher.
func (d *draft) files(p *custody.Publisher, r *publisherObservation) []*fileObservation {
	switch {
	case r.manager != nil && r.manager.url == p.Location.URL:
		return []*fileObservation{r.manager}
	case r.outcome == custody.NotModified && p.Location.Method == custody.Direct:
		// The answer is about the file itself.
		observation := custody.Observation{Outcome: custody.NotModified, At: r.at, Headers: r.headers}
		return []*fileObservation{{url: p.Location.URL, observation: observation}}
	case r.outcome == custody.Invalid && ownPlace(p):
		return []*fileObservation{{url: p.Location.URL,
			observation: custody.Observation{Outcome: custody.Invalid, At: r.at, Detail: r.detail}}}
	case r.file == nil || r.file.known:
		return nil
	case r.to.URL != p.Location.URL && r.file.observation.Outcome != custody.Whole &&
		(r.to.Method == custody.Direct || transient(r.file)):
		return nil
	}
	return []*fileObservation{r.file}
}

// transient reports whether a file may well be there a little later.
func transient(g *fileObservation) bool { return !g.known && g.observation.Outcome == custody.Failed }

// takeFile adds what an observation changes about its file.
func (d *draft) takeFile(ctx context.Context, g *fileObservation) error {
	f, err := d.file(ctx, g.url)
	if err != nil {
		return err
	}
	s := g.observation
	if s.Outcome == custody.Whole {
		if d.redundant(f, &s) {
			return nil
		}
		v, report := version{s.Hash, g.url, d.domain, g.role, s.Bytes}, timeless(g, d.domain)
		read := d.give(v, g.body, report)
		err = d.compare(ctx, f, g, &s)
		if err != nil {
			return err
		}
		// After the version that it is compared with, which it may have to make room for.
		d.k.parsed.put(v, read)
	}
	d.observations[f.URL] = &s
	s.Lead = d.k.config.Lead
	next, events := f.Take(s, d.at)
	d.change.Files = append(d.change.Files, next)
	d.change.Events = append(d.change.Events, events...)
	d.names = append(d.names, f.URL)
	d.touch(f, next)
	d.matters = d.matters || fileMatters(f, next)
	refused := next.Refused != nil && (f.Refused == nil || f.Refused.Hash != next.Refused.Hash)
	adopted := next.Hash != f.Hash
	if !adopted && s.Outcome == custody.Whole && s.Hash == f.Hash {
		adopted, err = d.removed(ctx, f)
		if err != nil {
			return err
		}
		if adopted {
			// Its events were removed, too: from now on it is known what is in effect.
			d.change.Events = append(d.change.Events, custody.Event{
				Code: "file.recovered", At: d.at.Early, URL: f.URL,
				Message: "the bytes of the file, which had been removed, were obtained again",
			})
		}
	}
	if adopted || refused {
		d.change.Documents = append(d.change.Documents, g.body)
	}
	if adopted {
		if !g.other {
			d.name(next.URL, g)
		}
		d.change.Versions = append(d.change.Versions, custody.Version{
			URL: next.URL, Hash: next.Hash, AdoptedAt: next.AdoptedAt, LastUpdated: next.LastUpdated,
			CatalogETag: next.CatalogETag, Bytes: next.Bytes,
		})
	}
	return nil
}

// name notes the publishers that a version names, but for the one that was looked at.
func (d *draft) name(url string, g *fileObservation) {
	if g.report == nil || g.report.File == nil {
		return
	}
	if names := namedIn(g.report.File, d.domain); len(names) > 0 {
		d.change.Named = append(d.change.Named, Naming{url, names})
	}
}

// namedIn returns the publishers that a file names, but for one.
func namedIn(f *adagents.File, own hostname.Domain) []hostname.Domain {
	seen := map[hostname.Domain]bool{}
	var hosts hostname.Memo
	note := func(written string) {
		name, _, err := hosts.Canonical(written)
		if err == nil && name != string(own) && !seen[hostname.Domain(name)] {
			seen[hostname.Domain(strings.Clone(name))] = true
		}
	}
	for i := range f.Properties {
		note(f.Properties[i].PublisherDomain)
	}
	for i := range f.Agents {
		for _, s := range f.Agents[i].Scope().Selectors {
			note(s.PublisherDomain)
			for _, name := range s.PublisherDomains {
				note(name)
			}
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// removed reports whether the bytes of the version in effect are not kept any more: it
// is then kept as if it were new.
func (d *draft) removed(ctx context.Context, f *custody.File) (bool, error) {
	if !f.WholeAt.IsZero() {
		return false, nil
	}
	last, err := d.k.config.Store.Versions(ctx, f.URL, time.Time{}, 1)
	if err != nil {
		return false, unavailable(ctx, err)
	}
	return len(last) == 0 || last[0].Hash != f.Hash, nil
}

// redundant reports whether an observation says what another one has said a moment ago, as when
// the publishers of a network are asked one after the other.
func (d *draft) redundant(f *custody.File, s *custody.Observation) bool {
	return f.Hash == s.Hash && f.Standing(d.at) == custody.Fresh && f.FailingSince.IsZero() && f.Refused == nil &&
		s.At.Sub(f.WholeAt) < time.Minute && !d.k.unsavedChanges.behind(f.URL)
}

// compare tells a observation of a version what it has in common with the adopted one, and what
// not.
func (d *draft) compare(ctx context.Context, f *custody.File, g *fileObservation, s *custody.Observation) error {
	if f.Hash == "" || f.Hash == s.Hash || g.other {
		return nil
	}
	old, err := d.read(ctx, version{f.Hash, f.URL, d.domain, g.role, f.Bytes})
	removed := errors.Is(err, ErrNotFound)
	if err != nil && !removed {
		return err
	}
	if removed || old.report.File == nil {
		s.Incomparable = true
		return nil
	}
	s.Changes = custody.Compare(old.report.File, g.report.File)
	s.Kept = custody.KeptKeys(old.report.File, g.report.File)
	return nil
}

// takePublisher adds what a route changes about the publisher.
func (d *draft) takePublisher(p *custody.Publisher, w *custody.Route, r *publisherObservation) {
	d.was, d.lookedAt = p, w.At
	next, events := p.Take(*w, d.at)
	d.change.Publisher = next
	d.change.Events = append(d.change.Events, events...)
	d.names = append(d.names, string(p.Domain))
	d.matters = d.matters || publisherMatters(p, next)
	if len(r.lead) > 0 && next.Hash != p.Hash && next.Hash == r.leadHash {
		d.change.Documents = append(d.change.Documents, r.lead)
	}
	if next.Location == p.Location && next.Absent == p.Absent {
		return
	}
	d.change.Places = append(d.change.Places, custody.Place{
		Domain: next.Domain, Location: next.Location, Absent: next.Absent, AdoptedAt: next.TriedAt, Pointer: pointerOf(next),
	})
}

// record returns a file as it is after the draft.
func (d *draft) record(ctx context.Context, url string) (*custody.File, error) {
	i := slices.IndexFunc(d.change.Files, func(f *custody.File) bool { return f.URL == url })
	if i >= 0 {
		return d.change.Files[i], nil
	}
	return d.file(ctx, url)
}

// file returns the record of a URL before the draft.
func (d *draft) file(ctx context.Context, url string) (*custody.File, error) {
	f := d.known[url]
	if f != nil {
		return f, nil
	}
	f, err := d.k.file(ctx, url)
	d.known[url] = f
	return f, err
}

// route says what an observation means for the place of a publisher.
func (d *draft) route(ctx context.Context, p *custody.Publisher, r *publisherObservation) (*custody.Route, error) {
	w := &custody.Route{Outcome: r.outcome, At: r.at, Headers: r.headers, Hash: r.leadHash, Detail: r.detail,
		Refused: r.refused, Firm: r.firm, Reply: r.reply}
	own := custody.Location{Method: custody.Direct, URL: wellKnown(p.Domain)}
	broken := r.file != nil && r.to == own && r.file.observation.Outcome != custody.Whole
	switch {
	case r.outcome == custody.Gone && r.shaky && p.Location.Method == custody.ManagerDomain:
		w.Outcome = custody.Failed
		return w, nil
	case r.outcome == custody.Invalid || broken:
		// The publisher's own file is there, and cannot be used; or it is not known what
		// is there.
		w.Outcome = custody.Invalid
		if broken {
			w.Detail = r.file.observation.Detail
		}
		if ownPlace(p) {
			w.Outcome, w.To = custody.Whole, own
		}
		return w, nil
	case r.outcome != custody.Whole:
		return w, nil
	case r.to != p.Location && transient(r.file):
		// Whether the move is honest cannot be told without the file.
		w.Outcome, w.Detail = custody.Failed, r.file.observation.Detail
		return w, nil
	}
	w.To, w.Via = r.to, r.via
	err := d.judge(ctx, w, p, r)
	return w, err
}

// adoptedContent returns what the file at the adopted place says. Its bytes are read only when the
// publisher has not learned from them.
func (d *draft) adoptedContent(ctx context.Context, p *custody.Publisher) (custody.Content, error) {
	if p.Location.URL == "" {
		return custody.Content{}, nil
	}
	f, err := d.record(ctx, p.Location.URL)
	if err != nil {
		return custody.Content{}, err
	}
	v := custody.Content{Hash: f.Hash, HighWater: f.HighWater}
	if f.Hash == "" || f.Hash == p.Learned {
		return v, nil
	}
	file, err := d.read(ctx, version{f.Hash, f.URL, d.domain, roleOf(p.Location), f.Bytes})
	if errors.Is(err, ErrNotFound) {
		v.Hash = p.Learned // it was removed, and there is nothing to learn from
		return v, nil
	}
	if err != nil {
		return custody.Content{}, err
	}
	v.Agents = []string{}
	if file.report.File != nil {
		v.Agents = append(v.Agents, custody.FactsOf(file.report.File).Agents...)
	}
	return v, nil
}

// judge adds to a route what the file at its end says.
func (d *draft) judge(ctx context.Context, w *custody.Route, p *custody.Publisher, r *publisherObservation) error {
	f, err := d.record(ctx, r.to.URL)
	if err != nil {
		return err
	}
	w.Usable = f.Standing(d.at).Usable()
	manager := r.to.Method == custody.ManagerDomain
	if !w.Usable || r.replaced || f.Hash == p.Learned && r.to == p.Location && !manager {
		// There is nothing to learn.
		w.Usable = false
		return nil
	}
	file, err := d.read(ctx, version{f.Hash, f.URL, d.domain, roleOf(r.to), f.Bytes})
	if err != nil {
		return err
	}
	if file.report.File == nil {
		w.Usable = false
		return nil
	}
	if manager && !discover.SpeaksFor(file.report, string(p.Domain)) {
		*w = custody.Route{Outcome: custody.Gone, At: r.at, Detail: "the manager's file does not speak for the publisher",
			Reply: r.reply}
		return nil
	}
	w.Facts, w.Version = custody.FactsOf(file.report.File), f.Hash
	if p.Location == (custody.Location{}) || r.to == p.Location {
		return nil
	}
	return d.suspect(ctx, w, p, r, file)
}

// suspect looks for signs against a move.
func (d *draft) suspect(ctx context.Context, w *custody.Route, p *custody.Publisher, r *publisherObservation,
	next *parsed) error {
	old, err := d.record(ctx, p.Location.URL)
	if err != nil {
		return err
	}
	if old.Hash != "" {
		before, err := d.read(ctx, version{old.Hash, old.URL, d.domain, roleOf(p.Location), old.Bytes})
		removed := errors.Is(err, ErrNotFound)
		if err != nil && !removed {
			return err
		}
		if removed || before.report.File == nil {
			w.Signs = []custody.Sign{custody.SignIncomparable}
		} else {
			w.Signs = custody.SignsOf(custody.Compare(before.report.File, next.report.File))
		}
	}
	if d.k.config.Brand == nil {
		return nil
	}
	agents, at, ok := d.k.config.Brand(ctx, p.Domain)
	if ok && (r.dated.IsZero() || !at.Before(r.dated)) && !sameAgents(agents, w.Facts.Agents) {
		w.Signs = append(w.Signs, custody.SignBrand)
	}
	return nil
}

// sameAgents compares two lists of agents as sets.
func sameAgents(a, b []string) bool {
	sorted := func(list []string) []string { return slices.Compact(slices.Sorted(slices.Values(list))) }
	return slices.Equal(sorted(a), sorted(b))
}

// pointerOf returns the hash of what leads to the adopted place; "" when nothing does.
func pointerOf(p *custody.Publisher) string {
	if p.Absent || ownPlace(p) {
		return ""
	}
	return p.Hash
}

// timeless returns a report for any time. Discovery judges files by its clock and leaves
// entries without effect whose time has passed, but a question may be about a moment at
// which they held.
func timeless(g *fileObservation, domain hostname.Domain) *adagents.Report {
	for i := range g.report.Findings {
		if g.report.Findings[i].Code == "agent.window_expired" {
			return adagents.Check(g.body, adagents.Options{Domain: string(domain), URL: g.url, Role: g.role})
		}
	}
	return g.report
}

// admits reports whether the first observation of a publisher is kept. That is decided once, however
// often the change is made.
func (k *Keeper) admits(ctx context.Context, asker Asker, r *publisherObservation) bool {
	if asker != Stranger || k.config.Admit == nil {
		return true
	}
	if r.admitted == nil {
		charges := []retain.Charge{
			{Site: retain.SiteOf(string(r.domain)), Share: retain.Share{Names: 1, Bytes: int64(len(r.lead))}}}
		for _, g := range append(r.files(), r.next) {
			if g != nil {
				charges = append(charges,
					retain.Charge{Site: retain.SiteOfURL(g.url), Share: retain.Share{Bytes: int64(len(g.body))}})
			}
		}
		_, kept := k.config.Admit(ctx, charges, false)
		r.admitted = &kept
	}
	return *r.admitted
}

// onlyFiles makes the change that an observation leads to for files that are known, when the
// publisher that led there is not kept: whom they revoke is revoked for others as well.
func (d *draft) onlyFiles(ctx context.Context, r *publisherObservation) error {
	d.turnedAway = true
	if r.file == nil || r.file.known {
		return nil
	}
	f, err := d.file(ctx, r.file.url)
	if err != nil || f.Revision == 0 {
		return err
	}
	return d.takeFile(ctx, r.file)
}

// fileMatters reports whether something would be lost that counts against a file or its
// version if the change were dropped. That it was confirmed, or could not be had, may be
// dropped: the times in the record before go on.
func fileMatters(was, next *custody.File) bool {
	return was.Hash != next.Hash || was.Closed != next.Closed || was.Overflow != next.Overflow ||
		!slices.Equal(was.Revocations, next.Revocations)
}

// publisherMatters is the same for the place of a publisher.
func publisherMatters(was, next *custody.Publisher) bool {
	return was.Location != next.Location || was.Absent != next.Absent || was.Closed != next.Closed ||
		(was.Move == nil) != (next.Move == nil) || next.Move != nil && was.Move.To != next.Move.To
}

// touch notes that publishers have to be told about because a file has changed.
func (d *draft) touch(was, next *custody.File) {
	switch {
	case was.Revision == 0: // no publisher leads there yet
	case fileMatters(was, next) || was.Standing(d.at).Usable() != next.Standing(d.at).Usable():
		d.change.Touched = append(d.change.Touched, Touched{next.URL, d.at.Early})
	case was.FailingSince.IsZero() && !next.FailingSince.IsZero():
		d.change.Touched = append(d.change.Touched, Touched{next.URL, next.FailingSince.Add(custody.MaxStale)})
	}
}

// index has the publisher found and told about by what the file says that speaks for it after the
// draft, if that is not done already.
func (d *draft) index(ctx context.Context, p *custody.Publisher) error {
	return d.project(ctx, p, false)
}

// project is index and, with again, does so in any case: time has passed, or something else has
// changed that is shown of the publisher. Nothing that could be lost with it matters.
func (d *draft) project(ctx context.Context, p *custody.Publisher, again bool) error {
	s := &State{Publisher: p, At: d.at, PublisherStanding: p.Standing(d.at)}
	if p.Location.URL != "" {
		f, err := d.record(ctx, p.Location.URL)
		if err != nil {
			return err
		}
		s.File, s.FileStanding = f, f.Standing(d.at)
	}
	s.judge()
	out := d.k.config.OptedOut(p.Domain)
	listed := ""
	if s.Served == resolve.Usable && !out && !s.File.Revokes(p.Domain, d.at) {
		listed = s.File.Hash
	}
	// unowned properties may be its own now
	moved := d.was != nil && d.was.Location.Method.Answered() != p.Location.Method.Answered()
	reported := reportedOf(s, out)
	d.change.Turn = s.turn()
	d.stand(s, out)
	if !again && listed == p.Listed && (listed == "" || !moved) && len(p.Reported) > 1 && reported == p.Reported[1:] {
		return nil
	}
	in, doc, err := d.input(ctx, s, out)
	switch {
	case errors.Is(err, ErrNotFound):
		return nil // it was removed, and comes back before it speaks again
	case err != nil:
		return err
	}
	next := &Index{At: d.at.Early}
	if listed != "" && in.Document != nil {
		next.Identifiers = in.Identifiers
	}
	others, err := d.others(ctx, p, next.Identifiers)
	if err != nil {
		return err
	}
	in.Disputed = len(others) > 0
	if listed != p.Listed {
		next.Others = others
		err = d.tellContested(ctx, p.Domain, others)
		if err != nil {
			return err
		}
	}
	if p.Revision > 0 && d.live == nil {
		reported, err := d.k.config.Store.Reported(ctx, []hostname.Domain{p.Domain})
		if err != nil {
			return unavailable(ctx, err)
		}
		d.live = reported[p.Domain]
	}
	next.Directory, err = projection.Make(in, d.live)
	if err != nil {
		return err
	}
	if n := next.Directory.Next; !n.IsZero() && (d.change.Turn.IsZero() || n.Before(d.change.Turn)) {
		d.change.Turn = n
	}
	p.Listed, p.Reported, d.change.Index = listed, string(doc)+reported, next
	d.stand(s, out)
	return nil
}

// stand notes how the publisher stands after the draft.
func (d *draft) stand(s *State, optedOut bool) {
	if optedOut {
		d.change.State, d.change.InEffect = wire.OptedOut, false
		return
	}
	standing := s.Standing(docOf(s.Publisher.Reported), time.Time{})
	d.change.State, d.change.InEffect = standing.State, standing.InEffect
}

// reportedOf stands for what is reported of a publisher, except for what its file says.
func reportedOf(s *State, optedOut bool) string {
	sum := sha256.New()
	p := s.Publisher
	fmt.Fprintln(sum, "1", optedOut, s.Served, p.Location)
	if s.Served == resolve.Usable {
		fmt.Fprintln(sum, s.File.Hash, s.File.Revokes(p.Domain, s.At))
	} else {
		fmt.Fprintln(sum, p.Agents)
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// turn returns when something else is in effect if nothing is looked at again; zero for never.
func (s *State) turn() time.Time {
	p, f := s.Publisher, s.File
	if s.Served != resolve.Usable {
		return time.Time{}
	}
	out := earlier(p.ConfirmedAt, f.ConfirmedAt).Add(custody.MaxAge)
	for _, failing := range []time.Time{p.FailingSince, f.FailingSince} {
		if !failing.IsZero() {
			out = earlier(out, failing.Add(custody.MaxStale))
		}
	}
	if len(f.Revocations) > 0 && f.Revokes(p.Domain, s.At) {
		out = earlier(out, s.At.Early.Add(time.Hour)) // it may end
	}
	return out
}

// input returns what the directory is made of, and how the document is.
func (d *draft) input(ctx context.Context, s *State, optedOut bool) (*projection.Input, rune, error) {
	p := s.Publisher
	in := &projection.Input{Domain: p.Domain, At: d.at.Early, Location: p.Location}
	if optedOut || s.Served == resolve.Absent {
		return in, docNone, nil
	}
	in.Agents = p.Agents
	if s.Served != resolve.Usable {
		return in, docNone, nil
	}
	file, err := d.read(ctx, version{s.File.Hash, s.File.URL, p.Domain, roleOf(p.Location), s.File.Bytes})
	if err != nil {
		return nil, 0, err
	}
	doc := &resolve.Document{Publisher: string(p.Domain), State: resolve.Usable, Method: p.Location.Method.Answered(),
		Revoked: s.File.Held(d.at)}
	d.k.fill(doc, file, p.Location)
	switch doc.State {
	case resolve.Usable:
		in.Document, in.Adopted = doc, later(p.AdoptedAt, s.File.AdoptedAt)
		in.Identifiers = IdentifiersOf(resolve.Owned(doc))
		if in.Revoked() {
			return in, docRevoked, nil
		}
		return in, docUsable, nil
	case resolve.Absent:
		in.Agents = nil
		return in, docAbsent, nil
	}
	return in, docUnusable, nil
}

// others returns publishers of other sites that list one of some identifiers.
func (d *draft) others(ctx context.Context, p *custody.Publisher, ids []resolve.Identifier) ([]hostname.Domain, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	list, err := d.k.config.Store.Sharing(ctx, p.Domain, ids, mostSharing)
	if err != nil {
		return nil, unavailable(ctx, err)
	}
	return list, nil
}

const (
	contestedCode = "property.contested"
	// mostContested is how many publishers are told that another one lists what they list, and how
	// often one of them is told in a day: strangers must not fill its history.
	mostContested = 10
)

// tellContested tells publishers that another one lists an identifier that they list, too, unless
// they were told lately.
func (d *draft) tellContested(ctx context.Context, by hostname.Domain, others []hostname.Domain) error {
	for _, other := range others[:min(mostContested, len(others))] {
		last, err := d.k.config.Store.Events(ctx, EventFilter{Publisher: other, Newest: true}, 0, 2*mostContested)
		if err != nil {
			return unavailable(ctx, err)
		}
		reported, known := 0, false
		for i := range last {
			if e := &last[i]; e.Code == contestedCode && d.at.Early.Sub(e.At) < 24*time.Hour {
				reported, known = reported+1, known || e.Domain == string(by)
			}
		}
		if known || reported >= mostContested {
			continue
		}
		d.change.Events = append(d.change.Events, custody.Event{
			Code: contestedCode, Severity: custody.Warning, At: d.at.Early, Publisher: string(other), Domain: string(by),
			Message: fmt.Sprintf("%s lists an identifier of a property that this publisher lists, too", by),
		})
	}
	return nil
}

// mostSharing is how many publishers are told about again because another one lists the same
// identifiers.
const mostSharing = 1000
