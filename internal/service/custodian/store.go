package custodian

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/projection"
	"github.com/avow-project/avow/internal/service/retain"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/translog"
	"github.com/avow-project/avow/internal/wire"
	"github.com/avow-project/avow/resolve"
)

// Errors of a Store. Whatever else it returns is a failure of the store itself.
var (
	// ErrNotFound: there is no such record.
	ErrNotFound = errors.New("no such record")
	// ErrDamaged: a record or a document is not as it was written.
	ErrDamaged = errors.New("stored bytes are damaged")
	// ErrOlder: the store is older than what was seen of it before, or another one.
	ErrOlder = errors.New("the store is older than what was seen of it")
	// ErrNewer: a newer release has upgraded the store.
	ErrNewer = errors.New("a newer release has upgraded the store")
	// ErrConflict: a record is not, or no longer, what the change builds on.
	ErrConflict = errors.New("the record has changed")
)

// A Store keeps the records of custody. It is safe for concurrent use, also by several
// processes. A Commit that returned without error is durable: it survives the end of the
// process and of the machine. Times are kept in microseconds and come back in UTC.
type Store interface {
	Records
	Schedule
	History
}

// Records are what is known of publishers and files at present.
type Records interface {
	// Publisher returns the record of a domain.
	Publisher(ctx context.Context, domain hostname.Domain) (*custody.Publisher, error)
	// Some returns the records that there are of domains.
	Some(ctx context.Context, domains []hostname.Domain) (map[hostname.Domain]*custody.Publisher, error)
	// Publishers calls f for every publisher in alphabetical order, beginning after one.
	Publishers(ctx context.Context, after string, f func(*custody.Publisher) error) error
	// File returns the record of a URL with its revocations.
	File(ctx context.Context, url string) (*custody.File, error)
	// Brief returns the record of a URL without its revocations, which can be many, and its
	// revision beside it: a record that is not complete has none, so that it cannot be
	// committed.
	Brief(ctx context.Context, url string) (*custody.File, int64, error)
	// Delisted returns what the file at a URL does not list any more and was first seen
	// after a time, and the revision of the record that it belongs to.
	Delisted(ctx context.Context, url string, after time.Time) ([]custody.Revocation, int64, error)
	// Known reports whether there is a record of a domain or of a URL.
	Known(ctx context.Context, domain hostname.Domain, url string) (bool, error)
	// Revisions returns the revisions of the records of publishers and files by their domains and
	// URLs; zero for one that does not exist.
	Revisions(ctx context.Context, domains []hostname.Domain, urls []string) (map[string]int64, error)
	// Shared reports whether other processes are meant to write to the store.
	Shared() bool
	// Commit makes all parts of a change, or none. It is ErrConflict when a record does
	// not have the Revision that the change builds on (0: there is none yet).
	Commit(ctx context.Context, c *Change) error
	// Claims returns the publishers that list an identifier of their own, and those that
	// did so after a time, limit at most: the first to list it first, and those of the same
	// time in alphabetical order. Who stops listing it and lists it again within ClaimGrace
	// has listed it all the time.
	Claims(ctx context.Context, id resolve.Identifier, after time.Time, limit int) ([]Listing, error)
	// Sharing returns publishers of other sites that list one of some identifiers, most at most.
	Sharing(ctx context.Context, domain hostname.Domain, ids []resolve.Identifier, most int) ([]hostname.Domain, error)
	// Holdings returns what there is of some publishers, in any order. Publishers without a record
	// are left out.
	Holdings(ctx context.Context, domains []hostname.Domain) ([]Holding, error)
	// Holds returns the publishers with a move that waits or was decided a moment ago, and the
	// files with a version that was refused, in alphabetical order. Files are as Brief returns them.
	Holds(ctx context.Context, limit int) ([]custody.Hold, error)
	// Reported returns the events of the feed that hold about publishers.
	Reported(ctx context.Context, domains []hostname.Domain) (map[hostname.Domain][]projection.Event, error)
	// Clock returns the latest time that was ever noted, and notes a later one. The zero time
	// is not noted, and the answer when nothing ever was.
	Clock(ctx context.Context, now time.Time) (time.Time, error)
}

// A Schedule says what is to be asked for when, and which process does so.
type Schedule interface {
	// Due returns what is to be asked for at a time, the most urgent first, by Due and
	// FileDue. What is leased is due when the lease ends.
	Due(ctx context.Context, at time.Time, limit int) ([]Task, error)
	// Waiting returns how much is due at a time.
	Waiting(ctx context.Context, at time.Time) (int, error)
	// Untaken reports whether something was due at a time before now and no process has a
	// good lease that ends within a time from now.
	Untaken(ctx context.Context, before, now time.Time, lease time.Duration) (bool, error)
	// Take returns what is due and gives out a lease for each, for a time; one that follows
	// others which ended without a result is longer. No other process is given the same
	// until it ends. Of each Class there is a share.
	Take(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]Task, error)
	// Extend makes leases last until a time, and returns those that are still good.
	Extend(ctx context.Context, leases []Lease, until time.Time) ([]Lease, error)
	// Release gives leases back that no Commit has ended: what they are for is due at a time.
	Release(ctx context.Context, leases []Lease, at time.Time) error
	// Plan adds publishers to what is due, from a time on, and returns how many were not
	// there before. Nothing changes about those that were.
	Plan(ctx context.Context, domains []hostname.Domain, class Class, at time.Time) (int, error)
	// PlanNamed adds publishers that the file at a URL names to what is due, from a time on, as
	// Named: those of whom there is no record, most at most. It returns how many were not there
	// before. A file that only strangers asked about adds no publishers.
	PlanNamed(ctx context.Context, url string, domains []hostname.Domain, at time.Time, most int) (int, error)
	// NamedWaiting returns how many are in the due list as Named; it does not count beyond most.
	NamedWaiting(ctx context.Context, most int) (int, error)
	// HoldSites gives sites to a holder until a time, and returns those that it has then, each
	// with the time at which the site has rested. No other process is given one until
	// FreeSites or until its time is over.
	HoldSites(ctx context.Context, holder string, sites []string, now, until time.Time) (map[string]time.Time, error)
	FreeSites(ctx context.Context, holder string, rested map[string]time.Time, now time.Time) error
	// Request stores a request within limits, and has the publisher looked at before others;
	// one that is completed is only counted. The error may be a *RequestLimitError.
	Request(ctx context.Context, q *Request, l RequestLimits) error
	// RequestByID returns a request.
	RequestByID(ctx context.Context, id string) (*Request, error)
	// BeginRequests notes that an attempt begins under a lease for what was requested, and
	// EndRequests what came of it. Until then a caller waits.
	BeginRequests(ctx context.Context, l Lease, at time.Time) error
	EndRequests(ctx context.Context, a *Attempt) error
	// Hasten has publishers that lead to files looked at whether they are due or not, most at
	// most, and returns how many that are. HastenFile has a file looked at when it may be.
	Hasten(ctx context.Context, urls []string, at time.Time, most int) (int, error)
	HastenFile(ctx context.Context, url string, at time.Time) error
	// Lead returns a publisher that leads to the file at a URL: by its Location or its Move,
	// unless that is the publisher's own place.
	Lead(ctx context.Context, url string) (hostname.Domain, error)
	// LetGo removes the file at a URL from what is due if no publisher points to it, until it is
	// committed again or one does.
	LetGo(ctx context.Context, url string) error
	// TakeTurns returns publishers whose turn it is at a time, in alphabetical order, and gives them to no
	// other process until a second time. Tell writes what they are told about, and ends their turns, unless
	// a turn was moved meanwhile. It is ErrConflict when a record is not what it was.
	TakeTurns(ctx context.Context, at, until time.Time, most int) ([]Turn, error)
	Tell(ctx context.Context, list []TurnResult) error
}

// A History has what was adopted and what has happened.
type History interface {
	// Document returns the bytes of a version.
	Document(ctx context.Context, hash string) ([]byte, error)
	// Versions returns the versions that were adopted at a URL, the latest first. Those
	// adopted after before are left out; zero means none are.
	Versions(ctx context.Context, url string, before time.Time, limit int) ([]custody.Version, error)
	// Places returns the places that spoke for a publisher, the latest first, in the same
	// way.
	Places(ctx context.Context, domain hostname.Domain, before time.Time, limit int) ([]custody.Place, error)
	// Since returns from when on the history is complete. What happened before may have been
	// removed; zero means that nothing was.
	Since(ctx context.Context) (time.Time, error)
	// Revocations returns everything that was ever revoked at a URL and not yet forgotten,
	// also what is over, for one domain or, if it is empty, for all.
	Revocations(ctx context.Context, url string, domain hostname.Domain) ([]custody.Revocation, error)
	// Events returns events with a greater number than after, in their order.
	Events(ctx context.Context, f EventFilter, after int64, limit int) ([]custody.NumberedEvent, error)
}

// A Change is what one look at a publisher changes. Parts that are nil stay as they are.
type Change struct {
	// Publisher and Files are the next records. Their Revision is the one that they
	// replace; the store counts it up.
	Publisher *custody.Publisher
	Files     []*custody.File
	// Index has what the publisher is found by.
	Index *Index
	// Documents are bytes to be kept, which the records may refer to by their hash.
	Documents [][]byte
	// Versions and Places are additions to the history.
	Versions []custody.Version
	Places   []custody.Place
	// Events are numbered by the store.
	Events []custody.Event
	// Leaves returns what the transparency log says about some of them, in their order; nil for
	// nothing. It is called, perhaps more than once, while there is a log.
	Leaves func() []Leaf
	// Asker says for whom the change is made. Records that only strangers asked about are
	// the first whose bodies are removed.
	Asker Asker
	// Charge is Config.Admit with take, which a store asks before it adds bytes to guests: Commit is
	// ErrNotAdmitted when there is no room for them. What ends or takes away is never refused.
	Charge func(ctx context.Context, charges []retain.Charge) (func(), bool)
	// State is how the publisher stands with it, InEffect whether a file of it is, and Turn when that
	// changes by time alone; zero for never.
	State    wire.PublisherState
	InEffect bool
	Turn     time.Time
	// Named are the publishers that new versions name. They are not stored.
	Named []Naming
	// Touched are files whose publishers have to be told about.
	Touched []Touched
	// Lease is the one that the change is made under, if any. When it is not good any more,
	// Commit is ErrFenced. When the change has the record that it is for, it ends.
	Lease *Lease
}

// An EventFilter selects events; empty parts select all.
type EventFilter struct {
	Publisher hostname.Domain
	URL       string
	// Least is the lowest severity.
	Least custody.Severity
	// Newest has the latest come first; the others come in their order.
	Newest bool
}

// A Holding is what a store has of a publisher at one moment: as much of the records as decides how
// it stands, and what lists show of it.
type Holding struct {
	Publisher *custody.Publisher
	// File is that at the publisher's Location; nil when there is none.
	File *custody.File
	// AbsentSince is when a publisher that is Absent was first seen so; zero when that is not
	// known.
	AbsentSince time.Time
	// Shown is what lists show of it.
	Shown projection.PackedShown
}

// A Task is a record that is due: a publisher or the URL of a file.
type Task struct {
	Publisher hostname.Domain
	URL       string
	Due       time.Time
	Class     Class
	// Lease is zero for a task that was not taken from the store.
	Lease Lease
	// filed: the record of such a task has a file.
	filed bool
	// unknown is when there was no record; zero if there was one.
	unknown time.Time
}

// OwnerOf returns the publisher whose own file is at a URL; empty for a URL that is not a
// publisher's own.
func OwnerOf(url string) string {
	rest, _ := strings.CutPrefix(url, "https://")
	host, path, _ := strings.Cut(rest, "/")
	if path != ".well-known/adagents.json" {
		return ""
	}
	return host
}

// An Asker is who makes a keeper look at a publisher. What only strangers asked about is
// kept within limits, and is the first to go when a store gets full.
type Asker uint8

// The askers.
const (
	// Known: the operator, or a keyholder.
	Known Asker = iota
	// Stranger: an anonymous caller.
	Stranger
	// Scheduled: the schedule asked, not a caller.
	Scheduled
)

// ErrNotAdmitted is the error of questions about a publisher that only strangers asked for when
// there is no room for what the web says of it. What is known of it, if anything, stays as it is.
var ErrNotAdmitted = errors.New("there is no room for what a publisher has")

// ErrFenced is the error of a change whose lease has expired and was taken by another
// process, which fetches again.
var ErrFenced = errors.New("another process has taken it over")

// A Class is the rank of what is due. Of a lower one more is taken at a time.
type Class int64

// The classes.
const (
	// Requested: a caller waits for it.
	Requested Class = iota
	// Wanted: it has a file, or was never looked at and a known caller has named it.
	Wanted
	// Empty: no file was found.
	Empty
	// Named: nothing is known but that another publisher's file names it, or it has a file
	// that no caller has asked about otherwise.
	Named
)

// A Lease is the right to look at something until it ends. Each has a greater number than
// the one before, its fence: with an older one nothing can be committed.
type Lease struct {
	Name  string
	Fence int64
	// RequestedAt is when the look was requested; zero when it was not.
	RequestedAt time.Time
}

// FileKey is what a file is called in the due list. A publisher is called by its domain.
func FileKey(url string) string {
	sum := sha256.Sum256([]byte(url))
	return "file:" + hex.EncodeToString(sum[:])
}

// A RequestStatus is how far a requested look is.
type RequestStatus string

// The states of a request. The last three are for good.
const (
	RequestQueued   RequestStatus = "queued"
	RequestRunning  RequestStatus = "running"
	RequestRetrying RequestStatus = "retrying"
	// RequestCompleted: the publisher has answered. RequestInvalid: what it answered cannot
	// be used. RequestFailed: it has not answered in RequestAttempts attempts.
	RequestCompleted RequestStatus = "completed"
	RequestInvalid   RequestStatus = "invalid"
	RequestFailed    RequestStatus = "failed"
)

// What became of an attempt, where that is not good.
const (
	requestUnusable = "publisher_manifest_invalid"
	requestSilent   = "crawl_origin_temporarily_unavailable"
)

// RequestAttempts is how often a publisher is looked at for one request.
const RequestAttempts = 5

// requestPauses are those after attempts that failed.
var requestPauses = [...]time.Duration{time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour}

// A Request is a check that a caller has asked for.
type Request struct {
	ID     string
	Domain hostname.Domain
	// Caller is the caller's key.
	Caller      string
	Status      RequestStatus
	Attempts    int
	RequestedAt time.Time
	// StartedAt is when the first attempt began and AttemptedAt the last, and CompletedAt when
	// the request was done. NextAt is when the next attempt begins, while it is retried.
	StartedAt, AttemptedAt, CompletedAt, NextAt time.Time
	// Error is the code of what was wrong with the last attempt.
	Error string
}

// Attempted notes the end of an attempt, which found the publisher in a state.
func (r *Request) Attempted(state resolve.State, at time.Time) {
	switch {
	case state == resolve.Unusable:
		r.Status, r.Error, r.CompletedAt, r.NextAt = RequestInvalid, requestUnusable, at, time.Time{}
	case state != resolve.Unreachable:
		r.Status, r.Error, r.CompletedAt, r.NextAt = RequestCompleted, "", at, time.Time{}
	case r.Attempts >= RequestAttempts:
		r.Status, r.Error, r.CompletedAt, r.NextAt = RequestFailed, requestSilent, at, time.Time{}
	default:
		r.Status, r.Error = RequestRetrying, requestSilent
		r.NextAt = at.Add(requestPauses[min(max(r.Attempts, 1), len(requestPauses))-1])
	}
}

// RequestLimits bound requests.
type RequestLimits struct {
	// Domain is the shortest time between two requests for the same, and Caller how many one
	// key may make within an hour. Open is how many may wait at a time.
	Domain       time.Duration
	Caller, Open int
}

// A RequestLimitError is the error of a request beyond its limits.
type RequestLimitError struct {
	// Limit is what was reached: "domain", "caller" or "open".
	Limit string
	Wait  time.Duration
}

// Error says so.
func (e *RequestLimitError) Error() string {
	return fmt.Sprintf("too many requests by %s, for another %s", e.Limit, e.Wait)
}

// An Attempt is the end of a look that was requested.
type Attempt struct {
	Lease Lease
	At    time.Time
	State resolve.State
	// Due and Class apply to the publisher once no caller waits any more.
	Due   time.Time
	Class Class
}

// What the directory says of a publisher is written when the publisher is committed. It changes
// without that when time passes, when a file changes that many publishers lead to, or when another
// publisher lists the same identifier. The store has a list of such publishers and when their turn
// is: they are committed again then. Until then readers compare dates and versions.

// A Touched is a file that has changed, with when it is the turn of the publishers that lead to it.
type Touched struct {
	URL string
	At  time.Time
}

// A Turn is a publisher whose turn it is. Until is when another process may take it, unless Tell
// is called.
type Turn struct {
	Domain hostname.Domain
	Until  time.Time
}

// A TurnResult is what became of the turn of a publisher. Change is what the directory and the feed are
// told, in which nothing of the record is another but Listed and Reported; nil for nothing. Next is when
// the next turn is; zero for never.
type TurnResult struct {
	Turn
	Change *Change
	Next   time.Time
}

// A Naming is a file that names publishers.
type Naming struct {
	URL     string
	Domains []hostname.Domain
}

// A Leaf is what the transparency log says about an event of a change. Its number is the
// event's, and its last line is written by the log.
type Leaf struct {
	// Event is the index of the event in the change.
	Event int
	translog.Leaf
}

// ClaimGrace is how long a publisher may not list an identifier without losing the time
// since when it does.
const ClaimGrace = 30 * 24 * time.Hour

// An Index has the identifiers that a publisher is found by from a time on: those of its
// own properties in the file that speaks for it.
type Index struct {
	At          time.Time
	Identifiers []resolve.Identifier
	// Others are publishers of other sites that list one of them, too, if it may be new.
	Others []hostname.Domain
	// Directory is what the directory and the feed have to be told.
	Directory *projection.Change
}

// A Listing is a publisher that lists an identifier as its own.
type Listing struct {
	Publisher hostname.Domain
	// Since is when that was first seen.
	Since time.Time
	// Gone: the file that speaks for it has no such identifier any more, perhaps because
	// there is none.
	Gone bool
}

// Limits of the identifiers that a publisher is found by.
const (
	maxIdentifiers    = 10_000
	longestIdentifier = 512
)

// An Identifier names a property as the market does.
type Identifier = resolve.Identifier

// IdentifiersOf returns the identifiers of a publisher's own properties, each once, in
// the form in which they are looked up.
func IdentifiersOf(owned []*adagents.Property) []resolve.Identifier {
	var out []resolve.Identifier
	seen := map[resolve.Identifier]bool{}
	for _, p := range owned {
		for i := range p.Identifiers {
			id := CanonicalIdentifier(resolve.Identifier{Type: p.Identifiers[i].Type, Value: p.Identifiers[i].Value})
			if !Indexable(id) || seen[id] {
				continue
			}
			seen[id] = true
			out = append(out, id)
			if len(out) == maxIdentifiers {
				return out
			}
		}
	}
	return out
}

// CanonicalIdentifier returns an identifier in the form in which it is compared; one that
// has none is as it was.
func CanonicalIdentifier(id resolve.Identifier) resolve.Identifier {
	switch id.Type {
	case "domain", "subdomain":
		rest, wild := strings.CutPrefix(id.Value, "*.")
		name, _, err := hostname.Canonical(rest)
		switch {
		case err != nil:
		case wild:
			id.Value = "*." + name
		default:
			id.Value = name
		}
	case "rss_url":
		url, _, err := hostname.CanonicalURL(id.Value)
		if err == nil {
			id.Value = url
		}
	}
	return id
}

// Indexable reports whether every store can keep an identifier.
func Indexable(id resolve.Identifier) bool {
	fine := func(s string) bool {
		return s != "" && len(s) <= longestIdentifier && utf8.ValidString(s) && !strings.Contains(s, "\x00")
	}
	return fine(id.Type) && fine(id.Value)
}
