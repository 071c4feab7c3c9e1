package resolve

import (
	"strings"

	"github.com/avow-project/avow/internal/std/hostname"
)

// A Query is a Question to the Index. Its parts are in the form that
// Question.Canonical gives them: Index compares, it does not mend. It cannot ask
// about signals, or about several placements or collections at once.
type Query struct {
	Publisher string
	Agent     string
	// Property, PropertyType and the identifier narrow the query to properties that
	// fit all of them.
	Property, PropertyType          string
	IdentifierType, IdentifierValue string
	Placement                       string
	// CollectionDomain is the publisher of the collection; empty means Publisher.
	CollectionDomain, Collection string
	Country                      string
	// At is the instant asked about in seconds since 1970. A window that begins or
	// ends within a second has the whole seconds inside it.
	At int64
}

// Query returns a canonical question in the form that the Index takes, and false
// for one that it cannot be asked: about a signal, several placements or
// collections, or a fraction of a second.
func (q *Question) Query() (Query, bool) {
	out := Query{
		Publisher: q.Publisher, Agent: q.Agent, Property: q.Property, PropertyType: q.PropertyType,
		IdentifierType: q.Identifier.Type, IdentifierValue: q.Identifier.Value,
		Country: q.Country, At: q.At.Unix(),
	}
	if q.Signal != "" || len(q.Placements) > 1 || len(q.Collections) > 1 || q.At.Nanosecond() != 0 {
		return Query{}, false
	}
	if len(q.Placements) == 1 {
		out.Placement = q.Placements[0]
	}
	if len(q.Collections) == 1 {
		out.CollectionDomain, out.Collection = q.Collections[0].PublisherDomain, q.Collections[0].ID
	}
	return out, true
}

// Needs is a set of what a question must say before an entry can be judged.
type Needs uint8

// The members of a set of needs.
const (
	NeedsCountry Needs = 1 << iota
	NeedsCollection
	NeedsPlacement
)

// needNames are the words that Answer uses.
var needNames = [...]string{"country", "collection", "placement"}

// Strings returns the needs as Answer.Needs has them.
func (n Needs) Strings() []string {
	var out []string
	for i, name := range needNames {
		if n&(1<<i) != 0 {
			out = append(out, name)
		}
	}
	return out
}

// A Decision is an answer without the proof, which a Resolver gives.
type Decision struct {
	Verdict Verdict
	// Entry is the number of the entry in authorized_agents that decided, the first
	// of several; -1 when none did.
	Entry int32
	// Needs is what the question lacks when the verdict is Conditional.
	Needs Needs
	// Reason is how far the question came: the step that failed, of the entry that
	// came furthest.
	Reason Step
}

// A Step is a reason code in one octet.
type Step uint8

// The steps, in the order in which a question takes them.
const (
	stepUnknown Step = iota
	stepUnreachable
	stepWithheld
	stepAbsent
	stepUnusable
	stepMirror
	stepReplaced
	stepNoneAsserted
	stepRevoked
	stepNotListed
	stepInert
	stepOutsideWindow
	stepPropertyUnknown
	stepNotCovered
	stepCountry
	stepCollection
	stepNoPlacement
	stepPlacementUnknown
	stepPlacementLeftOut
	stepPlacementNotListed
	stepPlacementElsewhere
	stepPlacementProgram
	stepNeeds
	stepCovers
)

var stepCodes = [...]string{
	stepUnknown:            "file.unreachable",
	stepUnreachable:        "file.unreachable",
	stepWithheld:           "file.withheld",
	stepAbsent:             "file.absent",
	stepUnusable:           "file.unusable",
	stepMirror:             "file.mirror_only",
	stepReplaced:           "file.replaced",
	stepNoneAsserted:       "file.none_asserted",
	stepRevoked:            "publisher.revoked",
	stepNotListed:          "agent.not_listed",
	stepInert:              "entry.inert",
	stepOutsideWindow:      "entry.outside_window",
	stepPropertyUnknown:    "property.unknown",
	stepNotCovered:         "property.not_covered",
	stepCountry:            "entry.country_not_listed",
	stepCollection:         "entry.collection_not_listed",
	stepNoPlacement:        "entry.no_placement",
	stepPlacementUnknown:   "placement.unknown",
	stepPlacementLeftOut:   "placement.left_out",
	stepPlacementNotListed: "entry.placement_not_listed",
	stepPlacementElsewhere: "placement.elsewhere",
	stepPlacementProgram:   "placement.other_collection",
	stepNeeds:              "entry.placement_needed",
	stepCovers:             "entry.covers",
}

// Code returns the reason code, one of those that Codes explains.
func (s Step) Code() string { return textOf(stepCodes[:], int(s)) }

// Code returns the reason code of the decision.
func (d Decision) Code() string {
	switch {
	case d.Reason != stepNeeds:
		return d.Reason.Code()
	case d.Needs&NeedsCountry != 0:
		return "entry.country_needed"
	case d.Needs&NeedsCollection != 0:
		return "entry.collection_needed"
	}
	return "entry.placement_needed"
}

// Decide answers a query. It gives the verdict that Resolver.Answer gives from the
// same document, and allocates nothing. A publisher that the Index does not have is
// Unverified.
func (x *Index) Decide(q *Query) Decision {
	s := x.find(q.Publisher)
	touched := uint32(0)
	if x.count > fewPublishers && s != nil && s.words != nil {
		touched = s.touch()
	}
	return s.decide(q, touched)
}

// fewPublishers is how many have all their files in the cache, so that there is no need
// to fetch them.
const fewPublishers = 64

// decide answers a query about the publisher of a slot, or of none.
func (s *slot) decide(q *Query, touched uint32) Decision {
	switch {
	case s == nil:
		return Decision{Entry: -1}
	case s.words == nil:
		return s.without()
	}
	b := blockAt(s.words)
	entries, listed := b.agent(q.Agent)
	switch {
	case !listed:
		return Decision{NotAuthorized, -1, 0, stepNotListed}
	case entries.from == entries.to:
		return Decision{NotAuthorized, -1, 0, stepInert}
	case s.group == 0:
		return Decision{NotAuthorized, -1, 0, stepPropertyUnknown}
	}
	// Field by field: a literal would be put together elsewhere, and copied.
	var j decider
	j.b, j.q, j.entries, j.touched = b, q, entries, touched
	j.best.Verdict, j.best.Entry = NotAuthorized, -1
	if len(q.Country) == 2 {
		j.country = countryWord(q.Country)
	}
	j.run(j.open(s.group))
	if j.best.Reason == stepUnknown { // no property was judged
		j.best.Reason = stepPropertyUnknown
	}
	return j.best
}

// A decider decides one query. It stays on the stack.
type decider struct {
	b       block
	q       *Query
	own     span   // the publisher's properties
	many    bool   // whether they are too many to look at each
	named   uint32 // number of selectors that name the publisher
	entries span   // the agent's entries
	best    Decision
	touched uint32

	country uint32
	// What the query names is looked up when an entry asks for it: where another
	// qualifier has failed before, nobody does.
	sought     uint8
	collection uint32  // its number, or none
	placed     *placed // the placement, if the file has it
}

// What was looked up.
const (
	soughtPlacement = 1 << iota
	soughtCollection
)

// open turns to the properties of a publisher. It returns the kind of their group.
func (j *decider) open(at uint32) uint32 {
	g := j.b.group(at)
	j.own = g.properties(at)
	j.named, j.many = g[groupReach], g[groupCount] >= manyProperties
	return g[groupKind]
}

// placement returns the placement asked about, or nil if the file does not have it.
func (j *decider) placement() *placed {
	if j.sought&soughtPlacement == 0 {
		j.sought |= soughtPlacement
		j.placed = j.b.placement(j.q.Placement)
	}
	return j.placed
}

// program returns the number of the collection asked about, or none.
func (j *decider) program() uint32 {
	if j.sought&soughtCollection == 0 {
		j.sought |= soughtCollection
		j.collection = j.b.collection(j.programDomain(), j.q.Collection)
	}
	return j.collection
}

func (j *decider) programDomain() string {
	if j.q.CollectionDomain == "" {
		return j.q.Publisher
	}
	return j.q.CollectionDomain
}

// run looks at the properties in question.
func (j *decider) run(kind uint32) {
	q := j.q
	switch {
	case q.Property == "" && q.IdentifierType == "":
		j.anyProperty()
	case kind == groupFew:
		for at := j.own.from; at < j.own.to; at += j.b.word(at) {
			j.candidate(at)
		}
	case q.Property != "" && (q.IdentifierType == "" || kind != groupWide):
		j.byID()
	default:
		j.byIdentifier()
	}
}

func (j *decider) byID() {
	hash := mix(hashOf(j.q.Property), uint64(j.own.from))
	const width = idCells + 1
	tag := uint32(hash)
	for rows := j.b.bucket(idsTable, hash); rows.n >= width; rows = rows.from(width) {
		if row := (*[width]uint32)(rows.first); row[0] == tag && j.owns(row[1]) {
			j.candidate(row[1])
		}
	}
}

// owns reports whether a property is the publisher's.
func (j *decider) owns(at uint32) bool { return j.own.from <= at && at < j.own.to }

func (j *decider) byIdentifier() {
	value := j.q.IdentifierValue
	j.probe(value, 0, false)
	if j.q.IdentifierType != domainName || j.settled(j.entries.from) {
		return
	}
	base, ok := mainForm(value)
	if ok && registrable(value, base) {
		j.probe(base, 0, true)
	}
	for j.b.word(hasWildcards) != 0 {
		dot := strings.IndexByte(value, '.')
		if dot < 0 {
			return
		}
		value = value[dot+1:]
		j.probe(value, wildcard, true)
	}
}

// mainForm returns the domain of which a host may be the www or m form.
func mainForm(host string) (string, bool) {
	base, ok := strings.CutPrefix(host, "www.")
	if !ok {
		base, ok = strings.CutPrefix(host, "m.")
	}
	return base, ok
}

// registrable reports whether base is the registrable domain of a host.
func registrable(host, base string) bool {
	owner, ok := hostname.Registrable(host)
	return ok && owner == base
}

// probe judges the properties with an identifier, or only the websites among them.
func (j *decider) probe(value string, mark uint32, websites bool) {
	hash := identifierHash(value, mark, j.own.from)
	const width = identifierCells + 1
	tag := uint32(hash)
	for rows := j.b.bucket(identifiersTable, hash); rows.n >= width; rows = rows.from(width) {
		row := (*[width]uint32)(rows.first)
		if row[0] != tag || !j.owns(row[1]) || row[4]&wildcard != mark || !j.b.is(row[2:], value) ||
			!j.b.isType(row[4]&^wildcard, j.q.IdentifierType) {
			continue
		}
		p := j.b.property(row[1])
		if j.about(p) && (!websites || p[propertyType] == websiteType) {
			j.judgeAll(p)
		}
	}
}

// candidate judges every entry on a property, if it is one that the query is about.
func (j *decider) candidate(at uint32) {
	p, q := j.b.property(at), j.q
	if q.Property != "" && !j.b.is(p[propertyID:], q.Property) {
		return
	}
	if q.PropertyType != "" && !j.ofType(p) {
		return
	}
	if q.IdentifierType != "" && !j.identified(p) {
		return
	}
	j.judgeAll(p)
}

func (j *decider) judgeAll(p *property) {
	for e := j.entries.from; e < j.entries.to && !j.settled(e); e++ {
		j.judge(e, p)
	}
}

// identified reports whether a property has the identifier asked about.
func (j *decider) identified(p *property) bool {
	q := j.q
	for list := j.b.identifiersOf(p); list.n >= identifierWidth; list = list.from(identifierWidth) {
		one := (*[identifierWidth]uint32)(list.first)
		kind := one[identifierType]
		switch {
		case kind&wildcard == 0 && j.b.is(one[identifierValue:], q.IdentifierValue):
			if j.b.isType(kind, q.IdentifierType) {
				return true
			}
		case int(one[identifierValue+1]) < len(q.IdentifierValue) && q.IdentifierType == domainName:
			if j.standsFor(p, kind, j.b.str(one[identifierValue:])) {
				return true
			}
		}
	}
	return false
}

// standsFor reports whether a domain that identifies a property does so for the longer
// host asked about: as a wildcard, or as the domain of which that is the www or m form.
func (j *decider) standsFor(p *property, kind uint32, domain string) bool {
	host := j.q.IdentifierValue
	if kind&wildcard != 0 {
		return below(host, domain)
	}
	base, ok := mainForm(host)
	return ok && base == domain && kind == domainType && p[propertyType] == websiteType && registrable(host, base)
}

// below reports whether a host is a subdomain of a domain.
func below(host, domain string) bool {
	at := len(host) - len(domain)
	return at > 0 && host[at-1] == '.' && host[at:] == domain
}

// settled reports whether an entry, and thus any after it, cannot change the
// decision.
func (j *decider) settled(e uint32) bool {
	return j.best.Verdict == Authorized && j.best.Entry <= int32(j.b.entry(e)[entryNumber])
}

// about reports whether a property is the one that is named, of the type that is
// named.
func (j *decider) about(p *property) bool {
	return (j.q.Property == "" || j.b.is(p[propertyID:], j.q.Property)) &&
		(j.q.PropertyType == "" || j.ofType(p))
}

func (j *decider) ofType(p *property) bool { return j.b.isType(p[propertyType], j.q.PropertyType) }

// reach notes how far the query came.
func (j *decider) reach(s Step) {
	if j.best.Verdict < Conditional {
		j.best.Reason = max(j.best.Reason, s)
	}
}

// grant notes that an entry covers what was asked, if needs are met.
func (j *decider) grant(r *claimed, needs Needs) {
	number := int32(r[entryNumber])
	switch {
	case needs == 0 && (j.best.Verdict != Authorized || number < j.best.Entry):
		j.best = Decision{Authorized, number, 0, stepCovers}
	case needs == 0 || j.best.Verdict == Authorized:
	case j.best.Verdict != Conditional:
		j.best = Decision{Conditional, number, needs, stepNeeds}
	default:
		j.best.Entry = min(j.best.Entry, number)
		j.best.Needs |= needs
	}
}
