package browsertest

import (
	"net/http"
	"strings"
	"testing"
)

// fixable has a fault that is surely fixed, one that is probably fixed, and lines of its own.
const fixable = `{
  "contact": {"name": "Example Media", "email": "adops@example.com"},
  "properties": [
    {"property_id": "site", "property_type": "web", "name": "Example", "identifiers": [{"type": "domain", "value": "fixable.example"}]}
  ],
  "authorized_agents": [
    {"url": "http://agent.example/mcp", "authorized_for": "All", "authorization_type": "property_ids", "property_ids": ["site"]}
  ],
  "last_updated": "2026-01-02T00:00:00Z"
}`

// TestIsland uses what scripts add to the pages, and the same pages without them.
func TestIsland(t *testing.T) {
	t.Parallel()
	archive := string(internet(nil)) + "-- " + wellKnown("fixable.example") + " --\n" + served("application/json", fixable) + "\n" +
		"-- " + wellKnown("table.example") + " --\n" + served("application/json", tableFile()) + "\n"
	see(t, start(t, []byte(archive)), only(append(islandJourneys(), plainJourneys()...)))
}

// tableFile has properties in no order.
func tableFile() string {
	var b strings.Builder
	b.WriteString(`{"properties": [`)
	for _, name := range []string{"Site 10", "site 9", "Zebra", "Alpha", "site 1", "Middle", "<img src=x onerror=alert(1)>"} {
		id := strings.ToLower(strings.NewReplacer(" ", "_", "<", "", ">", "", "=", "", "(", "", ")", "").Replace(name))
		b.WriteString(`{"property_id": "` + id + `", "property_type": "website", "name": "` + name + `", "identifiers": [{"type": "domain", "value": "table.example"}]},`)
	}
	return strings.TrimSuffix(b.String(), ",") + `], "authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "All", "authorization_type": "property_ids", "property_ids": ["alpha"]}], "last_updated": "2026-01-02T00:00:00Z"}`
}

// applyWebsite is the button of the fix that writes "website".
const applyWebsite = "button[value^='fix property.type_unknown']"

// tried is the form that makes a call of the API, in selectors.
func tried(id string) string { return "#" + id + " .try " }

// unfold is what opens an object in the reference.
func unfold(name string) string { return "details:has(> #" + name + ") > summary" }

func islandJourneys() []visit {
	const lines = "{\n  \"authorized_agents\": [\n    {\"url\": \"http://agent.example/\"}\n  ]\n}"
	properties := "section[aria-labelledby=properties] "
	return []visit{
		{Name: "slash", URL: "/paste", Steps: []step{{Press: "/"}, {Focus: "#q"}, {Press: "/"}, {Expect: "#q", Text: "/"}}},
		{Name: "slash-home", URL: "/rules", Steps: []step{{Press: "/"}, {Focus: "#q"}}},
		{Name: "home-focus", URL: "/", Steps: []step{{Focus: "#q"}}},
		{
			Name: "who-home", URL: "/", Lands: "/check/good.example?tab=sell", Text: true, shows: []string{"https://other.example/mcp"},
			Steps: []step{{Fill: "#q", Text: "good.example"}, {Submit: ".next [value=who]"}},
		},
		{
			Name: "ask-home", URL: "/", Lands: "/ask?publisher=good.example",
			Steps: []step{{Fill: "#q", Text: "good.example"}, {Submit: ".next [value=ask]"}},
		},
		{Name: "ask-focus", URL: "/ask", Steps: []step{{Focus: "#ask-agent"}}},
		{
			Name: "boxed-lines", URL: "/paste", Axe: true, Shot: true, Looks: everyLook,
			Steps: []step{{Paste: "#q", Text: lines}, {Focus: "textarea#q"}, {Expect: "#q", Text: lines}},
		},
		{
			Name: "boxed-lines-sent", URL: "/", Lands: "/go", Text: true, shows: []string{"Your file", "agent.url_not_https"},
			Steps: []step{{Paste: "#q", Text: lines}, {Focus: "textarea#q"}, {Enter: "#q"}, {Expect: "#document", Text: lines}, {Expect: "#L3", Text: "http://agent.example/"}},
		},
		{Name: "boxed-line", URL: "/paste", Steps: []step{{Paste: "#q", Text: "good.example"}, {Focus: "input#q"}, {Expect: "input#q", Text: "good.example"}}},
		{
			Name: "copies-evidence", URL: checkPage("fixable.example") + "?tab=evidence", Axe: true, Shot: true, Looks: everyLook, Steps: []step{
				{Copy: "[aria-label='Copy: Markdown']", Text: "# adagents.json of fixable.example"}, {Copy: "[aria-label='Copy: JSON']", Text: `"domain":"fixable.example"`},
				{Copy: "[aria-label='Copy: Link']", Text: "/check/fixable.example"},
			},
		},
		{
			Name: "copies", URL: checkPage("fixable.example"), Axe: true, Shot: true, Looks: everyLook, Steps: []step{
				{Copy: "[aria-label='Copy: Text of the file']", Text: fixable},
				{Open: ".finding:has(.diff) summary"}, {Copy: "[aria-label='Copy: Change']", Text: "+"},
				{Open: ".repaired summary"}, {Copy: "[aria-label^='Copy: Text to copy']", Text: `"property_type": "website"`},
			},
		},
		{Name: "copies-rule", URL: "/rules/agent.url_missing", Steps: []step{{Copy: "[aria-label='Copy: Right example']", Text: `"url"`}}},
		{
			Name: "tried", URL: "/docs?op=validate", Shot: true, Looks: []string{"narrow"}, Steps: []step{
				{Open: tried("validate") + "summary"}, {Fill: "#try-validate-body", Text: `{"domain": "fixable.example"}`}, {Open: tried("validate") + "button"},
				{Expect: tried("validate") + "[role=status]:has-text('200')"}, {Expect: tried("validate") + "pre", Text: `"domain": "fixable.example"`},
			},
		},
		{
			Name: "tried-question", URL: "/docs", Lands: "/docs?op=authorize", Steps: []step{
				{Fill: "#find-operation", Text: "whether"}, {Enter: "#find-operation"}, {Submit: "a[href='/docs?op=authorize']"}, {Open: tried("authorize") + "summary"}, {Fill: "#try-authorize-publisher", Text: "table.example"}, {Open: tried("authorize") + "button"}, {Expect: tried("authorize") + "pre", Text: `"verdict"`},
			},
		},
		{Name: "tried-key", URL: "/docs?op=save_brand", Refused: true, Steps: []step{{Open: tried("save_brand") + "summary"}, {Fill: "#try-save_brand-key", Text: "avow_1"}, {Open: tried("save_brand") + "button"}, {Expect: tried("save_brand") + "pre", Text: `"error"`}}},
		{Name: "copies-api", URL: "/docs?op=validate", Steps: []step{{Copy: "[aria-label='Copy: Example of validate']", Text: "{"}}},
		{
			Name: "sorted", URL: checkPage("table.example") + "?tab=sell", Axe: true, Shot: true, Looks: everyLook, Steps: []step{
				{Open: properties + "th:first-child .sort"}, {Focus: properties + "[aria-sort=ascending] .sort"}, {Expect: properties + "tbody tr:nth-child(2) th", Text: "Alpha"},
				{Expect: properties + "tbody tr:nth-child(5) th", Text: "site 9"}, {Expect: properties + "tbody tr:nth-child(6) th", Text: "Site 10"},
				{Press: "Enter"}, {Expect: properties + "[aria-sort=descending] .sort"}, {Expect: properties + "tbody tr:nth-child(1) th", Text: "Zebra"},
				{Press: "Enter"}, {Gone: properties + "[aria-sort]"}, {Expect: properties + "tbody tr:nth-child(1) th", Text: "Site 10"},
			},
		},
		{
			Name: "filtered", URL: checkPage("table.example") + "?tab=sell", Axe: true, Shot: true, Looks: everyLook, Steps: []step{
				{Fill: properties + ".filter input", Text: "SITE 1"}, {Expect: properties + ".filter [role=status]", Text: "3 of 7 rows"}, {Gone: properties + "tbody tr:nth-child(3)"},
				{Fill: properties + ".filter input", Text: "<img"}, {Expect: properties + ".filter [role=status]", Text: "1 of 7 rows"},
			},
		},
		{
			Name: "fixed", URL: checkPage("fixable.example"), Lands: "/check/fixable.example/fix", Axe: true, Shot: true, Looks: everyLook, Text: true,
			shows: []string{"Your file", "1 fix was applied", "agent.url_not_https"},
			Steps: []step{{Submit: applyWebsite}, {Focus: ".applied"}, {Gone: applyWebsite}, {Expect: "#document", Text: `"property_type": "website"`}},
		},
		{
			Name: "fixed-twice", URL: checkPage("fixable.example"), Lands: "/paste/fix", Text: true, shows: []string{"1 agent may sell"},
			Steps: []step{
				{Submit: applyWebsite}, {Open: ".repaired summary"}, {Submit: "button[value=all]"}, {Expect: ".applied", Text: "applied"},
				{Download: "button[value=download]", Text: `"url": "https://agent.example/mcp"`},
			},
		},
	}
}

// plainJourneys go the same ways where scripts do not run.
func plainJourneys() []visit {
	list := []visit{
		{Name: "plain-report", URL: checkPage("table.example") + "?tab=sell", Status: http.StatusOK, Shot: true, Steps: []step{{Gone: ".filter"}, {Gone: ".sort"}, {Gone: ".copy"}, {Gone: "[data-copy], [data-copy-link]"}}},
		{Name: "plain-reference", URL: "/docs#stats", Steps: []step{{Submit: "#stats a"}, {Gone: ".try"}, {Submit: "a[href='/api/registry/stats']"}}, Lands: "/api/registry/stats"},
		{Name: "plain-home", URL: "/", Lands: checkPage("good.example"), Steps: []step{{Fill: "#q", Text: "good.example"}, {Enter: "#q"}}},
		{Name: "plain-pasted", URL: "/paste", Steps: []step{{Fill: "#document", Text: fixable}, {Submit: "main .ask button"}, {Download: "button[value='download all']", Text: `"property_type": "website"`}}},
		{Name: "plain-fixed", URL: checkPage("fixable.example"), Lands: "/check/fixable.example/fix", Steps: []step{{Open: ".repaired summary"}, {Submit: "button[value=all]"}, {Expect: ".applied", Text: "fixes were applied"}}},
		{Name: "plain-all", URL: checkPage("fixable.example"), Steps: []step{{Download: "button[value='download all']", Text: `"url": "https://agent.example/mcp"`}}},
	}
	for i := range list {
		list[i].Looks = []string{"plain"}
	}
	return list
}
