package formats

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/internal/std/jsontree"
)

// parse reads the parameters of a test.
func parse(t testing.TB, src string) Params {
	t.Helper()
	tree, err := jsontree.Parse([]byte(src), jsontree.Options{})
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	return objectOf(tree.Root())
}

// TestIntersectParams has rows for each class: the two sides, and either the relation with
// what is left, or the parameter with both values.
func TestIntersectParams(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, kind, product, catalog, want string }{
		{"nothing stated", "image", `{}`, `{}`, `equal {}`},
		{"a fixed size", "image", `{"width":300,"height":250}`, `{"width":300,"height":250}`, `equal {"width":300,"height":250}`},
		{"other heights", "image", `{"width":300,"height":250}`, `{"width":300,"height":600}`, `height {"height":250,"width":300} {"height":600,"width":300}`},
		{"other widths", "image", `{"width":300,"height":250}`, `{"width":728,"height":250}`, `width {"width":300,"height":250} {"width":728,"height":250}`},
		{"pairs and not widths by heights", "image", `{"sizes":[{"width":300,"height":600},{"width":728,"height":90}]}`, `{"sizes":[{"width":300,"height":90},{"width":728,"height":600}]}`,
			`sizes {"sizes":[{"width":300,"height":600},{"width":728,"height":90}]} {"sizes":[{"width":300,"height":90},{"width":728,"height":600}]}`},
		{"pairs in common", "image", `{"sizes":[{"width":300,"height":250},{"width":728,"height":90}]}`, `{"sizes":[{"width":728,"height":90},{"width":300,"height":50}]}`, `overlap {"width":728,"height":90}`},
		{"one of the pairs", "html5", `{"width":728,"height":90}`, `{"sizes":[{"width":728,"height":90},{"width":300,"height":50}]}`, `product_narrower {"width":728,"height":90}`},
		{"pairs inside a box", "image", `{"sizes":[{"width":300,"height":250},{"width":970,"height":250}]}`, `{"max_width":728}`, `overlap {"width":300,"height":250}`},
		{"outside a box", "image", `{"width":300,"height":250}`, `{"min_height":300}`, `height {"width":300,"height":250} {"min_height":300}`},
		{"boxes", "image", `{"min_width":100,"max_width":400}`, `{"min_width":300,"max_height":90}`, `overlap {"min_width":300,"max_width":400,"max_height":90}`},
		{"boxes apart", "video_hosted", `{"max_width":400}`, `{"min_width":401}`, `width {"max_width":400} {"min_width":401}`},
		{"no size is any", "image", `{}`, `{"width":300,"height":250}`, `catalog_narrower {"width":300,"height":250}`},
		{"a fixed size of a video", "video_vast", `{"width":640,"height":360}`, `{"min_width":640,"aspect_ratio":"16:9"}`, `product_narrower {"width":640,"height":360,"aspect_ratio":"16:9"}`},
		{"a ratio filters sizes", "image", `{"sizes":[{"width":300,"height":250},{"width":1920,"height":1080}]}`, `{"aspect_ratio":"16:9"}`, `overlap {"width":1920,"height":1080,"aspect_ratio":"16:9"}`},
		{"a ratio that no size has", "image", `{"width":300,"height":250}`, `{"aspect_ratio":"16:9"}`, `aspect_ratio {"width":300,"height":250} {"aspect_ratio":"16:9"}`},
		{"a pixel of rounding", "image", `{"width":1366,"height":768}`, `{"aspect_ratio":"16:9"}`, `product_narrower {"width":1366,"height":768,"aspect_ratio":"16:9"}`},
		{"equal ratios", "image", `{"aspect_ratio":"16:9"}`, `{"aspect_ratio":"32:18"}`, `equal {"aspect_ratio":"16:9"}`},
		{"other ratios", "image_carousel", `{"card_aspect_ratio":"1:1"}`, `{"card_aspect_ratio":"4:5"}`, `card_aspect_ratio "1:1" "4:5"`},
		{"a ratio in a box", "image", `{"min_width":1000,"aspect_ratio":"1:1"}`, `{"max_height":100}`, `aspect_ratio {"min_width":1000,"aspect_ratio":"1:1"} {"max_height":100}`},
		{"orientation follows from the ratio", "video_hosted", `{"aspect_ratio":"16:9"}`, `{"orientation":"horizontal"}`, `product_narrower {"aspect_ratio":"16:9","orientation":"horizontal"}`},
		{"orientation against the ratio", "video_hosted", `{"aspect_ratio":"16:9"}`, `{"orientation":"vertical"}`, `orientation {"aspect_ratio":"16:9"} {"orientation":"vertical"}`},
		{"orientation filters sizes", "video_vast", `{"width":640,"height":360}`, `{"orientation":"vertical"}`, `aspect_ratio {"width":640,"height":360} {"orientation":"vertical"}`},
		{"density is one by default", "image", `{}`, `{"pixel_ratios":[2]}`, `pixel_ratios [1] [2]`},
		{"density in common", "image", `{"pixel_ratios":[1,2]}`, `{"pixel_ratios":[2,3]}`, `overlap {"pixel_ratios":[2]}`},
		{"density that is required", "image", `{"pixel_ratios":[1,2],"required_pixel_ratios":[1,2]}`, `{"pixel_ratios":[2]}`, `required_pixel_ratios {"pixel_ratios":[1,2],"required_pixel_ratios":[1,2]} {"pixel_ratios":[2]}`},
		{"density of a slot", "image", `{"slots":[{"asset_group_id":"i","asset_type":"image","pixel_ratios":[2],"required_pixel_ratios":[2]}]}`, `{"pixel_ratios":[1]}`,
			`pixel_ratios {"slots":[{"asset_group_id":"i","asset_type":"image","pixel_ratios":[2],"required_pixel_ratios":[2]}]} {"pixel_ratios":[1]}`},
		{"exact durations", "audio_hosted", `{"duration_ms_exact":15000}`, `{"duration_ms_exact":15000}`, `equal {"duration_ms_exact":15000}`},
		{"other durations", "audio_hosted", `{"duration_ms_exact":15000}`, `{"duration_ms_exact":30000}`, `duration_ms_exact {"duration_ms_exact":15000} {"duration_ms_exact":30000}`},
		{"exact beats the range", "video_hosted", `{"duration_ms_exact":15000,"duration_ms_range":[1,2]}`, `{"duration_ms_range":[6000,30000]}`, `product_narrower {"duration_ms_exact":15000}`},
		{"ranges", "video_hosted", `{"duration_ms_range":[null,20000]}`, `{"duration_ms_range":[6000,null]}`, `overlap {"duration_ms_range":[6000,20000]}`},
		{"an open end", "video_hosted", `{"duration_ms_range":[6000,null]}`, `{"duration_ms_range":[9000,null]}`, `catalog_narrower {"duration_ms_range":[9000,null]}`},
		{"ranges apart", "video_hosted", `{"duration_ms_range":[0,6000]}`, `{"duration_ms_range":[6001,9000]}`, `duration_ms_range {"duration_ms_range":[0,6000]} {"duration_ms_range":[6001,9000]}`},
		{"a range of nothing", "video_hosted", `{"duration_ms_range":[null,null]}`, `{}`, `duration_ms_range [null,null] null`},
		{"lists", "video_hosted", `{"video_codecs":["h264","vp9"]}`, `{"video_codecs":["vp9","av1"]}`, `overlap {"video_codecs":["vp9"]}`},
		{"a list of one side", "audio_hosted", `{}`, `{"audio_codecs":["mp3"]}`, `catalog_narrower {"audio_codecs":["mp3"]}`},
		{"lists apart", "video_hosted", `{"containers":["mp4"]}`, `{"containers":["webm"]}`, `containers ["mp4"] ["webm"]`},
		{"an empty list accepts nothing", "image", `{"image_formats":[]}`, `{}`, `image_formats [] null`},
		{"jpg is jpeg", "image", `{"image_formats":["jpeg","png"]}`, `{"image_formats":["png","jpg"]}`, `equal {"image_formats":["jpeg","png"]}`},
		{"sizes of a picture", "native_in_feed", `{"main_image_sizes":[{"width":1200,"height":627}]}`, `{"main_image_sizes":[{"height":627,"width":1200},{"width":600,"height":600}]}`, `product_narrower {"main_image_sizes":[{"height":627,"width":1200}]}`},
		{"an older name", "image_carousel", `{"allowed_card_asset_types":["image"]}`, `{"allowed_card_media_asset_types":["video"]}`, `allowed_card_media_asset_types ["image"] ["video"]`},
		{"logo ratios", "responsive_creative", `{"logo_aspect_ratios":["1:1","4:1"]}`, `{"logo_aspect_ratios":["2:2"]}`, `catalog_narrower {"logo_aspect_ratios":["1:1"]}`},
		{"required fields add up", "sponsored_placement", `{"required_catalog_fields":["price"]}`, `{"required_catalog_fields":["title"]}`, `overlap {"required_catalog_fields":["price","title"]}`},
		{"upper limits", "image", `{"max_file_size_kb":200}`, `{"max_file_size_kb":150}`, `catalog_narrower {"max_file_size_kb":150}`},
		{"lower limits", "video_hosted", `{"min_bitrate_kbps":2000}`, `{"min_bitrate_kbps":1000}`, `product_narrower {"min_bitrate_kbps":2000}`},
		{"limits apart", "video_hosted", `{"min_bitrate_kbps":2000}`, `{"max_bitrate_kbps":1000}`, `min_bitrate_kbps {"min_bitrate_kbps":2000} {"max_bitrate_kbps":1000}`},
		{"counts apart", "responsive_creative", `{"headlines_min":5}`, `{"headlines_max":3}`, `headlines_min {"headlines_min":5} {"headlines_max":3}`},
		{"an unknown limit", "image", `{"max_glow":5}`, `{"max_glow":3}`, `catalog_narrower {"max_glow":3}`},
		{"demands", "html5", `{"ssl_required":true}`, `{"ssl_required":false,"om_sdk_required":true}`, `overlap {"om_sdk_required":true,"ssl_required":true}`},
		{"a demand not made", "html5", `{"ssl_required":false}`, `{}`, `equal {"ssl_required":false}`},
		{"captions", "video_hosted", `{"captions":"recommended"}`, `{"captions":"required"}`, `catalog_narrower {"captions":"required"}`},
		{"permissions", "video_vast", `{"vpaid_enabled":true,"simid_supported":true}`, `{"vpaid_enabled":false,"simid_supported":true}`, `catalog_narrower {"vpaid_enabled":false,"simid_supported":true}`},
		{"a permission of one side", "video_vast", `{"vpaid_enabled":true}`, `{}`, `equal {}`},
		{"either", "video_vast", `{"creative_type":"linear"}`, `{"creative_type":"either"}`, `product_narrower {"creative_type":"linear"}`},
		{"linear against nonlinear", "video_vast", `{"linear_required":true}`, `{"creative_type":"nonlinear"}`, `linear_required {"linear_required":true} {"creative_type":"nonlinear"}`},
		{"a source by default", "image", `{"asset_source":"buyer_uploaded"}`, `{}`, `equal {"asset_source":"buyer_uploaded"}`},
		{"absence is a source", "image", `{}`, `{"asset_source":"seller_human_designed"}`, `asset_source "buyer_uploaded" "seller_human_designed"`},
		{"another source", "audio_hosted", `{"asset_source":"agent_synthesized"}`, `{"asset_source":"publisher_host_recorded"}`, `asset_source "agent_synthesized" "publisher_host_recorded"`},
		{"rejected wins", "audio_hosted", `{"buyer_asset_acceptance":"rejected"}`, `{}`, `product_narrower {"buyer_asset_acceptance":"rejected"}`},
		{"a default of the kind", "seller_rendered_stateful_display", `{"clickthrough":"none"}`, `{}`, `clickthrough "none" "required"`},
		{"single values", "video_vast", `{"vast_version":"4.2"}`, `{"vast_version":"3.0"}`, `vast_version "4.2" "3.0"`},
		{"a single value of one side", "video_vast", `{"vast_version":"4.2"}`, `{}`, `product_narrower {"vast_version":"4.2"}`},
		{"unknown single values", "image", `{"sparkle":"much"}`, `{"sparkle":"little"}`, `sparkle "much" "little"`},
		{"unknown lists", "image", `{"glows":["a"]}`, `{"glows":["a","b"]}`, `glows ["a"] ["a","b"]`},
		{"another shape", "image", `{"max_glow":"5"}`, `{"max_glow":3}`, `max_glow "5" 3`},
		{"equal composites", "image", `{"slots":[{"asset_group_id":"a","asset_type":"text","description":"x"},{"asset_group_id":"b","asset_type":"url"}]}`, `{"slots":[{"asset_type":"url","asset_group_id":"b"},{"asset_group_id":"a","asset_type":"text"}]}`,
			`equal {"slots":[{"asset_group_id":"a","asset_type":"text","description":"x"},{"asset_group_id":"b","asset_type":"url"}]}`},
		{"composites of one side", "image", `{}`, `{"slots":[{"asset_group_id":"a","asset_type":"text"}]}`, `catalog_narrower {"slots":[{"asset_group_id":"a","asset_type":"text"}]}`},
		{"other composites", "image", `{"slots":[{"asset_group_id":"a","asset_type":"text"}]}`, `{"slots":[{"asset_group_id":"a","asset_type":"text","max_chars":5}]}`,
			`undecided slots [{"asset_group_id":"a","asset_type":"text"}] [{"asset_group_id":"a","asset_type":"text","max_chars":5}]`},
		{"the order of extensions counts", "image", `{"platform_extensions":[{"uri":"https://a.example"},{"uri":"https://b.example"}]}`, `{"platform_extensions":[{"uri":"https://b.example"},{"uri":"https://a.example"}]}`,
			`undecided platform_extensions [{"uri":"https://a.example"},{"uri":"https://b.example"}] [{"uri":"https://b.example"},{"uri":"https://a.example"}]`},
		{"what is no constraint", "image", `{"experimental":true,"since_version":"3.1"}`, `{"since_version":"3.2"}`, `equal {}`},
		{"a null says nothing", "image", `{"max_file_size_kb":null}`, `{"max_file_size_kb":150}`, `catalog_narrower {"max_file_size_kb":150}`},
		{"large numbers are kept apart", "image", `{"serial":9007199254740993}`, `{"serial":9007199254740992}`, `serial 9007199254740993 9007199254740992`},
		{"an inverted range is empty", "image", `{"min_width":2,"max_width":1}`, `{}`, `width {"min_width":2,"max_width":1} null`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			out, relation, conflict := meet(c.kind, parse(t, c.product), parse(t, c.catalog))
			got := relation.String() + " " + out.String()
			if conflict != nil {
				got = conflict.Parameter + " " + textOf(conflict.Product) + " " + textOf(conflict.Catalog)
				if conflict.Undecided {
					got = "undecided " + got
				}
			}
			if normal(t, got) != normal(t, c.want) {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// normal returns an expectation, words and then JSON values, with the values in one form.
func normal(t *testing.T, s string) string {
	t.Helper()
	i := strings.IndexAny(s, `{["0123456789`)
	out := s[:i]
	dec := jsontext.NewDecoder(strings.NewReader(s[i:]))
	for {
		v, err := dec.ReadValue()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatalf("%s: %v", s, err)
		}
		v = v.Clone()
		err = v.Format(jsontext.ReorderRawObjects(true), jsontext.CanonicalizeRawInts(false))
		if err != nil {
			t.Fatalf("%s: %v", s, err)
		}
		out += v.String() + " "
	}
}

func TestIntersectDeclarations(t *testing.T) {
	t.Parallel()
	custom := declaration{Kind: "custom", Shape: "roadblock", SchemaURI: "https://s.example", SchemaDigest: "sha256:1", Params: Params{"a": 1.0}}
	with := func(change func(*declaration)) *declaration {
		d := custom
		change(&d)
		return &d
	}
	for _, c := range []struct {
		name             string
		product, catalog *declaration
		want             string
	}{
		{"equal custom", &custom, &custom, "equal"},
		{"another shape", &custom, with(func(d *declaration) { d.Shape = "playable" }), "format_shape"},
		{"another schema", &custom, with(func(d *declaration) { d.SchemaDigest = "sha256:2" }), "format_schema"},
		{"other parameters", &custom, with(func(d *declaration) { d.Params = Params{"a": 2.0} }), "params"},
		{"another kind", &declaration{Kind: "image"}, &declaration{Kind: "html5"}, "format_kind"},
		{"channels", &declaration{Kind: "image", Channels: []string{"display", "olv"}}, &declaration{Kind: "image", Channels: []string{"display"}}, "catalog_narrower display"},
		{"channels apart", &declaration{Kind: "image", Channels: []string{"olv"}}, &declaration{Kind: "image", Channels: []string{"display"}}, "applies_to_channels"},
		{"no channel", &declaration{Kind: "image", Channels: []string{}}, &declaration{Kind: "image"}, "applies_to_channels"},
		{"languages", &declaration{Kind: "image", Locales: []string{"en-GB", "fr"}}, &declaration{Kind: "image", Locales: []string{"en"}}, "overlap en-GB"},
		{"languages apart", &declaration{Kind: "image", Locales: []string{"fr"}}, &declaration{Kind: "image", Locales: []string{"en"}}, "locale_policy"},
		{"any language", &declaration{Kind: "image"}, &declaration{Kind: "image", Locales: []string{"en"}}, "catalog_narrower en"},
		{"a reference", &declaration{reference: true, Channels: []string{"olv"}}, &declaration{Kind: "image", Channels: []string{"olv", "ctv"}}, "product_narrower olv"},
	} {
		out, relation, conflict := intersect(c.product, c.catalog)
		got := strings.TrimSpace(relation.String() + " " + strings.Join(append(out.Channels, out.Locales...), ","))
		if conflict != nil {
			got = conflict.Parameter
		}
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}
