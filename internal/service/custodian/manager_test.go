package custodian_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/resolve"
)

const ads = "https://pub.example/ads.txt"

// managed is a lab in which a manager's file speaks for two publishers.
func managed(t *testing.T) *lab {
	t.Helper()
	l := newLab(t)
	l.web.set(ads, page{body: "MANAGERDOMAIN=manager.example"})
	l.web.set("https://other.example/ads.txt", page{body: "MANAGERDOMAIN=manager.example"})
	l.web.set(manager, tagged(file("v1", 0)))
	l.want("pub.example", "usable v1")
	l.want("other.example", "usable v1")
	return l
}

func TestManager(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		url  string
		page page
		want string // a day later, and for the other publisher
		both string
	}{
		{"unchanged", manager, tagged(file("v1", 0)), "usable v1", "usable v1"},
		{"another version", manager, tagged(file("v2", time.Hour)), "usable v2", "usable v2"},
		{"another publisher's", manager, tagged(fileFor("x.example", "v2", time.Hour)), "absent", "usable v2"},
		{"revoked", manager, tagged(file("v2", time.Hour, "pub.example")), "absent", "usable v2"},
		{"failing", manager, page{status: 503}, "usable v1", "usable v1"},
		{"no file", manager, page{status: 404}, "absent", "absent"},
		{"ads.txt fails", ads, page{status: 503}, "usable v1", "usable v1"},
		{"ads.txt is gone", ads, page{status: 404}, "absent", "usable v1"},
		{"another manager", ads, page{body: "MANAGERDOMAIN=nobody.example"}, "absent", "usable v1"},
		{"without a turn", ads, page{outcome: fetch.NoTurn}, "usable v1", "usable v1"},
		{"a pointer", manager, pointer(network), "usable v1", "usable v1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l := managed(t)
			l.web.set(network, tagged(file("elsewhere", time.Hour)))
			l.web.set(tt.url, tt.page)
			l.pass(day + time.Minute)
			l.want("pub.example", tt.want)
			l.want("other.example", tt.both)
			l.restart()
			l.want("pub.example", tt.want)
		})
	}
}

func TestManagerIsAskedOnce(t *testing.T) {
	t.Parallel()
	l := managed(t)
	if n := l.web.requests(manager); n != 1 {
		t.Errorf("%d requests for the manager's file", n)
	}
	l.pass(day + time.Minute)
	l.want("pub.example", "usable v1")
	l.want("other.example", "usable v1")
	if n := l.web.requests(manager); n != 2 {
		t.Errorf("%d requests for the manager's file in all", n)
	}
}

// TestManagerChanges: when the file of a manager changes, its publishers are looked at, although
// none is due, and the file is asked for once. After a change that comes soon after another they
// are not.
func TestManagerChanges(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	for _, name := range []string{"pub.example", "other.example"} {
		l.web.set("https://"+name+"/.well-known/adagents.json", lasting(7*day, pointer(network)))
	}
	l.web.set(network, lasting(time.Hour, tagged(file("v1", 0))))
	l.want("pub.example", "usable v1")
	l.want("other.example", "usable v1")
	l.pass(2 * time.Hour)
	if n := l.watch(custodian.WatchOptions{}); n != 1 {
		t.Errorf("%d requests for a file that has not changed", n)
	}
	l.web.set(network, lasting(30*time.Minute, tagged(file("v2", time.Hour))))
	l.pass(2 * time.Hour)
	if n := l.watch(custodian.WatchOptions{}); n != 3 || l.web.requests(network) != 3 {
		t.Errorf("%d requests after a change, %d for the file in all", n, l.web.requests(network))
	}
	l.want("other.example", "usable v2")
	l.web.set(network, lasting(30*time.Minute, tagged(file("v3", 2*time.Hour))))
	l.pass(40 * time.Minute)
	if n := l.watch(custodian.WatchOptions{}); n != 1 || l.web.requests(network) != 4 {
		t.Errorf("%d requests after another change, %d for the file in all", n, l.web.requests(network))
	}
	l.want("other.example", "usable v3")
	l.web.set(network, lasting(time.Hour, tagged(file("v4", 3*time.Hour))))
	l.pass(2 * time.Hour)
	if n := l.watch(custodian.WatchOptions{}); n != 3 || l.web.requests(network) != 5 {
		t.Errorf("%d requests after a later change, %d for the file in all", n, l.web.requests(network))
	}
	l.pass(30 * time.Minute)
	if n := l.watch(custodian.WatchOptions{}); n != 0 {
		t.Errorf("%d requests when all is done", n)
	}
}

// TestManagerAfterOwnFile is about a publisher whose file is gone: a manager does not
// take its place before its time.
func TestManagerAfterOwnFile(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, tagged(file("own", 0)))
	l.web.set(ads, page{body: "MANAGERDOMAIN=manager.example"})
	l.web.set(manager, tagged(file("managed", time.Minute)))
	l.want("pub.example", "usable own")
	l.web.set(pub, page{status: 404})
	l.pass(day)
	l.want("pub.example", "absent")
	l.pass(23 * time.Hour)
	l.want("pub.example", "absent")
	l.pass(time.Hour + time.Minute)
	l.want("pub.example", "usable managed")
}

// TestUnchangedIsNotRead confirms files of which nothing is in memory.
func TestUnchangedIsNotRead(t *testing.T) {
	t.Parallel()
	for _, direct := range []bool{true, false} {
		l := newLab(t)
		l.web.set(pub, pointer(network))
		l.web.set(network, tagged(file("v1", 0)))
		if direct {
			l.web.set(pub, tagged(file("v1", 0)))
		}
		l.want("pub.example", "usable v1")
		l.restart()
		for range 3 {
			l.pass(day + time.Minute)
			s := l.refresh()
			if s.Served != resolve.Usable || !s.FreshUntil().After(l.clock()) {
				t.Fatalf("%+v", s)
			}
		}
		if l.store.documents != 0 {
			t.Errorf("%d documents were read", l.store.documents)
		}
	}
}

// TestRoom counts the room that large documents are given.
func TestRoom(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	taken, given := 0, 0
	l.config.Reserve = func(_ context.Context, bytes int64) (func(), error) {
		taken++
		if bytes < 1_000_000 {
			t.Errorf("room for %d bytes", bytes)
		}
		return func() { given++ }, nil
	}
	l.k = l.keeper()
	body := file("v1", 0)
	large := body[:len(body)-1] + `, "x_filler": "` + strings.Repeat("x", 1_200_000) + `"}`
	l.web.set(pub, tagged(large))
	l.want("pub.example", "usable v1")
	l.restart()
	l.want("pub.example", "usable v1")
	if taken == 0 || taken != given {
		t.Errorf("taken %d, given back %d", taken, given)
	}
}

// TestRoomIsNotWaitedFor has one call wait for the memory to read a file, and another that
// has it read the same file meanwhile.
func TestRoomIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	body := file("v1", 0)
	l.web.set(pub, tagged(body[:len(body)-1]+`, "x_filler": "`+strings.Repeat("x", 1_200_000)+`"}`))
	l.want("pub.example", "usable v1")
	waits, release := make(chan struct{}), make(chan struct{})
	l.config.Reserve = func(context.Context, int64) (func(), error) {
		close(waits)
		<-release
		return func() {}, nil
	}
	l.k = l.keeper()
	var group sync.WaitGroup
	group.Go(func() {
		_, err := l.k.Snapshot(t.Context(), "pub.example")
		if err != nil {
			t.Error(err)
		}
	})
	<-waits
	ctx, cancel := context.WithTimeout(custodian.WithMemory(t.Context()), time.Minute)
	defer cancel()
	_, err := l.k.Snapshot(ctx, "pub.example")
	if err != nil {
		t.Error(err)
	}
	close(release)
	group.Wait()
}
