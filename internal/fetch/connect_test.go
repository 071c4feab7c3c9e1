package fetch

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// brokenWeb has hosts that cannot be asked, each in another way.
const brokenWeb = `
-- dns --
reserved4.test.example   10.1.2.3
reserved6.test.example   fd00::1
mapped.test.example      ::ffff:127.0.0.1
mixed.test.example       93.184.216.40 127.0.0.1
nothing.test.example     empty
missing.test.example     nxdomain
failing.test.example     servfail
nobody.test.example      93.184.216.99
-- tls --
refused.test.example         refused
filtered.test.example        filtered
silent.test.example          silent
reset.test.example           reset
no-tls.test.example          no-tls
banner.test.example          banner
alert.test.example           alert
expired.test.example         expired
future.test.example          future
self-signed.test.example     self-signed
wrong-name.test.example      wrong-name
cn-only.test.example         cn-only
unknown-ca.test.example      unknown-ca
no-intermediate.test.example no-intermediate
rsa1024.test.example         rsa1024
tls10.test.example           tls1.0
tls11.test.example           tls1.1
tls12.test.example           tls1.2
client-cert.test.example     client-cert
quantum.test.example         post-quantum
-- https://quantum.test.example/f --
200
Content-Type: application/json

{}
-- https://tls12.test.example/f --
200
Content-Type: application/json

{}
-- https://stall.test.example/f --
200 stall

`

// brokenOutcomes are what becomes of requests to them.
var brokenOutcomes = map[string]Outcome{
	"reserved4": GuardedAddress, "reserved6": GuardedAddress, "mapped": GuardedAddress, "mixed": GuardedAddress,
	"nothing": NameNotFound, "missing": NameNotFound, "unheard-of": NameNotFound, "failing": Unreachable, "nobody": Unreachable,
	"refused": Unreachable, "filtered": Timeout, "silent": Timeout, "stall": Timeout, "reset": Unreachable,
	"no-tls": TLSFailure, "banner": TLSFailure, "alert": TLSFailure, "expired": TLSFailure, "future": TLSFailure,
	"self-signed": TLSFailure, "wrong-name": TLSFailure, "cn-only": TLSFailure, "unknown-ca": TLSFailure,
	"no-intermediate": TLSFailure, "rsa1024": TLSFailure, "tls10": TLSFailure, "tls11": TLSFailure, "client-cert": TLSFailure,
}

// presented are the hosts whose certificate is on record although it is bad.
var presented = []string{"expired", "future", "self-signed", "wrong-name", "cn-only", "unknown-ca", "no-intermediate", "rsa1024"}

func TestBrokenConnections(t *testing.T) {
	t.Parallel()
	client := clientOf(start(t, brokenWeb), once, func(_ *Config, l *limits) { l.hop = 2 * time.Second })
	is(t, client.Get(t.Context(), Request{URL: "https://tls12.test.example/f"}), Found)
	is(t, client.Get(t.Context(), Request{URL: "https://quantum.test.example/f"}), Found)
	for host, want := range brokenOutcomes {
		t.Run(host, func(t *testing.T) {
			t.Parallel()
			r := client.Get(t.Context(), Request{URL: "https://" + host + ".test.example/f"})
			is(t, r, want)
			if want == GuardedAddress && r.Last().Dialled.IsValid() {
				t.Errorf("dialled %s", r.Last().Dialled)
			}
			// What strangers read must not tell these states apart.
			text := strings.ReplaceAll(r.PublicError(), host, "HOST")
			if text != "no answer from HOST.test.example" {
				t.Errorf("public text %q", text)
			}
		})
	}
	for _, host := range presented {
		t.Run(host+" certificate", func(t *testing.T) {
			t.Parallel()
			r := client.Get(t.Context(), Request{URL: "https://" + host + ".test.example/f"})
			if len(r.Last().TLSLeaf) != 64 {
				t.Errorf("certificate %q", r.Last().TLSLeaf)
			}
		})
	}
}

func TestNoOctetBeforeTLS(t *testing.T) {
	t.Parallel()
	seen := make(chan string, 1)
	l := &lab{serve: func(conn net.Conn) {
		go say(conn, "220 mail.example ESMTP\r\n") // pipes have no buffer
		got, _ := io.ReadAll(conn)
		seen <- string(got)
	}}
	is(t, l.client(Config{}).Get(t.Context(), Request{URL: "https://pub.example/secret"}), TLSFailure)
	if strings.Contains(<-seen, "secret") {
		t.Error("the request was sent in the clear")
	}
}

// TestFirstHello has a first message that fits into one packet: there are servers and
// firewalls that lose longer ones.
func TestFirstHello(t *testing.T) {
	t.Parallel()
	const packet = 1220 // the least that IPv6 leaves to TCP
	host := strings.Repeat(strings.Repeat("a", 60)+".", 3) + "example"
	var sizes []int
	l := &lab{serve: func(conn net.Conn) {
		header := make([]byte, 5)
		_, err := io.ReadFull(conn, header)
		if err != nil {
			t.Error(err)
		}
		sizes = append(sizes, len(header)+int(header[3])<<8+int(header[4]))
	}}
	is(t, l.client(Config{Attempts: 1}).Get(t.Context(), Request{URL: "https://" + host + "/"}), Unreachable)
	if len(sizes) != 1 || sizes[0] < 200 || sizes[0] > packet {
		t.Errorf("hellos of %d bytes", sizes)
	}
}

// TestSecondHello has servers that refuse what is offered first: one is asked once more,
// on the same slot, and one that refuses everything not a third time.
func TestSecondHello(t *testing.T) {
	t.Parallel()
	for group, want := range map[tls.CurveID]Outcome{tls.X25519MLKEM768: Found, tls.CurveID(0x7777): TLSFailure} {
		t.Run(group.String(), func(t *testing.T) {
			t.Parallel()
			l := &lab{serve: func(conn net.Conn) {
				secure := tls.Server(conn, &tls.Config{
					Certificates: []tls.Certificate{labCertificate()}, MinVersion: tls.VersionTLS13, CurvePreferences: []tls.CurveID{group},
				})
				_, err := http.ReadRequest(bufio.NewReader(secure))
				if err == nil {
					say(secure, okHead+"Content-Length: 2\r\n\r\n{}")
				}
			}}
			client := l.client(Config{PerAddress: 1, Attempts: 1})
			r := client.Get(t.Context(), Request{URL: "https://pub.example/"})
			is(t, r, want)
			if l.count() != 2 || len(r.Exchanges) != 1 || len(client.hosts.addrs) != 0 {
				t.Errorf("%d connections, %d exchanges, %d addresses remembered", l.count(), len(r.Exchanges), len(client.hosts.addrs))
			}
		})
	}
}

func TestDeny(t *testing.T) {
	t.Parallel()
	l := &lab{serve: saying("")}
	is(t, l.client(Config{Deny: []netip.Addr{labAddr}}).Get(t.Context(), Request{URL: "https://pub.example/f"}), GuardedAddress)
	if l.count() != 0 {
		t.Error("dialled an address of our own")
	}
}

func TestFailures(t *testing.T) {
	t.Parallel()
	timeout := &net.DNSError{IsTimeout: true}
	rows := []struct {
		got  *failure
		want Outcome
	}{
		{guardFailure(timeout), Timeout},
		{guardFailure(context.DeadlineExceeded), Timeout},
		{guardFailure(errors.New("x")), Unreachable},
		{handshakeFailure(io.EOF), Unreachable},
		{handshakeFailure(&net.OpError{Op: "read", Err: errors.New("x")}), Unreachable},
		{handshakeFailure(&net.OpError{Op: "remote error", Err: errors.New("x")}), TLSFailure},
		{handshakeFailure(tls.RecordHeaderError{}), TLSFailure},
		{answerFailure(io.EOF), Unreachable},
		{answerFailure(io.ErrUnexpectedEOF), Incomplete},
		{answerFailure(errFolded), BadMessage},
		{http2Failure(errors.New("stream error: stream ID 1; PROTOCOL_ERROR")), BadMessage},
		{http2Failure(io.ErrUnexpectedEOF), Unreachable},
		{bodyFailure(errors.New("invalid byte in chunk length"), false), BadMessage},
		{bodyFailure(errors.New("stream error: stream ID 1; CANCEL"), true), Incomplete},
		{bodyFailure(errors.New("stream error: stream ID 1; PROTOCOL_ERROR"), true), BadMessage},
	}
	for i, row := range rows {
		if row.got.outcome != row.want || errors.Unwrap(row.got) == nil {
			t.Errorf("row %d: %s for %v, want %s", i, row.got.outcome, row.got, row.want)
		}
	}
	a := &attempt{}
	a.conclude(t.Context(), errors.New("x"))
	if a.Outcome != Unreachable {
		t.Errorf("an error without outcome is %s", a.Outcome)
	}
}

func TestWeakKeysOnEveryChain(t *testing.T) {
	t.Parallel()
	strong := labCertificate().Leaf
	err := refuseWeakKeys(tls.ConnectionState{VerifiedChains: [][]*x509.Certificate{{strong, strong}}})
	if err != nil {
		t.Error(err)
	}
	err = refuseWeakKeys(tls.ConnectionState{})
	if err == nil {
		t.Error("no chain at all is good enough")
	}
}

// countingConn counts the connections that are open.
type countingConn struct {
	net.Conn
	open *atomic.Int32
	done atomic.Bool
}

// Close implements net.Conn.
func (c *countingConn) Close() error {
	if c.done.CompareAndSwap(false, true) {
		c.open.Add(-1)
	}
	return c.Conn.Close()
}

func TestConnectionsAreClosed(t *testing.T) {
	t.Parallel()
	web := start(t, `
-- https://one.example/f --
200
Content-Type: application/json

{}
-- https://two.example/f --
200 h2
Content-Type: application/json

{}
-- https://type.example/f --
200 h2 size=3MB
Content-Type: text/html

-- https://large.example/f --
200 chunked size=30MB
Content-Type: application/json

-- tls --
alert.example alert
`)
	var open, made atomic.Int32
	client := clientOf(web, once, func(c *Config, _ *limits) {
		dial := c.Network.Dial
		c.Network.Dial = func(ctx context.Context, addr netip.AddrPort) (net.Conn, error) {
			conn, err := dial(ctx, addr)
			open.Add(1)
			made.Add(1)
			return &countingConn{Conn: conn, open: &open}, err
		}
	})
	for _, host := range []string{"one", "two", "type", "large", "alert", "one", "two"} {
		client.Get(t.Context(), Request{URL: "https://" + host + ".example/f"})
		if open.Load() != 0 {
			t.Errorf("%s: %d connections open after the exchange", host, open.Load())
		}
	}
	if made.Load() != 7 {
		t.Errorf("%d connections for 7 exchanges", made.Load())
	}
}
