package resolve

import (
	"context"
	"slices"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/hostname"
)

// A Resolver answers questions from the documents of a Source. It keeps nothing
// between questions and is safe for concurrent use.
type Resolver struct {
	source Source
	work   int
}

// New returns a Resolver over a source.
func New(s Source) *Resolver { return &Resolver{s, maxWork} }

// Answer says whether an agent may sell what the question names. The file that
// speaks for the publisher decides; what other files say about the publisher does
// not count. An error is a *QuestionError, a *LimitError, or that of the Source.
func (r *Resolver) Answer(ctx context.Context, q Question) (*Answer, error) {
	q, err := q.Canonical()
	if err != nil {
		return nil, err
	}
	doc, err := r.document(ctx, q.Publisher)
	if err != nil {
		return nil, err
	}
	return judge(doc, q, r.work)
}

// document asks the source, and takes silence for "could not be found out".
func (r *Resolver) document(ctx context.Context, publisher string) (*Document, error) {
	err := ctx.Err()
	if err != nil {
		return nil, err
	}
	doc, err := r.source.Document(ctx, publisher)
	if err != nil {
		return nil, err
	}
	return speaksFor(doc, publisher), nil
}

// speaksFor makes a document safe to use: it is about the publisher it was asked
// for, and usable only with content.
func speaksFor(doc *Document, publisher string) *Document {
	if doc == nil {
		return &Document{Publisher: publisher, Detail: "the source has no answer"}
	}
	if doc.Publisher == publisher && (doc.State != Usable || doc.File != nil) {
		return doc
	}
	fixed := *doc
	fixed.Publisher = publisher
	if fixed.State == Usable && fixed.File == nil {
		fixed.State, fixed.Detail = Unusable, "the source has no content of the file"
	}
	return &fixed
}

// Judge answers a question from the document that speaks for its publisher. It is
// Answer for those who have the document at hand.
func Judge(doc *Document, q Question) (*Answer, error) {
	q, err := q.Canonical()
	if err != nil {
		return nil, err
	}
	return judge(speaksFor(doc, q.Publisher), q, maxWork)
}

// judge answers a canonical question from the document of its publisher.
func judge(doc *Document, q Question, work int) (*Answer, error) {
	c := &inquiry{q: q, doc: doc, left: work}
	verdict := c.verdict()
	err := c.exhausted()
	if err != nil {
		return nil, err
	}
	if c.placements == nil {
		c.placeAll(verdict)
	}
	return c.answer(verdict), nil
}

// An inquiry gathers what leads to one answer.
type inquiry struct {
	q   Question
	doc *Document
	v   *view
	// owned are the publisher's properties at the top level of the file, asked those
	// of them that the question is about.
	owned, asked []*adagents.Property
	steps        []step
	changes      []string
	holdings     []holding
	placements   map[string]Verdict
	exclusive    []string
	// absence is why no property is what was asked about, once it is known.
	absence *absence
	// left is how much work may still be done.
	left int
}

// A step is a Reason whose place is not yet turned into text.
type step struct {
	code    string
	url     string
	at      adagents.Value
	message string
}

func (c *inquiry) say(code string, at adagents.Value, message string) {
	if c.spend(costReason) {
		c.steps = append(c.steps, step{code, c.doc.URL, at, message})
	}
}

// maxChanges is the number of suggestions that somebody may still read.
const maxChanges = 16

// suggest adds something that would change the verdict. When there are many, the
// reasons have the rest.
func (c *inquiry) suggest(change string) {
	switch {
	case slices.Contains(c.changes, change) || len(c.changes) > maxChanges:
	case len(c.changes) == maxChanges:
		c.changes = append(c.changes, "there are more ways; see the reasons")
	default:
		c.changes = append(c.changes, change)
	}
}

func (c *inquiry) verdict() Verdict {
	if verdict, ok := c.withoutFile(); ok {
		return verdict
	}
	c.v = newView(c.doc)
	if assertsNobody(c.doc.File) {
		c.sayNoneAsserted()
		return NoneAsserted
	}
	if c.v.isRevoked(c.q.Publisher) {
		c.sayRevoked()
		return NotAuthorized
	}
	entries := c.v.entriesOf(c.q.Agent)
	if len(entries) == 0 {
		c.notListed()
		return NotAuthorized
	}
	c.owned = c.v.ownedBy(c.q.Publisher)
	c.asked = where(c.owned, c.about)
	verdict := c.entries(entries)
	if verdict < Conditional {
		c.nearMisses()
	}
	c.exclusiveOthers()
	return verdict
}

// placeAll gives every placement asked about the verdict of the whole, which was
// found without looking at them.
func (c *inquiry) placeAll(verdict Verdict) {
	if len(c.q.Placements) == 0 {
		return
	}
	c.placements = make(map[string]Verdict, len(c.q.Placements))
	for _, id := range c.q.Placements {
		c.placements[id] = verdict
	}
}

func (c *inquiry) sayNoneAsserted() {
	c.say("file.none_asserted", c.doc.File.Raw.Get("authorized_agents"), "the file lists no agent, which neither authorizes nor denies anything")
}

func (c *inquiry) sayRevoked() {
	c.say("publisher.revoked", c.doc.File.Raw.Get("revoked_publisher_domains"),
		"the file revokes "+quote(c.q.Publisher)+"; nothing in it authorizes anybody for that publisher")
	c.suggest("the publisher needs a file that does not revoke it")
}

// withoutFile gives the verdict when there is nothing to read.
func (c *inquiry) withoutFile() (Verdict, bool) {
	var verdict Verdict
	switch c.doc.State {
	case Usable:
		return 0, false
	case Absent:
		c.say("file.absent", adagents.Value{}, withDetail("the publisher has no file, so there is nothing to verify against", c.doc.Detail))
		c.suggest("the publisher can publish a file; until then its word elsewhere is all there is")
	case Unusable:
		verdict = UnusableFile
		c.say("file.unusable", adagents.Value{}, withDetail("the publisher has a file that must not be used", c.doc.Detail))
		c.suggest("the publisher must mend the file")
	default:
		c.say("file.unreachable", adagents.Value{}, withDetail("it could not be found out whether the publisher has a file", c.doc.Detail))
		c.suggest("ask again later")
	}
	return verdict, true
}

func withDetail(message, detail string) string {
	if detail == "" {
		return message
	}
	return message + ": " + detail
}

func (c *inquiry) notListed() {
	c.say("agent.not_listed", c.doc.File.Raw.Get("authorized_agents"), "no usable entry is for "+quote(c.q.Agent))
	if !c.nearMisses() {
		c.suggest("the publisher can add an entry for " + quote(c.q.Agent))
	}
}

// nearMisses names entries whose URL is almost the agent's. They never match, and
// are usually a slip of the pen.
func (c *inquiry) nearMisses() bool {
	seen := map[string]bool{}
	for i := range c.v.file.Agents {
		a := &c.v.file.Agents[i]
		url, _, err := c.v.hosts.CanonicalURL(a.URL)
		if err != nil {
			continue
		}
		differs := hostname.NearMiss(c.q.Agent, url)
		if differs == "" || seen[url] {
			continue
		}
		seen[url] = true
		c.say("agent.near_miss", a.Raw, quote(url)+" is listed, which differs in "+differs+" and is another agent")
		c.suggest("ask about " + quote(url) + " if that is the agent's address, or have the publisher list " + quote(c.q.Agent))
	}
	return len(seen) > 0
}

// answer turns what was gathered into its final form.
func (c *inquiry) answer(verdict Verdict) *Answer {
	a := &Answer{
		Verdict:    verdict,
		Reasons:    reasonsOf(c.steps),
		Grants:     grantsOf(c.holdings, c.doc.URL),
		Evidence:   []Evidence{evidenceOf(c.doc)},
		Placements: c.placements,
		Exclusive:  c.exclusive,
		Changes:    c.changes,
	}
	if verdict == Authorized {
		a.Changes = nil // they are about entries that were not needed
	}
	if verdict == Conditional {
		for i := range a.Grants {
			a.Needs = union(a.Needs, a.Grants[i].Needs)
		}
	}
	return a
}

func reasonsOf(steps []step) []Reason {
	at := make([]adagents.Value, len(steps))
	for i := range steps {
		at[i] = steps[i].at
	}
	out := make([]Reason, len(steps))
	for i, pointer := range locate(at) {
		out[i] = Reason{Code: steps[i].code, URL: steps[i].url, Pointer: pointer, Message: steps[i].message}
	}
	return out
}

func evidenceOf(d *Document) Evidence {
	return Evidence{Publisher: d.Publisher, URL: d.URL, SHA256: d.SHA256, Method: d.Method, FetchedAt: d.FetchedAt, State: d.State}
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

// instant parses a bound of a window. A bound that is absent is open; one that
// cannot be read is not.
func instant(t adagents.Timestamp) (time.Time, bool) {
	if t == "" {
		return time.Time{}, true
	}
	return t.Time()
}
