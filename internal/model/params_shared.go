package model

// Members that several kinds have in common. Each is written once so that its
// limits and its help text cannot drift apart between kinds.

// Size is a width and a height in pixels.
var Size = &ObjectType{
	Name:   "Size",
	Doc:    "a width and a height in pixels",
	Closed: true,
	Fields: []Field{
		{Name: "width", Type: positive(), Required: true, Doc: "Width in pixels."},
		{Name: "height", Type: positive(), Required: true, Doc: "Height in pixels."},
	},
}

// sizeBounds limit a size from below and above.
var sizeBounds = []Field{
	{Name: "min_width", Type: positive(), Doc: "Smallest width in pixels."},
	{Name: "max_width", Type: positive(), Doc: "Largest width in pixels; not below min_width."},
	{Name: "min_height", Type: positive(), Doc: "Smallest height in pixels."},
	{Name: "max_height", Type: positive(), Doc: "Largest height in pixels; not below min_height."},
}

// sizeModes are the three ways to state a size, of which one may be used.
var sizeModes = append([]Field{
	{Name: "width", Type: positive(),
		Doc: "Width in pixels, together with height; excludes sizes and the min and max members."},
	{Name: "height", Type: positive(),
		Doc: "Height in pixels, together with width; excludes sizes and the min and max members."},
	{Name: "sizes", Type: list(object(Size), minItems(1)),
		Doc: "Several accepted sizes; excludes width, height and the min and max members."},
}, sizeBounds...)

// production says who makes the asset, for the kinds that carry a finished one.
var production = []Field{
	{Name: "asset_source", Type: enum(AssetSources), Default: `"buyer_uploaded"`, Doc: "Who makes the asset that runs."},
	buyerAcceptance,
}

// The single members shared between kinds.
var (
	buyerAcceptance = Field{Name: "buyer_asset_acceptance", Type: oneOf("accepted", "rejected"), Default: `"accepted"`,
		Doc: "Whether finished assets from the buyer are taken."}
	aspectRatio = Field{Name: "aspect_ratio", Type: formatted(Aspect), Doc: "Width to height, for example 16:9."}
	sslRequired = Field{Name: "ssl_required", Go: "SSLRequired", Type: boolean(),
		Doc: "Whether everything must be served over https."}
	omSDKRequired = Field{Name: "om_sdk_required", Go: "OMSDKRequired", Type: boolean(),
		Doc: "Whether the Open Measurement SDK must be used."}
	backupRequired = Field{Name: "backup_image_required", Type: boolean(),
		Doc: "Whether a still image must come along for when the ad cannot run."}
	backupMaxSize = Field{Name: "backup_image_max_size_kb", Go: "BackupImageMaxSizeKB", Type: positive(),
		Doc: "Largest backup image in kilobytes."}
	ctaValues = Field{Name: "cta_values", Go: "CTAValues", Type: list(str()),
		Doc: "Accepted calls to action, for example LEARN_MORE."}
	activationMethods = Field{Name: "activation_methods", Type: list(enum(ActivationMethods), unique),
		Doc: "Ways a television viewer can act on the ad."}
	motionLevel = Field{Name: "motion_level", Type: enum(MotionLevels), Doc: "How much the rendered ad may move."}
	orientation = Field{Name: "orientation", Type: oneOf("vertical", "horizontal", "square"),
		Doc: "Orientation of the video."}
	durationExact = Field{Name: "duration_ms_exact", Go: "DurationMSExact", Type: positive(),
		Doc: "The one accepted duration in milliseconds; wins over duration_ms_range."}
	durationRange = Field{Name: "duration_ms_range", Go: "DurationMSRange", Type: pair(count()),
		Doc: "Shortest and longest duration in milliseconds, for example [6000, 30000]."}
	durationOpenRange = Field{Name: "duration_ms_range", Go: "DurationMSRange", Type: pair(integer(atLeast(0), nullable)),
		Doc: "Shortest and longest duration in milliseconds; null leaves one end open."}
	minBitrate = Field{Name: "min_bitrate_kbps", Go: "MinBitrateKbps", Type: positive(),
		Doc: "Lowest bit rate in kilobits per second."}
	maxBitrate = Field{Name: "max_bitrate_kbps", Go: "MaxBitrateKbps", Type: positive(),
		Doc: "Highest bit rate in kilobits per second; not below min_bitrate_kbps."}
	headlineChars    = Field{Name: "headline_max_chars", Type: positive(), Doc: "Longest headline in characters."}
	bodyTextChars    = Field{Name: "body_text_max_chars", Type: positive(), Doc: "Longest body text in characters."}
	primaryTextChars = Field{Name: "primary_text_max_chars", Type: positive(), Doc: "Longest primary text in characters."}
	brandNameChars   = Field{Name: "brand_name_max_chars", Type: positive(), Doc: "Longest brand name in characters."}
	linearRequired   = Field{Name: "linear_required", Type: boolean(), Doc: "Whether only linear ads are accepted."}
	wrapperDepth     = Field{Name: "max_wrapper_depth", Type: count(), Doc: "Most wrapper tags that may be followed."}
	containers       = Field{Name: "containers", Type: list(oneOf("mp4", "webm", "mov")),
		Doc: "Accepted video container formats."}
	companionRequired = Field{Name: "companion_image_required", Type: boolean(),
		Doc: "Whether an image must come along with the audio."}
)

// ctvExperience is the television experience of a kind that allows only some.
func ctvExperience(allowed ...string) Field {
	return Field{Name: "ctv_ad_experience", Go: "CTVAdExperience", Type: oneOf(allowed...),
		Doc: "Television experience this format serves; each kind allows only some."}
}
