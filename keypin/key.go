package keypin

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"math/big"
	"sync"
	"time"

	"github.com/avow-project/avow/internal/std/jwk"
	"github.com/avow-project/avow/internal/std/rfc3339"
)

// The algorithms of RFC 9421 that are accepted.
const (
	algEd25519 = "ed25519"
	algP256    = "ecdsa-p256-sha256"
)

// A Key is a public key that can verify signatures: Ed25519 or ECDSA on P-256. The zero
// Key verifies nothing.
type Key struct {
	id, alg, thumbprint string
	ed                  ed25519.PublicKey
	ec                  *ecdsa.PublicKey
	// revokedAt is when a revoked key ends; the zero time is before any signature.
	revoked   bool
	revokedAt time.Time
	// restricted: a supplied key is for the messages of one purpose only.
	restricted bool
	purpose    string
}

// ID returns the name that signatures refer to the key by.
func (k *Key) ID() string { return k.id }

// Thumbprint returns the RFC 7638 thumbprint, which names the key itself.
func (k *Key) Thumbprint() string { return k.thumbprint }

// Alg returns the algorithm as RFC 9421 names it.
func (k *Key) Alg() string { return k.alg }

// NewKey makes a key of the members of a JSON Web Key. It reports false when the key is
// of another type or not a sound one.
func NewKey(id, kty, crv, x, y string) (*Key, bool) {
	plain := jwk.Key{Kid: id, Kty: kty, Crv: crv, X: x, Y: y}
	if len(jwk.Check(plain)) > 0 {
		return nil, false
	}
	return soundKey(&plain)
}

// ParseKeys reads a key set, {"keys": [...]}, and returns the keys in it that can verify
// signatures. Others are left out, and so is a key whose private half is published with it. What
// a key says about itself holds: with an adcp_use it is for messages of that purpose only, and
// with a revoked_at for those that were signed before. It is an error when there are none.
func ParseKeys(src []byte) ([]*Key, error) {
	tree, err := strictJSON(src)
	if err != nil {
		return nil, errors.New("the key set: " + err.Error())
	}
	var out []*Key
	for _, v := range tree.Root().Get("keys").Elems() {
		text := func(name string) string { return v.Get(name).Str() }
		j := jwk.Key{Kid: text("kid"), Kty: text("kty"), Crv: text("crv"), X: text("x"), Y: text("y"), Alg: text("alg"),
			Use: text("use")}
		for m := range v.Members() {
			j.Members = append(j.Members, m.Name())
		}
		for _, op := range v.Get("key_ops").Elems() {
			j.KeyOps = append(j.KeyOps, op.Str())
		}
		k, ok := soundKey(&j)
		if !ok || len(jwk.Check(j)) > 0 {
			continue
		}
		k.restricted, k.purpose = v.Has("adcp_use"), text("adcp_use")
		// A time that cannot be read is the zero time, before any signature.
		k.revoked = v.Has("revoked_at")
		k.revokedAt, _ = rfc3339.Parse(text("revoked_at"))
		out = append(out, k)
	}
	if len(out) == 0 {
		return nil, errors.New("the key set has no Ed25519 or P-256 key")
	}
	return out, nil
}

// soundKey makes a key whose members have been checked.
func soundKey(j *jwk.Key) (*Key, bool) {
	print, ok := jwk.Thumbprint(*j)
	x, err := base64.RawURLEncoding.DecodeString(j.X)
	if !ok || err != nil || len(x) != 32 {
		return nil, false
	}
	k := &Key{id: j.Kid, thumbprint: print}
	switch {
	case j.Kty == "OKP" && j.Crv == "Ed25519":
		k.alg, k.ed = algEd25519, x
		return k, true
	case j.Kty == "EC" && j.Crv == "P-256":
		y, err := base64.RawURLEncoding.DecodeString(j.Y)
		if err != nil || len(y) != 32 {
			return nil, false
		}
		k.ec, err = ecdsa.ParseUncompressedPublicKey(elliptic.P256(), append(append([]byte{4}, x...), y...))
		k.alg = algP256
		return k, err == nil
	}
	return nil, false
}

// halfOrder is half the order of the group of P-256.
var halfOrder = sync.OnceValue(func() *big.Int { return new(big.Int).Rsh(elliptic.P256().Params().N, 1) })

// highS reports whether the second number of an ECDSA signature is the larger of the two
// that are as good as each other.
func highS(s *big.Int) bool { return s.Cmp(halfOrder()) > 0 }

// isHighS reports whether sig, a signature of the key, is in that form.
func (k *Key) isHighS(sig []byte) bool {
	return k.ec != nil && len(sig) == 64 && highS(new(big.Int).SetBytes(sig[32:]))
}

// verify reports whether sig is the key's signature over message.
func (k *Key) verify(message, sig []byte) bool {
	if len(sig) != 64 {
		return false
	}
	if k.ed != nil {
		return ed25519.Verify(k.ed, message, sig)
	}
	if k.ec == nil {
		return false
	}
	sum := sha256.Sum256(message)
	r, s := new(big.Int).SetBytes(sig[:32]), new(big.Int).SetBytes(sig[32:])
	return ecdsa.Verify(k.ec, sum[:], r, s)
}
