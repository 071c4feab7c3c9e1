package keypin

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/avow-project/avow/adagents"
)

const (
	publisher = "pub.example"
	agentURL  = "https://agent.example/mcp"
	hookURL   = "https://buyer.example/hooks/42?x=1"
	nonce     = "KXYnfEfJ0PBRZXQyVXfVQA"
)

var now = time.Date(2026, time.June, 1, 12, 0, 0, 0, time.UTC)

// edKey returns the Ed25519 key of a name.
func edKey(name string) ed25519.PrivateKey {
	seed := sha256.Sum256([]byte(name))
	return ed25519.NewKeyFromSeed(seed[:])
}

// ecKey returns the P-256 key of a name.
func ecKey(t testing.TB, name string) *ecdsa.PrivateKey {
	t.Helper()
	sum := sha256.Sum256([]byte(name))
	k, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), sum[:])
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func b64(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// edJWK writes a pinned Ed25519 key; more are further members.
func edJWK(kid, name string, more ...string) string {
	pub := edKey(name).Public().(ed25519.PublicKey)
	return jsonKey(fmt.Sprintf(`"kid": %q, "kty": "OKP", "crv": "Ed25519", "x": %q`, kid, b64(pub)), more)
}

// ecJWK writes the P-256 key of the name one as a pin.
func ecJWK(t testing.TB, kid string, more ...string) string {
	t.Helper()
	point, err := ecKey(t, "one").PublicKey.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return jsonKey(fmt.Sprintf(`"kid": %q, "kty": "EC", "crv": "P-256", "x": %q, "y": %q`, kid, b64(point[1:33]), b64(point[33:])), more)
}

func jsonKey(members string, more []string) string {
	return "{" + strings.Join(append([]string{members}, more...), ", ") + "}"
}

// entry writes an entry of authorized_agents.
func entry(url string, keys ...string) string {
	head := fmt.Sprintf(`"url": %q, "authorized_for": "Display", "authorization_type": "property_ids", "property_ids": ["site"]`, url)
	if keys != nil {
		head += `, "signing_keys": [` + strings.Join(keys, ", ") + `]`
	}
	return "{" + head + "}"
}

// fileOf reads a file with entries.
func fileOf(t testing.TB, entries ...string) *adagents.File {
	t.Helper()
	src := `{"properties": [{"property_id": "site", "property_type": "website", "name": "Site", "publisher_domain": "pub.example",
 "identifiers": [{"type": "domain", "value": "pub.example"}]}], "authorized_agents": [` + strings.Join(entries, ", ") + `]}`
	report := adagents.Check([]byte(src), adagents.Options{Domain: publisher})
	if report.File == nil {
		t.Fatalf("no file: %v", report.Findings)
	}
	return report.File
}

// docOf returns a document as it was obtained ten minutes ago.
func docOf(f *adagents.File) *Document {
	return &Document{
		Publisher: publisher, State: Usable, File: f, URL: "https://pub.example/.well-known/adagents.json", SHA256: "00",
		FetchedAt: now.Add(-10 * time.Minute), KeysUntil: now.Add(50 * time.Minute), KnownSince: now.Add(-24 * time.Hour),
	}
}

// fakeSource is a Source that counts.
type fakeSource struct {
	mu        sync.Mutex
	doc       *Document
	refreshed func() (*Document, error)
	pins      int
	refreshes int
}

func (s *fakeSource) Pins(context.Context, string) (*Document, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pins++
	return s.doc, nil
}

func (s *fakeSource) Refresh(context.Context, string) (*Document, error) {
	s.mu.Lock()
	s.refreshes++
	f := s.refreshed
	s.mu.Unlock()
	if f == nil {
		return s.doc, nil
	}
	return f()
}

// world is a verifier with a file and a clock that can be set.
type world struct {
	t      testing.TB
	source *fakeSource
	clock  time.Time
	v      *Verifier
}

func newWorld(t testing.TB, entries ...string) *world {
	t.Helper()
	w := &world{t: t, source: &fakeSource{}, clock: now}
	if entries != nil {
		w.source.doc = docOf(fileOf(t, entries...))
	}
	w.v = New(Config{Source: w.source, Now: func() time.Time { return w.clock }})
	return w
}

// verify checks a message of the agent.
func (w *world) verify(m *Message, q Question) *Result {
	w.t.Helper()
	if q.Publisher == "" {
		q.Publisher = publisher
	}
	if q.Agent == "" {
		q.Agent = agentURL
	}
	r, err := w.v.Verify(context.Background(), m, q)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

// hook is a webhook that is not signed yet.
func hook() *Message {
	return &Message{
		Method: "POST", Target: hookURL, Authority: "buyer.example",
		Fields: []Field{{"Content-Type", "application/json"}},
		Body:   []byte(`{"task_id":"t1","status":"completed"}`),
	}
}

// signed signs a message.
func signed(t testing.TB, m *Message, s Signing) *Message {
	t.Helper()
	if s.Created.IsZero() {
		s.Created = now
	}
	if s.KeyID == "" {
		s.KeyID = "k1"
	}
	if s.Key == nil {
		s.Key = edKey("one")
	}
	if s.Nonce == "" {
		s.Nonce = nonce
	}
	added, err := Sign(m, s)
	if err != nil {
		t.Fatal(err)
	}
	out := *m
	out.Fields = slices.Concat(m.Fields, added)
	return &out
}

// request is a signed request as it should be.
func request(t testing.TB) *Message { return signed(t, hook(), Signing{}) }

func wantCode(t testing.TB, r *Result, verdict Verdict, code string) {
	t.Helper()
	if r.Verdict != verdict || r.Code != code {
		t.Errorf("%v %s (%s), want %v %s", r.Verdict, r.Code, r.Detail, verdict, code)
	}
}

var _ crypto.Signer = edKey("")
