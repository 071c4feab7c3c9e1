package adagents

import (
	"fmt"
	"slices"
	"time"

	"github.com/avow-project/avow/internal/std/jsontree"
)

// A Role says how the file was reached, which changes what it may contain.
type Role uint8

// The roles.
const (
	// Direct: served at the publisher's own well-known path, or not known.
	Direct Role = iota
	// Authoritative: reached through a pointer.
	Authoritative
	// Manager: reached through an ads.txt MANAGERDOMAIN line.
	Manager
	// Mirror: a community mirror of a platform's catalog.
	Mirror
)

// Options tell the check what it cannot know from the bytes. The zero value
// checks a file on its own.
type Options struct {
	Profile Profile
	// Now is the time the file is judged at. The zero time leaves out the
	// rules that compare with the present.
	Now time.Time
	// Domain is the publisher the file is served for, as an A-label host
	// name. Empty leaves out the rules that compare with it.
	Domain string
	// URL is where the file was obtained. Empty leaves out the rules that
	// compare with it.
	URL  string
	Role Role
	// Scopes are the tasks the listed agents may perform, for example
	// "create_media_buy". Any mutating one makes pinned keys mandatory.
	Scopes []string
	// Relationships are the relationships that the operators' brand.json
	// files state, by agent URL.
	Relationships map[string]string
	// MaxBytes limits the size; zero means 20 MiB.
	MaxBytes int
	// MaxValues limits the number of JSON values; zero means 2,000,000.
	MaxValues int
	// MaxFindings limits the findings of one rule that are listed; zero means
	// 10,000. The last one listed says in More how many there are besides.
	// Verdict, counts and usable content do not depend on it.
	MaxFindings int

	// comparisons lowers the limit of comparisons of agents' slices, which a short
	// example could not reach. Zero means the default.
	comparisons int
	// longList lowers the number of property_ids from which tags are advised, likewise.
	longList int
	// inferred are the agent entries, in ascending order, whose scope Build worked out.
	inferred []int
}

// Check reads a file and applies every rule. It never fails: a file that is
// not even JSON gives a report that says so. The report keeps src, which must
// not be changed afterwards.
func Check(src []byte, opt Options) *Report {
	return (&run{opt: opt}).check(src)
}

func (c *run) check(src []byte) *Report {
	c.report = new(Report)
	opt := &c.opt
	c.prepare()
	tree, err := jsontree.Parse(src, jsontree.Options{MaxBytes: opt.MaxBytes, MaxValues: opt.MaxValues, Names: names})
	if err != nil {
		c.unreadable(src, err)
		return c.report
	}
	c.tree = tree
	c.report.tree = tree
	c.document()
	c.collectSkips()
	c.assemble()
	c.settle()
	return c.report
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

// fate collects what the rules decided about one entry.
type fate struct {
	effect Effect
	// cause is one more than the index of the finding that led to the effect,
	// in the order of discovery; zero when a rule decided without a finding.
	cause uint32
}

func (f *fate) sufferBecause(e Effect, cause int) {
	if e > f.effect {
		*f = fate{e, uint32(cause)}
	}
}

// lose lets an entry suffer an effect without a finding of its own.
func (c *run) lose(f *fate, e Effect) {
	f.sufferBecause(e, 0)
	c.losses = c.losses || e > NoEffect
}

// gone reports whether consumers leave the entry out.
func (f fate) gone() bool { return f.effect >= SkipEntry }

// run is one check of one file.
type run struct {
	opt    Options
	report *Report
	tree   *jsontree.Tree
	dec    decoder
	file   *File
	found  []found
	tally  tally
	said   int // findings, listed or not
	skips  []skip
	rule   *Rule // the rule being applied
	fate   *fate // of the entry being checked; nil at file level
	index  index
	agents agentState

	// What is being checked, for rules that need their surroundings.
	property *Property
	owner    owner      // the publisher of that property
	idents   []identity // what its identifiers say, in their order
	home     string     // registrable domain the file is served for
	agent    *Agent
	inline   bool // the property stands in an agent entry
	format   *FormatDeclaration
	place    *Placement
	option   *FormatOption // the placement's format option being checked
	tagMap   string        // "tags", "placement_tags" or "signal_tags"
	number   int           // index of the entry in its list
	unheard  found         // stands in for a finding that is not listed
	aborted  bool
	losses   bool // some entry or reference is left out
	thorough bool // take no glance for granted; for the test of the glance
}

// say reports the current rule at a value.
func (c *run) say(at Value, msg string, args ...any) *found {
	return c.add(at.Node(), c.rule.severity(c.opt.Profile), c.rule.Effect, "", msg, args)
}

// sayAs reports the current rule with another severity than its own and
// without its effect.
func (c *run) sayAs(s Severity, at Value, msg string, args ...any) *found {
	return c.sayWith(s, NoEffect, at, msg, args...)
}

// sayWith reports the current rule with another severity and effect than its
// own.
func (c *run) sayWith(s Severity, e Effect, at Value, msg string, args ...any) *found {
	return c.add(at.Node(), s, e, "", msg, args)
}

// missing reports the current rule about a member that owner should have.
func (c *run) missing(owner Value, member, msg string, args ...any) *found {
	return c.add(owner.Node(), c.rule.severity(c.opt.Profile), c.rule.Effect, member, msg, args)
}

// sayOf reports the current rule at a member of owner: at its value when
// present, as missing otherwise.
func (c *run) sayOf(owner, value Value, member, msg string, args ...any) *found {
	if value.Exists() {
		return c.say(value, msg, args...)
	}
	return c.missing(owner, member, msg, args...)
}

func (c *run) add(node uint32, s Severity, e Effect, missing, msg string, args []any) *found {
	c.said++
	if !c.room(node, s, e) {
		c.aborted = c.aborted || e == AbortFile
		c.losses = c.losses || e > NoEffect
		c.unheard = found{}
		return &c.unheard
	}
	if len(args) > 0 {
		msg = fmt.Sprintf(msg, args...)
	}
	if len(c.found) == cap(c.found) {
		// Twice the room each time: the usual growth of long slices copies a
		// million findings several times over.
		c.found = slices.Grow(c.found, len(c.found)+16)
	}
	c.found = append(c.found, found{rule: c.rule, node: node, sev: s, effect: e, missing: missing, msg: msg})
	if c.fate != nil {
		c.fate.sufferBecause(e, len(c.found))
	}
	c.aborted = c.aborted || e == AbortFile
	c.losses = c.losses || e > NoEffect
	return &c.found[len(c.found)-1]
}

// withHint gives the finding its own advice.
func (f *found) withHint(hint string, args ...any) {
	if len(args) > 0 {
		hint = fmt.Sprintf(hint, args...)
	}
	f.hint = hint
}

// apply runs rules over one entry. f is where their effects go.
func apply[T any](c *run, rules []rule[T], x T, f *fate) {
	outer := c.fate
	c.fate = f
	item, ok := any(x).(interface{ isObject() bool })
	object := !ok || item.isObject()
	for i := range rules {
		r := &rules[i]
		if object || !r.objects {
			c.rule = &r.Rule
			r.check(c, x)
		}
	}
	c.fate = outer
}
