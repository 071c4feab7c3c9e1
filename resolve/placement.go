package resolve

import (
	"slices"

	"github.com/avow-project/avow/adagents"
)

// A reach is the properties that placements are compared with: those an entry covers
// of what was asked. Its sets are made when they are needed, as a property may have
// more tags than the file has placements.
type reach struct {
	of        []Covered
	inline    bool // declared by the entry
	ids, tags map[string]struct{}
}

// reachOf returns the reach of a holding. Entries that cover the same properties
// share it.
func (c *inquiry) reachOf(h *holding) *reach {
	same := func(a, b Covered) bool { return a.Property == b.Property }
	c.spend(len(h.properties))
	if c.reached == nil || !slices.EqualFunc(c.reached.of, h.properties, same) {
		c.reached = &reach{of: h.properties, inline: h.agent.Type == "inline_properties"}
	}
	return c.reached
}

// runsOn reports whether a placement runs on a property within reach.
func (c *inquiry) runsOn(p *adagents.Placement, r *reach) bool {
	return len(p.PropertyIDs) > 0 && meets(c.idsOf(r), p.PropertyIDs) ||
		len(p.PropertyTags) > 0 && meets(c.tagsWithin(r), p.PropertyTags)
}

// idsOf returns the ids by which placements may refer to the properties. The id of a
// property that an entry declares itself is not one when the file has a property of
// that id: then that is the one the placement means.
func (c *inquiry) idsOf(r *reach) map[string]struct{} {
	if r.ids != nil || !c.spend(costStored*len(r.of)) {
		return r.ids
	}
	r.ids = make(map[string]struct{}, len(r.of))
	for i := range r.of {
		if id := r.of[i].PropertyID; !r.inline || !c.v.hasTop(id) {
			r.ids[id] = struct{}{}
		}
	}
	return r.ids
}

func (c *inquiry) tagsWithin(r *reach) map[string]struct{} {
	if r.tags != nil {
		return r.tags
	}
	r.tags = make(map[string]struct{})
	for i := range r.of {
		tags := r.of[i].Property.Tags
		if !c.spend(1 + costStored*len(tags)) {
			break
		}
		for _, tag := range tags {
			r.tags[tag] = struct{}{}
		}
	}
	return r.tags
}

// programsOf returns the ids of the publisher's collections that count; nil when the
// entry is not limited to any.
func (c *inquiry) programsOf(h *holding) map[string]struct{} {
	if h.collections == nil {
		return nil
	}
	out := make(map[string]struct{})
	for _, ref := range h.collections {
		if ref.PublisherDomain == c.q.Publisher && (len(c.q.Collections) == 0 || slices.Contains(c.q.Collections, ref)) {
			out[ref.ID] = struct{}{}
		}
	}
	return out
}

func meets(set map[string]struct{}, list []string) bool {
	return slices.ContainsFunc(list, func(s string) bool {
		_, ok := set[s]
		return ok && s != ""
	})
}

// inProgram reports whether a placement can run in a collection that counts. One
// that belongs to no collection in particular can; one whose collections cannot be read
// cannot.
func inProgram(p *adagents.Placement, programs map[string]struct{}) bool {
	return programs == nil || meets(programs, p.CollectionIDs) ||
		len(p.CollectionIDs) == 0 && !unreadable(p.CollectionIDs, p.Raw, "collection_ids")
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

// A siting is what an entry asks of placements: that its lists admit them, that they
// run on its properties, and in its collections if it has some.
type siting struct {
	admits   func(*adagents.Placement) bool
	reach    *reach
	programs map[string]struct{}
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
	s := siting{admission(a), c.reachOf(h), c.programsOf(h)}
	if scoped(a) {
		h.placements = c.placementsOf(&s)
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
		if c.placementCovered(a, &s, id) {
			h.verdicts[id] = h.verdict()
		}
	}
	return len(h.verdicts) > 0
}

// placementsOf returns the ids of the placements a limited entry comes to.
func (c *inquiry) placementsOf(s *siting) []string {
	out := []string{}
	for i := range c.v.file.Placements {
		p := &c.v.file.Placements[i]
		if !c.spend(links(p)) {
			break
		}
		if s.admits(p) && c.runsOn(p, s.reach) && inProgram(p, s.programs) && c.v.placement(p.ID) == p {
			out = append(out, p.ID)
		}
	}
	return out
}

func (c *inquiry) placementCovered(a *adagents.Agent, s *siting, id string) bool {
	p := c.v.placement(id)
	if p != nil && !c.spend(links(p)) {
		return false
	}
	if p == nil && c.sayPlacementLeftOut(id) {
		return false
	}
	switch {
	case p == nil && scoped(a):
		c.say("placement.unknown", a.Raw, "the file has no placement "+quote(id)+", and the entry is limited to placements of the file")
		return false
	case p == nil:
		c.say("placement.unknown", a.Raw, "the file has no placement "+quote(id)+"; the entry covers the property whatever the placement")
		return true
	case !s.admits(p):
		c.say("entry.placement_not_listed", a.Raw, "the entry is limited to other placements than "+quote(id))
		c.suggest("the publisher can add " + quote(id) + " to the placements of the entry")
	case !c.runsOn(p, s.reach):
		c.say("placement.elsewhere", p.Raw, "the placement "+quote(id)+" does not run on a property that the entry covers")
	case !inProgram(p, s.programs):
		c.say("placement.other_collection", p.Raw, "the placement "+quote(id)+" belongs to other collections than those of the entry")
	default:
		return true
	}
	return false
}

// sayPlacementLeftOut reports whether the file has a placement that does not count, and
// says so. Nothing covers it: where it runs is not known.
func (c *inquiry) sayPlacementLeftOut(id string) bool {
	v, ok := c.v.placementLeftOut(id)
	if !ok {
		return false
	}
	text := "the placement " + quote(id) + " has errors, so it does not count"
	if v.Get("placement_id").Str() != id {
		text = "the file does not declare the placement " + quote(id) + ", unless by an entry that has errors and no placement_id"
	}
	c.say("placement.left_out", v, text)
	c.suggest("the publisher must correct the placement; avow validate says how")
	return true
}
