package jwk

import (
	"bytes"
	"crypto/ecdh"
	"encoding/base64"
	"math/bits"
	"slices"
	"strings"
)

// encoding is base64url without padding. The strict form also refuses a last
// character with stray bits, so each key has one spelling.
var encoding = base64.RawURLEncoding.Strict()

// decode reads one base64url member and reports it when it is missing or
// malformed.
func (c *checker) decode(member, value string) ([]byte, bool) {
	if value == "" {
		c.add(MemberMissing, member, "the key has no "+member)
		return nil, false
	}
	// The decoder skips line ends, which the format does not allow.
	if strings.ContainsAny(value, "\r\n") {
		c.add(Base64Invalid, member, member+" is not base64url without padding")
		return nil, false
	}
	b, err := encoding.DecodeString(value)
	if err != nil {
		c.add(Base64Invalid, member, member+" is not base64url without padding")
		return nil, false
	}
	return b, true
}

// coordinate reads a member that must have a certain number of bytes; a size of
// zero means the curve is unknown and any will do.
func (c *checker) coordinate(member, value string, size int) ([]byte, bool) {
	b, ok := c.decode(member, value)
	if !ok {
		return nil, false
	}
	if size != 0 && len(b) != size {
		c.add(LengthInvalid, member, member+" has the wrong length for the curve")
		return nil, false
	}
	return b, size != 0
}

func (c *checker) okp(k *Key) {
	size := 0
	switch k.Crv {
	case "Ed25519":
		size = 32
	case "Ed448":
		size = 57
	case "":
		c.add(MemberMissing, "crv", "the key has no crv")
	case "X25519", "X448":
		c.add(CrvInvalid, "crv", "the curve is for encryption; signing keys use Ed25519")
	default:
		c.add(CrvInvalid, "crv", "crv is not Ed25519 or Ed448")
	}
	x, ok := c.coordinate("x", k.X, size)
	if !ok {
		return
	}
	usable := usable25519
	if k.Crv == "Ed448" {
		usable = usable448
	}
	if !usable(x) {
		c.add(NotOnCurve, "x", "x is not a usable point of the curve")
	}
}

func (c *checker) ec(k *Key) {
	var curve ecdh.Curve
	size := 0
	switch k.Crv {
	case "P-256":
		curve, size = ecdh.P256(), 32
	case "P-384":
		curve, size = ecdh.P384(), 48
	case "P-521":
		curve, size = ecdh.P521(), 66
	case "":
		c.add(MemberMissing, "crv", "the key has no crv")
	default:
		c.add(CrvInvalid, "crv", "crv is not P-256, P-384 or P-521")
	}
	x, okX := c.coordinate("x", k.X, size)
	y, okY := c.coordinate("y", k.Y, size)
	if !okX || !okY {
		return
	}
	// 4 marks an uncompressed point in SEC 1.
	point := slices.Concat([]byte{4}, x, y)
	_, err := curve.NewPublicKey(point)
	if err != nil {
		c.add(NotOnCurve, "x", "x and y are not a point of the curve")
	}
}

const minRSABits = 2048

func (c *checker) rsa(k *Key) {
	n, ok := c.decode("n", k.N)
	if ok {
		switch {
		case bitLen(n) < minRSABits:
			c.add(RSAWeak, "n", "the RSA modulus has fewer than 2048 bits")
		case n[len(n)-1]&1 == 0:
			c.add(RSAWeak, "n", "the RSA modulus is even")
		}
	}
	e, ok := c.decode("e", k.E)
	if ok && (bitLen(e) < 2 || e[len(e)-1]&1 == 0) {
		c.add(RSAWeak, "e", "the RSA exponent is even or below 3")
	}
}

// bitLen is the length of a big-endian number without its leading zeros.
func bitLen(b []byte) int {
	b = bytes.TrimLeft(b, "\x00")
	if len(b) == 0 {
		return 0
	}
	return len(b)*8 - bits.LeadingZeros8(b[0])
}
