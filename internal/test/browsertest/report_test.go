package browsertest

import (
	"net/http"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// crowdedFile has 27 faults of many kinds.
const crowdedFile = `{
  "$schema": "https://adcontextprotocol.org/schemas/v3/adagents.json",
  "contact": {"name": "Example Media", "email": "adops at example.com"},
  "properties": [
    {"property_id": "main-site", "property_type": "web", "name": "Example", "tags": ["news", "news"],
     "identifiers": [{"type": "domain", "value": "https://www.crowded.example/"}]},
    {"property_id": "app", "property_type": "mobile_app", "name": "Example for iOS", "identifiers": []},
    {"property_id": "tv", "property_type": "ctv_app", "name": "", "identifiers": [{"type": "roku", "value": "12345"}]},
    {"property_id": "tv", "property_type": "ctv_app", "name": "Television", "identifiers": [{"type": "roku_store_id", "value": "12345"}]}
  ],
  "authorized_agents": [
    {"url": "http://agent.example/mcp", "authorized_for": "All display inventory", "authorization_type": "property_ids", "property_ids": ["main_site"], "countries": ["UK"]},
    {"url": "https://me:hunter2@other.example/mcp", "authorized_for": "The app", "authorization_type": "property_ids", "property_ids": ["app"]},
    {"url": "https://third.example", "authorized_for": "The app", "authorization_type": "property_tags", "property_tags": ["sports"]},
    {"url": "https://fifth.example/mcp", "authorized_for": "Video", "property_ids": ["tv"]},
    {"url": "https://sixth.example/mcp", "authorized_for": "Network", "authorization_type": "publisher_properties", "publisher_properties": [{"publisher_domain": "crowded.example", "publisher_domains": ["crowded.example"], "selection_type": "all"}]}
  ],
  "last_updated": "2026-01-02"
}`

// TestReports looks at a report with many findings: they fit on a few screens, a row opens to its diff, and
// the keyboard leads to the repair in a few steps.
func TestReports(t *testing.T) {
	t.Parallel()
	const mostOnDesk, mostOnPhone, strip = 3000, 6000, 64
	crowded := txtar.File{Name: wellKnown("crowded.example"), Data: []byte(served("application/json", crowdedFile) + "\n")}
	minified := txtar.File{Name: wellKnown("minified.example"), Data: []byte(served("application/json", strings.ReplaceAll(crowdedFile, "\n", "")) + "\n")}
	base := start(t, txtar.Format(&txtar.Archive{Files: []txtar.File{crowded, minified}}))
	const download = ".mend button[value='download all']"
	row := ".finding:has(a[href='/rules/agent.url_not_https'])"
	see(t, base, only([]visit{
		{
			Name: "crowded", URL: checkPage("crowded.example"), Status: http.StatusOK, Axe: true, Shot: true, Text: true, Looks: everyLook, shows: []string{"Findings 27"},
			Limits: []limit{{Look: "light", Of: "html", Pixels: mostOnDesk}, {Look: "narrow", Of: "html", Pixels: mostOnPhone}, {Look: "light", Of: ".way", Pixels: strip}},
		},
		{
			Name: "crowded-opened", URL: checkPage("crowded.example"), Axe: true, Shot: true, Looks: everyLook,
			Steps: []step{{Open: row + " summary"}, {Expect: row + " .diff", Text: `+    {"url": "https://agent.example/mcp"`}},
		},
		{Name: "crowded-fixed", URL: checkPage("crowded.example"), Lands: checkPage("crowded.example") + "/fix", Steps: []step{{Submit: row + " > button"}, {Expect: ".applied", Text: "1 fix was applied"}}},
		{
			Name: "crowded-keys", URL: checkPage("crowded.example"),
			Steps: []step{{Open: ".verdict .words"}, {Press: "Tab"}, {Focus: download}, {Download: download, Text: `"https://agent.example/mcp"`}},
		},
		{
			Name: "minified", URL: checkPage("minified.example"), Axe: true, Shot: true, Looks: everyLook, Text: true, shows: []string{"Laid out for reading"},
			Steps: []step{{Submit: "a[href='/check/minified.example?text=served#raw']"}, {Gone: "#L2"}, {Submit: "a[href='/check/minified.example#raw']"}, {Expect: "#L2"}}, Lands: checkPage("minified.example") + "#raw",
		},
		{Name: "crowded-plain", URL: checkPage("crowded.example"), Looks: []string{"plain"}, Steps: []step{{Open: row + " summary"}, {Download: download, Text: `"https://agent.example/mcp"`}}},
	}))
}
