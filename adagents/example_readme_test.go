package adagents_test

import (
	"fmt"
	"time"

	"github.com/avow-project/avow/adagents"
)

// The code the README shows, so that it compiles.
func ExampleCheck_readme() {
	src := []byte(`{
  "$schema": "https://adcontextprotocol.org/schemas/v3/adagents.json",
  "last_updated": "2026-01-01T00:00:00Z",
  "properties": [{"property_id": "site", "property_type": "website", "name": "News",
    "identifiers": [{"type": "domain", "value": "publisher.example"}]}],
  "authorized_agents": [
    {"url": "https://one.example/mcp", "authorized_for": "The site",
      "authorization_type": "property_ids", "property_ids": ["site"]},
    {"url": "https://two.example/mcp", "authorized_for": "The app",
      "authorization_type": "property_ids", "property_ids": ["app"]}
  ]
}`)
	now := func() time.Time { return time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC) }
	time := struct{ Now func() time.Time }{now}
	// README begins
	report := adagents.Check(src, adagents.Options{Now: time.Now()})
	for _, f := range report.Findings {
		fmt.Println(f.Line, f.Column, f.Severity, f.Pointer, f.Message)
	}
	if file := report.File; file != nil {
		fmt.Println(file.UsableAgents(), "agents,", len(file.Properties), "properties usable")
	}
	// README ends

	// Output:
	// 1 1 info /catalog_etag the file has catalog content and no catalog_etag
	// 7 5 warning /authorized_agents/0/signing_keys the entry pins no signing keys
	// 9 5 warning /authorized_agents/1/signing_keys the entry pins no signing keys
	// 10 62 warning /authorized_agents/1/property_ids/0 no property has the id "app"
	// 1 agents, 1 properties usable
}
