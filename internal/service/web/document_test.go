package web

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/words"
)

func TestExcerpt(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ä", 500)
	tests := []struct {
		name, src, at string
		length        int // -1 means that of at
		line          int
		want          []sourceLine
	}{
		{"one of three", "{\n\"a\": 1,\n\"b\": 2\n}", `2`, -1, 3, []sourceLine{{2, `"a": 1,`, "", ""}, {3, `"b": `, "2", ""}, {4, "}", "", ""}}},
		{"carriage returns", "{\r\n\t\"a\": 1,\r\n}", `1`, -1, 2, []sourceLine{{1, "{", "", ""}, {2, `    "a": `, "1", ","}, {3, "}", "", ""}}},
		{"a container", "[1,\n{\"a\": 2}]", `{`, 0, 2, []sourceLine{{1, "[1,", "", ""}, {2, "", "{", `"a": 2}]`}}},
		{"empty lines", "1\n\n2\n\n3", `2`, -1, 3, []sourceLine{{3, "", "2", ""}}},
		{"over several lines", "[1,\n2]", "1,\n2", -1, 1, []sourceLine{{1, "[", "1,", ""}, {2, "2]", "", ""}}},
		{"hidden characters", "[\"\u202e\", 1]", `1`, -1, 1, []sourceLine{{1, `["\u{202e}", `, "1", "]"}}},
		{"byte order mark", "\ufeff[1]", `1`, -1, 1, []sourceLine{{1, "[", "1", "]"}}},
		{"long line", long + "1" + long, `1`, -1, 1, []sourceLine{{1, "…" + strings.Repeat("ä", 40), "1", strings.Repeat("ä", 55) + "…"}}},
		{"long value", "[" + long + "]", long, -1, 1, []sourceLine{{1, "[", strings.Repeat("ä", 80), strings.Repeat("ä", 55) + "…"}}},
		{"long line beside", long + "\n1\n" + long, `1`, -1, 2, []sourceLine{{2, "", "1", ""}, {3, strings.Repeat("ä", 80) + "…", "", ""}}},
		{"the whole file", "{}", `{`, 0, 1, nil},
		{"behind the end", "[", ``, 0, 0, nil},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			length := tc.length
			if length < 0 {
				length = len(tc.at)
			}
			src := []byte(tc.src)
			f := &adagents.Finding{Offset: strings.Index(tc.src, tc.at), Length: length, Line: tc.line}
			got := excerptOf(redact.Of(src, adagents.Check(src, adagents.Options{})), f, &pen{1000})
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func FuzzExcerpt(f *testing.F) {
	f.Add([]byte("{\n\"a\": 1\n}"), 7, 1)
	f.Add([]byte(strings.Repeat("ä\u202e", 300)), 301, 9)
	f.Add([]byte("{\"password\": {\n\"a\": 1}}"), 20, 1)
	f.Fuzz(func(t *testing.T, src []byte, offset, length int) {
		if offset < 0 || offset > len(src) || length < 0 || length > len(src)-offset {
			return
		}
		report := adagents.Check(src, adagents.Options{MaxFindings: 3})
		p := &pen{1 << 20}
		for _, l := range excerptOf(redact.Of(src, report), &adagents.Finding{Offset: offset, Length: length, Line: 5}, p) {
			text := l.Before + l.Marked + l.After
			if strings.ContainsAny(text, "\r\n\t\x00\u202e") || !utf8.ValidString(text) {
				t.Fatalf("%q", text)
			}
		}
	})
}

func TestWords(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"": "", "a thing": "A thing.", "authorized_for is": "authorized_for is.", `"x" is odd`: `"x" is odd.`, "write https://a.example/": "Write https://a.example/",
		"done.": "Done.", "use property_ids": "Use property_ids",
	} {
		if got := sentence(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		if got := words.Thousands(n); got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
	for n, want := range map[int64]string{1: "1 bytes", 1500: "1.5 kB", 2_500_000: "2.5 MB"} {
		if got := bytesInWords(n); got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
	if got := listed([]string{"a", "b", "c"}); got != "a, b and c" {
		t.Error(got)
	}
}

// TestMinified: a file in one line is laid out, findings name and mark lines of what is shown, a fix has its
// diff there, and the text as it was served is a link away.
func TestMinified(t *testing.T) {
	t.Parallel()
	const file = `{"contact":{"name":"Example","password":"hunter2canary1234"},"properties":[{"property_id":"site","property_type":"web","name":"Example","identifiers":[{"type":"domain","value":"example.com"}]}],"authorized_agents":[{"url":"http://agent.example/mcp","authorized_for":"All","authorization_type":"property_ids","property_ids":["site"]}]}`
	c := &checker{found: foundFile(file)}
	_, page := get(t, c, "/check/example.com")
	for _, want := range []string{
		`id="L9"><a class="number" href="#finding-`, `&#34;property_type&#34;: &#34;web&#34;,`, `<a class="at" href="#L9">`, `Laid out for reading · <a href="/check/example.com?text=served#raw">as served</a>`,
		`<span class="old">-      &#34;property_type&#34;: &#34;web&#34;,`, `<span class="new">&#43;      &#34;property_type&#34;: &#34;website&#34;,`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in %s", want, page)
		}
	}
	undecided := strings.Replace(file, `"property_ids":["site"]}]}`, `"property_ids":["site"]},{"authorized_for":"All","authorization_type":"property_ids","property_ids":["site"]}]}`, 1)
	_, left := get(t, &checker{found: foundFile(strings.Replace(undecided, `,"password":"hunter2canary1234"`, "", 1))}, "/check/example.com")
	if !strings.Contains(left, "1 error is left after that, for you to decide; see line 20 of the repaired file, laid out for reading.") {
		t.Errorf("the error that is left is not in a line that is shown:\n%s", left)
	}
	_, served := get(t, c, "/check/example.com?text=served")
	if !strings.Contains(served, `As served · <a href="/check/example.com#raw">laid out for reading</a>`) || strings.Contains(served, `id="L2"`) || strings.Contains(page+served, "canary") {
		t.Errorf("not as it was served:\n%s", served)
	}
}
