package projection

import (
	"slices"

	"github.com/avow-project/avow/adagents"
)

// Types is a set of authorization types.
type Types uint8

// kinds are the types that sell properties, in the order of the bits.
var kinds = []adagents.AuthorizationType{
	adagents.ByPropertyIDs, adagents.ByPropertyTags, adagents.ByInlineProperties, adagents.ByPublisherProperties,
}

// TypeOf is the set of one type; empty for one that sells no properties.
func TypeOf(t adagents.AuthorizationType) Types {
	i := slices.Index(kinds, t)
	if i < 0 {
		return 0
	}
	return 1 << i
}

// List returns the types in the order of the format.
func (t Types) List() []adagents.AuthorizationType {
	var out []adagents.AuthorizationType
	for i, kind := range kinds {
		if t&(1<<i) != 0 {
			out = append(out, kind)
		}
	}
	return out
}
