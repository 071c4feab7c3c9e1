package schemas_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/avow-project/avow/adagents"
)

// partly are the codes that the schema sees in some forms and not in others, and what it
// leaves to the check: conditions between several members, above all.
var partly = map[string]string{
	"encryption_key.invalid":          "a kid of two keys",
	"feature.feature_type":            "a blank id",
	"file.authorizes_nobody":          "entries that the rules leave nothing of",
	"format.component_invalid":        "members that depend on the scope of a reference",
	"format.ctv_experience_invalid":   "members that depend on the experience",
	"format.param_range":              "ranges without an end, connections without a provider",
	"format.state_graph_invalid":      "a stateful format within a component",
	"placement.format_inline_invalid": "whatever is wrong with a format declared in place",
	"renderer.invalid":                "a format without the revision of its renderer",
	"revocation.domain_missing":       "a blank domain",
	"signal.name_missing":             "a blank name",
	"signal.member_invalid":           "domains and references that are none",
}

// judge holds the schema and the strict check together over many files.
type judge struct {
	schema                 *jsonschema.Schema
	weaker                 []string       // the codes the schema does not see
	found                  map[string]int // differences, by what they are about
	first                  map[string]string
	files, accepted, valid int
}

func newJudge(t *testing.T) *judge {
	t.Helper()
	list, err := os.ReadFile("testdata/weaker.txt")
	if err != nil {
		t.Fatal(err)
	}
	return &judge{schema: compile(t), weaker: strings.Fields(string(list)), found: make(map[string]int), first: make(map[string]string)}
}

// compare checks a file both ways: whatever the schema refuses, the strict check has an
// error about; and whatever the strict check calls an error, the schema refuses, unless
// the code is one that it does not see, or not in every form.
func (j *judge) compare(t *testing.T, file any) {
	t.Helper()
	src, err := json.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(src))
	if err != nil {
		t.Fatal(err)
	}
	report := adagents.Check(src, adagents.Options{Profile: adagents.Strict})
	refused := refusals(j.schema.Validate(doc))
	j.files++
	if len(refused) == 0 {
		j.accepted++
	}
	if report.Valid() {
		j.valid++
	}
	if report.Unusable == nil {
		for _, at := range refused {
			about := func(f adagents.Finding) bool { return f.Severity == adagents.Error && near(f.Pointer, at.pointer) }
			if !slices.ContainsFunc(report.Findings, about) {
				j.note("only the schema refuses "+general(at.pointer)+" "+at.keyword, src)
			}
		}
	}
	if len(refused) > 0 {
		return
	}
	for _, f := range report.Findings {
		if f.Severity == adagents.Error && partly[f.Code] == "" && !slices.Contains(j.weaker, f.Code) {
			j.note("only the strict check refuses "+f.Code+": "+general(f.Pointer)+" "+f.Message, src)
		}
	}
}

func (j *judge) note(what string, src []byte) {
	if j.found[what]++; len(j.first[what]) == 0 || len(src) < len(j.first[what]) {
		j.first[what] = string(src)
	}
}

// report fails the test with the differences.
func (j *judge) report(t *testing.T) {
	t.Helper()
	for _, what := range slices.Sorted(maps.Keys(j.found)) {
		t.Errorf("%s (%d files, the shortest: %s)", what, j.found[what], j.first[what])
	}
	t.Logf("%d files, %d accepted by the schema, %d valid in the strict check", j.files, j.accepted, j.valid)
}

// refusal is a place that the schema refuses.
type refusal struct{ pointer, keyword string }

// refusals returns the innermost places that a validation error is about.
func refusals(err error) []refusal {
	var e *jsonschema.ValidationError
	if !errors.As(err, &e) {
		return nil
	}
	return innermost(e, nil)
}

func innermost(e *jsonschema.ValidationError, list []refusal) []refusal {
	switch e.ErrorKind.(type) {
	case *kind.AnyOf, *kind.OneOf, *kind.Not:
	default:
		if len(e.Causes) > 0 {
			for _, c := range e.Causes {
				list = innermost(c, list)
			}
			return list
		}
	}
	var pointer strings.Builder
	for _, token := range e.InstanceLocation {
		pointer.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(token))
	}
	return append(list, refusal{pointer.String(), strings.Join(e.ErrorKind.KeywordPath(), "/")})
}

// near reports whether a finding is about the place the schema refuses: at it, inside it,
// or at a value around it.
func near(finding, place string) bool {
	return strings.HasPrefix(finding+"/", place+"/") || strings.HasPrefix(place+"/", finding+"/")
}

// general returns a pointer without its numbers.
func general(pointer string) string {
	tokens := strings.Split(pointer, "/")
	for i, token := range tokens {
		_, err := strconv.Atoi(token)
		if err == nil {
			tokens[i] = "-"
		}
	}
	return strings.Join(tokens, "/")
}

// TestSchemaAndCheckAgree makes files from the schema, and others by changing one value of
// those and of the good examples of the rules.
func TestSchemaAndCheckAgree(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	m := newMaker(t, 1)
	for range 800 {
		file := m.file()
		j.compare(t, file)
		j.compare(t, change(m.rand, file))
	}
	for _, r := range adagents.Rules() {
		// Each rule has a seed of its own: a new rule leaves the files of the others alone.
		hash := fnv.New64()
		hash.Write([]byte(r.Code))
		random := rand.New(rand.NewPCG(hash.Sum64(), 0))
		src := adagents.Example(r.In, r.Good)
		for range 6 {
			file, err := jsonschema.UnmarshalJSON(bytes.NewReader(src))
			if err != nil {
				break // an example about the bytes
			}
			j.compare(t, change(random, file))
		}
	}
	j.report(t)
}

// change returns a document with one value changed, removed or added.
func change(r *rand.Rand, doc any) any {
	switch v := doc.(type) {
	case object:
		if len(v) == 0 || r.IntN(12) == 0 {
			return odd(r, doc)
		}
		name := pick(r, slices.Sorted(maps.Keys(v)))
		switch r.IntN(12) {
		case 0:
			delete(v, name)
		default:
			v[name] = change(r, v[name])
		}
		return v
	case []any:
		if len(v) == 0 || r.IntN(6) == 0 {
			return odd(r, doc)
		}
		i := r.IntN(len(v))
		switch r.IntN(8) {
		case 0:
			return append(v, v[i])
		case 1:
			return append(v, odd(r, v[i]))
		case 2:
			return slices.Delete(v, i, i+1)
		}
		v[i] = change(r, v[i])
		return v
	}
	return odd(r, doc)
}

// odd returns another value, mostly of another type.
func odd(r *rand.Rand, was any) any {
	text, _ := was.(string)
	return pick(r, []any{
		nil, true, 5, -1, 2.5, "", " ", "x", "X Y", []any{}, []any{5}, []any{"x"}, []any{nil}, object{}, object{"x": 1},
		strings.ToUpper(text), text + " ", strings.Repeat("x", 600), "http://example.com/",
	})
}
