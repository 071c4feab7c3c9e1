package calltest

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
)

const (
	validatePath = "/api/adagents/validate"
	cardsPath    = "/api/adagents/validate-cards"
	productPath  = "/api/registry/validate/product-authorization"

	// The limits of bodies: of most, and of those with a file in them.
	smallBody = 64 << 10
	fileBody  = 5_000_000
)

// TestBadRequests has requests that cannot be answered, with the sentence and the field
// that say why.
func TestBadRequests(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	const missingThree = "Missing required query params: agent_url, identifier_type, identifier_value"
	long := strings.Repeat("a", 3000)
	tests := []struct {
		name, method, path, body string
		status                   int
		message, field           string
	}{
		{"no body", http.MethodPost, validatePath, "", 400, "Domain is required", "domain"},
		{"empty object", http.MethodPost, validatePath, "{}", 400, "Domain is required", "domain"},
		{"empty domain", http.MethodPost, validatePath, `{"domain": "  "}`, 400, "Domain is required", "domain"},
		{"null domain", http.MethodPost, validatePath, `{"domain": null}`, 400, "Domain is required", "domain"},
		{"number", http.MethodPost, validatePath, `{"domain": 7}`, 400, "domain must be a string, not a number", "domain"},
		{"list", http.MethodPost, validatePath, `{"domain": ["a.example"]}`, 400, "domain must be a string, not an array", "domain"},
		{"object", http.MethodPost, validatePath, `{"domain": {}}`, 400, "domain must be a string, not an object", "domain"},
		{"false", http.MethodPost, validatePath, `{"domain": false}`, 400, "domain must be a string, not a boolean", "domain"},
		{"long domain", http.MethodPost, validatePath, `{"domain": "` + long + `"}`, 400, "domain must have at most 2048 characters", "domain"},
		{"twice", http.MethodPost, validatePath, `{"domain": "a.example", "domain": "b.example"}`, 400, `Member "domain" is given more than once`, "domain"},
		{"twice, unknown", http.MethodPost, validatePath, `{"domain": "a.example", "x": 1, "x": 2}`, 400, `Member "x" is given more than once`, "x"},
		{"flag as text", http.MethodPost, validatePath, `{"domain": "a.example", "refresh": "yes"}`, 400, "refresh must be true or false, not a string", "refresh"},
		{"profile", http.MethodPost, validatePath, `{"domain": "a.example", "profile": "lax"}`, 400, "profile must be one of: default, strict", "profile"},
		{"scopes", http.MethodPost, validatePath, `{"domain": "a.example", "scopes": "x"}`, 400, "scopes must be an array, not a string", "scopes"},
		{"scope", http.MethodPost, validatePath, `{"domain": "a.example", "scopes": ["x", 1]}`, 400, "scopes[1] must be a string, not a number", "scopes[1]"},
		{"both", http.MethodPost, validatePath, `{"domain": "a.example", "content": {}}`, 400, "domain and content cannot be given together", "content"},
		{"content list", http.MethodPost, validatePath, `{"content": []}`, 400, "content must be an object or a string", "content"},
		{"content empty", http.MethodPost, validatePath, `{"content": " \n"}`, 400, "content is empty", "content"},
		{"not JSON", http.MethodPost, validatePath, `{"domain": "a.example"`, 400, "Malformed request body", ""},
		{"form", http.MethodPost, validatePath, `domain=a.example`, 400, "Malformed request body", ""},
		{"null", http.MethodPost, validatePath, `null`, 400, "Malformed request body", ""},
		{"array", http.MethodPost, validatePath, `[]`, 400, "Malformed request body", ""},
		{"two values", http.MethodPost, validatePath, `{} {}`, 400, "Malformed request body", ""},
		{"not UTF-8", http.MethodPost, validatePath, "{\"domain\": \"\xff\"}", 400, "Malformed request body", ""},
		{"deep", http.MethodPost, validatePath, strings.Repeat(`{"a":`, 5000), 400, "Malformed request body", ""},
		{"no agents", http.MethodPost, cardsPath, `{}`, 400, "agent_urls array is required", "agent_urls"},
		{"empty agents", http.MethodPost, cardsPath, `{"agent_urls": []}`, 400, "agent_urls array is required", "agent_urls"},
		{"blank agent", http.MethodPost, cardsPath, `{"agent_urls": [" "]}`, 400, "agent_urls has an entry that is empty or longer than 2048 characters", "agent_urls"},
		{"many agents", http.MethodPost, cardsPath, `{"agent_urls": ["a","b","c","d","e","f","g","h","i","j","k"]}`, 400, "agent_urls may list 10 agents at most", "agent_urls"},
		{"no domain", http.MethodGet, "/api/properties/validate", "", 400, "domain parameter required", "domain"},
		{"blank parameter", http.MethodGet, "/api/properties/resolve?domain=+", "", 400, "domain parameter required", "domain"},
		{"two domains", http.MethodGet, "/api/properties/resolve?domain=a.example&domain=b.example", "", 400, "Query parameter domain is given more than once", "domain"},
		{"bad escape", http.MethodGet, "/api/properties/resolve?domain=%zz", "", 400, "The query string is not well-formed", ""},
		{"semicolon", http.MethodGet, "/api/properties/resolve?domain=a.example;x=y", "", 400, "The query string is not well-formed", ""},
		{"not UTF-8 query", http.MethodGet, "/api/properties/resolve?domain=%ff", "", 400, "Query parameter domain is not UTF-8", "domain"},
		{"publisher check", http.MethodGet, "/api/public/validate-publisher", "", 400, "Domain is required", "domain"},
		{"publisher", http.MethodGet, "/api/registry/publisher", "", 400, "Missing required query param: domain", "domain"},
		{"include", http.MethodGet, "/api/registry/publisher?domain=a.example&include=everything", "", 400, "Invalid include value; expected placements", "include"},
		{"agent", http.MethodGet, "/api/registry/publisher/authorization?domain=a.example", "", 400, "Missing required query params: domain, agent", "agent"},
		{"agent twice", http.MethodGet, "/api/registry/publisher/authorization?domain=a.example&agent=https://x.example&agent_url=https://y.example", "", 400, "Query parameter agent is given more than once", "agent"},
		{"identifier", http.MethodGet, "/api/registry/validate/property-authorization?agent=https://x.example", "", 400, missingThree, "identifier_type"},
		{"time", http.MethodGet, "/api/registry/validate/property-authorization?agent=https://x.example&identifier_type=domain&identifier_value=a.example&at=today", "", 400, "at: \"today\" is not a time: not an rfc 3339 date-time", "at"},
		{"selectors", http.MethodPost, productPath, `{"agent_url": "https://x.example"}`, 400, "Missing required field: publisher_properties (array of selectors)", "publisher_properties"},
		{"selector", http.MethodPost, productPath, `{"agent_url": "https://x.example", "publisher_properties": ["all"]}`, 400, "publisher_properties[0] must be an object, not a string", "publisher_properties[0]"},
		{"selection type", http.MethodPost, productPath, `{"agent_url": "https://x.example", "publisher_properties": [{}]}`, 400, "Missing required field: publisher_properties[0].selection_type", "publisher_properties[0].selection_type"},
		{"selection word", http.MethodPost, productPath, `{"agent_url": "https://x.example", "publisher_properties": [{"selection_type": "any"}]}`, 400, "publisher_properties[0].selection_type must be one of: all, by_id, by_tag", "publisher_properties[0].selection_type"},
		{"no such path", http.MethodGet, "/api/nothing", "", 404, "Not found", ""},
		{"slash at the end", http.MethodPost, validatePath + "/", "{}", 404, "Not found", ""},
		{"two slashes", http.MethodPost, "/api//adagents/validate", "{}", 404, "Not found", ""},
		{"dots", http.MethodGet, "/api/../docs", "", 404, "Not found", ""},
		{"wrong method", http.MethodGet, validatePath, "", 405, "Method not allowed", ""},
		{"wrong method on a document", http.MethodDelete, "/openapi.yaml", "", 405, "Method not allowed", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := w.call(tt.method, tt.path, tt.body)
			if got.status != tt.status || got.member(t, "/error") != tt.message || got.member(t, "/field") != tt.field {
				t.Errorf("got %d %s, want %d %q about %q", got.status, got.body, tt.status, tt.message, tt.field)
			}
			if ct := got.header.Get("Content-Type"); ct != "application/json" {
				t.Errorf("content type %q", ct)
			}
			if strings.HasPrefix(tt.path, "/api/adagents/") && tt.status == http.StatusBadRequest &&
				(got.member(t, "/success") != "false" || got.member(t, "/timestamp") == "") {
				t.Errorf("no envelope: %s", got.body)
			}
		})
	}
}

func TestMalformedBodyHasAPlace(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	got := w.call(http.MethodPost, validatePath, "{\n  \"domain\": oops\n}")
	if got.member(t, "/type") != "entity.parse.failed" || got.member(t, "/line") != "2" || got.member(t, "/column") != "13" || got.member(t, "/hint") == "" {
		t.Errorf("got %s", got.body)
	}
}

// TestTolerance has requests that are answered although they are not as they should be.
func TestTolerance(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	for name, call := range map[string]func() answered{
		"unknown member": func() answered {
			return w.call(http.MethodPost, validatePath, `{"domain": "a b", "colour": ["red"], "options": {"x": 1}}`)
		},
		"other content type": func() answered {
			return w.call(http.MethodPost, validatePath, `{"domain": "a b"}`, "Content-Type", "text/plain; charset=latin1")
		},
		"identity": func() answered {
			return w.call(http.MethodPost, validatePath, `{"domain": "a b"}`, "Content-Encoding", "identity")
		},
		"byte order mark": func() answered { return w.call(http.MethodPost, validatePath, "\ufeff{\"domain\": \"a b\"}") },
		"key that is none": func() answered {
			return w.call(http.MethodPost, validatePath, `{"domain": "a b"}`, "Authorization", "Bearer nonsense")
		},
		"unknown parameter": func() answered { return w.call(http.MethodPost, validatePath+"?x=1&x=2", `{"domain": "a b"}`) },
		"csrf token": func() answered {
			return w.call(http.MethodPost, validatePath, `{"domain": "a b"}`, "X-CSRF-Token", "0")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := call()
			if got.status != http.StatusOK || got.member(t, "/data/found") != "false" {
				t.Errorf("got %d %s", got.status, got.body)
			}
		})
	}
}

func TestLargeBodies(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	tooLarge := func(name, path string, body io.Reader) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, w.server.URL+path, body)
			if err != nil {
				t.Fatal(err)
			}
			got := w.do(req)
			if got.status != http.StatusRequestEntityTooLarge || got.member(t, "/error") != "Request body too large" {
				t.Errorf("got %d %s", got.status, got.body)
			}
		})
	}
	space := func(n int) []byte { return bytes.Repeat([]byte(" "), n) }
	tooLarge("with a length", cardsPath, bytes.NewReader(space(smallBody+1)))
	tooLarge("in chunks", cardsPath, struct{ io.Reader }{bytes.NewReader(space(smallBody + 1))})
	tooLarge("file", validatePath, bytes.NewReader(space(fileBody+1)))
	tooLarge("file to make, in chunks", "/api/adagents/create", struct{ io.Reader }{bytes.NewReader(space(fileBody + 1))})

	t.Run("a file just within the limit", func(t *testing.T) {
		t.Parallel()
		head, tail := `{"content": {"authorized_agents": [], "ext": "`, `"}}`
		body := head + strings.Repeat("x", fileBody-len(head)-len(tail)) + tail
		got := w.call(http.MethodPost, validatePath, body)
		if got.status != http.StatusOK {
			t.Errorf("got %d %.200s", got.status, got.body)
		}
	})
	t.Run("compressed", func(t *testing.T) {
		t.Parallel()
		got := w.call(http.MethodPost, validatePath, "x", "Content-Encoding", "gzip")
		if got.status != http.StatusUnsupportedMediaType || got.member(t, "/success") != "false" {
			t.Errorf("got %d %s", got.status, got.body)
		}
	})
}

func TestAllowedMethods(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	for path, want := range map[string]string{validatePath: "POST", "/api": "GET, HEAD", "/api/properties/validate": "GET, HEAD"} {
		got := w.call(http.MethodPatch, path, "")
		if got.status != http.StatusMethodNotAllowed || got.header.Get("Allow") != want {
			t.Errorf("%s: got %d, Allow %q, want %q", path, got.status, got.header.Get("Allow"), want)
		}
	}
	head := w.call(http.MethodHead, "/api", "")
	if head.status != http.StatusOK || len(head.body) != 0 || head.header.Get("Content-Length") == "" {
		t.Errorf("HEAD gives %d with %d bytes", head.status, len(head.body))
	}
}
