package jwk

import (
	"math/big"
	"slices"

	"filippo.io/edwards25519"
)

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
