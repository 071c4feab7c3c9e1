package resolve

import (
	"math"
	"slices"
)

// A Claim is an agent entry that covers something of a publisher.
type Claim struct {
	Agent string // canonical URL
	// Entry is the number of the entry in authorized_agents.
	Entry     int32
	Exclusive bool
	// Limits says what else a question must name: the entry is limited to some
	// countries, collections or placements.
	Limits Needs
	// From and Until are the first and the last second the entry holds, and the
	// least and greatest int64 where it has no such bound.
	From, Until int64
}

// AgentsOf returns the entries that cover a property of a publisher, or any of its
// properties if property is empty, whatever else they are limited to. They are in
// the order of the file.
func (x *Index) AgentsOf(publisher, property string) []Claim {
	return x.claims(publisher, property, func(*decider, []uint32) bool { return true })
}

// Exclusive returns the entries that claim to be the only way to a property of a
// publisher, or to any of its properties if property is empty, in a country at an
// instant in seconds since 1970. An empty country stands for any. If there are
// several, or another agent is authorized too, the publisher contradicts itself.
func (x *Index) Exclusive(publisher, property, country string, at int64) []Claim {
	return x.claims(publisher, property, func(j *decider, r []uint32) bool {
		j.q.At = at
		if r[entryFlags]&flagExclusive == 0 || !j.inTime(r) {
			return false
		}
		return country == "" || r[entryFlags]&flagCountries == 0 ||
			len(country) == 2 && contains(j.b.list(r[entryCountries:]), countryWord(country))
	})
}

func (x *Index) claims(publisher, property string, keep func(*decider, []uint32) bool) []Claim {
	s := x.find(publisher)
	if s == nil || s.block.words == nil {
		return nil
	}
	j := &decider{b: &s.block, q: &Query{Publisher: publisher, Property: property}, own: s.own}
	candidates := j.candidates()
	var out []Claim
	for e := range s.block.words[entryCount] {
		r := s.block.entry(e)
		if keep(j, r) && j.coversOne(e, r, candidates) {
			out = append(out, s.block.claim(r))
		}
	}
	slices.SortFunc(out, func(a, b Claim) int { return int(a.Entry) - int(b.Entry) })
	return out
}

// candidates returns the properties that the query is about, or nil if it names none.
func (j *decider) candidates() []uint32 {
	if j.q.Property == "" {
		return nil
	}
	out := []uint32{}
	hash := mix(hashOf(j.q.Property), uint64(j.own.from))
	const width = idCells + 1
	tag := uint32(hash)
	for rows := j.b.bucket(idsTable, hash); len(rows) >= width; rows = rows[width:] {
		n := rows[1]
		if rows[0] == tag && j.own.from <= n && n < j.own.to && j.about(j.b.property(n)) {
			out = append(out, n)
		}
	}
	return out
}

// coversOne reports whether an entry covers one of the candidates, or of all
// properties of the publisher if there is no list of candidates.
func (j *decider) coversOne(e uint32, r, candidates []uint32) bool {
	if candidates == nil {
		return j.coversSome(e, r)
	}
	return slices.ContainsFunc(candidates, func(n uint32) bool { return j.coversNumber(e, r, n) })
}

func (j *decider) coversNumber(e uint32, r []uint32, n uint32) bool {
	p := j.b.property(n)
	return j.covers(e, r, p, j.b.list(p[propertyKeys:]))
}

// coversSome reports whether an entry covers a property of the publisher.
func (j *decider) coversSome(e uint32, r []uint32) bool {
	if r[entryFlags]&flagNever != 0 || j.own.from == j.own.to {
		return false
	}
	if j.own.to-j.own.from >= manyProperties {
		return j.coversAny(r)
	}
	for n := j.own.from; n < j.own.to; n++ {
		if j.coversNumber(e, r, n) {
			return true
		}
	}
	return false
}

func (b *block) claim(r []uint32) Claim {
	flags := r[entryFlags]
	c := Claim{
		Agent: b.url(r), Entry: int32(r[entryNumber]), Exclusive: flags&flagExclusive != 0,
		From: math.MinInt64, Until: math.MaxInt64,
	}
	if flags&flagCountries != 0 {
		c.Limits |= NeedsCountry
	}
	if flags&flagCollection != 0 {
		c.Limits |= NeedsCollection
	}
	if flags&flagsPlaced != 0 {
		c.Limits |= NeedsPlacement
	}
	if flags&flagFrom != 0 {
		c.From = seconds(r[entryFrom:])
	}
	if flags&flagUntil != 0 {
		c.Until = seconds(r[entryUntil:])
	}
	return c
}

// A Selected is a property that an entry selects.
type Selected struct {
	// PublisherDomain is whose the property is. If that is not the publisher asked
	// about, this is a claim of whoever serves the file.
	PublisherDomain string
	PropertyID      string
	// Entry is the number of the first entry in authorized_agents that selects it.
	Entry int32
}

// PropertiesOf returns what the entries of an agent select in the file that speaks
// for a publisher, as far as the properties are in that file, whoever they belong
// to. Time and place do not matter. It takes one pass over the properties.
func (x *Index) PropertiesOf(publisher, agent string) []Selected {
	s := x.find(publisher)
	if s == nil || s.block.words == nil {
		return nil
	}
	entries, _ := s.block.agent(agent, hashOf(agent))
	j := &decider{b: &s.block, q: &Query{}, entries: entries}
	var out []Selected
	const width = ownerCells + 1
	for rows := table(s.block.words[ownersTable]).all(s.block.words); len(rows) >= width; rows = rows[width:] {
		j.own = span{rows[3], rows[4]}
		out = j.selected(out, s.block.str(rows[1:]))
	}
	return out
}

// selected adds the properties of one owner.
func (j *decider) selected(out []Selected, owner string) []Selected {
	for n := j.own.from; n < j.own.to; n++ {
		first := none
		for e := j.entries.from; e < j.entries.to; e++ {
			r := j.b.entry(e)
			if r[entryNumber] < first && r[entryFlags]&flagNever == 0 && j.coversNumber(e, r, n) {
				first = r[entryNumber]
			}
		}
		if first != none {
			out = append(out, Selected{owner, j.b.str(j.b.property(n)[propertyID:]), int32(first)})
		}
	}
	return out
}

// PublishersOf returns the publishers whose file has an entry of the agent that
// covers one of their properties, whatever else it is limited to, in alphabetical
// order. The first call after a part of the index has changed takes longer.
func (x *Index) PublishersOf(agent string) []string {
	hash := hashOf(agent)
	var out []string
	for _, s := range x.shards {
		s.once.Do(s.invert)
		out = s.publishersOf(out, agent, hash)
	}
	slices.Sort(out)
	return out
}

// An inverse finds the blocks that list an agent, and the publishers of a block.
type inverse struct {
	words  []uint32
	agents table // number of the block
	blocks []listed
}

type listed struct {
	block *block
	slots []uint32
}

func (s *shard) invert() {
	v := &inverse{}
	numbers := make(map[*uint32]uint32) // by where the block is
	var rows []row
	for i := range s.slots {
		b := &s.slots[i].block
		if b.words == nil {
			continue
		}
		n, ok := numbers[&b.words[0]]
		if !ok {
			n = uint32(len(v.blocks))
			numbers[&b.words[0]] = n
			v.blocks = append(v.blocks, listed{block: b})
			rows = b.agentRows(rows, n)
		}
		v.blocks[n].slots = append(v.blocks[n].slots, uint32(i))
	}
	v.words, v.agents = addTable(nil, rows, 1)
	s.inverse = v
}

// agentRows adds a row for each agent of a block that has entries.
func (b *block) agentRows(rows []row, number uint32) []row {
	const width = agentCells + 1
	for list := table(b.words[agentsTable]).all(b.words); len(list) >= width; list = list[width:] {
		if list[3] < list[4] {
			rows = append(rows, row{hashOf(b.str(list[1:])), [5]uint32{number}})
		}
	}
	return rows
}

func (s *shard) publishersOf(out []string, agent string, hash uint64) []string {
	const width = 2
	tag := uint32(hash)
	for rows := s.inverse.agents.bucket(s.inverse.words, hash); len(rows) >= width; rows = rows[width:] {
		if rows[0] != tag {
			continue
		}
		l := &s.inverse.blocks[rows[1]]
		entries, _ := l.block.agent(agent, hash)
		for _, i := range l.slots {
			if s.slots[i].authorizes(entries) {
				out = append(out, s.slots[i].name)
			}
		}
	}
	return out
}

// authorizes reports whether some of the entries cover a property of the publisher.
func (s *slot) authorizes(entries span) bool {
	j := &decider{b: &s.block, q: &Query{}, own: s.own}
	for e := entries.from; e < entries.to; e++ {
		if j.coversSome(e, s.block.entry(e)) {
			return true
		}
	}
	return false
}
