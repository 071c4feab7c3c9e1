package custody_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
)

// BenchmarkCompare compares two files of 60,000 properties that have half of them in
// common.
func BenchmarkCompare(b *testing.B) {
	old, next := parse(b, properties(upTo(0, 60_000)...)), parse(b, properties(upTo(30_000, 90_000)...))
	for b.Loop() {
		custody.Compare(old, next)
	}
}

// BenchmarkCompareReach compares files of an entry with 800 selectors that have 200 publishers each,
// of which one publisher is not the same, and says how far that reaches.
func BenchmarkCompareReach(b *testing.B) {
	old, next := parse(b, selecting(800, 200, "same.example")), parse(b, selecting(800, 200, "other.example"))
	for b.Loop() {
		changes, reach := custody.CompareReach(old, next)
		if len(changes) != 2 || reach.Publishers != 2 {
			b.Fatalf("%d changes of %d publishers", len(changes), reach.Publishers)
		}
	}
}

// selecting is a file with an entry of many selectors with many publishers and, in the middle, one
// more publisher. Every fourth of the others has a property.
func selecting(selectors, publishers int, more string) string {
	var list, properties []string
	for i := range selectors {
		var domains []string
		for k := range publishers {
			domains = append(domains, fmt.Sprintf(`"p%d-%d.example"`, i, k))
			if k%4 == 0 {
				properties = append(properties, fmt.Sprintf(`{"property_id":"p%d-%d","property_type":"website","name":"P","tags":["t"],`+
					`"identifiers":[{"type":"domain","value":"p%d-%d.example"}],"publisher_domain":"p%d-%d.example"}`, i, k, i, k, i, k))
			}
		}
		if i == selectors/2 {
			domains = append(domains, `"`+more+`"`)
		}
		list = append(list, fmt.Sprintf(`{"publisher_domains":[%s],"selection_type":"by_tag","property_tags":["t"]}`, strings.Join(domains, ",")))
	}
	return `{"authorized_agents":[{"url":"https://a.example/mcp","authorized_for":"x","authorization_type":"publisher_properties",` +
		`"publisher_properties":[` + strings.Join(list, ",") + `]}],"properties":[` + strings.Join(properties, ",") + `]}`
}

// BenchmarkTakeNotModified confirms a file.
func BenchmarkTakeNotModified(b *testing.B) {
	f := adopted("p.example")
	s := custody.Observation{Outcome: custody.NotModified, Headers: custody.Headers{ETag: `"a"`}}
	for b.Loop() {
		f.Take(s, at(time.Hour))
	}
}
