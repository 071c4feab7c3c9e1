package netguard

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// ParseProxy reads the URL of a proxy: http or https with a host and, if it wants them, credentials.
func ParseProxy(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return nil, errors.New("it is not a URL")
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, errors.New("its scheme must be http or https")
	case u.Hostname() == "" || u.RawQuery != "" || u.Fragment != "" || u.Path != "" && u.Path != "/":
		return nil, errors.New("it must have a host and a port, and nothing after them")
	}
	return u, nil
}

// proxyAddr is the host and the port of a proxy.
func proxyAddr(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// resolveProxy returns the address of the proxy, which is the one that is connected to: it looks up
// the names of hosts itself. It may be a private one, because the operator has named it.
func (g *Guard) resolveProxy(ctx context.Context) ([]netip.Addr, error) {
	addr, err := netip.ParseAddr(g.proxy.Hostname())
	if err == nil {
		return []netip.Addr{plain(addr)}, nil
	}
	found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", g.proxy.Hostname())
	if err != nil {
		return nil, proxyError(err)
	}
	for i := range found {
		found[i] = plain(found[i])
	}
	return found[:min(len(found), MaxAddresses)], nil
}

// tunnel connects to a host through the proxy, by its name.
func (g *Guard) tunnel(ctx context.Context, host string, port uint16) (net.Conn, netip.AddrPort, error) {
	none := netip.AddrPort{}
	err := CheckHost(host)
	if err == nil {
		err = CheckPort(port)
	}
	if err != nil {
		return nil, none, err
	}
	ctx, cancel := context.WithTimeout(ctx, ConnectTimeout+LookupTimeout)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", proxyAddr(g.proxy))
	if err != nil {
		return nil, none, proxyError(err)
	}
	at := none
	tcp, ok := conn.RemoteAddr().(*net.TCPAddr)
	if ok {
		at = tcp.AddrPort()
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Now()) })
	if g.proxy.Scheme == "https" {
		conn = tls.Client(conn, &tls.Config{ServerName: g.proxy.Hostname(), RootCAs: g.roots, MinVersion: tls.VersionTLS12})
	}
	err = g.ask(conn, net.JoinHostPort(host, strconv.Itoa(int(port))), host)
	if !stop() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, at, errors.Join(err, conn.Close())
	}
	return conn, at, nil
}

// proxyError is an error of the proxy. It has the text of another one alone, which must not be taken
// for an error of the host.
func proxyError(err error) error { return errors.New("the proxy: " + err.Error()) }

// longestReply is the most that a proxy may say before the connection is there.
const longestReply = 16 << 10

// ask asks the proxy for a connection, and checks what it says about it.
func (g *Guard) ask(conn net.Conn, target, host string) error {
	text := "CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\n"
	if user := g.proxy.User; user != nil {
		password, _ := user.Password()
		text += "Proxy-Authorization: Basic " +
			base64.StdEncoding.EncodeToString([]byte(user.Username()+":"+password)) + "\r\n"
	}
	_, err := io.WriteString(conn, text+"\r\n")
	if err != nil {
		return proxyError(err)
	}
	in := bufio.NewReader(io.LimitReader(conn, longestReply))
	reply, err := http.ReadResponse(in, &http.Request{Method: http.MethodConnect})
	if err != nil {
		return proxyError(err)
	}
	_ = reply.Body.Close() // a tunnel has none
	switch {
	case reply.StatusCode/100 != 2:
		return fmt.Errorf("the proxy refuses with status %d", reply.StatusCode)
	case in.Buffered() > 0:
		return errors.New("the proxy sends data before the host is asked")
	}
	for _, addr := range nextHops(reply.Header) {
		err = g.check(host, addr)
		if err != nil {
			return err
		}
	}
	return nil
}

// nextHops returns the addresses that a proxy says it has connected to, by RFC 9209.
func nextHops(h http.Header) []netip.Addr {
	var found []netip.Addr
	for part := range strings.FieldsFuncSeq(strings.Join(h.Values("Proxy-Status"), ";"), func(r rune) bool {
		return r == ';' || r == ','
	}) {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		if name != "next-hop" {
			continue
		}
		value = strings.Trim(value, `"`)
		addr, err := netip.ParseAddr(strings.Trim(value, "[]"))
		if err != nil {
			var whole netip.AddrPort
			whole, err = netip.ParseAddrPort(value)
			addr = whole.Addr()
		}
		if err == nil {
			found = append(found, addr)
		}
	}
	return found
}
