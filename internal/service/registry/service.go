package registry

import (
	"cmp"
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/operator"
	"github.com/avow-project/avow/internal/service/budget"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/directory"
	"github.com/avow-project/avow/internal/service/retain"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// A Finder finds files on the web. *discover.Finder is one.
type Finder interface {
	Domain(ctx context.Context, domain string, o discover.Options) (*discover.Discovery, error)
	URL(ctx context.Context, url string, o discover.Options) (*discover.Discovery, error)
	Location(ctx context.Context, domain string, at discover.Place, o discover.Options) (*discover.Discovery, error)
	Agents(ctx context.Context, agents []string, o discover.ProbeOptions) []discover.AgentCheck
	Describe(ctx context.Context, agent string) *discover.AgentDescription
}

// A Getter makes guarded requests. *fetch.Client is one.
type Getter interface {
	Get(ctx context.Context, r fetch.Request) *fetch.Result
}

// A Provider is a third party with brand data. The errors of its methods are *Error.
type Provider interface {
	// Name is the provider's on the wire.
	Name() string
	// Brand returns what the provider knows about a domain; NotFound when nothing.
	Brand(ctx context.Context, domain hostname.Domain) (*ProviderBrand, error)
	// Context returns identity, positioning and voice as a JSON object. It must not be
	// stored.
	Context(ctx context.Context, domain hostname.Domain) ([]byte, error)
}

// A BrandFile reads the brand.json of a domain, and its trust.json.
type BrandFile interface {
	// Manifest returns the brand data that a domain publishes itself, as a JSON object;
	// NotFound when it publishes none.
	Manifest(ctx context.Context, domain hostname.Domain) ([]byte, error)
	// Document returns the brand.json of a domain as it is, and where it was found; NotFound
	// when there is none.
	Document(ctx context.Context, domain hostname.Domain) ([]byte, string, error)
	// SalesAgents returns the agents that it lets sell, and when it says it was changed;
	// false when it names none or cannot be had.
	SalesAgents(ctx context.Context, domain hostname.Domain) ([]string, time.Time, bool)
	// Operator returns what the operator of an agent says about it, at a URL or, without
	// one, where its brand.json should be.
	Operator(ctx context.Context, agent, url string, at time.Time) *operator.Statement
	// Trust asks for the trust.json of a domain.
	Trust(ctx context.Context, domain hostname.Domain) *fetch.Result
	// Compare compares what a file says about agents with what their operators say.
	Compare(ctx context.Context, doc *resolve.Document, agents []string, at time.Time) []*operator.Comparison
}

// A ProviderBrand is brand data from a provider.
type ProviderBrand struct {
	// Manifest is a JSON object in the form of the wire.
	Manifest []byte
	// Good reports whether it passed the quality gate.
	Good bool
}

// Records are the records of custody, and the directory that is written with them.
type Records interface {
	custodian.Store
	directory.Store
}

// Config configures a Service. Store and Finder are required.
type Config struct {
	Store  Store
	Finder Finder
	// Custody has the records that answers rest on. Without it the service answers
	// nothing about publishers but what a check finds.
	Custody Records
	// Provider and Brands may be nil: enrichment then serves what else there is.
	Provider Provider
	Brands   BrandFile
	// AdsTxt reads the ads.txt or app-ads.txt of a host for supply paths; nil means that none can
	// be read.
	AdsTxt func(ctx context.Context, host, name string) ([]byte, bool)
	// Quota is the number of calls of the provider in a day; zero means 1000.
	Quota int
	// BaseURL is where the service is reached from outside, for links, without a slash
	// at the end.
	BaseURL string
	// OptOut are domains in canonical form that want nothing to do with the service: they
	// and the names below them are not asked, nor is anybody about them. The Finder and
	// Brands have to know them too.
	OptOut []string
	// MirrorKeep is how long a superseded mirror is served at least; zero means 90 days.
	MirrorKeep time.Duration
	// MirrorCheck is how often WatchMirrors looks at the platforms of mirrors; zero means
	// daily.
	MirrorCheck time.Duration
	// ObserveCache is told whether an answer about a domain was found in memory; nil if
	// not counted.
	ObserveCache func(name string, hit bool)
	// Space has the size of the store, and Limits say how large it may get; with nil,
	// nothing is removed. ObserveSpace is told what is found, and ObserveRefusal why a
	// publisher is not kept; nil if not counted.
	Space          Space
	Limits         retain.Limits
	ObserveSpace   func(retain.Usage, *retain.Pruned)
	ObserveRefusal func(retain.Verdict)
	// Held has the bytes of what is large, see package budget, and Checking is the memory in
	// bytes for documents that are being checked; zero means 72 and 120 MB.
	Held     *budget.Budget
	Checking int64
	// Notify is told what happens to the records of custody; nil for none.
	Notify func([]custody.NumberedEvent)
	// Changed is told that something was committed; nil for none.
	Changed func()
	// CallTime is how long a call may take that asks the web; zero means a few seconds, as callers
	// expect it.
	CallTime time.Duration
	// Remember is how long questions are answered from a record that was read, if it is still the
	// same in a store that others write to; zero means a second.
	Remember time.Duration
	// Watchers is how many publishers WatchPublishers asks at the same time; zero means 4.
	Watchers int
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// Log is for the operator; nil for none.
	Log *slog.Logger
}

// A Service has the use cases. It is safe for concurrent use. Close ends it.
type Service struct {
	config Config
	limits limits
	keys   knownKeys
	// optedOut has the domains of Config.OptOut.
	optedOut map[string]bool
	// enriching is what enrichment remembers.
	enriching enriching
	// checks are the looks at domains, keeper what answers rest on.
	checks *checks
	// following lets clients see how far the checks are.
	following following
	keeper    *custodian.Keeper
	// directory has everything that custody knows; nil without records.
	directory *directory.Directory
	// named are the publishers that files have named of late.
	named named
	// refreshes are the new answers that callers were given of late.
	refreshes refreshes
	// rollouts are the runs over networks.
	rollouts *rollouts
	// mirrored gives documents their mirrors, which are found in mirrorIndex.
	mirrored    resolve.Source
	mirrorIndex mirrorIndex
	// held and checking are the memory for documents; slots limit the looks at the same
	// time, behind those that go on although no caller waits, and unsaved those that
	// were answered and are not stored yet.
	held, checking *budget.Budget
	// space is what is known of the size of the store.
	space space
	// unattended is how often in a row no worker was crawling.
	unattended             atomic.Int32
	slots, behind, unsaved chan struct{}

	// ctx ends with the service, and tasks are what it has started.
	ctx    context.Context
	cancel context.CancelFunc
	tasks  sync.WaitGroup
}

// limits are the times of a Service. They are constants but for tests.
type limits struct {
	// call is how long a domain may be looked at for a waiting caller, and grace how
	// much longer the call may take. lookup is the same for a lookup.
	call, grace, lookup time.Duration
	// probe is for all agents of a file.
	probe time.Duration
	// enrich bounds a call about a brand in all: clients wait for ten seconds. own is the part of it
	// for the domain's own brand.json.
	enrich, own time.Duration
	// store bounds what a caller waits for the store.
	store time.Duration
}

const (
	// maxLooks is the number of domains that are being looked at.
	maxLooks = 512
	// waitingChecks is the number of documents that may wait for memory.
	waitingChecks = 4096
	// maxBehind is the number of those that no caller waits for.
	maxBehind = 4
	// maxUnsaved is the number of those that are stored after their answer, each with some 40
	// kB: when the disk is slower than the web for longer, answers wait for it.
	maxUnsaved = 256
)

// New returns a Service.
func New(c Config) *Service {
	clock := c.Now // of the keeper, which has a better one when none is given
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.ObserveCache == nil {
		c.ObserveCache = func(string, bool) {}
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Held == nil {
		c.Held = budget.New(heldBytes, heldBytes/4, waitingChecks)
	}
	c.Checking = cmp.Or(c.Checking, checkingBytes)
	c.Limits = c.Limits.WithDefaults()
	s := &Service{
		config: c, checks: newChecks(c.Now), rollouts: newRollouts(c.Now), enriching: newEnriching(c.Now), held: c.Held,
		checking: budget.New(c.Checking, c.Checking, waitingChecks),
		slots:    make(chan struct{}, maxLooks), behind: make(chan struct{}, maxBehind),
		unsaved: make(chan struct{}, maxUnsaved),
		limits: limits{
			call: 9 * time.Second, grace: 500 * time.Millisecond, lookup: 8 * time.Second,
			probe: 6 * time.Second, enrich: 9500 * time.Millisecond, own: 3500 * time.Millisecond, store: 2 * time.Second,
		},
	}
	if c.CallTime > 0 {
		t := c.CallTime
		s.limits = limits{call: t, grace: s.limits.grace, lookup: t, probe: t, enrich: t, own: t, store: t}
	}
	s.optedOut = make(map[string]bool, len(c.OptOut))
	for _, domain := range c.OptOut {
		s.optedOut[domain] = true
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.mirrored = s.withMirrors()
	s.keeper = s.newKeeper(clock)
	return s
}

// newKeeper returns the keeper of the service; nil without records.
func (s *Service) newKeeper(clock func() time.Time) *custodian.Keeper {
	if s.config.Custody == nil {
		return nil
	}
	k, err := custodian.New(custodian.Config{
		Store: s.config.Custody, Finder: keeperFinder{s}, Now: clock, Log: s.config.Log, Notify: s.config.Notify,
		Reserve: s.reserveForKeeper, Use: keeperUse, Look: s.keeperLook, Seen: s.notice, Admit: s.take,
		Timeout: s.limits.call, Memory: parsedBytes, AskedMemory: askedBytes, Brand: s.salesAgents(),
		Remember: cmp.Or(s.config.Remember, rememberTime), OptedOut: s.hasOptedOut, Changed: s.changed,
	})
	if err != nil {
		panic(err) // both parts that it needs are given
	}
	s.directory = directory.New(directory.Config{Keeper: k, Store: s.config.Custody, OptedOut: s.hasOptedOut})
	return k
}

// changed passes on that something was committed.
func (s *Service) changed(c *custodian.Change) {
	s.named.add(c.Named)
	if s.config.Changed != nil {
		s.config.Changed()
	}
}

// salesAgents returns what asks for the agents in a publisher's brand.json; nil if that
// is not possible.
func (s *Service) salesAgents() func(context.Context, hostname.Domain) ([]string, time.Time, bool) {
	if s.config.Brands == nil {
		return nil
	}
	return s.config.Brands.SalesAgents
}

// rememberTime is Config.Remember where none is given.
const rememberTime = time.Second

// Memory for parsed files: lookups of one publisher come together, and questions about the same
// thousand publishers come all day.
const (
	parsedBytes = 8_000_000
	askedBytes  = 32_000_000
)

// Close ends what goes on in the background and waits for it. Calls that are under way
// are given up; those that come later fail. The store stays open.
func (s *Service) Close() {
	s.checks.close()
	s.cancel()
	s.tasks.Wait()
}

// Go runs something in the background until the service is closed.
func (s *Service) Go(task func(ctx context.Context)) { s.start(func() { task(s.ctx) }) }

// start runs something that Close waits for. It returns false when the service has
// ended. A fault in the program ends the task alone.
func (s *Service) start(task func()) bool {
	s.checks.mu.Lock()
	defer s.checks.mu.Unlock()
	if s.checks.closed {
		return false
	}
	s.tasks.Go(func() {
		defer func() {
			fault := recover()
			if fault != nil {
				s.config.Log.Error("panic in the background", "panic", fault)
			}
		}()
		task()
	})
	return true
}

// repeat runs a task now and after every interval, until the service is closed. failed is told what
// went wrong.
func (s *Service) repeat(every time.Duration, task func(context.Context) error, failed func(error)) {
	s.start(func() {
		timer := time.NewTicker(every)
		defer timer.Stop()
		for {
			err := task(s.ctx)
			if err != nil && s.ctx.Err() == nil {
				failed(err)
			}
			select {
			case <-timer.C:
			case <-s.ctx.Done():
				return
			}
		}
	})
}

// hasOptedOut reports whether the owner of a domain wants nothing to do with the service.
func (s *Service) hasOptedOut(domain hostname.Domain) bool {
	return hostname.Within(string(domain), s.optedOut)
}

// refuseOptedOut returns an error when one of some domains has opted out.
func (s *Service) refuseOptedOut(domains ...hostname.Domain) error {
	for _, domain := range domains {
		if s.hasOptedOut(domain) {
			return optedOut(domain)
		}
	}
	return nil
}

func optedOut(domain hostname.Domain) *Error {
	return &Error{
		Kind: Forbidden, Code: "domain_opted_out", Message: string(domain) + " has opted out of this service",
		Hint: "its owner can have the operator change that",
	}
}
