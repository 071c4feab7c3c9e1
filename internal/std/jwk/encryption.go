package jwk

import (
	"encoding/hex"
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

// smallOrder are the X25519 values below 2²⁵⁵ - 19 whose shared secret is always
// zero: 0, 1, -1 and the two of order eight.
var smallOrder = map[[32]byte]struct{}{
	{}:     {},
	{0: 1}: {},
	littleEndian("7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffec"): {},
	littleEndian("00b8495f16056286fdb1329ceb8d09da6ac49ff1fae35616aeb8413b7c7aebe0"): {},
	littleEndian("57119fd0dd4e22d8868e1c58c45c44045bef839c55b1d0b1248c50a3bc959c5f"): {},
}

// littleEndian reads a number of 32 bytes in hexadecimal, as people write it.
func littleEndian(number string) [32]byte {
	b, err := hex.DecodeString(number)
	if err != nil {
		panic(err)
	}
	slices.Reverse(b)
	return [32]byte(b)
}

// lowOrder reports whether x, of 32 bytes, is one of the X25519 values whose
// shared secret is always zero. An exchange would tell as well and take a
// hundred times as long. As RFC 7748 says, the top bit is ignored and numbers
// from 2²⁵⁵ - 19 on stand for what remains of them.
func lowOrder(x []byte) bool {
	reduced := [32]byte(x)
	reduced[31] &= 0x7f
	if reduced[0] >= 0xed && reduced[31] == 0x7f && !slices.ContainsFunc(reduced[1:31], func(b byte) bool {
		return b != 0xff
	}) {
		reduced = [32]byte{0: reduced[0] - 0xed}
	}
	_, ok := smallOrder[reduced]
	return ok
}
