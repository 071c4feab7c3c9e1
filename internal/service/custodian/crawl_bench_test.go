//go:build unix

package custodian_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/netguard"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/std/hostname"
)

// crawlPublishers is how many publishers BenchmarkCrawl looks at.
var crawlPublishers = flag.Int("crawl-publishers", 10_000, "how many publishers are crawled in the benchmark")

const crawlParallel = 64

// A loopback are publishers behind one listener of this process.
type loopback struct {
	*pipes
	address string
	roots   *x509.CertPool
}

func newLoopback(b *testing.B) *loopback {
	b.Helper()
	l := &loopback{pipes: newPipes(b), roots: x509.NewCertPool()}
	l.roots.AppendCertsFromPEM(l.issuer.PEM())
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{*l.leaf}, NextProtos: []string{"http/1.1"}})
	if err != nil {
		b.Fatal(err)
	}
	l.address = listener.Addr().String()
	server := &http.Server{ErrorLog: log.New(io.Discard, "", 0), Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, fileFor(r.Host, "v1", 0))
	})}
	done := make(chan error)
	go func() { done <- server.Serve(listener) }()
	b.Cleanup(func() {
		_ = server.Close()
		err := <-done
		if !errors.Is(err, http.ErrServerClosed) {
			b.Error(err)
		}
	})
	return l
}

func (l *loopback) connect(ctx context.Context) (net.Conn, error) {
	var d net.Dialer
	return d.DialContext(ctx, "tcp", l.address)
}

// bare asks every publisher with nothing but package net/http, and a new connection each.
func (l *loopback) bare(b *testing.B) time.Duration {
	b.Helper()
	client := &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true, TLSClientConfig: &tls.Config{RootCAs: l.roots},
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return l.connect(ctx) },
	}}
	begun := time.Now()
	names := make(chan int)
	var group sync.WaitGroup
	for range crawlParallel {
		group.Go(func() {
			for i := range names {
				resp, err := client.Get(fmt.Sprintf("https://p%d.example/.well-known/adagents.json", i))
				if err != nil {
					b.Error(err)
					continue
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				_ = resp.Body.Close()
			}
		})
	}
	for i := range *crawlPublishers {
		names <- i
	}
	close(names)
	group.Wait()
	return time.Since(begun)
}

// crawl looks at every publisher for the first time. It reports how much more memory there was
// in use at the end than after a quarter, and how large the store is.
func (l *loopback) crawl(b *testing.B) time.Duration {
	b.Helper()
	path := filepath.Join(b.TempDir(), "store.db")
	s, err := store.Open(b.Context(), "sqlite:"+path)
	if err != nil {
		b.Fatal(err)
	}
	client := fetch.New(fetch.Config{Network: netguard.Network{
		Resolver: l.pipes, Roots: l.roots, Dial: func(ctx context.Context, _ netip.AddrPort) (net.Conn, error) { return l.connect(ctx) },
	}})
	k, err := custodian.New(custodian.Config{Store: s.Custody(), Finder: discover.New(discover.Config{Client: client})})
	if err != nil {
		b.Fatal(err)
	}
	var all []hostname.Domain
	for i := range *crawlPublishers {
		all = append(all, hostname.Domain(fmt.Sprintf("p%d.example", i)))
	}
	begun := time.Now()
	_, err = k.Plan(b.Context(), all)
	if err != nil {
		b.Fatal(err)
	}
	var n int
	var quarter, end uint64
	err = k.Watch(b.Context(), custodian.WatchOptions{Once: true, Parallel: crawlParallel, Done: func(failed bool) {
		n++
		if failed {
			b.Error("a look failed")
		}
		if n == *crawlPublishers/4 {
			quarter = inUse()
		}
	}})
	took := time.Since(begun)
	end = inUse()
	if err != nil || n != *crawlPublishers {
		b.Fatalf("%d looks, %v", n, err)
	}
	b.ReportMetric((float64(end)-float64(quarter))/1e6, "MB-grown")
	err = s.Close()
	if err != nil {
		b.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(info.Size())/float64(*crawlPublishers), "B/publisher")
	return took
}

// inUse is the memory that is in use, in bytes.
func inUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// processorTime is what this process has used so far, with the publishers that it serves.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	if err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkCrawl compares the first look at publishers, with all that is kept of it, with bare
// requests to them: as a ratio of what was done in a second, and of processor time, which
// depends less on what else the machine does.
func BenchmarkCrawl(b *testing.B) {
	l := newLoopback(b)
	for b.Loop() {
		begun := processorTime(b)
		first := l.bare(b)
		looking := processorTime(b)
		took := l.crawl(b)
		looked := processorTime(b)
		bare := (first + l.bare(b)) / 2 // before and after, since machines are not the same all the time
		bareTime := (looking - begun + processorTime(b) - looked) / 2
		b.ReportMetric(bareTime.Seconds()/(looked-looking).Seconds(), "cpu-ratio")
		b.ReportMetric(float64((looked-looking).Microseconds())/float64(*crawlPublishers), "cpu-us/look")
		b.ReportMetric(float64(*crawlPublishers)/took.Seconds(), "looks/s")
		b.ReportMetric(float64(*crawlPublishers)/bare.Seconds(), "bare/s")
		b.ReportMetric(bare.Seconds()/took.Seconds(), "ratio")
	}
}
