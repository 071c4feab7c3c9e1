package main

import (
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/avow-project/avow/internal/bench"
	"github.com/avow-project/avow/internal/test/testca"
)

// origins is every web server the measured process asks: one listener on
// loopback that has a certificate for any name.
type origins struct {
	listener net.Listener
	server   *http.Server
	issuer   *testca.Issuer
	pem      string
	leaves   sync.Map // server name -> *tls.Certificate
	small    []byte
	network  func() []byte
	large    func() []byte
	hostile  func() []byte
	useless  func() []byte
	rollout  func() []byte
}

func startOrigins() (*origins, error) {
	issuer, err := testca.New("internal/bench", nil)
	if err != nil {
		return nil, err
	}
	o := &origins{
		issuer: issuer, pem: string(issuer.PEM()), small: bench.Small(),
		network: sync.OnceValue(bench.Network3MB),
		large:   sync.OnceValue(bench.Large19MB),
		hostile: sync.OnceValue(func() []byte { return bench.ObjectMembers(hostileMembers) }),
		useless: sync.OnceValue(func() []byte { return bench.HostileArray(hostileSize) }),
		rollout: sync.OnceValue(rolloutFile),
	}
	o.listener, err = net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	o.server = &http.Server{Handler: http.HandlerFunc(o.answer), ErrorLog: log.New(io.Discard, "", 0), ReadHeaderTimeout: 10 * time.Second}
	config := &tls.Config{GetCertificate: o.certificate, MinVersion: tls.VersionTLS12, SessionTicketsDisabled: true}
	go func() { _ = o.server.Serve(tls.NewListener(o.listener, config)) }()
	return o, nil
}

func (o *origins) close() { _ = o.server.Close() }

// hostileMembers makes one object of 20 MB: the shape that costs most memory.
const hostileMembers = 1_100_000

// answer serves the files by host: publishers have a small file, the others a
// pointer to a body of 20 MB on the same host.
func (o *origins) answer(w http.ResponseWriter, r *http.Request) {
	kind, _, _ := strings.Cut(r.Host, ".")
	kind = strings.TrimRight(kind, "0123456789")
	body := o.small
	switch {
	case r.URL.Path == "/rollout.json":
		time.Sleep(rolloutAway)
		body = o.rollout()
	case kind == rolloutHost:
		w.Header().Set("Content-Type", "application/json")
		o.pointer(w)
		return
	case r.URL.Path == "/network.json":
		body = o.network()
	case r.URL.Path == "/large.json":
		body = o.large()
	case r.URL.Path == "/hostile.json":
		body = o.hostile()
	case r.URL.Path == "/useless.json":
		body = o.useless()
	case kind != publisherHost && r.Host != "example.com":
		body = fmt.Appendf(nil, `{"authoritative_location":"https://%s/%s.json","last_updated":"2026-01-01T00:00:00Z"}`, r.Host, kind)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body)
}

// certificate makes one for each name once, so that the rates are not about
// making certificates.
func (o *origins) certificate(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	known, ok := o.leaves.Load(hello.ServerName)
	if ok {
		return known.(*tls.Certificate), nil
	}
	leaf, err := o.issuer.Leaf(hello.ServerName, o.issuer.Key)
	if err != nil {
		return nil, err
	}
	o.leaves.Store(hello.ServerName, leaf)
	return leaf, nil
}
