package brand

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/operator"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/hostname"
)

// Operator returns what the operator of an agent says about it in its brand.json. With a
// URL, that document is read; without one, the well-known file of the agent's host, and
// then that of its registrable domain. The agent itself is not asked where the file is:
// that would take a call of its protocol.
func (r *Reader) Operator(ctx context.Context, agent, url string, at time.Time) *operator.Statement {
	ctx = fetch.WithBudget(ctx, maxRequests)
	targets, err := operatorTargets(agent, url)
	if err != nil {
		return &operator.Statement{State: operator.NotAsked, Detail: "the brand.json was not asked for: " + err.Error()}
	}
	var best *operator.Statement
	for _, p := range targets {
		s := r.statement(ctx, p, operator.Asking{Agent: agent, Host: hostOf(p.url), At: at})
		switch s.State {
		case operator.Absent, operator.AgentMissing, operator.Unreachable:
		default:
			return s
		}
		// Absent says less than that the agent is not named, and that it could not be
		// determined weighs more than both.
		if best == nil || s.State > best.State {
			best = s
		}
	}
	return best
}

// operatorTargets returns where the brand.json of an agent's operator may be, in order.
func operatorTargets(agent, url string) ([]target, error) {
	if url != "" {
		safe, ok := registry.SafeURL(url)
		if !ok {
			return nil, errors.New("its URL must be https, of a public host and without a user name")
		}
		return []target{{safe, strings.HasSuffix(safe, knownPath)}}, nil
	}
	_, info, err := hostname.CanonicalURL(agent)
	host, bad := hostname.ParseDomain(info.Host)
	if err != nil || bad != nil || hostname.IsSpecialUse(string(host)) {
		return nil, errors.New("the URL of the agent has no public host name")
	}
	targets := []target{{wellKnown(host), true}}
	owner, ok := hostname.Registrable(string(host))
	if ok && owner != string(host) {
		targets = append(targets, target{wellKnown(hostname.Domain(owner)), true})
	}
	return targets, nil
}

// statement reads what a target has.
func (r *Reader) statement(ctx context.Context, at target, a operator.Asking) *operator.Statement {
	s := &operator.Statement{URL: at.url, State: operator.Unusable}
	var read *operator.Document
	_, url, err := r.follow(ctx, at, func(ctx context.Context, at target) (*document, string, error) {
		result := r.fetch(ctx, at)
		s.State = stateOf(result, read != nil)
		if s.State != operator.Found {
			return nil, "", absence(result)
		}
		s.State = operator.Unusable // unless it turns out to be of use
		doc, err := operator.Parse(result.Body)
		if err != nil {
			return nil, "", unusable(err.Error())
		}
		read = doc
		return &document{root: doc.Root()}, result.URL, nil
	})
	if err != nil {
		s.Detail = err.Error()
		return s
	}
	a.URL = url
	return read.Statement(a)
}

// stateOf says what follows from the answer to a request. A document that another one
// names and that is not there leaves open what the operator says.
func stateOf(result *fetch.Result, named bool) operator.State {
	switch result.Outcome {
	case fetch.Found:
		return operator.Found
	case fetch.TooLarge:
		return operator.Unusable
	case fetch.NoTurn:
		return operator.NotAsked
	case fetch.Absent, fetch.AccessDeniedObjectStore:
		if !named {
			return operator.Absent
		}
	case fetch.ClientError:
		if !named && result.Last().Status == http.StatusGone {
			return operator.Absent
		}
	}
	return operator.Unreachable
}

// hostOf returns the host of a URL that was checked before.
func hostOf(url string) string {
	_, info, _ := hostname.CanonicalURL(url)
	return info.Host
}

// Round returns a Reader for a round of questions about several agents, which asks for
// each document once.
func (r *Reader) Round() *Reader {
	return &Reader{get: &round{get: r.get, asked: map[string]func() *fetch.Result{}}}
}

// A round remembers the answers to requests.
type round struct {
	get   registry.Getter
	mu    sync.Mutex
	asked map[string]func() *fetch.Result
}

// Get returns the answer that the first one was given who asked for the same URL.
func (r *round) Get(ctx context.Context, q fetch.Request) *fetch.Result {
	r.mu.Lock()
	answer := r.asked[q.URL]
	if answer == nil {
		answer = sync.OnceValue(func() *fetch.Result { return r.get.Get(ctx, q) })
		r.asked[q.URL] = answer
	}
	r.mu.Unlock()
	return answer()
}
