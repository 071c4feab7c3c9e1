package discover

import (
	"context"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/std/hostname"
)

// A walk is one question on its way to the answer. Each step of the way is a
// method that asks, notes what came back, and decides what is asked next.
type walk struct {
	f     *Finder
	o     Options
	d     *Discovery
	trail []*Hop
	// placed tells that there is room for large documents; leave gives it back.
	placed bool
	leave  func()
}

func (f *Finder) begin(domain, url string, o Options) *walk {
	return &walk{f: f, o: o, d: &Discovery{Domain: domain, URL: url, At: f.now()}, leave: func() {}}
}

// finish hands the answer out. The walk must not be used afterwards.
func (w *walk) finish() *Discovery {
	w.leave()
	w.d.Trail = make([]Hop, len(w.trail))
	for i, h := range w.trail {
		w.d.Trail[i] = *h
	}
	return w.d
}

// hop notes a step. One that is refused before any request stays as it is.
func (w *walk) hop(step Step, url string) *Hop {
	h := &Hop{Step: step, URL: url}
	w.trail = append(w.trail, h)
	return h
}

// ask makes the request of a step and notes it.
func (w *walk) ask(ctx context.Context, step Step, r fetch.Request) *Hop {
	h := w.hop(step, r.URL)
	w.tell(h)
	r.NoCache, r.Large = w.o.NoCache, w.waitForMemory
	h.Result = w.f.getter.Get(ctx, r)
	w.tell(h)
	return h
}

// tell reports a request to a caller who follows the way.
func (w *walk) tell(h *Hop) {
	if w.o.Seen != nil {
		w.o.Seen(*h)
	}
}

// visited reports whether a URL was asked for already, also as the target of a
// redirect. Asking again would lead to the same place.
func (w *walk) visited(url string) bool {
	for _, h := range w.trail {
		if h.Result == nil {
			continue
		}
		for i := range h.Result.Exchanges {
			if hostname.SameResource(url, h.Result.Exchanges[i].URL) {
				return true
			}
		}
	}
	return false
}

// check applies the rules of the format to what a hop brought back.
func (w *walk) check(ctx context.Context, h *Hop, role adagents.Role, domain string) *adagents.Report {
	if len(h.Result.Body) > largeBytes {
		// A shared body came without a place. An error means that no caller waits for
		// the answer any more, and what is left to do for it is bounded.
		_ = w.waitForMemory(ctx)
	}
	o := adagents.Options{
		Profile: w.o.Profile, Release: w.o.Release, Now: w.d.At, Domain: domain, URL: h.Result.URL, Role: role,
		Scopes: w.o.Scopes, MaxFindings: w.o.MaxFindings, Lead: w.o.Lead, Fixes: w.o.Fixes,
	}
	if w.o.Check != nil {
		done, err := w.o.Check(ctx, len(h.Result.Body))
		if err != nil {
			h.Report = adagents.Check(nil, o)
			return h.Report
		}
		defer done()
	}
	if role == adagents.Authoritative {
		h.Report = w.f.recent.report(h.URL, h.Result, o)
	} else {
		h.Report = adagents.Check(h.Result.Body, o)
	}
	return h.Report
}

// say adds a finding about a hop. Severity and section are those of the code.
func (w *walk) say(h *Hop, code, message, hint string) *Finding {
	return w.add(h, cause{code: code, message: message, hint: hint})
}

// add turns a cause into a finding about a hop.
func (w *walk) add(h *Hop, c cause) *Finding {
	w.d.Findings = append(w.d.Findings, newFinding(h, c))
	return &w.d.Findings[len(w.d.Findings)-1]
}

func newFinding(h *Hop, c cause) Finding {
	code := codes()[c.code]
	f := Finding{
		Code: c.code, Severity: code.Severity, Step: h.Step, URL: h.URL,
		Message: c.message, Hint: c.hint, Detail: c.detail, Spec: code.Spec,
	}
	if f.Hint == "" {
		f.Hint = code.Hint
	}
	return f
}
