package adagents

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// said lists the findings whose code belongs to one of the groups, as
// "severity code pointer".
func said(src string, opt Options, groups ...string) []string {
	var lines []string
	for _, f := range Check([]byte(src), opt).Findings {
		for _, g := range groups {
			if group(f.Code) == g {
				lines = append(lines, fmt.Sprintf("%s %s %s", f.Severity, f.Code, f.Pointer))
			}
		}
	}
	return lines
}

// topLevel sets members into a file without findings.
func topLevel(members string) string { return string(Example(InTopLevel, members)) }

func TestUnreadable(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, src, code string
		line, column    int
		opt             Options
	}{
		{"nothing", "", "file.empty", 1, 1, Options{}},
		{"white space", " \n\t", "file.empty", 2, 2, Options{}},
		{"only a mark", "\ufeff", "file.empty", 1, 1, Options{}},
		{"latin-1", "{\"é\":\n \"caf\xe9\"}", "file.not_utf8", 2, 6, Options{}},
		{"utf-16 with mark", "\xff\xfe{\x00", "file.encoding_unsupported", 1, 1, Options{}},
		{"utf-16 without mark", "{\x00}\x00", "file.encoding_unsupported", 1, 1, Options{}},
		{"trailing comma", "{\n  \"a\": 1,\n}", "file.json_invalid", 2, 9, Options{}},
		{"web page", "<!doctype html>", "file.json_invalid", 1, 1, Options{}},
		{"trailing text", "{} x", "file.json_invalid", 1, 4, Options{}},
		{"cut off", `{"authorized_agents": [`, "file.json_invalid", 1, 24, Options{}},
		{"deep", strings.Repeat("[", 65), "file.too_deep", 1, 65, Options{}},
		{"large", "{}  ", "file.too_large", 1, 1, Options{MaxBytes: 3}},
		{"many", "[1,2]", "file.too_complex", 1, 4, Options{MaxValues: 2}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := Check([]byte(tt.src), tt.opt)
			if len(r.Findings) != 1 {
				t.Fatalf("findings %v, want one", r.Findings)
			}
			f := r.Findings[0]
			got := fmt.Sprintf("%s %d:%d %q", f.Code, f.Line, f.Column, f.Pointer)
			if want := fmt.Sprintf("%s %d:%d %q", tt.code, tt.line, tt.column, ""); got != want {
				t.Errorf("got %s (%s), want %s", got, f.Message, want)
			}
			if f.Severity != Error || f.Effect != AbortFile || r.Valid() {
				t.Errorf("severity %v, effect %v, valid %v", f.Severity, f.Effect, r.Valid())
			}
			if r.Unusable == nil || r.File != nil || r.Pointer != nil || r.Kind != UnknownKind || r.Tree() != nil {
				t.Errorf("report %+v", r)
			}
		})
	}
}

func TestUnreadableOtherError(t *testing.T) {
	t.Parallel()
	c := &checker{report: new(Report)}
	c.unreadable([]byte("x"), errors.New("the disk is on fire"))
	if got := c.report.Findings[0].Code; got != "file.json_invalid" {
		t.Errorf("code %s, want file.json_invalid", got)
	}
}

func TestCheckTree(t *testing.T) {
	t.Parallel()
	const duplicate = "file.duplicate_key"
	tests := []struct {
		name, src string
		want      []string
	}{
		{"array", `[]`, []string{"error file.not_object "}},
		{"null", `null`, []string{"error file.not_object "}},
		{"string with mark", "\ufeff\"x\"", []string{"warning file.bom ", "error file.not_object "}},
		{"top level", topLevel(`{"version":"1","version":"2"}`), []string{"error " + duplicate + " "}},
		{"escaped name", topLevel(`{"version":"1","\u0076ersion":"2"}`), []string{"error " + duplicate + " "}},
		{"in a contact", topLevel(`{"contact":{"name":"A","name":"B"}}`), []string{"warning " + duplicate + " /contact"}},
		{"in a revocation", topLevel(`{"revoked_publisher_domains":[{"publisher_domain":"a.example","publisher_domain":"b.example","revoked_at":"2026-01-02T00:00:00Z"}]}`),
			[]string{"error " + duplicate + " /revoked_publisher_domains/0"}},
		{"deep in an agent", strings.Replace(exampleInline, `"kid":"k1"`, `"kid":"k1","kid":"k1"`, 1),
			[]string{"error " + duplicate + " /authorized_agents/0/signing_keys/0"}},
		{"in a pointer", strings.Replace(examplePointer, "{", `{"last_updated":"2026-01-02T00:00:00Z",`, 1), []string{"error " + duplicate + " "}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, said(tt.src, Options{}, "file")); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDuplicateNamesTheMember(t *testing.T) {
	t.Parallel()
	f := Check([]byte(topLevel(`{"ext":{"a/b":1,"a/b":2}}`)), Options{}).Findings
	i := 0
	for f[i].Code != "file.duplicate_key" {
		i++
	}
	if want := `the member "a/b" occurs more than once in one object; the last one is used`; f[i].Message != want || f[i].Pointer != "/ext" {
		t.Errorf("%s: %s, want /ext: %s", f[i].Pointer, f[i].Message, want)
	}
}

// TestParse holds the two kinds of failure apart: a file that cannot be used
// and an entry that is left out.
func TestParse(t *testing.T) {
	t.Parallel()
	f, err := Parse([]byte(exampleInline))
	if err != nil || len(f.Agents) != 1 || len(f.Properties) != 1 {
		t.Fatalf("inline file: %v, %v", f, err)
	}
	_, err = Parse([]byte(examplePointer))
	var pointer *PointerError
	if !errors.As(err, &pointer) || pointer.Location != "https://example.org/adagents.json" {
		t.Errorf("pointer file: %v", err)
	}
	_, err = Parse([]byte(`{"authorized_agents": 1}`))
	var unusable *Unusable
	if !errors.As(err, &unusable) || unusable.Findings[0].Code != "file.agents_type" {
		t.Errorf("unusable file: %v", err)
	}
	var finding *Finding
	if !errors.As(err, &finding) || finding.Effect != AbortFile || finding.Pointer != "/authorized_agents" {
		t.Errorf("the error does not lead to its finding: %v", err)
	}
	if want := "unusable file: authorized_agents must be an array, not a number [file.agents_type]"; err.Error() != want {
		t.Errorf("error %q, want %q", err, want)
	}
}

func TestReportErr(t *testing.T) {
	t.Parallel()
	err := Check([]byte(exampleInline), Options{}).Err()
	if err != nil {
		t.Errorf("error of a valid file: %v", err)
	}
	err = Check([]byte(topLevel(`{"contact": {}, "catalog_role": ""}`)), Options{}).Err()
	var invalid *InvalidError
	if !errors.As(err, &invalid) || len(invalid.Findings) != 2 {
		t.Fatalf("error %v, want two findings", err)
	}
	var finding *Finding
	if !errors.As(err, &finding) || finding.Code != "contact.name_missing" || strings.Count(err.Error(), "\n") != 1 {
		t.Errorf("error %q", err)
	}
}

func TestAuthoritativeRole(t *testing.T) {
	t.Parallel()
	opt := Options{Role: Authoritative}
	tests := []struct {
		name, src string
		want      []string
	}{
		{"pointer", examplePointer, []string{"error authoritative.nested /authoritative_location"}},
		{"null pointer", `{"authoritative_location":null,"authorized_agents":[]}`, []string{"error authoritative.nested /authoritative_location"}},
		{"nothing", `{}`, []string{"error authoritative.no_payload "}},
		{"only properties", `{"properties":[` + exampleProperty + `]}`, []string{"error file.agents_missing /authorized_agents"}},
		{"null agents", `{"authorized_agents":null}`, []string{"error file.agents_missing /authorized_agents"}},
		{"whole", exampleInline, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := Check([]byte(tt.src), opt)
			var got []string
			for _, f := range r.Findings {
				if f.Effect == AbortFile {
					got = append(got, fmt.Sprintf("%s %s %s", f.Severity, f.Code, f.Pointer))
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			if (r.Unusable != nil) != (tt.want != nil) || r.Pointer != nil {
				t.Errorf("unusable %v, pointer %v", r.Unusable, r.Pointer)
			}
		})
	}
}

func TestRuleOrder(t *testing.T) {
	t.Parallel()
	last := ""
	for _, r := range Rules() {
		if group(r.Code) < last {
			t.Fatalf("%s stands after group %s", r.Code, last)
		}
		last = group(r.Code)
	}
	if _, ok := LookupRule("file.bom"); !ok {
		t.Error("file.bom is not found")
	}
	if _, ok := LookupRule("file.nonsense"); ok {
		t.Error("file.nonsense is found")
	}
}
