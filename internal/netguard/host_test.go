package netguard

import (
	"errors"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/std/ipclass"
)

// oddHosts are hosts that some parser takes for an address, for a name of this
// machine or for something else than the whole text says.
var oddHosts = []string{
	// Addresses in plain form.
	"127.0.0.1", "8.8.8.8", "169.254.169.254", "0.0.0.0", "255.255.255.255", "192.0.2.1",
	// Decimal, octal, hexadecimal and short forms.
	"2130706433", "017700000001", "0x7f000001", "0x7f.1", "0X7F.1", "0x7f.0x0.0x0.0x1", "0177.0.0.1", "0177.0.0.01",
	"127.1", "127.0.1", "0", "00", "0x0", "0x", "1", "10.1", "0300.0250.0.1", "127.0.0.0x1", "127.0.0.01", "127.00.0.1",
	"3232235521", "4294967295", "4294967296", "99999999999", "256.256.256.256", "127.0.0.1.2", "1.2.3", "1.2.3.4.5",
	"0x7f.example.0x1", "example.1", "a.0", "a.0x7f", "a.b.1e3", "0b1111111.0.0.1", "127.0.0.1.", "127.0.0.1..", "0x7f.1.",
	// IPv6, with and without brackets.
	"::1", "[::1]", "::", "[::]", "::ffff:127.0.0.1", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "fe80::1%eth0", "[fe80::1%25eth0]",
	"[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[fd00:ec2::254]", "0:0:0:0:0:0:0:1", "[::1", "::1]", "[v1.x]", "[]", "[127.0.0.1]",
	// More than a host.
	"user@example.com", "user:pw@example.com", "example.com@127.0.0.1", "@example.com", "example.com:443", "example.com:",
	":443", "example.com/", "example.com/path", "example.com?q", "example.com#f", "https://example.com", "//example.com",
	"example.com\\@127.0.0.1", "example.com#@127.0.0.1", "example.com?@127.0.0.1", "example.com;127.0.0.1", "a.example,b.example",
	// White space, controls and escapes.
	"", " ", " example.com", "example.com ", "exam ple.com", "example.com\t", "example.com\n", "example.com\r\nhost: x",
	"example.com\x00", "example.com\x00.evil.example", "exa\x7fmple.com", "example%2ecom", "example.com%00", "%31%32%37.0.0.1",
	"example.com\u00a0", "example\u200b.com", "\ufeffexample.com", "exam\u00adple.com", "\xff.example",
	// Dots.
	".", "..", ".example.com", "example..com", "example.com.", "example.com..", "www..example.com", "example", "com", "com.",
	// Letters outside ASCII: canonical names have none.
	"ex\u00e4mple.com", "\u24d4\u24e7\u24d0\u24dc\u24df\u24db\u24d4.com", "example\u3002com", "example\uff0ecom", "example\uff61com",
	"\uff11\uff12\uff17.0.0.1", "\u2460\u2461\u2466.0.0.1", "\uff4c\uff4f\uff43\uff41\uff4c\uff48\uff4f\uff53\uff54", "127\u30020\u30020\u30021",
	"\u0661\u0662\u0667.0.0.1", "ex\u0430mple.com", "loc\u0430lhost", "\u2025example.com", "example.c\u1d3c\u1d39",
	// Case, hyphens, underscores, wildcards and lengths.
	"Example.com", "EXAMPLE.COM", "example.COM", "-example.com", "example-.com", "example.-com", "ex_ample.com", "_dmarc.example.com",
	"*.example.com", "*", "example.c0m", "example.123", "example.c-m", "ab--cd.example", "xn--a.example", "xn--.example",
	"example.xn--", strings.Repeat("a", 64) + ".example", strings.Repeat("a.", 127) + "example", strings.Repeat("a.", 5000) + "com",
	"exam$ple.com", "exam'ple.com", "(example).com", "example.com|id", "example.com&x", "<b>.example", "{a}.example", "`id`.example",
}

// localNames are set aside for local use.
var localNames = []string{
	"localhost", "a.localhost", "local", "printer.local", "internal", "metadata.google.internal", "x.test", "x.invalid",
	"x.onion", "home.arpa", "nas.home.arpa",
}

// publicHosts pass.
var publicHosts = []string{
	"example.com", "www.example.com", "a.b.c.d.example", "xn--mnchen-3ya.de", "example.xn--p1ai", "1.example.com", "127.0.0.1.example.com",
	"0x7f.example", "a-b.example", "3com.com", strings.Repeat("a", 63) + ".example", "localhost.example.com", "notlocal.com", "internal.example",
}

func TestCheckHost(t *testing.T) {
	t.Parallel()
	check := func(hosts []string, want Reason) {
		for _, host := range hosts {
			var refusal *Refusal
			err := CheckHost(host)
			if !errors.As(err, &refusal) {
				t.Errorf("CheckHost(%q) = %v, want a refusal", host, err)
				continue
			}
			if refusal.Reason != want || refusal.Host != host {
				t.Errorf("CheckHost(%q) = %s for %q, want %s", host, refusal.Reason, refusal.Host, want)
			}
		}
	}
	check(oddHosts, BadHost)
	check(localNames, SpecialUse)
	for _, host := range publicHosts {
		err := CheckHost(host)
		if err != nil {
			t.Errorf("CheckHost(%q) = %v", host, err)
		}
	}
}

func TestCheckPort(t *testing.T) {
	t.Parallel()
	if !slices.IsSorted(badPorts) {
		t.Fatal("the ports are not in order, and not all of them are found")
	}
	refused := 0
	for port := range 1 << 16 {
		err := CheckPort(uint16(port))
		if err == nil {
			continue
		}
		refused++
		var refusal *Refusal
		if !errors.As(err, &refusal) || refusal.Reason != BadPort || int(refusal.Port) != port {
			t.Errorf("CheckPort(%d) = %v", port, err)
		}
	}
	if refused != len(badPorts) {
		t.Errorf("%d ports are refused, want %d", refused, len(badPorts))
	}
	for _, port := range []uint16{0, 22, 25, 53, 143, 465, 993, 2049, 5060, 6000, 6667, 10080} {
		if CheckPort(port) == nil {
			t.Errorf("port %d passes", port)
		}
	}
	for _, port := range []uint16{80, 443, 444, 8000, 8080, 8443, 9443, 65535} {
		if CheckPort(port) != nil {
			t.Errorf("port %d is refused", port)
		}
	}
}

func TestRefusalText(t *testing.T) {
	t.Parallel()
	addr := netip.MustParseAddr("10.0.0.1")
	tests := []struct {
		refusal    Refusal
		name, text string
	}{
		{Refusal{Reason: BadHost, Host: "a\x1b[2J\n"}, "bad_host", `refused: "a\x1b[2J\n" is not a public host name`},
		{Refusal{Reason: BadHost, Host: "münchen.de"}, "bad_host", `refused: "m\u00fcnchen.de" is not a public host name`},
		{Refusal{Reason: SpecialUse, Host: "a.local"}, "special_use", "refused: a.local is a name for local use"},
		{
			Refusal{Reason: ReservedAddress, Host: "pub.example", Addr: addr, Class: ipclass.Private},
			"reserved_address", "refused: 10.0.0.1 of pub.example is not a public address (private)",
		},
		{
			Refusal{Reason: ReservedAddress, Addr: addr, Class: ipclass.Private},
			"reserved_address", "refused: 10.0.0.1 is not a public address (private)",
		},
		{
			Refusal{Reason: OwnAddress, Host: "pub.example", Addr: addr, Class: ipclass.Public},
			"own_address", "refused: 10.0.0.1 of pub.example is an address of this service",
		},
		{Refusal{Reason: BadPort, Port: 22}, "bad_port", "refused: port 22 belongs to another protocol than https"},
		{Refusal{}, "unknown", "refused"},
		{Refusal{Reason: 99}, "unknown", "refused"},
	}
	for _, test := range tests {
		if test.refusal.Error() != test.text {
			t.Errorf("Error() = %s\nwant      %s", test.refusal.Error(), test.text)
		}
		if test.refusal.Reason.String() != test.name {
			t.Errorf("Reason %d is %q, want %q", test.refusal.Reason, test.refusal.Reason, test.name)
		}
	}
}

// FuzzCheckHost checks that what passes is a name to every parser: plain ASCII,
// ending in a word, no address, and the same to the URL parser.
func FuzzCheckHost(f *testing.F) {
	for _, host := range slices.Concat(oddHosts, localNames, publicHosts) {
		f.Add(host)
	}
	f.Fuzz(func(t *testing.T, host string) {
		if CheckHost(host) != nil {
			return
		}
		if strings.Trim(host, "abcdefghijklmnopqrstuvwxyz0123456789-.") != "" || len(host) > 253 {
			t.Fatalf("%q passes", host)
		}
		labels := strings.Split(host, ".")
		tld := labels[len(labels)-1]
		word := strings.Trim(tld, "abcdefghijklmnopqrstuvwxyz") == "" || strings.HasPrefix(tld, "xn--")
		if len(labels) < 2 || !word || slices.Contains(labels, "") || tld == "localhost" || tld == "local" || tld == "internal" {
			t.Fatalf("%q passes", host)
		}
		_, err := netip.ParseAddr(host)
		if err == nil {
			t.Fatalf("the address %q passes", host)
		}
		u, err := url.Parse("https://" + host + "/")
		if err != nil || u.Host != host || u.Hostname() != host || u.User != nil {
			t.Fatalf("%q is %v in a URL (%v)", host, u, err)
		}
	})
}
