package authorize

import (
	"fmt"
	"slices"
	"strings"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/wire"
	"github.com/avow-project/avow/resolve"
)

func writeAnswer(t *console.Lines, q resolve.Question, answer *resolve.Answer) {
	fmt.Fprintf(t.W, "%s: %s\n", paintVerdict(t, answer.Verdict),
		console.WrapHanging(console.Safe(verdictSentence(&q, answer)), t.Width, len(answer.Verdict.String())+2))
	t.Section()
	reasons := decisive(answer)
	for _, r := range console.Capped(reasons) {
		writeReason(t, &r)
	}
	t.More(len(reasons))
	writePlacements(t, answer)
	for i := range console.Capped(answer.Grants) {
		writeGrant(t, &answer.Grants[i])
	}
	t.More(len(answer.Grants))
	writeAdvice(t, answer)
	for i := range console.Capped(answer.Evidence) {
		t.Line("rests on:", evidenceWords(&answer.Evidence[i]))
	}
	t.More(len(answer.Evidence))
}

// reason writes a reason; one that is worth knowing beside the verdict is a note.
func writeReason(t *console.Lines, r *resolve.Reason) {
	label := "why:"
	if r.Code == ignoredCode || r.Code == wordCode {
		label = "note:"
	}
	t.Line(label, console.Safe(redact.Credentials(r.Message))+" "+t.Paint.Dim("["+r.Code+"]"))
}

// ignoredCode is the reason that an entry has a member that looks like a restriction.
const ignoredCode = "entry.restriction_ignored"

// wordCode is the reason that the identifier is the publisher's by the publisher's word.
const wordCode = "identifier.publisher_word"

// decisive leaves out why other entries do not cover what was asked when some entry
// does, or would: with an answer at hand, those are noise. JSON output has it. What
// other agents are called has a line of its own.
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

// verdict paints the word.
func paintVerdict(t *console.Lines, v resolve.Verdict) string {
	switch v {
	case resolve.Authorized:
		return t.Paint.Green(v.String())
	case resolve.NotAuthorized, resolve.UnusableFile:
		return t.Paint.Red(v.String())
	}
	return t.Paint.Yellow(v.String())
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
		if slices.Contains(answer.Needs, "signal") {
			return signalsOnly(q)
		}
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
	return "no file is known for " + q.Publisher + ", so nothing can be said about " + agent
}

// signalsOnly is what there is to say of an agent without a property.
func signalsOnly(q *resolve.Question) string {
	return "signals only; " + redact.URL(q.Agent) + " may sell no property of " + q.Publisher + ", so ask with a signal"
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
		out[i] = c.String()
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
	"signal": "--signal ID",
}

// placements writes the verdict for each placement.
func writePlacements(t *console.Lines, answer *resolve.Answer) {
	ids := make([]string, 0, len(answer.Placements))
	for id := range answer.Placements {
		ids = append(ids, id)
	}
	if len(ids) < 2 {
		return
	}
	slices.Sort(ids)
	for _, id := range console.Capped(ids) {
		t.Line("placement:", console.Safe(id)+" "+paintVerdict(t, answer.Placements[id]))
	}
	t.More(len(ids))
}

// grant writes one entry and what it says.
func writeGrant(t *console.Lines, g *resolve.Grant) {
	t.Line("entry:", console.Safe(g.Entry+" of "+redact.URL(g.URL)))
	t.Line("", strings.Join(grantWords(g), "; "))
	for i := range console.Capped(g.Properties) {
		t.Line("", coveredWords(&g.Properties[i]))
	}
	t.More(len(g.Properties))
}

// grantWords are the facts of an entry, safe to show.
func grantWords(g *resolve.Grant) []string {
	var parts []string
	add := func(label, text string) {
		if text != "" {
			parts = append(parts, label+console.Safe(text))
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
		add("from ", wire.Time(g.From))
	}
	if !g.Until.IsZero() {
		add("until ", wire.Time(g.Until))
	}
	if g.Pinned {
		add("pinned keys: ", strings.Join(g.PinnedKeys, ", "))
	}
	return parts
}

// coveredWords describe a property that an entry covers.
func coveredWords(c *resolve.Covered) string {
	text := "covers " + console.Safe(nameOf(c)) + " of " + console.Safe(c.PublisherDomain)
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
func writeAdvice(t *console.Lines, answer *resolve.Answer) {
	flags := flagsFor(answer.Needs)
	if flags != "" {
		t.Line("to do:", "ask again with "+flags)
	} else {
		for _, text := range console.Capped(answer.Changes) {
			t.Line("to do:", console.Safe(redact.Credentials(text)))
		}
	}
	n := 0
	for _, r := range answer.Reasons {
		if r.Code != exclusiveCode {
			continue
		}
		n++
		if n <= console.MostListed {
			t.Line("also:", console.Safe(redact.Credentials(r.Message))+", which contradicts other entries")
		}
	}
	t.More(n)
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
		return console.Safe(e.Publisher) + ", " + e.State.String() + whenWords(e)
	}
	text := console.Safe(redact.URL(e.URL))
	if role := roleWords[e.Role]; role != "" {
		text = role + " " + text
	}
	const digits = 12
	if len(e.SHA256) >= digits {
		text += ", SHA-256 " + e.SHA256[:digits] + console.Ellipsis
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
	return ", at " + wire.Time(e.FetchedAt)
}
