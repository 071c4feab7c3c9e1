package fetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/avow-project/avow/internal/netguard"
)

// BenchmarkFreshHosts asks a new host each time, which is what discovery does, with
// this package and with nothing but net/http.
func BenchmarkFreshHosts(b *testing.B) {
	file := `{"authorized_agents": [` + strings.Repeat(" ", 3000) + `]}`
	for _, http2 := range []bool{false, true} {
		server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, file)
		}))
		server.TLS = &tls.Config{Certificates: []tls.Certificate{labCertificate()}, MinVersion: tls.VersionTLS12}
		server.EnableHTTP2 = http2
		server.StartTLS()
		b.Run(fmt.Sprintf("bare/http2=%t", http2), func(b *testing.B) { benchBare(b, server) })
		b.Run(fmt.Sprintf("guarded/http2=%t", http2), func(b *testing.B) { benchGuarded(b, server) })
		server.Close()
	}
}

// hosts counts the hosts that were made up.
var hosts atomic.Int64

func freshURL() string { return fmt.Sprintf("https://h%d.example/f", hosts.Add(1)) }

func benchBare(b *testing.B, server *httptest.Server) {
	roots := x509.NewCertPool()
	roots.AddCert(labCertificate().Leaf)
	var d net.Dialer
	transport := &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return d.DialContext(ctx, "tcp", server.Listener.Addr().String())
		},
		TLSClientConfig:   &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
		DisableKeepAlives: true, ForceAttemptHTTP2: true,
	}
	client := &http.Client{Transport: transport}
	b.SetParallelism(8)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			request, err := http.NewRequestWithContext(b.Context(), http.MethodGet, freshURL(), http.NoBody)
			if err != nil {
				b.Error(err)
				return
			}
			resp, err := client.Do(request)
			if err != nil {
				b.Error(err)
				return
			}
			_, err = io.Copy(io.Discard, resp.Body)
			if err != nil {
				b.Error(err)
			}
			_ = resp.Body.Close()
		}
	})
}

// localResolver leads every name to the same address.
type localResolver struct{}

// LookupNetIP implements netguard.Resolver.
func (localResolver) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{labAddr}, nil
}

func benchGuarded(b *testing.B, server *httptest.Server) {
	roots := x509.NewCertPool()
	roots.AddCert(labCertificate().Leaf)
	var d net.Dialer
	client := New(Config{Network: netguard.Network{
		Resolver: localResolver{}, Roots: roots,
		Dial: func(ctx context.Context, _ netip.AddrPort) (net.Conn, error) {
			return d.DialContext(ctx, "tcp", server.Listener.Addr().String())
		},
	}})
	b.SetParallelism(8)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			r := client.Get(b.Context(), Request{URL: freshURL(), Redirects: SameSite})
			if r.Outcome != Found {
				b.Error(r.Last().Explain())
			}
		}
	})
}
