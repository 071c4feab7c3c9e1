package adagents

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/avow-project/avow/internal/model"
)

// TestCharSets holds the byte loops to the patterns they stand for.
func TestCharSets(t *testing.T) {
	t.Parallel()
	for pattern, is := range map[string]func(string) bool{
		`^[a-z0-9_]+$`:                      isID,
		`^[a-z0-9_-]+$`:                     isSignalTag,
		`^[a-zA-Z0-9_-]+$`:                  isSignalID,
		`^[0-9]+$`:                          isDigits,
		`^[A-Za-z0-9]{10}$`:                 isASIN,
		`^\s*$`:                             blank,
		`^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$`: isBundle,
		`^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+$`:    isPackage,
		`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`: isUUID,
	} {
		t.Run(pattern, func(t *testing.T) {
			t.Parallel()
			re := regexp.MustCompile(pattern)
			rapid.Check(t, func(t *rapid.T) {
				s := rapid.OneOf(
					rapid.StringMatching(strings.Trim(pattern, "^$")),
					rapid.StringMatching(`[a-zA-Z0-9_. -]{0,12}`),
					rapid.StringMatching(`[ -~\n]{0,10}`),
				).Draw(t, "s")
				if got, want := is(s), re.MatchString(s); got != want {
					t.Errorf("%q: %v, the pattern says %v", s, got, want)
				}
			})
		})
	}
}

func TestCharSetOutsideASCII(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"é", "a\x80", "\xff", "ａ", "a\u0300"} {
		if isID(s) || isSignalID(s) || isSignalTag(s) || isDigits(s) {
			t.Errorf("%q passes", s)
		}
	}
	for s, want := range map[string]bool{"": true, "\u00a0\u2003": true, "\u00a0x": false, "é": false} {
		if blank(s) != want {
			t.Errorf("blank(%q) is %v", s, !want)
		}
	}
}

func TestIDFrom(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                 "",
		"---":              "",
		"Scope3-AEE":       "scope3_aee",
		"example.com":      "example_com",
		"  Le  Monde  ":    "le_monde",
		"Übersicht 2":      "uebersicht_2",
		"already_fine":     "already_fine",
		"a" + "\xff" + "b": "a_b",
	} {
		if got := idFrom(in); got != want {
			t.Errorf("idFrom(%q) = %q, want %q", in, got, want)
		}
	}
	if got := len(idFrom(strings.Repeat("a", 5000))); got != 100 {
		t.Errorf("an id of %d letters is proposed", got)
	}
}

// TestKinds checks that the tables of this package know exactly the words of
// the published lists.
func TestKinds(t *testing.T) {
	t.Parallel()
	count := len(identifierKinds)
	seen := make(map[uint64]string)
	for _, s := range model.IdentifierTypes {
		kind := identifierKinds[s]
		if kind == nil {
			t.Fatalf("identifier type %s is not known", s)
		}
		if other, ok := seen[kind.no]; ok {
			t.Errorf("%s and %s have the same number", s, other)
		}
		seen[kind.no] = s
		if (kind.form == nil) != (kind.shape == "") {
			t.Errorf("%s: a form needs words for it", s)
		}
	}
	if count != len(model.IdentifierTypes) {
		t.Errorf("%d identifier kinds, want %d", count, len(model.IdentifierTypes))
	}
	for _, s := range model.PropertyTypes {
		kind := propertyKinds[s]
		if kind == nil {
			t.Fatalf("property type %s is not known", s)
		}
		for _, suits := range kind.suits {
			if identifierKinds[suits] == nil {
				t.Errorf("%s is said to suit %s and is not known", suits, s)
			}
		}
	}
	for _, s := range model.Channels {
		if !channelSet[s] {
			t.Errorf("channel %s is not known", s)
		}
	}
	for _, s := range []string{"", "x", "domains", "domaim", "Domain", "wwwwww"} {
		if identifierKinds[s] != nil || channelSet[s] {
			t.Errorf("%q is known", s)
		}
	}
}

// TestAliases checks that every alias leads to a known word and is none.
func TestAliases(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		aliases map[string]string
		known   []string
	}{
		{identifierAliases, model.IdentifierTypes},
		{propertyAliases, model.PropertyTypes},
		{channelAliases, model.Channels},
	} {
		known := setOf(test.known)
		for from, to := range test.aliases {
			if known[from] || !known[to] {
				t.Errorf("alias %s to %s", from, to)
			}
		}
	}
	got := []string{
		suggestWith(channelAliases, "Video ", model.Channels),
		suggestWith(channelAliases, "dispaly", model.Channels),
		suggestWith(channelAliases, "zzzzzzzz", model.Channels),
	}
	want := []string{`did you mean "olv"?`, `did you mean "display"?`, ""}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
