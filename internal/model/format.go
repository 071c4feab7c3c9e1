package model

import "slices"

// Patterns of the reference renderer.
const (
	packagePattern   = `^(?:@[a-z0-9][a-z0-9._~-]*/)?[a-z0-9][a-z0-9._~-]*$`
	versionPattern   = `^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)(?:\.(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*))*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$`
	integrityPattern = `^(?:sha256-[A-Za-z0-9+/]{43}=|sha384-[A-Za-z0-9+/]{64}|sha512-[A-Za-z0-9+/]{86}==)$`
	workflowPattern  = `^\.github/workflows/[A-Za-z0-9._/-]+\.ya?ml$`
)

// formatDetails are the members a top-level declaration and an inline format
// option share after the ones that identify the format.
var formatDetails = []Field{
	{Name: "publisher_domain", Type: formatted(Domain),
		Doc: "The publisher the declaration belongs to; needs format_option_id."},
	{Name: "display_name", Type: str(), Doc: "Name shown to buyers."},
	{Name: "sample_render_url", Type: formatted(HTTPS),
		Doc: "A page that shows the format in use; never fetched automatically."},
	{Name: "applies_to_channels", Type: list(enum(Channels), unique),
		Doc: "Advertising channels the declaration is meant for."},
	{Name: "seller_preference", Type: oneOf("preferred", "accepted", "discouraged"),
		Doc: "How welcome this format is to the seller."},
	{Name: "locale_policy", Type: object(LocalePolicy),
		Doc: "Languages the creative may be in; needs canonical_formats_only true."},
	{Name: "canonical_formats_only", Type: boolean(), Default: "false",
		Doc: "True when no older named format stands for this one; then v1_format_ref must be absent."},
	{Name: "experimental", Type: boolean(), Default: "false", Doc: "True while the declaration may still change."},
	{Name: "format_shape", Go: "Shape", Type: str(),
		Doc: "With format_kind custom only: the sort of custom format, for example roadblock."},
	{Name: "format_schema", Go: "Schema", Type: object(FormatSchemaRef),
		Doc: "With format_kind custom only: the JSON Schema the params follow."},
	{Name: "v1_format_ref", Go: "V1FormatRefs", Type: list(object(V1FormatRef), minItems(1)),
		Doc: "Older named formats that stand for this one."},
}

// FormatDeclaration is one entry of the top-level formats.
var FormatDeclaration = &ObjectType{
	Name: "FormatDeclaration",
	Doc:  "a creative format the publisher accepts",
	Fields: slices.Concat([]Field{
		{Name: "format_kind", Go: "Kind", Type: enum(FormatKinds), Required: true,
			Doc: "The canonical format this declaration narrows, or custom."},
		{Name: "format_option_id", Go: "OptionID", Type: str(), Doc: "Id that placements refer to; unique in the file."},
	}, formatDetails, []Field{
		{Name: "applies_to_property_ids", Go: "AppliesToPropertyIDs", Type: list(str(pattern(IDPattern)), minItems(1)),
			Doc: "Properties that accept this format, by id."},
		{Name: "applies_to_property_tags", Type: list(str(pattern(IDPattern)), minItems(1)),
			Doc: "Properties that accept this format, by tag; added to the ones given by id."},
		{Name: "params", Type: freeObject(), Required: true,
			Doc: "Limits of the format; which members exist depends on format_kind."},
		{Name: "reference_renderer", Type: object(ReferenceRenderer),
			Doc: "Code that renders the format; in a community format registry only."},
		{Name: "format_revision", Go: "Revision", Type: formatted(SemVer),
			Doc: "Revision of the format; needed with reference_renderer and equal to its format_revision."},
	}),
	Forbidden: []string{"capability_id"},
}

// FormatOption is one entry of a placement's format_options. With format_kind
// it is a declaration of its own, without it a reference; the union of both
// shapes therefore requires neither member.
var FormatOption = &ObjectType{
	Name: "FormatOption",
	Doc:  "a format a placement accepts: a reference to a top-level format, or a declaration in place",
	Fields: slices.Concat([]Field{
		{Name: "format_option_id", Go: "OptionID", Type: str(),
			Doc: "Alone: the top-level format meant; with format_kind: the id of this declaration."},
		{Name: "format_kind", Go: "Kind", Type: enum(FormatKinds),
			Doc: "Makes the entry a declaration of its own; params is then needed too."},
	}, formatDetails, []Field{
		{Name: "params", Type: freeObject(), Doc: "Limits of the format; which members exist depends on format_kind."},
	}),
	AnyOf:     [][]string{{"format_option_id", "format_kind"}},
	Forbidden: []string{"capability_id"},
}

// LocalePolicy limits the languages of a creative.
var LocalePolicy = &ObjectType{
	Name: "LocalePolicy",
	Doc:  "the languages a creative may be in",
	Fields: []Field{
		{Name: "accepted_language_ranges", Type: list(formatted(Locale, length(2, 63)), minItems(1), maxItems(50), unique),
			Doc: "BCP 47 tags in canonical case, for example en or pt-BR; no wildcard."},
	},
}

// FormatSchemaRef points to the JSON Schema of a custom format.
var FormatSchemaRef = &ObjectType{
	Name: "FormatSchemaRef",
	Doc:  "the JSON Schema of a custom format",
	Fields: []Field{
		{Name: "uri", Type: formatted(HTTPS), Required: true, Doc: "Where the schema is."},
		{Name: "digest", Type: formatted(Digest), Required: true,
			Doc: "SHA-256 of the schema, as sha256: and 64 hex digits."},
	},
}

// V1FormatRef names a format of the older model.
var V1FormatRef = &ObjectType{
	Name: "V1FormatRef",
	Doc:  "a named format of the older model",
	Fields: []Field{
		{Name: "agent_url", Type: formatted(URI), Required: true, Doc: "The agent that defines the named format."},
		{Name: "id", Type: str(pattern(`^[a-zA-Z0-9_-]+$`)), Required: true, Doc: "Id of the named format at that agent."},
		{Name: "width", Type: positive(), Doc: "Width in pixels; together with height."},
		{Name: "height", Type: positive(), Doc: "Height in pixels; together with width."},
		{Name: "duration_ms", Go: "DurationMS", Type: number(atLeast(1)), Doc: "Duration in milliseconds."},
		{Name: "pixel_ratio", Type: number(aboveZero), Doc: "Device pixels per logical pixel; needs width and height."},
	},
}

// ReferenceRenderer is a pinned package that renders a format.
var ReferenceRenderer = &ObjectType{
	Name:   "ReferenceRenderer",
	Doc:    "a pinned package that renders a format",
	Closed: true,
	Fields: []Field{
		{Name: "runtime", Type: constant("browser-esm"), Required: true, Doc: "browser-esm."},
		{Name: "package", Type: str(pattern(packagePattern)), Required: true,
			Doc: "Name of the package, with or without a scope."},
		{Name: "version", Type: str(pattern(versionPattern)), Required: true,
			Doc: "One exact version of the package, never a range."},
		{Name: "export", Type: str(length(1, 0)), Required: true, Doc: "The export of the package that renders."},
		{Name: "format_revision", Type: formatted(SemVer), Required: true, Doc: "The format revision this version renders."},
		{Name: "integrity", Type: str(pattern(integrityPattern)), Required: true,
			Doc: "Subresource integrity hash of the package."},
		{Name: "provenance", Type: object(RendererProvenance), Required: true, Doc: "Where and how the package was built."},
	},
}

// RendererProvenance says where a renderer was built.
var RendererProvenance = &ObjectType{
	Name:   "RendererProvenance",
	Doc:    "the repository and workflow that built a renderer",
	Closed: true,
	Fields: []Field{
		{Name: "source_repository", Type: formatted(URI, pattern(`^https://github\.com/`)), Required: true,
			Doc: "The repository on GitHub."},
		{Name: "workflow_path", Type: str(pattern(workflowPattern)), Required: true,
			Doc: "The workflow file that published the package."},
	},
}
