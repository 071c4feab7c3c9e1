package adagents

import (
	"maps"
	"slices"

	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/std/spell"
)

// A nameSpace is a set of names in the file that others refer to.
type nameSpace uint8

const (
	propertyIDs nameSpace = iota
	propertyTags
	collectionIDs
	formatIDs
	placementIDs
	signalIDs
	nameSpaces
)

// suggestions proposes names of the file in place of unknown ones.
type suggestions struct {
	near  [nameSpaces]*spell.Index
	given int
}

// didYouMean proposes the name nearest to one that is not in the name space,
// or nothing.
func (c *content) didYouMean(in nameSpace, wrong string) string {
	s := &c.index.suggestions
	s.given++
	if s.given > conform.MaxHints {
		return ""
	}
	if s.near[in] == nil {
		s.near[in] = spell.New(c.index.names(in))
	}
	near, ok := s.near[in].Nearest(wrong, spell.MaxDistance)
	if !ok || near == wrong {
		return ""
	}
	return "did you mean " + quote(near) + "?"
}

func (x *index) names(in nameSpace) []string {
	if in == propertyIDs {
		return x.properties.ids()
	}
	return slices.Sorted(maps.Keys([...]map[string]int{
		propertyTags: x.propertyTag, collectionIDs: x.collections, formatIDs: x.formats,
		placementIDs: x.placements, signalIDs: x.signals,
	}[in]))
}
