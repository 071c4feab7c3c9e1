package model

// The trust record of AdCP 3.3, which is experimental: what an organization says about the agents that
// it runs. Nothing here depends on one; these tables are for telling whether one has the right shape.

const (
	trustDomain     = `^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$`
	trustToken      = `^[a-z0-9-]+:[a-z0-9_.-]+$`
	trustWord       = `^[a-z0-9-]+$`
	trustThumbprint = `^[A-Za-z0-9_-]{43}$`
	trustBrand      = `^(?:\*|[a-z0-9_]+)$`
)

// Words of the namespace adcp, which is closed; those of others are free.
var (
	TrustRoles = []string{
		"adcp:brand", "adcp:rights", "adcp:measurement", "adcp:governance", "adcp:creative", "adcp:sales", "adcp:buying",
		"adcp:signals",
	}
	TrustScopes = []string{
		"adcp:all", "adcp:media_buying", "adcp:creative_generation", "adcp:rights_clearance", "adcp:governance",
		"adcp:measurement", "adcp:agent_operations", "adcp:brand_identity",
	}
)

// Trust has the objects of a trust.json and of its acknowledgements. They are no part of an adagents.json,
// so Objects does not have them. The profiles are what members of that name have under adcp.
var Trust = struct {
	Pointer, Record, Acknowledgements                  *ObjectType
	AgentProfile, GrantProfile, AcknowledgementProfile *ObjectType
}{trustPointer, trustRecord, trustAcknowledgements, trustAgentProfile, trustGrantProfile, trustAcknowledgementProfile}

// trustPointer is a trust.json that names another place.
var trustPointer = &ObjectType{
	Name: "TrustPointer", Doc: "the place of a trust record", Closed: true,
	Fields: []Field{
		{Name: "$schema", Type: str()},
		{Name: "authoritative_location", Type: formatted(HTTPS), Required: true,
			Doc: "Where the record is; not another pointer."},
		{Name: "last_updated", Type: formatted(DateTime)},
	},
}

// trustRecord is a trust.json.
var trustRecord = &ObjectType{
	Name: "TrustRecord", Doc: "a trust record", Closed: true,
	Fields: []Field{
		{Name: "$schema", Type: str()},
		{Name: "version", Type: str()},
		{Name: "last_updated", Type: formatted(DateTime)},
		{Name: "agents", Type: list(object(trustAgent)), Doc: "The agents that the organization runs."},
		{Name: "grants", Type: list(object(trustGrant)), Doc: "What other organizations may do for this one."},
		{Name: "exclusive_grants", Type: boolean(), Doc: "Whether the grants are all that there are."},
		{Name: "acknowledgements", Type: list(object(trustAcknowledgement)),
			Doc: "Authorizations by others that the organization confirms."},
		{Name: "acknowledgements_url", Type: formatted(HTTPS), Doc: "Where they are, on the same host."},
		{Name: "profiles", Type: mapOf(freeObject())},
		{Name: "ext", Type: mapOf(freeObject())},
	},
	AnyOf: [][]string{{"agents", "grants", "acknowledgements", "acknowledgements_url", "profiles"}},
}

// trustAcknowledgements is a part of the acknowledgements of a record.
var trustAcknowledgements = &ObjectType{
	Name: "TrustAcknowledgements", Doc: "acknowledgements of a trust record", Closed: true,
	Fields: []Field{
		{Name: "$schema", Type: str()},
		{Name: "last_updated", Type: formatted(DateTime)},
		{Name: "acknowledgements", Type: list(object(trustAcknowledgement)), Required: true,
			Doc: "Authorizations by others that the organization confirms."},
		{Name: "next", Type: formatted(HTTPS), Doc: "Where the next part is, on the same host."},
	},
}

var (
	trustAgent = &ObjectType{
		Name: "TrustAgent", Doc: "an agent of a trust record", Closed: true,
		Fields: []Field{
			{Name: "url", Type: formatted(HTTPS), Required: true, Doc: "Its endpoint, on a host of the organization."},
			{Name: "roles", Type: list(str(pattern(trustToken)), minItems(1), unique), Required: true,
				Doc: "What it does, such as adcp:sales."},
			{Name: "protocols", Type: list(oneOf("mcp", "a2a"), unique)},
			{Name: "id", Type: str()},
			{Name: "description", Type: str()},
			{Name: "key_thumbprints", Type: list(str(pattern(trustThumbprint)), minItems(1), unique),
				Doc: "RFC 7638 thumbprints of the keys of its origin that are its own."},
			{Name: "countries", Type: list(formatted(Country))},
			{Name: "profiles", Type: mapOf(freeObject())},
			{Name: "last_updated", Type: formatted(DateTime)},
		},
	}
	trustGrant = &ObjectType{
		Name: "TrustGrant", Doc: "a grant of a trust record", Closed: true,
		Fields: []Field{
			{Name: "grantee", Type: str(pattern(trustDomain), length(1, 253)), Required: true,
				Doc: "The domain of the other organization."},
			{Name: "scopes", Type: list(str(pattern(`^(?:\*|[a-z0-9-]+:[a-z0-9_.-]+)$`)), minItems(1), unique), Required: true,
				Doc: "What it may do, such as adcp:media_buying."},
			{Name: "agents", Type: list(object(&ObjectType{
				Name: "TrustGrantAgent", Doc: "an agent of a grant", Closed: true,
				Fields: []Field{{Name: "url", Type: formatted(HTTPS), Required: true, Doc: "Its endpoint."}},
			}), minItems(1))},
			{Name: "countries", Type: list(formatted(Country))},
			{Name: "valid_from", Type: formatted(DateTime)},
			{Name: "valid_until", Type: formatted(DateTime)},
			{Name: "profiles", Type: mapOf(freeObject())},
			{Name: "last_updated", Type: formatted(DateTime)},
		},
	}
	trustAcknowledgement = &ObjectType{
		Name: "TrustAcknowledgement", Doc: "an acknowledgement of a trust record", Closed: true,
		Fields: []Field{
			{Name: "grantor", Type: str(pattern(trustDomain), length(1, 253)), Required: true,
				Doc: "The domain of the publisher or brand that authorizes the agent."},
			{Name: "agent_url", Type: formatted(HTTPS), Required: true, Doc: "The agent, which is one of the record's."},
			{Name: "via", Type: oneOf("adcp:adagents", "adcp:trust"), Required: true,
				Doc: "The file that authorizes it: adcp:adagents or adcp:trust."},
			{Name: "profiles", Type: mapOf(freeObject())},
			{Name: "last_updated", Type: formatted(DateTime)},
		},
	}
	// trustAgentProfile, trustGrantProfile and trustAcknowledgementProfile are what profiles have under adcp.
	trustAgentProfile = &ObjectType{
		Name: "TrustAgentProfile", Doc: "what AdCP adds to an agent of a trust record",
		Fields: []Field{
			{Name: "available_uses", Type: list(str(), minItems(1))},
			{Name: "right_types", Type: list(str(), minItems(1))},
			{Name: "signing_profiles", Type: list(oneOf("wba", "adcp-rfc9421"), minItems(1), unique)},
		},
	}
	trustGrantProfile = &ObjectType{
		Name: "TrustGrantProfile", Doc: "what AdCP adds to a grant of a trust record",
		Fields: []Field{{Name: "brands", Type: list(str(pattern(trustBrand)), minItems(1))}},
	}
	trustAcknowledgementProfile = &ObjectType{
		Name: "TrustAcknowledgementProfile", Doc: "what AdCP adds to an acknowledgement of a trust record",
		Fields: []Field{{Name: "delegation_type", Type: enum(DelegationTypes)}},
	}
)
