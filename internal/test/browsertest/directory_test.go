package browsertest

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// directoryWeb has publishers for the directory: many that let one agent sell, two that list the
// same app, one whose file is somebody else's, and those without a file.
func directoryWeb() (string, []string) {
	var web strings.Builder
	var names []string
	add := func(domain, text string) {
		names = append(names, domain)
		fmt.Fprintf(&web, "-- %s --\n%s\n", wellKnown(domain), strings.TrimSuffix(text, "\n"))
	}
	for i := range 60 {
		domain := fmt.Sprintf("site%02d.example", i)
		add(domain, served("application/json", fmt.Sprintf(`{"properties": [{"property_id": "site", "property_type": "website", "name": "x", "publisher_domain": %q, "identifiers": [{"type": "domain", "value": %q}]}],
			"authorized_agents": [{"url": "https://seller.example/mcp", "authorized_for": "x", "authorization_type": "property_ids", "property_ids": ["site"]}], "last_updated": "2026-01-02T00:00:00Z"}`, domain, domain)))
	}
	for i, domain := range []string{"first.example", "second.example"} {
		add(domain, served("application/json", fmt.Sprintf(`{"properties": [{"property_id": "<b>app", "property_type": "mobile_app", "name": "x", "identifiers": [{"type": "ios_bundle", "value": "com.shared.app"}]},
			{"property_id": "app", "property_type": "mobile_app", "name": "x", "identifiers": [{"type": "ios_bundle", "value": "com.shared.app"}, {"type": "ios_bundle", "value": "com.app%d<img src=x onerror=alert(1)>"}]},
			{"property_id": "other", "property_type": "mobile_app", "name": "x", "identifiers": [{"type": "ios_bundle", "value": "com.other.app%d"}]},
			{"property_id": "site", "property_type": "website", "name": "x", "identifiers": [{"type": "domain", "value": "unasked.example"}]}],
			"authorized_agents": [{"url": "https://seller.example/mcp", "authorized_for": "x", "authorization_type": "property_ids", "property_ids": ["app"]}], "last_updated": "2026-01-02T00:00:00Z"}`, i, i)))
	}
	add("points.example", served("application/json", `{"authoritative_location": "https://cdn.example/points.json", "last_updated": "2026-01-02T00:00:00Z"}`))
	add("none.example", "404\n")
	add("xn--bcher-kva.example", "404\n")
	add("down.example", "503\n")
	fmt.Fprintf(&web, "-- https://cdn.example/points.json --\n%s\n", served("application/json", `{"properties": [{"property_id": "site", "property_type": "website", "name": "x", "publisher_domain": "points.example", "identifiers": [{"type": "domain", "value": "points.example"}]}],
		"authorized_agents": [{"url": "https://seller.example/mcp", "authorized_for": "x", "authorization_type": "publisher_properties", "publisher_properties": [{"publisher_domains": ["points.example", "unseen.example"], "selection_type": "all"}]}], "last_updated": "2026-01-02T00:00:00Z"}`))
	return web.String(), names
}

// TestDirectory looks at the pages about everything that is known.
func TestDirectory(t *testing.T) {
	t.Parallel()
	archive, names := directoryWeb()
	base, service := startService(t, []byte(archive))
	for _, name := range names {
		page, err := http.Get(base + "/check/" + name)
		if err != nil {
			t.Fatal(err)
		}
		_ = page.Body.Close()
	}
	// The page of a publisher that was not known is there before its record is.
	for {
		v, err := service.Directory(t.Context())
		if err == nil && v.Stats().Known() >= len(names) {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	const seller = "/agent/https:%2F%2Fseller.example%2Fmcp"
	visits := []visit{
		{
			Name: "agent", URL: seller, Status: http.StatusOK, Axe: true, Shot: true, Text: true, Looks: everyLook,
			shows: []string{"63 publishers let this agent sell something", "its only property", "contested", "com.shared.app", "a pointer to another file", "Next page"},
		},
		{Name: "agent-contested", URL: seller, Steps: []step{{Submit: "a[href='/find?q=com.shared.app']"}}, Lands: "/find?q=com.shared.app"},
		{Name: "agent-next", URL: seller + "?after=site30.example", Status: http.StatusOK, Text: true, shows: []string{"site31.example", "First page"}},
		{Name: "agent-unknown", URL: "/agent/https:%2F%2Fnobody.example%2F%3Cscript%3Ealert(1)%3C%2Fscript%3E", Status: http.StatusOK, Axe: true, Shot: true, Text: true, shows: []string{"No file that this service knows names this agent"}},
		{Name: "agent-none", URL: "/agent/%20", Status: http.StatusBadRequest, Text: true, shows: []string{"not the URL of an agent"}},
		{Name: "docs-known", URL: "/docs?op=authorize", Status: http.StatusOK, Text: true, shows: []string{"?publisher=first.example&agent=https://seller.example/mcp&property=app"}},
		{
			Name: "suggested", URL: "/stats", Axe: true, Shot: true, Looks: everyLook, Text: true, shows: []string{"site00.example", "site03.example"},
			Steps: []step{{Fill: "#q", Text: "site"}, {Expect: "[role=combobox][aria-expanded=true]"}, {Expect: "[role=option]:nth-child(4) .kind", Text: "publisher"}, {Press: "ArrowDown"}, {Expect: "[role=option][aria-selected=true] .text", Text: "site00.example"}},
		},
		{
			Name: "suggested-home", URL: "/", Axe: true, Shot: true, Looks: everyLook,
			Steps: []step{{Fill: "#q", Text: "XN--B"}, {Expect: "[role=option] .text", Text: "bücher.example"}, {Expect: "[role=option] .also", Text: "xn--bcher-kva.example"}, {Press: "Escape"}, {Gone: "[role=option]"}, {Fill: "#q", Text: "sell"}, {Expect: "[role=option] .text", Text: "https://seller.example/mcp"}},
		},
		{
			Name: "suggested-beside", URL: "/", Lands: "/network?network=site0",
			Steps: []step{{Fill: "#q", Text: "site0"}, {Expect: "[role=option] .text", Text: "site00.example"}, {Submit: ".next [value=network]"}},
		},
		{
			Name: "suggested-keys", URL: "/stats", Lands: "/rules/agent.url_missing",
			Steps: []step{{Fill: "#q", Text: "url_missing"}, {Expect: "[role=option] .text", Text: "agent.url_missing"}, {Press: "ArrowUp"}, {Press: "ArrowUp"}, {Press: "ArrowDown"}, {Press: "ArrowDown"}, {Press: "ArrowDown"}, {Press: "ArrowUp"}, {Submit: "[role=option]:has-text('agent.url_missing')"}},
		},
		{Name: "suggested-none", URL: "/stats", Lands: "/find?q=site0", Steps: []step{{Gone: ".suggestions"}, {Fill: "#q", Text: "site0"}, {Enter: "#q"}}},
		{Name: "home-known", URL: "/", Status: http.StatusOK, Axe: true, Shot: true, Text: true, Looks: everyLook, shows: []string{"Example: first.example"}},
		{Name: "find-written", URL: "/find?q=xn--b", Status: http.StatusOK, Axe: true, Shot: true, Looks: everyLook, Text: true, shows: []string{"bücher.example", "xn--bcher-kva.example"}},
		{Name: "find", URL: "/find?q=com.shared.app", Status: http.StatusOK, Axe: true, Shot: true, Text: true, Looks: everyLook, shows: []string{"Identifiers", "com.shared.app", "first.example"}},
		{Name: "find-sites", URL: "/find?q=SITE0", Status: http.StatusOK, Text: true, shows: []string{"site00.example", "fresh"}},
		{Name: "find-agents", URL: "/find?q=seller", Status: http.StatusOK, Text: true, shows: []string{"https://seller.example/mcp", "63"}},
		{Name: "find-nothing", URL: "/find?q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E", Status: http.StatusOK, Axe: true, Text: true, shows: []string{"Nothing that this service knows"}},
		{Name: "find-short", URL: "/find?q=a", Status: http.StatusBadRequest, Axe: true, Text: true, shows: []string{"2 to 200 characters"}},
		{Name: "find-form", URL: "/find", Status: http.StatusOK, Axe: true},
		{Name: "stats", URL: "/stats", Status: http.StatusOK, Axe: true, Shot: true, Text: true, Looks: everyLook, shows: []string{"66 publishers are known", "never", "absent", "failing", "< 1 hour"}},
	}
	see(t, base, only(visits))
	boxLeads(t, base)
}

// boxLeads makes sure that the box at the top of every page leads to what a text is known as.
func boxLeads(t *testing.T, base string) {
	t.Helper()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for text, want := range map[string]string{
		"https://seller.example/mcp": "/agent/" + url.PathEscape("https://seller.example/mcp"),
		"shared app":                 "",
		"site0":                      "/find?q=site0",
		"com.shared.app":             "/find?q=com.shared.app",
		"site01.example":             "/check/site01.example",
		"first.example":              "/check/first.example",
		"unasked.example":            "/check/unasked.example", // a site that a file lists, and nobody has asked about
	} {
		answer, err := client.PostForm(base+"/go", url.Values{"q": {text}})
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if got := answer.Header.Get("Location"); got != want {
			t.Errorf("%s leads to %q, want %q", text, got, want)
		}
	}
}
