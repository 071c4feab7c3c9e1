package formats

import (
	"slices"

	"github.com/avow-project/avow/adagents"
)

// Codes returns the catalogue of the codes of findings and refusals.
func Codes() []adagents.Rule { return slices.Clone(codes) }

var codes = []adagents.Rule{
	{
		Code: "format.conflict", Title: "the product and the catalog have no creative in common",
		Why: "The two formats are of one kind, and some parameter leaves nothing that satisfies both sides. The refusal " +
			"names it with both values.",
		Hint: "choose another format, or ask the seller to correct the product",
	},
	{
		Code: "format.undecided", Title: "the formats cannot be compared",
		Why: "Values such as slots, states and components are compared as a whole. Two that differ may or may not have " +
			"something in common, so the value is not accepted.",
		Hint: "ask the seller to declare the format as the publisher does",
	},
	{
		Code: "format.overlap", Title: "neither format lies within the other",
		Why:  "Something satisfies both sides, and each side accepts more besides. A strict reader leaves such formats out.",
		Hint: "ask without strict, and keep to what both accept",
	},
	{
		Code: "format.not_offered", Title: "the catalog has no such format on the placement",
		Why:  "The placement is limited to other formats, or the format is declared for other properties.",
		Hint: "choose another format or placement",
	},
	{
		Code: "format.other_publisher", Title: "the format is another publisher's",
		Why:  "A format that is named with its publisher can be used on that publisher's placements alone.",
		Hint: "ask about the publisher of the format",
	},
	{
		Code: "product.formats_missing", Title: "the product declares no format",
		Why:  "The formats of the product are what can be bought. Those of a catalog alone are not.",
		Hint: "ask the seller for format_options",
	},
	{
		Code: "product.format_invalid", Title: "a format of the product is faulty",
		Why:  "The format does not conform, so it is left out. The others count.",
		Hint: "ask the seller to correct it; the message names the rule",
	},
	{
		Code: "product.format_unresolved", Title: "a format is named that is not declared",
		Why:  "A reference leads to no usable declaration, of the publisher or of the product. That format is dropped.",
		Hint: "ask the seller to correct the reference",
	},
	{
		Code: "product.format_outside", Title: "a placement of the product has a format that the product has not",
		Why:  "The formats of the product are the upper bound of those on its placements. One beyond them is not accepted.",
		Hint: "ask the seller to add it to format_options, or to remove it from the placement",
	},
	{
		Code: "product.format_divergent", Title: "format_ids and format_options differ",
		Why:  "A product may carry both, and format_options count. An older id that is in none of them says something else.",
		Hint: "ask the seller to remove the older id, or to link it by v1_format_ref",
	},
	{
		Code: "product.format_ambiguous", Title: "an older format id tells too little",
		Why: "The id belongs to a family of formats and does not say which canonical format it is. It is not compared, " +
			"and so not accepted.",
		Hint: "ask the seller for format_options",
	},
	{
		Code: "product.format_unprojected", Title: "an older format id cannot be translated",
		Why: "Older ids are never compared with declarations as they are. One that stands for no canonical format, or " +
			"contradicts itself, is not accepted.",
		Hint: "ask the seller for format_options",
	},
	{
		Code: "product.format_lossy", Title: "fewer older names than sizes",
		Why:  "A declaration with several sizes needs an older name for each of them.",
		Hint: "ask the seller to add one v1_format_ref for each size",
	},
	{
		Code: "product.member_type", Title: "a member of the product has the wrong type",
		Why:  "A list is expected. What is there instead is taken for an empty list.",
		Hint: "ask the seller to correct the product",
	},
	{
		Code: "product.placement_invalid", Title: "a placement of the product cannot be used",
		Why: "A placement needs a placement_id and the kind publisher_ref with a publisher_domain, or seller_inline, and " +
			"is listed once.",
		Hint: "ask the seller to correct the product",
	},
	{
		Code: "product.placement_unknown", Title: "the publisher has no such placement",
		Why:  "The catalog does not declare the placement, or not in a form that can be used. Nothing is accepted on it.",
		Hint: "check the id, or ask the publisher to declare the placement",
	},
	{
		Code: "product.placement_missing", Title: "the product does not run on the placement",
		Why:  "The product lists its placements, and this one is not among them.",
		Hint: "ask about another placement or product",
	},
	{
		Code: "product.placement_broadened", Title: "the product says more about a placement than its publisher",
		Why: "A product may narrow formats, channels, tags and types of a publisher's placement. Adding to them redefines " +
			"it.",
		Hint: "ask the seller to keep to the publisher's catalog",
	},
	{
		Code: "product.private_field", Title: "the product makes private details of a placement public",
		Why:  "How a placement is delivered is private, whatever the value.",
		Hint: "ask the seller to remove the member",
	},
	{
		Code: "product.selector_invalid", Title: "a selector of the product names no publisher",
		Why:  "A selector needs a publisher_domain or publisher_domains.",
		Hint: "ask the seller to correct the product",
	},
	{
		Code: "product.slice_unresolved", Title: "a selector of the product picks nothing",
		Why: "Without placements a product runs on the properties that its selectors pick. Where those cannot be told, " +
			"nothing is accepted.",
		Hint: "ask the seller to correct the selector",
	},
	{
		Code: "selection.unresolved", Title: "a buyer selects a format that is not accepted",
		Why:  "A reference, or a kind with parameters, leads to no format that can be bought.",
		Hint: "select one of the accepted formats",
	},
	{
		Code: "selection.conflict", Title: "a buyer selects two different things",
		Why:  "References and format_kind with params are two ways to say the same. Here they come to different formats.",
		Hint: "use one of the two",
	},
}
