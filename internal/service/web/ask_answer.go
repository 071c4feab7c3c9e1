package web

import (
	"cmp"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/answer"
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
