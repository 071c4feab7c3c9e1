package console

import (
	"testing"
)

func TestReflow(t *testing.T) {
	t.Parallel()
	if got := reflow("a b\nc d\n\n  x   y\ne", 5); got != "a b c\nd\n\n  x   y\ne" {
		t.Errorf("got %q", got)
	}
}

func TestShellQuote(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"": "''", "a/b.json": "a/b.json", "a b": "'a b'", "it's": `'it'\''s'`, "$(x)": "'$(x)'", "a\nb": "'a\nb'", "~": "'~'", "é": "'é'",
	} {
		if got := ShellQuote(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

func TestBytesInWords(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{
		0: "0 B", 999: "999 B", 1000: "1.0 kB", 9_940: "9.9 kB", 41_300: "41 kB", 999_400: "999 kB", 5_000_000: "5.0 MB", 20_000_000: "20.0 MB",
	} {
		if got := Bytes(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
