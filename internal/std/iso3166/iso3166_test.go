package iso3166

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestTable(t *testing.T) {
	t.Parallel()
	if len(countries) != 249 {
		t.Errorf("table has %d entries, want 249", len(countries))
	}
	three := map[string]bool{}
	names := map[string]bool{}
	last := ""
	for _, c := range countries {
		if c.alpha2 <= last {
			t.Errorf("%s after %s: not in ascending order", c.alpha2, last)
		}
		last = c.alpha2
		if len(c.alpha3) != 3 || strings.ToUpper(c.alpha3) != c.alpha3 || three[c.alpha3] {
			t.Errorf("%s: bad or repeated alpha-3 %q", c.alpha2, c.alpha3)
		}
		three[c.alpha3] = true
		if c.name == "" || len(c.name) > maxValue || names[c.name] {
			t.Errorf("%s: bad or repeated name %q", c.alpha2, c.name)
		}
		names[c.name] = true
	}
}

func TestAssigned(t *testing.T) {
	t.Parallel()
	count := 0
	for hi := range 256 {
		for lo := range 256 {
			code := string([]byte{byte(hi), byte(lo)})
			want := slices.ContainsFunc(countries[:], func(c country) bool { return c.alpha2 == code })
			if Assigned(code) != want {
				t.Errorf("Assigned(%q) = %v, want %v", code, !want, want)
			}
			if want {
				count++
			}
			if (Name(code) != "") != want {
				t.Errorf("Name(%q) = %q", code, Name(code))
			}
		}
	}
	if count != 249 {
		t.Errorf("%d codes assigned, want 249", count)
	}
	for _, code := range []string{"", "U", "USA", "us", "Us", " US", "US ", "UK", "EU", "XK", "ÅX"} {
		if Assigned(code) {
			t.Errorf("Assigned(%q) = true", code)
		}
	}
}

func TestAssignedDoesNotAllocate(t *testing.T) {
	codes := []string{"US", "UK", "us", "USA", ""}
	got := testing.AllocsPerRun(100, func() {
		for _, c := range codes {
			_ = Assigned(c)
			_ = Name(c)
		}
	})
	if got != 0 {
		t.Errorf("%v allocations, want 0", got)
	}
}

func TestName(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		"GB": "United Kingdom", "DE": "Germany", "CI": "Côte d'Ivoire", "ZW": "Zimbabwe", "AD": "Andorra", "UK": "",
	} {
		if got := Name(code); got != want {
			t.Errorf("Name(%q) = %q, want %q", code, got, want)
		}
	}
}

func TestInEEAOrUK(t *testing.T) {
	t.Parallel()
	count := 0
	for _, c := range countries {
		if InEEAOrUK(c.alpha2) {
			count++
		}
	}
	if count != 27+3+1 {
		t.Errorf("%d countries, want 31", count)
	}
	for code, want := range map[string]bool{
		"GB": true, "NO": true, "FR": true, "LI": true,
		"CH": false, "US": false, "UK": false, "TR": false, "": false, "fr": false,
	} {
		if InEEAOrUK(code) != want {
			t.Errorf("InEEAOrUK(%q) = %v, want %v", code, !want, want)
		}
	}
}

var suggestTests = []struct {
	value   string
	kind    Kind
	code    string
	members []string
}{
	{"US", None, "US", nil},
	{"us", CaseOnly, "US", nil},
	{"De", CaseOnly, "DE", nil},
	{" FR ", CaseOnly, "FR", nil},
	{"na", CaseOnly, "NA", nil},
	{"UK", Replacement, "GB", []string{"GB"}},
	{"uk", Replacement, "GB", []string{"GB"}},
	{"EL", Replacement, "GR", []string{"GR"}},
	{"TP", Replacement, "TL", []string{"TL"}},
	{"BU", Replacement, "MM", []string{"MM"}},
	{"ZR", Replacement, "CD", []string{"CD"}},
	{"DD", Replacement, "DE", []string{"DE"}},
	{"FX", Replacement, "FR", []string{"FR"}},
	{"AN", Replacement, "", []string{"BQ", "CW", "SX"}},
	{"CS", Replacement, "", []string{"CZ", "ME", "RS", "SK"}},
	{"EMEA", Regional, "", nil},
	{"emea", Regional, "", nil},
	{"LATAM", Regional, "", nil},
	{"APAC", Regional, "", nil},
	{"Asia-Pacific", Regional, "", nil},
	{"North America", Regional, "", nil},
	{"WW", Regional, "", nil},
	{"GLOBAL", Regional, "", nil},
	{"ROW", Regional, "", nil},
	{"UN", Regional, "", nil},
	{"*", Regional, "", nil},
	{"DACH", Regional, "", []string{"AT", "CH", "DE"}},
	{"Benelux", Regional, "", []string{"BE", "LU", "NL"}},
	{"ANZ", Regional, "", []string{"AU", "NZ"}},
	{"XK", UserAssigned, "", nil},
	{"AA", UserAssigned, "", nil},
	{"QM", UserAssigned, "", nil},
	{"XA", UserAssigned, "", nil},
	{"ZZ", UserAssigned, "", nil},
	{"QL", Unknown, "", nil},
	{"USA", Alpha3, "US", nil},
	{"gbr", Alpha3, "GB", nil},
	{"DEU", Alpha3, "DE", nil},
	{"NAM", Alpha3, "NA", nil},
	{"Germany", EnglishName, "DE", nil},
	{"the netherlands", EnglishName, "NL", nil},
	{"United States of America", EnglishName, "US", nil},
	{"U.S.A.", EnglishName, "US", nil},
	{"Great Britain", EnglishName, "GB", nil},
	{"Côte d’Ivoire", EnglishName, "CI", nil},
	{"COTE D'IVOIRE", EnglishName, "CI", nil},
	{"St. Lucia", EnglishName, "LC", nil},
	{"Trinidad & Tobago", EnglishName, "TT", nil},
	{"Curacao", EnglishName, "CW", nil},
	{"Österreich", EnglishName, "AT", nil},
	{"South Africa, Republic of", Unknown, "", nil},
	{"US-CA", Subdivision, "US", nil},
	{"en-US", Subdivision, "US", nil},
	{"de-AT", Subdivision, "AT", nil},
	{"en_GB", Subdivision, "GB", nil},
	{"GB-SCT", Subdivision, "GB", nil},
	{"US-", Unknown, "", nil},
	{"en-XX", Unknown, "", nil},
	{"QQ-AA", Unknown, "", nil},
	{"AB", Unknown, "", nil},
	{"", Unknown, "", nil},
	{" ", Unknown, "", nil},
	{"123", Unknown, "", nil},
	{"\xff\xfe", Unknown, "", nil},
	{strings.Repeat("Germany", 10), Unknown, "", nil},
}

func TestSuggest(t *testing.T) {
	t.Parallel()
	for _, tt := range suggestTests {
		got := Suggest(tt.value)
		if got.Kind != tt.kind || got.Code != tt.code {
			t.Errorf("Suggest(%q) = %v %q, want %v %q", tt.value, got.Kind, got.Code, tt.kind, tt.code)
		}
		if diff := cmp.Diff(tt.members, got.Members); diff != "" {
			t.Errorf("Suggest(%q) members (-want +got):\n%s", tt.value, diff)
		}
		if silent := got.Kind == None || got.Kind == Unknown; silent != (got.Text == "") {
			t.Errorf("Suggest(%q) of kind %v has text %q", tt.value, got.Kind, got.Text)
		}
	}
}

func TestSuggestGroups(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]int{"EU": 27, "EEA": 30, "EZ": 21, "EFTA": 4, "NORDICS": 5, "SU": 15} {
		got := Suggest(value).Members
		if len(got) != want || !slices.IsSorted(got) {
			t.Errorf("Suggest(%q) has members %v, want %d sorted codes", value, got, want)
		}
	}
}

// The tables are edited by hand, so every code in them is checked.
func TestSuggestionTables(t *testing.T) {
	t.Parallel()
	for key, r := range regions {
		if Assigned(key) || byAlpha3()[key] != "" {
			t.Errorf("region %s is the code of a country", key)
		}
		checkCodes(t, key, r.members)
	}
	for key, r := range replacements {
		if Assigned(key) || position(key) < 0 {
			t.Errorf("replacement %s is assigned or malformed", key)
		}
		checkCodes(t, key, r.successors)
	}
	seen := map[string]string{}
	for name, code := range aliases {
		checkCodes(t, name, []string{code})
		folded := fold(name)
		if other, ok := seen[folded]; ok {
			t.Errorf("aliases %q and %q fold to the same words", name, other)
		}
		seen[folded] = name
	}
	for _, c := range countries {
		if got := Suggest(strings.ToUpper(c.name)); got.Code != c.alpha2 {
			t.Errorf("Suggest(%q).Code = %q, want %q", strings.ToUpper(c.name), got.Code, c.alpha2)
		}
	}
}

func checkCodes(t *testing.T, key string, codes []string) {
	t.Helper()
	for _, c := range codes {
		if !Assigned(c) {
			t.Errorf("%s: %q is not assigned", key, c)
		}
	}
}

func TestSuggestMembersAreTheCallers(t *testing.T) {
	t.Parallel()
	first := Suggest("DACH").Members
	first[0] = "??"
	if got := Suggest("DACH").Members[0]; got != "AT" {
		t.Errorf("a caller's write reached the table: %q", got)
	}
}

func TestKindString(t *testing.T) {
	t.Parallel()
	if got := Subdivision.String(); got != "subdivision" {
		t.Errorf("Subdivision.String() = %q", got)
	}
	if got := Kind(200).String(); got != "invalid" {
		t.Errorf("Kind(200).String() = %q", got)
	}
}

func FuzzSuggest(f *testing.F) {
	for _, s := range []string{"US", "uk", "EMEA", "USA", "Germany", "en-US", "\xff", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, value string) {
		got := Suggest(value)
		if got.Code != "" && !Assigned(got.Code) {
			t.Errorf("Suggest(%q) proposes unassigned %q", value, got.Code)
		}
		if (got.Kind == None) != Assigned(value) {
			t.Errorf("Suggest(%q).Kind = %v", value, got.Kind)
		}
		if !utf8.ValidString(got.Text) {
			t.Errorf("Suggest(%q).Text is not UTF-8", value)
		}
		checkCodes(t, value, got.Members)
	})
}

func BenchmarkAssigned(b *testing.B) {
	for b.Loop() {
		_ = Assigned("ZW")
	}
}
