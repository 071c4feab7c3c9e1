package custodian_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/std/hostname"
)

// watch asks for what is due, once, and returns how many requests that took.
func (l *lab) watch(o custodian.WatchOptions) int {
	l.Helper()
	before := l.web.requests("")
	o.Once = true
	err := l.k.Watch(l.Context(), o)
	if err != nil {
		l.Fatal(err)
	}
	return l.web.requests("") - before
}

// watchFor watches for a time, with a round in every step, and returns the requests.
func (l *lab) watchFor(d, step time.Duration) int {
	l.Helper()
	n := 0
	for range int(d / step) {
		l.pass(step)
		n += l.watch(custodian.WatchOptions{})
	}
	return n
}

// overtaken is a store that others write to as soon as publishers were read from it.
type overtaken struct {
	custodian.Store
	others func()
}

func (s overtaken) Some(ctx context.Context, domains []hostname.Domain) (map[hostname.Domain]*custody.Publisher, error) {
	known, err := s.Store.Some(ctx, domains)
	s.others()
	return known, err
}

// A publisher of whom there was no record when a watch began has one when it is asked.
func TestWatchNewcomerOfOthers(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, tagged(file("v1", 0)))
	config := l.config
	config.Finder, config.Now = discover.New(discover.Config{Client: l.web, Now: l.clock}), l.clock
	config.Store = overtaken{l.store, sync.OnceFunc(func() { l.want("pub.example", "usable v1") })}
	k, err := custodian.New(config)
	if err != nil {
		t.Fatal(err)
	}
	err = k.Watch(t.Context(), custodian.WatchOptions{Publishers: []hostname.Domain{"pub.example"}, Once: true})
	if err != nil {
		t.Fatal(err)
	}
	p, err := l.store.Publisher(t.Context(), "pub.example")
	if err != nil || p.Revision != 2 || l.web.requests(pub) != 2 {
		t.Errorf("after %d requests: %+v, %v", l.web.requests(pub), p, err)
	}
	places, err := l.store.Places(t.Context(), "pub.example", time.Time{}, 9)
	if err != nil || len(places) != 1 {
		t.Errorf("it is taken for another publisher: %+v, %v", places, err)
	}
	l.want("pub.example", "usable v1")
}

// After a publisher has moved away from its own path, nobody asks for a file there.
func TestWatchAfterMove(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, tagged(file("v1", 0)))
	l.want("pub.example", "usable v1")
	l.web.set(pub, lasting(24*time.Hour, pointer(network)))
	l.web.set(network, lasting(24*time.Hour, tagged(file("v2", time.Hour))))
	l.pass(25 * time.Hour)
	l.served("pub.example")
	l.pass(25 * time.Hour)
	l.want("pub.example", "usable v2")
	if n := l.watchFor(2*time.Hour, 61*time.Second); n != 0 {
		t.Errorf("%d requests while everything is fresh", n)
	}
	tasks, err := l.store.Due(t.Context(), l.clock(), 100)
	if err != nil || len(tasks) != 0 {
		t.Errorf("tasks %v, %v", tasks, err)
	}
	if n := l.watchFor(24*time.Hour, time.Hour); n == 0 {
		t.Error("what is due is not asked for any more")
	}
}

// A file at somebody's well-known path that others lead to, and that becomes a pointer, is
// asked for again when that is due, and not sooner.
func TestWatchRemembersAttempts(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, lasting(7*24*time.Hour, pointer(manager)))
	l.web.set(manager, tagged(file("v1", 0)))
	l.want("pub.example", "usable v1")
	l.web.set(manager, pointer(network))
	if n := l.watchFor(36*time.Hour, 5*time.Minute); n < 5 || n > 60 {
		t.Errorf("%d requests in 36 hours for a file that cannot be used", n)
	}
	l.want("pub.example", "usable v1")
}

// Files that a publisher has led to are not asked for after it leads elsewhere.
func TestWatchLetsGo(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, tagged(file("v1", 0)))
	l.want("pub.example", "usable v1")
	for i := range 40 {
		url := fmt.Sprintf("https://victim.example/adagents.json?n=%d", i)
		l.web.set(pub, pointer(url))
		l.web.set(url, lasting(0, tagged(file(fmt.Sprint("w", i), 0))))
		l.pass(61 * time.Second)
		d, err := discover.New(discover.Config{Client: l.web, Now: l.clock}).Domain(t.Context(), "pub.example", discover.Options{})
		if err != nil {
			t.Fatal(err)
		}
		err = l.k.Prepare(t.Context(), d).Keep(t.Context())
		if err != nil {
			t.Fatal(err)
		}
	}
	l.web.set(pub, page{status: 404})
	l.pass(2 * time.Hour)
	l.refresh()
	l.pass(10 * 24 * time.Hour)
	// The publisher and its ads.txt.
	if n := l.watch(custodian.WatchOptions{}); n > 4 {
		t.Errorf("%d requests of a round after the publisher went away", n)
	}
	if n := l.watchFor(23*time.Hour, time.Hour); n > 4 {
		t.Errorf("%d requests in the day after", n)
	}
}

// A file that was let go is watched again when somebody leads there.
func TestWatchTakesUpAgain(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	const other = "https://other.example/.well-known/adagents.json"
	l.web.set(network, tagged(file("v1", 0)))
	l.web.set(pub, pointer(network))
	l.want("pub.example", "usable v1")
	l.web.set(pub, tagged(file("own", 0)))
	for range 4 {
		l.pass(25 * time.Hour)
		l.served("pub.example")
	}
	l.want("pub.example", "usable own")
	l.pass(24 * time.Hour)
	l.watch(custodian.WatchOptions{})
	before := l.web.requests(network)
	l.watchFor(48*time.Hour, 6*time.Hour)
	if n := l.web.requests(network) - before; n != 0 {
		t.Errorf("%d requests for a file that nobody leads to", n)
	}
	l.web.set(other, pointer(network))
	l.want("other.example", "usable v1")
	before = l.web.requests(network)
	l.watchFor(48*time.Hour, 6*time.Hour)
	if n := l.web.requests(network) - before; n < 2 {
		t.Errorf("%d requests for a file that somebody leads to", n)
	}
}

// Publishers that never had a file are asked daily, and after a while once a week.
func TestWatchGetsRarer(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	for i, p := range []page{{status: 503}, {status: 404}, {status: 403}, {body: "{"}} {
		domain := fmt.Sprintf("n%d.example", i)
		l.web.set("https://"+domain+"/.well-known/adagents.json", p)
		l.served(domain)
		first := l.web.requests("")
		n := l.watchFor(5*24*time.Hour, time.Hour)
		if n < 4 || n > 10*first {
			t.Errorf("%s: %d requests in five days", domain, n)
		}
		l.watchFor(26*24*time.Hour, 6*time.Hour)
		if n := l.watchFor(21*24*time.Hour, 6*time.Hour); n < 3 || n > 4*(i+1)*first {
			t.Errorf("%s: %d requests in three weeks after a month", domain, n)
		}
	}
	l.pass(24 * time.Hour)
	// A question asks all the same.
	l.web.set("https://n0.example/.well-known/adagents.json", lasting(time.Hour, tagged(fileFor("n0.example", "v1", 0))))
	l.want("n0.example", "usable v1")
	if n := l.watchFor(24*time.Hour, time.Hour); n < 10 {
		t.Errorf("%d requests for a publisher that has a file at last", n)
	}
}

// Names that only strangers named are not asked in the background, until somebody known
// names them.
func TestWatchLeavesOutGuests(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	stranger := custodian.AskedBy(t.Context(), custodian.Stranger)
	l.web.set("https://filed.example/.well-known/adagents.json", tagged(fileFor("filed.example", "v1", 0)))
	names := []string{"filed.example"}
	for i := range 20 {
		names = append(names, fmt.Sprintf("n%d.junk.example", i))
	}
	for _, name := range names {
		_, err := l.k.Document(stranger, name)
		if err != nil {
			t.Fatal(err)
		}
	}
	if n := l.watchFor(30*24*time.Hour, 12*time.Hour); n != 0 {
		t.Errorf("%d requests in a month for names of strangers", n)
	}
	for _, name := range names[:2] {
		l.document(name)
	}
	before := l.web.requests("")
	l.watchFor(3*24*time.Hour, 12*time.Hour)
	if n := l.web.requests("") - before; n < 2 {
		t.Errorf("%d requests for names that somebody known has named", n)
	}
}

// A publisher whose own file cannot be had is asked less and less often, also by questions.
func TestFailingPublisherIsAskedLess(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, tagged(file("v1", 0)))
	l.want("pub.example", "usable v1")
	l.pass(25 * time.Hour)
	l.web.set(pub, page{status: 503})
	before := l.web.requests(pub)
	for range 12 * 60 {
		l.served("pub.example")
		l.watch(custodian.WatchOptions{})
		l.pass(time.Minute)
	}
	if n := l.web.requests(pub) - before; n < 10 || n > 40 {
		t.Errorf("%d requests in 12 hours", n)
	}
}

// A publisher can have only so many others asked in a day.
func TestNewPlacesAreBounded(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(network, tagged(file("v1", 0)))
	l.web.set(pub, pointer(network))
	l.want("pub.example", "usable v1")
	lead := func(i int) string {
		url := fmt.Sprintf("https://victim%d.example/adagents.json", i)
		l.web.set(pub, pointer(url))
		l.web.set(url, tagged(file(fmt.Sprint("w", i), 0)))
		l.pass(61 * time.Second)
		l.refresh()
		return url
	}
	asked := 0
	for i := range 60 {
		asked += min(1, l.web.requests(lead(i)))
	}
	if asked < 20 || asked > 24 {
		t.Errorf("%d places were asked", asked)
	}
	s := l.refresh()
	if s.Publisher.FailingSince.IsZero() || s.Publisher.Trouble == "" {
		t.Errorf("the publisher is not treated as failing: %+v", s.Publisher)
	}
	l.want("pub.example", "usable v1")
	l.pass(24 * time.Hour)
	if l.web.requests(lead(100)) != 1 {
		t.Error("a day later a new place is not asked")
	}
}

func TestWatchTimes(t *testing.T) {
	t.Parallel()
	day := 24 * time.Hour
	tried := begin.Add(30 * day)
	fresh := custody.File{Hash: "h", TriedAt: tried, ConfirmedAt: tried, FreshUntil: tried.Add(time.Hour)}
	for name, tc := range map[string]struct {
		change func(*custody.File)
		want   time.Duration
	}{
		"fresh":          {func(*custody.File) {}, time.Hour},
		"never had one":  {func(f *custody.File) { f.Hash = "" }, day},
		"fails":          {func(f *custody.File) { f.FailingSince = tried.Add(-day) }, time.Hour},
		"fails for long": {func(f *custody.File) { f.FailingSince = tried.Add(-day - 1) }, day},
		"gone":           {func(f *custody.File) { f.Closed = custody.Gone }, time.Hour},
		"gone for long":  {func(f *custody.File) { f.Closed, f.ConfirmedAt = custody.Gone, tried.Add(-3*day) }, day},
	} {
		f := fresh
		tc.change(&f)
		if got := custodian.FileDue(&f).Sub(tried); got != tc.want {
			t.Errorf("%s: %s, want %s", name, got, tc.want)
		}
	}
	if due := custodian.FileDue(&custody.File{}); !due.IsZero() {
		t.Errorf("what was never asked for is due at %s", due)
	}
}

// After an old copy of the store was put back, everybody is asked, due or not, and a file
// that several share once.
func TestWatchForce(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	other := "https://other.example/.well-known/adagents.json"
	l.web.set(network, tagged(file("v1", 0)))
	l.web.set(pub, pointer(network))
	l.web.set(other, pointer(network))
	l.want("pub.example", "usable v1")
	l.want("other.example", "usable v1")
	l.pass(time.Hour)
	l.web.set(network, tagged(file("v2", time.Hour, "pub.example")))
	if n := l.watch(custodian.WatchOptions{}); n != 0 {
		t.Errorf("%d requests while nothing is due", n)
	}
	before := l.web.requests(network)
	if n := l.watch(custodian.WatchOptions{Force: true, Parallel: 1}); n != 3 {
		t.Errorf("%d requests, %d of them for the file", n, l.web.requests(network)-before)
	}
	l.want("pub.example", "usable v2")
	l.pass(time.Hour)
	if n := l.watch(custodian.WatchOptions{Force: true, Publishers: []hostname.Domain{"pub.example"}}); n != 2 {
		t.Errorf("%d requests for one publisher", n)
	}
}
