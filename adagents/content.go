package adagents

import (
	"hash/maphash"
	"maps"
	"math/bits"
	"slices"

	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/jsontree"
	"github.com/avow-project/avow/internal/std/spell"
)

// content is what a rule may know besides the entry it looks at: the file with its
// indexes, and the circumstances of the check.
type content struct {
	opt    Options
	home   string // registrable domain the file is served for
	tree   *jsontree.Tree
	dec    decoder
	file   *File
	index  index
	agents agentState
	// byDomain says that the findings depend on Options.Domain.
	byDomain bool
}

// index holds what the sections of a file need to know of each other. Entries
// are found by their first occurrence: of duplicates the first one is used.
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

// idTable finds the file's properties by property_id; of several with one id,
// the first. With a map in its place a check of 60,000 properties took 30 ms more
// CPU time, on a busy machine, and 2 MB more memory: the hashes are at hand from
// decoding, and the strings need not be held again.
type idTable struct {
	list   []Property
	seed   maphash.Seed
	slots  []idSlot // a power of two
	repeat bool     // some id occurs twice
}

type idSlot struct {
	hash  uint32
	index uint32 // one more than that of the property; zero marks a free slot
}

func newIDTable(list []Property, d *decoder) idTable {
	t := idTable{list: list, seed: d.seed, slots: make([]idSlot, 1<<bits.Len(uint(2*len(list))))}
	for i := range d.fastpaths.each {
		if seen := &d.fastpaths.each[i]; seen.named && !t.add(i, seen.id) {
			t.repeat = true
			d.fastpaths.recount(i, &list[i])
		}
	}
	return t
}

// add enters a property unless there is one with its id. The ids are compared
// only when the hash is not new, which is seldom.
func (t *idTable) add(i int, hash uint32) bool {
	mask := uint32(len(t.slots) - 1)
	for k := hash & mask; ; k = (k + 1) & mask {
		s := &t.slots[k]
		if s.index == 0 {
			*s = idSlot{hash, uint32(i) + 1}
			return true
		}
		if s.hash == hash && t.list[s.index-1].ID == t.list[i].ID {
			return false
		}
	}
}

// get returns the index of the first property with an id.
func (t *idTable) get(id string) (int, bool) {
	if id == "" || len(t.list) == 0 {
		return 0, false
	}
	hash := uint32(maphash.String(t.seed, id) >> 32)
	mask := uint32(len(t.slots) - 1)
	for k := hash & mask; t.slots[k].index != 0; k = (k + 1) & mask {
		if s := &t.slots[k]; s.hash == hash && t.list[s.index-1].ID == id {
			return int(s.index) - 1, true
		}
	}
	return 0, false
}

// ids returns the ids, for suggestions.
func (t *idTable) ids() []string {
	var ids []string
	for i := range t.list {
		if t.list[i].ID != "" {
			ids = append(ids, t.list[i].ID)
		}
	}
	return ids
}
