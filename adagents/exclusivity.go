package adagents

import "slices"

// agentExclusiveRules hold the entries that claim to be the only path to what
// they cover against the others.
var agentExclusiveRules = []rule[*File]{
	{
		Rule: Rule{
			Code: "agent.exclusive_conflict", Severity: Warning,
			Title: "an exclusive slice is also open to another agent",
			Why:   "exclusive says that no other path exists for the slice, yet another entry authorizes a different agent for part of it. Both still count, so buyers cannot rely on the claim.",
			Spec:  "AdCP adagents.json Tech Spec, authorized_agents",
			In:    InAgents,
			Bad: `[
  ` + nested(sellerOfSite) + `,
    "exclusive": true
  },
  ` + nested(badURL("https://other.example/mcp")) + `
]`,
			Good: `[
  ` + nested(sellerOfSite) + `,
    "exclusive": true
  }
]`,
		},
		check: func(r reporter, f *File) {
			for _, h := range r.exclusivity().hits {
				if !h.double {
					r.say(f.Agents[h.entry].member(atAgentExclusive), "the entry is exclusive, but /authorized_agents/%d authorizes another agent for part of the same slice", h.other).
						withHint("remove exclusive, or narrow one of the two entries")
				}
			}
		},
	},
	{
		Rule: Rule{
			Code: "agent.exclusive_double", Severity: Warning, Strict: Error,
			Title: "two agents are exclusive for the same slice",
			Why:   "Two entries for different agents both claim to be the only path to an overlapping slice. Both cannot be true.",
			Spec:  "AdCP adagents.json Tech Spec, authorized_agents",
			In:    InAgents,
			Bad: `[
  ` + nested(sellerOfSite) + `,
    "exclusive": true
  },
  ` + nested(otherSeller) + `,
    "exclusive": true
  }
]`,
			Good: `[
  ` + nested(sellerOfSite) + `,
    "countries": ["US"],
    "exclusive": true
  },
  ` + nested(otherSeller) + `,
    "countries": ["CA"],
    "exclusive": true
  }
]`,
		},
		check: func(r reporter, f *File) {
			for _, h := range r.exclusivity().hits {
				if h.double {
					r.say(f.Agents[h.entry].member(atAgentExclusive), "the entry is exclusive, and so is /authorized_agents/%d for part of the same slice", h.other).
						withHint("decide which of the two is exclusive, or narrow them")
				}
			}
		},
	},
	{
		Rule: Rule{
			Code: "agent.exclusive_unchecked", Severity: Info,
			Title: "too many entries to compare exclusive ones",
			Why:   "Comparing every exclusive entry with every other would take too long for this file, so conflicts between them may have gone unnoticed.",
			Hint:  "set exclusive on the few entries that need it",
			Spec:  "avow docs/rules.md",
			In:    InAgents,
			given: func(o *Options) { o.comparisons = 1 },
			Bad: `[
  ` + nested(sellerOfSite) + `,
    "countries": ["US"],
    "exclusive": true
  },
  ` + nested(otherSeller) + `,
    "countries": ["CA"],
    "exclusive": true
  }
]`,
			Good: `[
  ` + nested(sellerOfSite) + `
  }
]`,
		},
		check: func(r reporter, f *File) {
			if n := r.exclusivity().unchecked; n > 0 {
				r.say(f.member(atFileAgents), "%d exclusive entries were not compared with all others", n)
			}
		},
	},
}

const otherSeller = `{
  "url": "https://other.example/mcp",
  "authorized_for": "Display on the site",
  "authorization_type": "property_ids",
  "property_ids": ["site"]`

// maxComparisons bounds the comparison of slices in one file. Real files need
// a few thousand steps.
const maxComparisons = 2_000_000

// exclusiveHit is an exclusive entry and one it overlaps with.
type exclusiveHit struct {
	entry, other int
	double       bool // the other is exclusive too
}

// exclusivity finds overlaps of exclusive entries with entries of other
// agents. Entries are indexed by what they select, so that an exclusive entry
// meets only those that certainly share a property or signal with it; where
// another publisher's file would have to be asked, nothing is claimed.
type exclusivity struct {
	c         *content
	left      int // comparisons
	hits      []exclusiveHit
	unchecked int

	byProperty  map[int32][]int32 // entries by top-level property selected by id
	byTag       map[string][]int32
	byInline    map[scopedID][]int32 // by publisher and id of an inline property
	byDomain    map[string][]selectorRef
	bySignal    map[string][]int32
	bySignalTag map[string][]int32

	// While one exclusive entry is compared:
	entry            int
	seen             []int32 // by entry: the last exclusive one it was compared with
	conflict, double int     // entries found, or -1
	lone             bool    // no other entry is exclusive
}

// selectorRef is a publisher selector of an entry.
type selectorRef struct{ entry, selector int32 }

func (c *content) exclusivity() *exclusivity {
	if c.agents.exclusive == nil {
		c.agents.exclusive = &exclusivity{c: c, left: maxComparisons}
		if c.opt.comparisons > 0 {
			c.agents.exclusive.left = c.opt.comparisons
		}
		c.agents.exclusive.compareAll()
	}
	return c.agents.exclusive
}

// compareAll looks at every exclusive entry. Nothing is indexed when there is
// none.
func (x *exclusivity) compareAll() {
	var claims []int
	for i := range x.c.file.Agents {
		if x.c.file.Agents[i].Exclusive && x.counts(i) {
			claims = append(claims, i)
		}
	}
	if len(claims) == 0 {
		return
	}
	x.lone = len(claims) == 1
	x.seen = make([]int32, len(x.c.file.Agents))
	x.indexAll()
	for n, i := range claims {
		x.entry, x.conflict, x.double = i, -1, -1
		x.meet()
		if x.conflict >= 0 {
			x.hits = append(x.hits, exclusiveHit{i, x.conflict, false})
		}
		if x.double >= 0 {
			x.hits = append(x.hits, exclusiveHit{i, x.double, true})
		}
		if x.left < 0 {
			x.unchecked = len(claims) - n
			return
		}
	}
}

// counts reports whether an entry authorizes anything.
func (x *exclusivity) counts(i int) bool {
	a := &x.c.file.Agents[i]
	return a.effect.worst < EmptyEntry && x.c.agents.canonical[i] != "" && a.companion() != nil
}

// settled reports whether the entry at hand needs no further comparison, or
// none is left.
func (x *exclusivity) settled() bool {
	return x.left < 0 || x.conflict >= 0 && (x.lone || x.double >= 0)
}

// against compares the entry at hand with others that share something with it.
func (x *exclusivity) against(others []int32) {
	for _, o := range others {
		if x.settled() {
			return
		}
		x.compare(int(o))
	}
}

func (x *exclusivity) compare(o int) {
	x.left--
	if x.seen[o] == int32(x.entry+1) {
		return
	}
	x.seen[o] = int32(x.entry + 1)
	urls := x.c.agents.canonical
	if urls[o] == urls[x.entry] {
		return
	}
	b := &x.c.file.Agents[o]
	found := &x.conflict
	if b.Exclusive {
		found = &x.double
	}
	if *found < 0 && x.overlap(&x.c.file.Agents[x.entry], b) {
		*found = o
	}
}

// overlap compares what narrows two entries that share a property or signal.
// A list that only one of them has does not keep them apart.
func (x *exclusivity) overlap(a, b *Agent) bool {
	wa, wb := a.window(), b.window()
	return wa.meets(&wb) &&
		x.listsMeet(a.Countries, b.Countries) &&
		x.placementsMeet(a, b) &&
		x.collectionsMeet(a, b)
}

func (x *exclusivity) listsMeet(a, b []string) bool {
	if len(a) == 0 || len(b) == 0 {
		return true
	}
	x.left -= len(a) + len(b)
	set := textsOf(a)
	return set.meets(b)
}

// placementsMeet reports whether two entries have a placement in common, if
// both are narrowed to placements.
func (x *exclusivity) placementsMeet(a, b *Agent) bool {
	if !narrowedToPlacements(a) || !narrowedToPlacements(b) {
		return true
	}
	if len(a.PlacementIDs) > 0 && len(b.PlacementIDs) > 0 {
		return x.listsMeet(a.PlacementIDs, b.PlacementIDs)
	}
	x.left -= len(a.PlacementIDs) + len(a.PlacementTags) + len(b.PlacementIDs) + len(b.PlacementTags)
	ids, tags := textsOf(a.PlacementIDs), textsOf(a.PlacementTags)
	otherIDs, otherTags := textsOf(b.PlacementIDs), textsOf(b.PlacementTags)
	for i := range x.c.file.Placements {
		p := &x.c.file.Placements[i]
		x.left -= 1 + len(p.Tags)
		if x.left < 0 {
			return false
		}
		if !p.effect.gone() && runsIn(p, &ids, &tags) && runsIn(p, &otherIDs, &otherTags) {
			return true
		}
	}
	return false
}

func narrowedToPlacements(a *Agent) bool { return len(a.PlacementIDs)+len(a.PlacementTags) > 0 }

// runsIn reports whether a placement is among those by id and those by tag; an
// empty list does not narrow.
func runsIn(p *Placement, ids, tags *textSet) bool {
	return (len(ids.list) == 0 || ids.has(p.ID)) && (len(tags.list) == 0 || tags.meets(p.Tags))
}

// collectionsMeet reports whether two entries have a collection in common, if
// both are narrowed to collections.
func (x *exclusivity) collectionsMeet(a, b *Agent) bool {
	if len(a.Collections) == 0 || len(b.Collections) == 0 {
		return true
	}
	listed := make(map[[2]string]struct{})
	for i := range a.Collections {
		domain, _ := a.Collections[i].domain(&x.c.index.hosts)
		x.left -= len(a.Collections[i].CollectionIDs)
		for _, id := range a.Collections[i].CollectionIDs {
			listed[[2]string{domain, id}] = struct{}{}
		}
	}
	return slices.ContainsFunc(b.Collections, func(s CollectionSelector) bool {
		domain, _ := s.domain(&x.c.index.hosts)
		x.left -= len(s.CollectionIDs)
		return slices.ContainsFunc(s.CollectionIDs, func(id string) bool {
			_, ok := listed[[2]string{domain, id}]
			return ok
		})
	})
}
