package hostname

import (
	"errors"
	"strings"
	"testing"
)

func TestMemo(t *testing.T) {
	t.Parallel()
	var m Memo
	names := []string{
		"example.com", "Example.COM.", "bücher.example", "xn--bcher-kva.example", "xn--a.example",
		"", "a_b.com", "https://example.com/", strings.Repeat("ü", 2000),
	}
	for range 3 {
		for _, s := range names {
			name, change, err := m.Canonical(s)
			wantName, wantChange, wantErr := Canonical(s)
			var got, want *Error
			same := errors.As(err, &got) == errors.As(wantErr, &want) && (got == nil || got.Kind == want.Kind)
			if name != wantName || change != wantChange || !same {
				t.Errorf("Canonical(%q) = %q, %v, %v, want %q, %v, %v", s, name, change, err, wantName, wantChange, wantErr)
			}
		}
	}
	if len(m.known) != len(names)-2 {
		t.Errorf("%d names are kept, want all but the plain and the overlong one of %d", len(m.known), len(names))
	}
}

func TestMemoAllocations(t *testing.T) {
	var m Memo
	ask := func() {
		name, _, err := m.Canonical("bücher.example")
		if err != nil || name != "xn--bcher-kva.example" {
			t.Errorf("%q, %v", name, err)
		}
	}
	ask()
	if n := testing.AllocsPerRun(100, ask); n != 0 {
		t.Errorf("%v allocations for a name asked for before", n)
	}
}
