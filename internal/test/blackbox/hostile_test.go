package blackbox

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// inner are addresses that no request may reach: one or more of every reserved
// range, and the places where clouds keep credentials.
var inner = []string{
	"0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.254", "100.64.0.1", "100.100.100.200", "127.0.0.1", "127.1.2.3",
	"127.255.255.254", "169.254.169.254", "169.254.170.2", "172.16.0.1", "172.31.255.254", "192.0.0.1", "192.0.0.192",
	"192.0.2.1", "192.88.99.1", "192.168.0.1", "192.168.255.254", "198.18.0.1", "198.51.100.1", "203.0.113.1",
	"240.0.0.1", "168.63.129.16",
	"::", "::1", "::7f00:1", "64:ff9b::7f00:1", "64:ff9b:1::a00:1", "100::1", "2001::1", "2001:db8::1",
	"2002:7f00:1::1", "3fff::1", "5f00::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fec0::1", "ff02::1",
}

// hostileURLs returns every inner address in every spelling that some parser or
// resolver somewhere has taken for it.
func hostileURLs() []string {
	var all []string
	for _, text := range inner {
		addr := netip.MustParseAddr(text)
		hosts := spellings6(addr)
		if addr.Is4() {
			hosts = spellings4(addr)
		}
		for _, h := range hosts {
			all = append(all, disguises(h)...)
		}
	}
	for _, name := range []string{
		"localhost", "LOCALHOST", "localhost.", "a.localhost", "localhost.localdomain", "metadata", "metadata.google.internal",
		"db.internal", "printer.local", "victim.example", "intern", "ip6-localhost", "0", "0x0", "1",
	} {
		all = append(all, disguises(name)...)
	}
	all = append(all,
		"file:///etc/passwd", "gopher://127.0.0.1:6379/_INFO", "ftp://127.0.0.1/", "dict://127.0.0.1:11211/",
		"javascript:alert(1)", "data:application/json,{}", "//127.0.0.1/", "https:127.0.0.1", "https:/127.0.0.1/",
		"https:///127.0.0.1/", "https://", "https://:443/", "https://[", "https://[::1", "https://]/", "jar:https://127.0.0.1/!/",
	)
	slices.Sort(all)
	return slices.Compact(all)
}

// spellings4 are the ways to write an IPv4 address as a host.
func spellings4(addr netip.Addr) []string {
	b := addr.As4()
	n := binary.BigEndian.Uint32(b[:])
	dotted := func(format string) string { return fmt.Sprintf(format, b[0], b[1], b[2], b[3]) }
	return []string{
		addr.String(), addr.String() + ".", strconv.FormatUint(uint64(n), 10), fmt.Sprintf("0x%x", n), fmt.Sprintf("0%o", n),
		dotted("0x%x.0x%x.0x%x.0x%x"), dotted("0%o.0%o.0%o.0%o"), dotted("0x%x.%d.0%o.%d"), dotted("%03d.%03d.%03d.%03d"),
		fmt.Sprintf("%d.%d", b[0], n&0xffffff), fmt.Sprintf("%d.%d.%d", b[0], b[1], n&0xffff), fmt.Sprintf("0x%x.%d", b[0], n&0xffffff),
		fmt.Sprintf("%d", uint64(n)+1<<32),
		wide(addr.String()), strings.ReplaceAll(addr.String(), ".", "。"), strings.ReplaceAll(addr.String(), ".", "%2e"),
		circled(addr.String()), "[::ffff:" + addr.String() + "]", "[::" + addr.String() + "]",
		fmt.Sprintf("[::ffff:%x:%x]", n>>16, n&0xffff), fmt.Sprintf("[64:ff9b::%x:%x]", n>>16, n&0xffff),
		fmt.Sprintf("[2002:%x:%x::1]", n>>16, n&0xffff),
		// Names whose only answer is the address.
		"four-" + strings.ReplaceAll(addr.String(), ".", "-") + ".example", "x.four-" + strings.ReplaceAll(addr.String(), ".", "-") + ".example",
	}
}

func spellings6(addr netip.Addr) []string {
	return []string{
		"[" + addr.String() + "]", "[" + strings.ToUpper(addr.String()) + "]", "[" + addr.StringExpanded() + "]",
		"[" + addr.String() + "%25lo]", "[" + addr.String() + "%25eth0]", addr.String(),
		"six-" + strings.ReplaceAll(addr.StringExpanded(), ":", "-") + ".example",
	}
}

// wide writes digits in their full-width form, which IDNA folds to digits.
func wide(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r - '0' + '０'
		}
		return r
	}, s)
}

// circled writes digits in circles.
func circled(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '0':
			return '⓪'
		case r >= '1' && r <= '9':
			return r - '1' + '①'
		}
		return r
	}, s)
}

// disguises puts a host into URLs that hide it from a careless parser. The host
// pub.example is a public one.
func disguises(host string) []string {
	return []string{
		"https://" + host + "/.well-known/adagents.json",
		"https://" + host + ":443/a", "https://" + host + ":8443/a", "http://" + host + "/a",
		"https://pub.example@" + host + "/a", "https://user:pass@" + host + "/a", `https://pub.example\@` + host + "/a",
		"https://" + host + "#@pub.example/a", "https://" + host + "?@pub.example/a", "https://" + host + `\@pub.example/a`,
		"https://" + host + "%00.pub.example/a", "https://" + host + "\t/a", " https://" + host + "/a", "https://" + host + "\r\nHost: pub.example/a",
		"https://pub.example:443@" + host + ":443/a", "https://" + host + "//pub.example/..;/a", "HTTPS://" + host + "/a",
	}
}

func TestHostileURLsAreMany(t *testing.T) {
	t.Parallel()
	all := hostileURLs()
	if len(all) < 3000 {
		t.Fatalf("%d hostile URLs, want at least 3,000", len(all))
	}
	for _, want := range []string{
		"https://2130706433/.well-known/adagents.json", "https://0x7f.1:443/a", "https://017700000001/.well-known/adagents.json",
		"https://[::ffff:169.254.169.254]:8443/a", "https://１２７.０.０.１/.well-known/adagents.json", `https://pub.example\@10.0.0.1/a`,
	} {
		if !slices.Contains(all, want) {
			t.Errorf("%q is missing", want)
		}
	}
}
