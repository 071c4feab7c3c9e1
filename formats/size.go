package formats

import (
	"math"
	"slices"
)

// A pair is a width and a height in logical pixels.
type pair struct{ w, h float64 }

func pairOf(v any) (pair, bool) {
	m, ok := v.(map[string]any)
	w, ok1 := m["width"].(float64)
	h, ok2 := m["height"].(float64)
	return pair{w, h}, ok && ok1 && ok2 && len(m) == 2
}

func (p pair) value() map[string]any { return map[string]any{"width": p.w, "height": p.h} }

// An interval has its ends in it. An open end is 0 below and infinite above.
type interval struct{ lo, hi float64 }

func (i interval) meet(o interval) interval           { return interval{max(i.lo, o.lo), min(i.hi, o.hi)} }
func (i interval) empty() bool                        { return i.lo > i.hi }
func (i interval) has(f float64) bool                 { return i.lo <= f && f <= i.hi }
func (i interval) relate(o, both interval) comparison { return relate(i == both, o == both) }

// A frame is what the parameters of one side say about width and height. All of it
// holds at once.
type frame struct {
	// pairs are the sizes that are listed; listed is set when there is such a list.
	pairs         []pair
	listed        bool
	width, height interval
	ratio         *proportion
	orientation   string
}

// sizeNames are the parameters of sizes, without those of proportions.
var sizeNames = []string{"width", "height", "sizes", "min_width", "max_width", "min_height", "max_height"}

// frameOf reads the size of one side. The text is the parameter that cannot be read.
func frameOf(p Params) (*frame, string) {
	f := &frame{width: interval{0, math.Inf(1)}, height: interval{0, math.Inf(1)}}
	for _, bound := range []struct {
		name string
		to   *float64
	}{{"min_width", &f.width.lo}, {"max_width", &f.width.hi}, {"min_height", &f.height.lo}, {"max_height", &f.height.hi}} {
		v, ok := p[bound.name]
		if !ok {
			continue
		}
		*bound.to, ok = v.(float64)
		if !ok {
			return nil, bound.name
		}
	}
	if p["sizes"] != nil {
		list, _ := p["sizes"].([]any)
		f.listed = true
		for _, e := range list {
			one, ok := pairOf(e)
			if !ok {
				return nil, "sizes"
			}
			f.pairs = append(f.pairs, one)
		}
	}
	if p["width"] != nil || p["height"] != nil {
		one, ok := pairOf(map[string]any{"width": p["width"], "height": p["height"]})
		if !ok {
			return nil, "width"
		}
		if f.listed && !slices.Contains(f.pairs, one) {
			return nil, "sizes"
		}
		f.pairs, f.listed = []pair{one}, true
	}
	bad := f.readProportion(p)
	return f, bad
}

// readProportion reads how width and height lie to each other.
func (f *frame) readProportion(p Params) string {
	f.orientation, _ = p["orientation"].(string)
	if p["aspect_ratio"] == nil {
		return ""
	}
	r, ok := ratioOf(p["aspect_ratio"])
	if !ok {
		return "aspect_ratio"
	}
	f.ratio = &r
	return ""
}

// turned returns the orientation that is stated, or that follows from the ratio.
func (f *frame) turned() string {
	if f.orientation != "" || f.ratio == nil {
		return f.orientation
	}
	return orientationOf(f.ratio.w, f.ratio.h)
}

func orientationOf(w, h float64) string {
	switch {
	case w > h:
		return "horizontal"
	case w < h:
		return "vertical"
	}
	return "square"
}

// pixelTolerance is how far a size may be from its ratio: rounding to whole pixels.
const pixelTolerance = 1

// takes reports whether a side accepts a size, apart from its list.
func (f *frame) takes(p pair) bool {
	if !f.width.has(p.w) || !f.height.has(p.h) {
		return false
	}
	if f.ratio != nil && abs(p.w-p.h*f.ratio.w/f.ratio.h) > pixelTolerance &&
		abs(p.h-p.w*f.ratio.h/f.ratio.w) > pixelTolerance {
		return false
	}
	return !knownOrientation(f.orientation) || f.orientation == orientationOf(p.w, p.h)
}

func knownOrientation(s string) bool { return s == "horizontal" || s == "vertical" || s == "square" }

// own returns the sizes of the list that the side's own limits leave.
func (f *frame) own() []pair {
	return slices.DeleteFunc(slices.Clone(f.pairs), func(p pair) bool { return !f.takes(p) })
}

// sizes puts width, height and their proportion together.
func (m *meeting) sizes() *clash {
	a, bad := frameOf(m.product)
	if bad == "" {
		var b *frame
		b, bad = frameOf(m.catalog)
		if bad == "" {
			return m.frames(a, b)
		}
	}
	return m.conflict(bad)
}

// conflict is a Conflict about parameters, with what both sides say about them.
func (m *meeting) conflict(name string, with ...string) *clash {
	names := append([]string{name}, with...)
	return &clash{Parameter: name, Product: pick(m.product, names), Catalog: pick(m.catalog, names)}
}

// pick returns those of the parameters that are there: one as its value, several as an
// object.
func pick(p Params, names []string) any {
	out := map[string]any{}
	var last any
	for _, name := range names {
		if v := p[name]; v != nil {
			out[name], last = v, v
		}
	}
	switch {
	case len(out) == 0:
		return nil
	case len(names) == 1:
		return last
	}
	return out
}

func (m *meeting) frames(a, b *frame) *clash {
	conflict := m.proportions(a, b)
	if conflict != nil {
		return conflict
	}
	both := &frame{width: a.width.meet(b.width), height: a.height.meet(b.height), ratio: a.ratio,
		orientation: a.orientation}
	if both.ratio == nil {
		both.ratio = b.ratio
	}
	if both.orientation == "" {
		both.orientation = b.orientation
	}
	switch {
	case both.width.empty():
		return m.conflict("width", sizeNames[1:]...)
	case both.height.empty():
		return m.conflict("height", sizeNames...)
	case a.listed || b.listed:
		return m.listed(a, b, both)
	}
	if !both.possible() {
		return m.conflict("aspect_ratio", append([]string{"orientation"}, sizeNames...)...)
	}
	m.relation = m.relation.and(a.width.relate(b.width, both.width)).and(a.height.relate(b.height, both.height))
	for name, v := range map[string]float64{"min_width": both.width.lo, "max_width": both.width.hi,
		"min_height": both.height.lo, "max_height": both.height.hi} {
		if v > 0 && !math.IsInf(v, 1) {
			m.out[name] = v
		}
	}
	m.relation = m.relation.and(m.proportionRelation(a, b))
	return nil
}

// proportions compares ratio and orientation, and keeps what is stated.
func (m *meeting) proportions(a, b *frame) *clash {
	for _, name := range []string{"aspect_ratio", "orientation"} {
		v, _, ok := joinRatio(name, m.product[name], m.catalog[name])
		if !ok {
			return m.conflict(name)
		}
		if v != nil {
			m.out[name] = v
		}
	}
	x, y := a.turned(), b.turned()
	if x != "" && y != "" && x != y {
		return m.conflict("orientation", "aspect_ratio")
	}
	return nil
}

func (m *meeting) proportionRelation(a, b *frame) comparison {
	_, r, _ := joinRatio("", m.product["aspect_ratio"], m.catalog["aspect_ratio"])
	if m.product["aspect_ratio"] == nil && m.catalog["aspect_ratio"] == nil {
		r = sameLimits
	}
	x, y := a.turned(), b.turned()
	return r.and(relate(x == y || y == "", x == y || x == ""))
}

// listed puts sizes together of which one side at least has a list.
func (m *meeting) listed(a, b, both *frame) *clash {
	candidates := a.pairs
	if !a.listed {
		candidates = b.pairs
	}
	var out []pair
	for _, p := range candidates {
		if both.takes(p) && (!b.listed || slices.Contains(b.pairs, p)) && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	if len(out) == 0 {
		return m.sizeConflict(a, b, candidates)
	}
	is := func(f *frame) bool {
		return f.listed && !slices.ContainsFunc(f.own(), func(p pair) bool { return !slices.Contains(out, p) })
	}
	m.relation = m.relation.and(relate(is(a), is(b)))
	if len(out) == 1 {
		m.out["width"], m.out["height"] = out[0].w, out[0].h
		return nil
	}
	list := make([]any, 0, len(out))
	for _, p := range out {
		list = append(list, p.value())
	}
	m.out["sizes"] = list
	return nil
}

// sizeConflict names the parameter that leaves no size.
func (m *meeting) sizeConflict(a, b *frame, candidates []pair) *clash {
	sized := func(p pair) bool {
		return a.width.meet(b.width).has(p.w) && a.height.meet(b.height).has(p.h) &&
			(!b.listed || slices.Contains(b.pairs, p))
	}
	switch {
	case slices.ContainsFunc(candidates, sized):
		return m.conflict("aspect_ratio", append([]string{"orientation"}, sizeNames...)...)
	case m.product["sizes"] != nil || m.catalog["sizes"] != nil:
		return m.conflict("sizes", sizeNames...)
	case len(a.pairs) == 1 && len(b.pairs) == 1 && a.pairs[0].w == b.pairs[0].w:
		return m.conflict("height", sizeNames...)
	case len(a.pairs) == 1 && b.width.has(a.pairs[0].w) && !b.listed, len(b.pairs) == 1 && a.width.has(b.pairs[0].w) &&
		!a.listed:
		return m.conflict("height", sizeNames...)
	}
	return m.conflict("width", sizeNames[1:]...)
}

// possible reports whether some size has the proportion within the limits. Whether its
// pixels are whole is not looked at.
func (f *frame) possible() bool {
	w, h := f.width, f.height
	if f.ratio != nil {
		r := f.ratio.w / f.ratio.h
		byWidth := interval{h.lo*r - pixelTolerance, h.hi*r + pixelTolerance}
		byHeight := interval{w.lo/r - pixelTolerance, w.hi/r + pixelTolerance}
		if w.meet(byWidth).empty() && h.meet(byHeight).empty() {
			return false
		}
	}
	switch f.orientation {
	case "horizontal":
		return w.hi > max(h.lo, 1)
	case "vertical":
		return h.hi > max(w.lo, 1)
	case "square":
		return !w.meet(h).empty()
	}
	return true
}
