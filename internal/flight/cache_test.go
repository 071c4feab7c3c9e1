package flight_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/avow-project/avow/internal/flight"
)

func TestCacheKeepsWhatIsUsed(t *testing.T) {
	t.Parallel()
	var dropped []string
	c := flight.NewCache(flight.Limits[string, int]{Weight: 100, Count: 3, Dropped: func(key string, _ int) { dropped = append(dropped, key) }})
	c.Put("a", 1, 10)
	c.Put("b", 2, 10)
	c.Put("c", 3, 10)
	c.Get("a")
	c.Put("d", 4, 10) // one too many: b was not used for the longest time
	c.Put("e", 5, 85) // too heavy beside c
	c.Put("f", 6, 300)
	if want := []string{"b", "c", "a", "d", "e"}; !slices.Equal(dropped, want) {
		t.Errorf("dropped %v, want %v", dropped, want)
	}
	if got, ok := c.Get("f"); got != 6 || !ok {
		t.Errorf("the newest one went: %d, %v", got, ok)
	}
	c.Put("f", 7, 20)
	c.Put("g", 8, 30)
	if count, weight := c.Size(); count != 2 || weight != 50 {
		t.Errorf("%d values weigh %d", count, weight)
	}
	c.Weigh("f", func(got, before int) int { return got + before })
	c.Weigh("none", func(int, int) int { t.Error("there is no such value"); return 0 })
	if _, weight := c.Size(); weight != 57 {
		t.Errorf("weight %d after one was weighed again", weight)
	}
	c.DeleteFunc(func(_ int, weight int) bool { return weight > 27 })
	_, ok := c.Get("g")
	if got, _ := c.Get("f"); ok || got != 7 {
		t.Errorf("g is kept: %v; f is %d", ok, got)
	}
	c.Delete("f")
	c.Delete("f")
	if count, weight := c.Size(); count != 0 || weight != 0 {
		t.Errorf("%d values weigh %d", count, weight)
	}
}

func TestCacheForgetsByItself(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		back := time.Duration(0)
		c := flight.NewCache(flight.Limits[string, int]{Life: time.Minute, Now: func() time.Time { return time.Now().Add(back) }})
		c.Put("a", 1, 1)
		time.Sleep(30 * time.Second)
		c.Put("b", 2, 1)
		time.Sleep(30 * time.Second)
		if _, ok := c.Get("a"); ok {
			t.Error("a is as old as it may be, and given out")
		}
		if got, ok := c.Get("b"); got != 2 || !ok {
			t.Errorf("b: %d, %v", got, ok)
		}
		synctest.Wait() // the cache looks at the time, too
		back = -time.Minute
		if _, ok := c.Get("b"); ok {
			t.Error("b is from the future, and given out")
		}
		synctest.Wait()
		back = 0
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if count, _ := c.Size(); count != 0 {
			t.Errorf("%d are kept although nobody asked", count)
		}
	})
}

// TestCacheLightens: what can be made again goes before any value does, and not that of the
// one that was weighed just now.
func TestCacheLightens(t *testing.T) {
	t.Parallel()
	var lighter []int
	c := flight.NewCache(flight.Limits[string, int]{Weight: 100, Life: time.Minute, Now: time.Now, Lighten: func(v int) int {
		lighter = append(lighter, v)
		return 10
	}})
	c.Put("a", 1, 40)
	c.Put("b", 2, 40)
	c.Put("c", 3, 40) // a gets lighter
	c.Weigh("a", func(int, int) int { return 60 })
	if count, weight := c.Size(); count != 3 || weight != 80 || !slices.Equal(lighter, []int{1, 2, 3}) {
		t.Errorf("%d values weigh %d, got lighter: %v", count, weight, lighter)
	}
	c.Weigh("a", func(int, int) int { return 95 })
	if count, weight := c.Size(); count != 1 || weight != 95 {
		t.Errorf("%d values weigh %d", count, weight)
	}
	c.LightenFunc(func(v, weight int) bool { return v == 1 && weight == 95 })
	if _, weight := c.Size(); weight != 10 {
		t.Errorf("weight %d", weight)
	}
}
