package adagents

import (
	"testing"

	"github.com/avow-project/avow/internal/model"
)

// TestEveryKind checks one declaration of each format kind that uses every
// param its kind has, or nearly so: the strict profile must not object to any
// of them.
func TestEveryKind(t *testing.T) {
	t.Parallel()
	missing := make(map[string]bool)
	for _, kind := range model.FormatKinds {
		missing[kind] = true
	}
	for _, declaration := range []string{
		`{"format_option_id": "a", "format_kind": "image", "display_name": "x",
			"sample_render_url": "https://a.example.com", "applies_to_channels": ["display"],
			"seller_preference": "preferred", "experimental": true, "canonical_formats_only": true,
			"locale_policy": {"accepted_language_ranges": ["en", "pt-BR"]}, "publisher_domain": "example.com",
			"applies_to_property_ids": ["site"], "applies_to_property_tags": ["news"], "params": {"width": 300,
			"height": 250, "pixel_ratios": [1, 2], "aspect_ratio": "6:5", "max_file_size_kb": 200, "image_formats": ["jpg",
			"webp"], "ssl_required": true, "headline_max_chars": 10, "body_text_max_chars": 5, "cta_values": ["Buy"],
			"asset_source": "buyer_uploaded", "buyer_asset_acceptance": "accepted", "ctv_ad_experience": "pause",
			"motion_level": "static", "activation_methods": ["qr_code"], "experimental": false, "deprecated": false,
			"v1_translatable": true, "since_version": "3.1", "composition_model": "deterministic",
			"provenance_required": true, "platform_extensions": [{"uri": "https://a.example.com/x",
			"digest": "sha256:0000000000000000000000000000000000000000000000000000000000000000"}],
			"synthesis_nondeterministic": false, "required_connections": [{"connection_type": "advertiser_account",
			"status": "missing", "provider": "x"}], "reference_mutability": "immutable_snapshot",
			"production_window_business_days": 0, "slots": [{"asset_group_id": "logo", "asset_type": "image",
			"required": true, "min": 0, "max": 1, "max_size_kb": 5, "pixel_ratios": [1, 2], "required_pixel_ratios": [1],
			"logo_slots": ["favicon"]}]}}`,
		`{"format_option_id": "a", "format_kind": "html5", "params": {"sizes": [{"width": 1, "height": 1}],
			"max_initial_load_kb": 100, "max_polite_load_kb": 1, "host_initiated_subload": true,
			"max_animation_duration_ms": 0, "max_cpu_load_percent": 50, "mraid_required": true, "mraid_version": "3.0",
			"om_sdk_required": true, "clicktag_macro": "clickTAG", "backup_image_required": true,
			"backup_image_max_size_kb": 10, "ssl_required": true}}`,
		`{"format_option_id": "a", "format_kind": "display_tag", "params": {"min_width": 1, "max_width": 5,
			"supported_tag_types": ["iframe", "1x1_redirect"], "ssl_required": true, "max_redirect_depth": 0,
			"max_response_time_ms": 1, "backup_image_required": true, "backup_image_max_size_kb": 1,
			"om_sdk_required": false}}`,
		`{"format_option_id": "a", "format_kind": "image_carousel", "params": {"card_aspect_ratio": "1:1", "min_cards": 2,
			"max_cards": 5, "allowed_card_media_asset_types": ["image"], "allowed_card_asset_types": ["video"],
			"card_image_max_file_size_kb": 1, "card_video_max_file_size_kb": 1, "card_video_max_duration_ms": 1,
			"primary_text_max_chars": 1, "card_headline_max_chars": 1, "card_description_max_chars": 1,
			"ssl_required": true}}`,
		`{"format_option_id": "a", "format_kind": "video_hosted", "params": {"orientation": "vertical",
			"aspect_ratio": "9:16", "min_width": 1, "max_width": 2, "min_height": 1, "max_height": 3,
			"duration_ms_range": [null, 30000], "video_codecs": ["h264"], "audio_codecs": ["aac"], "containers": ["mp4"],
			"min_bitrate_kbps": 1, "max_bitrate_kbps": 2, "max_file_size_mb": 1, "frame_rates": [29.97],
			"captions": "required", "om_sdk_required": true, "headline_max_chars": 1, "primary_text_max_chars": 1,
			"brand_name_max_chars": 1, "cta_values": ["x"], "companion_banner_widths": [300],
			"companion_banner_heights": [250], "asset_source": "buyer_uploaded", "buyer_asset_acceptance": "rejected",
			"ctv_ad_experience": "screensaver"}}`,
		`{"format_option_id": "a", "format_kind": "video_vast", "params": {"orientation": "horizontal",
			"aspect_ratio": "16:9", "vast_version": "4.2", "vpaid_enabled": false, "vpaid_version": "2.0",
			"simid_supported": false, "duration_ms_range": [10000, 30000], "min_width": 1, "max_width": 2,
			"creative_type": "nonlinear", "ctv_ad_experience": "overlay", "motion_level": "full_motion",
			"activation_methods": ["deep_link"], "linear_required": false, "skippable_after_ms": 0, "max_wrapper_depth": 0,
			"ssl_required": true}}`,
		`{"format_option_id": "a", "format_kind": "audio_hosted", "params": {"duration_ms_exact": 30000,
			"audio_codecs": ["mp3"], "audio_sample_rates": [44100], "audio_channels": ["stereo"], "min_bitrate_kbps": 1,
			"max_bitrate_kbps": 2, "max_file_size_mb": 0.5, "loudness_lufs": -16, "loudness_tolerance_db": 0,
			"true_peak_dbfs": -1.0, "asset_source": "publisher_host_recorded", "buyer_asset_acceptance": "rejected",
			"companion_image_required": true, "companion_image_aspect_ratio": "1:1", "companion_image_max_file_size_kb": 1,
			"brand_name_max_chars": 1}}`,
		`{"format_option_id": "a", "format_kind": "audio_daast", "params": {"daast_version": "1.1",
			"duration_ms_range": [0, 30000], "linear_required": true, "max_wrapper_depth": 1, "ssl_required": true,
			"companion_image_required": false}}`,
		`{"format_option_id": "a", "format_kind": "sponsored_placement",
			"params": {"supported_catalog_types": ["product"], "min_items": 1, "max_items": 3, "fanout_mode": "per_item",
			"required_catalog_fields": ["x"], "supported_id_types": ["asin"], "hero_asset_supported": true,
			"item_production_model": "agent_synthesized", "ctv_ad_experience": "menu"}}`,
		`{"format_option_id": "a", "format_kind": "native_in_feed", "params": {"ctv_ad_experience": "menu",
			"menu_placement": "tile", "focus_behavior": "none", "motion_level": "static", "activation_methods": ["tune_in"],
			"title_max_chars": 1, "body_text_max_chars": 1, "cta_max_chars": 1, "cta_values": ["x"],
			"main_image_sizes": [{"width": 1, "height": 1}], "icon_size": {"width": 1, "height": 1},
			"max_image_file_size_kb": 1, "image_formats": ["jpg"], "ssl_required": true, "asset_source": "buyer_uploaded",
			"buyer_asset_acceptance": "accepted"}}`,
		`{"format_option_id": "a", "format_kind": "responsive_creative", "params": {"headlines_min": 0,
			"headlines_max": 3, "long_headlines_min": 1, "descriptions_max": 2, "images_landscape_min": 1,
			"images_square_max": 1, "images_vertical_min": 0, "videos_max": 1, "logo_min": 1, "headline_max_chars": 30,
			"long_headline_max_chars": 90, "description_max_chars": 90, "business_name_max_chars": 25,
			"asset_image_max_file_size_kb": 1, "video_min_duration_ms": 1, "video_max_duration_ms": 2,
			"images_landscape_aspect_ratio": "1.91:1", "logo_aspect_ratios": ["1:1"], "supports_catalog_input": true}}`,
		`{"format_option_id": "a", "format_kind": "agent_placement", "params": {"output_modality": "text",
			"max_mention_length_chars": 1, "max_mention_duration_ms": 1, "supports_offering_reference": true,
			"supports_landing_page_url": true, "disclosure_required": true, "tone_constraints": ["x"]}}`,
		`{"format_option_id": "a", "format_kind": "seller_rendered_stateful_display",
			"params": {"states": [{"state_id": "small", "anchoring": "inline", "breakpoints": [{"breakpoint_id": "b",
			"width": 300, "height": 250}], "close_affordance": true}], "initial_state_id": "small",
			"user_controls": {"dismissible": true, "user_collapsible": false}}}`,
		`{"format_option_id": "a", "format_kind": "coordinated_placements",
			"params": {"components": [{"component_id": "a", "placement_ref": {"placement_id": "x"}, "required": true,
			"format_kind": "image", "params": {"width": 1, "height": 1}}, {"component_id": "b",
			"placement_ref": {"placement_id": "y"}, "required": false, "sequence": 1, "serving_policy": "seller_served_only",
			"format_kind": "image", "params": {"width": 1, "height": 1}}]}}`,
		`{"format_option_id": "a", "format_kind": "custom", "format_shape": "roadblock",
			"format_schema": {"uri": "https://a.example.com/s.json",
			"digest": "sha256:0000000000000000000000000000000000000000000000000000000000000000"},
			"canonical_formats_only": true, "params": {"anything": [1]}}`,
	} {
		r := Check(Example(InFormat, declaration), Options{Profile: Strict})
		if len(r.Findings) > 0 || len(r.File.Formats) != 1 {
			t.Errorf("%s: %v", declaration, r.Findings)
			continue
		}
		delete(missing, r.File.Formats[0].Kind)
	}
	if len(missing) > 0 {
		t.Errorf("no declaration of %v", missing)
	}
}
