package formats

import (
	"math"
	"strings"
)

// span reads the duration of one side: the exact one, or the range. Nothing stated is
// any duration. The text is the parameter that cannot be read.
func span(p Params) (interval, bool, string) {
	if v := p["duration_ms_exact"]; v != nil {
		f, ok := v.(float64)
		if !ok {
			return interval{}, false, "duration_ms_exact"
		}
		return interval{f, f}, true, ""
	}
	all := interval{0, math.Inf(1)}
	v := p["duration_ms_range"]
	if v == nil {
		return all, false, ""
	}
	ends, _ := v.([]any)
	if len(ends) != 2 || ends[0] == nil && ends[1] == nil {
		return all, false, "duration_ms_range"
	}
	for i, to := range []*float64{&all.lo, &all.hi} {
		if ends[i] == nil {
			continue
		}
		f, ok := ends[i].(float64)
		if !ok {
			return all, false, "duration_ms_range"
		}
		*to = f
	}
	return all, true, ""
}

// durations puts durations together: ranges meet, and an exact one lies in a range.
func (m *meeting) durations() *clash {
	a, statedA, bad := span(m.product)
	b, statedB, bad2 := span(m.catalog)
	both := a.meet(b)
	switch {
	case bad != "":
		return m.conflict(bad)
	case bad2 != "":
		return m.conflict(bad2)
	case both.empty():
		return m.conflict(durationName(m), "duration_ms_exact", "duration_ms_range")
	case !statedA && !statedB:
		return nil
	}
	m.relation = m.relation.and(a.relate(b, both))
	switch {
	case both.lo == both.hi && both.lo > 0:
		m.out["duration_ms_exact"] = both.lo
	case math.IsInf(both.hi, 1):
		m.out["duration_ms_range"] = []any{both.lo, nil}
	default:
		m.out["duration_ms_range"] = []any{both.lo, both.hi}
	}
	return nil
}

// durationName is the parameter that the product states its duration with, or else the
// catalog.
func durationName(m *meeting) string {
	if m.product["duration_ms_exact"] != nil || m.product["duration_ms_range"] == nil &&
		m.catalog["duration_ms_exact"] != nil {
		return "duration_ms_exact"
	}
	return "duration_ms_range"
}

// density puts pixel ratios together. An image that states none, neither for itself nor
// for a slot, has one pixel for each logical pixel.
func (m *meeting) density() *clash {
	a, b := m.ratios(m.product), m.ratios(m.catalog)
	if m.product["pixel_ratios"] == nil && m.catalog["pixel_ratios"] == nil {
		return nil
	}
	if (a != nil && shapeOf(a) != list) || (b != nil && shapeOf(b) != list) {
		return m.conflict("pixel_ratios")
	}
	v, relation, ok := joinAccepted("pixel_ratios", a, b)
	if !ok {
		return &clash{Parameter: "pixel_ratios", Product: a, Catalog: b}
	}
	m.out["pixel_ratios"] = v
	m.relation = m.relation.and(relation)
	return nil
}

func (m *meeting) ratios(p Params) any {
	if v := p["pixel_ratios"]; v != nil {
		return v
	}
	if m.kind != "image" || slotRatios(p) {
		return nil
	}
	return []any{1.0}
}

func slotRatios(p Params) bool {
	slots, _ := p["slots"].([]any)
	for _, e := range slots {
		slot, _ := e.(map[string]any)
		if slot["pixel_ratios"] != nil {
			return true
		}
	}
	return false
}

// contradiction finds parameters of what is left that no creative can satisfy together.
func (m *meeting) contradiction() *clash {
	for _, name := range inOrder(m.out) {
		low, ok := m.out[name].(float64)
		if !ok || classOf(m.kind, name, low) != atLeast {
			continue
		}
		partner := partnerOf(name)
		if high, ok := m.out[partner].(float64); ok && low > high {
			return m.conflict(name, partner)
		}
	}
	if m.out["linear_required"] == true && m.out["creative_type"] == "nonlinear" {
		return m.conflict("linear_required", "creative_type")
	}
	return m.densityContradiction()
}

// partnerOf is the upper limit that goes with a lower one: max_cards for min_cards.
func partnerOf(name string) string {
	words := strings.Split(name, "_")
	for i := range words {
		if words[i] == "min" {
			words[i] = "max"
		}
	}
	return strings.Join(words, "_")
}

// densityContradiction finds pixel ratios that must be supplied and are not accepted.
func (m *meeting) densityContradiction() *clash {
	top, _ := m.ratios(m.out).([]any)
	if !within(m.out["required_pixel_ratios"], top) {
		return m.conflict("required_pixel_ratios", "pixel_ratios")
	}
	slots, _ := m.out["slots"].([]any)
	for _, e := range slots {
		slot, _ := e.(map[string]any)
		own, _ := slot["pixel_ratios"].([]any)
		if own != nil && top != nil {
			v, _, ok := joinAccepted("pixel_ratios", own, top)
			if !ok {
				return m.conflict("pixel_ratios", "slots")
			}
			own, _ = v.([]any)
		}
		if own == nil {
			own = top
		}
		if !within(slot["required_pixel_ratios"], own) {
			return m.conflict("pixel_ratios", "slots")
		}
	}
	return nil
}

// within reports whether what is demanded is among what is accepted; nil accepts all.
func within(demanded any, accepted []any) bool {
	list, _ := demanded.([]any)
	for _, e := range list {
		if accepted != nil && !contains(accepted, e) {
			return false
		}
	}
	return true
}
