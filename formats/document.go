package formats

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/resolve"
)

// A Report is an answer about formats in the form in which programs read it. Its members
// are a contract.
type Report struct {
	PublisherDomain string `json:"publisher_domain" doc:"The publisher in canonical form."`
	Product         bool   `json:"product" doc:"A product was compared."`
	Conflict        bool   `json:"conflict" doc:"Nothing can be bought somewhere, or the product has a fault."`
	// Placements is empty when nothing was asked that the publisher has.
	Placements []PlacementReport `json:"placements" doc:"One for each placement, or for each selector of a product without placements."`
	Declared   []FormatReport    `json:"declared" doc:"Where there is no placement: the formats that the file declares for its properties."`
	Mirror     string            `json:"mirror,omitempty" doc:"The community mirror that these are from; absent when they are the publisher's own."`
	Common     []FormatReport    `json:"common" doc:"With several placements: what one creative for all of them keeps to."`
	Selected   []FormatReport    `json:"selected" doc:"With references or a kind: the accepted formats that they select on the first placement."`
	Findings   []FindingReport   `json:"findings" doc:"About the product itself and the selection."`
}

// A PlacementReport is what is known about the formats of one placement.
type PlacementReport struct {
	PlacementID string          `json:"placement_id,omitempty"`
	Selector    string          `json:"selector,omitempty" doc:"The location of the selector in the product."`
	Limited     bool            `json:"limited" doc:"The catalog says which formats the placement accepts; otherwise it leaves that to the product."`
	Mirror      string          `json:"mirror,omitempty" doc:"The community mirror that the catalog is from; absent when it is the publisher's own."`
	Catalog     []FormatReport  `json:"catalog" doc:"Without a product: the formats of the catalog."`
	Accepted    []FormatReport  `json:"accepted" doc:"What can be bought: what the product and the catalog both accept."`
	Refused     []RefusalReport `json:"refused" doc:"Formats of the product that cannot be bought, and why."`
	CatalogOnly []FormatReport  `json:"catalog_only" doc:"Formats of the catalog that the product does not have. They are not accepted."`
	Findings    []FindingReport `json:"findings" doc:"Faults of the product here: where it redefines the placement, for example."`
	Reasons     []ReasonReport  `json:"reasons" doc:"Why the catalog leaves formats out."`
}

// A RefReport is a reference as a buyer sends it.
type RefReport struct {
	Scope           string `json:"scope" doc:"publisher or product."`
	PublisherDomain string `json:"publisher_domain,omitempty" doc:"With the scope publisher."`
	FormatOptionID  string `json:"format_option_id"`
}

// A FormatReport is a format with its limits.
type FormatReport struct {
	Reference        *RefReport     `json:"format_option_ref,omitempty" doc:"How a buyer names the format; absent for one without a name, which is chosen by format_kind and params."`
	CatalogReference *RefReport     `json:"catalog_ref,omitempty" doc:"The name of the catalog's format that it was compared with."`
	Kind             string         `json:"format_kind"`
	DisplayName      string         `json:"display_name,omitempty"`
	Relation         string         `json:"relation,omitempty" doc:"equal, catalog_narrower, product_narrower or overlap."`
	Params           jsontext.Value `json:"params" doc:"The limits that a creative must keep to."`
	Redacted         bool           `json:"redacted,omitzero" doc:"True when params are not what is published: values that look secret are replaced by the string [hidden]."`
	Channels         []string       `json:"channels,omitempty"`
	Locales          []string       `json:"locales,omitempty"`
	Pointer          string         `json:"pointer" doc:"The location in the product or, without one, in the publisher's file."`
	CatalogPointer   string         `json:"catalog_pointer,omitempty" doc:"The location in the publisher's file."`
}

// A RefusalReport is a format of the product that cannot be bought.
type RefusalReport struct {
	Code         string         `json:"code"`
	Protocol     string         `json:"protocol_code,omitempty" doc:"The name that the protocol gives it."`
	Message      string         `json:"message"`
	Format       FormatReport   `json:"format"`
	Catalog      *RefReport     `json:"catalog_ref,omitempty" doc:"The name of the catalog's format that it was compared with."`
	Parameter    string         `json:"parameter,omitempty" doc:"The parameter that leaves nothing."`
	ProductValue jsontext.Value `json:"product_value,omitzero"`
	CatalogValue jsontext.Value `json:"catalog_value,omitzero"`
}

// A FindingReport is a fault of the product or of a selection.
type FindingReport struct {
	Code     string `json:"code"`
	Protocol string `json:"protocol_code,omitempty" doc:"The name that the protocol gives it."`
	Severity string `json:"severity" doc:"error or warning."`
	Pointer  string `json:"pointer" doc:"The location in the product."`
	Message  string `json:"message"`
}

// A ReasonReport says why the catalog leaves a format out.
type ReasonReport struct {
	Code    string `json:"code"`
	Pointer string `json:"pointer" doc:"The location in the publisher's file."`
	Message string `json:"message"`
}

// A Question asks about the formats of a publisher.
type Question struct {
	// Placement is empty for all of them.
	Placement string
	// Product is nil when the catalog alone is asked about.
	Product *Product
	// Strict leaves out formats that overlap: those of which neither side is within the other.
	Strict    bool
	Selection Selection
}

// Ask answers a question from a publisher's document. An error is a *resolve.LimitError.
func Ask(doc *resolve.Document, q Question) (*Report, error) {
	r := &Report{PublisherDomain: doc.Publisher, Product: q.Product != nil, Placements: []PlacementReport{},
		Declared: []FormatReport{}, Common: []FormatReport{}, Selected: []FormatReport{}, Findings: []FindingReport{}}
	if q.Product == nil {
		err := r.list(doc, q.Placement)
		return r, err
	}
	var placements []*placementFormats
	var err error
	if q.Placement != "" {
		placements = make([]*placementFormats, 1)
		placements[0], err = q.Product.on(doc, q.Placement, q.Strict)
	} else {
		placements, err = q.Product.onAll(doc, q.Strict)
	}
	if err != nil {
		return nil, err
	}
	findings := q.Product.findings
	if len(placements) == 0 {
		findings = append(findings[:len(findings):len(findings)],
			finding("product.placement_missing", "", "the product does not run on anything of "+doc.Publisher))
	}
	for _, p := range placements {
		r.Placements = append(r.Placements, placementReport(p))
		r.Conflict = r.Conflict || p.conflicting()
	}
	if len(placements) > 1 {
		common, err := commonFormats(placements)
		if err != nil {
			return nil, err
		}
		for i := range common {
			r.Common = append(r.Common, formatReport(&common[i]))
		}
	}
	if len(placements) > 0 && (len(q.Selection.Refs) > 0 || q.Selection.Kind != "") {
		chosen, problems := choose(placements[0].Accepted, q.Selection)
		for i := range chosen {
			r.Selected = append(r.Selected, acceptedReport(&chosen[i]))
		}
		findings = append(findings[:len(findings):len(findings)], problems...)
	}
	for i := range findings {
		r.Findings = append(r.Findings, findingReport(&findings[i]))
		r.Conflict = r.Conflict || !findings[i].Warning
	}
	return r, nil
}

// list fills in the formats of the catalog.
func (r *Report) list(doc *resolve.Document, placement string) error {
	var all []*resolve.FormatCatalog
	var err error
	if placement != "" {
		all = append(all, resolve.Formats(doc, placement, ""))
		r.Conflict = all[0].Placement == nil
	} else {
		all, err = resolve.FormatsOfAll(doc)
	}
	for _, c := range all {
		p := placementReport(&placementFormats{PlacementID: c.PlacementID, Limited: c.Limited, Reasons: c.Reasons,
			Mirror: c.Mirror})
		for i := range c.Formats {
			d := fromCatalog(&c.Formats[i])
			p.Catalog = append(p.Catalog, formatReport(&d))
		}
		r.Placements = append(r.Placements, p)
	}
	if len(all) == 0 {
		r.declare(doc)
	}
	return err
}

// declare fills in the formats of a catalog without placements.
func (r *Report) declare(doc *resolve.Document) {
	list := resolve.DeclaredFormats(doc)
	for i := range list {
		d := fromCatalog(&list[i])
		r.Declared = append(r.Declared, formatReport(&d))
		if doc.Mirror != nil && list[i].URL == doc.Mirror.URL {
			r.Mirror = doc.Mirror.URL
		}
	}
}

func placementReport(p *placementFormats) PlacementReport {
	out := PlacementReport{
		PlacementID: p.PlacementID, Selector: p.Selector, Limited: p.Limited, Mirror: p.Mirror, Catalog: []FormatReport{},
		Accepted: []FormatReport{},
		Refused:  []RefusalReport{}, CatalogOnly: []FormatReport{}, Findings: []FindingReport{}, Reasons: []ReasonReport{},
	}
	for i := range p.Accepted {
		out.Accepted = append(out.Accepted, acceptedReport(&p.Accepted[i]))
	}
	for i := range p.Refused {
		out.Refused = append(out.Refused, refusalReport(&p.Refused[i]))
	}
	for i := range p.CatalogOnly {
		out.CatalogOnly = append(out.CatalogOnly, formatReport(&p.CatalogOnly[i]))
	}
	for i := range p.Findings {
		out.Findings = append(out.Findings, findingReport(&p.Findings[i]))
	}
	for i := range p.Reasons {
		out.Reasons = append(out.Reasons, ReasonReport{p.Reasons[i].Code, p.Reasons[i].Pointer, p.Reasons[i].Message})
	}
	return out
}

func refReport(r Ref) *RefReport {
	if r == (Ref{}) {
		return nil
	}
	return &RefReport{r.Scope, r.PublisherDomain, r.OptionID}
}

func formatReport(d *declaration) FormatReport {
	params, redacted := redact.JSON(appendObject(nil, d.Params))
	return FormatReport{
		Reference: refReport(d.Ref), Kind: d.Kind, DisplayName: d.DisplayName, Params: params, Redacted: redacted,
		Channels: d.Channels, Locales: d.Locales, Pointer: d.Pointer,
	}
}

// shownValue is the value of a parameter in a report: one that looks secret, by its name or
// by itself, is not repeated.
func shownValue(parameter string, v any) jsontext.Value {
	_, secret := redact.JSON(appendObject(nil, map[string]any{parameter: v}))
	if secret {
		return jsontext.Value(`"[hidden]"`)
	}
	return appendValue(nil, v)
}

func acceptedReport(a *acceptedFormat) FormatReport {
	out := formatReport(&a.declaration)
	out.Relation, out.CatalogReference, out.CatalogPointer = a.Relation.String(), refReport(a.CatalogRef), a.Catalog
	return out
}

func refusalReport(r *refusal) RefusalReport {
	out := RefusalReport{Code: r.Code, Protocol: r.Protocol, Message: r.Message, Format: formatReport(&r.Format)}
	if r.Catalog != nil {
		out.Catalog = refReport(r.Catalog.Ref)
	}
	if r.Conflict != nil {
		out.Parameter = r.Conflict.Parameter
		out.ProductValue, out.CatalogValue = shownValue(out.Parameter, r.Conflict.Product),
			shownValue(out.Parameter, r.Conflict.Catalog)
	}
	return out
}

func findingReport(f *fault) FindingReport {
	severity := "error"
	if f.Warning {
		severity = "warning"
	}
	return FindingReport{f.Code, f.Protocol, severity, f.Pointer, f.Message}
}
