package cli

import (
	"strings"
	"testing"
)

const (
	// largeFile is a valid file of more than a megabyte, after its padding.
	largeFile = `{"$schema": "https://adcontextprotocol.org/schemas/v3/adagents.json", "last_updated": "2026-01-02T00:00:00Z", ` +
		`"authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "everything", ` +
		`"authorization_type": "publisher_properties", "publisher_properties": [{"publisher_domain": "p0.example", "selection_type": "all"}]}], ` +
		`"properties": [{"property_id": "site", "property_type": "website", "name": "Site", "identifiers": [{"type": "domain", "value": "p0.example"}, ` +
		`{"type": "domain", "value": "p3.example"}]}]}`
	toNetwork = `{"authoritative_location": "https://network.example/adagents.json", "last_updated": "2026-01-02T00:00:00Z"}`
)

// TestLargeFileShared: the first target and the last one need the same large file,
// and those between hold all the room there is until the first one is shown.
func TestLargeFileShared(t *testing.T) {
	t.Parallel()
	large := largeFile + strings.Repeat(" ", 1_200_000)
	archive := served("p0.example", "delay=400ms", toNetwork) + served("big1.example", "", large) + served("big2.example", "", large) +
		served("p3.example", "", toNetwork) +
		"-- https://network.example/adagents.json --\n200 delay=100ms\nContent-Type: application/json\n\n" + large + "\n"
	_, change := inWeb(t, archive)
	got := run(t, change, "validate", "--quiet", "--timeout", "1m", "p0.example", "big1.example", "big2.example", "p3.example")
	if !strings.Contains(got.stdout, "checked 4 files: 4 valid\n") {
		t.Errorf("%s%s", got.stdout, got.stderr)
	}
}

// TestLargeFilesBehindASlowOne: targets that wait for room because of another one
// do not run out of time.
func TestLargeFilesBehindASlowOne(t *testing.T) {
	t.Parallel()
	large := largeFile + strings.Repeat(" ", 1_200_000)
	archive := served("p0.example", "delay=1h", largeFile)
	for _, name := range []string{"big1.example", "big2.example", "big3.example", "big4.example"} {
		archive += served(name, "", large)
	}
	_, change := inWeb(t, archive)
	got := run(t, change, "validate", "--quiet", "--timeout", "15s", "p0.example", "big1.example", "big2.example", "big3.example", "big4.example")
	if !strings.Contains(got.stdout, "checked 4 files: 4 valid; no answer about 1\n") {
		t.Errorf("%s%s", got.stdout, got.stderr)
	}
}
