package adagents

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/internal/format/formatkind"
)

// formatFindings checks a file with the given formats and returns one line
// for each finding: severity, code and pointer below /formats.
func formatFindings(opt Options, formats string) []string {
	var lines []string
	for _, f := range Check(Example(InFormat, formats), opt).Findings {
		lines = append(lines, fmt.Sprintf("%s %s %s", f.Severity, f.Code, strings.TrimPrefix(f.Pointer, "/formats")))
	}
	return lines
}

// declaration writes a format of a kind with its params.
func declaration(kind, params string) string {
	return fmt.Sprintf(`{"format_option_id": "f", "format_kind": %q, "params": %s}`, kind, params)
}

const testDigest = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

// TestFormatParamsValid shows every kind with most of what it may say.
func TestFormatParamsValid(t *testing.T) {
	t.Parallel()
	for kind, params := range map[string]string{
		"image": `{"sizes":[{"width":300,"height":250},{"width":600,"height":500}],"aspect_ratio":"6:5","pixel_ratios":[1,2],"max_file_size_kb":150,
			"image_formats":["jpg","svg"],"ssl_required":true,"cta_values":["BUY"],"asset_source":"agent_synthesized","ctv_ad_experience":"pause",
			"motion_level":"static","activation_methods":["qr_code"],"since_version":"3.1","production_window_business_days":0,
			"platform_extensions":[{"uri":"https://example.com/e.json","digest":"` + testDigest + `"}],
			"required_connections":[{"connection_type":"advertiser_account","status":"missing","provider":"example"},{"connection_type":"post_authorization","status":"connected"}],
			"slots":[{"asset_group_id":"logo","asset_type":"image","required":true,"min":1,"max":1,"logo_slots":["favicon"],"pixel_ratios":[1,2],"required_pixel_ratios":[2],"max_size_kb":9},
			{"asset_group_id":"headline","asset_type":"text","max_chars":30}]}`,
		"html5":          `{"min_width":100,"max_width":100,"min_height":50,"max_cpu_load_percent":100,"mraid_version":"3.0","clicktag_macro":"clickTAG","max_animation_duration_ms":0}`,
		"display_tag":    `{"width":1,"height":1,"supported_tag_types":["1x1_redirect"],"max_redirect_depth":0}`,
		"image_carousel": `{"card_aspect_ratio":"1.91:1","min_cards":2,"max_cards":2,"allowed_card_media_asset_types":["image","video"]}`,
		"video_hosted":   `{"orientation":"vertical","aspect_ratio":"9:16","duration_ms_range":[null,30000],"max_file_size_mb":5,"frame_rates":[23.976,25],"captions":"required","companion_banner_widths":[300]}`,
		"video_vast":     `{"vast_version":"4.3","duration_ms_range":[3000,9000],"creative_type":"nonlinear","ctv_ad_experience":"in_scene","vpaid_enabled":false,"simid_supported":false,"skippable_after_ms":0}`,
		"audio_hosted":   `{"duration_ms_exact":30000,"audio_codecs":["mp3"],"asset_source":"publisher_host_recorded","buyer_asset_acceptance":"rejected","max_file_size_mb":0.5,"loudness_lufs":-16}`,
		"audio_daast":    `{"daast_version":"1.1","duration_ms_range":[0,0],"linear_required":true}`,
		"sponsored_placement": `{"supported_catalog_types":["product"],"min_items":1,"max_items":1,"supported_id_types":["sku"],"fanout_mode":"per_item",
			"item_production_model":"buyer_uploaded","ctv_ad_experience":"menu"}`,
		"native_in_feed":      `{"ctv_ad_experience":"menu","menu_placement":"tile","focus_behavior":"none","main_image_sizes":[{"width":1200,"height":627}],"icon_size":{"width":80,"height":80},"asset_source":"publisher_owned_reference"}`,
		"responsive_creative": `{"headlines_min":3,"headlines_max":15,"logo_min":0,"logo_max":0,"video_min_duration_ms":1000,"video_max_duration_ms":1000,"logo_aspect_ratios":["1:1"]}`,
		"agent_placement":     `{"output_modality":"card","max_mention_length_chars":200,"tone_constraints":["plain"]}`,
		formatkind.Stateful: `{"initial_state_id":"a","user_controls":{"dismissible":false,"user_collapsible":true},"supply_mode":"components","reveal":"clip_window",
			"states":[{"state_id":"a","anchoring":"inline","close_affordance":false,"slot_bindings":["logo"],"breakpoints":[{"breakpoint_id":"d","width_range":[300,970],"height":250,"canvas_aspect_ratio":"4:1"}]},
			{"state_id":"b","anchoring":"fullscreen_overlay","close_affordance":true,"motion":"animated","max_animation_s":5,"breakpoints":[{"breakpoint_id":"d","width_mode":"full_bleed","viewport_height_percent":80}]}],
			"transitions":[{"transition_id":"t1","from_state_id":"a","to_state_id":"b","trigger":"scroll_threshold","input":"scroll","scroll_reference":"document_progress","scroll_threshold_percent":50,"transition_mode":"instant"},
			{"transition_id":"t2","from_state_id":"a","to_state_id":"b","trigger":"scroll_threshold","direction":"up","input":"scroll","scroll_reference":"document_progress","scroll_threshold_percent":50,"transition_mode":"instant"},
			{"transition_id":"t3","from_state_id":"b","to_state_id":"a","trigger":"media_event","media_event":"video_complete","transition_mode":"animated"},
			{"transition_id":"t4","from_state_id":"b","to_state_id":"a","trigger":"in_view_timer","delay_ms":1000,"transition_mode":"animated"}],
			"canvas_constraints":[{"constraint":"reserved_region","region":{"x":0,"y":0,"width":5000,"height":10},"state_id":"a","breakpoint_id":"d"}]}`,
		formatkind.Coordinated: `{"components":[
			{"component_id":"top","placement_ref":{"placement_id":"p"},"required":true,"sequence":1,"format_option_ref":{"scope":"publisher","publisher_domain":"example.org","format_option_id":"x"}},
			{"component_id":"side","placement_ref":{"placement_id":"p","publisher_domain":"example.org"},"required":false,"sequence":1,"format_option_ref":{"scope":"product","format_option_id":"x"}},
			{"component_id":"last","placement_ref":{"placement_id":"q"},"required":false,"format_kind":"html5","params":{"width":300,"height":250}}],
			"shared_slots":[{"asset_group_id":"logo","asset_type":"image","min":0,"max":1,"consumed_by":["last"]}]}`,
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			if got := formatFindings(Options{Profile: Strict}, declaration(kind, params)); len(got) != 0 {
				t.Errorf("findings:\n%s", strings.Join(got, "\n"))
			}
		})
	}
}

// TestFormatParams walks along the limits of the tables.
func TestFormatParams(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		kind, params string
		want         []string
	}{
		{"image", `{"width": "300", "height": 250}`, []string{"error format.param_type /0/params/width"}},
		{"image", `{"width": null, "height": 250}`, []string{"error format.param_type /0/params/width"}},
		{"image", `{"width": 300.5, "height": 250}`, []string{"error format.param_type /0/params/width"}},
		{"image", `{"width": 3e2, "height": 250.0}`, nil},
		{"image", `{"width": 1e400, "height": 250}`, []string{"error format.param_type /0/params/width"}},
		{"image", `{"slots": {}}`, []string{"error format.param_type /0/params/slots"}},
		{"image", `{"slots": ["logo"]}`, []string{"error format.slot_invalid /0/params/slots/0"}},
		{"image", `{"sizes": []}`, []string{"error format.param_range /0/params/sizes"}},
		{"image", `{"sizes": [{"width": 1}]}`, []string{"error format.param_range /0/params/sizes/0/height"}},
		{"image", `{"sizes": [{"width": 1, "height": 1, "depth": 1}]}`, []string{"error format.param_range /0/params/sizes/0/depth"}},
		{"image", `{"pixel_ratios": [2, 2.0]}`, []string{"error format.param_range /0/params/pixel_ratios/1"}},
		{"image", `{"aspect_ratio": "16/9", "width": 1, "height": 1}`, []string{"error format.param_range /0/params/aspect_ratio"}},
		{"image", `{"since_version": "3"}`, []string{"error format.param_range /0/params/since_version"}},
		{"image", `{"motion_level": "full_motion"}`, []string{"error format.param_enum /0/params/motion_level"}},
		{"image", `{"ctv_ad_experience": "hologram"}`, []string{"error format.param_enum /0/params/ctv_ad_experience"}},
		{"image", `{"ctv_ad_experience": 5}`, []string{"error format.param_type /0/params/ctv_ad_experience"}},
		{"image", `{"platform_extensions": [{"uri": "http://example.com/"}]}`, []string{
			"error format.param_range /0/params/platform_extensions/0/digest",
			"error format.param_range /0/params/platform_extensions/0/uri",
		}},
		{"image", `{"required_connections": [{"connection_type": "advertiser_account", "status": "expired"}]}`, []string{
			"error format.param_range /0/params/required_connections/0/provider",
		}},
		{"html5", `{"max_cpu_load_percent": 101}`, []string{"error format.param_range /0/params/max_cpu_load_percent"}},
		{"html5", `{"max_file_size_kb": 200}`, []string{"info format.param_unknown /0/params/max_file_size_kb"}},
		{"html5", `{"ctv_ad_experience": "menu", "x_own": 1}`, []string{
			"info format.param_unknown /0/params/ctv_ad_experience",
			"info format.param_unknown /0/params/x_own",
		}},
		{"image", `{"MaxFileSizeKb": 1, "formats_image": []}`, []string{
			"warning format.param_unknown /0/params/MaxFileSizeKb",
			"warning format.param_unknown /0/params/formats_image",
		}},
		{"image_carousel", `{"min_cards": 1}`, []string{"error format.param_range /0/params/min_cards"}},
		{"video_hosted", `{"duration_ms_range": [null, null]}`, []string{"error format.param_range /0/params/duration_ms_range"}},
		{"video_hosted", `{"duration_ms_range": [1]}`, []string{"error format.param_range /0/params/duration_ms_range"}},
		{"video_vast", `{"duration_ms_range": [null, 5]}`, []string{"error format.param_type /0/params/duration_ms_range/0"}},
		{"audio_hosted", `{"max_file_size_mb": 0}`, []string{"error format.param_range /0/params/max_file_size_mb"}},
		{"custom_made", `{"width": "x"}`, []string{"warning format.kind_unknown /0/format_kind"}},
	} {
		checkFormatLines(t, Options{}, declaration(tt.kind, tt.params), tt.want)
	}
}

// checkFormatLines compares findings without regard to order.
func checkFormatLines(t *testing.T, opt Options, formats string, want []string) {
	t.Helper()
	got := formatFindings(opt, formats)
	slices.Sort(got)
	want = slices.Sorted(slices.Values(want))
	if diff := cmp.Diff(want, got); diff != "" && len(want)+len(got) > 0 {
		t.Errorf("%s: (-want +got)\n%s", formats, diff)
	}
}

// TestFormatSizes covers the rules about sizes, ranges and durations.
func TestFormatSizes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		kind, params string
		want         []string
	}{
		{"html5", `{"width": 300}`, []string{"error format.size_mode_conflict /0/params/height"}},
		{"html5", `{"height": 300}`, []string{"error format.size_mode_conflict /0/params/width"}},
		{"html5", `{"width": 300, "min_width": 1}`, []string{"error format.size_mode_conflict /0/params"}},
		{"html5", `{"sizes": [{"width": 1, "height": 1}], "max_height": 1}`, []string{"error format.size_mode_conflict /0/params"}},
		{"video_hosted", `{"min_width": 2, "max_width": 1}`, []string{"error format.range_inverted /0/params/max_width"}},
		{"video_hosted", `{"min_bitrate_kbps": 2, "max_bitrate_kbps": 1}`, []string{"error format.range_inverted /0/params/max_bitrate_kbps"}},
		{"video_hosted", `{"duration_ms_range": [2, 1]}`, []string{"error format.range_inverted /0/params/duration_ms_range"}},
		{"video_hosted", `{"duration_ms_range": [2, null]}`, nil},
		{"image_carousel", `{"min_cards": 5, "max_cards": 4}`, []string{"error format.range_inverted /0/params/max_cards"}},
		{"sponsored_placement", `{"min_items": 5, "max_items": 4}`, []string{"error format.range_inverted /0/params/max_items"}},
		{"responsive_creative", `{"logo_min": 5, "logo_max": 4, "video_min_duration_ms": 2, "video_max_duration_ms": 1}`, []string{
			"error format.range_inverted /0/params/logo_max",
			"error format.range_inverted /0/params/video_max_duration_ms",
		}},
		{"image", `{"width": 1366, "height": 768, "aspect_ratio": "16:9"}`, nil},
		{"image", `{"width": 1369, "height": 768, "aspect_ratio": "16:9"}`, []string{"warning format.aspect_mismatch /0/params/aspect_ratio"}},
		{"image", `{"sizes": [{"width": 16, "height": 9}, {"width": 9, "height": 16}], "aspect_ratio": "16:9"}`, []string{"warning format.aspect_mismatch /0/params/aspect_ratio"}},
		{"image", `{"width": 16, "height": 9, "aspect_ratio": "16:0"}`, []string{"warning format.aspect_mismatch /0/params/aspect_ratio"}},
		{"video_vast", `{"creative_type": "nonlinear", "ctv_ad_experience": "in_scene", "duration_ms_range": [2999, 9000]}`, []string{"warning format.duration_ctv_floor /0/params/duration_ms_range"}},
		{"video_vast", `{"creative_type": "nonlinear", "ctv_ad_experience": "squeezeback", "duration_ms_exact": 9999}`, []string{"warning format.duration_ctv_floor /0/params/duration_ms_exact"}},
		{"video_vast", `{"creative_type": "nonlinear", "ctv_ad_experience": "pause", "duration_ms_exact": 1}`, nil},
	} {
		checkFormatLines(t, Options{}, declaration(tt.kind, tt.params), tt.want)
	}
}

// TestFormatExperience covers the matrix of television experiences.
func TestFormatExperience(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		kind, params string
		want         []string
	}{
		{"video_hosted", `{"ctv_ad_experience": "pause"}`, []string{"error format.ctv_experience_invalid /0/params/ctv_ad_experience"}},
		{"video_vast", `{"ctv_ad_experience": "menu", "creative_type": "nonlinear"}`, []string{"error format.ctv_experience_invalid /0/params/ctv_ad_experience"}},
		{"video_vast", `{"ctv_ad_experience": "pause"}`, []string{"error format.ctv_experience_invalid /0/params/creative_type"}},
		{"video_vast", `{"ctv_ad_experience": "pause", "creative_type": "linear"}`, []string{"error format.ctv_experience_invalid /0/params/creative_type"}},
		{"video_vast", `{"ctv_ad_experience": "pause", "creative_type": "lineal"}`, []string{"error format.param_enum /0/params/creative_type"}},
		{"video_vast", `{"ctv_ad_experience": "pause", "creative_type": "nonlinear", "simid_supported": true, "vpaid_enabled": true}`, []string{
			"error format.ctv_experience_invalid /0/params/simid_supported",
		}},
		{"video_vast", `{"ctv_ad_experience": "in_scene", "creative_type": "nonlinear", "vpaid_enabled": true}`, []string{
			"error format.ctv_experience_invalid /0/params/vpaid_enabled",
		}},
		{"video_vast", `{"linear_required": true, "ctv_ad_experience": "pause", "creative_type": "nonlinear"}`, []string{
			"error format.linear_conflict /0/params/linear_required",
		}},
		{"video_vast", `{"linear_required": true}`, nil},
		{"native_in_feed", `{"focus_behavior": "none"}`, []string{"error format.ctv_experience_invalid /0/params/focus_behavior"}},
		{"native_in_feed", `{"ctv_ad_experience": "overlay", "menu_placement": "tile"}`, []string{"error format.ctv_experience_invalid /0/params/menu_placement"}},
		{"native_in_feed", `{"menu_placement": "roof"}`, []string{"error format.param_enum /0/params/menu_placement"}},
		{"native_in_feed", `{"asset_source": "publisher_host_recorded"}`, []string{"error format.param_enum /0/params/asset_source"}},
		{"image", `{"asset_source": "publisher_host_recorded", "buyer_asset_acceptance": "rejected"}`, []string{"warning format.host_recorded_inconsistent /0/params/asset_source"}},
		{"audio_hosted", `{"asset_source": "publisher_host_recorded"}`, []string{"warning format.host_recorded_inconsistent /0/params/buyer_asset_acceptance"}},
	} {
		checkFormatLines(t, Options{}, declaration(tt.kind, tt.params), tt.want)
	}
}

// TestFormatSlots covers what depends on the asset type and group of a slot.
func TestFormatSlots(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		slot string
		want []string
	}{
		{`{"asset_group_id": "logo"}`, []string{"error format.slot_invalid /0/params/slots/0/asset_type"}},
		{`{"asset_group_id": "", "asset_type": "image"}`, []string{"error format.slot_invalid /0/params/slots/0/asset_group_id"}},
		{`{"asset_group_id": "logo", "asset_type": "picture", "max_chars": 3}`, []string{"error format.slot_invalid /0/params/slots/0/asset_type"}},
		{`{"asset_group_id": "video", "asset_type": "video", "pixel_ratios": [1]}`, []string{"error format.slot_invalid /0/params/slots/0/pixel_ratios"}},
		{`{"asset_group_id": "cards", "asset_type": "card", "pixel_ratios": [1], "required_pixel_ratios": [1]}`, []string{"error format.slot_invalid /0/params/slots/0/required_pixel_ratios"}},
		{`{"asset_group_id": "image", "asset_type": "image", "required_pixel_ratios": [1]}`, []string{"error format.slot_invalid /0/params/slots/0/required_pixel_ratios"}},
		{`{"asset_group_id": "icon", "asset_type": "image", "required_logo_slots": ["favicon"]}`, []string{"error format.slot_invalid /0/params/slots/0/required_logo_slots"}},
		{`{"asset_group_id": "logo", "asset_type": "image", "logo_slots": ["favicon", "favicon"]}`, []string{"error format.slot_invalid /0/params/slots/0/logo_slots/1"}},
		{`{"asset_group_id": "image", "asset_type": "image", "pixel_ratios": [1, 2, 3], "required_pixel_ratios": [3]}`, []string{"warning format.pixel_ratio_subset /0/params/slots/0/required_pixel_ratios/0"}},
		{`{"asset_group_id": "mascot", "asset_type": "image", "max_size_kb": 1}`, []string{"info format.slot_group_unknown /0/params/slots/0/asset_group_id"}},
	} {
		checkFormatLines(t, Options{}, declaration("image", `{"pixel_ratios": [1, 2], "slots": [`+tt.slot+`]}`), tt.want)
	}
}

// TestFormatIdentity covers ids, publishers and the other members of an entry.
func TestFormatIdentity(t *testing.T) {
	t.Parallel()
	const a = `{"format_option_id": "a", "format_kind": "image", "params": {"width": 1, "height": 2}}`
	strict := Options{Profile: Strict}
	for _, tt := range []struct {
		opt     Options
		formats string
		want    []string
	}{
		{Options{}, `null`, []string{"error format.not_object /0"}},
		{Options{}, `{}`, []string{"error format.kind_missing /0/format_kind", "error format.params_missing /0/params", "warning format.option_id_missing /0/format_option_id"}},
		{Options{}, `{"format_option_id": " ", "format_kind": "", "params": []}`, []string{
			"error format.kind_missing /0/format_kind", "error format.params_type /0/params", "warning format.option_id_missing /0/format_option_id",
		}},
		{Options{}, `{"format_option_id": "a", "format_kind": 5, "params": null}`, []string{"error format.kind_missing /0/format_kind", "error format.params_type /0/params"}},
		{strict, `{"format_option_id": "a", "format_kind": "banner", "params": {}}`, []string{"error format.kind_unknown /0/format_kind"}},
		{Options{}, a + `, {"params": {"height": 2.0, "width": 1}, "format_option_id": "a", "format_kind": "image"}`, []string{"warning format.option_id_duplicate /1/format_option_id"}},
		{Options{}, a + `,` + a + `,` + strings.Replace(a, "2", "3", 1), []string{
			"error format.option_id_duplicate /2/format_option_id", "warning format.option_id_duplicate /1/format_option_id",
		}},
		{Options{}, `{"publisher_domain": "Example.com", "format_option_id": "a", "format_kind": "image", "params": {}}`, []string{"warning format.publisher_domain_foreign /0/publisher_domain"}},
		{Options{}, `{"publisher_domain": "not a domain", "format_option_id": "a", "format_kind": "image", "params": {}}`, []string{"warning format.publisher_domain_foreign /0/publisher_domain"}},
		{Options{}, `{"publisher_domain": "example.org", "format_option_id": "a", "format_kind": "image", "params": {}}`, nil},
		{Options{Domain: "example.com", Role: Authoritative}, `{"publisher_domain": "example.org", "format_option_id": "a", "format_kind": "image", "params": {}}`, nil},
		{strict, `{"format_option_id": "a", "format_kind": "image", "params": {}, "applies_to_channels": ["ctv", "ctv"]}`, []string{"error format.channel_unknown /0/applies_to_channels/1"}},
		{Options{}, `{"format_option_id": "a", "format_kind": "image", "params": {}, "sample_render_url": "http://example.com/"}`, []string{"warning format.member_invalid /0/sample_render_url"}},
		{Options{}, `{"format_option_id": "a", "format_kind": "image", "params": {}, "applies_to_property_ids": [], "applies_to_property_tags": []}`, []string{
			"warning format.applies_to_property_undefined /0/applies_to_property_ids", "warning format.applies_to_tag_unmatched /0/applies_to_property_tags",
		}},
		{Options{}, `{"format_option_id": "a", "format_kind": "image", "params": {}, "canonical_formats_only": true, "locale_policy": {"accepted_language_ranges": ["en", "*", "en"]}}`, []string{
			"error format.locale_tag_invalid /0/locale_policy/accepted_language_ranges/1", "error format.locale_tag_invalid /0/locale_policy/accepted_language_ranges/2",
		}},
		{Options{}, `{"format_option_id": "a", "format_kind": "image", "params": {}, "canonical_formats_only": false, "locale_policy": {}}`, []string{"error format.locale_requires_canonical_only /0/locale_policy"}},
	} {
		checkFormatLines(t, tt.opt, tt.formats, tt.want)
	}
}

// TestFormatCustom covers custom formats and references to older ones.
func TestFormatCustom(t *testing.T) {
	t.Parallel()
	ref := func(v string) string {
		return `{"format_option_id": "a", "format_kind": "image", "params": {}, "v1_format_ref": ` + v + `}`
	}
	for _, tt := range []struct {
		formats string
		want    []string
	}{
		{`{"format_option_id": "a", "format_kind": "custom", "params": {"anything": 1}}`, []string{"error format.custom_incomplete /0"}},
		{`{"format_option_id": "a", "format_kind": "custom", "params": {}, "format_shape": "ar_lens", "format_schema": {"uri": "https://example.com/s", "digest": "` + testDigest + `"},
			"v1_format_ref": [{"agent_url": "https://agent.example/", "id": "x"}]}`, nil},
		{`{"format_option_id": "a", "format_kind": "custom", "params": {}, "format_shape": "ar_lens", "format_schema": "https://example.com/s", "canonical_formats_only": true}`, []string{
			"error format.schema_ref_invalid /0/format_schema",
		}},
		{`{"format_option_id": "a", "format_kind": "image", "params": {}, "format_shape": "ar_lens", "format_schema": {"uri": "https://example.com/s", "digest": "` + testDigest + `"}}`, []string{
			"error format.custom_members_on_canonical /0/format_schema", "error format.custom_members_on_canonical /0/format_shape",
		}},
		{ref(`[]`), []string{"warning format.v1_ref_invalid /0/v1_format_ref"}},
		{ref(`[{"agent_url": "https://agent.example/", "id": "x", "height": 1}]`), []string{"warning format.v1_ref_invalid /0/v1_format_ref/0/width"}},
		{ref(`[{"agent_url": "https://agent.example/", "id": "x", "pixel_ratio": 2}]`), []string{"warning format.v1_ref_invalid /0/v1_format_ref/0/width"}},
		{ref(`[{"id": "no spaces"}]`), []string{"warning format.v1_ref_invalid /0/v1_format_ref/0/agent_url", "warning format.v1_ref_invalid /0/v1_format_ref/0/id"}},
	} {
		checkFormatLines(t, Options{}, tt.formats, tt.want)
	}
}
