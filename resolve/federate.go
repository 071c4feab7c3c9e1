package resolve

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/avow-project/avow/adagents"
)

// maxLookups is the number of documents asked for at the same time: enough to
// hide slow servers, and no burden on the machine.
const maxLookups = 16

// lookUp asks for the documents of every other publisher that the entries are
// about. What the source calls an error ends the listing; a publisher without a
// usable file does not.
func (l *lister) lookUp(ctx context.Context, r *Resolver, entries []uint32) error {
	l.parent = l.book(l.doc)
	expected := 0
	for _, n := range entries {
		expected = max(expected, publishersOf(l.doc.File.Agents[n].Scope().Selectors))
	}
	l.states = make(map[string]*PublisherState, expected)
	l.order = make([]string, 0, expected)
	l.found = make(map[string]*Document)
	l.ownedBy = make(map[string][]*adagents.Property)
	for _, n := range entries {
		l.demands(&l.doc.File.Agents[n])
	}
	err := l.exhausted(ctx)
	if err != nil {
		return err
	}
	err = l.obtain(ctx, r)
	if err != nil {
		return err
	}
	l.readStates()
	return nil
}

// demands notes the publishers that an entry is about and who therefore must be
// asked: for their properties, or whether they agree.
func (l *lister) demands(a *adagents.Agent) {
	s := a.Scope()
	l.demandOwners(l.here(&s))
	if a.Type == adagents.ByPublisherProperties {
		l.demandRevoked(a)
	}
	for i := range s.Selectors {
		picks := predicate(&s.Selectors[i])
		for _, domain := range l.domainsOf(&s.Selectors[i]) {
			here := l.o.Inline && l.spend(costOf(l.parent.named[domain])) && slices.ContainsFunc(l.parent.named[domain], picks)
			l.demand(domain, !here)
		}
	}
}

// demandRevoked notes the publishers that the file revokes. Selectors with only revoked
// publishers were left out when the file was read, and the answer should say why they
// give nothing.
func (l *lister) demandRevoked(a *adagents.Agent) {
	if len(l.v.revoked) == 0 {
		return
	}
	for _, s := range a.Raw.Get("publisher_properties").Elems() {
		l.demandIfRevoked(s.Get("publisher_domain"))
		for _, v := range s.Get("publisher_domains").Elems() {
			l.demandIfRevoked(v)
		}
	}
}

func (l *lister) demandIfRevoked(v adagents.Value) {
	domain, _, err := l.v.hosts.Canonical(v.Str())
	if err == nil && l.v.isRevoked(domain) {
		l.demand(domain, false)
	}
}

func (l *lister) demandOwners(list []*adagents.Property) {
	for _, p := range list {
		if owner := l.v.owner(p); owner != "" && owner != l.q.Publisher {
			l.demand(owner, !l.o.Inline)
		}
	}
}

// demand notes one publisher. Whether to ask may be decided several times; one that
// must be asked is.
func (l *lister) demand(domain string, ask bool) {
	if domain == l.q.Publisher {
		return
	}
	s := l.states[domain]
	if s == nil {
		if len(l.slab) == 0 {
			l.slab = make([]PublisherState, 1+len(l.order))
		}
		s, l.slab = &l.slab[0], l.slab[1:]
		s.Publisher = domain
		l.states[domain] = s
		l.order = append(l.order, domain)
	}
	switch {
	case l.v.isRevoked(domain):
		s.Code, s.Detail = "selector.publisher_revoked", l.v.revoking("the publisher", domain)
	case !ask || s.Asked:
	case l.o.Local:
		s.Code, s.Detail = "selector.not_asked", "other publishers were not to be asked"
	case len(l.order) > maxPublishers:
		s.Code, s.Detail = "selector.too_many_publishers",
			fmt.Sprintf("the agent's entries name more than %d publishers, and this one was not asked", maxPublishers)
	default:
		s.Asked = true
	}
}

// readStates looks at the documents that came back.
func (l *lister) readStates() {
	for _, domain := range l.order {
		s, doc := l.states[domain], l.found[domain]
		if doc == nil {
			continue
		}
		s.State, s.Detail = doc.State, doc.Detail
		switch doc.State {
		case Unreachable:
			s.Code = "selector.publisher_unreachable"
		case Absent:
			s.Code = "selector.publisher_absent"
		case Unusable:
			s.Code = "selector.publisher_unusable"
		case Withheld:
			s.Code = "selector.publisher_withheld"
		case Usable:
			b := l.bookFor(doc)
			if _, gone := b.revoked[domain]; gone {
				s.Code, s.Detail = "selector.revoked_by_publisher", "the file that speaks for the publisher revokes it"
				if b.view.holdsOver(domain) {
					s.Detail = "the file that speaks for the publisher revoked it earlier, and that is held although it no longer " +
						"lists it"
				}
				continue
			}
			s.Confirmed = len(l.consent(doc).self) > 0
		}
	}
}

// sayStates adds one reason for each way in which publishers came out empty.
func (l *lister) sayStates() {
	count := make(map[string]int)
	var codes []string
	first := make(map[string]string)
	for _, domain := range l.order {
		s := l.states[domain]
		if s.Code == "" && s.Properties == 0 {
			s.Code, s.Detail = "selector.no_match", "no property of the publisher is selected"
		}
		if s.Code == "" {
			continue
		}
		if count[s.Code] == 0 {
			codes = append(codes, s.Code)
			first[s.Code] = domain
		}
		count[s.Code]++
	}
	for _, code := range codes {
		text := quote(first[code])
		if detail := l.states[first[code]].Detail; detail != "" {
			text += ": " + detail
		}
		if n := count[code]; n > 1 {
			text = fmt.Sprintf("%d publishers, the first of them %s", n, text)
		}
		l.say(code, adagents.Value{}, text)
	}
}

// A Rememberer is a Source that can say what it knows about a publisher without asking
// anybody. A listing that has waited long enough for an answer makes do with that.
type Rememberer interface {
	Last(ctx context.Context, publisher string) (*Document, error)
}

// obtain asks for the documents of all publishers that have to be asked.
func (l *lister) obtain(ctx context.Context, r *Resolver) error {
	waiting, cancel := context.WithTimeout(ctx, cmp.Or(l.o.Wait, defaultWait))
	defer cancel()
	g, group := errgroup.WithContext(ctx)
	g.SetLimit(maxLookups)
	stop := context.AfterFunc(group, cancel)
	defer stop()
	var mu sync.Mutex
	for _, domain := range l.order {
		if !l.states[domain].Asked {
			continue
		}
		g.Go(func() error {
			doc, err := r.patient(group, waiting, domain, cmp.Or(l.o.Patience, DefaultPatience))
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			l.found[domain] = doc
			return nil
		})
	}
	return g.Wait()
}

// patient asks for a document for as long as one request may take. The error is the
// source's or ctx's; a timeout is part of the answer.
func (r *Resolver) patient(ctx, waiting context.Context, domain string, patience time.Duration) (*Document, error) {
	limited, cancel := context.WithTimeout(waiting, patience)
	defer cancel()
	doc, err := r.document(limited, domain)
	if limited.Err() == nil || ctx.Err() != nil || err == nil && doc.State != Unreachable {
		return doc, err
	}
	why := "no answer came within " + patience.String()
	if waiting.Err() != nil {
		why = "the time for all publishers together was over before it answered"
	}
	if kept, ok := r.source.(Rememberer); ok {
		doc, err = kept.Last(ctx, domain)
		if err != nil {
			return nil, err
		}
		doc = speaksFor(doc, domain)
		if doc.State != Unreachable {
			return doc, nil
		}
	}
	return &Document{Publisher: domain, Detail: why}, nil
}
