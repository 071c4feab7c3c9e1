package discover

import (
	"context"
	"fmt"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/adstxt"
	"github.com/avow-project/avow/internal/fetch"
)

// fallback looks for a manager that the publisher names in ads.txt. Whatever goes
// wrong on this way, the answer is that the publisher has no file: that much the
// first request has shown.
func (w *walk) fallback(ctx context.Context, first *Hop) {
	first.Meaning = meaningOf(first)
	first.Next = "ads.txt is asked for a manager whose file may speak for the publisher"
	w.d.Answer = Absent
	manager, ok := w.adsTxt(ctx)
	if ok {
		w.manager(ctx, manager)
	}
	switch {
	case w.d.Answer != Absent:
		return
	case ctx.Err() != nil, w.trail[len(w.trail)-1].notAsked():
		// A walk that gave up early cannot know whether a manager speaks.
		w.d.Answer = Unreachable
		return
	}
	// That there is no file comes first, before the reasons why no other counts.
	reasons := w.d.Findings
	w.d.Findings = nil
	w.add(first, noFile(first))
	w.suggestOtherForm(first)
	w.d.Findings = append(w.d.Findings, reasons...)
}

// notAsked reports whether the request of a step did not get its turn.
func (h *Hop) notAsked() bool { return h.Result != nil && h.Result.Outcome == fetch.NoTurn }

// noFile is the finding for a publisher without a file.
func noFile(h *Hop) cause {
	if h.Result.Outcome == fetch.AccessDeniedObjectStore {
		return explain(h)
	}
	return cause{
		code:    "discovery.no_file",
		message: hostOf(h.URL) + " serves no adagents.json: the well-known path answers 404",
		hint:    "serve the file at " + h.URL + ", or a pointer to where it is",
	}
}

// adsTxt asks the publisher for its ads.txt and returns the manager in effect.
func (w *walk) adsTxt(ctx context.Context) (adstxt.Manager, bool) {
	h := w.ask(ctx, AdsTxt, fetch.Request{
		URL: "https://" + w.d.Domain + "/ads.txt", Redirects: fetch.AdsTxt, MaxBytes: fetch.MaxAdsTxtBytes,
		MediaTypes: []string{"text/plain"},
	})
	h.Next = nextNoManager
	if h.Result.Outcome != fetch.Found {
		w.withoutAdsTxt(h)
		return adstxt.Manager{}, false
	}
	h.AdsTxt = adstxt.Parse(h.Result.Body)
	w.ignoredLines(h)
	m, ok := h.AdsTxt.Last()
	switch {
	case !ok:
		w.withoutManager(h)
		return m, false
	case m.Domain == w.d.Domain:
		h.Meaning = "ads.txt names the publisher itself as its manager"
		w.sayLine(h, m.Line, "adstxt.manager_cycle",
			"ads.txt names "+m.Domain+" itself as manager, whose file is the missing one")
		return m, false
	case w.visited(wellKnownURL(m.Domain)):
		h.Meaning = "ads.txt names a manager that was asked already"
		w.sayLine(h, m.Line, "adstxt.manager_cycle",
			"ads.txt names "+m.Domain+" as manager, which was asked already and has no file")
		return m, false
	}
	h.Meaning = "ads.txt names " + m.Domain + " as manager"
	h.Next = "the manager is asked for its file; its own ads.txt will not be"
	return m, true
}

// withoutAdsTxt notes why there is no ads.txt to read.
func (w *walk) withoutAdsTxt(h *Hop) {
	h.Meaning = meaningOf(h)
	why := explain(h).within(h)
	switch h.Result.Outcome {
	case fetch.Absent, fetch.AccessDeniedObjectStore:
		why = cause{code: "adstxt.absent", message: "there is no ads.txt, so no manager is named"}
	case fetch.BadContentType:
		why.code, why.hint = "adstxt.content_type", ""
	default:
		why.code = "adstxt.unavailable"
		why.message = "ads.txt could not be read: " + why.message
	}
	w.add(h, why)
}

// withoutManager notes why an ads.txt names no manager.
func (w *walk) withoutManager(h *Hop) {
	switch f := h.AdsTxt; {
	case f.Truncated:
		h.Meaning = "ads.txt is too long to tell which manager it names last"
		w.say(h, "adstxt.too_long", fmt.Sprintf("ads.txt has %d lines; no more than %d are read, and the last entry decides",
			f.Lines, adstxt.MaxLines), "")
	case len(f.Managers) > 0:
		h.Meaning = "ads.txt names managers, but none for agents"
		m := f.Managers[len(f.Managers)-1]
		w.sayLine(h, m.Line, "adstxt.noagents", "every MANAGERDOMAIN line of ads.txt says noagents")
	default:
		h.Meaning = "ads.txt names no manager"
		w.say(h, "adstxt.no_manager", "ads.txt has no MANAGERDOMAIN line that applies", "")
	}
}

// maxIgnored limits the findings about lines of one ads.txt: after a few the
// author knows what the mistake is.
const maxIgnored = 10

// ignoredLines notes the lines of ads.txt that look as if they named a manager.
func (w *walk) ignoredLines(h *Hop) {
	for i, line := range h.AdsTxt.Ignored {
		if i == maxIgnored {
			w.sayLine(h, line.Line, "adstxt.line_ignored",
				fmt.Sprintf("%d more lines of ads.txt are ignored", len(h.AdsTxt.Ignored)-i))
			return
		}
		code := "adstxt.line_ignored"
		if line.Reason == adstxt.CountrySuffix {
			code = "adstxt.country_suffix"
		}
		w.sayLine(h, line.Line, code, fmt.Sprintf("line %d of ads.txt is ignored: %s", line.Line, line.Reason.Phrase()))
	}
}

// sayLine adds a finding about a line of ads.txt.
func (w *walk) sayLine(h *Hop, line int, code, message string) {
	w.say(h, code, message, "").Line = line
}

// manager asks a manager for its file and accepts it for the publisher if it is
// beyond doubt and names the publisher.
func (w *walk) manager(ctx context.Context, m adstxt.Manager) {
	doc, ok := w.managersFile(ctx, wellKnownURL(m.Domain))
	switch {
	case !ok:
		w.fail(doc.hop)
		doc.hop.Next = "a manager without a file changes nothing: the publisher has none"
		return
	case doc.report == nil && !doc.unchanged:
		doc.hop.Next = "the manager's pointer fails, so the publisher has no file"
		return
	}
	why, ok := w.accept(doc, m)
	switch {
	case ok && doc.unchanged:
		w.adopt(doc)
		w.d.Found, w.d.Method, w.d.ManagerDomain = true, ManagerDomain, m.Domain
		return
	case !ok:
		w.add(doc.hop, why)
		doc.hop.Meaning = says(doc.hop, "serves a file that does not apply to the publisher")
		doc.hop.Next = "the manager's file is not used: the publisher has no file"
		return
	}
	w.adopt(doc)
	w.d.Found, w.d.Method, w.d.ManagerDomain = true, ManagerDomain, m.Domain
	doc.hop.Meaning = says(doc.hop, "serves a file that names the publisher")
	doc.hop.Next = "the manager's file speaks for the publisher, so nothing else is asked"
	w.say(doc.hop, "discovery.manager_used", "the file of "+m.Domain+" was used, which line "+fmt.Sprint(m.Line)+
		" of ads.txt names as manager",
		`serve {"authoritative_location": "`+shown(doc.hop.Result.URL)+`", "last_updated": "…"} at `+w.d.URL)
}

// managersFile asks for the file at a manager's well-known URL and follows a pointer
// there. It returns false when none came.
func (w *walk) managersFile(ctx context.Context, url string) (document, bool) {
	have := w.known(url)
	if have.Fresh {
		h := w.hop(Manager, url)
		sayUnchanged(h)
		return document{hop: h, unchanged: true}, true
	}
	r := wellKnown(url)
	r.IfNoneMatch, r.IfModifiedSince = have.IfNoneMatch, have.IfModifiedSince
	h := w.ask(ctx, Manager, r)
	switch h.Result.Outcome {
	case fetch.Found:
		return w.read(ctx, stage{next: ManagerAuthoritative, role: adagents.Manager, domain: w.d.Domain}, h),
			true
	case fetch.NotModified:
		sayUnchanged(h)
		return document{hop: h, unchanged: true}, true
	}
	return document{hop: h}, false
}
