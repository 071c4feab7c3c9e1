package pinhttp_test

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/avow-project/avow"
	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/keypin"
	"github.com/avow-project/avow/keypin/pinhttp"
)

// pinned is a publisher whose file pins the key of an agent.
type pinned struct{ key ed25519.PrivateKey }

func (p pinned) Pins(_ context.Context, publisher string) (*keypin.Document, error) {
	file, err := adagents.Parse([]byte(`{
		"authorized_agents": [{
			"url": "https://agent.example/mcp", "authorized_for": "everything", "authorization_type": "property_ids", "property_ids": ["site"],
			"signing_keys": [{"kid": "2026", "kty": "OKP", "crv": "Ed25519", "x": "` + base64.RawURLEncoding.EncodeToString(p.key[ed25519.SeedSize:]) + `"}]
		}],
		"properties": [{"property_id": "site", "property_type": "website", "name": "Site", "identifiers": [{"type": "domain", "value": "publisher.example"}]}]
	}`))
	return &keypin.Document{Publisher: publisher, State: keypin.Usable, File: file, FetchedAt: time.Now(), KeysUntil: time.Now().Add(time.Hour)}, err
}

func (p pinned) Refresh(ctx context.Context, publisher string) (*keypin.Document, error) {
	return p.Pins(ctx, publisher)
}

// webhook returns a webhook of the agent.
func (p pinned) webhook() *http.Request {
	const body = `{"status": "completed"}`
	r := httptest.NewRequest(http.MethodPost, "https://hooks.buyer.example/hooks/agent", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	fields, err := keypin.Sign(&keypin.Message{
		Method: r.Method, Target: r.URL.String(), Fields: []keypin.Field{{Name: "Content-Type", Value: "application/json"}}, Body: []byte(body),
	}, keypin.Signing{Profile: keypin.Webhooks(), Key: p.key, KeyID: "2026", Created: time.Now(), Nonce: "c2l4dGVlbiByYW5kb20gYnl0ZXM"})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range fields {
		r.Header.Set(f.Name, f.Value)
	}
	return r
}

// Webhooks of an agent are taken only if they were signed with a key that the publisher
// pinned.
func ExampleHandler() {
	publisher := pinned{ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))}
	client := avow.New(avow.Config{Pins: publisher}) // without Pins the file is found on the web

	hooks := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		fmt.Println("a webhook signed with the key", pinhttp.From(r.Context()).KeyID)
	})
	handler := pinhttp.Handler(client.Verifier(), pinhttp.Options{
		Publisher: "publisher.example", Agent: "https://agent.example/mcp", Profile: keypin.Webhooks(),
		Authority: []string{"hooks.buyer.example"},
	}, hooks)

	forged := publisher.webhook()
	forged.Body = http.NoBody
	for _, r := range []*http.Request{publisher.webhook(), forged} {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		fmt.Println(w.Code)
	}

	// Output:
	// a webhook signed with the key 2026
	// 200
	// 401
}

// A signed response is checked before it is used.
func ExampleCheck() {
	var client avow.Client
	resp, err := http.Get("https://agent.example/mcp")
	if err != nil {
		return
	}
	defer func() { _ = resp.Body.Close() }()
	result, err := pinhttp.Check(resp, client.Verifier(), pinhttp.Options{Publisher: "publisher.example", Agent: "https://agent.example/mcp"})
	fmt.Println(err == nil && result.OK())
}
