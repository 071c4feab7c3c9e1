package keypin

import "testing"

func TestBodies(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, kind, body, code string
	}{
		{"JSON", "application/json; charset=utf-8", `{"a":1}`, "signature.accepted"},
		{"a member twice", "Application/JSON", `{"a":1,"a":2}`, "signature.body_ambiguous"},
		{"a member twice below", "application/problem+json", `{"b":[{"a":1,"\u0061":2}]}`, "signature.body_ambiguous"},
		{"no JSON", "application/json", `{"a":1`, "signature.body_ambiguous"},
		{"a member twice in other JSON", "text/json;x=y", `{"a":1,"a":2}`, "signature.body_ambiguous"},
		{"not called JSON", "text/plain", `{"a":1,"a":2}`, "signature.accepted"},
		{"not called JSON either", "application/notjson", `{"a":1,"a":2}`, "signature.accepted"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			m := hook()
			m.Fields, m.Body = []Field{{"Content-Type", tc.kind}}, []byte(tc.body)
			r := newWorld(t, entry(agentURL, edJWK("k1", "one"))).verify(signed(t, m, Signing{}), Question{})
			if r.Code != tc.code {
				t.Errorf("%s (%s), want %s", r.Code, r.Detail, tc.code)
			}
		})
	}
}

// TestEncodedBodies: a body that was compressed cannot be looked into, which is said before
// the nonce is spent.
func TestEncodedBodies(t *testing.T) {
	t.Parallel()
	w := newWorld(t, entry(agentURL, edJWK("k1", "one")))
	for _, lines := range [][]string{{"gzip"}, {" GZIP "}, {"identity, br"}, {"identity", "zstd"}, {"x"}} {
		m := hook()
		for _, line := range lines {
			m.Fields = append(m.Fields, Field{"content-encoding", line})
		}
		wantCode(t, w.verify(signed(t, m, Signing{}), Question{}), Rejected, "signature.body_encoded")
		m.Fields[0].Value = "text/plain"
		wantCode(t, w.verify(signed(t, m, Signing{}), Question{}), Rejected, "signature.body_encoded")
		wantCode(t, w.verify(m, Question{}), Rejected, "signature.missing")
	}
	plain := hook()
	plain.Fields = append(plain.Fields, Field{"Content-Encoding", "Identity"})
	wantCode(t, w.verify(signed(t, plain, Signing{}), Question{}), Accepted, "signature.accepted")
	empty := &Message{Method: "GET", Target: hookURL, Fields: []Field{{"Content-Encoding", "gzip"}}}
	wantCode(t, w.verify(signed(t, empty, Signing{Nonce: nonce + "1"}), Question{}), Accepted, "signature.accepted")
}

func TestWithoutBody(t *testing.T) {
	t.Parallel()
	get := &Message{Method: "GET", Target: "https://seller.example/adcp"}
	w := newWorld(t, entry(agentURL, edJWK("k1", "one")))
	wantCode(t, w.verify(signed(t, get, Signing{}), Question{}), Accepted, "signature.accepted")
	// A webhook always has a digest, and a digest is always checked.
	empty := signed(t, &Message{Method: "POST", Target: hookURL, Fields: hook().Fields}, Signing{Profile: Webhooks()})
	wantCode(t, w.verify(empty, Question{Profile: Webhooks()}), Accepted, "signature.accepted")
	odd := signed(t, &Message{Method: "POST", Target: hookURL, Fields: append(hook().Fields, Field{"Content-Digest", "unixsum=:AA==:"})}, Signing{Profile: Webhooks(), Nonce: nonce + "3"})
	wantCode(t, w.verify(odd, Question{Profile: Webhooks()}), Rejected, "signature.digest_unsupported")
	// A profile of the caller's own that forgets the body does not open a hole.
	open := &Profile{Name: "open", window: maxWindow}
	bare := signed(t, hook(), Signing{Profile: open})
	wantCode(t, w.verify(bare, Question{Profile: open}), Rejected, "signature.components_incomplete")
}
