package model

import (
	"slices"
	"sync"
)

// Params gives the params object of each format kind. Custom formats bring
// their own schema, so their params have no table here: the entry is nil. The
// tables are made when the first file with a format is met.
var Params = sync.OnceValue(func() map[string]*ObjectType {
	return map[string]*ObjectType{
		"image":                            imageParams(),
		"html5":                            html5Params(),
		"display_tag":                      displayTagParams(),
		"image_carousel":                   imageCarouselParams(),
		"video_hosted":                     videoHostedParams(),
		"video_vast":                       videoVASTParams(),
		"audio_hosted":                     audioHostedParams(),
		"audio_daast":                      audioDAASTParams(),
		"sponsored_placement":              sponsoredPlacementParams(),
		"native_in_feed":                   nativeInFeedParams(),
		"responsive_creative":              responsiveCreativeParams(),
		"agent_placement":                  agentPlacementParams(),
		"seller_rendered_stateful_display": statefulDisplayParams(),
		"coordinated_placements":           coordinatedPlacementsParams(),
		"custom":                           nil,
	}
})

// baseParams are the members every canonical kind accepts.
var baseParams = []Field{
	{Name: "slots", Type: list(object(Slot)), Doc: "The assets a buyer supplies, one entry for each group."},
	{Name: "composition_model", Type: oneOf("deterministic", "algorithmic"),
		Doc: "Whether the buyer can predict the result, or the surface picks combinations."},
	{Name: "provenance_required", Type: boolean(), Doc: "Whether synthesized assets need signed provenance."},
	{Name: "platform_extensions", Type: list(object(PlatformExtension)),
		Doc: "Platform definitions that narrow the format further."},
	{Name: "synthesis_nondeterministic", Type: boolean(), Default: "false",
		Doc: "True when generated output cannot be predicted from the input."},
	{Name: "required_connections", Type: list(object(DownstreamConnection)),
		Doc: "Accounts or identities that must be linked before the format can run."},
	{Name: "reference_mutability",
		Type: oneOf("immutable_snapshot", "mutable_requires_reapproval", "mutable_auto_recheck"),
		Doc:  "What happens when content the creative refers to changes later."},
	{Name: "production_window_business_days", Type: count(),
		Doc: "Business days the seller needs to produce the creative; 0 when it is immediate."},
	{Name: "experimental", Type: boolean(), Default: "false", Doc: "True while the format may still change."},
	{Name: "deprecated", Type: boolean(), Default: "false", Doc: "True when the format is on its way out."},
	{Name: "v1_translatable", Type: boolean(), Default: "true",
		Doc: "Whether an older named format can stand for this one."},
	{Name: "since_version", Type: formatted(MinorVer),
		Doc: "Protocol version that introduced the format, for example 3.1."},
	{Name: "migration_target_version", Type: formatted(MinorVer), Doc: "Protocol version to move to, for example 4.0."},
}

// withBase joins a kind's own members and the ones every kind has, own first.
func withBase(own ...[]Field) []Field {
	return append(slices.Concat(own...), baseParams...)
}

// Slot is one asset or group of assets a buyer supplies.
var Slot = &ObjectType{
	Name: "Slot",
	Doc:  "an asset, or a group of like assets, that a buyer supplies",
	Fields: []Field{
		{Name: "asset_group_id", Type: str(), Required: true,
			Doc: "Name of the slot, for example headline or landing_page_url."},
		{Name: "asset_type", Type: enum(AssetTypes), Required: true, Doc: "What sort of asset goes into the slot."},
		{Name: "required", Type: boolean(), Default: "false", Doc: "Whether the slot must be filled."},
		{Name: "min", Type: count(), Doc: "Fewest assets in the slot."},
		{Name: "max", Type: positive(), Doc: "Most assets in the slot; not below min."},
		{Name: "max_chars", Type: positive(), Doc: "Longest text in characters; for text, markdown and brief."},
		{Name: "max_size_kb", Go: "MaxSizeKB", Type: positive(),
			Doc: "Largest file in kilobytes; for image, video, audio and zip."},
		{Name: "pixel_ratios", Type: list(number(aboveZero), minItems(1), unique),
			Doc: "Accepted device pixels per logical pixel; for image and card."},
		{Name: "required_pixel_ratios", Type: list(number(aboveZero), minItems(1), unique),
			Doc: "Pixel ratios that must be supplied; for image, from pixel_ratios."},
		{Name: "logo_slots", Type: list(enum(LogoSlots), unique),
			Doc: "Accepted uses of the logo; only in the slot named logo."},
		{Name: "required_logo_slots", Type: list(enum(LogoSlots), unique),
			Doc: "Uses of the logo that must be supplied; only in the slot named logo."},
		{Name: "description", Type: str(), Doc: "What the seller expects in the slot."},
		{Name: "consumed_for_production", Type: boolean(), Default: "false",
			Doc: "True when the asset is raw material and does not run as it is."},
	},
}

// PlatformExtension points to a platform's own definition.
var PlatformExtension = &ObjectType{
	Name: "PlatformExtension",
	Doc:  "a platform's own definition that narrows a format",
	Fields: []Field{
		{Name: "uri", Type: formatted(HTTPS), Required: true, Doc: "Where the definition is."},
		{Name: "digest", Type: formatted(Digest), Required: true,
			Doc: "SHA-256 of the definition, as sha256: and 64 hex digits."},
	},
}

// DownstreamConnection is an account or identity a format depends on.
var DownstreamConnection = &ObjectType{
	Name: "DownstreamConnection",
	Doc:  "an account, identity or permission a format depends on",
	Fields: []Field{
		{Name: "connection_type", Go: "Type", Type: oneOf("advertiser_account", "publisher_identity", "post_authorization"),
			Required: true, Doc: "What has to be linked."},
		{Name: "provider", Type: str(), Doc: "The platform the account or identity is on."},
		{Name: "required_for", Type: list(str(length(1, 0)), unique), Doc: "The steps that need the connection."},
		{Name: "scope", Type: oneOf("account", "identity", "post", "unknown"), Doc: "How much one connection covers."},
		{Name: "status", Type: oneOf("connected", "missing", "pending", "expired", "revoked", "not_required", "unknown"),
			Doc: "State of the connection; unless it is usable, give provider or authorization_url."},
		{Name: "connection_id", Go: "ID", Type: str(), Doc: "The seller's id of the connection."},
		{Name: "resource_ref", Type: freeObject(), Doc: "The account, identity or post meant."},
		{Name: "authorization_url", Type: formatted(URI), Doc: "Where the connection can be set up."},
		{Name: "authorization_instructions", Type: str(), Doc: "How to set up the connection, for people."},
		{Name: "expires_at", Type: formatted(DateTime), Doc: "When the connection stops being valid."},
	},
}
