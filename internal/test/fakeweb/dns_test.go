package fakeweb

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"github.com/avow-project/avow/internal/std/ipclass"
)

const namesArchive = `
-- dns --
one.example      93.184.216.34
both.example     93.184.216.40 2606:2800:220:1::40
mapped.example   ::ffff:127.0.0.1
alias.example    CNAME middle.example
loop.example     CNAME pool.example
middle.example   CNAME both.example
pool.example     CNAME loop.example
astray.example   CNAME nowhere.example
rebind.example   93.184.216.41 | 127.0.0.1 | nxdomain
dead.example     nxdomain
empty.example    empty
broken.example   servfail
mute.example     silent
-- https://served.example/ --
200
`

func addrs(text string) []netip.Addr {
	var all []netip.Addr
	for word := range strings.FieldsSeq(text) {
		all = append(all, netip.MustParseAddr(word))
	}
	return all
}

func TestLookups(t *testing.T) {
	t.Parallel()
	w := start(t, namesArchive)
	for _, tt := range []struct{ network, host, want string }{
		{"ip", "one.example", "93.184.216.34"},
		{"ip", "ONE.example.", "93.184.216.34"},
		{"ip4", "one.example", "93.184.216.34"},
		{"ip6", "one.example", "not found"},
		{"ip", "both.example", "93.184.216.40 2606:2800:220:1::40"},
		{"ip6", "both.example", "2606:2800:220:1::40"},
		{"ip", "mapped.example", "::ffff:127.0.0.1"},
		{"ip", "alias.example", "93.184.216.40 2606:2800:220:1::40"},
		{"ip", "astray.example", "not found"},
		{"ip", "loop.example", "temporary"},
		{"ip", "rebind.example", "93.184.216.41"},
		{"ip4", "rebind.example", "93.184.216.41"},
		{"ip", "rebind.example", "127.0.0.1"},
		{"ip", "rebind.example", "not found"},
		{"ip", "rebind.example", "93.184.216.41"},
		{"ip", "dead.example", "not found"},
		{"ip", "empty.example", "not found"},
		{"ip", "broken.example", "temporary"},
		{"ip", "mute.example", "timeout"},
		{"ip", "nowhere.example", "not found"},
		{"ip", "served.example", "45.60.0.1"},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		if tt.want == "timeout" { // nothing else waits
			ctx, cancel = context.WithTimeout(t.Context(), 30*time.Millisecond)
		}
		got, err := w.LookupNetIP(ctx, tt.network, tt.host)
		cancel()
		if said := outcome(got, err); said != tt.want {
			t.Errorf("%s %s: %s, want %s", tt.network, tt.host, said, tt.want)
		}
	}
	if n := len(w.Lookups()); n != 21 || w.Lookups()[1] != "one.example" {
		t.Errorf("lookups: %v", w.Lookups())
	}
}

// outcome puts the result of a lookup into words.
func outcome(got []netip.Addr, err error) string {
	var dns *net.DNSError
	switch {
	case err == nil:
		return strings.Trim(fmt.Sprint(got), "[]")
	case !errors.As(err, &dns):
		return err.Error()
	case dns.IsNotFound:
		return "not found"
	case dns.IsTimeout:
		return "timeout"
	case dns.IsTemporary:
		return "temporary"
	}
	return err.Error()
}

func TestAddrs(t *testing.T) {
	t.Parallel()
	s, err := Parse([]byte(namesArchive))
	if err != nil {
		t.Fatal(err)
	}
	for host, want := range map[string]string{
		"alias.example":   "93.184.216.40 2606:2800:220:1::40",
		"rebind.example":  "93.184.216.41 127.0.0.1",
		"loop.example":    "",
		"nowhere.example": "",
	} {
		if got := s.Addrs(host); !slices.Equal(got, addrs(want)) {
			t.Errorf("%s: %v", host, got)
		}
	}
}

// TestOwnAddresses: hosts without a dns line get different addresses, none of
// which the archive uses, in the order of their sections.
func TestOwnAddresses(t *testing.T) {
	t.Parallel()
	s, err := Parse([]byte("-- dns --\nx.example 45.60.0.2\n-- https://b.example/ --\n200\n-- https://a.example/ --\n200\n-- https://b.example/2 --\n200\n-- https://x.example:99/ --\n200\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Hosts(); !slices.Equal(got, []string{"a.example", "b.example", "x.example"}) {
		t.Errorf("hosts: %v", got)
	}
	if got := fmt.Sprint(s.Addrs("b.example"), s.Addrs("a.example")); got != "[45.60.0.1] [45.60.0.3]" {
		t.Errorf("addresses: %s", got)
	}
	if c := ipclass.Of(s.Addrs("b.example")[0]); c != ipclass.Public {
		t.Errorf("an address that a guard refuses: %v", c)
	}
	if got := fmt.Sprint(s.Endpoints()); got != "[45.60.0.1:443 45.60.0.2:99 45.60.0.3:443]" {
		t.Errorf("endpoints: %s", got)
	}
}

// serveDNS starts the server and returns a resolver of the standard library that
// asks it, as an independent reader of its answers.
func serveDNS(t *testing.T, w *Web) (*net.Resolver, string) {
	t.Helper()
	at, err := w.ServeDNS(netip.MustParseAddrPort("127.0.0.1:0"))
	if err != nil {
		t.Fatal(err)
	}
	return &net.Resolver{
		PreferGo: true,
		Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, network, at.String())
		},
	}, at.String()
}

func TestServeDNS(t *testing.T) {
	t.Parallel()
	var many strings.Builder
	for i := range 200 {
		fmt.Fprintf(&many, " 93.184.217.%d", i)
	}
	w := start(t, namesArchive)
	w2 := start(t, "-- dns --\nmany.example"+many.String()+" | 127.0.0.1\n")
	r, _ := serveDNS(t, w)
	for _, tt := range []struct{ network, host, want string }{
		{"ip4", "one.example.", "93.184.216.34"},
		{"ip", "both.example.", "93.184.216.40 2606:2800:220:1::40"},
		{"ip", "alias.example.", "93.184.216.40 2606:2800:220:1::40"},
		{"ip6", "one.example.", "not found"},
		{"ip", "astray.example.", "not found"},
		{"ip", "dead.example.", "not found"},
		{"ip", "empty.example.", "not found"},
		{"ip4", "broken.example.", "temporary"},
		{"ip4", "loop.example.", "temporary"},
		{"ip4", "rebind.example.", "93.184.216.41"},
		{"ip4", "rebind.example.", "127.0.0.1"},
		{"ip6", "rebind.example.", "not found"},
		{"ip4", "nowhere.example.", "not found"},
	} {
		got, err := r.LookupNetIP(t.Context(), tt.network, tt.host)
		slices.SortFunc(got, netip.Addr.Compare)
		if said := outcome(got, err); said != tt.want {
			t.Errorf("%s %s: %s, want %s", tt.network, tt.host, said, tt.want)
		}
	}
	if got := w.Lookups(); got[0] != "one.example" || slices.Index(got, "both.example") < 0 {
		t.Errorf("lookups: %v", got)
	}
	// A truncated answer does not use up a turn: the query over TCP gets it whole.
	r, _ = serveDNS(t, w2)
	got, err := r.LookupNetIP(t.Context(), "ip4", "many.example.")
	if err != nil || len(got) != 200 {
		t.Errorf("many: %d, %v", len(got), err)
	}
}

// ask sends one message over UDP or TCP and returns the answer.
func ask(t *testing.T, network, at string, message []byte, patience time.Duration) ([]byte, error) {
	t.Helper()
	var d net.Dialer
	conn, err := d.DialContext(t.Context(), network, at)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if network == "tcp" {
		message = append(binary.BigEndian.AppendUint16(nil, uint16(len(message))), message...)
	}
	_, err = conn.Write(message)
	if err != nil {
		t.Fatal(err)
	}
	_ = conn.SetReadDeadline(time.Now().Add(patience))
	buf := make([]byte, 4096)
	n, err := conn.Read(buf)
	return buf[:n], err
}

func question(t *testing.T, host string, kind dnsmessage.Type, extra ...dnsmessage.Resource) []byte {
	t.Helper()
	m := dnsmessage.Message{
		Header:      dnsmessage.Header{ID: 7, RecursionDesired: true},
		Questions:   []dnsmessage.Question{{Name: dnsmessage.MustNewName(host), Type: kind, Class: dnsmessage.ClassINET}},
		Additionals: extra,
	}
	text, err := m.Pack()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestDNSMessages(t *testing.T) {
	t.Parallel()
	w := start(t, namesArchive+"-- dns2 --\n")
	_, at := serveDNS(t, w)
	var opt dnsmessage.ResourceHeader
	err := opt.SetEDNS0(1400, dnsmessage.RCodeSuccess, false)
	if err != nil {
		t.Fatal(err)
	}
	withOPT := dnsmessage.Resource{Header: opt, Body: &dnsmessage.OPTResource{}}
	for _, network := range []string{"udp", "tcp"} {
		text, err := ask(t, network, at, question(t, "MAPPED.example.", dnsmessage.TypeAAAA, withOPT), 10*time.Minute)
		if err != nil {
			t.Fatal(network, err)
		}
		if network == "tcp" {
			text = text[2:]
		}
		var m dnsmessage.Message
		err = m.Unpack(text)
		if err != nil || m.ID != 7 || !m.RecursionDesired || len(m.Answers) != 1 || m.Answers[0].Header.Name.String() != "MAPPED.example." {
			t.Fatalf("%s: %+v %v", network, m, err)
		}
		if a := m.Answers[0].Body.(*dnsmessage.AAAAResource); netip.AddrFrom16(a.AAAA).String() != "::ffff:127.0.0.1" {
			t.Errorf("%s: %v", network, a)
		}
		for name, message := range map[string][]byte{
			"silent":   question(t, "mute.example.", dnsmessage.TypeA),
			"garbage":  []byte("garbage"),
			"nothing":  make([]byte, 12),
			"response": append([]byte{0, 7, 0x80}, question(t, "one.example.", dnsmessage.TypeA)[3:]...),
		} {
			got, err := ask(t, network, at, message, 100*time.Millisecond)
			if err == nil {
				t.Errorf("%s over %s: answer %q", name, network, got)
			}
		}
	}
	text, err := ask(t, "udp", at, question(t, "one.example.", dnsmessage.TypeTXT), 10*time.Minute)
	var m dnsmessage.Message
	if err != nil || m.Unpack(text) != nil || len(m.Answers) != 0 || m.RCode != dnsmessage.RCodeSuccess {
		t.Errorf("TXT: %+v %v", m, err)
	}
	_, err = ask(t, "tcp", at, nil, 100*time.Millisecond)
	if err == nil {
		t.Error("an empty message over TCP was answered")
	}
}
