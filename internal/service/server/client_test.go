package server

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
)

func prefixes(list ...string) proxies {
	var all proxies
	for _, s := range list {
		all = append(all, netip.MustParsePrefix(s))
	}
	return all
}

func TestClientOf(t *testing.T) {
	t.Parallel()
	trusted := prefixes("10.0.0.0/8", "2001:db8:1::/48")
	tests := []struct {
		name, peer string
		forwarded  []string
		want       string
	}{
		{"no proxy", "192.0.2.1:1000", nil, "192.0.2.1"},
		{"a stranger claims", "192.0.2.1:1000", []string{"198.51.100.7"}, "192.0.2.1"},
		{"a stranger claims to be a proxy", "192.0.2.1:1000", []string{"198.51.100.7, 10.0.0.1"}, "192.0.2.1"},
		{"this machine is not trusted by itself", "127.0.0.1:1000", []string{"198.51.100.7"}, "127.0.0.1"},
		{"a proxy tells", "10.0.0.1:1000", []string{"198.51.100.7"}, "198.51.100.7"},
		{"a proxy has nothing to tell", "10.0.0.1:1000", nil, "10.0.0.1"},
		{"the client forges an entry", "10.0.0.1:1000", []string{"203.0.113.9, 198.51.100.7"}, "198.51.100.7"},
		{"the client forges a line", "10.0.0.1:1000", []string{"203.0.113.9", "198.51.100.7"}, "198.51.100.7"},
		{"the client forges a chain of proxies", "10.0.0.1:1000", []string{"203.0.113.9, 10.0.0.7, 198.51.100.7"}, "198.51.100.7"},
		{"two proxies", "10.0.0.1:1000", []string{"198.51.100.7, 10.2.3.4"}, "198.51.100.7"},
		{"two proxies in two lines", "10.0.0.1:1000", []string{"198.51.100.7", "10.2.3.4"}, "198.51.100.7"},
		{"proxies all the way", "10.0.0.1:1000", []string{"10.0.0.3, 10.0.0.2"}, "10.0.0.3"},
		{"port", "10.0.0.1:1000", []string{"198.51.100.7:4711"}, "198.51.100.7"},
		{"brackets", "10.0.0.1:1000", []string{"[2001:db8:2::1]"}, "2001:db8:2::1"},
		{"brackets and port", "10.0.0.1:1000", []string{"[2001:db8:2::1]:4711"}, "2001:db8:2::1"},
		{"IPv6", "[2001:db8:1::5]:1000", []string{"2001:db8:2::1"}, "2001:db8:2::1"},
		{"IPv4 in IPv6", "[::ffff:10.0.0.1]:1000", []string{"::ffff:198.51.100.7"}, "198.51.100.7"},
		{"mapped proxies in the chain", "10.0.0.1:1000", []string{"198.51.100.7, ::ffff:10.0.0.2"}, "198.51.100.7"},
		{"zone", "10.0.0.1:1000", []string{"fe80::1%eth0"}, "fe80::1"},
		{"junk", "10.0.0.1:1000", []string{"unknown"}, "10.0.0.1"},
		{"junk behind a proxy", "10.0.0.1:1000", []string{"198.51.100.7, junk, 10.0.0.2"}, "10.0.0.2"},
		{"empty entries", "10.0.0.1:1000", []string{"198.51.100.7,,"}, "10.0.0.1"},
		{"spaces", "10.0.0.1:1000", []string{"  198.51.100.7  "}, "198.51.100.7"},
		{"empty line", "10.0.0.1:1000", []string{"198.51.100.7", ""}, "198.51.100.7"},
		{"endless", "10.0.0.1:1000", []string{"198.51.100.7" + strings.Repeat(", 10.0.0.2", 100)}, "10.0.0.2"},
		{"no address", "@", []string{"198.51.100.7"}, "invalid IP"},
	}
	for _, tt := range tests {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = tt.peer
		for _, line := range tt.forwarded {
			r.Header.Add("X-Forwarded-For", line)
		}
		got := trusted.clientOf(r, peerOf(r)).String()
		if got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestSecure(t *testing.T) {
	t.Parallel()
	trusted := prefixes("10.0.0.0/8")
	tests := []struct {
		peer   string
		protos []string
		want   bool
	}{
		{"10.0.0.1:1", nil, false},
		{"10.0.0.1:1", []string{"https"}, true},
		{"10.0.0.1:1", []string{"HTTPS"}, true},
		{"10.0.0.1:1", []string{"http"}, false},
		{"10.0.0.1:1", []string{"https, http"}, false},
		{"10.0.0.1:1", []string{"http", "https"}, true},
		{"192.0.2.1:1", []string{"https"}, false},
	}
	for _, tt := range tests {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = tt.peer
		for _, p := range tt.protos {
			r.Header.Add("X-Forwarded-Proto", p)
		}
		if got := trusted.secure(r, peerOf(r)); got != tt.want {
			t.Errorf("%s %q: got %v", tt.peer, tt.protos, got)
		}
	}
}

func TestNameOf(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"192.0.2.1": "192.0.2.1", "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64", "2001:db8:1:2:ffff::": "2001:db8:1:2::/64",
	}
	for addr, want := range tests {
		if got := nameOf(netip.MustParseAddr(addr)); got != want {
			t.Errorf("%s: got %s, want %s", addr, got, want)
		}
	}
	if nameOf(netip.Addr{}) != "unknown" {
		t.Error("no address has a name")
	}
}

// FuzzClientOf: whatever a stranger sends, it cannot change who it is.
func FuzzClientOf(f *testing.F) {
	f.Add("198.51.100.7, 10.0.0.1")
	f.Add("[::1]:80,,10.0.0.1")
	trusted := prefixes("10.0.0.0/8")
	f.Fuzz(func(t *testing.T, line string) {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = "192.0.2.1:1"
		r.Header["X-Forwarded-For"] = []string{line}
		if got := trusted.clientOf(r, peerOf(r)).String(); got != "192.0.2.1" {
			t.Errorf("%q made it %s", line, got)
		}
		// Behind a proxy that appends what it sees, the same holds.
		r.RemoteAddr = "10.0.0.1:1"
		r.Header["X-Forwarded-For"] = []string{line + ", 198.51.100.7"}
		if got := trusted.clientOf(r, peerOf(r)).String(); got != "198.51.100.7" {
			t.Errorf("%q made it %s", line, got)
		}
	})
}
