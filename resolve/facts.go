package resolve

import (
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/avow-project/avow/adagents"
)

// A Prepared is what a usable file says, in the form in which the evaluator reads it. It
// is made once for a file, when the first question is asked, and serves every publisher
// the file speaks for. It is safe for concurrent use.
type Prepared struct {
	once sync.Once
	file *adagents.File
	said *facts
	// table is for saying why a property is not known.
	lost  sync.Once
	table *absentTable
	held  atomic.Pointer[heldSet]
}

// A heldSet has the domains that are revoked although the file does not list them.
type heldSet struct {
	list    []string
	domains map[string]struct{}
}

func newHeldSet(list []string) *heldSet { return &heldSet{list, setOf(list)} }

// has reports whether a domain is held back; a nil set holds nothing back.
func (s *heldSet) has(domain string) bool {
	if s == nil {
		return false
	}
	_, ok := s.domains[domain]
	return ok
}

// facts are what a file says, without anything that only people read. All names are in
// one text and all lists in one slice, so that a million small files fit into memory and
// the collector has little to follow. They refer to nothing of the file and are not
// changed any more.
type facts struct {
	text string
	nums []uint32

	entries     []entryFact     // of each agent entry, in the order of the file
	agents      []agentFact     // by URL
	publishers  []publisherFact // by name; the first has no name if properties name no publisher
	properties  []propertyFact  // by publisher, those at the top level first
	identifiers []identifierFact
	placements  []placementFact // by id
	selectors   []span          // what each selector takes, as keys
	tables      []tableFact
	more        *moreFacts // nil in most files

	// only is the publisher that the whole file is about, if it names no other.
	only word
	flags
}

// moreFacts are those that few files have.
type moreFacts struct {
	collections []collectionFact // that entries name, by domain and id
	// that placements belong to, by number; only if an entry names all collections of a publisher
	programs    []word
	signals     []signalFact // in the order of the file
	signalNames []word       // by name; signals and entries have their numbers
	definitions []span       // of each name: the signals that define it, in the order of the file
	leftSignals []word       // ids of definitions that are left out, by name
	revoked     []word       // domains, by name
	ignored     []word       // agents that are named where readers do not look, by URL
}

// noMore is for files without any of them.
var noMore = new(moreFacts)

// flags are what is true of a file, or of a part of it.
type flags uint16

// The flags.
const (
	// Of the file.
	assertsNothing   flags = 1 << iota // it lists no agent
	namesSeveral                       // it names several publishers, or one that cannot be read
	placementInDoubt                   // any placement may be one that is left out
	signalInDoubt                      // any signal may be one that is left out
	outsideCatalog                     // signals are defined outside the file
	timed                              // an entry has a window
	// Of an entry.
	inert
	unreadableWindow
	bounded // it has a window
	inCountries
	inCollections
	byPlacementID
	byPlacementTag
	exclusive
	pinned // it lists keys of its agent
)

// Flags of other facts.
const (
	// leftOutPlacement: the placement has a fault, so that nothing covers it.
	leftOutPlacement flags = 1 << iota
	// unreadableList: what narrows it is written and cannot be read.
	unreadableList
	// limitedSignal: the signal may be used in some countries.
	limitedSignal
	// wildcard: the identifier stands for the names below its value.
	wildcard
	// doubtful: the type of the identifier cannot be read. It may be a host, for
	// revocations, and is nothing else.
	doubtful
)

func (f flags) has(one flags) bool { return f&one != 0 }

// none is the number of nothing.
const none = ^uint32(0)

// A word is the position of a name in the text, a span that of a list among the numbers.
type (
	word struct{ at, n uint32 }
	span struct{ at, n uint32 }
)

// A scope is what an entry selects by.
type scope uint8

// The scopes, by authorization_type.
const (
	scopeUnknown scope = iota
	scopeIDs
	scopeTags
	scopeInline
	scopeSelectors
	scopeSignalIDs
	scopeSignalTags
)

// sells reports whether an entry of this scope is about properties.
func (s scope) sells() bool { return scopeIDs <= s && s <= scopeSelectors }

// signals reports whether an entry of this scope is about signals.
func (s scope) signals() bool { return s == scopeSignalIDs || s == scopeSignalTags }

// An entryFact is an agent entry.
type entryFact struct {
	number uint32 // in authorized_agents as written; none when there is no such place
	agent  uint32
	scope  scope
	flags
	selects       span // keys, or the numbers of signals or of their tags
	window        span // two instants as seconds and nanoseconds, see instantAt
	countries     span
	collections   span
	placements    span
	placementTags span
}

// An agentFact is an agent by its canonical URL, with its entries in the order of the
// file.
type agentFact struct {
	url     word
	entries span
}

// A publisherFact is a publisher that properties belong to or that selectors name.
type publisherFact struct {
	name     word
	from, to uint32 // its properties
	inline   uint32 // where those begin that entries declare themselves
	reach    span   // the selectors that name it: pairs of an entry and a selector
	table    uint32 // where there are many properties, or none
}

// A tableFact finds properties at the top level of a publisher that has many: by id, their
// identifiers by value, and the keys of all of them.
type tableFact struct{ byID, byValue, keys span }

// A propertyFact is a property that has an owner and that the file does not revoke.
type propertyFact struct {
	id, kind    word
	keys        span // by which the file selects it; that of its id comes first
	identifiers span // in identifiers
	inline      uint32
	index       uint32 // in the list of the file, or of the entry
	number      uint32 // the same as written; none when there is no such place
}

// An identifierFact is a way a property is recognised, in the form in which it is
// compared. What matches nothing is left out.
type identifierFact struct {
	kind, value word
	property    uint32
	flags
}

// A placementFact is a placement of the file, usable or left out.
type placementFact struct {
	id                   word
	keys, tags, programs span
	index                uint32 // in the list of the file; none for one that is left out
	flags
}

// A collectionFact is a collection that entries name, all of a publisher without an id. Placements
// have the number of its id.
type collectionFact struct {
	domain, id word
	number     uint32
}

// A signalFact is a definition of a signal.
type signalFact struct {
	name      uint32 // none for a reference to a catalog
	tags      span
	countries span
	flags
}

// Keys stand for ids and tags of properties. Those of tags have the highest bit set, and
// so come after those of ids.
const tagKey = 1 << 31

// everything is the length of the span of a selector that takes all properties.
const everything = none

// str returns a name.
func (f *facts) str(w word) string { return f.text[w.at:][:w.n] }

// list returns numbers.
func (f *facts) list(s span) []uint32 { return f.nums[s.at:][:s.n:s.n] }

func (f *facts) also() *moreFacts {
	if f.more == nil {
		return noMore
	}
	return f.more
}

// fewNames is the number of names up to which they are compared one by one.
const fewNames = 4

// search finds a name among n in order, and returns n if it is not there.
func (f *facts) search(n int, at func(i int) word, name string) int {
	lo, hi := 0, n
	for hi-lo > fewNames {
		mid := (lo + hi) >> 1
		if f.str(at(mid)) <= name {
			lo = mid
		} else {
			hi = mid
		}
	}
	for ; lo < hi; lo++ {
		if f.str(at(lo)) == name {
			return lo
		}
	}
	return n
}

// entriesOf returns the entries of an agent, by canonical URL.
func (f *facts) entriesOf(agent string) []uint32 {
	i := f.search(len(f.agents), func(i int) word { return f.agents[i].url }, agent)
	if i == len(f.agents) {
		return nil
	}
	return f.list(f.agents[i].entries)
}

// notListed returns what there is to say of an agent without an entry.
func (f *facts) notListed(agent string) step {
	if f.more != nil && f.search(len(f.more.ignored), func(i int) word {
		return f.more.ignored[i]
	}, agent) < len(f.more.ignored) {
		return stepOtherName
	}
	return stepNotListed
}

// publisher returns the number of a publisher, or none.
func (f *facts) publisher(name string) uint32 {
	i := f.search(len(f.publishers), func(i int) word { return f.publishers[i].name }, name)
	if i == len(f.publishers) {
		return none
	}
	return uint32(i)
}

// unowned returns the number of the properties that name no publisher, or none.
func (f *facts) unowned() uint32 {
	if len(f.publishers) > 0 && f.publishers[0].name.n == 0 {
		return 0
	}
	return none
}

// placement returns the number of a placement, also one that is left out, or none.
func (f *facts) placement(id string) uint32 {
	i := f.search(len(f.placements), func(i int) word { return f.placements[i].id }, id)
	if i == len(f.placements) {
		return none
	}
	return uint32(i)
}

// revokes reports whether the file's own list has a domain.
func (f *facts) revokes(domain string) bool { return f.hasWord(f.also().revoked, domain) }

func (f *facts) hasWord(list []word, name string) bool {
	return len(list) > 0 && f.search(len(list), func(i int) word { return list[i] }, name) < len(list)
}

// signal returns the number of a signal's name, or none.
func (f *facts) signal(name string) uint32 {
	names := f.also().signalNames
	i := f.search(len(names), func(i int) word { return names[i] }, name)
	if i == len(names) {
		return none
	}
	return uint32(i)
}

// definedAs returns the signals that define a name, which may be none.
func (f *facts) definedAs(name uint32) []uint32 {
	if name == none {
		return nil
	}
	return f.list(f.also().definitions[name])
}

// contains reports whether a list in order has a number.
func contains(list []uint32, n uint32) bool {
	lo, hi := 0, len(list)
	for lo < hi {
		mid := (lo + hi) >> 1
		if list[mid] < n {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo < len(list) && list[lo] == n
}

// overlap reports whether two lists in order have a number in common.
func overlap(a, b []uint32) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if 16*len(a) < len(b) {
		for _, n := range a {
			if contains(b, n) {
				return true
			}
		}
		return false
	}
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case a[0] > b[0]:
			b = b[1:]
		default:
			return true
		}
	}
	return false
}

// countryNumber returns a country code as a number, and 0 for what is none.
func countryNumber(code string) uint32 {
	if len(code) != 2 {
		return 0
	}
	return uint32(code[0])<<8 | uint32(code[1])
}

// mainForm returns the domain of which a host may be the www or m form.
func mainForm(host string) (string, bool) {
	base, ok := strings.CutPrefix(host, "www.")
	if !ok {
		base, ok = strings.CutPrefix(host, "m.")
	}
	return base, ok
}

// An absentTable finds properties at the top level of a file of any owner, and those that
// are left out. It serves to say why a property is not known, and is made when that is
// asked for the first time.
type absentTable struct {
	byID    []uint32           // properties, by id
	byValue []valuedIdentifier // identifiers, by value
	left    []adagents.Value
	// odd are properties with identifiers that are left out.
	odd []uint32
	// numbered: the places of properties are those in the file as it is written.
	numbered bool
}

// A valuedIdentifier is an identifier of a property.
type valuedIdentifier struct{ property, identifier uint32 }

func setOf(list []string) map[string]struct{} {
	set := make(map[string]struct{}, len(list))
	for _, s := range list {
		set[s] = struct{}{}
	}
	return set
}

// entryPointer returns the JSON Pointer of an entry, "" when there is no such place.
func (f *facts) entryPointer(n uint32) string {
	number := f.entries[n].number
	if number == none {
		return ""
	}
	return pointerTo("authorized_agents", number)
}

// propertyPointer returns the JSON Pointer of a property, "" when there is no such place.
func (f *facts) propertyPointer(n uint32) string {
	p := &f.properties[n]
	if p.number == none {
		return ""
	}
	within := ""
	if p.inline != none {
		within = f.entryPointer(p.inline)
	}
	return within + pointerTo("properties", p.number)
}

func pointerTo(section string, number uint32) string {
	return "/" + section + "/" + strconv.Itoa(int(number))
}
