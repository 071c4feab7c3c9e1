package formats

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A creative is a finished ad, as far as the parameters of the oracle look at it.
type creative struct {
	w, h, duration, size, bitrate, cards float64
	density                              float64
	format, codec, source, version       string
	ssl, captions, vpaid, linear, ready  bool
	fields                               []string
}

// satisfies is a second reading of what parameters mean, for one creative at a time. It
// shares nothing with the code that puts them together.
func satisfies(kind string, p Params, c *creative) bool {
	return fitsSize(p, c) && fitsDuration(p, c) && fitsDensity(kind, p, c) && fitsWords(p, c) && fitsLimits(p, c) && fitsDemands(p, c)
}

func num(p Params, name string, or float64) float64 {
	f, ok := p[name].(float64)
	if !ok {
		return or
	}
	return f
}

func fitsSize(p Params, c *creative) bool {
	if c.w < num(p, "min_width", 0) || c.w > num(p, "max_width", 1e9) || c.h < num(p, "min_height", 0) || c.h > num(p, "max_height", 1e9) {
		return false
	}
	if c.w != num(p, "width", c.w) || c.h != num(p, "height", c.h) {
		return false
	}
	if list, ok := p["sizes"].([]any); ok && !slices.ContainsFunc(list, func(e any) bool {
		m := e.(map[string]any)
		return m["width"] == c.w && m["height"] == c.h
	}) {
		return false
	}
	switch p["orientation"] {
	case "vertical":
		if c.w >= c.h {
			return false
		}
	case "horizontal":
		if c.w <= c.h {
			return false
		}
	case "square":
		if c.w != c.h {
			return false
		}
	}
	switch p["aspect_ratio"] {
	case "1:1", "2:2":
		return abs(c.w-c.h) <= 1
	case "6:5":
		return abs(c.w-c.h*6/5) <= 1 || abs(c.h-c.w*5/6) <= 1
	}
	return true
}

func fitsDuration(p Params, c *creative) bool {
	if exact, ok := p["duration_ms_exact"].(float64); ok {
		return c.duration == exact
	}
	ends, ok := p["duration_ms_range"].([]any)
	if !ok {
		return true
	}
	low, bounded := ends[0].(float64)
	if bounded && c.duration < low {
		return false
	}
	high, bounded := ends[1].(float64)
	return !bounded || c.duration <= high
}

func fitsDensity(kind string, p Params, c *creative) bool {
	list, ok := p["pixel_ratios"].([]any)
	if !ok {
		return kind != "image" || c.density == 1
	}
	return slices.Contains(list, any(c.density))
}

func fitsWords(p Params, c *creative) bool {
	if list, ok := p["image_formats"].([]any); ok {
		jpeg := c.format == "jpg" && slices.Contains(list, any("jpeg"))
		if !jpeg && !slices.Contains(list, any(c.format)) {
			return false
		}
	}
	if list, ok := p["video_codecs"].([]any); ok && !slices.Contains(list, any(c.codec)) {
		return false
	}
	source, ok := p["asset_source"].(string)
	if !ok {
		source = "buyer_uploaded"
	}
	if c.source != source || p["buyer_asset_acceptance"] == "rejected" && c.ready {
		return false
	}
	version, ok := p["vast_version"].(string)
	return !ok || c.version == version
}

func fitsLimits(p Params, c *creative) bool {
	return c.size <= num(p, "max_file_size_kb", 1e9) && c.bitrate >= num(p, "min_bitrate_kbps", 0) && c.bitrate <= num(p, "max_bitrate_kbps", 1e9) &&
		c.cards >= num(p, "min_cards", 0) && c.cards <= num(p, "max_cards", 1e9)
}

func fitsDemands(p Params, c *creative) bool {
	fields, _ := p["required_catalog_fields"].([]any)
	for _, f := range fields {
		if !slices.Contains(c.fields, f.(string)) {
			return false
		}
	}
	switch {
	case p["ssl_required"] == true && !c.ssl, p["captions"] == "required" && !c.captions, p["vpaid_enabled"] == false && c.vpaid:
		return false
	case p["linear_required"] == true && !c.linear, p["creative_type"] == "linear" && !c.linear, p["creative_type"] == "nonlinear" && c.linear:
		return false
	}
	return true
}

// The values that declarations and creatives are made of are few, so that they meet.
var (
	lengths  = []float64{50, 250, 300, 301}
	spans    = []float64{1, 2, 3, 4}
	formats3 = []string{"jpg", "png", "gif"}
	codecs   = []string{"h264", "vp9", "av1"}
	sources  = []string{"buyer_uploaded", "seller_human_designed"}
	versions = []string{"3.0", "4.2"}
)

func drawCreative(t *rapid.T) *creative {
	pick := func(list []float64, label string) float64 { return rapid.SampledFrom(list).Draw(t, label) }
	yes := func(label string) bool { return rapid.Bool().Draw(t, label) }
	c := &creative{
		w: pick(lengths, "w"), h: pick(lengths, "h"), duration: pick(spans, "duration"), size: pick(spans, "size"), bitrate: pick(spans, "bitrate"),
		cards: pick(spans, "cards"), density: pick([]float64{1, 2}, "density"),
		format: rapid.SampledFrom(formats3).Draw(t, "format"), codec: rapid.SampledFrom(codecs).Draw(t, "codec"),
		source: rapid.SampledFrom(sources).Draw(t, "source"), version: rapid.SampledFrom(versions).Draw(t, "version"),
		ssl: yes("ssl"), captions: yes("captions"), vpaid: yes("vpaid"), linear: yes("linear"), ready: yes("ready"),
		fields: rapid.SampledFrom([][]string{nil, {"price"}, {"price", "title"}}).Draw(t, "fields"),
	}
	if abs(c.w-c.h) == 1 {
		c.h = c.w // a square that is a pixel short is neither upright nor square
	}
	return c
}

// drawParams draws parameters of all sorts. They do not keep to a kind: what a kind
// allows is for the rules to say.
func drawParams(t *rapid.T, label string) Params {
	p := Params{}
	maybe := func(name string, draw func() any) {
		if rapid.IntRange(0, 4).Draw(t, label+name+"?") == 0 {
			p[name] = draw()
		}
	}
	number := func(list []float64) func() any {
		return func() any { return rapid.SampledFrom(list).Draw(t, label) }
	}
	one := func(words ...any) func() any { return func() any { return rapid.SampledFrom(words).Draw(t, label) } }
	many := func(words []string) func() any {
		return func() any {
			var out []any
			for _, w := range rapid.SliceOfNDistinct(rapid.SampledFrom(words), 1, 3, rapid.ID[string]).Draw(t, label) {
				out = append(out, w)
			}
			return out
		}
	}
	drawSize(t, label, p)
	maybe("aspect_ratio", one("1:1", "2:2", "6:5"))
	maybe("orientation", one("vertical", "horizontal", "square"))
	maybe("duration_ms_exact", number(spans))
	maybe("duration_ms_range", one([]any{nil, 3.0}, []any{2.0, nil}, []any{1.0, 2.0}, []any{2.0, 3.0}, []any{4.0, 4.0}))
	maybe("pixel_ratios", one([]any{1.0}, []any{2.0}, []any{1.0, 2.0}))
	maybe("image_formats", many([]string{"jpg", "jpeg", "png", "gif"}))
	maybe("video_codecs", many(codecs))
	maybe("asset_source", one("buyer_uploaded", "seller_human_designed"))
	maybe("buyer_asset_acceptance", one("accepted", "rejected"))
	for _, name := range []string{"max_file_size_kb", "min_bitrate_kbps", "max_bitrate_kbps", "min_cards", "max_cards"} {
		maybe(name, number(spans))
	}
	maybe("required_catalog_fields", one([]any{"price"}, []any{"title"}, []any{"title", "price"}))
	maybe("ssl_required", one(true, false))
	maybe("captions", one("required", "recommended", "not_required"))
	maybe("vpaid_enabled", one(true, false))
	maybe("linear_required", one(true, false))
	maybe("creative_type", one("linear", "nonlinear", "either"))
	maybe("vast_version", one("3.0", "4.2"))
	return p
}

// drawSize draws one of the ways to state a size.
func drawSize(t *rapid.T, label string, p Params) {
	length := rapid.SampledFrom(lengths)
	switch rapid.IntRange(0, 3).Draw(t, label+"mode") {
	case 1:
		p["width"], p["height"] = length.Draw(t, label+"w"), length.Draw(t, label+"h")
	case 2:
		var list []any
		for range rapid.IntRange(1, 4).Draw(t, label+"n") {
			list = append(list, pair{length.Draw(t, label+"w"), length.Draw(t, label+"h")}.value())
		}
		p["sizes"] = list
	case 3:
		for _, name := range []string{"min_width", "max_width", "min_height", "max_height"} {
			if rapid.Bool().Draw(t, label+name) {
				p[name] = length.Draw(t, label+name)
			}
		}
	}
}

// TestIntersectionAgainstCreatives: a creative satisfies the intersection exactly when it
// satisfies both sides, the relation says how the sides lie to each other, and the order of
// the sides does not matter.
func TestIntersectionAgainstCreatives(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom([]string{"image", "video_hosted", "video_vast", "image_carousel"}).Draw(t, "kind")
		a, b := drawParams(t, "a"), drawParams(t, "b")
		both, relation, conflict := meet(kind, a, b)
		swapped, mirrored, conflict2 := meet(kind, b, a)
		if (conflict == nil) != (conflict2 == nil) {
			t.Fatalf("%s and %s: %v one way, %v the other", a, b, conflict, conflict2)
		}
		for range 20 {
			c := drawCreative(t)
			x, y := satisfies(kind, a, c), satisfies(kind, b, c)
			if conflict != nil {
				if x && y {
					t.Fatalf("%s and %s: %+v satisfies both, and there is a conflict: %s", a, b, c, conflict)
				}
				continue
			}
			if satisfies(kind, both, c) != (x && y) || satisfies(kind, swapped, c) != (x && y) {
				t.Fatalf("%s (%t) and %s (%t) come to %s: %+v", a, x, b, y, both, c)
			}
			if x && !y && (relation == sameLimits || relation == productNarrower) || y && !x && (relation == sameLimits || relation == catalogNarrower) {
				t.Fatalf("%s (%t) and %s (%t) are %s: %+v", a, x, b, y, relation, c)
			}
		}
		if conflict == nil && mirrored != mirror(relation) {
			t.Fatalf("%s and %s are %s, and the other way round %s", a, b, relation, mirrored)
		}
	})
}

func mirror(r comparison) comparison {
	switch r {
	case productNarrower:
		return catalogNarrower
	case catalogNarrower:
		return productNarrower
	}
	return r
}

// TestIntersectionLaws: a format meets itself as itself, and what two formats have in
// common lies within each of them.
func TestIntersectionLaws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom([]string{"image", "video_hosted", "video_vast"}).Draw(t, "kind")
		a, b := drawParams(t, "a"), drawParams(t, "b")
		self, relation, conflict := meet(kind, a, a)
		if conflict == nil && relation != sameLimits {
			t.Fatalf("%s is %s to itself: %s", a, relation, self)
		}
		both, _, conflict := meet(kind, a, b)
		if conflict != nil {
			return
		}
		for _, side := range []Params{a, b} {
			again, relation, conflict := meet(kind, both, side)
			if conflict != nil || relation != sameLimits && relation != productNarrower || !equal(map[string]any(again), map[string]any(both)) {
				t.Fatalf("%s of %s and %s is %s to %s: %s %v", both, a, b, relation, side, again, conflict)
			}
		}
	})
}
