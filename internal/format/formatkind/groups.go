package formatkind

import (
	"maps"
	"slices"
)

// AssetGroups is the vocabulary of asset groups: the names of the protocol's
// registry, their older aliases, and the slots the canonical kinds bring
// along. Other names are allowed.
var AssetGroups = nameSet(
	// Texts.
	"headlines", "headline", "title", "tagline", "headline_text",
	"long_headlines", "long_headline_pool", "extended_headlines",
	"descriptions", "description", "body", "body_text", "text", "content", "secondary_body_text", "desc2", "messaging",
	"brand_name", "advertiser_name", "business_name", "sponsored_label",
	"cta", "cta_text", "call_to_action", "action_text", "button_text",
	"price", "saleprice", "rating", "likes", "downloads", "address", "phone_number",
	"disclaimer", "legal_text", "fine_print", "legal_disclaimer",
	"promo_code", "offer_code", "coupon_code", "discount_code",
	// Pictures.
	"images_landscape", "image", "hero_image", "landscape_image", "banner_image", "image_main", "main_image",
	"images_vertical", "vertical_image", "story_image", "portrait_image",
	"images_square", "square_image", "feed_image",
	"logo", "brand_logo", "logo_image", "icon", "imagery",
	"companion_image", "companion_banner", "backup_image",
	"hero_asset", "hero_banner", "collection_hero",
	"cards", "carousel_cards", "slides", "carousel_items", "carousel_slides",
	// Video, audio and tags.
	"video", "videos", "video_file", "hero_video", "video_asset", "video_main", "video_vertical", "video_horizontal",
	"audio", "audio_file", "hero_audio", "audio_asset", "audio_main",
	"subtitle_file", "caption_file", "captions", "subtitles",
	"vast_tag", "daast_tag", "tag_url", "html5_bundle",
	"youtube_video_id", "existing_yt_video_id", "yt_video_id", "youtube_id", "pin_id",
	// Addresses and trackers.
	"landing_page_url", "click_url", "link", "final_url", "link_url", "click_through_url", "landing_url", "display_url",
	"privacy_policy_url", "impression_tracker", "click_tracker", "viewability_tracker",
	// Material for production.
	"script", "script_text", "host_script", "voiceover_script", "voice_id",
	"creative_brief", "brief", "creative_direction", "talking_points",
	"scenes", "storyboard", "style_reference", "reference_image", "style_image", "inspiration_image",
	"structure_reference", "starter_assets", "source_catalog", "offering_ref", "state_canvases", "state_click_urls",
	"layered_source", "font_files",
)

// AssetGroupNames are the names of AssetGroups, for suggestions.
var AssetGroupNames = slices.Sorted(maps.Keys(AssetGroups))

// DefaultStateSlots are the slots of a stateful format that lists none.
var DefaultStateSlots = nameSet(
	"state_canvases", "logo", "imagery", "headline", "messaging", "cta", "legal_text", "video_main",
	"landing_page_url", "state_click_urls", "layered_source", "font_files",
)

func nameSet(names ...string) map[string]struct{} {
	set := make(map[string]struct{}, len(names))
	for _, name := range names {
		set[name] = struct{}{}
	}
	return set
}
