package filelock

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
)

// TestBriefly: many who take a file in turn are never two at a time, and leave nothing behind.
func TestBriefly(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "checkpoint")
	var holders, taken atomic.Int32
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 200 {
				l, err := LockBriefly(path)
				if errors.Is(err, ErrTaken) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				taken.Add(1)
				if n := holders.Add(1); n != 1 {
					t.Errorf("%d have it", n)
				}
				holders.Add(-1)
				err = l.Close()
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	left, err := os.ReadDir(dir)
	if err != nil || len(left) > 0 || taken.Load() == 0 {
		t.Errorf("%v is left after %d were at it (%v)", left, taken.Load(), err)
	}
}
