package web

import (
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/registry"
)

// movingArchive has a publisher that leads to another location at its second sight.
const movingArchive = `-- https://moving.example/.well-known/adagents.json --
200 times=1
Content-Type: application/json

{"properties": [{"property_id": "site", "property_type": "website", "name": "Example", "identifiers": [{"type": "domain", "value": "moving.example"}]}],
 "authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "All", "authorization_type": "property_ids", "property_ids": ["site"]}], "last_updated": "2026-01-02T00:00:00Z"}
-- https://moving.example/.well-known/adagents.json --
200
Content-Type: application/json

{"authoritative_location": "https://other.example/<b>.json", "last_updated": "2026-01-03T00:00:00Z"}
-- https://other.example/%3Cb%3E.json --
200
Content-Type: application/json

{"properties": [{"property_id": "site", "property_type": "website", "name": "Example", "publisher_domain": "moving.example", "identifiers": [{"type": "domain", "value": "moving.example"}]}],
 "authorized_agents": [{"url": "https://thief.example/mcp", "authorized_for": "All", "authorization_type": "property_ids", "property_ids": ["site"]}], "last_updated": "2026-01-03T00:00:00Z"}
`

// mirrored is a mirror as it is proposed.
const mirrored = `{"properties": [{"property_id": "videos", "property_type": "website", "name": "<b>Videos</b>", "publisher_domain": "platform.example", "identifiers": [{"type": "domain", "value": "platform.example"}]}]}`

// moderation is a service with something to decide, and the keys of a moderator and a writer.
func moderation(t *testing.T) (*registry.Service, string, string) {
	t.Helper()
	s := realService(t, movingArchive, atNoon)
	for range 2 {
		_, err := s.Custody(t.Context(), "moving.example", true)
		if err != nil {
			t.Fatal(err)
		}
	}
	moderator, _, err := s.CreateKey(t.Context(), "Mo <b>", registry.ScopeModerate)
	if err != nil {
		t.Fatal(err)
	}
	writer, key, err := s.CreateKey(t.Context(), "Wri", registry.ScopeWrite)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.PublishMirror(t.Context(), registry.Caller{Key: key}, "platform", []byte(mirrored))
	if err != nil {
		t.Fatal(err)
	}
	return s, moderator, writer
}

// as has a request answered with a key in the cookie. Without fields it is a GET.
func as(t *testing.T, s Service, key, target string, fields url.Values, change func(*http.Request)) (*received, string) {
	t.Helper()
	method, body := http.MethodGet, ""
	if fields != nil {
		method, body = http.MethodPost, fields.Encode()
	}
	r := httptest.NewRequestWithContext(t.Context(), method, target, strings.NewReader(body))
	if fields != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	r.Header.Set("Accept-Encoding", "gzip")
	if key != "" {
		r.AddCookie(&http.Cookie{Name: keyCookie, Value: key})
	}
	if change != nil {
		change(r)
	}
	return call(t, s, r)
}

// TestModeratorsGuess: secrets that are no keys are counted, in the form and in the cookie.
func TestModeratorsGuess(t *testing.T) {
	t.Parallel()
	s, _, writer := moderation(t)
	charged := 0
	counted := func(r *http.Request) {
		*r = *r.WithContext(edge.WithCharge(r.Context(), func(c *edge.Class) *registry.Error {
			charged++
			if c == edge.Denied && charged > 2 {
				return edge.OverRate(c, time.Minute)
			}
			return nil
		}))
	}
	as(t, s, writer, "/moderate", nil, counted) // is a key
	for i, want := range []int{http.StatusForbidden, http.StatusForbidden, http.StatusTooManyRequests} {
		a, _ := as(t, s, "avow_1", "/moderate", nil, counted)
		if a.StatusCode != want || charged != i+1 {
			t.Errorf("cookie %d: status %d, %d charged", i, a.StatusCode, charged)
		}
	}
	a, _ := as(t, s, "", "/moderate", url.Values{"key": {"avow_1"}}, counted)
	if a.StatusCode != http.StatusTooManyRequests || charged != 4 {
		t.Errorf("form: status %d, %d charged", a.StatusCode, charged)
	}
}

func TestModeratorsEnter(t *testing.T) {
	t.Parallel()
	s, moderator, writer := moderation(t)
	a, page := as(t, s, "", "/moderate", nil, nil)
	if a.StatusCode != http.StatusOK || !strings.Contains(page, "Moderator’s key") || strings.Contains(page, "moving.example") {
		t.Errorf("%d %s", a.StatusCode, page)
	}
	for secret, want := range map[string]string{"": "this is not a key", "avow_1": "this is not a key", writer: "not one of a moderator"} {
		a, page := as(t, s, "", "/moderate", url.Values{"key": {secret}}, nil)
		if a.StatusCode != http.StatusForbidden || !strings.Contains(page, want) || a.Header.Get("Set-Cookie") != "" {
			t.Errorf("%q: %+v", secret, a)
		}
		a, page = as(t, s, "x"+secret, "/moderate", nil, nil)
		if a.StatusCode != http.StatusForbidden || !strings.Contains(a.Header.Get("Set-Cookie"), "Max-Age=0") || strings.Contains(page, "moving.example") {
			t.Errorf("cookie %q: %+v", secret, a)
		}
	}
	a, _ = as(t, s, "", "/moderate", url.Values{"key": {" " + moderator + "\n"}}, nil)
	cookie := a.Header.Get("Set-Cookie")
	if a.StatusCode != http.StatusSeeOther || !strings.Contains(cookie, moderator) || !strings.Contains(cookie, "Path=/moderate; Max-Age=43200; HttpOnly; SameSite=Strict") || strings.Contains(cookie, "Secure") {
		t.Errorf("%d %s", a.StatusCode, cookie)
	}
	a, _ = as(t, s, "", "/moderate", url.Values{"key": {moderator}}, func(r *http.Request) {
		*r = *r.WithContext(registry.WithCall(r.Context(), registry.Call{Secure: true}))
	})
	if !strings.Contains(a.Header.Get("Set-Cookie"), "Secure") {
		t.Errorf("over TLS: %s", a.Header.Get("Set-Cookie"))
	}
	a, _ = as(t, s, moderator, "/moderate/leave", url.Values{}, nil)
	if a.StatusCode != http.StatusSeeOther || !strings.Contains(a.Header.Get("Set-Cookie"), keyCookie+"=; Path=/moderate; Max-Age=0") {
		t.Errorf("%+v", a)
	}
}

func TestModeratorsSee(t *testing.T) {
	t.Parallel()
	s, moderator, _ := moderation(t)
	a, page := as(t, s, moderator, "/moderate", nil, nil)
	for _, want := range []string{
		"moving.example leads to another location", "https://<wbr>other<wbr>.example/<wbr>&lt;b&gt;<wbr>.json", "Compare and decide", "The file there has an agent that was never seen.", "In effect now", "Read and decide", `<a href="/check/moving.example?tab=history">moving.example</a>`, "Mo &lt;b&gt;", "Wri", "There are none.",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(page, moderator) || a.Header.Get("Cache-Control") != "no-store" || a.Header.Get("Content-Encoding") != "" {
		t.Errorf("%+v\n%s", a, page)
	}
}

// TestForeignForms: no site but ours makes a moderator decide.
func TestForeignForms(t *testing.T) {
	t.Parallel()
	s, moderator, _ := moderation(t)
	fields := url.Values{"name": {"moving.example"}, "what": {"https://other.example/<b>.json"}, "do": {"confirm"}}
	for _, target := range []string{"/moderate", "/moderate/hold", "/moderate/undo", "/moderate/leave", "/moderate/proposal/x", "/moderate/proposal/x/undo"} {
		for name, value := range map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"} {
			a, page := as(t, s, moderator, target, fields, func(r *http.Request) { r.Header.Set(name, value) })
			if a.StatusCode != http.StatusForbidden || !strings.Contains(page, "came from somewhere else") || a.Header.Get("Set-Cookie") != "" {
				t.Errorf("%s, %s: %d", target, name, a.StatusCode)
			}
		}
	}
	holds, err := s.Holds(t.Context())
	if err != nil || len(holds) != 1 {
		t.Errorf("%d holds, %v", len(holds), err)
	}
}

// TestHeldIsCompared: the page to decide has the unknown agent, what changes and both files, and takes no
// decision without a reason.
func TestHeldIsCompared(t *testing.T) {
	t.Parallel()
	s, moderator, _ := moderation(t)
	_, page := as(t, s, moderator, "/moderate", nil, nil)
	link := html.UnescapeString(regexp.MustCompile(`/moderate/hold\?[^"]+`).FindString(page))
	a, page := as(t, s, moderator, link, nil, nil)
	for _, want := range []string{
		"What speaks against it", "was never seen before. It may sell", `href="/agent/https:%2F%2Fthief.example%2Fmcp"`, "No other publisher that this service knows", "agent.added", "agent.removed", "Side by side", "added: </span>      &#34;url&#34;: &#34;https://thief.example/mcp&#34;", "removed: </span>      &#34;url&#34;: &#34;https://agent.example/mcp&#34;",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q: %s", want, page)
		}
	}
	if a.Header.Get("Cache-Control") != "no-store" || a.Header.Get("Content-Encoding") != "" {
		t.Errorf("%+v", a.Header)
	}
	a, page = as(t, s, moderator, "/moderate/hold", url.Values{"name": {"moving.example"}, "what": {"https://other.example/<b>.json"}, "do": {"confirm"}, "reason": {" "}}, nil)
	if a.StatusCode != http.StatusBadRequest || !strings.Contains(page, "Not decided:") || !strings.Contains(page, "Side by side") {
		t.Errorf("%d %s", a.StatusCode, page)
	}
	holds, err := s.Holds(t.Context())
	if err != nil || len(holds) != 1 {
		t.Errorf("%d holds, %v", len(holds), err)
	}
	a, _ = as(t, s, moderator, heldURL("moving.example", "https://elsewhere.example/"), nil, nil)
	if a.StatusCode != http.StatusConflict {
		t.Errorf("what does not wait: %d", a.StatusCode)
	}
}

func TestModeratorsDecide(t *testing.T) {
	t.Parallel()
	s, moderator, writer := moderation(t)
	fields := url.Values{"name": {"moving.example"}, "what": {"https://other.example/<b>.json"}, "do": {"confirm"}, "reason": {"asked them <b>"}}
	for _, key := range []string{"", writer} {
		_, page := as(t, s, key, "/moderate/hold", fields, nil)
		if !strings.Contains(page, "Moderator’s key") {
			t.Errorf("key %q: %s", key, page)
		}
	}
	a, _ := as(t, s, moderator, "/moderate/hold", url.Values{"name": {"moving.example"}, "what": {"https://elsewhere.example/x.json"}, "do": {"confirm"}, "reason": {"x"}}, nil)
	if a.StatusCode < 400 {
		t.Errorf("what is not held: %d", a.StatusCode)
	}
	a, _ = as(t, s, moderator, "/moderate/hold", fields, nil)
	if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/moderate?done=confirmed" {
		t.Errorf("%+v", a)
	}
	_, page := as(t, s, moderator, "/moderate?done=confirmed", nil, nil)
	if !strings.Contains(page, "The change was confirmed.") || !strings.Contains(page, "Nothing is held.") || !strings.Contains(page, "asked them &lt;b&gt;") || !strings.Contains(page, "until <time") {
		t.Error(page)
	}
	at := regexp.MustCompile(`name="at" value="(\d+)"`)
	decided := at.FindStringSubmatch(page)
	undo := url.Values{"name": {"moving.example"}, "what": {"https://other.example/<b>.json"}}
	for _, other := range []string{"", "1", decided[1] + "0"} {
		undo.Set("at", other)
		a, page = as(t, s, moderator, "/moderate/undo", undo, nil)
		if a.StatusCode != http.StatusConflict || !strings.Contains(page, "see what is pending now") {
			t.Errorf("a decision at %q: %d %s", other, a.StatusCode, page)
		}
	}
	undo.Set("at", decided[1])
	a, _ = as(t, s, moderator, "/moderate/undo", undo, nil)
	if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/moderate?done=undone" {
		t.Errorf("%+v", a)
	}
	a, page = as(t, s, moderator, "/moderate/undo", undo, nil)
	if !strings.Contains(page, "Nothing was changed") || !strings.Contains(page, "Back to the page for moderators") ||
		strings.Contains(page, `action="/check"`) {
		t.Error(page)
	}
	_, page = as(t, s, moderator, "/moderate?done=undone", nil, nil)
	if a.StatusCode != http.StatusConflict || !strings.Contains(page, "moving.example leads to another location") || strings.Contains(page, "until <time") {
		t.Errorf("%d %s", a.StatusCode, page)
	}
	link := regexp.MustCompile(`/moderate/proposal/[^"]+`).FindString(page)
	_, page = as(t, s, moderator, link, nil, nil)
	digest := regexp.MustCompile(`name="digest" value="([^"]+)"`).FindStringSubmatch(page)
	if digest == nil || !strings.Contains(page, "property.added") || strings.Contains(page, ">[{") || !strings.Contains(page, "&lt;b&gt;Videos") || !strings.Contains(page, "There is none.") {
		t.Fatalf("%s: %s", link, page)
	}
	a, _ = as(t, s, moderator, link, url.Values{"digest": {digest[1]}, "do": {"approve"}}, nil)
	if a.StatusCode != http.StatusBadRequest {
		t.Errorf("no reason: %d", a.StatusCode)
	}
	a, _ = as(t, s, moderator, link, url.Values{"digest": {"00"}, "do": {"approve"}, "reason": {"fine"}}, nil)
	if a.StatusCode != http.StatusConflict {
		t.Errorf("another digest: %d", a.StatusCode)
	}
	a, _ = as(t, s, moderator, link, url.Values{"digest": {digest[1]}, "do": {"approve"}, "reason": {"fine"}}, nil)
	if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/moderate?done=approved" {
		t.Errorf("%+v", a)
	}
	_, page = as(t, s, moderator, link, nil, nil)
	if !strings.Contains(page, "It is approved.") || strings.Contains(page, `name="digest"`) {
		t.Error(page)
	}
	_, page = as(t, s, moderator, "/moderate", nil, nil)
	if !strings.Contains(page, `action="`+link+`/undo"`) || !strings.Contains(page, "<q>fine</q>") {
		t.Errorf("the decision cannot be taken back: %s", page)
	}
	decided = at.FindStringSubmatch(page)
	for _, other := range []string{"", "1", decided[1] + "0"} {
		a, _ = as(t, s, moderator, link+"/undo", url.Values{"at": {other}}, nil)
		if a.StatusCode != http.StatusConflict {
			t.Errorf("a decision at %q: %d", other, a.StatusCode)
		}
	}
	a, _ = as(t, s, moderator, link+"/undo", url.Values{"at": {decided[1]}}, nil)
	if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/moderate?done=undone" {
		t.Errorf("%+v", a)
	}
	_, page = as(t, s, moderator, link, nil, nil)
	if !strings.Contains(page, "It is pending.") || !strings.Contains(page, "There is none.") {
		t.Error(page)
	}
	a, _ = as(t, s, moderator, "/moderate/proposal/nothing", nil, nil)
	if a.StatusCode != http.StatusNotFound {
		t.Errorf("no proposal: %d", a.StatusCode)
	}
}
