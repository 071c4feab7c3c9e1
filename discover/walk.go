package discover

import (
	"context"
	"slices"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// A walk is one question on its way to the answer. Each step of the way is a
// method that asks, notes what came back, and decides what is asked next.
type walk struct {
	f     *Finder
	o     Options
	d     *Discovery
	trail []*Hop
	// mayReadLarge tells that the walk may read large documents; leave gives back the slot that it
	// took for them, if any.
	mayReadLarge bool
	leave        func()
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
		// A shared body came without a slot. An error means that no caller waits for
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

const codeNothing = "discovery.nothing_for_publisher"

// NothingFound reports whether the pointer of the publisher leads to a file in which
// nothing is the publisher's.
func (d *Discovery) NothingFound() bool {
	return slices.ContainsFunc(d.Findings, func(f Finding) bool { return f.Code == codeNothing })
}

// lookForPublisher says when the file that the publisher's pointer leads to has nothing
// that buyers would take for the publisher's. The file is found and perhaps free of
// errors, but useless to buyers. A file that replaces another is not looked at: that of
// a platform has nothing of those who kept copies of it.
func (w *walk) lookForPublisher() {
	if w.d.Method != AuthoritativeLocation || w.d.Answer != Usable || len(w.trail) < 2 {
		return
	}
	hop := w.trail[1] // after the pointer
	if hop.Step != Authoritative || hop.Report != w.d.Report {
		return
	}
	var what string
	switch f := hop.Report.File; {
	case scopeOf(f, w.d.Domain) == scopeRevoked:
		what = "it lists " + w.d.Domain + " in revoked_publisher_domains"
	case aboutProperties(f) && !resolve.Owns(&resolve.Document{
		Publisher: w.d.Domain, State: resolve.Usable, File: f, Method: AuthoritativeLocation.String(),
	}):
		what = "no property in it is that of " + w.d.Domain
	default:
		return
	}
	w.say(hop, codeNothing, "buyers find nothing for "+w.d.Domain+" in this file: "+what, "")
	hop.Meaning = says(hop, "serves the authoritative file, in which nothing is the publisher's")
}

// aboutProperties reports whether a file has properties or says who may sell some. A
// catalog of signals or formats alone need not.
func aboutProperties(f *adagents.File) bool {
	return f.Raw.Get("properties").Len() > 0 || slices.ContainsFunc(f.Agents, func(a adagents.Agent) bool {
		return a.Type != adagents.BySignalIDs && a.Type != adagents.BySignalTags
	})
}

const (
	// largeBytes is the size from which a document needs a slot.
	largeBytes = 1_000_000
	// largeSlots is the number of large documents that are read and checked at
	// the same time. A file of 20 MB can take five times its size for a moment, so
	// that this many, with what the collector has not found yet, fit into 512 MiB.
	largeSlots = 2
)

// waitForMemory waits until there is room for a large document; once for a question,
// however many such documents it meets. It gives up only with the context.
func (w *walk) waitForMemory(ctx context.Context) error {
	if w.mayReadLarge {
		return nil
	}
	if w.o.Large != nil {
		err := w.o.Large(ctx)
		w.mayReadLarge = err == nil
		return err
	}
	select {
	case w.f.slots <- struct{}{}:
		w.mayReadLarge, w.leave = true, func() { <-w.f.slots }
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
