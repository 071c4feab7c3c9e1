package api

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"reflect"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/ops"
)

// TestDecisionsAgain: a decision that is given again is the one that an API gives that has kept
// nothing, to the byte and at any moment: before, while and after entries hold, and after a change
// of the file.
func TestDecisionsAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, keptDecisionsWeb())
	random := rand.New(rand.NewPCG(19, 57))
	questions := []string{
		"publisher=one.example&agent=https://agent.example/mcp",
		"agent_url=https%3A%2F%2Fagent.example%2Fmcp&publisher=ONE.example&property=site",
		"publisher=one.example&agent=https://later.example/mcp&country=DE",
		"publisher=one.example&agent=https://nobody.example/mcp&identifier=domain=one.example",
		"publisher=two.example&agent=https://agent.example/mcp",
		"publisher=one.example&agent=https://agent.example/mcp&at=2026-03-01T12:00:00Z",
		"publisher=one.example",
	}
	other, again := New(Config{Operations: ops.New(ops.Config{Service: w.service, Now: w.now}), Now: w.now}), 0
	for i := range 200 {
		// Entries begin and end at some of these times, to the nanosecond.
		w.passed.Store(int64(time.Duration(i/20)*time.Hour/2) + int64(random.IntN(7)) - 3)
		if random.IntN(20) == 0 {
			_, err := w.service.Custody(t.Context(), "one.example", true)
			if err != nil {
				t.Fatal(err)
			}
		}
		path := "/api/authorize?" + questions[random.IntN(len(questions))]
		key := keptKey{"authorize", path[len("/api/authorize?"):]}
		before, _ := w.api.answers.Get(key)
		got := decide(w.api, path)
		after, _ := w.api.answers.Get(key)
		if before != nil && before == after {
			again++
		}
		other.answers = newKeptAnswers()
		want := decide(other, path)
		if got.Code != want.Code || got.Body.String() != want.Body.String() || !reflect.DeepEqual(got.Header(), want.Header()) {
			t.Fatalf("%s at %s: the answer is\n%v %s\nand not\n%v %s", path, w.now(), got.Header(), got.Body, want.Header(), want.Body)
		}
	}
	if again == 0 {
		t.Error("no decision was given again")
	}
}

func decide(a *API, path string) *httptest.ResponseRecorder {
	out := httptest.NewRecorder()
	a.Handler().ServeHTTP(out, httptest.NewRequest(http.MethodGet, path, nil))
	return out
}

// keptDecisionsWeb has a publisher whose file changes ten times and has entries that begin and end, and
// one with a plain file.
func keptDecisionsWeb() string {
	site := func(domain, agents string) string {
		return fmt.Sprintf(`"properties": [{"property_id": "site", "property_type": "website", "name": "Site", "identifiers": [{"type": "domain", "value": %q}]}], "authorized_agents": [%s]}`, domain, agents)
	}
	entry := func(agent, more string) string {
		return fmt.Sprintf(`{"url": %q, "authorized_for": "All", "authorization_type": "property_ids", "property_ids": ["site"]%s}`, agent, more)
	}
	const head = "200%s\nContent-Type: application/json\nCache-Control: max-age=86400\n\n"
	web := "-- https://two.example/.well-known/adagents.json --\n" + fmt.Sprintf(head, "") +
		`{"last_updated": "2026-02-01T00:00:00Z", ` + site("two.example", entry("https://agent.example/mcp", "")) + "\n"
	for i := range 10 {
		agents := entry("https://agent.example/mcp", `, "effective_until": "2026-03-01T14:00:00Z"`) + "," +
			entry("https://later.example/mcp", `, "effective_from": "2026-03-01T13:00:00Z", "effective_until": "2026-03-01T15:00:00Z", "countries": ["DE"]`)
		if i%2 == 1 {
			agents = entry("https://later.example/mcp", `, "exclusive": true, "effective_from": "2026-03-01T16:00:00Z"`)
		}
		times := " times=1"
		if i == 9 {
			times = ""
		}
		web += "-- https://one.example/.well-known/adagents.json --\n" + fmt.Sprintf(head, times) +
			fmt.Sprintf(`{"last_updated": "2026-02-01T00:%02d:00Z", `, i) + site("one.example", agents) + "\n"
	}
	return web
}
