package web

import (
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/answer"
	"github.com/avow-project/avow/internal/question"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/iso3166"
	"github.com/avow-project/avow/resolve"
)

// asked is a question as the reader wrote it: what is empty is not asked about. The
// names are those of the parameters of GET /api/authorize, but for on, a day.
type asked struct {
	publisher, agent, property, identifier, propertyType, signal, country, on, at string
	placements, collections                                                       []string
	// remark says how the country was read; empty where it was read as it is written.
	remark string
	// q is the question in the form of package resolve; its time is zero for now.
	q resolve.Question
}

// askTexts are the parameters of a question that are given once at most.
var askTexts = map[string]func(*asked) *string{
	"publisher":     func(a *asked) *string { return &a.publisher },
	"agent":         func(a *asked) *string { return &a.agent },
	"property":      func(a *asked) *string { return &a.property },
	"identifier":    func(a *asked) *string { return &a.identifier },
	"property_type": func(a *asked) *string { return &a.propertyType },
	"signal":        func(a *asked) *string { return &a.signal },
	"country":       func(a *asked) *string { return &a.country },
	"at":            func(a *asked) *string { return &a.at },
}

// askLists are those that may be given more than once.
var askLists = map[string]func(*asked) *[]string{
	"placement":  func(a *asked) *[]string { return &a.placements },
	"collection": func(a *asked) *[]string { return &a.collections },
}

// A fieldProblem says what is wrong with one field of a form.
type fieldProblem struct{ field, message, hint string }

// askedOf reads a question. A browser sends the fields of a form that are empty, too: they are
// dropped here, and nowhere else.
func askedOf(query url.Values) (*asked, *fieldProblem) {
	values := url.Values{}
	for name, list := range query {
		if texts := filled(list); texts != nil {
			values[name] = texts
		}
	}
	a := &asked{on: strings.Join(values[dayParam], " ")}
	for i, text := range values["country"] {
		values["country"][i], a.remark = countryCode(text)
	}
	for name, texts := range values {
		if text, ok := askTexts[question.Canonical(name)]; ok {
			*text(a) = texts[0]
		} else if list, ok := askLists[question.Canonical(name)]; ok {
			*list(a) = append(*list(a), texts...)
		}
	}
	r := question.Reader{On: question.Page, Partial: true, Skip: []string{dayParam}}
	q, err := r.Values(values)
	if err != nil {
		return a, fieldProblemOf(err)
	}
	a.q = q.Question
	if q.Given("identifier_type") {
		a.identifier = answer.AskedOf(&a.q).Identifier
	}
	problem := a.readDay()
	return a, problem
}

// fieldProblemOf says at which field of the form a question is wrong.
func fieldProblemOf(err error) *fieldProblem {
	var known *question.Error
	if !errors.As(err, &known) {
		return &fieldProblem{"publisher", "the question cannot be read", "ask with the form"}
	}
	field := question.Canonical(known.Member)
	switch {
	case field == "at":
		field = dayParam
	case strings.HasPrefix(field, "identifier"):
		field = "identifier"
	case field == "":
		field = "publisher"
	}
	return &fieldProblem{field, strings.TrimPrefix(known.Message, known.Member+": "), known.Hint}
}

// filled leaves out what a form sends for fields that are empty.
func filled(values []string) []string {
	var out []string
	for _, v := range values {
		v = strings.TrimSpace(v)
		if v != "" {
			out = append(out, v)
		}
	}
	return out
}

// countryCode turns what people call a country into its code, with a remark: its name, its three-letter code, or a code
// that ISO has in reserve for it, such as UK. The remark says so where the code is not what was written.
// Other texts stay as they are.
func countryCode(text string) (string, string) {
	s := iso3166.Suggest(text)
	switch {
	case s.Code == "":
	case s.Kind == iso3166.EnglishName || s.Kind == iso3166.Alpha3:
		return s.Code, ""
	case s.Kind == iso3166.Replacement:
		return s.Code, strings.ToUpper(strings.TrimSpace(text)) + " was read as " + s.Code + ": " + s.Text
	}
	return text, ""
}

// countryHint says what to write in the place of a text that is not a country.
func countryHint(text, hint string) string {
	s := iso3166.Suggest(text)
	switch {
	case s.Kind == iso3166.Regional && len(s.Members) > 0:
		return "this is a group of countries; ask about one of them: " + strings.Join(s.Members, ", ")
	case s.Kind == iso3166.Unknown || s.Kind == iso3166.Regional:
		return "write the English name of a country or its two-letter code, for example Germany or DE"
	case s.Kind == iso3166.Subdivision:
		return "write the country, " + countryName(s.Code)
	case s.Kind == iso3166.Replacement || s.Kind == iso3166.UserAssigned:
		return s.Text
	}
	return hint
}

// countryName is a country with its code, as people know both.
func countryName(code string) string {
	name := iso3166.Name(code)
	if name == "" {
		return code
	}
	return name + " (" + code + ")"
}

// readDay reads the day asked about, which is meant from its beginning, unless there is a time.
func (a *asked) readDay() *fieldProblem {
	switch {
	case a.at != "":
		a.on = a.q.At.UTC().Format(time.DateOnly)
	case a.on != "":
		at, err := time.Parse(time.DateOnly, a.on)
		if err != nil {
			return &fieldProblem{dayParam, "this is not a day", "write it like 2026-01-02"}
		}
		a.q.At = at
	}
	return nil
}

// dayOf returns a day if it is one: browsers show nothing else in a field for days.
func dayOf(s string) string {
	day, ok := parseDay(s)
	if !ok {
		return ""
	}
	return day.Format(time.DateOnly)
}

// parseDay reads a day, which begins at 00:00 UTC.
func parseDay(s string) (time.Time, bool) {
	day, err := time.Parse(time.DateOnly, s)
	return day, err == nil
}

// pairs are the parameters of GET /api/authorize for a question, in their order.
func (a *asked) pairs(at string) [][2]string {
	var list [][2]string
	add := func(name string, values ...string) {
		for _, v := range values {
			if v != "" {
				list = append(list, [2]string{name, v})
			}
		}
	}
	add("publisher", a.publisher)
	add("agent", a.agent)
	add("property", a.property)
	add("identifier", a.identifier)
	add("property_type", a.propertyType)
	add("placement", a.placements...)
	add("collection", a.collections...)
	add("signal", a.signal)
	add("country", a.country)
	add("at", at)
	return list
}

// with returns the address of the same question with one parameter set.
func (a *asked) with(name, value string) string {
	b := *a
	if text, ok := askTexts[name]; ok {
		*text(&b) = value
	} else if list, ok := askLists[name]; ok {
		*list(&b) = append(slices.Clone(*list(&b)), value)
	}
	pairs := b.pairs(b.at)
	if b.at == "" && b.on != "" {
		pairs = append(pairs, [2]string{"on", b.on})
	}
	return askURL(pairs)
}

// askForm is the sentence with its fields. More are those that few questions need.
type askForm struct {
	Publisher, Agent, Property, Country, On *askField
	More                                    []*askField
	// Open is set when a field among the others has something to say.
	Open bool
}

// askField is a field of the form.
type askField struct {
	// Name is the parameter's name, and ID the field's id on the page.
	Name, ID, Label, Value, Example string
	// Text is set when the value is not one for the kind of field that it would otherwise be.
	Text bool
	// Focus is set for the first field that has to be filled in, unless there is something to read first.
	Focus   bool
	Options []askOption
	// Next says why the answer asks for it; empty for the others. Links are ways to say it.
	Next  string
	Links []askLink
	// Remark says how the value was read, where that may surprise.
	Remark string
	Error  string
}

// askOption is a value that is in the file, with words for it.
type askOption struct{ Value, Label string }

// askLink is the same question with one more thing said.
type askLink struct{ Text, URL string }

// Choices that a page offers.
const (
	mostOptions = 200
	mostLinks   = 12
)

// form returns the form for a question. The document and the answer may be missing.
func (a *asked) form(doc *resolve.Document, v *registry.QuestionAnswer) askForm {
	field := func(name, label, value, example string) *askField {
		return &askField{Name: name, ID: "ask-" + name, Label: label, Value: shortened(redact.URL(value), longestDomain),
			Example: example}
	}
	f := askForm{
		Publisher: field("publisher", "Publisher’s domain", a.publisher, "example.com"),
		Agent:     field("agent", "Agent’s URL", a.agent, "https://agent.example/mcp"),
		Property:  field("property", "Property’s id", a.property, "anything"),
		Country:   field("country", "Country", a.country, "any, or Germany"),
		On:        field("on", "Day", a.on, ""),
		More: []*askField{
			field("identifier", "Property as the market names it", a.identifier, "domain=www.example.com"),
			field("property_type", "Type of the property", a.propertyType, "website"),
			field("signal", "Signal’s id", a.signal, ""),
		},
	}
	f.Country.Remark = a.remark
	f.On.Text = a.on != "" && dayOf(a.on) == ""
	for _, list := range []struct {
		name, label, example string
		values               []string
	}{
		{"placement", "Placement’s id", "", a.placements},
		{"collection", "Collection, as domain/id", "example.com/morning_show", a.collections},
	} {
		for i, value := range append(slices.Clone(list.values), "") {
			x := field(list.name, list.label, value, list.example)
			if i > 0 {
				x.ID, x.Label = x.ID+"-"+string(rune('a'+i%26)), "Another "+headlineless(list.label)
			}
			f.More = append(f.More, x)
		}
	}
	if doc != nil && doc.State == resolve.Usable {
		f.Agent.Options, f.Property.Options = agentOptions(doc.File), propertyOptions(doc)
	}
	if v != nil {
		f.grow(a, v)
	}
	for _, x := range f.More {
		f.Open = f.Open || x.Value != "" || x.Next != ""
	}
	return f
}

// headlineless begins a label with a small letter.
func headlineless(s string) string { return string(s[0]-'A'+'a') + s[1:] }

// wrong puts what is wrong beside its field.
func (f *askForm) wrong(p *fieldProblem) {
	text := p.message
	if p.hint != "" {
		text += "; " + p.hint
	}
	f.field(p.field).Error = safe(text)
	f.Open = f.Open || slices.Contains(f.More, f.field(p.field))
}

// field returns the last field of a name, which is the empty one of several.
func (f *askForm) field(name string) *askField {
	found := f.Publisher
	for _, x := range append([]*askField{f.Agent, f.Property, f.Country, f.On}, f.More...) {
		if x.Name == name {
			found = x
		}
	}
	return found
}

// agentOptions are the agents that a file names, each once.
func agentOptions(f *adagents.File) []askOption {
	var list []askOption
	seen := map[string]bool{}
	for i := range f.Agents {
		x := &f.Agents[i]
		if len(list) == mostOptions || seen[x.URL] || redact.URL(x.URL) != x.URL {
			continue
		}
		seen[x.URL] = true
		list = append(list, askOption{shortened(x.URL, longestDomain), shortened(x.AuthorizedFor, longestItem)})
	}
	return list
}

// propertyOptions are the first properties of a publisher that have an id.
func propertyOptions(doc *resolve.Document) []askOption {
	var list []askOption
	for _, x := range resolve.Owned(doc) {
		if len(list) == mostOptions {
			break
		}
		if x.ID != "" {
			list = append(list, askOption{shortened(x.ID, 255), shortened(x.Name, longestItem)})
		}
	}
	return list
}

// needWords say what an answer depends on.
var needWords = map[string]string{
	"country": "The answer depends on the country.", "placement": "The answer depends on the placement.",
	"collection": "The answer depends on the collection.",
}

// grow shows what the question lacks as the next field, with the values that entries have.
func (f *askForm) grow(a *asked, v *registry.QuestionAnswer) {
	for _, need := range v.Needs {
		if needWords[need] == "" {
			continue
		}
		x := f.field(need)
		x.Next = needWords[need]
		for i := range v.Grants {
			x.offer(a, valuesOf(&v.Grants[i], need))
		}
	}
}

// offer adds values to choose from.
func (x *askField) offer(a *asked, values []string) {
	for _, value := range values {
		if slices.ContainsFunc(x.Options, func(o askOption) bool {
			return o.Value == value
		}) || len(x.Options) == mostOptions {
			continue
		}
		x.Options = append(x.Options, askOption{Value: shortened(value, 510)})
		if len(x.Links) < mostLinks {
			x.Links = append(x.Links, askLink{shortened(value, longestItem), a.with(x.Name, value)})
		}
	}
}

// valuesOf are what an entry is limited to.
func valuesOf(g *resolve.Grant, need string) []string {
	switch need {
	case "country":
		return g.Countries
	case "placement":
		return g.Placements
	}
	var list []string
	for _, c := range g.Collections {
		list = append(list, c.String())
	}
	return list
}

// knownChoices is what there is to ask about a publisher.
type knownChoices struct {
	Publisher string
	// Silent: there is no file in effect.
	Silent bool
	// Agents lead to the question about each; More are not shown.
	Agents     []askLink
	More       int
	Properties int
}

// choicesOf lists what there is to choose from.
func choicesOf(a *asked, doc *resolve.Document) *knownChoices {
	k := &knownChoices{Publisher: safe(doc.Publisher), Silent: doc.State != resolve.Usable}
	if k.Silent {
		return k
	}
	options := agentOptions(doc.File)
	for _, o := range options[:min(len(options), mostLinks)] {
		k.Agents = append(k.Agents, askLink{o.Value, a.with("agent", o.Value)})
	}
	k.More, k.Properties = len(options)-len(k.Agents), len(resolve.Owned(doc))
	return k
}
