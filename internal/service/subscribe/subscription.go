// Package subscribe sends what the change feed tells to those who have asked for it.
//
// A subscription is a filter, a URL and a position in the feed: what it still has to be told is
// what the feed has after that. It is told in order, one delivery at a time, until the other
// side says that it has it; then the position moves on. A process that ends in between delivers
// the same again, so everything is delivered at least once.
package subscribe

import (
	"context"
	"errors"
	"time"

	"github.com/avow-project/avow/internal/service/feed"
	"github.com/avow-project/avow/internal/service/projection"
)

// A Subscription is what a subscriber wants to be sent, and how far that has got.
type Subscription struct {
	ID string
	// Owner is the id of the key that made it.
	Owner string
	URL   string
	// Types, Publishers and Agents, in canonical form, select events as those of a feed.Filter
	// do. None means all.
	Types, Publishers, Agents []string
	// Proofs: it wants to know how events stand to the transparency log.
	Proofs    bool
	CreatedAt time.Time
	// Position is the position of the last event that is done with.
	Position feed.Position
	// NextAt is when there is to be an attempt, if there is something to tell. During a
	// delivery, it is when that is given up.
	NextAt time.Time
	// Failures counts attempts that have failed in a row, since the last restart; Problem is what
	// was wrong with the last one. FailingSince is when the first has failed since something was
	// told.
	Failures     int
	FailingSince time.Time
	Problem      string
	// DeliveredAt is when something was last told.
	DeliveredAt time.Time
	// SuspendedAt is when attempts were given up, until a restart.
	SuspendedAt time.Time
	// Fence is the number of the last one who took it, or has changed it otherwise.
	Fence int64
}

// State is active, failing or suspended.
func (s *Subscription) State() string {
	switch {
	case !s.SuspendedAt.IsZero():
		return "suspended"
	case s.Failures > 0:
		return "failing"
	}
	return "active"
}

// expired reports whether the feed may not have everything any more that is still to be told.
func (s *Subscription) expired(now time.Time) bool {
	return !s.FailingSince.IsZero() && now.Sub(s.FailingSince) > feed.Retention
}

// filter returns the feed's filter.
func (s *Subscription) filter() *feed.Filter {
	f := &feed.Filter{Types: s.Types, Publishers: s.Publishers}
	for _, agent := range s.Agents {
		f.Agents = append(f.Agents, projection.AgentName(agent))
	}
	return f
}

// Errors of a Store.
var (
	// ErrNotFound: there is no such subscription of this key.
	ErrNotFound = errors.New("there is no such subscription")
	// ErrTooMany: there are as many as there may be.
	ErrTooMany = errors.New("there are too many subscriptions")
	// ErrFenced: another process has taken or changed the subscription.
	ErrFenced = errors.New("another client changed the subscription")
)

// Limits of subscriptions.
const (
	// Most is how many there may be, and MostOfOne how many of one key.
	Most      = 1000
	MostOfOne = 20
)

// A Due is a subscription that is due.
type Due struct {
	ID, Owner, URL string
	Fence          int64
	slow           int // one when it was admitted as that of a slow receiver
}

// A Store keeps subscriptions. It is safe for concurrent use, also by several processes.
type Store interface {
	// Add adds a subscription within Most and MostOfOne.
	Add(ctx context.Context, s *Subscription) error
	// List returns those of an owner in the order in which they were made.
	List(ctx context.Context, owner string) ([]Subscription, error)
	Get(ctx context.Context, owner, id string) (*Subscription, error)
	Remove(ctx context.Context, owner, id string) error
	// Restart has attempts begin again at a time, as if none had failed, from a position or, for
	// nil, where it is: then FailingSince stays. A delivery under way cannot commit any more.
	Restart(ctx context.Context, owner, id string, from *feed.Position, at time.Time) error
	// Due returns subscriptions that are due, and whose position is before the end of the feed, those
	// first that have been due longest. Those of revoked keys are left out.
	Due(ctx context.Context, now time.Time, end int64) ([]Due, error)
	// Take gives out those that nothing has changed since, until a time.
	Take(ctx context.Context, list []Due, until time.Time) ([]Subscription, error)
	// Commit writes how far subscriptions have got that were taken, and gives them back. Those
	// that another process has changed are left alone, and it is ErrFenced.
	Commit(ctx context.Context, list []Subscription) error
}
