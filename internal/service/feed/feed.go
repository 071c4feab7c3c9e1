package feed

import (
	"context"
	"log/slog"
	"maps"
	"net/url"
	"slices"
	"time"

	"github.com/avow-project/avow/internal/flight"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/directory"
	"github.com/avow-project/avow/internal/wire"
)

// Config configures a Feed. Store is required.
type Config struct {
	Store Store
	// Describe adds what an agent may sell at present to an event about it.
	Describe func(ctx context.Context, agent string) (*Agent, error)
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// Log is for the operator; nil for none.
	Log *slog.Logger
}

// followEvery is how often the store is asked for what other processes have told.
const followEvery = 500 * time.Millisecond

// A Feed tells what has changed. Its events are written with the changes that they are about; here
// they are read. It is safe for concurrent use. Run has those told who wait for more.
type Feed struct {
	Config
	wake chan struct{}
	// ready is closed when the end of the feed was read once.
	ready chan struct{}
	tail  tail
	// profiles are what events say of agents, which takes longer to find out than all the rest.
	profiles *flight.Cache[directory.Agent, []byte]
}

// profileLife is how long what is said of an agent is kept, and profileBytes what all of that may take.
const (
	profileLife  = time.Minute
	profileBytes = 4 << 20
)

// New returns a Feed.
func New(c Config) *Feed {
	f := &Feed{Config: c, wake: make(chan struct{}, 1), ready: make(chan struct{})}
	if f.Now == nil {
		f.Now = time.Now
	}
	if f.Log == nil {
		f.Log = slog.New(slog.DiscardHandler)
	}
	f.profiles = flight.NewCache(flight.Limits[directory.Agent, []byte]{Name: "profiles", Weight: profileBytes,
		Life: profileLife, Now: f.Now})
	f.tail.moved = make(chan struct{})
	f.tail.latest = map[string]Position{}
	return f
}

// Changed notes that something was committed.
func (f *Feed) Changed() {
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// Run reads what is told, by this process and others, until the context ends. What fails is logged
// and tried again.
func (f *Feed) Run(ctx context.Context) {
	defer f.End()
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	for ctx.Err() == nil {
		err := f.follow(ctx)
		if err != nil && ctx.Err() == nil {
			f.Log.WarnContext(ctx, "cannot go on with the change feed", "error", err)
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		case <-f.wake:
		}
	}
}

// Sales is the type of every agent here: publishers let it sell their inventory.
const Sales = "sales"

// Profile is the inventory of an agent.
type Profile struct {
	Channels         []string `json:"channels" doc:"Always empty: no file says it, like the other empty lists."`
	PropertyTypes    []string `json:"property_types" doc:"Those of the first 50 publishers that have an entry for it."`
	Markets          []string `json:"markets"`
	Categories       []string `json:"categories"`
	CategoryTaxonomy *string  `json:"category_taxonomy" doc:"Always null."`
	Tags             []string `json:"tags"`
	DeliveryTypes    []string `json:"delivery_types"`
	PropertyCount    int      `json:"property_count" doc:"Properties that it may sell, of all publishers."`
	PublisherCount   int      `json:"publisher_count"`
	HasTMP           bool     `json:"has_tmp" doc:"Always false."`
}

// An Agent is an agent in the two forms that clients know: with its inventory in members of its
// own, and with all of them in inventory_profile.
type Agent struct {
	AgentURL string `json:"agent_url"`
	URL      string `json:"url" doc:"The same."`
	Name     string `json:"name" doc:"Its host."`
	Type     string `json:"type" doc:"sales."`
	Profile
	FormatKinds      []string `json:"format_kinds"`
	InventoryProfile Profile  `json:"inventory_profile" doc:"The same members again."`
}

// AgentOf describes an agent by its inventory.
func AgentOf(agent directory.Agent, i *directory.Inventory) Agent {
	shown, none := redact.URL(agent.URL), []string{}
	p := Profile{none, wire.NotNil(slices.Sorted(maps.Keys(i.Types))), none, none, nil, none, none, i.Properties,
		agent.Publishers, false}
	return Agent{AgentURL: shown, URL: shown, Name: AgentName(agent.URL), Type: Sales, Profile: p, FormatKinds: none,
		InventoryProfile: p}
}

// Describe returns what describes agents as they are at present, by the directory of a service.
func Describe(
	get func(context.Context) (*directory.View, error),
) func(ctx context.Context, agent string) (*Agent, error) {
	return func(ctx context.Context, url string) (*Agent, error) {
		v, err := get(ctx)
		if err != nil {
			return nil, err
		}
		agent := v.Agent(url)
		i := v.Inventory(agent)
		doc := AgentOf(agent, &i)
		return &doc, v.Err()
	}
}

// AgentName is what an agent is called: its host.
func AgentName(agent string) string {
	u, err := url.Parse(agent)
	if err != nil {
		return ""
	}
	return u.Hostname()
}
