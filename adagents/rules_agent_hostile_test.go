package adagents

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// list joins n texts made from their number.
func list(n int, text func(i int) string) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(text(i))
	}
	return b.String()
}

// TestHostileAgents checks files made to cost more than their size. The limit
// is many times what they need, and far below what an approach that is not
// linear would take.
func TestHostileAgents(t *testing.T) {
	t.Parallel()
	const n = 20_000
	ids := `"property_ids":[` + list(n, func(i int) string { return fmt.Sprintf(`"p%d"`, i) }) + `]`
	tags := list(n, func(i int) string { return fmt.Sprintf(`"t%d"`, i) })
	head := `{"url":"https://agent.example/","authorized_for":"x","authorization_type":`
	wide := `"properties":[` + strings.Replace(property("site", "example.com", "x"), `["x"]`, `[`+tags+`]`, 1) + `]`
	place := `"placements":[{"placement_id":"top","name":"n","description":"d","property_tags":[` + tags + `],` + ids + `}]`
	for name, sections := range map[string]string{
		"same agent":     `"authorized_agents":[` + list(n, func(int) string { return head + `"property_tags","property_tags":["a"]}` }) + `]`,
		"undefined ids":  wide + `,"authorized_agents":[` + head + `"property_ids",` + ids + `}]`,
		"repeated id":    wide + `,` + place + `,"authorized_agents":[` + head + `"property_ids","property_ids":[` + list(n, func(int) string { return `"site"` }) + `],"placement_ids":["top"]}]`,
		"repeated place": wide + `,` + place + `,"authorized_agents":[` + head + `"property_tags","property_tags":["zz"],"placement_tags":["x"],"placement_ids":[` + list(n, func(int) string { return `"top"` }) + `]}]`,
		"wide places":    wide + `,` + place + `,"authorized_agents":[` + list(n, func(int) string { return head + `"property_tags","property_tags":["t1"],"placement_ids":["top"]}` }) + `]`,
		"bad countries":  `"authorized_agents":[` + head + `"property_tags","property_tags":["a"],"countries":[` + list(n, func(int) string { return `"us"` }) + `]}]`,
		"selectors": wide + `,"authorized_agents":[` + head + `"publisher_properties","publisher_properties":[` + list(n, func(i int) string {
			return fmt.Sprintf(`{"publisher_domain":"example.com","selection_type":"by_id","property_ids":["a%d"]}`, i)
		}) + `]}]`,
		"keys": `"authorized_agents":[` + head + `"property_tags","property_tags":["a"],"signing_keys":[` + list(n/10, func(int) string { return exampleKey }) + `]}]`,
		"near URLs": `"authorized_agents":[` + list(n, func(i int) string {
			return fmt.Sprintf(`{"url":"https://agent.example/%d/","authorized_for":"x"}`, i/2)
		}) + `]`,
		"signal countries": `"signals":[` + list(200, func(i int) string {
			return fmt.Sprintf(`{"id":"s%d","name":"s","value_type":"binary","countries":["DE"],"tags":["x"]}`, i)
		}) + `],"authorized_agents":[` + list(n, func(int) string { return head + `"signal_tags","signal_tags":["x"],"countries":["US"]}` }) + `]`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := Check([]byte(`{`+sections+`}`), Options{Domain: "example.com"})
			if len(r.Findings) == 0 {
				t.Error("no findings")
			}
		})
	}
}

// FuzzAgent puts arbitrary text where an agent entry belongs. Whatever it is,
// the report must point at places that exist and keep passwords to itself.
func FuzzAgent(f *testing.F) {
	for _, r := range Rules() {
		if r.In == InAgent {
			f.Add(r.Bad)
			f.Add(r.Good)
		}
	}
	f.Add(badURL("https://user:hunter2@seller.example/mcp"))
	f.Fuzz(func(t *testing.T, entry string) {
		src := Example(InAgent, entry)
		r := Check(src, Options{Now: time.Date(2026, 6, 15, 0, 0, 0, 0, time.UTC), Domain: "example.com"})
		if r.Tree() == nil || strings.Contains(fmt.Sprint(r.Findings), "file.duplicate_key") {
			return // of two members with one name, a pointer can only mean one
		}
		for _, f := range r.Findings {
			parent := f.Pointer[:max(0, strings.LastIndexByte(f.Pointer, '/'))]
			if _, ok := r.Tree().Lookup(parent); !ok {
				t.Errorf("%s points at %q", f.Code, f.Pointer)
			}
		}
	})
}
