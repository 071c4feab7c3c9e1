package create

import (
	"cmp"
	"slices"
	"strings"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/std/hostname"
)

// declaredTag says what a tag means.
type declaredTag struct{ id, description string }

// declaredTags are written as an object, in their order.
type declaredTags []declaredTag

// MarshalJSON writes the tags as members.
func (t declaredTags) MarshalJSON() ([]byte, error) {
	text := []byte("{")
	for i, tag := range t {
		if i > 0 {
			text = append(text, ',')
		}
		id, err := console.EncodeJSON(tag.id)
		if err != nil {
			return nil, err
		}
		meaning, err := console.EncodeJSON(map[string]string{"name": tag.name()})
		if err != nil {
			return nil, err
		}
		description, err := console.EncodeJSON(tag.description)
		if err != nil {
			return nil, err
		}
		text = append(append(text, id...), ':')
		text = append(text, meaning[:len(meaning)-1]...)
		text = append(append(append(text, `,"description":`...), description...), '}')
	}
	return append(text, '}'), nil
}

// name is the tag as people write it.
func (t declaredTag) name() string {
	words := strings.FieldsFunc(t.id, func(r rune) bool { return r == '_' })
	text := strings.Join(words, " ")
	if text == "" {
		return t.id
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// usualDescription is what is written about a tag without a description.
func usualDescription(id string) string {
	return "Properties that belong to the group " + declaredTag{id: id}.name()
}

// describe notes what a tag means, unless it is known already.
func (d *declaration) describe(id, description string) {
	if !slices.ContainsFunc(d.Tags, func(t declaredTag) bool { return t.id == id }) {
		d.Tags = append(d.Tags, declaredTag{id, description})
	}
}

// complete fills in what follows from the rest: whose the properties are, if one of them says so,
// and what their tags mean.
func (d *declaration) complete() {
	publisher := ""
	for i := range d.Properties {
		publisher = cmp.Or(publisher, d.Properties[i].Publisher)
	}
	for i := range d.Properties {
		p := &d.Properties[i]
		if p.Publisher == "" {
			p.Publisher = publisher
		}
		for _, tag := range p.Tags {
			d.describe(tag, usualDescription(tag))
		}
	}
}

// parseTag reads the value of --tag.
func parseTag(text string) (declaredTag, error) {
	id, description, ok := strings.Cut(text, "=")
	id, description = strings.TrimSpace(id), strings.TrimSpace(description)
	if !ok || id == "" || description == "" {
		return declaredTag{}, console.UsageError(`for example --tag "premium=Pages behind the paywall"`,
			"--tag %q is not NAME=MEANING", text)
	}
	return declaredTag{id, description}, nil
}

// otherForm returns the www form of a site's domain, or the domain of a www form.
func otherForm(domain string) (string, bool) {
	const www = "www."
	site, ok := hostname.Registrable(domain)
	switch {
	case !ok:
		return "", false
	case site == domain:
		return www + domain, true
	case domain == www+site:
		return site, true
	}
	return "", false
}
