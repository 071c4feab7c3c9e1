package web

import (
	"html"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/catalogue"
)

// TestRules reads the page of every code and finds it in the list.
func TestRules(t *testing.T) {
	t.Parallel()
	_, index := get(t, new(checker), "/rules")
	var list string
	for _, m := range regexp.MustCompile(`href="(/rules\?group=[^"]+)"`).FindAllStringSubmatch(index, -1) {
		_, group := get(t, new(checker), m[1])
		list += group
	}
	_, errors := get(t, new(checker), "/rules?severity=error")
	for _, page := range []string{index, errors} {
		ids := map[string]int{}
		for _, m := range regexp.MustCompile(` id="([^"]+)"`).FindAllStringSubmatch(page, -1) {
			ids[m[1]]++
			if ids[m[1]] == 2 {
				t.Errorf("the id %s occurs twice", m[1])
			}
		}
	}
	p := newPages(Config{Service: new(checker), BaseURL: "https://avow.example"})
	for _, r := range catalogue.All() {
		if !strings.Contains(list, `<a href="/rules/`+r.Code+`">`) {
			t.Errorf("%s is not in the list", r.Code)
		}
		w := httptest.NewRecorder()
		p.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/rules/"+r.Code, http.NoBody))
		page := html.UnescapeString(w.Body.String())
		wants := []string{
			"<title>" + r.Code + ": ", `<link rel="canonical" href="https://avow.example/rules/` + r.Code + `">`, `<meta name="description" content="`, r.Why,
		}
		if catalogue.KindOf(r.Code) == catalogue.File {
			wants = append(wants, catalogue.ExampleText(r.In, r.Bad)+"</pre>", catalogue.ExampleText(r.In, r.Good)+"</pre>")
		}
		for _, fact := range catalogue.Facts(&r) {
			if fact[1] == r.Hint {
				fact[1] = plainly(r.Hint)
			}
			wants = append(wants, capital(fact[1]))
		}
		for _, want := range wants {
			if w.Code != http.StatusOK || !strings.Contains(page, want) {
				t.Errorf("%s: %d, the page lacks %q", r.Code, w.Code, want)
			}
		}
	}
}

func TestRuleSearch(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		target      string
		status      int
		want, lacks string
	}{
		{"/rules?q=Signing+KEY", 200, "signing_key.private_material", "contact.email_invalid"},
		{"/rules?q=agent+url&severity=info", 200, "agent.url_noncanonical", "agent.url_missing"},
		{"/rules?severity=%3Cb%3E", 200, "/rules?group=in-file-agent", "<b>"},
		{"/rules?group=in-file-agent", 200, "agent.url_missing", "property.name_missing"},
		{"/rules?group=in-file-agent&severity=info", 200, "agent.url_noncanonical", "agent.url_missing"},
		{"/rules?group=%3Cb%3E", 200, "What is checked in a file", "<b>"},
		{"/rules?q=e", 200, "codes about <code>", "pin.key_unknown"},
		{"/rules?q=%3Cscript%3E", 200, "Nothing is like that", "<script>"},
		{"/rules?q=[agent.url_missing]", 303, "/rules/agent.url_missing", ""},
		{"/rules/AGENT.url_missing", 303, "/rules/agent.url_missing", ""},
		{"/rules/agent.url_mising", 404, `Did you mean <a class="rule" href="/rules/agent.url_missing">`, ""},
		{"/rules/%3Cscript%3E", 404, "&lt;script&gt;", "<script>"},
	} {
		got, body := get(t, new(checker), tc.target)
		if tc.status == http.StatusSeeOther {
			body = got.Header.Get("Location")
		}
		if got.StatusCode != tc.status || !strings.Contains(body, tc.want) || tc.lacks != "" && strings.Contains(body, tc.lacks) {
			t.Errorf("%s: %d, want %d with %q and without %q", tc.target, got.StatusCode, tc.status, tc.want, tc.lacks)
		}
		if indexed := got.Header.Get("X-Robots-Tag") == ""; indexed == ((strings.Contains(tc.target, "q=") || strings.Contains(tc.target, "severity=i")) && tc.status == http.StatusOK) {
			t.Errorf("%s: X-Robots-Tag %q", tc.target, got.Header.Get("X-Robots-Tag"))
		}
	}
}

// TestKindsHaveTitles: a list of codes without a title is one that nobody can link to.
func TestKindsHaveTitles(t *testing.T) {
	t.Parallel()
	for _, k := range catalogue.Kinds() {
		if kindTitles[k] == "" || kindIDs[k] == "" {
			t.Errorf("the codes called %q have no title on the page of rules", k.Name)
		}
	}
}
