package api

import (
	"net/http"
	"testing"
)

const formatsWeb = `
-- https://pub.example/.well-known/adagents.json --
200
Content-Type: application/json

{"authorized_agents": [], "properties": [
  {"property_id": "site", "property_type": "website", "name": "Site", "identifiers": [{"type": "domain", "value": "pub.example"}]}],
 "formats": [{"format_option_id": "mpu", "format_kind": "image", "params": {"width": 300, "height": 250, "max_file_size_kb": 150}}],
 "placements": [{"placement_id": "top", "name": "Top", "description": "Top", "property_ids": ["site"], "format_options": [{"format_option_id": "mpu"}]}]}
`

// TestFormatsRoutes: the formats of a placement, and what a product leaves of them.
func TestFormatsRoutes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, formatsWeb)
	got := w.call(t, http.MethodGet, "/api/formats?domain=pub.example&placement_id=top", "")
	conforms(t, w.api, http.MethodGet, "/api/formats", got)
	if got.status != http.StatusOK || got.member(t, "/placements/0/catalog/0/format_option_ref/scope") != "publisher" || got.member(t, "/placements/0/catalog/0/params/width") != "300" {
		t.Errorf("got %d %s", got.status, got.body)
	}
	for _, c := range []struct {
		name, body, pointer, want string
		status                    int
	}{
		{"accepted", `{"publisher_domain": "Pub.Example", "placement_id": "top", "product": {"format_options": [{"format_kind": "image", "params": {"width": 300, "height": 250}}]}}`, "/placements/0/accepted/0/relation", "catalog_narrower", 200},
		{"refused", `{"publisher_domain": "pub.example", "placement_id": "top", "product": {"format_options": [{"format_kind": "image", "params": {"width": 728, "height": 90}}]}}`, "/placements/0/refused/0/parameter", "width", 200},
		{"older ids", `{"publisher_domain": "pub.example", "placement_id": "top", "product": {"format_ids": [{"agent_url": "https://a.example", "id": "display_300x250"}]}}`, "/conflict", "false", 200},
		{"selected", `{"publisher_domain": "pub.example", "placement_id": "top", "product": {"format_options": [{"publisher_domain": "pub.example", "format_option_id": "mpu"}]},
		  "format_option_refs": [{"scope": "publisher", "publisher_domain": "pub.example", "format_option_id": "mpu"}], "format_kind": "image", "params": {"width": 300, "height": 250, "max_file_size_kb": 90}}`, "/selected/0/format_option_ref/format_option_id", "mpu", 200},
		{"a reference with two scopes", `{"publisher_domain": "pub.example", "product": {}, "format_option_refs": [{"scope": "product", "publisher_domain": "pub.example", "format_option_id": "mpu"}]}`, "/field", "format_option_refs", 400},
		{"no product", `{"publisher_domain": "pub.example", "product": []}`, "/field", "product", 400},
		{"params that are none", `{"publisher_domain": "pub.example", "product": {}, "format_kind": "image", "params": 5}`, "/field", "params", 400},
		{"no file", `{"publisher_domain": "other.example", "product": {}}`, "/code", "no_catalog", 404},
	} {
		got := w.call(t, http.MethodPost, "/api/formats/intersect", c.body)
		conforms(t, w.api, http.MethodPost, "/api/formats/intersect", got)
		if got.status != c.status || got.member(t, c.pointer) != c.want {
			t.Errorf("%s: got %d %s", c.name, got.status, got.body)
		}
	}
}
