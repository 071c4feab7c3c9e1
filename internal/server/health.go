package server

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// healthPattern stands for the health checks in metrics.
const healthPattern = "/healthz, /readyz"

// health remembers for a moment whether the service was ready, so that asking often
// costs nothing.
type health struct {
	mu    sync.Mutex
	asked time.Time
	err   error
}

// healthCheck answers the health checks, which have no limits: the answer is cheap, and
// whoever restarts processes must get it.
func (s *server) healthCheck(x *exchange, r *http.Request) bool {
	if !isHealth(r.URL.Path) {
		return false
	}
	x.route = Route{Pattern: healthPattern, Class: Static}
	x.Header().Set("Cache-Control", "no-store")
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		x.Header().Set("Allow", "GET, HEAD")
		x.answer(http.StatusMethodNotAllowed, "application/json", []byte(`{"error":"Method not allowed"}`))
	case r.URL.Path == "/healthz":
		x.answer(http.StatusOK, "application/json", []byte(`{"status":"ok"}`))
	case s.draining.Load():
		x.answer(http.StatusServiceUnavailable, "application/json", []byte(`{"status":"draining"}`))
	case s.ready(r.Context()) != nil:
		x.answer(http.StatusServiceUnavailable, "application/json", []byte(`{"status":"unavailable"}`))
	default:
		x.answer(http.StatusOK, "application/json", []byte(`{"status":"ready"}`))
	}
	return true
}

// ready asks the service whether it can do its work.
func (s *server) ready(ctx context.Context) error {
	if s.config.Ready == nil {
		return nil
	}
	s.health.mu.Lock()
	defer s.health.mu.Unlock()
	if time.Since(s.health.asked) < readyMemory {
		return s.health.err
	}
	// Whoever asks next gets the same answer, so that it must not depend on this
	// caller's patience.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readyTimeout)
	defer cancel()
	err := s.config.Ready(ctx)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil && s.health.err == nil {
		s.config.Log.ErrorContext(ctx, "not ready", "error", err)
	}
	s.health.asked, s.health.err = time.Now(), err
	return err
}
