package keypin_test

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/keypin"
)

// files is a Source of a program that keeps the files of publishers itself.
type files map[string]*adagents.File

func (f files) Pins(_ context.Context, publisher string) (*keypin.Document, error) {
	file, ok := f[publisher]
	if !ok {
		return &keypin.Document{Publisher: publisher, State: keypin.Absent}, nil
	}
	return &keypin.Document{Publisher: publisher, State: keypin.Usable, File: file, KeysUntil: noon.Add(time.Hour)}, nil
}

func (f files) Refresh(ctx context.Context, publisher string) (*keypin.Document, error) {
	return f.Pins(ctx, publisher)
}

var noon = time.Date(2026, time.June, 1, 12, 0, 0, 0, time.UTC)

// An agent signs a request, and a receiver checks it against the key that the publisher has pinned.
func ExampleVerifier_Verify() {
	key := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)) // the agent's; never one of zeros
	public := base64.RawURLEncoding.EncodeToString(key[ed25519.SeedSize:])
	file, err := adagents.Parse([]byte(`{
		"authorized_agents": [{
			"url": "https://agent.example/mcp", "authorized_for": "everything", "authorization_type": "property_tags", "property_tags": ["news"],
			"signing_keys": [{"kid": "2026", "kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "use": "sig", "x": "` + public + `"}]
		}],
		"properties": [{"property_id": "site", "property_type": "website", "name": "Site", "tags": ["news"],
			"identifiers": [{"type": "domain", "value": "publisher.example"}]}]
	}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	m := &keypin.Message{
		Method: "POST", Target: "https://buyer.example/mcp", Body: []byte(`{"task": "update"}`),
		Fields: []keypin.Field{{Name: "Content-Type", Value: "application/json"}},
	}
	signature, err := keypin.Sign(m, keypin.Signing{Key: key, KeyID: "2026", Created: noon, Nonce: "c2l4dGVlbiByYW5kb20gYnl0ZXM"})
	if err != nil {
		fmt.Println(err)
		return
	}
	m.Fields = append(m.Fields, signature...)

	verifier := keypin.New(keypin.Config{Source: files{"publisher.example": file}, Now: func() time.Time { return noon }})
	q := keypin.Question{Publisher: "publisher.example", Agent: "https://agent.example/mcp", Authority: []string{"buyer.example"}}
	for range 2 { // the second time it is a replay
		r, err := verifier.Verify(context.Background(), m, q)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(r.Verdict, r.Code, r.OK())
	}

	// Output:
	// accepted signature.accepted true
	// rejected signature.replayed false
}
