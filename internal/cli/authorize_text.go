package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/resolve"
)

// answerText writes an answer for people: the verdict, then why, then what to do.
type answerText struct {
	w     io.Writer
	paint style
	width int
}

// mostShown is the number of things of one kind that a text lists.
const mostShown = 20

func (t *answerText) write(q resolve.Question, answer *resolve.Answer) {
	fmt.Fprintf(t.w, "%s: %s\n", t.verdict(answer.Verdict), wrapHanging(safe(verdictSentence(&q, answer)), t.width, len(answer.Verdict.String())+2))
	t.section()
	reasons := decisive(answer)
	for _, r := range capped(reasons) {
		t.reason(&r)
	}
	t.more(len(reasons))
	t.placements(answer)
	for i := range capped(answer.Grants) {
		t.grant(&answer.Grants[i])
	}
	t.more(len(answer.Grants))
	t.advice(answer)
	for i := range capped(answer.Evidence) {
		t.line("rests on:", evidenceWords(&answer.Evidence[i]))
	}
	t.more(len(answer.Evidence))
}

// reason writes a reason; one that is worth knowing beside the verdict is a note.
func (t *answerText) reason(r *resolve.Reason) {
	label := "why:"
	if r.Code == ignoredCode {
		label = "note:"
	}
	t.line(label, safe(redact.Credentials(r.Message))+" "+t.paint.dim("["+r.Code+"]"))
}

// ignoredCode is the reason that an entry has a member that looks like a restriction.
const ignoredCode = "entry.restriction_ignored"

// decisive leaves out why other entries do not cover what was asked when some entry
// does, or would: nobody who got an answer needs to read that. JSON output has it.
// What other agents are called has a line of its own.
func decisive(answer *resolve.Answer) []resolve.Reason {
	deciding := map[string]bool{}
	for i := range answer.Grants {
		deciding[answer.Grants[i].Entry] = true
	}
	granted := answer.Verdict == resolve.Authorized || answer.Verdict == resolve.Conditional
	return slices.DeleteFunc(slices.Clone(answer.Reasons), func(r resolve.Reason) bool {
		entry := entryOf(r.Pointer)
		return r.Code == exclusiveCode || granted && entry != "" && !deciding[entry]
	})
}

// exclusiveCode is the reason that another agent is called the only one.
const exclusiveCode = "exclusive.other_agent"

// entryOf is the pointer of the agent entry that a place lies in, or "".
func entryOf(pointer string) string {
	const agents = "/authorized_agents/"
	rest, ok := strings.CutPrefix(pointer, agents)
	if !ok {
		return ""
	}
	number, _, _ := strings.Cut(rest, "/")
	return agents + number
}

func (t *answerText) section() { fmt.Fprintln(t.w) }

// more says how many things of a kind are not shown.
func (t *answerText) more(n int) {
	if n > mostShown {
		t.line("", words.Thousands(n-mostShown)+" more; --format json has all")
	}
}

func capped[T any](list []T) []T { return list[:min(len(list), mostShown)] }

// verdict paints the word.
func (t *answerText) verdict(v resolve.Verdict) string {
	switch v {
	case resolve.Authorized:
		return t.paint.green(v.String())
	case resolve.NotAuthorized, resolve.UnusableFile:
		return t.paint.red(v.String())
	}
	return t.paint.yellow(v.String())
}

// answerLabels is the room for the labels of lines.
const answerLabels = 11

// line writes a labelled text, broken into lines that are indented alike.
func (t *answerText) line(label, text string) {
	if text == "" {
		return
	}
	fmt.Fprintf(t.w, "%s%s\n", t.paint.dim(padded(label, answerLabels)), wrapHanging(text, t.width, answerLabels))
}

// wrapHanging breaks a text into lines that begin at a column.
func wrapHanging(text string, width, column int) string {
	return strings.ReplaceAll(wrap(text, width-column), "\n", "\n"+strings.Repeat(" ", column))
}

// verdictSentence is the verdict in a sentence. Its outside text is not escaped.
func verdictSentence(q *resolve.Question, answer *resolve.Answer) string {
	agent, what := redact.URL(q.Agent), subjectWords(q)
	switch answer.Verdict {
	case resolve.Authorized:
		return agent + " may sell " + what
	case resolve.NotAuthorized:
		return "the file of " + q.Publisher + " does not let " + agent + " sell " + what
	case resolve.Conditional:
		return "whether " + agent + " may sell " + what + " depends on " + needWords(answer.Needs)
	case resolve.NoneAsserted:
		return "the file of " + q.Publisher + " names no agent at all; that denies nothing, and confirms nothing"
	case resolve.UnusableFile:
		return "there is a file for " + q.Publisher + ", and it must not be used; nothing follows for " + agent
	}
	switch stateOf(answer.Evidence) {
	case resolve.Unreachable:
		return "the file of " + q.Publisher + " could not be reached; that is not a no to " + agent
	case resolve.Withheld:
		return "the file of " + q.Publisher + " is not used at present; that is not a no to " + agent
	}
	return "there is no file of " + q.Publisher + " to go by; that is not a no to " + agent
}

// stateOf returns what is known about the publisher's file.
func stateOf(list []resolve.Evidence) resolve.State {
	if len(list) == 0 {
		return resolve.Absent
	}
	return list[0].State
}

// subjectWords say what was asked about.
func subjectWords(q *resolve.Question) string {
	var parts []string
	switch {
	case q.Signal != "":
		parts = append(parts, "the signal "+q.Signal)
	case q.Property != "":
		parts = append(parts, "the property "+q.Property)
	case q.Identifier != (resolve.Identifier{}):
		parts = append(parts, "the "+q.Identifier.Type+" "+q.Identifier.Value)
	case len(q.Placements) == 0:
		parts = append(parts, "inventory")
	}
	if len(q.Placements) > 0 {
		parts = append(parts, listWords("the placement ", "the placements ", q.Placements))
	}
	text := strings.Join(parts, ", ") + " of " + q.Publisher
	if q.Property != "" && q.Identifier != (resolve.Identifier{}) {
		text += " as the " + q.Identifier.Type + " " + q.Identifier.Value
	}
	if len(q.Collections) > 0 {
		text += listWords(" in the collection ", " in one of the collections ", collectionWords(q.Collections))
	}
	if q.Country != "" {
		text += " in " + q.Country
	}
	return text
}

func collectionWords(list []resolve.CollectionRef) []string {
	out := make([]string, len(list))
	for i, c := range list {
		out[i] = c.PublisherDomain + "/" + c.ID
	}
	return out
}

func listWords(one, many string, list []string) string {
	if len(list) == 1 {
		return one + list[0]
	}
	return many + strings.Join(list, ", ")
}

// needWords say what a question must tell. A need without words is named as it is.
func needWords(needs []string) string {
	var parts []string
	for _, n := range needs {
		if n == "confirmation" {
			parts = append(parts, "a confirmation by the publishers it belongs to")
			continue
		}
		parts = append(parts, "the "+strings.ReplaceAll(n, "_", " "))
	}
	if len(parts) == 0 {
		return "what the question leaves out"
	}
	return strings.Join(parts, " and ")
}

// needFlags are the flags that tell what an answer needs.
var needFlags = map[string]string{
	"country": "--country CODE", "placement": "--placement ID", "collection": "--collection DOMAIN/ID",
}

// placements writes the verdict for each placement.
func (t *answerText) placements(answer *resolve.Answer) {
	ids := make([]string, 0, len(answer.Placements))
	for id := range answer.Placements {
		ids = append(ids, id)
	}
	if len(ids) < 2 {
		return
	}
	slices.Sort(ids)
	for _, id := range capped(ids) {
		t.line("placement:", safe(id)+" "+t.verdict(answer.Placements[id]))
	}
	t.more(len(ids))
}

// grant writes one entry and what it says.
func (t *answerText) grant(g *resolve.Grant) {
	t.line("entry:", safe(g.Entry+" of "+redact.URL(g.URL)))
	t.line("", strings.Join(grantWords(g), "; "))
	for i := range capped(g.Properties) {
		t.line("", coveredWords(&g.Properties[i]))
	}
	t.more(len(g.Properties))
}

// grantWords are the facts of an entry, safe to show.
func grantWords(g *resolve.Grant) []string {
	var parts []string
	add := func(label, text string) {
		if text != "" {
			parts = append(parts, label+safe(text))
		}
	}
	add("for: ", redact.Credentials(g.AuthorizedFor))
	add("path: ", g.DelegationType)
	if g.Exclusive {
		add("", "called the only path")
	}
	add("signals: ", strings.Join(g.Signals, ", "))
	add("placements: ", strings.Join(g.Placements, ", "))
	add("collections: ", strings.Join(collectionWords(g.Collections), ", "))
	add("countries: ", strings.Join(g.Countries, ", "))
	if !g.From.IsZero() {
		add("from ", timeForJSON(g.From))
	}
	if !g.Until.IsZero() {
		add("until ", timeForJSON(g.Until))
	}
	if g.Pinned {
		add("pinned keys: ", strings.Join(g.PinnedKeys, ", "))
	}
	return parts
}

// coveredWords describe a property that an entry covers.
func coveredWords(c *resolve.Covered) string {
	text := "covers " + safe(nameOf(c)) + " of " + safe(c.PublisherDomain)
	switch c.Path {
	case resolve.Own:
		return text
	case resolve.Federated:
		text += ", by the file of that publisher"
	default:
		text += ", as declared in this file"
	}
	if !c.Confirmed {
		text += " (a claim: that publisher's own file is not known to let the agent sell it)"
	}
	return text
}

// nameOf is the id of a property or, without one, its name.
func nameOf(c *resolve.Covered) string {
	switch {
	case c.PropertyID != "":
		return c.PropertyID
	case c.Property != nil:
		return c.Property.Name
	}
	return "a property"
}

// advice writes what to do.
func (t *answerText) advice(answer *resolve.Answer) {
	flags := flagsFor(answer.Needs)
	if flags != "" {
		t.line("to do:", "ask again with "+flags)
	} else {
		for _, text := range capped(answer.Changes) {
			t.line("to do:", safe(redact.Credentials(text)))
		}
	}
	n := 0
	for _, r := range answer.Reasons {
		if r.Code != exclusiveCode {
			continue
		}
		n++
		if n <= mostShown {
			t.line("also:", safe(redact.Credentials(r.Message))+", which contradicts other entries")
		}
	}
	t.more(n)
}

// flagsFor names the flags that tell everything an answer needs; empty when a flag is
// not enough.
func flagsFor(needs []string) string {
	var flags []string
	for _, n := range needs {
		flag, ok := needFlags[n]
		if !ok {
			return ""
		}
		flags = append(flags, flag)
	}
	return strings.Join(flags, " and ")
}

// evidenceWords describe a document in a line.
func evidenceWords(e *resolve.Evidence) string {
	if e.State != resolve.Usable && e.URL == "" {
		return safe(e.Publisher) + ", " + e.State.String() + whenWords(e)
	}
	text := safe(redact.URL(e.URL))
	if role := roleWords[e.Role]; role != "" {
		text = role + " " + text
	}
	const digits = 12
	if len(e.SHA256) >= digits {
		text += ", SHA-256 " + e.SHA256[:digits] + ellipsis
	}
	if e.Method == "" {
		return text // a file at hand, read just now
	}
	return text + whenWords(e)
}

// roleWords name the documents on the way to a file.
var roleWords = map[string]string{
	"pointer": "the pointer", "ads_txt": "the list of sellers", "manager": "the manager's file",
	"replaced": "the replaced file", "successor": "the replacement, not used,", "mirror": "the community mirror",
}

// whenWords say when a document was asked for.
func whenWords(e *resolve.Evidence) string {
	if e.FetchedAt.IsZero() {
		return ""
	}
	return ", at " + timeForJSON(e.FetchedAt)
}
