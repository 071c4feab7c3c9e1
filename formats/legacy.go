package formats

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/jsontree"
)

// An oldID names a format of the older model: an id at the agent that defines it, with
// what the id leaves open.
type oldID struct {
	agent, id     string
	width, height float64 // 0 when not given
	duration      float64
	ratio         float64
	pointer       string
	fault         string
}

// referenceAgent defines the formats whose ids say what they are.
const referenceAgent = "https://creative.adcontextprotocol.org"

// oldIDs reads the format_ids of a product or of one of its placements.
func (r *reader) oldIDs(owner jsontree.Value, pointer string) []oldID {
	var out []oldID
	for i, v := range r.list(owner, pointer, "format_ids") {
		old := oldIDOf(v)
		old.pointer = jsontree.Pointer(jsontree.Pointer(pointer, "format_ids"), strconv.Itoa(i))
		out = append(out, old)
	}
	return out
}

// oldRefs reads the older names of a declaration.
func oldRefs(v jsontree.Value) []oldID {
	var out []oldID
	for _, e := range v.Elems() {
		old := oldIDOf(e)
		if old.fault == "" {
			out = append(out, old)
		}
	}
	return out
}

// oldIDOf reads one name. What is wrong with it is its fault.
func oldIDOf(v jsontree.Value) oldID {
	if !v.Is(jsontree.Object) {
		return oldID{fault: "it is " + v.Kind().String() + " and not an object with agent_url and id"}
	}
	old := oldID{id: v.Get("id").Str()}
	agent, _, err := hostname.CanonicalURL(v.Get("agent_url").Str())
	if err != nil || old.id == "" {
		old.fault = "it needs an agent_url and an id"
		return old
	}
	old.agent = agent
	for name, to := range map[string]*float64{"width": &old.width, "height": &old.height, "duration_ms": &old.duration,
		"pixel_ratio": &old.ratio} {
		if !v.Has(name) {
			continue
		}
		f, ok := v.Get(name).Float()
		if !ok || f <= 0 {
			old.fault = name + " is not a number above zero"
		}
		*to = f
	}
	switch {
	case old.fault != "":
	case (old.width > 0) != (old.height > 0):
		old.fault = "width and height go together"
	case old.ratio > 0 && old.width == 0:
		old.fault = "pixel_ratio needs width and height"
	}
	return old
}

func (o *oldID) same(other *oldID) bool {
	a, b := *o, *other
	a.pointer, b.pointer = "", ""
	return a == b
}

// projectAll turns older names into declarations. A name that cannot be turned into one
// is not comparable with anything, and so it is not accepted.
func (r *reader) projectAll(list []oldID) []declaration {
	var out []declaration
	for i := range list {
		d, code, problem := project(&list[i])
		if code != "" {
			r.say(code, list[i].pointer, "the older format "+strconv.Quote(list[i].id)+" is left out: "+problem)
			continue
		}
		d.Pointer, d.Channels = list[i].pointer, r.channels
		out = append(out, d)
	}
	return out
}

// divergence compares older names with the declarations beside them, which win. A name
// that a declaration is linked to says the same.
func (r *reader) divergence(options []declaration, old []oldID) {
	for i := range old {
		linked := slices.ContainsFunc(options, func(d declaration) bool {
			return slices.ContainsFunc(d.old, func(o oldID) bool { return o.same(&old[i]) })
		})
		if linked {
			continue
		}
		d, code, _ := project(&old[i])
		agrees := code == "" && slices.ContainsFunc(options, func(o declaration) bool {
			_, relation, conflict := intersect(&d, &o)
			return conflict == nil && (relation == sameLimits || relation == productNarrower)
		})
		if !agrees {
			r.say("product.format_divergent", old[i].pointer, "the older format "+strconv.Quote(old[i].id)+
				" is in none of the format_options, which count")
		}
	}
}

// project turns an older name into a declaration. Otherwise it returns the code of the
// problem and its words.
func project(o *oldID) (declaration, string, string) {
	if o.fault != "" {
		return declaration{}, "product.format_unprojected", o.fault
	}
	var kind string
	var params Params
	if strings.TrimSuffix(o.agent, "/") == referenceAgent {
		kind, params = projectFamily(o.id)
	}
	if kind == "" {
		kind, params = projectID(o.id)
	}
	if kind == "" {
		if i := strings.IndexByte(o.id, '_'); i > 0 && slices.Contains([]string{"display", "video", "audio"}, o.id[:i]) {
			return declaration{}, "product.format_ambiguous", "its id tells no more than that it is " + o.id[:i] +
				"; declare it in format_options"
		}
		return declaration{}, "product.format_unprojected", "nothing is known about its id; declare it in format_options"
	}
	d := declaration{Kind: kind, Params: params}
	for _, own := range []struct {
		name string
		v    float64
	}{{"width", o.width}, {"height", o.height}, {"duration_ms_exact", o.duration}} {
		if own.v == 0 {
			continue
		}
		if had := params[own.name]; had != nil && had != own.v {
			return d, "product.format_unprojected", own.name + " is " + textOf(own.v) + ", and the id says " + textOf(had)
		}
		params[own.name] = own.v
	}
	if o.ratio > 0 {
		if had := params["pixel_ratios"]; had != nil && !equal(had, []any{o.ratio}) {
			return d, "product.format_unprojected", "pixel_ratio is " + textOf(o.ratio) + ", and the id says " + textOf(had)
		}
		params["pixel_ratios"] = []any{o.ratio}
	}
	return d, "", ""
}

// Sizes that ids of the table are known with.
var (
	plainSizes = strings.Fields(
		"300x250 728x90 320x50 300x600 970x250 250x250 200x200 300x50 320x480 320x400 320x320 320x250")
	denseSizes = strings.Fields("300x250 728x90 320x50 160x600 336x280 300x600 970x250")
)

// simpleIDs are ids of the table that stand for themselves.
var simpleIDs = map[string]struct {
	kind   string
	params Params
}{
	"display_static":     {"image", Params{}},
	"display_image":      {"image", Params{}},
	"video_30s":          {"video_hosted", Params{"duration_ms_exact": 30000.0}},
	"video_15s":          {"video_hosted", Params{"duration_ms_exact": 15000.0}},
	"video_pre_roll_30s": {"video_hosted", Params{"duration_ms_exact": 30000.0}},
	"video_pre_roll_15s": {"video_hosted", Params{"duration_ms_exact": 15000.0}},
	"video_640x480":      {"video_hosted", Params{"width": 640.0, "height": 480.0}},
	"video_300x250":      {"video_hosted", Params{"width": 300.0, "height": 250.0}},
	"video_16x9_30s":     {"video_hosted", Params{"aspect_ratio": "16:9", "duration_ms_exact": 30000.0}},
	"video_640x360_vast": {"video_vast", Params{"width": 640.0, "height": 360.0}},
	"audio_15s":          {"audio_hosted", Params{"duration_ms_exact": 15000.0}},
}

// projectID looks an id up in the table of well-known ones.
func projectID(id string) (string, Params) {
	if simple, ok := simpleIDs[id]; ok {
		params := Params{}
		for name, v := range simple.params {
			params[name] = v
		}
		return simple.kind, params
	}
	rest, ok := strings.CutPrefix(id, "display_")
	if !ok {
		return "", nil
	}
	text, tail, _ := strings.Cut(rest, "_")
	params := sizeParams(text)
	switch {
	case params == nil:
	case tail == "" && slices.Contains(plainSizes, rest):
		return "image", params
	case tail == "image_2x" && slices.Contains(denseSizes, text):
		params["pixel_ratios"] = []any{2.0}
		return "image", params
	case tail == "image_1x_2x" && slices.Contains(denseSizes, text):
		params["pixel_ratios"], params["required_pixel_ratios"] = []any{1.0, 2.0}, []any{1.0, 2.0}
		return "image", params
	}
	return "", nil
}

// A family is a group of ids of the reference agent: the first group of its pattern is a
// size or a number of seconds.
type family struct {
	id     *regexp.Regexp
	kind   string
	params Params
}

var families = sync.OnceValue(func() []family {
	return []family{
		{regexp.MustCompile(`^display_(\d+x\d+)_image$`), "image", nil},
		{regexp.MustCompile(`^display_(\d+x\d+)_html$`), "html5", nil},
		{regexp.MustCompile(`^display_(\d+x\d+)_generative$`), "image", Params{"asset_source": "agent_synthesized"}},
		{regexp.MustCompile(`^video_(\d+x\d+)$`), "video_hosted", nil},
		{regexp.MustCompile(`^video_standard_(\d+)s$`), "video_hosted", nil},
		{regexp.MustCompile(`^broadcast_spot_(\d+)s$`), "video_hosted", nil},
		{regexp.MustCompile(`^video_vast(?:_(\d+)s)?$`), "video_vast", nil},
		{regexp.MustCompile(`^audio_standard_(\d+)s$`), "audio_hosted", nil},
		{regexp.MustCompile(`^display_js()$`), "display_tag", nil},
	}
})

// projectFamily turns an id of the reference agent into a kind and parameters.
func projectFamily(id string) (string, Params) {
	for _, f := range families() {
		found := f.id.FindStringSubmatch(id)
		if found == nil {
			continue
		}
		params := familyParams(found[1])
		if params == nil {
			return "", nil
		}
		for name, v := range f.params {
			params[name] = v
		}
		return f.kind, params
	}
	return "", nil
}

// familyParams reads the part of an id that says the size or the duration. It returns
// nil when there is such a part and it cannot be read.
func familyParams(text string) Params {
	if text == "" {
		return Params{}
	}
	params := sizeParams(text)
	if params != nil {
		return params
	}
	seconds, err := strconv.ParseUint(text, 10, 20)
	if err != nil || seconds == 0 {
		return nil
	}
	return Params{"duration_ms_exact": float64(seconds) * 1000}
}

// sizeParams reads 300x250, and returns nil for anything else.
func sizeParams(text string) Params {
	left, right, ok := strings.Cut(text, "x")
	w, err1 := strconv.ParseUint(left, 10, 20)
	h, err2 := strconv.ParseUint(right, 10, 20)
	if !ok || err1 != nil || err2 != nil || w == 0 || h == 0 {
		return nil
	}
	return Params{"width": float64(w), "height": float64(h)}
}
