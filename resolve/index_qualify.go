package resolve

// judge compares an entry with the query on one property, and reports whether the
// entry covers it, or would.
func (j *decider) judge(e uint32, p *property) bool {
	r := j.b.entry(e)
	if r[entryFlags]&flagsTime != 0 && !j.inTime(r) {
		j.reach(stepOutsideWindow)
		return false
	}
	keys := j.b.list(p[propertyKeys:])
	if !j.covers(e, r, p, keys) {
		j.reach(stepNotCovered)
		return false
	}
	needs, failed := j.qualified(r)
	if failed == 0 {
		needs, failed = j.inPlace(r, keys, needs)
	}
	if failed != 0 {
		j.reach(failed)
		return false
	}
	j.grant(r, needs)
	return true
}

// covers reports whether an entry selects a property.
func (j *decider) covers(e uint32, r *claimed, p *property, keys list) bool {
	how := r[entryFlags] & scopeMask
	if how == byInline {
		return p[propertyInline] == e
	}
	if p[propertyInline] != none {
		return false
	}
	switch how {
	case bySelectors:
		return j.selects(e, keys)
	case byIDs:
		// The key of the id, if there is one, is the first.
		return keys.n > 0 && keys.at(0) < tagKey && j.b.list(r[entryScope:]).contains(keys.at(0))
	}
	return overlap(j.b.list(r[entryScope:]), keys)
}

// selects reports whether a selector of an entry takes a property of the publisher.
func (j *decider) selects(e uint32, keys list) bool {
	for from, to := j.selectors(e); from < to; from++ {
		s := j.b.selector(from)
		if s[1] == allKeys || overlap(j.b.list(s[:]), keys) {
			return true
		}
	}
	return false
}

// selectors returns where the places of the selectors of an entry that name the
// publisher are.
func (j *decider) selectors(e uint32) (uint32, uint32) {
	first := j.own.from - j.named
	entries := j.b.listAt(first-j.named, j.named)
	from := entries.search(e)
	to := from
	for to < entries.n && entries.at(to) == e {
		to++
	}
	return first + from, first + to
}

const flagsTime = flagNever | flagFrom | flagUntil

func (j *decider) inTime(r *claimed) bool {
	flags := r[entryFlags]
	return flags&flagNever == 0 &&
		(flags&flagFrom == 0 || j.q.At >= seconds(r[entryFrom:])) &&
		(flags&flagUntil == 0 || j.q.At <= seconds(r[entryUntil:]))
}

// qualified compares country and collection. It returns what the query lacks, and
// the step that failed or 0.
func (j *decider) qualified(r *claimed) (Needs, Step) {
	flags, needs := r[entryFlags], Needs(0)
	if flags&flagCountries != 0 {
		switch {
		case j.q.Country == "":
			needs |= NeedsCountry
		case !j.b.list(r[entryCountries:]).contains(j.country):
			return 0, stepCountry
		}
	}
	if flags&flagCollection != 0 {
		listed := j.b.list(r[entryCollections:])
		switch {
		case listed.n == 0:
			return 0, stepCollection
		case j.q.Collection == "":
			needs |= NeedsCollection
		case !j.listsProgram(listed):
			return 0, stepCollection
		}
	}
	return needs, 0
}

// fewListed is the length up to which the names in a list are compared one by one,
// which is quicker than a table.
const fewListed = 4

// listsProgram reports whether the collection asked about is in a list.
func (j *decider) listsProgram(listed list) bool {
	if listed.n > fewListed {
		return listed.contains(j.program())
	}
	for i := range listed.n {
		program := j.b.program(listed.at(i))
		if j.b.is(program[programID:], j.q.Collection) && j.b.is(program[programDomain:], j.programDomain()) {
			return true
		}
	}
	return false
}

const flagsPlaced = flagPlaceIDs | flagPlaceTags

// inPlace compares placements, for a property with the given keys.
func (j *decider) inPlace(r *claimed, keys list, needs Needs) (Needs, Step) {
	limited := r[entryFlags]&flagsPlaced != 0
	if j.q.Placement == "" {
		switch {
		case !limited:
			return needs, 0
		case !j.somewhere(r, keys):
			return 0, stepNoPlacement
		}
		return needs | NeedsPlacement, 0
	}
	one := j.among(r)
	if one == nil {
		one = j.placement()
		switch {
		case one == nil && j.b.word(doubtfulPlaces) != 0, one != nil && one[placedID]&placedLeftOut != 0:
			return 0, stepPlacementLeftOut
		case one == nil && limited:
			return 0, stepPlacementUnknown
		case one == nil:
			return needs, 0
		case !j.admits(r, one):
			return 0, stepPlacementNotListed
		}
	}
	switch {
	case one[placedID]&placedLeftOut != 0:
		return 0, stepPlacementLeftOut
	case !overlap(j.b.list(one[placedKeys:]), keys):
		return 0, stepPlacementElsewhere
	case one[placedProgLen] != 0 && !j.inProgram(r, one):
		return 0, stepPlacementProgram
	}
	return needs, 0
}

// among returns the placement asked about if it is in the list of an entry and that
// is short, or nil.
func (j *decider) among(r *claimed) *placed {
	listed := j.b.list(r[entryPlacements:])
	if listed.n > fewListed {
		return nil
	}
	for i := range listed.n {
		one := j.b.place(listed.at(i))
		if j.b.is(one[placedName:], j.q.Placement) {
			return one
		}
	}
	return nil
}

// admits reports whether the lists of an entry let a placement through.
func (j *decider) admits(r *claimed, one *placed) bool {
	switch r[entryFlags] & flagsPlaced {
	case 0:
		return true
	case flagPlaceTags:
		return overlap(j.b.list(r[entryTags:]), j.b.list(one[placedTags:]))
	}
	return j.b.list(r[entryPlacements:]).contains(one[placedID])
}

// inProgram reports whether a placement can run in a collection that counts.
func (j *decider) inProgram(r *claimed, one *placed) bool {
	if r[entryFlags]&flagCollection == 0 || one[placedProgLen] == 0 {
		return true
	}
	own := j.b.list(one[placedPrograms:])
	if j.q.Collection != "" {
		return j.ownProgram(j.program(), own)
	}
	all := j.b.list(r[entryCollections:])
	for i := range all.n {
		if j.ownProgram(all.at(i), own) {
			return true
		}
	}
	return false
}

// ownProgram reports whether a collection is the publisher's and among the ids.
func (j *decider) ownProgram(n uint32, ids list) bool {
	program := j.b.program(n)
	return j.b.is(program[programDomain:], j.q.Publisher) && ids.contains(program[programNumber])
}

// somewhere reports whether any placement that an entry is limited to runs on a
// property.
func (j *decider) somewhere(r *claimed, keys list) bool {
	if r[entryFlags]&flagPlaceIDs != 0 {
		return j.fitsAny(r, keys, j.b.list(r[entryPlacements:]))
	}
	tags := j.b.list(r[entryTags:])
	for i := range tags.n {
		if j.fitsAny(r, keys, j.b.tagged(tags.at(i))) {
			return true
		}
	}
	return false
}

// fitsAny reports whether one of the placements with the given numbers fits.
func (j *decider) fitsAny(r *claimed, keys, numbers list) bool {
	for i := range numbers.n {
		if j.fits(r, keys, j.b.place(numbers.at(i))) {
			return true
		}
	}
	return false
}

func (j *decider) fits(r *claimed, keys list, one *placed) bool {
	return j.admits(r, one) && overlap(j.b.list(one[placedKeys:]), keys) && j.inProgram(r, one)
}

// anyProperty judges every entry on the publisher's properties until one is covered.
// What an entry needs is the same on all of them.
func (j *decider) anyProperty() {
	for e := j.entries.from; e < j.entries.to && !j.settled(e); e++ {
		if !j.anyByKey(e) {
			j.anyInTurn(e)
		}
	}
}

func (j *decider) anyInTurn(e uint32) {
	for at := j.own.from; at < j.own.to; at += j.b.word(at) {
		p := j.b.property(at)
		if j.about(p) && j.judge(e, p) {
			return
		}
	}
}

// anyByKey judges an entry without looking at every property. It reports false when
// that cannot be done, because there are few, or because it matters which property
// is covered.
func (j *decider) anyByKey(e uint32) bool {
	r := j.b.entry(e)
	if !j.many || j.q.PropertyType != "" || j.q.Placement != "" && (j.placement() != nil || j.b.word(doubtfulPlaces) != 0) || r[entryFlags]&flagsPlaced != 0 {
		return false
	}
	if !j.inTime(r) {
		j.reach(stepOutsideWindow)
		return true
	}
	if !j.coversAny(e, r) {
		j.reach(stepNotCovered)
		return true
	}
	needs, failed := j.qualified(r)
	if failed != 0 {
		j.reach(failed)
	} else {
		j.grant(r, needs)
	}
	return true
}

// coversAny reports whether an entry selects any property of a publisher with many.
func (j *decider) coversAny(e uint32, r *claimed) bool {
	switch r[entryFlags] & scopeMask {
	case byInline:
		inline := j.b.list(r[entryScope:])
		i := inline.search(j.own.from)
		return i < inline.n && inline.at(i) < j.own.to
	case bySelectors:
		for from, to := j.selectors(e); from < to; from++ {
			s := j.b.selector(from)
			if s[1] == allKeys && j.declared() || s[1] != allKeys && j.hasAny(j.b.list(s[:])) {
				return true
			}
		}
		return false
	}
	return j.hasAny(j.b.list(r[entryScope:]))
}

// declared reports whether the publisher has a property at the top level of the
// file. Those come before the ones that entries declare themselves.
func (j *decider) declared() bool { return j.b.property(j.own.from)[propertyInline] == none }

// hasAny reports whether a property of the publisher has one of the keys.
func (j *decider) hasAny(keys list) bool {
	for i := range keys.n {
		if j.hasKey(keys.at(i)) {
			return true
		}
	}
	return false
}

func (j *decider) hasKey(key uint32) bool {
	hash := pairHash(j.own.from, key)
	const width = pairCells + 1
	tag := uint32(hash)
	for rows := j.b.bucket(pairsTable, hash); rows.n >= width; rows = rows.from(width) {
		if row := (*[width]uint32)(rows.first); row[0] == tag && row[1] == j.own.from && row[2] == key {
			return true
		}
	}
	return false
}
