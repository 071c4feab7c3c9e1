package keypin

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
)

// rfcKeys are the public keys of RFC 9421 appendix B.1, in the form of pins.
var rfcKeys = []string{
	`{"kid": "test-key-ed25519", "kty": "OKP", "crv": "Ed25519", "x": "JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs"}`,
	`{"kid": "test-key-ecc-p256", "kty": "EC", "crv": "P-256", "x": "qIVYZVLCrPZHGHjP17CTW0_-D9Lfw0EkjqF7xB4FivA", "y": "Mc4nN9LTDOBhfoUeg8Ye9WedFRhnZXZJA12Qp0zZ6F0"}`,
	`{"kid": "test-key-rsa-pss", "kty": "RSA", "alg": "PS512", "e": "AQAB",
 "n": "r4tmm3r20Wd_PbqvP1s2-QEtvpuRaV8Yq40gjUR8y2Rjxa6dpG2GXHbPfvMs8ct-Lh1GH45x28Rw3Ry53mm-oAXjyQ86OnDkZ5N8lYbggD4O3w6M6pAvLkhk95AndTrifbIFPNU8PPMO7OyrFAHqgDsznjPFmTOtCEcN2Z1FpWgchwuYLPL-Wokqltd11nqqzi-bJ9cvSKADYdUAAN5WUtzdpiy6LbTgSxP7ociU4Tn0g5I6aDZJ7A8Lzo0KSyZYoA485mqcO0GVAdVw9lq4aOT9v6d-nb4bnNkQVklLQ3fVAvJm-xdDOp9LCNCN48V2pnDOkFV6-U9nV5oyc6XI2w"}`,
	`{"kid": "test-shared-secret", "kty": "oct"}`,
}

// TestRFC9421 holds the signature base and the verdict to appendix B.2 of the standard.
// Ed25519 and P-256 verify; RSA and shared secrets are refused, pinned or not.
func TestRFC9421(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"b2_1": "pin.key_unsupported", "b2_2": "pin.key_unsupported", "b2_3": "pin.key_unsupported",
		"b2_4": "signature.accepted", "b2_5": "pin.key_malformed", "b2_6": "signature.accepted",
	}
	files, err := filepath.Glob("testdata/rfc9421/*.txtar")
	if err != nil || len(files) != len(want) {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, name := range files {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		m, err := ParseMessage(a.Files[0].Data, ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		// The examples name neither algorithm nor end, and cover little.
		p := &Profile{Name: "appendix B", response: m.Status != 0, window: maxWindow}
		if strings.Contains(name, "b2_2") {
			p.tag = "header-example"
		}
		sig, f := readSignature(m, p)
		if f != nil {
			t.Fatal(f)
		}
		base, f := sig.base(m, false)
		if f != nil || string(base)+"\n" != string(a.Files[1].Data) {
			t.Errorf("%s: base %s %v\nwant %s", name, base, f, a.Files[1].Data)
		}
		w := newWorld(t, entry(agentURL, rfcKeys...))
		r := w.verify(m, Question{Profile: p, At: time.Unix(1618884473, 0)})
		if code := want[strings.TrimSuffix(filepath.Base(name), ".txtar")]; r.Code != code {
			t.Errorf("%s: %s (%s), want %s", name, r.Code, r.Detail, code)
		}
	}
}

// wycheproof is a file of the project's vectors.
type wycheproof struct {
	NumberOfTests int
	TestGroups    []struct {
		PublicKey    struct{ PK, Uncompressed string }
		PublicKeyJWK struct{ Kty, Crv, X, Y string } `json:"publicKeyJwk"`
		Tests        []struct {
			TcID             int
			Comment          string
			Msg, Sig, Result string
		}
	}
}

func readWycheproof(t *testing.T, name string) *wycheproof {
	t.Helper()
	f, err := os.Open("testdata/wycheproof/" + name + ".json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	w := new(wycheproof)
	err = json.NewDecoder(z).Decode(w)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func unhexed(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestWycheproof(t *testing.T) {
	t.Parallel()
	for name, count := range map[string]int{"ed25519_test": 151, "ecdsa_secp256r1_sha256_p1363_test": 262} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := readWycheproof(t, name)
			done, valid := 0, 0
			for _, g := range w.TestGroups {
				kty, crv, x, y := "OKP", "Ed25519", b64(unhexed(t, g.PublicKey.PK)), ""
				if g.PublicKey.Uncompressed != "" {
					point := unhexed(t, g.PublicKey.Uncompressed)
					kty, crv, x, y = "EC", "P-256", b64(point[1:33]), b64(point[33:])
				}
				k, ok := NewKey("k", kty, crv, x, y)
				for _, tc := range g.Tests {
					done++
					got := ok && k.verify(unhexed(t, tc.Msg), unhexed(t, tc.Sig))
					if got {
						valid++
					}
					if got != (tc.Result == "valid") {
						t.Errorf("%d %s: %v, want %s", tc.TcID, tc.Comment, got, tc.Result)
					}
				}
			}
			if done != w.NumberOfTests || done != count || valid == 0 {
				t.Errorf("%d of %d vectors, %d valid", done, w.NumberOfTests, valid)
			}
		})
	}
}

// TestMutatedSignatures changes signatures and the fields around them in ten thousand
// ways, none of which is accepted.
func TestMutatedSignatures(t *testing.T) {
	t.Parallel()
	const count = 10_000
	for name, s := range map[string]Signing{"ed25519": {}, "p256": {Key: ecKey(t, "one")}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pin := edJWK("k1", "one")
			if s.Key != nil {
				pin = ecJWK(t, "k1")
			}
			w := newWorld(t, entry(agentURL, pin))
			good := signed(t, hook(), s)
			text, _ := good.value("signature")
			value, err := base64.StdEncoding.DecodeString(strings.Trim(strings.TrimPrefix(text, "sig1="), ":"))
			if err != nil {
				t.Fatal(err)
			}
			random := uint32(1)
			next := func(n int) int {
				random = random*1664525 + 1013904223
				return int(random>>8) % n
			}
			for i := range count / 2 {
				changed := append([]byte{}, value...)
				// Every single bit first, then several bytes.
				if i < 8*len(changed) {
					changed[i/8] ^= 1 << (i % 8)
				} else {
					for range 1 + next(4) {
						changed[next(len(changed))] ^= byte(1 + next(255))
					}
				}
				if bytes.Equal(changed, value) {
					continue
				}
				r := w.verify(field(good, "Signature", "sig1=:"+base64.StdEncoding.EncodeToString(changed)+":"), Question{})
				if r.Code != "signature.invalid" {
					t.Fatalf("%x: %v %s", changed, r.Verdict, r.Code)
				}
			}
			wantCode(t, w.verify(good, Question{}), Accepted, "signature.accepted")
		})
	}
}

// TestInteroperates: a webhook as another implementation of the protocol writes it, with
// the signature in base64url and the digest in base64.
func TestInteroperates(t *testing.T) {
	t.Parallel()
	pub := ecJWK(t, "hook-2026", `"alg": "ES256"`, `"use": "sig"`, `"key_ops": ["verify"]`, `"adcp_use": "webhook-signing"`)
	p := Webhooks()
	m := signed(t, hook(), Signing{Profile: p, Key: ecKey(t, "one"), KeyID: "hook-2026"})
	input, _ := m.value("signature-input")
	want := fmt.Sprintf(`sig1=("@method" "@target-uri" "@authority" "content-type" "content-digest");created=%d;expires=%d;nonce="%s";keyid="hook-2026";alg="ecdsa-p256-sha256";tag="adcp/webhook-signing/v1"`, now.Unix(), now.Unix()+300, nonce)
	if input != want {
		t.Errorf("%s\nwant %s", input, want)
	}
	value, _ := m.value("signature")
	if strings.ContainsAny(value[5:], "=+/") {
		t.Errorf("%s is not base64url", value)
	}
	wantCode(t, newWorld(t, entry(agentURL, pub)).verify(m, Question{Profile: p}), Accepted, "signature.accepted")
}
