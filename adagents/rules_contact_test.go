package adagents

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestContactRules(t *testing.T) {
	t.Parallel()
	tests := []struct {
		contact string
		want    []string
	}{
		{`{"name":"A"}`, nil},
		{`null`, []string{"error contact.type /contact"}},
		{`{}`, []string{"error contact.name_missing /contact/name"}},
		{`{"name":" \t"}`, []string{"error contact.name_missing /contact/name"}},
		{`{"name":null}`, []string{"error file.field_type /contact/name"}},
		{`{"name":"` + strings.Repeat("é", 255) + `"}`, nil},
		{`{"name":"` + strings.Repeat("é", 256) + `"}`, []string{"error contact.name_length /contact/name"}},
		{`{"name":"A","email":""}`, []string{"warning contact.email_invalid /contact/email"}},
		{`{"name":"A","email":"` + strings.Repeat("a", 250) + `@example.com"}`, []string{"warning contact.email_invalid /contact/email"}},
		{`{"name":"A","domain":"example.com"}`, nil},
		{`{"name":"A","domain":"*.example.com"}`, []string{"warning contact.domain_invalid /contact/domain"}},
		{`{"name":"A","domain":1}`, []string{"error file.field_type /contact/domain"}},
		{`{"name":"A","seller_id":"` + strings.Repeat("1", 256) + `"}`, []string{"error contact.seller_id_length /contact/seller_id"}},
		{`{"name":"A","tag_id":"` + strings.Repeat("1", 100) + `"}`, nil},
		{`{"name":"A","tag_id":"` + strings.Repeat("1", 101) + `"}`, []string{"error contact.tag_id_length /contact/tag_id"}},
		{`{"name":"A","tag_id":1}`, []string{"error file.field_type /contact/tag_id"}},
		{`{"name":"A","privacy_policy_url":""}`, []string{"warning contact.privacy_policy_url_invalid /contact/privacy_policy_url"}},
		{`{"name":"A","privacy_policy_url":"ftp://example.com/"}`, []string{"warning contact.privacy_policy_not_https /contact/privacy_policy_url"}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, said(topLevel(`{"contact":`+tt.contact+`}`), Options{}, "contact", "file")); diff != "" {
			t.Errorf("%.60s (-want +got):\n%s", tt.contact, diff)
		}
	}
}

func TestContactStrict(t *testing.T) {
	t.Parallel()
	src := topLevel(`{"contact":{"name":"A","email":"x","domain":"X.example","privacy_policy_url":"x"}}`)
	for _, f := range Check([]byte(src), Options{Profile: Strict}).Findings {
		if f.Severity != Error || f.Effect != NoEffect {
			t.Errorf("%s: %v with effect %v, want an error without effect", f.Code, f.Severity, f.Effect)
		}
		if f.Code == "contact.domain_invalid" && f.Hint != `write "x.example"` {
			t.Errorf("hint %q", f.Hint)
		}
	}
}
