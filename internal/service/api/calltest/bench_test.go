package calltest

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/bench"
)

// benchmarkWeb has one publisher with a file of ordinary size.
func benchmarkWeb() string {
	var b strings.Builder
	b.WriteString("-- https://pub.example/.well-known/adagents.json --\n200\nContent-Type: application/json\n\n")
	b.WriteString(`{"authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "everything", "authorization_type": "property_tags", "property_tags": ["all"]}], "properties": [`)
	for i := range 30 {
		if i > 0 {
			b.WriteByte(',')
		}
		n := strconv.Itoa(i)
		b.WriteString(`{"property_id": "p` + n + `", "property_type": "website", "name": "Site ` + n + `", "tags": ["all"], "identifiers": [{"type": "domain", "value": "s` + n + `.pub.example"}]}`)
	}
	b.WriteString("]}\n")
	return b.String()
}

// BenchmarkCachedValidate compares a cached answer over HTTP with the least that a
// server in Go can do: read the request and send the same number of bytes.
func BenchmarkCachedValidate(b *testing.B) {
	w := newWorld(b, benchmarkWeb())
	const body = `{"domain": "pub.example"}`
	first := w.call(http.MethodPost, "/api/adagents/validate", body)
	if first.status != http.StatusOK {
		b.Fatalf("%d %s", first.status, first.body)
	}
	bare := bareServer(b, first.body)
	url := "/api/adagents/validate"
	b.Run("bare", func(b *testing.B) { ask(b, bare, http.MethodPost, url, body) })
	b.Run("api", func(b *testing.B) { ask(b, w.server, http.MethodPost, url, body) })
	b.Run("handler", func(b *testing.B) {
		h := w.handler
		b.ReportAllocs()
		for b.Loop() {
			r := httptest.NewRequestWithContext(context.Background(), http.MethodPost, "/api/adagents/validate", strings.NewReader(body))
			h.ServeHTTP(&nothing{header: http.Header{}}, r)
		}
	})
}

// bareServer reads a request and answers with the same bytes, whatever it is.
func bareServer(b *testing.B, answer []byte) *httptest.Server {
	b.Helper()
	size := strconv.Itoa(len(answer))
	bare := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		rw.Header().Set("Content-Length", size)
		_, _ = rw.Write(answer)
	}))
	b.Cleanup(bare.Close)
	return bare
}

// ask makes calls from several goroutines, as a server meets them.
func ask(b *testing.B, s *httptest.Server, method, path, body string) {
	b.Helper()
	client := s.Client()
	client.Transport.(*http.Transport).MaxIdleConnsPerHost = 64
	b.SetParallelism(25)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			req, err := http.NewRequestWithContext(context.Background(), method, s.URL+path, strings.NewReader(body))
			if err != nil {
				b.Error(err)
				return
			}
			resp, err := client.Do(req)
			if err != nil {
				b.Error(err)
				return
			}
			_, _ = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
			if resp.StatusCode != http.StatusOK {
				b.Error(resp.Status)
				return
			}
		}
	})
}

// nothing is a response writer that throws everything away.
type nothing struct{ header http.Header }

func (n *nothing) Header() http.Header         { return n.header }
func (n *nothing) WriteHeader(int)             {}
func (n *nothing) Write(p []byte) (int, error) { return len(p), nil }

// BenchmarkDecision asks about a publisher that is known and fresh.
func BenchmarkDecision(b *testing.B) {
	w := newWorld(b, benchmarkWeb())
	const path = "/api/authorize?publisher=pub.example&agent=https%3A%2F%2Fsales.example.com%2Fmcp&property=gazette_site"
	first := w.call(http.MethodGet, path, "")
	if first.status != http.StatusOK {
		b.Fatalf("%d %s", first.status, first.body)
	}
	bare := bareServer(b, first.body)
	b.Run("bare", func(b *testing.B) { ask(b, bare, http.MethodGet, path, "") })
	b.Run("api", func(b *testing.B) { ask(b, w.server, http.MethodGet, path, "") })
	b.Run("handler", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			r := httptest.NewRequestWithContext(context.Background(), http.MethodGet, path, nil)
			w.handler.ServeHTTP(&nothing{header: http.Header{}}, r)
		}
	})
}

// BenchmarkCreate makes files of two sizes, without the network.
func BenchmarkCreate(b *testing.B) {
	h := newWorld(b, "").handler
	for _, x := range []struct {
		name string
		body []byte
	}{{"small", bench.Small()}, {"publisher500", bench.Publisher500()}} {
		b.Run(x.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r := httptest.NewRequestWithContext(context.Background(), http.MethodPost, "/api/adagents/create", bytes.NewReader(x.body))
				w := &nothing{header: http.Header{}}
				h.ServeHTTP(w, r)
				if w.header.Get("Content-Length") == "" {
					b.Fatal("no file")
				}
			}
		})
	}
}
