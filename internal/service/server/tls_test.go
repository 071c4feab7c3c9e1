package server

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log/slog"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// writeCertificate makes a certificate with a serial number and writes its files.
func writeCertificate(t *testing.T, dir string, serial int64) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: "registry.example"}, DNSNames: []string{"registry.example"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{"cert.pem": {Type: "CERTIFICATE", Bytes: der}, "key.pem": {Type: "EC PRIVATE KEY", Bytes: private}} {
		err = os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600)
		if err != nil {
			t.Fatal(err)
		}
	}
}

// serial returns the serial number of the certificate that a new connection gets.
func serial(t *testing.T, addr string) int64 {
	t.Helper()
	conn, err := (&tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true}}).DialContext(t.Context(), "tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close() //nolint:errcheck // nothing was sent
	return conn.(*tls.Conn).ConnectionState().PeerCertificates[0].SerialNumber.Int64()
}

// anyCertificate is how a client connects that speaks HTTP/2 and does not ask who signed the certificate.
func anyCertificate() *http.Transport {
	return &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true}
}

// TestTurnedAwayWithTLS: the same as TestTurnedAway on an encrypted connection.
func TestTurnedAwayWithTLS(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeCertificate(t, dir, 1)
	s := start(t, ok, func(c *Config) {
		c.TLSCert, c.TLSKey, c.MaxConns = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem"), 1
	})
	first := tls.Client(s.dial(t), anyCertificate().TLSClientConfig)
	if !greet(t, first) {
		t.Fatal("the first connection is not served")
	}
	s.client.Transport = anyCertificate()
	s.isTurnedAway(t)
}

func TestTLS(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeCertificate(t, dir, 1)
	reload := make(chan struct{})
	s := start(t, ok, func(c *Config) {
		c.TLSCert, c.TLSKey, c.Reload = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem"), reload
	})
	if !strings.HasPrefix(s.url, "https://") {
		t.Fatalf("the URL is %s", s.url)
	}
	s.client.Transport = anyCertificate()
	resp, err := s.client.Get(s.url + "/api/read")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
	if resp.ProtoMajor != 2 || resp.Header.Get("Strict-Transport-Security") != httpsOnly {
		t.Errorf("%s, %v", resp.Proto, resp.Header)
	}
	if got := serial(t, s.addr); got != 1 {
		t.Errorf("serial %d", got)
	}
	writeCertificate(t, dir, 2)
	reload <- struct{}{}
	reload <- struct{}{} // the first one has been dealt with when the second is taken
	if got := serial(t, s.addr); got != 2 {
		t.Errorf("after a reload: serial %d", got)
	}
	err = os.WriteFile(filepath.Join(dir, "cert.pem"), []byte("nonsense"), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	reload <- struct{}{}
	reload <- struct{}{}
	if got := serial(t, s.addr); got != 2 || !strings.Contains(s.log.String(), "the old certificate stays") {
		t.Errorf("after a broken file: serial %d", got)
	}
	if !strings.Contains(scrape(t, s.metrics), "avow_tls_certificate_expiry_seconds 1.") {
		t.Error("the end of the certificate is not in the metrics")
	}
}

func TestOldTLSIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeCertificate(t, dir, 1)
	s := start(t, ok, func(c *Config) { c.TLSCert, c.TLSKey = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem") })
	conn, err := (&tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true, MaxVersion: tls.VersionTLS11}}).DialContext(t.Context(), "tcp", s.addr)
	if err == nil {
		_ = conn.Close()
		t.Error("TLS 1.1 is spoken")
	}
}

func TestCertificateFilesAreWatched(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeCertificate(t, dir, 1)
	c := Config{TLSCert: filepath.Join(dir, "cert.pem"), TLSKey: filepath.Join(dir, "key.pem"), Metrics: NewMetrics(), Log: slog.New(slog.DiscardHandler)}
	held, err := loadCertificate(&c)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		held.watch(t.Context(), nil, 5*time.Millisecond)
	}()
	t.Cleanup(func() { <-ended })
	writeCertificate(t, dir, 7)
	for deadline := time.Now().Add(longEnough); ; time.Sleep(5 * time.Millisecond) {
		if held.current.Load().Leaf.SerialNumber.Int64() == 7 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("a changed certificate is not noticed")
		}
	}
}
