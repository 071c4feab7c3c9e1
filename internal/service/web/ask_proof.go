package web

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/answer"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/resolve"
)

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
	list := []proofStep{{Kind: "Question", Value: p.url(q.Agent), Note: p.took(circumstances(q)), State: holds}}
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
	state, note := holds, grantWords(g)
	if len(g.Needs) > 0 {
		state, note = open, needsWords(g.Needs)
	}
	if len(v.Grants) > 1 {
		note += " " + words.Plural(len(v.Grants)-1, "other entry covers", "other entries cover") + " it, too."
	}
	entry := proofStep{Kind: "Entry", Value: entryName(g.Entry), Note: p.took(strings.TrimSpace(note)), State: state}
	entry.Where, entry.Href = c.cite(g.URL, g.Entry)
	selector := proofStep{Kind: "Selector", Value: p.took(selectorName(g)), Note: p.took(c.selected(g)), State: holds}
	selector.Where, selector.Href = c.cite(g.URL, selectorPointer(c, g))
	list := []proofStep{entry, selector}
	switch {
	case len(g.Signals) > 0:
		list = append(list, proofStep{Kind: "Signal", Value: p.took(items(g.Signals)), State: holds})
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
	s := proofStep{Kind: "Property", Value: p.line(x.PropertyID, longestItem), State: holds}
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
	s := proofStep{Kind: "Entry", Value: "No entry decides", State: fails}
	if v.Verdict == resolve.NoneAsserted {
		s.State = open
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
	file := proofStep{Kind: "File", Value: p.url(d.URL), State: holds}
	switch d.State {
	case resolve.Usable:
		file.Note = "SHA-256 " + short(d.SHA256) + ", seen " + timeText(d.FetchedAt)
		file.Where, file.Href = "the report", checkURL(v.Question.Publisher, false, false)
	case resolve.Unusable:
		file.State, file.Value, file.Note = fails, cmp.Or(file.Value, "A file"), "It must not be used until it is fixed."
		file.Where, file.Href = "the report", checkURL(v.Question.Publisher, false, false)
	default:
		file.State, file.Value, file.Note = open, "No file to answer from", sentence(who+" "+fileWords[d.State])
		file.Where, file.Href = "the report", checkURL(v.Question.Publisher, false, false)
	}
	publisher := proofStep{Kind: "Publisher", Value: who, State: holds, Where: "the publisher",
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
