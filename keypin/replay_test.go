package keypin

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestMemory(t *testing.T) {
	t.Parallel()
	m := &Memory{Max: 5}
	ctx := t.Context()
	add := func(key, nonce string, until time.Duration, at time.Duration) bool {
		ok, err := m.Add(ctx, key, nonce, now.Add(until), now.Add(at))
		if err != nil {
			t.Fatal(err)
		}
		return ok
	}
	full := func(key string, most int, at time.Duration) bool {
		ok, err := m.Full(ctx, key, most, now.Add(at))
		if err != nil {
			t.Fatal(err)
		}
		return ok
	}
	if full("a", 1, 0) || !add("a", "x", 10*time.Second, 0) || add("a", "x", 20*time.Second, 0) || !add("b", "x", 10*time.Second, 0) {
		t.Error("a nonce counts once for each key")
	}
	if !full("a", 1, 0) || full("a", 2, 0) || full("c", 1, 0) {
		t.Error("the limit of a key does not hold")
	}
	for i := range 3 {
		add("c", fmt.Sprint(i), time.Minute, 0)
	}
	if !full("d", 10, 0) {
		t.Error("the limit of the memory does not hold")
	}
	if add("a", "x", 20*time.Second, 10*time.Second) || !add("a", "x", 20*time.Second, 11*time.Second) {
		t.Error("a nonce is forgotten too early or too late")
	}
	if full("d", 10, 11*time.Second) {
		t.Error("nothing is forgotten")
	}
	m.forget(now.Add(time.Hour))
	if len(m.known)+len(m.keys)+len(m.ends) != 0 {
		t.Errorf("%d %d %d are left", len(m.known), len(m.keys), len(m.ends))
	}
	ok, err := new(Memory).Full(ctx, "a", 1, now)
	if ok || err != nil {
		t.Error(ok, err)
	}
}

// TestMemoryRaces adds the same nonces at once: each is taken once.
func TestMemoryRaces(t *testing.T) {
	t.Parallel()
	var m Memory
	var taken atomic.Int64
	var group sync.WaitGroup
	const nonces = 500
	for range 8 {
		group.Go(func() {
			for i := range nonces {
				ok, err := m.Add(t.Context(), "k", fmt.Sprint(i), now.Add(time.Minute), now)
				if err != nil {
					t.Error(err)
				}
				if ok {
					taken.Add(1)
				}
			}
		})
	}
	group.Wait()
	if taken.Load() != nonces {
		t.Errorf("%d nonces were taken, want %d", taken.Load(), nonces)
	}
}

// brokenReplay fails.
type brokenReplay struct{ full, add error }

func (b brokenReplay) Full(context.Context, string, int, time.Time) (bool, error) {
	return false, b.full
}

func (b brokenReplay) Add(context.Context, string, string, time.Time, time.Time) (bool, error) {
	return true, b.add
}

func TestBrokenReplay(t *testing.T) {
	t.Parallel()
	lost := errors.New("lost")
	for _, b := range []brokenReplay{{full: lost}, {add: lost}} {
		w := newWorld(t, entry(agentURL, edJWK("k1", "one")))
		w.v.config.Replay = b
		r, err := w.v.Verify(context.Background(), request(t), Question{Publisher: publisher, Agent: agentURL})
		if !errors.Is(err, lost) || r != nil {
			t.Errorf("%+v %v", r, err)
		}
	}
}
