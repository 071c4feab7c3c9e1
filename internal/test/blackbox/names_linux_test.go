package blackbox

import (
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

// names answers DNS queries. What it says depends on the name, and for some on
// how often it was asked.
type names struct {
	mu    sync.Mutex
	asked map[string]int
}

// startNames starts the DNS server, over UDP, where resolv.conf points.
func startNames(t *testing.T) {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:53")
	if err != nil {
		t.Fatalf("listen for DNS queries: %v", err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	n := &names{asked: map[string]int{}}
	go func() {
		buf := make([]byte, 1500)
		for {
			size, from, err := conn.ReadFrom(buf)
			if err != nil {
				return
			}
			reply, err := n.reply(buf[:size])
			if err == nil {
				_, _ = conn.WriteTo(reply, from)
			}
		}
	}()
}

func (n *names) reply(query []byte) ([]byte, error) {
	var msg dnsmessage.Message
	err := msg.Unpack(query)
	if err != nil || len(msg.Questions) != 1 {
		return nil, err
	}
	q := msg.Questions[0]
	name := strings.TrimSuffix(strings.ToLower(q.Name.String()), ".")
	alias, addrs := n.lookup(name, q.Type)
	reply := dnsmessage.Message{
		Header:    dnsmessage.Header{ID: msg.ID, Response: true, RecursionDesired: true, RecursionAvailable: true},
		Questions: msg.Questions,
	}
	owner := q.Name
	if alias != "" {
		target := dnsmessage.MustNewName(alias + ".")
		reply.Answers = append(reply.Answers, dnsmessage.Resource{
			Header: dnsmessage.ResourceHeader{Name: owner, Class: dnsmessage.ClassINET}, Body: &dnsmessage.CNAMEResource{CNAME: target},
		})
		owner = target
	}
	for _, a := range addrs {
		var body dnsmessage.ResourceBody
		if q.Type == dnsmessage.TypeAAAA {
			body = &dnsmessage.AAAAResource{AAAA: a.As16()}
		} else {
			body = &dnsmessage.AResource{A: a.As4()}
		}
		reply.Answers = append(reply.Answers, dnsmessage.Resource{Header: dnsmessage.ResourceHeader{Name: owner, Class: dnsmessage.ClassINET}, Body: body})
	}
	return reply.Pack()
}

// lookup returns an alias, if any, and the addresses of one family.
func (n *names) lookup(name string, kind dnsmessage.Type) (string, []netip.Addr) {
	v6 := kind == dnsmessage.TypeAAAA
	if kind != dnsmessage.TypeA && !v6 {
		return "", nil
	}
	public := publicAddr(name)
	private := netip.MustParseAddr(inner[len(name)*7%24]) // an IPv4 one
	label, _, _ := strings.Cut(name, ".")
	switch strings.TrimRight(label, "0123456789") {
	case "nameless":
		return "", nil
	case "turns": // public first, then inside, then public
		if v6 {
			return "", nil
		}
		return "", []netip.Addr{[]netip.Addr{public, private}[n.count(name)%2]}
	case "inward": // inside first
		if v6 {
			return "", nil
		}
		return "", []netip.Addr{[]netip.Addr{private, public}[n.count(name)%2]}
	case "both": // one of each in one answer
		if v6 {
			return "", nil
		}
		return "", []netip.Addr{public, private}
	case "other": // the other family is inside
		if v6 {
			return "", []netip.Addr{netip.MustParseAddr([]string{"::1", "fe80::1", "fc00::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1"}[len(name)%5])}
		}
		return "", []netip.Addr{public}
	case "alias":
		if v6 {
			return "localhost", []netip.Addr{netip.IPv6Loopback()}
		}
		return "localhost", []netip.Addr{netip.MustParseAddr("127.0.0.1")}
	}
	return "", plain(name, v6, public)
}

// plain answers for names that always say the same. A label may spell the address
// of the name.
func plain(name string, v6 bool, public netip.Addr) []netip.Addr {
	labels := strings.Split(name, ".")
	if len(labels) < 2 || labels[len(labels)-1] != "example" {
		return nil
	}
	site := labels[len(labels)-2]
	text, four := strings.CutPrefix(site, "four-")
	a, err := netip.ParseAddr(strings.ReplaceAll(text, "-", "."))
	if four && err == nil {
		return family(a, v6)
	}
	text, six := strings.CutPrefix(site, "six-")
	a, err = netip.ParseAddr(strings.ReplaceAll(text, "-", ":"))
	if six && err == nil {
		return family(a, v6)
	}
	return family(public, v6)
}

// family returns the address if the question was about its family.
func family(a netip.Addr, v6 bool) []netip.Addr {
	if a.Is4() == v6 {
		return nil
	}
	return []netip.Addr{a}
}

func (n *names) count(name string) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.asked[name]++
	return n.asked[name] - 1
}
