package custodian

import (
	"context"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/flight"
	"github.com/avow-project/avow/internal/std/hostname"
)

// Limits of what is remembered.
const (
	// recentBytes is the memory for records of publishers, and as much for those of files. One takes
	// recordBytes, the texts in it, and keyAgeBytes for each key.
	recentBytes = 8_000_000
	recordBytes = 800
	keyAgeBytes = 150
	// recentTime is how long a record is remembered that nobody asks for.
	recentTime = time.Minute
)

// recent has the records that questions were answered from a moment ago: a publisher that is
// asked about a thousand times a second is read from the store once in Config.Remember. What
// this Keeper commits is forgotten at once, so only others who write to the same store are
// noticed that late. One that is read again and has not changed stays the same in memory, with
// all that was made from it. Changes are never made from these records.
type recent struct {
	life       time.Duration
	publishers *flight.Cache[hostname.Domain, memory[*custody.Publisher]]
	files      *flight.Cache[string, memory[*custody.File]]

	mu      sync.Mutex
	changes int // by this Keeper
}

// A memory is a record that was read, a file's without its revocations.
type memory[V any] struct {
	value    V
	revision int64
	weight   int
	at       time.Time // before it was read
}

func newRecent(life, kept time.Duration) *recent {
	if life <= 0 {
		return nil
	}
	kept = max(life, kept)
	return &recent{
		life:       life,
		publishers: flight.NewCache(flight.Limits[hostname.Domain, memory[*custody.Publisher]]{Weight: recentBytes, Life: kept, Now: time.Now}),
		files:      flight.NewCache(flight.Limits[string, memory[*custody.File]]{Weight: recentBytes, Life: kept, Now: time.Now}),
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
func remembered[K comparable, V any](ctx context.Context, r *recent, kept *flight.Cache[K, memory[V]], key K, read func(context.Context) (memory[V], error)) (memory[V], error) {
	old, ok := kept.Get(key)
	now := time.Now()
	if ok && now.Sub(old.at) < r.life {
		return old, nil
	}
	r.mu.Lock()
	before := r.changes
	r.mu.Unlock()
	limited, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	m, err := read(limited)
	switch {
	case err != nil && limited.Err() != nil:
		return m, unavailable(ctx, err)
	case err != nil:
		return m, err
	case ok && m.revision == old.revision && reflect.DeepEqual(m.value, old.value):
		// A record that was removed and made again may have a revision that it had before.
		m.value = old.value
	}
	m.at = now
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.changes == before {
		kept.Put(key, m, m.weight)
	}
	return m, nil
}

// textBytes is what texts take that others chose.
func textBytes(h *custody.Headers, texts ...string) int {
	n := len(h.Age) + len(h.Date) + len(h.Expires) + len(h.ETag) + len(h.LastModified)
	for _, list := range [][]string{h.CacheControl, texts} {
		for _, text := range list {
			n += len(text) + 16
		}
	}
	return n
}

// recentPublisher is publisher for answers.
func (k *Keeper) recentPublisher(ctx context.Context, domain hostname.Domain) (*custody.Publisher, error) {
	if k.recent == nil {
		return k.publisher(ctx, domain)
	}
	m, err := remembered(ctx, k.recent, k.recent.publishers, domain, func(ctx context.Context) (memory[*custody.Publisher], error) {
		p, err := k.publisher(ctx, domain)
		if err != nil {
			return memory[*custody.Publisher]{}, err
		}
		texts := slices.Concat(p.Agents, p.Rejected, []string{p.Location.URL, p.Via, p.Trouble, p.Reply.Place.URL})
		if p.Move != nil {
			texts = append(texts, p.Move.To.URL)
		}
		return memory[*custody.Publisher]{value: p, revision: p.Revision, weight: recordBytes + textBytes(&p.Headers, texts...)}, nil
	})
	return m.value, err
}

// recentFile is brief for answers.
func (k *Keeper) recentFile(ctx context.Context, url string) (*custody.File, int64, error) {
	if k.recent == nil {
		return k.brief(ctx, url)
	}
	m, err := remembered(ctx, k.recent, k.recent.files, url, func(ctx context.Context) (memory[*custody.File], error) {
		f, revision, err := k.brief(ctx, url)
		if err != nil {
			return memory[*custody.File]{}, err
		}
		weight := recordBytes + keyAgeBytes*len(f.Keys) + textBytes(&f.Headers, f.URL, f.From, f.SupersededBy, f.CatalogETag, f.Trouble)
		return memory[*custody.File]{value: f, revision: revision, weight: weight}, nil
	})
	return m.value, m.revision, err
}
