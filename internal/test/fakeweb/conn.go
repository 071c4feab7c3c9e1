package fakeweb

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
)

// maxRequestBody is more than any client under test sends.
const maxRequestBody = 1 << 20

// accept serves a listener. dialled finds out which address a client wanted.
func (w *Web) accept(l net.Listener, dialled func(net.Conn) (netip.AddrPort, error)) {
	w.run(l, func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			w.run(conn, func() {
				at, err := dialled(conn)
				if err == nil {
					w.serve(conn, at)
				}
				_ = conn.Close()
			})
		}
	})
}

// readDialled reads what Dial sent ahead.
func (w *Web) readDialled(conn net.Conn) (netip.AddrPort, error) {
	var buf [26]byte
	_, err := io.ReadFull(conn, buf[:])
	if err != nil {
		return netip.AddrPort{}, err
	}
	if !bytes.Equal(buf[:8], w.token[:]) {
		return netip.AddrPort{}, errors.New("not a connection made by Dial")
	}
	addr := netip.AddrFrom16([16]byte(buf[8:24])).Unmap()
	return netip.AddrPortFrom(addr, binary.BigEndian.Uint16(buf[24:])), nil
}

// errHandled ends a handshake that was answered in another way than by TLS.
var errHandled = errors.New("answered without TLS")

// serve answers one connection.
func (w *Web) serve(conn net.Conn, at netip.AddrPort) {
	var o *origin
	server := tls.Server(conn, &tls.Config{
		GetConfigForClient: func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
			o = w.originFor(hello.ServerName, at)
			return w.hello(conn, o)
		},
	})
	err := server.HandshakeContext(w.ctx)
	if err != nil {
		return
	}
	c := &exchange{web: w, tcp: conn, conn: server, at: at, name: o.host}
	if server.ConnectionState().NegotiatedProtocol == "h2" {
		c.serveH2()
		return
	}
	c.serve()
}

// originFor chooses the host by the name in the handshake. Without a name it is
// the only one at the address, if there is only one.
func (w *Web) originFor(name string, at netip.AddrPort) *origin {
	if name != "" {
		return w.spec.origins[canonical(name)]
	}
	if here := w.spec.serving[at]; len(here) == 1 {
		return here[0]
	}
	return nil
}

// hello decides about a handshake, or does something else with the connection.
func (w *Web) hello(conn net.Conn, o *origin) (*tls.Config, error) {
	if o == nil {
		return nil, errors.New("no server has this name")
	}
	if o.plain != nil {
		c := &exchange{web: w, tcp: conn, conn: conn, name: o.host}
		c.respond(&http.Request{Method: http.MethodGet}, o.plain)
		_ = conn.Close()
		return nil, errHandled
	}
	switch o.tls.hello {
	case helloAlert:
		return nil, errors.New("handshake refused")
	case helloSilent:
		_, _ = io.Copy(io.Discard, conn)
		return nil, errHandled
	case helloBanner:
		_, _ = io.WriteString(conn, "220 mail.example ESMTP\r\n")
		_ = conn.Close()
		return nil, errHandled
	}
	if o.tls.hello == helloReset || o.tls.connect != connectAccepts {
		reset(conn)
		return nil, errHandled
	}
	return w.tlsConfig(o)
}

// reset closes a connection so that the other side sees a reset, not an end.
func reset(conn net.Conn) {
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

func (w *Web) tlsConfig(o *origin) (*tls.Config, error) {
	cert, err := w.certificate(o)
	if err != nil {
		return nil, err
	}
	config := &tls.Config{
		Certificates: []tls.Certificate{*cert},
		MinVersion:   tls.VersionTLS10,
		MaxVersion:   o.tls.version,
		NextProtos:   []string{"http/1.1"},
	}
	if o.h2 {
		config.NextProtos = []string{"h2", "http/1.1"}
	}
	if o.tls.client {
		config.ClientAuth = tls.RequireAnyClientCert
	}
	if o.tls.quantum {
		config.CurvePreferences = []tls.CurveID{tls.X25519MLKEM768}
	}
	return config, nil
}

// certificate makes the certificate of a host once.
func (w *Web) certificate(o *origin) (*tls.Certificate, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if cert := w.leaves[o.host]; cert != nil {
		return cert, nil
	}
	cert, err := w.authority.leaf(o.host, o.tls.cert)
	if err != nil {
		return nil, err
	}
	w.leaves[o.host] = cert
	return cert, nil
}

// An exchange is a connection on which requests are answered.
type exchange struct {
	web  *Web
	tcp  net.Conn // under TLS
	conn net.Conn
	at   netip.AddrPort
	name string // from the handshake
}

// serve answers requests in HTTP/1.1 until one of them ends the connection.
func (c *exchange) serve() {
	defer func() { _ = c.conn.Close() }()
	in := bufio.NewReader(c.conn)
	for {
		r, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		body, err := io.ReadAll(io.LimitReader(r.Body, maxRequestBody))
		if err != nil {
			return
		}
		a := c.web.choose(r, body, c)
		if !c.respond(r, a) || r.Close {
			return
		}
	}
}

// choose records a request and finds its answer.
func (w *Web) choose(r *http.Request, body []byte, c *exchange) *answer {
	host, port := splitHost(r.Host)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.log.requests = append(w.log.requests, Request{
		Host: host, Method: r.Method, URL: "https://" + hostPort(host, port) + r.RequestURI,
		Header: r.Header.Clone(), Body: body, Addr: c.at, ServerName: c.name, Proto: r.Proto,
	})
	if host != c.name {
		return plainAnswer(http.StatusMisdirectedRequest)
	}
	a := w.answerFor(w.spec.origins[host], route{r.Method, port, r.RequestURI})
	if a.echo {
		return &answer{status: a.status, header: a.header, body: body}
	}
	return a
}

// answerFor looks for the most exact section: with the query before without, and
// with the method before without.
func (w *Web) answerFor(o *origin, wanted route) *answer {
	path, _, _ := strings.Cut(wanted.target, "?")
	for _, target := range []string{wanted.target, path} {
		for _, method := range []string{wanted.method, ""} {
			r := route{method, wanted.port, target}
			if answers := o.routes[r]; len(answers) > 0 {
				return w.inTurn(o, r, answers)
			}
		}
	}
	for r := range o.routes {
		if r.port == wanted.port && (r.target == wanted.target || r.target == path) {
			return plainAnswer(http.StatusMethodNotAllowed)
		}
	}
	return plainAnswer(http.StatusNotFound)
}

// inTurn counts a request and returns the answer that is due; the last one stays.
func (w *Web) inTurn(o *origin, r route, answers []*answer) *answer {
	counts := w.asked[r]
	if counts == nil {
		counts = map[string]int{}
		w.asked[r] = counts
	}
	n := counts[o.host]
	counts[o.host]++
	for _, a := range answers[:len(answers)-1] {
		if n < a.times {
			return a
		}
		n -= a.times
	}
	return answers[len(answers)-1]
}

func splitHost(hostport string) (string, uint16) {
	host, text, err := net.SplitHostPort(hostport)
	if err != nil {
		return canonical(hostport), httpsPort
	}
	port, err := parsePort(text)
	if err != nil {
		return canonical(hostport), httpsPort
	}
	return canonical(host), port
}

func hostPort(host string, port uint16) string {
	if port == httpsPort {
		return host
	}
	return host + ":" + strconv.Itoa(int(port))
}
