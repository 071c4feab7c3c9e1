package resolve

import "unsafe"

// A block is a usable file in compiled form: a header, fixed-width records, lists and
// tables in one slice of words, and the strings they refer to behind them. It refers
// to nothing of the file it was made from. A small file is in one place as a whole,
// because with many of them it is the way to memory that takes the time.
type block struct {
	words []uint32
	text  string // within the memory of words
}

// A layout says where the parts of a block are. It is the header of the block, too,
// in the order of the fields.
type layout struct {
	owners      table
	agents      table
	ids         table // property_id with owner
	identifiers table
	placements  table
	collections table
	pairs       table // of owner and key, for owners with many properties
	revoked     table // domains

	// Where arrays of records begin.
	properties   uint32
	entries      uint32
	placed       uint32 // placements
	taggedPlaced uint32 // placements with each placement tag, by number: place and length
	programs     uint32 // collections that entries name: domain, and number of the id
	types        uint32 // types of identifiers and of properties, as places in text
	urls         uint32 // canonical URL of each agent, as places in text

	entryCount uint32
	wildcards  uint32 // not 0 if some identifier begins with "*."
}

// The words of the header.
const (
	ownersTable = iota
	agentsTable
	idsTable
	identifiersTable
	placementsTable
	collectionsTable
	pairsTable
	revokedTable
	propertiesAt
	entriesAt
	placedAt
	taggedAt
	programsAt
	typesAt
	urlsAt
	entryCount
	hasWildcards
	headerWidth
)

// header returns the header of a block.
func (l *layout) header() [headerWidth]uint32 {
	return [headerWidth]uint32{
		uint32(l.owners), uint32(l.agents), uint32(l.ids), uint32(l.identifiers),
		uint32(l.placements), uint32(l.collections), uint32(l.pairs), uint32(l.revoked),
		l.properties, l.entries, l.placed, l.taggedPlaced, l.programs, l.types, l.urls,
		l.entryCount, l.wildcards,
	}
}

// newBlock puts words, of which the first are left for the header, and text together.
func newBlock(l *layout, words []uint32, text []byte) block {
	all := make([]uint32, len(words)+(len(text)+3)/4+1)
	copy(all, words)
	header := l.header()
	copy(all, header[:])
	tail := unsafe.Slice((*byte)(unsafe.Pointer(&all[len(words)])), len(text))
	copy(tail, text)
	// Nobody writes to it from now on.
	return block{words: all[:len(words):len(words)], text: unsafe.String(unsafe.SliceData(tail), len(text))}
}

// smallBlock is the number of words up to which a block is touched as a whole.
const smallBlock = 256

// touch reads something of every cache line of a small block and returns a sum that
// means nothing. In an index of many files hardly any of them is in the cache, and
// the processor fetches lines that do not depend on each other at the same time;
// one by one, as the questions lead to them, they take several times as long.
func (b *block) touch() uint32 {
	const line = 16
	sum := uint32(0)
	if len(b.words) <= smallBlock {
		for i := line; i < len(b.words); i += line {
			sum += b.words[i]
		}
		for i := 0; i < len(b.text); i += 4 * line {
			sum += uint32(b.text[i])
		}
	}
	return sum
}

// bucket returns the rows of a table that may have a hash.
func (b *block) bucket(t int, hash uint64) []uint32 { return table(b.words[t]).bucket(b.words, hash) }

// A key stands for a property_id or a tag, so that everything that selects
// properties by either is a sorted list of keys.
const (
	idKey  = 0
	tagKey = 1
)

// The cells of a row of each table, after the hash.
const (
	ownerCells      = 4 // name, first and last property
	agentCells      = 4 // URL, first and last entry
	idCells         = 1 // property
	identifierCells = 4 // property, value, type
	placementCells  = 3 // id, number
	collectionCells = 5 // domain, id, number
	pairCells       = 2 // first property of the owner, key
	revokedCells    = 2 // domain
)

// The words of a property.
const (
	propertyID     = iota // place and length in text
	propertyIDLen         //
	propertyKeys          // place and length in words
	propertyKeyLen        //
	propertyInline        // the entry it belongs to, or none
	propertyType          // its number in types
	propertyFew           // the keys, if there are few
	propertyWidth  = propertyFew + fewPropertyKeys
)

// fewPropertyKeys is the number of keys that a property has room for, so that most
// properties are in one place.
const fewPropertyKeys = 5

// The words of a placement.
const (
	placedID       = iota // its number
	placedTags            // place and length in words
	placedTagLen          //
	placedKeys            // of the properties it runs on
	placedKeyLen          //
	placedPrograms        // numbers of the ids of its collections
	placedProgLen         //
	placedWidth
)

// programWidth is that of a collection that entries name.
const programWidth = 3

// The words of an entry.
const (
	entryNumber      = iota // in authorized_agents as written
	entryFlags              //
	entryScope              // keys, or pairs of owner and selector
	entryScopeLen           //
	entryCountries          // as two letters in one word
	entryCountryLen         //
	entryPlacements         // numbers of placements
	entryPlaceLen           //
	entryTags               // of placements
	entryTagLen             //
	entryCollections        // numbers of collections
	entryCollLen            //
	entryFrom               // seconds, two words
	_                       //
	entryUntil              // seconds, two words
	_                       //
	entryAgent              // its number in urls
	entryWidth
)

// The flags of an entry. The lowest bits say how it selects properties.
const (
	byKeys         = 0
	byInline       = 1
	bySelectors    = 2
	scopeMask      = 3
	flagExclusive  = 1 << 2
	flagCountries  = 1 << 3
	flagPlaceIDs   = 1 << 4
	flagPlaceTags  = 1 << 5
	flagCollection = 1 << 6
	flagFrom       = 1 << 7
	flagUntil      = 1 << 8
	flagNever      = 1 << 9 // a qualifier cannot be read, so the entry covers nothing
)

// A selector is a pair of words: place and length of its keys. This length stands
// for every property of the publisher.
const allKeys = none

func (b *block) str(cells []uint32) string { return b.text[cells[0] : cells[0]+cells[1]] }

func (b *block) list(place []uint32) []uint32 { return b.words[place[0] : place[0]+place[1]] }

func (b *block) property(n uint32) []uint32 {
	at := b.words[propertiesAt] + n*propertyWidth
	return b.words[at : at+propertyWidth : at+propertyWidth]
}

func (b *block) entry(n uint32) []uint32 {
	at := b.words[entriesAt] + n*entryWidth
	return b.words[at : at+entryWidth : at+entryWidth]
}

// url returns the agent of an entry.
func (b *block) url(entry []uint32) string {
	return b.str(b.words[b.words[urlsAt]+2*entry[entryAgent]:])
}

// A span is a range of properties or entries.
type span struct{ from, to uint32 }

// owner returns the properties of a publisher, and its name as kept in the block;
// "" when it has no properties.
func (b *block) owner(domain string, hash uint64) (span, string) {
	const width = ownerCells + 1
	tag := uint32(hash)
	for rows := b.bucket(ownersTable, hash); len(rows) >= width; rows = rows[width:] {
		if rows[0] == tag && b.str(rows[1:]) == domain {
			return span{rows[3], rows[4]}, b.str(rows[1:])
		}
	}
	return span{}, ""
}

// revokes reports whether the file takes a publisher out.
func (b *block) revokes(domain string, hash uint64) bool {
	const width = revokedCells + 1
	tag := uint32(hash)
	for rows := b.bucket(revokedTable, hash); len(rows) >= width; rows = rows[width:] {
		if rows[0] == tag && b.str(rows[1:]) == domain {
			return true
		}
	}
	return false
}

// agent returns the entries of an agent, and whether the file lists it at all.
func (b *block) agent(url string, hash uint64) (span, bool) {
	const width = agentCells + 1
	tag := uint32(hash)
	for rows := b.bucket(agentsTable, hash); len(rows) >= width; rows = rows[width:] {
		if rows[0] == tag && b.str(rows[1:]) == url {
			return span{rows[3], rows[4]}, true
		}
	}
	return span{}, false
}

// placement returns a placement, or nil.
func (b *block) placement(id string) []uint32 {
	const width = placementCells + 1
	hash := hashOf(id)
	tag := uint32(hash)
	for rows := b.bucket(placementsTable, hash); len(rows) >= width; rows = rows[width:] {
		if rows[0] == tag && b.str(rows[1:]) == id {
			return b.place(rows[3])
		}
	}
	return nil
}

func (b *block) place(n uint32) []uint32 {
	at := b.words[placedAt] + n*placedWidth
	return b.words[at : at+placedWidth : at+placedWidth]
}

// collection returns the number of a collection that some entry names, or none.
func (b *block) collection(domain, id string) uint32 {
	const width = collectionCells + 1
	hash := mix(hashOf(id), hashOf(domain))
	tag := uint32(hash)
	for rows := b.bucket(collectionsTable, hash); len(rows) >= width; rows = rows[width:] {
		if rows[0] == tag && b.str(rows[1:]) == domain && b.str(rows[3:]) == id {
			return rows[5]
		}
	}
	return none
}

// typeName returns a type of identifiers or properties.
func (b *block) typeName(n uint32) string { return b.str(b.words[b.words[typesAt]+2*n:]) }

// seconds joins the two words of a time.
func seconds(words []uint32) int64 {
	return int64(uint64(words[0]) | uint64(words[1])<<32)
}
