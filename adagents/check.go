package adagents

import "github.com/avow-project/avow/internal/std/jsontree"

// Check reads a file and applies every rule. It never fails: a file that is
// not even JSON gives a report that says so. The report keeps src, which must
// not be changed afterwards.
func Check(src []byte, opt Options) *Report {
	return (&checker{content: content{opt: opt}}).check(src)
}

// Parse reads a file for use: the usable content, with non-conforming entries
// left out. The error is an *Unusable when the file must not be used, which
// includes a pointer file: use Check to follow those.
func Parse(src []byte) (*File, error) {
	r := Check(src, Options{})
	if r.Unusable != nil {
		return nil, r.Unusable
	}
	if r.File == nil {
		return nil, &PointerError{Location: r.Pointer.AuthoritativeLocation}
	}
	return r.File, nil
}

// PointerError is what Parse returns for a pointer file.
type PointerError struct {
	Location string
}

// Error names the authoritative location.
func (e *PointerError) Error() string {
	return "the file only points to " + e.Location
}

// checker is one check of one file.
type checker struct {
	content
	findings findings
	report   *Report
	// thorough applies the rules to properties in order, too; for the test of the fast path.
	thorough bool
}

func (c *checker) check(src []byte) *Report {
	c.report = new(Report)
	c.prepare()
	tree, err := jsontree.Parse(src, jsontree.Options{MaxBytes: c.opt.MaxBytes, MaxValues: c.opt.MaxValues, Names: names})
	if err != nil {
		c.unreadable(src, err)
		return c.report
	}
	c.tree = tree
	c.report.tree = tree
	c.document()
	skips := c.skips()
	c.assemble()
	c.report.byDomain = c.byDomain
	c.usable(skips)
	return c.report
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
