package servicetest

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
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
		return 30 * time.Minute
	}
	return 5 * time.Minute
}

// A fleet are processes that look at publishers, and one that answers, on one store.
type fleet struct {
	*testing.T
	place *place
	crowd string
	clock fastClock
	store custodian.Store
	db    *pgx.Conn
	api   *process
	// all are the workers there ever were, and running those there are, the oldest first, but
	// for the one that sleeps.
	all, running []*process
	sleeper      *process
	jobs         []string // the paths of what was requested

	mu sync.Mutex
	// asked has an element for every request, and revoked tells what files say.
	asked   chan struct{}
	revoked bool
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
	url := pgtest.URL(t)
	f := &fleet{T: t, place: newPlace(t, url), clock: fastClock{time.Now().UTC().Truncate(time.Second)}, asked: make(chan struct{}, 1000)}
	f.crowd = gather(t, f)
	f.store = openCustody(t, url)
	var err error
	f.db, err = pgx.Connect(t.Context(), url)
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
	f.api = f.serve("api")
	for range 4 {
		f.start()
	}
	return f
}

// openCustody opens the records of a store.
func openCustody(t *testing.T, url string) custodian.Store {
	t.Helper()
	st, err := store.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	return st.Custody()
}

// serve starts a process with the clock of all.
func (f *fleet) serve(role string) *process {
	f.Helper()
	return f.place.serve(webVariable+"=", crowdVariable+"="+f.crowd, "AVOW_ROLE="+role, fmt.Sprintf("%s=%d", clockVariable, f.clock.begin.Unix()))
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
	w := f.serve("worker")
	f.all, f.running = append(f.all, w), append(f.running, w)
}

// kill kills a worker, and starts another.
func (f *fleet) kill() {
	f.Helper()
	f.running[0].kill()
	f.running = f.running[1:]
	if len(f.running) < 4 {
		f.start()
	}
}

// sleep has a worker sleep, and starts another.
func (f *fleet) sleep() {
	f.Helper()
	last := len(f.running) - 1
	f.sleeper, f.running = f.running[last], f.running[:last]
	f.Cleanup(f.wake) // before it is told to stop
	err := f.sleeper.cmd.Process.Signal(syscall.SIGSTOP)
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
	err := f.sleeper.cmd.Process.Signal(syscall.SIGCONT)
	if err != nil {
		f.Fatal(err)
	}
	f.running, f.sleeper = append(f.running, f.sleeper), nil
}

// request has a publisher looked at.
func (f *fleet) request() {
	f.Helper()
	body := fmt.Sprintf(`{"domain": "job%d.example"}`, len(f.jobs))
	a := f.api.must(http.StatusAccepted, "POST", "/api/registry/crawl-request", body, bearer(f.place.write)...)
	f.jobs = append(f.jobs, "/api/registry/crawl-request/"+memberOf(a.body, "crawl_request_id"))
}

// unsaved counts the changes that workers could not commit at once. They are made again, without
// a lease, because they may take something away.
func (f *fleet) unsaved() int {
	n := 0
	for _, w := range f.all {
		n += strings.Count(w.log.String(), "cannot save a change of custody")
	}
	return n
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
		if kills%2 == 0 { // more are refused
			f.request()
		}
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
	for _, path := range f.jobs {
		until(t, path+" is done", func() bool {
			return memberOf(f.api.must(200, "GET", path, "", bearer(f.place.write)...).body, "status") == "completed"
		})
	}
	until(t, "what is revoked is on record", func() bool { return f.unrevoked() == 0 })
	for _, w := range f.running {
		w.stop() // with all that it writes
	}
	interval, unsaved := workerInterval()/workerSpeed, f.unsaved()
	t.Logf("%d workers killed: %d requests were done, %d looks, %d saved later, the longest pause of a publisher was %.2f intervals",
		kills, len(f.jobs), f.number(`SELECT count(*) FROM audit_looks`), unsaved, gap.Seconds()/interval.Seconds())
	if *workersFor > 0 && gap > 2*interval {
		t.Error("a publisher was not looked at in time")
	}
	for what, n := range map[string]int{
		"leases that have ended more than once": f.number(`SELECT count(*) FROM (SELECT FROM audit_leases GROUP BY name, fence HAVING count(*) > 1) AS twice`),
		"looks that have not ended a lease": max(0, f.number(`SELECT count(*) FROM audit_looks l WHERE NOT EXISTS
			(SELECT FROM audit_leases a WHERE a.name = l.domain AND a.tx = l.tx)`)-unsaved),
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
		case <-time.After(patience):
			f.Fatal("nobody is asked")
		}
	}
}
