package discover_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/fetch"
)

// TestBudget runs out of requests at every step of a way.
func TestBudget(t *testing.T) {
	t.Parallel()
	for n, want := range []string{
		"unreachable direct found=false well_known:no_turn fetch.no_turn",
		"unreachable direct found=false well_known:absent ads_txt:no_turn adstxt.unavailable",
		"unreachable direct found=false well_known:absent ads_txt:found manager:no_turn fetch.no_turn",
		"usable ads_txt_managerdomain found=true well_known:absent ads_txt:found manager:found discovery.manager_used",
	} {
		w := web(t, pub, "404", ads, adsTxt, manager, own)
		d, err := finder(w).Domain(fetch.WithBudget(t.Context(), n), "pub.example", discover.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := told(d); got != want || len(w.Requests()) != n {
			t.Errorf("%d requests: %s", n, got)
		}
		for _, f := range d.Findings {
			if f.Code == "fetch.no_turn" && !strings.Contains(f.Message, "used all its requests") {
				t.Error(f.Message)
			}
		}
	}
}

// TestFewerAgents asks as many agents as the caller allows, and then as many as the
// budget does.
func TestFewerAgents(t *testing.T) {
	t.Parallel()
	var sections, agents []string
	for i := range 4 {
		url := fmt.Sprintf("https://a%d.example/mcp", i)
		agents = append(agents, url)
		sections = append(sections, url, "404")
	}
	for most, asked := range map[int]int{0: 4, 2: 2, 3: 3, 1000: 4, -1: 0} {
		w := web(t, sections...)
		checks := finder(w).Agents(t.Context(), agents, discover.ProbeOptions{Most: most})
		unchecked := 0
		for _, c := range checks {
			if c.Reach == discover.AgentUnchecked && c.Message != "" {
				unchecked++
			}
		}
		if len(w.Requests()) != 2*asked || unchecked != 4-asked {
			t.Errorf("%d at most: %d requests, %d unchecked", most, len(w.Requests()), unchecked)
		}
	}
	w := web(t, sections...)
	checks := finder(w).Agents(fetch.WithBudget(t.Context(), 1), agents[:1], discover.ProbeOptions{})
	if len(w.Requests()) != 1 || checks[0].Reach != discover.AgentUnchecked || !strings.Contains(checks[0].Message, "number of requests") {
		t.Errorf("%+v", checks)
	}
}
