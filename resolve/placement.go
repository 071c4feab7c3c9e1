package resolve

import (
	"slices"

	"github.com/avow-project/avow/adagents"
)

// A reach is what placements are compared with: the properties an entry covers of
// what was asked, and the collections it is limited to.
type reach struct {
	ids, tags map[string]struct{}
	// collections are the ids of the publisher's collections that count; nil when
	// the entry is not limited to any.
	collections map[string]struct{}
}

func (c *inquiry) reachOf(h *holding) reach {
	r := reach{ids: make(map[string]struct{}), tags: make(map[string]struct{})}
	for i := range h.properties {
		p := h.properties[i].Property
		r.ids[p.ID] = struct{}{}
		for _, tag := range p.Tags {
			r.tags[tag] = struct{}{}
		}
	}
	if h.collections == nil {
		return r
	}
	r.collections = make(map[string]struct{})
	for _, ref := range h.collections {
		if ref.PublisherDomain == c.q.Publisher && (len(c.q.Collections) == 0 || slices.Contains(c.q.Collections, ref)) {
			r.collections[ref.ID] = struct{}{}
		}
	}
	return r
}

// runsOn reports whether a placement runs on a property within reach.
func (r *reach) runsOn(p *adagents.Placement) bool {
	return meets(r.ids, p.PropertyIDs) || meets(r.tags, p.PropertyTags)
}

func meets(set map[string]struct{}, list []string) bool {
	return slices.ContainsFunc(list, func(s string) bool {
		_, ok := set[s]
		return ok && s != ""
	})
}

// inProgram reports whether a placement can run in a collection that counts. One
// that belongs to no collection in particular can.
func (r *reach) inProgram(p *adagents.Placement) bool {
	return r.collections == nil || len(p.CollectionIDs) == 0 || meets(r.collections, p.CollectionIDs)
}

// scoped reports whether an entry is limited to placements.
func scoped(a *adagents.Agent) bool { return len(a.PlacementIDs) > 0 || len(a.PlacementTags) > 0 }

// admission returns the test that the lists of an entry put placements to. With
// both lists a placement must pass both.
func admission(a *adagents.Agent) func(*adagents.Placement) bool {
	listed, tagged := finder(a.PlacementIDs), finder(a.PlacementTags)
	return func(p *adagents.Placement) bool {
		return (len(a.PlacementIDs) == 0 || listed(p.ID)) &&
			(len(a.PlacementTags) == 0 || slices.ContainsFunc(p.Tags, tagged))
	}
}

// links is what it costs to compare a placement.
func links(p *adagents.Placement) int {
	return 1 + len(p.PropertyIDs) + len(p.PropertyTags) + len(p.Tags) + len(p.CollectionIDs)
}

// placement finds a placement of the file. An id that is declared twice means its
// first declaration.
func (v *view) placement(id string) *adagents.Placement {
	if v.places == nil {
		v.places = make(map[string]*adagents.Placement, len(v.file.Placements))
		for i := range v.file.Placements {
			p := &v.file.Placements[i]
			if v.places[p.ID] == nil {
				v.places[p.ID] = p
			}
		}
	}
	return v.places[id]
}

// judgePlacements narrows a holding to placements. Each is judged by itself: a good
// one does not vouch for its neighbours.
func (c *inquiry) judgePlacements(a *adagents.Agent, h *holding) bool {
	if !scoped(a) && len(c.q.Placements) == 0 {
		return true
	}
	r, admits := c.reachOf(h), admission(a)
	if scoped(a) {
		h.placements = c.placementsOf(admits, &r)
		if len(h.placements) == 0 && len(c.q.Placements) == 0 {
			c.say("entry.no_placement", a.Raw, "the entry is limited to placements, and none of them exists on what was asked")
			return false
		}
	}
	if len(c.q.Placements) == 0 {
		h.needs = append(h.needs, "placement")
		return true
	}
	h.verdicts = make(map[string]Verdict)
	for _, id := range c.q.Placements {
		if c.placementCovered(a, admits, &r, id) {
			h.verdicts[id] = h.verdict()
		}
	}
	return len(h.verdicts) > 0
}

// placementsOf returns the ids of the placements a limited entry comes to.
func (c *inquiry) placementsOf(admits func(*adagents.Placement) bool, r *reach) []string {
	out := []string{}
	for i := range c.v.file.Placements {
		p := &c.v.file.Placements[i]
		if !c.spend(links(p)) {
			break
		}
		if admits(p) && r.runsOn(p) && r.inProgram(p) && c.v.placement(p.ID) == p {
			out = append(out, p.ID)
		}
	}
	return out
}

func (c *inquiry) placementCovered(a *adagents.Agent, admits func(*adagents.Placement) bool, r *reach, id string) bool {
	p := c.v.placement(id)
	if p != nil && !c.spend(links(p)) {
		return false
	}
	switch {
	case p == nil && scoped(a):
		c.say("placement.unknown", a.Raw, "the file has no placement "+quote(id)+", and the entry is limited to placements of the file")
		return false
	case p == nil:
		c.say("placement.unknown", a.Raw, "the file has no placement "+quote(id)+"; the entry covers the property whatever the placement")
		return true
	case !admits(p):
		c.say("entry.placement_not_listed", a.Raw, "the entry is limited to other placements than "+quote(id))
		c.suggest("the publisher can add " + quote(id) + " to the placements of the entry")
	case !r.runsOn(p):
		c.say("placement.elsewhere", p.Raw, "the placement "+quote(id)+" does not run on a property that the entry covers")
	case !r.inProgram(p):
		c.say("placement.other_collection", p.Raw, "the placement "+quote(id)+" belongs to other collections than those of the entry")
	default:
		return true
	}
	return false
}
