package notary_test

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/avow-project/avow/internal/test/sqlitetest"
)

var (
	worldsFlag = flag.Int("worlds", 8, "number of simulated histories of a log")
	worldFlag  = flag.Uint64("first-world", 0, "the first of them")
)

// TestLogSimulation lives through many worlds. A failure names the seed; running it alone with -args
// -first-world=N -worlds=1 shows it again.
func TestLogSimulation(t *testing.T) {
	t.Parallel()
	empty, err := os.ReadFile(sqlitetest.Path(t))
	ok(t, err)
	var next atomic.Uint64
	var group sync.WaitGroup
	var lock sync.Mutex
	var done tally
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for n := next.Add(1) - 1; n < uint64(*worldsFlag) && !t.Failed(); n = next.Add(1) - 1 {
				one, err := live(t.Context(), *worldFlag+n, empty, whole)
				if err != nil {
					t.Error(err)
				}
				lock.Lock()
				done.add(one)
				lock.Unlock()
			}
		})
	}
	group.Wait()
	t.Logf("%d worlds: %+v", *worldsFlag, done)
	if done.found != done.forks {
		t.Errorf("%d forks, %d found", done.forks, done.found)
	}
	if *worldsFlag >= 8 && (done.refused == 0 || done.forks == 0 || done.cosigned == 0 || done.proofs == 0) {
		t.Errorf("the worlds are too quiet: %+v", done)
	}
}

// live lives through one world.
func live(ctx context.Context, seed uint64, empty []byte, broken breakage) (tally, error) {
	dir, err := os.MkdirTemp("", "avow-sim")
	if err != nil {
		return tally{}, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // what is left is in a folder for such things
	w, err := newWorld(ctx, seed, dir, empty)
	if err != nil {
		return tally{}, err
	}
	w.broken = broken
	err = w.run()
	return w.done, errors.Join(err, w.store.Close())
}

// A breakage is a way to break the machine on purpose.
type breakage int

const (
	whole breakage = iota
	guardForgets
	guardPutBack
	loseEvent
	inventLeaf
	repeatNumber
	alterLeaf
	loseChain
	takeHeadBack
	silentChange
	monitorForgets
	monitorBlind
	wrongProof
	neverSigns
)

// statements are what somebody does to the database.
var statements = map[breakage]string{
	loseEvent:    `DELETE FROM log_outbox WHERE number = (SELECT MAX(number) FROM log_outbox)`,
	inventLeaf:   `UPDATE log_outbox SET body = CAST(replace(CAST(body AS TEXT), 'number ', 'number 1000') AS BLOB)`,
	repeatNumber: `UPDATE log_outbox SET body = CAST(replace(CAST(body AS TEXT), 'number ' || number, 'number 1') AS BLOB)`,
	alterLeaf:    `UPDATE log_outbox SET body = CAST(replace(CAST(body AS TEXT), 'kind publisher.located', 'kind publisher.returned') AS BLOB)`,
	loseChain:    `UPDATE log_subjects SET hash = zeroblob(32) WHERE leaf_index > 0`,
	takeHeadBack: `DELETE FROM log_checkpoints WHERE size > (SELECT MIN(size) FROM log_checkpoints)`,
}

// tamper does what breaks a world.
func (w *world) tamper(step int) error {
	statement, any := statements[w.broken]
	if !any || step < 20 {
		return nil
	}
	db, err := sql.Open("sqlite", w.path())
	if err != nil {
		return err
	}
	_, err = db.ExecContext(w.ctx, statement)
	return errors.Join(err, db.Close())
}

// TestLogSimulationNotices breaks the machine on purpose: an invariant that never fails is worth
// nothing.
func TestLogSimulationNotices(t *testing.T) {
	t.Parallel()
	empty, err := os.ReadFile(sqlitetest.Path(t))
	ok(t, err)
	for broken, invariant := range map[breakage]string{
		guardForgets: "the guard is not behind", guardPutBack: secondHistory, loseEvent: "every event has its leaf", inventLeaf: "no leaf without its event",
		repeatNumber: "numbers rise", alterLeaf: "leaves say what happened", loseChain: "a leaf leads to the one before", takeHeadBack: "published sizes do not fall",
		silentChange: "the log says what custody knows", monitorForgets: "a monitor tells each leaf once",
		monitorBlind: "a fork is noticed by who holds both sides", wrongProof: "what is included verifies", neverSigns: "what is pending is included soon",
	} {
		t.Run(invariant, func(t *testing.T) {
			t.Parallel()
			var found *violation
			for seed := range uint64(20) {
				_, err := live(t.Context(), seed, empty, broken)
				// What is broken may break something else first.
				if errors.As(err, &found) && found.invariant == invariant {
					break
				}
				if err != nil && found == nil {
					t.Fatal(err)
				}
			}
			if found == nil || found.invariant != invariant {
				t.Errorf("found %v", found)
			}
		})
	}
}
