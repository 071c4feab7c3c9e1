package adagents

import (
	"regexp"
	"testing"

	"pgregory.net/rapid"

	"github.com/avow-project/avow/internal/std/jsontree"
)

func etagOf(t interface{ Fatalf(string, ...any) }, src string) string {
	tree, err := jsontree.Parse([]byte(src), jsontree.Options{})
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	return CatalogETag(tree.Root())
}

func TestCatalogETagSame(t *testing.T) {
	t.Parallel()
	const base = `{"properties":[{"property_id":"site","name":"Caf\u00e9 \"One\"","tags":["a","b"]}],"tags":{"a":{"name":"A"},"b":{"name":"B"}}}`
	want := etagOf(t, base)
	if !regexp.MustCompile(`^sha256-[0-9a-f]{32}$`).MatchString(want) {
		t.Fatalf("token %q", want)
	}
	for name, src := range map[string]string{
		"spread out":      "{ \"properties\" : [\n{\"property_id\":\"site\",\"name\":\"Café \\\"One\\\"\",\n\"tags\":[\"a\", \"b\"]} ],\"tags\":{\"a\":{\"name\":\"A\"},\"b\":{\"name\":\"B\"}}}",
		"members swapped": `{"tags":{"b":{"name":"B"},"a":{"name":"A"}},"properties":[{"tags":["a","b"],"name":"Caf\u00e9 \u0022One\"","property_id":"site"}]}`,
		"other members":   `{"$schema":"x","authorized_agents":[{"url":"https://agent.example"}],"catalog_etag":"old",` + base[1:],
	} {
		if got := etagOf(t, src); got != want {
			t.Errorf("%s: token %s, want %s", name, got, want)
		}
	}
}

func TestCatalogETagDiffers(t *testing.T) {
	t.Parallel()
	seen := make(map[string]string)
	for _, src := range []string{
		`{"properties":[{"property_id":"a"},{"property_id":"b"}]}`,
		`{"properties":[{"property_id":"b"},{"property_id":"a"}]}`,
		`{"properties":[{"property_id":"a,b"}]}`,
		`{"properties":[{"property_id":"a"}]}`,
		`{"properties":[["a"]]}`,
		`{"placements":[{"property_id":"a"}]}`,
		`{"properties":[{"property_id":"a"}],"tags":{}}`,
		`{"properties":[{"property_id":"a"}],"tags":{"x":{}}}`,
		`{"properties":[{"property_id":1}]}`,
		`{"properties":[{"property_id":"1"}]}`,
		`{"properties":[{"property_id":null}]}`,
		`{"properties":[{"property_id":true}]}`,
	} {
		token := etagOf(t, src)
		if other, ok := seen[token]; ok {
			t.Errorf("%s and %s share the token %s", src, other, token)
		}
		seen[token] = src
	}
}

func TestCatalogETagOfNothing(t *testing.T) {
	t.Parallel()
	for _, src := range []string{`{}`, `[]`, `null`, `{"properties":[],"tags":{}}`, `{"authorized_agents":[{"url":"https://agent.example"}]}`} {
		if got := etagOf(t, src); got != "" {
			t.Errorf("%s: token %s, want none", src, got)
		}
	}
}

// TestCatalogETagSurvivesFormatting checks the promise that matters most:
// formatting a file leaves its token alone.
func TestCatalogETagSurvivesFormatting(t *testing.T) {
	t.Parallel()
	text := rapid.String()
	rapid.Check(t, func(t *rapid.T) {
		src := AppendString([]byte(`{"tags":{`), text.Draw(t, "tag"))
		src = AppendString(append(src, `:{"description":"d","name":`...), text.Draw(t, "name"))
		src = append(src, `}},"properties":[{"tags":["z",{"y":1.50,"x":[]}]}]}`...)
		formatted, err := Format(src)
		if err != nil {
			t.Fatalf("%s: %v", src, err)
		}
		if a, b := etagOf(t, string(src)), etagOf(t, string(formatted)); a != b {
			t.Errorf("%s: %s before formatting, %s after", src, a, b)
		}
	})
}
