package formats

import (
	"slices"
	"strconv"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/resolve"
)

// privateMembers describe how a placement is delivered. They are private, whatever their
// value.
var privateMembers = []string{"visibility", "source", "origin", "delivery_mappings"}

// narrowingMembers are lists of a placement that a product may shorten and not lengthen.
var narrowingMembers = []string{
	"channels", "tags", "video_placement_types", "audio_distribution_types", "sponsored_placement_types",
	"social_placement_surfaces",
}

// redefines reports where a product says more about a placement than its publisher: it
// may narrow what the catalog says, and must not broaden it.
func (j *joining) redefines(own *productPlacement, catalog *resolve.FormatCatalog) {
	for _, name := range privateMembers {
		if own.raw.Has(name) {
			j.say("product.private_field", own.Pointer+"/"+name, "the placement carries "+name+", which must not be public")
		}
	}
	for _, name := range narrowingMembers {
		j.broadens(own, name, catalog.Placement.Raw)
	}
	if !own.Limited || !catalog.Limited {
		return
	}
	for i := range own.Options {
		j.formatBroadens(&own.Options[i])
	}
}

// broadens compares a list of the product with the catalog's. A list that the catalog
// does not have limits nothing.
func (j *joining) broadens(own *productPlacement, name string, placement adagents.Value) {
	if !own.raw.Has(name) || !placement.Has(name) {
		return
	}
	known := texts(placement.Get(name))
	var more []string
	for _, s := range texts(own.raw.Get(name)) {
		if !slices.Contains(known, s) {
			more = append(more, strconv.Quote(s))
		}
	}
	if len(more) > 0 {
		j.say("product.placement_broadened", own.Pointer+"/"+name,
			"the product adds to "+name+" of the publisher's placement: "+strings.Join(more, ", "))
	}
}

// formatBroadens reports a format of the product's placement that goes beyond those of
// the catalog. A name alone says nothing of its own.
func (j *joining) formatBroadens(d *declaration) {
	if d.reference {
		return
	}
	problem := "the catalog has no format of the kind " + strconv.Quote(d.Kind) + " here"
	for i := range j.catalog {
		c := &j.catalog[i]
		if d.Scope == publisherScope && c.Ref != d.Ref || c.Kind != d.Kind {
			continue
		}
		whole := *d
		whole.Params = inheriting(d.Params, c.Params)
		_, relation, conflict := intersect(&whole, c)
		switch {
		case conflict != nil:
			problem = conflict.String()
		case relation == sameLimits || relation == productNarrower:
			return
		default:
			problem = "it accepts creatives that the catalog does not"
		}
	}
	j.say("product.placement_broadened", d.Pointer, "the format "+nameOf(d)+" goes beyond the publisher's placement: "+
		problem)
}

// inheriting returns parameters with those of a catalog where they say nothing: a product
// that is silent about one keeps what the publisher says. Who makes an asset is stated by
// silence too.
func inheriting(own, catalog Params) Params {
	out, groups := Params{}, map[class]bool{}
	for name, v := range own {
		out[name] = v
		groups[classes[name]] = true
	}
	for name, v := range catalog {
		c := classes[name]
		switch {
		case out[name] != nil, c == defaulted:
		case (c == size || c == duration) && groups[c]:
		default:
			out[name] = v
		}
	}
	return out
}
