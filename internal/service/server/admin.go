package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/pprof"
	"net/netip"
	"time"
)

// errPublicMetrics is for an address that everybody could reach.
var errPublicMetrics = errors.New(
	"metrics and profiles tell about the inside of the service, so their address must be one of this machine, such as " +
		"127.0.0.1:9090")

// Handler returns the handler of the metrics alone.
func (m *Metrics) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		_, _ = m.set.WriteTo(w) // The client may be gone.
	})
}

// checkMetricsAddr refuses an address that is not on this machine.
func checkMetricsAddr(c *Config) error {
	if c.MetricsAddr == "" || c.MetricsPublic {
		return nil
	}
	host, _, err := net.SplitHostPort(c.MetricsAddr)
	if err != nil {
		return fmt.Errorf("%q is not an address to listen on: %w", c.MetricsAddr, err)
	}
	addr, err := netip.ParseAddr(host)
	if host != "localhost" && (err != nil || !addr.Unmap().IsLoopback()) {
		return errPublicMetrics
	}
	return nil
}

// adminServer serves metrics and profiles.
func adminServer(c *Config) *http.Server {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", c.Metrics.Handler())
	var h http.Handler = mux
	if !c.MetricsPublic {
		// Profiles show the command line and cost time: they are for this machine alone.
		mux.HandleFunc("GET /debug/pprof/", pprof.Index)
		mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
		mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
		mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
		mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
		h = localOnly(mux)
	}
	return &http.Server{
		Handler: h, ReadHeaderTimeout: readHeaderTimeout, ReadTimeout: readTimeout, IdleTimeout: idleTimeout,
		// A profile takes as long as it was asked to.
		WriteTimeout: 5 * time.Minute, MaxHeaderBytes: maxHeader - headerSlop,
	}
}

// localOnly refuses requests for a host that is not this machine. Without it, a page
// whose name suddenly leads to this machine could read what is meant for its operator.
func localOnly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			host = r.Host
		}
		addr, err := netip.ParseAddr(host)
		if host != "localhost" && (err != nil || !addr.Unmap().IsLoopback()) {
			http.Error(w, "this is for the operator of the service", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// listenAdmin opens the listener for metrics; nil when there is none.
func listenAdmin(ctx context.Context, c *Config) (net.Listener, error) {
	err := checkMetricsAddr(c)
	if err != nil || c.MetricsAddr == "" {
		return nil, err
	}
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", c.MetricsAddr)
	if err != nil {
		return nil, fmt.Errorf("cannot listen for metrics: %w", err)
	}
	return l, nil
}
