package adagents

import (
	"cmp"
	"hash/maphash"
	"math/bits"
	"slices"
)

// A large file has tens of thousands of properties and nearly all of them are in order. This file
// decodes them and takes one quick look at each; only a property that does not look plain meets the
// rules one by one. A test holds this fast path to them: with and without it, every file must give
// the same findings.

// properties decodes the file's properties and looks at each of them.
func (d *decoder) properties(v Value) []Property {
	d.fastpaths = fastpaths{} // of repeated members the last one is used
	if !v.Is(Array) {
		return nil
	}
	n := afford[Property](d.allowed, v.Len())
	list := make([]Property, n)
	d.fastpaths.each = make([]fastpath, n)
	d.fastpaths.hashes = make([]uint32, 0, 2*n)
	d.fastpaths.tags = make(map[string]int)
	if n == 0 {
		return list
	}
	first, _ := v.FirstElem()
	d.decodeFrom(first.Value(), list, d.fastpaths.each)
	return list
}

// pay subtracts what the decoder has taken from the allowance.
func (d *decoder) pay() {
	d.stringSlab.pay(d.allowed)
	d.identifierSlab.pay(d.allowed)
}

// decodeFrom decodes len(list) elements beginning with the one at v.
func (d *decoder) decodeFrom(v Value, list []Property, seen []fastpath) {
	for i := range list {
		d.decodeProperty(v, &list[i])
		seen[i] = d.inspect(&list[i], &d.fastpaths)
		v = v.After()
	}
}

// inspect takes the quick look at one property.
func (d *decoder) inspect(p *Property, g *fastpaths) fastpath {
	o, owned := d.ownerOf(p)
	seen := fastpath{
		publisher: fold(owned), first: uint32(len(g.hashes)),
		tagged: len(p.Tags) > 0, owned: p.pos[atPropertyPublisherDomain] != 0,
	}
	if p.ID != "" {
		seen.id = hashOf(p.ID)
	}
	kind := d.kindOf(p.Type)
	plain := kind != nil && p.plainOwner(o) && p.plainMembers() && d.plainChannels(p) &&
		(d.home == "" || !d.foreign(o.located()))
	suits := false
	for i := range p.Identifiers {
		x := &p.Identifiers[i]
		id := readIdentity(x, o, &d.hosts)
		plain = plain && id.fine && !d.foreign(id.branch)
		suits = suits || kind != nil && (kind.suits == nil || slices.Contains(kind.suits, x.Type))
		value := owned
		if o.host == "" || x.Value != o.host {
			value = maphash.String(seed, id.canonical(x.Value))
		}
		g.hashes = append(g.hashes, d.hashIdentifier(&id, x, value^bits.RotateLeft64(owned, 23)))
	}
	seen.located = o.level > publicSuffix
	seen.plain = plain && suits && !repeatedValues(p.Identifiers)
	if seen.plain {
		for _, tag := range p.Tags {
			g.tags[tag]++
		}
	}
	return seen
}

// plainOwner reports whether nothing can be said about the publisher's name.
func (p *Property) plainOwner(o *owner) bool {
	return o.host != "" && o.change == 0 || p.pos[atPropertyPublisherDomain] == 0
}

// neighbor is what the last property that was looked at has in common with most others.
type neighbor struct {
	typ      string
	kind     *propertyKind
	domain   string // publisher_domain as written
	owner    owner
	owned    uint64   // hash of the publisher
	channels []string // in order
}

// ownerOf returns the publisher of a property, often the same as for the property before,
// and the hash of its name, or of the one that is implied.
func (d *decoder) ownerOf(p *Property) (*owner, uint64) {
	b := &d.before
	if p.PublisherDomain == "" || p.PublisherDomain != b.domain {
		b.domain, b.owner = p.PublisherDomain, readOwner(p, &d.hosts)
		b.owned = maphash.String(seed, cmp.Or(b.owner.host, d.implied))
	}
	return &b.owner, b.owned
}

// kindOf returns what is known of a type, most often the same as for the property before.
func (d *decoder) kindOf(typ string) *propertyKind {
	if typ != d.before.typ {
		d.before.typ, d.before.kind = typ, propertyKinds[typ]
	}
	return d.before.kind
}

// plainChannels reports whether the channels are in order. Most often they are those of the
// property before.
func (d *decoder) plainChannels(p *Property) bool {
	if !p.wholeList(atPropertyChannels, len(p.Channels)) {
		return false
	}
	if slices.Equal(p.Channels, d.before.channels) {
		return true
	}
	if !knownChannels(p.Channels) || repeats(p.Channels) {
		return false
	}
	d.before.channels = p.Channels
	return true
}

// plainMembers reports whether id, name and tags are in order.
func (p *Property) plainMembers() bool {
	if !isID(p.ID) || blank(p.Name) {
		return false
	}
	for _, tag := range p.Tags {
		if !isID(tag) {
			return false
		}
	}
	return p.wholeList(atPropertyTags, len(p.Tags)) && !repeats(p.Tags)
}

// wholeList reports whether a member is absent or a list of n strings only.
func (p *Property) wholeList(field, n int) bool {
	v := p.member(field)
	return !v.Exists() || v.Is(Array) && v.Len() == n
}

// repeatedValues reports whether two identifiers may be the same.
func repeatedValues(list []Identifier) bool {
	const few = 8
	if len(list) > few {
		return true
	}
	for i := range list {
		for k := range i {
			if list[k].Value == list[i].Value && list[k].Type == list[i].Type {
				return true
			}
		}
	}
	return false
}

// hashIdentifier adds the type of an identifier to the hash of its value and
// publisher. The result is 0 for kinds that properties share by nature.
func (d *decoder) hashIdentifier(id *identity, x *Identifier, h uint64) uint32 {
	switch {
	case id.kind == nil:
		h += bits.RotateLeft64(maphash.String(seed, x.Type), 41)
	case id.kind.common:
		return 0
	default:
		h += id.kind.no * 0x9e3779b97f4a7c15
	}
	return fold(h)
}
