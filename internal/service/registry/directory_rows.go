package registry

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/directory"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// An AuthorizationRow is what the entries of one authorization type let an agent sell of a
// publisher. Several such entries are one row.
type AuthorizationRow struct {
	directory.Row
	// ID is the same for the same agent, publisher and type at any time.
	ID string
	// AgentURL is as the publisher wrote it, in the first of the entries.
	AgentURL, AuthorizedFor, DelegationType string
	Type                                    adagents.AuthorizationType
	// The parts of the entries; a part that an entry is not limited in is empty.
	PropertyIDs, PropertyTags     []string
	Selectors                     []Selection
	PlacementIDs, PlacementTags   []string
	Countries                     []string
	Collections                   []resolve.CollectionRef
	Exclusive                     bool
	Keys                          []adagents.SigningKey
	EffectiveFrom, EffectiveUntil time.Time
	// Disputed: publishers of other sites list an identifier of this one, too.
	Disputed bool
}

// A Selection is a selector as far as it is about one publisher.
type Selection struct {
	Type      string
	IDs, Tags []string
}

// AuthorizationRows returns the rows of an agent at some publishers, by type. Publishers whose
// file has changed meanwhile are left out.
func (s *Service) AuthorizationRows(ctx context.Context, v *directory.View, list []directory.Row) ([]AuthorizationRow, error) {
	var out []AuthorizationRow
	for i := range list {
		doc, err := s.Stored(ctx, list[i].Domain)
		if err != nil {
			return nil, err
		}
		if doc.State != resolve.Usable {
			continue
		}
		err = v.Find(list[i].Identifiers...)
		if err != nil {
			return nil, loading(err)
		}
		out = append(out, rowsOf(v, doc, list[i], list[i].Grant.Agent)...)
	}
	return out, nil
}

// RowsOf returns the rows of all agents at one publisher by its document, which must be usable.
func RowsOf(v *directory.View, e directory.Entry, doc *resolve.Document) []AuthorizationRow {
	return rowsOf(v, doc, directory.Row{Entry: e}, "")
}

// rowsOf reads the entries that are in force and cover something of the publisher, those of one
// agent unless that is empty.
func rowsOf(v *directory.View, doc *resolve.Document, row directory.Row, agent string) []AuthorizationRow {
	var out []AuthorizationRow
	var hosts hostname.Memo
	type key struct {
		agent string
		kind  adagents.AuthorizationType
	}
	places := map[key]int{}
	disputed := len(v.Contests(row.Publisher, 1)) > 0
	subject := resolve.NewSubject(doc)
	for _, claim := range subject.Claims(doc.Publisher, "") {
		if !claim.Holds(v.At.Early) || agent != "" && agent != claim.Agent {
			continue
		}
		a := &doc.File.Agents[claim.Index]
		at, again := places[key{claim.Agent, a.Type}]
		if !again {
			at = len(out)
			places[key{claim.Agent, a.Type}] = at
			row.Grant = directory.Grant{Agent: claim.Agent, Live: true, Pinned: claim.Pinned}
			out = append(out, AuthorizationRow{
				Row: row, ID: RowID(claim.Agent, string(row.Domain), string(a.Type)), AgentURL: a.URL, AuthorizedFor: a.AuthorizedFor, DelegationType: a.DelegationType,
				Type: a.Type, EffectiveFrom: claim.From, EffectiveUntil: claim.Until, Disputed: disputed,
			})
		}
		out[at].add(a, !again, subject.CoveredBy(doc.Publisher, claim.Index), doc.Publisher, &hosts)
	}
	return out
}

// add adds an entry to a row. What one of them is not limited in, the row is not limited in. Of
// the properties that it names those are listed that it covers.
func (r *AuthorizationRow) add(a *adagents.Agent, first bool, covered []string, publisher string, hosts *hostname.Memo) {
	scope := a.Scope()
	r.PropertyTags = union(r.PropertyTags, scope.PropertyTags)
	named := slices.Clone(scope.PropertyIDs)
	for i := range scope.Properties {
		named = append(named, scope.Properties[i].ID)
	}
	r.PropertyIDs = union(r.PropertyIDs, slices.DeleteFunc(named, func(id string) bool {
		_, found := slices.BinarySearch(covered, id)
		return !found
	}))
	for i := range scope.Selectors {
		s := &scope.Selectors[i]
		if names(s, publisher, hosts) {
			r.Selectors = append(r.Selectors, Selection{s.SelectionType, s.PropertyIDs, s.PropertyTags})
		}
	}
	r.PlacementIDs, r.PlacementTags = narrowed(first, r.PlacementIDs, a.PlacementIDs), narrowed(first, r.PlacementTags, a.PlacementTags)
	r.Countries = narrowed(first, r.Countries, a.Countries)
	r.Exclusive = r.Exclusive || a.Exclusive
	r.Keys = append(r.Keys, a.SigningKeys...)
	if len(a.Collections) == 0 {
		r.Collections = nil
	} else if first || len(r.Collections) > 0 {
		for _, c := range a.Collections {
			if c.All() {
				r.Collections = append(r.Collections, resolve.CollectionRef{PublisherDomain: c.PublisherDomain})
			}
			for _, id := range c.CollectionIDs {
				r.Collections = append(r.Collections, resolve.CollectionRef{PublisherDomain: c.PublisherDomain, ID: id})
			}
		}
	}
}

// narrowed returns what several entries together are limited to: nothing, if one of them is
// not limited.
func narrowed(first bool, known, more []string) []string {
	if len(more) == 0 || !first && len(known) == 0 {
		return nil
	}
	return union(known, more)
}

// union adds texts that a list does not have.
func union(list, more []string) []string {
	for _, text := range more {
		if text != "" && !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}

// RowID makes a UUID of names: of version 8, which says nothing about how it was made.
func RowID(names ...string) string {
	sum := sha256.New()
	for _, name := range names {
		fmt.Fprintf(sum, "%d %s", len(name), name)
	}
	return uuid(sum.Sum(nil)[:16], 8)
}

// uuid writes 16 octets as a UUID of a version.
func uuid(b []byte, version byte) string {
	b = slices.Clone(b)
	b[6], b[8] = b[6]&0x0f|version<<4, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:16])
}

// PropertyListing is a property with an identifier that somebody asked for, and the agents that may
// sell it.
type PropertyListing struct {
	directory.Entry
	Property *adagents.Property
	Agents   []PropertySeller
}

// A PropertySeller is an agent that may sell a property, if a question names what Limited has.
type PropertySeller struct {
	Agent   string
	Limited resolve.Limits
}

// PropertiesOf returns the properties with an identifier, of all publishers that list it as
// their own, from what is known. limit is how many publishers are read.
func (s *Service) PropertiesOf(ctx context.Context, v *directory.View, id Identifier, limit int) ([]PropertyListing, error) {
	var out []PropertyListing
	err := v.Find(id)
	if err != nil {
		return nil, loading(err)
	}
	list := v.Lists(id)
	for _, e := range list[:min(limit, len(list))] {
		doc, err := s.Stored(ctx, e.Domain)
		if err != nil {
			return nil, err
		}
		p := listedIn(doc, id)
		if p == nil {
			continue
		}
		found := PropertyListing{Entry: e, Property: p}
		for _, g := range e.Grants {
			q := resolve.Question{Publisher: string(e.Domain), Agent: g.Agent, Identifier: canonicalIdentifier(id), At: v.At.Early}
			d, _, ok := v.Decide(&q)
			if ok && d.Verdict >= resolve.Conditional {
				found.Agents = append(found.Agents, PropertySeller{g.Agent, d.Needs.Limits()})
			}
		}
		out = append(out, found)
	}
	return out, nil
}

// listedIn returns the publisher's own property with an identifier; nil when there is none.
func listedIn(doc *resolve.Document, id Identifier) *adagents.Property {
	if doc.State != resolve.Usable {
		return nil
	}
	for _, p := range resolve.Owned(doc) {
		for i := range p.Identifiers {
			if canonicalIdentifier(Identifier{Type: p.Identifiers[i].Type, Value: p.Identifiers[i].Value}) == canonicalIdentifier(id) {
				return p
			}
		}
	}
	return nil
}

func canonicalIdentifier(id Identifier) Identifier { return custodian.CanonicalIdentifier(id) }
