package model

// Patterns shared by several members.
const (
	// IDPattern is the form of property ids and property tags.
	IDPattern = `^[a-z0-9_]+$`
	// SignalIDPattern is the form of signal ids.
	SignalIDPattern = `^[a-zA-Z0-9_-]+$`
	// SignalTagPattern is the form of signal tags.
	SignalTagPattern = `^[a-z0-9_-]+$`
)

// File is the top level of an inline file.
var File = &ObjectType{
	Name: "File",
	Doc:  "a publisher's declaration: what inventory exists and which agents may sell it",
	Fields: []Field{
		{Name: "$schema", Go: "Schema", Type: str(),
			Doc: "URL of the JSON Schema, so that editors can check the file while it is typed."},
		{Name: "version", Type: str(),
			Doc: "Version of the declaration, used in files that declare properties and signals together."},
		{Name: "contact", Type: object(Contact), Doc: "Who manages this file: the publisher or a third party."},
		{Name: "catalog_etag", Go: "CatalogETag", Type: str(length(1, 255)),
			Doc: "Opaque version token of the catalog; change it whenever properties, collections, placements, formats, " +
				"signals or their tags change."},
		{Name: "catalog_role", Type: constant("community_format_registry"),
			Doc: "Marks a community format registry; needed when a format names a reference renderer."},
		{Name: "properties", Type: list(object(Property), minItems(1)),
			Doc: "The publisher's properties: sites, apps, stations, screens."},
		{Name: "collections", Type: list(object(Collection)), Doc: "Content programs such as series, podcasts and streams."},
		{Name: "placements", Type: list(object(Placement), minItems(1)), Doc: "The public placement catalog."},
		{Name: "formats", Type: list(object(FormatDeclaration), minItems(1)),
			Doc: "Reusable format declarations that placements refer to by format_option_id."},
		{Name: "signals", Type: list(object(Signal), minItems(1)),
			Doc: "Signals: full definitions, or references to a signal catalog."},
		{Name: "tags", Type: mapOf(object(Tag)), Doc: "Explains the tags used on properties."},
		{Name: "placement_tags", Type: mapOf(object(Tag)),
			Doc: "Explains the tags used on placements and in agents' placement_tags."},
		{Name: "signal_tags", Type: mapOf(object(Tag)), Doc: "Explains the tags used on signals."},
		{Name: "authorized_agents", Go: "Agents", Type: list(object(Agent)), Required: true,
			Doc: "The agents allowed to sell; may be empty in a catalog-only file, which then asserts no sales authorization."},
		{Name: "revoked_publisher_domains", Go: "Revocations", Type: list(object(Revocation)),
			Doc: "Publishers removed from this network file; a listed domain is no longer authorized wherever else it appears."},
		{Name: "property_features", Go: "Features", Type: list(object(Feature)),
			Doc: "Governance agents that hold data about the properties."},
		{Name: "superseded_by", Type: formatted(HTTPS),
			Doc: "Set on a community mirror once the platform publishes its own file: the URL of that file."},
		{Name: "last_updated", Type: formatted(DateTime),
			Doc: "When the file last changed, with offset, for example 2026-01-02T00:00:00Z."},
	},
}

// Pointer is the top level of a file that refers to the authoritative one.
var Pointer = &ObjectType{
	Name: "Pointer",
	Doc:  "a file that only names where the authoritative file is",
	Fields: []Field{
		{Name: "$schema", Go: "Schema", Type: str(),
			Doc: "URL of the JSON Schema, so that editors can check the file while it is typed."},
		{Name: "authoritative_location", Type: formatted(HTTPS), Required: true,
			Doc: "The https URL of the authoritative file; it must answer 200 directly, without any redirect."},
		{Name: "last_updated", Type: formatted(DateTime), Doc: "When this pointer last changed, not the file it points to."},
	},
}

// Contact is the managing entity.
var Contact = &ObjectType{
	Name: "Contact",
	Doc:  "the entity that manages the file",
	Fields: []Field{
		{Name: "name", Type: str(length(1, 255)), Required: true, Doc: "Name of the managing entity."},
		{Name: "email", Type: formatted(Email, length(1, 255)), Doc: "Address for questions about the file."},
		{Name: "domain", Type: formatted(Domain), Doc: "Primary domain of the managing entity."},
		{Name: "seller_id", Type: str(length(1, 255)), Doc: "Identifier in the industry's seller list."},
		{Name: "tag_id", Type: str(length(1, 100)), Doc: "Identifier in the fraud-certification program."},
		{Name: "privacy_policy_url", Type: formatted(URI), Doc: "Privacy policy, for consumer consent flows."},
	},
}

// Property is one site, app, station or screen network.
var Property = &ObjectType{
	Name: "Property",
	Doc:  "a site, app, station, podcast or screen that carries inventory",
	Fields: []Field{
		{Name: "property_id", Go: "ID", Type: str(pattern(IDPattern)),
			Doc: "Stable id, referred to by property_ids; unique within the publisher."},
		{Name: "property_type", Go: "Type", Type: enum(PropertyTypes), Required: true, Doc: "What the property is."},
		{Name: "name", Type: str(), Required: true, Doc: "Name a person recognises."},
		{Name: "identifiers", Type: list(object(Identifier), minItems(1)), Required: true,
			Doc: "How the property is recognised in the market; at least one."},
		{Name: "tags", Type: list(str(pattern(IDPattern)), unique),
			Doc: "Groups the property belongs to, matched by property_tags."},
		{Name: "supported_channels", Go: "Channels", Type: list(enum(Channels), unique),
			Doc: "Advertising channels the property supports."},
		{Name: "publisher_domain", Type: formatted(Domain),
			Doc: "The publisher the property belongs to; needed in a file shared by several publishers."},
	},
}

// Identifier is one name of a property in the market.
var Identifier = &ObjectType{
	Name: "Identifier",
	Doc:  "one way a property is recognised",
	Fields: []Field{
		{Name: "type", Type: enum(IdentifierTypes), Required: true, Doc: "Which name space the value belongs to."},
		{Name: "value", Type: str(length(1, 0)), Required: true,
			Doc: "The identifier itself; for type domain a base domain, one host, or *.domain."},
	},
}

// Tag explains one tag.
var Tag = &ObjectType{
	Name: "Tag",
	Doc:  "what a tag means",
	Fields: []Field{
		{Name: "name", Type: str(), Required: true, Doc: "Name a person recognises."},
		{Name: "description", Type: str(), Required: true, Doc: "What carrying this tag means."},
	},
}

// Revocation removes one publisher from a network's file.
var Revocation = &ObjectType{
	Name: "Revocation",
	Doc:  "a publisher that is no longer part of this network's file",
	Fields: []Field{
		{Name: "publisher_domain", Type: formatted(Domain), Required: true, Doc: "The publisher whose authorization ends."},
		{Name: "revoked_at", Type: formatted(DateTime), Required: true,
			Doc: "When it ended; the revocation takes effect when it is read, whatever this says."},
		{Name: "reason", Type: str(), Doc: "Why, for example relationship_ended."},
	},
}

// Feature is a governance agent with data about the properties.
var Feature = &ObjectType{
	Name: "Feature",
	Doc:  "a governance agent that holds data about the properties",
	Fields: []Field{
		{Name: "url", Go: "URL", Type: formatted(URI), Required: true, Doc: "Endpoint of the governance agent."},
		{Name: "name", Type: str(), Required: true, Doc: "Vendor or agent name."},
		{Name: "features", Type: list(str(), minItems(1)), Required: true,
			Doc: "Ids of the features the agent can report, such as carbon or fraud scores."},
		{Name: "publisher_id", Type: str(), Doc: "The publisher's identifier at that agent."},
	},
}
