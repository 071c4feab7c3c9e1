package adagents

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var buildNow = time.Date(2026, 11, 5, 13, 30, 15, 999, time.FixedZone("", 3600))

// decoded returns a JSON text as Go values for comparison.
func decoded(t *testing.T, src []byte) map[string]any {
	t.Helper()
	var v map[string]any
	dec := json.NewDecoder(strings.NewReader(string(src)))
	dec.UseNumber()
	err := dec.Decode(&v)
	if err != nil {
		t.Fatalf("%v in\n%s", err, src)
	}
	return v
}

func mustBuild(t *testing.T, request string) *Built {
	t.Helper()
	b, err := Build([]byte(request), BuildOptions{Now: buildNow})
	if err != nil {
		t.Fatalf("refused: %v", err)
	}
	return b
}

const (
	requestProperty = `"properties":[` + exampleProperty + `],` + exampleTags
	requestAgent    = `"authorized_agents":[` + exampleAgent + `]`
)

func TestBuildPassesEverythingOn(t *testing.T) {
	t.Parallel()
	request := `{
		"include_schema": true, "include_timestamp": true,
		` + requestAgent + `, ` + requestProperty + `, ` + exampleCatalog + `,
		"contact": {"name": "Example \u004eews", "ext": {"n": 1.50, "deep": [[], {}, null, 1e3]}},
		"property_features": [{"url": "https://features.example/api", "name": "Features", "features": ["carbon"]}],
		"revoked_publisher_domains": [{"publisher_domain": "gone.example", "revoked_at": "2026-01-01T00:00:00Z"}],
		"version": "1.0", "catalog_etag": "v7",
		"x_own": {"include_schema": "stays"}
	}`
	b := mustBuild(t, request)
	want := decoded(t, []byte(request))
	delete(want, "include_schema")
	delete(want, "include_timestamp")
	want["$schema"] = SchemaURL
	want["last_updated"] = "2026-11-05T12:30:15Z"
	if diff := cmp.Diff(want, decoded(t, b.File)); diff != "" {
		t.Errorf("the file differs from the request:\n%s", diff)
	}
	if len(b.Inferred) != 0 {
		t.Errorf("inferred %v", b.Inferred)
	}
	again, err := Format(b.File)
	if err != nil || !bytes.Equal(again, b.File) {
		t.Errorf("the file is not in canonical form:\n%s", b.File)
	}
	if b.Report == nil || !b.Report.Valid() {
		t.Errorf("report %+v", b.Report)
	}
}

func TestBuildControls(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, request  string
		schema, update any
	}{
		{"default", ``, SchemaURL, "2026-11-05T12:30:15Z"},
		{"asked for", `"include_schema":true,"include_timestamp":true,`, SchemaURL, "2026-11-05T12:30:15Z"},
		{"neither", `"include_schema":false,"include_timestamp":false,`, nil, nil},
		{"own values stay", `"$schema":"https://schemas.example/v3/adagents.json","last_updated":"2025-01-01T00:00:00Z",`, "https://schemas.example/v3/adagents.json", "2025-01-01T00:00:00Z"},
		{"own values stay when additions are off", `"include_schema":false,"include_timestamp":false,"$schema":"https://schemas.example/v3/a.json","last_updated":"2025-01-01T00:00:00Z",`, "https://schemas.example/v3/a.json", "2025-01-01T00:00:00Z"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := decoded(t, mustBuild(t, `{`+tc.request+requestProperty+`,`+requestAgent+`}`).File)
			if got["$schema"] != tc.schema || got["last_updated"] != tc.update {
				t.Errorf("$schema %v, last_updated %v; want %v, %v", got["$schema"], got["last_updated"], tc.schema, tc.update)
			}
			for _, name := range controlMembers {
				if _, ok := got[name]; ok {
					t.Errorf("%s got into the file", name)
				}
			}
		})
	}
}

func TestBuildWithoutClock(t *testing.T) {
	t.Parallel()
	b, err := Build([]byte(`{`+requestProperty+`,`+requestAgent+`}`), BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(b.File), "last_updated") {
		t.Errorf("a timestamp out of nowhere:\n%s", b.File)
	}
}

func TestBuildInfersType(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, agent, want string }{
		{"ids", `"property_ids":["site"]`, "property_ids"},
		{"tags", `"property_tags":["news"]`, "property_tags"},
		{"inline", `"properties":[{"property_type":"website","name":"N","identifiers":[{"type":"domain","value":"example.com"}]}]`, "inline_properties"},
		{"publishers", `"publisher_properties":[{"publisher_domain":"example.org","selection_type":"all"}]`, "publisher_properties"},
		{"signal ids", `"signal_ids":["auto_intender"]`, "signal_ids"},
		{"signal tags", `"signal_tags":["auto"]`, "signal_tags"},
		{"narrowed", `"property_ids":["site"],"placement_ids":["home_top"],"countries":["DE"]`, "property_ids"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			b := mustBuild(t, `{`+requestProperty+`,`+exampleCatalog+`,"authorized_agents":[`+exampleAgent+
				`,{"url":"https://two.example/mcp","authorized_for":"All",`+tc.agent+`}]}`)
			want := []Inference{{Pointer: "/authorized_agents/1", Member: "authorization_type", Value: tc.want}}
			if diff := cmp.Diff(want, b.Inferred); diff != "" {
				t.Error(diff)
			}
			agents, _ := decoded(t, b.File)["authorized_agents"].([]any)
			second, _ := agents[1].(map[string]any)
			if second["authorization_type"] != tc.want {
				t.Errorf("the entry has type %v", second["authorization_type"])
			}
		})
	}
}

func TestBuildRefuses(t *testing.T) {
	t.Parallel()
	const head = `"url":"https://agent.example/mcp","authorized_for":"All"`
	tests := []struct{ name, request, code, pointer string }{
		{"two selectors", `{` + requestProperty + `,"authorized_agents":[{` + head + `,"property_ids":["site"],"property_tags":["news"]}]}`, "agent.type_missing", "/authorized_agents/0/authorization_type"},
		{"type null", `{` + requestProperty + `,"authorized_agents":[{` + head + `,"authorization_type":null,"property_ids":["site"]}]}`, "agent.type_", "/authorized_agents/0/authorization_type"},
		{"no agents", `{` + requestProperty + `}`, "file.agents_missing", "/authorized_agents"},
		{"no agents at all", `{}`, "file.agents_missing", "/authorized_agents"},
		{"agents null", `{` + requestProperty + `,"authorized_agents":null}`, "file.agents_missing", "/authorized_agents"},
		{"agents an object", `{` + requestProperty + `,"authorized_agents":{}}`, "file.agents_type", "/authorized_agents"},
		{"nothing in it", `{"authorized_agents":[]}`, "file.no_content", ""},
		{"pointer with content", `{"authoritative_location":"https://cdn.example/adagents.json",` + requestProperty + `}`, "pointer.mixed", "/properties"},
		{"pointer to http", `{"authoritative_location":"http://cdn.example/adagents.json"}`, "pointer.location_not_https", "/authoritative_location"},
		{"agents twice", `{` + requestProperty + `,` + requestAgent + `,` + requestAgent + `}`, "file.duplicate_key", ""},
		{"not JSON", `{"authorized_agents": [`, "file.json_invalid", ""},
		{"empty", ` `, "file.empty", ""},
		{"a list", `[]`, "file.not_object", ""},
		{"control not boolean", `{"include_schema":"no",` + requestAgent + `,` + requestProperty + `}`, "file.field_type", "/include_schema"},
		{"control null", `{"compute_etag":null,` + requestAgent + `,` + requestProperty + `}`, "file.field_type", "/compute_etag"},
		{"control twice", `{"include_timestamp":true,"include_timestamp":false,` + requestAgent + `,` + requestProperty + `}`, "file.duplicate_key", "/include_timestamp"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			b, err := Build([]byte(tc.request), BuildOptions{Now: buildNow})
			var invalid *InvalidError
			if !errors.As(err, &invalid) {
				t.Fatalf("error %v, want an *InvalidError", err)
			}
			if b.File != nil {
				t.Errorf("an invalid file was returned:\n%s", b.File)
			}
			hit := func(f Finding) bool {
				return strings.HasPrefix(f.Code, tc.code) && f.Pointer == tc.pointer && f.Severity == Error && f.Line > 0
			}
			if !slices.ContainsFunc(b.Report.Findings, hit) || !slices.ContainsFunc(invalid.Findings, hit) {
				t.Errorf("no %s at %q in %v", tc.code, tc.pointer, err)
			}
		})
	}
}

// TestBuildOverLimit makes a request that is just small enough, and a file that
// is not.
func TestBuildOverLimit(t *testing.T) {
	t.Parallel()
	const limit = 20 << 20
	request := []byte(`{"authorized_agents":[],"x":"`)
	request = append(request, bytes.Repeat([]byte("x"), limit-len(request)-2)...)
	b, err := Build(append(request, `"}`...), BuildOptions{})
	if err == nil || b.File != nil || b.Report.Findings[0].Code != "file.too_large" {
		t.Errorf("error %v", err)
	}
}

func TestBuildControlPosition(t *testing.T) {
	t.Parallel()
	b, err := Build([]byte("{\n  \"authorized_agents\": [],\n  \"include_schema\": 1\n}"), BuildOptions{})
	if err == nil {
		t.Fatal("accepted")
	}
	f := b.Report.Findings[0]
	if f.Line != 3 || f.Column != 21 || f.Length != 1 || !strings.Contains(f.Message, "a number") {
		t.Errorf("finding %+v", f)
	}
	if b.Report.Unusable == nil || b.Report.Tree() == nil {
		t.Error("the report must be unusable and keep the request")
	}
}

func TestBuildPointer(t *testing.T) {
	t.Parallel()
	b := mustBuild(t, `{"authoritative_location":"https://cdn.example/adagents.json","compute_etag":true}`)
	want := map[string]any{
		"$schema": SchemaURL, "authoritative_location": "https://cdn.example/adagents.json", "last_updated": "2026-11-05T12:30:15Z",
	}
	if diff := cmp.Diff(want, decoded(t, b.File)); diff != "" {
		t.Error(diff)
	}
	if b.Report.Kind != PointerKind {
		t.Errorf("kind %v", b.Report.Kind)
	}
}

func TestBuildETag(t *testing.T) {
	t.Parallel()
	b := mustBuild(t, `{"compute_etag":true,"catalog_etag":"old",`+requestProperty+`,`+requestAgent+`}`)
	want := CatalogETag(b.Report.Tree().Root())
	if got := decoded(t, b.File)["catalog_etag"]; got != want || want == "" {
		t.Errorf("token %v, want %s", got, want)
	}
	if diff := cmp.Diff([]Inference{{Pointer: "", Member: "catalog_etag", Value: want}}, b.Inferred); diff != "" {
		t.Error(diff)
	}
	kept := mustBuild(t, `{"compute_etag":false,"catalog_etag":"old",`+requestProperty+`,`+requestAgent+`}`)
	if got := decoded(t, kept.File)["catalog_etag"]; got != "old" {
		t.Errorf("token %v, want the one given", got)
	}
}

func TestBuildOptionsSteer(t *testing.T) {
	t.Parallel()
	b, err := Build([]byte(`{`+requestProperty+`,`+requestAgent+`}`),
		BuildOptions{Now: buildNow, OmitSchema: true, OmitTimestamp: true, ComputeETag: true})
	if err != nil {
		t.Fatal(err)
	}
	got := decoded(t, b.File)
	if got["$schema"] != nil || got["last_updated"] != nil || got["catalog_etag"] == nil {
		t.Errorf("file:\n%s", b.File)
	}
}

func TestBuildUsesCheckOptions(t *testing.T) {
	t.Parallel()
	request := []byte(`{"contact":{"name":"N","email":"no address"},` + requestProperty + `,` + requestAgent + `}`)
	_, err := Build(request, BuildOptions{Now: buildNow})
	if err != nil {
		t.Errorf("default profile: %v", err)
	}
	_, err = Build(request, BuildOptions{Now: buildNow, Check: Options{Profile: Strict}})
	if err == nil {
		t.Error("the strict profile accepts a bad email address")
	}
	b, err := Build(request, BuildOptions{Check: Options{MaxBytes: 10}})
	if err == nil || b.Report.Findings[0].Code != "file.too_large" {
		t.Errorf("over the size limit: %v", err)
	}
}

// unusualRequests have members of every kind of value and spelling.
var unusualRequests = []string{
	`{}`,
	`{"last_updated": "2026-01-01T00:00:00Z", "x": [1, {"b": 1, "a": 2}], "authorized_agents": [{"url": "https://a.example", "authorization_type": "property_ids", "property_ids": ["a"]}], "$schema": 1}`,
	`{"include_schema": false, "include_timestamp": false, "catalog_etag": "old", "compute_etag": true, "formats": [{"params": {"width": 1, "b": 2}, "format_kind": "image"}]}`,
	`{"authoritative_location": "https://a.example/f", "compute_etag": true}`,
	`{"y": 1, "x": 2, "y": 3, "authorized_agents": 7}`,
	`{"include_schema": false, "include_timestamp": false}`,
	`{"properties": [], "authorized_agents": [], "formats": [{"format_option_id": "a", "format_kind": "image", "params": {}}]}`,
	`{"x": [], "": {}, "w\u0061y": ["\u00e9\u200b", "\"", {"a\n": null}], "n": [[1.5e3, true, [false, {}]]], "\u0075rl": "ü"}`,
	`{"tags": {"z": {"name": "Z"}, "a": {}}, "x": ["` + strings.Repeat(`a long one that does not fit on one line", "`, 4) + `\\", [], "\u0000"]}`,
}

// FuzzBuild checks what holds for every request: no file with errors, no
// member lost, no control member let through.
func FuzzBuild(f *testing.F) {
	f.Add([]byte(`{` + requestProperty + `,` + requestAgent + `}`))
	f.Add([]byte(`{"compute_etag":true,` + exampleCatalog + `,"authorized_agents":[]}`))
	f.Add([]byte(`{"authoritative_location":"https://cdn.example/adagents.json"}`))
	f.Add([]byte(`{"authorized_agents":[{"properties":[]},[],{},{"signal_ids":1}],"include_schema":false}`))
	f.Add([]byte(`[]`))
	for _, request := range unusualRequests {
		f.Add([]byte(request))
	}
	f.Fuzz(func(t *testing.T, request []byte) {
		b, err := Build(request, BuildOptions{Now: buildNow})
		if (err == nil) != (b.File != nil) || b.Report.Valid() != (err == nil) {
			t.Fatalf("file %q, error %v", b.File, err)
		}
		if err != nil {
			return
		}
		before, after := decoded(t, request), decoded(t, b.File)
		for name := range before {
			if _, ok := after[name]; ok == slices.Contains(controlMembers, name) {
				t.Errorf("member %q: in the file %v", name, ok)
			}
		}
	})
}
