package browsertest

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/service/api"
	"github.com/avow-project/avow/internal/service/brand"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/ops"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/server"
	"github.com/avow-project/avow/internal/service/store/sqlite"
	"github.com/avow-project/avow/internal/service/web"
	"github.com/avow-project/avow/internal/test/fakeweb"
	"github.com/avow-project/avow/internal/test/sqlitetest"
	"github.com/avow-project/avow/internal/test/stillweb"
)

// object is a JSON object.
type object = map[string]any

// perFile is the number of payloads in one hostile file: as many as its page shows.
const perFile = 25

// hostileFiles returns files that have every payload in every member that a page shows.
func hostileFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	for list := range slices.Chunk(payloads(), perFile) {
		var agents, properties []any
		for i, text := range list {
			properties = append(properties, goodProperty(i, text), badProperty(text))
			agents = append(agents, goodAgent(i, text), badAgent(text))
		}
		file := object{
			"authorized_agents": agents, "properties": properties, "contact": object{"name": list[0], "email": list[0], "domain": list[0], list[0]: 1},
			"last_updated": "2026-01-02T00:00:00Z", "catalog_etag": list[1], "version": list[2], "superseded_by": "https://x.example/" + list[3],
			"tags": object{list[4]: object{"name": list[4], "description": list[5]}},
		}
		for _, text := range list {
			file[text] = text
		}
		var b strings.Builder
		e := json.NewEncoder(&b)
		e.SetIndent("", " ")
		e.SetEscapeHTML(false) // markup in escapes would not be the same
		err := e.Encode(file)
		if err != nil {
			t.Fatal(err)
		}
		if report := adagents.Check([]byte(b.String()), adagents.Options{}); report.File == nil {
			t.Fatalf("buyers cannot use a file that is to be shown: %v", report.Unusable)
		}
		files = append(files, b.String())
	}
	return files
}

// goodProperty shows a payload in the table of properties.
func goodProperty(i int, text string) object {
	return object{
		"property_id": fmt.Sprintf("p%d", i), "property_type": "website", "name": text, "tags": []string{fmt.Sprintf("t%d", i), text},
		"identifiers": []any{object{"type": "domain", "value": "example.com"}, object{"type": "domain", "value": text}, object{"type": text, "value": text}},
	}
}

// badProperty shows it in findings.
func badProperty(text string) object {
	return object{
		"property_id": text, "property_type": text, "name": text, "tags": []string{text}, "supported_channels": []string{text},
		"identifiers": []any{object{"type": text, "value": text}}, "publisher_domain": text, text: text,
	}
}

// goodAgent shows a payload in the table of agents.
func goodAgent(i int, text string) object {
	return object{
		"url": fmt.Sprintf("https://agent%d.example/%s", i, url.PathEscape(text)), "authorized_for": text, "authorization_type": "property_tags",
		"property_tags": []string{fmt.Sprintf("t%d", i), text}, "delegation_type": "direct",
	}
}

// badAgent shows it in findings.
func badAgent(text string) object {
	return object{
		"url": text, "authorized_for": text, "authorization_type": text, "property_ids": []string{text}, "countries": []string{text}, "delegation_type": text,
		"effective_from": text, "effective_until": text, "placement_ids": []string{text}, "signing_keys": []any{object{"kid": text, "kty": text, "x": text}}, text: text,
	}
}

const goodFile = `{
  "$schema": "https://adcontextprotocol.org/schemas/v3/adagents.json",
  "contact": {"name": "Example Media", "email": "adops@example.com", "domain": "good.example"},
  "properties": [
    {"property_id": "site", "property_type": "website", "name": "Example", "tags": ["news"],
     "identifiers": [{"type": "domain", "value": "good.example"}]},
    {"property_id": "app", "property_type": "mobile_app", "name": "Example for iOS", "tags": ["news", "apps"],
     "identifiers": [{"type": "ios_bundle", "value": "com.example.app"}]}
  ],
  "tags": {"news": {"name": "News", "description": "All news"}, "apps": {"name": "Apps", "description": "All apps"}},
  "authorized_agents": [
    {"url": "https://agent.example/mcp", "authorized_for": "All display inventory", "authorization_type": "property_tags",
     "property_tags": ["news"], "delegation_type": "direct", "exclusive": false, "countries": ["DE", "FR"],
     "effective_from": "2026-01-01T00:00:00Z", "effective_until": "2036-01-01T00:00:00Z"},
    {"url": "https://other.example/mcp", "authorized_for": "The app", "authorization_type": "property_ids", "property_ids": ["app"]}
  ],
  "catalog_etag": "v1",
  "last_updated": "2026-01-02T00:00:00Z"
}`

const faultyFile = `{
  "contact": {"name": "Example Media", "email": "adops at example.com"},
  "properties": [
    {"property_id": "site", "property_type": "web", "name": "Example",
     "identifiers": [{"type": "domain", "value": "https://www.faulty.example/"}]},
    {"property_id": "app", "property_type": "mobile_app", "name": "Example for iOS",
     "identifiers": [{"type": "ios_bundle", "value": "com.example.app"}]}
  ],
  "authorized_agents": [
    {"url": "http://agent.example/mcp", "authorized_for": "All display inventory", "authorization_type": "property_ids",
     "property_ids": ["site", "sitee"], "countries": ["UK"]},
    {"url": "https://me:hunter2@other.example/mcp", "authorized_for": "The app", "authorization_type": "property_ids", "property_ids": ["app"],
     "signing_keys": [{"kid": "k1", "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
       "d": "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"}]},
    {"url": "https://third.example/mcp", "authorized_for": "The app", "authorization_type": "property_ids", "property_ids": ["app"]}
  ],
  "last_updated": "2026-01-02"
}`

// served is an answer with a document.
func served(media, document string) string { return "200\nContent-Type: " + media + "\n\n" + document }

// wellKnown is where the file of a domain is.
func wellKnown(domain string) string { return "https://" + domain + "/.well-known/adagents.json" }

// internet returns what there is to be found.
func internet(hostile []string) []byte {
	archive := new(txtar.Archive)
	add := func(name, text string) {
		archive.Files = append(archive.Files, txtar.File{Name: name, Data: []byte(strings.TrimSuffix(text, "\n") + "\n")})
	}
	for i, file := range hostile {
		add(wellKnown(hostileName(i)), served("application/json", file))
	}
	add(wellKnown("good.example"), served("application/json", goodFile))
	add(wellKnown("eager.example"), served("application/json", goodFile))
	add(wellKnown("nobody.example"), served("application/json", `{"authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "Everything"}]}`))
	add(wellKnown("catalog.example"), served("application/json", `{"properties": [{"property_id": "site", "property_type": "website", "name": "Example", "identifiers": [{"type": "domain", "value": "catalog.example"}]}], "authorized_agents": []}`))
	add(wellKnown("faulty.example"), served("application/json", faultyFile))
	add(wellKnown("many.example"), served("application/json", `{"authorized_agents": [`+strings.TrimSuffix(strings.Repeat("\n{\"url\": \"http://agent.example/\"},", 8), ",")+"\n]}"))
	add(wellKnown("broken.example"), served("application/json", "{\n  \"authorized_agents\": [\n    {\"url\": \"https://a.example/\",}\n  ]\n"))
	add(wellKnown("page.example"), served("text/html", "<html><script>alert(1)</script><h1>Not here</h1></html>"))
	add(wellKnown("down.example"), "503\n\n<script>alert(1)</script>")
	add(wellKnown("points.example"), served("application/json", `{"authoritative_location": "https://cdn.example/points.json", "last_updated": "2026-01-02T00:00:00Z"}`))
	add("https://cdn.example/points.json", served("application/json", strings.ReplaceAll(faultyFile, "faulty.example", "points.example")))
	add(wellKnown("lost.example"), served("application/json", `{"authoritative_location": "https://cdn.example/\"><img src=x onerror=alert(1)>", "last_updated": "<svg onload=alert(1)>"}`))
	add(wellKnown("away.example"), "301\nLocation: https://evil.example/\"><script>alert(1)</script>\n")
	add(wellKnown("none.example"), "404\n")
	add("https://none.example/ads.txt", served("text/plain", "MANAGERDOMAIN=\"><script>alert(1)</script>\nmanagerdomain=<img src=x onerror=alert(1)>, US\n"))
	add(wellKnown("new.example"), "404\n")
	add("https://new.example/ads.txt", "404\n")
	add(wellKnown("seller.example"), "404\n")
	add("https://seller.example/ads.txt", served("text/plain", "OWNERDOMAIN=seller.example\nssp.example, pub-1, DIRECT\n"))
	add(wellKnown("managed.example"), "404\n")
	add("https://managed.example/ads.txt", served("text/plain", "MANAGERDOMAIN=manager.example\n"))
	add(wellKnown("manager.example"), served("application/json", strings.ReplaceAll(goodFile, `"tags": ["news"],`, `"publisher_domain": "managed.example", "tags": ["news"],`)))
	add("https://agent.example/.well-known/agent-card.json", served("application/json", `{"name": "<img src=x onerror=alert(1)>", "url": "https://agent.example/mcp", "description": "x", "version": "1", "capabilities": {}, "skills": [], "defaultInputModes": [], "defaultOutputModes": []}`))
	add("https://agent.example/mcp", "405\n")
	add("https://agent.example/.well-known/trust.json", served("application/json", `{"agents": [{"url": "https://agent.example/mcp", "roles": ["<img src=x onerror=alert(1)>"], "kid": "1"}],
  "acknowledgements": [{"grantor": "good.example", "agent_url": "https://agent.example/mcp", "via": "adcp:adagents"}]}`))
	return txtar.Format(archive)
}

func hostileName(i int) string { return fmt.Sprintf("hostile%d.example", i) }

// start runs the service and returns its origin.
func start(t *testing.T, archive []byte) string {
	t.Helper()
	origin, _ := startService(t, archive)
	return origin
}

// startService runs the service and returns its origin with the service itself.
func startService(t *testing.T, archive []byte) (string, *registry.Service) {
	t.Helper()
	pages, handler, known := service(t, archive)
	return run(t, handler, pages), known
}

// service returns the service as handlers, and itself.
func service(t *testing.T, archive []byte) (*web.Pages, http.Handler, *registry.Service) {
	t.Helper()
	return serviceOn(t, archive, func(g fetch.Getter) fetch.Getter { return g })
}

// serviceOn is service with something between it and the web.
func serviceOn(t *testing.T, archive []byte, between func(fetch.Getter) fetch.Getter) (*web.Pages, http.Handler, *registry.Service) {
	t.Helper()
	fake, err := fakeweb.Start(archive)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(fake.Close)
	store, err := sqlite.Open(t.Context(), sqlitetest.Path(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	client := fetch.New(fetch.Config{Network: fake.Network(), Attempts: 1, HopTimeout: time.Hour, Budget: time.Hour, PerHost: 100, PerSite: 100, SiteBurst: 1000})
	// The clock stands still, so that what is said about ages and waiting is the same on
	// every machine.
	began := time.Now()
	clock := func() time.Time { return began }
	known := registry.New(registry.Config{Store: store, Custody: store.Custody(), Finder: discover.New(discover.Config{Client: between(stillweb.Client{Client: client}), Now: clock}), Brands: brand.NewReader(stillweb.Client{Client: client}), Now: clock, CallTime: time.Hour})
	t.Cleanup(known.Close)
	known.KeepDirectory()
	mux := http.NewServeMux()
	calls := api.New(api.Config{Operations: ops.New(ops.Config{Service: known}), Frame: web.Reference})
	for _, pattern := range calls.Mounts() {
		mux.Handle(pattern, calls.Handler())
	}
	keys, err := notary.NewKeys("registry.example/log")
	if err != nil {
		t.Fatal(err)
	}
	first := keys.First()
	first.At = began.UTC().Truncate(time.Microsecond)
	err = store.Log().Begin(t.Context(), "registry.example/log", first)
	if err != nil {
		t.Fatal(err)
	}
	signer := notary.New(notary.Config{Store: store.Log(), Keys: keys, Now: clock})
	pages := web.New(web.Config{Service: known, Now: clock, Reader: ops.NewReader(known, &notary.Handler{Prover: notary.Prover{Store: store.Log()}, Keys: keys, Log: slog.New(slog.DiscardHandler)})})
	mux.Handle("/", pages)
	mux.HandleFunc("GET /check/{domain}", func(w http.ResponseWriter, r *http.Request) {
		// What is shown of the log is signed just before, so that nothing is ever pending.
		err := signer.Flush(r.Context())
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		pages.ServeHTTP(w, r)
	})
	return pages, mux, known
}

// run runs a server around the handlers.
func run(t *testing.T, handler http.Handler, pages *web.Pages) string {
	t.Helper()
	return runLimited(t, handler, pages, nil)
}

// runLimited is run with rates.
func runLimited(t *testing.T, handler http.Handler, pages *web.Pages, rates map[*edge.Class]edge.Rate) string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	origin, ended := make(chan string, 1), make(chan error, 1)
	go func() {
		ended <- server.Run(ctx, server.Config{
			Addrs: []string{"127.0.0.1:0"}, Handler: handler,
			Route: pages.Lookup, Page: pages.Refused, Named: pages.Named, Rates: rates,
		}, func(url string) { origin <- url })
	}()
	t.Cleanup(func() {
		cancel()
		err := <-ended
		if err != nil {
			t.Error(err)
		}
	})
	select {
	case u := <-origin:
		return u
	case err := <-ended:
		ended <- nil
		t.Fatal(err)
		return ""
	}
}
