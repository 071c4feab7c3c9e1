package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/avow-project/avow/internal/bench"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/translog"
)

const (
	// logName is what -only matches for the figures about the transparency log.
	logName   = "translog"
	logOrigin = "registry.example.com/log"
	// loggedEvents is how many events become leaves, loggedAtOnce how many are committed in one
	// change, and flushedAtOnce how many wait before leaves are made of them.
	loggedEvents  = 200_000
	loggedAtOnce  = 200
	flushedAtOnce = 5_000
	// comparedCommits is how many changes with one event are committed in turn, with and without
	// a log, and commitRounds how often in a run.
	comparedCommits = 20
	commitRounds    = 20
	openings        = 9
	verifications   = 2_000
)

// The promises about the transparency log.
const (
	minLeavesPerSecond = 10_000
	maxLeafBytes       = 400
	maxLogOpenMS       = 50
	maxReceiptBytes    = 3_000
	maxVerifyMS        = 1
	maxCommitMS        = 0.1
)

// logFigures are about a log in SQLite.
type logFigures struct {
	// sequence is the processor time of a leaf, and leaf and stored the bytes of one as it is and in
	// the store.
	sequence     time.Duration
	leaf, stored float64
	open         time.Duration
	receipt      int
	// verify is the check of a receipt with two leaves and two signatures, and bare that of one
	// signature, in processor time.
	verify, bare time.Duration
	// commit is what a commit with one event takes without a log, and slower what it takes more
	// with one, in processor time.
	commit, slower time.Duration
}

// loggedStore is a store of which a log is kept, or not.
type loggedStore struct {
	*store.Store
	path string
}

func measureLog(runs int) (*logFigures, error) {
	dir, err := os.MkdirTemp("", "benchtable")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // what is left is in a folder for such things
	keys, err := notary.NewKeys(logOrigin)
	if err != nil {
		return nil, err
	}
	plain, err := openLogged(filepath.Join(dir, "plain.db"), nil)
	if err != nil {
		return nil, err
	}
	logged, err := openLogged(filepath.Join(dir, "logged.db"), keys)
	if err != nil {
		return nil, errors.Join(err, plain.Close())
	}
	found := new(logFigures)
	err = found.measure(runs, plain, logged, keys)
	return found, errors.Join(err, plain.Close(), logged.Close())
}

func openLogged(path string, keys *notary.Keys) (*loggedStore, error) {
	s, err := store.Open(context.Background(), "sqlite:"+path)
	if err != nil || keys == nil {
		return &loggedStore{s, path}, err
	}
	first := keys.First()
	first.At = bench.Now()
	return &loggedStore{s, path}, s.Log().Begin(context.Background(), logOrigin, first)
}

func (found *logFigures) measure(runs int, plain, logged *loggedStore, keys *notary.Keys) error {
	n := notary.New(notary.Config{Store: logged.Log(), Keys: keys, Guard: logged.LogGuard(), Now: bench.Now})
	for from := 0; from < loggedEvents; from += loggedAtOnce {
		for _, s := range []*loggedStore{plain, logged} {
			err := s.Custody().Commit(context.Background(), loggedChange(from, loggedAtOnce, loggedNumber))
			if err != nil {
				return err
			}
		}
		if (from+loggedAtOnce)%flushedAtOnce != 0 {
			continue
		}
		begin := usedCPU()
		err := n.Flush(context.Background())
		if err != nil {
			return err
		}
		found.sequence += usedCPU() - begin
	}
	found.sequence /= loggedEvents
	leaf := loggedChange(0, 1, loggedNumber).Leaves()[0].Leaf
	leaf.Number = loggedEvents
	leaf.Previous = &translog.Link{Index: loggedEvents, Hash: translog.HashOf(nil)}
	text, err := leaf.Text()
	if err != nil {
		return err
	}
	found.leaf = float64(len(text))
	err = found.measureCommits(runs, plain, logged)
	if err != nil {
		return err
	}
	err = n.Flush(context.Background())
	if err != nil {
		return err
	}
	err = found.measureReceipt(logged, keys)
	if err != nil {
		return err
	}
	return found.measureOpen(plain, logged, keys)
}

// loggedNumber is the number of the file that an event is about.
func loggedNumber(i int) int { return i % (loggedEvents / 10) }

// loggedFile is a file with a number.
func loggedFile(n int) translog.Subject { return translog.File(loggedURL(n)) }

func loggedURL(n int) string { return notary.WellKnown(fmt.Sprintf("p%d.example.com", n)) }

// loggedChange has events about files, with leaves as a new version of one has.
func loggedChange(from, n int, number func(i int) int) *custodian.Change {
	var leaves []custodian.Leaf
	c := &custodian.Change{Leaves: func() []custodian.Leaf { return leaves }}
	for i := range n {
		file := loggedURL(number(from + i))
		hash := fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, from+i)))
		c.Events = append(c.Events, custody.Event{Code: "file.changed", At: bench.Now(), URL: file, Message: "it was changed"})
		leaves = append(leaves, custodian.Leaf{Event: i, Leaf: translog.Leaf{
			Kind: "file.changed", Subject: translog.File(file), At: bench.Now(), Seen: bench.Now(), Counts: hash,
			Document: &translog.Document{Hash: hash, Bytes: 1234, Dated: bench.Now(), Agents: translog.DigestOf([]byte(hash), 3), Revokes: translog.DigestOf(nil, 0)},
		}})
	}
	return c
}

// measureCommits compares commits with and without a log.
func (found *logFigures) measureCommits(runs int, plain, logged *loggedStore) error {
	var took [2]time.Duration
	rounds := runs * commitRounds
	for round := range rounds {
		for i, s := range []*loggedStore{plain, logged} {
			begin := usedCPU()
			for n := range comparedCommits {
				err := s.Custody().Commit(context.Background(), loggedChange(round*comparedCommits+n, 1, loggedNumber))
				if err != nil {
					return err
				}
			}
			took[i] += usedCPU() - begin
		}
	}
	n := time.Duration(rounds * comparedCommits)
	found.commit, found.slower = took[0]/n, max(0, took[1]-took[0])/n
	return nil
}

// measureReceipt makes a receipt with two leaves, and verifies it.
func (found *logFigures) measureReceipt(logged *loggedStore, keys *notary.Keys) error {
	r := &translog.Receipt{Question: url.Values{"publisher": {"p1.example.com"}, "agent": {"https://agent.example/mcp"}}, Verdict: "authorized", At: bench.Now()}
	err := notary.Prover{Store: logged.Log()}.Fill(context.Background(), r, false, loggedFile(1), loggedFile(2))
	if err != nil {
		return err
	}
	text := r.Text()
	policy, err := translog.ParsePolicy([]byte(keys.Policy("")))
	if err != nil {
		return err
	}
	_, err = r.Verify(policy)
	if err != nil {
		return err
	}
	found.receipt = len(text)
	found.bare = cpuOf(bareSignature())
	found.verify = cpuOf(func() {
		again, err := translog.ParseReceipt(text)
		if err == nil {
			_, err = again.Verify(policy)
		}
		if err != nil {
			panic(err) // it was verified before
		}
	})
	return nil
}

// cpuOf returns the processor time of short work.
func cpuOf(work func()) time.Duration {
	begin := usedCPU()
	for range verifications {
		work()
	}
	return (usedCPU() - begin) / verifications
}

// measureOpen closes both stores, compares their sizes, and opens the one with the log again.
func (found *logFigures) measureOpen(plain, logged *loggedStore, keys *notary.Keys) error {
	var sizes [2]int64
	for i, s := range []*loggedStore{plain, logged} {
		err := s.Close()
		if err != nil {
			return err
		}
		info, err := os.Stat(s.path)
		if err != nil {
			return err
		}
		sizes[i] = info.Size()
		s.Store, err = store.Open(context.Background(), "sqlite:"+s.path)
		if err != nil {
			return err
		}
	}
	found.stored = float64(sizes[1]-sizes[0]) / loggedEvents
	var took []time.Duration
	for range openings {
		begin := time.Now()
		err := notary.New(notary.Config{Store: logged.Log(), Keys: keys, Guard: logged.LogGuard(), Now: bench.Now}).Check(context.Background())
		if err != nil {
			return err
		}
		took = append(took, time.Since(begin))
		err = logged.Close()
		if err != nil {
			return err
		}
		begin = time.Now()
		logged.Store, err = store.Open(context.Background(), "sqlite:"+logged.path)
		if err != nil {
			return err
		}
		took[len(took)-1] += time.Since(begin)
	}
	found.open = slices.Min(took) // see timing
	return nil
}

func (found *logFigures) limits() []limit {
	if found == nil {
		return nil
	}
	return []limit{
		{name: "transparency log: processor time of a leaf", allowed: 1e6 / minLeavesPerSecond, have: micros(found.sequence), unit: " µs"},
		{name: "transparency log: bytes in the store for a leaf", allowed: maxLeafBytes, have: found.stored},
		{name: "transparency log: open and compare with the guard", allowed: maxLogOpenMS, have: milliseconds(found.open), unit: " ms"},
		{name: "transparency log: bytes of a receipt", allowed: maxReceiptBytes, have: float64(found.receipt)},
		{name: "transparency log: processor time of verifying a receipt", allowed: maxVerifyMS, have: milliseconds(found.verify), unit: " ms"},
		{name: "transparency log: processor time that a commit takes more", allowed: maxCommitMS, have: milliseconds(found.slower), unit: " ms"},
	}
}

func (found *logFigures) table() table {
	t := table{head: []string{"transparency log", "leaves", "bytes of a leaf", "stored", "CPU µs of a leaf", "open ms", "receipt bytes", "verify CPU µs", "/ bare Ed25519", "commit CPU µs", "more with a log"}}
	if found != nil {
		t.add("SQLite", fmt.Sprint(loggedEvents), number(found.leaf), number(found.stored), number(micros(found.sequence)), number(milliseconds(found.open)),
			fmt.Sprint(found.receipt), number(micros(found.verify)), number(float64(found.verify)/float64(found.bare)), number(micros(found.commit)), number(micros(found.slower)))
	}
	return t
}

func micros(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1000 }
