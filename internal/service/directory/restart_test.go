package directory_test

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/directory"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/test/sqlitetest"
	"github.com/avow-project/avow/resolve"
)

// start reads a directory from the store.
func (l *lab) start(d *directory.Directory) *directory.View {
	l.t.Helper()
	err := d.Load(l.t.Context())
	if err != nil {
		l.t.Fatal(err)
	}
	return l.review(d)
}

// review returns a view of a directory that has read all that it has to.
func (l *lab) review(d *directory.Directory) *directory.View {
	l.t.Helper()
	err := d.Review(l.t.Context())
	if err != nil {
		l.t.Fatal(err)
	}
	v, err := d.View(l.t.Context())
	if err != nil {
		l.t.Fatal(err)
	}
	return v
}

// restarted is a view of what another process reads from the store.
func (l *lab) restarted(configure ...func(*directory.Config)) *directory.View {
	l.t.Helper()
	k, err := custodian.New(custodian.Config{Store: l.store, Finder: discover.New(discover.Config{Client: l.web, Now: l.clock}), Now: l.clock})
	if err != nil {
		l.t.Fatal(err)
	}
	c := directory.Config{Keeper: k, Store: l.store, Patience: time.Hour}
	for _, f := range configure {
		f(&c)
	}
	return l.start(directory.New(c))
}

// everything is what a view answers to every kind of question, as text.
func everything(v *directory.View) []string {
	out := []string{fmt.Sprintf("%d looked at, %d missing, %+v", v.Looked(), v.Missing, v.Stats())}
	list, _ := v.Publishers("", 1000, nil)
	for i := range list {
		e := &list[i]
		out = append(out, fmt.Sprintf("%s %+v %x", e.Domain, e.Standing, e.Fingerprint()))
		if e.Publisher == nil {
			continue
		}
		out = append(out, fmt.Sprint(e.Properties, e.Types, e.Grants, e.Identifiers, e.Missing, v.Contests(e.Publisher, 10)))
		for _, id := range e.Identifiers {
			out = append(out, fmt.Sprint(id, len(v.Lists(id))))
		}
	}
	for _, agent := range []string{agentA, agentB} {
		rows, next := v.Rows(directory.RowQuery{Agent: agent, Limit: 1000, Authorized: true, Revoked: true})
		for i := range rows {
			r := &rows[i]
			out = append(out, fmt.Sprint(agent, r.Domain, r.Grant, r.Revoked, r.Sold.Authorized, r.Sold.Total))
		}
		_, unsettled := v.Unsettled(agent, 0)
		out = append(out, fmt.Sprint(agent, v.Agent(agent), unsettled, next))
		for i := range list {
			q := resolve.Question{Publisher: string(list[i].Domain), Agent: agent, Property: "site", At: v.At.Early}
			d, _, known := v.Decide(&q)
			out = append(out, fmt.Sprint(q.Publisher, d, known))
		}
	}
	return out
}

const networkURL = "https://network.example/adagents.json"

// A history changes a web at random.
type history struct {
	*rand.Rand
	*lab
	domains []string
	version int
}

// date is later each time.
func (h *history) date() string {
	h.version++
	return noon.Add(time.Duration(h.version-10_000) * time.Minute).Format(time.RFC3339)
}

func (h *history) agent() string { return []string{agentA, agentB}[h.IntN(2)] }

// file is a version of a publisher's own file.
func (h *history) file(domain string) string {
	more := fmt.Sprintf(`{"url": "%s", "authorized_for": "x", "authorization_type": "property_ids", "property_ids": ["app"], "effective_until": "%s"}`,
		h.agent(), h.clock().Add(time.Duration(h.IntN(20))*time.Hour).Format(time.RFC3339))
	return strings.Replace(own(domain, h.agent(), more), "2026-02-01T00:00:00Z", h.date(), 1)
}

// network is a version of the file that publishers share.
func (h *history) network() string {
	revoked := ""
	if h.IntN(2) == 0 {
		revoked = fmt.Sprintf(`, "revoked_publisher_domains": [{"publisher_domain": "%s", "revoked_at": "2026-02-02T00:00:00Z"}]`, h.domains[h.IntN(len(h.domains))])
	}
	return fmt.Sprintf(`{"last_updated": "%s", "properties": [{"property_id": "site", "property_type": "website", "name": "x", "publisher_domain": "%s", "identifiers": [{"type": "domain", "value": "www.network.example"}]}],
		"authorized_agents": [{"url": "%s", "authorized_for": "x", "authorization_type": "publisher_properties", "publisher_properties": [{"publisher_domains": ["%s", "named.example"], "selection_type": "all"}]}]%s}`,
		h.date(), h.domains[h.IntN(len(h.domains))], h.agent(), strings.Join(h.domains, `","`), revoked)
}

// identifiers are all that files list.
func (h *history) identifiers() []custodian.Identifier {
	all := []custodian.Identifier{{Type: "domain", Value: "www.network.example"}, {Type: "ios_bundle", Value: "com.shared.app"}}
	for _, domain := range h.domains {
		all = append(all, custodian.Identifier{Type: "domain", Value: domain})
	}
	return all
}

// step changes something on the web, lets time pass, and looks at somebody.
func (h *history) step() {
	domain := h.domains[h.IntN(len(h.domains))]
	switch h.IntN(8) {
	case 0:
		h.web.remove(wellKnown(domain))
	case 1:
		h.web.set(wellKnown(domain), "")
	case 2:
		h.web.set(wellKnown(domain), `{"authorized_agents": 7}`)
	case 3, 4:
		h.web.set(wellKnown(domain), fmt.Sprintf(`{"authoritative_location": %q, "last_updated": %q}`, networkURL, h.date()))
	case 5:
		h.web.set(networkURL, h.network())
	default:
		h.web.set(wellKnown(domain), h.file(domain))
	}
	h.pass(time.Duration(h.IntN(10)) * time.Hour)
	h.look(domain, h.domains[h.IntN(len(h.domains))])
}

// A meddler is a keeper with which publishers change after they were read.
type meddler struct {
	*custodian.Keeper
	meddle func()
}

func (m *meddler) Snapshots(ctx context.Context, domains []hostname.Domain, f func(hostname.Domain, *custodian.Snapshot, error)) {
	type read struct {
		domain hostname.Domain
		s      *custodian.Snapshot
		err    error
	}
	var all []read
	m.Keeper.Snapshots(ctx, domains, func(domain hostname.Domain, s *custodian.Snapshot, err error) {
		all = append(all, read{domain, s, err})
	})
	m.meddle()
	for _, r := range all {
		f(r.domain, r.s, r.err)
	}
}

// TestRestart: a directory that is read from the store gives the answers of one that was there
// all the time, also when publishers change while it is read.
func TestRestart(t *testing.T) {
	t.Parallel()
	for name, open := range stores() {
		for seed := range uint64(4) {
			t.Run(fmt.Sprint(name, " ", seed), func(t *testing.T) {
				t.Parallel()
				l := openLab(t, open(t), &web{pages: map[string]string{}})
				h := &history{Rand: rand.New(rand.NewPCG(seed, 22)), lab: l}
				for i := range 8 {
					h.domains = append(h.domains, fmt.Sprintf("p%d.example", i))
				}
				l.start(l.dir)
				same := func(d *directory.Directory) {
					t.Helper()
					diff := cmp.Diff(everything(l.review(d)), everything(l.restarted()))
					if diff != "" {
						t.Fatalf("what was read differs from what followed (-followed +read):\n%s", diff)
					}
				}
				for range 10 {
					for range 4 {
						h.step()
					}
					same(l.dir)
				}
				l.dir = directory.New(directory.Config{Keeper: &meddler{l.keeper, h.step}, Store: l.store, Patience: time.Hour})
				l.start(l.dir)
				same(l.dir)
			})
		}
	}
}

// TestRestartFull: who does not fit is counted after a restart, too.
func TestRestartFull(t *testing.T) {
	t.Parallel()
	l := openLab(t, stores()["sqlite"](t), &web{pages: map[string]string{}})
	for i := range 30 {
		domain := fmt.Sprintf("n%02d.greedy.example", i)
		l.web.set(wellKnown(domain), own(domain, agentA))
		l.look(domain)
	}
	l.web.set(wellKnown("modest.example"), own("modest.example", agentB))
	l.look("modest.example")
	v := l.restarted(func(c *directory.Config) { c.Memory = 400_000 })
	sells := v.Agent(agentA).Publishers
	if v.Looked() != 31 || v.Missing == 0 || v.Missing+sells != 30 || v.Agent(agentB).Publishers != 1 {
		t.Errorf("%d were looked at, %d are missing, %d and %d are not", v.Looked(), v.Missing, sells, v.Agent(agentB).Publishers)
	}
	full := func() *directory.Directory {
		return directory.New(directory.Config{Keeper: l.process(), Store: l.store, Patience: time.Hour, Memory: 400_000})
	}
	l.note(full())
	d := full()
	_, ok := d.Begin(t.Context())
	again := l.start(d)
	if !ok || again.Missing != v.Missing || again.Agent(agentA).Publishers != sells {
		t.Errorf("after an outline (%t) %d are missing instead of %d, and %d are not instead of %d", ok, again.Missing, v.Missing, again.Agent(agentA).Publishers, sells)
	}
}

// TestRestartDamaged: records and files that are not as they were written are told to the
// operator, and to nobody else as something that is in effect.
func TestRestartDamaged(t *testing.T) {
	t.Parallel()
	path := sqlitetest.Path(t)
	l := openLab(t, "sqlite:"+path, &web{pages: map[string]string{}})
	version := `(SELECT hash FROM custody_versions v JOIN custody_files f ON f.key = v.file WHERE f.url = '%s')`
	damages := map[string]string{
		"record.example":   `UPDATE custody_publishers SET record = X'00' WHERE domain = 'record.example'`,
		"other.example":    `UPDATE custody_publishers SET record = (SELECT record FROM custody_publishers WHERE domain = 'whole.example') WHERE domain = 'other.example'`,
		"revision.example": `UPDATE custody_publishers SET revision = -1 WHERE domain = 'revision.example'`,
		"file.example":     `UPDATE custody_files SET record = substr(record, 1, 40) WHERE url = '` + wellKnown("file.example") + `'`,
		"bytes.example":    `UPDATE documents SET packed = X'28b52ffd' WHERE hash = ` + fmt.Sprintf(version, wellKnown("bytes.example")),
		"swapped.example": `UPDATE documents SET (size, packed) = (SELECT size, packed FROM documents WHERE hash = ` + fmt.Sprintf(version, wellKnown("whole.example")) +
			`) WHERE hash = ` + fmt.Sprintf(version, wellKnown("swapped.example")),
		"lost.example": `DELETE FROM documents WHERE hash = ` + fmt.Sprintf(version, wellKnown("lost.example")),
	}
	for _, domain := range append(slices.Collect(maps.Keys(damages)), "whole.example") {
		l.web.set(wellKnown(domain), own(domain, agentA))
		l.look(domain)
	}
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	for domain, statement := range damages {
		result, err := db.ExecContext(t.Context(), statement)
		if err != nil {
			t.Fatal(domain, err)
		}
		n, err := result.RowsAffected()
		if err != nil || n != 1 {
			t.Fatal(domain, n, err)
		}
	}
	var log strings.Builder
	v := l.restarted(func(c *directory.Config) { c.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	if v.Missing != len(damages) || v.Agent(agentA).Publishers != 1 {
		t.Errorf("%d are missing, and the agent has %d", v.Missing, v.Agent(agentA).Publishers)
	}
	for domain := range damages {
		q := resolve.Question{Publisher: domain, Agent: agentA, Property: "site", At: noon}
		_, _, decided := v.Decide(&q)
		e, _ := v.Publisher(hostname.Domain(domain))
		if e.Unreadable() != e.Adopted().IsZero() {
			t.Errorf("%s: unread %t, adopted %s", domain, e.Unreadable(), e.Adopted())
		}
		if decided || !strings.Contains(log.String(), "domain="+domain) {
			t.Errorf("%s: decided %t; the log is\n%s", domain, decided, log.String())
		}
	}
}
