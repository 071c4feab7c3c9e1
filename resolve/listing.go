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
	// hold, which saves asking those publishers; what they say is then not known.
	Inline bool
	// Local asks for no document but the publisher's own. Selectors over other
	// publishers come out empty unless Inline resolves them, and nothing of
	// another publisher is confirmed.
	Local bool
}

// A Listing is everything an agent may sell by the file of one publisher.
type Listing struct {
	Publisher, Agent string
	// Verdict is Authorized when something is listed without condition, and
	// otherwise as for an Answer.
	Verdict Verdict
	Grants  []Grant
	Reasons []Reason
	// Publishers has the state of every other publisher that was looked at.
	Publishers  []PublisherState
	Divergences []Divergence
	Evidence    []Evidence
	Changes     []string
}

// A PublisherState says how the lookup of another publisher went.
type PublisherState struct {
	Publisher string
	// Code is the reason code of what went wrong, or empty.
	Code string
	// State is that of the document; it means nothing unless Asked.
	State State
	Asked bool
	// Confirmed: the file that speaks for the publisher lists the agent.
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
	l := &lister{inquiry: inquiry{q: q, doc: doc, left: r.work}, o: o}
	verdict, entries := l.begin()
	if len(entries) > 0 {
		err = l.lookUp(ctx, r, entries)
		if err != nil {
			return nil, err
		}
		verdict = l.list(entries)
	}
	err = l.exhausted()
	if err != nil {
		return nil, err
	}
	return l.listing(verdict), nil
}

// A lister gathers what leads to one listing. It asks first and reads afterwards,
// so that only the asking is concurrent.
type lister struct {
	inquiry
	o ListOptions
	// parent is the publisher's file, books every file that was read.
	parent *book
	books  map[bookKey]*book
	// order has the other publishers in the order they were met, states what is
	// known about each and found their documents.
	order       []string
	states      map[string]*PublisherState
	slab        []PublisherState // of the next ones
	found       map[string]*Document
	divergences []divergence
	diverging   map[[2]string]struct{}
	tops        []*adagents.Property
	// ownedBy has the properties of each publisher in its own file.
	ownedBy map[string][]*adagents.Property
	domains map[*adagents.Selector][]string
}

// begin gives the verdict when there is nothing to list, or else the entries that
// count at the instant and in the country asked about.
func (l *lister) begin() (Verdict, []*adagents.Agent) {
	if verdict, ok := l.withoutFile(); ok {
		return verdict, nil
	}
	l.v = newView(l.doc)
	if assertsNobody(l.doc.File) {
		l.sayNoneAsserted()
		return NoneAsserted, nil
	}
	if l.v.isRevoked(l.q.Publisher) {
		l.sayRevoked()
	}
	all := l.v.entriesOf(l.q.Agent)
	if len(all) == 0 {
		l.notListed()
	}
	var out []*adagents.Agent
	for _, a := range all {
		if l.counts(a, new(holding)) {
			out = append(out, a)
		}
	}
	return NotAuthorized, out
}

// list resolves the entries and unites what they come to.
func (l *lister) list(entries []*adagents.Agent) Verdict {
	best := NotAuthorized
	for _, a := range entries {
		h, ok := l.resolve(a)
		if !ok {
			continue
		}
		l.sayHolding(h)
		l.holdings = append(l.holdings, *h)
		best = max(best, h.verdict())
	}
	l.sayStates()
	return best
}

// resolve works out what one entry comes to. The entry counts, which was made sure
// of before anybody was asked; the bounds are filled in again here.
func (l *lister) resolve(a *adagents.Agent) (*holding, bool) {
	h := &holding{agent: a}
	quiet := inquiry{q: l.q, doc: l.doc, v: l.v}
	quiet.counts(a, h)
	if !sells(a.Type) {
		h.signals = l.signalsOf(a, h)
		if len(h.signals) == 0 {
			l.say("signal.not_covered", a.Raw, "the entry covers no signal that the file defines")
		}
		return h, len(h.signals) > 0
	}
	h.properties = l.claims(a)
	if len(h.properties) == 0 {
		l.say("property.not_covered", a.Raw, "the entry comes to no property")
		return nil, false
	}
	if !l.inCollection(a, h) || !l.judgePlacements(a, h) {
		return nil, false
	}
	l.sayClaims(h)
	return h, true
}

// sayClaims labels what belongs to publishers that are not known to list the agent
// themselves.
func (l *lister) sayClaims(h *holding) {
	claimed := 0
	for i := range h.properties {
		if !h.properties[i].Confirmed {
			claimed++
		}
	}
	if claimed > 0 {
		l.say("selector.unconfirmed", h.agent.Raw, strconv.Itoa(claimed)+" of "+strconv.Itoa(len(h.properties))+
			" properties are of publishers whose own file is not known to list the agent; for these the entry is a claim")
	}
}

// signalsOf lists the signals of an entry that may be used in the country, if one
// is given.
func (l *lister) signalsOf(a *adagents.Agent, h *holding) []string {
	var out []string
	for i := range l.v.file.Signals {
		s := &l.v.file.Signals[i]
		if picksSignal(a, s) && l.signalInCountry(a, s, h) {
			out = append(out, s.ID)
		}
	}
	if a.Type == "signal_ids" && len(out) == 0 && hasCatalog(l.v.file) {
		h.needs = append(h.needs, "signal_catalog")
		return a.SignalIDs
	}
	return out
}

func (l *lister) listing(verdict Verdict) *Listing {
	out := &Listing{
		Publisher: l.q.Publisher, Agent: l.q.Agent, Verdict: verdict,
		Grants: grantsOf(l.holdings, l.doc.URL), Reasons: reasonsOf(l.steps),
		Divergences: divergencesOf(l.divergences), Changes: l.changes,
		Evidence: []Evidence{evidenceOf(l.doc)},
	}
	out.Publishers = slices.Grow(out.Publishers, len(l.order))
	for _, domain := range l.order {
		out.Publishers = append(out.Publishers, *l.states[domain])
		if doc := l.found[domain]; doc != nil {
			out.Evidence = append(out.Evidence, evidenceOf(doc))
		}
	}
	return out
}
