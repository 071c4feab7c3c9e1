package flight

import (
	"container/list"
	"sync"
	"time"
	"weak"
)

// Limits are those of a Cache.
type Limits[K comparable, V any] struct {
	// Name is what Use calls it; empty for a cache that is not asked for.
	Name string
	// Weight is what all values may weigh together; zero means no limit. The one that was put
	// in or weighed just now stays, whatever it weighs.
	Weight int
	// Count is the number of values; zero means no limit.
	Count int
	// Life is how long a value is kept after it was put in, and Now the clock for that; zero
	// means for as long as there is room. A value from the future, which the clock has gone
	// back from, is old. Values go by themselves, so that memory is given back.
	Life time.Duration
	Now  func() time.Time
	// Lighten, if values have something that can be made again, drops that and returns what a
	// value weighs then. It is called before a value has to go, and must not use the cache.
	Lighten func(V) int
	// Dropped is called with each value that goes, if there is something to be done then. It
	// must not use the cache.
	Dropped func(K, V)
}

// A Cache keeps values within limits of weight, number and time. What was used the longest
// time ago goes first; where values have a Life, what was put in first.
type Cache[K comparable, V any] struct {
	limits Limits[K, V]

	mu       sync.Mutex
	kept     map[K]*list.Element // of *item
	order    *list.List          // the one that goes last is in front
	weight   int
	sweeping bool // sweep is going to come
}

type item[K comparable, V any] struct {
	key    K
	value  V
	weight int
	at     time.Time
}

// NewCache returns a Cache with limits.
func NewCache[K comparable, V any](l Limits[K, V]) *Cache[K, V] {
	c := &Cache[K, V]{limits: l, kept: make(map[K]*list.Element), order: list.New()}
	if l.Name != "" {
		c.register()
	}
	return c
}

// Get returns a value that is kept.
func (c *Cache[K, V]) Get(key K) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.kept[key]
	if e == nil || c.old(c.item(e)) {
		c.drop(e)
		var none V
		return none, false
	}
	if c.limits.Life == 0 {
		c.order.MoveToFront(e)
	}
	return c.item(e).value, true
}

// Put keeps a value, in the place of one with the same key.
func (c *Cache[K, V]) Put(key K, value V, weight int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(c.kept[key])
	one := &item[K, V]{key: key, value: value, weight: weight}
	if c.limits.Life > 0 {
		one.at = c.limits.Now()
		c.expire()
		c.sweepLater()
	}
	e := c.order.PushFront(one)
	c.kept[key] = e
	c.weight += weight
	c.trim(e)
}

// Weigh sets what a value weighs, if there is one, by what it weighed before. Others go when
// there is no room for it any more.
func (c *Cache[K, V]) Weigh(key K, weigh func(value V, before int) int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.kept[key]
	if e == nil {
		return
	}
	one := c.item(e)
	c.setWeight(one, weigh(one.value, one.weight))
	if c.limits.Life == 0 {
		c.order.MoveToFront(e)
	}
	c.trim(e)
}

func (c *Cache[K, V]) setWeight(one *item[K, V], weight int) {
	c.weight += weight - one.weight
	one.weight = weight
}

// trim makes values lighter, and then drops them, until the others are within the limits.
// One is spared. The caller holds mu.
func (c *Cache[K, V]) trim(spared *list.Element) {
	if c.limits.Lighten != nil {
		for e := c.order.Back(); e != nil && over(c.weight, c.limits.Weight); e = e.Prev() {
			if e != spared {
				c.setWeight(c.item(e), c.limits.Lighten(c.item(e).value))
			}
		}
	}
	for e := c.order.Back(); e != nil && (over(c.weight, c.limits.Weight) || over(c.order.Len(), c.limits.Count)); {
		older := e
		e = e.Prev()
		if older != spared {
			c.drop(older)
		}
	}
}

// LightenFunc makes the values lighter that a function picks, by what they are and weigh.
func (c *Cache[K, V]) LightenFunc(pick func(value V, weight int) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for e := c.order.Front(); e != nil; e = e.Next() {
		if one := c.item(e); pick(one.value, one.weight) {
			c.setWeight(one, c.limits.Lighten(one.value))
		}
	}
}

func over(n, limit int) bool { return limit > 0 && n > limit }

// Delete drops a value.
func (c *Cache[K, V]) Delete(key K) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(c.kept[key])
}

// Take drops a value and returns it with its weight, if there is one.
func (c *Cache[K, V]) Take(key K) (V, int, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.kept[key]
	if e == nil {
		var none V
		return none, 0, false
	}
	one := c.item(e)
	c.drop(e)
	return one.value, one.weight, true
}

// DeleteFunc drops the values that a function picks, by what they are and weigh.
func (c *Cache[K, V]) DeleteFunc(pick func(value V, weight int) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for e := c.order.Front(); e != nil; {
		next := e.Next()
		if one := c.item(e); pick(one.value, one.weight) {
			c.drop(e)
		}
		e = next
	}
}

// Size returns how many values are kept, and what they weigh together.
func (c *Cache[K, V]) Size() (int, int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.order.Len(), c.weight
}

func (c *Cache[K, V]) item(e *list.Element) *item[K, V] { return e.Value.(*item[K, V]) }

func (c *Cache[K, V]) old(one *item[K, V]) bool {
	if c.limits.Life == 0 {
		return false
	}
	age := c.limits.Now().Sub(one.at)
	return age < 0 || age >= c.limits.Life
}

// expire drops what is old. The caller holds mu.
func (c *Cache[K, V]) expire() {
	for e := c.order.Back(); e != nil && c.old(c.item(e)); e = c.order.Back() {
		c.drop(e)
	}
}

// sweepLater has sweep come when what is kept now is old. The caller holds mu.
func (c *Cache[K, V]) sweepLater() {
	if !c.sweeping {
		c.sweeping = true
		time.AfterFunc(c.limits.Life, c.sweep)
	}
}

func (c *Cache[K, V]) sweep() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sweeping = false
	c.expire()
	if c.order.Len() > 0 {
		c.sweepLater()
	}
}

func (c *Cache[K, V]) drop(e *list.Element) {
	if e == nil {
		return
	}
	c.order.Remove(e)
	one := c.item(e)
	delete(c.kept, one.key)
	c.weight -= one.weight
	if c.limits.Dropped != nil {
		c.limits.Dropped(one.key, one.value)
	}
}

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
