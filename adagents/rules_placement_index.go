package adagents

import (
	"slices"

	"github.com/avow-project/avow/internal/model"
)

// placementIndex is what rules about placements need to know of the rest of the
// file. Its parts are built when a rule first asks for them, because most
// files give none of them an occasion.
type placementIndex struct {
	tags     wordSet              // tags explained in placement_tags
	reported wordSet              // others that were reported
	carriers map[string]*carriers // by property tag
	channels []channelMask        // by property
	inScope  map[scopeKey]bool
	steps    int // comparisons spent on format scopes
}

// carriers are the properties that carry one tag.
type carriers struct {
	usable   []int32
	channels channelMask // of all usable ones together
	skipped  bool        // some are left out, for a reason reported elsewhere
}

// scopeKey asks whether a format applies to any property with the tag.
type scopeKey struct {
	format int
	tag    string
}

// explainedPlacementTag reports whether placement_tags has the tag.
func (c *content) explainedPlacementTag(tag string) bool {
	x := &c.index.place
	if x.tags == nil {
		x.tags = make(wordSet, len(c.file.PlacementTags))
		for i := range c.file.PlacementTags {
			x.tags.add(c.file.PlacementTags[i].Key)
		}
	}
	return x.tags.has(tag)
}

// explained reports the same, and true for every further question about a tag
// that placement_tags lacks: one finding for each is enough.
func (c *content) explained(tag string) bool {
	if c.explainedPlacementTag(tag) {
		return true
	}
	x := &c.index.place
	known := x.reported.has(tag)
	x.reported.add(tag)
	return known
}

// carrying returns the properties that carry the tag, nil when there are none.
func (c *content) carrying(tag string) *carriers {
	x := &c.index.place
	if x.carriers != nil {
		return x.carriers[tag]
	}
	x.carriers = make(map[string]*carriers)
	for i := range c.file.Properties {
		p := &c.file.Properties[i]
		for _, t := range p.Tags {
			k := x.carriers[t]
			if k == nil {
				k = new(carriers)
				x.carriers[t] = k
			}
			if p.effect.gone() {
				k.skipped = true
				continue
			}
			k.usable = append(k.usable, int32(i))
			k.channels |= c.channelsOf(i)
		}
	}
	return x.carriers[tag]
}

// A channelMask is a set of channels, by their positions in model.Channels.
type channelMask uint32

// anyChannel is in the set of a property that does not say what it supports.
const anyChannel channelMask = 1 << 31

func channelBit(name string) channelMask {
	i := slices.Index(model.Channels, name)
	if i < 0 {
		return 0
	}
	return 1 << i
}

// channelsOf returns the channels a property supports. They are kept: a
// property may be linked by every placement.
func (c *content) channelsOf(property int) channelMask {
	x := &c.index.place
	if x.channels == nil {
		x.channels = make([]channelMask, len(c.file.Properties))
	}
	if x.channels[property] == 0 {
		x.channels[property] = supported(c.file.Properties[property].Channels)
	}
	return x.channels[property]
}

func supported(list []string) channelMask {
	var set channelMask
	for _, name := range list {
		set |= channelBit(name)
	}
	if set == 0 {
		return anyChannel
	}
	return set
}

// linked calls yield for each usable property a placement names by id, and
// for each tag it names that a usable property carries, until yield is false.
func (c *content) linked(p *Placement, byID func(property int) bool, byTag func(tag string, k *carriers) bool) {
	for _, id := range p.PropertyIDs {
		i, ok := c.index.properties.get(id)
		if ok && !c.file.Properties[i].effect.gone() && !byID(i) {
			return
		}
	}
	for _, tag := range p.PropertyTags {
		k := c.carrying(tag)
		if k != nil && len(k.usable) > 0 && !byTag(tag, k) {
			return
		}
	}
}

// maxScopeSteps bounds the comparisons between the properties of placements
// and those of formats. Honest files need few; a file made to need more is
// treated as if all its formats applied, since the rule only advises.
const maxScopeSteps = 10_000_000

// applies reports whether a format applies to any property of a placement. A
// placement without known properties has other troubles: then it is true.
func (c *content) applies(format int, p *Placement) bool {
	known, found := false, false
	c.linked(p, func(i int) bool {
		known = true
		found = c.accepts(format, i)
		return !found
	}, func(tag string, k *carriers) bool {
		known = true
		found = c.acceptsAny(scopeKey{format, tag}, k)
		return !found
	})
	return found || !known
}

// accepts reports whether a format applies to a property, by id or by tag.
func (c *content) accepts(format, property int) bool {
	f, p := &c.file.Formats[format], &c.file.Properties[property]
	x := &c.index.place
	x.steps += 1 + len(f.AppliesToPropertyIDs) + len(f.AppliesToPropertyTags)*len(p.Tags)
	if x.steps > maxScopeSteps {
		return true
	}
	return slices.Contains(f.AppliesToPropertyIDs, p.ID) ||
		slices.ContainsFunc(f.AppliesToPropertyTags, func(tag string) bool { return slices.Contains(p.Tags, tag) })
}

func (c *content) acceptsAny(key scopeKey, k *carriers) bool {
	x := &c.index.place
	found, ok := x.inScope[key]
	if ok {
		return found
	}
	for _, i := range k.usable {
		if c.accepts(key.format, int(i)) {
			found = true
			break
		}
	}
	if x.inScope == nil {
		x.inScope = make(map[scopeKey]bool)
	}
	x.inScope[key] = found
	return found
}
