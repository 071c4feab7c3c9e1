package discover

import (
	"context"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/std/jsontree"
	"github.com/avow-project/avow/internal/std/jwk"
)

const (
	// keySetPath is where an agent's host publishes its keys, unless its operator names
	// another place.
	keySetPath = "/.well-known/jwks.json"
	// maxKeySet is the size limit of a key set, and maxKeys the number of keys that are read.
	maxKeySet = 64 << 10
	maxKeys   = 100
)

// A KeySet is what an agent publishes of its keys.
type KeySet struct {
	// URL is where it was asked for.
	URL string
	// Result has the evidence; nil when nothing was sent.
	Result *Result
	// Keys are those that were found. Message says why there are none, and Hint what to do
	// about it; both are safe to show.
	Keys          []AgentKey
	Message, Hint string
}

// An AgentKey is a public key that an agent publishes. Its texts are outside text.
type AgentKey struct {
	Kid, Kty, Crv, Alg, Use, X, Y, AdcpUse string
	KeyOps                                 []string
	// Thumbprint is that of RFC 7638, which names the key itself; empty for a key without one.
	Thumbprint string
	// Fault says why the key cannot be pinned; empty for one that can.
	Fault string
}

// KeySet asks for the keys that an agent publishes: at a URL if one is given, or else at
// /.well-known/jwks.json of the agent's host. No redirect is followed. The result is only as
// trustworthy as that host: compare it with what the operator says by another channel before
// pinning anything.
func (f *Finder) KeySet(ctx context.Context, agent, url string) *KeySet {
	c := newCheck(agent)
	if c.Reach == AgentRefused {
		return &KeySet{URL: c.URL, Message: c.Message, Hint: c.Hint}
	}
	if url == "" {
		url = originOf(c.URL) + keySetPath
	}
	r := f.getter.Get(ctx,
		fetch.Request{URL: url, MaxBytes: maxKeySet, MediaTypes: []string{"application/json", "application/jwk-set+json"}})
	set := &KeySet{URL: url, Result: r, Hint: "ask the operator of the agent where its key set is"}
	if r.Outcome != fetch.Found {
		h := &Hop{Step: Authoritative, URL: url, Result: r}
		set.Message = explain(h).message
		return set
	}
	set.Message = set.read(r.Body)
	if set.Message == "" {
		set.Hint = ""
	}
	return set
}

// read reads the keys, or says why it cannot.
func (s *KeySet) read(body []byte) string {
	tree, err := jsontree.Parse(body, jsontree.Options{MaxBytes: maxKeySet})
	switch {
	case err != nil:
		return shown(s.URL) + " is not JSON"
	case len(tree.Duplicates()) > 0:
		return shown(s.URL) + " has a member twice, which readers disagree about"
	case !tree.Root().Get("keys").Is(jsontree.Array):
		return shown(s.URL) + ` is not a key set such as {"keys": [...]}`
	}
	for _, v := range tree.Root().Get("keys").Elems() {
		if len(s.Keys) == maxKeys {
			return shown(s.URL) + " has more keys than anybody pins"
		}
		s.Keys = append(s.Keys, agentKey(v))
	}
	if len(s.Keys) == 0 {
		return shown(s.URL) + " has no keys"
	}
	return ""
}

// agentKey reads a key.
func agentKey(v adagents.Value) AgentKey {
	text := func(name string) string { return v.Get(name).Str() }
	k := AgentKey{
		Kid: text("kid"), Kty: text("kty"), Crv: text("crv"), Alg: text("alg"), Use: text("use"), X: text("x"), Y: text("y"),
		AdcpUse: text("adcp_use"),
	}
	for _, op := range v.Get("key_ops").Elems() {
		k.KeyOps = append(k.KeyOps, op.Str())
	}
	plain := jwk.Key{Kid: k.Kid, Kty: k.Kty, Crv: k.Crv, Alg: k.Alg, Use: k.Use, X: k.X, Y: k.Y, N: text("n"),
		E: text("e"), KeyOps: k.KeyOps}
	for m := range v.Members() {
		plain.Members = append(plain.Members, m.Name())
	}
	k.Thumbprint, _ = jwk.Thumbprint(plain)
	problems := jwk.Check(plain)
	switch {
	case len(problems) > 0:
		k.Fault = problems[0].Text
	case k.Crv != "Ed25519" && k.Crv != "P-256":
		k.Fault = "messages are signed with Ed25519 or P-256 keys only"
	case v.Has("revoked_at"):
		k.Fault = "the agent has revoked it"
	}
	return k
}
