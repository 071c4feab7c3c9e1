package registry

import (
	"context"
	"errors"
	"sync"

	"github.com/avow-project/avow/internal/service/budget"
	"github.com/avow-project/avow/internal/service/custodian"
)

// Memory for documents. What is kept or sent is counted in one budget; what is checked in another, so that no holder
// of a document waits for other holders. Bodies and answers of requests have a third one.
const (
	// heldBytes and checkingBytes are the sizes of the budgets unless Config says otherwise.
	heldBytes     = 72_000_000
	checkingBytes = 120_000_000
	// checkFactor is how many times its size a document takes while it is checked.
	checkFactor = 8
	// valueBytes is what a report takes for each JSON value of its document at most.
	valueBytes = 112
	// weighedFrom is the size from which documents are counted.
	weighedFrom = 64_000
	// largeDocument is the size from which what is kept of others makes room.
	largeDocument = 1_000_000
	// largestDocument is what a document counts until it is there.
	largestDocument = 20_000_000
)

// errNoMemory is for a call that there is no memory for.
var errNoMemory = Soon(codeBusy, "Too many large documents are being looked at")

// A reservation is the memory that one visit to a publisher takes.
type reservation struct {
	service *Service
	client  string
	mu      sync.Mutex
	share   *budget.Share
	// checking is the memory to check a document, which is needed until custody has it.
	checking int64
	// err is why a document was not checked.
	err error
}

func (s *Service) newReservation(ctx context.Context) *reservation {
	return &reservation{service: s, client: budget.ClientOf(ctx)}
}

// enter waits until there is memory for a document whose size is not known.
func (r *reservation) enter(ctx context.Context) error { return r.take(ctx, largestDocument) }

// take waits until there is memory for a document of a size.
func (r *reservation) take(ctx context.Context, size int64) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.share != nil {
		return nil
	}
	r.service.shed()
	share, err := r.service.held.TakeFor(ctx, size)
	if err != nil {
		r.err = errNoMemory
	}
	r.share = share
	return err
}

// check waits until there is memory to check a document. It is kept until leave, for the
// largest of several documents: no check waits for more while holding some.
func (r *reservation) check(ctx context.Context, size int) (func(), error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	weight := int64(size) * checkFactor
	if size <= weighedFrom || weight <= r.checking || ctx.Value(reservedKey) != nil {
		return func() {}, nil
	}
	r.service.checking.Release(r.client, r.checking)
	r.checking = 0
	err := r.service.checking.Acquire(ctx, r.client, weight)
	if err != nil {
		r.err = errNoMemory
		return nil, err
	}
	r.checking = weight
	if size > largeDocument {
		r.service.shed()
	}
	return func() {}, nil
}

// reserveCheck waits until there is memory to check a document.
func (s *Service) reserveCheck(ctx context.Context, client string, size int) (func(), error) {
	if size <= weighedFrom {
		return func() {}, nil
	}
	weight := int64(size) * checkFactor
	err := s.checking.Acquire(ctx, client, weight)
	if errors.Is(err, budget.ErrFull) {
		err = errNoMemory
	}
	return func() { s.checking.Release(client, weight) }, err
}

// Encoding waits until there is memory to encode what a file declares, as for a check of it.
func (s *Service) Encoding(ctx context.Context, v *Validation) (func(), error) {
	return s.reserveCheck(ctx, budget.ClientOf(ctx), len(v.Body))
}

// settle gives what was found its share of the memory, and the reservation none.
func (r *reservation) settle(c *checked) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	weight := c.weigh()
	switch {
	case r.err != nil:
		return r.err
	case c.size() <= weighedFrom:
		return nil
	case r.share != nil:
		r.share.Resize(int64(weight))
	default:
		r.share = r.service.takeNow(r.client, weight)
		if r.share == nil {
			return errNoMemory
		}
	}
	c.share, c.memo.share = r.share, r.share
	return nil
}

// shed forgets what takes much memory and was kept only because memory was free.
func (s *Service) shed() {
	s.checks.shed()
	if s.keeper != nil {
		s.keeper.Shed()
	}
}

// takeNow returns a share for something that is there already; nil when there is no memory
// even without what is kept for the next caller.
func (s *Service) takeNow(client string, weight int) *budget.Share {
	share := s.held.TryTake(client, int64(weight))
	if share == nil {
		s.shed()
		share = s.held.TryTake(client, int64(weight))
	}
	return share
}

// leave gives the memory back, unless another request holds it.
func (r *reservation) leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.share != nil {
		r.share.Leave(r.client)
		r.share = nil
	}
	r.service.checking.Release(r.client, r.checking)
	r.checking = 0
}

// reserveForKeeper waits until there is memory to read a large document of the keeper. The request
// that it is for holds the document until it is answered.
func (s *Service) reserveForKeeper(ctx context.Context, bytes int64) (func(), error) {
	r := s.newReservation(ctx)
	err := r.take(ctx, bytes)
	if err != nil {
		return nil, r.err
	}
	budget.Hold(ctx, r.share)
	_, err = r.check(ctx, int(bytes))
	if err != nil {
		r.leave()
		return nil, r.err
	}
	return r.leave, nil
}

// keeperUse reserves memory for an answer that is made of a document of the keeper.
func keeperUse(ctx context.Context, hash string, bytes int) error {
	if bytes <= weighedFrom {
		return nil
	}
	return use(ctx, hash, bytes)
}

// keeperLook gives a visit of the keeper a reservation until what it found is kept.
func (s *Service) keeperLook(ctx context.Context) (context.Context, func()) {
	r := s.newReservation(ctx)
	return context.WithValue(ctx, lookKey, r), r.leave
}

// reservationOf returns the reservation of a visit, and what gives it back unless the visit does.
func (s *Service) reservationOf(ctx context.Context) (*reservation, func()) {
	r, ok := ctx.Value(lookKey).(*reservation)
	if ok {
		return r, func() {}
	}
	r = s.newReservation(ctx)
	return r, r.leave
}

// reserved returns a context for what custody does with a document that has its memory: it
// must not wait for those who wait for it.
func reserved(ctx context.Context) context.Context {
	return context.WithValue(custodian.WithMemory(ctx), reservedKey, true)
}
