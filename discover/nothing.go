package discover

import (
	"slices"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/resolve"
)

// lookForPublisher says when the file that a pointer leads to has nothing that buyers
// would take for the publisher's. The file is found and perhaps free of errors, and
// nobody can buy anything with it.
func (w *walk) lookForPublisher(doc document) {
	if doc.pointer == nil || w.d.Answer != Usable {
		return
	}
	what := ""
	switch f := doc.report.File; {
	case scopeOf(f, w.d.Domain) == scopeRevoked:
		what = "it lists " + w.d.Domain + " in revoked_publisher_domains"
	case aboutProperties(f) && !resolve.Owns(&resolve.Document{
		Publisher: w.d.Domain, State: resolve.Usable, File: f, Method: AuthoritativeLocation.String(),
	}):
		what = "no property in it is that of " + w.d.Domain
	default:
		return
	}
	w.say(doc.hop, "discovery.nothing_for_publisher", "buyers find nothing for "+w.d.Domain+" in this file: "+what, "")
	doc.hop.Meaning = says(doc.hop, "serves the authoritative file, in which nothing is the publisher's")
}

// aboutProperties reports whether a file has properties or says who may sell some. A
// catalog of signals or formats alone need not.
func aboutProperties(f *adagents.File) bool {
	return f.Raw.Get("properties").Len() > 0 || slices.ContainsFunc(f.Agents, func(a adagents.Agent) bool {
		return a.Type != "signal_ids" && a.Type != "signal_tags"
	})
}
