package jwk

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// Nearly every pinned key is one of Ed25519, so its arithmetic is done once more here, on
// four words instead of numbers of any size: that takes a third of the time and no
// memory. A test holds it to the general one.

// fe is a number modulo 2²⁵⁵ - 19, little-endian, not always the smallest such number.
type fe [4]uint64

var (
	d25519     = fe(narrow(ed25519.d))
	p25519     = fe(narrow(ed25519.p))
	minusOne   = fe{p25519[0] - 1, p25519[1], p25519[2], p25519[3]}
	small25519 = narrowAll(ed25519.small)
)

// usable25519 is the method usable of ed25519.
func usable25519(b []byte) bool {
	if len(b) != 32 {
		return false
	}
	var y fe
	for i := range y {
		y[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	y[3] &= 1<<63 - 1 // the top bit is the sign of x
	if !y.below(&p25519) || slices.Contains(small25519, y) {
		return false
	}
	// x² is (y² - 1) / (d*y² + 1), and that is a square when the product is one.
	yy := y.times(&y)
	num, den := yy.plus(&minusOne), yy.times(&d25519)
	den = den.plus(&fe{1})
	return jacobi256(num.times(&den), p25519) == 1
}

func (a *fe) below(b *fe) bool {
	var borrow uint64
	for i := range a {
		_, borrow = bits.Sub64(a[i], b[i], borrow)
	}
	return borrow == 1
}

func (a *fe) plus(b *fe) fe {
	var sum fe
	var carry uint64
	for i := range a {
		sum[i], carry = bits.Add64(a[i], b[i], carry)
	}
	sum.fold(carry)
	return sum
}

// fold adds n times 2²⁵⁶, which leaves 38. When that carries, what is left is small, and
// does not carry again.
func (a *fe) fold(n uint64) {
	for n != 0 {
		var carry uint64
		a[0], carry = bits.Add64(a[0], 38*n, 0)
		for i := 1; i < len(a); i++ {
			a[i], carry = bits.Add64(a[i], 0, carry)
		}
		n = carry
	}
}

func (a *fe) times(b *fe) fe {
	var wide [8]uint64
	for i, x := range a {
		wide[i+4] = addProduct((*fe)(wide[i:i+4]), b, x)
	}
	low := fe(wide[:4])
	over := addProduct(&low, (*fe)(wide[4:]), 38)
	low.fold(over)
	return low
}

// addProduct adds x times b to a and returns what does not fit.
func addProduct(a, b *fe, x uint64) uint64 {
	var over uint64
	for i := range a {
		high, low := bits.Mul64(b[i], x)
		var carry uint64
		low, carry = bits.Add64(low, over, 0)
		high += carry
		a[i], carry = bits.Add64(a[i], low, 0)
		over = high + carry
	}
	return over
}
