package jwk

import (
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestJacobiSmall(t *testing.T) {
	t.Parallel()
	for n := int64(1); n < 200; n += 2 {
		for a := range int64(300) {
			want := big.Jacobi(big.NewInt(a), big.NewInt(n))
			if got := jacobi([limbs]uint64{uint64(a)}, [limbs]uint64{uint64(n)}); got != want {
				t.Errorf("jacobi(%d, %d) = %d, want %d", a, n, got, want)
			}
		}
	}
}

// TestJacobi compares with the standard library on numbers of every length,
// among them ones with long runs of equal bits.
func TestJacobi(t *testing.T) {
	t.Parallel()
	number := rapid.Custom(func(t *rapid.T) *big.Int {
		x := new(big.Int)
		for range rapid.IntRange(1, limbs).Draw(t, "limbs") {
			x.Lsh(x, 64)
			word := rapid.OneOf(rapid.Uint64(), rapid.SampledFrom([]uint64{0, 1, 1 << 63, 1<<64 - 1})).Draw(t, "limb")
			x.Or(x, new(big.Int).SetUint64(word))
		}
		return x
	})
	rapid.Check(t, func(t *rapid.T) {
		a, n := number.Draw(t, "a"), number.Draw(t, "n")
		n.SetBit(n, 0, 1)
		for _, modulus := range []*big.Int{n, ed25519.p, ed448.p} {
			if got, want := jacobi(words(a), words(modulus)), big.Jacobi(a, modulus); got != want {
				t.Fatalf("jacobi(%v, %v) = %d, want %d", a, modulus, got, want)
			}
			if a.BitLen() > 256 || modulus.BitLen() > 256 {
				continue
			}
			if got, want := jacobi256(narrow(a), narrow(modulus)), big.Jacobi(a, modulus); got != want {
				t.Fatalf("jacobi256(%v, %v) = %d, want %d", a, modulus, got, want)
			}
		}
	})
}

// TestSmallOrder holds the listed points to the equations behind them. Doubling
// a point of order eight gives one with y = 0, hence x² = y²/a and, with a = -1,
// the curve equation becomes 2*y² = 1 - d*y⁴.
func TestSmallOrder(t *testing.T) {
	t.Parallel()
	c := &ed25519
	for _, y := range c.small[3:] {
		yy := new(big.Int).Mul(y, y)
		sum := new(big.Int).Mul(yy, yy)
		sum.Mul(sum, c.d).Add(sum, yy).Add(sum, yy).Sub(sum, big.NewInt(1))
		if sum.Mod(sum, c.p).Sign() != 0 {
			t.Errorf("%x is not of order eight", y)
		}
	}
	// The other two roots of the equation must not be the y of any point:
	// their product with the listed one is -1/d.
	yy := new(big.Int).Mul(c.small[3], c.small[3])
	other := new(big.Int).Mul(yy, c.d)
	other.ModInverse(other, c.p).Neg(other).Mod(other, c.p)
	if big.Jacobi(other, c.p) == 1 {
		t.Error("there are more points of order eight than listed")
	}
}

// TestUsable25519 compares the arithmetic on words with the general one, on values near
// the prime and near those of small order as well.
func TestUsable25519(t *testing.T) {
	t.Parallel()
	special := [][]byte{make([]byte, 32), slices.Repeat([]byte{0xff}, 32)}
	for _, x := range append(slices.Clone(ed25519.small), ed25519.p) {
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
		if got, want := usable25519(b), ed25519.usable(b); got != want {
			t.Fatalf("%x: %v, want %v", b, got, want)
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
			ed448.usable(long)
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
