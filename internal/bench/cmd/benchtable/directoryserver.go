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

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/service/api"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/ops"
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
	many := &manyPublishers{Store: s.Custody(), n: directoryPublishers()}
	err = many.begin(ctx, finder)
	if err != nil {
		return err
	}
	debug.SetGCPercent(50) // as avow serve does
	before := heapInUse()
	service := registry.New(registry.Config{Store: s, Custody: many, Finder: finder, DirectoryMemory: 16 << 30, Patience: time.Hour})
	service.KeepDirectory()
	v, err := service.Directory(ctx)
	if err != nil {
		return err
	}
	if v.Looked() != many.n || v.Missing != 0 || v.Agent(largestAgent).Publishers != sellsOf(many.n) {
		return fmt.Errorf("the directory has %d publishers, %d of them without their file, and %+v", v.Looked(), v.Missing, v.Agent(largestAgent))
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

// manyPublishers are records of publishers that differ from those of the first in names, URLs
// and hashes. They are made when they are asked for, so that no time and memory is that of a
// database.
type manyPublishers struct {
	custodian.Store
	n         int
	publisher custody.Publisher
	file      custody.File
	revision  int64
}

// begin has the first publisher looked at.
func (m *manyPublishers) begin(ctx context.Context, finder *discover.Finder) error {
	k, err := custodian.New(custodian.Config{Store: m.Store, Finder: finder, Now: time.Now})
	if err != nil {
		return err
	}
	first := hostname.Domain(directoryDomain(0))
	state, err := k.Refresh(ctx, first, custodian.RefreshOptions{Force: true})
	if err != nil {
		return err
	}
	p, err := m.Store.Publisher(ctx, first)
	if err != nil {
		return err
	}
	f, revision, err := m.Store.Brief(ctx, state.File.URL)
	if err != nil {
		return err
	}
	m.publisher, m.file, m.revision = *p, *f, revision
	return nil
}

// hashOf stands for that of a file.
func hashOf(i int) string { return fmt.Sprintf("a%07d%056d", i, 0) }

func urlOf(i int) string { return "https://" + directoryDomain(i) + "/.well-known/adagents.json" }

// Revisions implements custodian.Store, like those below.
func (m *manyPublishers) Revisions(_ context.Context, f func(hostname.Domain, int64) error) error {
	for i := range m.n {
		err := f(hostname.Domain(directoryDomain(i)), m.publisher.Revision)
		if err != nil {
			return err
		}
	}
	return nil
}

// Holdings makes all records of some.
func (m *manyPublishers) Holdings(ctx context.Context, domains []hostname.Domain) ([]custodian.Holding, error) {
	out := make([]custodian.Holding, len(domains))
	for i, domain := range domains {
		p, err := m.Publisher(ctx, domain)
		if err != nil {
			return nil, err
		}
		f, revision, err := m.Brief(ctx, p.Location.URL)
		if err != nil {
			return nil, err
		}
		body, err := m.Document(ctx, f.Hash)
		if err != nil {
			return nil, err
		}
		out[i] = custodian.Holding{Publisher: p, File: f, Revision: revision, Body: body}
	}
	return out, nil
}

// Publisher makes a record.
func (m *manyPublishers) Publisher(_ context.Context, domain hostname.Domain) (*custody.Publisher, error) {
	p, i := m.publisher, directoryIndex(string(domain))
	p.Domain, p.Location.URL, p.Hash, p.Learned, p.Listed = domain, urlOf(i), hashOf(i), hashOf(i), hashOf(i)
	return &p, nil
}

// Brief makes a record.
func (m *manyPublishers) Brief(_ context.Context, url string) (*custody.File, int64, error) {
	f := m.file
	f.URL, f.Hash = url, hashOf(directoryIndex(url))
	return &f, m.revision, nil
}

// Delisted has nothing.
func (m *manyPublishers) Delisted(context.Context, string, time.Time) ([]custody.Revocation, int64, error) {
	return nil, m.revision, nil
}

// Document makes a file.
func (m *manyPublishers) Document(_ context.Context, hash string) ([]byte, error) {
	return []byte(directoryFile(directoryIndex(hash))), nil
}
