package custodian

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/projection"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/wire"
	"github.com/avow-project/avow/resolve"
)

// Limits of the identifiers that a publisher is found by.
const (
	maxIdentifiers    = 10_000
	longestIdentifier = 512
)

// ClaimGrace is how long a publisher may not list an identifier without losing the time
// since when it does.
const ClaimGrace = 30 * 24 * time.Hour

// An Identifier names a property as the market does.
type Identifier = resolve.Identifier

// An Index has the identifiers that a publisher is found by from a time on: those of its
// own properties in the file that speaks for it.
type Index struct {
	At          time.Time
	Identifiers []resolve.Identifier
	// Others are publishers of other sites that list one of them, too, if it may be new.
	Others []hostname.Domain
	// Directory is what the directory and the feed have to be told.
	Directory *projection.Change
}

// A Listing is a publisher that lists an identifier as its own.
type Listing struct {
	Publisher hostname.Domain
	// Since is when that was first seen.
	Since time.Time
	// Gone: the file that speaks for it has no such identifier any more, perhaps because
	// there is none.
	Gone bool
}

// Claims returns the publishers that list an identifier as their own, or did so within
// ClaimGrace before a time, the first to list it first.
func (k *Keeper) Claims(ctx context.Context, id resolve.Identifier, now time.Time, limit int) ([]Listing, error) {
	if !Indexable(id) {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	return k.config.Store.Claims(ctx, id, now.Add(-ClaimGrace), limit)
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
	moved := d.was != nil && d.was.Location.Method.Answered() != p.Location.Method.Answered() // unowned properties may be its own now
	told := toldOf(s, out)
	d.change.Turn = s.turn()
	d.stand(s, out)
	if !again && listed == p.Listed && (listed == "" || !moved) && len(p.Told) > 1 && told == p.Told[1:] {
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
		told, err := d.k.config.Store.Told(ctx, []hostname.Domain{p.Domain})
		if err != nil {
			return unavailable(ctx, err)
		}
		d.live = told[p.Domain]
	}
	next.Directory, err = projection.Make(in, d.live)
	if err != nil {
		return err
	}
	if n := next.Directory.Next; !n.IsZero() && (d.change.Turn.IsZero() || n.Before(d.change.Turn)) {
		d.change.Turn = n
	}
	p.Listed, p.Told, d.change.Index = listed, string(doc)+told, next
	d.stand(s, out)
	return nil
}

// What Told begins with: how the document of a publisher was when it was told about.
const (
	docUsable   = 'u'
	docRevoked  = 'r' // it does not speak for the publisher any more
	docUnusable = 'n'
	docAbsent   = 'a'
	docNone     = '-' // nothing was in effect
)

// docOf returns the state of the document by what a publisher was told of.
func docOf(told string) resolve.State {
	switch {
	case told != "" && told[0] == docUnusable:
		return resolve.Unusable
	case told != "" && told[0] == docAbsent:
		return resolve.Absent
	}
	return resolve.Usable
}

// stand notes how the publisher stands after the draft.
func (d *draft) stand(s *State, optedOut bool) {
	if optedOut {
		d.change.State, d.change.InEffect = wire.OptedOut, false
		return
	}
	standing := s.Standing(docOf(s.Publisher.Told), time.Time{})
	d.change.State, d.change.InEffect = standing.State, standing.InEffect
}

// toldOf stands for what is told of a publisher, but for what its file says.
func toldOf(s *State, optedOut bool) string {
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
	doc := &resolve.Document{Publisher: string(p.Domain), State: resolve.Usable, Method: p.Location.Method.Answered(), Revoked: s.File.Held(d.at)}
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
		told, known := 0, false
		for i := range last {
			if e := &last[i]; e.Code == contestedCode && d.at.Early.Sub(e.At) < 24*time.Hour {
				told, known = told+1, known || e.Domain == string(by)
			}
		}
		if known || told >= mostContested {
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

// IdentifiersOf returns the identifiers of a publisher's own properties, each once, in
// the form in which they are looked up.
func IdentifiersOf(owned []*adagents.Property) []resolve.Identifier {
	var out []resolve.Identifier
	seen := map[resolve.Identifier]bool{}
	for _, p := range owned {
		for i := range p.Identifiers {
			id := CanonicalIdentifier(resolve.Identifier{Type: p.Identifiers[i].Type, Value: p.Identifiers[i].Value})
			if !Indexable(id) || seen[id] {
				continue
			}
			seen[id] = true
			out = append(out, id)
			if len(out) == maxIdentifiers {
				return out
			}
		}
	}
	return out
}

// CanonicalIdentifier returns an identifier in the form in which it is compared; one that
// has none is as it was.
func CanonicalIdentifier(id resolve.Identifier) resolve.Identifier {
	switch id.Type {
	case "domain", "subdomain":
		rest, wild := strings.CutPrefix(id.Value, "*.")
		name, _, err := hostname.Canonical(rest)
		switch {
		case err != nil:
		case wild:
			id.Value = "*." + name
		default:
			id.Value = name
		}
	case "rss_url":
		url, _, err := hostname.CanonicalURL(id.Value)
		if err == nil {
			id.Value = url
		}
	}
	return id
}

// Indexable reports whether every store can keep an identifier.
func Indexable(id resolve.Identifier) bool {
	fine := func(s string) bool {
		return s != "" && len(s) <= longestIdentifier && utf8.ValidString(s) && !strings.Contains(s, "\x00")
	}
	return fine(id.Type) && fine(id.Value)
}
