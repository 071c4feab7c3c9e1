package jwk

import (
	"crypto/ecdh"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// exchanges reports whether the standard library carries out an exchange with x;
// it refuses those whose result is zero.
func exchanges(t interface{ Fatal(...any) }, x []byte) bool {
	private, err := ecdh.X25519().NewPrivateKey(append([]byte{8}, make([]byte, 31)...))
	if err != nil {
		t.Fatal(err)
	}
	public, err := ecdh.X25519().NewPublicKey(x)
	if err != nil {
		t.Fatal(err)
	}
	_, err = private.ECDH(public)
	return err == nil
}

// TestLowOrder compares with real exchanges: every listed value, its
// neighbours, the spellings above the prime, and each with the top bit set.
func TestLowOrder(t *testing.T) {
	t.Parallel()
	values := [][]byte{}
	for v := range smallOrder {
		for _, step := range []byte{0, 1, 255} {
			near := slices.Clone(v[:])
			near[0] += step
			values = append(values, near)
		}
	}
	for low := range 20 {
		above := slices.Repeat([]byte{0xff}, 32)
		above[0], above[31] = byte(0xec+low), 0x7f
		values = append(values, above)
	}
	refused := 0
	for _, v := range values {
		for _, top := range []byte{0, 0x80} {
			x := slices.Clone(v)
			x[31] |= top
			got, want := lowOrder(x), !exchanges(t, x)
			if got != want {
				t.Errorf("%x: lowOrder = %v, want %v", x, got, want)
			}
			if got {
				refused++
			}
		}
	}
	if refused < 14 {
		t.Errorf("only %d values of small order", refused)
	}
}

func TestLowOrderArbitrary(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "x")
		if got, want := lowOrder(x), !exchanges(t, x); got != want {
			t.Fatalf("%x: lowOrder = %v, want %v", x, got, want)
		}
	})
}
