package edge

import (
	"slices"
	"sync"

	"github.com/avow-project/avow/internal/service/registry"
)

// mostStreams and mostStreamsOfOne bound the streams that are open, of all and of one key or
// client; the networks around a client may have more.
const (
	mostStreams      = 2000
	mostStreamsOfOne = 100
)

// Streams counts the streams of a kind that are open. The zero value is ready for use.
type Streams struct {
	mu    sync.Mutex
	total int
	of    map[string]int
}

// Open takes a slot for a caller, and returns what gives it back; nil when there is none.
func (s *Streams) Open(caller registry.Caller) func() {
	payers := registry.BlocksOf(caller.Client)
	if caller.Key != nil {
		payers = []registry.Block{{Name: caller.Key.ID, Factor: 1}}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	full := func(b registry.Block) bool { return s.of[b.Name] >= mostStreamsOfOne*b.Factor }
	if s.total >= mostStreams || slices.ContainsFunc(payers, full) {
		return nil
	}
	if s.of == nil {
		s.of = map[string]int{}
	}
	s.add(payers, 1)
	return sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.add(payers, -1)
	})
}

func (s *Streams) add(payers []registry.Block, n int) {
	s.total += n
	for _, b := range payers {
		s.of[b.Name] += n
		if s.of[b.Name] == 0 {
			delete(s.of, b.Name)
		}
	}
}
