package avow_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/avow-project/avow/keypin"
)

// TestClientVerifies checks a message against a file on the web, with the publisher asked
// once more for a key that is not pinned.
func TestClientVerifies(t *testing.T) {
	t.Parallel()
	key := ed25519.NewKeyFromSeed(make([]byte, 32))
	pin := `, "signing_keys": [{"kid": "k1", "kty": "OKP", "crv": "Ed25519", "x": "` + base64.RawURLEncoding.EncodeToString(key[32:]) + `"}]}]}`
	client, web := webClient(t, served(wellKnown("pub.example"), strings.TrimSuffix(siteOf("pub.example"), "}]}")+pin)+served(wellKnown("open.example"), siteOf("open.example")))
	sign := func(keyid string) *keypin.Message {
		m := &keypin.Message{Method: "GET", Target: "https://buyer.example/"}
		added, err := keypin.Sign(m, keypin.Signing{KeyID: keyid, Key: key, Created: testTime(), Nonce: "KXYnfEfJ0PBRZXQyVXfVQA"})
		if err != nil {
			t.Fatal(err)
		}
		m.Fields = added
		return m
	}
	for _, tc := range []struct {
		publisher, keyid, code string
		requests               int
	}{
		{"pub.example", "k1", "signature.accepted", 1},
		{"pub.example", "k1", "signature.replayed", 2},
		{"pub.example", "k2", "pin.key_unknown", 4},
		{"open.example", "k1", "pin.unpinned", 5},
	} {
		r, err := client.Verifier().Verify(t.Context(), sign(tc.keyid), keypin.Question{Publisher: tc.publisher, Agent: agentURL})
		if err != nil || r.Code != tc.code {
			t.Errorf("%+v %v, want %s", r, err, tc.code)
		}
		if got := len(web.Requests()); got > tc.requests {
			t.Errorf("%s: %d requests", tc.code, got)
		}
	}
}
