package adagents

import (
	"maps"
	"slices"
	"strings"

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

// maxHints bounds the suggestions made for one file. Nobody reads more, and a
// file with a hundred thousand wrong ids must not cost a search for each.
const maxHints = 1000

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
	if s.given > maxHints {
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

// suggest proposes the known value nearest to s, or lists a short set.
func suggest(s string, known []string) string {
	hint := ""
	if len(s) <= spell.MaxLength {
		hint = didYouMean(strings.ToLower(s), known)
	}
	if hint == "" && len(known) <= 8 {
		return "known values: " + listed(known)
	}
	return hint
}

// knownMembers is suggest for the names of members.
func knownMembers(name string, known []string) string {
	return strings.Replace(suggest(name, known), "known values", "known members", 1)
}

// listed joins a few values of an enumeration, or of the file, for a message.
func listed(values []string) string {
	short := make([]string, len(values))
	for i, v := range values {
		short[i] = strings.Trim(quote(v), `"`)
	}
	return strings.Join(short, ", ")
}

// didYouMean proposes the known value nearest to s, or nothing.
func didYouMean(s string, known []string) string {
	near, ok := spell.Nearest(s, known, spell.MaxDistance)
	if !ok {
		return ""
	}
	return "did you mean " + quote(near) + "?"
}

// suggestWith proposes the value a known alias stands for, or the nearest one.
func suggestWith(aliases map[string]string, s string, known []string) string {
	if to, ok := aliases[strings.ToLower(strings.TrimSpace(s))]; ok {
		return "did you mean " + quote(to) + "?"
	}
	return suggest(s, known)
}
