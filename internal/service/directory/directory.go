package directory

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// A Keeper knows what is in effect. *custodian.Keeper is one.
type Keeper interface {
	Snapshot(ctx context.Context, domain hostname.Domain) (*custodian.Snapshot, error)
	Snapshots(ctx context.Context, domains []hostname.Domain, f func(hostname.Domain, *custodian.Snapshot, error))
	Judge(p *custody.Publisher, f *custody.File, at custody.Moment) *custodian.State
	Moment(ctx context.Context) (custody.Moment, error)
	Claims(ctx context.Context, id resolve.Identifier, now time.Time, limit int) ([]custodian.Listing, error)
	// Doubts returns a number that changes with what Judge rests on beside the records and the
	// moment.
	Doubts() uint64
}

// A Store is read for what this process has not changed itself. Every custodian.Store is one.
type Store interface {
	Revisions(ctx context.Context, f func(domain hostname.Domain, revision int64) error) error
	Events(ctx context.Context, f custodian.EventFilter, after int64, limit int) ([]custody.NumberedEvent, error)
	LastEvent(ctx context.Context) (int64, error)
	Users(ctx context.Context, url string) ([]hostname.Domain, error)
	SetOutline(ctx context.Context, o *custodian.Outline) error
	Outline(ctx context.Context) (*custodian.Outline, error)
}

// Config configures a Directory. Keeper and Store are required.
type Config struct {
	Keeper Keeper
	Store  Store
	// OptedOut reports whether the owner of a domain wants nothing to do with the service.
	OptedOut func(hostname.Domain) bool
	// Memory is how many bytes the index may take, about; zero means DefaultMemory. A site may take
	// a sixteenth of it.
	Memory int64
	// Observe is told which publishers were read again, after everything was read once; nil
	// means that nobody listens. It must not take long.
	Observe func(hostname.Domain)
	// Patience is how long a question waits for what was committed before it was asked; zero
	// means two seconds.
	Patience time.Duration
	// Log is for the operator.
	Log *slog.Logger
}

// DefaultMemory is how many bytes a directory may take unless somebody says otherwise.
const DefaultMemory = 128_000_000

const (
	siteShare       = 16
	defaultPatience = 2 * time.Second
)

// ErrLoading is the error of questions that come before everything was read once.
var ErrLoading = errors.New("the directory is being read from the store")

// A Directory finds publishers, agents and identifiers. It is safe for concurrent use.
type Directory struct {
	config Config
	queue  queue
	loaded chan struct{} // closed when everything was read once
	// listed is closed when publishers can be listed that were not read yet: those are unread.
	listed chan struct{}
	saved  atomic.Uint64 // the version whose outline was noted

	mu         sync.RWMutex
	version    uint64 // grows with each change
	publishers map[hostname.Domain]*Publisher
	// names are all publishers that are known, also those that others have named and that
	// named counts.
	names  ordered
	named  map[hostname.Domain]int
	agents map[string]*agent
	// agentNames are those of agents that may sell something at present, or could.
	agentNames  ordered
	identifiers map[resolve.Identifier][]hostname.Domain
	shared      map[string]*shared
	byURL       map[string]map[hostname.Domain]bool // of those whose file is not at their own place
	size        int64
	sites       map[string]int64
	missing     int
	hints       []hostname.Domain // names to settle when everything is read: no file that was read so far names them

	tally tally
}

// An agent has the publishers that are found by it.
type agent struct {
	// sells has those whose file lets it sell properties, at some time, and signals those
	// whose file lets it sell signals alone. revoked has those that a file does not speak for
	// any more, and unsettled those that had it in their file, and of whom nothing is in
	// effect at present.
	sells, signals, revoked, unsettled ordered
	// version is that of the directory when one of them was last changed.
	version uint64
}

func (a *agent) empty() bool {
	return a.sells.count+a.signals.count+a.revoked.count+a.unsettled.count == 0
}

// A shared is what publishers have in common whose file is the same.
type shared struct {
	key      string
	users    int
	size     int64
	site     string // that the size is counted for
	prepared *resolve.Prepared
	// named are the publishers that the file at a URL names, and told is set when Namings has
	// returned them.
	named []hostname.Domain
	url   string
	told  bool
}

// New returns a Directory of nobody; Run fills it.
func New(c Config) *Directory {
	if c.Memory <= 0 {
		c.Memory = DefaultMemory
	}
	if c.Patience <= 0 {
		c.Patience = defaultPatience
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Observe == nil {
		c.Observe = func(hostname.Domain) {}
	}
	if c.OptedOut == nil {
		c.OptedOut = func(hostname.Domain) bool { return false }
	}
	d := &Directory{config: c, loaded: make(chan struct{}), listed: make(chan struct{})}
	d.clear()
	d.queue.init()
	return d
}

// clear forgets all publishers.
func (d *Directory) clear() {
	d.version++
	d.publishers, d.names, d.named = map[hostname.Domain]*Publisher{}, ordered{}, map[hostname.Domain]int{}
	d.agents, d.agentNames = map[string]*agent{}, ordered{}
	d.identifiers, d.shared, d.sites = map[resolve.Identifier][]hostname.Domain{}, map[string]*shared{}, map[string]int64{}
	d.byURL, d.size, d.missing, d.hints = map[string]map[hostname.Domain]bool{}, 0, 0, nil
}

// A Publisher is what the directory has of one. It is not changed any more.
type Publisher struct {
	Domain hostname.Domain
	// Properties is how many properties of its own are in the file in effect, and Types how
	// many there are of each type.
	Properties int
	Types      []TypeCount
	// Grants are what agents may sell, by agent.
	Grants []Grant
	// Identifiers are those of its own properties.
	Identifiers []resolve.Identifier
	// Missing: a file is in effect, and what it says is not in the directory.
	Missing bool

	// unread: it is known from an outline, which has the agents of its Grants and next alone.
	unread      bool
	record      *custody.Publisher // nil when it was never looked at
	file        *custody.File
	absentSince time.Time
	optedOut    bool
	state       resolve.State // of the document
	served      bool          // when it was read
	indexed     bool          // the store finds it by the identifiers of its file
	next        time.Time     // when an entry of its file begins or ends; of one that is unread, when it is to be read
	subject     resolve.Subject
	revoked     []string // agents
	signals     []string
	unsettled   []string
	shared      *shared
	size        int64
}

// A TypeCount is how many properties there are of a type.
type TypeCount struct {
	Type  string
	Count int
}

// A Grant says that a file lets an agent sell something of a publisher.
type Grant struct {
	Agent string // canonical URL
	// Live: an entry is in force now; otherwise one was, or is going to be.
	Live bool
	// Pinned: an entry lists keys of the agent.
	Pinned bool
	// Types are the authorization types of the entries.
	Types Types
}

// grant returns what an agent may sell.
func (p *Publisher) grant(agent string) (Grant, bool) {
	i, ok := search(p.Grants, agent)
	if !ok {
		return Grant{}, false
	}
	return p.Grants[i], true
}

// LiveAgents returns the agents that may sell something now, as far as the file is in effect.
func (e *Entry) LiveAgents() []string {
	var out []string
	if e.Publisher == nil || !e.Standing.InEffect {
		return nil
	}
	for _, g := range e.Grants {
		if g.Live {
			out = append(out, g.Agent)
		}
	}
	return out
}

// Unreadable reports whether there is a record of the publisher that could not be read.
func (p *Publisher) Unreadable() bool { return p.Missing && p.record == nil }

// Adopted returns when what is in effect was adopted; zero when the record could not be read.
func (p *Publisher) Adopted() time.Time {
	switch {
	case p.record == nil:
		return time.Time{}
	case p.file == nil:
		return p.record.AdoptedAt
	}
	return later(p.record.AdoptedAt, p.file.AdoptedAt)
}
