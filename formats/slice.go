package formats

import (
	"slices"
	"strconv"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/resolve"
)

// onAll returns which formats of the product can be bought everywhere it runs at the
// document's publisher: on each of its placements or, for a product without placements,
// by each of its selectors. An error is a *resolve.LimitError.
func (p *Product) onAll(doc *resolve.Document, strict bool) ([]*placementFormats, error) {
	if p.pairs(doc) > maxTotal {
		return nil, &resolve.LimitError{Problem: "the product has too many formats to compare everywhere it runs",
			Hint: "ask about one placement"}
	}
	var out []*placementFormats
	for i := range p.placements {
		if p.placements[i].PublisherDomain != doc.Publisher {
			continue
		}
		at, err := p.on(doc, p.placements[i].ID, strict)
		if err != nil {
			return nil, err
		}
		out = append(out, at)
	}
	if p.listsPlacements {
		return out, nil
	}
	for i := range p.selectors {
		if slices.Contains(p.selectors[i].Publishers, doc.Publisher) {
			out = append(out, p.slice(doc, &p.selectors[i], strict))
		}
	}
	return out, nil
}

// pairs returns how many pairs of formats are compared for the document at the most.
func (p *Product) pairs(doc *resolve.Document) int {
	catalog, n := max(len(resolve.DeclaredFormats(doc)), 1), 0
	for i := range p.placements {
		if p.placements[i].PublisherDomain == doc.Publisher {
			n += len(p.options) * (len(p.placements[i].Options) + catalog)
		}
	}
	if p.listsPlacements {
		return n
	}
	for i := range p.selectors {
		if slices.Contains(p.selectors[i].Publishers, doc.Publisher) {
			n += len(p.options) * catalog
		}
	}
	return n
}

// slice returns what can be bought on the properties that a selector picks. A format
// with a publisher's name is for that publisher alone, and has to be declared there; the
// product's own ones are for all.
func (p *Product) slice(doc *resolve.Document, s *selector, strict bool) *placementFormats {
	j := &joining{strict: strict, declared: refsOf(doc),
		out: &placementFormats{PublisherDomain: doc.Publisher, Selector: s.Pointer}}
	on, problem := s.pick(doc.Catalog())
	if problem != "" {
		j.say("product.slice_unresolved", s.Pointer, problem+", so nothing can be bought by this selector")
		return j.out
	}
	for _, c := range resolve.DeclaredFormats(doc) {
		if !appliesTo(c.Format, on) {
			continue
		}
		j.catalog = append(j.catalog, fromCatalog(&c))
		if c.URL != doc.URL {
			j.out.Mirror = c.URL
		}
	}
	j.used = make([]bool, len(j.catalog))
	for i := range p.options {
		if p.options[i].Scope == publisherScope {
			j.format(&p.options[i])
		} else {
			j.free(&p.options[i])
		}
	}
	return j.out
}

// pick returns the properties of a publisher that a selector picks, or the reason why
// they cannot be told.
func (s *selector) pick(doc *resolve.Document) ([]*adagents.Property, string) {
	if doc.State != resolve.Usable || doc.File == nil {
		return nil, "there is no file of " + doc.Publisher + " that can be used"
	}
	var out []*adagents.Property
	var ids []string
	for i := range doc.File.Properties {
		q := &doc.File.Properties[i]
		if q.PublisherDomain != "" {
			domain, ok := canonical(q.PublisherDomain)
			if !ok || domain != doc.Publisher {
				continue
			}
		}
		if s.picks(q) {
			out, ids = append(out, q), append(ids, q.ID)
		}
	}
	for _, id := range s.IDs {
		if s.Type == "by_id" && !slices.Contains(ids, id) {
			return nil, "the publisher has no usable property " + strconv.Quote(id)
		}
	}
	if len(out) == 0 {
		return nil, "the selector picks no property of " + doc.Publisher
	}
	return out, ""
}

func (s *selector) picks(p *adagents.Property) bool {
	switch s.Type {
	case "all":
		return true
	case "by_id":
		return slices.Contains(s.IDs, p.ID)
	case "by_tag":
		return len(common(s.Tags, p.Tags)) > 0
	}
	return false
}

// appliesTo reports whether a format of a catalog is for one of the properties.
func appliesTo(format adagents.Value, on []*adagents.Property) bool {
	if !format.Has("applies_to_property_ids") && !format.Has("applies_to_property_tags") {
		return true
	}
	ids, tags := texts(format.Get("applies_to_property_ids")), texts(format.Get("applies_to_property_tags"))
	return slices.ContainsFunc(on, func(p *adagents.Property) bool {
		return slices.Contains(ids, p.ID) || len(common(tags, p.Tags)) > 0
	})
}
