package pack

import (
	"bytes"
	"errors"
	"testing"

	"pgregory.net/rapid"
)

func TestSizedComesBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SliceOf(rapid.Byte()).Draw(t, "b")
		packed, err := Sized(b)
		if err != nil {
			t.Fatal(err)
		}
		have, err := Unsized(packed)
		if err != nil || !bytes.Equal(have, b) {
			t.Fatalf("%x came back as %x: %v", b, have, err)
		}
		for end := range packed {
			have, err := Unsized(packed[:end])
			// Nothing at all is read from a size alone, too.
			if !errors.Is(err, ErrDamaged) && (err != nil || !bytes.Equal(have, b)) {
				t.Fatalf("%d of %d bytes: %x, %v", end, len(packed), have, err)
			}
		}
		at := rapid.IntRange(0, len(packed)-1).Draw(t, "at")
		packed[at] ^= byte(rapid.IntRange(1, 255).Draw(t, "xor"))
		have, err = Unsized(packed)
		if err == nil && !bytes.Equal(have, b) {
			t.Fatalf("a changed byte makes %x of %x", have, b)
		}
	})
}

func TestSizedLimit(t *testing.T) {
	t.Parallel()
	_, err := Sized(make([]byte, Max+1))
	if !errors.Is(err, ErrTooLarge) {
		t.Errorf("packing too much: %v", err)
	}
	for _, packed := range [][]byte{nil, {0x80}, {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}, {0xff, 0xff, 0xff, 0xff, 0x0f}} {
		_, err := Unsized(packed)
		if !errors.Is(err, ErrDamaged) {
			t.Errorf("%x: %v", packed, err)
		}
	}
}
