package resolve

import (
	"slices"

	"github.com/avow-project/avow/adagents"
)

// signalFails says why an entry does not cover the signal asked about.
func (c *explanation) signalFails(s step, n, signal uint32) {
	switch s {
	case stepSignalNotCovered:
		c.sayOf(s.code(), n, "the entry does not list "+quote(c.q.Signal))
		c.suggest("the publisher can add " + quote(c.q.Signal) + " to the entry")
	case stepSignalLeftOut:
		c.saySignalLeftOut()
	case stepSignalUnknown:
		c.sayOf(s.code(), n, "the file defines no signal "+quote(c.q.Signal))
	case stepSignalCountry:
		c.saySignalCountry(&c.doc.File.Signals[signal])
	}
}

// saySignalCountry says why a signal may not be used then and there.
func (c *explanation) saySignalCountry(s *adagents.Signal) {
	text := "the entry and the signal have no country in common"
	switch {
	case unreadable(s.Countries, s.Raw, "countries"):
		text = "the countries of the signal cannot be read, so it may be used in none"
	case c.q.Country != "":
		text = quote(c.q.Country) + " is not among the countries of the signal"
	}
	c.say("signal.country_not_listed", s.Raw, text)
}

// saySignalLeftOut says that the file has a definition of the signal asked about that
// is ignored. Nothing covers it, and no catalog outside the file is asked about it.
func (c *explanation) saySignalLeftOut() {
	v, _ := signalsLeftOut(c.doc.File).find(c.q.Signal)
	text := "the definition of the signal " + quote(c.q.Signal) + " has errors, so it is ignored"
	if v.Get("id").Str() != c.q.Signal {
		text = "the file does not define the signal " + quote(c.q.Signal) + ", unless by an entry that has errors and no id"
	}
	c.say("signal.left_out", v, text)
	c.suggest("the publisher must correct the signal; avow validate says how")
}

// hasCatalog reports whether signals are defined outside the file.
func hasCatalog(f *adagents.File) bool {
	return slices.ContainsFunc(f.Signals, func(s adagents.Signal) bool { return s.ID == "" && s.CatalogURL != "" })
}

// signalsOf lists the signals of an entry that may be used in the country, if one is
// given. Signals that need different things make several holdings.
func (l *lister) signalsOf(base *holding) []*holding {
	var out []*holding
	add := func(id string, needs Needs) {
		i := slices.IndexFunc(out, func(h *holding) bool { return h.needs == needs })
		if i < 0 {
			h := *base
			h.needs, i = needs, len(out)
			out = append(out, &h)
		}
		out[i].signals = append(out[i].signals, id)
	}
	e, all := &l.f.entries[base.entry], l.f.also().signals
	defined := make(map[string]struct{})
	for i := range all {
		s := &l.doc.File.Signals[i]
		if !l.spend(costStored + costLookup*len(s.Tags)) {
			break
		}
		defined[s.ID] = struct{}{}
		if !l.f.picks(e, &all[i]) {
			continue
		}
		needs, ok := l.signalInCountry(base.entry, uint32(i), base.needs)
		if ok {
			add(s.ID, needs)
		}
	}
	if h := l.fromCatalog(base, defined); h != nil {
		out = append(out, h)
	}
	if len(out) == 0 {
		l.sayOf("signal.not_covered", base.entry, "the entry covers no signal that the file defines")
	}
	return out
}

// fromCatalog returns what an entry covers if a catalog outside the file has it: the ids
// that the file does not define or, for an entry with tags, signals that nobody here can
// name. It is nil when there is no catalog or nothing to look for.
func (l *lister) fromCatalog(base *holding, defined map[string]struct{}) *holding {
	if !l.f.has(outsideCatalog) {
		return nil
	}
	h := *base
	h.needs |= NeedsSignalCatalog
	if l.f.entries[base.entry].scope == scopeSignalTags {
		return &h
	}
	left := signalsLeftOut(l.doc.File)
	for _, id := range base.agent.SignalIDs {
		_, known := defined[id]
		_, faulty := left.find(id)
		if !known && !faulty && id != "" {
			defined[id] = struct{}{}
			h.signals = append(h.signals, id)
		}
	}
	if len(h.signals) == 0 {
		return nil
	}
	return &h
}
