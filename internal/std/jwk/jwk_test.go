package jwk

import (
	"crypto/ecdsa"
	stded25519 "crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Keys printed in RFC 8037 appendix A.2, RFC 7517 appendix A.1, RFC 7638 section
// 3.1 and, in hexadecimal, RFC 8032 section 7.4.
const (
	rfcEdX   = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
	rfcP256X = "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4"
	rfcP256Y = "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"
	rfcN     = "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknj" +
		"hMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5" +
		"hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw"
	rfcEd448 = "5fd7449b59b461fd2ce787ec616ad46a1da1342485a70e1f8a0ea75d80e96778edf124769b46c7061bd6783df1e50f6cd1fa1abeafe8256180"
)

func b64(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

func fromHex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func edKey() Key {
	return Key{Kid: "1", Kty: "OKP", Crv: "Ed25519", X: rfcEdX, Alg: "EdDSA", Use: "sig", KeyOps: []string{"verify"}}
}

func ecKey() Key {
	return Key{Kid: "1", Kty: "EC", Crv: "P-256", X: rfcP256X, Y: rfcP256Y, Alg: "ES256", Use: "sig"}
}

func rsaKey() Key { return Key{Kid: "1", Kty: "RSA", N: rfcN, E: "AQAB", Alg: "RS256"} }

// with returns a copy of k after a change.
func with(k Key, change func(*Key)) Key {
	change(&k)
	return k
}

// found is a problem without its text.
type found struct {
	Kind   Kind
	Member string
}

func summary(problems []Problem) []found {
	var all []found
	for _, p := range problems {
		all = append(all, found{p.Kind, p.Member})
	}
	return all
}

func TestCheck(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		key  Key
		want []found
	}{
		{"ed25519", edKey(), nil},
		{"ed25519 without optional members", Key{Kid: "1", Kty: "OKP", Crv: "Ed25519", X: rfcEdX}, nil},
		{"p-256", ecKey(), nil},
		{"rsa is outside the profile", rsaKey(), []found{{AlgDiscouraged, "alg"}}},
		{"rsa without alg", with(rsaKey(), func(k *Key) { k.Alg = "" }), []found{{AlgDiscouraged, "kty"}}},
		{"empty", Key{}, []found{{KidMissing, "kid"}, {KtyMissing, "kty"}}},
		{"kty unknown", Key{Kid: "1", Kty: "okp"}, []found{{KtyUnknown, "kty"}}},
		{
			"symmetric", Key{Kid: "1", Kty: "oct", Alg: "HS256", Members: []string{"kid", "kty", "k", "alg"}},
			[]found{{PrivateMaterial, "k"}, {Symmetric, "kty"}, {AlgMismatch, "alg"}},
		},
		{"okp without members", Key{Kid: "1", Kty: "OKP"}, []found{{MemberMissing, "crv"}, {MemberMissing, "x"}}},
		{"ec without members", Key{Kid: "1", Kty: "EC"}, []found{{MemberMissing, "crv"}, {MemberMissing, "x"}, {MemberMissing, "y"}}},
		{"rsa without members", Key{Kid: "1", Kty: "RSA"}, []found{{MemberMissing, "n"}, {MemberMissing, "e"}, {AlgDiscouraged, "kty"}}},
		{"x25519", with(edKey(), func(k *Key) { k.Crv = "X25519" }), []found{{CrvInvalid, "crv"}}},
		{"okp with an ec curve", with(edKey(), func(k *Key) { k.Crv = "P-256" }), []found{{CrvInvalid, "crv"}}},
		{"ec with an okp curve", with(ecKey(), func(k *Key) { k.Crv = "Ed25519" }), []found{{CrvInvalid, "crv"}}},
		{"secp256k1", with(ecKey(), func(k *Key) { k.Crv = "secp256k1" }), []found{{CrvInvalid, "crv"}}},
		{"padded", with(edKey(), func(k *Key) { k.X += "=" }), []found{{Base64Invalid, "x"}}},
		{"standard alphabet", with(edKey(), func(k *Key) { k.X = strings.ReplaceAll(k.X, "_", "/") }), []found{{Base64Invalid, "x"}}},
		{"line end", with(edKey(), func(k *Key) { k.X += "\n" }), []found{{Base64Invalid, "x"}}},
		{"stray bits", with(edKey(), func(k *Key) { k.X = k.X[:42] + "p" }), []found{{Base64Invalid, "x"}}},
		{"short", with(edKey(), func(k *Key) { k.X = k.X[:40] }), []found{{LengthInvalid, "x"}}},
		{"short y", with(ecKey(), func(k *Key) { k.Y = k.Y[:40] }), []found{{LengthInvalid, "y"}}},
		{"other curve's length", with(ecKey(), func(k *Key) { k.Crv, k.Alg = "P-384", "ES384" }), []found{
			{LengthInvalid, "x"}, {LengthInvalid, "y"}, {AlgDiscouraged, "alg"},
		}},
		{"swapped coordinates", with(ecKey(), func(k *Key) { k.X, k.Y = k.Y, k.X }), []found{{NotOnCurve, "x"}}},
		{"point at zero", with(edKey(), func(k *Key) { k.X = b64(make([]byte, 32)) }), []found{{NotOnCurve, "x"}}},
		{"rsa 1024", with(rsaKey(), func(k *Key) { k.N = k.N[:172] }), []found{{RSAWeak, "n"}, {AlgDiscouraged, "alg"}}},
		{"rsa zero-padded 1024", with(rsaKey(), func(k *Key) { k.N = strings.Repeat("A", 176) + k.N[:172] }), []found{
			{RSAWeak, "n"}, {AlgDiscouraged, "alg"},
		}},
		{"rsa even modulus", with(rsaKey(), func(k *Key) { k.N = "_" + strings.Repeat("A", 343) }), []found{
			{RSAWeak, "n"}, {AlgDiscouraged, "alg"},
		}},
		{"rsa e 1", with(rsaKey(), func(k *Key) { k.E = "AQ" }), []found{{RSAWeak, "e"}, {AlgDiscouraged, "alg"}}},
		{"rsa e 3", with(rsaKey(), func(k *Key) { k.E = "Aw" }), []found{{AlgDiscouraged, "alg"}}},
		{"rsa e even", with(rsaKey(), func(k *Key) { k.E = "AQAA" }), []found{{RSAWeak, "e"}, {AlgDiscouraged, "alg"}}},
		{"alg none", with(edKey(), func(k *Key) { k.Alg = "none" }), []found{{AlgMismatch, "alg"}}},
		{"alg hmac", with(ecKey(), func(k *Key) { k.Alg = "HS512" }), []found{{AlgMismatch, "alg"}}},
		{"alg unknown", with(ecKey(), func(k *Key) { k.Alg = "es256" }), []found{{AlgMismatch, "alg"}}},
		{"alg empty", with(ecKey(), func(k *Key) { k.Alg, k.Members = "", []string{"alg"} }), []found{{AlgMismatch, "alg"}}},
		{"alg of another kty", with(edKey(), func(k *Key) { k.Alg = "ES256" }), []found{{AlgMismatch, "alg"}}},
		{"alg of another curve", with(ecKey(), func(k *Key) { k.Alg = "ES384" }), []found{{AlgMismatch, "alg"}}},
		{"alg by its new name", with(edKey(), func(k *Key) { k.Alg = "Ed25519" }), []found{{AlgDiscouraged, "alg"}}},
		{"use enc", with(edKey(), func(k *Key) { k.Use = "enc" }), []found{{UseEnc, "use"}}},
		{"use other", with(edKey(), func(k *Key) { k.Use = "SIG" }), []found{{UseOther, "use"}}},
		{"use empty", with(edKey(), func(k *Key) { k.Use, k.Members = "", []string{"use"} }), []found{{UseOther, "use"}}},
		{"key_ops empty", with(edKey(), func(k *Key) { k.KeyOps = []string{} }), []found{{KeyOpsInvalid, "key_ops"}}},
		{"key_ops sign", with(edKey(), func(k *Key) { k.KeyOps = []string{"sign"} }), []found{
			{KeyOpsInvalid, "key_ops"}, {KeyOpsInvalid, "key_ops"},
		}},
		{"key_ops both", with(edKey(), func(k *Key) { k.KeyOps = []string{"sign", "verify"} }), []found{{KeyOpsInvalid, "key_ops"}}},
		{"private", with(edKey(), func(k *Key) { k.Members = []string{"kid", "d"} }), []found{{PrivateMaterial, "d"}}},
		{
			"rsa private", with(rsaKey(), func(k *Key) { k.Members = []string{"d", "p", "q", "dp", "dq", "qi", "oth"} }),
			[]found{
				{PrivateMaterial, "d"}, {PrivateMaterial, "p"}, {PrivateMaterial, "q"}, {PrivateMaterial, "dp"},
				{PrivateMaterial, "dq"}, {PrivateMaterial, "qi"}, {PrivateMaterial, "oth"}, {AlgDiscouraged, "alg"},
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, summary(Check(tt.key))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestGeneratedKeysPass(t *testing.T) {
	t.Parallel()
	for range 50 {
		public, _, err := stded25519.GenerateKey(rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		k := with(edKey(), func(k *Key) { k.X = b64(public) })
		if got := Check(k); len(got) != 0 {
			t.Errorf("Check of a fresh Ed25519 key %s: %v", k.X, got)
		}
	}
	for name, curve := range map[string]elliptic.Curve{"P-256": elliptic.P256(), "P-384": elliptic.P384(), "P-521": elliptic.P521()} {
		private, err := ecdsa.GenerateKey(curve, rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		point, err := private.PublicKey.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		half := (len(point) - 1) / 2
		got := Check(Key{Kid: "1", Kty: "EC", Crv: name, X: b64(point[1 : 1+half]), Y: b64(point[1+half:])})
		got = slices.DeleteFunc(got, func(p Problem) bool { return p.Kind == AlgDiscouraged })
		if len(got) != 0 {
			t.Errorf("Check of a fresh %s key: %v", name, got)
		}
	}
}

func TestEdwardsPoints(t *testing.T) {
	t.Parallel()
	zeros := strings.Repeat("00", 31)
	tests := []struct {
		name, point string
		want        bool
	}{
		{"base point", "5866666666666666666666666666666666666666666666666666666666666666", true},
		{"base point, other sign", "58666666666666666666666666666666666666666666666666666666666666e6", true},
		{"neutral", "01" + zeros, false},
		{"neutral, sign set", "01" + strings.Repeat("00", 30) + "80", false},
		{"order 2", "ec" + strings.Repeat("ff", 30) + "7f", false},
		{"order 4", "00" + zeros, false},
		{"order 8", "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05", false},
		{"order 8, other", "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a", false},
		{"y is p", "ed" + strings.Repeat("ff", 30) + "7f", false},
		{"y is p+3, otherwise on the curve", "f0" + strings.Repeat("ff", 30) + "7f", false},
		{"y is 2, not on the curve", "02" + zeros, false},
		{"y is 3", "03" + zeros, true},
		{"all ones", strings.Repeat("ff", 32), false},
		{"too short", zeros, false},
	}
	for _, tt := range tests {
		if got := usable25519(fromHex(t, tt.point)); got != tt.want {
			t.Errorf("%s: usable = %v, want %v", tt.name, got, tt.want)
		}
	}
	good := fromHex(t, rfcEd448)
	got := summary(Check(Key{Kid: "1", Kty: "OKP", Crv: "Ed448", X: b64(good)}))
	if diff := cmp.Diff([]found{{AlgDiscouraged, "crv"}}, got); diff != "" {
		t.Errorf("the Ed448 key of RFC 8032 (-want +got):\n%s", diff)
	}
	good[56] |= 1
	if usable448(good) {
		t.Error("an Ed448 key with a stray bit in its last byte is accepted")
	}
	for _, y := range []byte{0, 1} {
		if usable448(append([]byte{y}, make([]byte, 56)...)) {
			t.Errorf("the Ed448 point of small order with y = %d is accepted", y)
		}
	}
}

func TestThumbprint(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		key  Key
		want string
	}{
		{"rfc 8037", edKey(), "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"},
		{"rfc 7638", rsaKey(), "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs"},
		{"leading zeros", with(rsaKey(), func(k *Key) { k.E = "AAAAAQAB" }), "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs"},
		{"no kty", Key{}, ""},
		{"symmetric", Key{Kty: "oct"}, ""},
		{"no y", with(ecKey(), func(k *Key) { k.Y = "" }), ""},
		{"bad x", with(edKey(), func(k *Key) { k.X = "+" }), ""},
		{"quote in crv", with(edKey(), func(k *Key) { k.Crv = `a"` }), ""},
		{"rsa number zero", with(rsaKey(), func(k *Key) { k.E = "AA" }), ""},
	}
	for _, tt := range tests {
		got, ok := Thumbprint(tt.key)
		if got != tt.want || ok != (tt.want != "") {
			t.Errorf("%s: Thumbprint = %q, %v, want %q", tt.name, got, ok, tt.want)
		}
	}
	renamed, _ := Thumbprint(with(ecKey(), func(k *Key) { k.Kid, k.Use, k.Alg = "2", "", "" }))
	if original, ok := Thumbprint(ecKey()); !ok || original != renamed {
		t.Errorf("the kid changes the thumbprint: %q, %q", original, renamed)
	}
}

func TestCheckEncryption(t *testing.T) {
	t.Parallel()
	good := Key{
		Kid: "12345678", Kty: "OKP", Crv: "X25519", Use: "enc", X: "3p7bfXt9wbTTW2HC7OQ1Nz-DQ8hbeGdNrfx-FG-IK08",
		Members: []string{"kid", "kty", "crv", "use", "x"},
	}
	tests := []struct {
		name   string
		change func(*Key)
		want   []found
	}{
		{"good", func(*Key) {}, nil},
		{"eight characters, not bytes", func(k *Key) { k.Kid = "äöüäöüäö" }, nil},
		{"no kid", func(k *Key) { k.Kid = "" }, []found{{KidMissing, "kid"}}},
		{"long kid", func(k *Key) { k.Kid += "9" }, []found{{KidTooLong, "kid"}}},
		{"no kty", func(k *Key) { k.Kty = "" }, []found{{KtyMissing, "kty"}}},
		{"other kty", func(k *Key) { k.Kty = "EC" }, []found{{KtyUnknown, "kty"}}},
		{"no crv", func(k *Key) { k.Crv = "" }, []found{{MemberMissing, "crv"}}},
		{"signing curve", func(k *Key) { k.Crv = "Ed25519" }, []found{{CrvInvalid, "crv"}}},
		{"no use", func(k *Key) { k.Use = "" }, []found{{MemberMissing, "use"}}},
		{"use sig", func(k *Key) { k.Use = "sig" }, []found{{UseOther, "use"}}},
		{"no x", func(k *Key) { k.X = "" }, []found{{MemberMissing, "x"}}},
		{"short x", func(k *Key) { k.X = k.X[:40] }, []found{{LengthInvalid, "x"}}},
		{"padded x", func(k *Key) { k.X += "=" }, []found{{Base64Invalid, "x"}}},
		{"zero x", func(k *Key) { k.X = b64(make([]byte, 32)) }, []found{{NotOnCurve, "x"}}},
		{"x is one", func(k *Key) { k.X = b64(append([]byte{1}, make([]byte, 31)...)) }, []found{{NotOnCurve, "x"}}},
		{"closed", func(k *Key) { k.Members = append(slices.Clone(k.Members), "alg") }, []found{{MemberUnknown, "alg"}}},
		{"private", func(k *Key) { k.Members = append(slices.Clone(k.Members), "d") }, []found{{PrivateMaterial, "d"}}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, summary(CheckEncryption(with(good, tt.change)))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// A value that is wrong in any way must not turn up in the report about it.
func TestTextsDoNotRepeatValues(t *testing.T) {
	t.Parallel()
	const marker = "S3cret"
	for _, kty := range []string{"OKP", "EC", "RSA", "oct", marker} {
		for _, crv := range []string{"Ed25519", "P-256", "X25519", marker} {
			k := Key{
				Kid: marker, Kty: kty, Crv: crv, Alg: marker, Use: marker, X: marker, Y: marker, N: marker, E: marker,
				KeyOps: []string{marker}, Members: []string{"d", "k"},
			}
			for _, p := range slices.Concat(Check(k), CheckEncryption(k)) {
				if strings.Contains(p.Text+p.Member, marker) {
					t.Errorf("%+v repeats a value", p)
				}
			}
		}
	}
}

func FuzzCheck(f *testing.F) {
	f.Add("OKP", "Ed25519", "EdDSA", rfcEdX, "", "", "", "d")
	f.Add("EC", "P-256", "ES256", rfcP256X, rfcP256Y, "", "", "k")
	f.Add("RSA", "", "RS256", "", "", rfcN, "AQAB", "")
	f.Add("oct", "P-521", "none", "AA", "A", "==", "\n", "use")
	f.Fuzz(func(t *testing.T, kty, crv, alg, x, y, n, e, member string) {
		k := Key{Kid: "1", Kty: kty, Crv: crv, Alg: alg, X: x, Y: y, N: n, E: e, Members: []string{member}}
		for _, p := range slices.Concat(Check(k), CheckEncryption(k)) {
			if p.Kind == 0 || p.Text == "" {
				t.Errorf("incomplete problem %+v", p)
			}
		}
		if print, ok := Thumbprint(k); ok && len(print) != 43 {
			t.Errorf("thumbprint %q", print)
		}
	})
}
