package schemas_test

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/avow-project/avow/schemas"
)

// object is a JSON object as the validator reads and writes it.
type object = map[string]any

// maker makes documents that the schema describes, from the schema alone.
type maker struct {
	rand *rand.Rand
	root object
	name string // of the member whose value is being made
}

func newMaker(t *testing.T, seed uint64) *maker {
	t.Helper()
	root, err := jsonschema.UnmarshalJSON(bytes.NewReader(schemas.Adagents()))
	if err != nil {
		t.Fatal(err)
	}
	return &maker{rand: rand.New(rand.NewPCG(seed, 0)), root: root.(object)}
}

// file makes an inline file, or now and then a pointer.
func (m *maker) file() object {
	definition := "File"
	if m.rand.IntN(20) == 0 {
		definition = "Pointer"
	}
	return m.value(m.definition(definition), 0).(object)
}

func (m *maker) definition(name string) object { return m.root["$defs"].(object)[name].(object) }

// value makes a value that one schema describes.
func (m *maker) value(s object, depth int) any {
	if ref, ok := s["$ref"].(string); ok {
		return m.value(m.definition(strings.TrimPrefix(ref, "#/$defs/")), depth)
	}
	if constant, ok := s["const"]; ok {
		return constant
	}
	if list, ok := s["enum"].([]any); ok {
		return pick(m.rand, list)
	}
	if list, ok := s["anyOf"].([]any); ok && s["type"] == nil {
		return m.value(pick(m.rand, list).(object), depth)
	}
	switch s["type"] {
	case "object":
		return m.object(s, depth)
	case "array":
		return m.array(s, depth)
	case "string":
		return m.text(s)
	case "integer", "number":
		return m.number(s)
	case "boolean":
		return m.rand.IntN(2) == 0
	case "null":
		return nil
	}
	return "any"
}

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// object makes an object: what is required, some of the rest, and what the conditions
// between members ask for.
func (m *maker) object(s object, depth int) any {
	made := object{}
	properties, _ := s["properties"].(object)
	if values, ok := s["additionalProperties"].(object); ok {
		made["news"] = m.value(values, depth+1)
	}
	required := texts(s["required"])
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if slices.Contains(required, name) || m.rand.IntN(2+depth) == 0 {
			m.add(made, properties, name, depth)
		}
	}
	conditions, _ := s["allOf"].([]any)
	for _, c := range conditions {
		m.satisfy(made, properties, c.(object), depth)
	}
	return made
}

func (m *maker) add(made, properties object, name string, depth int) {
	if _, ok := made[name]; ok {
		return
	}
	m.name = name
	made[name] = m.value(properties[name].(object), depth+1)
}

func texts(list any) []string {
	var out []string
	elements, _ := list.([]any)
	for _, e := range elements {
		out = append(out, e.(string))
	}
	return out
}

// satisfy changes an object until it meets one condition of its schema: the forms that
// the generator of the schema writes.
func (m *maker) satisfy(made, properties, c object, depth int) {
	if not, ok := c["not"].(object); ok {
		for _, name := range texts(not["required"]) {
			delete(made, name)
		}
	}
	if list, ok := c["anyOf"].([]any); ok {
		for _, name := range texts(pick(m.rand, list).(object)["required"]) {
			delete(made, name)
			m.add(made, properties, name, depth)
			if empty, ok := made[name].([]any); ok && len(empty) == 0 {
				m.name = name
				items := properties[name].(object)["items"].(object)
				made[name] = []any{m.value(items, depth+1)}
			}
		}
	}
	if list, ok := c["oneOf"].([]any); ok {
		chosen := m.rand.IntN(len(list))
		for i, e := range list {
			for _, name := range texts(e.(object)["required"]) {
				delete(made, name)
				if i == chosen {
					m.add(made, properties, name, depth)
				}
			}
		}
	}
	if test, ok := c["if"].(object); ok {
		branch := "else"
		if holds(made, test) {
			branch = "then"
		}
		then, _ := c[branch].(object)
		for _, name := range texts(then["required"]) {
			m.add(made, properties, name, depth)
		}
		special, _ := then["properties"].(object)
		for name, s := range special {
			if _, ok := made[name]; ok {
				made[name] = m.value(s.(object), depth+1)
			}
		}
	}
}

// holds reports whether an object passes the test of a condition.
func holds(made, test object) bool {
	for _, name := range texts(test["required"]) {
		if _, ok := made[name]; !ok {
			return false
		}
	}
	properties, _ := test["properties"].(object)
	for name, s := range properties {
		if made[name] != s.(object)["const"] {
			return false
		}
	}
	return true
}

func (m *maker) array(s object, depth int) any {
	n := max(m.rand.IntN(3), m.whole(s, "minItems"))
	if most := m.whole(s, "maxItems"); most > 0 {
		n = min(n, most)
	}
	made := []any{}
	name := m.name
	for range n {
		m.name = name
		e := m.value(s["items"].(object), depth+1)
		if s["uniqueItems"] != true || !slices.ContainsFunc(made, func(other any) bool { return reflect.DeepEqual(other, e) }) {
			made = append(made, e)
		}
	}
	return made
}

// whole returns the whole number that a keyword has, or zero.
func (m *maker) whole(s object, keyword string) int {
	n, _ := s[keyword].(interface{ Int64() (int64, error) })
	if n == nil {
		return 0
	}
	i, _ := n.Int64()
	return int(i)
}

func (m *maker) number(s object) any {
	least := m.whole(s, "minimum")
	if s["exclusiveMinimum"] != nil {
		least = 1
	}
	n := least + m.rand.IntN(4)
	if s["maximum"] != nil {
		n = min(n, m.whole(s, "maximum"))
	}
	return n
}

// samples are texts for the patterns of the schema.
var samples = map[string][]string{
	`^[Hh][Tt][Tt][Pp][Ss]://\S+$`:                        {"https://a.example.com/x", "https://b.example.org/y"},
	`^https://github\.com/`:                               {"https://github.com/example/renderer"},
	`^sha256:[a-f0-9]{64}$`:                               {"sha256:" + strings.Repeat("ab", 32)},
	`^[A-Z]{2}$`:                                          {"US", "FR", "DE"},
	`^[1-9]\d*\.(0|[1-9]\d*)$`:                            {"3.1", "3.2"},
	`^[A-Za-z0-9_-]+$`:                                    {strings.Repeat("a", 42) + "A"},
	`^[a-z0-9_]+$`:                                        {"news", "home", "site"},
	`^[a-z][a-z0-9_]*$`:                                   {"news", "home", "site"},
	`^[a-z0-9_-]+$`:                                       {"news", "home-1"},
	`^[a-zA-Z0-9_-]+$`:                                    {"news", "Home-1"},
	`^\.github/workflows/[A-Za-z0-9._/-]+\.ya?ml$`:        {".github/workflows/release.yml"},
	`^[0-9]+(\.[0-9]+)?:[0-9]+(\.[0-9]+)?$`:               {"16:9", "1.91:1"},
	`^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)$`:    {"1.2.3", "2.0.0"},
	`^(?:@[a-z0-9][a-z0-9._~-]*/)?[a-z0-9][a-z0-9._~-]*$`: {"@example/renderer"},
	`^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$`: {"example.com", "a.example.org"},
}

// text makes a string. Where the schema says only that it is one, the strict check
// wants more of a few members.
func (m *maker) text(s object) any {
	pattern, _ := s["pattern"].(string)
	switch list, ok := samples[pattern]; {
	case pattern == `\S`:
	case ok:
		return pick(m.rand, list)
	case strings.HasPrefix(pattern, "^(?:sha256-"):
		return "sha256-" + strings.Repeat("A", 42) + "8="
	case pattern != "": // the version of a renderer
		return "1.2.3-rc.1"
	}
	switch s["format"] {
	case "uri":
		return pick(m.rand, []string{"https://agent.example.com/mcp", "https://vendor.example.org/"})
	case "date-time":
		return pick(m.rand, []string{"2026-01-02T00:00:00Z", "2027-01-02T00:00:00+01:00"})
	case "email":
		return "ads@example.com"
	case "hostname":
		return "example.com"
	}
	if of, ok := plainTexts[m.name]; ok {
		return of
	}
	return pick(m.rand, []string{"en", "news", "home"}) + strings.Repeat("x", max(0, m.whole(s, "minLength")-2)) + strconv.Itoa(m.rand.IntN(3))
}

// plainTexts are values of members whose form the schema leaves open.
var plainTexts = map[string]string{
	"publisher_domain": "example.com", "kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "use": "sig",
	"x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo", "reason": "other", "relationship": "owned",
}
