package check

import (
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/cli/console"
)

func TestMatchParts(t *testing.T) {
	t.Parallel()
	tests := []struct {
		pattern, path string
		want          bool
	}{
		{"**/*.json", "a.json", true},
		{"**/*.json", "x/y/a.json", true},
		{"**", "x/y", true},
		{"a/**", "a", true},
		{"a/**/b", "a/b", true},
		{"a/**/b", "a/x/y/b", true},
		{"a/**/b", "a/x/y/c", false},
		{"a/**/b/**/c", "a/b/x/b/c", true},
		{"*", "a/b", false},
		{"a/b", "a", false},
	}
	for _, tc := range tests {
		got := matchParts(strings.Split(tc.pattern, "/"), strings.Split(tc.path, "/"))
		if got != tc.want {
			t.Errorf("%s against %s: %v", tc.pattern, tc.path, got)
		}
	}
}

func TestWebTargets(t *testing.T) {
	t.Parallel()
	tests := []struct {
		arg, name, web string
		byURL          bool
		fault          string
	}{
		{arg: "https://example.com", web: "example.com"},
		{arg: "https://Example.COM./", web: "example.com"},
		{arg: "HTTPS://example.com/.well-known/adagents.json", web: "example.com"},
		{arg: "https://example.com:443/", web: "example.com"},
		{arg: "https://bücher.example/", web: "xn--bcher-kva.example"},
		{arg: "https://example.com/x.json?a=1#b", web: "https://example.com/x.json?a=1", byURL: true},
		{arg: "https://example.com:8443/.well-known/adagents.json", web: "https://example.com:8443/.well-known/adagents.json", byURL: true},
		{arg: "https://example.com/?x", web: "https://example.com/?x", byURL: true},
		{arg: "http://example.com/x.json", fault: "avow checks https URLs only"},
		{arg: "http://localhost", fault: "not reachable from outside"},
		{arg: "http://localhost:8080/adagents.json", fault: "not reachable from outside"},
		{arg: "https://127.0.0.1/x.json", fault: "not reachable from outside"},
		{arg: "http://[::1]:8080/", fault: "not reachable from outside"},
		{arg: "http://printer.local/x", fault: "not reachable from outside"},
		{arg: "ftp://example.com/x.json", fault: "avow checks https URLs only"},
		{arg: "https://", fault: "the URL"},
		{arg: "https://a b/", fault: "the URL"},
		{arg: "https://user:pa/ss@example.com/x", web: "https://user:pa/ss@example.com/x", byURL: true, fault: "the URL"},
		{arg: "https://user:secret@example.com/x", name: "https://example.com/x", fault: "needs no credentials"},
		{arg: "http://user:secret@example.com/x", name: "http://example.com/x", fault: "https URLs only"},
	}
	for _, tc := range tests {
		got := URLTarget(tc.arg)
		if tc.name == "" {
			tc.name = tc.arg
		}
		if got.Name != tc.name || !got.OnWeb() {
			t.Errorf("%q: %+v", tc.arg, got)
		}
		if tc.fault == "" && (got.Err != nil || got.Web != tc.web || got.byURL != tc.byURL) {
			t.Errorf("%q: %+v", tc.arg, got)
		}
		if tc.fault != "" && (got.Err == nil || !strings.Contains(got.Err.Error(), tc.fault)) {
			t.Errorf("%q: error %v, want one with %q", tc.arg, got.Err, tc.fault)
		}
		if got.Err != nil && strings.Contains(got.Err.Error()+console.AsError(got.Err).Hint, "secret") {
			t.Errorf("%q: the error repeats the password: %v", tc.arg, got.Err)
		}
	}
}

func TestAsDomain(t *testing.T) {
	t.Parallel()
	for arg, want := range map[string]string{
		"example.com": "example.com", "EXAMPLE.com/": "example.com", "www.example.co.uk.": "www.example.co.uk", "bücher.example": "xn--bcher-kva.example",
		"adagents.json": "", "notes.TXT": "", "missing": "", "": "", "..": "", "./example.com": "", "a/b.example": "", `a\b.example`: "",
		"example.com/x": "", "example.com:443": "", "a b.example": "", "192.0.2.1": "", "user@example.com": "", "ex\x1bample.com": "",
	} {
		got, ok := AsDomain(arg)
		if ok != (want != "") || ok && got != want {
			t.Errorf("%q: %q, %v, want %q", arg, got, ok, want)
		}
	}
}

// FuzzURLTarget checks that no part of a password in an argument is repeated.
func FuzzURLTarget(f *testing.F) {
	for _, s := range []string{"https://a:b@c.example/d", "http://x", "https://a@b@c", "://", "https:///", "https://c.example/?@#@"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, arg string) {
		if !strings.Contains(arg, "://") {
			return
		}
		got := URLTarget(arg)
		_, rest, _ := strings.Cut(got.Name, "://")
		end := strings.IndexAny(rest, "/?#")
		if end >= 0 {
			rest = rest[:end]
		}
		if strings.Contains(rest, "@") {
			t.Errorf("%q: the name is %q", arg, got.Name)
		}
		if !got.OnWeb() {
			t.Errorf("%q: it is not on the web: %+v", arg, got)
		}
	})
}
