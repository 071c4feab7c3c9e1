package jsontree

import (
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestCountRunes(t *testing.T) {
	t.Parallel()
	piece := rapid.SampledFrom([]string{"", "a", "eight by", "0123456789abcdef", "ü", "€uro", "\U0001f600", "\xff", "\xe2\x82"})
	rapid.Check(t, func(t *rapid.T) {
		var text []byte
		for _, s := range rapid.SliceOfN(piece, 0, 12).Draw(t, "pieces") {
			text = append(text, s...)
		}
		if got, want := countRunes(text), utf8.RuneCount(text); got != want {
			t.Fatalf("%q has %d characters, not %d", text, want, got)
		}
	})
}
