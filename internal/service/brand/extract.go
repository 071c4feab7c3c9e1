package brand

import (
	"strings"

	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/jsontree"
)

// manifestOf takes over what a brand says about itself. The house is who stands behind
// it, and may not exist.
func manifestOf(brand, house jsontree.Value, domain hostname.Domain) registry.Manifest {
	m := registry.Manifest{
		Names: namesOf(brand), URL: "https://" + string(domain), Description: text(brand.Get("description"), maxDescription),
		Logos: logosOf(brand.Get("logos")), Fonts: fontsOf(brand.Get("fonts")),
	}
	m.Name = mainName(m.Names)
	if m.Name == "" {
		m.Name = text(brand.Get("name"), maxName)
	}
	url, ok := registry.SafeURL(brand.Get("url").Str())
	if ok {
		m.URL = url
	}
	colors := brand.Get("colors")
	m.Colors = colorsOf(color(colors.Get("primary")), color(colors.Get("secondary")), color(colors.Get("accent")))
	m.Company = companyOf(brand, house)
	return m
}

// namesOf returns the name in several languages. Each entry is one member, with the
// language as its name.
func namesOf(brand jsontree.Value) []map[string]string {
	var list []map[string]string
	for _, v := range brand.Get("names").Elems() {
		for member := range v.Members() {
			language, name := registry.PlainText(member.Name(), maxWord), text(member.Value(), maxName)
			if language != "" && name != "" && len(list) < maxNames {
				list = append(list, map[string]string{language: name})
			}
		}
	}
	return list
}

// mainName returns the name for readers of any language: the first in English, or else
// the first.
func mainName(names []map[string]string) string {
	first := ""
	for _, entry := range names {
		for language, name := range entry {
			tag, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(language, "_", "-")), "-")
			if tag == "en" {
				return name
			}
			if first == "" {
				first = name
			}
		}
	}
	return first
}

// logosOf takes over the logos whose address may be passed on.
func logosOf(v jsontree.Value) []registry.Logo {
	var list []registry.Logo
	for _, logo := range v.Elems() {
		url, ok := registry.SafeURL(logo.Get("url").Str())
		if !ok || len(list) == maxLogos {
			continue
		}
		tags := []string{text(logo.Get("variant"), maxWord), text(logo.Get("orientation"), maxWord),
			text(logo.Get("background"), maxWord)}
		for _, tag := range logo.Get("tags").Elems() {
			tags = append(tags, text(tag, maxWord))
		}
		list = append(list, registry.Logo{URL: url, Tags: words(maxTags, tags...)})
	}
	return list
}

// fontsOf takes over typefaces. They are an object of roles, each with the name of a
// family or an object that has it, or a list of such objects.
func fontsOf(v jsontree.Value) []registry.Font {
	var list []registry.Font
	add := func(name, role string) {
		if name != "" && len(list) < maxFonts {
			list = append(list, registry.Font{Name: name, Role: role})
		}
	}
	for member := range v.Members() {
		add(familyOf(member.Value()), registry.PlainText(member.Name(), maxWord))
	}
	for _, font := range v.Elems() {
		add(familyOf(font), firstText(font, maxWord, "role", "type"))
	}
	return list
}

// familyOf returns the name of a typeface; empty for what has none.
func familyOf(v jsontree.Value) string {
	name := text(v, maxName)
	if name == "" {
		name = firstText(v, maxName, "family", "name")
	}
	if strings.Contains(name, "://") {
		return ""
	}
	return name
}

// companyOf returns who stands behind a brand; nil when nothing is said about it.
func companyOf(brand, house jsontree.Value) *registry.Company {
	own := brand.Get("company")
	c := registry.Company{
		Name:      firstText(own, maxName, "name"),
		Employees: numberText(own.Get("employees")),
		Founded:   year(own.Get("founded")),
		Location:  text(own.Get("location"), maxName),
	}
	if c.Name == "" {
		c.Name = text(house.Get("name"), maxName)
	}
	var industries []string
	for _, from := range []jsontree.Value{own, brand} {
		for _, v := range from.Get("industries").Elems() {
			industries = append(industries, text(v, maxName))
		}
		industries = append(industries, text(from.Get("industry"), maxName))
	}
	return withIndustries(&c, industries)
}

// withIndustries completes a company, and returns nil for one that says nothing.
func withIndustries(c *registry.Company, industries []string) *registry.Company {
	c.Industries = words(maxIndustries, industries...)
	if len(c.Industries) > 0 {
		c.Industry = c.Industries[0]
		return c
	}
	c.Industries = nil
	if c.Name == "" && c.Employees == "" && c.Founded == 0 && c.Location == "" {
		return nil
	}
	return c
}
