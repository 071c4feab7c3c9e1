package registry

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/service/budget"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/directory"
	"github.com/avow-project/avow/internal/service/projection"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

const (
	// mostClaimants is of how many publishers that list an identifier the files are read, the first
	// to list it first, and mostIdentifiedFiles how many files a call reads.
	mostClaimants       = 3
	mostIdentifiedFiles = 2_000
	// mostSpeakers is how many of the domains of a host and above it are looked at: the first and the
	// last ones.
	mostSpeakers = 4
)

// An Identified is a property with an identifier from a list.
type Identified struct {
	Publisher hostname.Domain
	// RID is the id in the feed; it may be empty.
	RID  string
	rank int
}

// A candidate is an identifier that a publisher may list.
type candidate struct {
	id   Identifier
	rank int // of the publisher, the lower the better
}

// Identified finds properties by identifiers in canonical form, from what is known. A domain is
// looked for in the files of its own site alone; anything else in those of the publishers that were
// the first to list it.
func (s *Service) Identified(ctx context.Context, v *directory.View,
	ids []Identifier) (map[Identifier]Identified, error) {
	wanted := map[hostname.Domain][]candidate{}
	var others []Identifier
	seen := map[Identifier]bool{}
	for _, id := range ids {
		if seen[id] {
			continue
		}
		seen[id] = true
		if id.Type != "domain" && id.Type != "subdomain" {
			others = append(others, id)
			continue
		}
		host, err := custodian.ParseDomain(id.Value)
		if err != nil {
			continue
		}
		names := upwards(string(host))
		if len(names) > mostSpeakers {
			names = slices.Concat(names[:mostSpeakers/2], names[len(names)-mostSpeakers/2:])
		}
		for i, name := range names {
			wanted[hostname.Domain(name)] = append(wanted[hostname.Domain(name)], candidate{id, i})
		}
	}
	for id, names := range v.Claimed(others, mostClaimants) {
		for i, name := range names {
			wanted[name] = append(wanted[name], candidate{id, i})
		}
	}
	out := map[Identifier]Identified{}
	names := slices.Sorted(maps.Keys(wanted))
	v.Prefetch(names)
	read := 0
	for _, name := range names {
		e, _ := v.Publisher(name)
		if !e.Standing.InEffect || read == mostIdentifiedFiles {
			continue
		}
		read++
		part, h := budget.Part(ctx)
		doc, err := s.Stored(part, name)
		if err == nil {
			noteListed(out, doc, name, wanted[name])
		}
		h.End()
		if err != nil {
			return nil, err
		}
	}
	return out, v.Err()
}

// noteListed notes the properties of a publisher that have the identifiers, unless a better one is known.
func noteListed(out map[Identifier]Identified, doc *resolve.Document, name hostname.Domain, list []candidate) {
	if doc.State != resolve.Usable {
		return
	}
	owned := map[Identifier]*adagents.Property{}
	for _, p := range resolve.Owned(doc) {
		for i := range p.Identifiers {
			id := CanonicalIdentifier(Identifier{Type: p.Identifiers[i].Type, Value: p.Identifiers[i].Value})
			owned[id] = cmp.Or(owned[id], p)
		}
	}
	for _, c := range list {
		known, found := out[c.id]
		if found && known.rank <= c.rank {
			continue
		}
		for _, id := range spellings(c.id) {
			if p := owned[id]; p != nil {
				out[c.id] = Identified{name, projection.PropertyRID(p, name), c.rank}
				break
			}
		}
	}
}

// Catalogued are the properties of a publisher that have an id in the feed.
type Catalogued struct {
	Publisher  hostname.Domain
	Properties []*adagents.Property
	// URL is where the file is, and Adopted when its version was adopted.
	URL     string
	Adopted time.Time
}

// Catalogue returns the properties of a publisher; none when nothing of it is in effect.
func (s *Service) Catalogue(ctx context.Context, domain hostname.Domain) (*Catalogued, error) {
	out := &Catalogued{Publisher: domain}
	known, err := s.keeper.Snapshot(ctx, domain)
	if err != nil {
		return nil, custodyError(err)
	}
	in := known.Input()
	if in.Document == nil {
		return out, nil
	}
	out.URL, out.Adopted = in.Location.URL, in.Adopted
	for _, p := range resolve.Owned(in.Document) {
		if projection.PropertyRID(p, domain) != "" {
			out.Properties = append(out.Properties, p)
		}
	}
	return out, nil
}
