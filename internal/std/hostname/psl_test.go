package hostname

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/net/publicsuffix"
)

// rules returns the rules of the embedded list.
func rules(tb testing.TB) []string {
	tb.Helper()
	var list []string
	for line := range strings.Lines(rulesText) {
		if !strings.HasPrefix(line, "#") {
			list = append(list, strings.TrimSpace(line))
		}
	}
	if len(list) < 9000 {
		tb.Fatalf("only %d rules in the embedded list", len(list))
	}
	return list
}

// agrees compares every answer about one name with x/net/publicsuffix.
func agrees(tb testing.TB, name string) {
	tb.Helper()
	want, _ := publicsuffix.PublicSuffix(name)
	got, _ := PublicSuffix(name)
	if got != want {
		tb.Errorf("PublicSuffix(%q) = %q, want %q", name, got, want)
	}
	if IsPublicSuffix(name) != (want == name) {
		tb.Errorf("IsPublicSuffix(%q) = %v, suffix is %q", name, IsPublicSuffix(name), want)
	}
	owner, ok := Registrable(name)
	wantOwner, err := publicsuffix.EffectiveTLDPlusOne(name)
	if ok != (err == nil) || ok && owner != wantOwner {
		tb.Errorf("Registrable(%q) = %q, %v, want %q, %v", name, owner, ok, wantOwner, err)
	}
}

func TestEveryRuleAgrees(t *testing.T) {
	t.Parallel()
	for _, rule := range rules(t) {
		base := strings.TrimPrefix(rule, "!")
		base = strings.TrimPrefix(base, "*.")
		for _, name := range []string{base, "a." + base, "b.a." + base, "c.b.a." + base, "x" + base} {
			agrees(t, name)
		}
		_, parent, found := strings.Cut(base, ".")
		if found {
			agrees(t, parent)
			agrees(t, "other."+parent)
		}
	}
}

func TestRandomNamesAgree(t *testing.T) {
	t.Parallel()
	list := rules(t)
	var pool []string
	for _, rule := range list {
		pool = append(pool, strings.Split(strings.TrimLeft(rule, "*!."), ".")...)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 100_000 {
		labels := make([]string, 1+r.IntN(5))
		for j := range labels {
			labels[j] = pool[r.IntN(len(pool))]
			if r.IntN(4) == 0 {
				labels[j] = fmt.Sprintf("n%d", r.IntN(1000))
			}
		}
		name := strings.Join(labels, ".")
		if i%2 == 0 {
			name += "." + strings.TrimLeft(list[r.IntN(len(list))], "*!.")
		}
		if endsInNumber(name) {
			continue
		}
		agrees(t, name)
	}
}

func TestRegistrable(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, suffix, owner string
	}{
		{"com", "com", ""},
		{"example.com", "com", "example.com"},
		{"a.b.example.com", "com", "example.com"},
		{"example.co.uk", "co.uk", "example.co.uk"},
		{"www.example.co.uk", "co.uk", "example.co.uk"},
		{"co.uk", "co.uk", ""},
		{"github.io", "github.io", ""},
		{"victim.github.io", "github.io", "victim.github.io"},
		{"www.victim.github.io", "github.io", "victim.github.io"},
		{"www.ck", "ck", "www.ck"},
		{"a.www.ck", "ck", "www.ck"},
		{"other.ck", "other.ck", ""},
		{"a.other.ck", "other.ck", "a.other.ck"},
		{"kawasaki.jp", "jp", "kawasaki.jp"},
		{"x.kawasaki.jp", "x.kawasaki.jp", ""},
		{"city.kawasaki.jp", "kawasaki.jp", "city.kawasaki.jp"},
		{"example", "example", ""},
		{"site.example", "example", "site.example"},
		{"no.such.tld-at-all", "tld-at-all", "such.tld-at-all"},
		{"xn--55qx5d.cn", "xn--55qx5d.cn", ""},
		{"", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, _ := PublicSuffix(tt.name)
			if got != tt.suffix {
				t.Errorf("suffix %q, want %q", got, tt.suffix)
			}
			owner, ok := Registrable(tt.name)
			if owner != tt.owner || ok != (tt.owner != "") {
				t.Errorf("registrable %q, %v, want %q", owner, ok, tt.owner)
			}
		})
	}
}

func TestAddressesHaveNoOwner(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"127.0.0.1", "1", "0x7f.1", "a.0x1f"} {
		_, ok := Registrable(name)
		if ok || IsPublicSuffix(name) {
			t.Errorf("%q is taken for a domain", name)
		}
	}
}

func TestListDate(t *testing.T) {
	t.Parallel()
	got := ListDate()
	if len(got) != len("2006-01-02") || got < "2026-01-01" || got[4] != '-' {
		t.Errorf("ListDate() = %q, want an ISO date of 2026 or later", got)
	}
}

func FuzzPublicSuffix(f *testing.F) {
	for _, name := range []string{"a.b.co.uk", "www.ck", "x.kawasaki.jp", "a.s3.amazonaws.com"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if IsCanonical(name) {
			agrees(t, name)
			return
		}
		got, _ := PublicSuffix(name)
		if !strings.HasSuffix(name, got) {
			t.Errorf("PublicSuffix(%q) = %q", name, got)
		}
		owner, _ := Registrable(name)
		if !strings.HasSuffix(name, owner) {
			t.Errorf("Registrable(%q) = %q", name, owner)
		}
	})
}

func BenchmarkPublicSuffix(b *testing.B) {
	suffixes()
	for _, name := range []string{"www.example.com", "news.example.co.uk", "www.victim.github.io", "site.example"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				PublicSuffix(name)
			}
		})
	}
}

func BenchmarkBuildSuffixes(b *testing.B) {
	for b.Loop() {
		buildSuffixes()
	}
}
