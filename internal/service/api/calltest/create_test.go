package calltest

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/avow-project/avow/internal/bench"
)

// requestsToCreate are of many sizes, and some are refused.
func requestsToCreate() []string {
	all := []string{`{`, `[]`, `{}`, `{"authorized_agents": "no"}`, string(bench.Small()), string(bench.Publisher500())}
	for i := range 20 {
		properties := make([]string, 0, 3*i+1)
		for k := range cap(properties) {
			properties = append(properties, fmt.Sprintf(`{"property_id": "p%d_%d", "property_type": "website", "name": "Site %d of %d",
				"identifiers": [{"type": "domain", "value": "site%d.example"}], "tags": ["t%d"]}`, i, k, k, i, k, i))
		}
		all = append(all, fmt.Sprintf(`{"tags": {"t%d": {"name": "T", "description": "T"}}, "properties": [%s], "authorized_agents": [
			{"url": "https://agent%d.example/mcp", "authorized_for": "All", "authorization_type": "property_tags", "property_tags": ["t%d"]}]}`,
			i, strings.Join(properties, ","), i, i))
	}
	return all
}

// TestCreateAtOnce: answers are made in memory that was used for others, and are those
// that each request gets alone.
func TestCreateAtOnce(t *testing.T) {
	t.Parallel()
	requests, w := requestsToCreate(), newWorld(t, "")
	want := make([]answered, len(requests))
	for i, request := range requests {
		want[i] = w.call(http.MethodPost, "/api/adagents/create", request)
	}
	const clients, rounds = 8, 3
	var done sync.WaitGroup
	for c := range clients {
		done.Go(func() {
			for k := range rounds * len(requests) {
				i := (k*(c+1) + c) % len(requests)
				got := w.call(http.MethodPost, "/api/adagents/create", requests[i])
				if got.status != want[i].status || !bytes.Equal(got.body, want[i].body) {
					t.Errorf("%.300s\nis answered with %d\n%.1000s\nand alone with %d\n%.1000s", requests[i], got.status, got.body, want[i].status, want[i].body)
				}
			}
		})
	}
	done.Wait()
}
