package hostname

import (
	"net/netip"
	"testing"
)

func TestMatchesDomain(t *testing.T) {
	t.Parallel()
	tests := []struct {
		identifier, host string
		want             bool
	}{
		// A registrable domain covers itself, www and m.
		{"example.com", "example.com", true},
		{"example.com", "www.example.com", true},
		{"example.com", "m.example.com", true},
		{"example.com", "api.example.com", false},
		{"example.com", "www.m.example.com", false},
		{"example.com", "m.www.example.com", false},
		{"example.com", "notexample.com", false},
		{"example.com", "wwwexample.com", false},
		{"example.com", "example.com.evil.example", false},
		{"example.com", "mm.example.com", false},
		{"example.co.uk", "www.example.co.uk", true},
		{"victim.github.io", "www.victim.github.io", true},
		{"www.ck", "www.www.ck", true},
		// Anything below one covers itself only.
		{"www.example.com", "www.example.com", true},
		{"www.example.com", "example.com", false},
		{"www.example.com", "www.www.example.com", false},
		{"edition.cnn.com", "edition.cnn.com", true},
		{"edition.cnn.com", "www.edition.cnn.com", false},
		{"m.example.com", "m.m.example.com", false},
		// Wildcards cover what is below the base.
		{"*.example.com", "a.b.example.com", true},
		{"*.example.com", "www.example.com", true},
		{"*.example.com", "example.com", false},
		{"*.example.com", "notexample.com", false},
		{"*.example.com", ".example.com", false},
		{"*.news.example.com", "a.news.example.com", true},
		{"*.news.example.com", "news.example.com", false},
		{"*.news.example.com", "a.example.com", false},
		{"*.EXAMPLE.com.", "a.example.com", true},
		{"*.bücher.example", "a.xn--bcher-kva.example", true},
		// Public suffixes and what hands out its children.
		{"co.uk", "co.uk", true},
		{"co.uk", "www.co.uk", false},
		{"github.io", "www.github.io", false},
		{"*.com", "example.com", false},
		{"*.co.uk", "example.co.uk", false},
		{"*.github.io", "victim.github.io", false},
		{"*.kawasaki.jp", "a.b.kawasaki.jp", false},
		{"kawasaki.jp", "www.kawasaki.jp", false},
		{"*.ck", "www.ck", false},
		// Addresses and single labels equal themselves.
		{"192.0.2.1", "192.0.2.1", true},
		{"192.0.2.1", "www.192.0.2.1", false},
		{"*.0.2.1", "192.0.2.1", false},
		{"localhost", "localhost", true},
		{"localhost", "www.localhost", false},
		// Both sides are made canonical; what cannot be matches nothing.
		{"Example.COM.", "WWW.example.com", true},
		{"bücher.example", "www.xn--bcher-kva.example", true},
		{"a_b.example", "a_b.example", false},
		{"*", "example.com", false},
		{"**.example.com", "a.example.com", false},
		{"a.*.example.com", "a.b.example.com", false},
		{"*.*.example.com", "a.b.example.com", false},
		{"*.", "example.com", false},
		{"", "", false},
		{"example.com", "*.example.com", false},
	}
	for _, tt := range tests {
		t.Run(tt.identifier+" "+tt.host, func(t *testing.T) {
			t.Parallel()
			got := MatchesDomain(tt.identifier, tt.host)
			if got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestWildcardTooBroad(t *testing.T) {
	t.Parallel()
	tests := map[string]bool{
		"com": true, "co.uk": true, "github.io": true, "kawasaki.jp": true, "ck": true, "127.0.0.1": true, "": true,
		"example.com": false, "news.example.com": false, "victim.github.io": false, "city.kawasaki.jp": false,
	}
	for base, want := range tests {
		got := WildcardTooBroad(base)
		if got != want {
			t.Errorf("WildcardTooBroad(%q) = %v, want %v", base, got, want)
		}
	}
}

func TestIsSpecialUse(t *testing.T) {
	t.Parallel()
	tests := map[string]bool{
		"localhost": true, "a.localhost": true, "printer.local": true, "vault.internal": true, "a.b.test": true,
		"x.invalid": true, "abc.onion": true, "nas.home.arpa": true, "home.arpa": true,
		"example.com": false, "site.example": false, "local.example": false, "notlocal": false, "arpa": false, "": false,
	}
	for name, want := range tests {
		got := IsSpecialUse(name)
		if got != want {
			t.Errorf("IsSpecialUse(%q) = %v, want %v", name, got, want)
		}
	}
}

func TestReservedAddr(t *testing.T) {
	t.Parallel()
	tests := map[string]bool{
		"0.0.0.0": true, "10.1.2.3": true, "100.64.0.1": true, "100.127.255.255": true, "127.0.0.1": true,
		"169.254.169.254": true, "172.16.0.1": true, "172.31.255.255": true, "192.0.0.8": true, "192.0.2.1": true,
		"192.88.99.1": true, "192.168.0.1": true, "198.18.0.1": true, "198.19.255.255": true, "198.51.100.7": true,
		"203.0.113.9": true, "224.0.0.1": true, "240.0.0.1": true, "255.255.255.255": true,
		"1.1.1.1": false, "8.8.8.8": false, "100.63.255.255": false, "100.128.0.0": false, "172.32.0.1": false,
		"192.0.1.1": false, "198.20.0.1": false, "223.255.255.255": false,
		"::": true, "::1": true, "::7f00:1": true, "::ffff:127.0.0.1": true, "64:ff9b::a00:1": true,
		"64:ff9b:1::1": true, "100::1": true, "2001::1": true, "2001:2::1": true, "2001:db8::1": true,
		"2002:7f00:1::": true, "3fff::1": true, "fc00::1": true, "fd00:ec2::254": true, "fe80::1": true,
		"fe80::1%eth0": true, "fec0::1": true, "ff02::1": true, "5f00::1": true, "4000::1": true,
		"::ffff:8.8.8.8": false, "2001:4860:4860::8888": false, "2606:4700::1111": false, "2001:20::1": false,
		"2001:4:112::1": false, "2001:200::1": false, "3ffe::1": false, "3fff:1000::1": false,
	}
	for text, want := range tests {
		got := ReservedAddr(netip.MustParseAddr(text))
		if got != want {
			t.Errorf("ReservedAddr(%s) = %v, want %v", text, got, want)
		}
	}
	if !ReservedAddr(netip.Addr{}) {
		t.Error("the zero Addr is not reserved")
	}
}

func FuzzMatchesDomain(f *testing.F) {
	f.Add("example.com", "www.example.com")
	f.Add("*.example.com", "a.example.com")
	f.Add("*.co.uk", "example.co.uk")
	f.Fuzz(func(t *testing.T, identifier, host string) {
		if !MatchesDomain(identifier, host) {
			return
		}
		name, _, err := Canonical(host)
		if err != nil {
			return
		}
		if !MatchesDomain(identifier, name) {
			t.Errorf("%q matches %q and not %q", identifier, host, name)
		}
		if MatchesDomain(identifier, "x"+name) && identifier[0] != '*' {
			t.Errorf("%q matches %q and %q", identifier, name, "x"+name)
		}
	})
}

func BenchmarkMatchesDomain(b *testing.B) {
	suffixes()
	b.ReportAllocs()
	for b.Loop() {
		MatchesDomain("example.com", "www.example.com")
	}
}

func TestWithin(t *testing.T) {
	t.Parallel()
	domains := map[string]bool{"out.example": true, "a.b.example": true}
	for name, want := range map[string]bool{
		"out.example": true, "www.out.example": true, "x.y.out.example": true, "inout.example": false, "example": false, "": false,
		"b.example": false, "a.b.example": true, "out.example.com": false,
	} {
		if Within(name, domains) != want {
			t.Errorf("%q: want %t", name, want)
		}
	}
	if Within("out.example", nil) {
		t.Error("no domain has a name in it")
	}
}
