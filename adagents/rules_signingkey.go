package adagents

import (
	"slices"

	"github.com/avow-project/avow/internal/std/jwk"
)

// otherKeyX is a second public key for the examples.
const otherKeyX = "PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw"

const goodKey = `{"kid": "k2", "kty": "OKP", "crv": "Ed25519", "x": "` + otherKeyX + `"}`

// signingKeyRules look at one pinned key that is an object. A key that is not usable is left
// out; the entry stays pinned, so losing every key means that no signature is
// accepted.
var signingKeyRules = [][]rule[*SigningKey]{keyShapeRules, keyValueRules, keyPurposeRules}

var keyObjectRules = []rule[*SigningKey]{
	{Rule: Rule{
		Code: "signing_key.not_object", Severity: Error, Effect: DropRef,
		Title: "a pinned key is not an object",
		Why:   "A key is a JSON Web Key. Its id or its text alone is not enough to verify a signature.",
		Hint:  "write the public key as a JSON Web Key with kid, kty and the members of its type",
		Spec:  "AdCP adagents.json schema, signing_keys",
		In:    InSigningKey,
		Bad:   `"k2"`,
		Good:  goodKey,
		fix:   removeIt(Likely, "remove elements that are not keys"),
	}, shapes: shapes{{notObject, 0, "the key is %s, not an object"}}},
}

func (c *content) keyProblems(k *SigningKey) []jwk.Problem {
	s := &c.agents.keys
	if s.of == k {
		return s.problems
	}
	s.of, s.problems = k, jwk.Check(signingJWK(k))
	return s.problems
}

// signingJWK is the key as package jwk takes it. Members of the wrong type are left
// out where a finding of their own says so.
func signingJWK(k *SigningKey) jwk.Key {
	key := jwk.Key{
		Kid: k.Kid, Kty: k.Kty, Alg: k.Alg, Use: k.Use, Crv: k.Crv,
		X: k.X, Y: k.Y, N: k.N, E: k.E, KeyOps: k.KeyOps,
		Members: make([]string, 0, k.Raw.Len()),
	}
	for m := range k.Raw.Members() {
		name := m.Name()
		switch {
		case name == "key_ops" && !m.Value().Is(Array):
		case (name == "alg" || name == "use") && !m.Value().Is(String):
		default:
			key.Members = append(key.Members, name)
		}
	}
	return key
}

// sayKey reports the rule for the problems of the given kinds, at the
// member each is about. A severity below the rule's own comes without effect.
func sayKey(r reporter, k *SigningKey, sev Severity, kinds ...jwk.Kind) {
	effect := r.rule.Effect
	if sev < r.rule.Severity {
		effect = NoEffect
	}
	for _, p := range r.keyProblems(k) {
		if slices.Contains(kinds, p.Kind) {
			sayMember(r, sev, effect, k.Raw, p.Member, keyName(k)+p.Text)
		}
	}
}

// sayMember reports the rule at a member of owner, present or not.
func sayMember(r reporter, sev Severity, effect Effect, owner Value, member, msg string) {
	if v := owner.Get(member); v.Exists() {
		r.sayWith(sev, effect, v, "%s", msg)
		return
	}
	r.add(owner.Node(), sev, effect, member, "%s", []any{msg})
}

// keyName puts the key's id in front of a message. The kid is public by
// nature; no other value of a key is ever shown.
func keyName(k *SigningKey) string {
	if k.Kid == "" {
		return ""
	}
	return "key " + quote(k.Kid) + ": "
}

// keyRule returns the check of a rule that stands for one kind of problem.
func keyRule(kinds ...jwk.Kind) func(reporter, *SigningKey) {
	return func(r reporter, k *SigningKey) {
		sayKey(r, k, r.severity(), kinds...)
	}
}

// keyShapeRules look at which members a key has.
var keyShapeRules = []rule[*SigningKey]{
	{Rule: Rule{
		Code: "signing_key.kid_missing", Severity: Error, Effect: DropRef,
		Title: "a pinned key has no kid",
		Why:   "A signature names its key by kid, so a key without one is never found.",
		Hint:  "add the kid the agent uses in its signatures",
		Spec:  "AdCP adagents.json schema, signing_keys",
		In:    InSigningKey,
		Bad:   `{"kty": "OKP", "crv": "Ed25519", "x": "` + otherKeyX + `"}`,
		Good:  goodKey,
	}, check: keyRule(jwk.KidMissing)},
	{Rule: Rule{
		Code: "signing_key.kty_missing", Severity: Error, Effect: DropRef,
		Title: "a pinned key has no kty",
		Why:   "kty says what kind of key it is; without it the other members mean nothing.",
		Hint:  "write OKP for an Ed25519 key, EC for a P-256 key",
		Spec:  "AdCP adagents.json schema, signing_keys",
		In:    InSigningKey,
		Bad:   `{"kid": "k2", "crv": "Ed25519", "x": "` + otherKeyX + `"}`,
		Good:  goodKey,
		fix:   keyType,
	}, check: keyRule(jwk.KtyMissing)},
	{Rule: Rule{
		Code: "signing_key.kty_unknown", Severity: Warning, Effect: DropRef,
		Title: "a pinned key is of an unknown type",
		Why:   "Readers know OKP, EC and RSA keys. A key of another type verifies nothing.",
		Hint:  "write OKP for an Ed25519 key, EC for a P-256 key",
		Spec:  "RFC 7517",
		In:    InSigningKey,
		Bad:   `{"kid": "k2", "kty": "Ed25519", "crv": "Ed25519", "x": "` + otherKeyX + `"}`,
		Good:  goodKey,
		fix:   keyType,
	}, check: keyRule(jwk.KtyUnknown)},
	{Rule: Rule{
		Code: "signing_key.symmetric", Severity: Error, Effect: DropRef,
		Title: "a pinned key is a shared secret",
		Why:   "Anyone who can verify with a shared secret can also sign with it, and the file is public.",
		Hint:  "pin the public half of an Ed25519 or P-256 key instead",
		Spec:  "RFC 7517",
		In:    InSigningKey,
		Bad:   `{"kid": "k2", "kty": "oct"}`,
		Good:  goodKey,
		fix:   oneOf(Choice, dropKey),
	}, check: keyRule(jwk.Symmetric)},
	{Rule: Rule{
		Code: "signing_key.private_material", Severity: Error, Effect: DropRef,
		Title: "a pinned key contains its private half",
		Why:   "The file is public. Anyone who has read it can sign in the agent's name, so treat the key as compromised.",
		Hint:  "replace the key everywhere and publish the public members only",
		Spec:  "RFC 7517",
		In:    InSigningKey,
		Bad: `{
  "kid": "k2",
  "kty": "OKP",
  "crv": "Ed25519",
  "x": "` + otherKeyX + `",
  "d": "(the private key)"
}`,
		Good: goodKey,
		fix:  removeIt(Likely, "remove the private part; the key is compromised, replace it"),
	}, check: keyRule(jwk.PrivateMaterial)},
	{Rule: Rule{
		Code: "signing_key.member_missing", Severity: Error, Effect: DropRef,
		Title: "a pinned key is incomplete",
		Why:   "An OKP key needs crv and x, an EC key crv, x and y, an RSA key n and e. An incomplete key verifies nothing.",
		Hint:  "copy the whole public key from the agent's key set",
		Spec:  "RFC 7517",
		In:    InSigningKey,
		Bad:   `{"kid": "k2", "kty": "OKP", "crv": "Ed25519"}`,
		Good:  goodKey,
		fix:   dropKey,
	}, check: keyRule(jwk.MemberMissing)},
}

const (
	p256X = "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4"
	p256Y = "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"
)

// keyValueRules look at the key itself.
var keyValueRules = []rule[*SigningKey]{
	{Rule: Rule{
		Code: "signing_key.crv_invalid", Severity: Error, Effect: DropRef,
		Title: "the curve of a pinned key does not fit",
		Why: "Signatures use Ed25519 or Ed448 with OKP and a NIST curve with EC. X25519 is for encryption and signs " +
			"nothing.",
		Hint: "write the crv of the agent's signing key",
		Spec: "RFC 7517",
		In:   InSigningKey,
		Bad:  `{"kid": "k2", "kty": "OKP", "crv": "X25519", "x": "` + otherKeyX + `"}`,
		Good: goodKey,
		fix:  oneOf(Choice, keyCurve, dropKey),
	}, check: keyRule(jwk.CrvInvalid)},
	{Rule: Rule{
		Code: "signing_key.b64_invalid", Severity: Error, Effect: DropRef,
		Title: "a member of a pinned key is not base64url",
		Why: "Key values are base64url without padding. Other alphabets and padding are read by some programs and " +
			"refused by others.",
		Hint: "use - and _ in place of + and /, and leave out the = at the end",
		Spec: "RFC 7517",
		In:   InSigningKey,
		Bad:  `{"kid": "k2", "kty": "OKP", "crv": "Ed25519", "x": "` + otherKeyX + `="}`,
		Good: goodKey,
		fix:  keyBytes,
	}, check: keyRule(jwk.Base64Invalid)},
	{Rule: Rule{
		Code: "signing_key.length_invalid", Severity: Error, Effect: DropRef,
		Title: "a member of a pinned key has the wrong length",
		Why: "The length follows from the curve: 32 bytes for Ed25519 and P-256. A shorter or longer value was cut or is " +
			"another key.",
		Hint: "copy the whole value from the agent's key set",
		Spec: "RFC 7517",
		In:   InSigningKey,
		Bad:  `{"kid": "k2", "kty": "OKP", "crv": "Ed25519", "x": "PUAXw-hDiVqStwqnTRt-vA"}`,
		Good: goodKey,
		fix:  dropKey,
	}, check: keyRule(jwk.LengthInvalid)},
	{Rule: Rule{
		Code: "signing_key.not_on_curve", Severity: Error, Effect: DropRef,
		Title: "a pinned key is not a point of its curve",
		Why:   "Such a value is not a key: it was mistyped, or made to weaken the check of signatures.",
		Hint:  "copy x and y from the agent's key set",
		Spec:  "RFC 7517",
		In:    InSigningKey,
		Bad: `{
  "kid": "k2",
  "kty": "EC",
  "crv": "P-256",
  "x": "` + p256X + `",
  "y": "` + p256X + `"
}`,
		Good: `{
  "kid": "k2",
  "kty": "EC",
  "crv": "P-256",
  "x": "` + p256X + `",
  "y": "` + p256Y + `"
}`,
		fix: dropKey,
	}, check: keyRule(jwk.NotOnCurve)},
	{Rule: Rule{
		Code: "signing_key.rsa_weak", Severity: Warning, Effect: DropRef,
		Title: "a pinned RSA key is weak",
		Why: "RSA keys below 2048 bits, or with an even modulus or exponent, can be broken. The signing profile does not " +
			"use RSA at all.",
		Hint: "pin an Ed25519 or P-256 key instead",
		Spec: "RFC 7517",
		In:   InSigningKey,
		Bad:  `{"kid": "k2", "kty": "RSA", "n": "u1SU1LfVLPHCozMxH2Mo4lgOEePzNm0tRgeLezV6ffAt0gunVTLw7onLRnrq0w", "e": "AQAB"}`,
		Good: goodKey,
	}, check: keyRule(jwk.RSAWeak)},
}

// keyPurposeRules look at what a key says it is for.
var keyPurposeRules = []rule[*SigningKey]{
	{Rule: Rule{
		Code: "signing_key.alg_mismatch", Severity: Error, Effect: DropRef,
		Title: "the alg of a pinned key does not fit",
		Why: "A key works with the algorithms of its type and curve only; none and the HS family are no public-key " +
			"signatures.",
		Hint:   "write EdDSA for Ed25519, ES256 for P-256",
		Spec:   "RFC 7517",
		Varies: "a warning without effect for a sound key outside EdDSA and ES256",
		In:     InSigningKey,
		Bad:    `{"kid": "k2", "kty": "OKP", "crv": "Ed25519", "alg": "ES256", "x": "` + otherKeyX + `"}`,
		Good:   `{"kid": "k2", "kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "x": "` + otherKeyX + `"}`,
		fix:    keyAlg,
	}, check: func(r reporter, k *SigningKey) {
		sayKey(r, k, Error, jwk.AlgMismatch)
		// A key with other faults is not worth a word about its kind.
		if len(r.keyProblems(k)) == 1 {
			sayKey(r, k, Warning, jwk.AlgDiscouraged)
		}
	}},
	{Rule: Rule{
		Code: "signing_key.use_invalid", Severity: Error, Effect: DropRef,
		Title:  "a pinned key is not for signatures",
		Why:    "The member use says what a key is for. A key marked for encryption must not verify signatures.",
		Hint:   "write sig, or leave the member out",
		Spec:   "RFC 7517",
		Varies: "a warning without effect when use is neither sig nor enc",
		In:     InSigningKey,
		Bad:    `{"kid": "k2", "kty": "OKP", "crv": "Ed25519", "use": "enc", "x": "` + otherKeyX + `"}`,
		Good:   `{"kid": "k2", "kty": "OKP", "crv": "Ed25519", "use": "sig", "x": "` + otherKeyX + `"}`,
		fix:    forPurpose("sig"),
	}, check: func(r reporter, k *SigningKey) {
		sayKey(r, k, Error, jwk.UseEnc)
		sayKey(r, k, Warning, jwk.UseOther)
	}},
	{Rule: Rule{
		Code: "signing_key.key_ops_invalid", Severity: Warning,
		Title: "key_ops of a pinned key does not fit",
		Why:   "A pinned key is used to verify. The operation sign belongs to the private half.",
		Hint:  `write ["verify"], or leave the member out`,
		Spec:  "RFC 7517",
		In:    InSigningKey,
		Bad:   `{"kid": "k2", "kty": "OKP", "crv": "Ed25519", "key_ops": ["sign"], "x": "` + otherKeyX + `"}`,
		Good:  `{"kid": "k2", "kty": "OKP", "crv": "Ed25519", "key_ops": ["verify"], "x": "` + otherKeyX + `"}`,
		fix:   remedy{Likely, func(x fixing) []Fix { return x.set("key_ops", x.List(`"verify"`)) }},
	}, check: keyRule(jwk.KeyOpsInvalid)},
}

// encryptionKeyRules are empty: the one rule about encryption keys compares
// the keys of an entry with each other and stands with the agent's.
var encryptionKeyRules = []rule[*EncryptionKey]{}

// encryptionKeyX is a public key for the examples.
const encryptionKeyX = "hSDwCYkwp1R0i33ctD73Wg2_Og0mOBr066SpjqqbTmo"

// encryptionKey reports everything that is wrong with one encryption key.
func encryptionKey(r reporter, k *EncryptionKey) {
	if !k.Raw.Is(Object) {
		sayLost(r, k, k.Raw, "the encryption key is "+k.Raw.Kind().String()+", not an object")
		return
	}
	key := jwk.Key{Kid: k.Kid, Kty: k.Kty, Crv: k.Crv, Use: k.Use, X: k.X}
	for m := range k.Raw.Members() {
		key.Members = append(key.Members, m.Name())
	}
	unknown := false
	for _, p := range jwk.CheckEncryption(key) {
		// One member too many is enough to say: a hostile key has thousands.
		if p.Kind == jwk.MemberUnknown && unknown {
			continue
		}
		unknown = unknown || p.Kind == jwk.MemberUnknown
		sayMember(r, Error, DropRef, k.Raw, p.Member, "encryption key: "+p.Text)
		r.out.lose(&k.effect, DropRef)
	}
}

// sayLost reports a key that is left out for what is found at a value.
func sayLost(r reporter, k *EncryptionKey, at Value, msg string) {
	r.sayWith(Error, DropRef, at, "%s", msg)
	r.out.lose(&k.effect, DropRef)
}
