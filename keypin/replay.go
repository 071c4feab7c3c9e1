package keypin

import (
	"container/heap"
	"context"
	"crypto/sha256"
	"sync"
	"time"
)

// A Replay remembers the nonces of messages that were accepted, so that each counts once.
// Several processes that accept the same messages must share one. It is asked by several
// at once.
type Replay interface {
	// Full reports whether a key has as many nonces as it may; it is asked before the
	// signature is verified, so that a flood costs little.
	Full(ctx context.Context, key string, most int, now time.Time) (bool, error)
	// Add remembers a nonce of a key until a time. It reports false when the nonce is
	// known already, and does so for all but one of several that add it at once.
	Add(ctx context.Context, key, nonce string, until, now time.Time) (bool, error)
}

// defaultNonces is how many nonces a Memory holds when nothing else is said: about 500 MB
// if they are ever all in use.
const defaultNonces = 4_000_000

// Memory is a Replay in the memory of the process, which is lost with it: a message can be
// replayed after a restart until its signature expires. The zero value is ready for use.
type Memory struct {
	// Max is how many nonces are held in all; zero means four million. When there are
	// more, every key is treated as full.
	Max int

	mu    sync.Mutex
	known map[nonceID]struct{}
	keys  map[string]int
	ends  endings
}

// nonceID is a hash over key and nonce, so that long ones take no more room.
type nonceID [16]byte

func idOf(key, nonce string) nonceID {
	sum := sha256.Sum256([]byte(key + "\x00" + nonce))
	return nonceID(sum[:16])
}

type ending struct {
	at  int64
	id  nonceID
	key string
}

// endings is a heap of nonces, the next to be forgotten first.
type endings []ending

// Len, Less, Swap, Push and Pop make endings a heap.
func (e endings) Len() int { return len(e) }

// Less puts the earliest first.
func (e endings) Less(i, j int) bool { return e[i].at < e[j].at }

// Swap exchanges two.
func (e endings) Swap(i, j int) { e[i], e[j] = e[j], e[i] }

// Push adds one at the end.
func (e *endings) Push(x any) { *e = append(*e, x.(ending)) }

// Pop takes one from the end.
func (e *endings) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

// Full reports whether a key has as many nonces as it may, or the memory as many in all.
func (m *Memory) Full(_ context.Context, key string, most int, now time.Time) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.forget(now)
	limit := m.Max
	if limit <= 0 {
		limit = defaultNonces
	}
	return m.keys[key] >= most || len(m.known) >= limit, nil
}

// Add remembers a nonce.
func (m *Memory) Add(_ context.Context, key, nonce string, until, now time.Time) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.forget(now)
	if m.known == nil {
		m.known, m.keys = map[nonceID]struct{}{}, map[string]int{}
	}
	id := idOf(key, nonce)
	_, twice := m.known[id]
	if twice {
		return false, nil
	}
	m.known[id] = struct{}{}
	m.keys[key]++
	heap.Push(&m.ends, ending{until.Unix() + 1, id, key})
	return true, nil
}

// forget drops the nonces whose messages are refused for their age. The caller holds mu.
func (m *Memory) forget(now time.Time) {
	for len(m.ends) > 0 && m.ends[0].at <= now.Unix() {
		e := heap.Pop(&m.ends).(ending)
		delete(m.known, e.id)
		m.keys[e.key]--
		if m.keys[e.key] == 0 {
			delete(m.keys, e.key)
		}
	}
}
