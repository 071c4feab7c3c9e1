package custodian

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/avow-project/avow/internal/std/hostname"
)

// drawn returns the publishers of the tasks that may begin, and leaves them under way.
func (s *schedule) drawn(now time.Time) string {
	var names []string
	for {
		t, ok := s.next(now)
		if !ok {
			return strings.Join(names, " ")
		}
		names = append(names, string(t.Publisher))
	}
}

func TestSchedule(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_000_000, 0)
	s := newSchedule()
	add := func(name string, age int, filed bool) {
		s.add(Task{Publisher: hostname.Domain(name), Due: now.Add(-time.Duration(age) * time.Minute)}, filed, now)
	}
	add("n1.junk.example", 9, false)
	add("n2.junk.example", 8, false)
	add("late.example", 3, true)
	add("later.example", 2, true)
	add("n2.junk.example", 8, false) // known
	add("shop.junk.example", 1, true)
	// What has a file comes first, also of a site that has been waiting.
	if got := s.drawn(now); got != "late.example later.example shop.junk.example" {
		t.Errorf("first %s", got)
	}
	add("late.example", 3, true) // under way
	s.done(Task{Publisher: "shop.junk.example"}, siteBurst, now)
	if got := s.drawn(now); got != "" {
		t.Errorf("a site that has had its share is asked for %s", got)
	}
	wake, ok := s.wake()
	if !ok || wake.Sub(now) != siteBurst*siteEvery {
		t.Errorf("it rests until %s, %v", wake.Sub(now), ok)
	}
	if got := s.drawn(wake); got != "n1.junk.example" {
		t.Errorf("then %s", got)
	}
	s.done(Task{Publisher: "n1.junk.example"}, 1, wake)
	if got := s.drawn(wake); got != "n2.junk.example" {
		t.Errorf("after a cheap one %s", got)
	}
	for _, name := range []string{"late.example", "later.example", "n2.junk.example"} {
		s.done(Task{Publisher: hostname.Domain(name)}, 1, wake)
	}
	if !s.empty() {
		t.Errorf("%d tasks are left", len(s.known))
	}
	s.forget(wake)
	if len(s.sites) != 3 {
		t.Errorf("%d sites are remembered that must not be asked at once", len(s.sites))
	}
	s.forget(wake.Add(time.Minute))
	if len(s.sites) != 0 {
		t.Errorf("%d sites are remembered", len(s.sites))
	}
}

// TestSchedulePace: whatever tasks cost, a site gets no more than its share in any time, one
// at a time, and every task has its turn once.
func TestSchedulePace(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		begun := time.Unix(1_000_000, 0)
		s, now := newSchedule(), begun
		want := rapid.IntRange(1, 60).Draw(t, "tasks")
		for i := range want {
			name := fmt.Sprintf("n%d.site%d.example", i, rapid.IntRange(0, 3).Draw(t, "site"))
			s.add(Task{Publisher: hostname.Domain(name), Due: begun.Add(time.Duration(i))}, rapid.Bool().Draw(t, "filed"), now)
		}
		sent, seen := map[string]int{}, 0
		for !s.empty() {
			task, ok := s.next(now)
			if !ok {
				wake, rests := s.wake()
				if !rests || !wake.After(now) {
					t.Fatalf("nothing may begin, and nothing rests: %s, %v", wake.Sub(now), rests)
				}
				now = wake
				continue
			}
			seen++
			cost := rapid.IntRange(0, siteBurst).Draw(t, "cost")
			sent[task.site()] += cost
			s.done(task, cost, now)
			// The cost is guessed from the task before, so one task may be too much.
			most := 2*siteBurst + int(now.Sub(begun)/siteEvery)
			if sent[task.site()] > most {
				t.Fatalf("%d requests within %s", sent[task.site()], now.Sub(begun))
			}
		}
		if seen != want {
			t.Fatalf("%d of %d tasks", seen, want)
		}
	})
}
