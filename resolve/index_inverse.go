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
	return x.claims(publisher, property, func(*decider, *claimed) bool { return true })
}

// Exclusive returns the entries that claim to be the only way to a property of a
// publisher, or to any of its properties if property is empty, in a country at an
// instant in seconds since 1970. An empty country stands for any. If there are
// several, or another agent is authorized too, the publisher contradicts itself.
func (x *Index) Exclusive(publisher, property, country string, at int64) []Claim {
	return x.claims(publisher, property, func(j *decider, r *claimed) bool {
		j.q.At = at
		if r[entryFlags]&flagExclusive == 0 || !j.inTime(r) {
			return false
		}
		return country == "" || r[entryFlags]&flagCountries == 0 ||
			len(country) == 2 && j.b.list(r[entryCountries:]).contains(countryWord(country))
	})
}

func (x *Index) claims(publisher, property string, keep func(*decider, *claimed) bool) []Claim {
	s := x.find(publisher)
	if s == nil || s.words == nil {
		return nil
	}
	j := &decider{b: blockAt(s.words), q: &Query{Publisher: publisher, Property: property}}
	kind := uint32(groupFew)
	if s.group != 0 {
		kind = j.open(s.group)
	}
	candidates := j.candidates(kind)
	var out []Claim
	for e := range j.b.word(entryCount) {
		r := j.b.entry(e)
		if keep(j, r) && j.coversOne(e, r, candidates) {
			out = append(out, j.b.claim(r))
		}
	}
	slices.SortFunc(out, func(a, b Claim) int { return int(a.Entry) - int(b.Entry) })
	return out
}

// candidates returns the properties that the query is about, or nil if it names none.
func (j *decider) candidates(kind uint32) []uint32 {
	if j.q.Property == "" {
		return nil
	}
	out := []uint32{}
	if kind == groupFew {
		for at := j.own.from; at < j.own.to; at += j.b.word(at) {
			if j.about(j.b.property(at)) {
				out = append(out, at)
			}
		}
		return out
	}
	hash := mix(hashOf(j.q.Property), uint64(j.own.from))
	const width = idCells + 1
	tag := uint32(hash)
	for rows := j.b.bucket(idsTable, hash); rows.n >= width; rows = rows.from(width) {
		if row := (*[width]uint32)(rows.first); row[0] == tag && j.owns(row[1]) && j.about(j.b.property(row[1])) {
			out = append(out, row[1])
		}
	}
	return out
}

// coversOne reports whether an entry covers one of the candidates, or of all
// properties of the publisher if there is no list of candidates.
func (j *decider) coversOne(e uint32, r *claimed, candidates []uint32) bool {
	if candidates == nil {
		return j.coversSome(e, r)
	}
	return slices.ContainsFunc(candidates, func(at uint32) bool { return j.coversAt(e, r, at) })
}

func (j *decider) coversAt(e uint32, r *claimed, at uint32) bool {
	p := j.b.property(at)
	return j.covers(e, r, p, j.b.list(p[propertyKeys:]))
}

// coversSome reports whether an entry covers a property of the publisher.
func (j *decider) coversSome(e uint32, r *claimed) bool {
	if r[entryFlags]&flagNever != 0 || j.own.from == j.own.to {
		return false
	}
	if j.many {
		return j.coversAny(e, r)
	}
	for at := j.own.from; at < j.own.to; at += j.b.word(at) {
		if j.coversAt(e, r, at) {
			return true
		}
	}
	return false
}

func (b block) claim(r *claimed) Claim {
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
	if s == nil || s.words == nil {
		return nil
	}
	j := &decider{b: blockAt(s.words), q: &Query{}}
	j.entries, _ = j.b.agent(agent)
	if j.entries.from == j.entries.to {
		return nil
	}
	var out []Selected
	for group := j.b.word(groupsAt); group < j.b.word(groupsEndAt); group = j.own.to {
		j.open(group)
		out = j.selected(out, j.b.groupName(group))
	}
	return out
}

// selected adds the properties of one owner.
func (j *decider) selected(out []Selected, owner string) []Selected {
	for at := j.own.from; at < j.own.to; at += j.b.word(at) {
		first := none
		for e := j.entries.from; e < j.entries.to; e++ {
			r := j.b.entry(e)
			if r[entryNumber] < first && r[entryFlags]&flagNever == 0 && j.coversAt(e, r, at) {
				first = r[entryNumber]
			}
		}
		if first != none {
			out = append(out, Selected{owner, j.b.str(j.b.property(at)[propertyID:]), int32(first)})
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
	// agents has the number of the block. It is the only table in a block of its own.
	table  block
	agents table
	blocks []listed
}

type listed struct {
	block *uint32
	slots []uint32
}

func (s *shard) invert() {
	v := &inverse{}
	numbers := make(map[*uint32]uint32) // by where the block is
	var rows []row
	for i := range s.slots {
		first := s.slots[i].words
		if first == nil {
			continue
		}
		n, ok := numbers[first]
		if !ok {
			n = uint32(len(v.blocks))
			numbers[first] = n
			v.blocks = append(v.blocks, listed{block: first})
			b := blockAt(first)
			rows = b.agentRows(rows, n)
		}
		v.blocks[n].slots = append(v.blocks[n].slots, uint32(i))
	}
	words, agents := addTable(make([]uint32, 1), rows, 1)
	words = extend(words, 1) // as the compiler does
	words[0] = uint32(len(words))
	v.table, v.agents = blockAt(&words[0]), agents
	s.inverse = v
}

// agentRows adds a row for each agent of a block that has entries.
func (b block) agentRows(rows []row, number uint32) []row {
	const width = agentCells + 1
	for list := b.all(table(b.word(agentsTable))); list.n >= width; list = list.from(width) {
		if one := (*[width]uint32)(list.first); one[3] < one[4] {
			rows = append(rows, row{hashOf(b.str(one[1:])), [5]uint32{number}})
		}
	}
	return rows
}

func (s *shard) publishersOf(out []string, agent string, hash uint64) []string {
	const width = 2
	tag := uint32(hash)
	for rows := s.inverse.table.rows(s.inverse.agents.bucket(hash)); rows.n >= width; rows = rows.from(width) {
		if rows.at(0) != tag {
			continue
		}
		l := &s.inverse.blocks[rows.at(1)]
		j := &decider{b: blockAt(l.block), q: &Query{}}
		j.entries, _ = j.b.agent(agent)
		for _, i := range l.slots {
			if j.authorizes(s.slots[i].group) {
				out = append(out, s.nameOf(&s.slots[i]))
			}
		}
	}
	return out
}

// authorizes reports whether some of the entries cover a property in a group.
func (j *decider) authorizes(group uint32) bool {
	if group == 0 {
		return false
	}
	j.open(group)
	for e := j.entries.from; e < j.entries.to; e++ {
		if j.coversSome(e, j.b.entry(e)) {
			return true
		}
	}
	return false
}
