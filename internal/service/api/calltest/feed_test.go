package calltest

import (
	"bufio"
	"bytes"
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// TestFeed has the rules of the change feed that clients depend on.
func TestFeed(t *testing.T) {
	t.Parallel()
	w := newDirectory(t)
	all := w.call(http.MethodGet, "/api/registry/feed?limit=100", "")
	cursor := all.member(t, "/cursor")
	for _, tt := range []struct {
		name, query string
		status      int
		members     map[string]string
	}{
		{"everything", "limit=100", 200, map[string]string{"/has_more": "false", "/freshness/retention_days": "90", "/freshness/lag_seconds": "0", "/freshness/latest_event_created_at": "2026-03-01T12:00:00.000Z"}},
		{"a page", "limit=1", 200, map[string]string{"/has_more": "true", "/events/0/event_type": "agent.discovered", "/events/0/entity_id": "https://agent.example/mcp", "/events/1/event_id": ""}},
		{"the beginning by its name", "cursor=00000000-0000-7000-8000-000000000000&limit=1", 200, map[string]string{"/events/0/event_type": "agent.discovered"}},
		{"an empty cursor", "cursor=&limit=1", 200, map[string]string{"/events/0/event_type": "agent.discovered"}},
		{"the end", "cursor=" + cursor, 200, map[string]string{"/events/0/event_id": "", "/cursor": cursor, "/has_more": "false"}},
		{"one type", "types=authorization.granted&limit=1", 200, map[string]string{
			"/events/0/entity_type": "authorization", "/events/0/payload/agent_url": "https://Agent.example/mcp", "/events/0/payload/agent_url_canonical": "https://agent.example/mcp",
			"/events/0/payload/publisher_domain": "one.example", "/events/0/payload/authorization_type": "property_ids", "/events/0/payload/countries/0": "DE",
			"/events/0/payload/signing_keys/0/kid": "k1", "/events/0/payload/evidence": "adagents_json", "/events/0/payload/property_rid": "null",
		}},
		{"types by their beginning", "types=publisher.*,%20agent.removed&limit=1", 200, map[string]string{"/events/0/event_type": "publisher.adagents_discovered", "/events/0/payload/publisher_domain": "one.example"}},
		{"the type of entities", "entity_type=property&limit=1", 200, map[string]string{"/events/0/event_type": "property.created", "/events/0/payload/property_id": "site", "/events/0/payload/classification": "property"}},
		{"an unknown type", "types=brand.seen", 200, map[string]string{"/events/0/event_id": "", "/freshness/latest_event_created_at": "null"}},
		{"a cursor of others", "cursor=0199f3a4-7c10-7001-a1b2-0c3d4e5f6071", 410, map[string]string{"/error": "cursor_expired", "/message": "The cursor is older than 90 days, or of another registry."}},
		{"no cursor", "cursor=abc", 400, map[string]string{"/error": "Invalid cursor format. Must be a UUID."}},
		{"a star", "types=*", 400, map[string]string{"/error": "Invalid type filter: *"}},
		{"no number", "limit=ten", 400, map[string]string{"/error": "limit must be an integer"}},
		{"too many", "limit=10001", 400, map[string]string{"/error": "limit must be between 1 and 10000"}},
		{"twice", "limit=1&limit=2", 400, map[string]string{"/field": "limit"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := w.call(http.MethodGet, "/api/registry/feed?"+tt.query, "", "Authorization", "Bearer of-another-registry")
			if got.status != tt.status {
				t.Fatalf("got %d %s", got.status, got.body)
			}
			for pointer, want := range tt.members {
				if text := got.member(t, pointer); text != want {
					t.Errorf("%s is %q, want %q", pointer, text, want)
				}
			}
		})
	}
}

// TestFeedStream: a stream begins with what is there, and goes on with what happens.
func TestFeedStream(t *testing.T) {
	t.Parallel()
	w := newWorld(t, directoryWeb)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, w.server.URL+"/api/registry/feed/stream?types=authorization.*", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if kind := resp.Header.Get("Content-Type"); kind != "text/event-stream; charset=utf-8" || resp.Header.Get("Cache-Control") != "no-cache, no-transform" || resp.Header.Get("Content-Encoding") != "" {
		t.Errorf("%v", resp.Header)
	}
	frames := bufio.NewReader(resp.Body)
	first := frame(t, frames)
	if !strings.HasPrefix(first, "event: heartbeat\ndata: {") {
		t.Errorf("it begins with %s", first)
	}
	w.call(http.MethodGet, "/api/registry/publisher?domain=one.example", "")
	next := frame(t, frames)
	if !strings.HasPrefix(next, `event: feed`+"\n"+`data: {"events":[{"event_id":`) || !strings.Contains(next, "authorization.granted") || strings.Contains(next, "agent.discovered") {
		t.Errorf("it goes on with %s", next)
	}
	for path, want := range map[string]int{"?poll_interval_seconds=1": 400, "?cursor=0199f3a4-7c10-7001-a1b2-0c3d4e5f6071": 410, "?limit=x": 400} {
		got := w.call(http.MethodGet, "/api/registry/feed/stream"+path, "")
		if got.status != want || got.header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: %d %v", path, got.status, got.header)
		}
	}
}

func frame(t *testing.T, r *bufio.Reader) string {
	t.Helper()
	var b strings.Builder
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(line)
		if line == "\n" {
			return b.String()
		}
	}
}

// TestSnapshotShared: one snapshot is made for many clients, and another one after a change.
func TestSnapshotShared(t *testing.T) {
	t.Parallel()
	w := newWorld(t, directoryWeb)
	const clients = 8
	for round, domain := range []string{"one.example", "two.example"} {
		w.call(http.MethodGet, "/api/registry/publisher?domain="+domain, "")
		answers := make([]answered, clients)
		var all sync.WaitGroup
		for i := range answers {
			all.Go(func() { answers[i] = w.call(http.MethodGet, "/api/registry/authorizations/snapshot", "") })
		}
		all.Wait()
		for _, got := range answers {
			if got.status != http.StatusOK || bytes.Count(got.body, []byte("\n")) != 2+round || !bytes.Equal(got.body, answers[0].body) ||
				got.header.Get("ETag") != answers[0].header.Get("ETag") || got.header.Get("X-Sync-Cursor") != answers[0].header.Get("X-Sync-Cursor") {
				t.Errorf("%d %v %s", got.status, got.header, got.body)
			}
		}
		if given, made := int(w.given.Load()), int(w.made.Load()); given != clients*(round+1) || made != round+1 {
			t.Errorf("of %d snapshots %d were made, want %d", given, made, round+1)
		}
	}
}

// TestSnapshot: all rows, compressed, with the cursor that the feed goes on with, and nothing
// for somebody who has them.
func TestSnapshot(t *testing.T) {
	t.Parallel()
	w := newDirectory(t)
	w.call(http.MethodGet, "/api/registry/feed", "") // everything is told
	const path = "/api/registry/authorizations/snapshot"
	got := w.call(http.MethodGet, path, "")
	lines := bytes.Split(bytes.TrimSpace(got.body), []byte("\n"))
	if got.status != http.StatusOK || len(lines) != 3 || !strings.HasSuffix(string(got.body), "\n") || got.header.Get("Content-Type") != "application/x-ndjson" {
		t.Fatalf("%d %v %s", got.status, got.header, got.body)
	}
	for _, member := range []string{`"property_rid":null`, `"signing_keys":`, `"override_reason":null`, `"standing":`} {
		if n := bytes.Count(got.body, []byte(member)); n != 3 {
			t.Errorf("%s is there %d times", member, n)
		}
	}
	cursor := got.header.Get("X-Sync-Cursor")
	after := w.call(http.MethodGet, "/api/registry/feed?types=authorization.*&cursor="+cursor, "")
	if after.status != http.StatusOK || after.member(t, "/events/0/event_id") != "" {
		t.Errorf("after the cursor %s: %s", cursor, after.body)
	}
	again := w.call(http.MethodGet, path, "", "If-None-Match", got.header.Get("ETag"))
	if again.status != http.StatusNotModified || again.header.Get("X-Sync-Cursor") != cursor {
		t.Errorf("again: %d %v", again.status, again.header)
	}
	rows := w.call(http.MethodGet, "/api/registry/authorizations?agent_url=https://agent.example/mcp", "")
	if rows.header.Get("X-Sync-Cursor") != cursor {
		t.Errorf("the rows of an agent have the cursor %s", rows.header.Get("X-Sync-Cursor"))
	}
	none := w.call(http.MethodGet, path+"?evidence=community", "")
	if none.status != http.StatusOK || len(none.body) != 0 || none.header.Get("ETag") == got.header.Get("ETag") {
		t.Errorf("rows of others: %d %q", none.status, none.body)
	}
	if raw := w.call(http.MethodGet, path+"?include=raw", ""); raw.status != http.StatusForbidden {
		t.Errorf("raw: %s", raw.body)
	}
}
