package resolve

import (
	"slices"

	"github.com/avow-project/avow/adagents"
)

// manyEntries is the number of entries from which on it is quicker to look up what
// they select than to go through the properties for each of them.
const manyEntries = 8

// A lookup finds properties of a list by id and by tag. Its tables are made when they
// are needed.
type lookup struct {
	list      []*adagents.Property
	ids, tags map[string][]uint32
	// searches counts what was asked so far.
	searches int
}

// find returns the properties that have one of the ids or of the tags, in their order.
func (b *budget) find(l *lookup, ids, tags []string) []*adagents.Property {
	l.searches++
	if l.searches <= manyEntries {
		return b.scan(l.list, ids, tags)
	}
	var at []uint32
	if len(ids) > 0 {
		at = b.collect(at, b.idTable(l), ids)
	}
	if len(tags) > 0 {
		at = b.collect(at, b.tagTable(l), tags)
	}
	slices.Sort(at)
	at = slices.Compact(at)
	out := make([]*adagents.Property, len(at))
	for i, n := range at {
		out[i] = l.list[n]
	}
	return out
}

// scan is find without tables.
func (b *budget) scan(list []*adagents.Property, ids, tags []string) []*adagents.Property {
	cost := 1 + len(list) + len(ids) + len(tags)
	if len(tags) > 0 {
		cost += costLookup * tagsOf(list)
	}
	if !b.spend(cost) {
		return nil
	}
	byID, byTag := hasID(ids), hasTag(tags)
	return where(list, func(p *adagents.Property) bool { return byID(p) || len(tags) > 0 && byTag(p) })
}

func (b *budget) collect(at []uint32, table map[string][]uint32, names []string) []uint32 {
	for _, name := range names {
		found := table[name]
		if !b.spend(costLookup + len(found)) {
			return nil
		}
		if name != "" {
			at = append(at, found...)
		}
	}
	return at
}

func (b *budget) idTable(l *lookup) map[string][]uint32 {
	if l.ids != nil || !b.spend(costStored*len(l.list)) {
		return l.ids
	}
	l.ids = make(map[string][]uint32, len(l.list))
	for i, p := range l.list {
		l.ids[p.ID] = append(l.ids[p.ID], uint32(i))
	}
	return l.ids
}

func (b *budget) tagTable(l *lookup) map[string][]uint32 {
	if l.tags != nil || !b.spend(costStored*tagsOf(l.list)) {
		return l.tags
	}
	l.tags = make(map[string][]uint32)
	for i, p := range l.list {
		for _, tag := range p.Tags {
			l.tags[tag] = append(l.tags[tag], uint32(i))
		}
	}
	return l.tags
}
