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

// TestFeatureThirdParty: who measures is neither a sales agent of the file nor the publisher.
func TestFeatureThirdParty(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]int{
		"https://vendor.example/mcp": 0, "https://agent.example/mcp": 1, "https://AGENT.example:443/mcp": 1, "https://agent.example/other": 0,
		"https://example.com/score": 1, "https://data.example.com/score": 1, "https://www.second.org/score": 1, "https://third.second.org/score": 0,
	} {
		src := `{"properties": [{"property_id": "s", "property_type": "website", "name": "S", "identifiers": [{"type": "domain", "value": "second.org"}]}],
			"authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "x", "authorization_type": "property_ids", "property_ids": ["s"]}],
			"property_features": [{"url": "` + url + `", "name": "N", "features": ["f"]}]}`
		n := 0
		for _, f := range Check([]byte(src), Options{Domain: "example.com"}).Findings {
			if f.Code == "feature.not_third_party" && f.Severity == Warning && f.Pointer == "/property_features/0/url" {
				n++
			}
		}
		if n != want {
			t.Errorf("%s: %d findings, want %d", url, n, want)
		}
	}
}
