package server

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/registry"
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
// a supervisor must get it.
func (s *server) healthCheck(ctx context.Context, x *exchange, r *http.Request) bool {
	if !isHealth(r.URL.Path) {
		return false
	}
	x.route = edge.Route{Pattern: healthPattern, Class: edge.Static}
	x.Header().Set("Cache-Control", "no-store")
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		x.Header().Set("Allow", "GET, HEAD")
		x.answer(http.StatusMethodNotAllowed, "application/json", []byte(`{"error":"Method not allowed"}`))
	case r.URL.Path == "/healthz":
		x.answer(http.StatusOK, "application/json", []byte(`{"status":"ok"}`))
	case s.draining.Load():
		x.answer(http.StatusServiceUnavailable, "application/json", []byte(`{"status":"draining"}`))
	default:
		s.answerReady(x, s.ready(ctx))
	}
	return true
}

// A readiness is the answer of /readyz. Code and Reason say why the service is not ready,
// and Warnings what has to be seen to before it is not.
type readiness struct {
	Status   string    `json:"status"`
	Code     string    `json:"code,omitempty"`
	Reason   string    `json:"reason,omitempty"`
	Warnings []warning `json:"warnings,omitempty"`
}

// A warning is one thing to see to.
type warning struct {
	Code   string `json:"code"`
	Reason string `json:"reason"`
}

// answerReady says whether the service is ready, and if not, why. What is for the operator
// alone is in the log.
func (s *server) answerReady(x *exchange, err error) {
	doc, status := readiness{Status: "ready"}, http.StatusOK
	var why *registry.NotReady
	switch {
	case errors.As(err, &why):
		doc, status = readiness{Status: "unavailable", Code: why.Code, Reason: why.Message}, http.StatusServiceUnavailable
	case errors.Is(err, context.DeadlineExceeded):
		doc, status = readiness{Status: "unavailable", Code: "store.slow", Reason: "the store does not answer in time"},
			http.StatusServiceUnavailable
	case err != nil:
		doc, status = readiness{Status: "unavailable"}, http.StatusServiceUnavailable
	}
	if s.config.Warnings != nil {
		for _, w := range s.config.Warnings() {
			doc.Warnings = append(doc.Warnings, warning{w.Code, w.Message})
		}
	}
	body, err := json.Marshal(doc)
	if err != nil {
		panic(err) // it has nothing but texts
	}
	x.answer(status, "application/json", body)
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
	// The next caller gets the same answer, so it must not depend on this caller's
	// patience.
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
