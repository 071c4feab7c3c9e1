package resolve

import (
	"slices"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/hostname"
)

// wildcard marks the type of an identifier of type domain that began with "*.". Its
// value is what follows.
const wildcard = 1 << 31

// website is the type of property whose domains stand for more hosts than they name.
const website = "website"

// manyProperties is the number of properties from which on it takes too long to look
// at all of them when a question names none.
const manyProperties = 32

// writeProperties stores the properties, and the tables by which they are found. The
// strings of a property lie side by side, because a question often needs several.
func (c *compiler) writeProperties(b *layout) {
	c.expectProperties()
	b.properties = uint32(len(c.words))
	c.words = extend(c.words, len(c.found)*propertyWidth)
	for n := range c.found {
		p := &c.found[n]
		if n == int(c.counts[p.owner]) {
			c.writeOwner(p.owner)
		}
		record := [propertyWidth]uint32{propertyInline: p.inline, propertyType: c.typeNumber(p.property.Type)}
		record[propertyID], record[propertyIDLen] = c.put(p.property.ID)
		hash := hashOf(p.property.ID)
		if p.property.ID != "" {
			c.idRows = append(c.idRows, row{mix(hash, uint64(c.counts[p.owner])), [5]uint32{uint32(n)}})
		}
		c.propertyKeys(p.property, hash)
		if p.inline == none {
			c.rememberPairs(p.owner)
		}
		at := b.properties + uint32(n)*propertyWidth
		if len(c.keys) <= fewPropertyKeys {
			few := compact(c.keys)
			record[propertyKeys], record[propertyKeyLen] = at+propertyFew, uint32(len(few))
			copy(record[propertyFew:], few)
		} else {
			record[propertyKeys], record[propertyKeyLen] = c.list(c.keys)
		}
		copy(c.words[at:], record[:])
		if c.writeIdentifiers(uint32(n), p) {
			b.wildcards = 1
		}
	}
	c.words, b.ids = addTable(c.words, c.idRows, idCells)
	c.words, b.identifiers = addTable(c.words, c.rows, identifierCells)
	c.words, b.owners = addTable(c.words, c.ownerRows, ownerCells)
	c.words, b.pairs = addTable(c.words, c.pairs, pairCells)
	b.types = uint32(len(c.words))
	for _, name := range c.types.names {
		at, n := c.put(name)
		c.words = append(c.words, at, n)
	}
}

// expectProperties makes room for about what the properties will take, because
// growing step by step costs more than all the rest.
func (c *compiler) expectProperties() {
	const identifiers = 2 // of a property, more or less
	n := len(c.found)
	c.words = slices.Grow(c.words, n*(propertyWidth+idCells+2+ownerCells+2+identifiers*(identifierCells+2)))
	c.text = slices.Grow(c.text, n*(1+identifiers)*24)
	c.idRows = slices.Grow(c.idRows[:0], n)
	c.ownerRows = slices.Grow(c.ownerRows[:0], len(c.owners.names))
	c.rows = slices.Grow(c.rows[:0], n*identifiers)
}

// typeNumber numbers a type. Neighbours tend to have the same.
func (c *compiler) typeNumber(s string) uint32 {
	if c.lastType != none && c.types.names[c.lastType] == s {
		return c.lastType
	}
	c.lastType = c.types.add(s, hashOf(s))
	return c.lastType
}

// propertyKeys leaves in keys what a property is selected by somewhere in the file.
func (c *compiler) propertyKeys(p *adagents.Property, idHash uint64) {
	c.keys = c.keys[:0]
	if n := c.ids.find(p.ID, idHash); n != none {
		c.keys = append(c.keys, n<<1|idKey)
	}
	for _, tag := range p.Tags {
		if n := c.tags.find(tag, hashOf(tag)); n != none {
			c.keys = append(c.keys, n<<1|tagKey)
		}
	}
}

// rememberPairs notes the keys under an owner with many properties, each once.
func (c *compiler) rememberPairs(owner uint32) {
	first := c.counts[owner]
	if c.counts[owner+1]-first < manyProperties {
		return
	}
	for _, key := range c.keys {
		if int(key) >= len(c.seen) {
			c.seen = append(c.seen, make([]uint32, int(key)+1-len(c.seen))...)
		}
		if c.seen[key] != first+1 {
			c.seen[key] = first + 1
			c.pairs = append(c.pairs, row{pairHash(first, key), [5]uint32{first, key}})
		}
	}
}

// pairHash is about the owner whose first property is given.
func pairHash(first, key uint32) uint64 { return mix(uint64(key)+1, uint64(first)+1) }

func (c *compiler) writeOwner(n uint32) {
	r := row{hash: c.owners.hashes[n], cell: [5]uint32{2: c.counts[n], 3: c.counts[n+1]}}
	r.cell[0], r.cell[1] = c.put(c.owners.names[n])
	c.ownerRows = append(c.ownerRows, r)
}

// writeIdentifiers notes the identifiers of a property, and reports whether one of
// them is a wildcard.
func (c *compiler) writeIdentifiers(n uint32, p *foundProperty) bool {
	wild := false
	for i := range p.property.Identifiers {
		id := &p.property.Identifiers[i]
		value, mark, ok := lookupForm(p.property, id, &c.hosts)
		if !ok {
			continue
		}
		wild = wild || mark == wildcard
		r := row{hash: identifierHash(value, mark, c.counts[p.owner])}
		r.cell[0], r.cell[3] = n, c.typeNumber(id.Type)|mark
		r.cell[1], r.cell[2] = c.putAgain(value, p.owner)
		c.rows = append(c.rows, r)
	}
	return wild
}

// putAgain stores a string that is often the name of the owner, which is there.
func (c *compiler) putAgain(s string, owner uint32) (uint32, uint32) {
	name := c.ownerRows[owner].cell
	if c.owners.names[owner] == s {
		return name[0], name[1]
	}
	return c.put(s)
}

// identifierHash is about a property of the owner whose first property is given: a
// network's publishers may well share identifiers. The type is left out, as one value
// seldom has two.
func identifierHash(value string, mark, first uint32) uint64 {
	return mix(hashOf(value), uint64(mark|first))
}

// lookupForm returns the value of an identifier in the form in which it is looked up
// and its mark, and false for one that matches nothing.
func lookupForm(p *adagents.Property, id *adagents.Identifier, hosts *hostname.Memo) (string, uint32, bool) {
	var err error
	value := id.Value
	switch id.Type {
	case "domain":
		base, wild := strings.CutPrefix(value, "*.")
		value, _, err = hosts.Canonical(base)
		if wild {
			return value, wildcard, err == nil && p.Type == website && !hostname.WildcardTooBroad(value)
		}
	case "subdomain":
		value, _, err = hosts.Canonical(value)
	case "rss_url":
		value, _, err = hosts.CanonicalURL(value)
	}
	return value, 0, err == nil
}
