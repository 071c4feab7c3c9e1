package records

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/avow-project/avow/internal/service/feed"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/store/highwater"
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

func scanFeed(r Rows) (*feed.Event, error) {
	e := &feed.Event{}
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
	e.Payload = bytes.Clone(e.Payload)
	return e, nil
}

// Changes returns events after a number in their order.
func (s *Feed) Changes(ctx context.Context, after int64, since time.Time, limit int) ([]feed.Event, error) {
	n, _ := page(limit, 0)
	return list(ctx, s.store.db, scanFeed, `SELECT `+feedColumns+` FROM feed_events WHERE number > $1 AND (live OR at >= $2) ORDER BY number LIMIT $3`,
		after, sinceBound(since), n)
}

// Told returns what the events of a publisher were made of, and those that are live. Both are read
// one after the other: Add refuses what was made of an input that is another by then.
func (s *Feed) Told(ctx context.Context, publisher string) ([]byte, []feed.Event, error) {
	var input []byte
	err := one(ctx, s.store.db, func(r Rows) error { return r.Scan(&input) }, `SELECT input FROM feed_publishers WHERE domain = $1`, publisher)
	if errors.Is(err, registry.ErrNotFound) {
		return nil, nil, nil // nothing holds that was told
	}
	if err != nil {
		return nil, nil, err
	}
	live, err := list(ctx, s.store.db, scanFeed, `SELECT `+feedColumns+` FROM feed_events WHERE live AND publisher <> '' AND publisher = $1 ORDER BY number`, publisher)
	return input, live, err
}

// Inputs returns publishers after one with what their events were made of.
func (s *Feed) Inputs(ctx context.Context, after string, limit int) ([]feed.Input, error) {
	n, _ := page(limit, 0)
	return list(ctx, s.store.db, func(r Rows) (*feed.Input, error) {
		i := &feed.Input{}
		return i, r.Scan(&i.Publisher, &i.Input)
	}, `SELECT domain, input FROM feed_publishers WHERE domain > $1 ORDER BY domain LIMIT $2`, after, n)
}

// Add adds events of a publisher, all or none. As with Commit, the row that numbers come from
// is locked last; what is decided after that is decided for good.
func (s *Feed) Add(ctx context.Context, a *feed.Addition) error {
	err := checkName(a.Publisher)
	if err != nil {
		return err
	}
	return s.store.counted(ctx, func(c Conn) (highwater.State, error) {
		err := putInput(ctx, c, a)
		if err != nil {
			return highwater.State{}, err
		}
		err = retire(ctx, c, a)
		if err != nil {
			return highwater.State{}, err
		}
		_, err = s.store.count(ctx, c, 0)
		if err != nil {
			return highwater.State{}, err
		}
		events, err := withAgents(ctx, c, a)
		if err != nil || len(events) == 0 {
			return highwater.State{}, err
		}
		last, err := lastEvent(ctx, c, `SELECT number, at FROM feed_events ORDER BY number DESC LIMIT 1`)
		if err != nil {
			return highwater.State{}, err
		}
		got, err := s.store.count(ctx, c, int64(len(events)))
		if err != nil {
			return got, err
		}
		at := max(a.At.UnixMicro(), last.At.UnixMicro())
		for i := range events {
			err := addEvent(ctx, c, got.Last-int64(len(events))+int64(i)+1, at, &events[i])
			if err != nil {
				return got, err
			}
		}
		return got, nil
	})
}

// putInput notes what the events of a publisher are made of, unless others have done so.
func putInput(ctx context.Context, c Conn, a *feed.Addition) error {
	var n int64
	var err error
	switch {
	case a.Base == nil && a.Input == nil:
		n = 1
	case a.Base == nil:
		n, err = exec(ctx, c, `INSERT INTO feed_publishers (domain, input) VALUES ($1, $2) ON CONFLICT (domain) DO NOTHING`, a.Publisher, a.Input)
	case a.Input == nil:
		n, err = exec(ctx, c, `DELETE FROM feed_publishers WHERE domain = $1 AND input = $2`, a.Publisher, a.Base)
	default:
		n, err = exec(ctx, c, `UPDATE feed_publishers SET input = $2 WHERE domain = $1 AND input = $3`, a.Publisher, a.Input, a.Base)
	}
	if err == nil && n == 0 {
		return feed.ErrConflict
	}
	return err
}

// retire removes or retires what does not hold any more.
func retire(ctx context.Context, c Conn, a *feed.Addition) error {
	for _, number := range a.Drop {
		_, err := exec(ctx, c, `DELETE FROM feed_events WHERE number = $1`, number)
		if err != nil {
			return err
		}
	}
	for _, number := range a.Retire {
		_, err := exec(ctx, c, `UPDATE feed_events SET live = FALSE WHERE number = $1`, number)
		if err != nil {
			return err
		}
	}
	return nil
}

// agentNews is the least time between two events about the inventory of an agent.
const agentNews = 24 * time.Hour

// withAgents returns the events of an addition with those about agents.
func withAgents(ctx context.Context, c Conn, a *feed.Addition) ([]feed.Event, error) {
	begins := map[string]bool{}
	for i := range a.Events {
		if a.Events[i].Type == feed.Granted {
			begins[a.Events[i].Agent] = true
		}
	}
	var first, last []feed.Event
	for i := range a.Agents {
		agent := &a.Agents[i]
		known, err := list(ctx, c, scanFeed, `SELECT `+feedColumns+` FROM feed_events WHERE live AND agent <> '' AND agent = $1
			AND (type = '`+feed.AgentSeen+`' OR type = '`+feed.AgentMoved+`') ORDER BY number`, agent.Key)
		if err != nil {
			return nil, err
		}
		sells := begins[agent.Key]
		if !sells {
			n, err := number(ctx, c, `SELECT COUNT(*) FROM (SELECT 1 FROM feed_events WHERE live AND agent <> '' AND agent = $1 AND type = '`+feed.Granted+`' LIMIT 1) AS found`, agent.Key)
			if err != nil {
				return nil, err
			}
			sells = n > 0
		}
		switch {
		case sells && len(known) == 0:
			first = append(first, agent.Seen)
			continue
		case !sells && len(known) > 0:
			last = append(last, agent.Gone)
		case sells && isNews(&known[len(known)-1], &agent.Moved, a.At):
			first, known = append(first, agent.Moved), known[1:] // the first event stays
		default:
			continue
		}
		for i := range known {
			_, err := exec(ctx, c, `DELETE FROM feed_events WHERE number = $1`, known[i].Number)
			if err != nil {
				return nil, err
			}
		}
	}
	return append(append(first, a.Events...), last...), nil
}

func isNews(last, next *feed.Event, at time.Time) bool {
	return at.Sub(last.At) >= agentNews && !bytes.Equal(last.Digest, next.Digest)
}

func addEvent(ctx context.Context, c Conn, number, at int64, e *feed.Event) error {
	packed, err := pack.Sized(e.Payload)
	if err != nil {
		return fmt.Errorf("store: event of the feed: %w", err)
	}
	digest := e.Digest
	if digest == nil {
		digest = []byte{}
	}
	_, err = exec(ctx, c, `INSERT INTO feed_events (`+feedColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
		number, at, e.Type, e.Publisher, e.Agent, e.Entity, e.Live, digest, packed)
	return err
}

// feed removes events that do not hold any more and nobody has to be told about.
func (p *pruning) feed(ctx context.Context) error {
	before := p.o.Now.Add(-feed.Retention).UnixMicro()
	if p.o.DryRun {
		n, err := number(ctx, p.store.db, `SELECT COUNT(*) FROM feed_events WHERE NOT live AND at < $1`, before)
		p.Events.Rows += int64(n)
		return err
	}
	for {
		n, err := exec(ctx, p.store.db, `DELETE FROM feed_events WHERE number IN (SELECT number FROM feed_events WHERE NOT live AND at < $1 ORDER BY at LIMIT $2)`,
			before, int64(pruneBatch))
		p.Events.Rows += n
		if err != nil || n < pruneBatch {
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
