package keypin

import (
	"crypto/elliptic"
	"encoding/base64"
	"fmt"
	"math/big"
	"strings"
	"testing"
)

// written rewrites the bytes of a field, which has one member, in an encoding.
func written(t testing.TB, m *Message, name string, e *base64.Encoding) *Message {
	t.Helper()
	value, _ := m.value(name)
	label, text, _ := strings.Cut(value, "=:")
	b, ok := looseBytes.decode(strings.TrimSuffix(text, ":"))
	if !ok {
		t.Fatal(value)
	}
	return field(m, name, label+"=:"+e.EncodeToString(b)+":")
}

// TestPurposes: which adcp_use a pinned key may have in which profile.
func TestPurposes(t *testing.T) {
	t.Parallel()
	allowed := map[string]string{
		"request": "request-signing", "request-3.1": "request-signing", "webhook": "request-signing webhook-signing", "response": "response-signing",
	}
	for _, p := range []*Profile{Requests(), Requests31(DigestRequired), Webhooks(), Responses()} {
		for _, use := range []string{"request-signing", "webhook-signing", "response-signing", "governance-signing", "attestation-signing", "", "Request-Signing"} {
			w := newWorld(t, entry(agentURL, edJWK("k1", "one", fmt.Sprintf(`"adcp_use": %q`, use))))
			r := w.verify(signed(t, messageFor(p), Signing{Profile: p}), Question{Profile: p})
			want := "pin.key_purpose_invalid"
			if use != "" && strings.Contains(allowed[p.Name], use) {
				want = "signature.accepted"
			}
			if r.Code != want {
				t.Errorf("%s with %q: %s, want %s", p.Name, use, r.Code, want)
			}
		}
		w := newWorld(t, entry(agentURL, edJWK("k1", "one", `"adcp_use": ["request-signing", "webhook-signing", "response-signing"]`)))
		if r := w.verify(signed(t, messageFor(p), Signing{Profile: p}), Question{Profile: p}); r.OK() {
			t.Errorf("%s: a list of purposes is accepted", p.Name)
		}
	}
}

// messageFor is a message of the kind that a profile is for.
func messageFor(p *Profile) *Message {
	m := hook()
	if p.response {
		return &Message{Status: 200, Fields: m.Fields, Body: m.Body, Request: &Message{Method: "POST", Target: agentURL}}
	}
	return m
}

// TestAlphabets: in which alphabets the fields of each profile are written.
func TestAlphabets(t *testing.T) {
	t.Parallel()
	encodings := map[string]*base64.Encoding{
		"base64": base64.StdEncoding, "base64 without padding": base64.RawStdEncoding,
		"base64url": base64.RawURLEncoding, "base64url with padding": base64.URLEncoding,
	}
	tests := []struct {
		p                 *Profile
		signature, digest string
	}{
		{Requests(), "base64", "base64"},
		{Requests31(DigestRequired), "base64, base64 without padding, base64url", "base64, base64 without padding, base64url"},
		{Webhooks(), "base64url", "base64, base64 without padding, base64url, base64url with padding"},
	}
	for _, tc := range tests {
		for name, e := range encodings {
			in := func(list string) bool { return strings.Contains(", "+list+",", ", "+name+",") }
			// The text of the digest is signed, so it is written first. Both have characters
			// in which the alphabets differ.
			m := hook()
			m = written(t, field(m, "Content-Digest", digestOf(m.Body)), "Content-Digest", e)
			m = signed(t, m, Signing{Profile: tc.p, Nonce: nonce + "7"})
			value, _ := m.value("content-digest")
			if !strings.ContainsAny(value[len("sha-256="):], "+/-_") {
				t.Fatalf("%s is the same in both alphabets", value)
			}
			q := Question{Profile: tc.p}
			wantAlphabet(t, tc.p.Name+" digest in "+name, newWorld(t, entry(agentURL, edJWK("k1", "one"))).verify(m, q), in(tc.digest))
			for i := 0; i == 0 || !strings.ContainsAny(value, "+/-_"); i++ {
				m = written(t, signed(t, hook(), Signing{Profile: tc.p, Nonce: nonce + fmt.Sprintf("%02d", i)}), "Signature", e)
				value, _ = m.value("signature")
			}
			wantAlphabet(t, tc.p.Name+" signature in "+name, newWorld(t, entry(agentURL, edJWK("k1", "one"))).verify(m, q), in(tc.signature))
		}
	}
}

func wantAlphabet(t *testing.T, name string, r *Result, ok bool) {
	t.Helper()
	if r.OK() != ok || !ok && r.Code != "signature.header_malformed" {
		t.Errorf("%s: %s (%s), want %v", name, r.Code, r.Detail, ok)
	}
}

// TestMixedAlphabets: bytes in two alphabets at once are refused in every profile.
func TestMixedAlphabets(t *testing.T) {
	t.Parallel()
	for _, p := range []*Profile{Requests(), Requests31(DigestEither), Webhooks()} {
		for _, text := range []string{"ab-_cd+/", "ab-/", "-+==", "_+8=", "a===", "ab=c", "ab=", "====", "=", "a", "ab\ncd", "ab cd"} {
			_, signature := p.signatureBytes.decode(text)
			_, digest := p.digestBytes.decode(text)
			if signature || digest {
				t.Errorf("%s reads %q", p.Name, text)
			}
		}
	}
}

// TestRequests31 checks what the versions 3.0 and 3.1 have and 3.2 has not.
func TestRequests31(t *testing.T) {
	t.Parallel()
	covered := signed(t, hook(), Signing{Profile: Requests31(DigestRequired)})
	bare := signed(t, hook(), Signing{Profile: Requests31(DigestEither)})
	loose := field(bare, "Content-Digest", "unixsum=:AA:")
	empty := &Message{Method: "GET", Target: hookURL}
	empty = signed(t, empty, Signing{Profile: Requests31(DigestEither)})
	type want struct {
		code  string
		bound bool
	}
	const yes, unbound = "signature.accepted", "signature.accepted_body_unbound"
	tests := []struct {
		name                        string
		m                           *Message
		required, either, forbidden want
	}{
		{"covered", covered, want{yes, true}, want{yes, true}, want{"signature.components_unexpected", false}},
		{"bare", bare, want{"signature.components_incomplete", false}, want{unbound, false}, want{unbound, false}},
		{"digest beside", loose, want{"signature.components_incomplete", false}, want{unbound, false}, want{unbound, false}},
		{"no body", empty, want{yes, true}, want{unbound, false}, want{unbound, false}},
	}
	for _, tc := range tests {
		for policy, want := range map[DigestPolicy]want{DigestRequired: tc.required, DigestEither: tc.either, DigestForbidden: tc.forbidden} {
			r := newWorld(t, entry(agentURL, edJWK("k1", "one"))).verify(tc.m, Question{Profile: Requests31(policy)})
			if r.Code != want.code || r.BodyBound != want.bound || r.OK() != strings.HasPrefix(want.code, yes) {
				t.Errorf("%s, %v: %s %v (%s), want %+v", tc.name, policy, r.Code, r.BodyBound, r.Detail, want)
			}
			if r.OK() && !r.BodyBound && !strings.Contains(r.Detail, "body is not bound") {
				t.Errorf("%s, %v: %s", tc.name, policy, r.Detail)
			}
		}
	}
	// A body that was changed is refused where the digest is covered, and no news where it
	// is not.
	changed := *covered
	changed.Body = []byte(`{}`)
	wantCode(t, newWorld(t, entry(agentURL, edJWK("k1", "one"))).verify(&changed, Question{Profile: Requests31(DigestEither)}), Rejected, "signature.digest_mismatch")
	if got := DigestEither.String() + DigestPolicy(9).String(); got != "eitherunknown" {
		t.Error(got)
	}
}

// TestProfilesAreNotGuessed: a request of 3.1 is not accepted as one of 3.2, and the
// refusal says which profile would fit. The nonces of the two are the same.
func TestProfilesAreNotGuessed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, entry(agentURL, edJWK("k1", "one")))
	old := signed(t, hook(), Signing{Profile: Requests31(DigestRequired)})
	r := w.verify(old, Question{})
	wantCode(t, r, Rejected, "signature.header_malformed")
	if !strings.Contains(r.Detail, "request-3.1") {
		t.Error(r.Detail)
	}
	bare := written(t, signed(t, hook(), Signing{Profile: Requests31(DigestEither)}), "Signature", base64.StdEncoding)
	r = w.verify(bare, Question{})
	wantCode(t, r, Rejected, "signature.components_incomplete")
	if !strings.Contains(r.Detail, "request-3.1") {
		t.Error(r.Detail)
	}
	wantCode(t, w.verify(old, Question{Profile: Requests31(DigestRequired)}), Accepted, "signature.accepted")
	wantCode(t, w.verify(request(t), Question{}), Rejected, "signature.replayed")
}

// TestProfileConfusion: a message of one kind is never accepted as one of another, whatever
// the key may be used for.
func TestProfileConfusion(t *testing.T) {
	t.Parallel()
	kinds := map[string][]*Profile{
		"request":  {Requests(), Requests31(DigestRequired), Requests31(DigestEither), Requests31(DigestForbidden)},
		"webhook":  {Webhooks()},
		"response": {Responses(), UnsafeUnboundResponses()},
	}
	encodings := []*base64.Encoding{base64.StdEncoding, base64.RawURLEncoding}
	for made, makers := range kinds {
		for asked, profiles := range kinds {
			for _, maker := range makers {
				m := signed(t, messageFor(maker), Signing{Profile: maker})
				for _, p := range profiles {
					for _, e := range encodings {
						r := newWorld(t, entry(agentURL, edJWK("k1", "one"))).verify(written(t, m, "Signature", e), Question{Profile: p})
						if made != asked && r.OK() {
							t.Errorf("%s is accepted as %s", maker.Name, p.Name)
						}
					}
				}
			}
		}
	}
}

// TestHighS: the two forms of an ECDSA signature are one message. Sign makes the lower, and
// LowS refuses the other.
func TestHighS(t *testing.T) {
	t.Parallel()
	low := Requests()
	low.lowS = true
	for i := range 32 {
		m := hook()
		m.Body = fmt.Appendf(nil, `{"n":%d}`, i)
		m = signed(t, m, Signing{Key: ecKey(t, "one")})
		value, _ := m.value("signature")
		b, err := base64.StdEncoding.DecodeString(strings.Trim(strings.TrimPrefix(value, "sig1="), ":"))
		if err != nil {
			t.Fatal(err)
		}
		s := new(big.Int).SetBytes(b[32:])
		if highS(s) {
			t.Fatal("Sign makes the higher form")
		}
		s.Sub(elliptic.P256().Params().N, s).FillBytes(b[32:])
		twin := field(m, "Signature", "sig1=:"+base64.StdEncoding.EncodeToString(b)+":")
		w := newWorld(t, entry(agentURL, ecJWK(t, "k1")))
		wantCode(t, w.verify(twin, Question{Profile: low}), Rejected, "signature.high_s")
		first, second := m, twin
		if i%2 == 0 {
			first, second = twin, m
		}
		wantCode(t, w.verify(first, Question{}), Accepted, "signature.accepted")
		wantCode(t, w.verify(second, Question{}), Rejected, "signature.replayed")
	}
	m := signed(t, hook(), Signing{Key: ecKey(t, "one")})
	wantCode(t, newWorld(t, entry(agentURL, ecJWK(t, "k1"))).verify(m, Question{Profile: low}), Accepted, "signature.accepted")
}

// TestResponsesCoverTheirType: what a body is read as is part of a response.
func TestResponsesCoverTheirType(t *testing.T) {
	t.Parallel()
	for _, p := range []*Profile{Responses(), UnsafeUnboundResponses()} {
		bare := *p
		bare.withBody = nil
		m := signed(t, messageFor(p), Signing{Profile: &bare})
		w := newWorld(t, entry(agentURL, edJWK("k1", "one")))
		wantCode(t, w.verify(m, Question{Profile: p}), Rejected, "signature.components_incomplete")
		wantCode(t, w.verify(signed(t, messageFor(p), Signing{Profile: p}), Question{Profile: p}), Accepted, "signature.accepted")
	}
}
