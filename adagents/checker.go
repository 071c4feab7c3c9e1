package adagents

import (
	"slices"

	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/model"
)

// checker is one check of one file.
type checker struct {
	content
	findings findings
	report   *Report
	names    nameUses // for fixes
	// thorough applies the rules to properties in order, too; for the test of the fast path.
	thorough bool
}

// rule is a Rule with the function that looks for it in one kind of object.
type rule[T any] struct {
	Rule
	check func(r reporter, x T)
	// objects keeps it away from list items that are no objects.
	objects bool
}

// apply runs rules over one entry. e is where their effects go; nil for the file as a whole.
func apply[T any](c *checker, rules []rule[T], x T, e *effect) {
	item, ok := any(x).(interface{ isObject() bool })
	object := !ok || item.isObject()
	for i := range rules {
		if r := &rules[i]; object || !r.objects {
			r.check(reporter{&c.content, &c.findings, &r.Rule, e}, x)
		}
	}
}

// onObjects joins lists of rules and keeps them away from list items that are
// no objects, which have a rule of their own.
func onObjects[T interface{ isObject() bool }](lists ...[]rule[T]) []rule[T] {
	all := slices.Concat(lists...)
	for i := range all {
		all[i].objects = true
	}
	return all
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
