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
	defined := false
	for i := range c.v.file.Signals {
		s := &c.v.file.Signals[i]
		if s.ID != c.q.Signal {
			continue
		}
		defined = true
		if picksSignal(a, s) {
			h.signals = []string{s.ID}
			return c.signalInCountry(a, s, h)
		}
	}
	switch {
	case defined:
		c.say("signal.not_covered", a.Raw, "the entry does not list "+quote(c.q.Signal))
		c.suggest("the publisher can add " + quote(c.q.Signal) + " to the entry")
	case a.Type == "signal_ids" && slices.Contains(a.SignalIDs, c.q.Signal) && hasCatalog(c.v.file):
		h.signals = []string{c.q.Signal}
		h.needs = append(h.needs, "signal_catalog")
		return true
	default:
		c.say("signal.unknown", a.Raw, "the file defines no signal "+quote(c.q.Signal))
	}
	return false
}

// picksSignal reports whether an entry covers a definition. A tag that is only
// explained in the file, and carried by no signal, picks nothing.
func picksSignal(a *adagents.Agent, s *adagents.Signal) bool {
	if s.ID == "" {
		return false
	}
	if a.Type == "signal_ids" {
		return slices.Contains(a.SignalIDs, s.ID)
	}
	return slices.ContainsFunc(s.Tags, finder(a.SignalTags))
}

// signalInCountry applies the countries of the definition, which narrow those of
// the entry. When no country is in both, naming one would not help.
func (c *inquiry) signalInCountry(a *adagents.Agent, s *adagents.Signal, h *holding) bool {
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
