package records

import (
	"context"
	"errors"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/internal/service/feed"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/subscribe"
)

// Subscriptions are the subscribe.Store in a database.
type Subscriptions struct{ store *Store }

var _ subscribe.Store = (*Subscriptions)(nil)

// Subscriptions returns the subscriptions to the change feed.
func (s *Store) Subscriptions() *Subscriptions { return &Subscriptions{s} }

// subscriptionFilter is how it is kept what a subscription is told.
type subscriptionFilter struct {
	Types      []string `json:"types,omitempty"`
	Publishers []string `json:"publishers,omitempty"`
	Agents     []string `json:"agents,omitempty"`
	Proofs     bool     `json:"proofs,omitempty"`
}

const subscriptionColumns = `id, owner, url, filter, created_at, position, position_at, next_at, failures, failing_since, problem, delivered_at, suspended_at, fence`

const selectSubscription = `SELECT ` + subscriptionColumns + ` FROM subscriptions `

func scanSubscription(r Rows) (*subscribe.Subscription, error) {
	s := &subscribe.Subscription{}
	var filter string
	var created, at, next, failures int64
	var failing, delivered, suspended *int64
	err := r.Scan(&s.ID, &s.Owner, &s.URL, &filter, &created, &s.Position.Number, &at, &next, &failures, &failing,
		&s.Problem, &delivered, &suspended, &s.Fence)
	if err != nil {
		return nil, err
	}
	var f subscriptionFilter
	err = json.Unmarshal([]byte(filter), &f)
	s.Types, s.Publishers, s.Agents, s.Proofs = f.Types, f.Publishers, f.Agents, f.Proofs
	s.CreatedAt, s.Position.At, s.NextAt, s.Failures = time.UnixMicro(created).UTC(), time.UnixMicro(at).UTC(),
		time.UnixMicro(next).UTC(), int(failures)
	s.FailingSince, s.DeliveredAt, s.SuspendedAt = timeOf(failing), timeOf(delivered), timeOf(suspended)
	return s, err
}

// Add adds a subscription within limits. Those that come at once may exceed them by a few.
func (s *Subscriptions) Add(ctx context.Context, one *subscribe.Subscription) error {
	filter, err := json.Marshal(subscriptionFilter{one.Types, one.Publishers, one.Agents, one.Proofs})
	if err != nil {
		return err
	}
	return s.store.db.Update(ctx, func(c Conn) error {
		var all, own int64
		err := each(ctx, c, func(r Rows) error {
			return r.Scan(&all, &own)
		}, `SELECT COUNT(*), COUNT(CASE WHEN owner = $1 THEN 1 END) FROM subscriptions`, one.Owner)
		if err != nil {
			return err
		}
		if all >= subscribe.Most || own >= subscribe.MostOfOne {
			return subscribe.ErrTooMany
		}
		_, err = exec(ctx, c, `INSERT INTO subscriptions (`+subscriptionColumns+`) VALUES (`+parameters(1, 14)+`)`,
			one.ID, one.Owner, one.URL, string(filter), one.CreatedAt.UnixMicro(), one.Position.Number,
			one.Position.At.UnixMicro(), one.NextAt.UnixMicro(),
			int64(0), nil, "", nil, nil, int64(0))
		return err
	})
}

// List returns the subscriptions of an owner.
func (s *Subscriptions) List(ctx context.Context, owner string) ([]subscribe.Subscription, error) {
	return list(ctx, s.store.db, scanSubscription, selectSubscription+`WHERE owner = $1 ORDER BY created_at, id`, owner)
}

// Get returns a subscription of an owner.
func (s *Subscriptions) Get(ctx context.Context, owner, id string) (*subscribe.Subscription, error) {
	found, err := get(ctx, s.store.db, scanSubscription, selectSubscription+`WHERE id = $1 AND owner = $2`, id, owner)
	if errors.Is(err, registry.ErrNotFound) {
		return nil, subscribe.ErrNotFound
	}
	return found, err
}

// Remove removes a subscription of an owner.
func (s *Subscriptions) Remove(ctx context.Context, owner, id string) error {
	return foundOne(exec(ctx, s.store.db, `DELETE FROM subscriptions WHERE id = $1 AND owner = $2`, id, owner))
}

// Restart has attempts begin again.
func (s *Subscriptions) Restart(ctx context.Context, owner, id string, from *feed.Position, at time.Time) error {
	const anew = `UPDATE subscriptions SET suspended_at = NULL, failures = 0, problem = '', next_at = $3, fence = fence + 1`
	if from == nil {
		return foundOne(exec(ctx, s.store.db, anew+` WHERE id = $1 AND owner = $2`, id, owner, at.UnixMicro()))
	}
	return foundOne(exec(ctx, s.store.db,
		anew+`, failing_since = NULL, position = $4, position_at = $5 WHERE id = $1 AND owner = $2`, id, owner,
		at.UnixMicro(), from.Number, from.At.UnixMicro()))
}

// foundOne says whether a statement found a subscription.
func foundOne(n int64, err error) error {
	if err == nil && n == 0 {
		return subscribe.ErrNotFound
	}
	return err
}

// Due returns subscriptions that are due.
func (s *Subscriptions) Due(ctx context.Context, now time.Time, end int64) ([]subscribe.Due, error) {
	return list(ctx, s.store.db, func(r Rows) (*subscribe.Due, error) {
		d := &subscribe.Due{}
		return d, r.Scan(&d.ID, &d.Owner, &d.URL, &d.Fence)
	}, `SELECT id, owner, url, fence FROM subscriptions WHERE suspended_at IS NULL AND next_at <= $1 AND position < $2
		AND owner IN (SELECT id FROM api_keys WHERE revoked_at IS NULL) ORDER BY next_at`, now.UnixMicro(), end)
}

// Take gives out subscriptions.
func (s *Subscriptions) Take(ctx context.Context, due []subscribe.Due,
	until time.Time) ([]subscribe.Subscription, error) {
	var taken []subscribe.Subscription
	err := s.store.db.Update(ctx, func(c Conn) error {
		taken = nil
		for _, d := range due {
			n, err := exec(ctx, c, `UPDATE subscriptions SET next_at = $3, fence = fence + 1 WHERE id = $1 AND fence = $2`, d.ID,
				d.Fence, until.UnixMicro())
			if err != nil {
				return err
			}
			if n == 0 {
				continue
			}
			some, err := list(ctx, c, scanSubscription, selectSubscription+`WHERE id = $1`, d.ID)
			if err != nil {
				return err
			}
			taken = append(taken, some...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return taken, nil
}

// Commit writes how far subscriptions have got.
func (s *Subscriptions) Commit(ctx context.Context, list []subscribe.Subscription) error {
	var fenced error
	err := s.store.db.Update(ctx, func(c Conn) error {
		fenced = nil
		for i := range list {
			one := &list[i]
			n, err := exec(ctx, c, `UPDATE subscriptions SET position = $3, position_at = $4, next_at = $5, failures = $6, failing_since = $7, problem = $8,
				delivered_at = $9, suspended_at = $10, fence = fence + 1 WHERE id = $1 AND fence = $2`, one.ID, one.Fence,
				one.Position.Number, one.Position.At.UnixMicro(),
				one.NextAt.UnixMicro(), int64(one.Failures), optional(one.FailingSince), one.Problem, optional(one.DeliveredAt),
				optional(one.SuspendedAt))
			if err != nil {
				return err
			}
			if n == 0 {
				fenced = subscribe.ErrFenced
			}
		}
		return nil
	})
	return errors.Join(err, fenced)
}
