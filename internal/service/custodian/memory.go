package custodian

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/flight"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// Limits of the parsed files in memory.
const (
	defaultMemory = 96_000_000
	// A parsed file takes bodyFactor times the memory of its bytes, and fileBytes however
	// small it is.
	bodyFactor = 4
	fileBytes  = 4_000
	// largeBytes is the size from which a document needs a reservation.
	largeBytes = 64_000
	// heavyTime is how long a file is kept that takes more than all others may.
	heavyTime = time.Minute
	// dependsBytes is what an entry takes that says no more than depends.
	dependsBytes = 500
)

// fileKey tells files that are read alike: the same bytes, in the same role. Where the
// content depends on whose file it is, publisher says whose.
type fileKey struct {
	hash      string
	publisher hostname.Domain
	role      adagents.Role
}

// A version is what is to be read: bytes from a URL, in a role, for a publisher.
type version struct {
	hash, url string
	publisher hostname.Domain
	role      adagents.Role
	// bytes is the size, if it is known.
	bytes int64
}

// A parsed is a file as it is at any time. Its report is made without a clock.
type parsed struct {
	key    fileKey
	report *adagents.Report
	// skipped are the entries that consumers leave out, without what is secret in them.
	skipped []adagents.Skip
	// prepared is what questions are answered from; nil for a file without content. The first
	// one to use it has its memory counted, by ready.
	prepared *resolve.Prepared
	ready    func()
	weight   int // without prepared
	bytes    int
	// depends: another publisher may see something else in it. Such an entry without
	// publisher says no more than that.
	depends bool
}

// parsedFiles keeps parsed files, the most recently used ones. They can be made again from
// the store at any time. Those that questions are asked about have a place of their own, so that
// looks at many publishers do not put them out.
type parsedFiles struct {
	kept, asked         *flight.Cache[fileKey, *parsed]
	mostKept, mostAsked int // of weight
	// loads are those under way.
	loads flight.Group[string, *parsed]
}

func newParsedFiles(kept, asked int) *parsedFiles {
	return &parsedFiles{
		kept: flight.NewCache(flight.Limits[fileKey, *parsed]{Name: "parsed", Weight: kept}), mostKept: kept,
		asked: flight.NewCache(flight.Limits[fileKey, *parsed]{Name: "asked", Weight: asked}), mostAsked: asked,
	}
}

// get returns a file for a publisher.
func (s *parsedFiles) get(v version) *parsed {
	f := s.find(fileKey{hash: v.hash, role: v.role})
	if f != nil && f.depends {
		f = s.find(fileKey{v.hash, v.publisher, v.role})
	}
	return f
}

func (s *parsedFiles) find(key fileKey) *parsed {
	f, ok := s.asked.Get(key)
	if !ok {
		f, _ = s.kept.Get(key)
	}
	return f
}

// newParsed returns a file that was read from its bytes.
func newParsed(r *adagents.Report, body []byte) *parsed {
	f := &parsed{report: r, skipped: redact.Report(body, r).Skipped, weight: fileBytes + bodyFactor*len(body),
		bytes: len(body)}
	if r.File != nil {
		f.prepared = resolve.Prepare(r.File)
	}
	return f
}

// put keeps a file that was read for a publisher.
func (s *parsedFiles) put(v version, read *parsed) *parsed {
	copied := *read
	f := &copied
	f.key = fileKey{hash: v.hash, role: v.role}
	if f.report.DependsOnDomain() {
		f.key.publisher, f.depends = v.publisher, true
	}
	f.ready = sync.OnceFunc(func() { s.weigh(f) })
	f.putInto(s.kept, f.weight)
	if f.weight > s.mostKept {
		time.AfterFunc(heavyTime, s.shed)
	}
	return f
}

func (f *parsed) putInto(cache *flight.Cache[fileKey, *parsed], weight int) {
	if f.depends {
		cache.Put(fileKey{hash: f.key.hash, role: f.key.role}, &parsed{depends: true}, dependsBytes)
	}
	cache.Put(f.key, f, weight)
}

// ask puts a file among those that questions are asked about.
func (s *parsedFiles) ask(key fileKey) {
	f, weight, ok := s.kept.Take(key)
	if ok {
		f.putInto(s.asked, weight)
	}
}

// shed drops a file that takes more than all others may, and was only kept because the
// memory was not needed.
func (s *parsedFiles) shed() {
	s.kept.DeleteFunc(func(_ *parsed, weight int) bool { return weight > s.mostKept })
	s.asked.DeleteFunc(func(_ *parsed, weight int) bool { return weight > s.mostAsked })
}

// Shed drops what takes much memory and can be made again from the store.
func (k *Keeper) Shed() { k.parsed.shed() }

// weigh prepares a file for questions, and counts the memory that this takes.
func (s *parsedFiles) weigh(f *parsed) {
	size := f.prepared.Size()
	for _, cache := range []*flight.Cache[fileKey, *parsed]{s.kept, s.asked} {
		cache.Weigh(f.key, func(kept *parsed, before int) int {
			if kept != f {
				return before
			}
			return f.weight + size
		})
	}
}

// read returns the version with a hash as the file of a publisher. Of those who want it
// at the same time one reads it, for all to whom it is the same. Who has the memory for it
// does not wait for that one, who may be waiting for the memory.
func (k *Keeper) read(ctx context.Context, v version) (*parsed, error) {
	f, err := k.obtain(ctx, v)
	if err == nil {
		err = k.use(ctx, v.hash, f.bytes)
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// use reserves memory for an answer that is made of a document.
func (k *Keeper) use(ctx context.Context, hash string, bytes int) error {
	if k.config.Use == nil || hasMemory(ctx) {
		return nil
	}
	return k.config.Use(ctx, hash, bytes)
}

// obtain is read without memory for what is made of the version.
func (k *Keeper) obtain(ctx context.Context, v version) (*parsed, error) {
	f := k.parsed.get(v)
	if f != nil {
		return f, nil
	}
	if hasMemory(ctx) {
		return k.load(ctx, v)
	}
	for _, key := range []string{v.hash, v.hash + " " + string(v.publisher)} {
		_, err := k.parsed.loads.Do(ctx, fmt.Sprintf("%s %d", key, v.role), func(ctx context.Context) (*parsed, error) {
			return k.load(ctx, v)
		})
		if err != nil {
			return nil, err
		}
		f = k.parsed.get(v)
		if f != nil {
			return f, nil
		}
	}
	// It was dropped at once, for want of room.
	return k.load(ctx, v)
}

// load reads a version from the store, unless that was done meanwhile.
func (k *Keeper) load(ctx context.Context, v version) (*parsed, error) {
	f := k.parsed.get(v)
	if f != nil {
		return f, nil
	}
	leave, err := k.reserve(ctx, v.bytes)
	if err != nil {
		return nil, err
	}
	defer leave()
	body, err := k.config.Store.Document(ctx, v.hash)
	if err != nil {
		return nil, missing(ctx, err)
	}
	return k.parse(v, body), nil
}

// parse reads a version from its bytes.
func (k *Keeper) parse(v version, body []byte) *parsed {
	r := adagents.Check(body, adagents.Options{Domain: string(v.publisher), URL: v.url, Role: v.role})
	return k.parsed.put(v, newParsed(r, body))
}

// missing is the error for bytes that a record refers to and the store does not have, or
// cannot give.
func missing(ctx context.Context, err error) error {
	if errors.Is(err, ErrNotFound) {
		return fmt.Errorf("%w: it lacks the bytes of a version: %w", ErrUnavailable, err)
	}
	return unavailable(ctx, err)
}

// reserve waits until there is memory for a document.
func (k *Keeper) reserve(ctx context.Context, bytes int64) (func(), error) {
	if k.config.Reserve == nil || bytes <= largeBytes || hasMemory(ctx) {
		return func() {}, nil
	}
	return k.config.Reserve(ctx, bytes)
}

// maxHeldBytes bounds the lists of held revocations in memory, by estimate. The one that
// was used last stays however large it is.
const maxHeldBytes = 32_000_000

// A heldList has the domains that a revision of a file's record holds revoked although the
// file does not list them any more. It is right from one time until another.
type heldList struct {
	revision    int64
	from, until time.Time
	domains     []string
}

// heldLists are those that were asked for, by URL. A file may list a million domains, and
// all of them are read to know the few that it does not list any more: that is not done
// with every question. Documents share the lists.
type heldLists struct {
	kept  *flight.Cache[string, *heldList]
	reads flight.Group[string, *heldList]
}

func newHeldLists() *heldLists {
	return &heldLists{kept: flight.NewCache(flight.Limits[string, *heldList]{Name: "revocations", Weight: maxHeldBytes})}
}

// get returns the list of a URL if it is that of a revision and a moment.
func (h *heldLists) get(url string, revision int64, at custody.Moment) *heldList {
	l, _ := h.kept.Get(url)
	if l == nil || l.revision != revision || at.Certain().Before(l.from) || !at.Certain().Before(l.until) {
		return nil
	}
	return l
}

// put keeps a list. Where the domains are the same as before, documents go on sharing them.
func (h *heldLists) put(url string, l *heldList) {
	old, _ := h.kept.Get(url)
	if old != nil && slices.Equal(old.domains, l.domains) {
		l.domains = old.domains
	}
	weight := 200 + len(url)
	for _, domain := range l.domains {
		weight += 16 + len(domain)
	}
	h.kept.Put(url, l, weight)
}

// readFile reads the record of a URL without its revocations, and its revision.
type readFile func(ctx context.Context, url string) (*custody.File, int64, error)

// fileAndHeld returns the record of a URL without its revocations, and the domains that it
// holds revoked. Both are of one revision: a domain that one of them has not yet and the
// other one not any more would be free.
func (k *Keeper) fileAndHeld(ctx context.Context, read readFile, url string,
	at custody.Moment) (*custody.File, []string, error) {
	for range maxTries {
		f, revision, err := read(ctx, url)
		if err != nil || revision == 0 {
			return f, nil, err
		}
		l := k.held.get(url, revision, at)
		if l == nil {
			l, err = k.readHeld(ctx, url, revision, at)
		}
		if err != nil {
			return nil, nil, err
		}
		if l.revision == revision {
			return f, l.domains, nil
		}
		read = k.brief // the other one is of a moment ago
	}
	return nil, nil, fmt.Errorf("%w: the record of %s changes all the time", ErrUnavailable, url)
}

// readHeld reads a list from the store, once for all who want it at the same time.
func (k *Keeper) readHeld(ctx context.Context, url string, revision int64, at custody.Moment) (*heldList, error) {
	return k.held.reads.Do(ctx, fmt.Sprint(url, " ", revision), func(ctx context.Context) (*heldList, error) {
		now := at.Certain()
		// A hold that began at this time ends now.
		records, have, err := k.config.Store.Delisted(ctx, url, now.Add(-custody.RevocationHold-time.Second))
		if err != nil {
			return nil, unavailable(ctx, err)
		}
		l := &heldList{revision: have, from: now, until: now.Add(custody.RevocationHold)}
		f := &custody.File{Revocations: records}
		l.domains = f.Held(at)
		for i := range records {
			over := records[i].First.Add(custody.RevocationHold)
			if over.After(now) && over.Before(l.until) {
				l.until = over
			}
		}
		k.held.put(url, l)
		return l, nil
	})
}

// revokes reports whether authority from a file does not apply to a domain. The record
// needs no revocations.
func (k *Keeper) revokes(ctx context.Context, f *custody.File, domain hostname.Domain,
	at custody.Moment) (bool, error) {
	records, err := k.config.Store.Revocations(ctx, f.URL, domain)
	if err != nil {
		return false, unavailable(ctx, err)
	}
	one := &custody.File{Overflow: f.Overflow, Revocations: records}
	return one.Revokes(domain, at), nil
}

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
		life:   life,
		shared: shared,
		publishers: flight.NewCache(flight.Limits[hostname.Domain, memory[*custody.Publisher]]{Name: "publishers",
			Weight: recentBytes, Life: kept, Now: time.Now}),
		files: flight.NewCache(flight.Limits[string, memory[*custody.File]]{Name: "files", Weight: recentBytes,
			Life: kept, Now: time.Now}),
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

func (c *census) take(ctx context.Context, store Records, domain hostname.Domain, url string) (revisions, error) {
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
func (c *census) run(ctx context.Context, store Records) {
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
func remembered[K ~string, V any](ctx context.Context, r *recent, kept *flight.Cache[K, memory[V]], key K,
	stored revisions, read func(context.Context) (memory[V], error)) (memory[V], error) {
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
func (k *Keeper) recentPublisher(ctx context.Context, domain hostname.Domain,
	stored revisions) (*custody.Publisher, error) {
	if k.recent == nil {
		return k.publisher(ctx, domain)
	}
	m, err := remembered(ctx, k.recent, k.recent.publishers, domain, stored,
		func(ctx context.Context) (memory[*custody.Publisher], error) {
			p, err := k.publisher(ctx, domain)
			if err != nil {
				return memory[*custody.Publisher]{}, err
			}
			texts := slices.Concat(p.Agents, p.Rejected, []string{p.Location.URL, p.Via, p.Trouble, p.Reply.Place.URL})
			if p.Move != nil {
				texts = append(texts, p.Move.To.URL)
			}
			return memory[*custody.Publisher]{value: p, revision: p.Revision,
				weight: recordBytes + textBytes(&p.Headers, texts...)}, nil
		})
	return m.value, err
}

// recentFile is brief for answers, in the same way.
func (k *Keeper) recentFile(ctx context.Context, url string, stored revisions) (*custody.File, int64, error) {
	if k.recent == nil {
		return k.brief(ctx, url)
	}
	m, err := remembered(ctx, k.recent, k.recent.files, url, stored,
		func(ctx context.Context) (memory[*custody.File], error) {
			f, revision, err := k.brief(ctx, url)
			if err != nil {
				return memory[*custody.File]{}, err
			}
			weight := recordBytes + keyAgeBytes*len(f.Keys) + textBytes(&f.Headers, f.URL, f.From,
				f.SupersededBy, f.CatalogETag, f.Trouble)
			return memory[*custody.File]{value: f, revision: revision, weight: weight}, nil
		})
	return m.value, m.revision, err
}
