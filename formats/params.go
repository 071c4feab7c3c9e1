package formats

import (
	"slices"
	"strconv"
	"strings"
)

// A meeting puts the parameters of two formats of one kind together.
type meeting struct {
	kind             string
	product, catalog Params
	out              Params
	relation         comparison
}

// meet returns what two sets of parameters have in common.
func meet(kind string, product, catalog Params) (Params, comparison, *clash) {
	m := &meeting{kind: kind, product: settled(product), catalog: settled(catalog), out: Params{}}
	names := map[string]bool{}
	for name := range m.product {
		names[name] = true
	}
	for name := range m.catalog {
		names[name] = true
	}
	for _, step := range []func() *clash{m.sizes, m.durations, m.density} {
		conflict := step()
		if conflict != nil {
			return nil, 0, conflict
		}
	}
	for _, name := range inOrder(names) {
		conflict := m.parameter(name)
		if conflict != nil {
			return nil, 0, conflict
		}
	}
	conflict := m.contradiction()
	return m.out, m.relation, conflict
}

// settled returns parameters under their present names. A null says nothing.
func settled(p Params) Params {
	out := make(Params, len(p))
	for name, v := range p {
		if v == nil {
			continue
		}
		if now := aliases[name]; now != "" {
			name = now
			if p[now] != nil {
				continue
			}
		}
		out[name] = v
	}
	return out
}

// parameter puts one parameter together that is not part of a group.
func (m *meeting) parameter(name string) *clash {
	a, b := m.product[name], m.catalog[name]
	given := slices.DeleteFunc([]any{a, b}, func(v any) bool { return v == nil })
	c := classOf(m.kind, name, given...)
	if c == note || c == size || c == duration || name == "pixel_ratios" {
		return nil
	}
	if c == defaulted {
		a, b = orDefault(a, m.kind, name), orDefault(b, m.kind, name)
	}
	v, relation, ok := joiners[c](name, a, b)
	if !ok {
		return &clash{Parameter: name, Product: a, Catalog: b, Undecided: c == composite}
	}
	m.relation = m.relation.and(relation)
	if v != nil {
		m.out[name] = v
	}
	return nil
}

func orDefault(v any, kind, name string) any {
	if v == nil {
		return defaultOf(kind, name)
	}
	return v
}

// A joiner puts two values of a class together, of which one may be nil, and reports
// whether anything is left. A value of nil says nothing.
type joiner func(name string, a, b any) (any, comparison, bool)

var joiners = map[class]joiner{
	single: joinSingle, defaulted: joinSingle, composite: joinComposite, ratio: joinRatio, accepted: joinAccepted,
	demanded: joinDemanded, atMost: joinAtMost, atLeast: joinAtLeast, demand: joinDemand, ranked: joinRanked,
	permission: joinPermission, either: joinEither,
}

// stated returns the one value that there is.
func stated(a, b any) (any, comparison, bool) {
	switch {
	case a == nil:
		return b, catalogNarrower, true
	case b == nil:
		return a, productNarrower, true
	}
	return nil, sameLimits, false
}

func joinSingle(_ string, a, b any) (any, comparison, bool) {
	v, r, ok := stated(a, b)
	if ok {
		return v, r, true
	}
	return a, sameLimits, equal(a, b)
}

// joinComposite compares rich values as a whole.
func joinComposite(name string, a, b any) (any, comparison, bool) {
	v, r, ok := stated(a, b)
	if ok {
		return v, r, true
	}
	if name == "slots" {
		return a, sameLimits, equal(plainSlots(a), plainSlots(b))
	}
	return a, sameLimits, equal(a, b)
}

// plainSlots returns slots in the order of their ids, without what is for people.
func plainSlots(v any) any {
	in, ok := v.([]any)
	if !ok {
		return v
	}
	out := make([]any, 0, len(in))
	for _, e := range in {
		slot, ok := e.(map[string]any)
		if !ok {
			return v
		}
		plain := map[string]any{}
		for name, member := range slot {
			if name != "description" {
				plain[name] = member
			}
		}
		out = append(out, plain)
	}
	slices.SortStableFunc(out, func(a, b any) int { return strings.Compare(groupOf(a), groupOf(b)) })
	return out
}

func groupOf(slot any) string {
	m, _ := slot.(map[string]any)
	id, _ := m["asset_group_id"].(string)
	return id
}

func joinRatio(_ string, a, b any) (any, comparison, bool) {
	v, r, ok := stated(a, b)
	if ok {
		return v, r, true
	}
	return a, sameLimits, sameRatio(a, b)
}

// sameRatio reports whether two values are the same ratio, or the same text.
func sameRatio(a, b any) bool {
	x, ok1 := ratioOf(a)
	y, ok2 := ratioOf(b)
	if !ok1 || !ok2 {
		return equal(a, b)
	}
	return x.is(y)
}

// A proportion is a width to a height.
type proportion struct{ w, h float64 }

func ratioOf(v any) (proportion, bool) {
	s, _ := v.(string)
	left, right, ok := strings.Cut(s, ":")
	w, err1 := strconv.ParseFloat(left, 64)
	h, err2 := strconv.ParseFloat(right, 64)
	return proportion{w, h}, ok && err1 == nil && err2 == nil && w > 0 && h > 0
}

// ratioTolerance is how far two ratios may differ that are written with fractions.
const ratioTolerance = 1e-9

func (p proportion) is(q proportion) bool {
	a, b := p.w*q.h, q.w*p.h
	return abs(a-b) <= ratioTolerance*max(a, b)
}

func abs(f float64) float64 { return max(f, -f) }

// joinAccepted is the intersection of lists. A list that is empty accepts nothing.
func joinAccepted(name string, a, b any) (any, comparison, bool) {
	x, _ := a.([]any)
	y, _ := b.([]any)
	v, r, ok := stated(a, b)
	if ok {
		only, _ := v.([]any)
		return v, r, len(only) > 0
	}
	same := sameItem(name)
	in := func(list []any) func(any) bool {
		return func(e any) bool { return slices.ContainsFunc(list, func(o any) bool { return same(e, o) }) }
	}
	var out []any
	for _, e := range x {
		if in(y)(e) && !contains(out, e) {
			out = append(out, e)
		}
	}
	all := func(list []any) bool { return !slices.ContainsFunc(list, func(e any) bool { return !in(out)(e) }) }
	return out, relate(all(x), all(y)), len(out) > 0
}

// sameItem returns what makes two elements of a list the same.
func sameItem(name string) func(a, b any) bool {
	switch {
	case name == "image_formats":
		return func(a, b any) bool { return equal(imageFormat(a), imageFormat(b)) }
	case strings.HasSuffix(name, "aspect_ratios"):
		return sameRatio
	}
	return equal
}

// imageFormat returns an image format under one name.
func imageFormat(v any) any {
	if v == "jpeg" {
		return "jpg"
	}
	return v
}

// joinDemanded is the union of lists.
func joinDemanded(_ string, a, b any) (any, comparison, bool) {
	v, r, ok := stated(a, b)
	if ok {
		return v, r, true
	}
	x, _ := a.([]any)
	y, _ := b.([]any)
	out := slices.Clone(x)
	for _, e := range y {
		if !contains(out, e) {
			out = append(out, e)
		}
	}
	all := func(list []any) bool {
		return !slices.ContainsFunc(out, func(e any) bool { return !contains(list, e) })
	}
	return out, relate(all(x), all(y)), true
}

func contains(list []any, v any) bool {
	return slices.ContainsFunc(list, func(e any) bool { return equal(e, v) })
}

func joinAtMost(_ string, a, b any) (any, comparison, bool) {
	v, r, ok := stated(a, b)
	if ok {
		return v, r, true
	}
	x, y := a.(float64), b.(float64)
	least := min(x, y)
	return least, relate(x == least, y == least), true
}

func joinAtLeast(_ string, a, b any) (any, comparison, bool) {
	v, r, ok := stated(a, b)
	if ok {
		return v, r, true
	}
	x, y := a.(float64), b.(float64)
	most := max(x, y)
	return most, relate(x == most, y == most), true
}

// joinDemand: an absent demand is one that is not made.
func joinDemand(_ string, a, b any) (any, comparison, bool) {
	x, y := a == true, b == true
	return x || y, relate(x || !y, y || !x), true
}

// joinPermission: what one side forbids is forbidden. What only one side allows is not
// stated by both, and so it is not stated in common.
func joinPermission(_ string, a, b any) (any, comparison, bool) {
	x, y := a == false, b == false
	if !x && !y && !equal(a, b) {
		return nil, sameLimits, true
	}
	return !x && !y, relate(x || !y, y || !x), true
}

func joinRanked(name string, a, b any) (any, comparison, bool) {
	order := ranks[name]
	rank := func(v any) int {
		if v == nil {
			return len(order) - 1
		}
		word, _ := v.(string)
		return slices.Index(order, word)
	}
	x, y := rank(a), rank(b)
	if x < 0 || y < 0 {
		return joinSingle(name, a, b)
	}
	strictest := min(x, y)
	return order[strictest], relate(x == strictest, y == strictest), true
}

// eitherWord stands for both of two choices.
const eitherWord = "either"

func joinEither(name string, a, b any) (any, comparison, bool) {
	switch {
	case a != nil && b != nil && equal(a, eitherWord):
		return b, relate(equal(b, eitherWord), true), true
	case a != nil && b != nil && equal(b, eitherWord):
		return a, productNarrower, true
	}
	return joinSingle(name, a, b)
}
