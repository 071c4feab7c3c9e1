package crashtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"
)

const (
	storeName = "store.db"
	// lanes is how many processes are at work at once, each on a store of its own.
	lanes = 2
	// runsPerStore is how often processes are killed on one store. What is looked through
	// after each grows.
	runsPerStore = 25
)

// TestKill kills a process at a random moment while it ingests, again and again on the
// same store. The store can always be opened, and has all that was acknowledged.
func TestKill(t *testing.T) {
	t.Parallel()
	var killed, acked, busy atomic.Int64
	stores := (*runs + runsPerStore - 1) / runsPerStore
	t.Run("lanes", func(t *testing.T) {
		t.Parallel()
		for lane := range lanes {
			t.Run(fmt.Sprint(lane), func(t *testing.T) {
				t.Parallel()
				began := time.Now()
				for i := lane; i < stores; i += lanes {
					k := newKiller(t, uint64(i))
					for range min(runsPerStore, *runs-i*runsPerStore) {
						k.run()
						killed.Add(1)
					}
					acked.Add(int64(len(k.ledger.acks)))
				}
				busy.Add(int64(time.Since(began)))
			})
		}
	})
	t.Cleanup(func() {
		t.Logf("%d processes killed on %d stores, %d ingests acknowledged, in %v in each of %d lanes",
			killed.Load(), stores, acked.Load(), (time.Duration(busy.Load()) / lanes).Round(time.Second), lanes)
		if killed.Load() != int64(*runs) || acked.Load() < killed.Load() {
			t.Errorf("%d processes killed, %d ingests acknowledged; that is too few", killed.Load(), acked.Load())
		}
	})
}

// A killer starts processes on a store and kills them.
type killer struct {
	t      *testing.T
	path   string
	rng    *rand.Rand
	ledger ledger
}

func newKiller(t *testing.T, seed uint64) *killer {
	return &killer{
		t: t, path: filepath.Join(t.TempDir(), storeName), rng: rand.New(rand.NewPCG(seed, 6)),
		ledger: ledger{web: web{network: fmt.Sprintf("n%d", seed), base: base()}},
	}
}

// run starts a process, kills it, and looks for what it said.
func (k *killer) run() {
	k.t.Helper()
	task := task{Store: "sqlite:" + k.path, Network: k.ledger.web.network, Base: k.ledger.web.base, From: k.ledger.next()}
	for _, l := range k.kill(task) {
		if l.Ack != nil {
			k.ledger.acks = append(k.ledger.acks, *l.Ack)
		}
	}
	if k.rng.IntN(2) == 0 {
		k.ledger.audit(k.t, k.path)
		return
	}
	// The next process finds the store as this one left it.
	dir, err := os.MkdirTemp(filepath.Dir(k.path), "copy")
	if err != nil {
		k.t.Fatal(err)
	}
	copyStore(k.t, filepath.Dir(k.path), dir)
	k.ledger.audit(k.t, filepath.Join(dir, storeName))
	err = os.RemoveAll(dir)
	if err != nil {
		k.t.Fatal(err)
	}
}

// kill runs a process for a while. One in four is killed some time after it was started,
// which is mostly while it opens the store, the others some time after they have said a
// number of things.
func (k *killer) kill(task task) []line {
	k.t.Helper()
	words, delay := 1+k.rng.IntN(8), time.Duration(k.rng.IntN(8_000))*time.Microsecond
	if k.rng.IntN(4) == 0 {
		words, delay = 0, time.Duration(k.rng.IntN(80_000))*time.Microsecond
	}
	cmd := command(k.t, task)
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		k.t.Fatal(err)
	}
	err = cmd.Start()
	if err != nil {
		k.t.Fatal(err)
	}
	var said []line
	lines := listen(stdout)
	for range words {
		l, ok := <-lines
		if !ok {
			_ = cmd.Wait()
			k.t.Fatal("a process ended by itself")
		}
		said = append(said, l)
	}
	time.Sleep(delay)
	err = cmd.Process.Kill()
	if err != nil {
		k.t.Fatal(err)
	}
	for l := range lines {
		said = append(said, l)
	}
	err = cmd.Wait()
	if err == nil || cmd.ProcessState.ExitCode() != -1 {
		k.t.Fatalf("a process ended by itself: %v", err)
	}
	return said
}

// command is this program with a task.
func command(t *testing.T, task task) *exec.Cmd {
	t.Helper()
	text, err := json.Marshal(task)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), taskVariable+"="+string(text))
	cmd.Stderr = os.Stderr
	return cmd
}

// copyStore copies the files of a store as they lie on the disk, without the index of the
// log, which is made anew.
func copyStore(t *testing.T, from, to string) {
	t.Helper()
	for _, name := range []string{storeName, storeName + "-wal", storeName + ".seen"} {
		body, err := os.ReadFile(filepath.Join(from, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(to, name), body, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
