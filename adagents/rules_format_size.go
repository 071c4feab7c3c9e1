package adagents

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/avow-project/avow/internal/model"
)

// formatSizeRules are about sizes and ranges that contradict each other.
var formatSizeRules = []rule[*formatView]{
	{
		Rule: Rule{
			Code: "format.size_mode_conflict", Severity: Error, Effect: SkipEntry,
			Title: "the size is stated in two ways, or by half",
			Why:   "A size is width and height, or a list of sizes, or bounds. With two of these no reader can tell which one holds.",
			Hint:  "use width and height together, or sizes, or the min and max members",
			Spec:  "AdCP canonical formats",
			In:    InParams,
			Bad:   `{"width": 300, "height": 250, "sizes": [{"width": 728, "height": 90}]}`,
			Good:  `{"sizes": [{"width": 300, "height": 250}, {"width": 728, "height": 90}]}`,
		},
		check: onParts(checkSizeMode),
	},
	{
		Rule: Rule{
			Code: "format.range_inverted", Severity: Error,
			Title: "a lower limit is above its upper limit",
			Why:   "Nothing lies within such a range, so the format can never be met.",
			Hint:  "exchange the two values",
			Spec:  "avow docs/rules.md",
			In:    InParams,
			Bad:   `{"min_width": 600, "max_width": 300}`,
			Good:  `{"min_width": 300, "max_width": 600}`,
		},
		check: onParts(checkRanges),
	},
	{
		Rule: Rule{
			Code: "format.aspect_mismatch", Severity: Warning,
			Title: "aspect_ratio does not fit the size",
			Why:   "A creative cannot have the size and the ratio at once. One pixel of rounding is allowed.",
			Hint:  "correct one of the two, or leave aspect_ratio out",
			Spec:  "avow docs/rules.md",
			In:    InParams,
			Bad:   `{"width": 300, "height": 250, "aspect_ratio": "16:9"}`,
			Good:  `{"width": 1920, "height": 1080, "aspect_ratio": "16:9"}`,
		},
		check: onParts(checkAspect),
	},
}

// sizeBoundNames are the members of the bounded size mode.
var sizeBoundNames = []string{"min_width", "max_width", "min_height", "max_height"}

// hasSizeModes reports whether the kind lets the author choose how to state
// the size.
func (p *formatPart) hasSizeModes() bool { return p.table.Field("sizes") != nil }

func checkSizeMode(r reporter, p *formatPart) {
	if !p.hasSizeModes() {
		return
	}
	width, height := p.params.Has("width"), p.params.Has("height")
	var modes []string
	if width || height {
		modes = append(modes, "width and height")
	}
	if p.params.Has("sizes") {
		modes = append(modes, "sizes")
	}
	for _, name := range sizeBoundNames {
		if p.params.Has(name) {
			modes = append(modes, name)
			break
		}
	}
	switch {
	case len(modes) > 1:
		r.say(p.params, "the size is stated by %s at once", strings.Join(modes, " and by "))
	case width && !height:
		r.missing(p.params, "height", "params has a width but no height")
	case height && !width:
		r.missing(p.params, "width", "params has a height but no width")
	}
}

// limitPairs gives, for a params table, the pairs of a lower and an upper
// limit: the names that differ in min and max only.
var limitPairs = func() map[*model.ObjectType][][2]string {
	pairs := make(map[*model.ObjectType][][2]string)
	for _, table := range model.Params {
		if table == nil {
			continue
		}
		for i := range table.Fields {
			lower := table.Fields[i].Name
			upper := swapWord(lower, "min", "max")
			if upper != lower && table.Field(upper) != nil {
				pairs[table] = append(pairs[table], [2]string{lower, upper})
			}
		}
	}
	return pairs
}()

// swapWord replaces a word of a snake_case name.
func swapWord(name, old, replacement string) string {
	words := strings.Split(name, "_")
	for i := range words {
		if words[i] == old {
			words[i] = replacement
		}
	}
	return strings.Join(words, "_")
}

func checkRanges(r reporter, p *formatPart) {
	for _, pair := range limitPairs[p.table] {
		_, lower, ok1 := p.number(pair[0])
		v, upper, ok2 := p.number(pair[1])
		if ok1 && ok2 && lower > upper {
			r.say(v, "%s %v is below %s %v", pair[1], upper, pair[0], lower)
		}
	}
	sayRange(r, "duration_ms_range", p.params)
	if p.kind != statefulKind {
		return
	}
	for _, state := range p.params.Get("states").Elems() {
		for _, b := range state.Get("breakpoints").Elems() {
			sayRange(r, "width_range", b)
			sayRange(r, "height_range", b)
		}
	}
}

// sayRange reports the current rule for a list of two numbers in the wrong
// order.
func sayRange(r reporter, name string, owner Value) {
	v := owner.Get(name)
	if v.Len() != 2 {
		return
	}
	lower, ok1 := v.Index(0).Float()
	upper, ok2 := v.Index(1).Float()
	if ok1 && ok2 && lower > upper {
		r.say(v, "%s begins at %v and ends at %v", name, lower, upper).withHint("write [%v, %v]", upper, lower)
	}
}

func checkAspect(r reporter, p *formatPart) {
	v := p.params.Get("aspect_ratio")
	if p.table.Field("aspect_ratio") == nil || !p.hasSizeModes() || !v.Is(String) || p.faulty("aspect_ratio") {
		return
	}
	if bad := aspectFault(v.Str(), p.params); bad != "" {
		r.say(v, "aspect_ratio %s does not fit %s", quote(v.Str()), bad)
		return
	}
	for _, size := range p.params.Get("sizes").Elems() {
		if bad := aspectFault(v.Str(), size); bad != "" {
			r.say(v, "aspect_ratio %s does not fit %s", quote(v.Str()), bad)
			return
		}
	}
}

// aspectFault returns the size of owner as text when its width and height do
// not have the ratio, give or take a pixel.
func aspectFault(ratio string, owner Value) string {
	w, ok1 := owner.Get("width").Float()
	h, ok2 := owner.Get("height").Float()
	if !ok1 || !ok2 || w < 1 || h < 1 {
		return ""
	}
	left, right, _ := strings.Cut(ratio, ":")
	a, err1 := strconv.ParseFloat(left, 64)
	b, err2 := strconv.ParseFloat(right, 64)
	if err1 != nil || err2 != nil {
		return ""
	}
	if a > 0 && b > 0 && (math.Abs(w-h*a/b) <= 1 || math.Abs(h-w*b/a) <= 1) {
		return ""
	}
	return fmt.Sprintf("%vx%v", w, h)
}
