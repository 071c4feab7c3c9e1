package jwk

import (
	"bytes"
	"crypto/ecdh"
	"encoding/base64"
	"math/big"
	"math/bits"
	"slices"
	"strings"

	"filippo.io/edwards25519"
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

// usable25519 reports whether b encodes a point of edwards25519 in the one
// canonical way, and the point is not one of the few of small order. With those,
// signatures can be made that fit many messages.
func usable25519(b []byte) bool {
	point, err := new(edwards25519.Point).SetBytes(b)
	if err != nil || !below25519(b) {
		return false
	}
	eightfold := new(edwards25519.Point).MultByCofactor(point)
	return eightfold.Equal(edwards25519.NewIdentityPoint()) == 0
}

// below25519 reports whether the y of an encoded point is below the prime 2²⁵⁵ - 19. The
// other way to write a point twice, the sign of an x that is 0, is for points of small
// order only.
func below25519(b []byte) bool {
	top := b[31]&0x7f == 0x7f
	for _, c := range b[1:31] {
		top = top && c == 0xff
	}
	return !top || b[0] < 0xed
}

// The curve x² + y² = 1 + d*x²*y² of RFC 8032 section 5.2: its prime and d, and the y of
// the points of order one, two and four.
var (
	p448     = prime448()
	d448     = big.NewInt(-39081)
	small448 = []*big.Int{big.NewInt(1), new(big.Int).Sub(p448, big.NewInt(1)), new(big.Int)}
)

// prime448 is 2⁴⁴⁸ - 2²²⁴ - 1.
func prime448() *big.Int {
	one := big.NewInt(1)
	p := new(big.Int).Lsh(one, 448)
	return p.Sub(p, new(big.Int).Lsh(one, 224)).Sub(p, one)
}

// usable448 is usable25519 for edwards448. No profile has keys of it, so there is nothing
// but what tells a key from random bytes.
func usable448(b []byte) bool {
	be := slices.Clone(b)
	slices.Reverse(be)
	be[0] &= 0x7f // the top bit is the sign of x, the rest is y
	y := new(big.Int).SetBytes(be)
	if y.Cmp(p448) >= 0 || slices.ContainsFunc(small448, func(s *big.Int) bool { return s.Cmp(y) == 0 }) {
		return false
	}
	// x² is (1 - y²) / (1 - d*y²), and that is a square exactly when the product is one.
	one := big.NewInt(1)
	yy := new(big.Int).Mul(y, y)
	num := new(big.Int).Sub(one, yy)
	den := new(big.Int).Mul(d448, yy)
	den.Sub(one, den)
	num.Mul(num, den).Mod(num, p448)
	return big.Jacobi(num, p448) == 1
}
