package server

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/buildinfo"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/flight"
	"github.com/avow-project/avow/internal/service/growth"
	"github.com/avow-project/avow/internal/service/metrics"
	"github.com/avow-project/avow/internal/service/retain"
)

// Metrics are the counters of a service. Every label comes from a fixed list: neither
// a domain nor a client is ever one.
type Metrics struct {
	set       metrics.Set
	requests  *metrics.Counter
	latency   *metrics.Histogram
	refusals  *metrics.Counter
	connsOver *metrics.Counter
	panics    *metrics.Counter
	fetches   *metrics.Counter
	fetchTime *metrics.Histogram
	fetched   *metrics.Counter
	caches    *metrics.Counter
	store     *metrics.Histogram
	storeBad  *metrics.Counter
	certUntil *metrics.Gauge
	size      *metrics.Gauge
	removed   *metrics.Counter
	unkept    *metrics.Counter
	grown     *metrics.Gauge
}

// NewMetrics returns counters that stand at zero.
func NewMetrics() *Metrics {
	m := new(Metrics)
	s := &m.set
	m.requests = s.Counter("avow_http_requests_total", "Requests answered, by route, method and class of status.",
		"method", "route", "status")
	m.latency = s.Histogram("avow_http_request_seconds",
		"Time from the head of a request to the end of its answer, by route.", "route")
	m.refusals = s.Counter("avow_http_refusals_total",
		"Requests that the server refused, by reason: a gate that was full, or a limit.", "reason")
	m.connsOver = s.Counter("avow_http_connections_refused_total", "Connections closed because of a limit.")
	m.panics = s.Counter("avow_http_panics_total", "Panics of handlers.")
	m.fetches = s.Counter("avow_fetches_total", "Requests sent to others, by outcome.", "outcome")
	m.fetchTime = s.Histogram("avow_fetch_seconds", "Time that requests to others took, without the wait for politeness.")
	m.fetched = s.Counter("avow_fetched_bytes_total", "Bytes of bodies read from others.")
	m.caches = s.Counter("avow_cache_lookups_total",
		"Questions about what was found before: known (hit) or not (miss), by what was asked.", "cache", "result")
	m.store = s.Histogram("avow_store_seconds", "Time that calls of the store took, by operation.", "operation")
	m.storeBad = s.Counter("avow_store_errors_total", "Calls of the store that failed, by operation.", "operation")
	m.certUntil = s.Gauge("avow_tls_certificate_expiry_seconds",
		"When the certificate ends, in seconds since 1970; zero without one.")
	m.size = s.Gauge("avow_store_bytes",
		"Size of the store, its budget, what its disk has left, and the part of publishers that only anonymous callers named.", "what")
	m.removed = s.Counter("avow_store_removed_total",
		"What was removed from the store because it is not kept any longer, by kind.", "kind")
	m.unkept = s.Counter("avow_store_unkept_total",
		"Publishers that anonymous callers named and that there was no room for, by limit.", "limit")
	s.Read("avow_build_info", "Always 1; the label is the version that runs.", "version", buildinfo.Get().Version,
		func() float64 {
			return 1
		})
	s.Process(time.Now())
	m.watchGrowth()
	return m
}

// watchGrowth adds what can grow, with its bound and, where it is known, how much there is.
func (m *Metrics) watchGrowth() {
	const used, most = "avow_growth_used", "avow_growth_limit"
	bound := m.set.Gauge("avow_growth_bound", "Always 1; the labels are what can grow, and what bounds it.", "kind",
		"what", "bound")
	m.grown = m.set.Gauge(used, growthHelp, "what")
	for _, i := range growth.All() {
		bound.Set(1, string(i.Kind), i.Name, strings.ReplaceAll(i.Bound, "`", ""))
		if i.Kind == growth.Cache && i.In == nil {
			m.set.Read(used, growthHelp, "what", i.Name, func() float64 { return float64(flight.UseOf(i.Name).Now) })
			m.set.Read(most, "The most of that.", "what", i.Name, func() float64 { return float64(flight.UseOf(i.Name).Most) })
		}
	}
}

const growthHelp = "How much there is of what can grow: rows of tables as of the last day, bytes of files and " +
	"caches, entries of other caches."

// watchGates adds gauges for the requests that are under way.
func (m *Metrics) watchGates(gates ...*gate) {
	for _, g := range gates {
		m.set.Read("avow_http_in_flight", "Requests under way, by gate; for memory the bytes of what is large.", "gate",
			g.name,
			func() float64 { return float64(g.Used()) })
		m.set.Read("avow_http_waiting", "Requests that wait for room, by gate.", "gate", g.name,
			func() float64 { return float64(g.Waiting()) })
	}
}

// watchConnections adds the gauge for the connections that are open.
func (m *Metrics) watchConnections(c *connections) {
	m.set.Read("avow_http_connections", "Open connections.", "", "", func() float64 { return float64(c.open.Load()) })
}

// WatchLog adds gauges for a transparency log, which are read on each scrape. What it returns is told when
// a witness has cosigned the head.
func (m *Metrics) WatchLog(waiting, signedAt func() float64) func(witness string, at time.Time) {
	m.set.Read("avow_log_waiting", "Events that are not in the signed transparency log yet.", "", "", waiting)
	m.set.Read("avow_log_signed_seconds",
		"When the head of the transparency log was signed last, in seconds since 1970; zero for never.", "", "", signedAt)
	cosigned := m.set.Gauge("avow_log_cosigned_seconds",
		"When a witness cosigned the head of the transparency log last, in seconds since 1970; zero for not since the start.",
		"witness")
	return func(witness string, at time.Time) { cosigned.Set(at.Unix(), witness) }
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
	m.requests.Add(1, method, route, strconv.Itoa(x.status/100)+"xx")
	m.latency.Observe(took, route)
	if x.refused != "" && x.status != http.StatusServiceUnavailable {
		// A gate that was full has been counted under its name.
		m.refusals.Add(1, x.refused)
	}
}

// ObserveSpace notes how large the store is, and what was removed from it, if anything.
func (m *Metrics) ObserveSpace(l retain.Limits, u retain.Usage, p *retain.Pruned) {
	m.size.Set(u.Bytes, "used")
	m.size.Set(l.Budget, "budget")
	m.size.Set(u.Guests.Bytes, "guests")
	m.grown.Set(u.Bytes, "store")
	m.grown.Set(u.Log, "wal")
	if u.Free >= 0 {
		m.size.Set(u.Free, "disk_free")
	}
	if p == nil {
		return
	}
	for kind, r := range p.Kinds() {
		m.removed.Add(r.Rows, kind)
	}
	for table, n := range p.Tables {
		m.grown.Set(n, table)
	}
}

// ObserveUnkept counts a publisher that there was no room for.
func (m *Metrics) ObserveUnkept(v retain.Verdict) { m.unkept.Add(1, string(v)) }

// ObserveFetch counts a request to others; it is made for fetch.Config.Observe.
func (m *Metrics) ObserveFetch(e *fetch.Exchange) {
	m.fetches.Add(1, e.Outcome.String())
	m.fetchTime.Observe(e.Timings.Total)
	m.fetched.Add(max(e.Bytes, 0))
}

// ObserveCache counts a question about what was found before. The name must be one of a
// few.
func (m *Metrics) ObserveCache(name string, hit bool) {
	result := "miss"
	if hit {
		result = "hit"
	}
	m.caches.Add(1, name, result)
}

// knownMethods are those that metrics name.
var knownMethods = []string{
	http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodOptions,
	http.MethodPatch,
}
