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
	// recentTime is how long a record is remembered without requests.
	recentTime = time.Minute
)

// recent has the records that questions were answered from a moment ago: a publisher that is
// asked about a thousand times a second is read from the store once in Config.Remember. What
// this Keeper commits is forgotten at once; where others may write to the same store, it is asked
// for the revisions alone, of all that are asked about at that moment. One that is read again and
// has not changed stays the same in memory, with all that was made from it. Changes are never made
// from these records.
type recent struct {
	life       time.Duration
	shared     bool
	census     census
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

func newRecent(life, kept time.Duration, shared bool) *recent {
	if life <= 0 {
		return nil
	}
	kept = max(life, kept)
	return &recent{
		life:       life,
		shared:     shared,
		publishers: flight.NewCache(flight.Limits[hostname.Domain, memory[*custody.Publisher]]{Name: "publishers", Weight: recentBytes, Life: kept, Now: time.Now}),
		files:      flight.NewCache(flight.Limits[string, memory[*custody.File]]{Name: "files", Weight: recentBytes, Life: kept, Now: time.Now}),
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

// revisions are those of records by their names, which are domains and URLs.
type revisions map[string]int64

// revisions returns those in the store of what is remembered of a publisher, where others may
// have written it; nil where that does not matter.
func (k *Keeper) revisions(ctx context.Context, domain hostname.Domain) (revisions, error) {
	r := k.recent
	if r == nil || !r.shared {
		return nil, nil
	}
	p, ok := r.publishers.Get(domain)
	if !ok || time.Since(p.at) >= r.life {
		return nil, nil
	}
	found, err := r.census.take(ctx, k.config.Store, domain, p.value.Location.URL)
	if err != nil {
		return nil, unavailable(ctx, err)
	}
	return found, nil
}

// A census asks the store for the revisions of records. Those who come while it is being asked
// are answered together by the next statement, so that no caller gets what was read before.
type census struct {
	mu    sync.Mutex
	next  *count
	asked bool // a statement is under way
}

// A count is one statement of a census.
type count struct {
	domains []hostname.Domain
	urls    []string
	done    chan struct{}
	found   revisions
	err     error
}

func (c *census) take(ctx context.Context, store Store, domain hostname.Domain, url string) (revisions, error) {
	c.mu.Lock()
	if c.next == nil {
		c.next = &count{done: make(chan struct{})}
	}
	n := c.next
	n.domains = append(n.domains, domain)
	if url != "" {
		n.urls = append(n.urls, url)
	}
	if !c.asked {
		c.asked = true
		go c.run(context.WithoutCancel(ctx), store)
	}
	c.mu.Unlock()
	select {
	case <-n.done:
		return n.found, n.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// run asks until no caller is left.
func (c *census) run(ctx context.Context, store Store) {
	for {
		c.mu.Lock()
		n := c.next
		c.next, c.asked = nil, n != nil
		c.mu.Unlock()
		if n == nil {
			return
		}
		limited, cancel := context.WithTimeout(ctx, storeTimeout)
		n.found, n.err = store.Revisions(limited, n.domains, n.urls)
		cancel()
		close(n.done)
	}
}

// remembered returns what is kept under a key, if others cannot have changed it or its revision is
// among those in the store, or reads it and keeps it unless something was committed meanwhile.
func remembered[K ~string, V any](ctx context.Context, r *recent, kept *flight.Cache[K, memory[V]], key K, stored revisions, read func(context.Context) (memory[V], error)) (memory[V], error) {
	old, ok := kept.Get(key)
	now := time.Now()
	if ok && now.Sub(old.at) < r.life {
		revision, known := stored[string(key)]
		if !r.shared || known && revision == old.revision {
			return old, nil
		}
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

// recentPublisher is publisher for answers, with the revisions in the store.
func (k *Keeper) recentPublisher(ctx context.Context, domain hostname.Domain, stored revisions) (*custody.Publisher, error) {
	if k.recent == nil {
		return k.publisher(ctx, domain)
	}
	m, err := remembered(ctx, k.recent, k.recent.publishers, domain, stored, func(ctx context.Context) (memory[*custody.Publisher], error) {
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

// recentFile is brief for answers, in the same way.
func (k *Keeper) recentFile(ctx context.Context, url string, stored revisions) (*custody.File, int64, error) {
	if k.recent == nil {
		return k.brief(ctx, url)
	}
	m, err := remembered(ctx, k.recent, k.recent.files, url, stored, func(ctx context.Context) (memory[*custody.File], error) {
		f, revision, err := k.brief(ctx, url)
		if err != nil {
			return memory[*custody.File]{}, err
		}
		weight := recordBytes + keyAgeBytes*len(f.Keys) + textBytes(&f.Headers, f.URL, f.From, f.SupersededBy, f.CatalogETag, f.Trouble)
		return memory[*custody.File]{value: f, revision: revision, weight: weight}, nil
	})
	return m.value, m.revision, err
}
