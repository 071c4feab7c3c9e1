package web

import (
	"net/http"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

// TestSuggestions: the beginning of a name leads to what is known, within bounds.
func TestSuggestions(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		text  string
		want  string
		most  int
		fewer bool
	}{
		{"agent.url_mis", "/rules/agent.url_missing", 1, false}, {"AGENT.", "/rules/agent.", mostSuggested, false},
		{"a", "", 0, true}, {strings.Repeat("a", longestFind+1), "", 0, true}, {"%22%3E%3Cb%3E", "", 0, true}, {"", "", 0, true},
	} {
		got, body := get(t, new(checker), "/suggest?q="+tc.text)
		var list []suggestion
		err := json.Unmarshal([]byte(body), &list)
		if err != nil || got.StatusCode != http.StatusOK || got.Header.Get("Content-Type") != "application/json" || len(list) > tc.most || (len(list) == 0) != tc.fewer {
			t.Errorf("%s: %d %s, %v", tc.text, got.StatusCode, body, err)
		}
		for _, s := range list {
			if s.Kind != "rule" || !strings.HasPrefix(s.Href, tc.want) {
				t.Errorf("%s: %+v", tc.text, s)
			}
		}
	}
}

// TestDomainsAsWritten: a name is shown as people write it beside its ASCII form, which comes first where
// the name may be taken for another.
func TestDomainsAsWritten(t *testing.T) {
	t.Parallel()
	for domain, want := range map[string]shownDomain{
		"plain.example": {"plain.example", ""}, "xn--bcher-kva.example": {"bücher.example", "xn--bcher-kva.example"},
		"xn--pypal-4ve.example": {"xn--pypal-4ve.example", "looks like pаypal.example"},
	} {
		if got := showDomain(domain); got != want {
			t.Errorf("%s: %+v", domain, got)
		}
	}
}
