package discover

import (
	"context"
	"fmt"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/fetch"
)

// Served judges an answer that the caller obtained in another way than through this package,
// such as that of a server under development. Nothing is asked: neither a pointer nor
// superseded_by is followed. The file is checked in a role, for
// the publisher domain if that is not empty.
func (f *Finder) Served(ctx context.Context, r *fetch.Result, role adagents.Role, domain string, o Options) *Discovery {
	first := r.Exchanges[0].URL
	w := f.begin("", first, o)
	h := w.hop(WellKnown, first)
	h.Result = r
	if r.Outcome != fetch.Found {
		w.add(h, explainServed(h))
		w.d.Found, w.d.Answer = withoutFile(h)
		if r.Outcome == fetch.Absent {
			w.d.Answer = Absent
		}
		return w.finish()
	}
	w.d.Found = true
	w.remarks(h)
	w.adopt(document{hop: h, report: w.check(ctx, h, role, domain)})
	return w.finish()
}

// explainServed is explain, except for what is different about a server that is asked without
// https and for one URL only.
func explainServed(h *Hop) cause {
	x := h.Result.Last()
	c := explain(h)
	switch h.Result.Outcome {
	case fetch.RedirectRefused:
		c.code, c.hint = "fetch.redirect_unasked", ""
		c.message = fmt.Sprintf("%s redirects to %s (%d), which is not asked: a check of this machine asks for one URL",
			shown(x.URL), shown(x.Location), x.Status)
	case fetch.Unreachable, fetch.Timeout:
		c.message, c.hint = "no server answers at "+shown(x.URL), "start it, and check the port of the URL"
	}
	return c
}
