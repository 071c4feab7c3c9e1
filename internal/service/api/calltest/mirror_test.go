package calltest

import (
	"net/http"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/service/registry"
)

// secretOf makes a key and returns its header.
func (w *world) secretOf(scope registry.Scope) []string {
	w.t.Helper()
	secret, _, err := w.service.CreateKey(w.t.Context(), "test", scope)
	if err != nil {
		w.t.Fatal(err)
	}
	return []string{"Authorization", "Bearer " + secret}
}

const (
	videoCatalog = `{"catalog_etag": "v1", "properties": [{"property_id": "video", "property_type": "website", "name": "Video",
 "publisher_domain": "platform.example", "identifiers": [{"type": "domain", "value": "platform.example"}]}]`
	platformFile = "https://platform.example/.well-known/adagents.json"
)

// expecting returns what looks at an answer: its status, and members with the text that
// they have to have, in turn.
func expecting(t *testing.T) func(a answered, status int, members ...string) answered {
	return func(a answered, status int, members ...string) answered {
		t.Helper()
		if a.status != status {
			t.Fatalf("status %d, want %d: %s", a.status, status, a.body)
		}
		for i := 0; i < len(members); i += 2 {
			if got := a.member(t, members[i]); got != members[i+1] {
				t.Errorf("%s is %q, want %q in %s", members[i], got, members[i+1], a.body)
			}
		}
		return a
	}
}

// TestMirrorStory goes through the life of a mirror from outside.
func TestMirrorStory(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	write, moderate := w.secretOf(registry.ScopeWrite), w.secretOf(registry.ScopeModerate)
	path := "/api/registry/mirrors/video"
	expect := expecting(t)
	expect(w.call("GET", path, ""), 404, "/error", "Community mirror not found")
	expect(w.call("PUT", path, videoCatalog+"}"), 401, "/code", "key_required")
	proposed := expect(w.call("PUT", path, videoCatalog+"}", write...), 202, "/status", "pending", "/platform", "video")
	id, digest := proposed.member(t, "/proposal_id"), proposed.member(t, "/proposal_digest")
	if proposed.member(t, "/status_url") != "/api/registry/mirror-proposals/"+id || proposed.member(t, "/submitted_at") == "" {
		t.Errorf("%s", proposed.body)
	}
	proposal := "/api/registry/mirror-proposals/" + id
	expect(w.call("GET", proposal, ""), 401)
	expect(w.call("GET", proposal, "", write...), 200, "/adagents_json/catalog_etag", "v1")
	expect(w.call("GET", "/api/registry/mirror-proposals", "", write...), 403)
	expect(w.call("GET", "/api/registry/mirror-proposals?status=pending", "", moderate...), 200, "/total", "1", "/proposals/0/proposal_id", id)
	expect(w.call("POST", proposal+"/approve", `{"proposal_digest": "`+digest+`"}`, write...), 403)
	expect(w.call("POST", proposal+"/approve", ``, moderate...), 400)
	expect(w.call("POST", proposal+"/approve", `{"proposal_digest": "0000"}`, moderate...), 409, "/code", "digest_mismatch")
	expect(w.call("POST", proposal+"/approve", `{"proposal_digest": "`+digest+`"}`, moderate...), 200, "/status", "approved")
	expect(w.call("POST", proposal+"/reject", `{"proposal_digest": "`+digest+`"}`, moderate...), 409, "/code", "proposal_decided")

	expect(w.call("GET", path, ""), 200, "/platform", "video", "/catalog_etag", "v1", "/superseded_by", "null", "/state", "serving",
		"/adagents_json/properties/0/property_id", "video", "/publisher_domains/0", "platform.example")
	expect(w.call("GET", "/api/registry/mirrors", ""), 200, "/total", "1", "/mirrors/0/platform", "video", "/mirrors/0/url", "/translated/video/adagents.json")
	expect(w.call("DELETE", path, "", moderate...), 409, "/code", "mirror_serving")
	expect(w.call("PUT", path, videoCatalog+`, "superseded_by": "`+platformFile+`"}`, moderate...), 200, "/superseded_by", platformFile)
	kept := expect(w.call("DELETE", path, "", moderate...), 409, "/code", "mirror_kept")
	if kept.header.Get("Retry-After") == "" {
		t.Error("nobody says when it can be removed")
	}
	served := expect(w.call("GET", "/translated/video/adagents.json", ""), 200)
	if served.header.Get("Link") != "<"+platformFile+`>; rel="successor-version"` {
		t.Errorf("%v", served.header)
	}
	expect(w.call("DELETE", path+"?force=true", "", write...), 403)
	expect(w.call("DELETE", path+"?force=true", "", moderate...), 200, "/platform", "video")
	expect(w.call("GET", "/translated/video/adagents.json", ""), 404)
}

// TestTranslated asks for the file as caches do.
func TestTranslated(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	a := w.call("PUT", "/api/registry/mirrors/video", videoCatalog+"}", w.secretOf(registry.ScopeModerate)...)
	if a.status != http.StatusOK {
		t.Fatalf("%s", a.body)
	}
	const path = "/translated/video/adagents.json"
	whole := w.call("GET", path, "")
	h := whole.header
	etag := h.Get("ETag")
	if len(etag) != 66 || h.Get("Cache-Control") != "public, max-age=300" || h.Get("Content-Type") != "application/json" ||
		h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Access-Control-Allow-Origin") != "*" || h.Get("Link") != "" ||
		!strings.Contains(string(whole.body), `"authorized_agents": []`) {
		t.Errorf("%v\n%s", h, whole.body)
	}
	for condition, want := range map[string]int{
		etag: 304, `"other", ` + etag: 304, "W/" + etag: 304, "*": 304, `"other"`: 200, "": 200, etag[:10]: 200,
	} {
		got := w.call("GET", path, "", "If-None-Match", condition)
		if got.status != want || got.status == 304 && (len(got.body) != 0 || got.header.Get("ETag") != etag) {
			t.Errorf("If-None-Match: %s: %d, want %d", condition, got.status, want)
		}
	}
	head := w.call("HEAD", path, "")
	if head.status != 200 || len(head.body) != 0 || head.header.Get("ETag") != etag {
		t.Errorf("%d %v", head.status, head.header)
	}
	for _, bad := range []string{"/translated/VIDEO/adagents.json", "/translated/../adagents.json", "/translated/%00/adagents.json"} {
		if got := w.call("GET", bad, ""); got.status != 400 && got.status != 404 {
			t.Errorf("%s: %d", bad, got.status)
		}
	}
}
