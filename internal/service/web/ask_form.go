package web

import (
	"slices"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/resolve"
)

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
