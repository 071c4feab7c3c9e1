package keypin

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

const issuer = "https://agent.example"

// revocations makes a signed list; empty members mean the usual.
type revocations struct{ header, payload, issuer, updated, next, kids, signer string }

func (l revocations) parts(t testing.TB) (string, string, string) {
	t.Helper()
	protected := b64([]byte(or(l.header, `{"alg":"EdDSA","kid":"list","typ":"adcp-gov-revocation+jws"}`)))
	text := fmt.Sprintf(`{"version": 1, "issuer": %q, "updated": %q, "next_update": %q, "revoked_kids": [%s], "revoked_jtis": ["j1"]}`,
		or(l.issuer, issuer), or(l.updated, "2026-06-01T11:55:00Z"), or(l.next, "2026-06-01T12:10:00Z"), or(l.kids, `"old"`))
	payload := b64([]byte(or(l.payload, text)))
	sig, err := (&Signing{Key: edKey(or(l.signer, "lists"))}).sign([]byte(protected + "." + payload))
	if err != nil {
		t.Fatal(err)
	}
	return protected, payload, b64(sig)
}

func (l revocations) compact(t testing.TB) string {
	t.Helper()
	protected, payload, sig := l.parts(t)
	return protected + "." + payload + "." + sig + "\n"
}

func (l revocations) flattened(t testing.TB) string {
	t.Helper()
	protected, payload, sig := l.parts(t)
	return fmt.Sprintf(`{"protected": %q, "payload": %q, "signature": %q}`, protected, payload, sig)
}

func (l revocations) general(t testing.TB, more string) string {
	t.Helper()
	protected, payload, sig := l.parts(t)
	return fmt.Sprintf(`{"payload": %q, "signatures": [{"protected": %q, "signature": %q}%s]}`, payload, protected, sig, more)
}

func issuerKeys(t testing.TB) []*Key {
	t.Helper()
	own, ok := NewKey("list", "OKP", "Ed25519", b64(edKey("lists")[32:]), "")
	if !ok {
		t.Fatal("no key")
	}
	return []*Key{nil, own}
}

func (l revocations) list(t testing.TB) *RevocationList {
	t.Helper()
	out, err := ParseRevocations([]byte(l.compact(t)), issuer, issuerKeys(t))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestParseRevocations(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"compact": revocations{}.compact(t), "flattened": revocations{}.flattened(t), "general": revocations{}.general(t, ""),
		"issuer with a slash": revocations{issuer: "https://AGENT.example:443/"}.compact(t),
	} {
		l, err := ParseRevocations([]byte(text), "https://agent.example/", issuerKeys(t))
		if err != nil || l.Issuer != issuer || !l.Revoked("old") || l.Revoked("k1") || !l.Updated.Equal(now.Add(-5*time.Minute)) {
			t.Errorf("%s: %+v %v", name, l, err)
		}
	}
	head := func(more string) string {
		return revocations{header: `{"alg":"EdDSA","kid":"list","typ":"adcp-gov-revocation+jws"` + more + `}`}.compact(t)
	}
	body := func(old, text string) string {
		usual := `{"version": 1, "issuer": "https://agent.example", "updated": "2026-06-01T11:55:00Z", "next_update": "2026-06-01T12:10:00Z", "revoked_kids": []}`
		return revocations{payload: strings.Replace(usual, old, text, 1)}.compact(t)
	}
	good := revocations{}.compact(t)
	for name, text := range map[string]string{
		"nothing": "", "two parts": "a.b", "unsigned JSON": `{"version": 1, "revoked_kids": []}`, "four parts": strings.TrimSpace(good) + ".x",
		"two signatures": revocations{}.general(t, `, {"protected": "e30", "signature": "AA"}`), "no signatures": `{"payload": "e30", "signatures": []}`,
		"both forms":            strings.Replace(revocations{}.general(t, ""), `{"payload"`, `{"signature": "AA", "payload"`, 1),
		"unprotected header":    strings.Replace(revocations{}.flattened(t), `{"protected"`, `{"header": {"kid": "list"}, "protected"`, 1),
		"a member twice":        strings.Replace(revocations{}.flattened(t), `{"protected"`, `{"payload": "e30", "protected"`, 1),
		"changed":               good[:len(good)-10] + "AAAA" + good[len(good)-6:],
		"its signer revoked":    revocations{kids: `"list"`}.compact(t),
		"other key":             revocations{signer: "two"}.compact(t),
		"other kid":             revocations{header: `{"alg":"EdDSA","kid":"k2","typ":"adcp-gov-revocation+jws"}`}.compact(t),
		"other alg":             revocations{header: `{"alg":"ES256","kid":"list","typ":"adcp-gov-revocation+jws"}`}.compact(t),
		"none":                  revocations{header: `{"alg":"none","kid":"list","typ":"adcp-gov-revocation+jws"}`}.compact(t),
		"the type of an answer": revocations{header: `{"alg":"EdDSA","kid":"list","typ":"adcp-response-payload+jws"}`}.compact(t),
		"crit":                  head(`,"crit":["b64"]`),
		"b64":                   head(`,"b64":false`),
		"its own key":           head(`,"jwk":{}`),
		"other issuer":          revocations{issuer: "https://other.example"}.compact(t),
		"issuer with a path":    revocations{issuer: "https://agent.example/mcp"}.compact(t),
		"version 2":             body(`1, "issuer"`, `2, "issuer"`),
		"no list":               body(`"revoked_kids": []`, `"x": []`),
		"a list of numbers":     body(`[]`, `[1]`),
		"no time":               body(`2026-06-01T11:55:00Z`, `yesterday`),
		"times in no order":     body(`12:10:00Z`, `11:55:00Z`),
		"a payload twice":       body(`"version"`, `"version": 1, "version"`),
	} {
		l, err := ParseRevocations([]byte(text), issuer, issuerKeys(t))
		if err == nil {
			t.Errorf("%s: %+v", name, l)
		}
	}
	for _, who := range []string{"", "agent.example", "http://agent.example", "https://agent.example/x", "https://a@agent.example", "https://agent.example?x"} {
		_, err := ParseRevocations([]byte(good), who, issuerKeys(t))
		if err == nil {
			t.Errorf("%q is an issuer", who)
		}
	}
}

// lost is a Revoker that has nothing.
type lost struct{ err error }

func (l lost) Revocations(context.Context) (*RevocationList, error) { return nil, l.err }

// TestRevocations: a list that is asked for and cannot be had is never "not revoked".
func TestRevocations(t *testing.T) {
	t.Parallel()
	own := revocations{}
	foreign := own.list(t)
	foreign.Issuer = "https://other.example"
	tests := []struct {
		name string
		list Revoker
		code string
	}{
		{"not revoked", own.list(t), ""},
		{"revoked", revocations{kids: `"x", "k1"`}.list(t), "signature.key_revoked"},
		{"revoked by an old list", revocations{kids: `"k1"`, updated: "2020-01-01T00:00:00Z", next: "2020-01-01T00:10:00Z"}.list(t), "signature.key_revoked"},
		{"late", revocations{updated: "2026-06-01T11:00:00Z", next: "2026-06-01T11:15:00Z"}.list(t), ""},
		{"in the last second", revocations{updated: "2026-06-01T10:45:01Z", next: "2026-06-01T11:00:01Z"}.list(t), ""},
		{"too late", revocations{updated: "2026-06-01T10:45:00Z", next: "2026-06-01T11:00:00Z"}.list(t), "signature.revocation_stale"},
		{"for centuries", revocations{updated: "2026-04-01T12:00:00Z", next: "2826-06-01T12:00:00Z"}.list(t), "signature.revocation_stale"},
		{"from the future", revocations{updated: "2026-06-01T12:01:01Z"}.list(t), "signature.revocation_stale"},
		{"lost", lost{errors.New("gone")}, "signature.revocation_stale"},
		{"none", lost{}, "signature.revocation_stale"},
		{"zero", new(RevocationList), "signature.revocation_stale"},
		{"of somebody else", foreign, "signature.revocation_stale"},
	}
	for _, tc := range tests {
		w := newWorld(t, entry(agentURL, edJWK("k1", "one")))
		q := claimQuestion()
		q.Revocations = tc.list
		m, a := w.verify(request(t), Question{Revocations: tc.list}), w.answer(answerMaker{}.answer(t), q)
		if m.Code != or(tc.code, "signature.accepted") || a.Code != or(tc.code, "envelope.accepted") {
			t.Errorf("%s: %s and %s", tc.name, m.Code, a.Code)
		}
		if (m.Revocations != nil) != (tc.code == "") || (a.Revocations != nil) != (tc.code == "") {
			t.Errorf("%s: the result does not say which list was asked", tc.name)
		}
	}
}

func TestRevocationTimes(t *testing.T) {
	t.Parallel()
	l := revocations{}.list(t) // from five to, next at ten past
	if got := l.staleAt(); !got.Equal(now.Add(70 * time.Minute)) {
		t.Error(got)
	}
	if got := (revocations{next: "2826-06-01T12:00:00Z"}).list(t).staleAt(); !got.Equal(now.Add(35*24*time.Hour - 5*time.Minute)) {
		t.Errorf("a list that names a date in centuries is stale at %v", got)
	}
	for after, want := range map[time.Duration]time.Duration{0: 10 * time.Minute, 9*time.Minute + 30*time.Second: 10*time.Minute + 30*time.Second, -2 * time.Hour: -90 * time.Minute} {
		if got := l.Due(now.Add(after)); !got.Equal(now.Add(want)) {
			t.Errorf("asked after %v it is due at %v", after, got)
		}
	}
	older := revocations{updated: "2026-06-01T11:54:59Z"}.list(t)
	future := revocations{updated: "2026-06-01T12:01:01Z"}.list(t)
	other := *l
	other.Issuer = "https://other.example"
	if !l.Replaces(nil, now) || !l.Replaces(older, now) || !l.Replaces(l, now) || older.Replaces(l, now) || future.Replaces(l, now) || future.Replaces(nil, now) || other.Replaces(l, now) {
		t.Error("a list replaces what it must not, or does not replace what it should")
	}
}

// FuzzRevocations reads arbitrary lists: only one that was signed is accepted.
func FuzzRevocations(f *testing.F) {
	keys := issuerKeys(f)
	_, payload, _ := revocations{}.parts(f)
	f.Add([]byte(revocations{}.compact(f)))
	f.Add([]byte(revocations{}.flattened(f)))
	f.Add([]byte(revocations{}.general(f, "")))
	f.Fuzz(func(t *testing.T, src []byte) {
		l, err := ParseRevocations(src, issuer, keys)
		if err == nil && (!l.Revoked("old") || !strings.Contains(string(src), payload[:20])) {
			t.Errorf("%s: %+v", src, l)
		}
	})
}

// TestRevokedSigner: neither a key that is supplied as revoked nor one that the list before
// revokes can sign the next list.
func TestRevokedSigner(t *testing.T) {
	t.Parallel()
	set := func(more string) []*Key {
		keys, err := ParseKeys([]byte(`{"keys": [{"kid": "list", "kty": "OKP", "crv": "Ed25519", "x": "` + b64(edKey("lists")[32:]) + `"` + more + `}]}`))
		if err != nil {
			t.Fatal(err)
		}
		return keys
	}
	src := []byte(revocations{}.compact(t))
	for more, fine := range map[string]bool{"": true, `, "adcp_use": "governance-signing"`: true, `, "revoked_at": "2030-01-01T00:00:00Z"`: false, `, "revoked_at": 1`: false} {
		_, err := ParseRevocations(src, issuer, set(more))
		if (err == nil) != fine {
			t.Errorf("%s: %v", more, err)
		}
	}
	known, next := revocations{}.list(t), revocations{updated: "2026-06-01T11:59:00Z"}.list(t)
	if !next.Replaces(known, now) {
		t.Error("a newer list does not replace the one before")
	}
	known.kids["list"] = true
	if next.Replaces(known, now) {
		t.Error("a list replaces the one that revokes its key")
	}
}

// TestOperator: a list of another site counts only for the operator that the question names.
func TestOperator(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		issuer, operator, code string
	}{
		{"https://agent.example", "", ""},
		{"https://keys.agent.example", "", ""},
		{"https://operator.example", "", "signature.revocation_stale"},
		{"https://operator.example", "https://operator.example/", ""},
		{"https://operator.example", "https://other.example", "signature.revocation_stale"},
	} {
		l := revocations{}.list(t)
		l.Issuer = tc.issuer
		w := newWorld(t, entry(agentURL, edJWK("k1", "one")))
		q := claimQuestion()
		q.Revocations, q.Operator = l, tc.operator
		r := w.answer(answerMaker{}.answer(t), q)
		if !r.OK() && r.Code != tc.code || r.OK() && tc.code != "" {
			t.Errorf("%+v: %s %s", tc, r.Code, r.Detail)
		}
	}
}
