package clock

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestClock(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var ended atomic.Int64
		begun := time.Now()
		c := Start(10*time.Second, func() { ended.Add(1) })
		defer c.Stop()
		time.Sleep(6 * time.Second)
		first, second := c.Hold(), c.Hold()
		time.Sleep(time.Hour)
		first()
		time.Sleep(time.Hour)
		second()
		if got, want := c.Until().Sub(begun), 2*time.Hour+10*time.Second; got != want {
			t.Errorf("until %v, want %v", got, want)
		}
		time.Sleep(3 * time.Second)
		synctest.Wait()
		if ended.Load() != 0 {
			t.Error("the time in which it was held counted")
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if ended.Load() != 1 {
			t.Error("the time is over and nothing happened")
		}
	})
}

func TestStopped(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var ended atomic.Int64
		end := func() { ended.Add(1) }
		Start(time.Second, end).Stop()
		c := Start(time.Second, end)
		release := c.Hold()
		c.Stop()
		release()
		time.Sleep(time.Hour)
		synctest.Wait()
		if ended.Load() != 0 {
			t.Errorf("a stopped clock ended something %d times", ended.Load())
		}
	})
}
