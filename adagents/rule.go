package adagents

import "slices"

// A Severity says how serious a finding is for the author of the file.
type Severity uint8

// The severities. A file is valid when no finding is an Error. No finding is an Alert: that
// is an event about a file over time that somebody should look at now, see package custody.
const (
	Info Severity = iota + 1
	Warning
	Error
	Alert
)

var severityNames = [...]string{"", "info", "warning", "error", "alert"}

// String returns "info", "warning", "error" or "alert", and nothing for none.
func (s Severity) String() string { return severityNames[s] }

// ParseSeverity is the inverse of String.
func ParseSeverity(s string) (Severity, bool) {
	i := slices.Index(severityNames[1:], s)
	return Severity(i + 1), i >= 0
}

// An Effect says what a consumer of the file does about a finding. It is
// independent of the severity: a typing mistake in a contact is an error of
// the author's and costs the consumer nothing.
type Effect uint8

// The effects.
const (
	// NoEffect: the file is used as if the finding were not there.
	NoEffect Effect = iota
	// DropRef: the reference or list item is left out, its owner is used.
	DropRef
	// EmptyEntry: the agent entry authorizes nothing.
	EmptyEntry
	// SkipEntry: the property, placement, format, signal or agent is left
	// out, the rest of the file is used.
	SkipEntry
	// AbortFile: the file is unusable.
	AbortFile
)

var effectNames = [...]string{"none", "drop reference", "authorizes nothing", "skip entry", "file unusable"}

// String returns the effect in a few words.
func (e Effect) String() string { return effectNames[e] }

// A Rule explains a code: one thing the check looks for or, in the lists of other packages,
// a finding about the way to a file, a reason, an event or the result of a signature. Those
// have no examples, and what is no fault of anybody has no severity.
type Rule struct {
	Code     string   // stable, for example "agent.url_missing"
	Severity Severity // in the default profile
	Strict   Severity // in the strict profile; zero means the same
	Effect   Effect
	Title    string // what is wrong, in a few words
	Why      string // why it matters, one to three sentences
	Hint     string // what to do next; a finding may carry a better one
	Spec     string // the public document behind it, with the part of it: "RFC 3339"
	Varies   string // when the severity differs from the above, in words

	// In names the place of the two examples; see Example.
	In        Place
	Bad, Good string
	// Along lists the codes the bad example cannot avoid besides its own.
	Along []string
	given func(*Options)
	fix   remedy
}

// severity returns the severity under a profile.
func (r *Rule) severity(p Profile) Severity {
	if p == Strict && r.Strict != 0 {
		return r.Strict
	}
	return r.Severity
}

// ExampleOptions returns the circumstances under which the rule's examples
// stand, for example that the file is a community mirror.
func (r *Rule) ExampleOptions() Options {
	var opt Options
	if r.given != nil {
		r.given(&opt)
	}
	return opt
}

// effect is what the rules decided about one entry.
type effect struct {
	worst Effect
	// rule is one more than the place of the rule behind it in ruleCodes; of agents only,
	// when the check is over.
	rule uint16
	// cause is one more than the index of the finding that led to it, in the order of
	// discovery; zero when a rule decided without a finding.
	cause uint32
}

func (x *effect) raise(e Effect, cause int) {
	if e > x.worst {
		*x = effect{worst: e, cause: uint32(cause)}
	}
}

// gone reports whether consumers leave the entry out.
func (x effect) gone() bool { return x.worst >= SkipEntry }
