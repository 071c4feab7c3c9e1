package resolve

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/avow-project/avow/adagents"
)

// ListOptions say about which circumstances a listing is.
type ListOptions struct {
	// At is the instant asked about; it is required.
	At time.Time
	// Country leaves out entries that do not hold there. Without it, entries that
	// are limited to countries are listed with what they need.
	Country string
	// Inline resolves selectors from the file itself where the conditions for that
	// hold, which saves asking those publishers; what they say is then not known. A
	// publisher that has to be asked anyway counts with its own file if that is
	// usable.
	Inline bool
	// Local asks for no document but the publisher's own. Selectors over other
	// publishers come out empty unless Inline resolves them, and nothing of
	// another publisher is confirmed.
	Local bool
	// Patience is how long another publisher's document may take, and Wait how long all
	// of them together may. Whoever is not there by then is listed as not reached, and
	// the rest is answered. Zero means DefaultPatience and DefaultWait.
	Patience, Wait time.Duration
}

// How long a listing waits for other publishers: an honest one answers within a second,
// and one that hangs must not hold up the others.
const (
	DefaultPatience = 5 * time.Second
	DefaultWait     = time.Minute
)

// A Listing is everything an agent may sell by the file of one publisher.
type Listing struct {
	Publisher, Agent string
	// Verdict is Authorized when something is listed without condition, and
	// otherwise as for an Answer. With nothing but claims over the properties of
	// other publishers it is Conditional: each needs the confirmation of its
	// publisher.
	Verdict Verdict
	Grants  []Grant
	Reasons []Reason
	// Publishers has the state of every other publisher that was looked at.
	Publishers  []PublisherState
	Divergences []Divergence
	Evidence    []Evidence
	Changes     []string
	// Skipped says what was left out of the files, the publisher's own and those of others
	// that were asked.
	Skipped []Skipped
}

// A PublisherState says how the lookup of another publisher went.
type PublisherState struct {
	Publisher string
	// Code is the reason code of what went wrong, or empty.
	Code string
	// State is that of the document; it means nothing unless Asked.
	State State
	Asked bool
	// Confirmed: the file that speaks for the publisher lets the agent sell
	// something of it, then and there.
	Confirmed bool
	// Properties counts what the selectors found.
	Properties int
	Detail     string
}

// A Divergence is a property that two files describe differently. What the
// publisher's own file says counts.
type Divergence struct {
	PublisherDomain, PropertyID string
	// Fields are the members that differ; empty when the property is missing in the
	// publisher's own file.
	Fields []string
	// Missing: the publisher's own file does not have the property.
	Missing bool
	// The places of both declarations; OwnPointer is empty for a missing one.
	ParentURL, ParentPointer string
	OwnURL, OwnPointer       string
}

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

// A lister gathers what leads to one listing. It asks first and reads afterwards,
// so that only the asking is concurrent.
type lister struct {
	explanation
	o ListOptions
	// parent is the publisher's file, books every file that was read.
	parent *book
	books  map[bookKey]*book
	// joined are documents of the publisher's file with what is held against others.
	joined map[heldKey]*Document
	// order has the other publishers in the order they were met, states what is
	// known about each and found their documents.
	order       []string
	states      map[string]*PublisherState
	slab        []PublisherState // of the next ones
	found       map[string]*Document
	divergences []divergence
	diverging   map[[2]string]struct{}
	tops        *lookup
	// ownedBy has the properties of each publisher in its own file, ids the same by
	// id, and consents those of them that the agent may sell by that file.
	ownedBy  map[string][]*adagents.Property
	ids      map[string]map[string]*adagents.Property
	consents map[string]*propertySet
	domains  map[*adagents.Selector][]string
	// keys are the numbers of ids and tags in the file, once they are needed.
	keys *keyNumbers
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
