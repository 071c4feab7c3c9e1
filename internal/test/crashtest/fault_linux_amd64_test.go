package crashtest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// ingested is the step that faults are injected into: a new version with a revocation. The
// steps before it are in the store already.
const ingested = turns + 1

// faults are those that are injected.
var faults = []struct {
	name string
	fault
}{
	{"EIO", fault{Errno: syscall.EIO}}, {"ENOSPC", fault{Errno: syscall.ENOSPC}}, {"kill", killed}, {"torn", fault{Kill: true, Torn: true}},
}

var killed = fault{Kill: true}

// TestFaults lets every single write of an ingest fail, from the opening of the store to
// its closing, each in a process of its own. Whatever was acknowledged is in the store that
// the process leaves, and also in what is left of it when the machine loses its power.
// The faults take turns from one write to the next, unless all are asked for at each.
func TestFaults(t *testing.T) {
	t.Parallel()
	template := t.TempDir()
	l := ledger{web: web{network: "net", base: base()}}
	// That was a while ago, so that the ingest also notes the time.
	s, err := open(t.Context(), "sqlite:"+filepath.Join(template, storeName), l.web, 10*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	for step := range ingested {
		a, err := s.ingest(t.Context(), step)
		if err != nil {
			t.Fatal(err)
		}
		l.acks = append(l.acks, *a)
	}
	err = s.store.Close()
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range faults {
		first, stride := 1+i, len(faults)
		if *all {
			first, stride = 1, 1
		}
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			everywhere(t, template, &l, f.fault, first, stride)
		})
	}
}

// TestFaultsAtFirst is the same for the first ingest of all, which makes the store. That
// has many more writes; unless all are asked for, the process is killed at some of them.
func TestFaultsAtFirst(t *testing.T) {
	t.Parallel()
	l := ledger{web: web{network: "net", base: base()}}
	stride := 20
	if *all {
		stride = 1
	}
	everywhere(t, t.TempDir(), &l, killed, 1, stride)
}

// everywhere injects a fault into one write after the other, until there is none left.
func everywhere(t *testing.T, template string, l *ledger, f fault, first, stride int) {
	t.Helper()
	var count counts
	for n := first; ; n += stride {
		v := newVictim(t, template, l, n, f)
		v.run()
		if v.hit == nil {
			break
		}
		count.add(v)
	}
	t.Log(count.of(f))
	if count.overlooked > noteWrites {
		t.Errorf("%d writes to the log failed and were not noticed, want those that note the time", count.overlooked)
	}
	if writes := count.points * stride; writes < 50 {
		t.Errorf("there were only %d writes", writes)
	}
}

// counts holds what became of the processes.
type counts struct{ points, opens, ingests, closes, unnoticed, overlooked int }

// noteWrites is how many writes it takes to note the time. An ingest goes on without that:
// on a full disk the time that was noted last has to do.
const noteWrites = 2

func (c *counts) add(v *victim) {
	c.points++
	if v.overlooked {
		c.overlooked++
	}
	switch {
	case v.failed("open"):
		c.opens++
	case v.failed("ingest"):
		c.ingests++
	case v.failed("close"):
		c.closes++
	case !v.fault.Kill:
		c.unnoticed++
	}
}

// of writes the counts.
func (c counts) of(f fault) string {
	if f.Kill {
		return fmt.Sprintf("killed at %d writes", c.points)
	}
	return fmt.Sprintf("%v at %d writes: the store did not open after %d, the ingest failed after %d, closing failed after %d, %d made no difference",
		f.Errno, c.points, c.opens, c.ingests, c.closes, c.unnoticed)
}

// A victim is a process with a fault at its nth write.
type victim struct {
	t      *testing.T
	disk   disk
	ledger ledger
	number int
	from   int // the step
	fault  fault

	hit *call // nil when there are fewer writes
	// overlooked: the fault was in the log of the database, and the ingest did not fail.
	overlooked bool
	lines      []line
	status     syscall.WaitStatus
}

func newVictim(t *testing.T, template string, l *ledger, n int, f fault) *victim {
	t.Helper()
	root := t.TempDir()
	v := &victim{t: t, number: n, from: l.next(), fault: f, ledger: ledger{web: l.web, acks: slices.Clone(l.acks)}}
	v.disk = disk{
		dir: filepath.Join(root, "seen"), durable: filepath.Join(root, "durable"),
		linked: map[string]bool{storeName: len(l.acks) > 0, storeName + ".seen": len(l.acks) > 0}, waiting: map[string][]byte{},
	}
	for _, dir := range []string{v.disk.dir, v.disk.durable} {
		err := os.Mkdir(dir, 0o700)
		if err != nil {
			t.Fatal(err)
		}
		copyStore(t, template, dir)
	}
	return v
}

// decide is the tracer's question.
func (v *victim) decide(c call) *fault {
	if c.Number != v.number {
		return nil
	}
	v.hit = &c
	return &v.fault
}

// run runs the process, and looks at what it said and left behind.
func (v *victim) run() {
	v.t.Helper()
	v.trace()
	for _, l := range v.lines {
		if l.Ack != nil {
			v.ledger.acks = append(v.ledger.acks, *l.Ack)
		}
		if l.Failure != nil {
			v.closed(l.Failure)
		}
	}
	v.ended()
	for _, dir := range []string{v.disk.durable, v.disk.dir} {
		v.ledger.audit(v.t, filepath.Join(dir, storeName))
	}
	err := os.RemoveAll(filepath.Dir(v.disk.dir))
	if err != nil {
		v.t.Fatal(err)
	}
}

// trace runs the process.
func (v *victim) trace() {
	v.t.Helper()
	text, err := json.Marshal(task{
		Store: "sqlite:" + filepath.Join(v.disk.dir, storeName), Network: v.ledger.web.network, Base: v.ledger.web.base,
		From: v.from, Steps: 1, Again: true,
	})
	if err != nil {
		v.t.Fatal(err)
	}
	out, in, err := os.Pipe()
	if err != nil {
		v.t.Fatal(err)
	}
	defer out.Close()
	lines := listen(out)
	// Temporary files are written during an ingest too, and count.
	env := append(os.Environ(), taskVariable+"="+string(text), "SQLITE_TMPDIR="+v.disk.dir)
	tracer := &tracer{dir: v.disk.dir, decide: v.decide, done: v.disk.done}
	v.status, err = tracer.run(os.Args[0], env, in)
	if err != nil {
		v.t.Fatal(err)
	}
	err = in.Close()
	if err != nil {
		v.t.Fatal(err)
	}
	for l := range lines {
		v.lines = append(v.lines, l)
	}
}

// failed reports whether the process said that something failed.
func (v *victim) failed(during string) bool {
	return slices.ContainsFunc(v.lines, func(l line) bool { return l.Failure != nil && l.Failure.During == during })
}

// closed looks at the answers after a failure: as long as the revocation is not kept, there
// are none.
func (v *victim) closed(f *failure) {
	v.t.Helper()
	if f.During == "ingest" && !f.Revokes && (f.Served == "usable" || f.Ready == "") {
		v.t.Errorf("after %v at %v the ingest failed with %q, and the keeper goes on as if nothing had been seen: ready %q, served %s",
			v.fault, v.hit, f.Error, f.Ready, f.Served)
	}
}

// ended looks at how the process ended, and whether it said what happened.
func (v *victim) ended() {
	v.t.Helper()
	switch {
	case v.hit != nil && v.fault.Kill:
		if !v.status.Signaled() || v.status.Signal() != syscall.SIGKILL {
			v.t.Errorf("at %v the process was to be killed, and ended with %v", v.hit, v.status)
		}
		return
	case !v.status.Exited() || v.status.ExitStatus() != 0:
		v.t.Errorf("after %v at %v the process ended with %v", v.fault, v.hit, v.status)
		return
	case v.ledger.next() != v.from+1:
		v.t.Errorf("after %v at %v the ingest did not succeed the second time", v.fault, v.hit)
	}
	// The first thing that a process says is that the store is open.
	if v.hit != nil && v.hit.Said == 1 && strings.HasSuffix(v.hit.File, "-wal") && v.hit.Name != "open" && !v.failed("ingest") {
		v.overlooked = true
	}
}
