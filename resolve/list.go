package resolve

import (
	"context"
	"slices"
	"strconv"
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

// list resolves the entries and unites what they come to.
func (l *lister) list(entries []uint32) Verdict {
	best := NotAuthorized
	for _, n := range entries {
		for _, h := range l.resolve(n) {
			l.sayHolding(h)
			l.holdings = append(l.holdings, *h)
			best = max(best, h.needs.verdict())
		}
	}
	l.sayStates()
	return best
}

// resolve works out what one entry comes to. The entry counts, which was made sure
// of before anybody was asked.
func (l *lister) resolve(n uint32) []*holding {
	needs, _ := l.counts(n)
	h := l.newHolding(n, needs)
	if !l.f.entries[n].scope.sells() {
		return l.signalsOf(&h)
	}
	h.properties = l.claims(h.agent)
	if len(h.properties) == 0 {
		l.sayOf("property.not_covered", n, "the entry comes to no property")
		return nil
	}
	l.reachTo(&h)
	needs, ok := l.narrow(n, needs)
	if !ok {
		return nil
	}
	h.needs = needs
	l.fillLimits(&h)
	l.weighClaims(&h)
	return []*holding{&h}
}

// reachTo lets placements be compared with properties that may be of other files. The id
// of one that the entry declares itself is not what a placement means when the file has a
// property of that id.
func (l *lister) reachTo(h *holding) {
	l.covered.cut(0)
	l.fits.cut(0)
	l.reach.cut(0)
	l.reached = true
	e := &l.f.entries[h.entry]
	if !e.scoped() {
		return
	}
	if l.keys == nil {
		keys := keysIn(l.doc.File)
		l.keys = &keys
	}
	var reach []uint32
	for i := range h.properties {
		p := h.properties[i].Property
		if !l.spend(costStored * (1 + len(p.Tags))) {
			break
		}
		if e.scope != scopeInline || !l.v.hasTop(p.ID) {
			reach = l.keys.withID(reach, p.ID)
		}
		reach = l.keys.of(reach, nil, p.Tags)
	}
	l.reach.set(reach)
	l.sortReach()
}

// weighClaims labels what belongs to publishers whose own file is not known to let the
// agent sell it. An entry with nothing else authorizes nothing by itself.
func (l *lister) weighClaims(h *holding) {
	claimed := 0
	for i := range h.properties {
		if !h.properties[i].Confirmed {
			claimed++
		}
	}
	switch claimed {
	case 0:
	case len(h.properties):
		h.needs |= NeedsConfirmation
	default:
		l.sayOf("selector.unconfirmed", h.entry, strconv.Itoa(claimed)+" of "+strconv.Itoa(len(h.properties))+
			" properties are of publishers whose own file is not known to let the agent sell them; for these the entry is a claim")
	}
}

func (l *lister) listing(verdict Verdict) *Listing {
	out := &Listing{
		Publisher: l.q.Publisher, Agent: l.q.Agent, Verdict: verdict,
		Grants: grantsOf(l.holdings, l.doc.URL), Reasons: reasonsOf(l.steps),
		Divergences: divergencesOf(l.divergences), Changes: l.changes,
		Evidence: evidenceOf(l.doc),
	}
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
