package custody_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/custody"
)

// TestCompareReach compares network files and counts whom the changes are about.
func TestCompareReach(t *testing.T) {
	t.Parallel()
	property := func(id, owner, tag string) string {
		return fmt.Sprintf(`{"property_id":%q,"property_type":"website","name":"P","publisher_domain":%q,"tags":[%q],"identifiers":[{"type":"domain","value":"%s.example"}]}`, id, owner, tag, id)
	}
	all := []string{property("p", "a.example", "x"), property("q", "a.example", "y"), property("r", "B.example", "x")}
	file := func(properties []string, entries ...string) *adagents.File {
		return parse(t, `{"properties":[`+strings.Join(properties, ",")+`],"authorized_agents":[`+strings.Join(entries, ",")+`]}`)
	}
	agent := func(url, rest string) string {
		return `{"url":"https://` + url + `/","authorized_for":"x",` + rest + `}`
	}
	selector := func(rest string) string {
		return `"authorization_type":"publisher_properties","publisher_properties":[` + rest + `]`
	}
	whole := func(domains string) string {
		return selector(`{"publisher_domains":[` + domains + `],"selection_type":"all"}`)
	}
	base := agent("one.example", whole(`"a.example","b.example","c.example"`))
	revoked := parse(t, `{"authorized_agents":[],"revoked_publisher_domains":[{"publisher_domain":"a.example","revoked_at":"2026-01-01T00:00:00Z"}]}`)
	nobody := parse(t, `{"authorized_agents":[]}`)
	tests := []struct {
		name      string
		old, next *adagents.File
		want      custody.Reach
	}{
		{"nothing", file(all, base), file(all, base), custody.Reach{}},
		{"no file before", nil, file(all, base), custody.Reach{Agents: 1, Publishers: 3, Properties: 3}},
		{"property gone", file(all, base), file(all[1:], base), custody.Reach{Publishers: 1, Properties: 1}},
		{"property described", file(all, base), file([]string{all[0], all[1], strings.Replace(all[2], `"P"`, `"R"`, 1)}, base), custody.Reach{Publishers: 1, Properties: 1}},
		{"publisher added", file(all, base), file(all, agent("one.example", whole(`"a.example","b.example","c.example","d.example"`))), custody.Reach{Agents: 1, Publishers: 1}},
		{"publisher removed", file(all, base), file(all, agent("one.example", whole(`"b.example","c.example"`))), custody.Reach{Agents: 1, Publishers: 1, Properties: 2}},
		{"other countries", file(all, base), file(all, strings.Replace(base, `"x"`, `"x","countries":["DE"]`, 1)), custody.Reach{Agents: 1, Publishers: 3, Properties: 3}},
		{"other words", file(all, base), file(all, strings.Replace(base, `"x"`, `"y"`, 1)), custody.Reach{Agents: 1}},
		{"key", file(all, base), file(all, strings.Replace(base, `"x"`, `"x","signing_keys":[`+keyOne+`]`, 1)), custody.Reach{Agents: 1, Publishers: 3, Properties: 3}},
		{"agent by tag", file(all, base), file(all, base, agent("two.example", `"authorization_type":"property_tags","property_tags":["x"]`)), custody.Reach{Agents: 1, Publishers: 2, Properties: 2}},
		{"agent by id", file(all, base), file(all, base, agent("two.example", `"authorization_type":"property_ids","property_ids":["q"]`)), custody.Reach{Agents: 1, Publishers: 1, Properties: 1}},
		{"selector by id", file(all, agent("one.example", selector(`{"publisher_domain":"a.example","selection_type":"by_id","property_ids":["p","q"]}`))), file(all, agent("one.example", selector(`{"publisher_domain":"a.example","selection_type":"by_id","property_ids":["p"]}`))), custody.Reach{Agents: 1, Publishers: 1, Properties: 1}},
		{"selector by tag", file(all), file(all, agent("one.example", selector(`{"publisher_domains":["a.example","b.example"],"selection_type":"by_tag","property_tags":["y"]}`))), custody.Reach{Agents: 1, Publishers: 2, Properties: 1}},
		{"revoked", nobody, revoked, custody.Reach{Publishers: 1}},
		{"reinstated", revoked, nobody, custody.Reach{Publishers: 1}},
	}
	for _, tc := range tests {
		changes, got := custody.CompareReach(tc.old, tc.next)
		if got != tc.want {
			t.Errorf("%s: %+v instead of %+v, with %s", tc.name, got, tc.want, changeCodes(changes))
		}
	}
}

// TestDifference has what is said about the values before and after a change.
func TestDifference(t *testing.T) {
	t.Parallel()
	list := func(n int) string {
		var ids []string
		for i := range n {
			ids = append(ids, fmt.Sprintf(`"p%02d"`, i))
		}
		return `"placement_ids":[` + strings.Join(ids, ",") + `]`
	}
	named := func(name string) string { return strings.Replace(agentFile(``), `"P"`, `"`+name+`"`, 1) }
	tests := []struct{ old, next, want string }{
		{agentFile(`"countries":["DE","AT"]`), agentFile(`"countries":["DE"]`), "AT, DE -> DE"},
		{agentFile(``), agentFile(`"countries":["DE"]`), "all countries -> DE"},
		{agentFile(list(8)), agentFile(list(2)), "p00, p01, p02, p03, p04, p05, p06, p07 -> p00, p01"},
		{agentFile(list(9)), agentFile(list(2)), "9 -> 2: removed p02, p03, p04, p05, p06 and 2 more"},
		{agentFile(list(9)), agentFile(``), "9 -> all"},
		{agentFile(`"collections":[{"publisher_domain":"A.example","collection_ids":["c"]}]`), agentFile(``), "a.example/c -> all"},
		{agentFile(`"delegation_type":"direct"`), agentFile(`"delegation_type":"delegated"`), "direct -> delegated"},
		{agentFile(`"delegation_type":"direct"`), agentFile(``), "direct -> none"},
		{agentFile(``), agentFile(`"effective_until":"2030-01-01T00:00:00Z"`), "always -> until 2030-01-01T00:00:00Z"},
		{agentFile(`"effective_from":"2026-01-02T00:00:00Z"`), agentFile(`"effective_from":"2026-01-01T00:00:00Z","effective_until":"2030-01-01T00:00:00Z"`), "from 2026-01-02T00:00:00Z -> from 2026-01-01T00:00:00Z until 2030-01-01T00:00:00Z"},
		{agentFile(`"exclusive":true`), agentFile(``), ""},
		{agentFile(`"signing_keys":[` + keyOne + `]`), agentFile(`"signing_keys":[` + keyOther + `]`), "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k -> poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U"},
		{named("A"), named("B"), "name A -> name B"},
		{strings.Replace(named("A"), `,"tags":["x"]`, `,"tags":["x","y"]`, 1), named("A"), "tags x y -> tags x"},
		{`{"authorized_agents":[],"contact":{"name":"A","email":"a@a.example"}}`, `{"authorized_agents":[],"contact":{"name":"A","email":"b@a.example"}}`, "email a@a.example -> email b@a.example"},
		{`{"authorized_agents":[],"contact":{"name":"A","email":"a@a.example"}}`, `{"authorized_agents":[],"contact":{"name":"B"}}`, "A -> B"},
	}
	for _, tc := range tests {
		changes := custody.Compare(parse(t, tc.old), parse(t, tc.next))
		if !slices.ContainsFunc(changes, func(c custody.Change) bool { return c.Difference() == tc.want }) {
			t.Errorf("no change says %q: %s, %q", tc.want, changeCodes(changes), changes[0].Difference())
		}
	}
}
