package projection

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// A Row is what the entries of one authorization type let an agent sell of a publisher. Several
// such entries are one row.
type Row struct {
	Domain   hostname.Domain
	Agent    string // canonical URL
	Location custody.Location
	Adopted  time.Time
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
	// Ends is when the first of the entries or of their keys ends, if that is soon.
	Ends time.Time
	// Disputed: publishers of other sites list an identifier of this one, too.
	Disputed bool
}

// A Selection is a selector as far as it is about one publisher.
type Selection struct {
	Type      string
	IDs, Tags []string
}

// Rows returns the entries of a usable document that are in force and cover something of the
// publisher, those of one agent unless that is empty.
func (in *Input) Rows(agent string) []Row {
	var out []Row
	var hosts hostname.Memo
	type key struct {
		agent string
		kind  adagents.AuthorizationType
	}
	index := map[key]int{}
	doc := in.Document
	subject := resolve.NewSubject(doc)
	covered := subject.Coverage(doc.Publisher)
	for _, claim := range subject.Claims(doc.Publisher, "") {
		if !claim.Holds(in.At) || agent != "" && agent != claim.Agent {
			continue
		}
		a := &doc.File.Agents[claim.Index]
		at, again := index[key{claim.Agent, a.Type}]
		if !again {
			at = len(out)
			index[key{claim.Agent, a.Type}] = at
			out = append(out, Row{
				Domain: in.Domain, Agent: claim.Agent, Location: in.Location, Adopted: in.Adopted,
				ID: RowID(claim.Agent, string(in.Domain), string(a.Type)), AgentURL: a.URL, AuthorizedFor: a.AuthorizedFor,
				DelegationType: a.DelegationType,
				Type:           a.Type, EffectiveFrom: claim.From, EffectiveUntil: claim.Until, Disputed: in.Disputed,
			})
		}
		out[at].add(a, !again, doc.Publisher, &hosts)
		for _, end := range endsOf(&claim, a) {
			if !end.After(in.At.Add(custody.UsualLead)) {
				out[at].Ends = soonerAfter(in.At, out[at].Ends, end)
			}
		}
		if named := idsNamed(a); len(named) > 0 {
			out[at].PropertyIDs = union(out[at].PropertyIDs, inBoth(named, covered(claim.Index)))
		}
	}
	return out
}

// endsOf returns when an entry ends, and when its keys do; zero for never.
func endsOf(claim *resolve.Claim, a *adagents.Agent) []time.Time {
	out := []time.Time{claim.Until}
	for i := range a.SigningKeys {
		at, ok := a.SigningKeys[i].RevokedAt.Time()
		if ok {
			out = append(out, at)
		}
	}
	return out
}

// NamesPublisher reports whether a selector names a publisher.
func NamesPublisher(s *adagents.Selector, publisher string, hosts *hostname.Memo) bool {
	for _, written := range append([]string{s.PublisherDomain}, s.PublisherDomains...) {
		name, _, err := hosts.Canonical(written)
		if err == nil && name == publisher {
			return true
		}
	}
	return false
}

// idsNamed returns the ids of the properties that an entry names.
func idsNamed(a *adagents.Agent) []string {
	scope := a.Scope()
	named := slices.Clone(scope.PropertyIDs)
	for i := range scope.Properties {
		named = append(named, scope.Properties[i].ID)
	}
	return named
}

// inBoth leaves out what a sorted list does not have.
func inBoth(list, sorted []string) []string {
	return slices.DeleteFunc(list, func(text string) bool {
		_, found := slices.BinarySearch(sorted, text)
		return !found
	})
}

// add adds an entry to a row. What one of them is not limited in, the row is not limited in.
func (r *Row) add(a *adagents.Agent, first bool, publisher string, hosts *hostname.Memo) {
	scope := a.Scope()
	r.PropertyTags = union(r.PropertyTags, scope.PropertyTags)
	for i := range scope.Selectors {
		s := &scope.Selectors[i]
		if NamesPublisher(s, publisher, hosts) {
			r.Selectors = append(r.Selectors, Selection{s.SelectionType, s.PropertyIDs, s.PropertyTags})
		}
	}
	r.PlacementIDs, r.PlacementTags = narrowed(first, r.PlacementIDs, a.PlacementIDs),
		narrowed(first, r.PlacementTags, a.PlacementTags)
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
	if len(more) == 0 {
		return list
	}
	known := make(map[string]bool, len(list)+len(more))
	known[""] = true
	for _, text := range list {
		known[text] = true
	}
	for _, text := range more {
		if !known[text] {
			known[text] = true
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
	return UUID(sum.Sum(nil)[:16], 8)
}

// UUID writes 16 octets as a UUID of a version.
func UUID(b []byte, version byte) string {
	id := [16]byte(b)
	id[6], id[8] = id[6]&0x0f|version<<4, id[8]&0x3f|0x80
	out := hex.AppendEncode(make([]byte, 0, 36), id[:4])
	for _, part := range [][]byte{id[4:6], id[6:8], id[8:10], id[10:]} {
		out = hex.AppendEncode(append(out, '-'), part)
	}
	return string(out)
}
