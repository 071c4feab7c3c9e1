package resolve

import (
	"slices"

	"github.com/avow-project/avow/adagents"
)

// placementFails says why an entry does not cover a placement.
func (c *explanation) placementFails(s step, n uint32, id string, k uint32) {
	switch s {
	case stepPlacementLeftOut:
		c.sayPlacementLeftOut(id)
	case stepPlacementUnknown:
		text := "; the entry covers the property whatever the placement"
		if c.f.entries[n].scoped() {
			text = ", and the entry is limited to placements of the file"
		}
		c.sayOf(s.code(), n, "the file has no placement "+quote(id)+text)
	case stepPlacementNotListed:
		c.sayOf(s.code(), n, "the entry is limited to other placements than "+quote(id))
		c.suggest("the publisher can add " + quote(id) + " to the placements of the entry")
	case stepPlacementElsewhere:
		c.say(s.code(), c.doc.File.Placements[k].Raw,
			"the placement "+quote(id)+" does not run on a property that the entry covers")
	case stepPlacementProgram:
		c.say(s.code(), c.doc.File.Placements[k].Raw,
			"the placement "+quote(id)+" belongs to other collections than those of the entry")
	}
}

func meets(set map[string]struct{}, list []string) bool {
	return slices.ContainsFunc(list, func(s string) bool {
		_, ok := set[s]
		return ok && s != ""
	})
}

// placement finds a placement of the file. An id that is declared twice means its
// first declaration.
func (v *view) placement(id string) *adagents.Placement {
	if v.placements == nil {
		v.placements = make(map[string]*adagents.Placement, len(v.file.Placements))
		for i := range v.file.Placements {
			p := &v.file.Placements[i]
			if v.placements[p.ID] == nil {
				v.placements[p.ID] = p
			}
		}
	}
	return v.placements[id]
}

// sayPlacementLeftOut reports whether the file has a placement that is ignored, and
// says so. Nothing covers it: where it runs is not known.
func (c *explanation) sayPlacementLeftOut(id string) bool {
	v, ok := c.view().placementLeftOut(id)
	if !ok {
		return false
	}
	text := "the placement " + quote(id) + " has errors, so it is ignored"
	if v.Get("placement_id").Str() != id {
		text = "the file does not declare the placement " + quote(id) +
			", unless by an entry that has errors and no placement_id"
	}
	c.say("placement.left_out", v, text)
	c.suggest("the publisher must correct the placement; avow validate says how")
	return true
}
