package resolve

import (
	"slices"

	"github.com/avow-project/avow/adagents"
)

// judgeSignal compares an entry about signals with the signal asked about. Signals
// and properties are separate: neither ever stands for the other.
func (c *inquiry) judgeSignal(a *adagents.Agent, h *holding) bool {
	if a.Type != "signal_ids" && a.Type != "signal_tags" {
		c.say("entry.properties_only", a.Raw, "the entry is about properties and covers no signal")
		return false
	}
	defined, picks := false, signalPicker(a)
	if !c.spend(len(c.v.file.Signals) + costLookup*len(a.SignalTags)) {
		return false
	}
	for i := range c.v.file.Signals {
		s := &c.v.file.Signals[i]
		if s.ID != c.q.Signal {
			continue
		}
		defined = true
		if picks(s) {
			h.signals = []string{s.ID}
			return c.signalInCountry(a, s, h)
		}
	}
	if !defined && c.saySignalLeftOut() {
		return false
	}
	switch {
	case defined:
		c.say("signal.not_covered", a.Raw, "the entry does not list "+quote(c.q.Signal))
		c.suggest("the publisher can add " + quote(c.q.Signal) + " to the entry")
	case hasCatalog(c.v.file) && (a.Type == "signal_tags" || slices.Contains(a.SignalIDs, c.q.Signal)):
		// The catalog may define it and, for an entry with tags, give it one of them.
		h.signals = []string{c.q.Signal}
		h.needs = append(h.needs, "signal_catalog")
		return true
	default:
		c.say("signal.unknown", a.Raw, "the file defines no signal "+quote(c.q.Signal))
	}
	return false
}

// saySignalLeftOut reports whether the file has a definition of the signal asked about
// that does not count, and says so. Nothing covers it, and no catalog outside the file
// is asked about it.
func (c *inquiry) saySignalLeftOut() bool {
	v, ok := signalsLeftOut(c.v.file).find(c.q.Signal)
	if !ok {
		return false
	}
	text := "the definition of the signal " + quote(c.q.Signal) + " has errors, so it does not count"
	if v.Get("id").Str() != c.q.Signal {
		text = "the file does not define the signal " + quote(c.q.Signal) + ", unless by an entry that has errors and no id"
	}
	c.say("signal.left_out", v, text)
	c.suggest("the publisher must correct the signal; avow validate says how")
	return true
}

// signalPicker returns the test whether an entry covers a definition. A tag that is
// only explained in the file, and carried by no signal, picks nothing.
func signalPicker(a *adagents.Agent) func(*adagents.Signal) bool {
	if a.Type == "signal_ids" {
		listed := finder(a.SignalIDs)
		return func(s *adagents.Signal) bool { return listed(s.ID) }
	}
	tagged := finder(a.SignalTags)
	return func(s *adagents.Signal) bool { return s.ID != "" && slices.ContainsFunc(s.Tags, tagged) }
}

// signalInCountry applies the countries of the definition, which narrow those of
// the entry. When no country is in both, naming one would not help.
func (c *inquiry) signalInCountry(a *adagents.Agent, s *adagents.Signal, h *holding) bool {
	if unreadable(s.Countries, s.Raw, "countries") {
		c.say("signal.country_not_listed", s.Raw, "the countries of the signal cannot be read, so it may be used in none")
		return false
	}
	if len(s.Countries) == 0 {
		return true
	}
	listed := finder(s.Countries)
	switch {
	case c.q.Country != "" && listed(c.q.Country):
		return true
	case c.q.Country != "":
		c.say("signal.country_not_listed", s.Raw, quote(c.q.Country)+" is not among the countries of the signal")
	case len(a.Countries) == 0 || slices.ContainsFunc(a.Countries, listed):
		h.needs = union(h.needs, []string{"country"})
		return true
	default:
		c.say("signal.country_not_listed", s.Raw, "the entry and the signal have no country in common")
	}
	return false
}

// hasCatalog reports whether signals are defined outside the file.
func hasCatalog(f *adagents.File) bool {
	return slices.ContainsFunc(f.Signals, func(s adagents.Signal) bool { return s.ID == "" && s.CatalogURL != "" })
}

// signalsOf lists the signals of an entry that may be used in the country, if one is
// given. Signals that need different things make several holdings.
func (l *lister) signalsOf(a *adagents.Agent, base *holding) []*holding {
	var out []*holding
	add := func(id string, needs []string) {
		i := slices.IndexFunc(out, func(h *holding) bool { return slices.Equal(h.needs, needs) })
		if i < 0 {
			h := *base
			h.needs, i = needs, len(out)
			out = append(out, &h)
		}
		out[i].signals = append(out[i].signals, id)
	}
	defined, picks := make(map[string]struct{}), signalPicker(a)
	for i := range l.v.file.Signals {
		s := &l.v.file.Signals[i]
		if !l.spend(costStored + costLookup*len(s.Tags)) {
			break
		}
		defined[s.ID] = struct{}{}
		h := holding{needs: slices.Clone(base.needs)}
		if picks(s) && l.signalInCountry(a, s, &h) {
			add(s.ID, h.needs)
		}
	}
	if h := l.fromCatalog(a, base, defined); h != nil {
		out = append(out, h)
	}
	if len(out) == 0 {
		l.say("signal.not_covered", a.Raw, "the entry covers no signal that the file defines")
	}
	return out
}

// fromCatalog returns what an entry covers if a catalog outside the file has it: the ids
// that the file does not define or, for an entry with tags, signals that nobody here can
// name. It is nil when there is no catalog or nothing to look for.
func (l *lister) fromCatalog(a *adagents.Agent, base *holding, defined map[string]struct{}) *holding {
	if !hasCatalog(l.v.file) {
		return nil
	}
	h := *base
	h.needs = append(slices.Clone(base.needs), "signal_catalog")
	if a.Type == "signal_tags" {
		return &h
	}
	left := signalsLeftOut(l.v.file)
	for _, id := range a.SignalIDs {
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
