package adagents

import (
	"fmt"
	"slices"

	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/model"
)

// reporter reports the findings of one rule about one entry.
type reporter struct {
	*content
	out  *findings
	rule *Rule
	// effect is what the rules have decided about the entry; nil at file level.
	effect *effect
}

// findings are what the rules have reported so far.
type findings struct {
	list    []rawFinding
	limits  limits
	aborted bool // the file is unusable
	losses  bool // some entry or reference is left out
}

// rawFinding is a finding before its location is turned into text. A file may yield a
// million of them, so they are small and the locations are computed in one sweep.
type rawFinding struct {
	rule    *Rule
	node    uint32
	sev     Severity
	effect  Effect
	spot    uint32 // a node inside whose location is shown instead; 0 for none
	more    uint32 // findings like this one that are not listed
	missing string // name of the absent member
	msg     string
	hint    string
}

// withHint gives the finding its own advice. A finding that is not listed is nil.
func (f *rawFinding) withHint(hint string, args ...any) {
	if f == nil {
		return
	}
	if len(args) > 0 {
		hint = fmt.Sprintf(hint, args...)
	}
	f.hint = hint
}

// withSeverity gives the finding another severity than its rule's.
func (f *rawFinding) withSeverity(s Severity) {
	if f != nil {
		f.sev = s
	}
}

// shownAt names a node inside the value whose location is shown instead.
func (f *rawFinding) shownAt(node uint32) {
	if f != nil {
		f.spot = node
	}
}

// lose gives an entry an effect without a finding of its own.
func (o *findings) lose(x *effect, e Effect) {
	x.raise(e, 0)
	o.losses = o.losses || e > NoEffect
}

// severity returns the rule's own severity.
func (r reporter) severity() Severity { return r.rule.severity(r.opt.Profile) }

// say reports the rule at a value.
func (r reporter) say(at Value, msg string, args ...any) *rawFinding {
	return r.add(at.Node(), r.severity(), r.rule.Effect, "", msg, args)
}

// sayAs reports the rule with another severity than its own and without its
// effect.
func (r reporter) sayAs(s Severity, at Value, msg string, args ...any) *rawFinding {
	return r.add(at.Node(), s, NoEffect, "", msg, args)
}

// sayWith reports the rule with another severity and effect than its own.
func (r reporter) sayWith(s Severity, e Effect, at Value, msg string, args ...any) *rawFinding {
	return r.add(at.Node(), s, e, "", msg, args)
}

// missing reports the rule about a member that owner should have.
func (r reporter) missing(owner Value, member, msg string, args ...any) *rawFinding {
	return r.add(owner.Node(), r.severity(), r.rule.Effect, member, msg, args)
}

// sayOf reports the rule at a member of owner: at its value when present, as
// missing otherwise.
func (r reporter) sayOf(owner, value Value, member, msg string, args ...any) *rawFinding {
	if value.Exists() {
		return r.say(value, msg, args...)
	}
	return r.missing(owner, member, msg, args...)
}

// lose gives the entry an effect without a finding.
func (r reporter) lose(e Effect) { r.out.lose(r.effect, e) }

func (r reporter) add(node uint32, s Severity, e Effect, missing, msg string, args []any) *rawFinding {
	out := r.out
	listed := r.listed(node, s, e)
	out.aborted = out.aborted || e == AbortFile
	out.losses = out.losses || e > NoEffect
	if !listed {
		return nil
	}
	if len(args) > 0 {
		msg = fmt.Sprintf(msg, args...)
	}
	if len(out.list) == cap(out.list) {
		// Twice the room each time: the usual growth of long slices copies a
		// million findings several times over.
		out.list = slices.Grow(out.list, len(out.list)+16)
	}
	out.list = append(out.list, rawFinding{rule: r.rule, node: node, sev: s, effect: e, missing: missing, msg: msg})
	if r.effect != nil {
		r.effect.raise(e, len(out.list))
	}
	return &out.list[len(out.list)-1]
}

// A small file can be built to have two faults for every byte or two. The texts of a
// million findings take hundreds of megabytes, so the number of similar findings is
// limited. The rest is counted, and their effects on entries are the same as if they
// were listed.

const (
	// defaultFindings is how many findings of one rule are listed.
	defaultFindings = 10_000
	// manyRules and fewEach lower that for files that break a great many rules:
	// from manyRules times the limit on, each rule gets a part of it only.
	manyRules = 10
	fewEach   = 100
)

// findingKind is what findings that are alike have in common. Rules vary
// their severity and effect, and a thousand remarks must not hide an error.
type findingKind struct {
	rule   *Rule
	sev    Severity
	effect Effect
}

// limits counts findings that are alike.
type limits struct {
	each  map[findingKind]*quota
	total int
	// unlisted are the values whose findings are counted only.
	unlisted nodeSet
}

// quota is what is known of findings that are alike.
type quota struct {
	listed int
	last   int // one more than the index of the last one listed
}

func (t *limits) of(l findingKind) *quota {
	if t.each == nil {
		t.each = make(map[findingKind]*quota)
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
func (t *limits) admit(l findingKind, limit, index int) bool {
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

// listed reports whether the finding about to be added is to be listed, and
// counts it when it is not. The first that ends the use of a file always is.
func (r reporter) listed(node uint32, s Severity, e Effect) bool {
	k := findingKind{r.rule, s, e}
	if r.out.limits.admit(k, r.opt.MaxFindings, len(r.out.list)) || e == AbortFile && !r.out.aborted {
		return true
	}
	r.omit(k, node)
	return false
}

// omit counts a finding that is not listed with the last one that is.
func (r reporter) omit(k findingKind, node uint32) {
	l := &r.out.limits
	if l.unlisted == nil {
		l.unlisted = make(nodeSet, r.tree.Len()/64+1)
	}
	l.unlisted.add(node)
	last := l.of(k).last
	r.out.list[last-1].more++
	if r.effect != nil {
		r.effect.raise(k.effect, last)
	}
}

// further counts n more findings like the one that the rule has just reported.
func (r reporter) further(n uint32) {
	if n == 0 {
		return
	}
	last := r.out.limits.of(findingKind{r.rule, r.severity(), r.rule.Effect}).last
	if last > 0 {
		r.out.list[last-1].more += n
	}
}

// reason says why an entry is left out. A finding that stands for others is
// about another entry, so the title of the rule has to do.
func (f *rawFinding) reason() string {
	if f.more > 0 {
		return f.rule.Title
	}
	return f.msg
}

// nodeSet is a set of nodes as a bitmap: a hostile file has a million findings.
type nodeSet []uint64

func (s nodeSet) has(n uint32) bool { return s != nil && s[n/64]&(1<<(n%64)) != 0 }

func (s nodeSet) add(n uint32) {
	if s != nil {
		s[n/64] |= 1 << (n % 64)
	}
}

// checker is one check of one file.
type checker struct {
	content
	findings findings
	report   *Report
	names    nameUses // for fixes
	// thorough applies the rules to properties in order, too; for the test of the fast path.
	thorough bool
}

// rule is a Rule with the shapes that it is about, or with the function that looks for it in one
// kind of object. The lists of lists of them, in catalogue.go and with the rules, are put together
// by the compiler: joined ones would have to be copied whenever the program starts.
type rule[T any] struct {
	Rule
	shapes shapes
	// words are what people write for the known words of a member, for hints.
	words map[string]string
	check func(r reporter, x T)
}

// apply runs rules over one entry. e is where their effects go; nil for the file as a whole.
func apply[T any](c *checker, x T, e *effect, lists ...[]rule[T]) {
	var object subject // of shapes
	for _, rules := range lists {
		for i := range rules {
			r := reporter{&c.content, &c.findings, &rules[i].Rule, e}
			if rules[i].check != nil {
				rules[i].check(r, x)
				continue
			}
			if object.described == nil {
				object = any(x).(described).subject()
			}
			r.reportShapes(&object, rules[i].shapes, rules[i].words)
		}
	}
}

// applyToObject runs a list of rules over a list item, and the others if it is an object.
func applyToObject[T interface{ isObject() bool }](c *checker, x T, e *effect, always []rule[T], others [][]rule[T]) {
	apply(c, x, e, always)
	if x.isObject() {
		apply(c, x, e, others...)
	}
}

// isObject reports whether the entry is an object at all.
func (e *entry) isObject() bool { return e.Raw.Is(Object) }

// sayProblem reports the rule for a problem within the named member.
func (r reporter) sayProblem(name string, p conform.Problem) {
	if p.Missing != "" {
		r.missing(p.At, p.Missing, "%s", p.Sentence(name)).withHint("%s", p.MissingHint())
		return
	}
	r.say(p.At, "%s", p.Sentence(name)).withHint("%s", p.Hint)
}

// sayConform reports the rule for every way in which a value misses its type,
// and returns whether there is any.
func (r reporter) sayConform(name string, v Value, t *model.Type) bool {
	faulty := false
	conform.Check(v, t, func(p conform.Problem) {
		faulty = true
		r.sayProblem(name, p)
	})
	return faulty
}
