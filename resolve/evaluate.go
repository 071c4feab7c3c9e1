package resolve

import (
	"slices"
	"time"
)

// entries judges every entry of the agent. What they cover is united: one entry that
// permits is enough, and several may cover one placement each. Each placement gets the
// best verdict of any entry, and the question the worst of any placement.
func (c *evaluation) entries(list []uint32) Verdict {
	several := len(c.q.Placements) > 1
	best := NotAuthorized
	c.verdicts.cut(0)
	for range c.q.Placements {
		c.verdicts.add(NotAuthorized)
	}
	for _, n := range list {
		needs, ok := c.judge(n)
		if !ok {
			continue
		}
		verdict := needs.verdict()
		c.grant(n, needs, verdict)
		best = max(best, verdict)
		if best == Authorized && !several && !c.full {
			break
		}
	}
	switch {
	case several:
		best = slices.Min(c.verdicts.all())
	case best == NotAuthorized && c.q.names() == 0:
		best = c.onlySignals(list)
	}
	c.decide(best)
	return best
}

// judge compares one entry with the question, as far as the first thing that fails.
func (c *evaluation) judge(n uint32) (Needs, bool) {
	c.met.cut(0)
	c.fits.cut(0)
	e := &c.f.entries[n]
	needs, ok := c.counts(n)
	switch {
	case !ok:
		return 0, false
	case c.q.Signal != "":
		needs, ok = c.judgeSignal(n, c.q.Signal, needs)
	case !e.scope.sells():
		return c.refuse(stepSignalsOnly, n)
	case !c.cover(n):
		return c.refuse(c.missing(), n)
	default:
		needs, ok = c.narrow(n, needs)
	}
	if ok && c.listen != nil {
		c.listen.holds(n, needs, c.q.Signal)
	}
	return needs, ok
}

// onlySignals looks for signals that an agent without any property may sell. A question that
// names nothing can be answered when it names one of them.
func (c *evaluation) onlySignals(list []uint32) Verdict {
	best, heard := NotAuthorized, c.listen
	for _, n := range list {
		c.listen = nil // it has heard about the entry
		needs, ok := c.counts(n)
		some := ok && !c.eachSignal(n, needs, func(string, Needs) bool { return false })
		c.listen = heard
		if !some {
			continue
		}
		needs |= NeedsSignal
		best = Conditional
		c.grant(n, needs, best)
		if heard != nil {
			heard.holds(n, needs, "")
		}
	}
	return best
}

// eachSignal judges the signals that an entry selects one by one, and calls f for those that it
// covers with what else a question about one needs, until f returns false. The id is empty for
// those of a catalog outside the file that have one of the entry's tags. It reports whether f
// never did.
func (c *evaluation) eachSignal(n uint32, needs Needs, f func(id string, needs Needs) bool) bool {
	e, more := &c.f.entries[n], c.f.also()
	if !e.scope.signals() {
		return true
	}
	judge := func(name uint32) bool {
		id := c.f.str(more.signalNames[name])
		all, ok := c.judgeSignal(n, id, needs)
		return !ok || f(id, all)
	}
	for i := range more.signals {
		s := &more.signals[i]
		if !c.spend(costStored) {
			return false
		}
		// Of several definitions of one signal the first that is picked decides.
		if c.f.picks(e, s) && c.f.firstPicked(e, s.name) == uint32(i) && !judge(s.name) {
			return false
		}
	}
	if !c.f.has(outsideCatalog) || c.f.has(signalInDoubt) {
		return true
	}
	if e.scope == scopeSignalTags {
		return f("", needs|NeedsSignalCatalog)
	}
	for _, name := range c.f.list(e.selects) {
		if len(c.f.definedAs(name)) == 0 && !c.f.hasWord(more.leftSignals, c.f.str(more.signalNames[name])) && !judge(name) {
			return false
		}
	}
	return true
}

// firstPicked returns the first definition of a signal that an entry picks, or none.
func (f *facts) firstPicked(e *entryFact, name uint32) uint32 {
	for _, k := range f.definedAs(name) {
		if f.picks(e, &f.more.signals[k]) {
			return k
		}
	}
	return none
}

// missing is the step at which an entry failed that covers nothing of what was asked.
func (c *evaluation) missing() step {
	if c.whole || c.asked.n > 0 {
		return stepNotCovered
	}
	return stepPropertyUnknown
}

// narrow compares what else an entry is limited to.
func (c *evaluation) narrow(n uint32, needs Needs) (Needs, bool) {
	needs, ok := c.inCollection(n, needs)
	if !ok {
		return 0, false
	}
	return c.inPlacement(n, needs)
}

// counts reports whether an entry has any effect then and there. The window comes first:
// an entry may be without effect only because it is over.
func (c *evaluation) counts(n uint32) (Needs, bool) {
	e := &c.f.entries[n]
	switch {
	case e.has(unreadableWindow):
		return c.refuse(stepInert, n)
	case e.has(bounded) && !c.inTime(e):
		return c.refuse(stepOutsideWindow, n)
	case e.has(inert):
		return c.refuse(stepInert, n)
	case !e.has(inCountries):
		return 0, true
	case c.q.Country == "" && e.countries.n > 0:
		return NeedsCountry, true
	case c.q.Country != "" && contains(c.f.list(e.countries), c.country):
		return 0, true
	}
	return c.refuse(stepCountry, n)
}

// bounds returns the window of an entry; the zero Time is an open end.
func (f *facts) bounds(e *entryFact) (time.Time, time.Time) {
	if !e.has(bounded) {
		return time.Time{}, time.Time{}
	}
	words := f.list(e.window)
	return instantAt(words, 0), instantAt(words, 1)
}

// inTime compares the window of an entry with the instant asked about. Both ends belong to
// the window.
func (c *evaluation) inTime(e *entryFact) bool {
	words := c.f.list(e.window)
	from, until := words[:instantWords], words[instantWords:]
	return (isOpen(from) || !c.isBefore(from)) && (isOpen(until) || !c.isAfter(until))
}

func (c *evaluation) isBefore(w []uint32) bool {
	sec := secondsOf(w)
	return c.sec < sec || c.sec == sec && c.nano < w[2]
}

func (c *evaluation) isAfter(w []uint32) bool {
	sec := secondsOf(w)
	return c.sec > sec || c.sec == sec && c.nano > w[2]
}

// inCollection compares the collections. Those of the question are the programs one piece
// of inventory belongs to, so one that is listed is enough.
func (c *evaluation) inCollection(n uint32, needs Needs) (Needs, bool) {
	e := &c.f.entries[n]
	if !e.has(inCollections) {
		return needs, true
	}
	listed := c.f.list(e.collections)
	c.spend(len(listed) * (1 + len(c.q.Collections)))
	some := false
	for _, k := range listed {
		if !c.collectionCounts(k) {
			continue
		}
		some = true
		if c.asksFor(k) {
			return needs, true
		}
	}
	switch {
	case !some:
		return c.refuse(stepCollectionsRevoked, n)
	case len(c.q.Collections) == 0:
		return needs | NeedsCollection, true
	}
	return c.refuse(stepCollection, n)
}

// judgeSignal compares an entry about signals with a signal. Signals and properties are
// separate: neither ever stands for the other.
func (c *evaluation) judgeSignal(n uint32, id string, needs Needs) (Needs, bool) {
	e := &c.f.entries[n]
	if !e.scope.signals() {
		return c.refuse(stepPropertiesOnly, n)
	}
	name := c.f.signal(id)
	defined := c.f.definedAs(name)
	if !c.spend(costLookup * (1 + len(defined))) {
		return 0, false
	}
	k := c.f.firstPicked(e, name)
	switch {
	case k != none:
		return c.signalInCountry(n, k, needs)
	case len(defined) > 0:
		return c.refuse(stepSignalNotCovered, n)
	case c.f.has(signalInDoubt) || c.f.hasWord(c.f.also().leftSignals, id):
		return c.refuse(stepSignalLeftOut, n)
	case c.f.has(outsideCatalog) && (e.scope == scopeSignalTags || name != none && contains(c.f.list(e.selects), name)):
		// The catalog may define it and, for an entry with tags, give it one of them.
		return needs | NeedsSignalCatalog, true
	}
	return c.refuse(stepSignalUnknown, n)
}

// picks reports whether an entry covers the definition of a signal. A tag that is only
// explained in the file, and carried by no signal, picks nothing.
func (f *facts) picks(e *entryFact, s *signalFact) bool {
	if s.name == none {
		return false
	}
	if e.scope == scopeSignalIDs {
		return contains(f.list(e.selects), s.name)
	}
	return overlap(f.list(e.selects), f.list(s.tags))
}

// signalInCountry applies the countries of the definition, which narrow those of the
// entry. When no country is in both, naming one would not help.
func (c *evaluation) signalInCountry(n, signal uint32, needs Needs) (Needs, bool) {
	e, s := &c.f.entries[n], &c.f.more.signals[signal]
	switch {
	case s.has(unreadableList):
	case !s.has(limitedSignal):
		return needs, true
	case c.q.Country != "":
		if contains(c.f.list(s.countries), c.country) {
			return needs, true
		}
	case e.has(inCountries) && overlap(c.f.list(e.countries), c.f.list(s.countries)), !e.has(inCountries) &&
		s.countries.n > 0:
		return needs | NeedsCountry, true
	}
	c.fail(stepSignalCountry, n, "", signal)
	return 0, false
}
