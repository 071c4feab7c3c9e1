package server

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"
)

// A service is a server with its listeners.
type service struct {
	server      *server
	main, admin *http.Server
	cert        *certificate
	listeners   []*limitedListener
	connections *connections
	failed      chan error
	// accepting are those who accept connections, done whatever else runs.
	accepting, done sync.WaitGroup
}

// Run serves until the context ends, and then as long as requests are under way, ten
// seconds at most. Once it listens, ready is told where.
func Run(ctx context.Context, config Config, ready func(url string)) error {
	s, err := newServer(config)
	if err != nil {
		return err
	}
	cert, err := loadCertificate(&s.config)
	if err != nil {
		return err
	}
	listeners, err := listen(ctx, s.config.Addrs)
	if err != nil {
		return err
	}
	admin, err := listenAdmin(ctx, &s.config)
	if err != nil {
		closeAll(listeners)
		return err
	}
	v := newService(s, cert)
	background, stop := context.WithCancel(ctx)
	defer stop()
	v.start(background, listeners, admin)
	for _, l := range listeners {
		ready(urlOf(l, cert != nil))
	}
	if admin != nil {
		s.config.Log.InfoContext(ctx, "metrics", "url", urlOf(admin, false)+"/metrics")
	}
	select {
	case <-ctx.Done():
		v.drain()
	case err = <-v.failed:
		v.abandon()
	}
	stop()
	v.accepting.Wait()
	v.done.Wait()
	return err
}

// listen opens all listeners or none.
func listen(ctx context.Context, addrs []string) ([]net.Listener, error) {
	var list []net.Listener
	var lc net.ListenConfig
	for _, a := range addrs {
		l, err := lc.Listen(ctx, "tcp", a)
		if err != nil {
			closeAll(list)
			return nil, fmt.Errorf("cannot listen: %w", err)
		}
		list = append(list, l)
	}
	if len(list) == 0 {
		return nil, errors.New("there is no address to listen on")
	}
	return list, nil
}

func closeAll(list []net.Listener) {
	for _, l := range list {
		_ = l.Close() // no client has connected
	}
}

// urlOf returns the address of a listener as a URL.
func urlOf(l net.Listener, encrypted bool) string {
	scheme := "http"
	if encrypted {
		scheme = "https"
	}
	host, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return scheme + "://" + l.Addr().String()
	}
	return scheme + "://" + net.JoinHostPort(host, port)
}

func newService(s *server, cert *certificate) *service {
	c := &s.config
	v := &service{server: s, cert: cert, failed: make(chan error, len(c.Addrs)+1)}
	v.connections = &connections{
		perClient: c.MaxConnsPerClient, most: c.MaxConns, by: map[string]int{}, refused: func() {
			c.Metrics.connsOver.Add(1)
		},
		exempt: func(a netip.Addr) bool { return a.IsLoopback() && !c.lab.limitLocal || s.proxies.trusts(a) },
	}
	v.main = &http.Server{
		Handler: s, ReadHeaderTimeout: c.lab.header, ReadTimeout: c.lab.read, WriteTimeout: c.lab.write,
		IdleTimeout: c.lab.idle, MaxHeaderBytes: maxHeader - headerSlop,
		ErrorLog: slog.NewLogLogger(c.Log.Handler(), slog.LevelDebug),
		HTTP2:    &http.HTTP2Config{MaxConcurrentStreams: maxStreams},
	}
	c.Metrics.watchConnections(v.connections)
	if cert != nil {
		v.main.TLSConfig = cert.config()
	}
	return v
}

// start serves all listeners.
func (v *service) start(ctx context.Context, listeners []net.Listener, admin net.Listener) {
	turning := make(chan struct{}, mostTurned)
	var encryption *tls.Config
	if v.cert != nil {
		encryption = v.cert.config()
		encryption.NextProtos = []string{"http/1.1"} // all that sayBusy speaks
	}
	for _, l := range listeners {
		limited := &limitedListener{Listener: l, connections: v.connections, turning: turning, told: &v.done,
			turn: v.server.config.lab.turn, encryption: encryption}
		v.listeners = append(v.listeners, limited)
		v.accepting.Go(func() { v.report(v.serve(limited)) })
	}
	if admin != nil {
		v.admin = adminServer(&v.server.config)
		v.done.Go(func() { v.report(v.admin.Serve(admin)) })
	}
	if v.cert != nil {
		v.done.Go(func() { v.cert.watch(ctx, v.server.config.Reload, certificateCheck) })
	}
}

func (v *service) serve(l net.Listener) error {
	if v.cert != nil {
		return v.main.ServeTLS(l, "", "")
	}
	return v.main.Serve(l)
}

// report passes on why a listener ended, unless it was told to.
func (v *service) report(err error) {
	if !errors.Is(err, http.ErrServerClosed) && !v.server.draining.Load() {
		v.failed <- err
	}
}

// drain ends the service without losing an answer. http.Server.Shutdown alone would: it
// drops requests that arrive after it was called, on connections that were accepted
// before. So connections are no longer accepted first, and every answer asks its client
// to close the connection; Shutdown then finds idle ones.
func (v *service) drain() {
	s := v.server
	s.draining.Store(true)
	s.config.Log.Info("draining", "connections", v.connections.open.Load(), "requests", s.active.Load())
	s.config.lab.sleep(s.config.DrainDelay)
	s.config.Drain()
	ctx, cancel := context.WithTimeout(context.Background(), s.config.lab.drain)
	defer cancel()
	for _, l := range v.listeners {
		l.end()
	}
	v.accepting.Wait()
	quiet, done := context.WithTimeout(ctx, farewell)
	defer done()
	err := wait(quiet, &v.connections.open)
	if err != nil {
		err = wait(ctx, &s.active)
	}
	if err != nil {
		s.config.Log.Warn("requests were cut off", "requests", s.active.Load())
	}
	_ = v.main.Shutdown(quiet) // it ends at once, and abandon closes what is left
	v.abandon()
	s.config.Log.Info("stopped")
}

// abandon closes whatever is still open, and gives handlers a moment to notice: what
// they use is closed next.
func (v *service) abandon() {
	_ = v.main.Close() // the listeners are gone either way
	if v.admin != nil {
		_ = v.admin.Close() // likewise
	}
	ctx, cancel := context.WithTimeout(context.Background(), notice)
	defer cancel()
	err := wait(ctx, &v.server.active)
	if err != nil {
		v.server.config.Log.Warn("handlers have not ended", "requests", v.server.active.Load())
	}
}

// wait waits until a count is zero.
func wait(ctx context.Context, n *atomic.Int64) error {
	ticker := time.NewTicker(5 * time.Millisecond)
	defer ticker.Stop()
	for n.Load() > 0 {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
