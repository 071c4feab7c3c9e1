package brand

import (
	"sync"
	"time"
)

const (
	// absentFor is how long it is remembered that the provider has nothing.
	absentFor = 5 * time.Minute
	// maxAbsent bounds what is remembered. Beyond it the oldest goes.
	maxAbsent = 10_000
)

// absences remembers what the provider did not have, so that asking for it again costs
// nothing. The zero value is ready.
type absences struct {
	mu    sync.Mutex
	until map[string]time.Time
	order []string // the same keys, oldest first
}

// has reports whether something was not there lately.
func (a *absences) has(what string, now time.Time) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return now.Before(a.until[what])
}

// add notes that something was not there.
func (a *absences) add(what string, now time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.until == nil {
		a.until = map[string]time.Time{}
	}
	_, known := a.until[what]
	if !known {
		a.order = append(a.order, what)
	}
	a.until[what] = now.Add(absentFor)
	for len(a.order) > 0 && (len(a.order) > maxAbsent || !now.Before(a.until[a.order[0]])) {
		delete(a.until, a.order[0])
		a.order = a.order[1:]
	}
}
