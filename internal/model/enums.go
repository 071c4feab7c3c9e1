package model

// The enumerations of the format. Values outside them are reported, never
// fatal: a newer protocol version may add some.
var (
	// PropertyTypes are the values of property_type.
	PropertyTypes = []string{"website", "mobile_app", "ctv_app", "desktop_app", "dooh", "podcast", "radio", "linear_tv",
		"streaming_audio", "ai_assistant"}
	// IdentifierTypes are the values of identifiers[].type.
	IdentifierTypes = []string{"domain", "subdomain", "network_id", "ios_bundle", "android_package", "apple_app_store_id",
		"google_play_id", "roku_store_id", "fire_tv_asin", "samsung_app_id", "apple_tv_bundle", "bundle_id", "venue_id",
		"screen_id", "openooh_venue_type", "rss_url", "apple_podcast_id", "spotify_collection_id", "podcast_guid",
		"station_id", "facility_id"}
	// Channels are the advertising channels.
	Channels = []string{"display", "olv", "social", "search", "ctv", "linear_tv", "radio", "streaming_audio", "podcast",
		"dooh", "ooh", "print", "cinema", "email", "gaming", "retail_media", "influencer", "affiliate", "product_placement",
		"sponsored_intelligence"}
	// FormatKinds are the values of format_kind.
	FormatKinds = []string{"image", "html5", "display_tag", "image_carousel", "video_hosted", "video_vast", "audio_hosted",
		"audio_daast", "sponsored_placement", "native_in_feed", "responsive_creative", "agent_placement",
		"seller_rendered_stateful_display", "coordinated_placements", "custom"}
	// AuthorizationTypes are the values of authorization_type.
	AuthorizationTypes = typesOf(Selections)
	// DelegationTypes are the values of delegation_type.
	DelegationTypes = []string{"direct", "delegated", "ad_network"}
	// Relationships are the values of brand.json's relationship.
	Relationships = []string{"owned", "direct", "delegated", "ad_network"}
	// SignalCategories are the advisory values of a signal's category.
	SignalCategories = []string{"purchase_intent", "behavioral", "ownership", "lifestyle", "financial", "b2b",
		"contextual", "location", "custom"}
	// SelectionTypes are the values of selection_type.
	SelectionTypes = []string{"all", "by_id", "by_tag"}
	// RevocationReasons are the suggested values of a revocation's reason.
	RevocationReasons = []string{"relationship_ended", "compliance_violation", "publisher_request", "other"}
	// MutatingTasks are the tasks that write state for the publisher.
	MutatingTasks = []string{"create_media_buy", "update_media_buy", "sync_creatives", "update_performance_index"}
	// ReadOnlyTasks are the tasks that write nothing.
	ReadOnlyTasks = []string{"get_products", "get_signals", "list_creative_formats", "get_adcp_capabilities"}
	// VideoPlacementTypes are the values of video_placement_types.
	VideoPlacementTypes = []string{"instream", "accompanying_content", "interstitial", "standalone"}
	// AudioDistributionTypes are the values of audio_distribution_types.
	AudioDistributionTypes = []string{"music_streaming_service", "fm_am_broadcast", "podcast", "catch_up_radio",
		"web_radio", "video_game", "text_to_speech"}
	// SponsoredPlacementTypes are the values of sponsored_placement_types.
	SponsoredPlacementTypes = []string{"sponsored_search", "sponsored_display", "sponsored_native"}
	// SocialPlacementSurfaces are the values of social_placement_surfaces.
	SocialPlacementSurfaces = []string{"feed", "stories", "short_video", "explore", "search"}
	// CollectionKinds are the values of a collection's kind.
	CollectionKinds = []string{"series", "publication", "event_series", "rotation", "channel"}
	// DistributionIdentifierTypes are the name spaces a collection's identifiers come from.
	DistributionIdentifierTypes = []string{"apple_podcast_id", "spotify_collection_id", "rss_url", "podcast_guid",
		"amazon_music_id", "iheart_id", "podcast_index_id", "youtube_channel_id", "youtube_channel_handle",
		"youtube_channel_url", "youtube_playlist_id", "amazon_title_id", "platform_channel_id", "roku_channel_id",
		"pluto_channel_id", "tubi_id", "peacock_id", "tiktok_id", "twitch_channel", "imdb_id", "gracenote_id", "eidr_id",
		"domain", "substack_id"}
	// SignalValueTypes are the values of a signal's value_type.
	SignalValueTypes = []string{"binary", "categorical", "numeric"}
	// RestrictedAttributes are the protected attributes a signal can touch.
	RestrictedAttributes = []string{"racial_ethnic_origin", "political_opinions", "religious_beliefs",
		"trade_union_membership", "health_data", "sex_life_sexual_orientation", "genetic_data", "biometric_data", "age",
		"familial_status"}
	// DataSources are the origins of a signal's raw data.
	DataSources = []string{"app_behavior", "app_usage", "web_usage", "geo_location", "email", "tv_ott_or_stb_device",
		"panel", "online_ecommerce", "credit_data", "loyalty_card", "transaction", "online_survey", "offline_survey",
		"public_record_census", "public_record_voter_file", "public_record_other", "offline_transaction"}
	// Cadences are the values of a signal's refresh_cadence and lookback_window.
	Cadences = []string{"intra_day", "daily", "weekly", "monthly", "bi_monthly", "quarterly", "bi_annually", "annually"}
	// FormatShapes are the known values of format_shape; others are allowed.
	FormatShapes = []string{"multi_state_display", "multi_placement_takeover", "roadblock", "branded_content",
		"cross_screen_sponsorship", "sponsorship_lockup", "newsletter_sponsorship", "ar_lens", "playable",
		"live_event_sponsorship"}
	// AssetTypes are the values of a slot's asset_type.
	AssetTypes = []string{"image", "video", "audio", "text", "markdown", "url", "html", "css", "javascript", "vast",
		"daast", "webhook", "brief", "catalog", "published_post", "zip", "card", "object", "pixel_tracker", "vast_tracker",
		"daast_tracker"}
	// LogoSlots are the uses a logo can be asked for.
	LogoSlots = []string{"logo_card_light", "logo_card_dark", "profile_mark", "favicon", "app_icon", "social_profile_mark",
		"nav_header", "footer", "email_header", "watermark", "ad_end_card", "co_brand_lockup", "marketplace_listing"}
	// AssetSources say who makes the asset that runs.
	AssetSources = []string{"buyer_uploaded", "publisher_host_recorded", "seller_pre_rendered_from_brief",
		"seller_human_designed", "agent_synthesized", "publisher_owned_reference"}
	// CTVAdExperiences are the television experiences; each kind allows some of them.
	CTVAdExperiences = []string{"menu", "pause", "screensaver", "overlay", "squeezeback", "in_scene"}
	// MotionLevels say how much a rendered unit may move.
	MotionLevels = []string{"static", "limited_motion", "full_motion"}
	// ActivationMethods are the ways a viewer can act on a television ad.
	ActivationMethods = []string{"qr_code", "deep_link", "push_notification", "email", "tune_in", "text_message"}
)

// A Selection is a way to say what an agent entry authorizes.
type Selection struct {
	Type   string // the value of authorization_type
	Member string // the member of the entry that goes with it
	Title  string
}

// Selections are the ways to say what an agent entry authorizes.
var Selections = []Selection{
	{"property_ids", "property_ids", "Properties by ID"},
	{"property_tags", "property_tags", "Properties by tag"},
	{"inline_properties", "properties", "Properties listed in the entry"},
	{"publisher_properties", "publisher_properties", "Properties of other publishers"},
	{"signal_ids", "signal_ids", "Signals by ID"},
	{"signal_tags", "signal_tags", "Signals by tag"},
}

func typesOf(list []Selection) []string {
	types := make([]string, len(list))
	for i := range list {
		types[i] = list[i].Type
	}
	return types
}

// SelectionOf returns the selection of an authorization type, or one with neither type nor member.
func SelectionOf(authorizationType string) Selection {
	for _, s := range Selections {
		if s.Type == authorizationType {
			return s
		}
	}
	return Selection{}
}
