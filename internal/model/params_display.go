package model

// imageParams are the params of kind image.
func imageParams() *ObjectType {
	return &ObjectType{
		Name: "ImageParams",
		Doc:  "limits of a still image",
		Fields: withBase(sizeModes, []Field{
			{Name: "pixel_ratios", Type: list(number(aboveZero), minItems(1), unique),
				Doc: "Accepted device pixels per logical pixel, for example 1 and 2."},
			aspectRatio,
			{Name: "max_file_size_kb", Go: "MaxFileSizeKB", Type: positive(), Doc: "Largest file in kilobytes."},
			{Name: "image_formats", Type: list(oneOf("jpg", "jpeg", "png", "gif", "webp", "svg")),
				Doc: "Accepted image file formats."},
			sslRequired,
			headlineChars,
			bodyTextChars,
			ctaValues,
		}, production, []Field{
			ctvExperience("pause", "screensaver"),
			{Name: "motion_level", Type: oneOf("static", "limited_motion"), Doc: "How much the rendered ad may move."},
			activationMethods,
		}),
	}
}

// html5Params are the params of kind html5.
func html5Params() *ObjectType {
	return &ObjectType{
		Name: "HTML5Params",
		Doc:  "limits of an HTML5 bundle",
		Fields: withBase(sizeModes, []Field{
			{Name: "max_initial_load_kb", Go: "MaxInitialLoadKB", Type: positive(), Doc: "Most kilobytes loaded at the start."},
			{Name: "max_polite_load_kb", Go: "MaxPoliteLoadKB", Type: positive(),
				Doc: "Most kilobytes loaded after the page is done."},
			{Name: "host_initiated_subload", Type: boolean(), Doc: "Whether the page decides when the rest is loaded."},
			{Name: "max_animation_duration_ms", Go: "MaxAnimationDurationMS", Type: count(),
				Doc: "Longest animation in milliseconds; 0 means none."},
			{Name: "max_cpu_load_percent", Go: "MaxCPULoadPercent", Type: integer(atLeast(1), atMost(100)),
				Doc: "Highest processor load in percent."},
			{Name: "mraid_required", Go: "MRAIDRequired", Type: boolean(), Doc: "Whether the bundle must use MRAID."},
			{Name: "mraid_version", Go: "MRAIDVersion", Type: oneOf("2.0", "3.0"), Doc: "Version of MRAID."},
			omSDKRequired,
			{Name: "clicktag_macro", Type: oneOf("clickTag", "clickTAG"), Doc: "Spelling of the click macro in the bundle."},
			backupRequired,
			backupMaxSize,
			sslRequired,
		}),
	}
}

// displayTagParams are the params of kind display_tag.
func displayTagParams() *ObjectType {
	return &ObjectType{
		Name: "DisplayTagParams",
		Doc:  "limits of a third-party display tag",
		Fields: withBase(sizeModes, []Field{
			{Name: "supported_tag_types", Type: list(oneOf("iframe", "javascript", "1x1_redirect")),
				Doc: "Accepted kinds of tag."},
			sslRequired,
			{Name: "max_redirect_depth", Type: count(), Doc: "Most redirects the tag may cause."},
			{Name: "max_response_time_ms", Go: "MaxResponseTimeMS", Type: positive(),
				Doc: "Longest time in milliseconds until the tag answers."},
			backupRequired,
			backupMaxSize,
			omSDKRequired,
		}),
	}
}

// imageCarouselParams are the params of kind image_carousel.
func imageCarouselParams() *ObjectType {
	return &ObjectType{
		Name: "ImageCarouselParams",
		Doc:  "limits of a carousel of cards",
		Fields: withBase([]Field{
			{Name: "card_aspect_ratio", Type: formatted(Aspect), Doc: "Width to height of every card, for example 1:1."},
			{Name: "min_cards", Type: integer(atLeast(2)), Doc: "Fewest cards; at least 2."},
			{Name: "max_cards", Type: integer(), Doc: "Most cards; not below min_cards."},
			{Name: "allowed_card_media_asset_types", Type: list(oneOf("image", "video")), Doc: "What a card may show."},
			{Name: "allowed_card_asset_types", Type: list(oneOf("image", "video")),
				Doc: "Older name of allowed_card_media_asset_types; prefer that one."},
			{Name: "card_image_max_file_size_kb", Go: "CardImageMaxFileSizeKB", Type: positive(),
				Doc: "Largest image of a card in kilobytes."},
			{Name: "card_video_max_file_size_kb", Go: "CardVideoMaxFileSizeKB", Type: positive(),
				Doc: "Largest video of a card in kilobytes."},
			{Name: "card_video_max_duration_ms", Go: "CardVideoMaxDurationMS", Type: positive(),
				Doc: "Longest video of a card in milliseconds."},
			primaryTextChars,
			{Name: "card_headline_max_chars", Type: positive(), Doc: "Longest headline of a card in characters."},
			{Name: "card_description_max_chars", Type: positive(), Doc: "Longest description of a card in characters."},
			sslRequired,
		}),
	}
}

// nativeInFeedParams are the params of kind native_in_feed.
func nativeInFeedParams() *ObjectType {
	return &ObjectType{
		Name: "NativeInFeedParams",
		Doc:  "limits of a native ad that takes on the look of its surroundings",
		Fields: withBase([]Field{
			ctvExperience("menu", "overlay"),
			{Name: "menu_placement", Type: oneOf("tile", "headline_banner"),
				Doc: "Where in the menu the ad sits; needs ctv_ad_experience menu."},
			{Name: "focus_behavior", Type: oneOf("none", "autoplay_muted", "autoplay_sound"),
				Doc: "What happens when the remote lands on the ad; needs ctv_ad_experience menu."},
			motionLevel,
			activationMethods,
			{Name: "title_max_chars", Type: positive(), Doc: "Longest title in characters."},
			bodyTextChars,
			{Name: "cta_max_chars", Go: "CTAMaxChars", Type: positive(), Doc: "Longest call to action in characters."},
			ctaValues,
			{Name: "main_image_sizes", Type: list(object(Size), minItems(1)), Doc: "Accepted sizes of the main image."},
			{Name: "icon_size", Type: object(Size), Doc: "Size of the icon."},
			{Name: "max_image_file_size_kb", Go: "MaxImageFileSizeKB", Type: positive(),
				Doc: "Largest image or icon in kilobytes."},
			{Name: "image_formats", Type: list(oneOf("jpg", "jpeg", "png", "gif", "webp")), Doc: "Accepted image file formats."},
			sslRequired,
			// A host cannot read out a native ad, so that source is missing here.
			{Name: "asset_source", Type: oneOf("buyer_uploaded", "seller_pre_rendered_from_brief", "seller_human_designed",
				"agent_synthesized", "publisher_owned_reference"), Default: `"buyer_uploaded"`,
				Doc: "Who makes the assets that run."},
			buyerAcceptance,
		}),
	}
}
