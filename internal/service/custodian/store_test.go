package custodian_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/test/fakeweb"
	"github.com/avow-project/avow/internal/test/sqlitetest"
	"github.com/avow-project/avow/resolve"
)

func TestUnsavedRevocationCloses(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, pointer(network))
	l.web.set("https://other.example/.well-known/adagents.json", pointer(network))
	l.web.set(network, tagged(file("v1", 0)))
	l.want("pub.example", "usable v1")
	l.want("other.example", "usable v1")
	l.pass(day)
	l.web.set(network, tagged(file("v2", time.Hour, "gone.example")))
	l.store.fail(errDisk, nil)
	l.codes()
	l.want("pub.example", "withheld")
	l.want("other.example", "withheld")
	l.has(l.codes(), "state.unsaved")
	err := l.k.Ready(t.Context())
	if !errors.Is(err, errDisk) {
		t.Errorf("ready: %v", err)
	}
	_, err = l.k.Refresh(t.Context(), "pub.example", custodian.RefreshOptions{})
	if !errors.Is(err, custodian.ErrUnavailable) {
		t.Errorf("a refresh that could not be saved: %v", err)
	}
	before := l.web.requests(network)
	l.want("pub.example", "withheld")
	if l.web.requests(network) != before {
		t.Error("the origin is asked at will while the store fails")
	}
	l.store.fail(nil, nil)
	l.pass(10 * time.Second)
	l.want("pub.example", "usable v2")
	l.want("other.example", "usable v2")
	err = l.k.Ready(t.Context())
	if err != nil {
		t.Errorf("ready: %v", err)
	}
}

func TestUnsavedConfirmationIsDropped(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, tagged(file("v1", 0)))
	l.want("pub.example", "usable v1")
	l.store.fail(errDisk, nil)
	l.pass(2 * day)
	l.want("pub.example", "usable v1")
	err := l.k.Ready(t.Context())
	if err != nil {
		t.Errorf("ready: %v", err)
	}
	l.pass(6 * day)
	l.want("pub.example", "unreachable")
}

func TestUnsavedFirstSight(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, tagged(file("v1", 0)))
	l.store.fail(errDisk, nil)
	l.want("pub.example", "withheld")
	l.store.fail(nil, nil)
	l.pass(time.Minute)
	l.want("pub.example", "usable v1")
}

func TestStoreThatCannotBeRead(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, tagged(file("v1", 0)))
	l.want("pub.example", "usable v1")
	l.store.fail(nil, errDisk)
	_, err := l.k.Document(t.Context(), "pub.example")
	if !errors.Is(err, custodian.ErrUnavailable) || !errors.Is(err, errDisk) {
		t.Errorf("%v", err)
	}
	for _, f := range []func() error{
		func() error { _, err := l.k.State(t.Context(), "pub.example"); return err },
		func() error { return l.k.Confirm(t.Context(), "pub.example", network) },
		func() error { _, err := l.k.Versions(t.Context(), "pub.example", 1); return err },
		func() error {
			return l.k.Watch(t.Context(), custodian.WatchOptions{Publishers: []hostname.Domain{"pub.example"}, Once: true})
		},
	} {
		err := f()
		if !errors.Is(err, custodian.ErrUnavailable) {
			t.Errorf("%v", err)
		}
	}
}

func TestTwoKeepers(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, pointer(network))
	l.web.set(network, tagged(file("v1", 0)))
	keepers := []*custodian.Keeper{l.k, l.keeper()}
	for i := range 20 {
		asks, sees := keepers[i%2], keepers[1-i%2]
		want := fmt.Sprintf("v%d", i+2)
		l.pass(time.Hour)
		l.web.set(network, tagged(file(want, time.Duration(i)*time.Minute, fmt.Sprintf("r%d.example", i))))
		_, err := asks.Refresh(t.Context(), "pub.example", custodian.RefreshOptions{Force: true})
		if err != nil {
			t.Fatal(err)
		}
		// What one has taken in, the other answers from at once.
		d, err := sees.Document(t.Context(), "pub.example")
		if err != nil || d.File == nil || d.File.CatalogETag != want {
			t.Fatalf("%d: %+v, %v", i, d, err)
		}
		if i > 0 && !slices.Contains(d.Revoked, fmt.Sprintf("r%d.example", i-1)) {
			t.Errorf("%d: held %v", i, d.Revoked)
		}
	}
}

func TestKeepersAtOnce(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	const publishers = 20
	for i := range publishers {
		l.web.set(fmt.Sprintf("https://p%d.example/.well-known/adagents.json", i), pointer(network))
	}
	l.web.set(network, tagged(file("v1", 0, "gone.example")))
	keepers := []*custodian.Keeper{l.k, l.keeper(), l.keeper()}
	var all sync.WaitGroup
	for i := range publishers {
		for _, k := range keepers {
			all.Go(func() {
				d, err := k.Document(t.Context(), fmt.Sprintf("p%d.example", i))
				if err != nil || told(d) != "usable v1" {
					t.Errorf("%d: %v, %v", i, d, err)
				}
			})
		}
	}
	all.Wait()
}

func TestSharedFileIsAskedOnce(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	const publishers = 200
	name := func(i int) string { return fmt.Sprintf("p%d.example", i) }
	for i := range publishers {
		l.web.set("https://"+name(i)+"/.well-known/adagents.json", pointer(network))
	}
	l.web.set(network, tagged(file("v1", 0)))
	var shared *resolve.Document
	for i := range publishers {
		d := l.document(name(i))
		if shared == nil {
			shared = d
		}
		if d.File != shared.File {
			t.Fatal("the file is not shared")
		}
	}
	if n := l.web.requests(network); n != 1 {
		t.Errorf("the file was asked for %d times", n)
	}
	if n := l.store.documents; n != 0 {
		t.Errorf("%d documents were read from the store", n)
	}
	// A day later both pointer and file are due, and neither has changed.
	l.pass(day + time.Second)
	var all sync.WaitGroup
	for part := range 8 {
		all.Go(func() {
			for i := part; i < publishers; i += 8 {
				d, err := l.k.Document(t.Context(), name(i))
				if err != nil || told(d) != "usable v1" {
					t.Errorf("%d: %v, %v", i, d, err)
				}
			}
		})
	}
	all.Wait()
	if n := l.web.requests(network); n != 2 {
		t.Errorf("the file was asked for %d times in all", n)
	}
	if n := l.store.documents; n != 0 {
		t.Errorf("%d documents were read from the store", n)
	}
}

func TestOneQuestionForMany(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, tagged(file("v1", 0)))
	l.web.gate = make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for i := range 20 {
		mine := t.Context()
		if i < 10 {
			mine = ctx
		}
		all.Go(func() {
			d, err := l.k.Document(mine, "pub.example")
			switch {
			case mine == ctx && !errors.Is(err, context.Canceled):
				t.Errorf("%v, %v", d, err)
			case mine != ctx && (err != nil || told(d) != "usable v1"):
				t.Errorf("%v, %v", d, err)
			}
		})
	}
	for l.k.Waiting("pub.example") < 20 {
		time.Sleep(time.Millisecond)
	}
	cancel()
	for l.k.Waiting("pub.example") > 10 {
		time.Sleep(time.Millisecond)
	}
	close(l.web.gate)
	all.Wait()
	if n := l.web.requests(pub); n != 1 {
		t.Errorf("asked %d times", n)
	}
	s, err := l.k.State(t.Context(), "pub.example")
	if err != nil || s.PublisherStanding != custody.Fresh || !s.Publisher.FailingSince.IsZero() {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestCancelledIsNobodysFault(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, tagged(file("v1", 0)))
	l.want("pub.example", "usable v1")
	l.pass(2 * day)
	asked := l.web.requests(pub)
	l.web.gate = make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for l.web.requests(pub) == asked {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	_, err := l.k.Document(ctx, "pub.example")
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	s, err := l.k.State(t.Context(), "pub.example")
	if err != nil || !s.Publisher.FailingSince.IsZero() {
		t.Errorf("%+v, %v", s.Publisher, err)
	}
}

func TestClock(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, tagged(file("v1", 0, "gone.example")))
	l.want("pub.example", "usable v1")
	l.pass(10 * day)
	l.web.set(pub, tagged(file("v2", day)))
	l.want("pub.example", "usable v2")
	err := l.k.Ready(t.Context())
	if err != nil {
		t.Error(err)
	}
	l.codes()
	l.pass(-9 * day)
	l.restart()
	err = l.k.Ready(t.Context())
	if err == nil || !strings.Contains(err.Error(), "clock") {
		t.Errorf("ready although the clock went back: %v", err)
	}
	if got := l.served("pub.example"); strings.HasPrefix(got, "usable") && !strings.Contains(got, "gone.example") {
		t.Errorf("served %s", got)
	}
	l.has(l.codes(), "clock.back")
	l.pass(9 * day)
	err = l.k.Ready(t.Context())
	if err != nil {
		t.Error(err)
	}
}

func TestWatch(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, pointer(network))
	l.web.set("https://own.example/.well-known/adagents.json", tagged(fileFor("own.example", "own", 0)))
	l.web.set(network, lasting(time.Hour, tagged(file("v1", 0))))
	o := custodian.WatchOptions{Publishers: []hostname.Domain{"pub.example", "own.example"}, Once: true}
	watch := func(o custodian.WatchOptions) {
		t.Helper()
		err := l.k.Watch(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
	}
	watch(o)
	l.has(l.codes(), "publisher.located", "file.adopted")
	n := l.web.requests("")
	watch(o)
	watch(custodian.WatchOptions{Once: true})
	if l.web.requests("") != n {
		t.Error("asked although nothing is due")
	}
	// The file is due before the pointer.
	l.pass(time.Hour + time.Minute)
	l.web.set(network, lasting(time.Hour, tagged(file("v2", time.Minute))))
	watch(custodian.WatchOptions{Once: true})
	if got := l.web.requests("") - n; got != 2 {
		t.Errorf("%d requests for a file that has changed and its publisher", got)
	}
	l.want("pub.example", "usable v2")
	l.pass(day)
	n = l.web.requests("")
	watch(custodian.WatchOptions{Once: true})
	if got := l.web.requests("") - n; got != 3 {
		t.Errorf("%d requests for two publishers and a file", got)
	}
}

func TestWatchGoesOn(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, tagged(file("v1", 0)))
	l.store.fail(nil, errDisk)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- l.k.Watch(ctx, custodian.WatchOptions{Publishers: []hostname.Domain{"pub.example"}}) }()
	for l.store.timesRead() == 0 {
		time.Sleep(time.Millisecond)
	}
	l.store.fail(nil, nil)
	for l.web.requests(pub) == 0 {
		time.Sleep(time.Millisecond)
	}
	cancel()
	err := <-done
	if err != nil || l.web.requests(pub) != 1 {
		t.Errorf("%v after %d requests", err, l.web.requests(pub))
	}
}

func TestIngest(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, pointer(network))
	l.web.set(network, tagged(file("v1", 0)))
	f := discover.New(discover.Config{Client: l.web, Now: l.clock})
	ingest := func() *custodian.State {
		d, err := f.Domain(t.Context(), "pub.example", discover.Options{NoCache: true})
		if err != nil {
			t.Fatal(err)
		}
		err = l.k.Prepare(t.Context(), d).Keep(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		s, err := l.k.State(t.Context(), "pub.example")
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := ingest()
	if s.Served != resolve.Usable || s.File.CatalogETag != "v1" {
		t.Errorf("%+v", s)
	}
	n := l.web.requests("")
	l.want("pub.example", "usable v1")
	l.pass(time.Second)
	l.web.set(network, tagged(file("v2", time.Minute, "pub.example")))
	ingest()
	l.want("pub.example", "usable v2")
	if l.web.requests("") != n+2 {
		t.Error("what was taken in is asked for again")
	}
	l.web.set(pub, page{outcome: fetch.NoTurn})
	if s := ingest(); !s.Publisher.FailingSince.IsZero() {
		t.Errorf("%+v", s.Publisher)
	}
}

// TestRealRequests goes the whole way with real requests and a clock of its own.
func TestRealRequests(t *testing.T) {
	t.Parallel()
	answer := func(name, head, body string) txtar.File {
		return txtar.File{Name: name, Data: []byte(head + "\nContent-Type: application/json\nCache-Control: max-age=0\n\n" + body + "\n")}
	}
	archive := &txtar.Archive{Files: []txtar.File{
		answer(pub, "200 conditional\nETag: \"p\"", pointer(network).body),
		answer(network, "200 conditional\nETag: \"n\"", file("v1", 0, "gone.example")),
	}}
	w, err := fakeweb.Start(txtar.Format(archive))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	s, err := store.Open(t.Context(), "sqlite:"+sqlitetest.Path(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	finder := discover.New(discover.Config{Client: fetch.New(fetch.Config{Network: w.Network(), Attempts: 1})})
	k, err := custodian.New(custodian.Config{Store: s.Custody(), Finder: finder})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		d, err := k.Document(t.Context(), "pub.example")
		if err != nil || told(d) != "usable v1" || time.Since(d.FetchedAt).Abs() > time.Minute {
			t.Fatalf("%+v, %v", d, err)
		}
	}
	if n := len(w.Requests()); n != 2 {
		t.Errorf("%d requests", n)
	}
	_, err = k.Refresh(t.Context(), "pub.example", custodian.RefreshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	requests := w.Requests()
	if last := requests[len(requests)-1]; last.URL != pub || last.Header.Get("If-None-Match") != `"p"` {
		t.Errorf("%+v", last)
	}
	err = k.Ready(t.Context())
	if err != nil {
		t.Error(err)
	}
}
