package formats

import (
	"slices"
	"strconv"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/resolve"
)

// A Selection is how a buyer names what it wants: by references, or by a kind with
// parameters. When it does both, both must come to the same.
type Selection struct {
	Refs   []Ref
	Kind   string
	Params Params
}

// ReadParams returns the parameters in a JSON object.
func ReadParams(v adagents.Value) Params { return objectOf(v) }

// choose returns those of the accepted formats that a buyer selects, and what is wrong
// with the selection. With a kind and parameters a format is selected that accepts
// whatever they allow: what it fixes, they have to state.
func choose(accepted []acceptedFormat, s Selection) ([]acceptedFormat, []fault) {
	var byRef, byKind []acceptedFormat
	var findings []fault
	for _, ref := range s.Refs {
		found := slices.DeleteFunc(slices.Clone(accepted), func(a acceptedFormat) bool {
			return a.Ref != ref && a.CatalogRef != ref
		})
		if len(found) == 0 {
			findings = append(findings,
				finding("selection.unresolved", "", "the format "+strconv.Quote(ref.String())+" is not among the accepted ones"))
		}
		byRef = append(byRef, found...)
	}
	if s.Kind == "" {
		return byRef, findings
	}
	for i := range accepted {
		// Where and in which languages the ad runs is not part of the selection.
		want := declaration{Kind: s.Kind, Params: s.Params, Channels: accepted[i].Channels, Locales: accepted[i].Locales}
		_, relation, conflict := intersect(&want, &accepted[i].declaration)
		if conflict == nil && (relation == sameLimits || relation == productNarrower) {
			byKind = append(byKind, accepted[i])
		}
	}
	if len(byKind) == 0 {
		findings = append(findings,
			finding("selection.unresolved", "", "no accepted format takes everything that format_kind and params allow"))
	}
	if len(s.Refs) == 0 {
		return byKind, findings
	}
	same := func(a, b []acceptedFormat) bool {
		return !slices.ContainsFunc(a, func(x acceptedFormat) bool {
			return !slices.ContainsFunc(b, func(y acceptedFormat) bool {
				return x.Pointer == y.Pointer && x.Catalog == y.Catalog
			})
		})
	}
	if len(findings) == 0 && (!same(byRef, byKind) || !same(byKind, byRef)) {
		findings = append(findings,
			finding("selection.conflict", "", "the references select other formats than format_kind and params"))
	}
	return byRef, findings
}

// commonFormats returns the formats that are accepted on all of the placements: what one
// creative must keep to that runs on every one. An error is a *resolve.LimitError.
func commonFormats(placements []*placementFormats) ([]declaration, error) {
	var out []declaration
	pairs := 0
	for i, p := range placements {
		if i == 0 {
			for k := range p.Accepted {
				out = append(out, p.Accepted[k].declaration)
			}
			continue
		}
		pairs += len(out) * len(p.Accepted)
		if pairs > maxPairs {
			return nil, &resolve.LimitError{Problem: "the placements accept too many formats to compare",
				Hint: "ask about fewer placements"}
		}
		var next []declaration
		for a := range out {
			for b := range p.Accepted {
				both, _, conflict := intersect(&out[a], &p.Accepted[b].declaration)
				if conflict == nil && !slices.ContainsFunc(next, both.same) {
					next = append(next, both)
				}
			}
		}
		out = next
	}
	return out, nil
}

// same reports whether two formats of a product are the same, whatever they are called.
func (d *declaration) same(o declaration) bool {
	return d.Ref == o.Ref && d.Kind == o.Kind && equal(map[string]any(d.Params), map[string]any(o.Params)) &&
		slices.Equal(d.Channels, o.Channels) && slices.Equal(d.Locales, o.Locales)
}
