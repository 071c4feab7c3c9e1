package server

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/avow-project/avow/internal/service/budget"
	"github.com/avow-project/avow/internal/service/edge"
)

const (
	// gatePatience is how long a request waits for room. A later answer would come too
	// late.
	gatePatience = 3 * time.Second
	// clientPart is the part of all slots that one client may have.
	clientPart = 8
	// tinyBody is the size up to which a body is read without asking for room: there are
	// no more of them than connections.
	tinyBody = 8 << 10
	// memoryPart is the part of the memory for what is large that one client may have.
	memoryPart = 4
)

// A gate is a budget with a name for metrics.
type gate struct {
	name string
	*budget.Budget
}

func newGate(name string, slots, queue int) *gate {
	return &gate{name, budget.New(int64(slots), int64(max(slots/clientPart, 1)), queue)}
}

// NewMemory returns a budget of bytes for what is large, from the moment it is read until
// it is written.
func NewMemory(size int64) *budget.Budget {
	return budget.New(size, size/memoryPart, waitingForMemory)
}

// waitingForMemory is the number of requests that may wait for memory.
const waitingForMemory = 4096

// enter waits for n units of a gate, and reports whether it got them.
func (s *server) enter(ctx context.Context, g *gate, x *exchange, n int64) bool {
	if g.Try(x.payer(), n) {
		return true
	}
	ctx, cancel := context.WithTimeout(ctx, s.config.lab.patience)
	defer cancel()
	return g.Acquire(ctx, x.payer(), n) == nil
}

// busy refuses a request that there is no room for.
func (s *server) busy(g *gate, x *exchange) {
	s.countBusy(g, x)
	if g == s.memory {
		s.refuse(x, edge.NoMemory)
		return
	}
	s.refuse(x, edge.Busy)
}

// countBusy counts a request that there is no room for. It is the last one of its connection.
func (s *server) countBusy(g *gate, x *exchange) {
	s.config.Metrics.refusals.Add(1, "busy_"+g.name)
	x.Header().Set("Connection", "close")
}

// takeBody reads the body of a request, so that a slow sender does not occupy a slot.
// It reports false when the request is refused.
func (s *server) takeBody(ctx context.Context, x *exchange, r *http.Request) bool {
	if r.Body == nil || r.Body == http.NoBody {
		return true
	}
	size := r.ContentLength
	if size < 0 {
		size = max(x.route.MaxBody, smallBody)
	}
	if size > tinyBody {
		weight := size
		if size > smallBody {
			weight *= 2 // what is made of it is about as large
		}
		if !s.enter(ctx, s.memory, x, weight) {
			// A connection that is closed before all is read is reset, and the answer lost.
			_, _ = io.Copy(io.Discard, r.Body)
			s.busy(s.memory, x)
			return false
		}
		x.weight += weight
	}
	body := &wholeBody{}
	defer func() { body.left = body.data }()
	if r.ContentLength > 0 {
		text := make([]byte, size+1) // one more shows that it ends there
		n, err := io.ReadFull(r.Body, text)
		if int64(n) == size && errors.Is(err, io.ErrUnexpectedEOF) {
			err = nil
		}
		body.data, body.err = text[:n], err
	} else {
		body.data, body.err = io.ReadAll(r.Body)
	}
	r.Body = body
	return true
}

// A wholeBody is a body that has arrived, as far as it did, and what is left of it to read.
type wholeBody struct {
	data, left []byte
	err        error
}

// Read implements io.Reader.
func (b *wholeBody) Read(p []byte) (int, error) {
	if len(b.left) == 0 {
		return 0, cmp.Or(b.err, io.EOF)
	}
	n := copy(p, b.left)
	b.left = b.left[n:]
	return n, nil
}

// Whole returns what is left to read without copying it, and the error at its end.
func (b *wholeBody) Whole() ([]byte, error) {
	left := b.left
	b.left = nil
	return left, b.err
}

// rewind begins again.
func (b *wholeBody) rewind() { b.left = b.data }

// Close implements io.Closer.
func (b *wholeBody) Close() error { return nil }
