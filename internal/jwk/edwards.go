package jwk

import (
	"math/big"
	"slices"
)

// edwards is the part of a twisted Edwards curve a*x² + y² = 1 + d*x²*y² that is
// needed to tell whether an encoded point is on it.
type edwards struct {
	p, a, d *big.Int
	// cofactorEight says that the curve has points of order eight.
	cofactorEight bool
	size          int
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
	return edwards{p: p, a: big.NewInt(-1), d: d, cofactorEight: true, size: 32}
}

func newEd448() edwards {
	p := powerOfTwo(448)
	p.Sub(p, powerOfTwo(224)).Sub(p, big.NewInt(1))
	d := new(big.Int).Sub(p, big.NewInt(39081))
	return edwards{p: p, a: big.NewInt(1), d: d, size: 57}
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
	one := big.NewInt(1)
	yy := new(big.Int).Mul(y, y)
	yy.Mod(yy, c.p)
	if y.Sign() == 0 || yy.Cmp(one) == 0 || c.orderEight(yy) {
		return false
	}
	// x² is (1 - y²) / (a - d*y²). A product is a square exactly when the
	// quotient is, which saves the inversion. The divisor cannot be zero,
	// because a/d is not a square on these curves.
	num := new(big.Int).Sub(one, yy)
	den := new(big.Int).Mul(c.d, yy)
	den.Sub(c.a, den)
	num.Mul(num, den).Mod(num, c.p)
	return big.Jacobi(num, c.p) == 1
}

// orderEight reports whether y² belongs to a point of order eight. Doubling such
// a point gives one with y = 0, hence x² = y²/a and, with a = -1, the curve
// equation becomes 2*y² = 1 - d*y⁴.
func (c *edwards) orderEight(yy *big.Int) bool {
	if !c.cofactorEight {
		return false
	}
	sum := new(big.Int).Mul(yy, yy)
	sum.Mul(sum, c.d)
	sum.Add(sum, yy).Add(sum, yy).Sub(sum, big.NewInt(1))
	return sum.Mod(sum, c.p).Sign() == 0
}
