package fakeweb

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestServesFiles uses the web as another process would: over real addresses and with
// the certificate from a file.
func TestServesFiles(t *testing.T) {
	t.Parallel()
	w := start(t, "-- https://one.example/ --\n200\n\nhi\n-- https://two.example/ --\n200 h2\n\nho\n")
	bound, err := w.Serve(netip.MustParseAddrPort("127.0.0.1:0"), netip.MustParseAddrPort("127.0.0.2:0"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "ca.pem")
	err = w.CAFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(text) {
		t.Fatal("no certificate in the file")
	}
	for i, host := range []string{"one.example", "two.example"} {
		tr := &http.Transport{
			TLSClientConfig:   &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
			ForceAttemptHTTP2: true,
			DisableKeepAlives: true,
			DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
				var d net.Dialer
				return d.DialContext(ctx, "tcp", bound[i].String())
			},
		}
		got := get(t, &http.Client{Transport: tr}, "https://"+host+"/")
		if got.err != nil || got.status != 200 {
			t.Errorf("%s: %+v", host, got)
		}
	}
	if !slices.Equal(w.Dials(), bound) || w.Requests()[1].Addr != bound[1] {
		t.Errorf("dials %v of %v", w.Dials(), bound)
	}
}

func TestServeErrors(t *testing.T) {
	t.Parallel()
	// The address of the host does not exist on this machine.
	w := start(t, "-- https://one.example/ --\n200\n")
	_, err := w.Serve()
	if err == nil {
		t.Error("listened on an address of somebody else")
	}
	_, err = w.ServeDNS(netip.MustParseAddrPort("45.60.0.1:0"))
	if err == nil {
		t.Error("served names on an address of somebody else")
	}
	taken, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	_, err = w.ServeDNS(taken.LocalAddr().(*net.UDPAddr).AddrPort())
	if err == nil {
		t.Error("shared a port")
	}
}

// TestStrangers: what connects to the listener without Dial gets nothing.
func TestStrangers(t *testing.T) {
	t.Parallel()
	w := start(t, "-- https://one.example/ --\n200\n")
	for _, text := range []string{"short", "this is longer than what Dial sends ahead"} {
		conn, err := net.Dial("tcp", w.listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.WriteString(conn, text)
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.(*net.TCPConn).CloseWrite()
		got, _ := io.ReadAll(conn)
		if len(got) > 0 {
			t.Errorf("%q: got %q", text, got)
		}
		_ = conn.Close()
	}
}
