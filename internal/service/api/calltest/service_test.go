package calltest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestUnreachableLooksAlike: whether a name does not exist, a port is closed, an
// address is private or a certificate has expired must make no difference to strangers.
func TestUnreachableLooksAlike(t *testing.T) {
	t.Parallel()
	const web = `
-- dns --
closed.example   93.184.216.40
private.example  10.0.0.1
metadata.example 169.254.169.254
loopback.example 127.0.0.1
mixed.example    93.184.216.41 192.168.0.1
-- tls --
closed.example   refused
expired.example  expired
untrusted.example self-signed
`
	hosts := []string{"closed", "private", "metadata", "loopback", "mixed", "expired", "untrusted", "nxdomain"}
	paths := map[string]func(w *world, host string) answered{
		"validate": func(w *world, host string) answered {
			return w.call(http.MethodPost, validatePath, `{"domain": "`+host+`"}`)
		},
		"cards": func(w *world, host string) answered {
			return w.call(http.MethodPost, cardsPath, `{"agent_urls": ["https://`+host+`/mcp"]}`)
		},
		"publisher": func(w *world, host string) answered {
			return w.call(http.MethodGet, "/api/registry/publisher?domain="+host, "")
		},
		"property": func(w *world, host string) answered {
			return w.call(http.MethodGet, "/api/registry/validate/property-authorization?agent=https://agent.example&identifier_type=domain&identifier_value="+host, "")
		},
		"product": func(w *world, host string) answered {
			return w.call(http.MethodPost, productPath, `{"agent_url": "https://agent.example", "publisher_properties": [{"publisher_domain": "`+host+`", "selection_type": "all"}]}`)
		},
	}
	for name, call := range paths {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, web) // its own, because what is cached says so
			want := ""
			for i, host := range hosts {
				got := call(w, host+".example")
				text := fmt.Sprint(got.status) + "\n" + strings.ReplaceAll(string(steady(pretty(t, got.body))), host, "host")
				if i == 0 {
					want = text
				} else if diff := cmp.Diff(want, text); diff != "" {
					t.Errorf("%s differs from %s:\n%s", host, hosts[0], diff)
				}
			}
		})
	}
}

// TestFields has the words by which clients know what is wrong on the way.
func TestFields(t *testing.T) {
	t.Parallel()
	w := newWorld(t, `
-- dns --
silent.example  93.184.216.40
-- https://moved.example/.well-known/adagents.json --
302
Location: https://elsewhere.example/adagents.json
-- https://page.example/.well-known/adagents.json --
200
Content-Type: text/html

<html></html>
-- https://type.example/.well-known/adagents.json --
200
Content-Type: text/plain

{"authorized_agents": []}
-- https://broken.example/.well-known/adagents.json --
200
Content-Type: application/json

{"authorized_agents": [
-- https://root.example/.well-known/adagents.json --
200
Content-Type: application/json

[]
-- https://large.example/.well-known/adagents.json --
200 size=6MB
Content-Type: application/json

{"authorized_agents": []}
-- https://failing.example/.well-known/adagents.json --
503
-- https://pointer.example/.well-known/adagents.json --
200
Content-Type: application/json

{"authoritative_location": "https://broken.example/.well-known/adagents.json", "last_updated": "2026-01-02T00:00:00Z"}
-- https://plain.example/.well-known/adagents.json --
200
Content-Type: application/json

{"authoritative_location": "http://broken.example/adagents.json", "last_updated": "2026-01-02T00:00:00Z"}
-- https://managed.example/ads.txt --
200
Content-Type: text/plain

MANAGERDOMAIN=manager.example
-- https://manager.example/.well-known/adagents.json --
200
Content-Type: application/json

{"authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "x", "authorization_type": "publisher_properties", "publisher_properties": [{"publisher_domain": "other.example", "selection_type": "all"}]}]}
`)
	tests := []struct{ domain, found, field, code string }{
		{"moved.example", "false", "network", "fetch.redirect_cross_site"},
		{"page.example", "true", "json", "fetch.html_page"},
		{"type.example", "true", "content_type", "fetch.content_type"},
		{"broken.example", "true", "json", "file.json_invalid"},
		{"root.example", "true", "root", "file.not_object"},
		{"large.example", "true", "network", "fetch.too_large"},
		{"failing.example", "false", "http_status", "fetch.server_error"},
		{"pointer.example", "true", "authoritative_location", "file.json_invalid"},
		{"plain.example", "true", "authoritative_location", "pointer.location_not_https"},
		{"managed.example", "false", "http_status", "discovery.no_file"},
	}
	for _, tt := range tests {
		t.Run(tt.domain, func(t *testing.T) {
			t.Parallel()
			got := w.call(http.MethodPost, validatePath, `{"domain": "`+tt.domain+`"}`)
			line := []string{got.member(t, "/data/found"), got.member(t, "/errors/0/field"), got.member(t, "/errors/0/code")}
			if want := []string{tt.found, tt.field, tt.code}; !slices.Equal(line, want) {
				t.Errorf("got %q, want %q\n%s", line, want, got.body)
			}
			if got.member(t, "/valid") != "false" || got.member(t, "/data/validation/valid") != "false" {
				t.Error("it counts as valid")
			}
		})
	}
}

// TestCachedAnswers: a cached check says so, and is the same in every other way.
func TestCachedAnswers(t *testing.T) {
	t.Parallel()
	w := newWorld(t, benchmarkWeb())
	first := w.call(http.MethodPost, validatePath, `{"domain": "pub.example"}`)
	second := w.call(http.MethodPost, validatePath, `{"domain": "PUB.example."}`)
	third := w.call(http.MethodPost, validatePath, `{"domain": "pub.example", "refresh": false}`)
	if first.member(t, "/data/validation/cached") != "false" || second.member(t, "/data/validation/cached") != "true" {
		t.Errorf("cached is wrong: %.300s", second.body)
	}
	if diff := cmp.Diff(string(second.body), string(third.body)); diff != "" {
		t.Error(diff)
	}
	want := strings.Replace(string(first.body), `"cached":false`, `"cached":true`, 1)
	if diff := cmp.Diff(want, string(second.body)); diff != "" {
		t.Error(diff)
	}
	if n := len(w.web.Requests()); n != 1 {
		t.Errorf("%d requests were made, want 1", n)
	}
	bare := w.call(http.MethodGet, "/api/properties/validate?domain=pub.example", "")
	if bare.member(t, "/domain") != "pub.example" || bare.member(t, "/valid") != "true" {
		t.Errorf("got %.300s", bare.body)
	}
}

// TestStoreFailure: the service goes on without its store where it can, and says nothing
// about it.
func TestStoreFailure(t *testing.T) {
	t.Parallel()
	w := newWorld(t, benchmarkWeb())
	err := w.store.Close()
	if err != nil {
		t.Fatal(err)
	}
	got := w.call(http.MethodPost, validatePath, `{"domain": "pub.example"}`)
	if got.status != http.StatusOK || got.member(t, "/valid") != "true" {
		t.Errorf("got %d %.300s", got.status, got.body)
	}
	for _, path := range []string{"/api/registry/publisher?domain=pub.example", "/api/registry/publisher/authorization?domain=pub.example&agent=https://agent.example/mcp"} {
		got := w.call(http.MethodGet, path, "")
		if strings.Contains(string(got.body), "database") || strings.Contains(string(got.body), "sql") {
			t.Errorf("%s tells about the store: %s", path, got.body)
		}
	}
}

// TestSecretsAreNotRepeated: a private key that stands in a file by mistake is in no
// sentence about it.
func TestSecretsAreNotRepeated(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	const secret = "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"
	file := `{"authorized_agents": [{"url": "https://user:hunter2@agent.example/mcp", "authorized_for": "x", "authorization_type": "property_ids", "property_ids": ["p"],
		"signing_keys": [{"kid": "k", "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo", "d": "` + secret + `"}]}]}`
	for name, got := range map[string]answered{
		"create":   w.call(http.MethodPost, "/api/adagents/create", file),
		"validate": w.call(http.MethodPost, validatePath, `{"content": `+file+`}`),
	} {
		body := string(got.body)
		if !strings.Contains(body, "signing_key.private_material") {
			t.Errorf("%s: the key is not reported: %s", name, body)
		}
		if strings.Contains(body, secret) || strings.Contains(body, "hunter2") {
			t.Errorf("%s: a secret is repeated: %s", name, body)
		}
	}
	if log := w.log.String(); strings.Contains(log, secret) || strings.Contains(log, "hunter2") {
		t.Error("a secret is in the log")
	}
}
