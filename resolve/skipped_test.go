package resolve

import (
	"context"
	"testing"

	"github.com/avow-project/avow/adagents"
)

// skippingSource has documents with entries that were left out, two of them of one file.
type skippingSource map[string]*Document

func (s skippingSource) Document(_ context.Context, publisher string) (*Document, error) {
	return s[publisher], nil
}

// TestSkipped: what was left out of a file is part of the answers that rest on it, those
// of other publishers in a listing too, and each file once.
func TestSkipped(t *testing.T) {
	t.Parallel()
	const text = `{"authorized_agents":[{"url":"https://agent.example/mcp","authorized_for":"x","authorization_type":"publisher_properties",
		"publisher_properties":[{"publisher_domains":["a.example","b.example"],"selection_type":"all"}]}],
		"properties":[{"property_id":"p","property_type":"website","name":"P"}]}`
	r := adagents.Check([]byte(text), adagents.Options{})
	source := skippingSource{}
	for publisher, url := range map[string]string{"net.example": "https://net.example/f", "a.example": "https://shared.example/f", "b.example": "https://shared.example/f"} {
		source[publisher] = &Document{Publisher: publisher, State: Usable, File: r.File, Skipped: r.Skipped, Method: "authoritative_location", URL: url, SHA256: url}
	}
	answer, err := New(source).Answer(t.Context(), Question{Publisher: "net.example", Agent: "https://agent.example/mcp", At: testTime})
	if err != nil || len(answer.Skipped) != 1 || answer.Skipped[0].URL != "https://net.example/f" || answer.Skipped[0].Entries[0].Pointer != "/properties/0" {
		t.Fatalf("%+v, %v", answer, err)
	}
	list, err := New(source).Properties(t.Context(), "net.example", "https://agent.example/mcp", ListOptions{At: testTime})
	if err != nil || len(list.Skipped) != 2 || list.Skipped[1].Publisher != "a.example" {
		t.Fatalf("%+v, %v", list, err)
	}
}
