package resolve

import (
	"slices"
	"strconv"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/jsontree"
)

// newHolding returns an entry with its bounds.
func (c *explanation) newHolding(n uint32, needs Needs) holding {
	h := holding{agent: &c.doc.File.Agents[n], entry: n, pointer: c.f.entryPointer(n), needs: needs}
	h.from, h.until = c.f.bounds(&c.f.entries[n])
	return h
}

// holds hears that an entry covers what was asked, or would if needs are met.
func (c *explanation) holds(n uint32, needs Needs, signal string) {
	h := c.newHolding(n, needs)
	switch {
	case signal != "":
		h.signals = []string{signal}
	case needs&NeedsSignal != 0:
		h.signals = c.signalsOf(n)
	default:
		h.properties = c.coveredOf(c.covered.all())
		c.fillLimits(&h)
		h.met = slices.Clone(c.met.all())
	}
	c.sayHolding(&h)
	c.holdings = append(c.holdings, h)
}

// fillLimits notes what an entry is limited to, as the evaluation of it found.
func (c *explanation) fillLimits(h *holding) {
	e := &c.f.entries[h.entry]
	if e.has(inCollections) {
		h.collections = []CollectionRef{}
		for _, k := range c.f.list(e.collections) {
			if c.collectionCounts(k) {
				one := &c.f.more.collections[k]
				h.collections = append(h.collections, CollectionRef{c.f.str(one.domain), c.f.str(one.id)})
			}
		}
	}
	if e.scoped() {
		h.placements = []string{}
		for _, k := range c.f.byIndex(c.fits.all()) {
			h.placements = append(h.placements, c.f.str(c.f.placements[k].id))
		}
	}
}

// coveredOf lists properties of the publisher asked about as covered.
func (c *explanation) coveredOf(list []uint32) []Covered {
	if !c.spend(costListed * len(list)) {
		return nil
	}
	out := make([]Covered, len(list))
	for i, n := range list {
		p := c.property(n)
		out[i] = Covered{
			PublisherDomain: c.q.Publisher, PropertyID: p.ID, Property: p, Path: Own,
			URL: c.doc.URL, Pointer: c.f.propertyPointer(n), Confirmed: true,
		}
	}
	return out
}

// fails hears why an entry does not cover what was asked, or not a placement.
func (c *explanation) fails(s step, n uint32, id string, k uint32) {
	a := &c.doc.File.Agents[n]
	switch s {
	case stepInert:
		c.sayInert(n)
	case stepOutsideWindow:
		c.sayOutside(n, a)
	case stepCountry:
		c.sayCountry(n)
	case stepSignalsOnly:
		c.sayOf(s.code(), n, "the entry is about signals and covers no property")
	case stepPropertiesOnly:
		c.sayOf(s.code(), n, "the entry is about properties and covers no signal")
	case stepNotCovered, stepPropertyUnknown:
		c.sayNotCovered(n, a)
	case stepCollectionsRevoked:
		c.sayOf(s.code(), n, "every collection the entry is limited to is of a revoked publisher")
	case stepCollection:
		c.sayOf(s.code(), n, "none of the collections asked about is among those of the entry")
		c.suggest("the publisher can add the collection to the entry")
	case stepNoPlacement:
		c.sayOf(s.code(), n, "the entry is limited to placements, and none of them exists on what was asked")
	case stepSignalNotCovered, stepSignalLeftOut, stepSignalUnknown, stepSignalCountry:
		c.signalFails(s, n, k)
	default:
		c.placementFails(s, n, id, k)
	}
}

// signalsOf names the signals that an entry covers, as far as the file does.
func (c *explanation) signalsOf(n uint32) []string {
	var out []string
	silent := c.listen
	c.listen = nil
	c.eachSignal(n, 0, func(id string, _ Needs) bool {
		if id != "" {
			out = append(out, id)
		}
		return true
	})
	c.listen = silent
	return out
}

func (c *explanation) sayCountry(n uint32) {
	if c.q.Country == "" {
		c.sayOf(stepCountry.code(), n, "none of the entry's countries is an assigned code, so no question can name one")
		c.suggest("the publisher must correct the entry's countries; avow validate says how")
		return
	}
	c.sayOf(stepCountry.code(), n, quote(c.q.Country)+" is not among the countries of the entry")
	c.suggest("the publisher can add " + quote(c.q.Country) + " to the entry's countries")
}

func (c *explanation) sayInert(n uint32) {
	if c.f.entries[n].has(unreadableWindow) {
		c.sayOf("entry.inert", n, "the time window of the entry cannot be read")
		return
	}
	message := "the entry has errors that leave it without effect"
	if code := c.doc.File.Agents[n].InertCode(); code != "" {
		message += ": " + code
	}
	c.sayOf("entry.inert", n, message)
	c.suggest("the publisher must fix the entry; avow validate says how")
}

func (c *explanation) sayOutside(n uint32, a *adagents.Agent) {
	from, _ := c.f.bounds(&c.f.entries[n])
	if !from.IsZero() && c.q.At.Before(from) {
		c.sayOf("entry.outside_window", n, "the entry holds from "+quote(string(a.EffectiveFrom))+" on")
		c.suggest("ask about an instant from " + quote(string(a.EffectiveFrom)) + " on")
		return
	}
	c.sayOf("entry.outside_window", n, "the entry ended at "+quote(string(a.EffectiveUntil)))
	c.suggest("the publisher can extend effective_until")
}

func (c *explanation) sayHolding(h *holding) {
	for _, need := range h.needs.Strings() {
		n := needs[need]
		c.sayOf(n.code, h.entry, n.message)
		c.suggest(n.change)
	}
	if h.needs == 0 {
		c.sayOf("entry.covers", h.entry, "the entry covers "+c.part(h))
	}
	c.sayIgnored(h)
	c.sayWord()
}

// sayWord notes, once, that nothing but the publisher's word says whose the identifier asked
// about is. A host name is different: the file is found by it.
func (c *explanation) sayWord() {
	const code = "identifier.publisher_word"
	kind := c.q.Identifier.Type
	if kind == "" || kind == "domain" || kind == "subdomain" || slices.ContainsFunc(c.steps, func(r remark) bool {
		return r.code == code
	}) {
		return
	}
	c.say(code, adagents.Value{}, "that the "+quote(kind)+" is the publisher's own is the publisher's word")
}

// sayIgnored names members of an entry that look like restrictions and are none: what the
// entry grants is more than its author probably meant.
func (c *explanation) sayIgnored(h *holding) {
	list := h.agent.IgnoredRestrictions()
	if len(list) == 0 {
		return
	}
	names := make([]string, 0, mostNamed)
	for _, r := range list[:min(len(list), mostNamed)] {
		names = append(names, quote(r.Name))
	}
	what := ", which looks like a restriction but is not a member of the format: it narrows nothing"
	if len(list) > 1 {
		what = ", which look like restrictions and are no members of the format: they narrow nothing"
	}
	c.sayOf("entry.restriction_ignored", h.entry, "the entry has "+strings.Join(names, ", ")+what+
		", and the publisher may have meant to grant less")
	for _, r := range list[:min(len(list), mostNamed)] {
		c.suggest("the publisher can correct " + quote(r.Name) + ": " + r.Advice)
	}
}

// part names what an entry covers of what was asked, when that is not all of it.
func (c *explanation) part(h *holding) string {
	var ids []string
	for i, met := range h.met {
		if met {
			ids = append(ids, quote(c.q.Placements[i]))
		}
	}
	switch n := len(ids); {
	case n == len(c.q.Placements):
		return "what was asked"
	case n > mostNamed:
		return strconv.Itoa(n) + " of the placements asked about"
	}
	return strings.Join(ids, ", ") + " of the placements asked about"
}

// mostNamed is the number of placements that a message names.
const mostNamed = 5

// needs are the things an entry can ask for.
var needs = map[string]struct{ code, message, change string }{
	"country": {"entry.country_needed", "the entry is limited to some countries, and the question names none",
		"name the country of the sale"},
	"collection": {"entry.collection_needed", "the entry is limited to some collections, and the question names none",
		"name the collection"},
	"signal": {"entry.signal_needed",
		"the agent may sell signals of the publisher and no property, and the question names no signal", "ask with a signal"},
	"placement": {"entry.placement_needed", "the entry is limited to some placements, and the question names none",
		"name the placement"},
	"confirmation": {"selector.unconfirmed",
		"the properties are of publishers whose own file is not known to let the agent sell them; for these the entry is a " +
			"claim", "ask about the publishers that the properties belong to"},
	"signal_catalog": {"signal.in_catalog",
		"the entry may cover the signal, whose definition lies in a catalog outside the file",
		"look the signal up in the catalog the file refers to"},
}

// grantsOf turns holdings into grants.
func grantsOf(list []holding, url string) []Grant {
	if len(list) == 0 {
		return nil
	}
	out := make([]Grant, len(list))
	for i := range list {
		out[i] = list[i].grant(url)
	}
	locateCovered(out)
	return out
}

func (h *holding) grant(url string) Grant {
	a := h.agent
	g := Grant{
		Entry: h.pointer, URL: url,
		AuthorizationType: a.Type, DelegationType: a.DelegationType, AuthorizedFor: a.AuthorizedFor, Exclusive: a.Exclusive,
		Properties: h.properties, Signals: h.signals,
		Placements: h.placements, Collections: h.collections, Countries: a.Countries,
		From: h.from, Until: h.until,
		Pinned: a.Pinned(), Needs: h.needs.Strings(),
	}
	for i := range a.SigningKeys {
		g.PinnedKeys = append(g.PinnedKeys, a.SigningKeys[i].Kid)
	}
	return g
}

// locateCovered fills in the places of all properties that are not known yet at once.
func locateCovered(grants []Grant) {
	var at []adagents.Value
	var to []*string
	for i := range grants {
		for k := range grants[i].Properties {
			if p := &grants[i].Properties[k]; p.Pointer == "" {
				at, to = append(at, p.Property.Raw), append(to, &p.Pointer)
			}
		}
	}
	for i, pointer := range jsontree.Locate(at) {
		*to[i] = pointer
	}
}

// pointerBelow returns the JSON Pointer of a value within another, of which it is known.
func pointerBelow(pointer string, root, v adagents.Value) string {
	if pointer == "" || !v.Exists() {
		return ""
	}
	return pointer + root.PointerTo(v)
}
