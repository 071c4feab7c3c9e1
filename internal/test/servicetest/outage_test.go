package servicetest

import (
	"bytes"
	"flag"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/test/pgtest"
)

var restarts = flag.Int("restarts", 3, "how often TestDatabaseGoesAway takes the database away")

// TestDatabaseGoesAway takes the database away under load and gives it back, several
// times. Meanwhile callers are told to come back later, and nothing that was confirmed is
// lost.
func TestDatabaseGoesAway(t *testing.T) {
	t.Parallel()
	server, err := pgtest.Start(pgtest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	url, err := server.NewDatabase(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p := newPlace(t, url)
	s := p.serve()
	const question = "/api/registry/publisher/authorization?domain=publisher.example&agent=" + agentURL
	s.must(200, "GET", question, "")
	load := newOutageLoad(s, question)
	for range *restarts {
		load.await(t, http.StatusOK)
		err = server.Kill()
		if err != nil {
			t.Fatal(err)
		}
		load.await(t, http.StatusServiceUnavailable)
		s.must(503, "GET", "/readyz", "")
		s.must(200, "GET", "/healthz", "")
		// What was read a moment ago may still be answered from.
		a := awaitAnswer(t, s, question, http.StatusServiceUnavailable)
		if a.header.Get("Retry-After") == "" || !bytes.Contains(a.body, []byte(`"store_unavailable"`)) {
			t.Errorf("%v %s", a.header, a.body)
		}
		err = server.Restart()
		if err != nil {
			t.Fatal(err)
		}
	}
	load.await(t, http.StatusOK)
	load.stop()
	awaitReady(t, s)
	t.Logf("%d restarts; answers: %v; confirmed: %v", *restarts, load.statuses(), load.said)
	for status, number := range load.statuses() {
		if status != http.StatusOK && status != http.StatusServiceUnavailable {
			t.Errorf("%d answers with status %d", number, status)
		}
	}
	load.check(t)
}

// awaitReady waits until the service has its database again.
func awaitReady(t *testing.T, s *process) {
	t.Helper()
	awaitAnswer(t, s, "/readyz", http.StatusOK)
}

// awaitAnswer waits until a path is answered with a status.
func awaitAnswer(t *testing.T, s *process, path string, status int) answer {
	t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		a, err := s.call("GET", path, "")
		if err == nil && a.status == status {
			return a
		}
		if time.Now().After(end) {
			t.Fatalf("%s: not %d but %d %s, %v", path, status, a.status, a.body, err)
		}
	}
}

// An outageLoad calls a service all the time: some write, some ask.
type outageLoad struct {
	s       *process
	ended   atomic.Bool
	callers sync.WaitGroup

	mu     sync.Mutex
	count  map[int]int
	said   map[string]int // the number of the last write of each platform that was confirmed
	begun  map[string]int // and of the last one that was tried
	latest chan int
}

func newOutageLoad(s *process, question string) *outageLoad {
	l := &outageLoad{s: s, count: map[int]int{}, said: map[string]int{}, begun: map[string]int{}, latest: make(chan int, 1)}
	for _, platform := range []string{"a", "b"} {
		l.callers.Go(func() {
			for i := 1; !l.ended.Load(); i++ {
				l.mu.Lock()
				l.begun[platform] = i
				l.mu.Unlock()
				a, err := s.call("PUT", mirrors+platform, fmt.Sprintf(catalog, fmt.Sprint(i), ""), bearer(s.place.moderate)...)
				l.note(a, err, platform, i)
			}
		})
	}
	for range 2 {
		l.callers.Go(func() {
			for !l.ended.Load() {
				a, err := s.call("GET", question, "")
				l.note(a, err, "", 0)
			}
		})
	}
	return l
}

// note counts an answer.
func (l *outageLoad) note(a answer, err error, platform string, number int) {
	if err != nil {
		l.s.place.t.Error(err)
		l.ended.Store(true)
		return
	}
	l.mu.Lock()
	l.count[a.status]++
	if platform != "" && a.status == http.StatusOK {
		l.said[platform] = number
	}
	l.mu.Unlock()
	select {
	case l.latest <- a.status:
	default:
	}
}

// await waits for answers with a status.
func (l *outageLoad) await(t *testing.T, status int) {
	t.Helper()
	end := time.After(patience)
	for seen := 0; seen < 10; {
		select {
		case got := <-l.latest:
			if got == status {
				seen++
			}
		case <-end:
			t.Fatalf("no answers with status %d: %v\n%.2000s", status, l.statuses(), l.s.log)
		}
	}
}

func (l *outageLoad) stop() {
	l.ended.Store(true)
	l.callers.Wait()
}

func (l *outageLoad) statuses() map[int]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := map[int]int{}
	for status, number := range l.count {
		out[status] = number
	}
	return out
}

// check compares what was confirmed with what is there.
func (l *outageLoad) check(t *testing.T) {
	t.Helper()
	for platform, last := range l.said {
		a := l.s.must(200, "GET", mirrors+platform, "")
		var got int
		_, err := fmt.Sscan(memberOf(a.body, "catalog_etag"), &got)
		// A write may have been made and not confirmed.
		if err != nil || got < last || got > l.begun[platform] {
			t.Errorf("%s has %d, and %d was confirmed: %v", platform, got, last, err)
		}
	}
}

// TestStartsWithTheDatabase: a service that begins while the database server does waits for it.
func TestStartsWithTheDatabase(t *testing.T) {
	t.Parallel()
	server, err := pgtest.Start(pgtest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	url, err := server.NewDatabase(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p := newPlace(t, url)
	err = server.Kill()
	if err != nil {
		t.Fatal(err)
	}
	begun := make(chan error, 1)
	time.AfterFunc(time.Second, func() { begun <- server.Restart() })
	p.serve().must(200, "GET", "/readyz", "")
	err = <-begun
	if err != nil {
		t.Error(err)
	}
}
