package adagents

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/internal/bench"
)

func TestDuplicateIDs(t *testing.T) {
	t.Parallel()
	own := func(id, publisher, host string) string {
		return propertyJSON("property_id", `"`+id+`"`, "publisher_domain", `"`+publisher+`"`,
			"identifiers", `[{"type": "domain", "value": "`+host+`"}, {"type": "venue_id", "value": "`+host+`"}]`)
	}
	swapped := propertyJSON("property_id", `"a"`, "publisher_domain", `"EXAMPLE.com"`,
		"identifiers", `[{"type": "venue_id", "value": "example.com"}, {"type": "domain", "value": "example.com"}]`)
	for name, test := range map[string]struct {
		properties []string
		want       []string
	}{
		"different": {
			[]string{own("a", "example.com", "example.com"), own("b", "example.com", "www.example.com")}, nil,
		},
		"conflict": {
			[]string{own("a", "example.com", "example.com"), own("a", "example.com", "www.example.com")},
			[]string{"error property.id_duplicate /properties/1/property_id"},
		},
		"same content": {
			[]string{own("a", "example.com", "example.com"), swapped},
			[]string{"warning property.id_duplicate /properties/1/property_id", "warning property.publisher_domain_invalid /properties/1/publisher_domain"},
		},
		"two publishers": {
			[]string{own("a", "example.com", "example.com"), own("a", "example.org", "example.org")},
			[]string{"warning property.id_duplicate /properties/1/property_id"},
		},
		"conflict among the later": {
			[]string{own("a", "example.com", "example.com"), own("a", "example.org", "example.org"), own("a", "example.org", "www.example.org")},
			[]string{"warning property.id_duplicate /properties/1/property_id", "error property.id_duplicate /properties/2/property_id"},
		},
		"first is left out": {
			[]string{strings.Replace(own("a", "example.com", "example.com"), `"name"`, `"ext"`, 1), own("a", "example.com", "www.example.com")},
			[]string{"warning file.authorizes_nobody /authorized_agents", "error property.name_missing /properties/0/name", "error property.id_duplicate /properties/1/property_id", "warning agent.no_properties_catalog /authorized_agents/0/property_tags"},
		},
	} {
		got := outline(networkFile("", test.properties...), Options{})
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestDuplicateIdentifiers(t *testing.T) {
	t.Parallel()
	with := func(id, publisher string, pairs ...string) string {
		var list []string
		for i := 0; i < len(pairs); i += 2 {
			list = append(list, identifierJSON(pairs[i], pairs[i+1]))
		}
		changes := []string{"property_id", `"` + id + `"`, "identifiers", "[" + strings.Join(list, ",") + "]", "property_type", `"ai_assistant"`, "publisher_domain", ""}
		if publisher != "" {
			changes[7] = `"` + publisher + `"`
		}
		return propertyJSON(changes...)
	}
	many := func(last string) []string {
		var pairs []string
		for i := range 20 {
			pairs = append(pairs, "venue_id", fmt.Sprintf("v%d", i))
		}
		return append(pairs, "venue_id", last)
	}
	const found = "warning property.duplicate_identifier "
	for name, test := range map[string]struct {
		properties []string
		want       []string
	}{
		"same publisher": {
			[]string{with("a", "example.com", "domain", "example.com"), with("b", "example.com", "venue_id", "1", "domain", "example.com")},
			[]string{found + "/properties/1/identifiers/1/value"},
		},
		"third": {
			[]string{with("a", "example.com", "venue_id", "1"), with("b", "example.com", "venue_id", "1"), with("c", "example.com", "venue_id", "1")},
			[]string{found + "/properties/1/identifiers/0/value", found + "/properties/2/identifiers/0/value"},
		},
		"implied publishers": {
			[]string{with("a", "", "venue_id", "1"), with("b", "", "venue_id", "1")},
			[]string{found + "/properties/1/identifiers/0/value"},
		},
		"other publisher": {
			[]string{with("a", "example.com", "venue_id", "1"), with("b", "example.org", "venue_id", "1")}, nil,
		},
		"other type": {
			[]string{with("a", "example.com", "venue_id", "1"), with("b", "example.com", "screen_id", "1")}, nil,
		},
		"spelling": {
			[]string{with("a", "example.com", "domain", "*.example.com"), with("b", "example.com", "domain", "*.EXAMPLE.com")},
			[]string{"warning identifier.domain_syntax /properties/1/identifiers/0/value", found + "/properties/1/identifiers/0/value"},
		},
		"case counts in apps": {
			[]string{with("a", "example.com", "ios_bundle", "com.example.a"), with("b", "example.com", "ios_bundle", "com.example.A")}, nil,
		},
		"shared by nature": {
			[]string{with("a", "example.com", "network_id", "1"), with("b", "example.com", "network_id", "1")}, nil,
		},
		"twice on one": {
			[]string{with("a", "example.com", "venue_id", "1", "venue_id", "2", "venue_id", "1")},
			[]string{"warning identifier.duplicate /properties/0/identifiers/2/value"},
		},
		"twice among many": {
			[]string{with("a", "example.com", many("v3")...)},
			[]string{"warning identifier.duplicate /properties/0/identifiers/20/value"},
		},
		"many": {
			[]string{with("a", "example.com", many("other")...)}, nil,
		},
	} {
		got := outline(networkFile("", test.properties...), Options{})
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestIdentifierTable enters far more identifiers than the table first has
// room for and expects each repetition to be found.
func TestIdentifierTable(t *testing.T) {
	t.Parallel()
	const n = 3000
	var list []string
	for i := range n {
		list = append(list, identifierJSON("venue_id", fmt.Sprint(i)))
	}
	first := propertyJSON("property_id", `"a"`, "property_type", `"dooh"`, "identifiers", "["+strings.Join(list, ",")+"]")
	slices.Reverse(list)
	second := propertyJSON("property_id", `"b"`, "property_type", `"dooh"`, "identifiers", "["+strings.Join(list, ",")+"]")
	r := Check(networkFile("", first, second), Options{})
	if r.Count(Warning) != n || len(r.Findings) != n {
		t.Errorf("%d findings, want %d warnings", len(r.Findings), n)
	}
}

func TestHostileDuplicates(t *testing.T) {
	t.Parallel()
	const n = 2000
	counts := make(map[string]int)
	for _, f := range Check(bench.DuplicateIDs(n), Options{}).Findings {
		counts[f.Code]++
	}
	if counts["property.id_duplicate"] != n-1 {
		t.Errorf("%d properties with one id: %v", n, counts)
	}
}

// TestHostileTypes gives every identifier the same value and a type of its
// own, which takes minutes if the types are compared one by one.
func TestHostileTypes(t *testing.T) {
	t.Parallel()
	const n = 20000
	properties := make([]string, n)
	for i := range properties {
		properties[i] = propertyJSON("property_id", fmt.Sprintf(`"p%d"`, i), "identifiers", "["+identifierJSON(fmt.Sprintf("made_up_%d", i), "same")+"]")
	}
	r := Check(networkFile("", properties...), Options{MaxFindings: n})
	if r.Count(Warning) != n || len(r.Findings) != n {
		t.Errorf("%d findings, want %d warnings about types", len(r.Findings), n)
	}
}
