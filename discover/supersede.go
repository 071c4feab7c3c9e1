package discover

import (
	"context"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/std/hostname"
)

// supersede looks at the file that the one at hand names in its place, and makes it the
// answer if it can be used: it is the publisher's word like the target of a pointer.
func (w *walk) supersede(ctx context.Context) {
	if w.d.Answer != Usable {
		return
	}
	target, ok := w.d.Report.File.Successor()
	if !ok {
		return
	}
	w.d.SupersededBy = target
	last := w.trail[len(w.trail)-1]
	w.say(last, "discovery.superseded", "the file says that "+shown(target)+" replaces it", "")
	if w.o.IgnoreSuperseded {
		return
	}
	if w.d.Method == ManagerDomain {
		// It was not checked that the replacement speaks for the publisher, and a
		// manager cannot hand the publisher on.
		w.keepFile(last, cause{message: "a file that was found through ads.txt cannot name another one for the publisher"})
		return
	}
	if w.visited(target) {
		w.say(last, "discovery.superseded_loop", "the replacement is a URL that was asked for already", "")
		return
	}
	last.Next = "the file that replaces it is asked for, once"
	w.d.Replaced = true
	w.replace(ctx, target)
}

// replace asks for the replacement and makes it the answer. On failure the file at hand
// stays the answer.
func (w *walk) replace(ctx context.Context, url string) {
	h := w.ask(ctx, Superseding, wellKnown(url))
	if h.Result.Outcome != fetch.Found {
		h.Meaning = meaningOf(h)
		w.keepFile(h, explain(h).within(h))
		return
	}
	before := len(w.d.Findings)
	w.remarks(h)
	doc := document{hop: h, report: w.check(ctx, h, adagents.Authoritative, w.successorDomain(url))}
	if doc.report.File == nil {
		why := "it is only a pointer"
		if doc.report.Unusable != nil {
			why = "it cannot be used: " + shown(doc.report.Unusable.Findings[0].Message)
		}
		w.d.Findings = w.d.Findings[:before] // they are not about the file that stays
		describeFile(doc)
		w.keepFile(h, cause{message: why})
		return
	}
	next, again := doc.report.File.Successor()
	if again && w.leadsBack(next) {
		h.Meaning = says(h, "serves a file that names the first one as its replacement")
		h.Next = "the two name each other, so the first one stays the answer"
		w.say(h, "discovery.superseded_loop",
			"the replacement names "+shown(next)+" as its own replacement, which leads back", "")
		return
	}
	w.adoptReplacement(doc)
	if again {
		h.Next = "this file names another replacement, which is not asked for"
		w.say(h, "discovery.superseded_again", "the replacement names "+shown(next)+" as its own replacement", "")
	}
}

// leadsBack reports whether a URL was asked for before the replacement was. One that
// names itself names nothing new.
func (w *walk) leadsBack(url string) bool {
	before := *w
	before.trail = w.trail[:len(w.trail)-1]
	return before.visited(url)
}

// adoptReplacement makes the replacement the answer. For a publisher it stands where the
// target of a pointer would.
func (w *walk) adoptReplacement(doc document) {
	w.d.Pointer, w.d.PointerBody, w.d.Replaced = nil, nil, false
	w.adopt(doc)
	doc.hop.Meaning = says(doc.hop, "serves the file that replaces the one before")
	if w.d.Domain != "" {
		w.d.Method = AuthoritativeLocation
	}
}

// keepFile notes why the replacement is not used.
func (w *walk) keepFile(h *Hop, why cause) {
	h.Next = "the file that was found first stays the answer"
	why.code, why.message = "discovery.superseded_failed", "the replacement was not used: "+why.message
	w.add(h, why)
}

// successorDomain returns the publisher that a replacement is read for: the one asked
// about or, without one, that whose well-known URL it is.
func (w *walk) successorDomain(url string) string {
	if w.d.Domain != "" {
		return w.d.Domain
	}
	return servedFor(url)
}

// servedFor returns the publisher whose well-known URL this is, or "".
func servedFor(url string) string {
	_, info, err := hostname.CanonicalURL(url)
	if err != nil || url != wellKnownURL(info.Host) {
		return ""
	}
	return info.Host
}
