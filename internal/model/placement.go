package model

import "slices"

// PrivateMembers are names that a seller's own inventory registry uses and that have no
// place in a public file.
var PrivateMembers = []string{"visibility", "source", "origin", "delivery_mappings"}

// Placement is one entry of the public placement catalog.
var Placement = &ObjectType{
	Name: "Placement",
	Doc:  "a public placement: where an ad can run and in which formats",
	Fields: []Field{
		{Name: "placement_id", Go: "ID", Type: str(length(1, 0)), Required: true,
			Doc: "Stable id, unique in the file; reusing an id means the same placement."},
		{Name: "name", Type: str(length(1, 0)), Required: true, Doc: "Name a person recognises."},
		{Name: "description", Type: str(), Doc: "What the placement is, in a sentence."},
		{Name: "property_ids", Go: "PropertyIDs", Type: list(str(pattern(IDPattern)), minItems(1)),
			Doc: "Properties the placement can run on, by id."},
		{Name: "property_tags", Type: list(str(pattern(IDPattern)), minItems(1)),
			Doc: "Properties the placement can run on, by tag."},
		{Name: "collection_ids", Go: "CollectionIDs", Type: list(str(), minItems(1)),
			Doc: "Collections the placement belongs to."},
		{Name: "tags", Type: list(str(), unique), Doc: "Groups the placement belongs to, explained in placement_tags."},
		{Name: "channels", Type: list(enum(Channels), minItems(1), unique), Doc: "Advertising channels of the placement."},
		{Name: "format_options", Type: list(object(FormatOption), minItems(1)),
			Doc: "Supported formats: references to top-level formats, or inline declarations."},
		{Name: "identifiers", Type: list(object(Identifier), minItems(1), unique),
			Doc: "Public identifiers of the placement, such as a screen; those of an authority begin with its name, for " +
				"example geopath:123."},
		{Name: "dooh_placement_attributes", Go: "DOOH", Type: object(DOOHPlacement),
			Doc: "Where a screen in a public place stands."},
		{Name: "presentation_ref", Type: object(PresentationRef), Doc: "A document that describes how the placement looks."},
		{Name: "preview_provider", Type: object(PreviewProvider), Doc: "An agent that renders previews for this placement."},
		{Name: "video_placement_types", Type: list(enum(VideoPlacementTypes), minItems(1), unique),
			Doc: "Kinds of video placement."},
		{Name: "audio_distribution_types", Type: list(enum(AudioDistributionTypes), minItems(1), unique),
			Doc: "Kinds of audio distribution."},
		{Name: "sponsored_placement_types", Type: list(enum(SponsoredPlacementTypes), minItems(1), unique),
			Doc: "Kinds of sponsored placement."},
		{Name: "social_placement_surfaces", Type: list(enum(SocialPlacementSurfaces), minItems(1), unique),
			Doc: "Social surfaces the placement runs on."},
		{Name: "ext", Type: Type{Kind: Object}, Doc: "Vendor data; nothing private belongs here."},
	},
	AnyOf:     [][]string{{"property_ids", "property_tags"}},
	Forbidden: append(slices.Clone(PrivateMembers), "format_ids"),
}

// DOOHPlacement is what there is to say about a screen in a public place.
var DOOHPlacement = &ObjectType{
	Name:       "DOOHPlacement",
	Doc:        "a screen in a public place",
	MinMembers: 1,
	Fields: []Field{
		{Name: "location", Type: object(DOOHLocation), Doc: "Where the screen stands."},
	},
}

// DOOHLocation is where a screen stands.
var DOOHLocation = &ObjectType{
	Name:       "DOOHLocation",
	Doc:        "a place by its coordinates or its address",
	MinMembers: 1,
	Fields: []Field{
		{Name: "lat", Type: number(atLeast(-90), atMost(90)), Doc: "Latitude in degrees; together with lon."},
		{Name: "lon", Type: number(atLeast(-180), atMost(180)), Doc: "Longitude in degrees; together with lat."},
		{Name: "address", Type: object(DOOHAddress), Doc: "The address of the place."},
	},
	Together: [][]string{{"lat", "lon"}},
}

// DOOHAddress is the address of a screen.
var DOOHAddress = &ObjectType{
	Name:       "DOOHAddress",
	Doc:        "a postal address",
	MinMembers: 1,
	Fields: []Field{
		{Name: "line1", Type: str(), Doc: "Street and number."},
		{Name: "line2", Type: str(), Doc: "Building, floor or the like."},
		{Name: "city", Type: str(), Doc: "Town or city."},
		{Name: "region", Type: str(), Doc: "State, province or county."},
		{Name: "postal_code", Type: str(), Doc: "Postal code."},
		{Name: "country", Type: formatted(Country), Doc: "Country as an ISO 3166-1 alpha-2 code."},
	},
}

// PresentationRef points to a presentation document.
var PresentationRef = &ObjectType{
	Name:   "PresentationRef",
	Doc:    "a presentation document and its digest",
	Closed: true,
	Fields: []Field{
		{Name: "uri", Go: "URI", Type: formatted(HTTPS), Required: true, Doc: "Where the document is."},
		{Name: "digest", Type: formatted(Digest), Required: true,
			Doc: "SHA-256 of the document, as sha256: and 64 hex digits."},
		{Name: "media_type", Type: constant("application/vnd.adcp.placement-presentation+json"), Required: true,
			Doc: "Media type of the document."},
		{Name: "schema_version", Type: constant("1.0"), Required: true, Doc: "Version of the document's schema."},
	},
}

// PreviewProvider is an agent that renders previews.
var PreviewProvider = &ObjectType{
	Name:   "PreviewProvider",
	Doc:    "an agent the publisher designates for previews",
	Closed: true,
	Fields: []Field{
		{Name: "agent_url", Go: "AgentURL", Type: formatted(HTTPS), Required: true, Doc: "Endpoint of the preview agent."},
		{Name: "authority", Type: constant("publisher_designated"), Required: true, Doc: "publisher_designated."},
		{Name: "routes", Type: list(object(PreviewRoute), minItems(1)), Required: true,
			Doc: "Which capability renders which format option."},
	},
}

// PreviewRoute maps a format option to a capability of the preview agent.
var PreviewRoute = &ObjectType{
	Name:   "PreviewRoute",
	Doc:    "the capability that renders one format option",
	Closed: true,
	Fields: []Field{
		{Name: "format_option_id", Go: "FormatOptionID", Type: str(length(1, 0)), Required: true,
			Doc: "A format option listed on the same placement."},
		{Name: "capability_id", Go: "CapabilityID", Type: str(pattern(`^[a-zA-Z0-9_-]+$`)), Required: true,
			Doc: "The preview agent's capability."},
		{Name: "covers_placement_presentation", Type: boolean(), Default: "false",
			Doc: "Whether the preview shows the placement's surroundings too."},
	},
}
