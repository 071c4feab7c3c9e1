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

// A Placement is what a product and a catalog together say about the formats of one
// placement.
type Placement struct {
	PublisherDomain, PlacementID string
	// Selector is the place of a selector in the product, for a product without
	// placements; PlacementID is empty then.
	Selector string
	// Accepted can be bought.
	Accepted []Accepted
	// Refused says why formats of the product cannot.
	Refused []Refusal
	// CatalogOnly are formats of the catalog that the product does not have. They are
	// not accepted.
	CatalogOnly []Declaration
	// Limited is set when the catalog says which formats the placement accepts.
	Limited bool
	// Mirror is the URL of the mirror that the catalog is from; empty for the publisher's
	// own word.
	Mirror string
	// Findings are faults of the product about this placement.
	Findings []Finding
	// Reasons are why the catalog leaves formats out.
	Reasons []resolve.Reason
}

// Conflicting reports whether nothing can be bought, or the product has a fault here.
func (p *Placement) Conflicting() bool {
	return len(p.Accepted) == 0 || slices.ContainsFunc(p.Findings, func(f Finding) bool { return !f.Warning })
}

// An Accepted is a format that can be bought: what all layers have in common.
type Accepted struct {
	// Declaration has the name and the place of the product's format.
	Declaration
	Relation Relation
	// Catalog is the place of the format in the publisher's file, and CatalogRef its name
	// there. Both are empty where the file leaves the choice to the product.
	Catalog    string
	CatalogRef Ref
}

// A Refusal is a format of the product that cannot be bought, or not as this format of the
// catalog.
type Refusal struct {
	// Code is format.conflict, format.undecided, format.overlap, format.not_offered,
	// format.other_publisher or product.format_unresolved; Protocol is the name that the
	// protocol gives it, if any.
	Code, Protocol string
	Format         Declaration
	// Catalog is the format of the catalog that it was compared with, if any.
	Catalog  *Declaration
	Conflict *Conflict
	Message  string
}

// Options control how a product and a catalog are put together.
type Options struct {
	// Strict leaves out formats that overlap: those where neither side is within the
	// other.
	Strict bool
}

// On returns which formats of the product can be bought on a placement of the document's
// publisher. A placement that the file does not have, or that the product does not run
// on, accepts none. An error is a *resolve.LimitError.
func (p *Product) On(doc *resolve.Document, placementID string, o Options) (*Placement, error) {
	catalog := resolve.Formats(doc, placementID, "")
	j := &joining{opt: o, declared: refsOf(doc), out: &Placement{
		PublisherDomain: catalog.Publisher, PlacementID: placementID, Limited: catalog.Limited, Reasons: catalog.Reasons, Mirror: catalog.Mirror,
	}}
	j.layer(catalog)
	own := p.placementOf(catalog.Publisher, placementID)
	switch {
	case catalog.Placement == nil:
		j.say("product.placement_unknown", pointerOf(own), "the publisher's catalog has no usable placement "+strconv.Quote(placementID)+", so nothing can be bought on it")
		return j.out, nil
	case own == nil && p.Placed:
		j.say("product.placement_missing", "/placements", "the product does not run on the placement "+strconv.Quote(placementID))
		return j.out, nil
	}
	options := p.Options
	if own != nil {
		options = p.narrowed(own, j)
		j.redefines(own, catalog)
	}
	return j.out, j.join(options)
}

func pointerOf(p *ProductPlacement) string {
	if p == nil {
		return ""
	}
	return p.Pointer
}

// placementOf returns the product's word on a placement of a publisher, or nil.
func (p *Product) placementOf(publisher, id string) *ProductPlacement {
	i := slices.IndexFunc(p.Placements, func(q ProductPlacement) bool { return q.PublisherDomain == publisher && q.ID == id })
	if i < 0 {
		return nil
	}
	return &p.Placements[i]
}

// refsOf returns the names of all formats that a document declares.
func refsOf(doc *resolve.Document) map[Ref]bool {
	out := map[Ref]bool{}
	for _, c := range resolve.DeclaredFormats(doc) {
		if c.OptionID != "" {
			out[Ref{PublisherScope, c.PublisherDomain, c.OptionID}] = true
		}
	}
	return out
}

// A joining puts a product and a catalog together for one placement.
type joining struct {
	opt      Options
	catalog  []Declaration
	used     []bool
	declared map[Ref]bool
	out      *Placement
}

func (j *joining) say(code, pointer, message string) {
	j.out.Findings = append(j.out.Findings, finding(code, pointer, message))
}

// layer takes in the formats of the catalog.
func (j *joining) layer(c *resolve.FormatCatalog) {
	for i := range c.Formats {
		j.catalog = append(j.catalog, FromCatalog(&c.Formats[i]))
	}
	j.used = make([]bool, len(j.catalog))
}

// narrowed returns the formats of the product that its own word on a placement leaves.
// A format there that the product does not have is a fault of the seller.
func (p *Product) narrowed(own *ProductPlacement, j *joining) []Declaration {
	if !own.Limited {
		return p.Options
	}
	var out []Declaration
	for i := range own.Options {
		d := &own.Options[i]
		found, problem := p.within(d)
		out = append(out, found...)
		if len(found) > 0 {
			continue
		}
		code := "product.format_outside"
		if d.reference && d.Scope == ProductScope {
			code = "product.format_unresolved"
		}
		j.say(code, d.Pointer, "the format "+nameOf(d)+" is none of the product's"+problem)
	}
	return out
}

// within returns what the product and a format of one of its placements have in common.
func (p *Product) within(d *Declaration) ([]Declaration, string) {
	var out []Declaration
	problem := ""
	named := d.OptionID != "" && slices.ContainsFunc(p.Options, func(o Declaration) bool { return o.Ref == d.Ref })
	for i := range p.Options {
		o := &p.Options[i]
		switch {
		case named && o.Ref != d.Ref, !named && (d.reference || o.reference):
			continue
		case d.reference:
			both := *o
			both.Pointer = d.Pointer
			out = append(out, both)
			continue
		}
		both, _, conflict := Intersect(d, o)
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
func nameOf(d *Declaration) string {
	if d.OptionID != "" {
		return strconv.Quote(d.String())
	}
	return "of the kind " + strconv.Quote(d.Kind)
}

// join compares each format of the product with those of the catalog.
func (j *joining) join(options []Declaration) error {
	if len(options)*max(len(j.catalog), 1) > maxPairs {
		return &resolve.LimitError{Problem: "the product and the placement have too many formats to compare", Hint: "ask about fewer formats"}
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
func (j *joining) format(d *Declaration) {
	named := d.Scope == PublisherScope
	var refused []Refusal
	found := false
	for i := range j.catalog {
		c := &j.catalog[i]
		if named && c.Ref != d.Ref || !named && c.Kind != d.Kind {
			continue
		}
		both, relation, conflict := Intersect(d, c)
		code := ""
		switch {
		case conflict != nil && conflict.Undecided:
			code = "format.undecided"
		case conflict != nil:
			code = "format.conflict"
		case j.opt.Strict && relation == Overlap:
			code = "format.overlap"
		}
		if code != "" {
			refused = append(refused, Refusal{Code: code, Format: *d, Catalog: c, Conflict: conflict, Message: refusalWords(code, conflict)})
			continue
		}
		both.Pointer = d.Pointer
		j.out.Accepted = append(j.out.Accepted, Accepted{both, relation, c.Pointer, c.Ref})
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
func (j *joining) free(d *Declaration) {
	both, _, conflict := Intersect(d, d)
	if conflict != nil {
		j.out.Refused = append(j.out.Refused, Refusal{Code: "format.conflict", Format: *d, Conflict: conflict, Message: "the format contradicts itself: " + conflict.String()})
		return
	}
	j.out.Accepted = append(j.out.Accepted, Accepted{Declaration: both, Relation: ProductNarrower})
}

// notOffered says why there is nothing to compare a format with.
func (j *joining) notOffered(d *Declaration) Refusal {
	code, message := "format.not_offered", "the catalog has no format of the kind "+strconv.Quote(d.Kind)+" here"
	switch {
	case d.Scope != PublisherScope:
	case j.declared[d.Ref]:
		message = "the catalog declares the format, and not for this placement"
	case d.PublisherDomain == j.out.PublisherDomain:
		code, message = "product.format_unresolved", "the publisher's catalog declares no usable format of that name"
	default:
		code, message = "format.other_publisher", "the format is one of "+d.PublisherDomain
	}
	return Refusal{Code: code, Protocol: protocolNames[code], Format: *d, Message: message}
}

func refusalWords(code string, c *Conflict) string {
	if code == "format.overlap" {
		return "neither side lies within the other"
	}
	return c.String()
}
