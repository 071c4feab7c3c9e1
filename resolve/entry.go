package resolve

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/avow-project/avow/adagents"
)

// A holding is an entry with what it covers of what was asked. Needs is what is
// missing in the question before the entry can be judged.
type holding struct {
	agent       *adagents.Agent
	properties  []Covered
	signals     []string
	placements  []string
	collections []CollectionRef
	from, until time.Time
	needs       []string
	// verdicts has those of the placements asked about.
	verdicts map[string]Verdict
}

func (h *holding) verdict() Verdict {
	if len(h.needs) > 0 {
		return Conditional
	}
	return Authorized
}

// entries judges every entry of the agent. What they cover is united: one entry
// that permits is enough, and several may cover one placement each. Each placement
// gets the best verdict of any entry, and the question the worst of any placement.
func (c *inquiry) entries(list []*adagents.Agent) Verdict {
	best := NotAuthorized
	if len(c.q.Placements) > 0 {
		c.placeAll(NotAuthorized)
	}
	for _, a := range list {
		h, ok := c.judge(a)
		if !ok {
			continue
		}
		c.holdings = append(c.holdings, *h)
		best = max(best, h.verdict())
		for id, verdict := range h.verdicts {
			c.placements[id] = max(c.placements[id], verdict)
		}
	}
	if len(c.q.Placements) == 0 {
		return best
	}
	return slices.Min(slices.Collect(maps.Values(c.placements)))
}

// judge compares one entry with the question. It says why an entry does not count,
// for the first reason that it finds.
func (c *inquiry) judge(a *adagents.Agent) (*holding, bool) {
	h := &holding{agent: a}
	if !c.counts(a, h) {
		return nil, false
	}
	judge := c.judgeProperties
	if c.q.Signal != "" {
		judge = c.judgeSignal
	}
	if !judge(a, h) {
		return nil, false
	}
	c.sayHolding(h)
	return h, true
}

// counts reports whether an entry has any effect then and there. The window comes
// first: an entry may be without effect only because it is over.
func (c *inquiry) counts(a *adagents.Agent, h *holding) bool {
	if !c.inTime(a, h) {
		return false
	}
	if a.Inert() {
		c.say("entry.inert", a.Raw, "the entry has errors that leave it without effect")
		c.suggest("the publisher must mend the entry; avow validate says how")
		return false
	}
	return c.inCountry(a, h)
}

func (c *inquiry) judgeProperties(a *adagents.Agent, h *holding) bool {
	if !sells(a.Type) {
		c.say("entry.signals_only", a.Raw, "the entry is about signals and covers no property")
		return false
	}
	h.properties = c.own(c.coveredBy(a))
	if len(h.properties) == 0 {
		c.sayNotCovered(a)
		return false
	}
	return c.inCollection(a, h) && c.judgePlacements(a, h)
}

func (c *inquiry) sayHolding(h *holding) {
	for _, need := range h.needs {
		n := needs[need]
		c.say(n.code, h.agent.Raw, n.message)
		c.suggest(n.change)
	}
	if len(h.needs) == 0 {
		c.say("entry.covers", h.agent.Raw, "the entry covers "+c.part(h))
	}
	c.sayIgnored(h.agent)
}

// sayIgnored names members of an entry that look like restrictions and are none: what the
// entry grants is more than its author probably meant.
func (c *inquiry) sayIgnored(a *adagents.Agent) {
	if c.mute {
		return
	}
	list := a.IgnoredRestrictions()
	if len(list) == 0 {
		return
	}
	names := make([]string, 0, mostNamed)
	for _, r := range list[:min(len(list), mostNamed)] {
		names = append(names, quote(r.Name))
	}
	what := ", which looks like a restriction and is no member of the format: it narrows nothing"
	if len(list) > 1 {
		what = ", which look like restrictions and are no members of the format: they narrow nothing"
	}
	c.say("entry.restriction_ignored", a.Raw, "the entry has "+strings.Join(names, ", ")+what+", and the publisher may have meant to grant less")
	for _, r := range list[:min(len(list), mostNamed)] {
		c.suggest("the publisher can correct " + quote(r.Name) + ": " + r.Advice)
	}
}

// part names what an entry covers of what was asked, when that is not all of it.
func (c *inquiry) part(h *holding) string {
	if len(h.verdicts) == len(c.q.Placements) {
		return "what was asked"
	}
	var ids []string
	for _, id := range c.q.Placements {
		if _, ok := h.verdicts[id]; ok {
			ids = append(ids, quote(id))
		}
	}
	if n := len(ids); n > mostNamed {
		return strconv.Itoa(n) + " of the placements asked about"
	}
	return strings.Join(ids, ", ") + " of the placements asked about"
}

// mostNamed is the number of placements that a message names.
const mostNamed = 5

// needs are the things an entry can ask for.
var needs = map[string]struct{ code, message, change string }{
	"country":        {"entry.country_needed", "the entry is limited to some countries, and the question names none", "name the country of the sale"},
	"collection":     {"entry.collection_needed", "the entry is limited to some collections, and the question names none", "name the collection"},
	"placement":      {"entry.placement_needed", "the entry is limited to some placements, and the question names none", "name the placement"},
	"confirmation":   {"selector.unconfirmed", "no property of the entry is the publisher's own or confirmed by the file of the publisher it belongs to, so the entry is no more than a claim", "ask about the publishers that the properties belong to"},
	"signal_catalog": {"signal.in_catalog", "the entry may cover the signal, whose definition lies in a catalog outside the file", "look the signal up in the catalog the file refers to"},
}

// inTime compares the window of an entry with the instant asked about. Both ends
// belong to the window.
func (c *inquiry) inTime(a *adagents.Agent, h *holding) bool {
	from, okFrom := instant(a.EffectiveFrom)
	until, okUntil := instant(a.EffectiveUntil)
	if !okFrom || !okUntil {
		c.say("entry.inert", a.Raw, "the time window of the entry cannot be read")
		return false
	}
	h.from, h.until = from, until
	if !from.IsZero() && c.q.At.Before(from) {
		c.say("entry.outside_window", a.Raw, "the entry holds from "+quote(string(a.EffectiveFrom))+" on")
		c.suggest("ask about an instant from " + quote(string(a.EffectiveFrom)) + " on")
		return false
	}
	if !until.IsZero() && c.q.At.After(until) {
		c.say("entry.outside_window", a.Raw, "the entry ended at "+quote(string(a.EffectiveUntil)))
		c.suggest("the publisher can extend effective_until")
		return false
	}
	return true
}

func (c *inquiry) inCountry(a *adagents.Agent, h *holding) bool {
	switch {
	case len(a.Countries) == 0:
		return true
	case c.q.Country == "":
		h.needs = union(h.needs, []string{"country"})
		return true
	case slices.Contains(a.Countries, c.q.Country):
		return true
	}
	c.say("entry.country_not_listed", a.Raw, quote(c.q.Country)+" is not among the countries of the entry")
	c.suggest("the publisher can add " + quote(c.q.Country) + " to the entry's countries")
	return false
}

// inCollection compares the collections. Those of the question are the programs one
// piece of inventory belongs to, so one that is listed is enough.
func (c *inquiry) inCollection(a *adagents.Agent, h *holding) bool {
	if len(a.Collections) == 0 {
		return true
	}
	h.collections = collectionsOf(c.v, a)
	c.spend(len(h.collections) * (1 + len(c.q.Collections)))
	if len(h.collections) == 0 {
		c.say("entry.collections_revoked", a.Raw, "every collection the entry is limited to is of a revoked publisher")
		return false
	}
	if len(c.q.Collections) == 0 {
		h.needs = append(h.needs, "collection")
		return true
	}
	if slices.ContainsFunc(h.collections, func(r CollectionRef) bool { return slices.Contains(c.q.Collections, r) }) {
		return true
	}
	c.say("entry.collection_not_listed", a.Raw, "none of the collections asked about is among those of the entry")
	c.suggest("the publisher can add the collection to the entry")
	return false
}

// collectionsOf returns the collections an entry is limited to, without those of
// revoked publishers.
func collectionsOf(v *view, a *adagents.Agent) []CollectionRef {
	out := []CollectionRef{}
	for i := range a.Collections {
		s := &a.Collections[i]
		domain, _, err := v.hosts.Canonical(s.PublisherDomain)
		if err != nil || v.isRevoked(domain) {
			continue
		}
		for _, id := range s.CollectionIDs {
			if id != "" {
				out = append(out, CollectionRef{domain, id})
			}
		}
	}
	return out
}

// grantsOf turns holdings into grants.
func grantsOf(list []holding, url string) []Grant {
	if len(list) == 0 {
		return nil
	}
	at := make([]adagents.Value, len(list))
	for i := range list {
		at[i] = list[i].agent.Raw
	}
	out := make([]Grant, len(list))
	for i, pointer := range locate(at) {
		out[i] = list[i].grant(pointer, url)
	}
	locateCovered(out)
	return out
}

func (h *holding) grant(pointer, url string) Grant {
	a := h.agent
	g := Grant{
		Entry: pointer, URL: url,
		AuthorizationType: a.Type, DelegationType: a.DelegationType, AuthorizedFor: a.AuthorizedFor, Exclusive: a.Exclusive,
		Properties: h.properties, Signals: h.signals,
		Placements: h.placements, Collections: h.collections, Countries: a.Countries,
		From: h.from, Until: h.until,
		Pinned: a.Pinned(), Needs: h.needs,
	}
	for i := range a.SigningKeys {
		g.PinnedKeys = append(g.PinnedKeys, a.SigningKeys[i].Kid)
	}
	return g
}

// locateCovered fills in the places of all properties at once.
func locateCovered(grants []Grant) {
	var at []adagents.Value
	for i := range grants {
		for k := range grants[i].Properties {
			at = append(at, grants[i].Properties[k].Property.Raw)
		}
	}
	found := locate(at)
	for i := range grants {
		for k := range grants[i].Properties {
			grants[i].Properties[k].Pointer = found[0]
			found = found[1:]
		}
	}
}
