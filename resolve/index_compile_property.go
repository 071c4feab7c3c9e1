package resolve

import (
	"slices"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/hostname"
)

// wildcard marks the type of an identifier of type domain that began with "*.". Its
// value is what follows.
const wildcard = 1 << 31

// website is the type of property whose domains stand for more hosts than they name,
// and domainName that of such identifiers.
const (
	domainName = "domain"
	website    = "website"

	domainType  = 0
	websiteType = 1
)

// knownTypes have the same number in every block, and need no place in any.
var knownTypes = slices.Concat([]string{domainName, website}, model.PropertyTypes, model.IdentifierTypes)

// typeNumbers has the numbers of knownTypes.
var typeNumbers = func() map[string]uint32 {
	numbers := make(map[string]uint32, len(knownTypes))
	for n, name := range slices.Backward(knownTypes) {
		numbers[name] = uint32(n) // the first of two
	}
	return numbers
}()

// manyProperties is the number of properties from which on it takes too long to look
// at all of them when a question names none.
const manyProperties = 32

// An owner with at most so many properties and identifiers is not in the tables:
// looking at all of them takes no longer than a table, and is done in one place.
const (
	fewProperties  = 8
	fewIdentifiers = 24
)

// wideProperty is the number of identifiers from which on a property is not looked
// through for one of them.
const wideProperty = 16

// writeProperties stores the properties in groups, one for each owner, and the tables
// by which they are found.
func (c *compiler) writeProperties(b *layout) {
	c.expectProperties()
	b.groups = uint32(len(c.words))
	if c.writeGroups() {
		b.wildcards = 1
	}
	b.groupsEnd = uint32(len(c.words))
	c.hashRows()
	b.ids = c.table(c.idRows, idCells)
	b.identifiers = c.table(c.rows, identifierCells)
	b.owners = c.table(c.ownerRows, ownerCells)
	b.pairs = c.table(c.pairs, pairCells)
	var places []uint32
	for _, name := range c.types.names {
		at, n := c.put(name)
		places = append(places, at, n)
	}
	b.types = uint32(len(c.words))
	c.words = append(c.words, places...)
}

// writeOwners stores some of the owners. It reports whether a wildcard of one of them
// went into the tables.
func (c *compiler) writeOwners(from, to int) bool {
	wild := false
	for n := from; n < to; n++ {
		list := c.found[c.counts[n]:c.counts[n+1]]
		if len(list) > 0 && c.writeGroup(uint32(n), list) {
			wild = true
		}
	}
	return wild
}

// hashRows makes the owner a part of the hashes, now that its place is known.
func (c *compiler) hashRows() {
	for i := range c.idRows {
		r := &c.idRows[i]
		r.hash = mix(r.hash, uint64(r.cell[1]))
	}
	for i := range c.rows {
		r := &c.rows[i]
		r.hash = mix(r.hash, uint64(r.cell[3]&wildcard|r.cell[4]))
	}
	for i := range c.pairs {
		r := &c.pairs[i]
		r.hash = pairHash(r.cell[0], r.cell[1])
	}
}

// expectProperties makes room for about what the properties will take, because
// growing step by step costs more than all the rest.
func (c *compiler) expectProperties() {
	const words = 44 // of a property, its strings and its owner, more or less
	if need := len(c.words) + len(c.found)*words; cap(c.words) < need {
		c.words = append(make([]uint32, 0, need), c.words...)
		advise(c.slabs.advise, c.words)
	}
	c.ownerRows = slices.Grow(c.ownerRows[:0], len(c.owners.names))
	c.rows, c.idRows = c.rows[:0], c.idRows[:0]
}

// writeGroup stores an owner with its properties. It reports whether a wildcard among
// them went into the tables.
func (c *compiler) writeGroup(owner uint32, list []foundProperty) bool {
	at := uint32(len(c.words))
	name := c.owners.names[owner]
	kind := groupKindOf(list)
	c.words = append(c.words, 0, uint32(len(name)), 0, uint32(len(list)), kind)
	c.put(name)
	c.words[at+groupReach] = c.writeReach(owner)
	first := uint32(len(c.words))
	c.ownerRows = append(c.ownerRows, row{c.owners.hashes[owner], [5]uint32{at}})
	wild := false
	for i := range list {
		p := &list[i]
		idHash := hashOf(p.property.ID)
		c.propertyKeys(p, idHash)
		if p.inline == none && len(list) >= manyProperties {
			c.rememberPairs(first)
		}
		c.writeProperty(p, name, 4*(at+groupWidth))
		if kind != groupFew {
			wild = c.tabulate(p, idHash, first) || wild
		}
	}
	c.words[at+groupEnd] = uint32(len(c.words))
	return wild
}

// groupKindOf says how the properties of an owner are to be found.
func groupKindOf(list []foundProperty) uint32 {
	identifiers, widest := 0, 0
	for i := range list {
		n := len(list[i].property.Identifiers)
		identifiers, widest = identifiers+n, max(widest, n)
	}
	switch {
	case widest > wideProperty:
		return groupWide
	case len(list) > fewProperties || identifiers > fewIdentifiers:
		return groupLarge
	}
	return groupFew
}

// writeProperty stores a property with the keys that were found for it. An identifier
// is often the name of the owner, which has a place.
func (c *compiler) writeProperty(p *foundProperty, owner string, name uint32) {
	at := uint32(len(c.words))
	p.at = at
	keys := compact(c.keys)
	c.words = append(c.words, 0, c.typeNumber(p.property.Type), p.inline, 0, 0, 0, uint32(len(keys)), 0)
	c.words[at+propertyID], c.words[at+propertyIDLen] = c.put(p.property.ID)
	c.words[at+propertyKeys] = uint32(len(c.words))
	c.words = append(c.words, keys...)
	list := uint32(len(c.words))
	c.words = extend(c.words, identifierWidth*len(p.property.Identifiers))
	n, last := uint32(0), ""
	for i := range p.property.Identifiers {
		id := &p.property.Identifiers[i]
		value, mark, ok := lookupForm(p.property, id, owner, &c.hosts)
		if !ok {
			continue
		}
		place, length := name, uint32(len(value))
		switch {
		case value == owner:
		case n > 0 && value == last: // an app often has the same name in all stores
			place = c.words[list+identifierWidth*(n-1)+identifierValue]
		default:
			place, length = c.put(value)
		}
		last = value
		to := c.words[list+identifierWidth*n:]
		to[identifierType], to[identifierValue], to[identifierValue+1] = c.typeNumber(id.Type)|mark, place, length
		n++
	}
	c.words[at+propertyIdentifiers] = n
	c.words[at+propertySize] = uint32(len(c.words)) - at
}

// tabulate puts a property of a large owner, whose first property is at the given place,
// into the tables. It reports whether an identifier is a wildcard.
func (c *compiler) tabulate(p *foundProperty, idHash uint64, owner uint32) bool {
	if p.property.ID != "" {
		c.idRows = append(c.idRows, row{idHash, [5]uint32{p.at, owner}})
	}
	wild, text := false, textOfWords(c.words)
	for list := (*property)(c.words[p.at:]).identifiers(c.words); len(list) > 0; list = list[identifierWidth:] {
		mark := list[identifierType] & wildcard
		wild = wild || mark != 0
		hash := hashOf(text[list[identifierValue]:][:list[identifierValue+1]])
		c.rows = append(c.rows, row{hash, [5]uint32{p.at, list[identifierValue], list[identifierValue+1], list[identifierType], owner}})
	}
	return wild
}

// A numberedType is a type with its number in the block.
type numberedType struct {
	name   string
	number uint32
}

// lastTypeAt returns where a type that is not empty is remembered. A file has few of
// them.
func lastTypeAt(s string) int { return (len(s) + int(s[len(s)-1])) & 15 }

// typeNumber numbers a type.
func (c *compiler) typeNumber(s string) uint32 {
	switch s {
	case domainName:
		return domainType
	case website:
		return websiteType
	case "":
		return c.newTypeNumber(s)
	}
	last := &c.lastTypes[lastTypeAt(s)]
	if last.name != s {
		*last = numberedType{s, c.newTypeNumber(s)}
	}
	return last.number
}

func (c *compiler) newTypeNumber(s string) uint32 {
	n, known := typeNumbers[s]
	if !known {
		n = uint32(len(knownTypes)) + c.types.add(s, hashOf(s))
	}
	return n
}

// propertyKeys leaves in keys what a property is selected by somewhere in the file.
// The id of one that an entry declares itself is nothing of the kind when the file has a
// property of that id: then that is the one a placement means.
func (c *compiler) propertyKeys(f *foundProperty, idHash uint64) {
	p := f.property
	c.keys = c.keys[:0]
	if n := c.ids.find(p.ID, idHash); n != none && (f.inline == none || !c.hasTop(p.ID)) {
		c.keys = append(c.keys, n|idKey)
	}
	for _, tag := range p.Tags {
		if n := c.tags.find(tag, hashOf(tag)); n != none {
			c.keys = append(c.keys, n|tagKey)
		}
	}
}

// hasTop reports whether a property at the top level of the file has an id.
func (c *compiler) hasTop(id string) bool {
	if c.top == nil {
		c.top = newTopLevel(c.file)
	}
	return c.top.has(id)
}

// rememberPairs notes the keys under an owner with many properties, each once.
func (c *compiler) rememberPairs(owner uint32) {
	for _, key := range c.keys {
		n := int(key&^tagKey)<<1 | int(key>>31)
		if n >= len(c.seen) {
			c.seen = extend(c.seen, n+1-len(c.seen))
		}
		if c.seen[n] != owner {
			c.seen[n] = owner
			c.pairs = append(c.pairs, row{0, [5]uint32{owner, key}})
		}
	}
}

// pairHash is about the owner whose first property is at the given place.
func pairHash(first, key uint32) uint64 { return mix(uint64(key)+1, uint64(first)+1) }

// identifierHash is about a property of the owner whose first property is at the given
// place: a network's publishers may well share identifiers. The type is left out, as one
// value seldom has two.
func identifierHash(value string, mark, first uint32) uint64 {
	return mix(hashOf(value), uint64(mark|first))
}

// lookupForm returns the value of an identifier in the form in which it is looked up
// and its mark, and false for one that matches nothing.
func lookupForm(p *adagents.Property, id *adagents.Identifier, owner string, hosts *hostname.Memo) (string, uint32, bool) {
	var err error
	value := id.Value
	if value == owner && id.Type != "rss_url" { // which is in canonical form
		return value, 0, true
	}
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
