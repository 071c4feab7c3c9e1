package registry

import (
	"context"
	"runtime"
	"time"

	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/std/hostname"
)

// Limits makes the times of a service short, for tests.
func (s *Service) Limits(call, lookup time.Duration) {
	s.limits.call, s.limits.lookup, s.limits.grace = call, lookup, call/4
	s.limits.probe = call
}

// Following returns how many checks are followed or under way.
func (s *Service) Following() int {
	s.following.mu.Lock()
	defer s.following.mu.Unlock()
	return len(s.following.of)
}

// Waiting returns how many wait for a look at a domain.
func (s *Service) Waiting(domain hostname.Domain) int { return s.checks.calls.Waiting(domain) }

// WaitingForBrand returns how many wait for what the provider says about a domain.
func (s *Service) WaitingForBrand(domain hostname.Domain) int {
	return s.enriching.flights.Waiting("provider " + string(domain))
}

// NamesOfFile is how many names one file may add at a time.
const NamesOfFile = 1000

// PlanNames has publishers looked at that files in the directory name, and returns how many.
func (s *Service) PlanNames() (int, error) {
	return s.planNamesOf(s.named.take(true))
}

// WatchOnce looks at what is due.
func (s *Service) WatchOnce(ctx context.Context) error {
	return s.keeper.Watch(ctx, custodian.WatchOptions{Once: true})
}

// Settle waits until every result is stored.
func (s *Service) Settle() { s.tasks.Wait() }

// EnterRollout takes the place of a run, and SpendRollout notes what it asks.
func (s *Service) EnterRollout(client string) (func(), error) {
	return s.rollouts.enter(Caller{Client: client})
}

// SpendRollout see EnterRollout.
func (s *Service) SpendRollout(client string, n int) error {
	return s.rollouts.spend(Caller{Client: client}, n)
}

// Queue returns under which name a run waits for others, and how many publishers it asks at a time.
func (r *RolloutRequest) Queue() (string, int) { return r.queue() }

// Occupy takes all slots for looks.
func (s *Service) Occupy() {
	for range cap(s.slots) {
		s.slots <- struct{}{}
	}
}

// FreeUnsaved returns how many slots there are for those that are stored after their answer,
// and OccupyUnsaved takes some.
func (s *Service) FreeUnsaved() int { return cap(s.unsaved) - len(s.unsaved) }

// OccupyUnsaved see FreeUnsaved.
func (s *Service) OccupyUnsaved(n int) {
	for range n {
		s.unsaved <- struct{}{}
	}
}

// KeptWeight returns the memory that answers take, as estimated, and their number.
func (s *Service) KeptWeight() (int, int) {
	count, weight := s.checks.kept.Size()
	return weight, count
}

// What tests compare with.
const (
	MostWeight        = keptWeight
	AnonymousRequests = anonymousRequests
)

// Spellings is spellings, and Fixable is fixable.
var (
	Spellings = spellings
	Fixable   = fixable
)

// HeldBytes returns the memory of documents that are kept, sent or obtained.
func (s *Service) HeldBytes() int64 { return s.held.Used() }

// Forget forgets all answers, as after a minute.
func (s *Service) Forget() {
	s.checks.kept.DeleteFunc(func(*checked, int) bool { return true })
}

// CheckingBytes returns the memory of documents that are being checked.
func (s *Service) CheckingBytes() int64 { return s.checking.Used() }

// OccupyChecking takes all memory for checks, and returns what gives it back.
func (s *Service) OccupyChecking() func() {
	_ = s.checking.Acquire(context.Background(), "", s.config.Checking)
	return func() { s.checking.Release("", s.config.Checking) }
}

// AwaitCheck waits until somebody waits for memory for a check.
func (s *Service) AwaitCheck() {
	for s.checking.Waiting() == 0 {
		runtime.Gosched()
	}
}
