package discover

import (
	"slices"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/resolve"
)

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
