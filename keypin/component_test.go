package keypin

import (
	"testing"

	"github.com/avow-project/avow/internal/std/sfv"
)

// valueOf resolves one component of a message.
func valueOf(t *testing.T, m *Message, id string, canonical bool) (string, *fault) {
	t.Helper()
	members, err := sfv.ParseDictionary("x=("+id+")", sfv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c, f := readComponent(&members[0].List[0])
	if f != nil {
		return "", f
	}
	r := reader{m: m, canonical: canonical}
	return r.value(&c)
}

func TestComponents(t *testing.T) {
	t.Parallel()
	m := &Message{
		Method: "GET", Target: "https://WWW.Example.com:443/a/./%7eb?x=1&x=2&var=this%20is%20a%20big%0Amultiline%20value&bar=with+plus+whitespace&fa%C3%A7ade%22%3A%20=something&p=100%",
		Fields: []Field{
			{"X-Two", "  one "}, {"X-Empty", ""}, {"x-two", "two\t"}, {"X-Folded", "a\r\n  b"}, {"X-Latin", "\xe9"},
			{"Example-Dict", `  a=1,    b=2;x=1;y=2,   c=(a   b   c), d`}, {"Priority", "u=1,  i"}, {"X-Broken", "a=("}, {"X-Line", "a\x00b"},
		},
	}
	tests := []struct {
		id, want, code string
	}{
		{`"@method"`, "GET", ""},
		{`"@authority"`, "www.example.com", ""},
		{`"@scheme"`, "https", ""},
		{`"@path"`, "/a/./%7eb", ""},
		{`"@query-param";name="var"`, "this%20is%20a%20big%0Amultiline%20value", ""},
		{`"@query-param";name="bar"`, "with%20plus%20whitespace", ""},
		{`"@query-param";name="fa%C3%A7ade%22%3A%20"`, "something", ""},
		{`"@query-param";name="p"`, "100%25", ""},
		{`"@query-param";name="x"`, "", "signature.component_missing"},
		{`"@query-param";name="none"`, "", "signature.component_missing"},
		{`"x-two"`, "one, two", ""},
		{`"x-two";bs`, ":b25l:, :dHdv:", ""},
		{`"x-empty"`, "", ""},
		{`"x-folded"`, "a b", ""},
		{`"x-none"`, "", "signature.component_missing"},
		{`"x-latin"`, "", "signature.component_missing"},
		{`"x-latin";bs`, ":6Q==:", ""},
		{`"x-line"`, "", "signature.component_missing"},
		{`"example-dict"`, `a=1,    b=2;x=1;y=2,   c=(a   b   c), d`, ""},
		{`"example-dict";key="a"`, "1", ""},
		{`"example-dict";key="d"`, "?1", ""},
		{`"example-dict";key="b"`, "2;x=1;y=2", ""},
		{`"example-dict";key="c"`, "(a b c)", ""},
		{`"example-dict";key="z"`, "", "signature.component_missing"},
		{`"example-dict";sf`, "", "signature.component_unsupported"},
		{`"priority";sf`, "u=1, i", ""},
		{`"x-broken";key="a"`, "", "signature.component_missing"},
		{`"x-two";key=a`, "", "signature.component_unsupported"},
	}
	for _, tc := range tests {
		got, f := valueOf(t, m, tc.id, false)
		code := ""
		if f != nil {
			code = f.code
		}
		if got != tc.want || code != tc.code {
			t.Errorf("%s: %q %v, want %q %s", tc.id, got, f, tc.want, tc.code)
		}
	}
}

func TestTargets(t *testing.T) {
	t.Parallel()
	tests := []struct {
		uri, id, plain, canonical string
	}{
		{"https://Example.com:443/a/../b", `"@target-uri"`, "https://Example.com:443/a/../b", "https://example.com/b"},
		{"https://example.com", `"@path"`, "/", "/"},
		{"https://example.com", `"@query"`, "?", "?"},
		{"https://example.com?", `"@request-target"`, "/?", "/?"},
		{"https://example.com/%2fa?q=%2f", `"@request-target"`, "/%2fa?q=%2f", "/%2Fa?q=%2f"},
		{"http://example.com:80/", `"@authority"`, "example.com", "example.com"},
		{"https://example.com:8443/", `"@authority"`, "example.com:8443", "example.com:8443"},
		{"https://[2001:DB8::1]:443/p", `"@authority"`, "[2001:db8::1]", "[2001:db8::1]"},
	}
	for _, tc := range tests {
		m := &Message{Method: "GET", Target: tc.uri}
		for canonical, want := range map[bool]string{false: tc.plain, true: tc.canonical} {
			got, f := valueOf(t, m, tc.id, canonical)
			if got != want || f != nil {
				t.Errorf("%s %s %v: %q %v, want %q", tc.uri, tc.id, canonical, got, f, want)
			}
		}
	}
}
