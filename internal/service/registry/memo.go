package registry

import (
	"fmt"
	"sync"

	"github.com/avow-project/avow/internal/service/budget"
)

// A memo has what was made of an answer about a domain, for as long as that is kept: the
// next caller is given the same bytes.
type memo struct {
	share *budget.Share

	mu   sync.Mutex
	kept map[string]*memoEntry
	// weight is what all of it takes, and grown is called with what is added; nil for an answer that is
	// not kept.
	weight int
	grown  func(n int)
}

type memoEntry struct {
	once  sync.Once
	bytes []byte
	err   error
}

func (m *memo) entry(name string) *memoEntry {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept == nil {
		m.kept = map[string]*memoEntry{}
	}
	if m.kept[name] == nil {
		m.kept[name] = new(memoEntry)
	}
	return m.kept[name]
}

// grow counts what was made.
func (m *memo) grow(n int) {
	m.share.Grow(int64(n))
	m.mu.Lock()
	m.weight += n
	grown := m.grown
	m.mu.Unlock()
	if grown != nil {
		grown(n)
	}
}

// keep returns what is counted so far, and has what comes later counted by a function.
func (m *memo) keep(grown func(n int)) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.grown = grown
	return m.weight
}

func (m *memo) forget(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.kept, name)
}

// Once returns what is made of what is known about a domain, which is made once for
// all who are given it. The name tells apart what is made of it; it must not depend on
// anything that a caller wishes.
func (v *Validation) Once(name string, build func() ([]byte, error)) ([]byte, error) {
	if v.memo == nil {
		return build()
	}
	e, mine := v.memo.entry(name), false
	e.once.Do(func() {
		mine = true
		e.bytes, e.err = build()
		if e.err != nil {
			v.memo.forget(name) // the next one may succeed
			return
		}
		if v.memo.share != nil && !isPart(e.bytes, v.Body) {
			v.memo.grow(len(e.bytes))
		}
	})
	if e.err != nil && !mine {
		return v.Once(name, build) // it failed for another call, which may have ended
	}
	return e.bytes, e.err
}

// Shared reports whether Encoded returns what others are given as well.
func (v *Validation) Shared() bool { return v.shared }

// Encoded returns the answer in a form, which is made once where others are given the same. A form that
// says whether the answer is Cached has another name for each.
func (v *Validation) Encoded(form string, encode func() ([]byte, error)) ([]byte, error) {
	if !v.shared {
		return encode()
	}
	return v.Once(fmt.Sprint(form, v.Agents != nil), encode)
}

// isPart reports whether some bytes are a part of others.
func isPart(part, whole []byte) bool {
	if cap(part) == 0 || cap(whole) == 0 {
		return cap(part) == 0
	}
	return &part[:cap(part)][cap(part)-1] == &whole[:cap(whole)][cap(whole)-1]
}
