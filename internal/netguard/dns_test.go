package netguard

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/dns/dnsmessage"
)

// asking returns a client of the servers with a short limit for each try.
func asking(try time.Duration, servers ...*nameServer) *dnsClient {
	var list []netip.AddrPort
	for _, s := range servers {
		list = append(list, s.addr)
	}
	return &dnsClient{servers: func() []netip.AddrPort { return list }, tryTimeout: try, grace: try / 2, dial: new(net.Dialer).DialContext}
}

// piped returns a client of name servers with these handlers, and the servers. They are at the other
// ends of pipes, which unlike sockets work with a virtual clock.
func piped(t *testing.T, try time.Duration, handlers ...func(r request) [][]byte) (*dnsClient, []*nameServer) {
	t.Helper()
	var servers []*nameServer
	for i, handler := range handlers {
		servers = append(servers, &nameServer{t: t, handler: handler, addr: netip.AddrPortFrom(netip.MustParseAddr("192.0.2.1"), uint16(i))})
	}
	c := asking(try, servers...)
	c.dial = func(_ context.Context, _, address string) (net.Conn, error) {
		i := slices.IndexFunc(servers, func(s *nameServer) bool { return s.addr.String() == address })
		client, server := net.Pipe()
		go servers[i].servePipe(server)
		return client, nil
	}
	return c, servers
}

// generous is a limit that is not reached when a server answers.
const generous = 10 * time.Minute

// silence is a handler that never answers.
func silence(request) [][]byte { return nil }

// says returns a handler that always gives the same records.
func says(text string) func(request) [][]byte {
	return func(r request) [][]byte { return to(r).with(r.question.Name.String(), parseAddrs(text)...).udp() }
}

// dnsFailure returns the error of a lookup as the type that callers look at.
func dnsFailure(t *testing.T, err error) *net.DNSError {
	t.Helper()
	var failure *net.DNSError
	if !errors.As(err, &failure) {
		t.Fatalf("error %v (%T), want a *net.DNSError", err, err)
	}
	return failure
}

func TestLookup(t *testing.T) {
	t.Parallel()
	const both = "93.184.216.34 93.184.216.35 2606:2800::1"
	ten := func(n int) func(r request) [][]byte {
		return func(r request) [][]byte {
			m := to(r)
			for i := range n {
				m.alias(fmt.Sprintf("a%d.example.", i), fmt.Sprintf("a%d.example.", i+1))
			}
			m.Answers[0].Header.Name = r.question.Name
			slices.Reverse(m.Answers) // the order of records means nothing
			return m.with(fmt.Sprintf("a%d.example.", n), parseAddrs(both)...).udp()
		}
	}
	tests := []struct {
		name    string
		network string
		handler func(r request) [][]byte
		want    string
		failure string
	}{
		{"both families", "ip", says(both), both, ""},
		{"v4", "ip4", says(both), "93.184.216.34 93.184.216.35", ""},
		{"v6", "ip6", says(both), "2606:2800::1", ""},
		{"only v4 exists", "ip", says("93.184.216.34"), "93.184.216.34", ""},
		{"only v6 exists", "ip", says("2606:2800::1"), "2606:2800::1", ""},
		{"mapped answer", "ip", says("::ffff:127.0.0.1"), "::ffff:127.0.0.1", ""},
		{"no records", "ip", says(""), "", "no such host"},
		{"no such name", "ip", func(r request) [][]byte { return to(r).code(dnsmessage.RCodeNameError).udp() }, "", "no such host"},
		{"another case", "ip", func(r request) [][]byte {
			r.question.Name = dnsmessage.MustNewName("PuB.eXample.")
			return to(r).with("pUB.EXAMPLE.", parseAddrs(both)...).udp()
		}, both, ""},
		{"one alias", "ip", ten(1), both, ""},
		{"eight aliases", "ip", ten(8), both, ""},
		{"nine aliases", "ip", ten(9), "", "too many aliases"},
		{"aliases in a loop", "ip", func(r request) [][]byte {
			return to(r).alias("pub.example.", "a.example.").alias("a.example.", "pub.example.").udp()
		}, "", "too many aliases"},
		{"alias of itself", "ip", func(r request) [][]byte {
			return to(r).alias("pub.example.", "PUB.example.").udp()
		}, "", "too many aliases"},
		{"alias to nowhere", "ip", func(r request) [][]byte { return to(r).alias("pub.example.", "a.example.").udp() }, "", "no such host"},
		{"records of another name", "ip", func(r request) [][]byte {
			return to(r).with("other.example.", parseAddrs("10.0.0.1")...).with("pub.example.", parseAddrs(both)...).udp()
		}, both, ""},
		{"records of another kind", "ip4", func(r request) [][]byte {
			m := to(r).with("pub.example.", parseAddrs("93.184.216.34")...)
			m.Answers = append(m.Answers, dnsmessage.Resource{
				Header: dnsmessage.ResourceHeader{Name: r.question.Name, Class: dnsmessage.ClassINET},
				Body:   &dnsmessage.TXTResource{TXT: []string{"text"}},
			}, dnsmessage.Resource{
				Header: dnsmessage.ResourceHeader{Name: r.question.Name, Class: dnsmessage.ClassCHAOS},
				Body:   &dnsmessage.AResource{A: [4]byte{10, 0, 0, 1}},
			})
			return m.udp()
		}, "93.184.216.34", ""},
		{"one family fails", "ip", func(r request) [][]byte {
			if r.question.Type == dnsmessage.TypeAAAA {
				return to(r).code(dnsmessage.RCodeServerFailure).udp()
			}
			return says(both)(r)
		}, "93.184.216.34 93.184.216.35", ""},
		{"one family fails, the other is empty", "ip", func(r request) [][]byte {
			if r.question.Type == dnsmessage.TypeAAAA {
				return to(r).code(dnsmessage.RCodeServerFailure).udp()
			}
			return says("")(r)
		}, "", "server failure: RCodeServerFailure"},
		{"server failure", "ip", func(r request) [][]byte { return to(r).code(dnsmessage.RCodeServerFailure).udp() }, "", "server failure: RCodeServerFailure"},
		{"refused", "ip", func(r request) [][]byte { return to(r).code(dnsmessage.RCodeRefused).udp() }, "", "server failure: RCodeRefused"},
		{"cut off", "ip", func(r request) [][]byte {
			msg := to(r).with("pub.example.", parseAddrs(both)...).bytes()
			return [][]byte{msg[:len(msg)-2]}
		}, "", "malformed answer"},
		{"promises more", "ip", func(r request) [][]byte {
			msg := to(r).with("pub.example.", parseAddrs(both)...).bytes()
			msg[7] += 5 // the number of answers
			return [][]byte{msg}
		}, "", "malformed answer"},
		{"garbage first", "ip", func(r request) [][]byte {
			return append([][]byte{{}, {1}, []byte("garbage that is no message")}, says(both)(r)...)
		}, both, ""},
		{"wrong number first", "ip", func(r request) [][]byte {
			wrong := r
			wrong.id++
			return append(says("10.0.0.1 fd00::1")(wrong), says(both)(r)...)
		}, both, ""},
		{"wrong question first", "ip", func(r request) [][]byte {
			wrong := r
			wrong.question.Name = dnsmessage.MustNewName("other.example.")
			return append(says("10.0.0.1 fd00::1")(wrong), says(both)(r)...)
		}, both, ""},
		{"wrong kind first", "ip", func(r request) [][]byte {
			wrong := r
			wrong.question.Type = dnsmessage.TypeMX
			return append(says("")(wrong), says(both)(r)...)
		}, both, ""},
		{"wrong class first", "ip", func(r request) [][]byte {
			wrong := r
			wrong.question.Class = dnsmessage.ClassCHAOS
			return append(says("10.0.0.1")(wrong), says(both)(r)...)
		}, both, ""},
		{"no question first", "ip", func(r request) [][]byte {
			m := to(r).with("pub.example.", parseAddrs("10.0.0.1 fd00::1")...)
			m.Questions = nil
			return append(m.udp(), says(both)(r)...)
		}, both, ""},
		{"an echo first", "ip", func(r request) [][]byte {
			m := to(r).with("pub.example.", parseAddrs("10.0.0.1 fd00::1")...)
			m.Response = false
			return append(m.udp(), says(both)(r)...)
		}, both, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := newNameServer(t, test.handler)
			got, err := asking(generous, s).LookupNetIP(t.Context(), test.network, "pub.example")
			if diff := cmp.Diff(parseAddrs(test.want), got, sameAddr); diff != "" {
				t.Errorf("addresses (-want +got):\n%s", diff)
			}
			if test.failure == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			failure := dnsFailure(t, err)
			missing := test.failure == "no such host"
			if failure.Err != test.failure || failure.IsNotFound != missing || failure.IsTimeout || failure.IsTemporary == missing {
				t.Errorf("error %+v", *failure)
			}
		})
	}
}

// TestQueries looks at what is sent.
func TestQueries(t *testing.T) {
	t.Parallel()
	s := newNameServer(t, says("93.184.216.34"))
	client := asking(generous, s)
	const lookups = 40
	for range lookups {
		_, err := client.LookupNetIP(t.Context(), "ip", "pub.example")
		if err != nil {
			t.Fatal(err)
		}
	}
	ids, ports, kinds := map[uint16]bool{}, map[uint16]bool{}, map[dnsmessage.Type]int{}
	for _, r := range s.seen() {
		ids[r.id], ports[r.from.Port()] = true, true
		kinds[r.question.Type]++
		if r.question.Name.String() != "pub.example." || r.tcp || !r.header.RecursionDesired || r.header.Response {
			t.Errorf("the query %+v", r)
		}
		if len(r.extra) != 1 || r.extra[0].Header.Type != dnsmessage.TypeOPT || r.extra[0].Header.Class != udpSize {
			t.Errorf("the query has the options %v", r.extra)
		}
	}
	if kinds[dnsmessage.TypeA] != lookups || kinds[dnsmessage.TypeAAAA] != lookups || len(kinds) != 2 {
		t.Errorf("queries by kind: %v", kinds)
	}
	// Eighty numbers out of 65,536 collide now and then, but not by the dozen.
	if len(ids) < 2*lookups-12 || len(ports) < lookups {
		t.Errorf("%d numbers and %d ports for %d queries", len(ids), len(ports), 2*lookups)
	}
}

// TestNoHostsFile asks for a name that every hosts file has.
func TestNoHostsFile(t *testing.T) {
	t.Parallel()
	s := newNameServer(t, says("93.184.216.34"))
	got, err := asking(generous, s).LookupNetIP(t.Context(), "ip4", "localhost")
	if err != nil || !slices.Equal(got, parseAddrs("93.184.216.34")) {
		t.Errorf("localhost has the addresses %v (%v), want those of the name server", got, err)
	}
}

func TestForgedSource(t *testing.T) {
	t.Parallel()
	var forger net.PacketConn
	var config net.ListenConfig
	forger, err := config.ListenPacket(t.Context(), "udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = forger.Close() })
	s := newNameServer(t, func(r request) [][]byte {
		for _, msg := range says("10.0.0.1 fd00::1")(r) {
			_, _ = forger.WriteTo(msg, net.UDPAddrFromAddrPort(r.from))
		}
		return says("93.184.216.34")(r) // after the forged ones: on loopback a message that was sent has arrived
	})
	got, err := asking(generous, s).LookupNetIP(t.Context(), "ip", "pub.example")
	if err != nil || !slices.Equal(got, parseAddrs("93.184.216.34")) {
		t.Errorf("the answer is %v (%v)", got, err)
	}
}

func TestTruncation(t *testing.T) {
	t.Parallel()
	overTCP := func(handler func(r request) [][]byte) func(r request) [][]byte {
		return func(r request) [][]byte {
			if r.tcp {
				return handler(r)
			}
			return to(r).with("pub.example.", parseAddrs("10.0.0.1")...).truncated().udp()
		}
	}
	many := publicAddrs(4_000) // about what fits into the longest message
	tests := []struct {
		name    string
		handler func(r request) [][]byte
		want    []netip.Addr
		failure string
	}{
		{"long answer", overTCP(func(r request) [][]byte { return to(r).with("pub.example.", many...).tcp() }), many, ""},
		{"still truncated", overTCP(func(r request) [][]byte { return to(r).truncated().tcp() }), nil, "malformed answer"},
		{"closed", overTCP(silence), nil, "EOF"},
		{"cut short", overTCP(func(r request) [][]byte {
			msg := to(r).with("pub.example.", many[:5]...).tcp()[0]
			return [][]byte{msg[:len(msg)-1]}
		}), nil, "unexpected EOF"},
		{"wrong number", overTCP(func(r request) [][]byte {
			r.id++
			return to(r).with("pub.example.", many[:5]...).tcp()
		}), nil, "not an answer to the question"},
		{"empty", overTCP(func(request) [][]byte { return [][]byte{framed(nil)} }), nil, "not an answer to the question"},
		{"no such name", overTCP(func(r request) [][]byte { return to(r).code(dnsmessage.RCodeNameError).tcp() }), nil, "no such host"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := newNameServer(t, test.handler)
			got, err := asking(generous, s).LookupNetIP(t.Context(), "ip4", "pub.example")
			if !slices.Equal(got, test.want) {
				t.Errorf("%d addresses, want %d", len(got), len(test.want))
			}
			if test.failure != "" && dnsFailure(t, err).Err != test.failure || test.failure == "" && err != nil {
				t.Errorf("error %v, want %q", err, test.failure)
			}
		})
	}
}

func TestNextServer(t *testing.T) {
	t.Parallel()
	failing := func(r request) [][]byte { return to(r).code(dnsmessage.RCodeServerFailure).udp() }
	malformed := func(r request) [][]byte {
		msg := to(r).with("pub.example.", parseAddrs("10.0.0.1")...).bytes()
		return [][]byte{msg[:len(msg)-1]}
	}
	tests := []struct {
		name     string
		handlers []func(r request) [][]byte
		want     string
		asked    []int // queries at each server
	}{
		{"failure, then an answer", []func(request) [][]byte{failing, says("93.184.216.34")}, "93.184.216.34", []int{1, 1}},
		{"malformed, then an answer", []func(request) [][]byte{malformed, says("93.184.216.34")}, "93.184.216.34", []int{1, 1}},
		{"two failures", []func(request) [][]byte{failing, failing, says("93.184.216.34")}, "93.184.216.34", []int{1, 1, 1}},
		{"silence, then an answer", []func(request) [][]byte{silence, says("93.184.216.34")}, "93.184.216.34", []int{1, 1}},
		{"first knows", []func(request) [][]byte{says("93.184.216.34"), failing}, "93.184.216.34", []int{1, 0}},
		{"failures are not repeated", []func(request) [][]byte{failing, failing}, "", []int{1, 1}},
		{"silence is", []func(request) [][]byte{silence, failing}, "", []int{3, 1}},
		{"silence everywhere", []func(request) [][]byte{silence, silence, silence}, "", []int{2, 1, 1}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				client, servers := piped(t, tryTimeout, test.handlers...)
				got, err := client.LookupNetIP(t.Context(), "ip4", "pub.example")
				if !slices.Equal(got, parseAddrs(test.want)) {
					t.Errorf("%v (%v), want %s", got, err, test.want)
				}
				if test.want == "" && dnsFailure(t, err).IsNotFound {
					t.Errorf("a failure is not the absence of a name: %v", err)
				}
				var asked []int
				for _, s := range servers {
					asked = append(asked, len(s.seen()))
				}
				if !slices.Equal(asked, test.asked) {
					t.Errorf("the servers were asked %v times, want %v", asked, test.asked)
				}
			})
		})
	}
}

// TestClosedPort asks a server that is not there, which the kernel reports.
func TestClosedPort(t *testing.T) {
	t.Parallel()
	gone := &nameServer{addr: netip.MustParseAddrPort("127.0.0.1:1")}
	s := newNameServer(t, says("93.184.216.34"))
	got, err := asking(generous, gone, s).LookupNetIP(t.Context(), "ip4", "pub.example")
	if err != nil || len(got) != 1 {
		t.Errorf("%v, %v", got, err)
	}
}

func TestSilence(t *testing.T) {
	t.Parallel()
	const limit = 5 * time.Second
	for _, try := range []time.Duration{generous, 2 * time.Second} { // within one try, and within the tries
		synctest.Test(t, func(t *testing.T) {
			client, _ := piped(t, try, silence)
			start := time.Now()
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			_, err := client.LookupNetIP(ctx, "ip", "pub.example")
			failure := dnsFailure(t, err)
			if !failure.IsTimeout || failure.IsNotFound || !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != limit {
				t.Errorf("error %+v after %s", *failure, time.Since(start))
			}
		})
	}
}

func TestSilenceOfTries(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client, servers := piped(t, tryTimeout, silence)
		start := time.Now()
		_, err := client.LookupNetIP(t.Context(), "ip6", "pub.example")
		failure := dnsFailure(t, err)
		if !failure.IsTimeout || failure.Server != servers[0].addr.String() || failure.Name != "pub.example" {
			t.Errorf("error %+v", *failure)
		}
		if n := len(servers[0].seen()); n != maxQuestions || time.Since(start) != maxQuestions*tryTimeout {
			t.Errorf("%d questions in %s, want %d", n, time.Since(start), maxQuestions)
		}
	})
}

func TestCancelledLookup(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	s := newNameServer(t, func(request) [][]byte {
		cancel()
		return nil
	})
	_, err := asking(generous, s).LookupNetIP(ctx, "ip", "pub.example")
	if !errors.Is(err, context.Canceled) || dnsFailure(t, err).IsTimeout {
		t.Errorf("error %v", err)
	}
}

func TestUnaskable(t *testing.T) {
	t.Parallel()
	s := newNameServer(t, says("93.184.216.34"))
	for _, host := range []string{strings.Repeat("a.", 200), strings.Repeat("a", 64) + ".example", "a..example"} {
		got, err := asking(generous, s).LookupNetIP(t.Context(), "ip4", host)
		if err == nil || dnsFailure(t, err).IsNotFound {
			t.Errorf("%q: %v, %v", host, got, err)
		}
	}
	_, err := asking(generous).LookupNetIP(t.Context(), "ip", "pub.example")
	if dnsFailure(t, err).Err != "no name server" {
		t.Errorf("without servers: %v", err)
	}
	if len(s.seen()) != 0 {
		t.Errorf("names that cannot be asked for were: %v", s.seen())
	}
}

// TestLookupOneFamilySilent: what one family yields is enough, and the other is
// not waited for until the lookup as a whole is over.
func TestLookupOneFamilySilent(t *testing.T) {
	t.Parallel()
	s := newNameServer(t, func(r request) [][]byte {
		if r.question.Type == dnsmessage.TypeAAAA {
			return nil
		}
		return says("93.184.216.34")(r)
	})
	c := asking(time.Hour, s)
	c.grace = 10 * time.Millisecond
	got, err := c.LookupNetIP(t.Context(), "ip", "pub.example")
	if err != nil || !slices.Equal(got, parseAddrs("93.184.216.34")) {
		t.Errorf("%v, %v", got, err)
	}
}
