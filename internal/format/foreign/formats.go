package foreign

// A format is what documents of a format have in common. Members are described as has reads
// them.
type format struct {
	name string // with its article
	home string // the path where such files belong
	list bool   // the document is a list of such objects
	only bool   // an object has no other members
	runs bool   // agents in it are those that an organization runs
	// trust: it is a trust record or a part of one
	trust bool

	schema []string // parts of the names of its schema
	all    []string // members that all have
	some   []string // of these members, an object has at least so many:
	least  int

	agents []string // paths of the URLs of agents
	site   []string // further paths of a URL or the domain of the owner
}

// Where the files about an organization belong that list the agents it runs. The name and the path of a
// trust.json are still experimental, and here alone.
const (
	TrustName = "trust.json"
	TrustHome = "/.well-known/" + TrustName
	BrandHome = "/.well-known/brand.json"
)

// kindsOfAgents are what registries tell agents apart by.
const kindsOfAgents = "=sales|sales_agent|buying|buyer|creative|signals|signal|brand|measurement|governance|si|rights"

// formats are the documents that are recognised; the first that fits decides.
var formats = []format{
	{
		name: "an A2A agent card", home: "/.well-known/agent-card.json",
		all: []string{"name", "skills[]"}, least: 2,
		some: []string{"capabilities{}", "defaultInputModes[]", "defaultOutputModes[]", "protocolVersion",
			"supportedInterfaces[]", "preferredTransport", "additionalInterfaces[]", "provider{}", "securitySchemes{}",
			"authentication{}", "url"},
		agents: []string{"url", "supportedInterfaces[].url", "additionalInterfaces[].url"},
	},
	{
		name: "an MCP server card", home: "/.well-known/mcp.json",
		schema: []string{"modelcontextprotocol.io"},
		all:    []string{"serverInfo{}"}, least: 1,
		some: []string{"protocolVersion", "transport{}", "transports[]", "capabilities{}", "tools?", "instructions"},
		agents: []string{"transport.endpoint", "transport.url", "transports[].endpoint", "transports[].url", "remotes[].url",
			"url"},
	},
	{
		name: "an MCP server's entry in a registry",
		all:  []string{"name", "version"}, some: []string{"remotes[]", "packages[]"}, least: 1,
		agents: []string{"remotes[].url"},
	},
	{name: "the configuration of an MCP client", all: []string{"mcpServers{}"}},
	{
		name: "a list of acknowledgements for a " + TrustName, runs: true, trust: true,
		schema: []string{"/trust-acknowledgements.json"},
		all:    []string{"acknowledgements[]", "next"},
	},
	{
		name: "a " + TrustName, home: TrustHome, runs: true, trust: true, schema: []string{"/trust/v1/" + TrustName},
		some: []string{"grants?", "acknowledgements?", "acknowledgements_url?", "exclusive_grants?"}, least: 1,
		agents: []string{"agents[].url"},
	},
	{name: "a " + TrustName, home: TrustHome, runs: true, trust: true, all: []string{"agents[roles:]"},
		agents: []string{"agents[].url"}},
	{
		name: "a brand.json", home: BrandHome, runs: true,
		schema: []string{"/brand.json", "/brand/"},
		some:   []string{"house?", "house_domain?", "brands[]", "brand_refs?", "brand_agent?", "authorized_operators?"},
		least:  1,
		agents: []string{"house.agents[].url", "brand_agent.url", "agents[].url"},
	},
	{
		name: "a brand.json", home: BrandHome, runs: true,
		all: []string{"id", "names[]"}, some: []string{"logos[]", "colors{}", "keller_type", "tone?", "industries[]"},
		least: 1,
		site:  []string{"url"},
	},
	{name: "a brand.json", home: BrandHome, runs: true, all: []string{"agents[type" + kindsOfAgents + "]"},
		agents: []string{"agents[].url"}},
	{
		name: "a sellers.json", home: "/sellers.json",
		all: []string{"sellers[]"}, some: []string{"version?", "contact_email", "contact_address", "identifiers[]"}, least: 1,
	},
	{
		name: "a TDM reservation (tdmrep.json)", home: "/.well-known/tdmrep.json",
		list: true, all: []string{"location", "tdm-reservation?"},
	},
	{name: "a TDM reservation (tdmrep.json)", home: "/.well-known/tdmrep.json", all: []string{"tdm-reservation?"}},
	{name: "a policy in ODRL", schema: []string{"odrl.jsonld"}, all: []string{"@context?", "permission?"}},
	{name: "an AI policy", some: []string{"ai_policy?", "ai-policy?", "aiPolicy?", "ai_training?", "ai-training?",
		"ai_usage?", "ai_permissions?", "ai_crawlers?", "llm_policy?", "train_ai?", "ai_preferences?"}, least: 1},
	{name: "an AI policy", some: []string{"training?", "inference?", "crawlers?", "user_agents?", "user-agents?",
		"disallow?", "allow?", "attribution?", "permissions?", "rsl?", "scraping?"}, least: 2},
	{name: "an AI plugin manifest", home: "/.well-known/ai-plugin.json",
		all: []string{"schema_version?", "name_for_model"}},
	{name: "a description of an API (OpenAPI)", all: []string{"openapi?"}, some: []string{"info{}", "paths{}"}, least: 1},
	{name: "a description of an API (Swagger)", all: []string{"swagger?"}, some: []string{"info{}", "paths{}"}, least: 1},
	{name: "an agents.json of flows", all: []string{"agentsJson?"}},
	{name: "a JSON Schema", schema: []string{"json-schema.org"}},
	{name: "structured data of a web page (JSON-LD)", schema: []string{"schema.org"}, all: []string{"@context?", "@type?"},
		site: []string{"url"}},
	{name: "a web app manifest", home: "/manifest.json", all: []string{"start_url"},
		some: []string{"icons[]", "display", "name", "short_name"}, least: 1},
	{name: "a package.json of npm", all: []string{"name", "version"},
		some: []string{"dependencies{}", "devDependencies{}", "scripts{}"}, least: 1},
	{name: "the metadata of an OpenID or OAuth server", home: "/.well-known/openid-configuration", all: []string{"issuer"},
		some: []string{"jwks_uri", "authorization_endpoint", "token_endpoint"}, least: 1},
	{name: "a key set (JWKS)", home: "/.well-known/jwks.json", all: []string{"keys[]"}, only: true},
	{name: "a list of app links (assetlinks.json)", home: "/.well-known/assetlinks.json", list: true,
		all: []string{"relation[]", "target{}"}},
	{name: "an apple-app-site-association", home: "/.well-known/apple-app-site-association",
		some: []string{"applinks{}", "webcredentials{}", "appclips{}", "activitycontinuation{}"}, least: 1, only: true},
	{name: "a Global Privacy Control statement", home: "/.well-known/gpc.json", all: []string{"gpc?"}},
	{
		name: "a registry's card of an agent", all: []string{"name", "url", "protocol=mcp|a2a"},
		agents: []string{"url"},
	},
	{name: "a registry's card of an agent", all: []string{"name", "url", "type" + kindsOfAgents}, agents: []string{"url"}},
	{name: "a registry's card of an agent", all: []string{"name", "url", "agent_type" + kindsOfAgents},
		agents: []string{"url"}},
	{name: "a server's error message", all: []string{"error?"},
		some: []string{"message?", "status?", "statusCode?", "code?", "path?", "timestamp?", "success?", "detail?",
			"error_description?"}, only: true},
	{name: "a server's error message", some: []string{"message", "status?", "statusCode?", "code?", "path?", "timestamp?",
		"success?", "detail?", "title", "type", "instance?"}, least: 2, only: true},
}
