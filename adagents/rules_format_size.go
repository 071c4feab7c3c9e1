package adagents

import (
	"strings"

	"github.com/avow-project/avow/internal/format/formatkind"
)

// formatSizeRules are about sizes and ranges that contradict each other.
var formatSizeRules = []rule[*formatkind.View]{
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

func checkSizeMode(r reporter, p *formatkind.Part) {
	if !p.HasSizeModes() {
		return
	}
	width, height := p.Params.Has("width"), p.Params.Has("height")
	var modes []string
	if width || height {
		modes = append(modes, "width and height")
	}
	if p.Params.Has("sizes") {
		modes = append(modes, "sizes")
	}
	for _, name := range sizeBoundNames {
		if p.Params.Has(name) {
			modes = append(modes, name)
			break
		}
	}
	switch {
	case len(modes) > 1:
		r.say(p.Params, "the size is stated by %s at once", strings.Join(modes, " and by "))
	case width && !height:
		r.missing(p.Params, "height", "params has a width but no height")
	case height && !width:
		r.missing(p.Params, "width", "params has a height but no width")
	}
}

func checkRanges(r reporter, p *formatkind.Part) {
	for _, pair := range formatkind.LimitPairs[p.Table] {
		_, lower, ok1 := p.Number(pair[0])
		v, upper, ok2 := p.Number(pair[1])
		if ok1 && ok2 && lower > upper {
			r.say(v, "%s %v is below %s %v", pair[1], upper, pair[0], lower)
		}
	}
	sayRange(r, "duration_ms_range", p.Params)
	if p.Kind != formatkind.Stateful {
		return
	}
	for _, state := range p.Params.Get("states").Elems() {
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

func checkAspect(r reporter, p *formatkind.Part) {
	v := p.Params.Get("aspect_ratio")
	if p.Table.Field("aspect_ratio") == nil || !p.HasSizeModes() || !v.Is(String) || p.Faulty("aspect_ratio") {
		return
	}
	if bad := formatkind.AspectFault(v.Str(), p.Params); bad != "" {
		r.say(v, "aspect_ratio %s does not fit %s", quote(v.Str()), bad)
		return
	}
	for _, size := range p.Params.Get("sizes").Elems() {
		if bad := formatkind.AspectFault(v.Str(), size); bad != "" {
			r.say(v, "aspect_ratio %s does not fit %s", quote(v.Str()), bad)
			return
		}
	}
}
