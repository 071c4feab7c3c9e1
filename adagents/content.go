package adagents

import (
	"maps"
	"slices"

	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/format/formatkind"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/jsontree"
	"github.com/avow-project/avow/internal/std/jwk"
	"github.com/avow-project/avow/internal/std/spell"
)

// content is what a rule may know besides the entry it looks at: the file with its
// indexes, and the circumstances of the check.
type content struct {
	opt    Options
	tree   *jsontree.Tree
	dec    decoder
	file   *File
	index  index
	agents agentState
	claims claims
	// byDomain says that the findings depend on Options.Domain.
	byDomain bool
	// quiet is how many steps were spent on what falls silent when there are too many.
	quiet int
}

// lenient is the severity of what the default profile lets pass with a
// warning and the strict one does not.
func (c *content) lenient() Severity {
	if c.opt.Profile == Strict {
		return Error
	}
	return Warning
}

// index holds what the sections of a file need to know of each other. Entries
// are found by their first occurrence: of duplicates the first one is used.
type index struct {
	properties   idTable        // by property_id, usable or not
	propertyTag  map[string]int // usable properties carrying the tag
	collections  map[string]int
	formats      map[string]int // by format_option_id
	format       formatIndex
	placements   map[string]int
	placementTag map[string]int // usable placements carrying the tag
	signals      map[string]int
	signalTag    map[string]int // usable signals carrying the tag
	signal       signalIndex
	placement    placementIndex
	revoked      map[string]int   // canonical domain to revocation
	revokedLens  uint64           // the lengths of revoked domains, modulo 64, as a set
	stillNamed   map[int]string   // see revokedReferences
	scoped       map[scopedID]int // later properties whose id another publisher used first
	identifiers  hashTable        // those of the top-level properties
	publishers   publisherTable   // those of selectors and properties
	suggestions  suggestions
	hosts        hostname.Memo // canonical forms of domains
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
// which of them are usable. Tags of plain ones were counted by the fast path.
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
				x.revokedLens |= 1 << (len(domain) % 64)
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
	x.placementTag = indexFor(list)
	for i := range list {
		if list[i].effect.gone() {
			continue
		}
		for _, tag := range list[i].Tags {
			x.placementTag[tag]++
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

// suggestions proposes names of the file for unknown ones.
type suggestions struct {
	near  [nameSpaces]*spell.Index
	given int
}

// didYouMean proposes the name nearest to one that is not in the name space,
// or nothing.
func (c *content) didYouMean(in nameSpace, wrong string) string {
	near, ok := c.nearest(in, wrong)
	if !ok {
		return ""
	}
	return "did you mean " + quote(near) + "?"
}

// nearest returns the name nearest to one that is not in the name space.
func (c *content) nearest(in nameSpace, wrong string) (string, bool) {
	s := &c.index.suggestions
	s.given++
	if s.given > conform.MaxHints {
		return "", false
	}
	if s.near[in] == nil {
		s.near[in] = spell.New(c.index.names(in))
	}
	near, ok := s.near[in].Nearest(wrong, spell.MaxDistance)
	return near, ok && near != wrong
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

// agentState is what the agent rules remember while they run.
type agentState struct {
	url       readURL   // of the entry being checked
	canonical []string  // canonical URL of each entry that was checked, "" when it has none
	scope     *scopeMap // the file's catalog as the agents' selectors see it
	domains   domainScan
	listed    map[*Selector][]int32 // see listed
	keys      keyScan
	relations map[string]string // Options.Relationships by canonical URL
	doubles   []double
	doubled   bool // doubles is complete
	exclusive *exclusivity
}

// readURL is an agent URL with what its canonical form tells.
type readURL struct {
	of        *Agent
	canonical string
	info      hostname.URLInfo
	err       error
}

// placementIndex is what rules about placements need to know of the rest of the
// file. Its parts are built when a rule first asks for them, because most
// files give none of them an occasion.
type placementIndex struct {
	tags     textSet              // tags explained in placement_tags
	reported textSet              // others that were reported
	carriers map[string]*carriers // by property tag
	channels []channelMask        // by property
	inScope  map[scopeKey]bool
	steps    int // comparisons spent on format scopes
}

// carriers are the properties that carry one tag.
type carriers struct {
	usable   []int32
	channels channelMask // of all usable ones together
	skipped  bool        // some are left out, for a reason reported elsewhere
}

// scopeKey asks whether a format applies to any property with the tag.
type scopeKey struct {
	format int
	tag    string
}

// A channelMask is a set of channels, by their positions in model.Channels.
type channelMask uint32

// anyChannel is in the set of a property that does not say what it supports.
const anyChannel channelMask = 1 << 31

// signalIndex is what the signal rules need to know of the other signals and
// of the tag map. It is filled when the first signal is checked.
type signalIndex struct {
	byID  map[string]int    // first signal with the id
	texts map[string]string // canonical text of first signals that have doubles
	tags  map[string]bool   // tags explained in signal_tags, or already reported
}

// formatIndex holds what the rules about formats need to know of the formats
// they have seen before, and the declaration at hand.
type formatIndex struct {
	view    *formatkind.View
	texts   map[string]string // by format_option_id: canonical text of its first declaration
	digests map[string]string // by platform extension URI: the digest first seen
	asked   bool              // the members a registry needs were asked for
}

// scopedID is a property id together with its publisher.
type scopedID struct{ publisher, id string }

// double is an entry whose agent an earlier entry names too.
type double struct {
	entry, first int
	sameScope    bool
}

// domainFault is a publisher domain that is not as it should be.
type domainFault struct {
	at        Value
	canonical string // "" when there is none
	change    hostname.Change
	kind      hostname.Kind
	suffix    bool
}

// domainScan holds the faulty and the repeated domains of the selector being checked.
type domainScan struct {
	of       *Selector
	number   uint32 // of the scan
	faults   []domainFault
	repeated []Value
}

// keyScan is what the examination of the key at hand found, once for all
// rules.
type keyScan struct {
	of       *SigningKey
	problems []jwk.Problem
}

// scopeMap is the file's catalog as the selectors of its agents see it. Each
// part is made when a rule first asks for it: most files need few of them.
type scopeMap struct {
	// loose are the domains that properties without a publisher, and those in entries, may be of.
	loose      map[string]bool
	usable     int                  // usable top-level properties
	byID       map[string]int       // first usable property of an id
	tagged     map[string][]int32   // usable properties by tag
	revoked    map[*Property]string // left-out properties with their revoked domain, or ""
	revokedTag map[string]string    // tags of revoked properties, with the domain
	catalogs   int                  // usable signals that refer to a catalog
	self       string               // the domain the file speaks for, if it is clear
}

// exclusiveHit is an exclusive entry and one it overlaps with.
type exclusiveHit struct {
	entry, other int
	double       bool // the other is exclusive too
}

// exclusivity finds overlaps of exclusive entries with entries of other
// agents. Entries are indexed by what they select, so that an exclusive entry
// meets only those that certainly share a property or signal with it; where
// another publisher's file would have to be asked, nothing is claimed.
type exclusivity struct {
	c         *content
	left      int // comparisons
	hits      []exclusiveHit
	unchecked int

	byProperty  map[int32][]int32 // entries by top-level property selected by id
	byTag       map[string][]int32
	byInline    map[scopedID][]int32 // by publisher and id of an inline property
	byDomain    map[string][]selectorRef
	bySignal    map[string][]int32
	bySignalTag map[string][]int32

	// While one exclusive entry is compared:
	entry            int
	seen             []int32 // by entry: the last exclusive one it was compared with
	conflict, double int     // entries found, or -1
	lone             bool    // no other entry is exclusive
}

// selectorRef is a publisher selector of an entry.
type selectorRef struct{ entry, selector int32 }

// wellKnownPath is where a publisher's file stands.
const wellKnownPath = "/.well-known/adagents.json"

// servedFrom reports whether the file being checked came from a URL.
func (c *content) servedFrom(url string) bool {
	if c.opt.URL != "" && hostname.SameResource(url, c.opt.URL) {
		return true
	}
	return c.opt.Domain != "" && hostname.SameResource(url, "https://"+c.opt.Domain+wellKnownPath)
}
