package hostname

import (
	"errors"
	"fmt"
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
	if len(m.known) != 3 {
		t.Errorf("%d names are kept, want the three that IDNA judges", len(m.known))
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

// TestMemoFull asks for more names than are taken. Plain ones do not count.
func TestMemoFull(t *testing.T) {
	t.Parallel()
	m := Memo{known: make(map[string]answer)}
	for i := range maxMemo {
		m.known[fmt.Sprint(i)] = answer{}
	}
	name, _, err := m.Canonical("Example.com")
	if name != "example.com" || err != nil || m.Full() {
		t.Errorf("%q, %v, full %v", name, err, m.Full())
	}
	_, _, err = m.Canonical("b\u00fccher.example")
	if err == nil || !m.Full() {
		t.Errorf("error %v, full %v", err, m.Full())
	}
}

// TestMemoURL asks for URLs and compares with the function without a memory.
func TestMemoURL(t *testing.T) {
	t.Parallel()
	var m Memo
	urls := []string{
		"https://example.com/", "HTTPS://Example.com:443/a", "https://b\u00fccher.example/mcp", "https://xn--bcher-kva.example",
		"https://xn--a.example/", "https://a--b.example/", "https://[::1]/", "https://", "*", "https://" + strings.Repeat("\u00fc", 2000) + "/",
	}
	for range 3 {
		for _, raw := range urls {
			url, info, err := m.CanonicalURL(raw)
			wantURL, wantInfo, wantErr := CanonicalURL(raw)
			var got, want *Error
			same := errors.As(err, &got) == errors.As(wantErr, &want) && (got == nil || got.Kind == want.Kind)
			if url != wantURL || info != wantInfo || !same {
				t.Errorf("CanonicalURL(%q) = %q, %+v, %v, want %q, %+v, %v", raw, url, info, err, wantURL, wantInfo, wantErr)
			}
		}
	}
	if len(m.urls) != 3 {
		t.Errorf("%d hosts are kept, want the three that IDNA judges", len(m.urls))
	}
}
