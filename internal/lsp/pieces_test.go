package lsp

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// oneByOne makes changes by looking at the whole text again after each.
func oneByOne(text string, changes []textChange) string {
	for _, c := range changes {
		if c.Range == nil {
			text = c.Text
			continue
		}
		d := documentOf(text)
		start, end := d.offset(c.Range.Start), d.offset(c.Range.End)
		text = text[:start] + c.Text + text[max(start, end):]
	}
	return text
}

// TestChangesBetweenPieces: changes where one piece ends and the next begins come to what they do
// one by one.
func TestChangesBetweenPieces(t *testing.T) {
	t.Parallel()
	put := func(line, character int, text string) textChange {
		return textChange{&Range{Position{line, character}, Position{line, character}}, text}
	}
	whole, less := strings.Repeat("a", markEvery), strings.Repeat("a", markEvery-1)
	for name, tt := range map[string]struct {
		before string
		change textChange
	}{
		"a line feed comes behind a carriage return":   {less + "\rb\nc", put(1, 0, "\n")},
		"a carriage return comes before a line feed":   {whole + "\nb\nc", put(0, markEvery, "\r")},
		"a line feed is what is left":                  {less + "\rb\nc", textChange{&Range{Position{1, 0}, Position{1, 1}}, ""}},
		"a line break of two characters on the border": {less + "\r\nb\nc", put(1, 0, "x")},
		"a character of two units on the border":       {strings.Repeat("🚀", markEvery/4) + "b\nc", put(0, markEvery/2-1, "x")},
		"the border in a character":                    {less + "🚀b\nc", put(0, markEvery, "x")},
		"the end of a piece":                           {whole + "b\nc", put(0, markEvery, "x")},
		"before the end of a piece":                    {whole + "b\nc", put(0, markEvery-1, "x")},
		"a whole piece goes":                           {whole + whole + whole + "b\nc", textChange{&Range{Position{0, markEvery}, Position{0, 2 * markEvery}}, ""}},
	} {
		for line := range 4 {
			changes := []textChange{tt.change, put(line, 1, "y"), put(line, markEvery, "z")}
			got := string(documentOf(tt.before).changed(changes, func(text []byte) *document { return documentOf(string(text)) }).text)
			if want := oneByOne(tt.before, changes); got != want {
				t.Errorf("%s, then line %d: got the end %q, want %q", name, line, got[max(len(got)-12, 0):], want[max(len(want)-12, 0):])
			}
		}
	}
}

// TestChanges: many changes at once come to what they do one by one, and the result is looked at
// once.
func TestChanges(t *testing.T) {
	t.Parallel()
	text := rapid.Custom(func(t *rapid.T) string {
		some := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"\r", "\n", "\r\n", "a", "ü", "🚀", "\xff"}), 0, 6).Draw(t, "some"), "")
		return strings.Repeat(some, rapid.SampledFrom([]int{1, 1, 2, 700, 2000}).Draw(t, "times"))
	})
	rapid.Check(t, func(t *rapid.T) {
		before := strings.Join(rapid.SliceOfN(text, 0, 4).Draw(t, "before"), "")
		lines := strings.Count(before, "\n") + strings.Count(before, "\r")
		place := rapid.Custom(func(t *rapid.T) Position {
			return Position{rapid.IntRange(-1, lines+2).Draw(t, "line"), rapid.OneOf(rapid.IntRange(-1, 5), rapid.IntRange(0, 9000)).Draw(t, "character")}
		})
		changes := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) textChange {
			c := textChange{Text: text.Draw(t, "text")}
			if rapid.IntRange(0, 9).Draw(t, "part") > 0 {
				c.Range = &Range{place.Draw(t, "start"), place.Draw(t, "end")}
				if rapid.Bool().Draw(t, "empty") {
					c.Range.End = c.Range.Start
				}
			}
			return c
		}), 0, 8).Draw(t, "changes")
		looks := 0
		got := documentOf(before).changed(changes, func(text []byte) *document {
			looks++
			return documentOf(string(text))
		})
		if want := oneByOne(before, changes); string(got.text) != want {
			t.Fatalf("got %d bytes, want %d", len(got.text), len(want))
		}
		if looks != 1 {
			t.Fatalf("the text was looked at %d times", looks)
		}
	})
}
