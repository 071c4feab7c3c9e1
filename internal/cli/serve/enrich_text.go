package serve

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/request"
	"github.com/avow-project/avow/internal/service/registry"
)

// A brandAnswer is what is known about a brand.
type brandAnswer struct {
	target, domain string
	source         registry.BrandSource
	from, url      string
	manifest       []byte
}

func (b *brandAnswer) document() brandDocument {
	return brandDocument{
		Target: b.target, Found: true, Domain: b.domain, SourceType: string(b.source),
		Provenance: &brandProvenance{Source: b.from, URL: b.url}, Manifest: b.manifest,
	}
}

// brandDocument is the JSON of avow enrich. Its members are named as those of the
// service.
type brandDocument struct {
	Target     string             `json:"target"`
	Found      bool               `json:"found"`
	Domain     string             `json:"domain,omitempty"`
	SourceType string             `json:"source_type,omitempty"`
	Provenance *brandProvenance   `json:"provenance,omitempty"`
	Manifest   jsontext.Value     `json:"manifest,omitempty"`
	Error      *console.JSONError `json:"error,omitempty"`
}

type brandProvenance struct {
	Source string `json:"source"`
	URL    string `json:"url,omitempty"`
}

// brandText writes brand data for people. Everything in it is from outside.
type brandText struct {
	w     io.Writer
	paint console.Style
	width int
}

// brandLabel is the width of the words in front of the lines.
const brandLabel = 13

func (t *brandText) write(b *brandAnswer, m *registry.Manifest) {
	fmt.Fprintf(t.w, "%s: %s\n\n", console.Safe(b.domain), t.paint.Bold(console.Safe(m.Name)))
	t.line("source", sourceWords(b))
	t.line("address", console.Safe(m.URL))
	t.line("description", console.Safe(m.Description))
	t.names(m)
	for _, logo := range m.Logos {
		t.line("logo", withNote(logo.URL, strings.Join(logo.Tags, ", ")))
	}
	if m.Colors != nil {
		t.line("colours", colourWords(m.Colors))
	}
	for _, font := range m.Fonts {
		t.line("font", withNote(font.Name, font.Role))
	}
	if m.Company != nil {
		t.company(m.Company)
	}
}

// line writes a labelled line, unless it has nothing to say.
func (t *brandText) line(label, text string) {
	if text == "" {
		return
	}
	fmt.Fprintf(t.w, "%s%s\n", t.paint.Dim(console.Padded(label+":", brandLabel)),
		console.WrapHanging(text, t.width, brandLabel))
}

// withNote puts a remark in parentheses behind a text.
func withNote(text, note string) string {
	if note == "" {
		return console.Safe(text)
	}
	return console.Safe(text) + " (" + console.Safe(note) + ")"
}

// sourceWords says whose data it is.
func sourceWords(b *brandAnswer) string {
	switch b.source {
	case registry.FromBrandJSON:
		return "the domain itself, at " + request.ShownURL(b.url)
	case registry.FromProvider:
		return b.from
	}
	return b.from + ", of poor quality"
}

// names lists what the brand is called in other languages.
func (t *brandText) names(m *registry.Manifest) {
	for _, entry := range m.Names {
		for language, name := range entry {
			if name != m.Name {
				t.line("also called", withNote(name, language))
			}
		}
	}
}

func colourWords(c *registry.Colors) string {
	var parts []string
	for _, x := range []struct{ role, hex string }{{"primary", c.Primary}, {"secondary", c.Secondary},
		{"accent", c.Accent}} {
		if x.hex != "" {
			parts = append(parts, x.role+" "+console.Safe(x.hex))
		}
	}
	return strings.Join(parts, ", ")
}

func (t *brandText) company(c *registry.Company) {
	t.line("company", console.Safe(c.Name))
	t.line("industries", console.Safe(strings.Join(c.Industries, ", ")))
	t.line("employees", console.Safe(c.Employees))
	if c.Founded != 0 {
		t.line("founded", strconv.Itoa(c.Founded))
	}
	t.line("location", console.Safe(c.Location))
}
