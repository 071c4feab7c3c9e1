package discover

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/avow-project/avow/internal/fetch"
)

// heavy answers every request with a file that is large or not, and asks for room
// as fetch does. It counts how many large ones there are at the same time.
type heavy struct {
	pad       string
	now, most atomic.Int64
	mu        sync.Mutex
}

func (h *heavy) Get(ctx context.Context, r fetch.Request) *fetch.Result {
	if len(h.pad) > largeBytes {
		err := r.Large(ctx)
		if err != nil {
			return result(r.URL, fetch.Exchange{Outcome: fetch.Cancelled})
		}
		h.mu.Lock()
		h.most.Store(max(h.most.Load(), h.now.Add(1)))
		h.mu.Unlock()
		time.Sleep(time.Second)
		h.now.Add(-1)
	}
	found := result(r.URL, fetch.Exchange{Outcome: fetch.Found, Status: 200, MediaType: "application/json"})
	found.Body = []byte(ownFile() + h.pad)
	return found
}

func TestLargeDocumentsWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := &heavy{pad: strings.Repeat(" ", largeBytes+1)}
		f := New(Config{Client: h})
		var wait sync.WaitGroup
		for i := range 4 * largeSlots {
			wait.Go(func() {
				d, err := f.Domain(t.Context(), fmt.Sprintf("pub%d.example", i), Options{})
				if err != nil || d.Answer != Usable {
					t.Errorf("answer %v, error %v", d.Answer, err)
				}
			})
		}
		wait.Wait()
		if h.most.Load() != largeSlots {
			t.Errorf("%d large documents at the same time, want %d", h.most.Load(), largeSlots)
		}
		if len(f.slots) != 0 {
			t.Errorf("%d slots are still taken", len(f.slots))
		}
	})
}

func TestLargeGivesUpWithTheCaller(t *testing.T) {
	t.Parallel()
	f := New(Config{Client: &heavy{pad: strings.Repeat(" ", largeBytes+1)}})
	for range largeSlots {
		f.slots <- struct{}{}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	d, err := f.Domain(ctx, "pub.example", Options{})
	if err != nil || d.Answer != Unreachable {
		t.Errorf("answer %v, error %v", d.Answer, err)
	}
	if len(f.slots) != largeSlots {
		t.Error("a place was given back that was not taken")
	}
}

// TestLargeOfTheCaller: the caller's own limit is asked once for a question, also
// for a body that is there already.
func TestLargeOfTheCaller(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		pad  int
		err  error
		want int
	}{
		{"small", 0, nil, 0},
		{"large", largeBytes + 1, nil, 1},
		{"refused by the context", largeBytes + 1, errors.New("over"), 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			calls := 0
			large := func(context.Context) error { calls++; return tt.err }
			s := newScript().serve(pubURL, ownFile()+strings.Repeat(" ", tt.pad))
			f := New(Config{Client: s, Now: func() time.Time { return testTime }})
			d, err := f.Domain(t.Context(), "pub.example", Options{Large: large})
			if err != nil || d.Answer != Usable || calls != tt.want || len(f.slots) != 0 {
				t.Errorf("answer %v, error %v, %d calls, want %d", d.Answer, err, calls, tt.want)
			}
		})
	}
}
