package registry

import (
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/internal/std/hostname"
)

// A Manifest is brand data in the form of the wire. Everything in it is text from
// outside: addresses are https and never fetched, and nothing of it is markup.
type Manifest struct {
	Name        string `json:"name"`
	URL         string `json:"url"`
	Description string `json:"description,omitzero"`
	// Names are the name in several languages, one member each: {"en": "Nike"}.
	Names   []map[string]string `json:"names,omitempty"`
	Logos   []Logo              `json:"logos,omitempty"`
	Colors  *Colors             `json:"colors,omitzero"`
	Fonts   []Font              `json:"fonts,omitempty"`
	Company *Company            `json:"company,omitzero"`
}

// A Logo is where a picture of a brand is, and what kind of picture.
type Logo struct {
	URL  string   `json:"url"`
	Tags []string `json:"tags"`
}

// Colors are those of a brand, as #RRGGBB.
type Colors struct {
	Primary   string `json:"primary,omitzero"`
	Secondary string `json:"secondary,omitzero"`
	Accent    string `json:"accent,omitzero"`
}

// A Font is a typeface of a brand and what it is used for.
type Font struct {
	Name string `json:"name"`
	Role string `json:"role,omitzero"`
}

// A Company is who stands behind a brand.
type Company struct {
	Name string `json:"name,omitzero"`
	// Industry is the first of Industries, for clients that know one only.
	Industry   string   `json:"industry,omitzero"`
	Industries []string `json:"industries,omitempty"`
	// Employees is a number or a range, as text.
	Employees string `json:"employees,omitzero"`
	Founded   int    `json:"founded,omitzero"`
	Location  string `json:"location,omitzero"`
}

// JSON returns the manifest as it is stored and sent.
func (m *Manifest) JSON() ([]byte, error) { return json.Marshal(m, json.Deterministic(true)) }

// BrandDomain returns the domain that a brand is known by: a canonical domain without
// www or m in front, unless that is all there is.
func BrandDomain(canonical hostname.Domain) hostname.Domain {
	for _, prefix := range []string{"www.", "m."} {
		rest, found := strings.CutPrefix(string(canonical), prefix)
		if !found {
			continue
		}
		_, ok := hostname.Registrable(rest)
		if ok {
			return hostname.Domain(rest)
		}
	}
	return canonical
}

// brandDomain reads the domain of a call about a brand, in whatever way it is written.
func brandDomain(input string) (hostname.Domain, error) {
	domain, err := hostname.ParseDomain(input)
	if err != nil || hostname.IsSpecialUse(string(domain)) || hostname.IsPublicSuffix(string(domain)) {
		return "", &Error{
			Kind: Invalid, Code: "invalid_domain", Message: "Invalid domain format",
			Hint: "give the domain of the brand, such as example.com",
		}
	}
	return BrandDomain(domain), nil
}
