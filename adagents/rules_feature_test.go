package adagents

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFeatureRules(t *testing.T) {
	t.Parallel()
	const at = " /property_features/0"
	tests := []struct {
		entries string
		want    []string
	}{
		{exampleFeature, nil},
		{`{"url":"https://v.example/","name":"V","features":["a"],"publisher_id":"1","ext":{"a":1}}`, nil},
		{`null`, []string{"error feature.not_object" + at}},
		{`{}`, []string{"error feature.url_missing" + at + "/url", "error feature.name_missing" + at + "/name", "error feature.features_missing" + at + "/features"}},
		{`{"url":" ","name":"V","features":["a"]}`, []string{"error feature.url_missing" + at + "/url"}},
		{`{"url":5,"name":5,"features":5}`, []string{"error feature.url_invalid" + at + "/url", "error feature.name_missing" + at + "/name", "error feature.features_missing" + at + "/features"}},
		{`{"url":"https://a@b c/","name":"V","features":["a"]}`, []string{"error feature.url_invalid" + at + "/url"}},
		{`{"url":"ftp://v.example/","name":"V","features":["a"]}`, []string{"warning feature.url_not_https" + at + "/url"}},
		{`{"url":"https://v.example/","name":"V","features":["a",1,""," ","a"]}`, []string{
			"error feature.feature_type" + at + "/features/1", "error feature.feature_type" + at + "/features/2",
			"error feature.feature_type" + at + "/features/3", "warning feature.feature_duplicate" + at + "/features/4"}},
		{exampleFeature + `,{"url":"https://VENDOR.example/mcp","name":"V","features":["x"]},{"url":"https://vendor.example/mcp/","name":"V","features":["x"]}`,
			[]string{"warning feature.url_duplicate /property_features/1/url"}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, said(topLevel(`{"property_features":[`+tt.entries+`]}`), Options{}, "feature", "file")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.entries, diff)
		}
	}
}

func TestFeatureSkipped(t *testing.T) {
	t.Parallel()
	r := Check([]byte(topLevel(`{"property_features":[{"url":"v.example","name":"V","features":["a"]},`+exampleFeature+`]}`)), Options{})
	if r.File == nil || len(r.File.Features) != 1 || r.File.Features[0].Name != "Vendor" {
		t.Fatalf("report %+v", r)
	}
	if len(r.Skipped) != 1 || r.Skipped[0].Pointer != "/property_features/0" || r.Skipped[0].Code != "feature.url_invalid" {
		t.Errorf("skipped %+v", r.Skipped)
	}
}
