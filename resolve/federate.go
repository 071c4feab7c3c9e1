package resolve

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/hostname"
)

const (
	// MaxPublishers is the number of other publishers that one listing asks about.
	// The largest networks known have seven thousand.
	MaxPublishers = 10_000
	// maxLookups is the number of documents asked for at the same time: enough to
	// hide slow servers, and no burden on the machine.
	maxLookups = 16
)

// A book is a file with its properties sorted by the publisher they name, without
// those it revokes. It is made once for a file, however many publishers share it.
type book struct {
	file    *adagents.File
	revoked map[string]struct{}
	named   map[string][]*adagents.Property
	unnamed []*adagents.Property
	naming  naming
	view    *view
	// said is the prepared form, for documents that come without.
	said *Prepared
}

// A bookKey tells files apart: by address and content, or as values when these are
// not known.
type bookKey struct {
	url, sum string
	file     *adagents.File
	held     heldKey
}

func keyOf(d *Document) bookKey {
	if d.URL == "" || d.SHA256 == "" {
		return bookKey{file: d.File, held: heldOf(d)}
	}
	return bookKey{url: d.URL, sum: d.SHA256, held: heldOf(d)}
}

// book returns the book of a usable document.
func (l *lister) book(d *Document) *book {
	key := keyOf(d)
	if b := l.books[key]; b != nil {
		return b
	}
	if l.books == nil {
		l.books = make(map[bookKey]*book)
	}
	v := newView(d)
	b := &book{file: d.File, view: v, said: d.prepared(), revoked: v.revoked, named: make(map[string][]*adagents.Property, len(d.File.Properties))}
	all := pointersTo(d.File.Properties)
	for i, p := range all {
		if p.PublisherDomain == "" && !p.Raw.Has("publisher_domain") {
			b.unnamed = append(b.unnamed, p)
			continue
		}
		owner := v.owner(p)
		switch list := b.named[owner]; {
		case owner == "" || v.revokes(p, owner):
		case list == nil:
			b.named[owner] = all[i : i+1 : i+1] // most publishers have one
		default:
			b.named[owner] = append(list, p)
		}
	}
	l.books[key] = b
	return b
}

// whose says to whom properties without a publisher belong, in a document with the file.
func (b *book) whose(d *Document, hosts *hostname.Memo) whose {
	with := *d
	with.File = b.file
	return b.naming.whose(&with, hosts)
}

// owned returns the properties of the file that belong to the document's publisher
// and that it does not revoke.
func (b *book) owned(d *Document, hosts *hostname.Memo) []*adagents.Property {
	list := b.named[d.Publisher]
	if len(b.unnamed) == 0 {
		return list
	}
	w := b.whose(d, hosts)
	list = slices.Concat(list, where(b.unnamed, func(p *adagents.Property) bool {
		return w.owner(p, hosts) == d.Publisher && !revokesProperty(b.revoked, p, d.Publisher, hosts)
	}))
	slices.SortFunc(list, func(x, y *adagents.Property) int { return cmp.Compare(x.Raw.Node(), y.Raw.Node()) })
	return list
}

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

// publishersOf counts the publishers of selectors, to make room for them.
func publishersOf(list []adagents.Selector) int {
	n := 0
	for i := range list {
		n += max(1, len(list[i].PublisherDomains))
	}
	return min(n, MaxPublishers)
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

// demandRevoked notes the publishers that the file revokes. Selectors with nobody
// else were left out when the file was read, and it is worth saying why nothing
// comes of them.
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
	case len(l.order) > MaxPublishers:
		s.Code, s.Detail = "selector.too_many_publishers", fmt.Sprintf("the agent's entries name more than %d publishers, and this one was not asked", MaxPublishers)
	default:
		s.Asked = true
	}
}

// ownOf returns the properties of the publisher of a usable document in that
// document, without those it revokes or the file at hand does.
func (l *lister) ownOf(doc *Document) []*adagents.Property {
	list, ok := l.ownedBy[doc.Publisher]
	if ok {
		return list
	}
	b := l.bookFor(doc)
	if l.spend(costLookup * len(b.unnamed)) {
		list = b.owned(doc, &l.v.hosts)
	}
	if b != l.parent && len(l.v.revoked) > 0 {
		list = where(list, func(p *adagents.Property) bool { return !l.v.revokes(p, doc.Publisher) })
	}
	l.ownedBy[doc.Publisher] = list
	return list
}

// domainsOf returns the publishers of a selector in canonical form, each once. It is
// asked for before the lookups and after them.
func (l *lister) domainsOf(s *adagents.Selector) []string {
	if out, ok := l.domains[s]; ok {
		return out
	}
	if l.domains == nil {
		l.domains = make(map[*adagents.Selector][]string)
	}
	out := selectorDomains(s, &l.v.hosts)
	l.domains[s] = out
	return out
}

// selectorDomains returns the publishers of a selector in canonical form, each once.
func selectorDomains(s *adagents.Selector, hosts *hostname.Memo) []string {
	out := make([]string, 0, 1+len(s.PublisherDomains))
	seen := make(map[string]struct{}, 1+len(s.PublisherDomains))
	add := func(written string) {
		name, _, err := hosts.Canonical(written)
		if err != nil || hostname.IsPublicSuffix(name) {
			return
		}
		if _, ok := seen[name]; !ok {
			seen[name] = struct{}{}
			out = append(out, name)
		}
	}
	if s.PublisherDomain != "" {
		add(s.PublisherDomain)
	}
	for _, domain := range s.PublisherDomains {
		add(domain)
	}
	return out
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
					s.Detail = "the file that speaks for the publisher revoked it earlier, and that is held although it no longer lists it"
				}
				continue
			}
			s.Confirmed = len(l.consent(doc).self) > 0
		}
	}
}

// bookFor returns the book to use for another publisher's document. One that leads
// back to the file at hand is that file, whenever it was obtained; what is held against
// that publisher counts besides.
func (l *lister) bookFor(doc *Document) *book {
	switch {
	case !l.leadsBack(doc):
		return l.book(doc)
	case len(doc.Revoked) == 0 || heldOf(doc) == heldOf(l.doc):
		return l.parent
	}
	key := heldOf(doc)
	if l.joined[key] == nil {
		if l.joined == nil {
			l.joined = make(map[heldKey]*Document)
		}
		both := *l.doc
		both.Revoked = slices.Concat(l.doc.Revoked, doc.Revoked)
		l.joined[key] = &both
	}
	return l.book(l.joined[key])
}

func (l *lister) leadsBack(doc *Document) bool { return doc.URL != "" && doc.URL == l.doc.URL }

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
		text := quote(first[code]) + ": " + l.states[first[code]].Detail
		if n := count[code]; n > 1 {
			text = fmt.Sprintf("%d publishers, the first of them %s", n, text)
		}
		l.say(code, adagents.Value{}, text)
	}
}
