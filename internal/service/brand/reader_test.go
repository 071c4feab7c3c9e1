package brand

import (
	"errors"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/test/fakeweb"
)

// web starts an internet of sections, name and text in turn.
func web(t *testing.T, sections ...string) *Reader {
	t.Helper()
	archive := new(txtar.Archive)
	for i := 0; i < len(sections); i += 2 {
		archive.Files = append(archive.Files, txtar.File{Name: sections[i], Data: []byte(sections[i+1] + "\n")})
	}
	w, err := fakeweb.Start(txtar.Format(archive))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	return NewReader(fetch.New(fetch.Config{Network: w.Network(), HopTimeout: time.Hour, Budget: time.Hour}))
}

const (
	acme  = "https://acme.example/.well-known/brand.json"
	house = "https://house.example/.well-known/brand.json"
	cdn   = "https://cdn.example/acme/brand.json"
)

func served(json string) string { return "200\nContent-Type: application/json\n\n" + json }

const portfolio = `{"version": "1.0", "house": {"domain": "house.example", "name": "The House"}, "brands": [
 {"id": "shop", "names": [{"en": "Shop"}], "properties": [{"type": "website", "identifier": "acme.example", "relationship": "ad_network"}]},
 {"id": "acme", "names": [{"de": "Akme"}, {"en_GB": "Acme"}], "properties": [{"type": "website", "identifier": "www.ACME.example"}, {"type": "mobile_app", "identifier": "com.acme"}]},
 {"id": "main", "names": [{"en": "Main"}], "keller_type": "master"}], "brand_refs": [{"domain": "ref.example", "brand_id": "ref"}]}`

func TestRead(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, domain string
		sections     []string
		// want is the name and the URL, or the code of the error.
		want string
	}{
		{"canonical document", "acme.example", []string{acme, served(`{"id": "a", "names": [{"en": "Acme"}]}`)}, "Acme at " + acme},
		{"domain in other words", "ACME.example.", []string{acme, served(`{"id": "a", "names": [{"en": "Acme"}]}`)}, "Acme at " + acme},
		{"a name without languages", "acme.example", []string{acme, served(`{"name": "Acme"}`)}, "Acme at " + acme},
		{"to the www form", "acme.example", []string{
			acme, "301\nLocation: https://www.acme.example/b.json", "https://www.acme.example/b.json", served(`{"name": "Acme"}`),
		}, "Acme at https://www.acme.example/b.json"},
		{"to another site", "acme.example", []string{acme, "301\nLocation: " + cdn, cdn, served(`{"name": "Acme"}`)}, "brand_json_absent"},
		{"elsewhere", "acme.example", []string{acme, served(`{"authoritative_location": "` + cdn + `"}`), cdn, served(`{"name": "Acme"}`)}, "Acme at " + cdn},
		{"elsewhere, by a redirect", "acme.example", []string{
			acme, served(`{"authoritative_location": "` + cdn + `"}`), cdn, "302\nLocation: https://cdn.example/b.json",
			"https://cdn.example/b.json", served(`{"name": "Acme"}`),
		}, "brand_json_absent"},
		{"elsewhere, not https", "acme.example", []string{acme, served(`{"authoritative_location": "http://cdn.example/b.json"}`)}, "brand_json_unusable"},
		{"elsewhere, at home", "acme.example", []string{acme, served(`{"authoritative_location": "https://127.0.0.1/b.json"}`)}, "brand_json_unusable"},
		{"elsewhere, a number", "acme.example", []string{acme, served(`{"authoritative_location": 1}`)}, "brand_json_unusable"},
		{"of the house", "acme.example", []string{acme, served(`{"house": "house.example"}`), house, served(portfolio)}, "Acme at " + house},
		{"of a house that says nothing", "other.example", []string{
			"https://other.example/.well-known/brand.json", served(`{"house": "house.example"}`), house, served(portfolio),
		}, "brand_json_unusable"},
		{"of a house that points back", "ref.example", []string{
			"https://ref.example/.well-known/brand.json", served(`{"house": "house.example"}`), house, served(portfolio),
		}, "brand_json_unusable"},
		{"house and location", "acme.example", []string{
			acme, served(`{"house": "house.example"}`), house, served(`{"authoritative_location": "` + cdn + `"}`), cdn, served(portfolio),
		}, "Acme at " + cdn},
		{"house in a circle", "acme.example", []string{acme, served(`{"house": "house.example"}`), house, served(`{"house": "acme.example"}`)}, "brand_json_unusable"},
		{"too far", "acme.example", []string{
			acme, served(`{"house": "h1.example"}`),
			"https://h1.example/.well-known/brand.json", served(`{"house": "h2.example"}`),
			"https://h2.example/.well-known/brand.json", served(`{"house": "h3.example"}`),
			"https://h3.example/.well-known/brand.json", served(`{"house": "h4.example"}`),
			"https://h4.example/.well-known/brand.json", served(portfolio),
		}, "brand_json_unusable"},
		{"house for local use", "acme.example", []string{acme, served(`{"house": "printer.local"}`)}, "brand_json_unusable"},
		{"the house itself", "house.example", []string{house, served(portfolio)}, "Main at " + house},
		{"the house without brands", "house.example", []string{
			house, served(`{"house": {"domain": "house.example", "name": "The House"}, "brand_refs": []}`),
		}, "The House at " + house},
		{"an agent", "acme.example", []string{acme, served(`{"brand_agent": {"url": "https://agent.example/mcp", "id": "a"}}`)}, "brand_json_unusable"},
		{"no name", "acme.example", []string{acme, served(`{"names": [], "logos": []}`)}, "brand_json_unusable"},
		{"no object", "acme.example", []string{acme, served(`[]`)}, "brand_json_unusable"},
		{"no JSON", "acme.example", []string{acme, served(`{"names": `)}, "brand_json_unusable"},
		{"no file", "acme.example", []string{acme, "404"}, "brand_json_absent"},
		{"a page", "acme.example", []string{acme, "200\nContent-Type: text/html\n\n<html>"}, "brand_json_absent"},
		{"too large", "acme.example", []string{acme, "200 size=2097153\nContent-Type: application/json\n\n{}"}, "brand_json_absent"},
		{"down", "acme.example", []string{acme, "503"}, "brand_json_unreachable"},
		{"down for a moment", "acme.example", []string{acme, "503", acme, served(`{"name": "Acme"}`)}, "Acme at " + acme},
		{"not there", "nobody.example", []string{acme, "404"}, "brand_json_unreachable"},
		{"guarded", "inside.example", []string{"dns", "inside.example 10.0.0.1"}, "brand_json_unreachable"},
		{"no domain", "local", []string{acme, "404"}, "invalid_domain"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f, err := web(t, tt.sections...).Read(t.Context(), hostname.Domain(tt.domain))
			got := code(err)
			if err == nil {
				got = f.Manifest.Name + " at " + f.URL
			}
			if got != tt.want {
				t.Errorf("got %q (%v), want %q", got, err, tt.want)
			}
		})
	}
}

// code returns the code of an error.
func code(err error) string {
	var known *registry.Error
	if errors.As(err, &known) {
		return known.Code
	}
	if err != nil {
		return "internal: " + err.Error()
	}
	return ""
}

// TestNothingTellsGuardedFromClosed holds the reader to one answer for hosts that are
// guarded, closed and unknown.
func TestNothingTellsGuardedFromClosed(t *testing.T) {
	t.Parallel()
	r := web(t, "dns", "guarded.example 127.0.0.1\nclosed.example 93.184.216.99", acme, "404")
	var texts []string
	for _, domain := range []string{"guarded.example", "closed.example", "unknown.example"} {
		_, err := r.Read(t.Context(), hostname.Domain(domain))
		if err == nil {
			t.Fatal("a file was found")
		}
		texts = append(texts, strings.ReplaceAll(err.Error(), domain, "HOST")+code(err))
	}
	if texts[0] != texts[1] || texts[1] != texts[2] {
		t.Errorf("the answers differ: %q", texts)
	}
}

func TestRelationships(t *testing.T) {
	t.Parallel()
	r := web(t, acme, served(`{"name": "Acme", "house_domain": "House.example", "brand_agent": {"url": "https://agent.example/mcp"},
	 "properties": [{"type": "website", "identifier": "acme.example"}, {"type": "website", "identifier": "blog.example", "relationship": "delegated"},
	 {"type": "website"}, 7, {"type": "website", "identifier": "x.example", "relationship": "friend"}]}`))
	f, err := r.Read(t.Context(), "acme.example")
	if err != nil {
		t.Fatal(err)
	}
	want := []Property{{"website", "acme.example", Owned}, {"website", "blog.example", Delegated}, {"website", "x.example", "friend"}}
	if len(f.Properties) != len(want) || f.Properties[0] != want[0] || f.Properties[1] != want[1] || f.Properties[2] != want[2] {
		t.Errorf("got %v, want %v", f.Properties, want)
	}
	if f.AgentURL != "https://agent.example/mcp" {
		t.Errorf("agent %q", f.AgentURL)
	}
}

func TestSalesAgents(t *testing.T) {
	t.Parallel()
	for document, want := range map[string]string{
		`{"name": "Acme", "last_updated": "2026-01-02T00:00:00Z", "agents": [{"type": "sales", "url": "HTTPS://Agent.example:443/mcp"},
		  {"type": "rights", "url": "https://rights.example"}, {"type": "sales", "url": "no URL"}]}`: "https://agent.example/mcp 2026-01-02",
		`{"name": "Acme", "agents": [{"type": "rights", "url": "https://rights.example"}]}`: "",
		`{"name": "Acme"}`: "",
		`{"name": "Acme", "agents": "https://agent.example/mcp"}`: "",
		`[]`: "",
	} {
		agents, at, ok := web(t, acme, served(document)).SalesAgents(t.Context(), "acme.example")
		got := ""
		if ok {
			got = strings.Join(agents, ",") + " " + at.Format(time.DateOnly)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", document, got, want)
		}
	}
}
