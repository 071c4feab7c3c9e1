package web

import (
	"cmp"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/model"
)

// post asks a route of the page that builds files.
func post(t *testing.T, c Service, target, doc string) (*received, string) {
	t.Helper()
	return call(t, c, httptest.NewRequestWithContext(t.Context(), http.MethodPost, target, strings.NewReader(doc)))
}

const builtFile = `{"properties": [{"property_id": "site", "property_type": "website", "name": "S", "identifiers": [{"type": "domain", "value": "example.com"}]}],
 "authorized_agents": [{"url": "http://agent.example/mcp", "authorized_for": "All", "authorization_type": "property_ids", "property_ids": ["site"]}]}`

// publishing is a service that finds a document at a domain.
func publishing(doc string) *checker {
	return &checker{found: &discover.Discovery{
		Domain: "example.com", Answer: discover.Usable, Found: true, URL: "https://example.com/.well-known/adagents.json", ResolvedURL: "https://example.com/.well-known/adagents.json",
		Body: []byte(doc), Report: adagents.Check([]byte(doc), adagents.Options{}),
	}}
}

func TestBuildPage(t *testing.T) {
	t.Parallel()
	a, body := get(t, new(checker), "/build?domain=Example.com")
	for _, want := range []string{`data-domain="example.com"`, `data-format="/assets/format-`, "needs JavaScript", `href="/paste?new=example.com"`} {
		if !strings.Contains(body, want) {
			t.Errorf("lacks %s:\n%s", want, body)
		}
	}
	if a.StatusCode != http.StatusOK || a.Header.Get("X-Robots-Tag") != "noindex" {
		t.Errorf("%d %v", a.StatusCode, a.Header)
	}
	_, body = get(t, new(checker), "/build?domain=%22%3E")
	if !strings.Contains(body, `data-domain=""`) {
		t.Errorf("takes what is no domain:\n%s", body)
	}
	_, body = get(t, new(checker), "/check/none.example")
	if !strings.Contains(body, `href="/build?domain=none.example"`) {
		t.Error("a publisher without a file is not led to the page")
	}
}

func TestBuildRoutes(t *testing.T) {
	t.Parallel()
	const adsTxt = "OWNERDOMAIN=example.com\nexchange.example, 17, DIRECT\n"
	pointer := `{"authoritative_location": "https://cdn.example/adagents.json"}`
	secret := strings.Replace(builtFile, `"authorized_for"`, `"signing_keys": [{"kid": "k", "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo", "d": "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"}], "authorized_for"`, 1)
	for _, test := range []struct {
		name, target, doc string
		found             *checker
		status            int
		has, lacks        string
	}{
		{"check", "/build/check", builtFile, new(checker), 200, `"code":"agent.url_not_https"`, `"valid":true`},
		{"check with a fix", "/build/check?domain=example.com", builtFile, new(checker), 200, `"edits":[{"start":`, ""},
		{"check with a domain that is none yet", "/build/check?domain=exa%20mple", builtFile, new(checker), 200, `"findings":[{`, ""},
		{"check what is no JSON", "/build/check", "{", new(checker), 200, `"unusable":true`, ""},
		{"check nothing", "/build/check", " ", new(checker), 400, `"hint":"send the text of the file"`, ""},
		{"check too much", "/build/check", strings.Repeat(" ", largestPaste+1), new(checker), 413, "larger than 5 MB", ""},
		{"secrets are not repeated", "/build/check", secret, new(checker), 200, "signing_key.private_material", "nWGxne"},
		{"consequence", "/build/check", builtFile, new(checker), 200, `"consequence":{"tone":"bad","words":"0 of 1 agent can sell","detail":"No agent may sell: an agent's URL is not https."}`, ""},
		{"consequence of a good file", "/build/check?domain=example.com", strings.Replace(builtFile, "http:", "https:", 1), new(checker), 200, `"tone":"good","words":"1 of 1 agent can sell"`, ""},
		{"consequence without agents", "/build/check", `{"authorized_agents": []}`, new(checker), 200, `"tone":"","words":"No agent can sell"`, ""},
		{"consequence of a pointer", "/build/check", pointer, new(checker), 200, `"words":"Points to another file"`, ""},
		{"consequence of a wrong pointer", "/build/check", `{"authoritative_location": 7}`, new(checker), 200, `"tone":"bad"`, `"Points to another`},
		{"consequence of what is no JSON", "/build/check", "{", new(checker), 200, `"words":"Buyers cannot use it"`, ""},
		{"hints are for a page", "/build/check", `{"authorized_agents": [7]}`, new(checker), 200, "the repaired file", "avow fix"},
		{"format", "/build/format", `{"authorized_agents":[],"$schema":"x"}`, new(checker), 200, `"text":"{\n  \"$schema\": \"x\",\n  \"authorized_agents\": []\n}\n"`, ""},
		{"format what is no JSON", "/build/format", "{", new(checker), 400, `"code":"format.not_json"`, ""},
		{"format what would grow", "/build/format", "[" + strings.Repeat(strings.Repeat("[", 60)+strings.Repeat("]", 60)+",", 200) + "1]", new(checker), 400, `"code":"format.too_large"`, ""},
		{"fix all", "/build/fix?domain=example.com", builtFile, new(checker), 200, `https://agent.example/mcp`, "http://agent"},
		{"fix too much", "/build/fix", builtFile + strings.Repeat(" ", draftUpTo), new(checker), 400, `"code":"fix.too_large"`, ""},
		{"fix nothing", "/build/fix", "hello", new(checker), 200, `"text":"hello"`, `"done"`},
		{"import ads.txt", "/build/import?domain=example.com", adsTxt, new(checker), 200, "x_todo", "agent.example"},
		{"import a mistake", "/build/import", strings.Replace(builtFile, "http://", "", 1), new(checker), 200, `"text":"{\n`, ""},
		{"import too much", "/build/import", builtFile + strings.Repeat(" ", draftUpTo), new(checker), 400, "avow fix", ""},
		{"import nothing of use", "/build/import", "hello", new(checker), 400, "no draft could be made", ""},
		{"fetch", "/build/fetch?domain=example.com", "", publishing(builtFile), 200, "as it is published", ""},
		{"fetch none", "/build/fetch?domain=example.com", "", new(checker), 404, "start with a new file", ""},
		{"fetch what is no domain", "/build/fetch?domain=exa%20mple", "", new(checker), 400, `"code":"input"`, ""},
		{"fetch another format", "/build/fetch?domain=example.com", "", publishing(adsTxt), 200, "not a file of this format", ""},
		{"changes", "/build/changes?domain=example.com", strings.ReplaceAll(builtFile, "agent.example", "other.example"), publishing(builtFile), 200, `"code":"agent.added"`, ""},
		{"no changes", "/build/changes?domain=example.com", builtFile, publishing(builtFile), 200, `"changes":[]`, ""},
		{"changes to nothing", "/build/changes?domain=example.com", builtFile, new(checker), 200, "everything in yours is new", ""},
		{"changes to a pointer", "/build/changes?domain=example.com", pointer, publishing(builtFile), 200, "pointer.added", ""},
		{"changes that nobody could use", "/build/changes?domain=example.com", "{", publishing(builtFile), 400, "fix the errors first", ""},
		{"changes to what cannot be read", "/build/changes?domain=example.com", builtFile, publishing("{"), 404, "could not be read", ""},
		{"publish", "/build/publish?domain=example.com", pointer, new(checker), 200, `"title":"nginx"`, ""},
		{"publish somewhere", "/build/publish", pointer, new(checker), 200, "avow validate --expect adagents.json example.com", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			a, body := post(t, test.found, test.target, test.doc)
			if a.StatusCode != test.status || a.Header.Get("Content-Type") != "application/json" || !strings.Contains(body, test.has) || test.lacks != "" && strings.Contains(body, test.lacks) {
				t.Errorf("%d %v: %.2000s", a.StatusCode, a.Header, body)
			}
		})
	}
}

// TestFormModel: the forms have everything that the format has.
func TestFormModel(t *testing.T) {
	t.Parallel()
	m := formModelOf()
	listed := map[string]bool{}
	for _, s := range m.Sections {
		for _, name := range s.Members {
			listed[name] = true
			if model.File.Field(name) == nil {
				t.Errorf("section %s: the file has no %s", s.Name, name)
			}
		}
	}
	for _, name := range model.File.Names() {
		if !listed[name] {
			t.Errorf("no section has %s", name)
		}
	}
	for _, kind := range model.FormatKinds {
		if kind != "custom" && m.Objects[m.Params[kind]].Doc == "" {
			t.Errorf("no form for the params of %s", kind)
		}
	}
	for _, kind := range model.AuthorizationTypes {
		found := false
		for full, when := range goesWith {
			found = found || strings.HasPrefix(full, "Agent.") && when.Values[0] == kind
		}
		if !found {
			t.Errorf("no selector goes with %s", kind)
		}
	}
	for _, table := range []map[string][]string{usual, model.UsualWords} {
		for full := range table {
			object, name, _ := strings.Cut(full, ".")
			if m.Objects[object].Doc == "" || name != "" && !hasField(m.Objects[object], name) {
				t.Errorf("the format has no %s", full)
			}
		}
	}
	for full := range goesWith {
		object, name, _ := strings.Cut(full, ".")
		if !hasField(m.Objects[object], name) {
			t.Errorf("the format has no %s", full)
		}
	}
	for name, want := range map[string]string{"property_ids": "Property IDs", "$schema": "Schema", "url": "URL", "max_size_kb": "Max size kB", "kid": "Key ID"} {
		if got := titleOf(name); got != want {
			t.Errorf("%s is called %q", name, got)
		}
	}
}

func hasField(o formObject, name string) bool {
	for i := range o.Fields {
		if o.Fields[i].Name == name {
			return true
		}
	}
	return false
}

// largestBuilder is the size of the scripts of the page, as transferred.
const largestBuilder = 160_000

func TestBuilderSize(t *testing.T) {
	t.Parallel()
	total := 0
	for name := range scripts().files {
		if name == "build.js" || strings.HasPrefix(name, "chunk-") {
			_, sent, _ := transferred(t, new(checker), scripts().path+name, "gzip")
			total += len(sent)
		}
	}
	t.Logf("builder: %d bytes", total)
	if total == 0 || total > largestBuilder {
		t.Errorf("the builder has %d bytes, and %d are allowed", total, largestBuilder)
	}
}

// TestLabels: every value that a form offers has a name for people, and no two of a list have the
// same.
func TestLabels(t *testing.T) {
	t.Parallel()
	m := formModelOf()
	var look func(where string, x *formType)
	look = func(where string, x *formType) {
		seen := map[string]bool{}
		for _, value := range x.Enum {
			label := cmp.Or(m.Labels[value], value)
			if seen[label] || strings.Contains(label, "_") {
				t.Errorf("%s: %s is called %q", where, value, label)
			}
			seen[label] = true
		}
		if x.Elem != nil {
			look(where, x.Elem)
		}
	}
	for name, o := range m.Objects {
		for i := range o.Fields {
			look(name+"."+o.Fields[i].Name, &o.Fields[i].Type)
		}
	}
	for value := range labels {
		if m.Labels[value] == "" {
			t.Errorf("there is no value %s", value)
		}
	}
}
