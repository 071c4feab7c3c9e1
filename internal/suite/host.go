package suite

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"html"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// A Host serves the websites of cases to programs that can use nothing but the web. It is a proxy:
// the user name of the proxy is the id of the case, and so chooses the internet behind it. Without a
// user name there is one internet with the sites of all cases. For people, each page is at
// /ID/HOST/PATH as well.
type Host struct {
	cases map[string]*Site // by their ids, under their own names
	sites map[string]*Site // by the tags of names
	ca    *authority
}

// NewHost makes a host for the cases that have pages, with a certificate authority of its own.
func NewHost(cases []*Case) (*Host, error) {
	ca, err := newAuthority()
	if err != nil {
		return nil, err
	}
	h := &Host{cases: map[string]*Site{}, sites: map[string]*Site{}, ca: ca}
	for _, c := range cases {
		if len(c.Files) > 0 && c.Files[0].Status != 0 {
			h.cases[c.ID] = &Site{Case: c}
		}
		if s, ok := SiteOf(c); ok {
			h.sites[s.tag] = s
		}
	}
	return h, nil
}

// Authority returns the certificate that programs have to trust, as PEM.
func (h *Host) Authority() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: h.ca.der})
}

// Len returns how many cases have websites.
func (h *Host) Len() int { return len(h.sites) }

// ServeHTTP serves the list of cases, a page, or a connection through the proxy.
func (h *Host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodConnect:
		h.connect(w, r)
	case r.URL.Path == "/":
		h.list(w)
	default:
		h.direct(w, r)
	}
}

func (h *Host) list(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(w, "<!doctype html><title>Conformance suite</title><ul>\n")
	for _, id := range sortedCases(h.cases) {
		c := h.cases[id].Case
		fmt.Fprintf(w, "<li>%s: %s", html.EscapeString(id), html.EscapeString(c.Title))
		for i := range c.Files {
			rest := strings.TrimPrefix(c.Files[i].Name, "https://")
			fmt.Fprintf(w, ` <a href="/%s/%s">%s</a>`, html.EscapeString(id), html.EscapeString(rest), html.EscapeString(rest))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w, "</ul>")
}

// direct serves /KIND/NAME/HOST/PATH.
func (h *Host) direct(w http.ResponseWriter, r *http.Request) {
	parts := strings.SplitN(strings.TrimPrefix(r.URL.Path, "/"), "/", 4)
	if len(parts) < 4 || h.cases[parts[0]+"/"+parts[1]] == nil {
		http.Error(w, "there is no such case", http.StatusNotFound)
		return
	}
	page := url.URL{Scheme: "https", Host: parts[2], Path: "/" + parts[3], RawQuery: r.URL.RawQuery}
	answer(h.cases[parts[0]+"/"+parts[1]].Case, page.String(), w.Header(), w.WriteHeader, w)
}

// answer writes the page with a URL. A host without a section for it has no such page.
func answer(c *Case, page string, header http.Header, status func(int), body io.Writer) {
	for i := range c.Files {
		f := &c.Files[i]
		if f.Name != page {
			continue
		}
		header["Content-Type"] = nil // the server would guess one
		for _, one := range f.Headers {
			header.Add(one[0], one[1])
		}
		status(f.Status)
		_, _ = body.Write(f.Bytes())
		return
	}
	status(http.StatusNotFound)
}

// site returns the site that a request to the proxy is about: the user of the proxy names its case, or
// the host has its tag.
func (h *Host) site(r *http.Request, name string) *Site {
	user := proxyUser(r)
	if user != "" {
		return h.cases[user]
	}
	if m := tagged().FindString(strings.ToLower(name)); m != "" {
		return h.sites[strings.TrimSuffix(m, ".")]
	}
	return nil
}

// connect takes a connection for a host of a case.
func (h *Host) connect(w http.ResponseWriter, r *http.Request) {
	name, port, err := net.SplitHostPort(r.Host)
	s := h.site(r, name)
	origin := name
	if port != "443" {
		origin = r.Host
	}
	switch {
	case s == nil:
		w.Header().Set("Proxy-Authenticate", `Basic realm="the id of a case"`)
		http.Error(w, "the user name of the proxy has to be the id of a case, with %2F for /", http.StatusProxyAuthRequired)
		return
	case err != nil || !s.open && !s.Case.hasHost(origin):
		http.Error(w, "there is no such host in this case", http.StatusBadGateway)
		return
	}
	hijacker, ok := w.(http.Hijacker)
	if !ok {
		http.Error(w, "a connection cannot be taken over", http.StatusHTTPVersionNotSupported)
		return
	}
	conn, _, err := hijacker.Hijack()
	if err != nil {
		return
	}
	_, err = io.WriteString(conn, "HTTP/1.1 200 Connection established\r\n\r\n")
	if err == nil {
		h.serve(conn, s.Case, name, origin)
	}
	_ = conn.Close()
}

// connectionTime bounds a connection through the proxy.
const connectionTime = time.Minute

// serve answers the requests of one connection.
func (h *Host) serve(conn net.Conn, c *Case, name, origin string) {
	_ = conn.SetDeadline(time.Now().Add(connectionTime))
	certificate, err := h.ca.certificate(name)
	if err != nil {
		return
	}
	secured := tls.Server(conn, &tls.Config{Certificates: []tls.Certificate{*certificate}, MinVersion: tls.VersionTLS12})
	in := bufio.NewReader(secured)
	for {
		req, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		_, _ = io.Copy(io.Discard, io.LimitReader(req.Body, 1<<20))
		resp := &http.Response{ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{}, Request: req}
		var body strings.Builder
		answer(c, "https://"+origin+req.URL.RequestURI(), resp.Header, func(status int) { resp.StatusCode = status }, &body)
		resp.Header.Del("Content-Length")
		resp.ContentLength, resp.Body = int64(body.Len()), io.NopCloser(strings.NewReader(body.String()))
		err = resp.Write(secured)
		if err != nil || req.Close {
			return
		}
	}
}

// proxyUser returns the user name that a request to a proxy comes with.
func proxyUser(r *http.Request) string {
	encoded, _ := strings.CutPrefix(r.Header.Get("Proxy-Authorization"), "Basic ")
	pair, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return ""
	}
	user, _, _ := strings.Cut(string(pair), ":")
	return user
}

// hasHost tells whether a page of the case is at the host, with its port if that is another than usual.
func (c *Case) hasHost(name string) bool {
	for i := range c.Files {
		if strings.HasPrefix(c.Files[i].Name, "https://"+name+"/") {
			return true
		}
	}
	return false
}

func sortedCases(m map[string]*Site) []string {
	all := map[string]any{}
	for id := range m {
		all[id] = nil
	}
	return sortedKeys(all)
}

// An authority signs certificates for any host.
type authority struct {
	der  []byte
	cert *x509.Certificate
	key  *ecdsa.PrivateKey

	mu   sync.Mutex
	made map[string]*tls.Certificate
}

// validity is how long the certificates hold.
const validity = 30 * 24 * time.Hour

func newAuthority() (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "avow conformance suite"}, IsCA: true,
		BasicConstraintsValid: true,
		NotBefore:             time.Now().Add(-time.Hour), NotAfter: time.Now().Add(validity),
		KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	cert, err := x509.ParseCertificate(der)
	return &authority{der: der, cert: cert, key: key, made: map[string]*tls.Certificate{}}, err
}

// certificate returns the one of a host.
func (a *authority) certificate(name string) (*tls.Certificate, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if made := a.made[name]; made != nil {
		return made, nil
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(int64(len(a.made)) + 2), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name},
		NotBefore: a.cert.NotBefore, NotAfter: a.cert.NotAfter, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, &a.key.PublicKey, a.key)
	if err != nil {
		return nil, err
	}
	made := &tls.Certificate{Certificate: [][]byte{der, a.der}, PrivateKey: a.key}
	a.made[name] = made
	return made, nil
}
