package hostname

import (
	"errors"
	"strings"
	"testing"
)

// kindOf returns the Kind of an error of this package, zero for nil.
func kindOf(tb testing.TB, err error) Kind {
	tb.Helper()
	if err == nil {
		return 0
	}
	var fault *Error
	if !errors.As(err, &fault) {
		tb.Fatalf("error %v is not an *Error", err)
	}
	return fault.Kind
}

// long is a name of exactly n octets with labels of at most 63.
func long(n int) string {
	name := strings.Repeat(strings.Repeat("a", 49)+".", 10)
	return name[len(name)-(n-3):] + "com"
}

func TestCanonicalAccepts(t *testing.T) {
	t.Parallel()
	label := strings.Repeat("a", 63)
	tests := []struct {
		in, want string
		change   Change
	}{
		{"example.com", "example.com", 0},
		{"a-b.c1.example", "a-b.c1.example", 0},
		{"1.example", "1.example", 0},
		{"xn--bcher-kva.example", "xn--bcher-kva.example", 0},
		{"example.xn--p1ai", "example.xn--p1ai", 0},
		{label + ".com", label + ".com", 0},
		{long(253), long(253), 0},
		{"Example.COM", "example.com", ChangeCase},
		{"example.com.", "example.com", ChangeTrailingDot},
		{"EXAMPLE.com.", "example.com", ChangeCase | ChangeTrailingDot},
		{" example.com\n", "example.com", ChangeSpace},
		{"\u00a0example.com", "example.com", ChangeSpace},
		{"https://example.com", "example.com", ChangeScheme},
		{"HTTP://example.com", "example.com", ChangeScheme},
		{"https://example.com/", "example.com", ChangeScheme | ChangeSlash},
		{"example.com/", "example.com", ChangeSlash},
		{"example.com./", "example.com", ChangeSlash | ChangeTrailingDot},
		{"example.com/path", "example.com", ChangePath},
		{"example.com//", "example.com", ChangePath},
		{"example.com?q", "example.com", ChangePath},
		{"example.com#f", "example.com", ChangePath},
		{"example.com/a@b", "example.com", ChangePath},
		{"example.com/x?u=https://other.example", "example.com", ChangePath},
		{"example.com:443", "example.com", ChangePort},
		{"example.com:", "example.com", ChangePort},
		{"http://example.com:80/x", "example.com", ChangeScheme | ChangePort | ChangePath},
		{"bücher.example", "xn--bcher-kva.example", ChangeIDN},
		{"BÜCHER.Example", "xn--bcher-kva.example", ChangeIDN | ChangeCase},
		{"straße.example", "xn--strae-oqa.example", ChangeIDN},
		{"example。com", "example.com", ChangeIDN},
		{"example.com。", "example.com", ChangeIDN | ChangeTrailingDot},
		{"ⓔⓧⓐⓜⓟⓛⓔ.com", "example.com", ChangeIDN},
		{"XN--BCHER-KVA.example", "xn--bcher-kva.example", ChangeCase},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			t.Parallel()
			got, change, err := Canonical(tt.in)
			if got != tt.want || change != tt.change || err != nil {
				t.Errorf("got %q, %q, %v, want %q, %q", got, change, err, tt.want, tt.change)
			}
			if IsCanonical(tt.in) != (tt.change == 0) {
				t.Errorf("IsCanonical = %v", IsCanonical(tt.in))
			}
		})
	}
}

func TestCanonicalRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		in   string
		want Kind
	}{
		{"", Empty}, {"  ", Empty}, {"https://", Empty}, {"/path", Empty}, {":443", Empty},
		{".", EmptyLabel}, {"..", EmptyLabel}, {"a..b", EmptyLabel}, {".example.com", EmptyLabel},
		{"example.com..", EmptyLabel}, {"example.com.。", EmptyLabel},
		{"localhost", SingleLabel}, {"LOCALHOST.", SingleLabel}, {"com", SingleLabel},
		{"127.0.0.1", IPLiteral}, {"2130706433", IPLiteral}, {"0x7f.1", IPLiteral}, {"127.1", IPLiteral},
		{"0177.0.0.1", IPLiteral}, {"0", IPLiteral}, {"example.0x7f", IPLiteral}, {"0X7F.1", IPLiteral},
		{"127.0.0.1.", IPLiteral}, {"[::1]", IPLiteral}, {"::1", IPLiteral}, {"https://[::1]:443/", IPLiteral},
		{"１２７.0.0.1", IPLiteral}, {"foo.123", IPLiteral},
		{"*.example.com", Wildcard}, {"*", Wildcard}, {"a.*.com", Wildcard},
		{"a_b.example.com", Underscore}, {"_dmarc.example.com", Underscore}, {"a_ü.example", Underscore},
		{"exam ple.com", Space}, {"example.com /x", Space}, {"a\tb.com", Space}, {"a\u3000b.com", Space},
		{"a\x00b.com", Control}, {"a\x7fb.com", Control}, {"a\u0085b.com", Space}, {"a\u0080b.com", Control},
		{strings.Repeat("a", 64) + ".com", LabelTooLong}, {strings.Repeat("ü", 60) + ".com", LabelTooLong},
		{long(254), TooLong}, {strings.Repeat("ü.", 600), TooLong},
		{"exa!mple.com", BadCharacter}, {"a,b.com", BadCharacter}, {"a\xffb.com", BadCharacter},
		{"-a.example.com", Hyphen}, {"a-.example.com", Hyphen}, {"ab--c.example.com", Hyphen}, {"-.com", Hyphen},
		{"example.c0m", TopLevel}, {"example.a-b", TopLevel}, {"example.1a", TopLevel},
		{"user@example.com", Userinfo}, {"https://good.example@evil.example/", Userinfo},
		{"user:pw@example.com", Userinfo},
		{"example.com:8443", Port}, {"http://example.com:443", Port}, {"mailto:example.com", Port},
		{"ftp://example.com", Scheme}, {"://example.com", Scheme},
		{`example.com\x`, Backslash}, {`https:\\example.com`, Backslash},
		{"ex%61mple.com", Percent},
		{"xn--a.example", IDNA}, {"xn--99999999.example", IDNA}, {"a\u200db.example", IDNA},
		{"xn--example-.com", Hyphen}, {"\u05d0a.example", IDNA},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			t.Parallel()
			got, _, err := Canonical(tt.in)
			if got != "" || kindOf(t, err) != tt.want {
				t.Errorf("got %q, %v, want error %q", got, err, tt.want)
			}
			if IsCanonical(tt.in) {
				t.Error("IsCanonical is true")
			}
		})
	}
}

func TestErrorHidesInput(t *testing.T) {
	t.Parallel()
	_, _, err := Canonical("a\x1b[31m.com")
	if kindOf(t, err) != Control || strings.Contains(err.Error(), "\x1b") {
		t.Errorf("got error %q", err)
	}
}

func TestEveryKindHasText(t *testing.T) {
	t.Parallel()
	seen := map[string]Kind{}
	for k := Empty; int(k) < len(kindText); k++ {
		text := k.String()
		prev, dup := seen[text]
		if text == "is malformed" || dup || strings.HasSuffix(text, ".") {
			t.Errorf("kind %d has text %q, as has %d", k, text, prev)
		}
		seen[text] = k
	}
	if Kind(0).String() != "is malformed" || Kind(200).String() != "is malformed" {
		t.Error("unknown kinds have no text")
	}
}

func TestChange(t *testing.T) {
	t.Parallel()
	c := ChangeCase | ChangeScheme | ChangeSpace
	if got := c.String(); got != "upper case, scheme, surrounding space" {
		t.Errorf("String() = %q", got)
	}
	if !c.Has(ChangeCase|ChangeSpace) || c.Has(ChangeCase|ChangePort) || Change(0).String() != "" {
		t.Error("Has or the empty String is wrong")
	}
	if ChangeSpace != 1<<(len(changeText)-1) {
		t.Error("changeText does not cover every bit")
	}
}

func TestFastPathDoesNotAllocate(t *testing.T) {
	name := "news.example.co.uk"
	got := testing.AllocsPerRun(100, func() {
		_, _, err := Canonical(name)
		if err != nil || !IsCanonical(name) || !MatchesDomain("example.co.uk", "www.example.co.uk") {
			t.Error("canonical name refused")
		}
	})
	if got != 0 {
		t.Errorf("%v allocations", got)
	}
}

func FuzzCanonical(f *testing.F) {
	for _, s := range []string{"Example.com.", "https://bücher.example/x", "xn--bcher-kva.example", "a_b.c", "ab--c.de", "[::1]", "a.b:443", "a。b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		name, change, err := Canonical(s)
		if err != nil {
			if name != "" || kindOf(t, err) == 0 || IsCanonical(s) {
				t.Fatalf("Canonical(%q) = %q, %v", s, name, err)
			}
			return
		}
		if !IsCanonical(name) {
			t.Fatalf("Canonical(%q) = %q, which is not canonical", s, name)
		}
		if IsCanonical(s) != (change == 0) || (name == s) != (change == 0) {
			t.Fatalf("Canonical(%q) = %q with change %q", s, name, change)
		}
		again, change, err := Canonical(name)
		if again != name || change != 0 || err != nil {
			t.Fatalf("Canonical(%q) = %q, %q, %v", name, again, change, err)
		}
		if len(name) > MaxName || strings.ToLower(name) != name || !strings.Contains(name, ".") {
			t.Fatalf("Canonical(%q) = %q", s, name)
		}
	})
}

func BenchmarkIsCanonical(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		IsCanonical("www.example.com")
	}
}

func BenchmarkCanonical(b *testing.B) {
	for _, name := range []string{"www.example.com", "WWW.Example.com", "bücher.example"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _, err := Canonical(name)
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
