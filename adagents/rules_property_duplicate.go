package adagents

import (
	"slices"
	"sort"

	"github.com/avow-project/avow/internal/std/hostname"
)

// propertyDuplicateRules look for what is declared more than once.
var propertyDuplicateRules = []rule[*propertyCheck]{
	{Rule: Rule{
		Code: "property.id_duplicate", Severity: Error, Effect: SkipEntry,
		Title: "two properties have the same property_id",
		Why: "An agent's property_ids selects every property with that id. When two different properties of one publisher " +
			"share it, " +
			"consumers keep the first and leave out the second.",
		Hint: "give the second property an id of its own",
		Spec: "avow docs/rules.md",
		Varies: "warning without effect when the two belong to different publishers or have the same content, or the " +
			"publisher of the first cannot be read",
		In: InProperty,
		Bad: `{
  "property_id": "site",
  "property_type": "website",
  "name": "Example Shop",
  "identifiers": [{"type": "domain", "value": "shop.example.com"}],
  "tags": ["news"],
  "publisher_domain": "example.com"
}`,
		Good: `{
  "property_id": "shop",
  "property_type": "website",
  "name": "Example Shop",
  "identifiers": [{"type": "domain", "value": "shop.example.com"}],
  "tags": ["news"],
  "publisher_domain": "example.com"
}`,
		fix: newPropertyID,
	}, check: checkDuplicateID},
	{Rule: Rule{
		Code: "property.duplicate_identifier", Severity: Warning,
		Title: "two properties of one publisher have the same identifier",
		Why: "A consumer that sees the identifier cannot tell which of the two properties it is looking at. " +
			"Types that several properties share by nature, such as network_id, are not compared.",
		Hint: "merge the two properties, or correct the identifier",
		Spec: "avow docs/rules.md",
		In:   InProperty,
		Bad: `{
  "property_id": "shop",
  "property_type": "website",
  "name": "Example Shop",
  "identifiers": [{"type": "domain", "value": "example.com"}],
  "tags": ["news"],
  "publisher_domain": "example.com"
}`,
		Good: `{
  "property_id": "shop",
  "property_type": "website",
  "name": "Example Shop",
  "identifiers": [{"type": "domain", "value": "shop.example.com"}],
  "tags": ["news"],
  "publisher_domain": "example.com"
}`,
	}, check: checkSharedIdentifier},
	{Rule: Rule{
		Code: "identifier.duplicate", Severity: Warning,
		Title: "a property lists an identifier twice",
		Why:   "The second one adds nothing, and often another value was meant.",
		Hint:  "remove the second one",
		Spec:  "avow docs/rules.md",
		In:    InIdentifier,
		Bad:   `{"type": "domain", "value": "other.example.com"}`,
		Good:  `{"type": "domain", "value": "more.example.com"}`,
	}, check: checkRepeatedIdentifier},
}

// publisher returns the publisher a property belongs to: the one it names, or
// the one the file is served for.
func (c *content) publisher(o *owner) string {
	if o.host == "" && c.opt.Role == Direct {
		return c.opt.Domain
	}
	return o.host
}

func checkDuplicateID(r reporter, x *propertyCheck) {
	if !r.index.properties.repeat || x.inline || x.ID == "" {
		return
	}
	first, ok := r.index.properties.get(x.ID)
	if !ok || first == x.number {
		return
	}
	id := x.member(atPropertyID)
	other, ok := r.sameScope(first, x)
	if !ok {
		r.sayAs(Warning, id, "%s is also the id of /properties/%d, a property of another publisher", quote(x.ID), first).
			withHint("ids of one file should differ, since property_ids selects every property with the id")
		return
	}
	switch earlier := &r.file.Properties[other]; {
	case sameContent(earlier, x.Property, &r.index.hosts):
		r.sayAs(Warning, id, "the property %s repeats /properties/%d", quote(x.ID), other).
			withHint("remove the second one")
	case earlier.member(atPropertyPublisherDomain).Exists() && readOwner(earlier, &r.index.hosts).host == "":
		r.sayAs(Warning, id, "%s is also the id of /properties/%d, whose publisher cannot be read", quote(x.ID), other)
	default:
		// Also when the first is left out: the second must not come to stand for it.
		r.say(id, "%s is already the id of /properties/%d, a different property of the same publisher", quote(x.ID), other)
	}
}

// sameScope returns the first property that has the id and the publisher of
// p. first is the first one with the id at all.
func (c *content) sameScope(first int, p *propertyCheck) (int, bool) {
	mine := c.publisher(&p.owner)
	o := readOwner(&c.file.Properties[first], &c.index.hosts)
	if c.publisher(&o) == mine {
		return first, true
	}
	key := scopedID{mine, p.ID}
	if i, ok := c.index.scoped[key]; ok {
		return i, true
	}
	if c.index.scoped == nil {
		c.index.scoped = make(map[scopedID]int)
	}
	c.index.scoped[key] = p.number
	return 0, false
}

// sameContent reports whether two properties say the same. The order within
// their lists is ignored.
func sameContent(a, b *Property, known *hostname.Memo) bool {
	return a.Type == b.Type && a.Name == b.Name &&
		sameSet(a.Tags, b.Tags) && sameSet(a.Channels, b.Channels) &&
		len(a.Identifiers) == len(b.Identifiers) && sameSet(pairs(a, known), pairs(b, known))
}

func pairs(p *Property, known *hostname.Memo) []string {
	list := make([]string, len(p.Identifiers))
	for i := range p.Identifiers {
		id := readIdentity(&p.Identifiers[i], new(owner), known)
		list[i] = p.Identifiers[i].Type + " " + id.canonical(p.Identifiers[i].Value)
	}
	return list
}

// sameSet compares lists of equal length only, so that one long list that is
// compared with many short ones costs nothing.
func sameSet(a, b []string) bool {
	return len(a) == len(b) && slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// checkRepeatedIdentifier compares the identifiers of one property. A few are
// compared pair by pair; for many that would take quadratic time.
func checkRepeatedIdentifier(r reporter, x *propertyCheck) {
	const few = 8
	if len(x.Identifiers) <= few {
		for k := range x.Identifiers {
			repeatedAmongFew(r, x, k)
		}
		return
	}
	seen := make(map[[2]string]struct{}, len(x.Identifiers))
	for k := range x.Identifiers {
		id := &x.Identifiers[k]
		key := [2]string{id.Type, x.idents[k].canonical(id.Value)}
		if _, ok := seen[key]; ok && id.usable() {
			sayRepeated(r, id)
		}
		seen[key] = struct{}{}
	}
}

func repeatedAmongFew(r reporter, x *propertyCheck, k int) {
	id := &x.Identifiers[k]
	for j := range k {
		before := &x.Identifiers[j]
		if x.idents[j].kind == x.idents[k].kind && before.Type == id.Type && id.usable() &&
			x.idents[j].canonical(before.Value) == x.idents[k].canonical(id.Value) {
			sayRepeated(r, id)
			return
		}
	}
}

func sayRepeated(r reporter, id *Identifier) {
	r.say(id.member(atIdentifierValue), "the %s %s is listed twice on this property", id.Type, quote(id.Value))
}

func checkSharedIdentifier(r reporter, x *propertyCheck) {
	if x.inline {
		return
	}
	hashes := r.dec.fastpaths.of(x.number)
	for k := range x.Identifiers {
		id := &x.Identifiers[k]
		if !id.usable() || hashes[k] == 0 {
			continue
		}
		other, found := r.addIdentifier(x, k, hashes[k])
		if !found || other == x.number {
			continue
		}
		if x.ID == "" || x.ID != r.file.Properties[other].ID {
			r.say(id.member(atIdentifierValue), "the %s %s is also an identifier of /properties/%d",
				id.Type, quote(id.Value), other)
		}
	}
}

// of returns the hashes of the identifiers of property i.
func (g *fastpaths) of(i int) []uint32 {
	if i+1 < len(g.each) {
		return g.hashes[g.each[i].first:g.each[i+1].first]
	}
	return g.hashes[g.each[i].first:]
}

// addIdentifier enters identifier k of a property. If an equal one is there already it
// returns the index of its property instead.
func (c *content) addIdentifier(p *propertyCheck, k int, hash uint32) (int, bool) {
	other, found := 0, false
	id := &p.Identifiers[k]
	value := p.idents[k].canonical(id.Value)
	s := c.index.identifiers.find(hash, func(no uint32) bool {
		other, found = c.sameIdentifier(no, id.Type, value, &p.owner)
		return found
	})
	if !found {
		*s = hashSlot{hash, c.dec.fastpaths.each[p.number].first + uint32(k) + 1}
	}
	return other, found
}

// sameIdentifier compares an identifier of the table with one of another property,
// and returns the index of the property it stands on.
func (c *content) sameIdentifier(no uint32, typ, value string, other *owner) (int, bool) {
	each := c.dec.fastpaths.each
	i := sort.Search(len(each), func(i int) bool { return each[i].first > no }) - 1
	p := &c.file.Properties[i]
	id := &p.Identifiers[no-each[i].first]
	if id.Type != typ {
		return 0, false
	}
	o := readOwner(p, &c.index.hosts)
	known := readIdentity(id, &o, &c.index.hosts)
	return i, known.canonical(id.Value) == value && c.publisher(&o) == c.publisher(other)
}
