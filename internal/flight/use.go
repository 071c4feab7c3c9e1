package flight

import (
	"sync"
	"weak"
)

// A Use is how much the caches with a name have and may have: weight where that is limited, values otherwise.
type Use struct{ Now, Most int }

// inUse has the caches with a name. Those that are gone return false.
var inUse struct {
	mu sync.Mutex
	by map[string][]func() (Use, bool)
}

// register notes a cache without keeping it.
func (c *Cache[K, V]) register() {
	noted := weak.Make(c)
	inUse.mu.Lock()
	defer inUse.mu.Unlock()
	if inUse.by == nil {
		inUse.by = map[string][]func() (Use, bool){}
	}
	inUse.by[c.limits.Name] = append(inUse.by[c.limits.Name], func() (Use, bool) {
		c := noted.Value()
		if c == nil {
			return Use{}, false
		}
		values, weight := c.Size()
		if c.limits.Weight > 0 {
			return Use{weight, c.limits.Weight}, true
		}
		return Use{values, c.limits.Count}, true
	})
}

// UseOf returns how much the caches with a name have together.
func UseOf(name string) Use {
	inUse.mu.Lock()
	defer inUse.mu.Unlock()
	var all Use
	left := inUse.by[name][:0]
	for _, ask := range inUse.by[name] {
		one, ok := ask()
		if ok {
			left = append(left, ask)
			all = Use{all.Now + one.Now, all.Most + one.Most}
		}
	}
	clear(inUse.by[name][len(left):])
	if len(left) > 0 {
		inUse.by[name] = left
	} else {
		delete(inUse.by, name)
	}
	return all
}
