package adagents

// indexAll files every entry under what it selects.
func (x *exclusivity) indexAll() {
	x.byProperty = make(map[int32][]int32)
	x.byTag = make(map[string][]int32)
	x.byInline = make(map[scopedID][]int32)
	x.byDomain = make(map[string][]selectorRef)
	x.bySignal = make(map[string][]int32)
	x.bySignalTag = make(map[string][]int32)
	for i := range x.c.file.Agents {
		if x.counts(i) {
			x.index(int32(i), &x.c.file.Agents[i])
		}
	}
}

func (x *exclusivity) index(i int32, a *Agent) {
	switch a.Type {
	case "property_ids":
		for _, id := range a.PropertyIDs {
			if p := x.c.propertyByID(id); p >= 0 {
				x.byProperty[int32(p)] = append(x.byProperty[int32(p)], i)
			}
		}
	case "property_tags":
		fileUnder(x.byTag, a.PropertyTags, i)
	case "inline_properties":
		for k := range a.Properties {
			if key, ok := x.inlineKey(&a.Properties[k]); ok {
				x.byInline[key] = append(x.byInline[key], i)
			}
		}
	case "publisher_properties":
		for k := range a.Selectors {
			if a.Selectors[k].fate.gone() {
				continue
			}
			for domain := range a.Selectors[k].domains(&x.c.index.hosts) {
				x.byDomain[domain] = append(x.byDomain[domain], selectorRef{i, int32(k)})
			}
		}
	case "signal_ids":
		fileUnder(x.bySignal, a.SignalIDs, i)
	case "signal_tags":
		fileUnder(x.bySignalTag, a.SignalTags, i)
	}
}

func fileUnder(m map[string][]int32, names []string, i int32) {
	for _, name := range names {
		m[name] = append(m[name], i)
	}
}

// inlineKey names an inline property by publisher and id, which is what makes
// it the same property as another.
func (x *exclusivity) inlineKey(p *Property) (scopedID, bool) {
	domain := x.c.publisherOf(p)
	return scopedID{domain, p.ID}, domain != "" && p.ID != "" && !p.fate.gone()
}

// meet compares the entry at hand with every other that selects something it
// selects too.
func (x *exclusivity) meet() {
	a := &x.c.file.Agents[x.entry]
	switch a.Type {
	case "property_ids":
		for _, id := range a.PropertyIDs {
			if p := x.c.propertyByID(id); p >= 0 {
				x.meetProperty(p)
			}
		}
	case "property_tags":
		for _, tag := range a.PropertyTags {
			for _, p := range x.c.taggedProperties()[tag] {
				x.meetProperty(int(p))
			}
		}
	case "inline_properties":
		for k := range a.Properties {
			x.meetInline(&a.Properties[k])
		}
	case "publisher_properties":
		for k := range a.Selectors {
			x.meetSelector(&a.Selectors[k])
		}
	default:
		x.meetSignals(a)
	}
}

// meetProperty compares with the entries that cover a top-level property.
func (x *exclusivity) meetProperty(i int) {
	x.left--
	if x.settled() {
		return
	}
	p := &x.c.file.Properties[i]
	x.against(x.byProperty[int32(i)])
	for _, tag := range p.Tags {
		x.left--
		x.against(x.byTag[tag])
	}
	if key, ok := x.inlineKey(p); ok {
		x.against(x.byInline[key])
	}
	for _, ref := range x.byDomain[x.c.publisherOf(p)] {
		if x.settled() {
			return
		}
		if x.picks(x.selector(ref), p) {
			x.compare(int(ref.entry))
		}
	}
}

// meetInline compares with the entries that cover a property of the entry's
// own: by the same publisher and id, inline or in the file's catalog.
func (x *exclusivity) meetInline(p *Property) {
	key, ok := x.inlineKey(p)
	if !ok || x.settled() {
		return
	}
	x.against(x.byInline[key])
	if i := x.c.propertyByID(p.ID); i >= 0 && x.c.publisherOf(&x.c.file.Properties[i]) == key.publisher {
		x.meetProperty(i)
	}
}

// meetSelector compares with the selectors over the same publishers that
// certainly pick something the selector picks, and with the entries that cover
// the publishers' properties in this file.
func (x *exclusivity) meetSelector(s *Selector) {
	if s.fate.gone() {
		return
	}
	for domain := range s.domains(&x.c.index.hosts) {
		x.left--
		if x.settled() {
			return
		}
		if x.c.revoked(domain) {
			continue
		}
		for _, ref := range x.byDomain[domain] {
			if x.settled() {
				return
			}
			if x.pickAlike(s, x.selector(ref)) {
				x.compare(int(ref.entry))
			}
		}
		for i := x.c.firstOwned(domain); i >= 0; i = x.c.nextOwned(i) {
			if x.picks(s, &x.c.file.Properties[i]) {
				x.meetProperty(int(i))
			}
		}
	}
}

func (x *exclusivity) selector(ref selectorRef) *Selector {
	return &x.c.file.Agents[ref.entry].Selectors[ref.selector]
}

// picks reports whether a selector over the publisher of a property picks it.
func (x *exclusivity) picks(s *Selector, p *Property) bool {
	x.left--
	switch s.SelectionType {
	case "all":
		return true
	case "by_id":
		return p.ID != "" && x.listsMeet(s.PropertyIDs, []string{p.ID})
	}
	return len(p.Tags) > 0 && x.listsMeet(s.PropertyTags, p.Tags)
}

// pickAlike reports whether two selectors over one publisher pick a property in
// common. Whether a tag and an id do depends on the publisher's file.
func (x *exclusivity) pickAlike(s, o *Selector) bool {
	x.left--
	switch {
	case s.SelectionType == "all" || o.SelectionType == "all":
		return true
	case s.SelectionType != o.SelectionType:
		return false
	case s.SelectionType == "by_id":
		return x.listsMeet(s.PropertyIDs, o.PropertyIDs)
	}
	return x.listsMeet(s.PropertyTags, o.PropertyTags)
}

// meetSignals compares with the entries that cover a signal of the entry.
func (x *exclusivity) meetSignals(a *Agent) {
	for _, id := range a.SignalIDs {
		if i, ok := x.c.index.signals[id]; ok && a.Type == "signal_ids" {
			x.meetSignal(&x.c.file.Signals[i])
		}
	}
	if a.Type != "signal_tags" {
		return
	}
	tags := textsOf(a.SignalTags)
	for i := range x.c.file.Signals {
		s := &x.c.file.Signals[i]
		x.left -= len(s.Tags)
		if x.settled() {
			return
		}
		if tags.meets(s.Tags) {
			x.meetSignal(s)
		}
	}
}

func (x *exclusivity) meetSignal(s *Signal) {
	x.left--
	if s.fate.gone() || x.settled() {
		return
	}
	x.against(x.bySignal[s.ID])
	for _, tag := range s.Tags {
		x.left--
		x.against(x.bySignalTag[tag])
	}
}
