package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/service/api"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/ops"
	"github.com/avow-project/avow/internal/service/patience"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/server"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/std/hostname"
)

const (
	directoryTask = "directory" // the API over a directory of many publishers
	// directoryVariable is the number of publishers if it is another one than 200,000, which take 1 GB.
	directoryVariable = "BENCHTABLE_DIRECTORY_PUBLISHERS"
	largestAgent      = "https://largest.agent.example/mcp"
)

var largestAgentPath = "/v1/agents/" + url.PathEscape(largestAgent) + "/publishers"

func directoryPublishers() int {
	n, err := strconv.Atoi(os.Getenv(directoryVariable))
	if err != nil {
		return 200_000
	}
	return n
}

// sellsOf is how many of the first publishers the largest agent sells for: nine of ten.
func sellsOf(n int) int { return n - n/10 }

// serveDirectory reads a directory, and answers then. It says where it listens as avow does,
// and how much memory the directory takes.
func serveDirectory(out io.Writer) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM) // so that the folder goes
	defer stop()
	dir, err := os.MkdirTemp("", "benchtable")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // it is in the folder for such things
	s, err := store.Open(ctx, "sqlite:"+filepath.Join(dir, "registry.db"))
	if err != nil {
		return err
	}
	finder := discover.New(discover.Config{Client: everyFile{}})
	n := directoryPublishers()
	err = fillDirectory(ctx, s, finder, n)
	if err != nil {
		return err
	}
	debug.SetGCPercent(50) // as avow serve does
	before := heapInUse()
	service := registry.New(registry.Config{Store: s, Custody: s.Custody(), Finder: finder})
	v, err := service.Directory(ctx)
	if err != nil {
		return err
	}
	if known := v.Stats().Known(); known != n || v.Agent(largestAgent).Publishers != sellsOf(n) || v.Err() != nil {
		return fmt.Errorf("the directory has %d publishers and %+v: %w", known, v.Agent(largestAgent), v.Err())
	}
	heap := heapInUse() - before
	a := api.New(api.Config{Operations: ops.New(ops.Config{Service: service})})
	return server.Run(ctx, server.Config{
		Addrs: []string{"127.0.0.1:0"}, Handler: a.Handler(), Route: a.Lookup, Authenticate: service.Authenticate, KnownKey: service.KnownKey, WithCaller: registry.WithCaller,
	}, func(url string) { fmt.Fprintf(out, "serving on %s heap %d\n", url, heap) })
}

// heapInUse is what is alive.
func heapInUse() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // what the first has put aside goes
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// directoryFile is the file of a publisher with a site and an app, one agent of which there
// are a thousand, and the largest agent in nine of ten.
func directoryFile(i int) string {
	domain := directoryDomain(i)
	entry := `{"url":"%s","authorized_for":"Everything","authorization_type":"property_ids","property_ids":["site","app"]}`
	agents := fmt.Sprintf(entry, fmt.Sprintf("https://agent%d.example/mcp", i%1000))
	if i%10 != 9 {
		agents += "," + fmt.Sprintf(entry, largestAgent)
	}
	return fmt.Sprintf(`{"last_updated":"2026-02-01T00:00:00Z","properties":[`+
		`{"property_id":"site","property_type":"website","name":"Site","publisher_domain":"%[1]s","identifiers":[{"type":"domain","value":"%[1]s"}]},`+
		`{"property_id":"app","property_type":"mobile_app","name":"App","publisher_domain":"%[1]s","identifiers":[{"type":"ios_bundle","value":"com.%[1]s"}]}],`+
		`"authorized_agents":[%[2]s]}`, domain, agents)
}

func directoryDomain(i int) string { return fmt.Sprintf("p%07d.example", i) }

// directoryIndex reads the number from a name, a URL or a hash.
func directoryIndex(text string) int {
	text = strings.TrimPrefix(text, "https://")
	i, _ := strconv.Atoi(text[1:8]) // they are made here
	return i
}

// everyFile is a web in which each publisher has its file.
type everyFile struct{}

// Get implements discover.Getter.
func (everyFile) Get(_ context.Context, r fetch.Request) *fetch.Result {
	x := fetch.Exchange{URL: r.URL, Method: "GET", Attempt: 1, At: time.Now(), MediaType: "application/json", Status: http.StatusOK, Outcome: fetch.Found}
	return &fetch.Result{Outcome: x.Outcome, URL: r.URL, Exchanges: []fetch.Exchange{x}, Body: []byte(directoryFile(directoryIndex(r.URL)))}
}

// fillDirectory has publishers looked at, as a service does.
func fillDirectory(ctx context.Context, s *store.Store, finder *discover.Finder, n int) error {
	k, err := custodian.New(custodian.Config{Store: s.Custody(), Finder: finder, Now: time.Now})
	if err != nil {
		return err
	}
	g, ctx := errgroup.WithContext(patience.With(ctx))
	g.SetLimit(64)
	for i := range n {
		g.Go(func() error {
			_, err := k.Refresh(ctx, hostname.Domain(directoryDomain(i)), custodian.RefreshOptions{Force: true})
			return err
		})
	}
	return g.Wait()
}
