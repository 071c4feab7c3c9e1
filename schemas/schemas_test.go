package schemas_test

import (
	"bytes"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/bench"
	"github.com/avow-project/avow/schemas"
)

var update = flag.Bool("update", false, "rewrite testdata/weaker.txt")

func compile(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schemas.Adagents()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	err = c.AddResource("adagents.json", doc)
	if err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("adagents.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// accepts reports whether the schema accepts the file, and whether the file is
// JSON at all.
func accepts(schema *jsonschema.Schema, src []byte) (bool, bool) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(src))
	if err != nil {
		return false, false
	}
	return schema.Validate(doc) == nil, true
}

// TestGoodExamples holds the schema to the examples: what the check calls
// clean, the schema must accept.
func TestGoodExamples(t *testing.T) {
	t.Parallel()
	schema := compile(t)
	for _, r := range adagents.Rules() {
		accepted, ok := accepts(schema, adagents.Example(r.In, r.Good))
		if ok && !accepted {
			doc, _ := jsonschema.UnmarshalJSON(bytes.NewReader(adagents.Example(r.In, r.Good)))
			t.Errorf("%s: the schema refuses the good example: %v", r.Code, schema.Validate(doc))
		}
	}
	for _, f := range bench.Files() {
		if accepted, _ := accepts(schema, f.Make()); !accepted {
			t.Errorf("the schema refuses the generated file %s", f.Name)
		}
	}
}

// TestNeverStricter holds the schema to the strict profile: what the schema
// refuses, the strict check calls an error too.
func TestNeverStricter(t *testing.T) {
	t.Parallel()
	schema := compile(t)
	for _, r := range adagents.Rules() {
		src := adagents.Example(r.In, r.Bad)
		accepted, ok := accepts(schema, src)
		if !ok || accepted {
			continue
		}
		opt := r.ExampleOptions()
		opt.Profile = adagents.Strict
		if adagents.Check(src, opt).Valid() {
			t.Errorf("%s: the schema refuses what the strict check accepts: %s", r.Code, src)
		}
	}
}

// TestWeaker records which errors of the strict check the schema does not see.
// The list is kept in testdata/weaker.txt so that a change of it is a decision.
func TestWeaker(t *testing.T) {
	t.Parallel()
	schema := compile(t)
	var weaker []string
	for _, r := range adagents.Rules() {
		opt := r.ExampleOptions()
		opt.Profile = adagents.Strict
		src := adagents.Example(r.In, r.Bad)
		accepted, ok := accepts(schema, src)
		isError := func(f adagents.Finding) bool { return f.Code == r.Code && f.Severity == adagents.Error }
		if ok && accepted && slices.ContainsFunc(adagents.Check(src, opt).Findings, isError) {
			weaker = append(weaker, r.Code)
		}
	}
	slices.Sort(weaker)
	got := strings.Join(weaker, "\n") + "\n"
	if *update {
		err := os.WriteFile("testdata/weaker.txt", []byte(got), 0o644)
		if err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/weaker.txt")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("codes the schema does not see (-recorded +now):\n%s", diff)
	}
}

// TestMembersAtTheTop checks that the members of a file can be listed without following
// references.
func TestMembersAtTheTop(t *testing.T) {
	t.Parallel()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schemas.Adagents()))
	if err != nil {
		t.Fatal(err)
	}
	root := doc.(map[string]any)
	listed, _ := root["properties"].(map[string]any)
	for _, name := range []string{"File", "Pointer"} {
		for member := range root["$defs"].(map[string]any)[name].(map[string]any)["properties"].(map[string]any) {
			if listed[member] == nil {
				t.Errorf("%s of %s is not listed", member, name)
			}
		}
	}
}
