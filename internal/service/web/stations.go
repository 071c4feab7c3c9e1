package web

import (
	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/headline"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/resolve"
)

// station is one of the things that a file has to get right on its way to a buyer.
type station struct {
	Title, Text string
	// Class is good, warn, bad or none; Word says the same.
	Class, Word string
}

func stationAt(title, class, text string) station {
	word := map[string]string{"good": "right", "warn": "look at it", "bad": "wrong", "none": "not known"}[class]
	return station{title, text, class, word}
}

// stationsOf are the five, in the order of the way.
func stationsOf(v *registry.Validation, doc *resolve.Document, s *registry.Record, h *headline.Headline) []station {
	d := v.Discovery
	list := []station{foundStation(d), servedStation(d)}
	if v.Report == nil {
		none := "There is no file."
		return append(list, stationAt("Readable", "none", none), stationAt("Says what you mean", "none", none),
			stationAt("Protected", "none", none))
	}
	meaning := stationAt("Says what you mean", "none", "Not known yet.")
	if v.Report.Unusable == nil {
		meaning = meaningStation(v, h)
	}
	return append(list, readableStation(v.Report), meaning, protectedStation(doc, s))
}

func foundStation(d *discover.Discovery) station {
	asked := words.Plural(len(d.Trail), "request", "requests")
	switch d.Answer {
	case discover.Absent:
		return stationAt("Found", "bad", "No file; "+asked+".")
	case discover.Usable, discover.Unusable:
		return stationAt("Found", "good", sentence(methodWords(d.Method.String(), safe(d.Domain)))+" "+capital(asked)+".")
	}
	return stationAt("Found", "none", "Not known; "+asked+".")
}

func servedStation(d *discover.Discovery) station {
	worst, text := "good", "Status, type and redirects are right."
	n := map[adagents.Severity]int{}
	for i := range d.Findings {
		n[d.Findings[i].Severity]++
	}
	switch {
	case n[adagents.Error] > 0:
		worst, text = "bad", words.Plural(n[adagents.Error], "error", "errors")+" on the way."
	case n[adagents.Warning] > 0:
		worst, text = "warn", words.Plural(n[adagents.Warning], "warning", "warnings")+" about how it is served."
	}
	return stationAt("Served right", worst, text)
}

// countFindings counts the findings of a severity, listed or not.
func countFindings(r *adagents.Report, s adagents.Severity) int {
	n := 0
	for i := range r.Findings {
		if r.Findings[i].Severity == s {
			n += 1 + r.Findings[i].More
		}
	}
	return n
}

func readableStation(r *adagents.Report) station {
	broken, left := countFindings(r, adagents.Error), len(r.Skipped)
	switch {
	case r.Unusable != nil:
		return stationAt("Readable", "bad", "Buyers must not use it.")
	case broken > 0 || left > 0:
		return stationAt("Readable", "bad", words.Plural(broken, "error", "errors")+"; "+words.Plural(left, "entry is",
			"entries are")+" left out.")
	}
	return stationAt("Readable", "good", "No error.")
}

func meaningStation(v *registry.Validation, h *headline.Headline) station {
	warnings := countFindings(v.Report, adagents.Warning)
	switch {
	case h.Agents == 0 && !h.Held:
		return stationAt("Says what you mean", "none", "It names no agent.")
	case h.Able < h.Agents && !h.Held:
		return stationAt("Says what you mean", "warn", words.Plural(h.Agents-h.Able, "agent", "agents")+" can sell nothing; "+
			words.Plural(warnings, "warning", "warnings")+".")
	case warnings > 0:
		return stationAt("Says what you mean", "warn", words.Plural(warnings, "warning", "warnings")+".")
	}
	return stationAt("Says what you mean", "good", "No sign of a mistake.")
}

func protectedStation(doc *resolve.Document, s *registry.Record) station {
	if doc.State != resolve.Usable {
		return stationAt("Protected", "none", "No file is in effect.")
	}
	pinned := 0
	for i := range doc.File.Agents {
		if doc.File.Agents[i].Pinned() {
			pinned++
		}
	}
	text := words.Thousands(pinned) + " of " +
		words.Plural(len(doc.File.Agents), "agent has", "agents have") + " pinned keys."
	switch {
	case s == nil: // the store is away
	case s.Publisher.Move != nil:
		return stationAt("Protected", "warn", "A move is held. "+text)
	case s.File != nil && s.File.Refused != nil:
		return stationAt("Protected", "warn", "A version was not adopted. "+text)
	}
	if len(doc.File.Agents) == 0 {
		return stationAt("Protected", "none", "It names no agent.")
	}
	if pinned < len(doc.File.Agents) {
		return stationAt("Protected", "warn", text)
	}
	return stationAt("Protected", "good", text)
}
