package resolve

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"unsafe"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/bench"
)

// mixedFile has owners of every kind, wildcards, types that not every part meets,
// properties that an entry declares itself, and selectors of publishers.
func mixedFile(tb testing.TB) *adagents.File {
	tb.Helper()
	var properties, inline []any
	for i := range 300 {
		owner := fmt.Sprintf("p%d.example", i%40)
		if i%3 == 0 {
			owner = "large.example"
		}
		identifiers := []any{map[string]any{"type": "domain", "value": owner}}
		for k := range 1 + 20*(i%50/49) {
			identifiers = append(identifiers, map[string]any{"type": "domain", "value": fmt.Sprintf("*.s%d-%d.%s", i, k, owner)})
		}
		identifiers = append(identifiers, map[string]any{"type": fmt.Sprint("type", i/60), "value": fmt.Sprint("app", i)})
		properties = append(properties, map[string]any{
			"property_id": fmt.Sprint("site", i), "property_type": "website", "name": "Site", "tags": []string{"all", fmt.Sprint("t", i%5)},
			"publisher_domain": owner, "identifiers": identifiers,
		})
		if i%10 == 0 {
			inline = append(inline, properties[i])
		}
	}
	agents := []any{
		map[string]any{"url": "https://a.example/mcp", "authorized_for": "x", "authorization_type": "property_tags", "property_tags": []string{"t1", "t3"}},
		map[string]any{"url": "https://b.example/mcp", "authorized_for": "x", "authorization_type": "inline_properties", "properties": inline},
		map[string]any{"url": "https://c.example/mcp", "authorized_for": "x", "authorization_type": "publisher_properties", "publisher_properties": []any{
			map[string]any{"publisher_domain": "p7.example", "selection_type": "all"},
			map[string]any{"publisher_domain": "large.example", "selection_type": "by_tag", "property_tags": []string{"t2"}},
		}},
	}
	src, err := json.Marshal(map[string]any{"properties": properties, "authorized_agents": agents})
	if err != nil {
		tb.Fatal(err)
	}
	return adagents.Check(src, adagents.Options{Now: bench.Now()}).File
}

// TestCompileInParts looks whether a block is the same, word by word, however many
// goroutines have made it.
func TestCompileInParts(t *testing.T) {
	t.Parallel()
	check := func(src []byte) *adagents.File { return adagents.Check(src, adagents.Options{Now: bench.Now()}).File }
	files := map[string]*adagents.File{
		"mixed": mixedFile(t), "small": check(bench.Small()), "publisher500": check(bench.Publisher500()), "network3mb": check(bench.Network3MB()),
	}
	for name, file := range files {
		doc := &Document{Publisher: "large.example", State: Usable, File: file}
		one := compiler{parts: 1}
		want, _ := one.compile(doc, false)
		for _, parts := range []int{0, 2, 3, 7} {
			c := compiler{parts: parts}
			for range 2 { // the second time with what is left of the first
				got, _ := c.compile(doc, false)
				if !slices.Equal(wordsOf(got), wordsOf(want)) {
					t.Errorf("%s in %d parts: %d words, want %d, or others", name, parts, got.size(), want.size())
				}
			}
		}
	}
}

func wordsOf(b block) []uint32 { return unsafe.Slice((*uint32)(b.first), b.size()) }
