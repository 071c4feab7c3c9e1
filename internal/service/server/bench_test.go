package server

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/avow-project/avow/internal/service/edge"
)

// BenchmarkRequest compares a handler inside the server with the same handler bare.
func BenchmarkRequest(b *testing.B) {
	h := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"ok":true}`)
	})
	rates := map[*edge.Class]edge.Rate{edge.Read: {N: 1_000_000_000, Per: 24 * 3600e9}}
	s, err := newServer(Config{Handler: h, Route: testRoute, Rates: rates, Log: NewLogger(io.Discard, "json", 0)})
	if err != nil {
		b.Fatal(err)
	}
	for name, handler := range map[string]http.Handler{"bare": h, "server": s} {
		b.Run(name, func(b *testing.B) {
			ts := httptest.NewServer(handler)
			defer ts.Close()
			client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}}
			defer client.CloseIdleConnections()
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					resp, err := client.Get(ts.URL + "/api/read")
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
		})
	}
}
