package adagents

import "github.com/avow-project/avow/internal/std/hostname"

// index holds what the sections of a file need to know of each other. Entries
// are found by their first occurrence: of duplicates the first one counts.
type index struct {
	properties  idTable        // by property_id, usable or not
	propertyTag map[string]int // usable properties carrying the tag
	collections map[string]int
	formats     map[string]int // by format_option_id
	format      formatIndex
	placements  map[string]int
	placeTag    map[string]int // usable placements carrying the tag
	signals     map[string]int
	signalTag   map[string]int // usable signals carrying the tag
	signal      signalIndex
	place       placementIndex
	revoked     map[string]int   // canonical domain to revocation
	stillNamed  map[int]string   // see revokedReferences
	scoped      map[scopedID]int // later properties whose id another publisher used first
	identifiers identifierTable  // those of the top-level properties
	suggestions suggestions
	hosts       hostname.Memo // canonical forms of domains
}

func first(m map[string]int, key string, i int) {
	if key == "" {
		return
	}
	if _, ok := m[key]; !ok {
		m[key] = i
	}
}

// indexFor makes a map for the entries of a list, and none for an empty one: most files
// lack most sections.
func indexFor[T any](list []T) map[string]int {
	if len(list) == 0 {
		return nil
	}
	return make(map[string]int, len(list))
}

// addPropertyTags comes after the properties are checked, when it is known
// which of them are usable. Tags of plain ones were counted at a fastpath.
func (x *index) addPropertyTags(list []Property, g *fastpaths) {
	for i := range list {
		if g.each[i].plain || list[i].effect.gone() {
			continue
		}
		for _, tag := range list[i].Tags {
			g.tags[tag]++
		}
	}
	x.propertyTag = g.tags
}

func (x *index) addRevocations(list []Revocation) {
	x.revoked = indexFor(list)
	for i := range list {
		for _, text := range list[i].Domains() {
			domain, _, err := x.hosts.Canonical(text)
			if err == nil {
				first(x.revoked, domain, i)
			}
		}
	}
}

func (x *index) addCollections(list []Collection) {
	x.collections = indexFor(list)
	for i := range list {
		first(x.collections, list[i].ID, i)
	}
}

func (x *index) addFormats(list []FormatDeclaration) {
	x.formats = indexFor(list)
	for i := range list {
		first(x.formats, list[i].OptionID, i)
	}
}

func (x *index) addPlacements(list []Placement) {
	x.placements = indexFor(list)
	for i := range list {
		first(x.placements, list[i].ID, i)
	}
}

// addPlacementTags comes after the placements are checked, when it is known which of
// them are usable.
func (x *index) addPlacementTags(list []Placement) {
	x.placeTag = indexFor(list)
	for i := range list {
		if list[i].effect.gone() {
			continue
		}
		for _, tag := range list[i].Tags {
			x.placeTag[tag]++
		}
	}
}

func (x *index) addSignals(list []Signal) {
	x.signals, x.signalTag = indexFor(list), indexFor(list)
	for i := range list {
		first(x.signals, list[i].ID, i)
		if list[i].effect.gone() {
			continue
		}
		for _, tag := range list[i].Tags {
			x.signalTag[tag]++
		}
	}
}
