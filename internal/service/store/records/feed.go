package records

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/avow-project/avow/internal/service/directory"
	"github.com/avow-project/avow/internal/service/feed"
	"github.com/avow-project/avow/internal/service/projection"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/store/pack"
)

// A Feed is the feed.Store in a database.
type Feed struct{ store *Store }

var _ feed.Store = (*Feed)(nil)

// Feed returns the change feed that is kept beside the records of custody.
func (s *Store) Feed() *Feed { return &Feed{s} }

// Identity is what tells the store from others.
func (s *Feed) Identity(ctx context.Context) (string, error) {
	have, err := progress(ctx, s.store.db)
	return have.Identity, err
}

// LastChange returns the last event of a type, or of all.
func (s *Feed) LastChange(ctx context.Context, kind string) (feed.Position, error) {
	statement, args := `SELECT number, at FROM feed_events ORDER BY number DESC LIMIT 1`, []any(nil)
	if kind != "" {
		statement, args = `SELECT number, at FROM feed_events WHERE type = $1 ORDER BY number DESC LIMIT 1`, []any{kind}
	}
	p, err := lastEvent(ctx, s.store.db, statement, args...)
	return p, err
}

func lastEvent(ctx context.Context, c Conn, statement string, args ...any) (feed.Position, error) {
	var p feed.Position
	var at int64
	err := one(ctx, c, func(r Rows) error { return r.Scan(&p.Number, &at) }, statement, args...)
	if errors.Is(err, registry.ErrNotFound) {
		return p, nil
	}
	p.At = time.UnixMicro(at).UTC()
	return p, err
}

const feedColumns = `number, at, type, publisher, agent, entity, live, digest, payload`

func scanFeed(r Rows) (*projection.Event, error) {
	e := &projection.Event{}
	var at int64
	var packed []byte
	err := r.Scan(&e.Number, &at, &e.Type, &e.Publisher, &e.Agent, &e.Entity, &e.Live, &e.Digest, &packed)
	if err != nil {
		return nil, err
	}
	e.At = time.UnixMicro(at).UTC()
	e.Payload, err = pack.Unsized(packed)
	if err != nil {
		return nil, fmt.Errorf("event %d of the feed: %w", e.Number, err)
	}
	return e, nil
}

// Agents returns agents by their keys as events have them.
func (s *Feed) Agents(ctx context.Context, names []string) (map[string]directory.Agent, error) {
	var keys [][]byte
	for _, name := range names {
		key, err := hex.DecodeString(name)
		if err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	out := make(map[string]directory.Agent, len(names))
	err := among(ctx, s.store.db, keys, func(r Rows) error {
		a, err := scanAgent(r)
		out[projection.AgentName(a.URL)] = *a
		return err
	}, `SELECT `+agentColumns+` FROM agents WHERE key IN `)
	return out, err
}

// Changes returns events after a number in their order.
func (s *Feed) Changes(ctx context.Context, after int64, since time.Time, limit int) ([]projection.Event, error) {
	n, _ := page(limit, 0)
	return list(ctx, s.store.db, scanFeed,
		`SELECT `+feedColumns+` FROM feed_events WHERE number > $1 AND (live OR at >= $2) ORDER BY number LIMIT $3`,
		after, sinceBound(since), n)
}

// feed removes events that do not hold any more and need not be reported.
func (p *pruning) feed(ctx context.Context) error {
	before := p.o.Now.Add(-feed.Retention).UnixMicro()
	if p.o.DryRun {
		n, err := number(ctx, p.store.db, `SELECT COUNT(*) FROM feed_events WHERE NOT live AND at < $1`, before)
		p.Events.Rows += int64(n)
		return err
	}
	for {
		n, err := exec(ctx, p.store.db,
			`DELETE FROM feed_events WHERE number IN (SELECT number FROM feed_events WHERE NOT live AND at < $1 ORDER BY at LIMIT $2)`,
			before, int64(pruneBatch))
		p.Events.Rows += n
		if err != nil || n < pruneBatch {
			return err
		}
	}
}

// feedOfGuests removes the ends that the feed told of guests some days ago.
func (p *pruning) feedOfGuests(ctx context.Context) error {
	const old = ` FROM custody_publishers g JOIN feed_events e ON e.publisher = g.domain
		WHERE g.guest IS NOT NULL AND NOT e.live AND e.publisher <> '' AND e.at < $1`
	before := p.plan.Ended.UnixMicro()
	if p.o.DryRun {
		n, err := number(ctx, p.store.db, `SELECT COUNT(*)`+old, before)
		p.Events.Rows += int64(n)
		return err
	}
	for {
		some, err := list(ctx, p.store.db, scanText, `SELECT DISTINCT g.domain`+old+` LIMIT $2`, before, int64(pruneBatch))
		if err != nil || len(some) == 0 {
			return err
		}
		removed := int64(0)
		err = p.store.db.Update(ctx, func(c Conn) error {
			removed = 0
			for _, domain := range some {
				n, err := exec(ctx, c, `DELETE FROM feed_events WHERE NOT live AND publisher <> '' AND publisher = $1 AND at < $2`,
					domain, before)
				removed += n
				if err == nil {
					err = countPublisher(ctx, c, domain)
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
		p.Events.Rows += removed
		if err != nil {
			return err
		}
	}
}

// sinceBound is the number for a time; the zero time is before all others.
func sinceBound(t time.Time) int64 {
	if t.IsZero() {
		return math.MinInt64
	}
	return t.UnixMicro()
}
