package discover

import (
	"context"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/adstxt"
	"github.com/avow-project/avow/internal/fetch"
)

// An Answer is the outcome of discovery, in one word.
type Answer uint8

// The answers.
const (
	// Unreachable: it could not be determined whether there is a file.
	Unreachable Answer = iota
	// Absent: the publisher has no file. Nothing follows for any agent.
	Absent
	// Unusable: there is a file, and it must not be used.
	Unusable
	// Usable: there is a file, and its usable content counts.
	Usable
	// Unchanged: the question was conditional, and what the publisher serves, or the
	// file that it leads to, is still what the caller has.
	Unchanged
)

// A Method is the way a file was found.
type Method uint8

// The methods. The texts are those of the registry's wire format.
const (
	// Direct: at the publisher's well-known path.
	Direct Method = iota
	// AuthoritativeLocation: through a pointer at the well-known path.
	AuthoritativeLocation
	// ManagerDomain: through the publisher's ads.txt.
	ManagerDomain
)

// A Step is the part of the way that a hop belongs to.
type Step uint8

// The steps, in the order they can be taken.
const (
	// WellKnown asks the publisher for its file.
	WellKnown Step = iota
	// Authoritative follows the pointer found there.
	Authoritative
	// AdsTxt asks the publisher for its ads.txt.
	AdsTxt
	// Manager asks the manager named there for its file.
	Manager
	// ManagerAuthoritative follows the pointer found at the manager.
	ManagerAuthoritative
	// Superseding asks for the file that another names in superseded_by.
	Superseding
)

// A Result is the evidence of one question to a server. Its Exchanges are the requests in the order
// they were made, redirects and repetitions included; Last returns the one that decided. Outcome
// says in a word how it ended, URL where, and Body has the bytes if it ended well.
type Result = fetch.Result

// An Exchange is the evidence of one request, whatever became of it: URL, Method, At and Timings
// say what was sent and when, Resolved, Dialled and TLSLeaf who answered, Status, MediaType, Bytes,
// SHA256 and Location what came back, and Outcome, Reason and Detail what became of it.
type Exchange = fetch.Exchange

// A Hop is one step of the way.
type Hop struct {
	Step Step
	// URL is what was asked for, or would have been: a step that is refused before
	// any request has no Result.
	URL string
	// Result has the evidence; nil when nothing was sent.
	Result *Result
	// Shared is set when the Result was obtained for another question, at most a minute
	// before: nothing was sent for this one. Its Report may be the other question's
	// too, judged at the time of that question, if it would say the same for this
	// publisher.
	Shared bool
	// Report is the check of the document that came back; nil when none did or it is
	// not an adagents.json file.
	Report *adagents.Report
	// AdsTxt is the file that came back, for that step.
	AdsTxt *adstxt.File
	// Meaning says what came back means for the question, and Next why the next
	// step is or is not taken. Both are sentences without outside text in raw
	// form.
	Meaning, Next string
}

// A Discovery is the answer to one question with everything it rests on. It is
// immutable and may be shared.
type Discovery struct {
	// Domain is the publisher asked about, in canonical form; empty when a file
	// was asked for by its URL, which says nothing about a publisher.
	Domain string
	// At is when the question was asked.
	At     time.Time
	Answer Answer
	// Found reports whether the well-known request ended with status 200, or with
	// 304 when it was conditional, or a manager's file was accepted for the
	// publisher.
	Found bool
	// Method is how the file was found; Direct as long as none was.
	Method Method
	// URL is the publisher's well-known URL, or the one asked for; ResolvedURL is where the file came
	// from in the end, after redirects and pointer; empty when there is none.
	URL, ResolvedURL string
	// ManagerDomain is set for the method ManagerDomain.
	ManagerDomain string
	// Report is the check of the final file; nil when no document came back. Body has
	// its bytes.
	Report *adagents.Report
	Body   []byte
	// Pointer is the report of the pointer that led to Report, and PointerBody has
	// its bytes; nil without a pointer.
	Pointer     *adagents.Report
	PointerBody []byte
	// Findings are about the way and not about the file: how it is served, why a
	// step failed. They are in the order of the trail.
	Findings []Finding
	// Trail has every step that was taken or refused.
	Trail []Hop
	// SupersededBy is the URL that the first file names as its replacement. The discovery
	// describes the replacement if it could be used, unless Options.IgnoreSuperseded.
	SupersededBy string
	// Replaced: the replacement was to be used and could not be had. Report is the check
	// of the first file, which describes inventory and no longer authorizes any agent.
	Replaced bool
}

// Valid reports whether a file was found and neither it nor the way to it has an
// error.
func (d *Discovery) Valid() bool {
	if !d.Found || d.Report == nil || !d.Report.Valid() {
		return false
	}
	for i := range d.Findings {
		if d.Findings[i].Severity == adagents.Error {
			return false
		}
	}
	return d.Pointer == nil || d.Pointer.Valid()
}

// A Finding is something about the way to the file that its publisher should
// know. Codes begin with "fetch.", "discovery." or "adstxt." and are listed by
// Codes.
type Finding struct {
	Code     string
	Severity adagents.Severity
	Step     Step
	// URL is the request it is about.
	URL string
	// Line is that of ads.txt, for codes that begin with "adstxt."; zero otherwise.
	Line int
	// Message says what is wrong and Hint what to do about it. Neither shows an
	// address or an error of the system; Detail does, for the operator, and
	// outside text in it is not escaped. Public returns what an untrusted caller
	// may learn.
	Message, Hint, Detail string
	// Spec is the section of the specification behind it.
	Spec string
}

// A Copy is what a caller of Finder has of a file. The zero value is nothing.
type Copy struct {
	// Fresh: it needs no confirmation, and nothing is sent.
	Fresh bool
	// IfNoneMatch and IfModifiedSince make the request conditional.
	IfNoneMatch, IfModifiedSince string
}

// Options are what a question may ask for besides the domain.
type Options struct {
	// Profile is the profile of the check.
	Profile adagents.Profile
	// Release, Scopes, MaxFindings, Lead and Fixes are handed to the check.
	Release     string
	Scopes      []string
	MaxFindings int
	Lead        time.Duration
	Fixes       bool
	// IgnoreSuperseded reports the file that another names in superseded_by, and does not
	// ask for it. Without it the named file is used, once, if it can be.
	IgnoreSuperseded bool
	// Shared says that pointers lead to the file of the domain: at the well-known path it may be as
	// large as anywhere else.
	Shared bool
	// NoCache asks caches on the way for fresh answers.
	NoCache bool
	// IfNoneMatch and IfModifiedSince make the well-known request conditional.
	IfNoneMatch, IfModifiedSince string
	// Known says what the caller has of the file at a URL. It is asked before a file is
	// asked for that a pointer leads to, or that is a manager's; nil means that the caller
	// has none. What is then not obtained is not checked: the answer is Unchanged, with
	// the way to the file and without a Report. Whether a manager's file speaks for the
	// publisher is for the caller to find out, with SpeaksFor.
	Known func(url string) Copy
	// Seen is told of each request on the way: before it is sent, without a Result, and when it has
	// ended. Nil means that no caller follows.
	Seen func(Hop)
	// Large is called at most once, before a document of more than a megabyte is
	// kept in memory, and may wait until there is room. It returns an error only
	// when the context ends. Nil means a limit of the Finder's own, whose room is
	// free again when the answer is given; a caller who keeps answers sets its own.
	Large func(ctx context.Context) error
	// Check is called before a document of that size is checked, which takes several times
	// its size in memory, and may wait; done is called afterwards. When it fails, the
	// document is not checked: the answer says nothing about it and must not be used. Nil
	// admits everything.
	Check func(ctx context.Context, size int) (done func(), err error)
}

// Names of the answers, methods and steps. They are stable and used in JSON,
// logs and metrics.
var (
	answerNames = [...]string{
		Unreachable: "unreachable", Absent: "absent", Unusable: "unusable", Usable: "usable", Unchanged: "unchanged",
	}
	methodNames = [...]string{
		Direct: "direct", AuthoritativeLocation: "authoritative_location", ManagerDomain: "ads_txt_managerdomain",
	}
	stepNames = [...]string{
		WellKnown: "well_known", Authoritative: "authoritative", AdsTxt: "ads_txt", Manager: "manager",
		ManagerAuthoritative: "manager_authoritative", Superseding: "superseding",
	}
)

// String returns the stable name.
func (a Answer) String() string { return answerNames[a] }

// MarshalText returns the stable name.
func (a Answer) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// String returns the stable name.
func (m Method) String() string { return methodNames[m] }

// MarshalText returns the stable name.
func (m Method) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// String returns the stable name.
func (s Step) String() string { return stepNames[s] }

// MarshalText returns the stable name.
func (s Step) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
