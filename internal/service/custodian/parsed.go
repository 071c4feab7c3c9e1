package custodian

import (
	"context"
	"errors"
	"fmt"
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
	// largeBytes is the size from which a document needs room.
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
	f := &parsed{report: r, skipped: redact.Report(body, r).Skipped, weight: fileBytes + bodyFactor*len(body), bytes: len(body)}
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

func (f *parsed) putInto(place *flight.Cache[fileKey, *parsed], weight int) {
	if f.depends {
		place.Put(fileKey{hash: f.key.hash, role: f.key.role}, &parsed{depends: true}, dependsBytes)
	}
	place.Put(f.key, f, weight)
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
	for _, place := range []*flight.Cache[fileKey, *parsed]{s.kept, s.asked} {
		place.Weigh(f.key, func(kept *parsed, before int) int {
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
	if k.config.Use == nil {
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
	if k.config.HasRoom != nil && k.config.HasRoom(ctx) {
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
	leave, err := k.room(ctx, v.bytes)
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

// room waits until there is room for a document.
func (k *Keeper) room(ctx context.Context, bytes int64) (func(), error) {
	if k.config.Room == nil || bytes <= largeBytes {
		return func() {}, nil
	}
	return k.config.Room(ctx, bytes)
}

// roleOf returns what the file at a place is checked as.
func roleOf(l custody.Location) adagents.Role {
	switch {
	case l.Method == custody.Direct:
		return adagents.Direct
	case l.Method == custody.ManagerDomain && l.URL == wellKnown(hostname.Domain(l.Manager)):
		return adagents.Manager
	}
	return adagents.Authoritative
}

// wellKnown returns the URL of a publisher's own file.
func wellKnown(domain hostname.Domain) string {
	return "https://" + string(domain) + "/.well-known/adagents.json"
}
