package browsertest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/registry"
)

// networkURL is where the file of the network is.
const networkURL = "https://cdn.bignet.example/adagents.json"

// networkFile is the file of a network with some publishers, of which one is revoked.
func networkFile(publishers []string, more string) string {
	var properties []string
	for _, name := range publishers {
		properties = append(properties, fmt.Sprintf(`{"property_type": "website", "name": "Site", "identifiers": [{"type": "domain", "value": %[1]q}], "publisher_domain": %[1]q}`, name))
	}
	return fmt.Sprintf(`{"authorized_agents": [{"url": "https://sales.bignet.example/mcp", "authorized_for": "all publishers", "authorization_type": "publisher_properties",
		"publisher_properties": [{"publisher_domains": ["%s"], "selection_type": "all"}]}%s],
		"revoked_publisher_domains": [{"publisher_domain": "left.example", "revoked_at": "2026-01-01T00:00:00Z"}], "last_updated": "2026-01-02T00:00:00Z",
		"properties": [%s]}`, strings.Join(publishers, `", "`), more, strings.Join(properties, ", "))
}

// networkWeb has publishers of the network in every state, and what they say about themselves is
// hostile.
func networkWeb() (string, string) {
	var web strings.Builder
	var names []string
	add := func(name, text string) { fmt.Fprintf(&web, "-- %s --\n%s\n", name, strings.TrimSuffix(text, "\n")) }
	publisher := func(name, answer string) {
		names = append(names, name)
		add(wellKnown(name), answer)
	}
	pointer := func(to string) string {
		return served("application/json", `{"authoritative_location": "`+to+`", "last_updated": "2026-01-02T00:00:00Z"}`)
	}
	for i := range 240 {
		publisher(fmt.Sprintf("pub%03d.example", i), pointer(networkURL))
	}
	for i := range 8 {
		publisher(fmt.Sprintf("other%d.example", i), pointer("https://CDN.bignet.example/adagents.json"))
	}
	publisher("html.example", served("text/html", "<script>alert(1)</script>"))
	publisher("damaged.example", served("application/json", `{"<img src=x onerror=alert(1)>": `))
	publisher("elsewhere.example", pointer(`https://evil.example/<svg onload=alert(1)>`))
	publisher("own.example", served("application/json", strings.ReplaceAll(goodFile, "good.example", "own.example")))
	publisher("redirects.example", "301\nLocation: https://evil.example/\"><script>alert(1)</script>\n")
	publisher("agrees.example", served("application/json", `{"authorized_agents": [{"url": "https://sales.bignet.example/mcp", "authorized_for": "x", "authorization_type": "property_ids", "property_ids": ["site"]}],
		"properties": [{"property_id": "site", "property_type": "website", "name": "Site", "publisher_domain": "agrees.example", "identifiers": [{"type": "domain", "value": "agrees.example"}]}]}`))
	for i := range 5 {
		publisher(fmt.Sprintf("none%d.example", i), "404\n")
	}
	add(wellKnown("left.example"), pointer(networkURL))
	add(wellKnown("stranger.example"), pointer(networkURL))
	file := networkFile(names, "")
	add(networkURL, served("application/json", file))
	add(wellKnown("slow.example"), "200 stall\n\n{}")
	add("https://slow.bignet.example/adagents.json", served("application/json", networkFile([]string{"slow.example"}, "")))
	var endless []string
	for i := range 1600 {
		endless = append(endless, fmt.Sprintf("endless%d.example", i))
		add(wellKnown(endless[i]), "200 stall\n\n{}")
	}
	add("https://endless.bignet.example/adagents.json", served("application/json", networkFile(endless, "")))
	return string(internet(nil)) + web.String(), file
}

// TestNetwork asks the publishers of a network from the page, with scripts and without, and looks
// at what was found.
func TestNetwork(t *testing.T) {
	t.Parallel()
	archive, file := networkWeb()
	base, service := startService(t, []byte(archive))
	began := func(client, file string) *registry.Rollout {
		run, err := service.StartRollout(registry.RolloutRequest{File: file, List: nil, Caller: registry.Caller{Client: client, Key: &registry.Key{ID: client}}})
		if err != nil {
			t.Fatal(err)
		}
		return run
	}
	done := began("one", networkURL)
	lost := began("two", "https://nowhere.example/<img src=x onerror=alert(1)>")
	for done.State().Ended.IsZero() || lost.State().Ended.IsZero() {
		time.Sleep(5 * time.Millisecond)
	}
	page := "/network/" + done.ID
	next := strings.NewReplacer(`"pub001.example", `, "", `"revoked_publisher_domains": [{"publisher_domain": "left.example", "revoked_at": "2026-01-01T00:00:00Z"}], `, "").Replace(file)
	next = strings.Replace(next, `"selection_type": "all"}]}`, `"selection_type": "all"}]}, {"url": "https://new.example/%3Cimg%20src=x%20onerror=alert(1)%3E", "authorized_for": "x", "authorization_type": "publisher_properties", "publisher_properties": [{"publisher_domain": "pub002.example", "selection_type": "all"}]}`, 1)
	compare := []step{{Upload: "#deploy-file", Text: next}, {Submit: "form[data-drop] button"}}
	visits := []visit{
		{Name: "network-form", URL: "/network", Status: http.StatusOK, Axe: true, Shot: true, Looks: everyLook},
		{
			Name: "network-done", URL: page, Status: http.StatusOK, Axe: true, Shot: true, Text: true, Looks: everyLook,
			shows: []string{"95.8 % of the publishers", "point at this file", "Message to send", "The publisher has a file of its own, with the same agents", "pub001.example", "served wrong", "1 to 50 of 260"},
		},
		{
			Name: "network-one", URL: page + "?one=elsewhere.example", Status: http.StatusOK, Axe: true, Shot: true, Text: true, Looks: everyLook,
			shows: []string{"elsewhere.example", "served wrong", "Message to send", "authoritative_location"},
		},
		{
			// From the square that the Tab key stops at, arrow keys lead to its neighbours.
			Name: "network-square", URL: page, Lands: page + "?one=none1.example#one", Text: true, shows: []string{"nothing there"},
			Steps: []step{{Tab: ".squares a[aria-label^='none0']"}, {Press: "ArrowRight"}, {Focus: ".squares a[aria-label^='none1']"}, {Enter: ".squares a[aria-label^='none1']"}},
		},
		{
			// From the headline to those that do not lead here, and from a tile to those that it counts.
			Name: "network-not-here", URL: page, Lands: page + "?state=not_here#publishers", Text: true, Axe: true, Shot: true, Looks: []string{"narrow"}, shows: []string{"1 to 11 of 11", "file of its own", "nothing there"},
			Steps: []step{{Submit: ".figures .none a"}, {Expect: "#publishers", Text: "(5)"}, {Submit: ".actions a:has-text('do not lead here')"}},
		},
		{Name: "network-filtered", URL: page + "?state=served_wrong&for=html", Status: http.StatusOK, Text: true, shows: []string{"html.example", "1 to 1 of 1"}},
		{Name: "network-next", URL: page + "?from=250", Status: http.StatusOK, Text: true, shows: []string{"251 to 260 of 260"}},
		{Name: "network-odd", URL: page + "?state=%3Cscript%3E&for=%22%3E%3Cscript%3Ealert(1)%3C/script%3E&from=-7", Status: http.StatusOK, Text: true, Axe: true, shows: []string{"No publisher is like that"}},
		{Name: "network-lost", URL: "/network/" + lost.ID, Status: http.StatusOK, Axe: true, Shot: true, Text: true, Looks: everyLook, shows: []string{"Start again"}},
		{Name: "network-unknown", URL: "/network/nothing", Status: http.StatusNotFound, Text: true, shows: []string{"not known any more"}},
		{
			Name: "network-deploy", URL: page, Axe: true, Shot: true, Text: true, Looks: everyLook, Steps: compare, Lands: page + "/deploy#deploy",
			shows: []string{"Before you deploy", "alert", "https://new.example/", "Affected:"},
		},
		{
			// A file is compared when it is dropped, wherever on the page.
			Name: "network-dropped", URL: page, Text: true, shows: []string{"https://new.example/", "Affected:"}, Lands: page + "/deploy#deploy",
			Steps: []step{{Drop: "h1", Text: next}, {Expect: ".deploys"}},
		},
		{
			// One that no buyer could use is not.
			Name: "network-dropped-wrong", URL: page, Axe: true, Text: true, shows: []string{"Not compared:", "Buyers could not use this file"}, Lands: page + "/deploy#deploy", Refused: true,
			Steps: []step{{Drop: "footer", Text: "<script>alert(1)</script>"}, {Expect: "#deploy-error"}},
		},
		{
			// A list goes into the form, which is sent by hand: it may need a column.
			Name: "network-dropped-list", URL: "/network", Text: true, shows: []string{"2 lines are not domain names", "line 3"}, Lands: "/network",
			Steps: []step{{Drop: "h1", Text: "domain\npub001.example\n<script>alert(1)</script>\n-x-\n"}, {Focus: "#list-file"}, {Submit: "form.ask button"}},
		},
		{
			Name: "network-message", URL: page,
			Steps: []step{{Open: ".causes li:first-child summary"}, {Copy: ".causes li:first-child .copy", Text: `"authoritative_location": "https://cdn.bignet.example/adagents.json"`}},
		},
		{Name: "network-cause", URL: page, Steps: []step{{Submit: ".causes a[href='/check/elsewhere.example']"}}, Lands: "/check/elsewhere.example"},
		{Name: "network-table", URL: page, Steps: []step{{Download: "a[href$='publishers.csv']", Text: "html.example,served_wrong,"}}},
		{
			Name: "network-wrong", URL: "/network", Axe: true, Shot: true, Text: true, shows: []string{"1 line is not a domain name", "line 2"}, Lands: "/network",
			Steps: []step{{Open: "details summary"}, {Fill: "#list", Text: "good.example\n<script>alert(1)</script>"}, {Submit: "form.ask button"}},
		},
		{
			// The file is the one that the publishers of the list lead to.
			Name: "network-plain", URL: "/network", Plain: true, Text: true, shows: []string{"reach it another way"},
			Steps: []step{{Open: "details summary"}, {Fill: "#list", Text: "pub001.example\npub002.example\nstranger.example"}, {Submit: "form.ask button"}, {Expect: ".squares"}},
		},
	}
	see(t, base, only(visits))
	// Runs that go on are looked at by themselves: nobody who waits for them is in the way. The
	// first has publishers for several minutes, and ends with the service.
	endless := began("four", "https://endless.bignet.example/adagents.json")
	see(t, base, only([]visit{
		{
			Name: "network-running", URL: "/network/" + endless.ID, Status: http.StatusOK, Axe: true, Shot: true, Text: true, Looks: everyLook,
			Steps: []step{{Expect: ".running [role=status]", Text: "of 1,601 publishers were asked"}}, shows: []string{"Asking the publishers", "You can leave this page"},
		},
	}))
	slow := began("three", "https://slow.bignet.example/adagents.json")
	see(t, base, only([]visit{
		// It is loaded anew when the run ends, so it must not be looked at before; network-done has the same parts.
		{Name: "network-live", URL: "/network/" + slow.ID, Shot: true, Steps: []step{{Expect: ".squares"}}, Text: true, shows: []string{"no answer"}},
	}))
}
