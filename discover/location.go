package discover

import (
	"context"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/fetch"
)

// A Place is where a file that speaks for a publisher is known to be.
type Place struct {
	// Method is AuthoritativeLocation or ManagerDomain. The publisher's own file is what
	// Finder.Domain asks for.
	Method Method
	// Superseding: the place was named in superseded_by of another file, and is asked like
	// a well-known path. Method is AuthoritativeLocation then.
	Superseding bool
	// URL is the file's: what a pointer names, or a manager's well-known URL.
	URL string
	// Manager is the manager's domain, for ManagerDomain.
	Manager string
}

// Location asks for the file at a place that is known to speak for a publisher, without
// the way there: that place is all the answer is about. It is for those who keep files
// over time and must know what one says while the publisher already leads elsewhere.
// Requests and checks are those after a pointer, or those for a manager's file. Whether a
// manager's file speaks for the publisher is not judged here; SpeaksFor does. The
// question is conditional by Options.Known, or else by IfNoneMatch and IfModifiedSince.
//
// A manager's file that has become a pointer is not followed: the answer is Unusable,
// with Pointer and without Report. The error is an *InputError.
func (f *Finder) Location(ctx context.Context, domain string, at Place, o Options) (*Discovery, error) {
	name, err := domainInput(domain)
	if err != nil {
		return nil, err
	}
	t, err := urlInput(at.URL)
	if err != nil {
		return nil, err
	}
	url := t.url
	if t.domain != "" {
		url = wellKnownURL(t.domain)
	}
	if o.Known == nil {
		o.Known = func(string) Copy { return Copy{IfNoneMatch: o.IfNoneMatch, IfModifiedSince: o.IfModifiedSince} }
	}
	w := f.begin(name, url, o)
	switch {
	case at.Superseding:
		w.first(ctx, Superseding, adagents.Authoritative, url)
	case at.Method == AuthoritativeLocation:
		w.named(ctx, Authoritative, url, name)
	case at.Method == ManagerDomain && url == wellKnownURL(at.Manager):
		w.first(ctx, Manager, adagents.Manager, url)
	case at.Method == ManagerDomain:
		w.named(ctx, ManagerAuthoritative, url, name)
	default:
		return nil, &InputError{Input: at.URL, Message: "the publisher's own file is not at another location",
			Hint: "ask for the publisher"}
	}
	if w.d.Report != nil || w.d.Answer == Unchanged {
		w.d.Method, w.d.ManagerDomain = at.Method, at.Manager
	}
	return w.finish(), nil
}

// first asks for the file at a place under the rules of a first request. A pointer is not
// followed.
func (w *walk) first(ctx context.Context, step Step, role adagents.Role, url string) {
	have := w.known(url)
	if have.Fresh {
		w.stands(w.hop(step, url))
		return
	}
	r := wellKnown(url)
	r.IfNoneMatch, r.IfModifiedSince = have.IfNoneMatch, have.IfModifiedSince
	h := w.ask(ctx, step, r)
	switch h.Result.Outcome {
	case fetch.Found:
		w.d.Found = true
		w.remarks(h)
		report := w.check(ctx, h, role, w.d.Domain)
		if report.Pointer == nil {
			w.adopt(document{hop: h, report: report})
			return
		}
		w.d.Answer, w.d.Pointer, w.d.PointerBody = Unusable, report, h.Result.Body
		h.Meaning = says(h, "has a pointer to a file elsewhere")
		h.Next = "the file was asked for and nothing else, so the pointer is not followed"
	case fetch.NotModified:
		w.stands(h)
	default:
		w.lacks(h)
	}
}

// SpeaksFor reports whether a manager's file speaks for a publisher, whose domain is in
// canonical form. It is the rule of discovery, for a stored file, and does not depend on
// the time. The report must be made with the role Manager, or Authoritative for a file
// that a pointer at the manager leads to, without a profile, limits and
// adagents.Options.Now.
func SpeaksFor(r *adagents.Report, publisher string) bool {
	return r != nil && r.File != nil && firstFault(r) == nil && scopeOf(r.File, publisher) == scopeNamed
}
