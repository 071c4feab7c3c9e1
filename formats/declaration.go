package formats

import (
	"slices"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/langtag"
	"github.com/avow-project/avow/resolve"
)

// A declaration is a format with its limits.
type declaration struct {
	// Ref names the format outside the document it is declared in. Its ID is empty for
	// a format without a name.
	Ref
	Kind, DisplayName string
	Params            Params
	// Channels and Locales are the channels and languages it is limited to; nil means
	// any.
	Channels, Locales []string
	// Shape, SchemaURI and SchemaDigest say what a custom format is.
	Shape, SchemaURI, SchemaDigest string
	// Pointer is the place of the declaration in its document.
	Pointer string
	// reference is set for a name without a declaration of its own.
	reference bool
	old       []oldID
}

// fromCatalog returns the declaration behind a format of a placement.
func fromCatalog(c *resolve.FormatChoice) declaration {
	d := declaration{
		Kind: c.Kind, DisplayName: c.DisplayName, Params: objectOf(c.Params), Channels: c.Channels, Locales: c.Locales,
		Pointer: c.Declaration,
	}
	if c.OptionID != "" {
		d.Ref = Ref{Scope: publisherScope, PublisherDomain: c.PublisherDomain, OptionID: c.OptionID}
	}
	d.customOf(c.Format)
	return d
}

// customOf reads what a custom format is.
func (d *declaration) customOf(raw adagents.Value) {
	schema := raw.Get("format_schema")
	d.Shape, d.SchemaURI, d.SchemaDigest = raw.Get("format_shape").Str(), schema.Get("uri").Str(),
		schema.Get("digest").Str()
}

// customKind is the kind of formats that bring a schema of their own.
const customKind = "custom"

// intersect returns what a format of a product and one of a catalog have in common, and
// how the two lie to each other. Whatever satisfies it satisfies both. A Conflict says
// that there is nothing, and why. The names of the formats are not compared; the result
// has the name and the place of the product's.
func intersect(product, catalog *declaration) (declaration, comparison, *clash) {
	out := *product
	if out.DisplayName == "" {
		out.DisplayName = catalog.DisplayName
	}
	var relation comparison
	var conflict *clash
	switch {
	case product.reference:
		out = *catalog
		out.Ref, out.Pointer = product.Ref, product.Pointer
	case product.Kind != catalog.Kind:
		conflict = &clash{Parameter: "format_kind", Product: product.Kind, Catalog: catalog.Kind}
	case product.Kind == customKind:
		conflict = meetCustom(product, catalog)
	default:
		out.Params, relation, conflict = meet(product.Kind, product.Params, catalog.Params)
	}
	if conflict != nil {
		return out, 0, conflict
	}
	var r comparison
	out.Channels, r, conflict = meetChannels(product.Channels, catalog.Channels)
	if conflict != nil {
		return out, 0, conflict
	}
	relation = relation.and(r)
	out.Locales, r, conflict = meetLocales(product.Locales, catalog.Locales)
	if conflict != nil {
		return out, 0, conflict
	}
	return out, relation.and(r), nil
}

// meetCustom compares custom formats: what they mean is in their schema, so nothing but
// equal ones are known to have something in common.
func meetCustom(a, b *declaration) *clash {
	switch {
	case a.Shape != b.Shape:
		return &clash{Parameter: "format_shape", Product: a.Shape, Catalog: b.Shape}
	case a.SchemaURI != b.SchemaURI || a.SchemaDigest != b.SchemaDigest:
		return &clash{Parameter: "format_schema", Product: schemaOf(a), Catalog: schemaOf(b)}
	case !equal(map[string]any(a.Params), map[string]any(b.Params)):
		return &clash{Parameter: "params", Product: a.Params, Catalog: b.Params, Undecided: true}
	}
	return nil
}

func schemaOf(d *declaration) any {
	return map[string]any{"uri": d.SchemaURI, "digest": d.SchemaDigest}
}

// meetChannels: a list that is there and empty is none at all.
func meetChannels(a, b []string) ([]string, comparison, *clash) {
	switch {
	case a == nil && b == nil:
		return nil, sameLimits, nil
	case a == nil:
		return b, catalogNarrower, noneLeft("applies_to_channels", b, a, b)
	case b == nil:
		return a, productNarrower, noneLeft("applies_to_channels", a, a, b)
	}
	both := common(a, b)
	return both, relate(len(both) == len(common(a, a)), len(both) == len(common(b, b))),
		noneLeft("applies_to_channels", both, a, b)
}

func noneLeft(name string, left, a, b []string) *clash {
	if len(left) > 0 {
		return nil
	}
	return &clash{Parameter: name, Product: anyList(a), Catalog: anyList(b)}
}

// anyList returns texts as a value.
func anyList(list []string) any {
	if list == nil {
		return nil
	}
	out := make([]any, 0, len(list))
	for _, s := range list {
		out = append(out, s)
	}
	return out
}

// common returns what is in both lists, each once.
func common(a, b []string) []string {
	out := []string{}
	for _, s := range a {
		if slices.Contains(b, s) && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

func meetLocales(a, b []string) ([]string, comparison, *clash) {
	both, ok := langtag.Narrow(a, b)
	if !ok {
		return nil, 0, &clash{Parameter: "locale_policy", Product: anyList(a), Catalog: anyList(b)}
	}
	is := func(list []string) bool {
		if len(list) == 0 || len(both) == 0 {
			return len(list) == len(both)
		}
		return !slices.ContainsFunc(list, func(tag string) bool {
			return !slices.ContainsFunc(both, func(r string) bool { return langtag.Covers(r, tag) })
		})
	}
	return both, relate(is(a), is(b)), nil
}

// canonical returns a domain in the form in which it is compared.
func canonical(domain string) (string, bool) {
	name, _, err := hostname.Canonical(domain)
	return name, err == nil
}
