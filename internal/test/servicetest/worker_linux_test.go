package servicetest

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/test/pgtest"
)

// What make proof-workers sets.
var (
	workersFor        = flag.Duration("workers-for", 0, "how long workers are killed, one every few seconds; zero means a few, one after some requests each")
	workersPublishers = flag.Int("workers-publishers", 60, "how many publishers workers look at")
)

// workerInterval is how long the files of publishers are fresh, by the clock of workers.
func workerInterval() time.Duration {
	if *workersFor > 0 {
		return time.Hour
	}
	return 10 * time.Minute
}

// A fleet are workers on one store, with the publishers that they look at.
type fleet struct {
	*testing.T
	url, crowd string
	clock      fastClock
	store      custodian.Store
	db         *pgx.Conn
	// running are the workers, the oldest first, but for the one that sleeps.
	running []*exec.Cmd
	sleeper *exec.Cmd
	jobs    int

	mu sync.Mutex
	// asked has an element for every request, and revoked tells what files say.
	asked   chan struct{}
	revoked bool
	// unsaved counts the changes that workers could not commit at once. They are made again,
	// without a lease, because they may take something away.
	unsaved int
}

// Write takes what workers write to their standard error.
func (f *fleet) Write(b []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.unsaved += bytes.Count(b, []byte("cannot save a change of custody"))
	return os.Stderr.Write(b)
}

// ServeHTTP answers for all publishers.
func (f *fleet) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	select {
	case f.asked <- struct{}{}:
	default: // nobody waits
	}
	f.mu.Lock()
	revoked, updated := "", f.clock.begin.Add(-2*time.Hour)
	if f.revoked {
		revoked = fmt.Sprintf(`{"publisher_domain": "former.example", "revoked_at": %q}`, updated.Format(time.RFC3339))
		updated = updated.Add(time.Hour)
	}
	f.mu.Unlock()
	if r.URL.Path != "/.well-known/adagents.json" {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", fmt.Sprintf("max-age=%d", int(workerInterval().Seconds())))
	h.Set("Date", f.clock.now().Format(http.TimeFormat))
	_, _ = fmt.Fprintf(w, `{"last_updated": %q, "authorized_agents": [{"url": "https://agent.example/", "authorized_for": "All", "authorization_type": "publisher_properties",
		"publisher_properties": [{"publisher_domain": %q, "selection_type": "all"}]}], "revoked_publisher_domains": [%s]}`, updated.Format(time.RFC3339), r.Host, revoked)
}

// audit has the database note every lease that ends and every look that is committed, each
// with its transaction.
const audit = `
CREATE TABLE audit_leases (name TEXT, fence BIGINT, tx BIGINT);
CREATE TABLE audit_looks (domain TEXT, tx BIGINT, at TIMESTAMPTZ);
CREATE FUNCTION audit_lease() RETURNS trigger AS $$ BEGIN INSERT INTO audit_leases VALUES (OLD.name, OLD.fence, txid_current()); RETURN NULL; END $$ LANGUAGE plpgsql;
CREATE FUNCTION audit_look() RETURNS trigger AS $$ BEGIN INSERT INTO audit_looks VALUES (NEW.domain, txid_current(), clock_timestamp()); RETURN NULL; END $$ LANGUAGE plpgsql;
CREATE TRIGGER audit AFTER UPDATE ON due FOR EACH ROW WHEN (OLD.attempt > 0 AND NEW.attempt = 0) EXECUTE FUNCTION audit_lease();
CREATE TRIGGER audit AFTER INSERT OR UPDATE ON custody_publishers FOR EACH ROW EXECUTE FUNCTION audit_look();`

func newFleet(t *testing.T) *fleet {
	t.Helper()
	f := &fleet{T: t, url: pgtest.URL(t), clock: fastClock{time.Now().UTC().Truncate(time.Second)}, asked: make(chan struct{}, 1000)}
	f.crowd = gather(t, f)
	st, err := store.Open(t.Context(), f.url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	f.store = st.Custody()
	f.db, err = pgx.Connect(t.Context(), f.url)
	if err == nil {
		_, err = f.db.Exec(t.Context(), audit)
	}
	if err == nil {
		_, err = f.store.Plan(t.Context(), f.publishers(), custodian.Wanted, f.clock.now())
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.db.Close(context.Background()) })
	t.Cleanup(f.end)
	for range 4 {
		f.start()
	}
	return f
}

// publishers are those that workers look at whether somebody requests it or not.
func (f *fleet) publishers() []hostname.Domain {
	var all []hostname.Domain
	for i := range *workersPublishers {
		all = append(all, hostname.Domain(fmt.Sprintf("p%d.example", i)))
	}
	return all
}

// start starts a worker.
func (f *fleet) start() {
	f.Helper()
	exe, err := os.Executable()
	if err != nil {
		f.Fatal(err)
	}
	w := exec.Command(exe)
	w.Env = []string{fmt.Sprintf("%s=%d,%s", workerVariable, f.clock.begin.Unix(), f.url), crowdVariable + "=" + f.crowd, "HOME=" + f.TempDir()}
	w.Stderr = f
	_, err = w.StdinPipe() // it ends with this process, and the worker with it
	if err == nil {
		err = w.Start()
	}
	if err != nil {
		f.Fatal(err)
	}
	f.running = append(f.running, w)
}

// kill kills a worker, and starts another.
func (f *fleet) kill() {
	f.Helper()
	w := f.running[0]
	f.running = f.running[1:]
	err := w.Process.Kill()
	if err != nil {
		f.Fatal(err)
	}
	_ = w.Wait() // it was killed
	if len(f.running) < 4 {
		f.start()
	}
}

// end kills all workers.
func (f *fleet) end() {
	f.wake()
	for _, w := range f.running {
		_ = w.Process.Kill()
		_ = w.Wait() // it was killed
	}
	f.running = nil
}

// sleep has a worker sleep, and starts another.
func (f *fleet) sleep() {
	f.Helper()
	last := len(f.running) - 1
	f.sleeper, f.running = f.running[last], f.running[:last]
	err := f.sleeper.Process.Signal(syscall.SIGSTOP)
	if err != nil {
		f.Fatal(err)
	}
	f.start()
}

// wake has the one that sleeps go on.
func (f *fleet) wake() {
	f.Helper()
	if f.sleeper == nil {
		return
	}
	err := f.sleeper.Process.Signal(syscall.SIGCONT)
	if err != nil {
		f.Fatal(err)
	}
	f.running, f.sleeper = append(f.running, f.sleeper), nil
}

// request has a publisher looked at.
func (f *fleet) request() {
	f.Helper()
	f.jobs++
	domain := hostname.Domain(fmt.Sprintf("job%d.example", f.jobs))
	err := f.store.Request(f.Context(), &custodian.Request{
		ID: fmt.Sprint(f.jobs), Domain: domain, Caller: "key", Status: custodian.RequestQueued, RequestedAt: f.clock.now(),
	}, custodian.RequestLimits{Caller: 1 << 20, Open: 1 << 20})
	if err != nil {
		f.Fatal(err)
	}
}

// number is what a query returns.
func (f *fleet) number(query string) int {
	f.Helper()
	var n int
	err := f.db.QueryRow(f.Context(), query).Scan(&n)
	if err != nil {
		f.Fatal(err)
	}
	return n
}

// unrevoked returns how many publishers' files are on record without what they revoke.
func (f *fleet) unrevoked() int {
	f.Helper()
	n := 0
	for _, domain := range f.publishers() {
		file, err := f.store.File(f.Context(), "https://"+string(domain)+"/.well-known/adagents.json")
		if err != nil || len(file.Revocations) == 0 {
			n++
		}
	}
	return n
}

// TestWorkersKilled kills workers on one database again and again, and lets one sleep for
// longer than its leases last. Each lease ends once and each look ends one, and nothing that
// was requested or revoked is lost. With -workers-for, every publisher is looked at in time
// all the while.
func TestWorkersKilled(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	kills := 0
	for end := time.Now().Add(*workersFor); kills < 6 || time.Now().Before(end); kills++ {
		f.pause()
		f.request()
		switch kills % 6 {
		case 1:
			f.sleep()
		case 3:
			f.mu.Lock()
			f.revoked = true
			f.mu.Unlock()
		case 5:
			f.wake()
		}
		f.kill()
	}
	f.wake()
	gap := time.Duration(f.number(`SELECT coalesce((extract(epoch FROM max(gap)) * 1000000)::BIGINT, 0) FROM
		(SELECT lead(at, 1, clock_timestamp()) OVER (PARTITION BY domain ORDER BY at) - at AS gap FROM audit_looks WHERE domain LIKE 'p%') AS gaps`)) * time.Microsecond
	until(t, "all that was requested has ended", func() bool {
		return f.number(`SELECT count(*) FROM crawl_requests WHERE completed_at IS NULL`) == 0
	})
	until(t, "what is revoked is on record", func() bool { return f.unrevoked() == 0 })
	f.end() // with all that they wrote
	interval := workerInterval() / workerSpeed
	t.Logf("%d workers killed: %d requests were done, %d looks, %d saved later, the longest pause of a publisher was %.2f intervals",
		kills, f.jobs, f.number(`SELECT count(*) FROM audit_looks`), f.unsaved, gap.Seconds()/interval.Seconds())
	if *workersFor > 0 && gap > 2*interval {
		t.Error("a publisher was not looked at in time")
	}
	for what, n := range map[string]int{
		"requests that were lost":               f.jobs - f.number(`SELECT count(*) FROM crawl_requests`),
		"leases that have ended more than once": f.number(`SELECT count(*) FROM (SELECT FROM audit_leases GROUP BY name, fence HAVING count(*) > 1) AS twice`),
		"looks that have not ended a lease": max(0, f.number(`SELECT count(*) FROM audit_looks l WHERE NOT EXISTS
			(SELECT FROM audit_leases a WHERE a.name = l.domain AND a.tx = l.tx)`)-f.unsaved),
	} {
		if n != 0 {
			t.Errorf("%s: %d", what, n)
		}
	}
}

// pause waits between two kills: for some requests, or for some seconds.
func (f *fleet) pause() {
	f.Helper()
	if *workersFor > 0 {
		time.Sleep(2*time.Second + rand.N(4*time.Second))
		return
	}
	for range 8 {
		select {
		case <-f.asked:
		case <-time.After(longest):
			f.Fatal("nobody is asked")
		}
	}
}
