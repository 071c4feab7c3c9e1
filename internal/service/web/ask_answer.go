package web

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/answer"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/resolve"
)

// answerView is an answer as the page shows it. What it says is what GET /api/authorize
// says, with the same things left out for strangers.
type answerView struct {
	Verdict verdict
	// Word is the verdict as programs have it.
	Word string
	// At is the instant asked about, and DayEnds the verdict at the end of the day asked
	// about where that is another.
	At, Checked, Fresh time.Time
	DayEnds            string
	Proof              []proofStep
	Picture            picture
	Misses             []nearMiss
	Changes            [][]lead
	Limits             []string
	Reasons            []reasonView
	Evidence           []evidenceView
	Skipped            int
	Exclusive          []string
	// Link is the address of this answer, and JSON the address of the same for programs.
	Link, JSON, File  string
	Receipt           receiptView
	Codes             []codeView
	Publisher, Report string
	// Relation is how publisher and agent describe each other, which is experimental; empty when nothing is said.
	Relation string
	// Text is the answer with its proof, to be copied.
	Text string
}

// nearMiss is an agent that the file names almost like the one asked about.
type nearMiss struct{ Message, Agent, URL string }

// reasonView is a step that led to the verdict.
type reasonView struct{ Code, Message, Where, Href string }

// evidenceView is a document that the answer rests on.
type evidenceView struct {
	Role, URL, SHA256, State string
	Fetched                  time.Time
}

// mostReasons is the number of reasons on a page.
const mostReasons = 50

// answerOf prepares an answer for the page.
func answerOf(a *asked, v *registry.QuestionAnswer, origin string) *answerView {
	doc := answer.Of(&v.Question, v.Answer, 0)
	at := v.Question.At.UTC().Format(time.RFC3339Nano)
	pairs := a.pairs(at)
	x := &answerView{
		Word: doc.Verdict, At: v.Question.At, Checked: v.CheckedAt, Fresh: v.FreshUntil, Skipped: len(doc.Skipped),
		Link: askURL(pairs), JSON: apiURL(pairs), Publisher: tabURL(v.Question.Publisher, sellTab),
		Report: checkURL(v.Question.Publisher, false, false),
		File:   "avow-" + v.Question.Publisher + "-" + doc.Verdict + ".json",
	}
	p := &pen{agentsBytes}
	c := &citer{v: v}
	x.Verdict = answerVerdict(v, &doc)
	x.Proof = proofOf(v, &doc, c, p)
	x.Picture = draw(x.Proof)
	for i := range doc.Reasons[:min(len(doc.Reasons), mostReasons)] {
		r := &doc.Reasons[i]
		where, href := c.cite(v.Reasons[i].URL, v.Reasons[i].Pointer)
		x.Reasons = append(x.Reasons, reasonView{r.Code, sentence(p.words(r.Message)), where, href})
		x.addMiss(a, r, c.agentAt(v.Reasons[i].Pointer), p)
	}
	for _, text := range doc.Changes {
		x.Changes = append(x.Changes, leadsAbout(v.Question.Publisher, sentence(p.words(text))))
	}
	x.Limits = limitsOf(v)
	for _, url := range doc.Exclusive {
		x.Exclusive = append(x.Exclusive, p.url(url))
	}
	for i := range doc.Evidence {
		e := &v.Evidence[i]
		x.Evidence = append(x.Evidence,
			evidenceView{cmp.Or(roleWords[e.Role], e.Role), p.url(e.URL), e.SHA256, e.State.String(), e.FetchedAt})
	}
	x.Codes = codesOf(a, v, origin)
	x.Text = x.text(origin)
	return x
}

// addMiss takes note of an agent that is named almost like the one asked about.
func (x *answerView) addMiss(a *asked, r *answer.Reason, agent string, p *pen) {
	switch r.Code {
	case "agent.near_miss", "agent.same_host", "agent.listed_under_other_name":
	default:
		return
	}
	m := nearMiss{Message: sentence(p.words(r.Message))}
	if agent != "" && redact.URL(agent) == agent && r.Code != "agent.listed_under_other_name" {
		m.Agent, m.URL = p.url(agent), a.with("agent", agent)
	}
	x.Misses = append(x.Misses, m)
}

// verdictWords are the verdicts for people.
func verdictWords(v resolve.Verdict) string {
	switch v {
	case resolve.Authorized:
		return "Yes, authorized"
	case resolve.Conditional:
		return "It depends"
	case resolve.NotAuthorized:
		return "No, not authorized"
	case resolve.NoneAsserted:
		return "The file authorizes no agent"
	case resolve.UnusableFile:
		return "Not known: the file must not be used"
	}
	return "Not known"
}

// answerVerdict says what the answer is, in a sentence.
func answerVerdict(v *registry.QuestionAnswer, doc *answer.Answer) verdict {
	out := verdict{Words: verdictWords(v.Verdict)}
	who := safe(v.Question.Publisher)
	switch v.Verdict {
	case resolve.Authorized:
		out.Class, out.Mark = "good", "✓"
		out.Detail = words.Plural(len(v.Grants), "entry", "entries") + " of the file that speaks for " + who +
			" let the agent sell what was asked about."
		if len(v.Grants) == 1 {
			out.Detail = "An entry of the file that speaks for " + who + " lets the agent sell " + subjectWords(v) + "."
		}
	case resolve.Conditional:
		out.Class, out.Mark = "unknown", "?"
		out.Detail = "An entry would cover it. " + needsWords(v.Needs)
	case resolve.NotAuthorized:
		out.Class, out.Mark = "bad", "✗"
		out.Detail = "The file that speaks for " + who + " names agents, and no entry covers this: " + decisive(v, doc) + "."
	case resolve.NoneAsserted:
		out.Class, out.Mark = "none", "–"
		out.Detail = "That denies nothing: " + decisive(v, doc) + "."
	case resolve.UnusableFile:
		out.Class, out.Mark = "bad", "✗"
		out.Detail = "There is a file for " + who + ", and no part of it may be taken at its word until it is fixed."
	default:
		out.Class, out.Mark = "unknown", "?"
		out.Detail = "This is neither a yes nor a no: " + decisive(v, doc) + "."
	}
	return out
}

// subjectWords say what was asked about.
func subjectWords(v *registry.QuestionAnswer) string {
	q := &v.Question
	n := len(v.Grants[0].Properties)
	switch {
	case q.Signal != "":
		return "the signal " + safe(q.Signal)
	case q.Property != "":
		return "the property " + safe(q.Property)
	case n == 0:
		return "something of this publisher"
	}
	return words.Plural(n, "property", "properties") + " of this publisher"
}

// needsWords say what the answer depends on.
func needsWords(needs []string) string {
	var parts []string
	for _, n := range needs {
		switch n {
		case "country", "placement", "collection":
			parts = append(parts, "the "+n)
		case "signal_catalog":
			parts = append(parts, "a signal catalog that is not part of the file")
		default:
			parts = append(parts, "a confirmation by another publisher")
		}
	}
	if len(parts) == 0 {
		return "It depends on what the question does not say."
	}
	return "It depends on " + listed(parts) + "."
}

// decisive is the reason that decided.
func decisive(v *registry.QuestionAnswer, doc *answer.Answer) string {
	code := v.Code()
	for i := range doc.Reasons {
		if doc.Reasons[i].Code == code {
			return strings.TrimSuffix(safe(doc.Reasons[i].Message), ".")
		}
	}
	return "the reasons below say why"
}

// limitsOf says where the answer ends to be a yes, for the entry that gave it.
func limitsOf(v *registry.QuestionAnswer) []string {
	if v.Verdict != resolve.Authorized || len(v.Grants) != 1 {
		return nil
	}
	g := &v.Grants[0]
	var list []string
	add := func(n int, text string) {
		if n > 0 {
			list = append(list, text)
		}
	}
	add(len(g.Countries), "Another country than "+items(g.Countries)+".")
	if !g.From.IsZero() {
		list = append(list, "A time before "+timeText(g.From)+".")
	}
	if !g.Until.IsZero() {
		list = append(list, "A time after "+timeText(g.Until)+".")
	}
	add(len(g.Placements), "Another placement than "+items(g.Placements)+".")
	add(len(g.Collections), "Another content program than the "+words.Plural(len(g.Collections), "one", "ones")+
		" that the entry lists.")
	return list
}

// A citer finds places in the file that decided.
type citer struct{ v *registry.QuestionAnswer }

// at returns a value of the file by its pointer.
func (c *citer) at(pointer string) adagents.Value {
	doc := c.v.Document
	if doc.State != resolve.Usable || doc.File == nil || !doc.File.Raw.Exists() {
		return adagents.Value{}
	}
	value, _ := doc.File.Raw.Tree().Lookup(pointer)
	return value
}

// cite returns words for a place in a document and the address where the page about the
// file shows it. There is none for places in other files.
func (c *citer) cite(url, pointer string) (string, string) {
	value := c.at(pointer)
	if url != c.v.Document.URL || !value.Exists() {
		return shortened(pointer, longestText), ""
	}
	line := value.Tree().Positions([]int{value.Offset()})[0].Line
	return "line " + words.Thousands(line), lineURL(c.v.Question.Publisher, line)
}

// agentAt returns the URL that the entry at a place has.
func (c *citer) agentAt(pointer string) string { return c.at(pointer).Get("url").Str() }

// lineURL is the address of a line of a file on the page about it.
func lineURL(domain string, line int) string {
	return checkURL(domain, false, false) + "#L" + strconv.Itoa(line)
}

// proofOf goes from the question to the publisher. Of several entries it shows the first:
// one is enough.
func proofOf(v *registry.QuestionAnswer, doc *answer.Answer, c *citer, p *pen) []proofStep {
	q := &v.Question
	list := []proofStep{{Kind: "Question", Value: p.url(q.Agent), Note: p.took(circumstances(q)), State: stepHolds}}
	switch {
	case len(v.Grants) > 0:
		list = append(list, grantSteps(v, c, p)...)
	case v.Document.State == resolve.Usable:
		list = append(list, reasonStep(v, doc, c, p))
	}
	return append(list, sourceSteps(v, p)...)
}

// circumstances are what the question says besides the agent.
func circumstances(q *resolve.Question) string {
	var parts []string
	add := func(label, value string) {
		if value != "" {
			parts = append(parts, label+safe(value))
		}
	}
	add("property ", q.Property)
	if q.Identifier != (resolve.Identifier{}) {
		add("", q.Identifier.Type+" "+q.Identifier.Value)
	}
	add("type ", q.PropertyType)
	add("signal ", q.Signal)
	add("placement ", items(q.Placements))
	add("in ", countryName(q.Country))
	parts = append(parts, "at "+timeText(q.At))
	return strings.Join(parts, ", ")
}

// grantSteps are the entry, what it selects by, and what that comes to.
func grantSteps(v *registry.QuestionAnswer, c *citer, p *pen) []proofStep {
	g := &v.Grants[0]
	state, note := stepHolds, grantWords(g)
	if len(g.Needs) > 0 {
		state, note = stepOpen, needsWords(g.Needs)
	}
	if len(v.Grants) > 1 {
		note += " " + words.Plural(len(v.Grants)-1, "other entry covers", "other entries cover") + " it, too."
	}
	entry := proofStep{Kind: "Entry", Value: entryName(g.Entry), Note: p.took(strings.TrimSpace(note)), State: state}
	entry.Where, entry.Href = c.cite(g.URL, g.Entry)
	selector := proofStep{Kind: "Selector", Value: p.took(selectorName(g)), Note: p.took(c.selected(g)), State: stepHolds}
	selector.Where, selector.Href = c.cite(g.URL, selectorPointer(c, g))
	list := []proofStep{entry, selector}
	switch {
	case len(g.Signals) > 0:
		list = append(list, proofStep{Kind: "Signal", Value: p.took(items(g.Signals)), State: stepHolds})
	case len(g.Properties) > 0:
		list = append(list, propertyStep(g, c, p))
	}
	return list
}

// entryName says which entry of the list it is, as people count.
func entryName(pointer string) string {
	n, err := strconv.Atoi(pointer[strings.LastIndexByte(pointer, '/')+1:])
	if err != nil {
		return shortened(pointer, longestItem)
	}
	return "Entry " + words.Thousands(n+1) + " of authorized_agents"
}

// grantWords say under which circumstances an entry holds.
func grantWords(g *resolve.Grant) string {
	var parts []string
	if len(g.Countries) > 0 {
		parts = append(parts, "in "+items(g.Countries))
	}
	switch {
	case g.From.IsZero() && g.Until.IsZero():
		parts = append(parts, "at any time")
	case g.Until.IsZero():
		parts = append(parts, "from "+timeText(g.From))
	case g.From.IsZero():
		parts = append(parts, "until "+timeText(g.Until))
	default:
		parts = append(parts, "from "+timeText(g.From)+" until "+timeText(g.Until))
	}
	if g.DelegationType != "" {
		parts = append(parts, shortened(g.DelegationType, longestItem))
	}
	if g.Exclusive {
		parts = append(parts, "exclusive")
	}
	if g.Pinned {
		parts = append(parts, words.Plural(len(g.PinnedKeys), "pinned key", "pinned keys"))
	}
	return capital(strings.Join(parts, ", ")) + "."
}

// selectorMember is the member that an entry selects with, or "" for an unknown type.
func selectorMember(g *resolve.Grant) string {
	return model.SelectionOf(string(g.AuthorizationType)).Member
}

// selectorName is the member that an entry selects with.
func selectorName(g *resolve.Grant) string {
	return shortened(cmp.Or(selectorMember(g), string(g.AuthorizationType)), longestItem)
}

// selectorPointer is the place of the member, or of the one selector in it.
func selectorPointer(c *citer, g *resolve.Grant) string {
	pointer := g.Entry + "/" + selectorMember(g)
	if g.AuthorizationType == "publisher_properties" && c.at(pointer).Len() == 1 {
		return pointer + "/0"
	}
	return pointer
}

// selected says what the member selects.
func (c *citer) selected(g *resolve.Grant) string {
	value := c.at(g.Entry + "/" + selectorMember(g))
	switch g.AuthorizationType {
	case "inline_properties":
		return words.Plural(value.Len(), "property is", "properties are") + " written into the entry."
	case "publisher_properties":
		return words.Plural(value.Len(), "selector", "selectors") + " over the properties of publishers."
	}
	var names []string
	for _, x := range value.Elems() {
		if len(names) > mostItems {
			break
		}
		names = append(names, x.Str())
	}
	text := items(names[:min(len(names), mostItems)])
	if value.Len() > mostItems {
		text += " and " + words.Thousands(value.Len()-mostItems) + " more"
	}
	return text
}

// propertyStep is the first property that an entry covers of what was asked.
func propertyStep(g *resolve.Grant, c *citer, p *pen) proofStep {
	x := &g.Properties[0]
	s := proofStep{Kind: "Property", Value: p.line(x.PropertyID, longestItem), State: stepHolds}
	var parts []string
	if x.Property != nil {
		s.Value = cmp.Or(s.Value, p.line(x.Property.Name, longestItem))
		if x.Property.Name != "" {
			parts = append(parts, p.line(x.Property.Name, longestItem))
		}
		parts = append(parts, p.took(identifiers(x.Property.Identifiers)))
	}
	if len(g.Properties) > 1 {
		parts = append(parts, "and "+words.Plural(len(g.Properties)-1, "other property", "other properties"))
	}
	s.Note = strings.Join(parts, ", ")
	s.Where, s.Href = c.cite(x.URL, x.Pointer)
	return s
}

// reasonStep is where the way through the file ended.
func reasonStep(v *registry.QuestionAnswer, doc *answer.Answer, c *citer, p *pen) proofStep {
	code := v.Code()
	s := proofStep{Kind: "Entry", Value: "No entry decides", State: stepFails}
	if v.Verdict == resolve.NoneAsserted {
		s.State = stepOpen
	}
	for i := range doc.Reasons {
		r := &v.Reasons[i]
		if r.Code != code {
			continue
		}
		s.Note = sentence(p.words(doc.Reasons[i].Message))
		s.Where, s.Href = c.cite(r.URL, r.Pointer)
		if strings.HasPrefix(r.Pointer, "/authorized_agents/") {
			s.Value = entryName(strings.Join(strings.SplitN(r.Pointer, "/", 4)[:3], "/"))
		}
		break
	}
	return s
}

// sourceSteps are the file and the publisher that it speaks for.
func sourceSteps(v *registry.QuestionAnswer, p *pen) []proofStep {
	d := v.Document
	who := safe(v.Question.Publisher)
	file := proofStep{Kind: "File", Value: p.url(d.URL), State: stepHolds}
	switch d.State {
	case resolve.Usable:
		file.Note = "SHA-256 " + short(d.SHA256) + ", seen " + timeText(d.FetchedAt)
		file.Where, file.Href = "the report", checkURL(v.Question.Publisher, false, false)
	case resolve.Unusable:
		file.State, file.Value, file.Note = stepFails, cmp.Or(file.Value, "A file"), "It must not be used until it is fixed."
		file.Where, file.Href = "the report", checkURL(v.Question.Publisher, false, false)
	default:
		file.State, file.Value, file.Note = stepOpen, "No file to answer from", sentence(who+" "+fileWords[d.State])
		file.Where, file.Href = "the report", checkURL(v.Question.Publisher, false, false)
	}
	publisher := proofStep{Kind: "Publisher", Value: who, State: stepHolds, Where: "the publisher",
		Href: tabURL(v.Question.Publisher, sellTab)}
	publisher.Note = sentence(methodWords(d.Method, who))
	return []proofStep{file, publisher}
}

// fileWords say why there is no file to answer from.
var fileWords = map[resolve.State]string{
	resolve.Absent:      "publishes no adagents.json",
	resolve.Unreachable: "could not be asked: it is not known whether it has a file",
	resolve.Withheld:    "has a file that is not used here at present",
}

// text is the answer with its proof, to be copied into a message. The origin is where the service is.
func (x *answerView) text(origin string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\nAsked about %s.\n\nProof:\n", x.Verdict.Words, x.Verdict.Detail, timeText(x.At))
	for i, s := range x.Proof {
		fmt.Fprintf(&b, "%d. %s: %s", i+1, s.Kind, s.Value)
		switch s.State {
		case stepFails:
			b.WriteString(" (this is where it ends)")
		case stepOpen:
			b.WriteString(" (open)")
		}
		parts := []string{s.Note, s.Where}
		if s.Href != "" {
			parts = append(parts, origin+s.Href)
		}
		for _, part := range slices.DeleteFunc(parts, func(p string) bool { return p == "" }) {
			b.WriteString("\n   " + part)
		}
		b.WriteString("\n")
	}
	b.WriteString("\nEvidence:\n")
	for _, e := range x.Evidence {
		fmt.Fprintf(&b, "- %s, %s", e.Role, e.State)
		if e.URL != "" {
			b.WriteString(": " + e.URL)
		}
		if e.SHA256 != "" {
			b.WriteString("\n  SHA-256 " + e.SHA256)
		}
		if !e.Fetched.IsZero() {
			b.WriteString("\n  seen " + timeText(e.Fetched))
		}
		b.WriteString("\n")
	}
	return b.String() + "\n" + origin + x.Link + "\n"
}
