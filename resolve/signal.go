package resolve

import (
	"github.com/avow-project/avow/adagents"
)

// signalFails says why an entry does not cover the signal asked about.
func (c *explanation) signalFails(s step, n, signal uint32) {
	switch s {
	case stepSignalNotCovered:
		c.saySignalNotCovered(n)
	case stepSignalLeftOut:
		c.saySignalLeftOut()
	case stepSignalUnknown:
		c.sayOf(s.code(), n, "the file defines no signal "+quote(c.q.Signal))
	case stepSignalCountry:
		c.saySignalCountry(&c.doc.File.Signals[signal])
	}
}

// saySignalNotCovered says what the entry selects by, and the signal does not have.
func (c *explanation) saySignalNotCovered(n uint32) {
	if c.f.entries[n].scope == scopeSignalTags {
		c.sayOf(stepSignalNotCovered.code(), n, "the signal "+quote(c.q.Signal)+" has none of the entry's signal_tags")
		c.suggest("the publisher can give the signal " + quote(c.q.Signal) + " one of the entry's tags")
		return
	}
	c.sayOf(stepSignalNotCovered.code(), n, "the entry does not list "+quote(c.q.Signal))
	c.suggest("the publisher can add " + quote(c.q.Signal) + " to the entry")
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
