package web

import (
	"encoding/base64"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/service/registry"
)

// repairable has line ends of its own, two faults that have likely fixes, and text that looks
// like markup.
const repairable = "{\r\n" +
	`  "contact": {"name": "<b>Example</b>"},` + "\r\n" +
	`  "properties": [{"property_id": "site", "property_type": "web", "name": "Example", "identifiers": [{"type": "domain", "value": "example.com"}]}],` + "\r\n" +
	`  "authorized_agents": [{"url": "http://agent.example/mcp", "authorized_for": "All", "authorization_type": "property_ids", "property_ids": ["site"]}]` + "\r\n" +
	"}\r\n"

func foundFile(text string) *discover.Discovery {
	const u = "https://example.com/.well-known/adagents.json"
	body := []byte(text)
	return &discover.Discovery{Domain: "example.com", Answer: discover.Usable, Found: true, URL: u, ResolvedURL: u, Body: body, Report: adagents.Check(body, adagents.Options{Fixes: true})}
}

// send posts a form.
func send(t *testing.T, c Service, target string, fields url.Values) (*received, string) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, target, strings.NewReader(fields.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return call(t, c, r)
}

// buttons are what the buttons of the form of fixes on a page say.
func buttons(page string) []string {
	var list []string
	for _, m := range regexp.MustCompile(`form="fixes" name="do" value="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		list = append(list, html.UnescapeString(m[1]))
	}
	return list
}

func TestFixesOfPublishedFiles(t *testing.T) {
	t.Parallel()
	c := &checker{found: foundFile(repairable)}
	_, page := get(t, c, "/check/example.com")
	if n := strings.Count(page, "<p>Write the URL as https://agent.example/mcp"); n != 1 {
		t.Errorf("what the fix does is said %d times", n)
	}
	list := buttons(page)
	fix := ""
	for _, b := range list {
		if strings.HasPrefix(b, "fix property.type_unknown ") {
			fix = b
		}
	}
	if fix == "" || list[0] != "download all" || list[len(list)-1] != "all" || !strings.Contains(page, `action="/check/example.com/fix"`) {
		t.Fatalf("buttons %q", list)
	}
	hash := string(registry.HashOf([]byte(repairable)))
	a, page := send(t, c, "/check/example.com/fix", url.Values{"sha256": {hash}, "do": {fix}})
	if a.StatusCode != http.StatusOK || !strings.Contains(page, "<strong>1 fix was applied</strong>") || !strings.Contains(page, "agent.url_not_https") || strings.Contains(page, "fix property.type_unknown") {
		t.Errorf("%d %s", a.StatusCode, page)
	}
	if strings.Contains(page, "<b>Example") {
		t.Error("text of the file became markup")
	}
	a, text := send(t, c, "/check/example.com/fix", url.Values{"sha256": {hash}, "do": {"download all"}})
	want := strings.NewReplacer(`"web"`, `"website"`, "http://agent", "https://agent").Replace(repairable)
	if a.Header.Get("Content-Disposition") != `attachment; filename="adagents.json"` || a.Header.Get("Content-Type") != "application/json" || !strings.Contains(text, "\"website\"") || !strings.Contains(text, "https://agent.example") || strings.Count(text, "\r\n") < strings.Count(want, "\r\n") {
		t.Errorf("%v %q", a.Header, text)
	}
	for _, hash := range []string{"", "0123"} {
		a, page := send(t, c, "/check/example.com/fix", url.Values{"sha256": {hash}, "do": {"all"}})
		if a.StatusCode != http.StatusConflict || !strings.Contains(page, "Nothing was changed") {
			t.Errorf("%q: %d %s", hash, a.StatusCode, page)
		}
	}
	a, page = send(t, c, "/check/example.com/fix", url.Values{"sha256": {hash}, "do": {"fix property.type_unknown 3 0"}})
	if a.StatusCode != http.StatusOK || !strings.Contains(page, "<strong>Nothing was changed.</strong>") {
		t.Errorf("a fix that is not there: %d", a.StatusCode)
	}
	a, _ = send(t, new(checker), "/check/example.com/fix", url.Values{"do": {"all"}})
	if a.StatusCode != http.StatusConflict {
		t.Errorf("no file: %d", a.StatusCode)
	}
	a, _ = send(t, c, "/check/a%22b/fix", url.Values{"do": {"all"}})
	if a.StatusCode != http.StatusBadRequest {
		t.Errorf("no domain: %d", a.StatusCode)
	}
}

func TestFixesOfPastedFiles(t *testing.T) {
	t.Parallel()
	c := new(checker)
	_, page := pasted(t, c, map[string]string{"domain": "example.com"}, repairable)
	encoded := base64.StdEncoding.EncodeToString([]byte(repairable))
	if !strings.Contains(html.UnescapeString(page), `name="encoded" value="`+encoded+`"`) || !strings.Contains(page, `name="domain" value="example.com"`) {
		t.Error("the page does not carry the file along")
	}
	_, text := send(t, c, "/paste/fix", url.Values{"encoded": {encoded}, "do": {"download"}})
	if text != repairable {
		t.Errorf("the file came back as %q", text)
	}
	a, page := send(t, c, "/paste/fix", url.Values{"encoded": {encoded}, "domain": {"example.com"}, "do": {"all"}})
	if a.StatusCode != http.StatusOK || !strings.Contains(page, "fixes were applied</strong>") || c.asked[len(c.asked)-1].Domain != "example.com" {
		t.Errorf("%d %s", a.StatusCode, page)
	}
	a, page = send(t, c, "/paste/fix", url.Values{"encoded": {encoded}, "domain": {"a b"}, "do": {"all"}})
	if a.StatusCode != http.StatusOK || !strings.Contains(page, "The domain was ignored") {
		t.Errorf("a wrong domain: %d", a.StatusCode)
	}
	for encoded, want := range map[string]int{"": http.StatusBadRequest, "%": http.StatusBadRequest, strings.Repeat("A", 7_200_000): http.StatusRequestEntityTooLarge, strings.Repeat("A", largestBody): http.StatusBadRequest} {
		a, _ := send(t, c, "/paste/fix", url.Values{"encoded": {encoded}, "do": {"all"}})
		if a.StatusCode != want {
			t.Errorf("%d bytes: %d, want %d", len(encoded), a.StatusCode, want)
		}
	}
}

// withSecrets is a file with a member of an ad server, a password and a key, and a fix for each of two
// other members.
var withSecrets = strings.NewReplacer(`"name": "Example",`, `"name": "Example", "gam_id": "1234567canary",`, "http://agent", "http://u:hunter2canary@agent").Replace(repairable)

// TestFixesBesideSecrets: what a file has to hide is hidden, and its fixes are applied all the same.
func TestFixesBesideSecrets(t *testing.T) {
	t.Parallel()
	c := &checker{found: foundFile(withSecrets)}
	hash := string(registry.HashOf([]byte(withSecrets)))
	_, published := get(t, c, "/check/example.com")
	_, sent := pasted(t, c, nil, withSecrets)
	encoded := base64.StdEncoding.EncodeToString([]byte(withSecrets))
	if strings.Contains(published, encoded) || !strings.Contains(html.UnescapeString(sent), encoded) {
		t.Error("a published file is in the page, or one that was sent is not")
	}
	for at, page := range map[string]string{"/check/example.com/fix": published, "/paste/fix": sent} {
		if strings.Contains(page, "canary") || !strings.Contains(page, "[hidden]") || !strings.Contains(page, "The repaired file is not shown here") {
			t.Errorf("%s: shows a secret, or hides nothing:\n%s", at, page)
		}
		list := buttons(page)
		if len(list) < 4 || list[0] != "download all" {
			t.Fatalf("%s: the buttons are %q", at, list)
		}
		form := url.Values{"sha256": {hash}, "encoded": {encoded}, "do": {"download all"}}
		a, text := send(t, c, at, form)
		if a.StatusCode != http.StatusOK || !strings.Contains(text, `"website"`) || !strings.Contains(text, `"gam_id": "1234567canary"`) {
			t.Errorf("%s: %d %s", at, a.StatusCode, text)
		}
		remove := slices.IndexFunc(list, func(do string) bool { return strings.HasPrefix(do, "fix file.private_field_suspected ") })
		if remove < 0 {
			t.Fatalf("%s: nothing removes the member: %q", at, list)
		}
		form.Set("do", list[remove])
		_, page := send(t, c, at, form)
		if strings.Contains(page, "gam_id") {
			t.Errorf("%s: the member is not removed", at)
		}
		for _, do := range list {
			if !strings.HasPrefix(do, "fix ") && do != "all" {
				continue
			}
			form.Set("do", do)
			a, page := send(t, c, at, form)
			if a.StatusCode != http.StatusOK || strings.Contains(page, "canary") || !strings.Contains(page, " applied</strong>") || a.Header.Get("Cache-Control") != "no-store" {
				t.Errorf("%s: %s: %d %s", at, do, a.StatusCode, page)
			}
		}
	}
}

// TestHeadlineRepairs: the box with the headline has the button that repairs the file, and says before
// that what the repair leaves.
func TestHeadlineRepairs(t *testing.T) {
	t.Parallel()
	undecided := strings.Replace(repairable, "}]\r\n}", `}, {"authorized_for": "All", "authorization_type": "property_ids", "property_ids": ["site"]}]`+"\r\n}", 1)
	flawless := `{"$schema": "https://adcontextprotocol.org/schemas/v3/adagents.json", "properties": [{"property_id": "site", "property_type": "website", "name": "Site", "identifiers": [{"type": "domain", "value": "example.com"}]}],
"authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "All", "authorization_type": "property_ids", "property_ids": ["site"]}], "last_updated": "2026-01-02T00:00:00Z"}`
	for name, test := range map[string]struct {
		file string
		want []string
	}{
		"all is repaired": {repairable, []string{"fixes and download</button>", "No error is left after that."}},
		"one is left":     {undecided, []string{"fixes and download</button>", "1 error is left after that, for you to decide; see line 4 of the repaired file."}},
		"nothing to fix":  {flawless, []string{`<p class="row mend"><a class="button small" href="/build?`}},
	} {
		_, page := get(t, &checker{found: foundFile(test.file)}, "/check/example.com")
		_, box, _ := strings.Cut(page, `<div class="verdict `)
		box, _, _ = strings.Cut(box, "</div>")
		for _, want := range append(test.want, `href="/build?domain=example.com&amp;from=published">Open in builder</a>`) {
			if !strings.Contains(box, want) {
				t.Errorf("%s: the headline lacks %s:\n%s", name, want, box)
			}
		}
	}
	encoded := base64.StdEncoding.EncodeToString([]byte(repairable))
	_, page := send(t, new(checker), "/paste/fix", url.Values{"encoded": {encoded}, "domain": {"example.com"}, "do": {"build"}})
	if !strings.Contains(html.UnescapeString(page), `data-domain="example.com" data-text="`+encoded+`"`) {
		t.Errorf("the builder does not get the file:\n%s", page)
	}
	_, page = get(t, new(checker), "/build?domain=example.com&from=published")
	if !strings.Contains(page, `data-domain="example.com" data-published>`) {
		t.Errorf("the builder does not begin with the published file:\n%s", page)
	}
}
