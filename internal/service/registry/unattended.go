package registry

import (
	"context"
	"time"
)

// unattendedEvery is how often it is looked whether a worker is crawling.
const unattendedEvery = time.Minute

// Unattended reports whether no worker is crawling, as far as a service that is not a worker
// knows. It was so twice in a row: what has just become due may not have been taken yet.
func (s *Service) Unattended() bool { return s.unattended.Load() > 1 }

// WatchWorkers finds out, until the service is closed, whether other processes look at
// publishers. It is for one that does not.
func (s *Service) WatchWorkers() {
	s.repeat(unattendedEvery, s.CountWorkers, func(err error) {
		s.config.Log.Warn("cannot find out whether publishers are looked at", "error", err)
	})
}

// CountWorkers finds it out once. A change is logged.
func (s *Service) CountWorkers(ctx context.Context) error {
	alone, err := s.keeper.Unattended(ctx)
	if err != nil {
		return err
	}
	was := s.Unattended()
	if alone {
		s.unattended.Add(1)
	} else {
		s.unattended.Store(0)
	}
	switch {
	case s.Unattended() && !was:
		s.config.Log.WarnContext(ctx, noWorkers)
	case was && !s.Unattended():
		s.config.Log.InfoContext(ctx, "publishers are looked at again")
	}
	return nil
}

// noWorkers is what an operator is told then.
const noWorkers = "no worker is checking publishers, so answers become outdated; start avow serve with --role worker " +
	"or all on the same store"
