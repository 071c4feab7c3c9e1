package adagents

import (
	"slices"
	"strings"
)

// A Severity says how serious a finding is for the author of the file.
type Severity uint8

// The severities. A file is valid when no finding is an Error. No finding is an Alert:
// alerts are events about a file over time that need attention now, see package custody.
const (
	Info Severity = iota + 1
	Warning
	Error
	Alert
)

var severityNames = [...]string{"", "info", "warning", "error", "alert"}

// String returns "info", "warning", "error" or "alert", and nothing for none.
func (s Severity) String() string { return severityNames[s] }

// ParseSeverity is the inverse of String.
func ParseSeverity(s string) (Severity, bool) {
	i := slices.Index(severityNames[1:], s)
	return Severity(i + 1), i >= 0
}

// An Effect says what a consumer of the file does about a finding. It is
// independent of the severity: a typing mistake in a contact is an error of
// the author's and costs the consumer nothing.
type Effect uint8

// The effects.
const (
	// NoEffect: the file is used as if the finding were not there.
	NoEffect Effect = iota
	// DropRef: the reference or list item is left out, its owner is used.
	DropRef
	// EmptyEntry: the agent entry authorizes nothing.
	EmptyEntry
	// SkipEntry: the property, placement, format, signal or agent is left
	// out, the rest of the file is used.
	SkipEntry
	// AbortFile: the file is unusable.
	AbortFile
)

var effectNames = [...]string{"none", "drop reference", "authorizes nothing", "skip entry", "file unusable"}

// String returns the effect in a few words.
func (e Effect) String() string { return effectNames[e] }

// A Rule explains a code: one thing the check looks for or, in the lists of other packages,
// a finding about the way to a file, a reason, an event or the result of a signature. Those
// have no examples, and a code that is not a fault has no severity.
type Rule struct {
	Code     string   // stable, for example "agent.url_missing"
	Severity Severity // in the default profile
	Strict   Severity // in the strict profile; zero means the same
	Effect   Effect
	Title    string // what is wrong, in a few words
	Why      string // why it matters, one to three sentences
	Hint     string // what to do next; a finding may carry a better one
	Spec     string // the public document behind it, with the part of it: "RFC 3339"
	Varies   string // when the severity differs from the above, in words

	// In says what part of a file the two examples are; see Example.
	In        Part
	Bad, Good string
	// Along lists the codes the bad example cannot avoid besides its own.
	Along []string
	given func(*Options)
	fix   remedy
}

// severity returns the severity under a profile.
func (r *Rule) severity(p Profile) Severity {
	if p == Strict && r.Strict != 0 {
		return r.Strict
	}
	return r.Severity
}

// ExampleOptions returns the circumstances under which the rule's examples
// stand, for example that the file is a community mirror.
func (r *Rule) ExampleOptions() Options {
	var opt Options
	if r.given != nil {
		r.given(&opt)
	}
	return opt
}

// effect is what the rules decided about one entry.
type effect struct {
	worst Effect
	// rule is one more than the index of the rule behind it in ruleCodes; of agents only,
	// when the check is over.
	rule uint16
	// cause is one more than the index of the finding that led to it, in the order of
	// discovery; zero when a rule decided without a finding.
	cause uint32
}

func (x *effect) raise(e Effect, cause int) {
	if e > x.worst {
		*x = effect{worst: e, cause: uint32(cause)}
	}
}

// gone reports whether consumers leave the entry out.
func (x effect) gone() bool { return x.worst >= SkipEntry }

// A Part says what part of a file a rule's examples are. The examples
// themselves are kept short; Example sets them into a whole file that is
// otherwise without findings.
type Part uint8

// The parts.
const (
	InFile     Part = iota // the example is a whole file
	InTopLevel             // members of the top level, braces included
	InContact
	InProperty
	InIdentifier
	InCollection
	InPlacement
	InFormatOption
	InFormat
	InParams // params of an image format
	InSignal
	InTags
	InAgent
	InSelector
	InCollectionSelector
	InSigningKey
	InEncryptionKey
	InRevocation
	InFeature
	InStateful   // members of the params of a stateful format, braces included
	InComponents // params of a coordinated format
	InBytes      // a whole file written as a Go string literal's content, not shown as JSON
	InAgents     // the whole authorized_agents array
	InMirror     // a placement of a community mirror, which names no agents
)

// The parts of the surrounding file.
const (
	exampleKey = `{"kid":"k1","kty":"OKP","crv":"Ed25519","alg":"EdDSA","use":"sig","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}`

	exampleHead = `"$schema":"https://adcontextprotocol.org/schemas/v3/adagents.json","catalog_etag":"v1","last_updated":"2026-01-02T00:00:00Z"`

	exampleProperty = `{"property_id":"site","property_type":"website","name":"Example News","identifiers":[{"type":"domain","value":"example.com"}],"tags":["news"],"supported_channels":["display"],"publisher_domain":"example.com"}`

	exampleTags = `"tags":{"news":{"name":"News","description":"News sites"}}`

	exampleAgent = `{"url":"https://agent.example/mcp","authorized_for":"All display inventory","authorization_type":"property_ids","property_ids":["site"],"signing_keys":[` + exampleKey + `]}`

	// The template's own signal keeps its tag and its agent in use, so that
	// the example stands alone.
	exampleSignalAgent = `{"url":"https://agent.example/mcp","authorized_for":"Auto intenders","authorization_type":"signal_ids","signal_ids":["auto_intender"],"signing_keys":[` + exampleKey + `]}`

	exampleCatalog = `"collections":[{"collection_id":"daily","name":"The Daily"}],` +
		`"formats":[{"format_option_id":"mpu","format_kind":"image","display_name":"MPU","params":{"width":300,"height":250}}],` +
		`"placements":[{"placement_id":"home_top","name":"Home top","description":"Top of the home page","property_ids":["site"],"tags":["premium"],"channels":["display"],"format_options":[{"format_option_id":"mpu"}]}],` +
		`"signals":[{"id":"auto_intender","name":"Auto intender","value_type":"binary","tags":["auto"]}],` +
		`"placement_tags":{"premium":{"name":"Premium","description":"Above the fold"}},` +
		`"signal_tags":{"auto":{"name":"Auto","description":"Interest in cars"}}`
)

// templates set a fragment (at §) into a file. A template with a leading
// brace inside the fragment's object adds members the fragment leaves out.
var templates = map[Part]string{
	InTopLevel: `{` + exampleHead + `,"properties":[` + exampleProperty + `],` + exampleTags +
		`,"authorized_agents":[` + exampleAgent + `],§}`,
	InContact: `{` + exampleHead + `,"contact":§,"properties":[` + exampleProperty + `],` + exampleTags +
		`,"authorized_agents":[` + exampleAgent + `]}`,
	InProperty: `{` + exampleHead + `,"properties":[` + exampleProperty + `,§],` + exampleTags +
		`,"authorized_agents":[` + exampleAgent +
		`,{"url":"https://network.example/mcp","authorized_for":"The rest","authorization_type":"property_tags","property_tags":["news"],"signing_keys":[` + exampleKey + `]}]}`,
	InIdentifier: `{` + exampleHead + `,"properties":[` + exampleProperty +
		`,{"property_id":"other","property_type":"mobile_app","name":"Other","identifiers":[{"type":"ios_bundle","value":"com.example.other"},{"type":"domain","value":"other.example.com"},§],"tags":["news"],"publisher_domain":"example.com"}],` + exampleTags + `,"authorized_agents":[` + exampleAgent + `,{"url":"https://network.example/mcp","authorized_for":"The rest","authorization_type":"property_tags","property_tags":["news"],"signing_keys":[` + exampleKey + `]}]}`,
	InCollection: `{` + exampleHead + `,"properties":[` + exampleProperty + `],` + exampleTags +
		`,"collections":[{"collection_id":"daily","name":"The Daily"},§],"authorized_agents":[` + exampleAgent + `]}`,
	InPlacement: `{` + exampleHead + `,"properties":[` + exampleProperty + `],` + exampleTags + `,` +
		exampleCatalog + `,"authorized_agents":[` + exampleAgent + `],"placements+":§}`,
	InMirror: `{` + exampleHead + `,"properties":[` + exampleProperty + `],` + exampleTags + `,` +
		exampleCatalog + `,"authorized_agents":[],"placements+":§}`,
	InFormatOption: `{` + exampleHead + `,"properties":[` + exampleProperty + `],` + exampleTags + `,` +
		exampleCatalog + `,"authorized_agents":[` + exampleAgent +
		`],"placements+":{"placement_id":"article","name":"Article","description":"Inside an article","property_ids":["site"],"format_options":[{"format_option_id":"mpu"},§]}}`,
	InFormat: `{` + exampleHead + `,"properties":[` + exampleProperty + `],` + exampleTags +
		`,"formats":[§],"authorized_agents":[` + exampleAgent + `]}`,
	InParams: `{` + exampleHead + `,"properties":[` + exampleProperty + `],` + exampleTags +
		`,"formats":[{"format_option_id":"mpu","format_kind":"image","params":§}],"authorized_agents":[` + exampleAgent +
		`]}`,
	InSignal: `{` + exampleHead +
		`,"signals":[{"id":"auto_intender","name":"Auto intender","value_type":"binary","tags":["auto"]},§],"signal_tags":{"auto":{"name":"Auto","description":"Interest in cars"}},"authorized_agents":[` + exampleSignalAgent + `]}`,
	InTags: `{` + exampleHead + `,"properties":[` + exampleProperty + `],"authorized_agents":[` +
		exampleAgent + `],§}`,
	InAgent: `{` + exampleHead + `,"properties":[` + exampleProperty + `],` + exampleTags + `,` +
		exampleCatalog + `,"authorized_agents":[` + exampleAgent + `,§]}`,
	InAgents: `{` + exampleHead + `,"properties":[` + exampleProperty + `],` + exampleTags + `,` +
		exampleCatalog + `,"authorized_agents":§}`,
	InSelector: `{` + exampleHead +
		`,"authorized_agents":[{"url":"https://agent.example/mcp","authorized_for":"A network","authorization_type":"publisher_properties","publisher_properties":[{"publisher_domain":"example.org","selection_type":"all"},§],"signing_keys":[` + exampleKey + `]}]}`,
	InCollectionSelector: `{` + exampleHead + `,"properties":[` + exampleProperty + `],` + exampleTags +
		`,"collections":[{"collection_id":"daily","name":"The Daily"}],"authorized_agents":[{"url":"https://agent.example/mcp","authorized_for":"The Daily","authorization_type":"property_ids","property_ids":["site"],"collections":[{"publisher_domain":"example.com","collection_ids":["daily"]},§],"signing_keys":[` + exampleKey + `]},{"url":"https://network.example/mcp","authorized_for":"The rest","authorization_type":"property_tags","property_tags":["news"],"signing_keys":[` + exampleKey + `]}]}`,
	InSigningKey: `{` + exampleHead + `,"properties":[` + exampleProperty + `],` + exampleTags +
		`,"authorized_agents":[{"url":"https://agent.example/mcp","authorized_for":"All display inventory","authorization_type":"property_ids","property_ids":["site"],"signing_keys":[` + exampleKey + `,§]}]}`,
	InEncryptionKey: `{` + exampleHead + `,"properties":[` + exampleProperty + `],` + exampleTags +
		`,"authorized_agents":[{"url":"https://agent.example/mcp","authorized_for":"All display inventory","authorization_type":"property_ids","property_ids":["site"],"encryption_keys":[§],"signing_keys":[` + exampleKey + `]}]}`,
	InRevocation: `{` + exampleHead + `,"properties":[` + exampleProperty + `],` + exampleTags +
		`,"authorized_agents":[` + exampleAgent + `],"revoked_publisher_domains":[§]}`,
	InFeature: `{` + exampleHead + `,"properties":[` + exampleProperty + `],` + exampleTags +
		`,"authorized_agents":[` + exampleAgent + `],"property_features":[§]}`,
	InStateful: `{` + exampleHead + `,"properties":[` + exampleProperty + `],` + exampleTags +
		`,"formats":[{"format_option_id":"skin","format_kind":"seller_rendered_stateful_display","params":{"initial_state_id":"small","user_controls":{"dismissible":true,"user_collapsible":true},§}}],"authorized_agents":[` + exampleAgent + `]}`,
	InComponents: `{` + exampleHead + `,"properties":[` + exampleProperty + `],` + exampleTags +
		`,"formats":[{"format_option_id":"takeover","format_kind":"coordinated_placements","params":§}],"authorized_agents":[` + exampleAgent + `]}`,
}

// Example returns a whole file that contains the fragment as that part.
func Example(in Part, fragment string) []byte {
	template, ok := templates[in]
	if !ok {
		return []byte(fragment)
	}
	fragment = strings.TrimSpace(fragment)
	switch in {
	case InTopLevel, InTags, InStateful:
		// The fragment's members join those of the template.
		fragment = strings.TrimSuffix(strings.TrimPrefix(fragment, "{"), "}")
	case InAgent:
		// Pinned keys are needed on every agent; examples leave them out.
		if !strings.Contains(fragment, `"signing_keys"`) && strings.HasPrefix(fragment, "{") {
			fragment = strings.TrimSuffix(fragment, "}") + `,"signing_keys":[` + exampleKey + `]}`
		}
	case InAgents:
		if !strings.Contains(fragment, `"signing_keys"`) {
			const mark = `"authorization_type"`
			fragment = strings.ReplaceAll(fragment, mark, `"signing_keys":[`+exampleKey+`],`+mark)
		}
	}
	return []byte(strings.Replace(spliceList(template), "§", fragment, 1))
}

// spliceList moves the value of a "name+" member to the end of the list of
// that name, which lets a template share the catalog text with the others.
func spliceList(template string) string {
	const mark = `,"placements+":`
	i := strings.Index(template, mark)
	if i < 0 {
		return template
	}
	extra := strings.TrimSuffix(template[i+len(mark):], "}")
	const list = `"format_options":[{"format_option_id":"mpu"}]}`
	return strings.Replace(template[:i], list, list+","+extra, 1) + "}"
}
