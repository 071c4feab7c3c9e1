package custody

import (
	"errors"
	"time"

	"github.com/avow-project/avow/internal/std/freshness"
	"github.com/avow-project/avow/internal/std/hostname"
)

// The times of the rules.
const (
	// Skew is how far a clock may be off before a date is treated as wrong.
	Skew = time.Minute
	// MaxStale is how long a file is served after requests for it began to fail.
	MaxStale = 24 * time.Hour
	// MaxAge is how long a file is served after it was last confirmed, whatever else.
	MaxAge = 7 * 24 * time.Hour
	// DenialGrace is how long a refusal to answer is treated as a failed request. A status such
	// as 403 is as often the hiccup of a delivery network as its customer's word.
	DenialGrace = time.Hour
	// MoveHold is how long a new place has to stay the same before it is adopted.
	MoveHold = 24 * time.Hour
	// MoveRecheck is how often a publisher is asked while a move is held.
	MoveRecheck = time.Hour
	// MinRecheck is the shortest time between two requests for a file that no caller
	// waits for, and AbsentRecheck that for something that was taken away.
	MinRecheck    = 5 * time.Minute
	AbsentRecheck = time.Hour
	// RetryFirst and RetryMost bound the time between two requests while they fail.
	RetryFirst = time.Minute
	RetryMost  = time.Hour
	// RevocationHold is how long a publisher stays revoked after it was first listed.
	RevocationHold = 7 * 24 * time.Hour
	// RevocationMemory is how long a revocation that is over is remembered.
	RevocationMemory = 90 * 24 * time.Hour
	// MaxRevocations is how many domains one file may keep revoked. A file with more is
	// closed: none of them may be forgotten, so nothing of it is served.
	MaxRevocations = 1_000_000
)

// The times of a version that adds something.
const (
	// Probation is how long a version that adds an agent, a key or revocations, lets an
	// agent sell more, or names a successor is asked for every ProbationRecheck.
	Probation        = 48 * time.Hour
	ProbationRecheck = time.Hour
	// LookApart is the least time between two looks that both count against a version, and
	// MaxLooks how many of them end it.
	LookApart = 10 * time.Minute
	MaxLooks  = 3
)

// A Moment is the present as far as it is known. Early is the clock of the machine. Late is
// never before the latest time that was ever noted, and is the same unless the clock went
// back. While a process runs both go on evenly, whatever becomes of the clock: a Late that
// stood still would keep files in use. While the clock is known to be ahead, it is Late, and
// Early the latest time that something else stands for.
type Moment struct {
	Early, Late time.Time
	// Sure is the latest time that something else than the clock stands for, while nothing
	// says that the clock is right; zero otherwise. Holds are measured with it.
	Sure time.Time
}

// At returns the moment of a clock that is right.
func At(t time.Time) Moment { return Moment{Early: t, Late: t} }

// Headers are those of an answer that decide how long it may be used.
type Headers = freshness.Headers

// An Outcome says what a request for a file brought.
type Outcome uint8

// The outcomes.
const (
	// Failed: nothing is known, for example because of a timeout or status 5xx.
	Failed Outcome = iota
	// Invalid: an answer came that must not be used, for example because it is not valid JSON.
	Invalid
	// Whole: a complete file that can be used.
	Whole
	// NotModified: the file that is known, confirmed without its bytes.
	NotModified
	// Gone: there is no file any more, by status 404.
	Gone
	// Denied: the origin answers with another status 4xx that does not pass by itself. What
	// counts so far ends with it only when that goes on for DenialGrace.
	Denied
)

// A Cause says why a record could not be confirmed.
type Cause string

// The causes. A record without trouble has none.
const (
	// CauseSilence: nothing came that says anything, for example because of a timeout.
	CauseSilence Cause = "silence"
	// CauseUnusable: an answer came that must not be used.
	CauseUnusable Cause = "unusable"
	// CauseRefused: an answer came that could be used, and was not adopted.
	CauseRefused Cause = "refused"
)

// causeOf returns the cause of a failure with an outcome.
func causeOf(o Outcome) Cause {
	if o == Invalid {
		return CauseUnusable
	}
	return CauseSilence
}

// An Observation is what one request for a file brought.
type Observation struct {
	Outcome Outcome
	// At is when it was asked for.
	At time.Time
	// Hash is the SHA-256 of the bytes in hexadecimal, and Bytes their number; for Whole.
	Hash  string
	Bytes int64
	// Facts are those of the file; for Whole.
	Facts Facts
	// Headers are those of the answer; for Whole and NotModified.
	Headers Headers
	// Changes are what is different from the adopted version; for Whole, when there is
	// one with another hash.
	Changes []Change
	// Incomparable: there is such a version, and it is not kept, so what is different is not
	// known. It is taken for one that adds something.
	Incomparable bool
	// Kept are the keys that it has in common with the adopted version, by KeptKeys; for
	// Whole, in the same case.
	Kept []string
	// From is where the answer came from in the end, after redirects; empty when that is
	// the URL of the file.
	From string
	// Lead is how long before its end an entry or a key is reported; zero means UsualLead.
	Lead time.Duration
	// Detail says in words what went wrong; for the other outcomes.
	Detail string
}

// Facts are what the rules need to know about the content of a file.
type Facts struct {
	// LastUpdated is the file's; zero when it has none that can be read.
	LastUpdated time.Time
	CatalogETag string
	// SupersededBy is the canonical URL that the file names in its place; empty for none
	// that can be followed.
	SupersededBy string
	// Agents are the canonical URLs of the agents, sorted, each once.
	Agents []string
	// Revoked are the domains that the file revokes, in canonical form, sorted, each once
	// with its earliest date.
	Revoked []Revoked
	// Ends are when entries and keys end, in the order of time.
	Ends []End
}

// An End is when an entry or a key of a file ends.
type End struct {
	At time.Time `json:"at"`
	// What ends, in words.
	What string `json:"what"`
}

// A Revoked is an entry of a file's list of revoked publishers.
type Revoked struct {
	Domain string
	// At is the date that the file gives; zero for none that can be read.
	At time.Time
}

// A Revocation is what is remembered about a revoked publisher.
type Revocation struct {
	Domain string `json:"domain"`
	// First is when it was first seen in the list, since it was last absent from it.
	First time.Time `json:"first"`
	// Stated is the earliest date that the file gave; zero for none.
	Stated time.Time `json:"stated,omitzero"`
	// Delisted is when it was first seen missing from the list; zero while it is listed.
	Delisted time.Time `json:"delisted,omitzero"`
}

// A File is what is known about the file at one URL.
type File struct {
	URL string `json:"url"`
	// From is where the adopted version came from in the end, after redirects; empty when
	// that is the URL.
	From string `json:"from,omitempty"`
	// Hash, Bytes, LastUpdated and CatalogETag are those of the adopted version; Hash is
	// empty while there is none.
	Hash        string    `json:"hash,omitempty"`
	Bytes       int64     `json:"bytes,omitempty"`
	LastUpdated time.Time `json:"last_updated,omitzero"`
	CatalogETag string    `json:"catalog_etag,omitempty"`
	// SupersededBy is what the adopted version names in its place; see Facts.
	SupersededBy string `json:"superseded_by,omitempty"`
	// AdoptedAt is when this version was adopted, FirstSeen when the first one was.
	AdoptedAt time.Time `json:"adopted_at,omitzero"`
	FirstSeen time.Time `json:"first_seen,omitzero"`
	// Ends are the next ones of the adopted version, at most MaxEnds.
	Ends []End `json:"ends,omitempty"`
	// Probation is until when the adopted version is asked for every hour, because it added
	// an agent, a key or revocations; zero when it did not.
	Probation time.Time `json:"probation,omitzero"`
	// Keys are those of the adopted version that were in the one before it, sorted by name,
	// at most MaxKeys. The others are as old as the version.
	Keys []KeyAge `json:"keys,omitempty"`
	// HighWater is the latest last_updated that was ever adopted.
	HighWater time.Time `json:"high_water,omitzero"`
	// ConfirmedAt is when the adopted version was last obtained or confirmed, and
	// WholeAt when its bytes were last obtained.
	ConfirmedAt time.Time `json:"confirmed_at,omitzero"`
	WholeAt     time.Time `json:"whole_at,omitzero"`
	// FreshUntil is when it has to be asked for again, KeysUntil how long the keys in it
	// may be used without asking.
	FreshUntil time.Time `json:"fresh_until,omitzero"`
	KeysUntil  time.Time `json:"keys_until,omitzero"`
	// Headers are those of the adopted version, for conditional requests.
	Headers Headers `json:"headers,omitzero"`
	// TriedAt is when it was last asked for, and FailingSince when requests began to
	// fail; zero while they do not. Trouble says why, in words, and Cause in one.
	TriedAt      time.Time `json:"tried_at,omitzero"`
	FailingSince time.Time `json:"failing_since,omitzero"`
	Trouble      string    `json:"trouble,omitempty"`
	Cause        Cause     `json:"cause,omitempty"`
	// DeniedSince is when its origin began to refuse to answer, while that still counts as a
	// failure; zero when it does not refuse.
	DeniedSince time.Time `json:"denied_since,omitzero"`
	// Closed is the outcome that ended the file: Gone or Denied; Failed while it is open.
	// A complete file opens it again.
	Closed Outcome `json:"closed,omitzero"`
	// Refused is a version that was seen and not adopted; nil for none. An operator may
	// confirm it.
	Refused *Refusal `json:"refused,omitempty"`
	// Overflow is set when there were more revocations than can be kept, and OverflowAt is
	// when that was last so. It ends RevocationHold later, when nothing that was left out
	// can still count.
	Overflow   bool      `json:"overflow,omitempty"`
	OverflowAt time.Time `json:"overflow_at,omitzero"`
	// Revocations are sorted by domain. A store keeps them apart from the rest, because
	// they can be many.
	Revocations []Revocation `json:"-"`
	// Revision counts changes of the record from 1. The store compares it.
	Revision int64 `json:"-"`
}

// A Refusal is a version that was seen and not adopted.
type Refusal struct {
	Hash        string    `json:"hash"`
	LastUpdated time.Time `json:"last_updated,omitzero"`
	// Code is the event's: file.rollback, file.date_missing or file.future.
	Code string `json:"code"`
	// Since is when this version was first refused.
	Since time.Time `json:"since"`
	// Looks are how often it was seen in a row, at least LookApart apart and at most
	// MaxLooks, and LastLook is when the last of them was.
	Looks    int       `json:"looks,omitempty"`
	LastLook time.Time `json:"last_look,omitzero"`
	// Confirmed is set by an operator: the next observation of this version is adopted.
	Confirmed bool `json:"confirmed,omitempty"`
	// Decided is set when a moderator confirmed it: until its time is over it is not adopted.
	Decided *Decision `json:"decided,omitempty"`
}

// A Method is the way that leads to a file; the texts are those of package discover.
type Method string

// The methods.
const (
	Direct                Method = "direct"
	AuthoritativeLocation Method = "authoritative_location"
	ManagerDomain         Method = "ads_txt_managerdomain"
	// Superseded: the file at the end of the publisher's own way names the place in
	// superseded_by.
	Superseded Method = "superseded_by"
)

// Answered returns the method as answers name it: a place that a file names in superseded_by stands where
// the target of a pointer would.
func (m Method) Answered() string {
	if m == Superseded {
		m = AuthoritativeLocation
	}
	return string(m)
}

// A Location is where a publisher's authority comes from.
type Location struct {
	Method Method `json:"method"`
	// URL is the File's.
	URL string `json:"url"`
	// Manager is the manager's domain, for ManagerDomain.
	Manager string `json:"manager,omitempty"`
}

// A Route is what a look at a publisher says about where its file is.
type Route struct {
	// Outcome is Whole when there is a file, here or elsewhere; NotModified when what the
	// well-known path has was confirmed; Gone when there is none; Failed, Invalid or
	// Denied when it could not be determined.
	Outcome Outcome
	At      time.Time
	// To is where the file is; for Whole.
	To Location
	// Facts are those of the file there, and Version is the hash of its bytes; for Whole
	// with a file that can be used. Usable reports whether it is one.
	Facts   Facts
	Version string
	Usable  bool
	// Adopted is what is known about the file at the place that is adopted so far.
	Adopted Content
	// Via is the URL of the file that names the place, for Superseded.
	Via string
	// Headers are those of the answer at the well-known path, and Hash that of its bytes.
	Headers Headers
	Hash    string
	// Signs are what else speaks against an honest move, such as a brand.json that names
	// other agents. What the facts show is added by Take.
	Signs  []Sign
	Detail string
	// Refused: an answer came that could be used, and is not followed; for Failed.
	Refused bool
	// Firm: the answer itself says that it lasts, as status 410 does; for Denied.
	Firm bool
	// Reply is what the publisher answered, for people.
	Reply Reply
}

// A Reply is what is shown of a publisher's last answer. Nothing is decided by it.
type Reply struct {
	// Status and Bytes are those of the answer at the well-known path; zero without one.
	Status int   `json:"status,omitempty"`
	Bytes  int64 `json:"bytes,omitempty"`
	// Flawed: there was an error on the way to the file, which can be used nevertheless.
	Flawed bool `json:"flawed,omitempty"`
	// Place is where the look ended when that was not at a file that can be used.
	Place Location `json:"place,omitzero"`
}

// Content is what the File in effect for a publisher says. The file is asked for on its
// own and may have changed since the publisher was last looked at.
type Content struct {
	// Hash identifies the version in effect; empty when there never was one.
	Hash      string
	HighWater time.Time
	// Agents are those of that version. They are needed unless the publisher has learned
	// from it already.
	Agents []string
}

// A Sign is a reason to doubt a move.
type Sign string

// The signs.
const (
	// SignRegression: the file at the new place is older than what was adopted.
	SignRegression Sign = "regression"
	// SignNewAgent: the file at the new place has an agent that was never seen.
	SignNewAgent Sign = "new_agent"
	// SignDowngrade: an agent is delegated less directly than before.
	SignDowngrade Sign = "downgrade"
	// SignIncomparable: the file at the old place is not kept, so it is not known whether an
	// agent is delegated less directly than before.
	SignIncomparable Sign = "incomparable"
	// SignBrand: the publisher's brand.json contradicts it.
	SignBrand Sign = "brand_mismatch"
	// SignUnusable: there is no file at the new location that can be used.
	SignUnusable Sign = "unusable"
)

// A Move is a change of place that waits.
type Move struct {
	To    Location  `json:"to"`
	Since time.Time `json:"since"`
	// LastSeen is when the new place was last seen.
	LastSeen time.Time `json:"last_seen"`
	// Signs keep it waiting until an operator confirms it. They stay once seen.
	Signs []Sign `json:"signs,omitempty"`
	// Rejected is set by an operator: this place is not adopted however long it stays.
	Rejected bool `json:"rejected,omitempty"`
}

// A Domain is that of a publisher in canonical form: lower-case A-labels without a trailing
// dot.
type Domain = hostname.Domain

// A Publisher is what is known about where a publisher's authority comes from.
type Publisher struct {
	Domain Domain `json:"domain"`
	// Location is the adopted place; its zero value means there never was one.
	Location Location `json:"location,omitzero"`
	// Via is the URL of the file that names the adopted place, for Superseded; empty when
	// that was not seen since the place was adopted.
	Via string `json:"via,omitempty"`
	// Absent is set when the publisher was last seen without a file. The location stays
	// known: authority from another place is a move.
	Absent bool `json:"absent,omitempty"`
	// FirstSeen is when the first place was adopted, AdoptedAt when the present one was.
	FirstSeen time.Time `json:"first_seen,omitzero"`
	AdoptedAt time.Time `json:"adopted_at,omitzero"`
	// ConfirmedAt is when the place was last seen to be the adopted one, WholeAt when the
	// bytes at the well-known path were last obtained, FreshUntil when it is asked again.
	ConfirmedAt time.Time `json:"confirmed_at,omitzero"`
	WholeAt     time.Time `json:"whole_at,omitzero"`
	FreshUntil  time.Time `json:"fresh_until,omitzero"`
	// Headers and Hash are those of the answer at the well-known path.
	Headers Headers `json:"headers,omitzero"`
	Hash    string  `json:"hash,omitempty"`
	// TriedAt, FailingSince, Trouble, Cause, DeniedSince and Closed are like those of a File.
	TriedAt      time.Time `json:"tried_at,omitzero"`
	FailingSince time.Time `json:"failing_since,omitzero"`
	Trouble      string    `json:"trouble,omitempty"`
	Cause        Cause     `json:"cause,omitempty"`
	DeniedSince  time.Time `json:"denied_since,omitzero"`
	Closed       Outcome   `json:"closed,omitzero"`
	// SpokeAt is when there was first seen to be a version at the adopted place.
	// Until then there is no authority that a move could take away: the first place with
	// such a file counts.
	SpokeAt time.Time `json:"spoke_at,omitzero"`
	// HighWater is the latest last_updated of a file that spoke for the publisher,
	// wherever it was, and Learned the hash of the version that the agents were last
	// learned from.
	HighWater time.Time `json:"high_water,omitzero"`
	Learned   string    `json:"learned,omitempty"`
	// Agents are the agents of the files that spoke for the publisher, sorted; at most
	// MaxAgents, and any other agent counts as never seen.
	Agents []string `json:"agents,omitempty"`
	// Move is a change of place that waits; nil for none.
	Move *Move `json:"move,omitempty"`
	// Rejected are the URLs that an operator rejected, the latest last, at most
	// MaxRejected. A move to one of them begins as rejected.
	Rejected []string `json:"rejected,omitempty"`
	// Decided is a moderator's last decision, as long as it can be taken back or the publisher was not
	// asked since.
	Decided *Decision `json:"decided,omitempty"`
	// Reply is what the publisher answered last, if not that nothing was modified.
	Reply Reply `json:"reply,omitzero"`
	// Listed is the hash of the version whose identifiers the publisher is found by; empty
	// for none. The store keeps it with them.
	Listed string `json:"-"`
	// Reported stands for what the directory and the change feed were last made of.
	Reported string `json:"-"`
	// Revision counts changes of the record from 1. The store compares it.
	Revision int64 `json:"-"`
}

const (
	// MaxAgents is how many agents a Publisher remembers.
	MaxAgents = 1_000
	// MaxRejected is how many rejected places a Publisher remembers.
	MaxRejected = 100
)

// A Severity says how an operator should hear of something.
type Severity uint8

// The severities.
const (
	// Info: for the record.
	Info Severity = iota
	// Warning: to be checked within a day.
	Warning
	// Alert: to be checked now.
	Alert
)

// Worst returns the highest severity of the changes.
func Worst(changes []Change) Severity {
	worst := Info
	for i := range changes {
		worst = max(worst, changes[i].Severity)
	}
	return worst
}

// An Event is something that happened to a record.
type Event struct {
	// Code is stable; Codes lists all.
	Code     string    `json:"code"`
	Severity Severity  `json:"severity"`
	At       time.Time `json:"at"`
	// Publisher or URL, or both, say which record it is about.
	Publisher string `json:"publisher,omitempty"`
	URL       string `json:"url,omitempty"`
	// Domain is the revoked publisher, for events about revocations, or the one that lists the same.
	Domain string `json:"domain,omitempty"`
	// Before and After are hashes of versions, or places.
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
	// Changes are what a new version changes, at most MaxChanges of them; More counts
	// the rest.
	Changes []Change `json:"changes,omitempty"`
	More    int      `json:"more,omitempty"`
	Message string   `json:"message"`
}

// MaxChanges is how many changes an Event lists.
const MaxChanges = 100

// A Change is a difference between two versions of a file.
type Change struct {
	// Code is stable; Codes lists all. "agent.added" is one.
	Code     string   `json:"code"`
	Severity Severity `json:"severity"`
	// Subject is what changed: the URL of an agent, the id of a property, a domain.
	Subject string `json:"subject,omitempty"`
	// Before and After are the values, where there are some.
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
	// Pointer leads to it in the new version or, if it is gone, in the old one.
	Pointer string `json:"pointer,omitempty"`
	Message string `json:"message"`
}

// A Standing says whether a record may be used at a moment.
type Standing uint8

// The standings.
const (
	// Unknown: nothing was ever adopted.
	Unknown Standing = iota
	// Fresh: it may be used without asking.
	Fresh
	// Stale: it may be used, but has to be asked for again.
	Stale
	// Expired: it may not be used any more.
	Expired
	// Ended: it was taken away by its owner.
	Ended
	// Shut: it may not be used because something about it could not be kept.
	Shut
)

// A Version is a version of the file at a URL that was adopted.
type Version struct {
	URL, Hash   string
	AdoptedAt   time.Time
	LastUpdated time.Time
	CatalogETag string
	Bytes       int64
}

// A Place is where a publisher's authority came from, from a time on. With Absent there
// was none.
type Place struct {
	Domain    hostname.Domain
	Location  Location
	Absent    bool
	AdoptedAt time.Time
	// Pointer is the hash of the pointer that led there, if any.
	Pointer string
}

// A NumberedEvent has the number that it got in the store. Numbers grow; there may be gaps.
type NumberedEvent struct {
	ID int64
	Event
}

// An Entry is something in the history of a publisher: one of its members is not nil.
type Entry struct {
	At      time.Time
	Place   *Place
	Version *Version
	Event   *NumberedEvent
}

// A Hold is something that waits for a decision, or was decided a moment ago: a Publisher with a
// Move or a Decision, or a File with a Refusal.
type Hold struct {
	Publisher *Publisher
	File      *File
}

// Decision returns what a moderator decided last about it; nil for nothing.
func (h *Hold) Decision() *Decision {
	switch {
	case h.Publisher != nil:
		return h.Publisher.Decided
	case h.File != nil && h.File.Refused != nil:
		return h.File.Refused.Decided
	}
	return nil
}

// MaxKeys is how many keys a File remembers the age of. Others are treated as no older than the
// version they are in.
const MaxKeys = 200

// A KeyAge is since when a key was in every version that was adopted.
type KeyAge struct {
	// Name stands for the agent and the key.
	Name  string    `json:"name"`
	Since time.Time `json:"since"`
}

// UndoTime is how long a moderator may take a decision back.
const UndoTime = 10 * time.Minute

// A Ruling says who decides, and why.
type Ruling struct {
	// By is the id of a key.
	By string `json:"by,omitempty"`
	// Reason is kept with the event, too.
	Reason string `json:"reason,omitempty"`
}

// A Decision is what a moderator decided last about a record, kept while it can be taken back.
type Decision struct {
	Ruling
	At time.Time `json:"at"`
	// To is the new location, or the hash of the version.
	To        string `json:"to"`
	Confirmed bool   `json:"confirmed,omitempty"`
	// Before is the publisher's record before its new location was confirmed.
	Before *Publisher `json:"before,omitempty"`
}

// Open reports whether the decision can still be taken back.
func (d *Decision) Open(at Moment) bool { return d != nil && at.Late.Before(d.Until()) }

// MadeAt reports whether the decision was made at a time, to the microsecond.
func (d *Decision) MadeAt(t time.Time) bool { return d != nil && d.At.UnixMicro() == t.UnixMicro() }

// Until returns when the decision becomes final.
func (d *Decision) Until() time.Time { return d.At.Add(UndoTime) }

// canonical returns the place with its URL in the form that may be compared. One that has
// none stays as it is.
func (l Location) canonical() Location {
	url, _, err := hostname.CanonicalURL(l.URL)
	if err == nil {
		l.URL = url
	}
	return l
}

// ErrNotWaiting is the error of a decision about something that does not wait for one, or
// not for this one: what an operator has read may have changed since.
var ErrNotWaiting = errors.New("nothing of that name is pending")
