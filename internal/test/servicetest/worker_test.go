package servicetest

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/fetch"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/store"
)

// workerVariable has when a fastClock began, and names a store. It makes this program one of
// the workers on it, with a crowd for an internet.
const workerVariable = "SERVICETEST_WORKER"

// An hour is a minute for workers, so that a publisher is due again in a test. A lease is four
// seconds then.
const (
	workerSpeed = 60
	workerLease = 4 * time.Minute
)

// A fastClock is one of workers. All that began at the same time say the same.
type fastClock struct{ begin time.Time }

func (c fastClock) now() time.Time { return c.begin.Add(workerSpeed * time.Since(c.begin)) }

// work looks at what is due, until it is killed.
func work(setting string) error {
	begin, storeURL, _ := strings.Cut(setting, ",")
	seconds, err := strconv.ParseInt(begin, 10, 64)
	if err != nil {
		return err
	}
	clock := fastClock{time.Unix(seconds, 0).UTC()}
	network, err := crowdNetwork(os.Getenv(crowdVariable))
	if err != nil {
		return err
	}
	var st *store.Store
	for st == nil { // it may have slept meanwhile
		st, err = store.Open(context.Background(), storeURL)
		if err != nil {
			fmt.Fprintln(os.Stderr, "servicetest: the store cannot be opened yet:", err)
			time.Sleep(100 * time.Millisecond)
		}
	}
	client := fetch.New(registry.Outbound(fetch.Config{Network: network}))
	k, err := custodian.New(custodian.Config{Log: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})), Store: st.Custody(), Finder: discover.New(client, clock.now), Now: clock.now})
	if err != nil {
		return err
	}
	return k.Watch(context.Background(), custodian.WatchOptions{Parallel: 8, Lease: workerLease})
}

// workerMain is the program as a worker. It does not outlive the test that started it, which
// holds the other end of its standard input.
func workerMain(setting string) int {
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(100)
	}()
	err := work(setting)
	fmt.Fprintln(os.Stderr, "servicetest: the worker ends:", err)
	return 100
}
