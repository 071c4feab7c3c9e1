// Package jwk checks the public keys a publisher pins in its file.
//
// A pinned key (RFC 7517) decides which signatures are accepted, so a key that
// cannot verify anything, or that its owner no longer controls because the
// private half was published with it, has to be found when the file is read and
// not when the first message arrives. [Check] examines one signing key,
// [CheckEncryption] one encryption key, and [Thumbprint] names the key material
// so that the same key under two names is noticed.
//
// The package takes plain strings, so it depends on no JSON reader, and its
// texts name members but never repeat their values: a report must not spread a
// private key further.
//
// Ed25519 and Ed448 points are checked for being on the curve and not of small
// order. What is made of big integers for that is not constant-time, which is fine
// for public keys and nothing else.
package jwk

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"strings"
)

// Key is one JSON Web Key as found in a file.
type Key struct {
	Kid, Kty, Alg, Use, Crv, X, Y, N, E string
	// KeyOps is the key_ops member.
	KeyOps []string
	// Members names every member the object has, known or not. A string field
	// above that is set is treated as present even if it is not listed here. Leave
	// out a member of the wrong JSON type that has been reported already.
	Members []string
}

// has reports whether the key has the named member, whose value is given.
func (k *Key) has(name, value string) bool {
	return value != "" || slices.Contains(k.Members, name)
}

// Kind says what is wrong with a key.
type Kind uint8

// The kinds of problem.
const (
	// KidMissing is a kid that is absent or empty.
	KidMissing Kind = iota + 1
	// KidTooLong is the kid of an encryption key above eight characters.
	KidTooLong
	// KtyMissing is a kty that is absent or empty.
	KtyMissing
	// KtyUnknown is a kty other than OKP, EC and RSA.
	KtyUnknown
	// Symmetric is the kty oct: a shared secret, which no public file can hold.
	Symmetric
	// MemberMissing is a member the kty requires.
	MemberMissing
	// MemberUnknown is a member an encryption key does not allow.
	MemberUnknown
	// CrvInvalid is a curve that does not fit the kty or the purpose.
	CrvInvalid
	// Base64Invalid is a value that is not unpadded base64url.
	Base64Invalid
	// LengthInvalid is a value of the wrong size for the curve.
	LengthInvalid
	// NotOnCurve is a point that is not on the curve or is unsafe to use.
	NotOnCurve
	// RSAWeak is an RSA key too small, or with an unusable exponent or modulus.
	RSAWeak
	// AlgMismatch is an alg that is unknown, symmetric, none, or does not fit
	// the key.
	AlgMismatch
	// AlgDiscouraged is a sound key that the signing profile does not use: it
	// takes EdDSA with Ed25519 and ES256 only.
	AlgDiscouraged
	// UseEnc is a signing key marked for encryption.
	UseEnc
	// UseOther is a use other than the expected one.
	UseOther
	// KeyOpsInvalid is a key_ops without verify, or with sign.
	KeyOpsInvalid
	// PrivateMaterial is a member of a private key. The key is to be treated as
	// compromised.
	PrivateMaterial
)

// Problem is one thing wrong with a key.
type Problem struct {
	// Kind says what is wrong.
	Kind Kind
	// Member is the member at fault, or the one that is missing.
	Member string
	// Text explains the problem, in lower case and without values of the key.
	Text string
}

// privateMembers are the members that only private and symmetric keys have,
// from RFC 7518 section 6.
var privateMembers = [...]string{"d", "p", "q", "dp", "dq", "qi", "oth", "k"}

// Check examines a signing key and lists what is wrong with it, in a fixed
// order. A missing member is reported once and not again by the checks that
// would have needed it.
func Check(k Key) []Problem {
	var c checker
	if k.Kid == "" {
		c.add(KidMissing, "kid", "the key has no kid, so no signature can refer to it")
	}
	c.privateMaterial(&k)
	c.material(&k)
	c.algorithm(&k)
	c.purpose(&k)
	return c.problems
}

// checker gathers problems.
type checker struct{ problems []Problem }

func (c *checker) add(kind Kind, member, text string) {
	c.problems = append(c.problems, Problem{kind, member, text})
}

func (c *checker) privateMaterial(k *Key) {
	for _, m := range privateMembers {
		if slices.Contains(k.Members, m) {
			c.add(PrivateMaterial, m,
				m+" belongs to a private key: remove it, replace the key, and treat the old one as compromised")
		}
	}
}

// material checks the members that hold the key itself.
func (c *checker) material(k *Key) {
	switch k.Kty {
	case "":
		c.add(KtyMissing, "kty", "the key has no kty")
	case "OKP":
		c.okp(k)
	case "EC":
		c.ec(k)
	case "RSA":
		c.rsa(k)
	case "oct":
		c.add(Symmetric, "kty", "oct is a shared secret and cannot be published: use OKP or EC")
	default:
		c.add(KtyUnknown, "kty", "kty is not one of OKP, EC and RSA")
	}
}

// purpose checks what the key says it is for.
func (c *checker) purpose(k *Key) {
	switch {
	case k.Use == "enc":
		c.add(UseEnc, "use", "the key is marked for encryption and verifies no signature: write sig")
	case k.Use != "sig" && k.has("use", k.Use):
		c.add(UseOther, "use", "use is not sig")
	}
	if k.KeyOps == nil && !slices.Contains(k.Members, "key_ops") {
		return
	}
	if !slices.Contains(k.KeyOps, "verify") {
		c.add(KeyOpsInvalid, "key_ops", "key_ops does not contain verify")
	}
	if slices.Contains(k.KeyOps, "sign") {
		c.add(KeyOpsInvalid, "key_ops", "key_ops contains sign, which is for private keys")
	}
}

// algorithms maps each asymmetric signature algorithm to the kty or curves it
// works with, from RFC 7518 section 3.1, RFC 8037 and RFC 9864.
var algorithms = map[string][]string{
	"EdDSA":   {"Ed25519", "Ed448"},
	"Ed25519": {"Ed25519"},
	"Ed448":   {"Ed448"},
	"ES256":   {"P-256"},
	"ES384":   {"P-384"},
	"ES512":   {"P-521"},
	"RS256":   {"RSA"},
	"RS384":   {"RSA"},
	"RS512":   {"RSA"},
	"PS256":   {"RSA"},
	"PS384":   {"RSA"},
	"PS512":   {"RSA"},
}

// algorithm checks alg against the key, and whether the signing profile uses
// such keys at all.
func (c *checker) algorithm(k *Key) {
	kind := k.Crv
	member := "crv"
	if k.Kty == "RSA" {
		kind, member = "RSA", "kty"
	}
	if k.has("alg", k.Alg) {
		member = "alg"
		if !c.algorithmFits(k, kind) {
			return
		}
	}
	profile := kind == "Ed25519" && (k.Alg == "" || k.Alg == "EdDSA") || kind == "P-256"
	if knownKey(k.Kty, kind) && !profile {
		c.add(AlgDiscouraged, member,
			"the signing profile accepts EdDSA with Ed25519 and ES256 only, so this key verifies nothing there")
	}
}

// algorithmFits reports a bad alg and says whether it is a good one. A key whose
// kty or crv is at fault has been reported already, so only the name is judged.
func (c *checker) algorithmFits(k *Key, kind string) bool {
	fits, known := algorithms[k.Alg]
	switch {
	case k.Alg == "none" || k.Alg == "HS256" || k.Alg == "HS384" || k.Alg == "HS512":
		c.add(AlgMismatch, "alg", "alg is not a public-key signature algorithm")
	case !known:
		c.add(AlgMismatch, "alg", "alg is not a known signature algorithm")
	case knownKey(k.Kty, kind) && !slices.Contains(fits, kind):
		c.add(AlgMismatch, "alg", "alg does not fit the kty and crv of the key")
	default:
		return true
	}
	return false
}

// knownKey reports whether kind, a curve or RSA, is one this package knows for
// the kty.
func knownKey(kty, kind string) bool {
	switch kty {
	case "OKP":
		return kind == "Ed25519" || kind == "Ed448"
	case "EC":
		return kind == "P-256" || kind == "P-384" || kind == "P-521"
	case "RSA":
		return true
	}
	return false
}

// Thumbprint gives the RFC 7638 SHA-256 thumbprint of the key in base64url. Two
// keys have the same one exactly when they hold the same material, whatever
// their kid. It reports false when a required member is missing or malformed.
//
// Leading zero bytes of an RSA number are left out, because RFC 7518 forbids
// them and some software writes them.
func Thumbprint(k Key) (string, bool) {
	var members []string // name and value in turn, in the order of RFC 7638
	switch k.Kty {
	case "OKP":
		members = []string{"crv", k.Crv, "kty", k.Kty, "x", canonical(k.X)}
	case "EC":
		members = []string{"crv", k.Crv, "kty", k.Kty, "x", canonical(k.X), "y", canonical(k.Y)}
	case "RSA":
		members = []string{"e", canonicalNumber(k.E), "kty", k.Kty, "n", canonicalNumber(k.N)}
	default:
		return "", false
	}
	var b strings.Builder
	for i := 0; i < len(members); i += 2 {
		if members[i+1] == "" || !isPlain(members[i+1]) {
			return "", false
		}
		b.WriteString(`,"` + members[i] + `":"` + members[i+1] + `"`)
	}
	sum := sha256.Sum256([]byte("{" + b.String()[1:] + "}"))
	return base64.RawURLEncoding.EncodeToString(sum[:]), true
}

// isPlain reports whether s needs no escaping in JSON, as is true of every curve
// name and base64url text.
func isPlain(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r < '!' || r > '~' || r == '"' || r == '\\' }) < 0
}

// canonical returns a base64url value, or "" when it is malformed.
func canonical(value string) string {
	var c checker
	_, ok := c.decode("", value)
	if !ok {
		return ""
	}
	return value
}

func canonicalNumber(value string) string {
	var c checker
	b, ok := c.decode("", value)
	if !ok {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(bytes.TrimLeft(b, "\x00"))
}
