package resolve

import (
	"cmp"
	"slices"
	"strings"

	"github.com/avow-project/avow/adagents"
)

// findProperties lists the properties that may have an owner and are not revoked.
func (p *preparer) findProperties() {
	p.found = make([]foundProperty, 0, len(p.file.Properties))
	p.find(p.file.Properties, p.file.Raw.Get("properties"), none)
	for i := range p.file.Agents {
		if list := p.file.Agents[i].Scope().Properties; len(list) > 0 {
			p.find(list, p.file.Agents[i].Raw.Get("properties"), uint32(i))
		}
	}
	slices.SortFunc(p.found, func(a, b foundProperty) int {
		if order := strings.Compare(a.owner, b.owner); order != 0 {
			return order
		}
		// Those at the top level come first: the number of no entry is followed by 0.
		return cmp.Or(cmp.Compare(a.inline+1, b.inline+1), cmp.Compare(a.index, b.index))
	})
}

func (p *preparer) find(list []adagents.Property, written adagents.Value, inline uint32) {
	numbers := numbersOf(written, len(list), func(i int) adagents.Value { return list[i].Raw })
	for i := range list {
		one := foundProperty{&list[i], "", inline, uint32(i), numbers[i]}
		if one.property.PublisherDomain == "" {
			if !unnamed(one.property) {
				continue // it was meant to name a publisher
			}
		} else {
			name, _, err := p.hosts.Canonical(one.property.PublisherDomain)
			if err != nil {
				continue
			}
			one.owner = name
		}
		if !revokesProperty(p.revoked, one.property, one.owner, &p.hosts) {
			p.found = append(p.found, one)
		}
	}
}

// preparePublishers stores the properties, by publisher, and the selectors that name it.
func (p *preparer) preparePublishers() {
	slices.SortFunc(p.targets, func(a, b target) int {
		if order := strings.Compare(a.publisher, b.publisher); order != 0 {
			return order
		}
		return cmp.Or(cmp.Compare(a.entry, b.entry), cmp.Compare(a.selector, b.selector))
	})
	p.properties = make([]propertyFact, 0, len(p.found))
	p.publishers = make([]publisherFact, 0, p.countPublishers())
	found, targets := p.found, p.targets
	// Selectors over publishers without a property matter where one may yet be theirs.
	unnamed := len(found) > 0 && found[0].owner == ""
	for len(found)+len(targets) > 0 {
		var name string
		switch {
		case len(found) == 0:
			name = targets[0].publisher
		case len(targets) == 0:
			name = found[0].owner
		default:
			name = min(found[0].owner, targets[0].publisher)
		}
		n, m := 0, 0
		for n < len(found) && found[n].owner == name {
			n++
		}
		for m < len(targets) && targets[m].publisher == name {
			m++
		}
		if n > 0 || unnamed {
			p.preparePublisher(name, found[:n], targets[:m])
		}
		found, targets = found[n:], targets[m:]
	}
}

func (p *preparer) countPublishers() int {
	n, last := 0, ""
	for i := range p.found {
		if i == 0 || p.found[i].owner != last {
			n, last = n+1, p.found[i].owner
		}
	}
	return n
}

func (p *preparer) preparePublisher(name string, found []foundProperty, targets []target) {
	fact := publisherFact{name: p.word(name), from: uint32(len(p.properties)), table: none}
	fact.inline = fact.from
	firstID := len(p.identifiers)
	for i := range found {
		p.prepareProperty(&found[i])
		if found[i].inline == none {
			fact.inline++
		}
	}
	fact.to = uint32(len(p.properties))
	p.list = p.list[:0]
	for _, t := range targets {
		p.list = append(p.list, t.entry, t.selector)
	}
	fact.reach = p.raw(p.list)
	if fact.to-fact.from > manyProperties {
		fact.table = uint32(len(p.tables))
		p.tables = append(p.tables, p.table(&fact, uint32(firstID)))
	}
	p.publishers = append(p.publishers, fact)
}

// table makes many properties of a publisher quick to find.
func (p *preparer) table(fact *publisherFact, firstID uint32) tableFact {
	var t tableFact
	p.list = p.list[:0]
	for i := fact.from; i < fact.inline; i++ {
		p.list = append(p.list, i)
	}
	slices.SortStableFunc(p.list, func(a, b uint32) int { return p.compare(p.properties[a].id, p.properties[b].id) })
	t.byID = p.raw(p.list)
	p.list = p.list[:0]
	for i := firstID; i < uint32(len(p.identifiers)); i++ {
		if p.properties[p.identifiers[i].property].inline == none && !p.identifiers[i].has(doubtful) {
			p.list = append(p.list, i)
		}
	}
	slices.SortFunc(p.list, func(a, b uint32) int {
		x, y := &p.identifiers[a], &p.identifiers[b]
		return cmp.Or(p.compare(x.value, y.value), cmp.Compare(a, b))
	})
	t.byValue = p.raw(p.list)
	p.list = p.list[:0]
	for i := fact.from; i < fact.inline; i++ {
		p.list = append(p.list, p.facts.list(p.properties[i].keys)...)
	}
	t.keys = p.span(p.list)
	return t
}

func (p *preparer) prepareProperty(f *foundProperty) {
	one := f.property
	at := uint32(len(p.properties))
	fact := propertyFact{id: p.word(one.ID), kind: p.word(one.Type), inline: f.inline, index: f.index, number: f.number}
	p.list = p.list[:0]
	if f.inline == none || !p.hasTop(one.ID) {
		p.list = p.keys.withID(p.list, one.ID)
	}
	fact.keys = p.span(p.keys.of(p.list, nil, one.Tags))
	fact.identifiers.at = uint32(len(p.identifiers))
	for i := range one.Identifiers {
		id := &one.Identifiers[i]
		value, mark, ok := lookupForm(one, id, &p.hosts)
		if ok {
			p.identifiers = append(p.identifiers, identifierFact{p.word(id.Type), p.word(value), at, mark})
		}
	}
	p.addDoubtful(one, at)
	fact.identifiers.n = uint32(len(p.identifiers)) - fact.identifiers.at
	p.properties = append(p.properties, fact)
}

// addDoubtful stores what may be hosts among the identifiers that are left out, for
// revocations that are held.
func (p *preparer) addDoubtful(one *adagents.Property, at uint32) {
	written := one.Raw.Get("identifiers")
	if written.Len() == len(one.Identifiers) {
		return
	}
	for _, id := range written.Elems() {
		if id.Get("type").Str() != "" {
			continue
		}
		for _, text := range []string{id.Get("value").Str(), id.Str()} {
			host, _, err := p.hosts.Canonical(text)
			if err == nil {
				p.identifiers = append(p.identifiers, identifierFact{word{}, p.word(host), at, doubtful})
			}
		}
	}
}

// hasTop reports whether a property at the top level of the file has an id: then it is the
// one that a placement means.
func (p *preparer) hasTop(id string) bool {
	if p.top == nil {
		p.top = newTopLevel(p.file)
	}
	return p.top.has(id)
}

// prepareNames finds out whether the file names several publishers, where that matters:
// a property without one may then be anybody's.
func (p *preparer) prepareNames() {
	if p.unowned() == none {
		return
	}
	var n naming
	n.readNames(p.file, &p.hosts)
	if n.several {
		p.flags |= namesSeveral
	}
	p.only = p.word(n.one)
}
