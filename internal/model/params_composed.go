package model

// sponsoredPlacementParams are the params of kind sponsored_placement.
func sponsoredPlacementParams() *ObjectType {
	return &ObjectType{
		Name: "SponsoredPlacementParams",
		Doc:  "limits of a placement filled from a catalog",
		Fields: withBase([]Field{
			{Name: "supported_catalog_types",
				Type: list(oneOf("offering", "product", "inventory", "store", "promotion", "hotel", "flight", "job", "vehicle",
					"real_estate", "education", "destination", "app")), Doc: "Accepted kinds of catalog."},
			{Name: "min_items", Type: positive(), Doc: "Fewest catalog items."},
			{Name: "max_items", Type: integer(), Doc: "Most catalog items; not below min_items."},
			{Name: "fanout_mode", Type: oneOf("per_item", "multi_item_in_creative", "single_item"),
				Doc: "Whether items run one by one or together."},
			{Name: "required_catalog_fields", Type: list(str()), Doc: "Fields every catalog item must have."},
			{Name: "supported_id_types",
				Type: list(oneOf("asin", "sku", "gtin", "offering_id", "store_id", "hotel_id", "flight_id", "vehicle_id",
					"listing_id", "program_id", "destination_id", "app_id", "job_id")), Doc: "Accepted kinds of item id."},
			{Name: "hero_asset_supported", Type: boolean(), Doc: "Whether a lead image or video may come along."},
			{Name: "item_production_model",
				Type:    oneOf("buyer_uploaded", "seller_pre_rendered_from_brief", "seller_human_designed", "agent_synthesized"),
				Default: `"buyer_uploaded"`, Doc: "Who makes what is shown for each item."},
			ctvExperience("menu", "squeezeback", "in_scene"),
		}),
	}
}

// responsiveCreativeParams are the params of kind responsive_creative.
func responsiveCreativeParams() *ObjectType {
	return &ObjectType{
		Name: "ResponsiveCreativeParams",
		Doc:  "limits of a pool of assets the surface combines by itself",
		Fields: withBase([]Field{
			{Name: "headlines_min", Type: count(), Doc: "Fewest headlines."},
			{Name: "headlines_max", Type: count(), Doc: "Most headlines; not below headlines_min."},
			headlineChars,
			{Name: "long_headlines_min", Type: count(), Doc: "Fewest long headlines."},
			{Name: "long_headlines_max", Type: count(), Doc: "Most long headlines; not below long_headlines_min."},
			{Name: "long_headline_max_chars", Type: positive(), Doc: "Longest long headline in characters."},
			{Name: "descriptions_min", Type: count(), Doc: "Fewest descriptions."},
			{Name: "descriptions_max", Type: count(), Doc: "Most descriptions; not below descriptions_min."},
			{Name: "description_max_chars", Type: positive(), Doc: "Longest description in characters."},
			{Name: "images_landscape_min", Type: count(), Doc: "Fewest landscape images."},
			{Name: "images_landscape_max", Type: count(), Doc: "Most landscape images; not below images_landscape_min."},
			{Name: "images_landscape_aspect_ratio", Type: str(),
				Doc: "Width to height of landscape images, for example 1.91:1."},
			{Name: "images_square_min", Type: count(), Doc: "Fewest square images."},
			{Name: "images_square_max", Type: count(), Doc: "Most square images; not below images_square_min."},
			{Name: "images_vertical_min", Type: count(), Doc: "Fewest vertical images."},
			{Name: "images_vertical_max", Type: count(), Doc: "Most vertical images; not below images_vertical_min."},
			{Name: "videos_min", Type: count(), Doc: "Fewest videos."},
			{Name: "videos_max", Type: count(), Doc: "Most videos; not below videos_min."},
			{Name: "video_min_duration_ms", Go: "VideoMinDurationMS", Type: positive(), Doc: "Shortest video in milliseconds."},
			{Name: "video_max_duration_ms", Go: "VideoMaxDurationMS", Type: positive(),
				Doc: "Longest video in milliseconds; not below video_min_duration_ms."},
			{Name: "logo_min", Type: count(), Doc: "Fewest logos."},
			{Name: "logo_max", Type: count(), Doc: "Most logos; not below logo_min."},
			{Name: "logo_aspect_ratios", Type: list(str()), Doc: "Accepted width to height of logos, for example 1:1 and 4:1."},
			{Name: "business_name_max_chars", Type: positive(), Doc: "Longest business name in characters."},
			{Name: "asset_image_max_file_size_kb", Go: "AssetImageMaxFileSizeKB", Type: positive(),
				Doc: "Largest image in kilobytes."},
			{Name: "supports_catalog_input", Type: boolean(), Doc: "Whether a catalog can be supplied as well."},
		}),
	}
}

// agentPlacementParams are the params of kind agent_placement.
func agentPlacementParams() *ObjectType {
	return &ObjectType{
		Name: "AgentPlacementParams",
		Doc:  "limits of a mention an AI assistant makes",
		Fields: withBase([]Field{
			{Name: "output_modality", Type: oneOf("text", "audio", "card"), Doc: "How the mention is presented."},
			{Name: "max_mention_length_chars", Type: positive(), Doc: "Longest mention in characters."},
			{Name: "max_mention_duration_ms", Go: "MaxMentionDurationMS", Type: positive(),
				Doc: "Longest spoken mention in milliseconds."},
			{Name: "supports_offering_reference", Type: boolean(), Doc: "Whether the mention can point to an offering."},
			{Name: "supports_landing_page_url", Type: boolean(), Doc: "Whether the mention can carry a link."},
			{Name: "disclosure_required", Type: boolean(), Doc: "Whether the mention must be marked as advertising."},
			{Name: "tone_constraints", Type: list(str()), Doc: "How the mention must or must not sound."},
		}),
	}
}

// coordinatedPlacementsParams are the params of kind coordinated_placements.
func coordinatedPlacementsParams() *ObjectType {
	return &ObjectType{
		Name: "CoordinatedPlacementsParams",
		Doc:  "one creative that fills several placements at once",
		Fields: withBase([]Field{
			{Name: "components", Type: list(object(Component), minItems(2)), Required: true,
				Doc: "The placements filled together; at least two, and at least one of them required."},
			{Name: "shared_slots", Type: list(object(SharedSlot)), Doc: "Assets supplied once for several components."},
		}),
	}
}

// Component is one placement of a coordinated creative.
var Component = &ObjectType{
	Name: "Component",
	Doc:  "one placement of a coordinated creative and its format",
	Fields: []Field{
		{Name: "component_id", Go: "ID", Type: str(pattern(StateIDPattern)), Required: true,
			Doc: "Id of the component, unique within components."},
		{Name: "placement_ref", Type: object(PlacementRef), Required: true, Doc: "The placement this component fills."},
		{Name: "required", Type: boolean(), Required: true,
			Doc: "Whether the creative is incomplete without this component."},
		{Name: "sequence", Type: positive(),
			Doc: "Order of presentation, counted from 1 without gaps; equal numbers appear together."},
		{Name: "serving_policy", Type: oneOf("seller_served_only", "third_party_allowed"),
			Doc: "Whether other ad servers may serve this component."},
		{Name: "canvas_constraints", Type: list(object(CanvasConstraint)), Doc: "Areas of the artwork with special rules."},
		{Name: "format_option_ref", Type: object(FormatOptionRef),
			Doc: "A format declared elsewhere; excludes format_kind and params."},
		{Name: "format_kind", Type: enum(componentKinds()), Doc: "The format declared here, together with params."},
		{Name: "params", Type: freeObject(), Doc: "Limits of the format; which members exist depends on format_kind."},
	},
	AnyOf: [][]string{{"format_option_ref", "format_kind"}},
}

// componentKinds are the kinds a component may have: not another coordinated
// creative, which would nest, and not a custom one, which cannot be checked.
func componentKinds() []string {
	var kinds []string
	for _, k := range FormatKinds {
		if k != "custom" && k != "coordinated_placements" {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// PlacementRef names a placement, possibly of another publisher.
var PlacementRef = &ObjectType{
	Name: "PlacementRef",
	Doc:  "a placement by id",
	Fields: []Field{
		{Name: "publisher_domain", Type: formatted(Domain), Doc: "The publisher that declares the placement."},
		{Name: "placement_id", Type: str(), Required: true, Doc: "Id of the placement."},
	},
}

// FormatOptionRef names a format option from outside the file that declares it.
var FormatOptionRef = &ObjectType{
	Name: "FormatOptionRef",
	Doc:  "a format option by id",
	Fields: []Field{
		{Name: "scope", Type: oneOf("publisher", "product"), Required: true,
			Doc: "Whether the id is looked up in a publisher's file or on the product."},
		{Name: "publisher_domain", Type: formatted(Domain),
			Doc: "With scope publisher: the publisher that declares the option."},
		{Name: "format_option_id", Type: str(), Required: true, Doc: "Id of the format option."},
	},
}

// SharedSlot is an asset several components use.
var SharedSlot = &ObjectType{
	Name: "SharedSlot",
	Doc:  "an asset supplied once and used by several components",
	Fields: []Field{
		{Name: "asset_group_id", Type: str(pattern(IDPattern)), Required: true, Doc: "Name of the slot."},
		{Name: "asset_type", Type: enum(AssetTypes), Required: true, Doc: "What sort of asset goes into the slot."},
		{Name: "required", Type: boolean(), Default: "false", Doc: "Whether the slot must be filled."},
		{Name: "min", Type: count(), Doc: "Fewest assets in the slot."},
		{Name: "max", Type: positive(), Doc: "Most assets in the slot; not below min."},
		{Name: "consumed_by", Type: list(str(), minItems(1), unique), Required: true,
			Doc: "Ids of the components that use the asset."},
	},
}
