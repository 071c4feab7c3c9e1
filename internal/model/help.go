package model

// sources says where in the file the values of a member come from, for completions and for
// going from an id to what it names: "properties.property_id" for a member of the objects in a
// list, "tags" for the names of a map. A member is named alone, or with its object where others
// have the same name.
var sources = map[string][]string{
	"property_ids": {"properties.property_id"}, "applies_to_property_ids": {"properties.property_id"},
	"property_tags": {"properties.tags", "tags"}, "applies_to_property_tags": {"properties.tags", "tags"},
	"placement_ids": {"placements.placement_id"}, "placement_tags": {"placements.tags", "placement_tags"},
	"collection_ids": {"collections.collection_id"}, "signal_ids": {"signals.id"},
	"signal_tags":   {"signals.tags", "signal_tags"},
	"Property.tags": {"tags", "properties.tags"}, "Placement.tags": {"placement_tags", "placements.tags"},
	"Signal.tags":                     {"signal_tags", "signals.tags"},
	"FormatOption.format_option_id":   {"formats.format_option_id"},
	"RelatedCollection.collection_id": {"collections.collection_id"},
}

// SourcesOf returns where in the file the values of a member of an object come from; nothing
// when they may be anything.
func SourcesOf(o *ObjectType, member string) []string {
	list, ok := sources[o.Name+"."+member]
	if ok {
		return list
	}
	return sources[member]
}

// UsualWords are values that are usual where others are allowed, too, by object and member.
var UsualWords = map[string][]string{
	"Revocation.reason": RevocationReasons, "Signal.category": SignalCategories,
	"FormatDeclaration.format_shape": FormatShapes, "FormatOption.format_shape": FormatShapes,
	"SigningKey.kty": {"OKP", "EC"}, "SigningKey.alg": {"EdDSA", "ES256"}, "SigningKey.crv": {"Ed25519", "P-256"},
	"SigningKey.use": {"sig"}, "SigningKey.adcp_use": {"request-signing", "response-signing", "webhook-signing"},
	"File.$schema": {"https://adcontextprotocol.org/schemas/v3/adagents.json"},
}
