package question

import (
	"slices"

	"github.com/avow-project/avow/internal/std/jsontree"
)

// An Interface is a way to ask a question, or a set of them.
type Interface uint16

// The interfaces.
const (
	HTTP    Interface = 1 << iota // GET /api/authorize
	Lines                         // POST /api/authorize/batch
	Tool                          // the MCP tool
	Page                          // the form of the page
	Table                         // a file of questions: avow authorize --batch, and the page
	Flags                         // avow authorize
	Library                       // the npm package
	Listing                       // lists of what an agent may sell: avow resolve, and the npm package
)

const (
	questions  = HTTP | Lines | Tool | Page | Table | Flags | Library
	everywhere = questions | Listing
)

// A Kind is the kind of a member's value.
type Kind uint8

// The kinds. A list may be given as one text.
const (
	Text Kind = iota
	List
	Bool
)

// MaxItems is how many items a list may have. A question is about one purchase; a longer list
// is several questions.
const MaxItems = 100

// A Member is a part of a question.
type Member struct {
	Name    string
	Aliases []string
	Kind    Kind
	// Max is the length of a text, in characters.
	Max int
	// Doc says what it means, in a sentence without a period.
	Doc string
	// On are the interfaces that have it.
	On Interface
	// Tool is the name that its tools document, which clients of other registries know; empty for Name.
	Tool string
	set  func(*Question, []string) error
}

// members is the table. To add a part of a question, add a row.
var members = []Member{
	{Name: "id", Max: 255, On: Lines | Table, Doc: "A label of yours, which the answer repeats",
		set: text(func(q *Question) *string {
			return &q.ID
		})},
	{
		Name: "publisher", Tool: "domain", Aliases: []string{"domain", "publisher_domain"}, Max: 2048, On: everywhere,
		Doc: "The publisher's domain, for example example.com", set: text(func(q *Question) *string { return &q.Publisher }),
	},
	{
		Name: "agent", Tool: "agent_url", Aliases: []string{"agent_url"}, Max: 2048, On: everywhere,
		Doc: "The URL of the agent's endpoint", set: text(func(q *Question) *string { return &q.Agent }),
	},
	{
		Name: "property", Tool: "property_id", Aliases: []string{"property_id"}, Max: 255, On: questions,
		Doc: "The id of a property in the publisher's file", set: text(func(q *Question) *string { return &q.Property }),
	},
	{
		Name: "identifier", Max: 2112, On: questions, set: setIdentifier,
		Doc: "The property by one of its identifiers, TYPE=VALUE, for example domain=www.example.com",
	},
	{
		Name: "identifier_type", Max: 64, On: questions &^ Flags, set: text(func(q *Question) *string {
			return &q.Identifier.Type
		}),
		Doc: "With identifier_value, the same as identifier: the type, for example ios_bundle",
	},
	{
		Name: "identifier_value", Max: 2048, On: questions &^ Flags, set: text(func(q *Question) *string {
			return &q.Identifier.Value
		}),
		Doc: "With identifier_type, the same as identifier: the value",
	},
	{
		Name: "property_type", Max: 64, On: questions,
		Doc: "The type of the property, for example website", set: text(func(q *Question) *string { return &q.PropertyType }),
	},
	{
		Name: "placement", Tool: "placement_ids", Aliases: []string{"placements", "placement_ids", "placement_id"},
		Kind: List, Max: 255, On: questions,
		Doc: "The id of a placement, or several: each gets a verdict, and the verdict is authorized only if all are covered",
		set: list(func(q *Question) *[]string { return &q.Placements }),
	},
	{
		Name: "collection", Tool: "collection_ids", Aliases: []string{"collections", "collection_ids"}, Kind: List, Max: 510,
		On: questions, set: setCollections,
		Doc: "A content program as DOMAIN/ID, or several that the inventory belongs to: one that an entry lists is enough",
	},
	{
		Name: "signal", Tool: "signal_id", Aliases: []string{"signal_id"}, Max: 255, On: questions,
		Doc: "The id of a signal, asked about instead of properties", set: text(func(q *Question) *string {
			return &q.Signal
		}),
	},
	{
		Name: "country", Max: 64, On: everywhere, set: text(func(q *Question) *string { return &q.Country }),
		Doc: "The country the ad is shown in, a code of ISO 3166-1 in two letters; without it, entries limited to " +
			"countries make the verdict conditional",
	},
	{Name: "at", Max: 64, On: everywhere, set: setAt,
		Doc: "The time asked about in RFC 3339, for example 2026-01-02T00:00:00Z; now if it is absent"},
	{
		Name: "brand", Max: 2048, On: HTTP, set: text(func(q *Question) *string { return &q.Brand }),
		Doc: "Compare with the brand.json of the agent's operator: auto looks for it at the agent's host, then at its " +
			"registrable domain; " +
			"an https URL names it. The result is in operator; it never changes the verdict",
	},
	{
		Name: "proofs", Kind: Bool, On: HTTP | Lines | Tool, set: flag(func(q *Question) *bool { return &q.Proofs }),
		Doc: "Add receipt: the inclusion status of the answer in the transparency log, with proofs",
	},
	{
		Name: "refresh", Tool: "force_refresh", Aliases: []string{"force_refresh"}, Kind: Bool, On: Tool,
		set: flag(func(q *Question) *bool {
			return &q.Refresh
		}),
		Doc: "Fetch the publisher's file again although a fresh one is stored; once every 30 seconds at most",
	},
	{
		Name: "property_tags", Kind: List, Max: 255, On: Tool, set: list(func(q *Question) *[]string {
			return &q.PropertyTags
		}),
		Doc: "Tags of properties: all properties with any of them are asked about",
	},
	{
		Name: "placement_tags", Kind: List, Max: 255, On: Tool, set: list(func(q *Question) *[]string {
			return &q.PlacementTags
		}),
		Doc: "Tags of placements: all placements with any of them are asked about",
	},
}

// rows finds a member by any of its names.
var rows = func() map[string]int {
	all := map[string]int{}
	for i := range members {
		for _, name := range append([]string{members[i].Name}, members[i].Aliases...) {
			all[name] = i
		}
	}
	return all
}()

// JSONNames make the parser of JSON recognise the names quickly.
var JSONNames = jsontree.NewNames(Names(everywhere, true))

// Canonical returns the name of the member that a name stands for; empty for none.
func Canonical(name string) string {
	row, ok := rows[name]
	if !ok {
		return ""
	}
	return members[row].Name
}

// Members returns the parts of a question that an interface has, in their order.
func Members(on Interface) []Member {
	return slices.DeleteFunc(slices.Clone(members), func(m Member) bool { return m.On&on == 0 })
}

// Names returns the names of the parts that an interface has, with their other names if wanted.
func Names(on Interface, aliases bool) []string {
	var out []string
	for _, m := range Members(on) {
		out = append(out, m.Name)
		if aliases {
			out = append(out, m.Aliases...)
		}
	}
	return out
}
