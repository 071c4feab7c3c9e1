package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/avow-project/avow/internal/bench"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/test/pgtest"
	"github.com/avow-project/avow/internal/translog"
)

const (
	// mapsName is what -only matches for the figures about a log of some days, with a map of each.
	mapsName = "translog-maps"
	// mapsVariable is the number of leaves if it is another one than 50,000. The promise is about 1,000,000.
	mapsVariable = "BENCHTABLE_LOG_LEAVES"
	mappedDays   = 10
	// maxMappedBytes is what a leaf takes with everything that is kept for the maps: 10^6 take 400 MB.
	maxMappedBytes = 400
)

// mappedFigures are about a log of ten days in one of the databases. Every file changes each day.
type mappedFigures struct {
	database string
	leaves   int
	bytes    int64
	// sequence is the processor time of all leaves and maps, including the database server's.
	sequence, open time.Duration
	// receipt has the bytes of one with two leaves that are far apart, and mapped those with the map.
	receipt, mapped int
}

func mappedLeaves() int {
	n, err := strconv.Atoi(os.Getenv(mapsVariable))
	if err != nil {
		return 50_000
	}
	return n / loggedAtOnce / mappedDays * loggedAtOnce * mappedDays
}

func measureMaps() ([]mappedFigures, error) {
	dir, err := os.MkdirTemp("", "benchtable")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // what is left is in a folder for such things
	one, err := measureMapsIn("SQLite", "sqlite:"+filepath.Join(dir, "plain.db"), "sqlite:"+filepath.Join(dir, "logged.db"), dir, usedCPU)
	if err != nil {
		return nil, err
	}
	server, err := pgtest.Start(pgtest.Options{})
	if err != nil {
		return nil, err
	}
	var urls [2]string
	for i := range urls {
		urls[i], err = server.NewDatabase(context.Background())
		if err != nil {
			return nil, errors.Join(err, server.Close())
		}
	}
	two, err := measureMapsIn("PostgreSQL", urls[0], urls[1], dir, func() time.Duration { return usedCPU() + familyCPU(server.PID()) })
	return []mappedFigures{one, two}, errors.Join(err, server.Close())
}

func measureMapsIn(database, plainURL, loggedURL, dir string, cpu func() time.Duration) (mappedFigures, error) {
	ctx, found := context.Background(), mappedFigures{database: database, leaves: mappedLeaves()}
	open := func(url string) (*store.Store, error) { return store.OpenFor(ctx, url, store.Options{Dir: dir}) }
	plain, err := open(plainURL)
	if err != nil {
		return found, err
	}
	defer plain.Close() //nolint:errcheck // it is thrown away
	logged, err := open(loggedURL)
	if err != nil {
		return found, err
	}
	defer func() { _ = logged.Close() }()
	keys, err := notary.NewKeys(logOrigin)
	if err != nil {
		return found, err
	}
	err = found.fill(plain, logged, keys, cpu)
	if err != nil {
		return found, err
	}
	err = found.measureReceipts(logged)
	if err != nil {
		return found, err
	}
	for url, s := range map[string]*store.Store{plainURL: plain, loggedURL: logged} {
		err := vacuum(ctx, url)
		if err != nil {
			return found, err
		}
		usage, err := s.Usage(ctx)
		if err != nil {
			return found, err
		}
		if s == plain {
			usage.Bytes = -usage.Bytes
		}
		found.bytes += usage.Bytes
	}
	for range openings {
		err := logged.Close()
		if err != nil {
			return found, err
		}
		begin := time.Now()
		logged, err = open(loggedURL)
		if err == nil {
			err = notary.New(notary.Config{Store: logged.Log(), Keys: keys, Guard: logged.LogGuard(), Now: bench.Now}).Check(ctx)
		}
		if err != nil {
			return found, err
		}
		if took := time.Since(begin); found.open == 0 || took < found.open { // see timing
			found.open = took
		}
	}
	return found, nil
}

// mappedFile is the file that an event is about. The order is another one each day: 7919 is a prime number.
func (found *mappedFigures) mappedFile(i int) int {
	files := found.leaves / mappedDays
	return (i%files*7919 + i/files) % files
}

// fill has ten days go by in a store with a log and in one without.
func (found *mappedFigures) fill(plain, logged *store.Store, keys *notary.Keys, cpu func() time.Duration) error {
	ctx, now, first := context.Background(), bench.Now(), keys.First()
	first.At = now
	err := logged.Log().Begin(ctx, logOrigin, first)
	if err != nil {
		return err
	}
	n := notary.New(notary.Config{Store: logged.Log(), Keys: keys, Guard: logged.LogGuard(), Now: func() time.Time { return now }})
	flush := func() error {
		begin := cpu()
		err := n.Flush(ctx)
		found.sequence += cpu() - begin
		return err
	}
	for from := 0; from < found.leaves; from += loggedAtOnce {
		now = bench.Now().AddDate(0, 0, from/(found.leaves/mappedDays))
		change := loggedChange(from, loggedAtOnce, found.mappedFile)
		for _, s := range []*store.Store{plain, logged} {
			err := s.Custody().Commit(ctx, change)
			if err != nil {
				return err
			}
		}
		if (from+loggedAtOnce)%flushedAtOnce == 0 {
			err := flush()
			if err != nil {
				return err
			}
		}
	}
	now = bench.Now().AddDate(0, 0, mappedDays)
	return flush()
}

// vacuum does what a PostgreSQL server does by itself within a minute: the rows of the outbox are gone.
func vacuum(ctx context.Context, url string) error {
	if strings.HasPrefix(url, "sqlite:") {
		return nil
	}
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, `VACUUM`)
	return errors.Join(err, conn.Close(ctx))
}

// measureReceipts makes receipts about the first and the last file of the last day.
func (found *mappedFigures) measureReceipts(logged *store.Store) error {
	for _, newest := range []bool{false, true} {
		r := &translog.Receipt{Question: url.Values{"publisher": {"p1.example.com"}, "agent": {"https://agent.example/mcp"}}, Verdict: "authorized", At: bench.Now()}
		err := notary.Prover{Store: logged.Log()}.Fill(context.Background(), r, newest,
			loggedFile(found.mappedFile(found.leaves-found.leaves/mappedDays)), loggedFile(found.mappedFile(found.leaves-1)))
		if err != nil {
			return err
		}
		if newest != (r.Map != nil) {
			return fmt.Errorf("a receipt has a map: %t", r.Map != nil)
		}
		found.receipt, found.mapped = found.mapped, len(r.Text())
	}
	return nil
}

func mapsLimits(all []mappedFigures) []limit {
	var limits []limit
	for _, found := range all {
		name := fmt.Sprintf("transparency log with %d maps in %s: ", mappedDays, found.database)
		limits = append(limits,
			limit{name: name + "processor time of a leaf", allowed: 1e6 / minLeavesPerSecond, have: micros(found.sequence) / float64(found.leaves), unit: " µs"},
			limit{name: name + "bytes in the store for a leaf", allowed: maxMappedBytes, have: float64(found.bytes) / float64(found.leaves)},
			limit{name: name + "open and compare with the guard", allowed: maxLogOpenMS, have: milliseconds(found.open), unit: " ms"},
			limit{name: name + "bytes of a receipt", allowed: maxReceiptBytes, have: float64(found.receipt)})
	}
	return limits
}

func mapsTable(all []mappedFigures) table {
	t := table{head: []string{"transparency log with maps", "leaves", "maps", "MB", "leaves per CPU second", "open ms", "receipt bytes", "with the map"}}
	for _, found := range all {
		t.add(found.database, fmt.Sprint(found.leaves), fmt.Sprint(mappedDays), number(float64(found.bytes)/1e6), fmt.Sprintf("%.0f", float64(found.leaves)/found.sequence.Seconds()),
			number(milliseconds(found.open)), fmt.Sprint(found.receipt), fmt.Sprint(found.mapped))
	}
	return t
}
