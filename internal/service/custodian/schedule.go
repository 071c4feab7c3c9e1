package custodian

import (
	"container/heap"
	"time"

	"github.com/avow-project/avow/internal/std/hostname"
)

// What Watch sends to one site: siteBurst requests at once and then one in each siteEvery.
// That is no more than a service sends to it for callers, so that a task which begins does
// not wait for its turn.
const (
	siteBurst = 8
	siteEvery = 1200 * time.Millisecond
)

// A schedule has the tasks that are due. Of one site a single task is under way at a time,
// and the others wait in here, and not with a worker, until the site may be asked again.
// Tasks for what has a file come first, and of those the most urgent.
type schedule struct {
	sites map[string]*site
	// ready are the sites that may be asked now, the one with the first task first. resting
	// are those that may be asked later, the earliest first.
	ready, resting siteHeap
	// known are the names of the tasks that wait or are under way.
	known map[string]bool
}

func newSchedule() *schedule {
	return &schedule{
		sites: make(map[string]*site), known: make(map[string]bool),
		ready: siteHeap{less: (*site).before}, resting: siteHeap{less: (*site).earlier},
	}
}

// A site is a registrable domain with its tasks.
type site struct {
	// filed are tasks for what has a file, and others those for the rest, both by their age.
	filed, others []Task
	busy          bool
	// full is when everything that may be sent at once may be sent again, and cost is how
	// much the last task took.
	full time.Time
	cost int
	// at is when the next task may begin.
	at time.Time
	// index is the place in the heap that the site is in.
	index int
}

// name tells tasks apart.
func (t *Task) name() string { return string(t.Publisher) + " " + t.URL }

// site returns the site that a task asks first.
func (t *Task) site() string {
	host := string(t.Publisher)
	if t.URL != "" {
		host = hostOf(t.URL)
	}
	name, ok := hostname.Registrable(host)
	if !ok {
		return host
	}
	return name
}

// add takes up a task, unless it is known. filed tells that there is a file.
func (s *schedule) add(t Task, filed bool, now time.Time) {
	name := t.name()
	if s.known[name] {
		return
	}
	s.known[name] = true
	key := t.site()
	at := s.sites[key]
	if at == nil {
		at = &site{}
		s.sites[key] = at
	}
	waiting := !at.idle()
	if filed {
		at.filed = append(at.filed, t)
	} else {
		at.others = append(at.others, t)
	}
	switch {
	case at.busy:
	case !waiting:
		s.queue(at, now)
	case at.at.After(now):
		heap.Fix(&s.resting, at.index)
	default:
		s.settle(now)
		heap.Fix(&s.ready, at.index)
	}
}

// queue puts a site that has tasks and is not busy where it belongs.
func (s *schedule) queue(at *site, now time.Time) {
	at.at = at.full.Add(-siteEvery * time.Duration(siteBurst-min(at.cost, siteBurst)))
	if at.at.After(now) {
		heap.Push(&s.resting, at)
		return
	}
	heap.Push(&s.ready, at)
}

// settle moves the sites that have rested to those that are ready.
func (s *schedule) settle(now time.Time) {
	for s.resting.Len() > 0 && !s.resting.list[0].at.After(now) {
		heap.Push(&s.ready, heap.Pop(&s.resting))
	}
}

// next returns the task to do next, if there is one that may begin. It is under way until
// it is done.
func (s *schedule) next(now time.Time) (Task, bool) {
	s.settle(now)
	if s.ready.Len() == 0 {
		return Task{}, false
	}
	at := heap.Pop(&s.ready).(*site)
	at.busy = true
	queue := &at.filed
	if len(*queue) == 0 {
		queue = &at.others
	}
	t := (*queue)[0]
	*queue = (*queue)[1:]
	return t, true
}

// done ends a task that took a number of requests.
func (s *schedule) done(t Task, requests int, now time.Time) {
	delete(s.known, t.name())
	at := s.sites[t.site()]
	at.busy, at.cost = false, requests
	if at.full.Before(now) {
		at.full = now
	}
	at.full = at.full.Add(siteEvery * time.Duration(requests))
	if !at.idle() {
		s.queue(at, now)
	}
}

// rest notes when a site will have rested from what others have sent to it.
func (s *schedule) rest(name string, full, now time.Time) {
	at := s.sites[name]
	switch {
	case !full.After(now):
	case at == nil:
		s.sites[name] = &site{full: full, cost: 1}
	case at.idle() && !at.busy && at.full.Before(full):
		at.full, at.cost = full, max(at.cost, 1)
	}
}

// waiting is how many tasks of a site wait.
func (s *schedule) waiting(name string) int {
	at := s.sites[name]
	if at == nil {
		return 0
	}
	return len(at.filed) + len(at.others)
}

// wake returns when another task may begin, if there is one that rests.
func (s *schedule) wake() (time.Time, bool) {
	if s.resting.Len() == 0 {
		return time.Time{}, false
	}
	return s.resting.list[0].at, true
}

// empty reports whether no task waits or is under way.
func (s *schedule) empty() bool { return len(s.known) == 0 }

// forget drops the sites that have nothing to do and have rested.
func (s *schedule) forget(now time.Time) {
	for name, at := range s.sites {
		if at.idle() && !at.busy && !at.full.After(now) {
			delete(s.sites, name)
		}
	}
}

// idle reports whether no task of a site waits.
func (s *site) idle() bool { return len(s.filed)+len(s.others) == 0 }

// before orders sites that are ready.
func (s *site) before(other *site) bool {
	if (len(s.filed) > 0) != (len(other.filed) > 0) {
		return len(s.filed) > 0
	}
	return s.first().Due.Before(other.first().Due)
}

// earlier orders sites that rest.
func (s *site) earlier(other *site) bool { return s.at.Before(other.at) }

// first returns the task that comes next.
func (s *site) first() *Task {
	if len(s.filed) > 0 {
		return &s.filed[0]
	}
	return &s.others[0]
}

// A siteHeap implements heap.Interface.
type siteHeap struct {
	list []*site
	less func(a, b *site) bool
}

// Len is that of heap.Interface.
func (h *siteHeap) Len() int { return len(h.list) }

// Less is that of heap.Interface.
func (h *siteHeap) Less(i, j int) bool { return h.less(h.list[i], h.list[j]) }

// Swap is that of heap.Interface.
func (h *siteHeap) Swap(i, j int) {
	h.list[i], h.list[j] = h.list[j], h.list[i]
	h.list[i].index, h.list[j].index = i, j
}

// Push is that of heap.Interface.
func (h *siteHeap) Push(x any) {
	s := x.(*site)
	s.index = len(h.list)
	h.list = append(h.list, s)
}

// Pop is that of heap.Interface.
func (h *siteHeap) Pop() any {
	last := len(h.list) - 1
	s := h.list[last]
	h.list[last] = nil
	h.list = h.list[:last]
	return s
}
