package adagents

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPointerLocation(t *testing.T) {
	t.Parallel()
	const at = " /authoritative_location"
	tests := []struct {
		location string
		want     []string
	}{
		{`"https://example.org/adagents.json"`, nil},
		{`"HTTPS://Example.org/adagents.json"`, nil},
		{`"https://network.example/a?b=c"`, nil},
		{`"https://8.8.8.8/a"`, nil},
		{`null`, []string{"error pointer.location_type" + at}},
		{`["https://example.org/"]`, []string{"error pointer.location_type" + at}},
		{`""`, []string{"error pointer.location_invalid" + at}},
		{`"example.org/adagents.json"`, []string{"error pointer.location_invalid" + at}},
		{`"https:///adagents.json"`, []string{"error pointer.location_invalid" + at}},
		{`"https://*.example.org/"`, []string{"error pointer.location_invalid" + at}},
		{`"http://example.org/"`, []string{"error pointer.location_not_https" + at}},
		{`"ftp://example.org/"`, []string{"error pointer.location_not_https" + at}},
		{`"https://a:b@example.org/"`, []string{"error pointer.location_userinfo" + at}},
		{`"https://example.org:443/"`, nil},
		{`"https://example.org:444/#x"`, []string{"info pointer.location_port" + at, "warning pointer.location_fragment" + at}},
		{`"https://localhost/"`, []string{"error pointer.location_unroutable" + at}},
		{`"https://intranet/"`, []string{"error pointer.location_unroutable" + at}},
		{`"https://a.test/"`, []string{"error pointer.location_unroutable" + at}},
		{`"https://10.1.2.3/"`, []string{"error pointer.location_unroutable" + at}},
		{`"https://[::1]/"`, []string{"error pointer.location_unroutable" + at}},
		{`"https://[::ffff:127.0.0.1]/"`, []string{"error pointer.location_unroutable" + at}},
	}
	for _, tt := range tests {
		t.Run(tt.location, func(t *testing.T) {
			t.Parallel()
			src := `{"authoritative_location":` + tt.location + `,"last_updated":"2026-01-02T00:00:00Z"}`
			if diff := cmp.Diff(tt.want, said(src, Options{}, "pointer", "file")); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			r := Check([]byte(src), Options{})
			if (r.Unusable == nil) != r.Valid() || (r.Pointer == nil) == r.Valid() || r.Kind != PointerKind {
				t.Errorf("valid %v, unusable %v, pointer %v, kind %v", r.Valid(), r.Unusable, r.Pointer, r.Kind)
			}
		})
	}
}

func TestPointerHidesCredentials(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"https://user:hunter2@example.org/", "https://user:hunter2@exa mple.org/", "http://user:hunter2@example.org/"} {
		for _, f := range Check([]byte(`{"authoritative_location":"`+url+`"}`), Options{}).Findings {
			if strings.Contains(f.Message+f.Hint, "hunter2") {
				t.Errorf("%s shows the password: %s", f.Code, f.Message)
			}
		}
	}
}

func TestPointerSelfReference(t *testing.T) {
	t.Parallel()
	self := []string{"error pointer.self_reference /authoritative_location"}
	tests := []struct {
		location string
		opt      Options
		want     []string
	}{
		{"https://example.com/.well-known/adagents.json", Options{Domain: "example.com"}, self},
		{"https://EXAMPLE.com/.well-known/adagents.json/?x", Options{Domain: "example.com"}, self},
		{"https://www.example.com/.well-known/adagents.json", Options{Domain: "example.com"}, nil},
		{"https://www.example.com/.well-known/adagents.json", Options{Domain: "example.com", URL: "https://www.example.com/.well-known/adagents.json"}, self},
		{"https://example.com/.well-known/adagents.json", Options{}, nil},
		{"https://example.com/other.json", Options{Domain: "example.com"}, nil},
	}
	for _, tt := range tests {
		src := `{"authoritative_location":"` + tt.location + `","last_updated":"2026-01-02T00:00:00Z"}`
		if diff := cmp.Diff(tt.want, said(src, tt.opt, "pointer")); diff != "" {
			t.Errorf("%s with %+v (-want +got):\n%s", tt.location, tt.opt, diff)
		}
	}
}

func TestPointerMembers(t *testing.T) {
	t.Parallel()
	src := strings.Replace(examplePointer, "{", `{"$schema":"s","contact":{},"properties":null,"version":"1","last_update":"x","tags":{},`, 1)
	want := []string{
		"error pointer.mixed /contact", "error pointer.mixed /properties",
		"warning pointer.extra_field /version", "warning pointer.extra_field /last_update",
		"error pointer.mixed /tags",
	}
	if diff := cmp.Diff(want, said(src, Options{}, "pointer", "file")); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	for _, f := range Check([]byte(src), Options{}).Findings {
		if f.Pointer == "/last_update" && f.Hint != `did you mean "last_updated"?` {
			t.Errorf("hint %q", f.Hint)
		}
	}
}
