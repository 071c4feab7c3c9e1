package discover

import (
	"context"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/std/hostname"
)

// A document is what a request for a file led to, through a pointer or not.
type document struct {
	// hop is the last one: the one that brought the document, or that failed.
	hop *Hop
	// report is nil when the document that a pointer leads to did not come.
	report *adagents.Report
	// pointer is the hop of the pointer that was followed, nil for none.
	pointer *Hop
	// unchanged: the caller has the document already; it has no report.
	unchanged bool
}

// A stage says what a file is checked as, and which step a pointer in it leads to.
type stage struct {
	next   Step
	role   adagents.Role
	domain string
}

// wellKnown asks a host for its file under the rules of the first request.
func wellKnown(url string) fetch.Request {
	return fetch.Request{URL: url, Redirects: fetch.SameSite, MaxBytes: fetch.MaxWellKnown}
}

// read checks the file a hop brought back and follows it if it is a pointer.
func (w *walk) read(ctx context.Context, at stage, h *Hop) document {
	w.remarks(h)
	report := w.check(ctx, h, at.role, at.domain)
	if report.Pointer == nil {
		return document{hop: h, report: report}
	}
	location, _, err := hostname.CanonicalURL(report.Pointer.AuthoritativeLocation)
	if err != nil {
		// The check has refused it; this keeps the two from drifting apart.
		return document{hop: h}
	}
	return w.follow(ctx, at, h, location)
}

// follow asks for the file that a pointer leads to. That is one request: a second
// pointer is refused by the check of the target.
func (w *walk) follow(ctx context.Context, at stage, pointer *Hop, location string) document {
	pointer.Meaning = says(pointer, "has a pointer to a file elsewhere")
	if w.visited(location) {
		pointer.Next = "the pointer is not followed, because it leads back to where it was found"
		h := w.hop(at.next, location)
		h.Meaning = "nothing was sent: this URL was asked for already"
		h.Next = nextNothing
		w.say(h, "discovery.pointer_loop", "authoritative_location leads back to "+shown(location)+
			", which was asked for on the way to the pointer", "")
		return document{hop: h, pointer: pointer}
	}
	pointer.Next = "the pointer is followed once, without redirects"
	h, fresh := w.authoritative(ctx, at.next, location)
	if fresh || h.Result.Outcome == fetch.NotModified {
		sayUnchanged(h)
		return document{hop: h, pointer: pointer, unchanged: true}
	}
	if h.Result.Outcome != fetch.Found {
		w.fail(h)
		h.Next = "a pointer that fails is the end of the way; ads.txt is not asked"
		return document{hop: h, pointer: pointer}
	}
	w.remarks(h)
	return document{hop: h, report: w.check(ctx, h, adagents.Authoritative, at.domain), pointer: pointer}
}

// authoritative asks for a file that was named exactly. Publishers of one network name
// the same one, so it is shared between questions. It returns true, without a request,
// when the caller has a fresh copy.
func (w *walk) authoritative(ctx context.Context, step Step, url string) (*Hop, bool) {
	h := w.hop(step, url)
	have := w.known(url)
	if have.Fresh {
		return h, true
	}
	w.tell(h)
	defer w.tell(h)
	r := fetch.Request{
		URL: url, Redirects: fetch.None, MaxBytes: fetch.MaxAuthoritative, NoCache: w.o.NoCache, Large: w.waitForMemory,
		IfNoneMatch: have.IfNoneMatch, IfModifiedSince: have.IfModifiedSince,
	}
	if w.o.NoCache {
		h.Result = w.f.getter.Get(ctx, r)
		if h.Result.Outcome != fetch.NotModified {
			w.f.recent.renew(url, h.Result)
		}
		return h, false
	}
	h.Result, h.Shared = w.f.recent.get(url, func() *fetch.Result { return w.f.getter.Get(ctx, r) })
	return h, false
}

// known returns what the caller has of a file.
func (w *walk) known(url string) Copy {
	if w.o.Known == nil {
		return Copy{}
	}
	return w.o.Known(url)
}

// sayUnchanged notes that a step leads to a file that the caller has.
func sayUnchanged(h *Hop) {
	h.Meaning = "the file there has not changed"
	if h.Result == nil {
		h.Meaning = "nothing was sent: the file there is known"
	}
	h.Next = "the copy at hand is still fresh, so nothing else is requested"
}

// adopt makes a document the answer.
func (w *walk) adopt(doc document) {
	d := w.d
	if doc.pointer != nil {
		d.Pointer, d.PointerBody = doc.pointer.Report, doc.pointer.Result.Body
	}
	switch {
	case doc.unchanged:
		d.Answer, d.ResolvedURL = Unchanged, doc.hop.URL
		if doc.pointer != nil {
			d.Method = AuthoritativeLocation
		}
		return
	case doc.report == nil:
		d.Answer = pointerFailure(doc.hop)
		return
	}
	d.Report, d.Body, d.ResolvedURL = doc.report, doc.hop.Result.Body, doc.hop.Result.URL
	if doc.pointer != nil {
		d.Method = AuthoritativeLocation
	}
	d.Answer = Usable
	if doc.report.Unusable != nil {
		d.Answer = Unusable
	}
	describeFile(doc)
}

// pointerFailure is the answer when a pointer is there and its target is not: it
// may come back, or it cannot be used. All failures to connect are one here, too:
// an answer that told a guarded address from a closed port would let anybody with
// a pointer explore the network that avow runs in.
func pointerFailure(h *Hop) Answer {
	if h.Result == nil {
		return Unusable
	}
	o := h.Result.Outcome
	if o.Transient() || o == fetch.Cancelled || o == fetch.NoTurn || o.Public() == fetch.PublicConnection {
		return Unreachable
	}
	return Unusable
}

// describeFile says in the trail what a file that decides the question means.
func describeFile(doc document) {
	h := doc.hop
	switch {
	case doc.report.Unusable != nil:
		h.Meaning = says(h, "serves a file that cannot be used")
		h.Next = "a file is there, so nothing else is asked; it has to be fixed"
	case doc.pointer != nil:
		h.Meaning = says(h, "serves the authoritative file")
		h.Next = nextNothing
	default:
		h.Meaning = says(h, "serves the file itself")
		h.Next = nextNothing
	}
}
