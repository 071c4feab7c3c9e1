package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/cli"
	"github.com/avow-project/avow/internal/netguard"
)

const (
	// watchName is how -only selects the measurement of a watch.
	watchName  = "watch"
	watchCount = 2_000
	watchRuns  = 3
	watchTask  = "watch"
	// watchBare is the same crawl without a store.
	watchBare  = "watch-bare"
	maxWatch   = 1.25
	maxWatchMB = 150
)

// watchFigures is what was measured of avow crawl --only: processor time, because it has to wait
// for the disk and asks fewer at once than the crawl without a store.
type watchFigures struct {
	bare, watch time.Duration
	ratio       float64 // median over neighbouring runs
	rss         int64
}

// measureWatch starts both commands in turns, each in a process of its own.
func measureWatch() (*watchFigures, error) {
	o, err := startOrigins()
	if err != nil {
		return nil, err
	}
	defer o.close()
	var found watchFigures
	var bares, watches []time.Duration
	var ratios []float64
	for range watchRuns {
		_, bare, err := startTask(o, watchBare)
		if err != nil {
			return nil, err
		}
		_, watch, err := startTask(o, watchTask)
		if err != nil {
			return nil, err
		}
		bares, watches = append(bares, cpuTime(bare)), append(watches, cpuTime(watch))
		ratios = append(ratios, float64(cpuTime(watch))/float64(cpuTime(bare)))
		found.rss = max(found.rss, peakRSS(watch))
	}
	found.bare, found.watch, found.ratio = median(bares), median(watches), median(ratios)
	return &found, nil
}

// watchAll is avow crawl of publishers that were never asked about, with a new store.
func (c *webClient) watchAll() {
	dir, err := os.MkdirTemp("", "benchtable")
	if err != nil {
		c.fail(err)
		return
	}
	c.overList("crawl", "--only", "--events", "--parallel", "32", "--store", "sqlite:"+filepath.Join(dir, "watch.db"))
	err = os.RemoveAll(dir)
	if err != nil {
		c.fail(err)
	}
}

// overList runs a command over the list of publishers, as users have it but for the addresses.
func (c *webClient) overList(args ...string) {
	var list, messages strings.Builder
	for i := range watchCount {
		fmt.Fprintf(&list, "%s%d.example\n", publisherHost, i)
	}
	code := cli.Run(context.Background(), cli.Env{
		Args: append(args, "--from", "-", "--format", "ndjson"), Stdin: strings.NewReader(list.String()), Stdout: io.Discard, Stderr: &messages, Getenv: os.Getenv,
		Network: netguard.Network{Resolver: c, Roots: c.roots, Dial: func(ctx context.Context, _ netip.AddrPort) (net.Conn, error) { return c.dial(ctx) }},
	})
	if code != 0 {
		c.fail(errors.New("avow " + args[0] + ": " + messages.String()))
	}
}

func (w *watchFigures) limits() []limit {
	if w == nil {
		return nil
	}
	all := []limit{{name: "avow crawl --only of 2,000 publishers: CPU time / the same without a store", allowed: maxWatch, have: w.ratio}}
	if w.rss > 0 {
		all = append(all, limit{name: "avow crawl --only of 2,000 publishers: peak RSS", allowed: maxWatchMB, have: megabytes(w.rss), unit: " MB"})
	}
	return all
}

func (w *watchFigures) table() table {
	t := table{head: []string{"watch", "publishers", "CPU without a store ms", "CPU ms", "ratio", "peak RSS MB"}}
	if w != nil {
		t.add("`avow crawl --only`", fmt.Sprint(watchCount), number(milliseconds(w.bare)), number(milliseconds(w.watch)), number(w.ratio), number(megabytes(w.rss)))
	}
	return t
}
