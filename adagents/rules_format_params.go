package adagents

import (
	"slices"
	"strings"
	"sync"

	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/format/formatkind"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/spell"
)

// formatParamRules compare params with the table of their kind.
var formatParamRules = []rule[*formatkind.View]{
	{Rule: Rule{
		Code: "format.param_type", Severity: Error, Effect: SkipEntry,
		Title: "a param has the wrong JSON type",
		Why: "Limits are compared as numbers, texts or lists. One of another type cannot be applied, so the format is " +
			"left out.",
		Hint: "write the value in the type the format kind asks for",
		Spec: "AdCP canonical formats",
		In:   InParams,
		Bad:  `{"width": 300, "height": 250, "max_file_size_kb": "150"}`,
		Good: `{"width": 300, "height": 250, "max_file_size_kb": 150}`,
		fix:  toForm(Likely),
	}, check: func(r reporter, x *formatkind.View) {
		sayParamFaults(r, x, formatkind.ClaimParam, func(f conform.Fault) bool { return f == conform.WrongKind })
	}},
	{Rule: Rule{
		Code: "format.param_enum", Severity: Error, Effect: SkipEntry,
		Title: "a param has a value that is not allowed",
		Why: "Some params take one of a few values. Another one is not understood, and the limit it stands for would be " +
			"lost.",
		Hint: "use one of the values of the format kind",
		Spec: "AdCP canonical formats",
		In:   InParams,
		Bad:  `{"image_formats": ["jpg", "bmp"]}`,
		Good: `{"image_formats": ["jpg", "png"]}`,
		fix:  toForm(Likely),
	}, check: func(r reporter, x *formatkind.View) {
		sayParamFaults(r, x, formatkind.ClaimParam, func(f conform.Fault) bool { return f == conform.NotAllowed })
	}},
	{Rule: Rule{
		Code: "format.param_range", Severity: Error, Effect: SkipEntry,
		Title: "a param is outside its limits",
		Why:   "A size of zero or a list without entries admits no creative at all.",
		Hint:  "keep within the limits of the format kind",
		Spec:  "AdCP canonical formats",
		In:    InParams,
		Bad:   `{"width": 0, "height": 250}`,
		Good:  `{"width": 300, "height": 250}`,
		fix:   remedy{Choice, formFixes},
	}, check: func(r reporter, x *formatkind.View) {
		sayParamFaults(r, x, formatkind.ClaimParam, func(f conform.Fault) bool {
			return f != conform.WrongKind && f != conform.NotAllowed
		})
	}},
	{Rule: Rule{
		Code: "format.param_unknown", Severity: Warning,
		Title:  "a param is not known for this kind",
		Why:    "Unknown params are allowed and ignored. A misspelt one is ignored too, and its limit is lost.",
		Hint:   "check the spelling and the format kind",
		Spec:   "AdCP canonical formats",
		Varies: "info unless the name is close to a known one",
		In:     InFormat,
		Bad:    `{"format_option_id": "cards", "format_kind": "image_carousel", "params": {"cards_min": 2, "max_cards": 10}}`,
		Good:   `{"format_option_id": "cards", "format_kind": "image_carousel", "params": {"min_cards": 2, "max_cards": 10}}`,
	}, check: onParts(checkUnknownParams)},
	{Rule: Rule{
		Code: "format.extension_digest_divergent", Severity: Warning,
		Title: "one platform extension with two digests",
		Why:   "The digest pins the content of the extension. Two of them for the same address cannot both be right.",
		Hint:  "fetch the extension and use its present digest everywhere",
		Spec:  "avow docs/rules.md",
		In:    InParams,
		Bad: `{"platform_extensions": [
  {"uri": "https://example.com/ext.json", "digest": "sha256:0000000000000000000000000000000000000000000000000000000000000000"},
  {"uri": "https://example.com/ext.json", "digest": "sha256:1111111111111111111111111111111111111111111111111111111111111111"}
]}`,
		Good: `{"platform_extensions": [
  {"uri": "https://example.com/ext.json", "digest": "sha256:0000000000000000000000000000000000000000000000000000000000000000"}
]}`,
	}, check: onParts(checkExtensionDigests)},
}

// kindsOfParam gives, for a param, the kinds that know it.
var kindsOfParam = sync.OnceValue(func() map[string][]string {
	kinds := make(map[string][]string)
	for _, kind := range model.FormatKinds {
		if table := model.Params()[kind]; table != nil {
			for i := range table.Fields {
				name := table.Fields[i].Name
				kinds[name] = append(kinds[name], kind)
			}
		}
	}
	return kinds
})

// checkUnknownParams never reports an error: a newer protocol version may add
// params.
func checkUnknownParams(r reporter, p *formatkind.Part) {
	for m := range p.Params.Members() {
		name := m.Name()
		if p.Table.Field(name) != nil {
			continue
		}
		if near := knownParamsOf()[p.Table].near(name); near != "" {
			r.say(m.Value(), "%s is not a param of %s", quote(name), p.Kind).withHint("did you mean %s?", whole(near))
			continue
		}
		f := r.sayAs(Info, m.Value(), "%s is not a param of %s", quote(name), p.Kind)
		if kinds := kindsOfParam()[name]; len(kinds) > 0 {
			f.withHint("it is a param of %s", strings.Join(kinds, ", "))
		}
	}
}

// knownParams are the param names of a kind, prepared for near misses.
type knownParams struct {
	spelled *spell.Index
	byWords map[string]string // by sortedWords
}

// knownParamsOf has the known params for every table.
var knownParamsOf = sync.OnceValue(func() map[*model.ObjectType]knownParams {
	known := make(map[*model.ObjectType]knownParams)
	for _, table := range model.Params() {
		if table != nil {
			known[table] = newKnownParams(table.Names())
		}
	}
	return known
})

func newKnownParams(names []string) knownParams {
	k := knownParams{spell.New(names), make(map[string]string)}
	for _, name := range names {
		k.byWords[sortedWords(name)] = name
	}
	return k
}

// near finds the known name that was probably meant: misspelt, in another case
// style, or with its words in another order.
func (k knownParams) near(name string) string {
	if len(name) > spell.MaxLength {
		return ""
	}
	name = snakeCase(name)
	if near, ok := k.spelled.Nearest(name, spell.MaxDistance); ok {
		return near
	}
	return k.byWords[sortedWords(name)]
}

// sortedWords writes the words of a name in alphabetical order.
func sortedWords(name string) string {
	words := strings.Split(name, "_")
	slices.Sort(words)
	return strings.Join(words, "_")
}

// checkExtensionDigests remembers the digest of every extension of the file.
func checkExtensionDigests(r reporter, p *formatkind.Part) {
	x := &r.index.format
	for _, v := range p.Params.Get("platform_extensions").Elems() {
		uri, digest := v.Get("uri").Str(), v.Get("digest").Str()
		if uri == "" || digest == "" {
			continue
		}
		if x.digests == nil {
			x.digests = make(map[string]string)
		}
		if before, ok := x.digests[uri]; !ok {
			x.digests[uri] = digest
		} else if before != digest {
			r.say(v.Get("digest"), "%s has the digest %s elsewhere in the file", quote(uri), before)
		}
	}
}

// formatSizeRules are about sizes and ranges that contradict each other.
var formatSizeRules = []rule[*formatkind.View]{
	{Rule: Rule{
		Code: "format.size_mode_conflict", Severity: Error, Effect: SkipEntry,
		Title: "the size is stated in two ways, or by half",
		Why: "A size is width and height, or a list of sizes, or bounds. With two of these no reader can tell which one " +
			"holds.",
		Hint: "use width and height together, or sizes, or the min and max members",
		Spec: "AdCP canonical formats",
		In:   InParams,
		Bad:  `{"width": 300, "height": 250, "sizes": [{"width": 728, "height": 90}]}`,
		Good: `{"sizes": [{"width": 300, "height": 250}, {"width": 728, "height": 90}]}`,
		fix:  oneSizeMode,
	}, check: onParts(checkSizeMode)},
	{Rule: Rule{
		Code: "format.range_inverted", Severity: Error,
		Title: "a lower limit is above its upper limit",
		Why:   "Nothing lies within such a range, so the format can never be met.",
		Hint:  "exchange the two values",
		Spec:  "avow docs/rules.md",
		In:    InParams,
		Bad:   `{"min_width": 600, "max_width": 300}`,
		Good:  `{"min_width": 300, "max_width": 600}`,
		fix:   rangeInOrder,
	}, check: onParts(checkRanges)},
	{Rule: Rule{
		Code: "format.aspect_mismatch", Severity: Warning,
		Title: "aspect_ratio does not fit the size",
		Why:   "A creative cannot have the size and the ratio at once. One pixel of rounding is allowed.",
		Hint:  "correct one of the two, or leave aspect_ratio out",
		Spec:  "avow docs/rules.md",
		In:    InParams,
		Bad:   `{"width": 300, "height": 250, "aspect_ratio": "16:9"}`,
		Good:  `{"width": 1920, "height": 1080, "aspect_ratio": "16:9"}`,
	}, check: onParts(checkAspect)},
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
	for _, pair := range formatkind.LimitPairs()[p.Table] {
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

// sayRange reports the rule for a list of two numbers in the wrong
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

// formatView returns the view of a declaration. Every rule asks for the same
// one in turn, so the last is kept: building it compares all params with
// their tables.
func (c *content) formatView(raw Value) *formatkind.View {
	x := &c.index.format
	if x.view == nil || x.view.Raw != raw {
		x.view = formatkind.New(raw)
	}
	return x.view
}

// sayParamFaults reports the rule for the faults of a claim that match.
func sayParamFaults(r reporter, x *formatkind.View, who formatkind.Claim, match func(conform.Fault) bool) {
	for _, p := range x.Parts {
		for i := range p.Faults {
			f := &p.Faults[i]
			switch {
			case f.Claim != who || !match(f.Fault):
			case f.Whole:
				r.say(f.At, "%s", f.Msg).withHint("%s", f.Hint)
				r.further(f.More)
			default:
				r.sayProblem(f.Name, f.Problem)
				r.further(f.More)
			}
		}
	}
}

// anyFault matches every fault.
func anyFault(conform.Fault) bool { return true }

// onParts makes a check of a declaration out of a check of one params object.
func onParts(check func(r reporter, p *formatkind.Part)) func(reporter, *formatkind.View) {
	return func(r reporter, x *formatkind.View) {
		for _, p := range x.Parts {
			check(r, p)
		}
	}
}

// onKind is onParts for the params of one kind.
func onKind(kind string, check func(r reporter, p *formatkind.Part)) func(reporter, *formatkind.View) {
	return onParts(func(r reporter, p *formatkind.Part) {
		if p.Kind == kind {
			check(r, p)
		}
	})
}

// lacksID reports whether an id is absent or says nothing. An id of another
// type is a fault of its own.
func lacksID(v Value) bool { return !v.Exists() || v.Is(String) && blank(v.Str()) }
