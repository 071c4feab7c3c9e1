package discover

import (
	"context"
	"net/http"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/fetch"
)

// direct asks the publisher for its file, and decides by the outcome whether that
// is the answer, or ads.txt is asked, or nothing is known. See the table in
// the package comment.
func (w *walk) direct(ctx context.Context) {
	r := wellKnown(w.d.URL)
	r.IfNoneMatch, r.IfModifiedSince = w.o.IfNoneMatch, w.o.IfModifiedSince
	if w.o.Shared {
		r.MaxBytes, r.Large = fetch.MaxAuthoritative, w.waitForMemory
	}
	h := w.ask(ctx, WellKnown, r)
	switch h.Result.Outcome {
	case fetch.Found:
		w.d.Found = true
		w.adopt(w.read(ctx, stage{next: Authoritative, role: adagents.Direct, domain: w.d.Domain}, h))
	case fetch.NotModified:
		w.d.Found, w.d.Answer = true, Unchanged
		h.Meaning = "what the publisher serves has not changed"
		h.Next = "the copy at hand is still fresh, so nothing else is requested"
	case fetch.Absent, fetch.AccessDeniedObjectStore:
		w.fallback(ctx, h)
	default:
		w.fail(h)
		h.Next = "ads.txt is not asked: only a 404 or an object store's AccessDenied means that there is no file"
		w.d.Found, w.d.Answer = withoutFile(h)
		w.suggestOtherForm(h)
	}
}

// named asks for a file by its URL, as if a pointer had led there, for a publisher or
// for none in particular.
func (w *walk) named(ctx context.Context, step Step, url, domain string) {
	h, fresh := w.authoritative(ctx, step, url)
	if fresh {
		w.stands(h)
		return
	}
	switch h.Result.Outcome {
	case fetch.Found:
		w.d.Found = true
		w.remarks(h)
		w.adopt(document{hop: h, report: w.check(ctx, h, adagents.Authoritative, domain)})
	case fetch.NotModified:
		w.stands(h)
	default:
		w.lacks(h)
	}
}

// stands makes a file that the caller has the answer.
func (w *walk) stands(h *Hop) {
	w.d.Found = true
	sayUnchanged(h)
	w.adopt(document{hop: h, unchanged: true})
}

// lacks is the answer for a file that was named and did not come.
func (w *walk) lacks(h *Hop) {
	w.fail(h)
	switch h.Result.Outcome {
	case fetch.Absent, fetch.AccessDeniedObjectStore:
		h.Next = "a file that is named by its URL is looked for nowhere else"
		w.d.Answer = Absent
	default:
		h.Next = nextNothing
		w.d.Found, w.d.Answer = withoutFile(h)
	}
}

// withoutFile is the answer for a first request that brought no file and does not
// mean that there is none. A body that came with status 200 and cannot be taken
// for a file is a file that must not be used; everything else leaves open whether
// there is one.
func withoutFile(h *Hop) (bool, Answer) {
	switch h.Result.Outcome {
	case fetch.BadContentType, fetch.TooLarge, fetch.BadEncoding:
		if h.Result.Last().Status == http.StatusOK {
			return true, Unusable
		}
	}
	return false, Unreachable
}

// fail notes why a hop brought nothing.
func (w *walk) fail(h *Hop) {
	h.Meaning = meaningOf(h)
	w.add(h, explain(h))
}
