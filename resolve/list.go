package resolve

import (
	"context"
	"slices"
	"strconv"

	"github.com/avow-project/avow/adagents"
)

// Properties lists what an agent may sell by the file of a publisher: every
// property and signal, with the path that granted it. Selectors over other
// publishers are resolved by asking the source for their files, several at a time.
// One that fails is empty and spoils nothing else.
func (r *Resolver) Properties(ctx context.Context, publisher, agent string, o ListOptions) (*Listing, error) {
	q, err := Question{Publisher: publisher, Agent: agent, Country: o.Country, At: o.At}.Canonical()
	if err != nil {
		return nil, err
	}
	doc, err := r.document(ctx, q.Publisher)
	if err != nil {
		return nil, err
	}
	l := &lister{explanation: explanation{question: q, doc: doc}, o: o}
	l.budget, l.q = newBudget(ctx, r.work), &l.question
	verdict, entries := l.begin()
	if len(entries) > 0 {
		err = l.lookUp(ctx, r, entries)
		if err != nil {
			return nil, err
		}
		verdict = l.list(entries)
	}
	err = l.exhausted(ctx)
	if err != nil {
		return nil, err
	}
	return l.listing(verdict), nil
}

// begin gives the verdict when there is nothing to list, or else the entries that
// count at the instant and in the country asked about.
func (l *lister) begin() (Verdict, []uint32) {
	if verdict, ok := l.withoutFile(); ok {
		return verdict, nil
	}
	l.prepare()
	l.v = newView(l.doc)
	if l.assertsNobody() {
		l.sayNoneAsserted()
		return NoneAsserted, nil
	}
	if l.isRevoked(l.q.Publisher) {
		l.sayRevoked()
	}
	all := l.f.entriesOf(l.q.Agent)
	if len(all) == 0 {
		l.notListed()
	}
	var out []uint32
	for _, n := range all {
		if _, ok := l.counts(n); ok {
			out = append(out, n)
		}
	}
	return NotAuthorized, out
}

// list resolves the entries and unites what they come to. What it says in one word is what an
// answer to a question that names nothing says: signals matter where there is nothing else.
func (l *lister) list(entries []uint32) Verdict {
	best, signals := NotAuthorized, NotAuthorized
	for _, n := range entries {
		for _, h := range l.resolve(n) {
			l.sayHolding(h)
			l.holdings = append(l.holdings, *h)
			if l.f.entries[n].scope.sells() {
				best = max(best, h.needs.verdict())
			} else {
				signals = Conditional
			}
		}
	}
	if best == NotAuthorized && signals == Conditional {
		best = signals
		need := needs["signal"]
		l.say(need.code, adagents.Value{}, need.message)
		l.suggest(need.change)
	}
	l.sayStates()
	return best
}

// resolve works out what one entry comes to. The entry counts, which was made sure
// of before anybody was asked.
func (l *lister) resolve(n uint32) []*holding {
	needs, _ := l.counts(n)
	if !l.f.entries[n].scope.sells() {
		return l.signalHoldings(n, needs)
	}
	var out []*holding
	some := false
	if !l.isRevoked(l.q.Publisher) && l.cover(n) {
		some = true
		l.fits.cut(0)
		if all, ok := l.narrow(n, needs); ok {
			h := l.newHolding(n, all)
			h.properties = l.coveredOf(l.covered.all())
			l.fillLimits(&h)
			out = append(out, &h)
		}
	}
	foreign := l.claims(&l.doc.File.Agents[n])
	if !some && len(foreign) == 0 {
		l.sayOf("property.not_covered", n, "the entry comes to no property")
	}
	for _, h := range l.groupClaims(n, needs, foreign) {
		out = l.addClaims(out, h)
	}
	for _, h := range out {
		l.weighClaims(h)
	}
	return out
}

// groupClaims sorts properties of other publishers by what the entry and their publisher's own
// file ask for. Whether that publisher has confirmed one is said of each.
func (l *lister) groupClaims(n uint32, needs Needs, list []claimed) []*holding {
	var out []*holding
	for i := range list {
		all := (needs | list[i].needs) &^ NeedsConfirmation
		at := slices.IndexFunc(out, func(h *holding) bool { return h.needs == all })
		if at < 0 {
			h := l.newHolding(n, all)
			out, at = append(out, &h), len(out)
		}
		out[at].properties = append(out[at].properties, list[i].Covered)
	}
	return out
}

// addClaims narrows properties of other publishers to those that the placements of the entry run
// on, and adds what is left to a holding that needs the same.
func (l *lister) addClaims(out []*holding, h *holding) []*holding {
	keys := l.reachTo(h)
	all, ok := l.narrow(h.entry, h.needs)
	if !ok {
		return out
	}
	if l.f.entries[h.entry].scoped() {
		h.properties = l.keepClaims(h.properties, keys)
	}
	h.needs = all
	l.fillLimits(h)
	for _, other := range out {
		if other.needs == h.needs {
			other.properties = append(other.properties, h.properties...)
			other.placements = union(other.placements, h.placements)
			return out
		}
	}
	return append(out, h)
}

// weighClaims makes a holding of nothing but claims wait for their publishers, and says so of one
// that has claims among others.
func (l *lister) weighClaims(h *holding) {
	claims := 0
	for i := range h.properties {
		if !h.properties[i].Confirmed {
			claims++
		}
	}
	switch claims {
	case 0:
	case len(h.properties):
		h.needs |= NeedsConfirmation
	default:
		l.sayOf("selector.unconfirmed", h.entry, strconv.Itoa(claims)+" of "+strconv.Itoa(len(h.properties))+
			" properties are of publishers whose own file is not known to let the agent sell them; for these the entry is a "+
			"claim")
	}
}

// keepClaims leaves out properties that none of the placements found runs on.
func (l *lister) keepClaims(list []Covered, keys [][]uint32) []Covered {
	under := l.keysOf(l.fits.all())
	var out []Covered
	for i := range list {
		if i < len(keys) && overlap(under, keys[i]) {
			out = append(out, list[i])
		}
	}
	return out
}

// reachTo lets placements be compared with properties that may be of other files, and returns
// the keys of each. The id of one that the entry declares itself is not what a placement means
// when the file has a property of that id.
func (l *lister) reachTo(h *holding) [][]uint32 {
	l.covered.cut(0)
	l.fits.cut(0)
	l.reach.cut(0)
	l.reached = true
	e := &l.f.entries[h.entry]
	if !e.scoped() {
		return nil
	}
	if l.keys == nil {
		keys := keysIn(l.doc.File)
		l.keys = &keys
	}
	var reach []uint32
	keys := make([][]uint32, 0, len(h.properties))
	for i := range h.properties {
		p := h.properties[i].Property
		if !l.spend(costStored * (1 + len(p.Tags))) {
			break
		}
		var own []uint32
		if e.scope != scopeInline || !l.v.hasTop(p.ID) {
			own = l.keys.withID(own, p.ID)
		}
		own = l.keys.of(own, nil, p.Tags)
		slices.Sort(own)
		keys, reach = append(keys, own), append(reach, own...)
	}
	l.reach.set(reach)
	l.sortReach()
	return keys
}

func (l *lister) listing(verdict Verdict) *Listing {
	out := &Listing{
		Publisher: l.q.Publisher, Agent: l.q.Agent, Verdict: verdict,
		Grants: grantsOf(l.holdings, l.doc.URL), Reasons: reasonsOf(l.steps),
		Divergences: divergencesOf(l.divergences), Changes: l.changes,
		Evidence: evidenceOf(l.doc),
	}
	out.count(l.holdings)
	out.Publishers = slices.Grow(out.Publishers, len(l.order))
	docs := []*Document{l.doc}
	for _, domain := range l.order {
		out.Publishers = append(out.Publishers, *l.states[domain])
		if doc := l.found[domain]; doc != nil {
			out.Evidence = append(out.Evidence, evidenceOf(doc)...)
			docs = append(docs, doc)
		}
	}
	out.Skipped = skippedIn(docs...)
	return out
}

// count counts the properties of holdings. Entries may list the same.
func (l *Listing) count(list []holding) {
	type key struct {
		domain, id string
		unnamed    *adagents.Property
	}
	sold := sales[key]{}
	for i := range list {
		h := &list[i]
		for k := range h.properties {
			p := &h.properties[k]
			one := key{domain: p.PublisherDomain, id: p.PropertyID}
			if one.id == "" {
				one.unnamed = p.Property
			}
			needs := h.needs
			if !p.Confirmed {
				needs |= NeedsConfirmation
			}
			sold.add(one, needs, !h.from.IsZero() || !h.until.IsZero())
		}
	}
	for _, one := range sold {
		if one.needs == 0 {
			l.Authorized++
		} else {
			l.Conditional++
		}
		l.Limited |= one.limits()
	}
}

// signalHoldings lists the signals of an entry that may be used in the country, if one is
// given. Signals that need different things make several holdings, and those of a catalog
// outside the file that are unknown here make one without names.
func (l *lister) signalHoldings(n uint32, needs Needs) []*holding {
	if l.isRevoked(l.q.Publisher) {
		return nil
	}
	var out []*holding
	l.eachSignal(n, needs, func(id string, all Needs) bool {
		i := slices.IndexFunc(out, func(h *holding) bool { return h.needs == all })
		if i < 0 {
			h := l.newHolding(n, all)
			i, out = len(out), append(out, &h)
		}
		if id != "" {
			out[i].signals = append(out[i].signals, id)
		}
		return l.spend(costListed)
	})
	if len(out) == 0 {
		l.sayOf("signal.not_covered", n, "the entry covers no signal that the file defines")
	}
	return out
}
