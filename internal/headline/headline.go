// Package headline says first what there is to know about a publisher: how many agents may sell for
// it now and, where one thing keeps buyers away, what that is. Every interface shows the same.
package headline

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/resolve"
)

// A State is a headline in a word.
type State string

// The states.
const (
	// Sells: every agent that the file names for the publisher may sell something of it.
	Sells State = "sells"
	// Partly: some of them may not, or buyers leave out something of the publisher.
	Partly State = "sells_partly"
	// Nothing: agents are named, and none of them may sell.
	Nothing State = "sells_nothing"
	// NoAgents: the file authorizes no agent, which denies nothing.
	NoAgents State = "no_agents"
	// NoFile: the publisher has none.
	NoFile State = "no_file"
	// Unusable: there is a file, and it must not be used.
	Unusable State = "unusable"
	// Unknown: it could not be determined whether there is a file.
	Unknown State = "unreachable"
	// Withheld: there is an answer of the publisher, which is not used at present.
	Withheld State = "withheld"
)

// badges are the states in a word or two, for where there is no more room.
var badges = map[State]string{
	Sells: "agents may sell", Partly: "some agents may sell", Nothing: "authorizes no agent", NoAgents: "no agents",
	NoFile:   "no file",
	Unusable: "unusable", Unknown: "unreachable", Withheld: "held",
}

// Facts are what a headline is made of.
type Facts struct {
	// Document is what answers about the publisher rest on. Without a Publisher it is a file at
	// hand that speaks for whomever it is asked about.
	Document *resolve.Document
	// Publisher and File are the records of custody; nil where nothing is kept.
	Publisher *custody.Publisher
	File      *custody.File
	At        time.Time
}

// A Headline is the first thing to say about a publisher.
type Headline struct {
	State State  `json:"state" enum:"sells,sells_partly,sells_nothing,no_agents,no_file,unusable,unreachable,withheld" doc:"The headline in a word: sells when every agent that the file names for the publisher may sell something of it, sells_partly when some may not or something of the publisher is left out, sells_nothing when none may; no_agents, no_file, unusable, unreachable and withheld say why nothing is authorized and nothing is denied."`
	Held  bool   `json:"held" doc:"A change of the publisher's is pending, so that what it serves now is not in effect yet."`
	Text  string `json:"text" doc:"The headline in a sentence, with the cause where one thing keeps buyers away."`
	// Detail may be empty.
	Detail      string `json:"detail,omitempty" doc:"What else to know about it."`
	Agents      int    `json:"agents" doc:"How many agents the file names for the publisher. One of whose entry the address cannot be read counts as an agent."`
	Able        int    `json:"agents_able" doc:"How many of them may sell something of the publisher now: a question about the agent that names nothing else is answered with authorized or conditional."`
	Conditional int    `json:"agents_conditional" doc:"How many of these may sell under a condition alone."`
	LeftOut     int    `json:"left_out" doc:"How many entries of the file buyers leave out that concern the publisher. Those of other publishers of a network do not count."`
}

// Badge is the headline in a word or two.
func (h *Headline) Badge() string {
	if h.Held && h.Able > 0 {
		return "change held"
	}
	if h.State == Sells && h.Able == 1 {
		return "1 agent may sell"
	}
	return badges[h.State]
}

// Of makes the headline of a publisher.
func Of(f Facts) Headline {
	w := &writer{Facts: f, doc: f.Document, who: cmp.Or(f.Document.Publisher, "this document")}
	w.h.State = without[f.Document.State]
	if f.Document.State == resolve.Usable {
		w.file()
	} else {
		w.noFile()
	}
	w.held()
	w.h.Text, w.h.Detail = redact.Credentials(w.h.Text), redact.Credentials(w.h.Detail)
	return w.h
}

// A writer puts a headline into words.
type writer struct {
	Facts
	doc *resolve.Document
	who string
	h   Headline
	// causes counts what keeps agents from selling, by the code.
	causes map[string]int
}

// without are the states of publishers without a usable file.
var without = map[resolve.State]State{
	resolve.Absent: NoFile, resolve.Unusable: Unusable, resolve.Unreachable: Unknown, resolve.Withheld: Withheld,
}

// noFile says why there is nothing to read.
func (w *writer) noFile() {
	cause := strings.TrimSuffix(strings.TrimPrefix(w.doc.Detail, custody.UnusablePrefix), ".")
	with := func(text string) string {
		if cause == "" {
			return text
		}
		return text + ": " + cause
	}
	switch w.h.State {
	case NoFile:
		w.h.Text = w.who + " has no file: no agent is authorized, and none is forbidden"
	case Unusable:
		w.h.Text = with("buyers cannot use the file of " + w.who)
		if w.doc.Publisher == "" {
			w.h.Text = with("buyers cannot use " + w.who)
		}
	case Withheld:
		w.h.Text = with("the file of " + w.who + " is held back")
	default:
		w.h.Text = with("it is not known who may sell for " + w.who)
	}
}

// file says what a usable file comes to.
func (w *writer) file() {
	subject := resolve.NewSubject(w.doc)
	// Where the document lets no agent sell, whatever its entries say, every question has that
	// answer.
	nobody, complete := "", true
	d, err := subject.Decide(&resolve.Question{Publisher: w.doc.Publisher, Agent: "https://agent.invalid/", At: w.At})
	if err == nil && (d.Verdict == resolve.NoneAsserted || d.Code == "publisher.revoked") {
		nobody = d.Code
	}
	if nobody == "" {
		complete = w.count(&subject)
	}
	h := &w.h
	switch {
	case nobody == "publisher.revoked":
		h.State, h.Text = Nothing, "no agent may sell"+w.target()+": "+titleOf(nobody)
	case nobody == "file.none_asserted":
		h.State, h.Text = NoAgents, w.named()+" names no agent"+w.target()+": none is authorized, and none is forbidden"
	case nobody != "":
		h.State, h.Text = NoAgents, "no agent is authorized"+w.target()+", and none is forbidden: "+titleOf(nobody)
	case h.Agents == 0:
		h.State, h.Text = Nothing, "no agent may sell"+w.target()+": "+w.named()+" names agents for other publishers alone"
	case !complete:
		h.State, h.Text = Partly, "at least "+words.Plural(h.Able, "agent", "agents")+" may sell"+w.target()
	case h.Able == 0:
		h.State, h.Text = Nothing, "no agent may sell"+w.target()+w.single()
	case h.Able < h.Agents:
		h.State, h.Text = Partly, words.Thousands(h.Able)+" of "+words.Plural(h.Agents, "agent", "agents")+" may sell"+
			w.target()+w.others()
	default:
		h.State, h.Text = Sells, words.Plural(h.Able, "agent", "agents")+" may sell"+w.target()
	}
	if h.State == Sells && h.LeftOut > 0 {
		h.State = Partly
		h.Text += ", and buyers leave out " + words.Plural(h.LeftOut, "entry", "entries") + " of the file"
	}
	w.details()
}

// target names the publisher, if there is one.
func (w *writer) target() string {
	if w.doc.Publisher == "" {
		return ""
	}
	return " for " + w.who
}

// named is the file.
func (w *writer) named() string {
	if w.doc.Publisher == "" {
		return w.who
	}
	return "the file"
}

// single is the cause that keeps all agents from selling, if there is one.
func (w *writer) single() string {
	if len(w.causes) != 1 {
		return ""
	}
	for code := range w.causes {
		return ": " + titleOf(code)
	}
	return ""
}

// others is the cause that keeps the other agents from selling, if there is one.
func (w *writer) others() string {
	cause := w.single()
	if cause == "" {
		return ""
	}
	n := w.h.Agents - w.h.Able
	if n == 1 {
		return "; the other may not" + cause
	}
	return "; the others may not" + cause
}

// details says what else there is to know.
func (w *writer) details() {
	var parts []string
	if n := w.h.Conditional; n > 0 && w.h.Able > 0 {
		who := "for " + strconv.Itoa(n) + " of them"
		if n == w.h.Able {
			who = "that"
		}
		parts = append(parts, who+" depends on what a question names, such as the country or the placement")
		if n < w.h.Able {
			parts[0] = who + " it depends on what a question names, such as the country or the placement"
		}
	}
	if len(w.causes) > 1 {
		codes := slices.SortedFunc(maps.Keys(w.causes), func(a, b string) int {
			return cmp.Or(w.causes[b]-w.causes[a], cmp.Compare(a, b))
		})
		for _, code := range codes[:min(len(codes), mostCauses)] {
			parts = append(parts, words.Plural(w.causes[code], "agent", "agents")+" may not: "+titleOf(code))
		}
	}
	if w.doc.Method != "" {
		parts = append(parts, w.speaker())
	}
	if w.doc.Detail != "" { // it could not be confirmed of late
		parts = append(parts, w.doc.Detail)
	}
	w.h.Detail = strings.Join(parts, "; ")
}

// mostCauses is how many causes are named.
const mostCauses = 3

// speaker says which file counts.
func (w *writer) speaker() string {
	switch w.doc.Method {
	case discover.AuthoritativeLocation.String():
		return w.who + " points to the file that speaks for it"
	case discover.ManagerDomain.String():
		return w.who + " has no file of its own, and the file of its manager speaks for it"
	}
	return w.who + " serves the file itself"
}

// held says that what the publisher serves now is not in effect.
func (w *writer) held() {
	what := ""
	switch {
	case w.Publisher != nil && w.Publisher.Move != nil && !w.Publisher.Move.Rejected:
		what = "a move to another address is held"
	case w.File != nil && w.File.Refused != nil:
		what = "a version of the file is held"
	}
	if what != "" {
		w.h.Held = true
		w.h.Text += "; " + what
	}
}

// count counts the agents that the file names for the publisher. It returns false when that would
// take too long.
func (w *writer) count(s *resolve.Subject) bool {
	w.causes = map[string]int{}
	about := Concerning(w.doc.File.Raw, w.doc.Publisher)
	lost := map[int]string{} // why entries are left out, or have no effect
	for i := range w.doc.Skipped {
		skip := &w.doc.Skipped[i]
		if !about.Concerns(skip.Pointer) {
			continue
		}
		n, ok := entryAt(skip.Pointer)
		switch {
		case ok && skip.Code == windowOver: // of a check at some time; it is not a fault
			lost[n] = "entry.outside_window"
			continue
		case ok:
			lost[n] = skip.Code
		}
		w.h.LeftOut++
	}
	complete := true
	if w.doc.Publisher == "" {
		w.atHand(lost)
	} else {
		var agents []resolve.AgentDecision
		agents, complete = s.Agents(w.doc.Publisher, w.At)
		for i := range agents {
			w.add(&agents[i], about, lost)
		}
	}
	for _, code := range lost { // what has no address that could be asked about
		w.h.Agents++
		w.causes[code]++
	}
	return complete
}

// windowOver is the code for which a check at some time leaves out an entry that has ended by then.
const windowOver = "agent.window_expired"

// atHand counts the entries of a file that speaks for whomever it is asked about: what they cover is
// not known, but whether they have an effect at the time.
func (w *writer) atHand(lost map[int]string) {
	list := w.doc.File.Agents
	for i := range list {
		n, _ := entryAt(list[i].Pointer())
		from, begins := list[i].EffectiveFrom.Time()
		until, ends := list[i].EffectiveUntil.Time()
		w.h.Agents++
		switch {
		case list[i].Inert():
			w.causes[cmp.Or(lost[n], list[i].InertCode(), "entry.inert")]++
		case begins && w.At.Before(from) || ends && w.At.After(until):
			w.causes["entry.outside_window"]++
		default:
			w.h.Able++
		}
		delete(lost, n)
	}
}

// add counts an agent. Its entries are taken from those that are lost.
func (w *writer) add(a *resolve.AgentDecision, about *Scope, lost map[int]string) {
	code, concerned := a.Code, false
	for _, n := range a.Entries {
		concerned = concerned || n < 0 || about.Concerns("/authorized_agents/"+strconv.Itoa(int(n)))
		if why, ok := lost[int(n)]; ok {
			code = cmp.Or(why, code)
			delete(lost, int(n))
		}
	}
	switch {
	case a.Verdict >= resolve.Conditional:
		w.h.Able++
		if a.Verdict == resolve.Conditional {
			w.h.Conditional++
		}
	case !concerned:
		return
	default:
		w.causes[code]++
	}
	w.h.Agents++
}

// titles are codes in a few words, where those of the catalogue are not about publishers.
var titles = map[string]string{
	"property.not_covered": "the entries cover no property of the publisher",
	"property.unknown":     "the file has no property of the publisher",
	"publisher.revoked":    "the file revokes the publisher",
	"entry.outside_window": "the entries do not hold at this time",
	"file.replaced":        "the file was replaced by one that could not be had",
}

// titleOf is a code in a few words.
func titleOf(code string) string {
	if text, ok := titles[code]; ok {
		return text
	}
	rule, ok := adagents.LookupRule(code)
	for _, r := range resolve.Codes() {
		if !ok && r.Code == code {
			rule = r
		}
	}
	return cmp.Or(rule.Title, code)
}
