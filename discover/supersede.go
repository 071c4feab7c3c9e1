package discover

import (
	"context"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/fetch"
	"github.com/avow-project/avow/internal/hostname"
)

// supersede looks at the replacement that a mirror names, and takes its place if
// the caller asked for that and it can be used.
func (w *walk) supersede(ctx context.Context) {
	target, ok := w.replacement()
	if !ok {
		return
	}
	w.d.SupersededBy = target
	last := w.trail[len(w.trail)-1]
	w.say(last, "discovery.superseded", "the file is a mirror that "+shown(target)+" replaces", "")
	if !w.o.FollowSuperseded {
		return
	}
	if w.d.Method == ManagerDomain {
		// Nobody has checked that the replacement speaks for the publisher, and a
		// manager cannot hand the publisher on.
		w.keepMirror(last, cause{message: "a file that was found through ads.txt cannot name another one for the publisher"})
		return
	}
	if w.visited(target) {
		w.say(last, "discovery.superseded_loop", "the replacement is a URL that was asked for already", "")
		return
	}
	last.Next = "the file that replaces it is asked for, once"
	w.replace(ctx, target)
}

// replacement returns the URL in superseded_by of the file at hand. One that is
// not an https URL is reported by the check and led nowhere.
func (w *walk) replacement() (string, bool) {
	if w.d.Answer != Usable {
		return "", false
	}
	return supersededBy(w.d.Report)
}

func supersededBy(r *adagents.Report) (string, bool) {
	if r.File == nil || r.File.SupersededBy == "" {
		return "", false
	}
	url, info, err := hostname.CanonicalURL(r.File.SupersededBy)
	return url, err == nil && info.Scheme == "https" && !info.HasUserinfo
}

// replace asks for the replacement and makes it the answer. On failure the mirror
// stays the answer.
func (w *walk) replace(ctx context.Context, url string) {
	h := w.ask(ctx, Superseding, wellKnown(url))
	if h.Result.Outcome != fetch.Found {
		h.Meaning = meaningOf(h)
		w.keepMirror(h, explain(h).within(h))
		return
	}
	before := len(w.d.Findings)
	doc := w.read(ctx, place{step: Superseding, next: Authoritative, role: adagents.Direct, domain: servedFor(url)}, h)
	switch {
	case doc.report == nil:
		why := w.d.Findings[len(w.d.Findings)-1]
		w.d.Findings = w.d.Findings[:before]
		w.keepMirror(doc.hop, cause{code: why.Code, message: why.Message, hint: why.Hint, detail: why.Detail}.within(doc.hop))
		return
	case doc.report.Unusable != nil:
		w.d.Findings = w.d.Findings[:before]
		describeFile(doc)
		w.keepMirror(doc.hop, cause{message: "it cannot be used: " + shown(doc.report.Unusable.Findings[0].Message)})
		return
	}
	next, again := supersededBy(doc.report)
	if again && w.visited(next) {
		h.Meaning = says(h, "serves a file that names the mirror as its replacement")
		h.Next = "the two name each other, so the first one stays the answer"
		w.say(h, "discovery.superseded_loop", "the replacement names "+shown(next)+" as its own replacement, which leads back", "")
		return
	}
	w.adoptReplacement(doc)
	if again {
		doc.hop.Next = "this file names another replacement, which is not asked for"
		w.say(doc.hop, "discovery.superseded_again", "the replacement names "+shown(next)+" as its own replacement", "")
	}
}

// adoptReplacement makes the replacement the answer. How the mirror was found
// stays the method.
func (w *walk) adoptReplacement(doc document) {
	method := w.d.Method
	w.d.Pointer, w.d.PointerBody = nil, nil
	w.adopt(doc)
	w.d.Method = method
}

// keepMirror notes why the replacement is not used.
func (w *walk) keepMirror(h *Hop, why cause) {
	h.Next = "the mirror stays the answer"
	why.code, why.message = "discovery.superseded_failed", "the replacement was not used: "+why.message
	w.add(h, why)
}

// servedFor returns the publisher whose well-known URL this is, or "".
func servedFor(url string) string {
	_, info, err := hostname.CanonicalURL(url)
	if err != nil || url != wellKnownURL(info.Host) {
		return ""
	}
	return info.Host
}
