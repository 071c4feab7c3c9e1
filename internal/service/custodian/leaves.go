package custodian

import (
	"slices"
	"strings"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/jwk"
	"github.com/avow-project/avow/internal/translog"
)

// logged are the events that get a leaf: those after which something else counts, or might,
// and what a person decides. What only says that a request failed, or follows from a version
// and the time, gets none.
var logged = map[string]bool{
	"file.adopted": true, "file.changed": true, "file.rollback": true, "file.contradicted": true,
	"file.date_missing": true, "file.future": true, "file.confirmed": true, "file.undone": true,
	"file.gone": true, "file.denied": true, "file.returned": true, "file.recovered": true, "file.expired": true,
	"file.overflow":     true,
	"publisher.located": true, "publisher.expired": true, "publisher.absent": true, "publisher.denied": true,
	"publisher.returned": true, "publisher.recovered": true,
	"move.held": true, "move.restarted": true, "move.doubted": true, "move.cancelled": true, "move.adopted": true,
	"move.confirmed": true, "move.rejected": true, "move.undone": true,
	"revocation.observed": true, "revocation.relisted": true, "revocation.lifted": true,
}

// leaves returns the leaves of a draft, in the order of their events.
func (d *draft) leaves() []Leaf {
	var all []Leaf
	revoked := map[string]bool{} // files with a leaf about revocations, or a version that has them
	for i := range d.change.Events {
		e := &d.change.Events[i]
		if !logged[e.Code] {
			continue
		}
		l := d.leaf(e)
		if l == nil || strings.HasPrefix(e.Code, "revocation.") && revoked[e.URL] {
			continue
		}
		revoked[e.URL] = e.Code == "file.adopted" || e.Code == "file.changed" || strings.HasPrefix(e.Code, "revocation.") ||
			revoked[e.URL]
		_, err := l.Body()
		if err != nil {
			// Custody does not stop because of the log. Nothing that it keeps leads here.
			d.k.config.Log.Error("an event cannot be written to the transparency log", "code", e.Code, "error", err)
			continue
		}
		all = append(all, Leaf{i, *l})
	}
	return all
}

// leaf returns the leaf of an event; nil if its record is not in the draft, or is none that
// the log has to know of.
func (d *draft) leaf(e *custody.Event) *translog.Leaf {
	if e.Code == "file.ends_soon" {
		return nil // the version says so itself
	}
	l := &translog.Leaf{Kind: e.Code, At: e.At.UTC().Truncate(time.Microsecond)}
	kind, _, _ := strings.Cut(e.Code, ".")
	if kind == "file" || kind == "revocation" {
		i := slices.IndexFunc(d.change.Files, func(f *custody.File) bool { return f.URL == e.URL })
		if i < 0 {
			return nil
		}
		return d.fileLeaf(l, e, d.change.Files[i])
	}
	if d.change.Publisher == nil {
		return nil
	}
	return d.publisherLeaf(l, d.change.Publisher)
}

func (d *draft) fileLeaf(l *translog.Leaf, e *custody.Event, f *custody.File) *translog.Leaf {
	before := d.known[f.URL]
	if e.Code == "file.recovered" && before != nil && before.Standing(custody.At(before.TriedAt)).Usable() &&
		before.Hash == f.Hash {
		return nil // no leaf has said that it does not count
	}
	l.Subject = translog.File(f.URL)
	l.Counts = Counts(f)
	if l.Kind == "file.expired" {
		l.Counts = translog.None
	}
	if s := d.observations[f.URL]; s != nil {
		l.Seen = s.At.UTC().Truncate(time.Microsecond)
		if s.From != "" && s.From != f.URL {
			l.From = translog.HashOf([]byte(s.From))
		}
		i := slices.IndexFunc(d.given, func(g given) bool { return g.url == f.URL && g.hash == s.Hash })
		if i >= 0 && strings.HasPrefix(e.Code, "file.") {
			l.Document = documentOf(&d.given[i], s)
		}
	}
	switch {
	case e.Code == "file.confirmed" && f.Refused != nil:
		l.Confirms = f.Refused.Hash
	case strings.HasPrefix(e.Code, "revocation."):
		var domains []string
		for i := range f.Revocations {
			domains = append(domains, f.Revocations[i].Domain)
		}
		digest := translog.DigestOf(translog.RevokedText(domains))
		l.Revokes = &digest
	}
	return l
}

func (d *draft) publisherLeaf(l *translog.Leaf, p *custody.Publisher) *translog.Leaf {
	before := d.was
	if l.Kind == "publisher.recovered" && before != nil && before.Standing(custody.At(before.TriedAt)).Usable() &&
		before.Location == p.Location {
		return nil // no leaf has said that it does not count
	}
	l.Subject = translog.Publisher(string(p.Domain))
	l.Place = Counting(p)
	if l.Kind == "publisher.expired" {
		l.Place = translog.Place{Method: translog.None}
	}
	if l.Place.Method != translog.None {
		l.Pointer = pointerOf(p)
	}
	l.Seen = d.lookedAt.UTC().Truncate(time.Microsecond)
	move := p.Move
	if move == nil && before != nil {
		move = before.Move
	}
	if strings.HasPrefix(l.Kind, "move.") && move != nil {
		l.To = placeOf(move.To)
		for _, s := range move.Signs {
			l.Signs = append(l.Signs, string(s))
		}
		slices.Sort(l.Signs)
		l.Signs = slices.Compact(l.Signs)
	}
	return l
}

// Counts returns the version of a file that counted when the file was last asked for, as a leaf
// has it. Neither a time without requests nor a wrong clock is an event.
func Counts(f *custody.File) string {
	if !f.Standing(custody.At(f.TriedAt)).Usable() {
		return translog.None
	}
	return f.Hash
}

// Counting returns the place that counted for a publisher when it was last asked, in the same
// way.
func Counting(p *custody.Publisher) translog.Place {
	if !p.Standing(custody.At(p.TriedAt)).Usable() {
		return translog.Place{Method: translog.None}
	}
	return placeOf(p.Location)
}

func placeOf(l custody.Location) translog.Place {
	return translog.Place{Method: string(l.Method), File: translog.File(l.URL).Name}
}

// documentOf describes a version that came with a draft.
func documentOf(g *given, s *custody.Observation) *translog.Document {
	doc := &translog.Document{Hash: s.Hash, Bytes: s.Bytes, Dated: s.Facts.LastUpdated.Truncate(time.Microsecond)}
	var agents []translog.Agent
	if g.report.File != nil {
		agents = agentsOf(g.report.File)
	}
	doc.Agents = translog.DigestOf(translog.AgentsText(agents))
	var domains []string
	for _, r := range s.Facts.Revoked {
		domains = append(domains, r.Domain)
	}
	doc.Revokes = translog.DigestOf(translog.RevokedText(domains))
	return doc
}

// agentsOf returns the agents that a file names, with the keys that it pins for them.
func agentsOf(f *adagents.File) []translog.Agent {
	var hosts hostname.Memo
	var all []translog.Agent
	for i := range f.Agents {
		a := translog.Agent{URL: f.Agents[i].URL}
		url, _, err := hosts.CanonicalURL(a.URL)
		if err == nil {
			a.URL, a.Canonical = url, true
		}
		for j := range f.Agents[i].SigningKeys {
			k := &f.Agents[i].SigningKeys[j]
			print, ok := jwk.Thumbprint(jwk.Key{Kid: k.Kid, Kty: k.Kty, Crv: k.Crv, X: k.X, Y: k.Y, N: k.N, E: k.E})
			if !ok {
				continue // it cannot be used to sign
			}
			if k.RevokedAt != "" {
				print += "!"
			}
			a.Keys = append(a.Keys, print)
		}
		all = append(all, a)
	}
	return all
}
