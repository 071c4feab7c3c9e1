package adagents

import (
	"strings"
	"testing"
)

// TestRepairInFewRounds repairs a file with thousands of repeated entries. Each round checks
// the whole file again, so a fix that is found for some of them only would make the work grow
// with the square of their number.
func TestRepairInFewRounds(t *testing.T) {
	t.Parallel()
	const n = 8000
	const entry = `{"url":"https://a.example/mcp","authorized_for":"all","authorization_type":"property_tags","property_tags":["all"]}`
	const property = `{"property_id":"s","property_type":"website","name":"S","identifiers":[{"type":"domain","value":"s.example"}],` +
		`"tags":["all"],"publisher_domain":"s.example"}`
	src := `{"properties":[` + property + `],"authorized_agents":[` + strings.Repeat(entry+",", n-1) + entry + `]}`
	rounds, last := 0, -1
	done := Repair([]byte(src), RepairOptions{Choose: func(text []byte, f *Finding) int {
		if len(text) != last {
			rounds, last = rounds+1, len(text)
		}
		return Safely(text, f)
	}})
	if len(done.Applied) != n-1 || rounds > 3 {
		t.Errorf("%d fixes in %d rounds; want %d in at most 3", len(done.Applied), rounds, n-1)
	}
}
