package calltest

import (
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/service/registry"
)

// formatsCatalog is a mirror with a format of platform.example.
const formatsCatalog = videoCatalog + `, "formats": [{"format_kind": "image", "format_option_id": "banner", "params": {"width": 300, "height": 250}}],
 "placements": [{"placement_id": "top", "name": "Top", "property_ids": ["video"], "format_options": [{"format_option_id": "banner"}]}]`

const (
	askPlatform = "/api/authorize?publisher_domain=platform.example&agent_url=https://agent.example/mcp"
	askFormats  = "/api/formats?domain=platform.example"
)

// TestMirrorInLookups asks about a platform that only a mirror of the service describes.
func TestMirrorInLookups(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "-- https://platform.example/other --\n404\n-- https://down.example/.well-known/adagents.json --\n503\n")
	moderate := w.secretOf(registry.ScopeModerate)
	expect := expecting(t)
	expect(w.call("GET", askPlatform, ""), 200, "/verdict", "unverified")
	expect(w.call("GET", askFormats, ""), 404, "/code", "no_catalog")
	expect(w.call("PUT", "/api/registry/mirrors/video", formatsCatalog+"}", moderate...), 200)
	answer := expect(w.call("GET", askPlatform, ""), 200, "/verdict", "none_asserted", "/reasons/0/code", "file.mirror_only")
	if !strings.Contains(string(answer.body), `"role":"mirror"`) {
		t.Errorf("the mirror is no evidence: %s", answer.body)
	}
	expect(w.call("GET", askFormats, ""), 200, "/placements/0/placement_id", "top", "/placements/0/mirror", "/translated/video/adagents.json",
		"/placements/0/catalog/0/format_option_ref/format_option_id", "banner")
	expect(w.call("GET", "/api/authorize?publisher_domain=down.example&agent_url=https://agent.example/mcp", ""), 200, "/verdict", "unverified")

	// The mirror says that the platform has its own file, which there is not yet.
	expect(w.call("PUT", "/api/registry/mirrors/video", formatsCatalog+`, "superseded_by": "`+platformFile+`"}`, moderate...), 200)
	expect(w.call("GET", askFormats, ""), 200, "/placements/0/reasons/1/code", "mirror.replaced")
	expect(w.call("DELETE", "/api/registry/mirrors/video?force=true", "", moderate...), 200)
	expect(w.call("GET", askFormats, ""), 404)
}

// TestMirrorReplaced has a mirror that names a file elsewhere: that one is the catalog, and
// what it says about agents is nobody's word.
func TestMirrorReplaced(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "-- https://platform.example/other --\n404\n-- https://elsewhere.example/adagents.json --\n200\nContent-Type: application/json\n\n"+`{"authorized_agents": [
 {"url": "https://agent.example/mcp", "authorized_for": "All", "authorization_type": "property_ids", "property_ids": ["video"]}],
 "formats": [{"format_kind": "image", "format_option_id": "new", "params": {"width": 300, "height": 250}}],
 "placements": [{"placement_id": "top", "name": "Top", "property_ids": ["video"]}],
 "properties": [{"property_id": "video", "property_type": "website", "name": "Video", "publisher_domain": "platform.example", "identifiers": [{"type": "domain", "value": "platform.example"}]}]}
`)
	expect := expecting(t)
	expect(w.call("PUT", "/api/registry/mirrors/video", formatsCatalog+`, "superseded_by": "https://elsewhere.example/adagents.json"}`, w.secretOf(registry.ScopeModerate)...), 200)
	expect(w.call("GET", askPlatform, ""), 200, "/verdict", "none_asserted")
	expect(w.call("GET", askFormats, ""), 200, "/placements/0/mirror", "https://elsewhere.example/adagents.json",
		"/placements/0/catalog/0/format_option_ref/format_option_id", "new")
}

// TestSupersededFollowed asks about a publisher whose file another one replaces.
func TestSupersededFollowed(t *testing.T) {
	t.Parallel()
	const site = `"properties": [{"property_id": "video", "property_type": "website", "name": "Video", "publisher_domain": "platform.example", "identifiers": [{"type": "domain", "value": "platform.example"}]}]`
	w := newWorld(t, "-- "+platformFile+" --\n200\nContent-Type: application/json\n\n"+`{"superseded_by": "https://new.example/adagents.json", "authorized_agents": [], `+site+"}\n"+
		"-- https://new.example/adagents.json --\n200\nContent-Type: application/json\n\n"+`{"authorized_agents": [
 {"url": "https://agent.example/mcp", "authorized_for": "All", "authorization_type": "property_ids", "property_ids": ["video"]}], `+site+"}\n")
	answer := expecting(t)(w.call("GET", askPlatform, ""), 200, "/verdict", "authorized")
	for _, want := range []string{`"role":"replaced"`, platformFile, "https://new.example/adagents.json"} {
		if !strings.Contains(string(answer.body), want) {
			t.Errorf("%s is missing in %s", want, answer.body)
		}
	}
}
