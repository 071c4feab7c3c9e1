package resolve

import (
	"cmp"
	"slices"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/hostname"
)

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
	b := &book{file: d.File, view: v, said: d.prepared(), revoked: v.revoked,
		named: make(map[string][]*adagents.Property, len(d.File.Properties))}
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

// publishersOf counts the publishers of selectors, to make room for them.
func publishersOf(list []adagents.Selector) int {
	n := 0
	for i := range list {
		n += max(1, len(list[i].PublisherDomains))
	}
	return min(n, maxPublishers)
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

// byID returns the properties of a publisher in its own document by id. Of several
// with the same id the first is used.
func (l *lister) byID(doc *Document) map[string]*adagents.Property {
	if ids, ok := l.ids[doc.Publisher]; ok {
		return ids
	}
	if l.ids == nil {
		l.ids = make(map[string]map[string]*adagents.Property)
	}
	own := l.ownOf(doc)
	l.spend(costStored * len(own))
	ids := make(map[string]*adagents.Property, len(own))
	for _, p := range own {
		if ids[p.ID] == nil {
			ids[p.ID] = p
		}
	}
	l.ids[doc.Publisher] = ids
	return ids
}

// top returns the properties at the top level of the file at hand.
func (l *lister) top() *lookup {
	if l.tops == nil {
		l.tops = &lookup{list: pointersTo(l.v.file.Properties)}
	}
	return l.tops
}

// here returns the properties of the file at hand that a scope selects.
func (l *lister) here(s *adagents.Scope) []*adagents.Property {
	if len(s.PropertyIDs)+len(s.PropertyTags) == 0 {
		return pointersTo(s.Properties)
	}
	return l.find(l.top(), s.PropertyIDs, s.PropertyTags)
}

func pointersTo(list []adagents.Property) []*adagents.Property {
	out := make([]*adagents.Property, len(list))
	for i := range list {
		out[i] = &list[i]
	}
	return out
}

// costOf is what it costs to put properties to the test of a selector.
func costOf(list []*adagents.Property) int { return len(list) + costLookup*tagsOf(list) }
