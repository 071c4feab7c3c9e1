package jwk

import (
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestUsable25519 holds the points that are accepted to the equation of the curve, on
// values near the prime and near those of small order as well.
func TestUsable25519(t *testing.T) {
	t.Parallel()
	one := big.NewInt(1)
	p := new(big.Int).Lsh(one, 255)
	p.Sub(p, big.NewInt(19))
	d := new(big.Int).ModInverse(big.NewInt(121666), p)
	d.Mul(d, big.NewInt(-121665)).Mod(d, p)
	// The points of order eight have this y or its opposite.
	eighth, _ := new(big.Int).SetString("05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826", 16)
	small := []*big.Int{one, new(big.Int).Sub(p, one), new(big.Int), eighth, new(big.Int).Sub(p, eighth)}
	want := func(b []byte) bool {
		be := slices.Clone(b)
		slices.Reverse(be)
		be[0] &= 0x7f
		y := new(big.Int).SetBytes(be)
		if y.Cmp(p) >= 0 || slices.ContainsFunc(small, func(s *big.Int) bool { return s.Cmp(y) == 0 }) {
			return false
		}
		// x² is (y² - 1) / (d*y² + 1).
		yy := new(big.Int).Mul(y, y)
		xx := new(big.Int).Mul(d, yy)
		xx.Add(xx, one).ModInverse(xx, p).Mul(xx, yy.Sub(yy, one))
		return new(big.Int).ModSqrt(xx.Mod(xx, p), p) != nil
	}
	special := [][]byte{make([]byte, 32), slices.Repeat([]byte{0xff}, 32)}
	for _, x := range append(slices.Clone(small), p) {
		b := x.FillBytes(make([]byte, 32))
		slices.Reverse(b)
		special = append(special, b)
	}
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "bytes")
		if rapid.Bool().Draw(t, "near") {
			b = slices.Clone(rapid.SampledFrom(special).Draw(t, "special"))
			b[0] += byte(rapid.IntRange(-20, 20).Draw(t, "step"))
			b[31] ^= byte(rapid.SampledFrom([]int{0, 0x80}).Draw(t, "sign"))
		}
		if got := usable25519(b); got != want(b) {
			t.Fatalf("%x: %v, want %v", b, got, !got)
		}
	})
	for _, size := range []int{0, 31, 33} {
		if usable25519(make([]byte, size)) {
			t.Errorf("%d bytes are a point", size)
		}
	}
}

func BenchmarkPoint(b *testing.B) {
	x := []byte("a value that is no point, may be")
	b.Run("Ed25519", func(b *testing.B) {
		for b.Loop() {
			x[0]++
			usable25519(x)
		}
	})
	b.Run("Ed448", func(b *testing.B) {
		long := append(append([]byte{}, x...), make([]byte, 25)...)
		for b.Loop() {
			long[0]++
			usable448(long)
		}
	})
	b.Run("P-256", func(b *testing.B) {
		k := ecKey()
		for b.Loop() {
			Check(k)
		}
	})
	b.Run("X25519", func(b *testing.B) {
		for b.Loop() {
			x[0]++
			lowOrder(x)
		}
	})
}
