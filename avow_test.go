package avow_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/avow-project/avow"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/test/fakeweb"
	"github.com/avow-project/avow/resolve"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const agentURL = "https://agent.example/mcp"

func testTime() time.Time { return time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC) }

// webClient returns a Client in an internet.
func webClient(t *testing.T, archive string) (*avow.Client, *fakeweb.Web) {
	t.Helper()
	web, err := fakeweb.Start([]byte(archive))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(web.Close)
	return avow.New(avow.Config{Web: discover.Config{Client: fetch.New(fetch.Config{Network: web.Network(), Attempts: 1})}, Now: testTime}), web
}

func served(url, body string) string {
	return "-- " + url + " --\n200\nContent-Type: application/json\n\n" + body + "\n"
}

func wellKnown(domain string) string { return "https://" + domain + "/.well-known/adagents.json" }

// siteOf is the file of a publisher with one site and one agent.
func siteOf(domain string) string {
	return fmt.Sprintf(`{"properties": [{"property_id": "site", "property_type": "website", "name": "Site",
 "identifiers": [{"type": "domain", "value": %q}], "publisher_domain": %q}],
 "authorized_agents": [{"url": %q, "authorized_for": "all", "authorization_type": "property_ids", "property_ids": ["site"]}]}`, domain, domain, agentURL)
}

func TestVerdicts(t *testing.T) {
	t.Parallel()
	client, _ := webClient(t, served(wellKnown("pub.example"), siteOf("pub.example"))+
		served(wellKnown("pointing.example"), `{"authoritative_location": "https://cdn.example/p.json", "last_updated": "2026-01-01T00:00:00Z"}`)+
		served("https://cdn.example/p.json", siteOf("pointing.example"))+
		served(wellKnown("foreign.example"), `{"authoritative_location": "https://cdn.example/p.json", "last_updated": "2026-01-01T00:00:00Z"}`)+
		served(wellKnown("broken.example"), `{"authorized_agents": `)+
		served(wellKnown("catalog.example"), `{"formats": [], "properties": [], "authorized_agents": []}`)+
		"-- https://none.example/.well-known/adagents.json --\n404\n-- https://none.example/ads.txt --\n404\n"+
		"-- https://down.example/.well-known/adagents.json --\n503\n")
	for publisher, want := range map[string]avow.Verdict{
		"pub.example": avow.Authorized, "pointing.example": avow.Authorized, "foreign.example": avow.NotAuthorized,
		"broken.example": avow.UnusableFile, "none.example": avow.Unverified, "down.example": avow.Unverified,
		"catalog.example": avow.NoneAsserted, "local.localhost": avow.Unverified,
	} {
		answer, err := client.Authorize(t.Context(), avow.Question{Publisher: publisher, Agent: agentURL, Property: "site"})
		if err != nil {
			t.Errorf("%s: %v", publisher, err)
			continue
		}
		if answer.Verdict != want {
			t.Errorf("%s: %v, want %v: %+v", publisher, answer.Verdict, want, answer.Reasons)
		}
	}
}

func TestEvidence(t *testing.T) {
	t.Parallel()
	client, _ := webClient(t, served(wellKnown("pointing.example"), `{"authoritative_location": "https://cdn.example/p.json", "last_updated": "2026-01-01T00:00:00Z"}`)+
		served("https://cdn.example/p.json", siteOf("pointing.example")))
	answer, err := client.Authorize(t.Context(), avow.Question{Publisher: "pointing.example", Agent: agentURL})
	if err != nil || len(answer.Evidence) == 0 {
		t.Fatalf("%+v, %v", answer, err)
	}
	e := answer.Evidence[0]
	if e.URL != "https://cdn.example/p.json" || len(e.SHA256) != 64 || e.Method != "authoritative_location" || e.FetchedAt.IsZero() || e.State != resolve.Usable || e.Role != "file" {
		t.Errorf("%+v", e)
	}
}

// TestWay: an answer rests on every document that was read on the way to the file.
func TestWay(t *testing.T) {
	t.Parallel()
	managed := strings.Replace(siteOf("managed.example"), `"authorized_agents"`, `"contact": {"name": "M"}, "authorized_agents"`, 1)
	client, _ := webClient(t, served(wellKnown("pointing.example"), `{"authoritative_location": "https://cdn.example/p.json", "last_updated": "2026-01-01T00:00:00Z"}`)+
		served("https://cdn.example/p.json", siteOf("pointing.example"))+
		"-- "+wellKnown("managed.example")+" --\n404\n-- https://managed.example/ads.txt --\n200\nContent-Type: text/plain\n\nMANAGERDOMAIN=manager.example\n"+
		served(wellKnown("manager.example"), managed))
	for publisher, want := range map[string][]string{
		"pointing.example": {"file https://cdn.example/p.json", "pointer " + wellKnown("pointing.example")},
		"managed.example":  {"file " + wellKnown("manager.example"), "ads_txt https://managed.example/ads.txt"},
	} {
		answer, err := client.Authorize(t.Context(), avow.Question{Publisher: publisher, Agent: agentURL})
		if err != nil || answer.Verdict != avow.Authorized {
			t.Fatalf("%s: %+v, %v", publisher, answer, err)
		}
		var got []string
		for _, e := range answer.Evidence {
			got = append(got, e.Role+" "+e.URL)
			if len(e.SHA256) != 64 || e.FetchedAt.IsZero() || e.Publisher != publisher {
				t.Errorf("%+v", e)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", publisher, got, want)
		}
	}
}

func TestFormats(t *testing.T) {
	t.Parallel()
	file := strings.Replace(siteOf("pub.example"), `"authorized_agents"`, `"placements": [{"placement_id": "top", "name": "Top", "property_ids": ["site"],
 "format_options": [{"format_kind": "image", "params": {"width": 300, "height": 250}}]}], "authorized_agents"`, 1)
	client, _ := webClient(t, served(wellKnown("pub.example"), file))
	found, err := client.Formats(t.Context(), "Pub.Example", "top", "site")
	if err != nil || len(found.Formats) != 1 || found.Formats[0].Kind != "image" || len(found.Reasons) != 0 {
		t.Errorf("%+v %v", found, err)
	}
	found, err = client.Formats(t.Context(), "pub.example", "bottom", "")
	if err != nil || len(found.Formats) != 0 || len(found.Reasons) != 1 || found.Reasons[0].Code != "placement.unknown" {
		t.Errorf("%+v %v", found, err)
	}
	for _, wrong := range [][2]string{{"not a domain", "top"}, {"pub.example", ""}} {
		_, err = client.Formats(t.Context(), wrong[0], wrong[1], "")
		var fault *avow.QuestionError
		if !errors.As(err, &fault) {
			t.Errorf("%q: %v", wrong, err)
		}
	}
}

// TestPast asks about a moment at which an entry held that has expired since.
func TestPast(t *testing.T) {
	t.Parallel()
	file := strings.Replace(siteOf("pub.example"), `"authorized_for"`, `"effective_until": "2025-06-30T00:00:00Z", "authorized_for"`, 1)
	client, _ := webClient(t, served(wellKnown("pub.example"), file)+
		served(wellKnown("pointing.example"), `{"authoritative_location": "https://cdn.example/p.json", "last_updated": "2026-01-01T00:00:00Z"}`)+
		served("https://cdn.example/p.json", strings.ReplaceAll(file, "pub.example", "pointing.example")))
	for _, publisher := range []string{"pub.example", "pointing.example"} {
		for at, want := range map[time.Time]avow.Verdict{
			{}: avow.NotAuthorized, time.Date(2025, 6, 30, 0, 0, 0, 0, time.UTC): avow.Authorized,
			time.Date(2025, 6, 30, 0, 0, 1, 0, time.UTC): avow.NotAuthorized,
		} {
			answer, err := client.Authorize(t.Context(), avow.Question{Publisher: publisher, Agent: agentURL, At: at})
			if err != nil || answer.Verdict != want {
				t.Errorf("%s at %v: %+v, %v", publisher, at, answer, err)
			}
		}
	}
}

func TestZeroClient(t *testing.T) {
	t.Parallel()
	var client avow.Client
	_, err := client.Authorize(t.Context(), avow.Question{Agent: agentURL})
	var fault *avow.QuestionError
	if !errors.As(err, &fault) || fault.Hint == "" {
		t.Errorf("a question without a publisher: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = client.Authorize(ctx, avow.Question{Publisher: "pub.example", Agent: agentURL})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled question: %v", err)
	}
	_, err = client.Properties(ctx, "pub.example", agentURL, avow.ListOptions{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled listing: %v", err)
	}
	_, err = client.Discover(t.Context(), "not a domain")
	if err == nil || !strings.Contains(err.Error(), "domain") {
		t.Errorf("no domain: %v", err)
	}
}

// TestTogether asks from many goroutines at once: each publisher is asked once.
func TestTogether(t *testing.T) {
	t.Parallel()
	var archive strings.Builder
	for i := range 5 {
		archive.WriteString(served(wellKnown(fmt.Sprintf("p%d.example", i)), siteOf(fmt.Sprintf("p%d.example", i))))
	}
	client, web := webClient(t, archive.String())
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			answer, err := client.Authorize(t.Context(), avow.Question{Publisher: fmt.Sprintf("p%d.example", i%5), Agent: agentURL})
			if err != nil || answer.Verdict != avow.Authorized {
				t.Errorf("%d: %+v, %v", i, answer, err)
			}
		})
	}
	all.Wait()
	if n := len(web.Requests()); n != 5 {
		t.Errorf("%d requests, want 5", n)
	}
}

// TestCancelled gives up while a server is silent, and leaves nothing running.
func TestCancelled(t *testing.T) {
	t.Parallel()
	client, _ := webClient(t, "-- "+wellKnown("slow.example")+" --\n200 stall\nContent-Type: application/json\n\n{}\n")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := client.Authorize(ctx, avow.Question{Publisher: "slow.example", Agent: agentURL})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}
