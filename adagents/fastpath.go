package adagents

import (
	"hash/maphash"
	"math/bits"
	"runtime"
	"slices"
	"sync"
)

// A large file has tens of thousands of properties and nearly all of them are
// in order. This file decodes them and takes one quick look at each, on all
// cores; only a property that does not look plain meets the rules
// one by one. A test holds this fast path to them: with and without it, every file
// must give the same findings.

// shardSize is the number of properties from which a second core helps.
const shardSize = 2048

// properties decodes the file's properties and looks at each of them.
func (d *decoder) properties(v Value) []Property {
	d.fastpaths = fastpaths{} // of repeated members the last one is used
	if !v.Is(Array) {
		return nil
	}
	n := afford[Property](d.allowed, v.Len())
	list := make([]Property, n)
	d.seed = maphash.MakeSeed()
	d.fastpaths.each = make([]fastpath, n)
	d.fastpaths.hashes = make([]uint32, 0, 2*n)
	d.fastpaths.tags = make(map[string]int)
	if n == 0 {
		return list
	}
	first, _ := v.FirstElem()
	shards := min(runtime.GOMAXPROCS(0), 1+n/shardSize)
	if shards == 1 {
		d.decodeFrom(first.Value(), list, d.fastpaths.each)
		return list
	}
	d.decodeShards(cut(first.Value(), n, shards), list)
	return list
}

// cut returns the elements at which shards of the n elements from v on begin.
func cut(v Value, n, shards int) []Value {
	starts := make([]Value, 0, shards)
	for i := 0; len(starts) < shards; i++ {
		if i == len(starts)*n/shards {
			starts = append(starts, v)
		}
		v = v.After()
	}
	return starts
}

// decodeShards decodes parts of the list at the same time and joins what they
// noted, in order.
func (d *decoder) decodeShards(starts []Value, list []Property) {
	seen := d.fastpaths.each
	parts := make([]decoder, len(starts))
	var wait sync.WaitGroup
	for i := range parts {
		from, to := i*len(list)/len(parts), (i+1)*len(list)/len(parts)
		p := &parts[i]
		p.circumstances = d.circumstances
		p.fastpaths.hashes = make([]uint32, 0, 2*(to-from))
		p.fastpaths.tags = make(map[string]int)
		wait.Go(func() { p.decodeFrom(starts[i], list[from:to], seen[from:to]) })
	}
	wait.Wait()
	for i := range parts {
		from, to := i*len(list)/len(parts), (i+1)*len(list)/len(parts)
		d.join(&parts[i], seen[from:to])
	}
}

// join adds what another decoder noted about the properties that come next.
func (d *decoder) join(p *decoder, seen []fastpath) {
	base := uint32(len(d.fastpaths.hashes))
	for k := range seen {
		seen[k].first += base
	}
	d.fastpaths.hashes = append(d.fastpaths.hashes, p.fastpaths.hashes...)
	d.unknown = append(d.unknown, p.unknown...)
	d.wrong = append(d.wrong, p.wrong...)
	d.mixed = d.mixed || p.mixed
	for tag, n := range p.fastpaths.tags {
		d.fastpaths.tags[tag] += n
	}
	d.hosts.Merge(&p.hosts)
	p.pay()
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
		seen[i] = d.look(&list[i], &d.fastpaths)
		v = v.After()
	}
}

// look takes the quick look at one property.
func (d *decoder) look(p *Property, g *fastpaths) fastpath {
	seen := fastpath{
		id: d.hash(p.ID), first: uint32(len(g.hashes)),
		named: p.ID != "", tagged: len(p.Tags) > 0, owned: p.pos[atPropertyPublisherDomain] != 0,
	}
	o := readOwner(p, &d.hosts)
	kind := d.kindOf(p.Type)
	plain := kind != nil && p.plainOwner(&o) && p.plainMembers() && d.plainChannels(p) && (d.home == "" || !d.foreign(o.located()))
	publisher := o.host
	if publisher == "" {
		publisher = d.implied
	}
	owned := maphash.String(d.seed, publisher)
	suits := false
	for i := range p.Identifiers {
		x := &p.Identifiers[i]
		id := readIdentity(x, &o, &d.hosts)
		plain = plain && id.fine && !d.foreign(id.branch)
		suits = suits || kind != nil && (kind.suits == nil || slices.Contains(kind.suits, x.Type))
		value := owned
		if x.Value != publisher {
			value = maphash.String(d.seed, id.canonical(x.Value))
		}
		g.hashes = append(g.hashes, d.hashIdentifier(&id, x, value^bits.RotateLeft64(owned, 23)))
	}
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
	channels []string // in order
}

// kindOf returns what is known of a type, which most often is that of the property before.
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

func (d *decoder) hash(s string) uint32 { return uint32(maphash.String(d.seed, s) >> 32) }

// hashIdentifier adds the type of an identifier to the hash of its value and
// publisher. The seed keeps authors of hostile files from choosing values that
// collide. The result is 0 for kinds that properties share by nature.
func (d *decoder) hashIdentifier(id *identity, x *Identifier, h uint64) uint32 {
	switch {
	case id.kind == nil:
		h += bits.RotateLeft64(maphash.String(d.seed, x.Type), 41)
	case id.kind.common:
		return 0
	default:
		h += id.kind.no * 0x9e3779b97f4a7c15
	}
	return max(uint32(h>>32), 1)
}

// idTable finds the file's properties by property_id; of several with one id,
// the first. With a map instead, a check of 60,000 properties took 30 ms more
// CPU time, on a busy machine, and 2 MB more memory: the hashes are at hand from
// decoding, and the strings need not be held again.
type idTable struct {
	list   []Property
	seed   maphash.Seed
	slots  []idSlot // a power of two
	repeat bool     // some id occurs twice
}

type idSlot struct {
	hash  uint32
	index uint32 // one more than that of the property; zero marks a free slot
}

func newIDTable(list []Property, d *decoder) idTable {
	t := idTable{list: list, seed: d.seed, slots: make([]idSlot, 1<<bits.Len(uint(2*len(list))))}
	for i := range d.fastpaths.each {
		if seen := &d.fastpaths.each[i]; seen.named && !t.add(i, seen.id) {
			t.repeat = true
			d.fastpaths.recount(i, &list[i])
		}
	}
	return t
}

// add enters a property unless there is one with its id. The ids are compared
// only when the hash is not new, which is seldom.
func (t *idTable) add(i int, hash uint32) bool {
	mask := uint32(len(t.slots) - 1)
	for k := hash & mask; ; k = (k + 1) & mask {
		s := &t.slots[k]
		if s.index == 0 {
			*s = idSlot{hash, uint32(i) + 1}
			return true
		}
		if s.hash == hash && t.list[s.index-1].ID == t.list[i].ID {
			return false
		}
	}
}

// get returns the index of the first property with an id.
func (t *idTable) get(id string) (int, bool) {
	if id == "" || len(t.list) == 0 {
		return 0, false
	}
	hash := uint32(maphash.String(t.seed, id) >> 32)
	mask := uint32(len(t.slots) - 1)
	for k := hash & mask; t.slots[k].index != 0; k = (k + 1) & mask {
		if s := &t.slots[k]; s.hash == hash && t.list[s.index-1].ID == id {
			return int(s.index) - 1, true
		}
	}
	return 0, false
}

// ids returns the ids, for suggestions.
func (t *idTable) ids() []string {
	var ids []string
	for i := range t.list {
		if t.list[i].ID != "" {
			ids = append(ids, t.list[i].ID)
		}
	}
	return ids
}

// identifierTable finds equal identifiers of one publisher. It is a hash table
// of positions in the file: a map would hold the three strings of each key, which
// takes 16 MB for 120,000 identifiers, where the slots take 2.
type identifierTable struct {
	slots []identifierSlot // a power of two
}

// identifierSlot is kept small, because fetching it from memory is most of the
// cost of a look-up.
type identifierSlot struct {
	hash uint32
	no   uint32 // one more than the number of the identifier in the file; zero marks a free slot
}

// init allocates slots for a number of identifiers, with a third of them to spare.
func (t *identifierTable) init(identifiers int) {
	*t = identifierTable{slots: make([]identifierSlot, 1<<bits.Len(uint(identifiers+identifiers/2)))}
}

// enter adds the identifiers of a property if none of their hashes is in the
// table. If one is, it adds some of them or none and returns false; add then
// looks closer.
func (t *identifierTable) enter(first uint32, hashes []uint32) bool {
	for k, h := range hashes {
		if h == 0 {
			continue
		}
		mask := uint32(len(t.slots) - 1)
		i := h & mask
		for t.slots[i].no != 0 {
			if t.slots[i].hash == h {
				return false
			}
			i = (i + 1) & mask
		}
		t.slots[i] = identifierSlot{h, first + uint32(k) + 1}
	}
	return true
}
