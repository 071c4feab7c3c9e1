package jwk

import "math/bits"

// limbs is the size of the largest number the symbol is computed for: 448 bits.
const limbs = 7

// jacobi computes the Jacobi symbol of a over n, both little-endian and n odd.
// It is the binary form of the algorithm on plain words: the general one for
// numbers of any size allocates in every step and takes ten times as long, and
// a hostile file has two hundred thousand keys.
//
// Three facts carry it: a factor 2 of a turns the sign when n is 3 or 5 modulo
// 8; exchanging two odd numbers turns it when both are 3 modulo 4; and taking n
// from a changes nothing.
func jacobi(first, second [limbs]uint64) int {
	a, n := first[:], second[:]
	var turns uint64 // bit 1 is the sign
	for {
		for last := len(a) - 1; last > 0 && a[last]|n[last] == 0; last-- {
			a, n = a[:last], n[:last]
		}
		if len(a) == 1 {
			return jacobiWord(a[0], n[0], turns)
		}
		zeros := shiftOdd(a)
		if zeros < 0 {
			return 0 // n is the common divisor, and it is not 1
		}
		// n is 3 or 5 modulo 8 exactly when its bits 1 and 2 differ.
		turns ^= uint64(zeros<<1) & (n[0] ^ n[0]>>1)
		if less(a, n) {
			turns ^= a[0] & n[0]
			a, n = n, a
		}
		subtract(a, n)
	}
}

// jacobi256 is jacobi for numbers of 256 bits, which stay in registers.
func jacobi256(a, n [4]uint64) int {
	a0, a1, a2, a3 := a[0], a[1], a[2], a[3]
	n0, n1, n2, n3 := n[0], n[1], n[2], n[3]
	var turns uint64 // bit 1 is the sign
	for a1|a2|a3|n1|n2|n3 != 0 {
		if a0 == 0 {
			if a1|a2|a3 == 0 {
				return 0
			}
			a0, a1, a2, a3 = a1, a2, a3, 0 // 64 factors turn nothing
			continue
		}
		s := bits.TrailingZeros64(a0) & 63
		up := 63 - s
		a0, a1, a2, a3 = a0>>s|a1<<1<<up, a1>>s|a2<<1<<up, a2>>s|a3<<1<<up, a3>>s
		turns ^= uint64(s<<1) & (n0 ^ n0>>1)
		d0, borrow := bits.Sub64(a0, n0, 0)
		d1, borrow := bits.Sub64(a1, n1, borrow)
		d2, borrow := bits.Sub64(a2, n2, borrow)
		d3, borrow := bits.Sub64(a3, n3, borrow)
		if borrow != 0 {
			turns ^= a0 & n0
			n0, n1, n2, n3 = a0, a1, a2, a3
			d0, borrow = bits.Sub64(0, d0, 0)
			d1, borrow = bits.Sub64(0, d1, borrow)
			d2, borrow = bits.Sub64(0, d2, borrow)
			d3, _ = bits.Sub64(0, d3, borrow)
		}
		a0, a1, a2, a3 = d0, d1, d2, d3
	}
	return jacobiWord(a0, n0, turns)
}

// jacobiWord does the same for numbers of one word, given the sign so far.
func jacobiWord(a, n, turns uint64) int {
	for a != 0 {
		zeros := bits.TrailingZeros64(a)
		a >>= zeros
		turns ^= uint64(zeros<<1) & (n ^ n>>1)
		if a < n {
			turns ^= a & n
			a, n = n, a
		}
		a -= n
	}
	if n != 1 {
		return 0
	}
	return 1 - int(turns&2)
}

// shiftOdd divides a by two until it is odd and returns how often, or -1 when a
// is zero.
func shiftOdd(a []uint64) int {
	zeros := 0
	for a[0] == 0 {
		copy(a, a[1:])
		a[len(a)-1] = 0
		zeros += 64
		if zeros >= 64*len(a) {
			return -1
		}
	}
	s := bits.TrailingZeros64(a[0])
	last := len(a) - 1
	for i := range last {
		a[i] = a[i]>>s | a[i+1]<<(64-s)
	}
	a[last] >>= s
	return zeros + s
}

func less(a, b []uint64) bool {
	for i := len(a) - 1; i > 0; i-- {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return a[0] < b[0]
}

// subtract takes b from a, which is not smaller.
func subtract(a, b []uint64) {
	var borrow uint64
	for i := range a {
		a[i], borrow = bits.Sub64(a[i], b[i], borrow)
	}
}
