package redact

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/textedit"
)

func TestCredentials(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]string{
		"https://a:b@c.example/d@e?f@g": "https://c.example/d@e?f@g",
		"https://a@b@c.example":         "https://c.example",
		"https://c.example?x=@":         "https://c.example?x=@",
		"a@b":                           "a@b",
		"https://c.example/mcp?token=t": "https://c.example/mcp?token=",
		"https://a@c.example?x=1&key=k": "https://c.example?x=1&key=",
		"https://c.example?%6Bey=k#y":   "https://c.example?%6Bey=#y",
		"https://c.example?API-Key=k&y": "https://c.example?API-Key=&y",
		"https://c.example?keys=k&d=1":  "https://c.example?keys=k&d=1",
		"":                              "",
	} {
		if got := URL(url); got != want {
			t.Errorf("%q: %q, want %q", url, got, want)
		}
	}
	if got := Credentials("my key is -----BEGIN EC PRIVATE KEY-----abc"); got != "my key is [hidden]" {
		t.Errorf("got %q", got)
	}
	if got := Credentials("see https://c.example/?a=b&token=hunter2, please"); got != "see https://c.example/?a=b&token=[hidden] please" {
		t.Errorf("got %q", got)
	}
	text := "see https://a:b@c.example/x and http://d:e@f.example, and g@h.example"
	if got := Credentials(text); strings.Contains(got, "a:b") || strings.Contains(got, "d:e") || !strings.Contains(got, "g@h.example") {
		t.Errorf("got %q", got)
	}
}

func TestLikelySecretsSparesTheRest(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"d": "a short text", "k": "v", "p": 1}`, `{"password": "", "secret": null, "credentials": {}}`,
		`{"tokens": 4, "token_type": "x"}`, `{"url": "https://example.com/a@b", "email": "a@b.example"}`,
		`{"url": "https://example.com/?keyword=a&token="}`, `{"name": "key=value", "text": "a=b?=c"}`,
		`-----BEGIN PUBLIC KEY-----`, `"`, `"a"`, `"a":`, `"secret":`, `"secret" : "`, "",
	} {
		got := likelySecrets([]byte(text), nil)
		for _, s := range got {
			if s.to > s.from && text[s.from:s.to] != `"` {
				t.Errorf("%s: hides %q", text, text[s.from:s.to])
			}
		}
	}
}

func TestRedactionRanges(t *testing.T) {
	t.Parallel()
	r := replaceSpans([]byte("ab12cd345ef"), joined([]span{{6, 9}, {2, 3}, {3, 4}, {5, 5}}))
	if diff := cmp.Diff("ab[hidden]cd[hidden]ef", string(r.src)); diff != "" {
		t.Error(diff)
	}
	tests := []struct{ offset, length, from, n int }{
		{0, 2, 0, 2}, {0, 4, 0, 10}, {0, 3, 0, 10}, {2, 2, 2, 8}, {3, 1, 2, 8}, {4, 2, 10, 2}, {4, 0, 10, 0},
		{6, 3, 12, 8}, {9, 2, 20, 2}, {11, 0, 22, 0}, {0, 11, 0, 22},
	}
	for _, tc := range tests {
		from, n := r.Range(tc.offset, tc.length)
		if from != tc.from || n != tc.n {
			t.Errorf("%d+%d is at %d+%d, want %d+%d", tc.offset, tc.length, from, n, tc.from, tc.n)
		}
	}
}

// TestRedactionShowsNothingHidden hides arbitrary ranges of a text whose bytes
// are all different from the replacement's, and counts what is left.
func TestRedactionShowsNothingHidden(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		src := bytes.Repeat([]byte("x"), rapid.IntRange(0, 60).Draw(t, "size"))
		var list []span
		for range rapid.IntRange(0, 5).Draw(t, "spans") {
			from := rapid.IntRange(0, len(src)).Draw(t, "from")
			list = append(list, span{from, rapid.IntRange(from, len(src)).Draw(t, "to")})
		}
		for _, s := range list {
			for i := s.from; i < s.to; i++ {
				src[i] = '!'
			}
		}
		visible := bytes.Count(src, []byte("x"))
		r := replaceSpans(src, joined(list))
		if bytes.Contains(r.src, []byte("!")) || bytes.Count(r.src, []byte("x")) != visible {
			t.Fatalf("%s became %s", src, r.src)
		}
		for offset := range len(src) + 1 {
			from, n := r.Range(offset, 1)
			if from < 0 || n < 0 || from+min(n, 1) > len(r.src)+1 {
				t.Fatalf("%d is at %d+%d of %d", offset, from, n, len(r.src))
			}
			if offset < len(src) && src[offset] == 'x' && r.src[from] != 'x' {
				t.Fatalf("%d is at %d: %s", offset, from, r.src)
			}
		}
	})
}

// TestReportHidesWhatAnotherFindingCallsSecret quotes a secret in one finding that a
// second one is about.
func TestReportHidesWhatAnotherFindingCallsSecret(t *testing.T) {
	t.Parallel()
	src := []byte("{\n \"contact\": {\"nam\": \"x\", \"password\": {\n \"a\": \"Q2FuYXJ5U2VjcmV0Tm9ib2R5\"}}, \"authorized_agents\": [{\"url\": \"https://me:Q2FuYXJ5@a.example/\"}]}")
	report := Report(src, adagents.Check(src, adagents.Options{}))
	for i := range report.Findings {
		f := &report.Findings[i]
		if strings.Contains(f.Message+f.Hint, "Q2FuYXJ5") {
			t.Errorf("%s: %s", f.Code, f.Message)
		}
	}
	s := Of(src, report)
	if bytes.Contains(s.Bytes(), []byte("Q2FuYXJ5")) || s.SameLines() {
		t.Errorf("%t: %s", s.SameLines(), s.Bytes())
	}
	if !s.Tells(5, 1) || s.Tells(0, 0) || Of([]byte("\xff\xfea"), report).Tells(1, 1) {
		t.Error("it is not told apart what is worth showing")
	}
}

func FuzzLikelySecrets(f *testing.F) {
	for _, doc := range []string{
		`{"signing_keys": [{"kty": "OKP", "d": "Q2FuYXJ5U2VjcmV0Tm9ib2R5", "x": "1"}]}`, `{"pass\u0077ord": "abc"}`,
		`{"credentials": {"user": "me", "pw": ["abc"]}}`, `{"x": "-----BEGIN PRIVATE KEY-----\nabc\n"}`,
		`{"url": "https://me:abc@agent.example/"}`, `{"url": "https:\/\/me:abc@agent.example\/"}`, `{"x": "{\"password\": \"abc\"}"}`,
	} {
		f.Add([]byte(doc))
	}
	f.Add([]byte(`"secret":\"`))
	f.Add([]byte(`{"a://b@c@d/e@f": "g://` + strings.Repeat("h", 511) + `@i", "j": ["k://@l", "m:\/\/n:o@p@q", "@@://r@s", "://@t@"]}`))
	f.Add([]byte(`{"x\"password\": \"": "abc", "y": "z \"d\":", "token" : "{\"token\": \"d\"}", "agents": [{"my_secret": [{"api_key": 1}], "k": "0123456789abcdef"}]}`))
	f.Fuzz(func(t *testing.T, src []byte) {
		last := 0
		found := likelySecrets(src, nil)
		for _, s := range found {
			if s.from < last || s.to <= s.from || s.to > len(src) {
				t.Fatalf("%v after %d in %d bytes", s, last, len(src))
			}
			last = s.to
		}
		list := append(urlsForward(src, "://"), urlsForward(src, `:\/\/`)...)
		if diff := cmp.Diff(joined(list), joined(urlCredentials(src)), cmp.AllowUnexported(span{}), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("credentials in %q: %s", src, diff)
		}
		tree := adagents.Check(src, adagents.Options{}).Tree()
		if diff := cmp.Diff(found, likelySecrets(src, tree), cmp.AllowUnexported(span{}), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("with the tree of %q: %s", src, diff)
		}
	})
}

// urlsForward finds the credentials in URLs from their scheme on.
func urlsForward(src []byte, mark string) []span {
	var list []span
	for i := 0; ; {
		next := bytes.Index(src[i:], []byte(mark))
		if next < 0 {
			return list
		}
		i += next + len(mark)
		rest := src[i:min(i+512, len(src))]
		if end := bytes.IndexAny(rest, "/?#\" \t\r\n"); end >= 0 {
			rest = rest[:end]
		}
		if at := bytes.LastIndexByte(rest, '@'); at > 0 {
			list = append(list, span{i, i + at})
		}
	}
}

// TestNoKnownSecret: the format has no member for a secret, so that the members it knows
// need not be looked at.
func TestNoKnownSecret(t *testing.T) {
	t.Parallel()
	for _, name := range model.KnownNames() {
		if suspect(name) != harmless {
			t.Errorf("%s looks like the name of a secret", name)
		}
	}
}

// TestUnlistedSecrets: when a report does not list all secrets, nothing of the file is
// repeated.
func TestUnlistedSecrets(t *testing.T) {
	t.Parallel()
	const property = `{"property_id": "p%d", "property_type": "website", "name": "P", "identifiers": [{"type": "domain", "value": "p.example"}], "source": "inner-%d"}`
	var all []string
	for i := range 5 {
		all = append(all, fmt.Sprintf(property, i, i))
	}
	src := []byte(`{"properties": [` + strings.Join(all, ", ") + `], "authorized_agents": []}`)
	for limit, want := range map[int]bool{0: true, 5: true, 2: false} {
		s := Of(src, adagents.Check(src, adagents.Options{MaxFindings: limit}))
		for name, text := range map[string][]byte{"text": s.Bytes(), "JSON": s.JSON(0, len(src))} {
			if bytes.Contains(text, []byte("inner-")) || bytes.Contains(text, []byte("p.example")) != want || !s.Hides() {
				t.Errorf("%s with %d findings: %s", name, limit, text)
			}
		}
	}
}

// TestEdits: an edit of a text is the same edit of what is shown of it, unless it gives a secret away.
func TestEdits(t *testing.T) {
	t.Parallel()
	src := []byte(`{"a": 1, "password": "hunter2canary", "b": 2}`)
	s := Of(src, adagents.Check(src, adagents.Options{}))
	edit := func(from, to, text string) []adagents.Edit {
		start := bytes.Index(src, []byte(from))
		return []adagents.Edit{{Start: start, End: start + bytes.Index(src[start:], []byte(to)) + len(to), New: text}}
	}
	for want, edits := range map[string][]adagents.Edit{
		`{"a": 3, "password": [hidden], "b": 2}`: edit("1", "1", "3"),
		`{"a": 1, "password": [hidden], "b": 3}`: edit("2}", "2", "3"),
		`{"a": 1, "b": 2}`:                       edit(`"password"`, `canary", `, ""),
		"inside":                                 edit("canary", "canary", "x"),
		"repeated":                               edit("1", "1", `"hunter2canary"`),
	} {
		shown := s.Edits(edits)
		if shown == nil {
			if strings.HasPrefix(want, "{") {
				t.Errorf("there are no edits for %s", want)
			}
			continue
		}
		got, err := textedit.Apply(s.Bytes(), shown)
		if err != nil || string(got) != want {
			t.Errorf("%s, want %s: %v", got, want, err)
		}
	}
}
