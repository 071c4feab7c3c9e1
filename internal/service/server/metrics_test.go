package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/service/growth"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/retain"
)

// scrape returns what a collector would read.
func scrape(t *testing.T, m *Metrics) string {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	return w.Body.String()
}

func TestMetricsAreBounded(t *testing.T) {
	t.Parallel()
	s := start(t, ok, nil)
	s.do(t, http.MethodGet, "/api/read", "")
	before := strings.Count(scrape(t, s.metrics), "\navow_http")
	for i := range 50 {
		s.do(t, http.MethodGet, fmt.Sprintf("/victim-%d.example?domain=secret.example", i), "")
		s.do(t, fmt.Sprintf("M%d", i), "/api/read", "")
	}
	text := scrape(t, s.metrics)
	if after := strings.Count(text, "\navow_http"); after > before+40 {
		t.Errorf("%d lines became %d", before, after)
	}
	for _, want := range []string{
		`avow_http_requests_total{method="GET",route="/api/read",status="2xx"} 1`,
		`avow_http_requests_total{method="other",route="/api/read",status="2xx"} 50`,
		`avow_http_requests_total{method="GET",route="other",status="2xx"} 50`,
		`avow_http_request_seconds_count{route="/api/read"} 51`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s", want)
		}
	}
	if strings.Contains(text, "victim") || strings.Contains(text, "secret") || strings.Contains(text, "127.0.0.1") {
		t.Error("a label has what a caller chose")
	}
}

// TestGrowthIsShown: everything that can grow is among the metrics, with what there is where that is known.
func TestGrowthIsShown(t *testing.T) {
	t.Parallel()
	m := NewMetrics()
	m.ObserveSpace(retain.Limits{}, retain.Usage{Bytes: 70, Log: 20, Free: -1}, &retain.Pruned{Tables: map[string]int64{"documents": 12}})
	text := scrape(t, m)
	for _, i := range growth.All() {
		if !strings.Contains(text, fmt.Sprintf("avow_growth_bound{kind=%q,what=%q,bound=", i.Kind, i.Name)) {
			t.Errorf("%s %s is missing", i.Kind, i.Name)
		}
	}
	for _, want := range []string{`avow_growth_used{what="store"} 70`, `avow_growth_used{what="wal"} 20`, `avow_growth_used{what="documents"} 12`, `avow_growth_used{what="checks"} `, `avow_growth_limit{what="checks"} `} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s", want)
		}
	}
}

func TestObservations(t *testing.T) {
	t.Parallel()
	m := NewMetrics()
	m.ObserveFetch(&fetch.Exchange{Outcome: fetch.Found, Bytes: 100})
	m.ObserveFetch(&fetch.Exchange{Outcome: fetch.Timeout})
	m.ObserveCache("validation", true)
	m.ObserveCache("validation", false)
	text := scrape(t, m)
	for _, want := range []string{
		`avow_fetches_total{outcome="found"} 1`, `avow_fetches_total{outcome="timeout"} 1`, `avow_fetched_bytes_total 100`,
		`avow_cache_lookups_total{cache="validation",result="hit"} 1`, `avow_build_info{version=`, "go_goroutines ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s", want)
		}
	}
}

// adminURL finds the address of the metrics in the log.
func adminURL(t *testing.T, s *running) string {
	t.Helper()
	find := regexp.MustCompile(`http://[^"]*/metrics`)
	for deadline := time.Now().Add(longEnough); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if url := find.FindString(s.log.String()); url != "" {
			return strings.TrimSuffix(url, "/metrics")
		}
	}
	t.Fatal("the log does not say where the metrics are")
	return ""
}

func TestAdminListener(t *testing.T) {
	t.Parallel()
	s := start(t, ok, func(c *Config) { c.MetricsAddr = "127.0.0.1:0" })
	admin := adminURL(t, s)
	tests := []struct {
		path, host string
		status     int
		want       string
	}{
		{"/metrics", "", http.StatusOK, "avow_http_requests_total"},
		{"/debug/pprof/", "", http.StatusOK, "goroutine"},
		{"/debug/pprof/goroutine?debug=1", "localhost", http.StatusOK, "goroutine profile"},
		{"/metrics", "rebound.example", http.StatusForbidden, ""},
		{"/", "", http.StatusNotFound, ""},
	}
	s.do(t, http.MethodGet, "/api/read", "")
	for _, tt := range tests {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, admin+tt.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = tt.host
		resp, err := s.client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if resp.StatusCode != tt.status || !strings.Contains(string(text), tt.want) {
			t.Errorf("%s %s: status %d, %.100s", tt.path, tt.host, resp.StatusCode, text)
		}
	}
	// Nothing of it is on the public side.
	for _, path := range []string{"/metrics", "/debug/pprof/", "/debug/vars"} {
		if a := s.do(t, http.MethodGet, path, ""); strings.Contains(a.text, "goroutine") || strings.Contains(a.text, "avow_http") {
			t.Errorf("%s is public", path)
		}
	}
}

func TestMetricsAddrMustBeLocal(t *testing.T) {
	t.Parallel()
	tests := []struct {
		addr   string
		public bool
		ok     bool
	}{
		{"127.0.0.1:0", false, true}, {"[::1]:0", false, true}, {"localhost:0", false, true}, {"", false, true},
		{"0.0.0.0:0", false, false}, {":0", false, false}, {"192.0.2.1:0", false, false}, {"metrics.example:0", false, false},
		{"nonsense", false, false}, {"0.0.0.0:0", true, true},
	}
	for _, tt := range tests {
		err := checkMetricsAddr(&Config{MetricsAddr: tt.addr, MetricsPublic: tt.public})
		if (err == nil) != tt.ok {
			t.Errorf("%q, public %v: %v", tt.addr, tt.public, err)
		}
	}
	err := Run(t.Context(), Config{Addrs: []string{"127.0.0.1:0"}, MetricsAddr: "0.0.0.0:0"}, func(string) { t.Error("it runs") })
	if err == nil {
		t.Error("no error")
	}
}

// called calls a store that is watched: one that answers with an error or, with nil, hangs.
func called(ctx context.Context, watch func(context.Context, string) (context.Context, func(error) error), operation string, err error) error {
	ctx, end := watch(ctx, operation)
	if err == nil {
		<-ctx.Done()
		err = ctx.Err()
	}
	return end(err)
}

func TestWatchStore(t *testing.T) {
	t.Parallel()
	m := NewMetrics()
	watch := m.WatchStore()
	ctx := t.Context()
	errDisk := errors.New("disk full")
	for _, err := range []error{registry.ErrNotFound, registry.ErrConflict, errDisk} {
		got := called(ctx, watch, "ping", err)
		if !errors.Is(got, err) {
			t.Errorf("got %v, want %v", got, err)
		}
	}
	_, end := watch(ctx, "ping")
	err := end(nil)
	if err != nil {
		t.Errorf("got %v", err)
	}
	err = called(ctx, watch, "keys", errDisk)
	var public *registry.Error
	if !errors.Is(err, errDisk) || !errors.As(err, &public) || public.Code != "store_unavailable" {
		t.Errorf("got %v", err)
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	err = called(gone, watch, "ping", nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	err = called(ctx, watch, "ping", nil)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	for _, err := range []error{registry.ErrNotFound, nil} {
		_, end := watch(ctx, "brand")
		_ = end(err)
	}
	text := scrape(t, m)
	for _, want := range []string{
		`avow_store_errors_total{operation="ping"} 2`, `avow_store_errors_total{operation="keys"} 1`, `avow_store_seconds_count{operation="ping"} 6`,
		`avow_cache_lookups_total{cache="brand",result="hit"} 1`, `avow_cache_lookups_total{cache="brand",result="miss"} 1`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s", want)
		}
	}
}

// TestHangingStore: after a few calls no caller waits for it any more, until it is back.
func TestHangingStore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		watch := NewMetrics().WatchStore()
		var calls sync.WaitGroup
		for range slowCalls {
			calls.Go(func() { _ = called(t.Context(), watch, "ping", nil) })
		}
		calls.Wait()
		began := time.Now()
		err := called(t.Context(), watch, "keys", nil)
		if !errors.Is(err, errStoreHangs) || time.Since(began) > 0 {
			t.Errorf("got %v after %s", err, time.Since(began))
		}
		time.Sleep(storeRest)
		_, end := watch(t.Context(), "keys")
		err = end(nil)
		if err != nil {
			t.Errorf("the store is back: %v", err)
		}
	})
}

// TestManualNamesEveryMetric holds docs/operating.md to the metrics.
func TestManualNamesEveryMetric(t *testing.T) {
	t.Parallel()
	manual, err := os.ReadFile("../../../docs/operating.md")
	if err != nil {
		t.Fatal(err)
	}
	m := NewMetrics()
	m.watchGates(newGate("x", 1, 0))
	m.watchConnections(&connections{})
	m.WatchLog(func() float64 { return 0 }, func() float64 { return 0 })
	names := slices.DeleteFunc(m.set.Names(), func(name string) bool { return !strings.HasPrefix(name, "avow_") })
	if len(names) < 15 {
		t.Errorf("only %d metrics: %v", len(names), names)
	}
	for _, name := range names {
		if !strings.Contains(string(manual), "`"+name+"`") {
			t.Errorf("docs/operating.md does not name %s", name)
		}
	}
	for _, m := range regexp.MustCompile("`(avow_\\w+)`").FindAllStringSubmatch(string(manual), -1) {
		if !slices.Contains(names, m[1]) && !strings.HasPrefix(m[1], "avow_0") {
			t.Errorf("docs/operating.md names %s, which does not exist", m[1])
		}
	}
}

func TestLogGauges(t *testing.T) {
	t.Parallel()
	m := NewMetrics()
	if text := scrape(t, m); strings.Contains(text, "avow_log_") {
		t.Error("there are gauges without a log")
	}
	cosigned := m.WatchLog(func() float64 { return 3 }, func() float64 { return 1794912240 })
	cosigned("one", time.Unix(1794912241, 0))
	text := scrape(t, m)
	for _, want := range []string{"\navow_log_waiting 3\n", "\navow_log_signed_seconds 1.79491224e+09\n", "\navow_log_cosigned_seconds{witness=\"one\"} 1.794912241e+09\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in the metrics", want)
		}
	}
}
