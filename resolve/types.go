package resolve

import (
	"cmp"
	"context"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/textsafe"
)

// A State says what is known about a publisher's file.
type State uint8

// The states of a document.
const (
	// Unreachable: it could not be determined whether there is a file.
	Unreachable State = iota
	// Absent: the publisher has no file.
	Absent
	// Unusable: there is a file, and it must not be used.
	Unusable
	// Usable: File has the usable content.
	Usable
	// Withheld: there was an answer of the publisher, and the store that keeps its files
	// does not use it at present: because of a clock, of a store, or of a decision that is
	// waited for. That says nothing about whether the publisher can be reached.
	Withheld
)

// The codes that documents may have besides those of package custody.
const (
	// CodeUnsettled: the publisher leads to another place again and again.
	CodeUnsettled = "publisher.unsettled"
	// CodePointerNotFollowed: a file at hand is a pointer, and nothing is asked for.
	CodePointerNotFollowed = "file.pointer_not_followed"
)

// A Document is the file that speaks for a publisher, with what it rests on. It is
// immutable.
type Document struct {
	// Publisher is the domain it was obtained for, in canonical form. A document
	// answers no question about another publisher. Without it the document is a file at
	// hand and speaks for the publisher in the question.
	Publisher string
	State     State
	// File is nil unless State is Usable. It must come from a check without
	// adagents.Options.Now, as adagents.Parse makes it: a check at some instant
	// leaves entries without effect that have ended by then, and a question may be
	// about a moment at which they held. avow.DocumentOf sees to that.
	//
	// Publishers that share a file should have the same File here: an index then
	// holds it once.
	File *adagents.File
	// Prepared is what was made of File, if it is kept for the next question; nil means
	// that it is made for each.
	Prepared *Prepared
	// Skipped are the entries that File is without: consumers leave them out and use the
	// rest. They are those of the report that File is from.
	Skipped []adagents.Skip
	// Method is how it was found: direct, authoritative_location or
	// ads_txt_managerdomain; empty for a file at hand, which counts as the publisher's
	// own.
	Method string
	// URL is where it came from in the end. Two documents with the same URL are the
	// same file: a network's file that several publishers point to.
	URL string
	// SHA256 is that of its bytes in hexadecimal, FetchedAt when they were
	// obtained.
	SHA256    string
	FetchedAt time.Time
	// Detail says why there is no usable file, in words. Code names the cause where the
	// state alone does not, such as one of package custody, and Advice what to do about
	// it; both may be empty.
	Detail       string
	Code, Advice string
	// Revoked are canonical domains that are treated as revoked by the file although it does
	// not list them, or not any longer: a store of files holds on to a revocation for a
	// while. They are treated as if the file listed them. Documents that share a File should
	// share the same list.
	Revoked []string
	// Replaced: the file names another one in its place, and that one could not be had. It
	// still describes inventory, and authorizes no agent.
	Replaced bool
	// Mirror is a catalog that a third party keeps for the publisher; nil for none. It
	// answers questions about formats where the publisher has no file, or one without
	// formats, and authorizes no agent. A Source that knows mirrors sets it then.
	Mirror *Document
	// Route has the other documents that led to it, in the order they were read: a file
	// that only points elsewhere, an ads.txt file. avow.DocumentOf fills it in.
	Route []Evidence
}

// A Source supplies documents. It is asked for a canonical domain, may be asked
// for several at once, and returns a document in every case; an error means that
// the question itself must be given up, as when the context ends.
type Source interface {
	Document(ctx context.Context, publisher string) (*Document, error)
}

// An Identifier names a property as the market does: type domain with value
// example.com, type ios_bundle with a bundle id.
type Identifier struct{ Type, Value string }

// A CollectionRef names a content program of a publisher. In what an entry is limited to, one
// without an ID stands for all programs of the publisher.
type CollectionRef struct{ PublisherDomain, ID string }

// String returns the program as domain/id, and domain/* for all of a publisher.
func (c CollectionRef) String() string { return c.PublisherDomain + "/" + cmp.Or(c.ID, "*") }

// A Question asks whether an agent may sell something of a publisher. Publisher
// and Agent are required. What is left empty is not asked about; where an entry
// depends on it, the verdict is Conditional and says so.
type Question struct {
	Publisher string
	Agent     string
	// Property or Identifier narrows the question to one property; both must agree.
	// PropertyType narrows it further.
	Property     string
	Identifier   Identifier
	PropertyType string
	Placements   []string
	// Collections are the programs that one piece of inventory belongs to: an entry
	// that lists one of them is enough.
	Collections []CollectionRef
	// Signal asks about a signal instead of properties.
	Signal  string
	Country string
	// At is the instant asked about; it is required.
	At time.Time
	// Inline allows publisher_properties to be resolved from the file itself, where
	// the conditions for that hold. It is for listings: an answer rests on the
	// publisher's own document anyway.
	Inline bool
}

// A Verdict is the answer in one word.
type Verdict uint8

// The verdicts. The text of each is stable.
const (
	// Unverified: there is no file, or it could not be reached.
	Unverified Verdict = iota
	// UnusableFile: there is a file, and it must not be used.
	UnusableFile
	// NoneAsserted: the file authorizes no agent at all, which denies nothing.
	NoneAsserted
	// NotAuthorized: the file has agents, and no entry covers what was asked.
	NotAuthorized
	// Conditional: an entry covers it if what Needs lists holds.
	Conditional
	// Authorized: an entry covers it.
	Authorized
)

// A Reason is a step that led to the verdict.
type Reason struct {
	// Code is stable; Codes lists all.
	Code string
	// URL and Pointer are the place in a document, when there is one.
	URL, Pointer string
	Message      string
}

// A Path is the way an entry reaches a property.
type Path string

// The paths.
const (
	// Own: a property of the file, or of the entry, that belongs to the publisher.
	Own Path = "own"
	// Federated: a property of another publisher's own file.
	Federated Path = "federated"
	// FromParent: a property of another publisher as declared in this file.
	FromParent Path = "inline"
)

// A Covered is a property that an entry covers.
type Covered struct {
	PublisherDomain string
	PropertyID      string
	Property        *adagents.Property
	Path            Path
	// URL and Pointer are where the property is declared.
	URL, Pointer string
	// Confirmed reports, for a property of another publisher, whether that publisher's
	// own file lets the agent sell it at the time and in the country asked about.
	// Without it the grant is only a claim of the file.
	Confirmed bool
}

// A Grant is an entry that covers what was asked, or would under a condition.
type Grant struct {
	// Entry is the JSON Pointer of the agent entry.
	Entry             string
	URL               string // of the document
	AuthorizationType adagents.AuthorizationType
	DelegationType    string
	AuthorizedFor     string
	Exclusive         bool
	Properties        []Covered
	Signals           []string
	// Placements are the ids the entry is narrowed to; nil means it is not.
	Placements  []string
	Collections []CollectionRef
	Countries   []string
	// From and Until bound the time; zero means open, and the first instant of the
	// year 1 is shown a nanosecond late. Both ends are included.
	From, Until time.Time
	// PinnedKeys are the ids of the keys pinned for the agent; Pinned tells an empty
	// pin from none.
	Pinned     bool
	PinnedKeys []string
	// Needs is what the question must say before the entry can be judged.
	Needs []string
}

// An Evidence is a document the answer rests on.
type Evidence struct {
	Publisher, URL, SHA256, Method string
	// Role is what the document is in the answer: "file" for the one that speaks for the
	// publisher, and for those on the way to it "pointer", "ads_txt", "manager" for the
	// file of a manager that is not used, "replaced" for a file that refers to its
	// replacement, "successor" for a replacement that was not used; "mirror" for a
	// catalog that a third party keeps.
	Role      string
	FetchedAt time.Time
	State     State
}

// An Answer is a verdict with everything it rests on. It is immutable.
type Answer struct {
	Verdict  Verdict
	Reasons  []Reason
	Grants   []Grant
	Needs    []string
	Evidence []Evidence
	// Placements has a verdict for each placement asked about.
	Placements map[string]Verdict
	// Exclusive lists other agents that the file calls exclusive for what was
	// asked, perhaps in one of the countries that the question leaves open: an
	// authorization beside them is a contradiction of the publisher.
	Exclusive []string
	// Changes says what would change the verdict, for people.
	Changes []string
	// Skipped says what was left out of the file.
	Skipped []Skipped
}

// A Skipped has the entries of one file that nothing was taken from, because something is
// wrong with them. The rest of the file was used.
type Skipped struct {
	// Publisher is whom the file speaks for, the first of several that share it, and URL
	// and SHA256 are those of the file.
	Publisher, URL, SHA256 string
	// Entries are in the order of the file; the pointer of each has its index.
	Entries []adagents.Skip
}

var stateTexts = [...]string{
	Unreachable: "unreachable",
	Absent:      "absent",
	Unusable:    "unusable",
	Usable:      "usable",
	Withheld:    "withheld",
}

// String returns the stable text of the state.
func (s State) String() string { return textOf(stateTexts[:], int(s)) }

// MarshalText returns the stable text of the state.
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

var verdictTexts = [...]string{
	Unverified:    "unverified",
	UnusableFile:  "unusable",
	NoneAsserted:  "none_asserted",
	NotAuthorized: "not_authorized",
	Conditional:   "conditional",
	Authorized:    "authorized",
}

// String returns the stable text of the verdict.
func (v Verdict) String() string { return textOf(verdictTexts[:], int(v)) }

// MarshalText returns the stable text of the verdict.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

func textOf(texts []string, i int) string {
	if i >= len(texts) {
		return "unknown"
	}
	return texts[i]
}

// shown is the number of cells a value from outside takes in a message.
const shown = 80

// quote prepares a value from a file or a question for a message.
func quote(s string) string { return `"` + textsafe.Line(s, shown) + `"` }

func withDetail(message, detail string) string {
	if detail == "" {
		return message
	}
	return message + ": " + detail
}
