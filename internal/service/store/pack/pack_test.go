package pack

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"
)

func TestBytesComeBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SliceOf(rapid.Byte()).Draw(t, "b")
		packed, err := Bytes(b)
		if err != nil {
			t.Fatal(err)
		}
		have, err := Unbytes(packed, int64(len(b)))
		if err != nil || !bytes.Equal(have, b) {
			t.Fatalf("%x came back as %x: %v", b, have, err)
		}
	})
}

func TestStringsComeBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var list []string
		for _, b := range rapid.SliceOf(rapid.SliceOf(rapid.Byte())).Draw(t, "list") {
			list = append(list, string(b))
		}
		packed, err := Strings(list)
		if err != nil {
			t.Fatal(err)
		}
		have, err := Unstrings[string](packed)
		if err != nil || !slices.Equal(have, list) {
			t.Fatalf("%q came back as %q: %v", list, have, err)
		}
	})
}

func TestFilesGetSmaller(t *testing.T) {
	t.Parallel()
	body := []byte(strings.Repeat(`{"property_type":"website","identifiers":[{"type":"domain","value":"site.example"}]},`, 100))
	packed, err := Bytes(body)
	if err != nil || len(packed) > len(body)/20 {
		t.Errorf("%d bytes are packed into %d: %v", len(body), len(packed), err)
	}
}

func TestLimit(t *testing.T) {
	t.Parallel()
	_, err := Bytes(make([]byte, Max+1))
	if !errors.Is(err, ErrTooLarge) {
		t.Errorf("packing too much: %v", err)
	}
	_, err = Strings([]string{strings.Repeat("x", Max)})
	if !errors.Is(err, ErrTooLarge) {
		t.Errorf("packing too much text: %v", err)
	}
	full, err := Bytes(make([]byte, Max))
	if err != nil {
		t.Fatal(err)
	}
	have, err := Unbytes(full, Max)
	if err != nil || len(have) != Max {
		t.Errorf("%d bytes came back as %d: %v", Max, len(have), err)
	}
}

// TestBombsDoNotGoOff: a few kilobytes that claim little and are a lot.
func TestBombsDoNotGoOff(t *testing.T) {
	t.Parallel()
	e, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	bomb := e.EncodeAll(make([]byte, 8*Max), nil)
	for _, size := range []int64{0, 10, Max, 8 * Max, 1 << 60, -1} {
		b, err := Unbytes(bomb, size)
		if !errors.Is(err, ErrDamaged) || b != nil {
			t.Errorf("size %d: %d bytes, %v", size, len(b), err)
		}
	}
	small := e.EncodeAll([]byte("four"), nil)
	for _, size := range []int64{0, 3, 5, Max} {
		_, err := Unbytes(small, size)
		if !errors.Is(err, ErrDamaged) {
			t.Errorf("size %d of 4: %v", size, err)
		}
	}
}

func FuzzUnstrings(f *testing.F) {
	for _, list := range [][]string{nil, {""}, {"a", "b"}, {strings.Repeat("x", 1000)}} {
		packed, err := Strings(list)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(packed)
	}
	f.Add([]byte{0})
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01})
	f.Fuzz(func(t *testing.T, packed []byte) {
		list, err := Unstrings[string](packed)
		if err != nil {
			if !errors.Is(err, ErrDamaged) {
				t.Fatalf("an error of another kind: %v", err)
			}
			return
		}
		total := 0
		for _, s := range list {
			total += len(s)
		}
		if total > Max {
			t.Fatalf("%d bytes were unpacked", total)
		}
	})
}
