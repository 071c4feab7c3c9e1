package formats

import (
	"slices"
	"strconv"

	"github.com/avow-project/avow/resolve"
)

// maxPairs is the number of pairs of formats that are compared for one placement. Real
// products and placements have a handful of formats each.
const maxPairs = 100_000

// maxTotal is the same for all places that a product runs on.
const maxTotal = 10 * maxPairs

// A placementFormats is what a product and a catalog together say about the formats of one
// placement.
type placementFormats struct {
	PublisherDomain, PlacementID string
	// Selector is the place of a selector in the product, for a product without
	// placements; PlacementID is empty then.
	Selector string
	// Accepted can be bought.
	Accepted []acceptedFormat
	// Refused says why formats of the product cannot.
	Refused []refusal
	// CatalogOnly are formats of the catalog that the product does not have. They are
	// not accepted.
	CatalogOnly []declaration
	// Limited is set when the catalog says which formats the placement accepts.
	Limited bool
	// Mirror is the URL of the mirror that the catalog is from; empty for the publisher's
	// own word.
	Mirror string
	// Findings are faults of the product about this placement.
	Findings []fault
	// Reasons are why the catalog leaves formats out.
	Reasons []resolve.Reason
}

// conflicting reports whether nothing can be bought, or the product has a fault here.
func (p *placementFormats) conflicting() bool {
	return len(p.Accepted) == 0 || slices.ContainsFunc(p.Findings, func(f fault) bool { return !f.Warning })
}

// An acceptedFormat is a format that can be bought: what all layers have in common.
type acceptedFormat struct {
	// declaration has the name and the place of the product's format.
	declaration
	Relation comparison
	// Catalog is the place of the format in the publisher's file, and CatalogRef its name
	// there. Both are empty where the file leaves the choice to the product.
	Catalog    string
	CatalogRef Ref
}

// A refusal is a format of the product that cannot be bought, or not as this format of the
// catalog.
type refusal struct {
	// Code is format.conflict, format.undecided, format.overlap, format.not_offered,
	// format.other_publisher or product.format_unresolved; Protocol is the name that the
	// protocol gives it, if any.
	Code, Protocol string
	Format         declaration
	// Catalog is the format of the catalog that it was compared with, if any.
	Catalog  *declaration
	Conflict *clash
	Message  string
}

// on returns which formats of the product can be bought on a placement of the document's
// publisher. A placement that the file does not have, or that the product does not run
// on, accepts none. An error is a *resolve.LimitError.
func (p *Product) on(doc *resolve.Document, placementID string, strict bool) (*placementFormats, error) {
	catalog := resolve.Formats(doc, placementID, "")
	j := &joining{strict: strict, declared: refsOf(doc), out: &placementFormats{
		PublisherDomain: catalog.Publisher, PlacementID: placementID, Limited: catalog.Limited, Reasons: catalog.Reasons,
		Mirror: catalog.Mirror,
	}}
	j.layer(catalog)
	own := p.placementOf(catalog.Publisher, placementID)
	switch {
	case catalog.Placement == nil:
		j.say("product.placement_unknown", pointerOf(own), "the publisher's catalog has no usable placement "+
			strconv.Quote(placementID)+", so nothing can be bought on it")
		return j.out, nil
	case own == nil && p.listsPlacements:
		j.say("product.placement_missing", "/placements", "the product does not run on the placement "+
			strconv.Quote(placementID))
		return j.out, nil
	}
	options := p.options
	if own != nil {
		options = p.narrowed(own, j)
		j.redefines(own, catalog)
	}
	return j.out, j.join(options)
}

func pointerOf(p *productPlacement) string {
	if p == nil {
		return ""
	}
	return p.Pointer
}

// placementOf returns the product's word on a placement of a publisher, or nil.
func (p *Product) placementOf(publisher, id string) *productPlacement {
	i := slices.IndexFunc(p.placements, func(q productPlacement) bool {
		return q.PublisherDomain == publisher && q.ID == id
	})
	if i < 0 {
		return nil
	}
	return &p.placements[i]
}

// refsOf returns the names of all formats that a document declares.
func refsOf(doc *resolve.Document) map[Ref]bool {
	out := map[Ref]bool{}
	for _, c := range resolve.DeclaredFormats(doc) {
		if c.OptionID != "" {
			out[Ref{publisherScope, c.PublisherDomain, c.OptionID}] = true
		}
	}
	return out
}

// A joining puts a product and a catalog together for one placement.
type joining struct {
	strict   bool
	catalog  []declaration
	used     []bool
	declared map[Ref]bool
	out      *placementFormats
}

func (j *joining) say(code, pointer, message string) {
	j.out.Findings = append(j.out.Findings, finding(code, pointer, message))
}

// layer takes in the formats of the catalog.
func (j *joining) layer(c *resolve.FormatCatalog) {
	for i := range c.Formats {
		j.catalog = append(j.catalog, fromCatalog(&c.Formats[i]))
	}
	j.used = make([]bool, len(j.catalog))
}

// narrowed returns the formats of the product that its own word on a placement leaves.
// A format there that the product does not have is a fault of the seller.
func (p *Product) narrowed(own *productPlacement, j *joining) []declaration {
	if !own.Limited {
		return p.options
	}
	var out []declaration
	for i := range own.Options {
		d := &own.Options[i]
		found, problem := p.within(d)
		out = append(out, found...)
		if len(found) > 0 {
			continue
		}
		code := "product.format_outside"
		if d.reference && d.Scope == productScope {
			code = "product.format_unresolved"
		}
		j.say(code, d.Pointer, "the format "+nameOf(d)+" is none of the product's"+problem)
	}
	return out
}

// within returns what the product and a format of one of its placements have in common.
func (p *Product) within(d *declaration) ([]declaration, string) {
	var out []declaration
	problem := ""
	named := d.OptionID != "" && slices.ContainsFunc(p.options, func(o declaration) bool { return o.Ref == d.Ref })
	for i := range p.options {
		o := &p.options[i]
		switch {
		case named && o.Ref != d.Ref, !named && (d.reference || o.reference):
			continue
		case d.reference:
			both := *o
			both.Pointer = d.Pointer
			out = append(out, both)
			continue
		}
		both, _, conflict := intersect(d, o)
		if o.reference {
			both, conflict = *d, nil
		}
		if conflict != nil {
			problem = "; " + conflict.String()
			continue
		}
		if both.OptionID == "" {
			both.Ref = o.Ref
		}
		out = append(out, both)
	}
	return out, problem
}

// nameOf is how a format is called in messages.
func nameOf(d *declaration) string {
	if d.OptionID != "" {
		return strconv.Quote(d.String())
	}
	return "of the kind " + strconv.Quote(d.Kind)
}

// join compares each format of the product with those of the catalog.
func (j *joining) join(options []declaration) error {
	if len(options)*max(len(j.catalog), 1) > maxPairs {
		return &resolve.LimitError{Problem: "the product and the placement have too many formats to compare",
			Hint: "ask about fewer formats"}
	}
	for i := range options {
		j.format(&options[i])
	}
	for i := range j.catalog {
		if !j.used[i] {
			j.out.CatalogOnly = append(j.out.CatalogOnly, j.catalog[i])
		}
	}
	return nil
}

// format compares one format of the product with the catalog.
func (j *joining) format(d *declaration) {
	named := d.Scope == publisherScope
	var refused []refusal
	found := false
	for i := range j.catalog {
		c := &j.catalog[i]
		if named && c.Ref != d.Ref || !named && c.Kind != d.Kind {
			continue
		}
		both, relation, conflict := intersect(d, c)
		code := ""
		switch {
		case conflict != nil && conflict.Undecided:
			code = "format.undecided"
		case conflict != nil:
			code = "format.conflict"
		case j.strict && relation == overlap:
			code = "format.overlap"
		}
		if code != "" {
			refused = append(refused,
				refusal{Code: code, Format: *d, Catalog: c, Conflict: conflict, Message: refusalWords(code, conflict)})
			continue
		}
		both.Pointer = d.Pointer
		j.out.Accepted = append(j.out.Accepted, acceptedFormat{both, relation, c.Pointer, c.Ref})
		j.used[i], found = true, true
	}
	switch {
	case found:
	case len(refused) > 0:
		j.out.Refused = append(j.out.Refused, refused...)
	case !named && !j.out.Limited:
		j.free(d)
	default:
		j.out.Refused = append(j.out.Refused, j.notOffered(d))
	}
}

// free accepts a format of the product where the catalog leaves the choice to it, unless
// the format contradicts itself.
func (j *joining) free(d *declaration) {
	both, _, conflict := intersect(d, d)
	if conflict != nil {
		j.out.Refused = append(j.out.Refused,
			refusal{Code: "format.conflict", Format: *d, Conflict: conflict,
				Message: "the format contradicts itself: " + conflict.String()})
		return
	}
	j.out.Accepted = append(j.out.Accepted, acceptedFormat{declaration: both, Relation: productNarrower})
}

// notOffered says why there is nothing to compare a format with.
func (j *joining) notOffered(d *declaration) refusal {
	code, message := "format.not_offered", "the catalog has no format of the kind "+strconv.Quote(d.Kind)+" here"
	switch {
	case d.Scope != publisherScope:
	case j.declared[d.Ref]:
		message = "the catalog declares the format, and not for this placement"
	case d.PublisherDomain == j.out.PublisherDomain:
		code, message = "product.format_unresolved", "the publisher's catalog declares no usable format of that name"
	default:
		code, message = "format.other_publisher", "the format is one of "+d.PublisherDomain
	}
	return refusal{Code: code, Protocol: protocolNames[code], Format: *d, Message: message}
}

func refusalWords(code string, c *clash) string {
	if code == "format.overlap" {
		return "neither side lies within the other"
	}
	return c.String()
}
