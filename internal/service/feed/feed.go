package feed

import (
	"context"
	"log/slog"
	"time"

	"github.com/avow-project/avow/internal/flight"
	"github.com/avow-project/avow/internal/service/directory"
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
