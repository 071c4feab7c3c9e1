package browsertest

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/internal/service/registry"
)

// TestModeration enters with a key, decides about what is held and proposed, and leaves. What
// is proposed has every payload in it.
func TestModeration(t *testing.T) {
	t.Parallel()
	archive := string(internet(nil))
	movers := []string{"moving.example", "rejected.example", "undone.example"}
	for _, domain := range movers {
		archive += movingAway(domain)
	}
	base, service := startService(t, []byte(archive))
	for _, domain := range slices.Repeat(movers, 2) {
		_, err := service.Custody(t.Context(), domain, true)
		if err != nil {
			t.Fatal(err)
		}
	}
	secret, key, err := service.CreateKey(t.Context(), `<img src=x onerror=alert(1)>"'`, registry.ScopeModerate)
	if err != nil {
		t.Fatal(err)
	}
	_, writer, err := service.CreateKey(t.Context(), "writer", registry.ScopeWrite)
	if err != nil {
		t.Fatal(err)
	}
	for _, platform := range []string{"hostile", "plain"} {
		_, err = service.PublishMirror(t.Context(), registry.Caller{Key: writer}, platform, proposed(t, platform))
		if err != nil {
			t.Fatal(err)
		}
	}
	list, _, err := service.Proposals(t.Context(), registry.Caller{Key: key}, registry.Pending, 10, 0)
	if err != nil || len(list) != 2 {
		t.Fatalf("%d proposals, %v", len(list), err)
	}
	see(t, base, only(moderationJourneys(secret)))
}

// movingAway is a publisher whose file is elsewhere at the second look, and names another agent there.
func movingAway(domain string) string {
	location := "https://other.example/" + domain
	next := strings.NewReplacer("good.example", domain, "agent.example", "thief.example", `"property_type"`, `"publisher_domain": "`+domain+`", "property_type"`).Replace(goodFile)
	return "-- " + wellKnown(domain) + " --\n" + strings.Replace(served("application/json", goodFile), "200\n", "200 times=1\n", 1) + "\n" +
		"-- " + wellKnown(domain) + " --\n" + served("application/json", `{"authoritative_location": "`+location+`/<svg/onload=alert(1)>.json", "last_updated": "2026-01-03T00:00:00Z"}`) + "\n" +
		"-- " + location + "/%3Csvg/onload=alert(1)%3E.json --\n" + served("application/json", next) + "\n"
}

// proposed is a mirror whose properties are named by payloads.
func proposed(t *testing.T, platform string) []byte {
	t.Helper()
	type identifier struct {
		Type  string `json:"type"`
		Value string `json:"value"`
	}
	type property struct {
		ID         string       `json:"property_id"`
		Type       string       `json:"property_type"`
		Name       string       `json:"name"`
		Publisher  string       `json:"publisher_domain"`
		Identified []identifier `json:"identifiers"`
	}
	var list []property
	names := []string{"Videos"}
	if platform == "hostile" {
		names = payloads()
	}
	for i, name := range names {
		if name != strings.ToValidUTF8(name, "") || len(name) > 200 {
			continue
		}
		domain := platform + ".example"
		list = append(list, property{ID: "p" + strconv.Itoa(i), Type: "website", Name: name, Publisher: domain, Identified: []identifier{{"domain", domain}}})
	}
	body, err := json.Marshal(map[string]any{"properties": list})
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func moderationJourneys(secret string) []visit {
	enter := []step{{Fill: "#key", Text: secret}, {Submit: "main .ask button"}}
	with := func(more ...step) []step { return append(append([]step{}, enter...), more...) }
	held := func(domain string, more ...step) []step {
		return with(append([]step{{Submit: ".held a.button[href*='name=" + domain + "']"}}, more...)...)
	}
	list := []visit{
		{Name: "moderate-key", URL: "/moderate", Axe: true, Shot: true, Looks: everyLook, Steps: []step{{Fill: "#key", Text: "avow_1"}, {Submit: "main .ask button"}, {Expect: "#key-error", Text: "this is not a key"}}},
		{Name: "moderate", URL: "/moderate", Axe: true, Shot: true, Looks: everyLook, Text: true, Steps: with(), shows: []string{`<img src=x onerror=alert(1)>"'`, "moving.example leads to another location", "Compare and decide"}},
		{Name: "moderate-held", URL: "/moderate", Axe: true, Shot: true, Looks: everyLook, Text: true, Steps: held("moving.example"), Limits: []limit{{Look: "light", Of: "[value=reject]", Pixels: 800, Bottom: true}, {Look: "light", Of: "[value=confirm]", Pixels: 800, Bottom: true}}, shows: []string{"was never seen before", "thief.example", "What would change for buyers", "Side by side"}},
		{
			// By the keyboard: from the reason it is one Tab to Reject, and two to Confirm.
			Name: "moderate-undone", URL: "/moderate", Lands: "/moderate?done=undone", Axe: true, Shot: true, Looks: []string{"dark"}, Text: true, shows: []string{"The decision was taken back", "undone.example leads to"},
			Steps: held("undone.example", step{Fill: "#reason", Text: "<b>no"}, step{Press: "Tab"}, step{Focus: "[value=reject]"}, step{Press: "Tab"}, step{Focus: "[value=confirm]"}, step{Press: "Enter"},
				step{Expect: "[role=status]", Text: "The change was confirmed."}, step{Expect: ".undo li:has-text('undone.example') q", Text: "<b>no"}, step{Submit: ".undo li:has-text('undone.example') button"}, step{Expect: "[role=status]", Text: "taken back"}),
		},
		{
			Name: "moderate-rejected", URL: "/moderate", Lands: "/moderate", Axe: true, Shot: true, Looks: []string{"narrow"}, Text: true, shows: []string{"Rejected: rejected.example leads to", "It was rejected before"},
			Steps: held("rejected.example", step{Fill: "#reason", Text: "not theirs"}, step{Submit: "[value=reject]"}, step{Expect: "[role=status]", Text: "The change was rejected."},
				step{Submit: "a[href^='/moderate/proposal/']"}, step{Expect: "#now", Text: "The mirror now"}, step{Submit: ".path a[href='/moderate']"}),
		},
		{
			Name: "moderate-proposal", URL: "/moderate", Axe: true, Shot: true, Looks: everyLook, Text: true, shows: []string{"properties are new", "As proposed", "javascript:alert(1)"},
			Steps: with(step{Submit: "tr:has-text('hostile') a[href^='/moderate/proposal/']"}),
		},
		{
			Name: "moderate-approved", URL: "/moderate", Lands: "/moderate?done=approved", Axe: true, Text: true, shows: []string{"The proposal was approved"},
			Steps: with(step{Submit: "tr:has-text('plain') a[href^='/moderate/proposal/']"}, step{Fill: "#reason", Text: "fine"}, step{Submit: "[value=approve]"}),
		},
		{Name: "moderate-left", URL: "/moderate", Looks: []string{"plain"}, Lands: "/moderate", Steps: with(step{Submit: ".fresh button"}, step{Expect: "#key"})},
	}
	for i := range list {
		list[i].Apart = true
	}
	return list
}
