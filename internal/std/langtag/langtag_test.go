package langtag

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// grammar is the published pattern, kept here so that the hand-written reader
// is checked against it and production code needs no regular expression.
var grammar = regexp.MustCompile(`^(?:[a-z]{2,8}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|[0-9]{3}))?` +
	`(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*(?:-[0-9a-wy-z](?:-[a-z0-9]{2,8})+)*` +
	`(?:-x(?:-[a-z0-9]{1,8})+)?|x(?:-[a-z0-9]{1,8})+)$`)

func byGrammar(s string) bool { return len(s) >= 2 && len(s) <= 63 && grammar.MatchString(s) }

func TestValid(t *testing.T) {
	t.Parallel()
	tests := map[string]bool{
		"en": true, "deu": true, "en-GB": true, "zh-Hant": true, "zh-Hant-TW": true, "es-419": true,
		"sl-rozaj": true, "de-1996": true, "de-CH-1901": true, "sl-rozaj-biske-1994": true,
		"en-u-ca-buddhist": true, "en-a-bbb-x-a": true, "de-DE-u-co-phonebk-t-en": true, "en-0-ab": true,
		"x-private": true, "x-a-b-c": true, "en-x-a": true, "en-US-x-twain": true, "abcdefgh": true,
		"": false, "e": false, "EN": false, "En": false, "en-gb": false, "en-GB-": false, "-en": false,
		"en--GB": false, "en_GB": false, "zh-hant": false, "zh-HANT": false, "zh-TW-Hant": false,
		"en-GB-US": false, "en-u": false, "en-u-": false, "en-u-c": false, "en-x": false, "x": false, "x-": false,
		"*": false, "en-*": false, "abcdefghi": false, "en-x-abcdefghi": false, "en-abcd": false, "en-u-CA": false,
		"en-a-bb-c": false, "en-u-ca-GB": false, "x-A": false, "en\n": false, "é": false, "en-U-ca": false,
		"en-" + strings.Repeat("abcde-", 9) + "abcdef":  true,
		"en-" + strings.Repeat("abcde-", 9) + "abcdefg": false,
	}
	for tag, want := range tests {
		if got := Valid(tag); got != want {
			t.Errorf("Valid(%q) = %v, want %v", tag, got, want)
		}
		if got := byGrammar(tag); got != want {
			t.Errorf("the pattern gives %v for %q, want %v", got, tag, want)
		}
	}
}

func TestValidAgainstGrammar(t *testing.T) {
	t.Parallel()
	sub := rapid.SampledFrom([]string{
		"en", "x", "u", "a", "0", "GB", "gb", "Latn", "latn", "419", "1996", "19ab", "rozaj", "a1b2c3d4", "abcdefghi", "ab", "A", "",
	})
	rapid.Check(t, func(t *rapid.T) {
		tag := strings.Join(rapid.SliceOfN(sub, 1, 7).Draw(t, "subtags"), "-")
		if got, want := Valid(tag), byGrammar(tag); got != want {
			t.Fatalf("Valid(%q) = %v, the pattern gives %v", tag, got, want)
		}
	})
}

func TestCovers(t *testing.T) {
	t.Parallel()
	tests := []struct {
		rangeTag, tag string
		want          bool
	}{
		{"en", "en", true},
		{"en", "en-GB", true},
		{"EN", "en-gb", true},
		{"en-GB", "EN-gb", true},
		{"en-GB", "en", false},
		{"en", "eng", false},
		{"de-de", "de-Latn-DE", false},
		{"de-de", "de-DE-1996", true},
		{"*", "fr", true},
		{"*", "", false},
		{"", "en", false},
		{"zh-Hant", "zh-Hant-TW", true},
		{"a@", "a`", false},
	}
	for _, tt := range tests {
		if got := Covers(tt.rangeTag, tt.tag); got != tt.want {
			t.Errorf("Covers(%q, %q) = %v, want %v", tt.rangeTag, tt.tag, got, tt.want)
		}
	}
}

func TestLooksLikeBCP47(t *testing.T) {
	t.Parallel()
	tests := map[string]bool{
		"en": true, "EN": true, "en-us": true, "en-US": true, "zh-hant-tw": true, "zh-yue": true, "x-klingon": true,
		"i-navajo": true, "deu": true, "en-x-a": true, "sl-rozaj": true, "en-u-ca-buddhist": true,
		"": false, "e": false, "english": false, "English": false, "en_US": false, "en-": false, "-en": false,
		"en--US": false, "en-u": false, "12": false, "e1": false, "en US": false, "français": false,
		"*": false, "en-abcdefghi": false, "x": false,
		"en-" + strings.Repeat("abcdefgh-", 7): false,
	}
	for s, want := range tests {
		if got := LooksLikeBCP47(s); got != want {
			t.Errorf("LooksLikeBCP47(%q) = %v, want %v", s, got, want)
		}
	}
}

func FuzzValid(f *testing.F) {
	for _, s := range []string{"en", "zh-Hant-TW", "de-DE-u-co-phonebk-x-a", "x-a", "en-u", "en-a-bb-c", "*"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := Valid(s), byGrammar(s); got != want {
			t.Errorf("Valid(%q) = %v, the pattern gives %v", s, got, want)
		}
		if Valid(s) && !Covers(s, strings.ToUpper(s)) {
			t.Errorf("%q does not cover itself", s)
		}
		_ = LooksLikeBCP47(s)
	})
}
