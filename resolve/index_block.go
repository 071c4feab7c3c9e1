package resolve

import "unsafe"

// A block is a usable file in compiled form: a header, groups of properties, records,
// lists, tables and strings in one slice of words. It refers to nothing of the file it
// was made from. What a question needs together lies side by side, because with many
// files, or large ones, it is the way to memory that takes the time.
type block struct{ first unsafe.Pointer }

// A layout says where the parts of a block are. It is the header of the block, too,
// in the order of the fields.
type layout struct {
	size uint32 // of the block, in words

	agents      table
	placements  table
	collections table
	ids         table // property_id with owner, of large owners
	identifiers table // of large owners
	pairs       table // of owner and key, for owners with many properties
	owners      table
	revoked     table // domains

	// Where arrays of records begin.
	entries      uint32
	types        uint32 // types of identifiers and of properties that are in no list, as places in text
	placed       uint32 // placements
	taggedPlaced uint32 // placements with each placement tag, by number: place and length
	programs     uint32 // collections that entries name: domain, and number of the id
	urls         uint32 // canonical URL of each agent, as places in text

	entryCount uint32
	groups     uint32 // where the properties begin
	groupsEnd  uint32
	wildcards  uint32 // not 0 if some identifier of a large owner begins with "*."
	doubtful   uint32 // not 0 if any placement that the file does not declare may be one that is left out
}

// The words of the header.
const (
	blockSize = iota
	agentsTable
	placementsTable
	collectionsTable
	idsTable
	identifiersTable
	pairsTable
	ownersTable
	revokedTable
	entriesAt
	typesAt
	placedAt
	taggedAt
	programsAt
	urlsAt
	entryCount
	groupsAt
	groupsEndAt
	hasWildcards
	doubtfulPlaces
	nothingAt // two words of zero
	_
	headerWidth
)

// header returns the header of a block.
func (l *layout) header() [headerWidth]uint32 {
	return [headerWidth]uint32{
		l.size, uint32(l.agents), uint32(l.placements), uint32(l.collections), uint32(l.ids),
		uint32(l.identifiers), uint32(l.pairs), uint32(l.owners), uint32(l.revoked),
		l.entries, l.types, l.placed, l.taggedPlaced, l.programs, l.urls,
		l.entryCount, l.groups, l.groupsEnd, l.wildcards, l.doubtful, 0, 0,
	}
}

// newBlock makes a block of words, of which the first are left for the header.
func newBlock(l *layout, words []uint32) block {
	l.size = uint32(len(words))
	header := l.header()
	copy(words, header[:])
	return blockAt(&words[0])
}

// blockAt returns the block that begins with a word. Nobody writes to it any more.
func blockAt(first *uint32) block { return block{unsafe.Pointer(first)} }

// bucket returns the rows of a table that may have a hash.
func (b block) bucket(t uint32, hash uint64) list {
	return b.rows(table(b.word(t)).bucket(hash))
}

// rows returns the rows of the bucket with a place in the directory of a table.
func (b block) rows(at uint32) list {
	ends := (*[2]uint32)(b.at(at, 2))
	return b.listAt(ends[0], ends[1]-ends[0])
}

// all returns every row of a table.
func (b block) all(t table) list {
	from, to := b.word(t.dir()), b.word(t.dir()+1<<t.log())
	return b.listAt(from, to-from)
}

// A key stands for a property_id or a tag, so that everything that selects
// properties by either is a sorted list of keys. Ids come before tags.
const (
	idKey  = 0
	tagKey = 1 << 31
)

// The cells of a row of each table, after the hash.
const (
	ownerCells      = 1 // group
	agentCells      = 4 // URL, first and last entry
	idCells         = 1 // property
	identifierCells = 4 // property, value, type
	placementCells  = 3 // id, number
	collectionCells = 5 // domain, id, number
	pairCells       = 2 // owner, key
	revokedCells    = 2 // domain
)

// The words of a group: an owner, followed by its name, the entries and selectors that
// name it, and its properties.
const (
	groupEnd     = iota // where its properties end
	groupNameLen        //
	groupReach          // number of selectors that name it; they follow the name
	groupCount          // of properties
	groupKind           // how its properties are found
	groupWidth
)

// The kinds of groups.
const (
	groupFew   = iota // one after the other
	groupLarge        // in tables
	groupWide         // in tables, and a property has many identifiers
)

// The words of a property. Its keys, its identifiers and strings follow. It is known
// by the place of its first word.
const (
	propertySize        = iota // of all of it
	propertyType               // its number in types
	propertyInline             // the entry it belongs to, or none
	propertyID                 // place and length in text
	propertyIDLen              //
	propertyKeys               // place and length in words
	propertyKeyLen             //
	propertyIdentifiers        // their number; they follow the keys
	propertyWidth
)

// The words of an identifier of a property.
const (
	identifierType  = iota // its number in types, and perhaps wildcard
	identifierValue        // place and length in text
	_                      //
	identifierWidth
)

// The words of a placement.
const (
	placedID       = iota // its number, and perhaps placedLeftOut
	placedTags            // place and length in words
	placedTagLen          //
	placedKeys            // of the properties it runs on
	placedKeyLen          //
	placedPrograms        // numbers of the ids of its collections
	placedProgLen         //
	placedName            // its id, as place and length in text
	_                     //
	placedWidth
)

// placedLeftOut marks a placement that is left out. It runs on no property.
const placedLeftOut = 1 << 31

// The words of a collection that entries name.
const (
	programDomain = iota // place and length in text
	_                    //
	programID            // place and length in text
	_                    //
	programNumber        // of the id, among those of placements
	programWidth
)

// The words of an entry.
const (
	entryNumber      = iota // in authorized_agents as written
	entryFlags              //
	entryScope              // keys, or properties
	entryScopeLen           //
	entryCountries          // as two letters in one word
	entryCountryLen         //
	entryPlacements         // numbers of placements
	entryPlaceLen           //
	entryTags               // of placements, unless there are ids
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
	byIDs          = 0
	byInline       = 1
	bySelectors    = 2
	byTags         = 3
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

// The records as the words they begin with: fixed lengths spare most comparisons of
// an index with one.
type (
	group    [groupWidth]uint32
	property [propertyWidth]uint32
	placed   [placedWidth]uint32
	program  [programWidth]uint32
	claimed  [entryWidth]uint32
)

// property returns the property at a place.
func (b block) property(at uint32) *property { return (*property)(b.at(at, propertyWidth)) }

// identifiers returns the identifiers of a property in a block that is being written.
func (p *property) identifiers(words []uint32) []uint32 {
	return words[p[propertyKeys]+p[propertyKeyLen]:][:identifierWidth*p[propertyIdentifiers]]
}

// identifiersOf returns the identifiers of a property.
func (b block) identifiersOf(p *property) list {
	return b.listAt(p[propertyKeys]+p[propertyKeyLen], identifierWidth*p[propertyIdentifiers])
}

func (b block) entry(n uint32) *claimed {
	return (*claimed)(b.at(b.word(entriesAt)+n*entryWidth, entryWidth))
}

// url returns the agent of an entry.
func (b block) url(r *claimed) string {
	place := (*[2]uint32)(b.at(b.word(urlsAt)+2*r[entryAgent], 2))
	return b.str(place[:])
}

// A span is a range of properties or entries.
type span struct{ from, to uint32 }

// owner returns the group of a publisher, or 0 when it has no properties.
func (b block) owner(domain string, hash uint64) uint32 {
	const width = ownerCells + 1
	tag := uint32(hash)
	for rows := b.bucket(ownersTable, hash); rows.n >= width; rows = rows.from(width) {
		if row := (*[width]uint32)(rows.first); row[0] == tag && b.groupName(row[1]) == domain {
			return row[1]
		}
	}
	return 0
}

// group returns the words that a group begins with.
func (b block) group(at uint32) *group { return (*group)(b.at(at, groupWidth)) }

// groupName returns the owner of a group.
func (b block) groupName(group uint32) string {
	return b.str([]uint32{4 * (group + groupWidth), b.group(group)[groupNameLen]})
}

// properties returns where the properties of the group at a place are.
func (g *group) properties(at uint32) span {
	return span{at + groupWidth + (g[groupNameLen]+3)/4 + 2*g[groupReach], g[groupEnd]}
}

// revokes reports whether the file takes a publisher out.
func (b block) revokes(domain string, hash uint64) bool {
	const width = revokedCells + 1
	tag := uint32(hash)
	for rows := b.bucket(revokedTable, hash); rows.n >= width; rows = rows.from(width) {
		if row := (*[width]uint32)(rows.first); row[0] == tag && b.is(row[1:], domain) {
			return true
		}
	}
	return false
}

// named returns the rows of a table that may have a name, and the tag they then have.
func (b block) named(t uint32, name string) (list, uint32) {
	rows := table(b.word(t))
	if rows.log() == 0 {
		return b.rows(rows.dir()), quickTag(name)
	}
	hash := hashOf(name)
	return b.rows(rows.bucket(hash)), uint32(hash)
}

// agent returns the entries of an agent, and whether the file lists it at all.
func (b block) agent(url string) (span, bool) {
	const width = agentCells + 1
	for rows, tag := b.named(agentsTable, url); rows.n >= width; rows = rows.from(width) {
		if row := (*[width]uint32)(rows.first); row[0] == tag && b.is(row[1:], url) {
			return span{row[3], row[4]}, true
		}
	}
	return span{}, false
}

// placement returns a placement, or nil.
func (b block) placement(id string) *placed {
	const width = placementCells + 1
	for rows, tag := b.named(placementsTable, id); rows.n >= width; rows = rows.from(width) {
		if row := (*[width]uint32)(rows.first); row[0] == tag && b.is(row[1:], id) {
			return b.place(row[3])
		}
	}
	return nil
}

func (b block) place(n uint32) *placed {
	return (*placed)(b.at(b.word(placedAt)+n*placedWidth, placedWidth))
}

// tagged returns the numbers of the placements with a tag.
func (b block) tagged(tag uint32) list {
	place := (*[2]uint32)(b.at(b.word(taggedAt)+2*tag, 2))
	return b.list(place[:])
}

// selector returns the selector whose place a word has.
func (b block) selector(at uint32) *[2]uint32 { return (*[2]uint32)(b.at(b.word(at), 2)) }

// program returns a collection that entries name.
func (b block) program(n uint32) *program {
	return (*program)(b.at(b.word(programsAt)+n*programWidth, programWidth))
}

// collection returns the number of a collection that some entry names, or none.
func (b block) collection(domain, id string) uint32 {
	const width = collectionCells + 1
	for rows, tag := b.programRows(domain, id); rows.n >= width; rows = rows.from(width) {
		row := (*[width]uint32)(rows.first)
		if row[0] == tag && b.is(row[3:], id) && b.is(row[1:], domain) {
			return row[5]
		}
	}
	return none
}

// programRows is what named is, for collections. In a large table the domain counts
// too: many publishers may give theirs the same id.
func (b block) programRows(domain, id string) (list, uint32) {
	rows := table(b.word(collectionsTable))
	if rows.log() == 0 {
		return b.named(collectionsTable, id)
	}
	hash := mix(hashOf(id), hashOf(domain))
	return b.rows(rows.bucket(hash)), uint32(hash)
}

// isType reports whether a type of identifiers or properties is the given one.
func (b block) isType(n uint32, name string) bool {
	if int(n) < len(knownTypes) {
		return equal(knownTypes[n], name)
	}
	place := (*[2]uint32)(b.at(b.word(typesAt)+2*(n-uint32(len(knownTypes))), 2))
	return b.is(place[:], name)
}

// seconds joins the two words of a time.
func seconds(words []uint32) int64 {
	return int64(uint64(words[0]) | uint64(words[1])<<32)
}
