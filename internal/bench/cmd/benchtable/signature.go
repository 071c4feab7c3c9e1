package main

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/keypin"
)

const (
	// signatureName is what -only matches for the figures about signed messages.
	signatureName = "signature"
	// signedMessages is how many messages take turns: each counts once.
	signedMessages = 4096
	// maxSignature is what a verification may take, in times of the bare signature check:
	// half its rate is reached.
	maxSignature = 2
)

// signatureFigures compare the check of a signed message with that of its signature alone.
type signatureFigures struct{ comparison }

// onePin is a source with one file.
type onePin struct{ doc *keypin.Document }

// Pins returns the file.
func (s onePin) Pins(context.Context, string) (*keypin.Document, error) { return s.doc, nil }

// Refresh returns the file as well.
func (s onePin) Refresh(context.Context, string) (*keypin.Document, error) { return s.doc, nil }

func measureSignature(runs int) (*signatureFigures, error) {
	now := time.Now()
	key := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	file, err := adagents.Parse([]byte(`{"properties": [{"property_id": "site", "property_type": "website", "name": "Site", "identifiers": [{"type": "domain", "value": "pub.example"}]}],
"authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "All", "authorization_type": "property_ids", "property_ids": ["site"],
"signing_keys": [{"kid": "k1", "kty": "OKP", "crv": "Ed25519", "x": "` + base64.RawURLEncoding.EncodeToString(key[32:]) + `"}]}]}`))
	if err != nil {
		return nil, err
	}
	var messages []*keypin.Message
	for i := range signedMessages {
		m := &keypin.Message{
			Method: "POST", Target: "https://buyer.example/hooks/42",
			Fields: []keypin.Field{{Name: "Content-Type", Value: "application/json"}}, Body: []byte(`{"task_id":"t1","status":"completed"}`),
		}
		added, err := keypin.Sign(m, keypin.Signing{KeyID: "k1", Key: key, Created: now, Nonce: base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "message %08d", i))})
		if err != nil {
			return nil, err
		}
		m.Fields = append(m.Fields, added...)
		messages = append(messages, m)
	}
	config := keypin.Config{Source: onePin{&keypin.Document{State: keypin.Usable, File: file, FetchedAt: now, KeysUntil: now.Add(time.Hour)}}, Now: func() time.Time { return now }}
	var v *keypin.Verifier
	n, bad := 0, 0
	var refused error
	found := compare(runs, bareSignature(), func() {
		if n%signedMessages == 0 {
			v = keypin.New(config)
		}
		r, err := v.Verify(context.Background(), messages[n%signedMessages], keypin.Question{Publisher: "pub.example", Agent: "https://agent.example/mcp"})
		switch {
		case err != nil:
			bad, refused = bad+1, err
		case !r.OK():
			bad, refused = bad+1, fmt.Errorf("a good signature was refused: %s [%s]", r.Detail, r.Code)
		}
		n++
	})
	if bad > 0 {
		return nil, refused
	}
	return &signatureFigures{found}, nil
}

// bareSignature returns the check of an Ed25519 signature over as many bytes as the base of a
// signature has.
func bareSignature() func() {
	key := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	base := make([]byte, 500)
	bare := ed25519.Sign(key, base)
	public := key.Public().(ed25519.PublicKey)
	return func() {
		if !ed25519.Verify(public, base, bare) {
			panic("a bare signature was refused")
		}
	}
}

func (found *signatureFigures) limits() []limit {
	if found == nil {
		return nil
	}
	return []limit{{name: "a signed message over its bare Ed25519 check", allowed: maxSignature, have: found.ratio, unit: "×"}}
}

func (found *signatureFigures) table() table {
	t := table{head: []string{"signed message", "µs", "bare Ed25519 µs", "ratio"}}
	if found != nil {
		t.add("request with a body", number(micros(found.work)), number(micros(found.base)), number(found.ratio))
	}
	return t
}
