package resolve

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/hostname"
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
	return judge(ctx, doc, q, r.work)
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
// for, and usable only with content. One that names no publisher is a file at hand,
// which speaks for whoever it is used for. One of another publisher speaks for that
// publisher alone.
func speaksFor(doc *Document, publisher string) *Document {
	if doc == nil {
		return &Document{Publisher: publisher, Detail: "the source has no answer"}
	}
	if doc.Publisher == publisher && (doc.State != Usable || doc.File != nil) {
		return doc
	}
	fixed := *doc
	fixed.Publisher = publisher
	switch {
	case !isOf(doc, publisher):
		fixed.State, fixed.File, fixed.Detail = Unusable, nil, "the document is that of "+quote(doc.Publisher)
		fixed.Code, fixed.Advice = "", ""
	case fixed.State == Usable && fixed.File == nil:
		fixed.State, fixed.Detail = Unusable, "the source has no content of the file"
	}
	return &fixed
}

// isOf reports whether a document may speak for a publisher.
func isOf(doc *Document, publisher string) bool {
	return doc.Publisher == "" || doc.Publisher == publisher || sameDomain(doc.Publisher, publisher)
}

// Judge answers a question from the document that speaks for its publisher. It is
// Answer for those who have the document at hand. A document without Publisher is
// taken for that of the question; one of another publisher is a *QuestionError.
func Judge(doc *Document, q Question) (*Answer, error) {
	q, err := q.Canonical()
	if err != nil {
		return nil, err
	}
	if doc != nil && !isOf(doc, q.Publisher) {
		return nil, &QuestionError{
			"publisher", "the document is that of " + quote(doc.Publisher) + ", not of " + quote(q.Publisher),
			"ask about " + quote(doc.Publisher) + ", or give the document that speaks for " + quote(q.Publisher),
		}
	}
	return judge(context.Background(), speaksFor(doc, q.Publisher), q, maxWork)
}

// judge answers a canonical question from the document of its publisher.
func judge(ctx context.Context, doc *Document, q Question, work int) (*Answer, error) {
	c := &inquiry{q: q, doc: doc, budget: newBudget(ctx, work)}
	verdict := c.verdict()
	err := c.exhausted(ctx)
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
	owned      []*adagents.Property
	asked      *lookup
	steps      []step
	changes    []string
	holdings   []holding
	placements map[string]Verdict
	exclusive  []string
	// absence is why no property is what was asked about, once it is known.
	absence *absence
	// reached is what the last entry was found to reach: the next one often reaches
	// the same.
	reached *reach
	// mute: what is found out about entries is not part of the answer.
	mute bool
	budget
}

// A step is a Reason whose place is not yet turned into text.
type step struct {
	code    string
	url     string
	at      adagents.Value
	message string
}

func (c *inquiry) say(code string, at adagents.Value, message string) {
	if c.mute {
		c.spend(costListed) // the words were put together all the same
		return
	}
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
	if assertsNobody(c.doc) {
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
	c.asked = &lookup{list: where(c.owned, c.about)}
	verdict := c.entries(entries)
	if verdict < Conditional {
		c.nearMisses()
	} else {
		c.sayOtherHosts()
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
	if c.doc.Replaced {
		c.say("file.replaced", c.doc.File.Raw.Get("superseded_by"),
			"the file says that "+c.doc.File.SupersededBy+" replaces it, and that file could not be had; until it can, nobody is authorized and nobody is denied")
		c.suggest("ask again when the file that replaces this one can be had")
		return
	}
	c.say("file.none_asserted", c.doc.File.Raw.Get("authorized_agents"), "the file lists no agent, which neither authorizes nor denies anything")
}

func (c *inquiry) sayRevoked() {
	c.say("publisher.revoked", c.doc.File.Raw.Get("revoked_publisher_domains"),
		c.v.revoking(quote(c.q.Publisher), c.q.Publisher)+"; nothing in it authorizes anybody for that publisher")
	c.suggest("the publisher needs a file that does not revoke it")
}

// noFile is what there is to say when there is nothing to read.
type noFile struct {
	verdict               Verdict
	code, message, advice string
}

var noFiles = map[State]noFile{
	Unreachable: {Unverified, "file.unreachable", "it could not be determined whether the publisher has a file", "ask again later"},
	Absent: {
		Unverified, "file.absent", "the publisher has no file, so there is nothing to verify against",
		"the publisher can publish a file; until then its word elsewhere is all there is",
	},
	Unusable: {UnusableFile, "file.unusable", "the publisher has a file that must not be used", "the publisher must fix the file"},
	Withheld: {Unverified, "file.withheld", "the publisher answered, and its file is not used at present", "ask again when the cause is removed"},
}

// withoutFile gives the verdict when there is nothing to read.
func (c *inquiry) withoutFile() (Verdict, bool) {
	if c.doc.State == Usable {
		return 0, false
	}
	if c.doc.Catalog() != c.doc {
		c.say("file.mirror_only", adagents.Value{}, "the publisher has no file; the community mirror at "+c.doc.Mirror.URL+" describes its inventory, and a mirror authorizes nobody")
		c.sayMirror(c.doc)
		c.suggest("the publisher can publish a file; a mirror cannot speak for it")
		return NoneAsserted, true
	}
	n, known := noFiles[c.doc.State]
	if !known {
		n = noFiles[Unreachable]
	}
	if c.doc.Code == "" {
		c.say(n.code, adagents.Value{}, withDetail(n.message, c.doc.Detail))
	} else {
		c.say(n.code, adagents.Value{}, n.message)
		c.say(c.doc.Code, adagents.Value{}, c.doc.Detail)
	}
	c.sayMirror(c.doc)
	c.suggest(cmp.Or(c.doc.Advice, n.advice))
	return n.verdict, true
}

func withDetail(message, detail string) string {
	if detail == "" {
		return message
	}
	return message + ": " + detail
}

func (c *inquiry) notListed() {
	c.say("agent.not_listed", c.doc.File.Raw.Get("authorized_agents"), "no usable entry is for "+quote(c.q.Agent))
	if !c.nearMisses() && !c.sameHost() {
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

// sameHost names entries for other addresses at the agent's host, or at the host with
// or without www.
func (c *inquiry) sameHost() bool {
	host := agentHost(c.q.Agent)
	seen := map[string]bool{}
	for i := range c.v.file.Agents {
		a := &c.v.file.Agents[i]
		url, _, err := c.v.hosts.CanonicalURL(a.URL)
		if err != nil || seen[url] || agentHost(url) != host || len(seen) == mostNamed {
			continue
		}
		seen[url] = true
		c.say("agent.same_host", a.Raw, quote(url)+" is listed, which is another address at the same host, give or take www, and another agent")
		c.suggest("ask about " + quote(url) + " if that is the agent's address, or have the publisher list " + quote(c.q.Agent))
	}
	return len(seen) > 0
}

// agentHost returns the host of a canonical URL, without www.
func agentHost(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	host, _, _ := strings.Cut(rest, "/")
	return strings.TrimPrefix(host, "www.")
}

// sayOtherHosts points out the first property that is covered and known as a host of
// another domain: that the host is the publisher's is the publisher's word alone.
func (c *inquiry) sayOtherHosts() {
	home, ok := hostname.Registrable(c.q.Publisher)
	if !ok {
		home = c.q.Publisher
	}
	for i := range c.holdings {
		for k := range c.holdings[i].properties {
			if c.sayOtherHost(c.holdings[i].properties[k].Property, home) {
				return
			}
		}
	}
}

func (c *inquiry) sayOtherHost(p *adagents.Property, home string) bool {
	for i := range p.Identifiers {
		id := &p.Identifiers[i]
		if id.Type != "domain" && id.Type != "subdomain" || !c.spend(costListed) {
			continue
		}
		host, _, err := c.v.hosts.Canonical(strings.TrimPrefix(id.Value, "*."))
		if err != nil {
			continue
		}
		owner, ok := hostname.Registrable(host)
		if !ok || owner == home {
			continue
		}
		c.say("property.other_host", id.Raw, "a property that is covered is known as "+quote(host)+", which lies outside "+quote(home)+"; ask about "+quote(owner)+" too, which has a say in that")
		c.suggest("ask about " + quote(owner) + " as well")
		return true
	}
	return false
}

// answer turns what was gathered into its final form.
func (c *inquiry) answer(verdict Verdict) *Answer {
	a := &Answer{
		Verdict:    verdict,
		Reasons:    reasonsOf(c.steps),
		Grants:     grantsOf(c.holdings, c.doc.URL),
		Evidence:   evidenceOf(c.doc),
		Placements: c.placements,
		Exclusive:  c.exclusive,
		Changes:    c.changes,
		Skipped:    skippedIn(c.doc),
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

// evidenceOf returns a document and those that led to it.
func evidenceOf(d *Document) []Evidence {
	out := make([]Evidence, 0, 1+len(d.Way))
	out = append(out, Evidence{
		Publisher: d.Publisher, URL: d.URL, SHA256: d.SHA256, Method: d.Method, Role: "file", FetchedAt: d.FetchedAt, State: d.State,
	})
	out = append(out, d.Way...)
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

// instant parses a bound of a window. A bound that is absent is open, for which the
// zero Time stands; one that cannot be read is not. The first instant of the year 1,
// which is the zero Time, is a bound like any other: it is moved by the least amount
// that tells it from an open one.
func instant(t adagents.Timestamp) (time.Time, bool) {
	if t == "" {
		return time.Time{}, true
	}
	at, ok := t.Time()
	if at.IsZero() {
		at = at.Add(time.Nanosecond)
	}
	return at, ok
}
