package resolve

import (
	"slices"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/jsontree"
)

// An explanation gathers what leads to one answer: it hears how the evaluation goes, and puts
// that into words.
type explanation struct {
	evaluation
	question Question
	doc      *Document
	said     *Prepared
	v        *view // made when it is needed
	steps    []remark
	changes  []string
	holdings []holding
	// placements has the verdicts of those asked about, once they were looked at.
	placements map[string]Verdict
	exclusive  []string
	// absence is why no property is what was asked about, once it is known.
	absence *absence
}

func newExplanation(doc *Document, q Question, b budget) *explanation {
	c := &explanation{question: q, doc: doc}
	c.budget, c.q = b, &c.question
	return c
}

// prepare turns to what the file of the document says.
func (c *explanation) prepare() {
	c.said = c.doc.prepared()
	c.evaluation = c.said.evaluation(c.doc, c.q, c.budget)
	c.full, c.listen = true, c
}

// view returns the file with what is derived from it for words.
func (c *explanation) view() *view {
	if c.v == nil {
		c.v = &view{doc: c.doc, file: c.doc.File, whose: c.whose}
		c.v.revoked = revokedIn(c.doc, &c.v.hosts)
	}
	return c.v
}

// A remark is a Reason whose place is not yet turned into text: it is known by its
// pointer, or as a value.
type remark struct {
	code    string
	url     string
	at      adagents.Value
	pointer string
	message string
}

func (c *explanation) say(code string, at adagents.Value, message string) {
	c.sayAt(remark{code: code, at: at, message: message})
}

// sayOf is say for an agent entry.
func (c *explanation) sayOf(code string, entry uint32, message string) {
	c.sayAt(remark{code: code, pointer: c.f.entryPointer(entry), message: message})
}

func (c *explanation) sayAt(r remark) {
	if c.spend(costReason) {
		r.url = c.doc.URL
		c.steps = append(c.steps, r)
	}
}

// maxChanges is the number of suggestions that a reader can still take in.
const maxChanges = 16

// suggest adds something that would change the verdict. When there are many, the
// reasons have the rest.
func (c *explanation) suggest(change string) {
	switch {
	case slices.Contains(c.changes, change) || len(c.changes) > maxChanges:
	case len(c.changes) == maxChanges:
		c.changes = append(c.changes, "there are more ways; see the reasons")
	default:
		c.changes = append(c.changes, change)
	}
}

func reasonsOf(list []remark) []Reason {
	out := make([]Reason, len(list))
	var at []adagents.Value
	var to []*string
	for i := range list {
		r := &list[i]
		out[i] = Reason{Code: r.code, URL: r.url, Pointer: r.pointer, Message: r.message}
		if r.pointer == "" && r.at.Exists() {
			at, to = append(at, r.at), append(to, &out[i].Pointer)
		}
	}
	for i, pointer := range jsontree.Locate(at) {
		*to[i] = pointer
	}
	return out
}

// evidenceOf returns a document and those that led to it.
func evidenceOf(d *Document) []Evidence {
	out := make([]Evidence, 0, 1+len(d.Route))
	out = append(out, Evidence{
		Publisher: d.Publisher, URL: d.URL, SHA256: d.SHA256, Method: d.Method, Role: "file", FetchedAt: d.FetchedAt,
		State: d.State,
	})
	out = append(out, d.Route...)
	if d.Mirror == nil {
		return out
	}
	more := evidenceOf(d.Mirror)
	for i := range more {
		more[i].Role = "mirror"
	}
	return append(out, more...)
}

// union adds what is new to a short list.
func union(list, more []string) []string {
	for _, s := range more {
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// A holding is an entry with what it covers of what was asked. Needs is what is
// missing in the question before the entry can be judged.
type holding struct {
	agent       *adagents.Agent
	entry       uint32
	pointer     string
	properties  []Covered
	signals     []string
	placements  []string
	collections []CollectionRef
	from, until time.Time
	needs       Needs
	// met has for each placement asked about whether the entry covers it.
	met []bool
}

// property returns a property of the file by its number.
func (c *explanation) property(n uint32) *adagents.Property {
	return propertyIn(c.doc.File, &c.f.properties[n])
}

func propertyIn(f *adagents.File, p *propertyFact) *adagents.Property {
	if p.inline == none {
		return &f.Properties[p.index]
	}
	return &f.Agents[p.inline].Properties[p.index]
}

// An absence is why the file as a whole has no property that was asked about. It
// is the same for all entries and found once.
type absence struct {
	steps   []remark
	changes []string
}

// A propertySet finds properties of one publisher. Those with an id are known by it,
// since each entry may have its own copy.
type propertySet struct {
	ids  map[string]struct{}
	self map[*adagents.Property]struct{}
}

func newPropertySet() *propertySet {
	return &propertySet{make(map[string]struct{}), make(map[*adagents.Property]struct{})}
}

func (s *propertySet) add(p *adagents.Property) {
	s.ids[p.ID] = struct{}{}
	s.self[p] = struct{}{}
}

func (s *propertySet) has(p *adagents.Property) bool {
	_, byID := s.ids[p.ID]
	_, bySelf := s.self[p]
	return bySelf || byID && p.ID != ""
}

// signalFails says why an entry does not cover the signal asked about.
func (c *explanation) signalFails(s step, n, signal uint32) {
	switch s {
	case stepSignalNotCovered:
		c.saySignalNotCovered(n)
	case stepSignalLeftOut:
		c.saySignalLeftOut()
	case stepSignalUnknown:
		c.sayOf(s.code(), n, "the file defines no signal "+quote(c.q.Signal))
	case stepSignalCountry:
		c.saySignalCountry(&c.doc.File.Signals[signal])
	}
}

// saySignalNotCovered says what the entry selects by, and the signal does not have.
func (c *explanation) saySignalNotCovered(n uint32) {
	if c.f.entries[n].scope == scopeSignalTags {
		c.sayOf(stepSignalNotCovered.code(), n, "the signal "+quote(c.q.Signal)+" has none of the entry's signal_tags")
		c.suggest("the publisher can give the signal " + quote(c.q.Signal) + " one of the entry's tags")
		return
	}
	c.sayOf(stepSignalNotCovered.code(), n, "the entry does not list "+quote(c.q.Signal))
	c.suggest("the publisher can add " + quote(c.q.Signal) + " to the entry")
}

// saySignalCountry says why a signal may not be used then and there.
func (c *explanation) saySignalCountry(s *adagents.Signal) {
	text := "the entry and the signal have no country in common"
	switch {
	case unreadable(s.Countries, s.Raw, "countries"):
		text = "the countries of the signal cannot be read, so it may be used in none"
	case c.q.Country != "":
		text = quote(c.q.Country) + " is not among the countries of the signal"
	}
	c.say("signal.country_not_listed", s.Raw, text)
}

// saySignalLeftOut says that the file has a definition of the signal asked about that
// is ignored. Nothing covers it, and no catalog outside the file is asked about it.
func (c *explanation) saySignalLeftOut() {
	v, _ := signalsLeftOut(c.doc.File).find(c.q.Signal)
	text := "the definition of the signal " + quote(c.q.Signal) + " has errors, so it is ignored"
	if v.Get("id").Str() != c.q.Signal {
		text = "the file does not define the signal " + quote(c.q.Signal) + ", unless by an entry that has errors and no id"
	}
	c.say("signal.left_out", v, text)
	c.suggest("the publisher must correct the signal; avow validate says how")
}
