package jwk

import (
	"encoding/binary"
	"math/big"
	"slices"
)

// edwards is the part of a twisted Edwards curve a*x² + y² = 1 + d*x²*y² that is
// needed to tell whether an encoded point is on it.
type edwards struct {
	p, a, d *big.Int
	words   [limbs]uint64 // p
	small   []*big.Int    // the y of points of small order
	size    int
}

// ed25519 and ed448 have the parameters of RFC 8032 sections 5.1 and 5.2.
var (
	ed25519 = newEd25519()
	ed448   = newEd448()
)

func newEd25519() edwards {
	p := powerOfTwo(255)
	p.Sub(p, big.NewInt(19))
	// d is -121665/121666.
	d := new(big.Int).ModInverse(big.NewInt(121666), p)
	d.Mul(d, big.NewInt(-121665)).Mod(d, p)
	// The points of order eight have this y or its opposite.
	eighth, ok := new(big.Int).SetString("05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826", 16)
	if !ok {
		panic("jwk: malformed constant")
	}
	small := append(oneTwoFour(p), eighth, new(big.Int).Sub(p, eighth))
	return edwards{p: p, words: words(p), a: big.NewInt(-1), d: d, small: small, size: 32}
}

func newEd448() edwards {
	p := powerOfTwo(448)
	p.Sub(p, powerOfTwo(224)).Sub(p, big.NewInt(1))
	d := new(big.Int).Sub(p, big.NewInt(39081))
	return edwards{p: p, words: words(p), a: big.NewInt(1), d: d, small: oneTwoFour(p), size: 57}
}

// oneTwoFour returns the y of the points of order one, two and four, which are
// the same on every such curve.
func oneTwoFour(p *big.Int) []*big.Int {
	return []*big.Int{big.NewInt(1), new(big.Int).Sub(p, big.NewInt(1)), new(big.Int)}
}

func powerOfTwo(n uint) *big.Int { return new(big.Int).Lsh(big.NewInt(1), n) }

// usable reports whether b encodes a point of the curve in the one canonical
// way, and the point is not one of the few of small order. With those,
// signatures can be made that fit many messages.
func (c *edwards) usable(b []byte) bool {
	if len(b) != c.size {
		return false
	}
	be := slices.Clone(b)
	slices.Reverse(be)
	be[0] &= 0x7f // the top bit is the sign of x, the rest is y
	y := new(big.Int).SetBytes(be)
	if y.Cmp(c.p) >= 0 {
		return false
	}
	if slices.ContainsFunc(c.small, func(s *big.Int) bool { return s.Cmp(y) == 0 }) {
		return false
	}
	yy := new(big.Int).Mul(y, y)
	yy.Mod(yy, c.p)
	// x² is (1 - y²) / (a - d*y²). A product is a square exactly when the
	// quotient is, which saves the inversion. The divisor cannot be zero,
	// because a/d is not a square on these curves.
	num := new(big.Int).Sub(big.NewInt(1), yy)
	den := new(big.Int).Mul(c.d, yy)
	den.Sub(c.a, den)
	num.Mul(num, den).Mod(num, c.p)
	return jacobi(words(num), c.words) == 1
}

// words turns a number below 2⁴⁴⁸ into what jacobi takes.
func words(x *big.Int) [limbs]uint64 {
	var b [8 * limbs]byte
	x.FillBytes(b[:])
	var out [limbs]uint64
	for i := range out {
		out[i] = binary.BigEndian.Uint64(b[8*(limbs-1-i):])
	}
	return out
}

// narrow returns the low 256 bits of a number.
func narrow(x *big.Int) [4]uint64 {
	w := words(x)
	return [4]uint64(w[:4])
}

func narrowAll(list []*big.Int) []fe {
	out := make([]fe, len(list))
	for i, x := range list {
		out[i] = narrow(x)
	}
	return out
}
