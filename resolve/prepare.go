package resolve

import (
	"bytes"
	"slices"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/hostname"
)

// manyProperties is the number of properties of a publisher from which on they are found
// by tables, and not one after the other.
const manyProperties = 16

// A preparer makes the facts of one file.
type preparer struct {
	facts
	file    *adagents.File
	hosts   hostname.Memo
	revoked map[string]struct{}
	text    []byte
	recent  [64]recentName
	keys    keyNumbers
	// placementIDs and placementTags are the ids and tags of placements, programs the ids of their
	// collections.
	placementIDs, placementTags, programs numbering
	collections                           map[CollectionRef]uint32
	signalIDs, signalTagNumbers           numbering
	top                                   *topLevel
	found                                 []foundProperty
	list                                  []uint32 // of what is looked at
	targets                               []target
	rare                                  moreFacts
}

// recentName is a name that was stored of late: names often come several times.
type recentName struct {
	name string
	at   word
}

// A numbering gives names numbers in the order in which they come.
type numbering map[string]uint32

func (n numbering) add(name string) uint32 {
	at, ok := n[name]
	if !ok {
		at = uint32(len(n))
		n[name] = at
	}
	return at
}

// A foundProperty is a property with the publisher it names, "" for none.
type foundProperty struct {
	property *adagents.Property
	owner    string
	inline   uint32
	index    uint32
	number   uint32
}

// A target is a publisher that a selector of an entry names.
type target struct {
	publisher       string
	entry, selector uint32
}

// word stores a name.
func (p *preparer) word(s string) word {
	if s == "" {
		return word{}
	}
	last := &p.recent[(len(s)+int(s[len(s)-1])+7*int(s[len(s)/2]))&63]
	if last.name != s {
		*last = recentName{s, word{uint32(len(p.text)), uint32(len(s))}}
		p.text = append(p.text, s...)
	}
	return last.at
}

// compare compares two names that were stored.
func (p *preparer) compare(a, b word) int {
	return bytes.Compare(p.text[a.at:][:a.n], p.text[b.at:][:b.n])
}

// span stores numbers in order and without repetition.
func (p *preparer) span(list []uint32) span {
	if len(list) == 0 {
		return span{}
	}
	slices.Sort(list)
	return p.raw(slices.Compact(list))
}

// raw stores numbers as they are.
func (p *preparer) raw(list []uint32) span {
	at := uint32(len(p.nums))
	p.nums = append(p.nums, list...)
	return span{at, uint32(len(list))}
}

// A keyNumbers has the numbers of the ids and tags by which a file selects properties.
type keyNumbers struct{ ids, tags numbering }

// keysIn numbers the ids and tags by which a file selects properties. It is the same each
// time, so that a listing can find out about properties of other files.
func keysIn(f *adagents.File) keyNumbers {
	k := keyNumbers{numbering{}, numbering{}}
	for i := range f.Agents {
		s := f.Agents[i].Scope()
		k.addAll(s.PropertyIDs, s.PropertyTags)
		for n := range s.Selectors {
			k.addAll(s.Selectors[n].PropertyIDs, s.Selectors[n].PropertyTags)
		}
	}
	for i := range f.Placements {
		k.addAll(f.Placements[i].PropertyIDs, f.Placements[i].PropertyTags)
	}
	return k
}

// addAll numbers names. An empty one names nothing, even when a list has one.
func (k keyNumbers) addAll(ids, tags []string) {
	for _, id := range ids {
		if id != "" {
			k.ids.add(id)
		}
	}
	for _, tag := range tags {
		if tag != "" {
			k.tags.add(tag)
		}
	}
}

// of adds the keys of names to a list.
func (k keyNumbers) of(list []uint32, ids, tags []string) []uint32 {
	for _, id := range ids {
		list = k.withID(list, id)
	}
	for _, tag := range tags {
		if n, ok := k.tags[tag]; ok {
			list = append(list, n|tagKey)
		}
	}
	return list
}

func (k keyNumbers) withID(list []uint32, id string) []uint32 {
	if n, ok := k.ids[id]; ok {
		return append(list, n)
	}
	return list
}

func (p *preparer) keysOf(ids, tags []string) span {
	p.list = p.keys.of(p.list[:0], ids, tags)
	return p.span(p.list)
}

func (p *preparer) prepareRevoked() {
	for domain := range p.revoked {
		p.rare.revoked = append(p.rare.revoked, p.word(domain))
	}
	p.sortWords(p.rare.revoked)
}

func (p *preparer) prepareIgnored() {
	for _, listing := range p.file.IgnoredListings() {
		p.rare.ignored = append(p.rare.ignored, p.word(listing.URL))
	}
	p.sortWords(p.rare.ignored)
}

func (p *preparer) sortWords(list []word) {
	slices.SortFunc(list, p.compare)
}

// preparePlacements stores the placements, of several with an id the first. Those that
// are left out come too, and run nowhere.
func (p *preparer) preparePlacements() {
	left := placementsLeftOut(p.file)
	if left.any.Exists() {
		p.flags |= placementInDoubt
	}
	seen := make(map[string]struct{}, len(p.file.Placements)+len(left.ids))
	for i := range p.file.Placements {
		one := &p.file.Placements[i]
		if _, again := seen[one.ID]; again {
			continue
		}
		seen[one.ID] = struct{}{}
		p.placements = append(p.placements, p.placement(one, uint32(i)))
	}
	for id := range left.ids {
		if _, again := seen[id]; !again {
			p.placements = append(p.placements, placementFact{id: p.word(id), index: none, flags: leftOutPlacement})
		}
	}
	slices.SortFunc(p.placements, func(a, b placementFact) int { return p.compare(a.id, b.id) })
	for i := range p.placements {
		id := p.placements[i].id
		p.placementIDs[string(p.text[id.at:][:id.n])] = uint32(i)
	}
}

func (p *preparer) placement(one *adagents.Placement, index uint32) placementFact {
	fact := placementFact{id: p.word(one.ID), index: index, keys: p.keysOf(one.PropertyIDs, one.PropertyTags)}
	p.list = p.list[:0]
	for _, tag := range one.Tags {
		if tag != "" {
			p.list = append(p.list, p.placementTags.add(tag))
		}
	}
	fact.tags = p.span(p.list)
	p.list = p.list[:0]
	for _, id := range one.CollectionIDs {
		p.list = append(p.list, p.programs.add(id))
	}
	fact.programs = p.span(p.list)
	if unreadable(one.CollectionIDs, one.Raw, "collection_ids") {
		fact.flags |= unreadableList
	}
	return fact
}
