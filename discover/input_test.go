package discover

import (
	"errors"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/std/hostname"
)

func TestDomainInput(t *testing.T) {
	t.Parallel()
	got, err := domainInput(" pub.example\n")
	if err != nil || got != "pub.example" {
		t.Errorf("white space: %q, %v", got, err)
	}
	for in, want := range map[string]string{
		"pub.example": "pub.example", "PUB.Example": "pub.example",
		"https://pub.example": "pub.example", "http://pub.example/": "pub.example", "HTTPS://pub.example./": "pub.example",
		"pub.example.": "pub.example", "pub.example/": "pub.example", "pub.example./": "pub.example", "pub.example/.": "pub.example",
		"bücher.example": "xn--bcher-kva.example", "xn--bcher-kva.example": "xn--bcher-kva.example", "github.io": "github.io",
	} {
		got, err := domainInput(in)
		if err != nil || got != want {
			t.Errorf("%q: %q, %v", in, got, err)
		}
	}
}

func TestDomainInputRefuses(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 64)
	for in, says := range map[string]string{
		"": "empty", "   ": "empty", "pub": "no dot", "localhost": "no dot", "a.localhost": "local use", "printer.local": "local use",
		"db.internal": "local use", "a.test": "local use", "127.0.0.1": "IP address", "0x7f.1": "IP address", "[::1]": "IP address", "2130706433": "IP address",
		"user@pub.example": "user name", "user:secret@pub.example": "user name", `pub.example\`: "backslash", "pub example": "white space",
		"pub.example\x00": "control", "pub.example/path": "path", "pub.example?q": "path", "pub.example#f": "path", "pub.example//": "path",
		"pub..example": "empty label", "pub.example..": "empty label", long + ".example": "63", strings.Repeat("a.", 130) + "example": "too long",
		"pub.example:8443": "port", "pub.example:443": "port", "ftp://pub.example": "scheme", "*.pub.example": "wildcard", "pub_x.example": "underscore",
		"pub.example/..": "path", "https://pub.example/.well-known/adagents.json": "path",
	} {
		_, err := New(Config{Client: newScript(), Now: testClock}).Domain(t.Context(), in, Options{})
		var bad *InputError
		if !errors.As(err, &bad) {
			t.Errorf("%q: %v", in, err)
			continue
		}
		if !strings.Contains(bad.Error(), says) || bad.Hint == "" || bad.Input != in || strings.Contains(bad.Message+bad.Hint, "secret") {
			t.Errorf("%q: %+v, want %q", in, bad, says)
		}
	}
}

func TestURLInputRefuses(t *testing.T) {
	t.Parallel()
	for in, says := range map[string]string{
		"pub.example/f.json": "absolute", "http://pub.example/f.json": "https only", "ftp://pub.example/": "https only",
		"https://user:secret@pub.example/f.json": "user name", "https://10.0.0.1/f.json": "IP address", "https://[2606::1]/f.json": "IP address",
		"https://localhost/f.json": "no dot", "https://x.internal/f.json": "local use", "https:///f": "no host",
	} {
		s := newScript()
		_, err := New(Config{Client: s, Now: testClock}).URL(t.Context(), in, Options{})
		var bad *InputError
		if !errors.As(err, &bad) || !strings.Contains(bad.Message, says) || bad.Hint == "" || len(s.asked) > 0 {
			t.Errorf("%q: %+v", in, err)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%q shows the password", in)
		}
	}
}

func TestDomainHintForAnotherError(t *testing.T) {
	t.Parallel()
	if domainHint(errors.New("other")) != "" {
		t.Error("a hint for an unknown error")
	}
}

func TestHostOf(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"https://a.example/x": "a.example", "https://a.example:8443?x": "a.example:8443", "https://u:p@a.example#x": "a.example", "nonsense": "nonsense",
	} {
		if got := hostOf(in); got != want {
			t.Errorf("%s: %s", in, got)
		}
	}
	if servedFor("nonsense") != "" {
		t.Error("nonsense is served for nobody")
	}
}

// FuzzDomainInput holds every accepted domain to what may be looked up.
func FuzzDomainInput(f *testing.F) {
	for _, s := range []string{"pub.example", "https://Pub.Example./", "a@b.example", "bücher.example", "127.1", "a.b/c", "\u202epub.example"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		name, err := domainInput(in)
		if err != nil {
			var bad *InputError
			if !errors.As(err, &bad) || bad.Hint == "" || strings.ContainsAny(bad.Message, "\x00\x1b\n\u202e") {
				t.Fatalf("%q: %+v", in, err)
			}
			return
		}
		again, err := domainInput(name)
		if err != nil || again != name || !hostname.IsCanonical(name) || hostname.IsSpecialUse(name) {
			t.Fatalf("%q: %q, then %q, %v", in, name, again, err)
		}
		target, err := urlInput(wellKnownURL(name))
		if err != nil || target.domain != name {
			t.Fatalf("%q: %+v, %v", name, target, err)
		}
	})
}
