package netguard

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
)

// proxyWith starts a proxy that answers each request with a text and then echoes, and returns its
// guard and the heads of the requests.
func proxyWith(t *testing.T, reply, user string) (*Guard, chan *http.Request) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	asked := make(chan *http.Request, 10)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer func() { _ = conn.Close() }()
				r, err := http.ReadRequest(bufio.NewReader(conn))
				if err != nil {
					return
				}
				asked <- r
				_, _ = io.WriteString(conn, reply)
				_, _ = io.Copy(conn, conn)
			}()
		}
	}()
	u, err := ParseProxy("http://" + user + l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return New(Network{Proxy: u}, nil, "quiet.example"), asked
}

func TestProxy(t *testing.T) {
	t.Parallel()
	g, asked := proxyWith(t, "HTTP/1.1 200 OK\r\nProxy-Status: p; next-hop=\"93.184.216.34\"\r\n\r\n", "ada:secret@")
	addrs, err := g.Resolve(t.Context(), "pub.example.com")
	if err != nil || len(addrs) != 1 || !addrs[0].IsLoopback() {
		t.Fatalf("%v %v", addrs, err)
	}
	conn, at, err := g.DialHost(t.Context(), "pub.example.com", addrs, 443)
	if err != nil || !at.Addr().IsLoopback() {
		t.Fatalf("%v %v", at, err)
	}
	defer func() { _ = conn.Close() }()
	r := <-asked
	user, password, _ := (&http.Request{Header: http.Header{"Authorization": r.Header["Proxy-Authorization"]}}).BasicAuth()
	if r.Method != http.MethodConnect || r.Host != "pub.example.com:443" || user != "ada" || password != "secret" {
		t.Errorf("asked %s %s as %s %s", r.Method, r.Host, user, password)
	}
	_, err = io.WriteString(conn, "hello")
	text := make([]byte, 5)
	if err == nil {
		_, err = io.ReadFull(conn, text)
	}
	if err != nil || string(text) != "hello" {
		t.Errorf("%q %v", text, err)
	}
}

// TestProxyRefusals: names that are not public are never handed to a proxy, and one that says that it
// has connected to a private address is not used.
func TestProxyRefusals(t *testing.T) {
	t.Parallel()
	g, asked := proxyWith(t, "HTTP/1.1 200 OK\r\n\r\n", "")
	for _, host := range []string{"localhost", "10.0.0.1", "intranet", "printer.local", "quiet.example"} {
		var refused *Refusal
		_, err := g.Resolve(t.Context(), host)
		if !errors.As(err, &refused) {
			t.Errorf("%s: %v", host, err)
		}
	}
	if len(asked) > 0 {
		t.Error("the proxy was asked")
	}
	for reply, want := range map[string]string{
		"HTTP/1.1 200 OK\r\nProxy-Status: a, p; next-hop=10.1.2.3\r\n\r\n":            "10.1.2.3",
		"HTTP/1.1 200 OK\r\nProxy-Status: p; next-hop=\"[fd00::1]:443\"\r\n\r\n":      "fd00::1",
		"HTTP/1.1 200 OK\r\nProxy-Status: p; next-hop=\"127.0.0.1:443\"; x=y\r\n\r\n": "127.0.0.1",
		"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n":                         "status 403",
		"HTTP/1.1 200 OK\r\n\r\nsurprise":                                             "before the host is asked",
		"nonsense\r\n\r\n":                                                            "the proxy",
		"HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 20_000) + "\r\n\r\n":           "the proxy",
	} {
		g, _ := proxyWith(t, reply, "")
		conn, _, err := g.DialHost(t.Context(), "pub.example.com", []netip.Addr{netip.MustParseAddr("127.0.0.1")}, 443)
		if err == nil {
			_ = conn.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v, want %s", reply, err, want)
		}
	}
	for _, text := range []string{"proxy.example:8080", "ftp://proxy.example", "http://", "http://proxy.example/path", "http://proxy.example?x=y", "socks5://proxy.example"} {
		_, err := ParseProxy(text)
		if err == nil {
			t.Errorf("%s is taken for a proxy", text)
		}
	}
}
