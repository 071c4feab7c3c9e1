package hostname

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestCanonicalURL(t *testing.T) {
	t.Parallel()
	const same = ""
	tests := []struct{ raw, want string }{
		// Already canonical.
		{"https://agent.example.com/mcp", same},
		{"https://agent.example.com/mcp/", same},
		{"https://agent.example.com/", same},
		{"http://agent.example.com/mcp", same},
		{"https://agent.example.com:8443/mcp", same},
		{"https://agent.example.com/a//b", same},
		{"https://agent.example.com//", same},
		{"https://agent.example.com/a%20b", same},
		{"https://agent.example.com/a%2Fb", same},
		{"https://agent.example.com/a:b@c;d=e,f", same},
		{"https://agent.example.com/...", same},
		{"https://agent.example.com/.well-known/x", same},
		{"https://agent.example.com/mcp?b=2&a=1", same},
		{"https://agent.example.com/mcp?", same},
		{"https://agent.example.com/mcp?a=%zz&b=%2f%7e", same},
		{"https://agent.example.com/mcp?a=/../b", same},
		{"https://agent.example.com/mcp?a=b?c", same},
		{"https://agent.example.com/mcp?x=a+b", same},
		{"https://agent.example.com/{id}", same},
		{"https://xn--bcher-kva.example/", same},
		{"https://8.8.8.8/mcp", same},
		{"https://[2001:db8::1]/mcp", same},
		{"https://[::1]:8443/", same},
		{"https://[2001:db8:0:0:0:0:0:1]/", same},
		{"https://localhost/mcp", same},
		{"https://my_agent.example.com/", same},
		{"https://agent.example.c0m/", same},
		{"wss://agent.example.com:443/", same},
		// Scheme and host.
		{"HTTPS://agent.example.com/", "https://agent.example.com/"},
		{"https://Agent.EXAMPLE.com/MCP", "https://agent.example.com/MCP"},
		{"https://bücher.example/p", "https://xn--bcher-kva.example/p"},
		{"https://BÜCHER.Example/p", "https://xn--bcher-kva.example/p"},
		{"https://faß.example/", "https://xn--fa-hia.example/"},
		{"https://agent。example/", "https://agent.example/"},
		{"https://agent.example.com./mcp", "https://agent.example.com/mcp"},
		{"https://agent.example.com.:8443/mcp", "https://agent.example.com:8443/mcp"},
		{"https://[2001:DB8::A]/", "https://[2001:db8::a]/"},
		{"https://[2001:DB8::A]:443/", "https://[2001:db8::a]/"},
		{"https://8.8.8.8./", "https://8.8.8.8/"},
		// Userinfo and port.
		{"https://user:pw@agent.example.com/mcp", "https://agent.example.com/mcp"},
		{"https://@agent.example.com/mcp", "https://agent.example.com/mcp"},
		{"https://good.example@evil.example/", "https://evil.example/"},
		{"https://a@b@evil.example/", "https://evil.example/"},
		{"https://agent.example.com:443/mcp", "https://agent.example.com/mcp"},
		{"http://agent.example.com:80/mcp", "http://agent.example.com/mcp"},
		{"http://agent.example.com:443/mcp", same},
		{"https://agent.example.com:80/mcp", same},
		{"https://agent.example.com:/mcp", "https://agent.example.com/mcp"},
		{"https://agent.example.com:00443/mcp", "https://agent.example.com/mcp"},
		{"https://agent.example.com:08443/mcp", "https://agent.example.com:8443/mcp"},
		// Path.
		{"https://agent.example.com", "https://agent.example.com/"},
		{"https://agent.example.com?x=1", "https://agent.example.com/?x=1"},
		{"https://agent.example.com#f", "https://agent.example.com/"},
		{"https://agent.example.com/a/./b", "https://agent.example.com/a/b"},
		{"https://agent.example.com/a/b/../c", "https://agent.example.com/a/c"},
		{"https://agent.example.com/a/..", "https://agent.example.com/"},
		{"https://agent.example.com/a/.", "https://agent.example.com/a/"},
		{"https://agent.example.com/../../a", "https://agent.example.com/a"},
		{"https://agent.example.com/a/.//b", "https://agent.example.com/a//b"},
		{"https://agent.example.com/a//../b", "https://agent.example.com/a/b"},
		{"https://agent.example.com/a/%2e%2E/b", "https://agent.example.com/b"},
		{"https://agent.example.com/a%2fb", "https://agent.example.com/a%2Fb"},
		{"https://agent.example.com/%7Efoo%41%2d%5f", "https://agent.example.com/~fooA-_"},
		{"https://agent.example.com/%2541", same},
		{"https://agent.example.com/a%3ab", "https://agent.example.com/a%3Ab"},
		{"https://agent.example.com/é", "https://agent.example.com/%C3%A9"},
		{"https://agent.example.com/%c3%a9", "https://agent.example.com/%C3%A9"},
		// Fragment.
		{"https://agent.example.com/mcp#frag", "https://agent.example.com/mcp"},
		{"https://agent.example.com/mcp#", "https://agent.example.com/mcp"},
		{"https://agent.example.com/mcp?#f", "https://agent.example.com/mcp?"},
		{"https://agent.example.com/mcp#a?b", "https://agent.example.com/mcp"},
		{"https://agent.example.com#@evil.example/", "https://agent.example.com/"},
		{"https://agent.example.com?@evil.example/", "https://agent.example.com/?@evil.example/"},
	}
	for _, tt := range tests {
		t.Run(tt.raw, func(t *testing.T) {
			t.Parallel()
			want := tt.want
			if want == same {
				want = tt.raw
			}
			got, info, err := CanonicalURL(tt.raw)
			if err != nil || got != want {
				t.Fatalf("got %q, %v, want %q", got, err, want)
			}
			if info.Changed != (tt.want != same) {
				t.Errorf("Changed = %v", info.Changed)
			}
		})
	}
}

func TestCanonicalURLRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		raw  string
		want Kind
	}{
		{"", Empty}, {"*", Wildcard}, {"https://*/", Wildcard}, {"https://*.example.com/mcp", Wildcard},
		{"agent.example.com/mcp", NotAbsolute}, {"//agent.example.com/", NotAbsolute}, {"/mcp", NotAbsolute},
		{"https:agent.example.com", NotAbsolute}, {"https:/agent.example.com", NotAbsolute},
		{"mailto:a@example.com", NotAbsolute}, {"://agent.example.com/", NotAbsolute},
		{"1https://agent.example.com/", NotAbsolute}, {"ht tps://agent.example.com/", Space},
		{"/x?u=https://agent.example.com/", NotAbsolute},
		{"https://", NoHost}, {"https:///p", NoHost}, {"https://:443/p", NoHost}, {"https://user@/p", NoHost},
		{"https://?x", NoHost}, {"https://[]/", NoHost},
		{"https://[::1/p", Bracket}, {"https://::1]/p", Bracket}, {"https://[::1]x/p", Bracket},
		{"https://a[::1]/p", Bracket}, {"https://[::1]8443/p", Bracket},
		{"https://fe80::1/p", BareIPv6}, {"https://::1/p", BareIPv6}, {"https://a:1:2/", BareIPv6},
		{"https://[fe80::1%25eth0]/p", Zone}, {"https://[fe80::1%eth0]/p", Zone},
		{"https://[127.0.0.1]/", BadAddress}, {"https://[::zz]/", BadAddress}, {"https://[::1.2.3]/", BadAddress},
		{"https://2130706433/", BadAddress}, {"https://0x7f.1/", BadAddress}, {"https://127.1/", BadAddress},
		{"https://0177.0.0.1/", BadAddress}, {"https://１２７.0.0.1/", BadAddress}, {"https://256.1.1.1/", BadAddress},
		{"https://a..example.com/", EmptyLabel}, {"https://agent.example.com../", EmptyLabel},
		{"https://.example.com/", EmptyLabel}, {"https://./", EmptyLabel},
		{"https://agent.example.com/a\nb", Space}, {" https://agent.example.com/", Space},
		{"https://agent.example.com/ ", Space}, {"https://agent.example.com/a\x00", Control},
		{"https://agent.example.com/\x7f", Control}, {"https://agent.example.com/\xff", BadCharacter},
		{`https://agent.example.com\@evil.example/`, Backslash}, {`https:\\agent.example.com/`, Backslash},
		{"https://agent.example.com/%", BadPercent}, {"https://agent.example.com/%4", BadPercent},
		{"https://agent.example.com/%zz", BadPercent}, {"https://agent.example.com/%4g", BadPercent},
		{"https://ag%65nt.example.com/", Percent}, {"https://agent.example.com%00/", Percent},
		{"https://agent.example.com:abc/", BadPort}, {"https://agent.example.com:65536/", BadPort},
		{"https://agent.example.com:0/", BadPort}, {"https://agent.example.com:-1/", BadPort},
		{"https://agent.example.com:+443/", BadPort}, {"https://agent.example.com:4_4/", BadPort},
		{"https://agent!.example.com/", BadCharacter}, {"https://-a.example.com/", Hyphen},
		{"https://xn--a.example/", IDNA}, {"https://xn--bcher-kva.a_b.example/", Underscore},
		{"https://" + strings.Repeat("a", 64) + ".example/", LabelTooLong},
		{"https://" + long(254) + "/", TooLong},
	}
	for _, tt := range tests {
		t.Run(tt.raw, func(t *testing.T) {
			t.Parallel()
			got, info, err := CanonicalURL(tt.raw)
			if got != "" || kindOf(t, err) != tt.want {
				t.Errorf("got %q, %v, want error %q", got, err, tt.want)
			}
			if info.Wildcard != (tt.want == Wildcard) {
				t.Errorf("Wildcard = %v", info.Wildcard)
			}
		})
	}
}

func TestURLInfo(t *testing.T) {
	t.Parallel()
	tests := []struct {
		raw  string
		want URLInfo
	}{
		{"https://agent.example.com/mcp", URLInfo{Scheme: "https", Host: "agent.example.com", Path: "/mcp"}},
		{"HTTP://u:p@Agent.example.com:8080/a/../b?q=1#f", URLInfo{
			Scheme: "http", Host: "agent.example.com", Port: "8080", Path: "/b", Query: "q=1",
			HasUserinfo: true, HasFragment: true, Changed: true,
		}},
		{"https://agent.example.com/?", URLInfo{Scheme: "https", Host: "agent.example.com", Path: "/", EmptyQuery: true}},
		{"https://[::1]:8443/", URLInfo{
			Scheme: "https", Host: "::1", Port: "8443", Path: "/", IPLiteral: netip.MustParseAddr("::1"),
		}},
		{"https://10.0.0.1/", URLInfo{Scheme: "https", Host: "10.0.0.1", Path: "/", IPLiteral: netip.MustParseAddr("10.0.0.1")}},
	}
	for _, tt := range tests {
		t.Run(tt.raw, func(t *testing.T) {
			t.Parallel()
			_, got, err := CanonicalURL(tt.raw)
			if err != nil {
				t.Fatal(err)
			}
			diff := cmp.Diff(tt.want, got, cmpopts.EquateComparable(netip.Addr{}))
			if diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestURLInfoSurvivesErrors(t *testing.T) {
	t.Parallel()
	_, info, err := CanonicalURL("http://user@*.example.com/#f")
	if kindOf(t, err) != Wildcard || info.Scheme != "http" || !info.HasUserinfo || !info.HasFragment {
		t.Errorf("got %+v, %v", info, err)
	}
}

func TestNearMiss(t *testing.T) {
	t.Parallel()
	tests := []struct{ a, b, want string }{
		{"https://a.example/mcp", "https://a.example/mcp", ""},
		{"https://a.example/mcp", "https://a.example/mcp/", "trailing slash"},
		{"https://a.example/mcp?q=1", "https://a.example/mcp/?q=1", "trailing slash"},
		{"https://a.example/mcp", "http://a.example/mcp", "scheme"},
		{"https://a.example/", "http://a.example/", "scheme"},
		{"https://a.example/mcp", "https://a.example/MCP", "path case"},
		{"https://a.example/mcp", "http://a.example/Mcp/", "scheme and trailing slash and path case"},
		{"https://a.example/mcp", "https://a.example/a2a", ""},
		{"https://a.example/mcp", "https://b.example/mcp", ""},
		{"https://a.example/mcp", "https://a.example:8443/mcp", ""},
		{"https://a.example/mcp", "https://a.example/mcp?", ""},
		{"https://a.example/mcp?q=a", "https://a.example/mcp?q=A", ""},
		{"https://a.example/", "https://a.example//", ""},
		{"https://a.example/mcp", "https://a.example/", ""},
	}
	for _, tt := range tests {
		t.Run(tt.a+" "+tt.b, func(t *testing.T) {
			t.Parallel()
			for _, got := range []string{NearMiss(tt.a, tt.b), NearMiss(tt.b, tt.a)} {
				if got != tt.want {
					t.Errorf("got %q, want %q", got, tt.want)
				}
			}
			near := tt.want != "" || tt.a == tt.b
			if (NearKey(tt.a) == NearKey(tt.b)) != near {
				t.Errorf("keys %q and %q", NearKey(tt.a), NearKey(tt.b))
			}
		})
	}
}

func TestCanonicalURLFastPathDoesNotAllocate(t *testing.T) {
	got := testing.AllocsPerRun(100, func() {
		_, _, err := CanonicalURL("https://agent.example.com:8443/mcp?x=1")
		if err != nil {
			t.Error(err)
		}
	})
	if got != 0 {
		t.Errorf("%v allocations", got)
	}
}

func FuzzCanonicalURL(f *testing.F) {
	for _, raw := range []string{
		"https://agent.example.com/mcp", "HTTP://u@BÜCHER.example.:80/a/../%7e%2f?q#f", "https://[::FFFF:1.2.3.4]:1/",
		"https://a/.//../x", "https://a_b.example/..%2e/", "https://1.2.3.4.", "x+y://a。b", "*",
	} {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		got, info, err := CanonicalURL(raw)
		if err != nil {
			if got != "" || kindOf(t, err) == 0 {
				t.Fatalf("CanonicalURL(%q) = %q, %v", raw, got, err)
			}
			return
		}
		if info.Changed != (got != raw) {
			t.Fatalf("CanonicalURL(%q) = %q, Changed %v", raw, got, info.Changed)
		}
		again, second, err := CanonicalURL(got)
		if err != nil || again != got || second.Changed {
			t.Fatalf("CanonicalURL(%q) = %q, then %q, %v", raw, got, again, err)
		}
		if second.Host != info.Host || second.Port != info.Port || second.Path != info.Path || second.HasUserinfo {
			t.Fatalf("%q reads as %+v, its canonical form %q as %+v", raw, info, got, second)
		}
		if NearMiss(got, got) != "" || info.Host == "" || !strings.HasPrefix(info.Path, "/") {
			t.Fatalf("CanonicalURL(%q) gives %+v", raw, info)
		}
	})
}

func TestSameResource(t *testing.T) {
	t.Parallel()
	tests := []struct {
		a, b string
		want bool
	}{
		{"https://a.example/x", "https://A.example:443/x/?q#f", true},
		{"https://a.example", "https://a.example/", true},
		{"https://a.example/x", "https://a.example/y", false},
		{"https://a.example/x", "http://a.example/x", false},
		{"https://a.example/x", "https://a.example:8443/x", false},
		{"https://a.example/", "nonsense", false},
		{"nonsense", "https://a.example/", false},
		{"nonsense", "nonsense", false},
	}
	for _, tt := range tests {
		if got := SameResource(tt.a, tt.b); got != tt.want {
			t.Errorf("%s and %s: %v", tt.a, tt.b, got)
		}
	}
}

func BenchmarkCanonicalURL(b *testing.B) {
	for _, raw := range []string{"https://agent.example.com/mcp", "https://Agent.example.com:443/a%7eb"} {
		b.Run(raw, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _, err := CanonicalURL(raw)
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
