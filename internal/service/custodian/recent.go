package custodian

import (
	"context"
	"sync"
	"time"

	"github.com/avow-project/avow/custody"
	"github.com/avow-project/avow/internal/flight"
	"github.com/avow-project/avow/internal/std/hostname"
)

// maxRecent is how many records of publishers, and as many of files, are remembered.
const maxRecent = 10_000

// recent has the records that questions were answered from a moment ago: a publisher that is
// asked about a thousand times a second is read from the store once in Config.Remember. What
// this Keeper commits is forgotten at once, so only others who write to the same store are
// noticed that late. Changes are never made from these records.
type recent struct {
	publishers *flight.Cache[hostname.Domain, *custody.Publisher]
	files      *flight.Cache[string, briefFile]

	mu      sync.Mutex
	changes int // by this Keeper
}

// A briefFile is the record of a file without its revocations, and its revision.
type briefFile struct {
	*custody.File
	revision int64
}

func newRecent(life time.Duration) *recent {
	if life <= 0 {
		return nil
	}
	return &recent{
		publishers: flight.NewCache(flight.Limits[hostname.Domain, *custody.Publisher]{Count: maxRecent, Life: life, Now: time.Now}),
		files:      flight.NewCache(flight.Limits[string, briefFile]{Count: maxRecent, Life: life, Now: time.Now}),
	}
}

// forget drops the records of a change, and has those forgotten that are being read.
func (r *recent) forget(c *Change) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.changes++
	if c.Publisher != nil {
		r.publishers.Delete(c.Publisher.Domain)
	}
	for _, f := range c.Files {
		r.files.Delete(f.URL)
	}
}

// remembered returns what is kept under a key, or reads it and keeps it unless something was
// committed meanwhile.
func remembered[K comparable, V any](r *recent, kept *flight.Cache[K, V], key K, read func() (V, error)) (V, error) {
	v, ok := kept.Get(key)
	if ok {
		return v, nil
	}
	r.mu.Lock()
	before := r.changes
	r.mu.Unlock()
	v, err := read()
	if err != nil {
		return v, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.changes == before {
		kept.Put(key, v, 0)
	}
	return v, nil
}

// recentPublisher is publisher for answers.
func (k *Keeper) recentPublisher(ctx context.Context, domain hostname.Domain) (*custody.Publisher, error) {
	if k.recent == nil {
		return k.publisher(ctx, domain)
	}
	return remembered(k.recent, k.recent.publishers, domain, func() (*custody.Publisher, error) { return k.publisher(ctx, domain) })
}

// recentFile is brief for answers.
func (k *Keeper) recentFile(ctx context.Context, url string) (*custody.File, int64, error) {
	if k.recent == nil {
		return k.brief(ctx, url)
	}
	f, err := remembered(k.recent, k.recent.files, url, func() (briefFile, error) {
		f, revision, err := k.brief(ctx, url)
		return briefFile{f, revision}, err
	})
	return f.File, f.revision, err
}
