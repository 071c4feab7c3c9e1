package mcp

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/ops"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/store/records"
	"github.com/avow-project/avow/internal/service/store/sqlite"
	"github.com/avow-project/avow/internal/test/fakeweb"
	"github.com/avow-project/avow/internal/test/sqlitetest"
	"github.com/avow-project/avow/internal/test/stillweb"
)

// marked is in every text that wants to be obeyed.
const marked = "MALLORY"

// internet has a publisher that says all there is to say, in hostile words, one that lists
// the same app, a network with properties of two, one that takes itself out, one whose ids are
// hostile, and one without a file.
func internet(injection string) string {
	return `
-- https://pub.example/.well-known/adagents.json --
200
Content-Type: application/json

{"contact": {"name": "` + injection + `"},
 "authorized_agents": [
  {"url": "https://agent.example/mcp", "authorized_for": "` + injection + `", "authorization_type": "property_tags", "property_tags": ["news"],
   "countries": ["DE"], "delegation_type": "direct"},
  {"url": "https://leak.example/mcp", "authorized_for": "See https://user:geheim@pub.example/", "authorization_type": "property_ids", "property_ids": ["app"]},
  {"url": "https://other.example/mcp", "authorized_for": "Display", "authorization_type": "property_ids", "property_ids": ["app", "` + injection + `"],
   "placement_ids": ["top"]}],
 "properties": [
  {"property_id": "site", "property_type": "website", "name": "` + injection + `", "tags": ["news"], "identifiers": [{"type": "domain", "value": "pub.example"}]},
  {"property_id": "app", "property_type": "mobile_app", "name": "App", "tags": ["apps"], "identifiers": [{"type": "ios_bundle", "value": "com.example.app"}]}],
 "placements": [{"placement_id": "top", "name": "Top", "property_ids": ["app"], "tags": ["high"]}]}
-- https://rival.example/.well-known/adagents.json --
200
Content-Type: application/json

{"authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "Apps", "authorization_type": "property_ids", "property_ids": ["app"]}],
 "properties": [{"property_id": "app", "property_type": "mobile_app", "name": "App", "identifiers": [{"type": "ios_bundle", "value": "com.example.app"}]}]}
-- https://net.example/.well-known/adagents.json --
200
Content-Type: application/json

{"authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "News", "authorization_type": "property_ids", "property_ids": ["one"], "placement_ids": ["mine"]}],
 "properties": [
  {"property_id": "one", "property_type": "website", "name": "One", "tags": ["news"], "publisher_domain": "net.example", "identifiers": [{"type": "domain", "value": "net.example"}]},
  {"property_id": "two", "property_type": "website", "name": "Two", "tags": ["news"], "publisher_domain": "else.example", "identifiers": [{"type": "domain", "value": "else.example"}]},
  {"property_type": "website", "name": "Three", "tags": ["loose"], "publisher_domain": "net.example", "identifiers": [{"type": "domain", "value": "www.net.example"}]}],
 "placements": [
  {"placement_id": "mine", "name": "Mine", "property_ids": ["one"], "tags": ["high"]},
  {"placement_id": "theirs", "name": "Theirs", "property_ids": ["two"], "tags": ["high", "low"]}]}
-- https://gone.example/.well-known/adagents.json --
200
Content-Type: application/json

{"authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "News", "authorization_type": "property_ids", "property_ids": ["one"]}],
 "properties": [{"property_id": "one", "property_type": "website", "name": "One", "tags": ["news"], "identifiers": [{"type": "domain", "value": "gone.example"}]}],
 "revoked_publisher_domains": [{"publisher_domain": "gone.example", "revoked_at": "2026-01-01T00:00:00Z"}]}
-- https://words.example/.well-known/adagents.json --
200
Content-Type: application/json

{"authorized_agents": [{"url": "https://words.example/mcp", "authorized_for": "Words", "authorization_type": "property_ids", "property_ids": ["one"],
  "placement_ids": ["` + injection + `"], "collections": [{"publisher_domain": "words.example", "collection_ids": ["` + injection + `"]}],
  "signing_keys": [{"kid": "` + injection + `", "kty": "OKP", "alg": "EdDSA", "use": "sig", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}],
 "properties": [{"property_id": "one", "property_type": "` + injection + `", "name": "One", "identifiers": [{"type": "domain", "value": "words.example"}]}],
 "placements": [{"placement_id": "` + injection + `", "name": "Top", "property_ids": ["one"]}]}
-- https://none.example/other --
200
Content-Type: text/plain

nothing
`
}

// world is a server in an internet, and a client of it.
func world(t *testing.T) (*Server, *sdk.ClientSession) {
	t.Helper()
	return worldOf(t, injection)
}

// worldOf is a world in which publishers say something.
func worldOf(t *testing.T, words string) (*Server, *sdk.ClientSession) {
	t.Helper()
	s, c, _ := labOf(t, words)
	return s, c
}

// labOf is a world with its transparency log.
func labOf(t *testing.T, words string) (*Server, *sdk.ClientSession, *records.Log) {
	t.Helper()
	web, err := fakeweb.Start([]byte(internet(words)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(web.Close)
	now := func() time.Time { return noon }
	store, err := sqlite.Open(t.Context(), sqlitetest.Path(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	client := fetch.New(fetch.Config{Network: web.Network(), Attempts: 1, HopTimeout: time.Hour, Budget: time.Hour, SiteBurst: 1 << 20})
	log := slog.New(slog.DiscardHandler)
	service := registry.New(registry.Config{Store: store, Custody: store.Custody(), Finder: discover.New(discover.Config{Client: stillweb.Client{Client: client}, Now: now}), Now: now, Log: log, CallTime: time.Hour})
	t.Cleanup(service.Close)
	service.KeepDirectory()
	s := New(Config{Operations: ops.New(ops.Config{Service: service, Translog: &notary.Handler{Prover: notary.Prover{Store: store.Log()}, Keys: labKeys(), Log: log}, Now: now}), Log: log})
	return s, connect(t, s), store.Log()
}

// connect returns a client of a server over HTTP.
func connect(t *testing.T, s *Server) *sdk.ClientSession {
	t.Helper()
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).
		Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: h.URL + Path, DisableStandaloneSSE: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// call calls a tool and returns the members and the text of its answer, and whether it is an
// error.
func call(t *testing.T, c *sdk.ClientSession, tool string, arguments map[string]any) (map[string]any, string, bool) {
	t.Helper()
	var members map[string]any
	r, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	if len(r.Content) != 1 {
		t.Fatalf("%s: %d items", tool, len(r.Content))
	}
	item, ok := r.Content[0].(*sdk.TextContent)
	if !ok {
		t.Fatalf("%s: the item is a %T", tool, r.Content[0])
	}
	err = json.Unmarshal([]byte(item.Text), &members)
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	if r.IsError {
		return members, item.Text, true
	}
	structured, err := json.Marshal(r.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	same, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(structured, same) {
		t.Errorf("%s: the text is %s, the object %s", tool, same, structured)
	}
	return members, item.Text, false
}

// labKeys are the keys of the transparency log of all labs.
var labKeys = sync.OnceValue(func() *notary.Keys {
	keys, err := notary.NewKeys("registry.example/log")
	if err != nil {
		panic(err)
	}
	return keys
})
