package discover_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/test/fakeweb"
)

// own is a file that names the publisher, and so is valid as its own and as that
// of its manager.
const own = `200
Content-Type: application/json

{"$schema": "https://adcontextprotocol.org/schemas/v3/adagents.json", "last_updated": "2026-01-02T00:00:00Z", "catalog_etag": "v1",
 "authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "everything", "authorization_type": "publisher_properties",
  "publisher_properties": [{"publisher_domain": "pub.example", "selection_type": "all"}]}],
 "properties": [{"property_id": "site", "property_type": "website", "name": "Site", "identifiers": [{"type": "domain", "value": "pub.example"}], "publisher_domain": "pub.example"}]}
`

const pointer = `200
Content-Type: application/json

{"authoritative_location": "https://network.example/adagents.json", "last_updated": "2026-01-02T00:00:00Z"}
`

const adsTxt = `200
Content-Type: text/plain; charset=utf-8

google.com, 1, DIRECT
MANAGERDOMAIN=manager.example
`

const (
	pub     = "https://pub.example/.well-known/adagents.json"
	www     = "https://www.pub.example/.well-known/adagents.json"
	ads     = "https://pub.example/ads.txt"
	target  = "https://network.example/adagents.json"
	manager = "https://manager.example/.well-known/adagents.json"
	movedTo = "301\nLocation: "
)

// web starts an internet of sections, name and text in turn.
func web(t *testing.T, sections ...string) *fakeweb.Web {
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
	return w
}

func finder(w *fakeweb.Web) *discover.Finder {
	client := fetch.New(fetch.Config{Network: w.Network(), Attempts: 1, HopTimeout: time.Hour, Budget: time.Hour})
	return discover.New(discover.Config{Client: client, Now: func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }})
}

// told is a discovery in one line.
func told(d *discover.Discovery) string {
	words := []string{d.Answer.String(), d.Method.String(), fmt.Sprintf("found=%t", d.Found)}
	for _, h := range d.Trail {
		outcome := "-"
		if h.Result != nil {
			outcome = h.Result.Outcome.String()
		}
		words = append(words, h.Step.String()+":"+outcome)
	}
	for i := range d.Findings {
		words = append(words, d.Findings[i].Code)
	}
	return strings.Join(words, " ")
}

func TestWholeWay(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		sections []string
		want     string
		resolved string
		requests []string
	}{
		{"direct", []string{pub, own}, "usable direct found=true well_known:found", pub, []string{pub}},
		{
			"to the www form", []string{pub, movedTo + www, www, own},
			"usable direct found=true well_known:found", www, []string{pub, www},
		},
		{
			"to another site", []string{pub, movedTo + target, target, own},
			"unreachable direct found=false well_known:redirect_refused fetch.redirect_cross_site discovery.other_form", "", []string{pub},
		},
		{"pointer", []string{pub, pointer, target, own}, "usable authoritative_location found=true well_known:found authoritative:found", target, []string{pub, target}},
		{
			"pointer to a redirect", []string{pub, pointer, target, movedTo + "https://network.example/v2.json"},
			"unusable direct found=true well_known:found authoritative:redirect_refused fetch.redirect_authoritative", "", []string{pub, target},
		},
		{
			"nested pointer", []string{pub, pointer, target, strings.Replace(pointer, "network.example", "third.example", 1)},
			"unusable authoritative_location found=true well_known:found authoritative:found", target, []string{pub, target},
		},
		{
			"text", []string{pub, strings.Replace(own, "application/json", "text/plain", 1)},
			"unusable direct found=true well_known:bad_content_type fetch.content_type", "", []string{pub},
		},
		{
			"start page", []string{pub, "200\nContent-Type: text/html\n\n<!doctype html><title>Welcome</title>"},
			"unusable direct found=true well_known:bad_content_type fetch.html_page", "", []string{pub},
		},
		{
			"bot protection", []string{pub, "403\nContent-Type: text/html\n\n<h1>Are you human?</h1>"},
			"unreachable direct found=false well_known:forbidden fetch.bot_protection", "", []string{pub},
		},
		{"log-in", []string{pub, "401\nWWW-Authenticate: Basic"}, "unreachable direct found=false well_known:forbidden fetch.login_required", "", []string{pub}},
		{"gone", []string{pub, "410"}, "unreachable direct found=false well_known:client_error fetch.gone", "", []string{pub}},
		{"too large", []string{pub, strings.Replace(own, "200", "200 size=5000001", 1)}, "unusable direct found=true well_known:too_large fetch.too_large", "", []string{pub}},
		{"damaged", []string{pub, strings.Replace(own, "200", "200 gzip=corrupt", 1)}, "unusable direct found=true well_known:bad_encoding fetch.encoding", "", []string{pub}},
		{"no name", []string{"dns", "pub.example nxdomain"}, "unreachable direct found=false well_known:name_not_found fetch.name_not_found discovery.other_form", "", nil},
		{
			"inside", []string{"dns", "pub.example 93.184.216.34 10.0.0.1", pub, own},
			"unreachable direct found=false well_known:guarded_address fetch.guarded discovery.other_form", "", nil,
		},
		{"certificate for another name", []string{"tls", "pub.example wrong-name", pub, own}, "unreachable direct found=false well_known:tls_failure fetch.tls_name discovery.other_form", "", nil},
		{"certificate with a common name alone", []string{"tls", "pub.example cn-only", pub, own}, "unreachable direct found=false well_known:tls_failure fetch.tls_name discovery.other_form", "", nil},
		{"old certificate", []string{"tls", "pub.example expired", pub, own}, "unreachable direct found=false well_known:tls_failure fetch.tls_expired discovery.other_form", "", nil},
		{"unknown authority", []string{"tls", "pub.example self-signed", pub, own}, "unreachable direct found=false well_known:tls_failure fetch.tls discovery.other_form", "", nil},
		{"plain http", []string{"tls", "pub.example no-tls", pub, own}, "unreachable direct found=false well_known:tls_failure fetch.http_only discovery.other_form", "", nil},
		{"closed", []string{"tls", "pub.example refused", pub, own}, "unreachable direct found=false well_known:unreachable fetch.unreachable discovery.other_form", "", nil},
		{"absent", []string{pub, "404"}, "absent direct found=false well_known:absent ads_txt:absent discovery.no_file discovery.other_form adstxt.absent", "", []string{pub, ads}},
		{
			"object store", []string{pub, "403\nContent-Type: application/xml\n\n<Error><Code>AccessDenied</Code></Error>"},
			"absent direct found=false well_known:access_denied_object_store ads_txt:absent fetch.object_store_denied discovery.other_form adstxt.absent", "", []string{pub, ads},
		},
		{
			"ads.txt that is a page", []string{ads, "200\nContent-Type: text/html\n\nMANAGERDOMAIN=manager.example"},
			"absent direct found=false well_known:absent ads_txt:bad_content_type discovery.no_file discovery.other_form adstxt.content_type", "", []string{pub, ads},
		},
		{
			"manager", []string{ads, adsTxt, manager, own},
			"usable ads_txt_managerdomain found=true well_known:absent ads_txt:found manager:found discovery.manager_used", manager, []string{pub, ads, manager},
		},
		{
			"manager behind an object store", []string{pub, "403\nContent-Type: application/xml\n\n<Error><Code> accessdenied </Code></Error>", ads, adsTxt, manager, own},
			"usable ads_txt_managerdomain found=true well_known:access_denied_object_store ads_txt:found manager:found discovery.manager_used", manager, []string{pub, ads, manager},
		},
		{
			"manager with a pointer", []string{ads, adsTxt, manager, pointer, target, own},
			"usable ads_txt_managerdomain found=true well_known:absent ads_txt:found manager:found manager_authoritative:found discovery.manager_used", target, []string{pub, ads, manager, target},
		},
		{
			"manager of somebody else", []string{ads, adsTxt, manager, strings.ReplaceAll(own, "pub.example", "other.example")},
			"absent direct found=false well_known:absent ads_txt:found manager:found discovery.no_file discovery.other_form discovery.manager_unscoped", "", []string{pub, ads, manager},
		},
		{
			"manager that delegates again", []string{ads, adsTxt, "https://manager.example/ads.txt", strings.Replace(adsTxt, "=manager", "=third", 1), manager, "404"},
			"absent direct found=false well_known:absent ads_txt:found manager:absent discovery.no_file discovery.other_form fetch.not_found", "", []string{pub, ads, manager},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			// ads.txt is asked on the same host, so the host has to exist.
			w := web(t, append(tt.sections, "https://pub.example/exists", "200")...)
			d, err := finder(w).Domain(t.Context(), "pub.example", discover.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := told(d); got != tt.want || d.ResolvedURL != tt.resolved {
				t.Errorf("got  %s at %q\nwant %s at %q", got, d.ResolvedURL, tt.want, tt.resolved)
			}
			var requests []string
			for _, r := range w.Requests() {
				requests = append(requests, r.URL)
			}
			if !slices.Equal(requests, tt.requests) {
				t.Errorf("requests %v, want %v", requests, tt.requests)
			}
			for _, h := range d.Trail {
				if h.Meaning == "" || h.Next == "" {
					t.Errorf("%s says nothing", h.Step)
				}
			}
			if (d.Answer == discover.Usable) != d.Valid() {
				t.Errorf("valid %t", d.Valid())
			}
		})
	}
}

func TestConditional(t *testing.T) {
	t.Parallel()
	w := web(t, pub, strings.Replace(own, "200\n", "200 conditional\nETag: \"v1\"\n", 1))
	f := finder(w)
	d, err := f.Domain(t.Context(), "pub.example", discover.Options{})
	if err != nil {
		t.Fatal(err)
	}
	etag := d.Trail[0].Result.Last().ETag
	d, err = f.Domain(t.Context(), "pub.example", discover.Options{IfNoneMatch: etag})
	if err != nil || told(d) != "unchanged direct found=true well_known:not_modified" {
		t.Errorf("%s, %v", told(d), err)
	}
}

func TestAgentsOnTheWeb(t *testing.T) {
	t.Parallel()
	const answer = `{"jsonrpc": "2.0", "id": 1, "result": {"protocolVersion": "2025-06-18", "serverInfo": {"name": "Seller"}}}`
	w := web(t,
		"https://a2a.example/.well-known/agent-card.json", "200\nContent-Type: application/json\n\n{\"name\": \"Card\"}",
		"POST https://mcp.example/mcp", "200\nContent-Type: application/json\n\n"+answer,
		"POST https://events.example/mcp", "200 chunked\nContent-Type: text/event-stream\n\nevent: message\ndata: "+answer+"\n",
		"POST https://closed.example/mcp", "401\nWWW-Authenticate: Bearer resource_metadata=\"x\"",
		"https://site.example/", "200\nContent-Type: text/html\n\n<html>",
		"dns", "inside.example 169.254.169.254\ngone.example nxdomain",
	)
	list := []string{
		"https://a2a.example/agent", "https://mcp.example/mcp", "https://events.example/mcp", "https://closed.example/mcp", "https://site.example/",
		"https://inside.example/", "https://gone.example/", "https://127.0.0.1/",
	}
	var got []string
	for _, c := range finder(w).Agents(t.Context(), list, discover.ProbeOptions{}) {
		got = append(got, strings.TrimSpace(c.Reach.String()+" "+c.Name))
	}
	want := []string{
		"reachable Card", "reachable Seller", "reachable Seller", "reachable_with_credentials", "unreachable", "refused", "unreachable", "refused",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestConditionalTarget(t *testing.T) {
	t.Parallel()
	file := strings.Replace(own, "200\n", "200 conditional\nETag: \"v1\"\n", 1)
	w := web(t, pub, pointer, target, file, ads, adsTxt, manager, file)
	f := finder(w)
	known := func(string) discover.Copy { return discover.Copy{IfNoneMatch: `"v1"`} }
	d, err := f.Domain(t.Context(), "pub.example", discover.Options{Known: known})
	if err != nil || told(d) != "unchanged authoritative_location found=true well_known:found authoritative:not_modified" || d.ResolvedURL != target {
		t.Errorf("%s, %v", told(d), err)
	}
	d, err = f.Location(t.Context(), "pub.example", discover.Place{Method: discover.AuthoritativeLocation, URL: target}, discover.Options{IfNoneMatch: `"v0"`})
	if err != nil || told(d) != "usable authoritative_location found=true authoritative:found" || d.Trail[0].Result.Last().ETag != `"v1"` {
		t.Errorf("%s, %v", told(d), err)
	}
	at := discover.Place{Method: discover.ManagerDomain, URL: manager, Manager: "manager.example"}
	d, err = f.Location(t.Context(), "pub.example", at, discover.Options{Known: known})
	if err != nil || told(d) != "unchanged ads_txt_managerdomain found=true manager:not_modified" {
		t.Errorf("%s, %v", told(d), err)
	}
}
