package jwk

import (
	"crypto/ecdh"
	"slices"
	"unicode/utf8"
)

// maxEncryptionKid is the longest kid of an encryption key, in characters. The
// format carries it in every encrypted value, where space is short.
const maxEncryptionKid = 8

// encryptionMembers are the only members an encryption key may have.
var encryptionMembers = [...]string{"kid", "kty", "crv", "use", "x"}

// CheckEncryption examines an encryption key, which is an X25519 key with
// exactly the members kid, kty, crv, use and x.
func CheckEncryption(k Key) []Problem {
	var c checker
	c.encryptionKid(k.Kid)
	c.constant(KtyUnknown, "kty", k.Kty, "OKP")
	c.constant(CrvInvalid, "crv", k.Crv, "X25519")
	c.constant(UseOther, "use", k.Use, "enc")
	x, ok := c.coordinate("x", k.X, 32)
	if ok && lowOrder(x) {
		c.add(NotOnCurve, "x", "x is a point of small order and protects nothing")
	}
	c.privateMaterial(&k)
	for _, m := range k.Members {
		if !slices.Contains(encryptionMembers[:], m) && !slices.Contains(privateMembers[:], m) {
			c.add(MemberUnknown, m, "an encryption key has only the members kid, kty, crv, use and x")
		}
	}
	return c.problems
}

func (c *checker) encryptionKid(kid string) {
	switch {
	case kid == "":
		c.add(KidMissing, "kid", "the key has no kid")
	case utf8.RuneCountInString(kid) > maxEncryptionKid:
		c.add(KidTooLong, "kid", "the kid of an encryption key has at most 8 characters")
	}
}

// constant checks a member that has one allowed value.
func (c *checker) constant(kind Kind, member, value, want string) {
	switch value {
	case want:
	case "":
		if member == "kty" {
			kind = KtyMissing
		} else {
			kind = MemberMissing
		}
		c.add(kind, member, "the key has no "+member)
	default:
		c.add(kind, member, member+" of an encryption key must be "+want)
	}
}

// lowOrder reports whether x is one of the X25519 values whose shared secret is
// always zero. The standard library refuses such an exchange, so one exchange
// with an arbitrary fixed scalar gives the answer.
func lowOrder(x []byte) bool {
	scalar := [32]byte{0: 8, 31: 64}
	private, err := ecdh.X25519().NewPrivateKey(scalar[:])
	if err != nil {
		return false
	}
	public, err := ecdh.X25519().NewPublicKey(x)
	if err != nil {
		return true
	}
	_, err = private.ECDH(public)
	return err != nil
}
