package resolve

import (
	"maps"
	"slices"

	"github.com/avow-project/avow/adagents"
)

// writePlacements stores the placements, and how they are found: by id, and for
// entries limited to a tag by its number. A placement has the number of its id,
// which is declared once in a usable file; a second declaration would be left out.
// Those that are left out have numbers too, and run nowhere.
func (c *compiler) writePlacements(b *layout) {
	list, left := c.file.Placements, placementsLeftOut(c.file)
	if left.any.Exists() {
		b.doubtful = 1
	}
	b.placed = uint32(len(c.words))
	c.placed = b.placed
	c.words = extend(c.words, (len(list)+len(left.ids))*placedWidth)
	for i := range list {
		n := c.placeIDs.add(list[i].ID, hashOf(list[i].ID))
		if int(n) == len(c.placeIDs.names)-1 {
			record := c.placedRecord(&list[i])
			record[placedID] = n
			copy(c.words[b.placed+n*placedWidth:], record[:])
		}
	}
	for _, id := range slices.Sorted(maps.Keys(left.ids)) {
		if c.placeIDs.find(id, hashOf(id)) == none { // and not a second declaration
			n := c.placeIDs.add(id, hashOf(id))
			c.words[b.placed+n*placedWidth+placedID] = n | placedLeftOut
		}
	}
	c.writePlacementIDs(b)
	c.writeTagged(b)
}

func (c *compiler) placedRecord(p *adagents.Placement) [placedWidth]uint32 {
	var record [placedWidth]uint32
	record[placedKeys], record[placedKeyLen] = c.keysOf(p.PropertyIDs, p.PropertyTags)
	c.keys = c.keys[:0]
	for _, tag := range p.Tags {
		if tag != "" {
			c.keys = append(c.keys, c.placeTags.add(tag, hashOf(tag)))
		}
	}
	record[placedTags], record[placedTagLen] = c.list(c.keys)
	c.keys = c.keys[:0]
	for _, id := range p.CollectionIDs {
		c.keys = append(c.keys, c.programIDs.add(id, hashOf(id)))
	}
	if unreadable(p.CollectionIDs, p.Raw, "collection_ids") {
		c.keys = append(c.keys, c.programIDs.add("", hashOf(""))) // which no collection has
	}
	record[placedPrograms], record[placedProgLen] = c.list(c.keys)
	return record
}

func (c *compiler) writePlacementIDs(b *layout) {
	rows := c.rows[:0]
	for n, id := range c.placeIDs.names {
		r := row{hash: nameHash(id, len(c.placeIDs.names)), cell: [5]uint32{2: uint32(n)}}
		r.cell[0], r.cell[1] = c.put(id)
		copy(c.words[int(b.placed)+n*placedWidth+placedName:], r.cell[:2])
		rows = append(rows, r)
	}
	b.placements = c.table(rows, placementCells)
	c.rows = rows
}

// writeTagged stores the placements with each tag.
func (c *compiler) writeTagged(b *layout) {
	tags := len(c.placeTags.names)
	b.taggedPlaced = uint32(len(c.words))
	c.words = extend(c.words, 2*tags)
	places := c.words[b.taggedPlaced:]
	placed := func(n int) []uint32 { return c.words[int(b.placed)+n*placedWidth:] }
	total := uint32(0)
	for n := range len(c.placeIDs.names) {
		for _, tag := range c.words[placed(n)[placedTags]:][:placed(n)[placedTagLen]] {
			places[2*tag+1]++
			total++
		}
	}
	at := uint32(len(c.words))
	c.words = extend(c.words, int(total))
	places = c.words[b.taggedPlaced:]
	for tag := range tags {
		places[2*tag] = at
		at += places[2*tag+1]
		places[2*tag+1] = 0
	}
	for n := range len(c.placeIDs.names) {
		for _, tag := range c.words[placed(n)[placedTags]:][:placed(n)[placedTagLen]] {
			c.words[places[2*tag]+places[2*tag+1]] = uint32(n)
			places[2*tag+1]++
		}
	}
}
