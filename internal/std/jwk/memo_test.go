package jwk

import (
	"reflect"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestMemo holds a Memo to Check: keys that share some members and not others, in any
// order and again and again, get the answers that they get without a memory.
func TestMemo(t *testing.T) {
	t.Parallel()
	ed, ec, rsa := edKey(), ecKey(), rsaKey()
	values := []string{"", "OKP", "EC", "RSA", "oct", ed.Crv, ec.Crv, "Ed448", ed.X, ec.X, ec.Y, rsa.N, rsa.E, "!", "AA"}
	rapid.Check(t, func(t *rapid.T) {
		var m Memo
		var none *Memo
		for range 20 {
			k := rapid.SampledFrom([]Key{ed, ec, rsa, {}}).Draw(t, "key")
			changed := rapid.SampledFrom([]*string{&k.Kid, &k.Kty, &k.Alg, &k.Use, &k.Crv, &k.X, &k.Y, &k.N, &k.E}).Draw(t, "member")
			if rapid.Bool().Draw(t, "change") {
				*changed = rapid.SampledFrom(values).Draw(t, "value")
			}
			k.Members = rapid.SampledFrom([][]string{nil, {"d"}, {"x", "key_ops"}}).Draw(t, "members")
			want := Check(k)
			for _, memo := range []*Memo{&m, &m, none} {
				if got := memo.Check(k); !reflect.DeepEqual(got, want) {
					t.Fatalf("%+v: %+v, want %+v", k, got, want)
				}
			}
		}
	})
}

// TestMemoLimits checks that a Memo holds so many keys, the latest, and none that is very
// long or no point.
func TestMemoLimits(t *testing.T) {
	t.Parallel()
	var m Memo
	for i := range 3*memoKeys + 1 {
		m.Check(Key{Kty: "OKP", X: strconv.Itoa(i)})
	}
	if len(m.known) != 1 || len(m.older) != memoKeys {
		t.Errorf("%d and %d keys are held", len(m.known), len(m.older))
	}
	if held := m.Held(); held < memoKeys*100 || held > memoKeys*1000 {
		t.Errorf("%d bytes are held", held)
	}
	_, ok := m.recall(&point{kty: "OKP", x: strconv.Itoa(2 * memoKeys)})
	if !ok {
		t.Error("a key is forgotten too early")
	}
	for _, k := range []Key{{Kty: "OKP", X: strings.Repeat("A", memoLength)}, rsaKey(), {X: "a"}, {Kty: "oct", X: "b"}} {
		m.Check(k)
	}
	if len(m.known) != 1 {
		t.Error("a key is held in vain")
	}
}

// TestMemoAllocates checks that a key is not examined twice: the second time it takes no
// memory.
func TestMemoAllocates(t *testing.T) {
	k := ecKey()
	var m Memo
	m.Check(k)
	if n := testing.AllocsPerRun(10, func() { m.Check(k) }); n > 0 {
		t.Errorf("%v allocations for a known key", n)
	}
}
