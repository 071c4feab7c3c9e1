package main

// document is something public that rules cite.
type document struct {
	Title, Name, Link string
}

// documents are what the specification line of a rule may begin with.
var documents = []document{
	{"AdCP adagents.json Tech Spec", "Ad Context Protocol, adagents.json Tech Spec",
		"https://docs.adcontextprotocol.org/docs/governance/property/adagents"},
	{"AdCP adagents.json schema", "Ad Context Protocol, JSON Schema of adagents.json",
		"https://adcontextprotocol.org/schemas/v3/adagents.json"},
	{"AdCP canonical formats", "Ad Context Protocol, canonical formats",
		"https://docs.adcontextprotocol.org/docs/creative/canonical-formats"},
	{"AdCP URL canonicalization", "Ad Context Protocol, URL canonicalization",
		"https://docs.adcontextprotocol.org/docs/reference/url-canonicalization"},
	{"AdCP brand.json", "Ad Context Protocol, brand.json",
		"https://docs.adcontextprotocol.org/docs/brand-protocol/brand-json"},
	{"IAB Tech Lab ads.txt", "IAB Tech Lab, ads.txt specification", "https://iabtechlab.com/ads-txt/"},
	{"IANA special-purpose address registries", "IANA, special-purpose addresses",
		"https://www.iana.org/assignments/iana-ipv4-special-registry"},
	{"ISO 3166-1", "codes of countries", "https://www.iso.org/iso-3166-country-codes.html"},
	{"Public Suffix List", "names below which anybody can register", "https://publicsuffix.org/"},
	{"RFC", "a document of the IETF by its number", "https://www.rfc-editor.org/"},
	{"BCP 47", "tags for languages", "https://www.rfc-editor.org/info/bcp47"},
	{"avow docs/rules.md", "this page: no other document asks for it, and the rule says why it is there", ""},
}
