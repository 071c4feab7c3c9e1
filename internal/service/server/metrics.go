package server

import (
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/avow-project/avow/fetch"
	"github.com/avow-project/avow/internal/buildinfo"
	"github.com/avow-project/avow/internal/service/retain"
)

// Metrics are the counters of a service. Every label comes from a fixed list: neither
// a domain nor a client is ever one.
type Metrics struct {
	registry  *prometheus.Registry
	requests  *prometheus.CounterVec
	latency   *prometheus.HistogramVec
	refusals  *prometheus.CounterVec
	conns     prometheus.Gauge
	connsOver prometheus.Counter
	panics    prometheus.Counter
	fetches   *prometheus.CounterVec
	fetchTime prometheus.Histogram
	fetched   prometheus.Counter
	caches    *prometheus.CounterVec
	store     *prometheus.HistogramVec
	storeBad  *prometheus.CounterVec
	certUntil prometheus.Gauge
	size      *prometheus.GaugeVec
	removed   *prometheus.CounterVec
	unkept    *prometheus.CounterVec
}

// latencyBuckets reach from a cached answer to the longest call.
var latencyBuckets = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}

// NewMetrics returns counters that stand at zero.
func NewMetrics() *Metrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: counter("avow_http_requests_total", "Requests answered, by route, method and class of status.", "route", "method", "status"),
		latency: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "avow_http_request_seconds", Help: "Time from the head of a request to the end of its answer, by route.", Buckets: latencyBuckets,
		}, []string{"route"}),
		refusals:  counter("avow_http_refusals_total", "Requests that the server refused, by reason: a gate that was full, or a limit.", "reason"),
		conns:     prometheus.NewGauge(prometheus.GaugeOpts{Name: "avow_http_connections", Help: "Open connections."}),
		connsOver: prometheus.NewCounter(prometheus.CounterOpts{Name: "avow_http_connections_refused_total", Help: "Connections closed because of a limit."}),
		panics:    prometheus.NewCounter(prometheus.CounterOpts{Name: "avow_http_panics_total", Help: "Panics of handlers."}),
		fetches:   counter("avow_fetches_total", "Requests sent to others, by outcome.", "outcome"),
		fetchTime: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "avow_fetch_seconds", Help: "Time that requests to others took, without the wait for politeness.", Buckets: latencyBuckets,
		}),
		fetched: prometheus.NewCounter(prometheus.CounterOpts{Name: "avow_fetched_bytes_total", Help: "Bytes of bodies read from others."}),
		caches:  counter("avow_cache_lookups_total", "Questions about what was found before: known (hit) or not (miss), by what was asked.", "cache", "result"),
		store: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "avow_store_seconds", Help: "Time that calls of the store took, by operation.", Buckets: latencyBuckets,
		}, []string{"operation"}),
		storeBad:  counter("avow_store_errors_total", "Calls of the store that failed, by operation.", "operation"),
		certUntil: prometheus.NewGauge(prometheus.GaugeOpts{Name: "avow_tls_certificate_expiry_seconds", Help: "When the certificate ends, in seconds since 1970; zero without one."}),
	}
	m.size = prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "avow_store_bytes", Help: "Size of the store, its budget, what its disk has left, and the part of publishers that only anonymous callers named.",
	}, []string{"what"})
	m.removed = counter("avow_store_removed_total", "What was removed from the store because it is not kept any longer, by kind.", "kind")
	m.unkept = counter("avow_store_unkept_total", "Publishers that anonymous callers named and that there was no room for, by limit.", "limit")
	m.registry.MustRegister(
		m.size, m.removed, m.unkept,
		m.requests, m.latency, m.refusals, m.conns, m.connsOver, m.panics, m.fetches, m.fetchTime, m.fetched, m.caches,
		m.store, m.storeBad, m.certUntil, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), buildMetric(),
	)
	return m
}

// buildMetric names the version that runs.
func buildMetric() prometheus.Collector {
	g := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "avow_build_info", Help: "Always 1; the label is the version that runs.",
		ConstLabels: prometheus.Labels{"version": buildinfo.Get().Version},
	})
	g.Set(1)
	return g
}

// watchGates adds gauges for the requests that are under way.
func (m *Metrics) watchGates(gates ...*gate) {
	for _, g := range gates {
		labels := prometheus.Labels{"gate": g.name}
		m.registry.MustRegister(
			prometheus.NewGaugeFunc(prometheus.GaugeOpts{
				Name: "avow_http_in_flight", Help: "Requests under way, by gate; for memory the bytes of what is large.", ConstLabels: labels,
			}, func() float64 { return float64(g.Used()) }),
			prometheus.NewGaugeFunc(prometheus.GaugeOpts{
				Name: "avow_http_waiting", Help: "Requests that wait for room, by gate.", ConstLabels: labels,
			}, func() float64 { return float64(g.Waiting()) }),
		)
	}
}

// request counts an answer.
func (m *Metrics) request(x *exchange, method string, took time.Duration) {
	route := x.route.Pattern
	if route == "" {
		route = "other"
	}
	if !slices.Contains(knownMethods, method) {
		method = "other"
	}
	m.requests.WithLabelValues(route, method, strconv.Itoa(x.status/100)+"xx").Inc()
	m.latency.WithLabelValues(route).Observe(took.Seconds())
	if x.refused != "" && x.status != http.StatusServiceUnavailable {
		// A gate that was full has been counted under its name.
		m.refusals.WithLabelValues(x.refused).Inc()
	}
}

// ObserveSpace notes how large the store is, and what was removed from it, if anything.
func (m *Metrics) ObserveSpace(l retain.Limits, u retain.Usage, p *retain.Pruned) {
	m.size.WithLabelValues("used").Set(float64(u.Bytes))
	m.size.WithLabelValues("budget").Set(float64(l.Budget))
	m.size.WithLabelValues("guests").Set(float64(u.Guests.Bytes))
	if u.Free >= 0 {
		m.size.WithLabelValues("disk_free").Set(float64(u.Free))
	}
	if p == nil {
		return
	}
	for kind, r := range p.Kinds() {
		m.removed.WithLabelValues(kind).Add(float64(r.Rows))
	}
}

// ObserveUnkept counts a publisher that there was no room for.
func (m *Metrics) ObserveUnkept(v retain.Verdict) { m.unkept.WithLabelValues(string(v)).Inc() }

// ObserveFetch counts a request to others; it is made for fetch.Config.Observe.
func (m *Metrics) ObserveFetch(e *fetch.Exchange) {
	m.fetches.WithLabelValues(e.Outcome.String()).Inc()
	m.fetchTime.Observe(e.Timings.Total.Seconds())
	m.fetched.Add(float64(max(e.Bytes, 0)))
}

// ObserveCache counts a question about what was found before. The name must be one of a
// few.
func (m *Metrics) ObserveCache(name string, hit bool) {
	result := "miss"
	if hit {
		result = "hit"
	}
	m.caches.WithLabelValues(name, result).Inc()
}

// knownMethods are those that metrics name.
var knownMethods = []string{
	http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodOptions, http.MethodPatch,
}
