package api

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/internal/service/feed"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/projection"
	"github.com/avow-project/avow/internal/service/store/records"
	"github.com/avow-project/avow/internal/translog"
)

const networkFile = `
Content-Type: application/json

{"authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "All", "authorization_type": "property_tags", "property_tags": ["all"]}],
 "properties": [{"property_id": "site", "property_type": "website", "name": "Site", "tags": ["all"], "publisher_domain": "DOMAIN", "identifiers": [{"type": "domain", "value": "DOMAIN"}]}],
 "last_updated": "2026-01-02T00:00:00Z"}
`

// TestFeedProofs follows the feed, its stream and the snapshot with proofs through every state of the
// log. Whatever is called included is proved with what strangers have: the leaf and the hashes from
// below /log/, and the checkpoint of the answer.
func TestFeedProofs(t *testing.T) {
	t.Parallel()
	own := func(domain string) string {
		return "-- https://" + domain + "/.well-known/adagents.json --\n200" + strings.ReplaceAll(networkFile, "DOMAIN", domain)
	}
	w := newWorld(t, own("one.example")+own("late.example")+
		"-- https://network.example/file.json --\n200"+strings.ReplaceAll(networkFile, "DOMAIN", "led.example")+
		"-- https://led.example/.well-known/adagents.json --\n200\nContent-Type: application/json\n\n{\"authoritative_location\": \"https://network.example/file.json\"}\n")
	log := w.store.(interface{ Log() *records.Log }).Log()
	keys, err := notary.NewKeys("registry.example/log")
	if err != nil {
		t.Fatal(err)
	}
	policy, err := translog.ParsePolicy([]byte(keys.Policy("")))
	if err != nil {
		t.Fatal(err)
	}
	n := notary.New(notary.Config{Store: log, Keys: keys, Now: func() time.Time { return noon }})
	look := func(domain string) {
		if got := w.call(t, http.MethodGet, "/api/registry/publisher?domain="+domain, ""); got.status != http.StatusOK {
			t.Fatalf("%s: %d %s", domain, got.status, got.body)
		}
	}
	look("one.example")
	look("led.example")
	f := follower{w, policy}
	const nothing, included, pending = notary.NotLogged, notary.Included, notary.Pending
	for _, step := range []struct {
		name      string
		do        func() error
		head      string
		old, late string // how what was known before the log stands to it, and what was not
	}{
		{"no log in the service", func() error { return nil }, nothing, nothing, ""},
		{"no log in the store", func() error {
			w.serve(&notary.Handler{Prover: notary.Prover{Store: log}, Log: textLog(w.log)})
			return nil
		}, nothing, nothing, ""},
		{"nothing signed", func() error {
			first := keys.First()
			first.At = noon
			return log.Begin(t.Context(), "registry.example/log", first)
		}, pending, nothing, ""},
		{"older than the log", func() error { return n.Flush(t.Context()) }, included, nothing, ""},
		{"in no leaf", func() error {
			k, err := log.AddKnown(t.Context(), noon, notary.Known{})
			for err == nil && !k.Done {
				k, err = log.AddKnown(t.Context(), noon, k)
			}
			return err
		}, included, pending, ""},
		{"signed", func() error { return n.Flush(t.Context()) }, included, included, ""},
		{"another one in no leaf", func() error { look("late.example"); return nil }, included, included, pending},
		{"another one in a leaf", func() error { _, err := log.Sequence(t.Context(), 100); return err }, included, included, pending},
		{"another one signed", func() error { return n.Flush(t.Context()) }, included, included, included},
	} {
		err := step.do()
		if err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		want := map[string]string{"": nothing, "one.example": step.old, "led.example": step.old}
		if step.late != "" {
			want["late.example"] = step.late
		}
		t.Log(step.name)
		f.page(t, step.head, want)
		f.stream(t, step.head, want)
		delete(want, "") // no row is about an agent alone
		f.snapshot(t, step.head, want)
	}
	if got := w.call(t, http.MethodGet, "/api/registry/feed?proofs=true&limit=501", ""); got.status != http.StatusBadRequest || !bytes.Contains(got.body, []byte("limit must be between 1 and 500 with proofs=true")) {
		t.Errorf("501 events: %d %s", got.status, got.body)
	}
	for _, path := range []string{"/api/registry/feed", "/api/registry/authorizations/snapshot"} {
		if got := w.call(t, http.MethodGet, path, ""); bytes.Contains(got.body, []byte(`log_`)) || bytes.Contains(got.body, []byte(`"log"`)) {
			t.Errorf("%s without proofs: %s", path, got.body)
		}
	}
}

// A follower proves what it is given.
type follower struct {
	*world
	policy *translog.Policy
}

func (f follower) page(t *testing.T, head string, want map[string]string) {
	t.Helper()
	const path = "/api/registry/feed"
	got := f.call(t, http.MethodGet, path+"?proofs=true", "")
	conforms(t, f.api, http.MethodGet, path, got)
	f.events(t, got.body, head, want)
	again := f.call(t, http.MethodGet, path+"?proofs=true", "", "If-None-Match", got.header.Get("ETag"))
	plain := f.call(t, http.MethodGet, path, "", "If-None-Match", got.header.Get("ETag"))
	if again.status != http.StatusNotModified || plain.status != http.StatusOK {
		t.Errorf("the same page again: %d, without proofs %d", again.status, plain.status)
	}
}

func (f follower) stream(t *testing.T, head string, want map[string]string) {
	t.Helper()
	got := f.call(t, http.MethodGet, "/api/registry/feed/stream?proofs=true", "")
	body, ok := bytes.CutPrefix(got.body, []byte("event: feed\ndata: "))
	if !ok {
		t.Fatalf("the stream begins with %s", got.body)
	}
	f.events(t, body, head, want)
}

func (f follower) events(t *testing.T, body []byte, head string, want map[string]string) {
	t.Helper()
	var page struct {
		Events []struct {
			EventType string         `json:"event_type"`
			Payload   map[string]any `json:"payload"`
			feed.Logged
		} `json:"events"`
		Log *feed.LogHead `json:"log"`
	}
	err := json.Unmarshal(body, &page)
	if err != nil || page.Log == nil || page.Log.State != head || (page.Log.Checkpoint != "") != (head == notary.Included) || (page.Log.Reason == "") != (head == notary.Included) {
		t.Fatalf("%v; want a log that is %s: %s", err, head, body)
	}
	seen := map[string]string{}
	for _, e := range page.Events {
		publisher, _ := e.Payload["publisher_domain"].(string)
		seen[publisher] = e.State
		if e.State != want[publisher] {
			t.Errorf("%s of %q is %q, want %q", e.EventType, publisher, e.State, want[publisher])
		}
		f.prove(t, publisher, page.Log, e.Logged)
	}
	if len(seen) != len(want) {
		t.Errorf("events are about %v, want %v", seen, want)
	}
}

func (f follower) snapshot(t *testing.T, head string, want map[string]string) {
	t.Helper()
	got := f.call(t, http.MethodGet, "/api/registry/authorizations/snapshot?proofs=true", "")
	lines := bytes.Split(bytes.TrimSpace(got.body), []byte("\n"))
	var first struct {
		Log *feed.LogHead `json:"log"`
	}
	err := json.Unmarshal(lines[0], &first, json.RejectUnknownMembers(true))
	if err != nil || first.Log.State != head || got.header.Get("ETag") != "" || len(lines) != len(want)+1 {
		t.Fatalf("%v; want %d rows and a log that is %s: %v %s", err, len(want), head, got.header, got.body)
	}
	for _, line := range lines[1:] {
		var row struct {
			projection.Authorization
			feed.Logged
		}
		err := json.Unmarshal(line, &row)
		if err != nil || row.State != want[row.PublisherDomain] {
			t.Errorf("%v; want %q: %s", err, want[row.PublisherDomain], line)
		}
		f.prove(t, row.PublisherDomain, first.Log, row.Logged)
	}
}

// prove verifies what is called included, and that nothing else has an index.
func (f follower) prove(t *testing.T, publisher string, head *feed.LogHead, l feed.Logged) {
	t.Helper()
	if l.State != notary.Included {
		if l.Index != nil || l.File != nil {
			t.Errorf("%s is %s and has an index", publisher, l.State)
		}
		return
	}
	if l.Index == nil || l.File == nil {
		t.Fatalf("%s is included without an index", publisher)
	}
	about, file := f.leaf(t, head, *l.Index), f.leaf(t, head, *l.File)
	if about.Subject != translog.Publisher(publisher) || file.Subject.Kind != translog.SubjectFile || file.Subject.Name != about.Place.File || file.Counts == translog.None {
		t.Errorf("the leaves about %s are %+v and %+v", publisher, about, file)
	}
}

// leaf fetches a leaf and verifies that it is in the log of a checkpoint.
func (f follower) leaf(t *testing.T, head *feed.LogHead, index int64) *translog.Leaf {
	t.Helper()
	get := func(path string) []byte {
		out := httptest.NewRecorder()
		f.translog.ServeHTTP(out, httptest.NewRequest(http.MethodGet, notary.Prefix+path+strconv.FormatInt(index, 10), nil))
		if out.Code != http.StatusOK {
			t.Fatalf("%s%d: %d %s", path, index, out.Code, out.Body)
		}
		return out.Body.Bytes()
	}
	proof, err := translog.ParseProof(get("proof/"))
	if err != nil {
		t.Fatal(err)
	}
	proof.Leaf, proof.Signed = get("leaf/"), []byte(head.Checkpoint)
	verified, err := proof.Verify(f.policy)
	if err != nil {
		t.Fatalf("the leaf %d is not in the log of the checkpoint: %v", index, err)
	}
	return verified.Leaf
}
