package resolve

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/iso3166"
)

// prepareCollections stores the collections that entries name, with the numbers that
// placements have for their ids.
func (p *preparer) prepareCollections() {
	p.collections = map[CollectionRef]uint32{}
	var all []CollectionRef
	for i := range p.file.Agents {
		for _, ref := range p.collectionsOf(&p.file.Agents[i]) {
			if _, again := p.collections[ref]; !again {
				p.collections[ref] = 0
				all = append(all, ref)
			}
		}
	}
	slices.SortFunc(all, compareRefs)
	for i, ref := range all {
		number, ok := p.programs[ref.ID]
		if !ok || ref.ID == "" {
			number = none
		}
		p.collections[ref] = uint32(i)
		p.rare.collections = append(p.rare.collections, collectionFact{p.word(ref.PublisherDomain), p.word(ref.ID), number})
	}
}

// preparePrograms stores the names of the programs of placements, if an entry is limited to all collections
// of a publisher.
func (p *preparer) preparePrograms() {
	if !slices.ContainsFunc(p.rare.collections, func(c collectionFact) bool { return c.id.n == 0 }) {
		return
	}
	p.rare.programs = make([]word, len(p.programs))
	for id, number := range p.programs {
		p.rare.programs[number] = p.word(id)
	}
}

func compareRefs(a, b CollectionRef) int {
	return cmp.Or(strings.Compare(a.PublisherDomain, b.PublisherDomain), strings.Compare(a.ID, b.ID))
}

// collectionsOf returns the collections an entry is limited to, without those of
// publishers that the file revokes.
func (p *preparer) collectionsOf(a *adagents.Agent) []CollectionRef {
	var out []CollectionRef
	for i := range a.Collections {
		s := &a.Collections[i]
		domain, _, err := p.hosts.Canonical(s.PublisherDomain)
		if _, gone := p.revoked[domain]; err != nil || gone {
			continue
		}
		if s.All() {
			out = append(out, CollectionRef{PublisherDomain: domain})
		}
		for _, id := range s.CollectionIDs {
			if id != "" {
				out = append(out, CollectionRef{domain, id})
			}
		}
	}
	return out
}

// prepareEntries stores the agent entries and the agents.
func (p *preparer) prepareEntries() {
	list := p.file.Agents
	p.entries = make([]entryFact, len(list))
	numbers := numbersOf(p.file.Raw.Get("authorized_agents"), len(list), func(i int) adagents.Value { return list[i].Raw })
	byAgent := map[string][]uint32{}
	var urls []string
	for i := range list {
		p.entries[i] = p.entry(&list[i], uint32(i))
		p.entries[i].number = numbers[i]
		url, _, err := p.hosts.CanonicalURL(list[i].URL)
		if err != nil {
			continue
		}
		if byAgent[url] == nil {
			urls = append(urls, url)
		}
		byAgent[url] = append(byAgent[url], uint32(i))
	}
	slices.Sort(urls)
	p.agents = make([]agentFact, len(urls))
	for i, url := range urls {
		p.agents[i] = agentFact{p.word(url), p.raw(byAgent[url])}
		for _, n := range byAgent[url] {
			p.entries[n].agent = uint32(i)
		}
	}
}

// numbersOf returns the places of n usable entries of a section as it is written, where
// those that are left out have one too; none for entries that were not read from bytes.
func numbersOf(section adagents.Value, n int, usable func(i int) adagents.Value) []uint32 {
	out := make([]uint32, 0, n)
	for k, v := range section.Elems() {
		if len(out) < n && usable(len(out)).Node() == v.Node() {
			out = append(out, uint32(k))
		}
	}
	for len(out) < n {
		out = append(out, none)
	}
	return out
}

func (p *preparer) entry(a *adagents.Agent, n uint32) entryFact {
	e := adagents.VisitScope[entryFact](a, scopePreparer{p, n})
	if a.Inert() {
		e.flags |= inert
	}
	if a.Exclusive {
		e.flags |= exclusive
	}
	if a.Pinned() {
		e.flags |= pinned
	}
	p.window(a, &e)
	p.qualifiers(a, &e)
	return e
}

// A scopePreparer makes the fact of an entry from its scope.
type scopePreparer struct {
	p     *preparer
	entry uint32
}

// PropertyIDs are kept as keys of properties.
func (s scopePreparer) PropertyIDs(ids []string) entryFact {
	return entryFact{agent: none, scope: scopeIDs, selects: s.p.keysOf(ids, nil)}
}

// PropertyTags are kept as keys of properties.
func (s scopePreparer) PropertyTags(tags []string) entryFact {
	return entryFact{agent: none, scope: scopeTags, selects: s.p.keysOf(nil, tags)}
}

// InlineProperties are found by the number of the entry.
func (s scopePreparer) InlineProperties([]adagents.Property) entryFact {
	return entryFact{agent: none, scope: scopeInline}
}

// PublisherProperties are found by the publishers that the selectors name.
func (s scopePreparer) PublisherProperties(list []adagents.Selector) entryFact {
	s.p.prepareSelectors(list, s.entry)
	return entryFact{agent: none, scope: scopeSelectors}
}

// SignalIDs are kept as numbers of signals.
func (s scopePreparer) SignalIDs(ids []string) entryFact {
	return entryFact{agent: none, scope: scopeSignalIDs, selects: s.p.signalNumbers(ids)}
}

// SignalTags are kept as numbers of tags.
func (s scopePreparer) SignalTags(tags []string) entryFact {
	return entryFact{agent: none, scope: scopeSignalTags, selects: s.p.signalTags(tags)}
}

// Unknown covers nothing.
func (s scopePreparer) Unknown(adagents.AuthorizationType) entryFact {
	return entryFact{agent: none, scope: scopeUnknown}
}

// window stores the time an entry holds.
func (p *preparer) window(a *adagents.Agent, e *entryFact) {
	from, okFrom := instant(a.EffectiveFrom)
	until, okUntil := instant(a.EffectiveUntil)
	if !okFrom || !okUntil {
		e.flags |= unreadableWindow
		return
	}
	if from.IsZero() && until.IsZero() {
		return
	}
	e.flags |= bounded
	p.flags |= timed
	e.window = p.raw(appendInstant(appendInstant(nil, from), until))
}

// instantWords is the number of words of an instant.
const instantWords = 3

func appendInstant(list []uint32, t time.Time) []uint32 {
	sec := t.Unix()
	return append(list, uint32(sec), uint32(sec>>32), uint32(t.Nanosecond()))
}

// zeroSeconds is the zero Time, which stands for an open end.
var zeroSeconds = time.Time{}.Unix()

func secondsOf(w []uint32) int64 { return int64(uint64(w[0]) | uint64(w[1])<<32) }

func isOpen(w []uint32) bool { return secondsOf(w) == zeroSeconds && w[2] == 0 }

// instantAt returns one of the instants of a window; the zero Time is an open end.
func instantAt(words []uint32, i int) time.Time {
	w := words[i*instantWords:][:instantWords]
	if isOpen(w) {
		return time.Time{}
	}
	return time.Unix(secondsOf(w), int64(w[2])).UTC()
}

// qualifiers stores what else narrows an entry.
func (p *preparer) qualifiers(a *adagents.Agent, e *entryFact) {
	if len(a.Countries) > 0 {
		e.flags |= inCountries
		e.countries = p.countries(a.Countries)
	}
	if len(a.Collections) > 0 {
		e.flags |= inCollections
		p.list = p.list[:0]
		for _, ref := range p.collectionsOf(a) {
			p.list = append(p.list, p.collections[ref])
		}
		e.collections = p.raw(p.list)
	}
	if len(a.PlacementIDs) > 0 {
		e.flags |= byPlacementID
		p.list = p.list[:0]
		for _, id := range a.PlacementIDs {
			if n, ok := p.placementIDs[id]; ok && id != "" {
				p.list = append(p.list, n)
			}
		}
		e.placements = p.span(p.list)
	}
	if len(a.PlacementTags) > 0 {
		e.flags |= byPlacementTag
		p.list = p.list[:0]
		for _, tag := range a.PlacementTags {
			if n, ok := p.placementTags[tag]; ok {
				p.list = append(p.list, n)
			}
		}
		e.placementTags = p.span(p.list)
	}
}

// countries stores the codes that a question can name.
func (p *preparer) countries(codes []string) span {
	p.list = p.list[:0]
	for _, code := range codes {
		if n := countryNumber(code); n != 0 && iso3166.Assigned(code) {
			p.list = append(p.list, n)
		}
	}
	return p.span(p.list)
}

// prepareSelectors stores the selectors of an entry, and notes whom they name.
func (p *preparer) prepareSelectors(list []adagents.Selector, entry uint32) {
	for i := range list {
		s := &list[i]
		takes := span{}
		switch s.SelectionType {
		case "all":
			takes.n = everything
		case "by_id":
			takes = p.keysOf(s.PropertyIDs, nil)
		case "by_tag":
			takes = p.keysOf(nil, s.PropertyTags)
		}
		if takes.n == 0 {
			continue // it takes nothing
		}
		n := uint32(len(p.selectors))
		p.selectors = append(p.selectors, takes)
		p.aim(s.PublisherDomain, entry, n)
		for _, domain := range s.PublisherDomains {
			p.aim(domain, entry, n)
		}
	}
}

func (p *preparer) aim(domain string, entry, selector uint32) {
	name, _, err := p.hosts.Canonical(domain)
	if err == nil {
		p.targets = append(p.targets, target{name, entry, selector})
	}
}

// prepareSignals stores the signals, and the names by which entries may mean one.
func (p *preparer) prepareSignals() {
	if !p.file.Raw.Has("signals") && len(p.file.Signals) == 0 {
		return
	}
	left := signalsLeftOut(p.file)
	if left.any.Exists() {
		p.flags |= signalInDoubt
	}
	if hasCatalog(p.file) {
		p.flags |= outsideCatalog
	}
	for id := range left.ids {
		p.rare.leftSignals = append(p.rare.leftSignals, p.word(id))
	}
	p.sortWords(p.rare.leftSignals)
	p.nameSignals()
	for i := range p.file.Signals {
		s := &p.file.Signals[i]
		fact := signalFact{name: none, tags: p.signalTags(s.Tags), countries: p.countries(s.Countries)}
		if n, ok := p.signalIDs[s.ID]; ok && s.ID != "" {
			fact.name = n
		}
		if unreadable(s.Countries, s.Raw, "countries") {
			fact.flags |= unreadableList
		}
		if len(s.Countries) > 0 {
			fact.flags |= limitedSignal
		}
		p.rare.signals = append(p.rare.signals, fact)
	}
	p.defineSignals()
}

// defineSignals lists the signals that define each name.
func (p *preparer) defineSignals() {
	defined := make([][]uint32, len(p.rare.signalNames))
	for i := range p.rare.signals {
		if name := p.rare.signals[i].name; name != none {
			defined[name] = append(defined[name], uint32(i))
		}
	}
	p.rare.definitions = make([]span, len(defined))
	for name, list := range defined {
		p.rare.definitions[name] = p.raw(list)
	}
}

// nameSignals numbers the ids of signals in their order.
func (p *preparer) nameSignals() {
	p.signalIDs = numbering{}
	add := func(id string) {
		if id != "" {
			p.signalIDs[id] = 0
		}
	}
	for i := range p.file.Signals {
		add(p.file.Signals[i].ID)
	}
	for i := range p.file.Agents {
		for _, id := range p.file.Agents[i].SignalIDs {
			add(id)
		}
	}
	names := make([]string, 0, len(p.signalIDs))
	for id := range p.signalIDs {
		names = append(names, id)
	}
	slices.Sort(names)
	for n, id := range names {
		p.signalIDs[id] = uint32(n)
		p.rare.signalNames = append(p.rare.signalNames, p.word(id))
	}
}

func (p *preparer) signalNumbers(ids []string) span {
	p.list = p.list[:0]
	for _, id := range ids {
		if n, ok := p.signalIDs[id]; ok {
			p.list = append(p.list, n)
		}
	}
	return p.span(p.list)
}

func (p *preparer) signalTags(tags []string) span {
	p.list = p.list[:0]
	for _, tag := range tags {
		if tag != "" {
			p.list = append(p.list, p.signalTagNumbers.add(tag))
		}
	}
	return p.span(p.list)
}

// lookupForm brings an identifier into the form in which it is looked up, and reports
// false for one that matches nothing.
func lookupForm(property *adagents.Property, id *adagents.Identifier, hosts *hostname.Memo) (string, flags, bool) {
	var err error
	value := id.Value
	switch id.Type {
	case "domain":
		base, wild := strings.CutPrefix(value, "*.")
		value, _, err = hosts.Canonical(base)
		if wild {
			return value, wildcard, err == nil && property.Type == website && !hostname.WildcardTooBroad(value)
		}
	case "subdomain":
		value, _, err = hosts.Canonical(value)
	case "rss_url":
		value, _, err = hosts.CanonicalURL(value)
	}
	return value, 0, err == nil
}

// website is the type of property whose domains stand for more hosts than they name.
const website = "website"

// instant parses a bound of a window. A bound that is absent is open, for which the
// zero Time stands; one that cannot be read is not. The first instant of the year 1,
// which is the zero Time, is a bound like any other: it is moved by the least amount
// that tells it from an open one.
func instant(t adagents.Timestamp) (time.Time, bool) {
	if t == "" {
		return time.Time{}, true
	}
	at, ok := t.Time()
	if at.IsZero() {
		at = at.Add(time.Nanosecond)
	}
	return at, ok
}
