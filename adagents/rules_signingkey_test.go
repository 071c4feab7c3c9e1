package adagents

import (
	"strings"
	"testing"
	"time"
)

func TestSigningKeys(t *testing.T) {
	t.Parallel()
	key := func(members string) string {
		return `{"kid":"k2","kty":"OKP","crv":"Ed25519","x":"` + otherKeyX + `",` + members + `}`
	}
	const ec = `{"kid":"k2","kty":"EC","crv":"P-256","x":"` + p256X + `","y":"` + p256Y + `","alg":"`
	checkFragments(t, InSigningKey, "/authorized_agents/0/signing_keys/1", []fragmentCase{
		{`[]`, Options{}, []string{"error signing_key.not_object  (drop reference)"}},
		{`{}`, Options{}, []string{"error signing_key.kid_missing /kid (drop reference)", "error signing_key.kty_missing /kty (drop reference)"}},
		{`{"kid":1,"kty":"OKP","crv":"Ed25519","x":"` + otherKeyX + `"}`, Options{}, []string{"error signing_key.kid_missing /kid (drop reference)"}},
		{`{"kid":"k2","kty":"OKP","crv":"Ed25519","x":7}`, Options{}, []string{"error signing_key.member_missing /x (drop reference)"}},
		{key(`"alg":"none"`), Options{}, []string{"error signing_key.alg_mismatch /alg (drop reference)"}},
		{key(`"alg":"HS256"`), Options{}, []string{"error signing_key.alg_mismatch /alg (drop reference)"}},
		{key(`"alg":7`), Options{}, []string{"error file.field_type /alg (drop reference)"}},
		{key(`"use":"wrap"`), Options{}, []string{"warning signing_key.use_invalid /use"}},
		{key(`"use":null`), Options{}, []string{"error file.field_type /use (drop reference)"}},
		{key(`"key_ops":["verify","sign"]`), Options{}, []string{"warning signing_key.key_ops_invalid /key_ops"}},
		{key(`"key_ops":"verify"`), Options{}, []string{"error file.field_type /key_ops (drop reference)"}},
		{key(`"note":"x","adcp_use":"request-signing"`), Options{}, nil},
		{ec + `ES256"}`, Options{}, nil},
		{ec + `EdDSA"}`, Options{}, []string{"error signing_key.alg_mismatch /alg (drop reference)"}},
		{`{"kid":"k2","kty":"RSA","n":"` + strings.Repeat("u1SV", 86) + `","e":"AQAB"}`, Options{}, []string{"warning signing_key.alg_mismatch /kty"}},
		{`{"kid":"k2","kty":"oct","k":"c2VjcmV0"}`, Options{}, []string{"error signing_key.symmetric /kty (drop reference)", "error signing_key.private_material /k (drop reference)"}},
		{key(`"revoked_at":"tomorrow"`), Options{}, []string{"error file.timestamp_invalid /revoked_at (drop reference)"}},
	})
}

// TestPrivateKeysStayHidden looks for values of a private key in a report.
func TestPrivateKeysStayHidden(t *testing.T) {
	t.Parallel()
	const secret = "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"
	for _, fragment := range []string{
		`{"kid":"k2","kty":"OKP","crv":"Ed25519","x":"` + otherKeyX + `","d":"` + secret + `"}`,
		`{"kid":"k2","kty":"OKP","crv":"` + secret + `","x":"` + secret + `","d":{"x":"` + secret + `"}}`,
		`{"kid":"k2","kty":"` + secret + `","alg":"` + secret + `","use":"` + secret + `","d":"` + secret + `"}`,
		`{"kid":"k2","kty":"RSA","n":"` + secret + `","e":"` + secret + `","p":"` + secret + `","oth":["` + secret + `"]}`,
	} {
		for _, in := range []Part{InSigningKey, InEncryptionKey} {
			r := Check(Example(in, fragment), Options{})
			if r.Valid() {
				t.Errorf("%s: valid", fragment)
			}
			for _, f := range r.Findings {
				if strings.Contains(f.Message+f.Hint, secret) {
					t.Errorf("%s: %s", fragment, f.Message)
				}
			}
		}
	}
}

// TestKeysTogether checks what the keys of one entry mean for each other.
func TestKeysTogether(t *testing.T) {
	t.Parallel()
	later := Options{Now: time.Date(2026, 1, 15, 0, 0, 0, 0, time.UTC)}
	revoked := func(kid, x string) string {
		return `{"kid":"` + kid + `","kty":"OKP","crv":"Ed25519","x":"` + x + `","revoked_at":"2026-02-01T00:00:00Z"}`
	}
	const k1, k2 = exampleKey, `{"kid":"k1","kty":"OKP","crv":"Ed25519","x":"` + otherKeyX + `"}`
	checkAgentCases(t, []agentCase{
		{"same kid, other key", seller(`"signing_keys": [` + k1 + `,` + k2 + `]`), Options{}, []string{"error signing_key.kid_duplicate /signing_keys/1/kid (drop reference)"}},
		{"the same key twice", seller(`"signing_keys": [` + k1 + `,` + k1 + `]`), Options{}, []string{"error signing_key.kid_duplicate /signing_keys/1/kid (drop reference)"}},
		{"all revoked", seller(`"signing_keys": [` + revoked("a", otherKeyX) + `]`), Options{}, []string{"warning signing_key.revoked /signing_keys/0/revoked_at"}},
		{"all revoked later", seller(`"signing_keys": [` + revoked("a", otherKeyX) + `]`), later, []string{"info signing_key.revoked /signing_keys/0/revoked_at"}},
		{"one left", seller(`"signing_keys": [` + revoked("a", otherKeyX) + `,` + k1 + `]`), Options{}, []string{"info signing_key.revoked /signing_keys/0/revoked_at"}},
		{"the one left is broken", seller(`"signing_keys": [` + revoked("a", otherKeyX) + `,{"kid":"b","kty":"oct"}]`), Options{}, []string{
			"warning signing_key.revoked /signing_keys/0/revoked_at", "error signing_key.symmetric /signing_keys/1/kty (drop reference)",
		}},
	})
	usable := map[string]int{k1 + "," + k2: 0, k1 + "," + k1: 1, k1: 1, `{"kid":"b","kty":"oct"}`: 0}
	for keys, want := range usable {
		a := Check(Example(InAgent, seller(`"signing_keys": [`+keys+`]`)), Options{}).File.Agents[1]
		if len(a.SigningKeys) != want || !a.Pinned() {
			t.Errorf("%s: %d usable keys, pinned %v, want %d", keys, len(a.SigningKeys), a.Pinned(), want)
		}
	}
}

func TestEncryptionKeys(t *testing.T) {
	t.Parallel()
	key := func(kid, more string) string {
		return `{"kid":"` + kid + `","kty":"OKP","crv":"X25519","use":"enc","x":"` + encryptionKeyX + `"` + more + `}`
	}
	const code = "error encryption_key.invalid /encryption_keys"
	checkAgentCases(t, []agentCase{
		{"none", seller(`"encryption_keys": []`), Options{}, []string{code}},
		{"not a list", seller(`"encryption_keys": {}`), Options{}, []string{"error file.field_type /encryption_keys"}},
		{"not an object", seller(`"encryption_keys": ["e1"]`), Options{}, []string{code + "/0 (drop reference)"}},
		{"eight characters", seller(`"encryption_keys": [` + key("éééééééé", "") + `]`), Options{}, nil},
		{"nine characters", seller(`"encryption_keys": [` + key("123456789", "") + `]`), Options{}, []string{code + "/0/kid (drop reference)"}},
		{"extra member", seller(`"encryption_keys": [` + key("e1", `,"alg":"ECDH-ES"`) + `]`), Options{}, []string{code + "/0/alg (drop reference)"}},
		{"members missing", seller(`"encryption_keys": [{"kid":"e1","kty":"OKP","crv":"X25519"}]`), Options{}, []string{code + "/0/use (drop reference)", code + "/0/x (drop reference)"}},
		{"same kid", seller(`"encryption_keys": [` + key("e1", "") + `,` + key("e1", "") + `]`), Options{}, []string{code + "/1/kid (drop reference)"}},
	})
}
