package adagents

import "github.com/avow-project/avow/internal/std/hostname"

var tagUndefinedRule = rule[*File]{
	Rule: Rule{
		Code: "property.tag_undefined", Severity: Info,
		Title: "a tag is not explained in tags",
		Why: "Buyers read the top-level tags to learn what a tag stands for. " +
			"Each tag is reported once, where it is used first; a file without any explanations gets one finding.",
		Hint: `explain it in the top-level "tags" with a name and a description`,
		Spec: "AdCP adagents.json Tech Spec, properties",
		In:   InProperty,
		Bad: `{"property_id": "shop", "property_type": "website", "name": "Example Shop",
  "identifiers": [{"type": "domain", "value": "shop.example.com"}],
  "tags": ["news", "retail"], "publisher_domain": "example.com"}`,
		Good: goodProperty,
	},
	check: checkTagsDefined,
}

var publisherDomainMissingRule = rule[*File]{
	Rule: Rule{
		Code: "property.publisher_domain_missing", Severity: Warning,
		Title: "a property does not name its publisher",
		Why: "In a file that serves several publishers, the domain it was fetched for says nothing about a property. " +
			"One without publisher_domain cannot be matched to any of them.",
		Hint: `add "publisher_domain"`,
		Spec: "AdCP adagents.json Tech Spec, properties",
		Varies: "info, once, for a file that was not reached through a pointer or a manager domain and names publishers " +
			"elsewhere",
		given: func(o *Options) { o.Role = Authoritative },
		In:    InProperty,
		Bad: `{"property_id": "shop", "property_type": "website", "name": "Example Shop",
  "identifiers": [{"type": "domain", "value": "shop.example.com"}], "tags": ["news"]}`,
		Good: goodProperty,
		fix:  publisherFromFile,
	},
	check: checkPublisherNamed,
}

var unreferencedRule = rule[*File]{
	Rule: Rule{
		Code: "property.unreferenced", Severity: Info,
		Title: "no agent, placement or format reaches a property",
		Why: "A property that nothing refers to cannot be bought through this file. That may be meant, or a tag or id is " +
			"missing.",
		Hint: "list its property_id or one of its tags in an agent entry",
		Spec: "avow docs/rules.md",
		In:   InProperty,
		Bad: `{"property_id": "shop", "property_type": "website", "name": "Example Shop",
  "identifiers": [{"type": "domain", "value": "shop.example.com"}],
  "publisher_domain": "example.com"}`,
		Good: goodProperty,
	},
	check: checkReached,
}

// checkTagsDefined compares distinct tags first: only if one of them is not
// explained does it look for the locations.
func checkTagsDefined(r reporter, f *File) {
	missing := r.undefinedTags(f)
	if len(missing) == 0 {
		return
	}
	total := len(missing)
	none := !f.Raw.Has("tags")
	for p := range f.everyProperty() {
		for _, e := range p.member(atPropertyTags).Elems() {
			tag := e.Str()
			if !missing[tag] {
				continue
			}
			if none && total > 1 {
				r.say(e, "none of the %d tags in use is explained: the file has no tags member", total)
				return
			}
			delete(missing, tag)
			r.say(e, "the tag %s is not explained in tags", quote(tag))
		}
	}
}

// undefinedTags returns the tags in use that the file does not explain. Tags
// in a form that is not allowed have a finding of their own.
func (c *content) undefinedTags(f *File) map[string]bool {
	defined := make(map[string]bool, len(f.Tags))
	for i := range f.Tags {
		defined[f.Tags[i].Key] = true
	}
	var missing map[string]bool
	note := func(tag string) {
		if defined[tag] || !isID(tag) {
			return
		}
		if missing == nil {
			missing = make(map[string]bool)
		}
		missing[tag] = true
	}
	for tag := range c.index.propertyTag {
		note(tag)
	}
	for i := range f.Agents {
		for k := range f.Agents[i].Properties {
			for _, tag := range f.Agents[i].Properties[k].Tags {
				note(tag)
			}
		}
	}
	return missing
}

// everyProperty yields the file's properties and then those of its agents.
func (f *File) everyProperty() func(yield func(*Property) bool) {
	return func(yield func(*Property) bool) {
		for i := range f.Properties {
			if !yield(&f.Properties[i]) {
				return
			}
		}
		for i := range f.Agents {
			for k := range f.Agents[i].Properties {
				if !yield(&f.Agents[i].Properties[k]) {
					return
				}
			}
		}
	}
}

func checkPublisherNamed(r reporter, f *File) {
	if r.opt.Role != Authoritative && r.opt.Role != Manager {
		checkPublishersMixed(r, f)
		return
	}
	for p := range f.everyProperty() {
		if p.anonymous() {
			r.missing(p.Raw, "publisher_domain", "the property%s has no publisher_domain", named(p.ID))
		}
	}
}

// anonymous reports whether the property leaves its publisher to be implied.
func (p *Property) anonymous() bool {
	return p.pos[atPropertyPublisherDomain] == 0 && p.Raw.Is(Object)
}

// checkPublishersMixed mentions implied publishers once, and only in a file
// that also names some: an ordinary file of one publisher is fine as it is.
func checkPublishersMixed(r reporter, f *File) {
	var first *Property
	count := 0
	for i := range f.Properties {
		if r.dec.fastpaths.each[i].owned || !f.Properties[i].anonymous() {
			continue
		}
		if count == 0 {
			first = &f.Properties[i]
		}
		count++
	}
	if count == 0 || count == len(f.Properties) && !f.hasSelectors() {
		return
	}
	msg := "%d properties have no publisher_domain: the domain that serves the file is implied"
	if count == 1 {
		msg = "%d property has no publisher_domain: the domain that serves the file is implied"
	}
	at := r.missing(first.Raw, "publisher_domain", msg, count)
	at.sev = Info
}

func (f *File) hasSelectors() bool {
	for i := range f.Agents {
		if len(f.Agents[i].Selectors) > 0 {
			return true
		}
	}
	return false
}

// reach is what the agents, placements and formats of a file refer to.
type reach struct {
	ids, tags, domains textSet
	known              *hostname.Memo
}

func (f *File) reach(known *hostname.Memo) *reach {
	r := &reach{known: known}
	for i := range f.Agents {
		a := &f.Agents[i]
		r.ids.add(a.PropertyIDs...)
		r.tags.add(a.PropertyTags...)
		for k := range a.Selectors {
			r.addSelector(&a.Selectors[k])
		}
	}
	for i := range f.Placements {
		r.ids.add(f.Placements[i].PropertyIDs...)
		r.tags.add(f.Placements[i].PropertyTags...)
	}
	for i := range f.Formats {
		r.ids.add(f.Formats[i].AppliesToPropertyIDs...)
		r.tags.add(f.Formats[i].AppliesToPropertyTags...)
	}
	return r
}

// addSelector takes a selector for what it may resolve to in this file. The
// publisher of ids and tags is not compared: silence is the smaller mistake.
func (r *reach) addSelector(s *Selector) {
	r.ids.add(s.PropertyIDs...)
	r.tags.add(s.PropertyTags...)
	if len(s.PropertyIDs)+len(s.PropertyTags) > 0 {
		return
	}
	r.addDomain(s.PublisherDomain)
	for _, d := range s.PublisherDomains {
		r.addDomain(d)
	}
}

func (r *reach) addDomain(s string) {
	domain, _, err := r.known.Canonical(s)
	if err == nil {
		r.domains.add(domain)
	}
}

// everyTag reports whether all tags in use are referred to. Properties that
// carry one are then reached, and their text need not be looked at again.
func (r *reach) everyTag(used map[string]int) bool {
	for tag := range used {
		if !r.tags.has(tag) {
			return false
		}
	}
	return true
}

func (r *reach) covers(p *Property, publisher string) bool {
	for _, tag := range p.Tags {
		if r.tags.has(tag) {
			return true
		}
	}
	return r.ids.has(p.ID) || r.domains.has(publisher)
}

func checkReached(r reporter, f *File) {
	if len(f.Agents) == 0 || len(f.Properties) == 0 {
		return
	}
	reach := f.reach(&r.index.hosts)
	every := reach.everyTag(r.index.propertyTag)
	for i := range f.Properties {
		if seen := &r.dec.fastpaths.each[i]; every && seen.plain && seen.tagged {
			continue
		}
		p := &f.Properties[i]
		if p.effect.gone() {
			continue
		}
		publisher := ""
		if len(reach.domains.list) > 0 {
			o := readOwner(p, &r.index.hosts)
			publisher = r.publisher(&o)
		}
		if !reach.covers(p, publisher) {
			r.say(p.Raw, "no agent, placement or format reaches the property %s", quote(p.label()))
		}
	}
}

// label returns what to call the property in a message.
func (p *Property) label() string {
	if p.ID != "" {
		return p.ID
	}
	return p.Name
}
