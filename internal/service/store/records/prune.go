package records

import (
	"context"
	"math"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/growth"
	"github.com/avow-project/avow/internal/service/projection"
	"github.com/avow-project/avow/internal/service/retain"
	"github.com/avow-project/avow/internal/service/store/highwater"
	"github.com/avow-project/avow/internal/std/hostname"
)

// pruneBatch is how much is removed in one transaction, so that others do not wait long for it.
const pruneBatch = 100

// A pruning is a Prune under way.
type pruning struct {
	store *Store
	o     retain.Options
	plan  retain.Plan
	// refused are the versions that wait for a decision, once they were read.
	refused map[string]bool
	retain.Pruned
}

// Prune removes what its limits do not allow to be kept, in small transactions. What holds
// a revocation, a decision or the latest date of a file stays. When only what is left cannot be
// counted, there is a result beside the error.
func (s *Store) Prune(ctx context.Context, o retain.Options) (*retain.Pruned, error) {
	o.Limits = o.Limits.WithDefaults()
	p := &pruning{store: s, o: o}
	var err error
	p.Before, err = s.Usage(ctx)
	if err != nil {
		return nil, err
	}
	p.plan = o.Limits.Plan(p.Before, o.Now)
	for _, step := range []func(context.Context) error{
		p.forgetSleepers, p.evictOld, p.evictSites, p.evictMost, p.forgetNames, p.history, p.events, p.feedOfGuests, p.feed,
		p.sweep, p.compact,
	} {
		err = step(ctx)
		if err != nil {
			return nil, err
		}
	}
	after, err := s.Usage(ctx)
	if err != nil {
		return &p.Pruned, err
	}
	p.After = &after
	if o.Sweep && !o.DryRun {
		p.Tables, err = s.Rows(ctx)
	}
	return &p.Pruned, err
}

// A Sizer is a Database that knows its size.
type Sizer interface {
	// Size returns all of the usage but that of guests.
	Size(ctx context.Context) (retain.Usage, error)
	// Compact gives space that is not used back to the file system, as far as it can.
	Compact(ctx context.Context) error
}

// Usage returns how large the store is.
func (s *Store) Usage(ctx context.Context) (retain.Usage, error) {
	u := retain.Usage{Free: -1}
	if sizer, ok := s.db.(Sizer); ok {
		var err error
		u, err = sizer.Size(ctx)
		if err != nil {
			return u, err
		}
	}
	var err error
	u.Guests, err = s.guests(ctx, `guest IS NOT NULL`)
	if err != nil {
		return u, err
	}
	asleep, err := s.guests(ctx, `guest IS NOT NULL AND guest <= 0`)
	u.Protected = asleep.Bytes
	return u, err
}

// Rows returns how many rows each table has.
func (s *Store) Rows(ctx context.Context) (map[string]int64, error) {
	all := map[string]int64{}
	for _, name := range growth.Names(growth.Table) {
		n, err := number(ctx, s.db, `SELECT COUNT(*) FROM `+name)
		if err != nil {
			return nil, err
		}
		all[name] = int64(n)
	}
	return all, nil
}

// GuestsOf returns what there is of the guests of a site.
func (s *Store) GuestsOf(ctx context.Context, site string) (retain.Share, error) {
	return s.guests(ctx, `guest IS NOT NULL AND site = $1`, site)
}

// guests returns what there is of guests that a condition selects: publishers, with what lists and
// the feed have of them, and files.
func (s *Store) guests(ctx context.Context, where string, args ...any) (retain.Share, error) {
	var n retain.Share
	err := one(ctx, s.db, func(r Rows) error { return r.Scan(&n.Names, &n.Bytes) },
		`SELECT COUNT(*), CAST(COALESCE(SUM(bytes), 0) AS BIGINT) FROM custody_publishers WHERE `+where, args...)
	if err != nil {
		return n, err
	}
	files, err := value[int64](ctx, s.db,
		`SELECT CAST(COALESCE(SUM(bytes), 0) AS BIGINT) FROM custody_files WHERE `+where, args...)
	n.Bytes += files
	return n, err
}

// compact gives space back.
func (p *pruning) compact(ctx context.Context) error {
	sizer, ok := p.store.db.(Sizer)
	if !ok || p.o.DryRun {
		return nil
	}
	return sizer.Compact(ctx)
}

// A guestFile is one whose bodies may go.
type guestFile struct {
	key   []byte
	url   string
	guest int64
	bytes int64
}

// nextGuests returns guests whose bodies are kept, the one that was asked for longest ago
// first, from one on, of one site or of all.
func (p *pruning) nextGuests(ctx context.Context, from guestFile, site string) ([]guestFile, error) {
	where, args := ``, []any{from.guest, from.key, int64(pruneBatch)}
	if site != "" {
		where, args = ` AND site = $4`, append(args, site)
	}
	return list(ctx, p.store.db, func(r Rows) (*guestFile, error) {
		g := &guestFile{}
		return g, r.Scan(&g.key, &g.url, &g.guest, &g.bytes)
	}, `SELECT key, url, guest, bytes FROM custody_files WHERE guest IS NOT NULL AND guest > 0 AND (guest, key) > ($1, $2)`+where+`
		ORDER BY guest, key LIMIT $3`, args...)
}

// evict removes the bodies of guests, beginning with those that were asked for longest ago,
// as long as more says so.
func (p *pruning) evict(ctx context.Context, site string, more func(guestFile) bool) error {
	from := guestFile{key: []byte{}}
	for {
		some, err := p.nextGuests(ctx, from, site)
		if err != nil {
			return err
		}
		for _, g := range some {
			if !more(g) {
				return nil
			}
			err := p.evictOne(ctx, g)
			if err != nil {
				return err
			}
		}
		if len(some) < pruneBatch {
			return nil
		}
		from = some[len(some)-1]
	}
}

// evictOld removes what was last asked for too long ago.
func (p *pruning) evictOld(ctx context.Context) error {
	before := p.plan.Guests.UnixMicro()
	return p.evict(ctx, "", func(g guestFile) bool { return g.guest < before })
}

// evictSites removes what a site has too much of.
func (p *pruning) evictSites(ctx context.Context) error {
	type excess struct {
		site  string
		bytes int64
	}
	sites, err := list(ctx, p.store.db, func(r Rows) (*excess, error) {
		e := &excess{}
		return e, r.Scan(&e.site, &e.bytes)
	}, `SELECT site, CAST(SUM(bytes) AS BIGINT) FROM (SELECT site, bytes FROM custody_files WHERE guest IS NOT NULL AND guest > 0
		UNION ALL SELECT site, bytes FROM custody_publishers WHERE guest IS NOT NULL AND guest > 0) AS g GROUP BY site HAVING SUM(bytes) > $1`, p.plan.Site)
	if err != nil {
		return err
	}
	for _, s := range sites {
		before := p.Guests.Bytes
		err := p.evict(ctx, s.site, func(guestFile) bool { return s.bytes-(p.Guests.Bytes-before) > p.plan.Site })
		if err != nil {
			return err
		}
	}
	return nil
}

// evictMost removes as much as all guests have too much.
func (p *pruning) evictMost(ctx context.Context) error {
	return p.evict(ctx, "", func(guestFile) bool { return p.Guests.Bytes < p.plan.Evict })
}

// evictOne removes the bodies of one guest, with its versions and with what publishers that
// lead there are found by. The record keeps whom it revokes, what waits and the latest
// date; the version it has is not used until it is obtained again.
func (p *pruning) evictOne(ctx context.Context, g guestFile) error {
	known, err := p.leadsKnown(ctx, g)
	if err != nil {
		return err
	}
	if known {
		return p.welcome(ctx, g)
	}
	shown, err := number(ctx, p.store.db,
		`SELECT CAST(COALESCE(SUM(bytes), 0) AS BIGINT) FROM custody_publishers WHERE guest IS NOT NULL AND (`+ledTo+`)`,
		g.key, custodian.OwnerOf(g.url))
	p.Guests.Rows, p.Guests.Bytes = p.Guests.Rows+1, p.Guests.Bytes+g.bytes+int64(shown)
	if err != nil || p.o.DryRun {
		return err
	}
	return conflicts(func() error {
		return p.store.counted(ctx, func(c Conn) (highwater.State, error) { return p.store.removeBodies(ctx, c, g, p.o.Now) })
	})
}

// ledTo is the condition on publishers that lead to a file, by its key and its owner.
const ledTo = `current_file = $1 OR current_file IS NULL AND domain = $2`

// leadsKnown reports whether a publisher that is not a guest leads to a file.
func (p *pruning) leadsKnown(ctx context.Context, g guestFile) (bool, error) {
	n, err := number(ctx, p.store.db,
		`SELECT COUNT(*) FROM custody_publishers WHERE guest IS NULL AND (current_file = $1 OR next_file = $1 OR domain = $2)`,
		g.key, custodian.OwnerOf(g.url))
	return n > 0, err
}

// welcome makes a file that a known publisher leads to known.
func (p *pruning) welcome(ctx context.Context, g guestFile) error {
	if p.o.DryRun {
		return nil
	}
	_, err := exec(ctx, p.store.db, `UPDATE custody_files SET guest = NULL WHERE key = $1 AND guest = $2`, g.key, g.guest)
	return err
}

// removeBodies is evictOne in its transaction.
func (s *Store) removeBodies(ctx context.Context, c Conn, g guestFile, now time.Time) (highwater.State, error) {
	kept, err := removeBody(ctx, c, g)
	if err != nil || !kept {
		return highwater.State{}, err
	}
	domains, err := list(ctx, c, scanText, `SELECT domain FROM custody_publishers WHERE guest IS NOT NULL AND (`+ledTo+`)`,
		g.key, custodian.OwnerOf(g.url))
	if err != nil {
		return highwater.State{}, err
	}
	return s.dropGuests(ctx, c, domains, now)
}

// removeBody removes the versions of a guest, and reports whether its record was kept without them.
func removeBody(ctx context.Context, c Conn, g guestFile) (bool, error) {
	revoked := int64(0)
	f, err := list(ctx, c, func(r Rows) (*custody.File, error) {
		var revision int64
		var packed []byte
		err := r.Scan(&revision, &packed, &revoked)
		if err != nil {
			return nil, err
		}
		return decodeFile(g.url, revision, packed)
	}, `SELECT revision, record, revoked FROM custody_files WHERE key = $1 AND guest = $2`, g.key, g.guest)
	if err != nil || len(f) == 0 {
		return false, err // a caller has asked for it meanwhile
	}
	if revoked == 0 && retain.ForgettableFile(&f[0]) {
		return false, replaced(exec(ctx, c, `DELETE FROM custody_files WHERE key = $1 AND revision = $2`, g.key,
			f[0].Revision))
	}
	next := f[0].Unconfirmed()
	record, err := encodeRecord(next)
	if err != nil {
		return false, err
	}
	// It is not due before a caller asks: it would only come back.
	err = replaced(exec(ctx, c,
		`UPDATE custody_files SET revision = revision + 1, record = $3, brief = $4, guest = -guest WHERE key = $1 AND revision = $2`,
		g.key, f[0].Revision, record, fileBrief(next)))
	if err == nil {
		err = forgetDue(ctx, c, dueName(g.key))
	}
	if err == nil {
		err = dropVersions(ctx, c, `SELECT number, hash FROM custody_versions WHERE file = $1`, g.key)
	}
	if err == nil {
		err = trimEvents(ctx, c, custody.Event{URL: g.url}, 0)
	}
	if err != nil {
		return false, err
	}
	refused := ""
	if next.Refused != nil {
		refused = next.Refused.Hash
	}
	return true, countFile(ctx, c, g.key, refused)
}

// dropGuests removes what is known of guests besides their records, which note by a negative time
// that they are asleep. The feed tells that nothing of them holds any more, and what it has told
// of them goes.
func (s *Store) dropGuests(ctx context.Context, c Conn, domains []string, now time.Time) (highwater.State, error) {
	var news []projection.Event
	for _, domain := range domains {
		ended, err := dropGuest(ctx, c, domain, now)
		if err != nil {
			return highwater.State{}, err
		}
		news = append(news, ended...)
	}
	var got highwater.State
	before := int64(math.MaxInt64)
	if len(news) > 0 {
		var err error
		got, err = s.count(ctx, c, int64(len(news)))
		before = got.Last - int64(len(news))
		if err == nil {
			err = addEvents(ctx, c, before, now.UnixMicro(), news)
		}
		if err != nil {
			return got, err
		}
	}
	for _, domain := range domains {
		err := forgetEnded(ctx, c, domain, before)
		if err == nil {
			err = countPublisher(ctx, c, domain)
		}
		if err != nil {
			return got, err
		}
	}
	return got, nil
}

// dropGuest is dropGuests for one. It returns the events of the feed.
func dropGuest(ctx context.Context, c Conn, domain string, now time.Time) ([]projection.Event, error) {
	for _, statement := range []string{
		`UPDATE custody_publishers SET revision = revision + 1, guest = -guest, listed = '' WHERE domain = $1 AND guest > 0`,
		`DELETE FROM identifiers WHERE domain = $1`,
	} {
		_, err := exec(ctx, c, statement, domain)
		if err != nil {
			return nil, err
		}
	}
	err := noteTurn(ctx, c, time.Time{}, hostname.Domain(domain))
	if err != nil {
		return nil, err
	}
	// The last one says whether its place counts.
	err = trimEvents(ctx, c, custody.Event{Publisher: domain}, 1)
	if err != nil {
		return nil, err
	}
	name := hostname.Domain(domain)
	live, err := liveEvents(ctx, c, []hostname.Domain{name})
	if err != nil || len(live) == 0 {
		return nil, err
	}
	change, err := projection.Make(&projection.Input{Domain: name, At: now}, live[name])
	if err != nil {
		return nil, err
	}
	return change.Events, retireEvents(ctx, c, change.Retire)
}
