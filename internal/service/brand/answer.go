package brand

import (
	"bytes"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/internal/operator"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/jsontree"
)

const (
	// leastQuality is the score from which data of the provider is treated as good. The
	// provider means the scores below a third to be poor.
	leastQuality = 0.3
	// leastDescription is the length of a description that says something.
	leastDescription = 10
	// maxContext is the size limit of context that is passed on: clients of the service
	// read 256 KiB in all.
	maxContext = 128 << 10
)

// readObject reads an answer of the provider, which has to be an object.
func readObject(body []byte) (jsontree.Value, error) {
	tree, err := jsontree.Parse(body, jsontree.Options{MaxBytes: maxAnswer, MaxValues: operator.MaxValues})
	if err != nil || !tree.Root().Is(jsontree.Object) || len(tree.Duplicates()) > 0 {
		return jsontree.Value{}, badAnswer()
	}
	return tree.Root(), nil
}

// readBrand takes over what the provider says about a brand.
func readBrand(v jsontree.Value, domain hostname.Domain) (*registry.ProviderBrand, error) {
	m := registry.Manifest{
		Name: text(v.Get("name"), maxName), URL: "https://" + string(domain),
		Description: text(v.Get("description"), maxDescription),
		Logos:       providerLogos(v.Get("logos")), Colors: providerColors(v.Get("colors")),
		Fonts: providerFonts(v.Get("fonts")),
	}
	m.Company = providerCompany(v.Get("company"), m.Name)
	if m.Name == "" {
		m.Name = string(domain)
	}
	manifest, err := m.JSON()
	if err != nil {
		return nil, err
	}
	return &registry.ProviderBrand{Manifest: manifest, Good: good(v, &m)}, nil
}

// good is the quality gate: placeholders and what is not for everybody's eyes do not
// are treated as brand data.
func good(v jsontree.Value, m *registry.Manifest) bool {
	score, scored := v.Get("qualityScore").Float()
	if v.Get("isNsfw").Bool() || scored && score < leastQuality {
		return false
	}
	return hasLogo(v.Get("logos")) || len([]rune(m.Description)) > leastDescription
}

func hasLogo(logos jsontree.Value) bool {
	for _, logo := range logos.Elems() {
		if bestFormat(logo.Get("formats")) != "" {
			return true
		}
	}
	return false
}

// providerLogos takes over logos and symbols, one address each.
func providerLogos(v jsontree.Value) []registry.Logo {
	var list []registry.Logo
	for _, logo := range v.Elems() {
		kind := logo.Get("type").Str()
		url := bestFormat(logo.Get("formats"))
		if kind != "logo" && kind != "symbol" || url == "" || len(list) == maxLogos {
			continue
		}
		list = append(list, registry.Logo{URL: url, Tags: words(maxTags, kind, text(logo.Get("theme"), maxWord))})
	}
	return list
}

// bestFormat returns the address of the form that scales, or else of the largest; empty
// when none may be passed on.
func bestFormat(formats jsontree.Value) string {
	best, most := "", -1.0
	for _, f := range formats.Elems() {
		url, ok := registry.SafeURL(f.Get("src").Str())
		if !ok {
			continue
		}
		if strings.EqualFold(f.Get("format").Str(), "svg") {
			return url
		}
		size, _ := f.Get("size").Float()
		if size > most {
			best, most = url, size
		}
	}
	return best
}

// providerColors takes over the first colour of each kind.
func providerColors(v jsontree.Value) *registry.Colors {
	first := func(kinds ...string) string {
		for _, c := range v.Elems() {
			hex := color(c.Get("hex"))
			if hex != "" && contains(kinds, c.Get("type").Str()) {
				return hex
			}
		}
		return ""
	}
	return colorsOf(first("brand"), first("vibrant", "dark"), first("accent"))
}

func providerFonts(v jsontree.Value) []registry.Font {
	var list []registry.Font
	for _, f := range v.Elems() {
		name := text(f.Get("name"), maxName)
		if name != "" && len(list) < maxFonts {
			list = append(list, registry.Font{Name: name, Role: text(f.Get("type"), maxWord)})
		}
	}
	return list
}

func providerCompany(v jsontree.Value, name string) *registry.Company {
	if !v.Is(jsontree.Object) {
		return nil
	}
	location := v.Get("location")
	c := registry.Company{
		Name: name, Employees: numberText(v.Get("employees")), Founded: year(v.Get("foundedYear")),
		Location: strings.Join(words(2, text(location.Get("city"), maxName), text(location.Get("country"), maxName)), ", "),
	}
	var industries []string
	for _, industry := range v.Get("industries").Elems() {
		industries = append(industries, text(industry.Get("name"), maxName))
	}
	return withIndustries(&c, industries)
}

// readContext passes on what the provider says about identity, positioning and voice:
// all of it but control characters and addresses that a browser would run.
func readContext(v jsontree.Value) ([]byte, error) {
	var b bytes.Buffer
	err := writeScrubbed(jsontext.NewEncoder(&b), v)
	if err != nil || b.Len() > maxContext {
		return nil, badAnswer()
	}
	return bytes.TrimSpace(b.Bytes()), nil
}

// writeScrubbed writes a value without what must not be passed on.
func writeScrubbed(e *jsontext.Encoder, v jsontree.Value) error {
	switch v.Kind() {
	case jsontree.Object:
		return writeObject(e, v)
	case jsontree.Array:
		err := e.WriteToken(jsontext.BeginArray)
		if err != nil {
			return err
		}
		for _, x := range v.Elems() {
			err = writeUnlessRunnable(e, x)
			if err != nil {
				return err
			}
		}
		return e.WriteToken(jsontext.EndArray)
	case jsontree.String:
		return e.WriteToken(jsontext.String(scrubbed(v.Str())))
	}
	return e.WriteValue(jsontext.Value(v.Text()))
}

func writeObject(e *jsontext.Encoder, v jsontree.Value) error {
	err := e.WriteToken(jsontext.BeginObject)
	if err != nil {
		return err
	}
	for m := range v.Members() {
		if registry.Runnable(m.Value().Str()) {
			continue
		}
		err = e.WriteToken(jsontext.String(scrubbed(m.Name())))
		if err != nil {
			return err
		}
		err = writeScrubbed(e, m.Value())
		if err != nil {
			return err
		}
	}
	return e.WriteToken(jsontext.EndObject)
}

func writeUnlessRunnable(e *jsontext.Encoder, v jsontree.Value) error {
	if registry.Runnable(v.Str()) {
		return nil
	}
	return writeScrubbed(e, v)
}

// scrubbed returns a text without control characters other than line breaks and tabs.
func scrubbed(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r) {
			return -1
		}
		return r
	}, s)
}
