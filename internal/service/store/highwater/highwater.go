// Package highwater remembers, in a file outside of a store, how far the store had got. A
// store that has not got that far was put back from an old copy: it has forgotten
// revocations and holds what was taken back.
//
// The file never says more than what the store had made durable before, so it can be
// behind and never ahead: whatever is cut off in between, an honest store is not refused.
// No clock takes part in the comparison.
package highwater

import (
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/avow-project/avow/internal/service/custodian"
)

// A State is how far a store has got: Last is the number that it gave out last. While that
// is zero nothing has happened that could be forgotten.
type State struct {
	Identity string `json:"identity"`
	Last     int64  `json:"last"`
}

// nothing reports whether there is nothing that could be forgotten.
func (s State) nothing() bool { return s.Last == 0 }

// A RestoredError is about a store that is not the one that was seen before, or not as it
// was then.
type RestoredError struct {
	// Path is the file's that has what was seen; empty when there is none.
	Path       string
	Seen, Have State
	// Err is set when the file cannot be read.
	Err error
}

// Is reports whether it is what custody calls it.
func (e *RestoredError) Is(target error) bool { return target == custodian.ErrOlder }

// Error says what is wrong.
func (e *RestoredError) Error() string {
	switch {
	case e.Err != nil:
		return fmt.Sprintf("how far the store had got cannot be read: %v", e.Err)
	case e.Seen.Identity != e.Have.Identity:
		return "it is not the store that was there before; what that one knew is missing"
	}
	return fmt.Sprintf(
		"it is older than what was seen of it before: it has got to number %d, and had got to %d; it knows nothing of what "+
			"happened in between",
		e.Have.Last, e.Seen.Last)
}

// Unwrap returns why the file cannot be read.
func (e *RestoredError) Unwrap() error { return e.Err }

// saveEvery is the least time between two writes of the file while a store is in use. It
// paces, and decides nothing.
const saveEvery = 5 * time.Second

// A Mark is the furthest state that was seen of a store. It is safe for concurrent use.
type Mark struct {
	path   string
	behind atomic.Pointer[RestoredError]

	mu      sync.Mutex
	seen    State
	damage  error     // why the file cannot be read
	saved   State     // what the file says, as far as this process knows
	savedAt time.Time // when that was tried last
	failure error     // why that failed
	saving  sync.WaitGroup
	busy    bool // a save is under way
	closed  bool // no save in the background any more
	frozen  bool // nothing is saved
}

// Open reads the mark in a file, which may be missing. It has to be read before the store
// is: another process may go on in between. With an empty path the mark is in memory alone.
// So it is, with a Failure, where this process has no access: a service that is kept away
// from the home of its user must not be kept from its store.
func Open(path string) *Mark {
	m := &Mark{path: path, savedAt: time.Now()}
	if path == "" {
		return m
	}
	seen, err := read(path)
	switch {
	case errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.ENOTDIR):
		m.failure, m.frozen = err, true
	case err != nil:
		m.damage = err
	}
	m.seen, m.saved = seen, seen
	return m
}

// Seen returns the furthest state that was seen.
func (m *Mark) Seen() State {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.seen
}

// Check compares the state of a store with what was seen before it was read. The error is
// a *RestoredError, and Behind returns it from then on, until a store passes.
func (m *Mark) Check(before, have State) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	same := before.Identity == have.Identity && before.Last <= have.Last
	if m.damage == nil && (same || before.nothing()) {
		m.behind.Store(nil)
		return nil
	}
	err := &RestoredError{Path: m.path, Seen: before, Have: have, Err: m.damage}
	m.behind.Store(err)
	return err
}

// Behind returns what the last comparison found; nil when all was well. It costs next to
// nothing, for those who read.
func (m *Mark) Behind() error {
	err := m.behind.Load()
	if err == nil {
		return nil
	}
	return err
}

// Note takes note of a state that the store has made durable, and has it saved from time
// to time in the background: commits do not wait for it.
func (m *Mark) Note(s State) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.take(s) || m.busy || m.closed || time.Since(m.savedAt) < saveEvery {
		return
	}
	m.busy = true
	m.saving.Go(func() {
		_ = m.Save() // Failure has it
		m.mu.Lock()
		defer m.mu.Unlock()
		m.busy = false
	})
}

// take advances what was seen, and reports whether there is something to save. The caller
// holds mu.
func (m *Mark) take(s State) bool {
	if m.seen.nothing() || m.seen.Identity == s.Identity && m.seen.Last < s.Last {
		m.seen = s
	}
	return m.path != "" && !m.frozen && m.damage == nil && m.seen != m.saved && !m.seen.nothing()
}

// Save writes what was seen to the file, unless the file says more already or is about
// another store.
func (m *Mark) Save() error {
	m.mu.Lock()
	s, wanted := m.seen, m.take(m.seen)
	m.savedAt = time.Now()
	m.mu.Unlock()
	if !wanted {
		return nil
	}
	err := advance(m.path, s)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.failure = err
	if err == nil {
		m.saved = s
	}
	return err
}

// Failure returns why the mark could not be saved when that was tried last.
func (m *Mark) Failure() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.failure
}

// Replace makes a state the one that was seen, whatever the file says: an operator has
// accepted it.
func (m *Mark) Replace(s State) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.path != "" {
		err := write(m.path, s)
		if err != nil {
			return err
		}
	}
	m.seen, m.saved, m.damage, m.failure = s, s, nil, nil
	m.behind.Store(nil)
	return nil
}

// Freeze leaves the file as it is from now on.
func (m *Mark) Freeze() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.frozen = true
}

// Close saves what was not saved yet, and leaves the file alone then.
func (m *Mark) Close() error {
	m.mu.Lock()
	m.closed = true
	m.mu.Unlock()
	m.saving.Wait()
	err := m.Save()
	m.Freeze()
	return err
}
