package adagents

// A small file can be built to have two faults for every byte or two. Nobody
// reads a million findings and their texts take hundreds of megabytes, so only
// so many that are alike are listed. The rest is counted, and their effects on
// entries are the same as if they were listed.

const (
	// defaultFindings is how many findings of one rule are listed.
	defaultFindings = 10_000
	// manyRules and fewEach lower that for files that break a great many rules:
	// from manyRules times the limit on, each rule gets a part of it only.
	manyRules = 10
	fewEach   = 100
)

// likeness is what findings have in common that count as alike. Rules vary
// their severity and effect, and a thousand remarks must not hide an error.
type likeness struct {
	rule   *Rule
	sev    Severity
	effect Effect
}

// tally counts findings that are alike.
type tally struct {
	each  map[likeness]*quota
	total int
	// unlisted are the values whose findings are counted only.
	unlisted nodeSet
}

// quota is what is known of findings that are alike.
type quota struct {
	listed int
	last   int // one more than the index of the last one listed
}

func (t *tally) of(l likeness) *quota {
	if t.each == nil {
		t.each = make(map[likeness]*quota)
	}
	q := t.each[l]
	if q == nil {
		q = new(quota)
		t.each[l] = q
	}
	return q
}

// admit reports whether one more finding is to be listed, as the one with the
// given index.
func (t *tally) admit(l likeness, limit, index int) bool {
	if limit == 0 {
		limit = defaultFindings
	}
	if t.total >= manyRules*limit {
		limit = max(limit/fewEach, 1)
	}
	q := t.of(l)
	if q.listed >= limit {
		return false
	}
	q.listed++
	q.last = index + 1
	t.total++
	return true
}

// room reports whether the finding about to be added is to be listed, and
// counts it when it is not. The first that ends the use of a file always is.
func (c *run) room(node uint32, s Severity, e Effect) bool {
	l := likeness{c.rule, s, e}
	if c.tally.admit(l, c.opt.MaxFindings, len(c.found)) || e == AbortFile && !c.aborted {
		return true
	}
	c.omit(l, node)
	return false
}

// omit counts a finding that is not listed with the last one that is.
func (c *run) omit(l likeness, node uint32) {
	t := &c.tally
	if t.unlisted == nil {
		t.unlisted = make(nodeSet, c.tree.Len()/64+1)
	}
	t.unlisted.add(node)
	last := t.of(l).last
	c.found[last-1].more++
	if c.fate != nil {
		c.fate.sufferBecause(l.effect, last)
	}
}

// further counts n more findings like the one that the current rule has just
// reported.
func (c *run) further(n uint32) {
	if n == 0 {
		return
	}
	last := c.tally.of(likeness{c.rule, c.rule.severity(c.opt.Profile), c.rule.Effect}).last
	if last > 0 {
		c.found[last-1].more += n
	}
}

// reason says why an entry is left out. A finding that stands for others is
// about another entry, so the rule speaks in its place.
func (f *found) reason() string {
	if f.more > 0 {
		return f.rule.Title
	}
	return f.msg
}
