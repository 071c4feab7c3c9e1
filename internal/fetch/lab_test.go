package fetch

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/netguard"
)

// A lab is a network of pipes. Unlike sockets they work with a virtual clock.
type lab struct {
	// lookup and serve are what name servers and servers do; nil means they work.
	lookup func(ctx context.Context, host string) ([]netip.Addr, error)
	dial   func(ctx context.Context, addr netip.AddrPort) (net.Conn, error)
	serve  func(conn net.Conn)

	mu      sync.Mutex
	lookups []string
	dials   []netip.AddrPort
	open    int
}

// labAddr is the address of every host of a lab.
var labAddr = netip.MustParseAddr("93.184.216.34")

// labCertificate is good for the hosts of every lab, at any time.
var labCertificate = sync.OnceValue(func() tls.Certificate {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "lab"},
		NotBefore: time.Unix(0, 0), NotAfter: time.Unix(1<<33, 0),
		DNSNames: []string{"*.example", "*.pub.example"},
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		panic(err)
	}
	leaf, err := x509.ParseCertificate(raw)
	if err != nil {
		panic(err)
	}
	return tls.Certificate{Certificate: [][]byte{raw}, PrivateKey: key, Leaf: leaf}
})

// LookupNetIP implements netguard.Resolver.
func (l *lab) LookupNetIP(ctx context.Context, _, host string) ([]netip.Addr, error) {
	l.mu.Lock()
	l.lookups = append(l.lookups, host)
	l.mu.Unlock()
	if l.lookup != nil {
		return l.lookup(ctx, host)
	}
	return []netip.Addr{labAddr}, nil
}

// connect is the dialer of the lab.
func (l *lab) connect(ctx context.Context, addr netip.AddrPort) (net.Conn, error) {
	l.mu.Lock()
	l.dials = append(l.dials, addr)
	l.open++
	l.mu.Unlock()
	if l.dial != nil {
		return l.dial(ctx, addr)
	}
	client, server := net.Pipe()
	go func() {
		defer func() { _ = server.Close() }()
		l.serve(server)
		l.mu.Lock()
		l.open--
		l.mu.Unlock()
	}()
	return client, nil
}

// network returns what a client needs to be in the lab.
func (l *lab) network() netguard.Network {
	roots := x509.NewCertPool()
	roots.AddCert(labCertificate().Leaf)
	return netguard.Network{Resolver: l, Dial: l.connect, Roots: roots}
}

// client returns a client of the lab with the real limits.
func (l *lab) client(config Config) *Client {
	config.Network = l.network()
	return New(config)
}

// patient returns a client that shares the turns of another and keeps its own longer
// than the other waits.
func (l *lab) patient(other *Client) *Client {
	c := l.client(Config{HopTimeout: time.Minute, Budget: time.Minute, Attempts: 1, Observe: other.observe})
	c.hosts = other.hosts
	return c
}

// answering returns a server that reads one request and lets reply answer it.
func answering(reply func(w io.Writer, r *http.Request)) func(net.Conn) {
	return func(conn net.Conn) {
		secure := tls.Server(conn, &tls.Config{Certificates: []tls.Certificate{labCertificate()}, MinVersion: tls.VersionTLS12})
		br := bufio.NewReader(secure)
		request, err := http.ReadRequest(br)
		if err != nil {
			return
		}
		_, err = io.Copy(io.Discard, request.Body)
		if err != nil {
			return
		}
		reply(secure, request)
	}
}

// saying returns a server that sends a fixed answer.
func saying(answer string) func(net.Conn) {
	return answering(func(w io.Writer, _ *http.Request) { say(w, answer) })
}

// say writes without looking back: the client may have gone.
func say(w io.Writer, s string) bool {
	_, err := io.WriteString(w, s)
	return err == nil
}

// silence waits until the client goes away.
func silence(conn net.Conn) {
	_, _ = io.Copy(io.Discard, conn)
}

const okHead = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"

func (l *lab) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.dials)
}

// is fails the test unless the outcome is the one wanted.
func is(t *testing.T, r *Result, want Outcome) {
	t.Helper()
	if r.Outcome != want {
		t.Fatalf("got %s, want %s: %s", r.Outcome, want, r.Last().Explain())
	}
}
