package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/projection"
	"github.com/avow-project/avow/internal/service/retain"
	"github.com/avow-project/avow/internal/service/store/records"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// A watched database notes what it is asked, one reader at a time.
type watched struct {
	*database
	asked []asked
}

type asked struct {
	statement string
	args      []any
}

// Query implements records.Conn.
func (w *watched) Query(ctx context.Context, statement string, args ...any) (records.Rows, error) {
	w.asked = append(w.asked, asked{statement, args})
	return w.database.Query(ctx, statement, args...)
}

// Snapshot implements records.Database.
func (w *watched) Snapshot(ctx context.Context, f func(records.Conn) error) error {
	return w.database.Snapshot(ctx, func(c records.Conn) error { return f(watchedConn{c, w}) })
}

type watchedConn struct {
	records.Conn
	of *watched
}

func (c watchedConn) Query(ctx context.Context, statement string, args ...any) (records.Rows, error) {
	c.of.asked = append(c.of.asked, asked{statement, args})
	return c.Conn.Query(ctx, statement, args...)
}

// An uncountable database fails when it is asked how many rows a table has.
type uncountable struct{ *database }

var errUncountable = errors.New("it cannot be counted")

func (u uncountable) Query(ctx context.Context, statement string, args ...any) (records.Rows, error) {
	if statement == `SELECT COUNT(*) FROM documents` {
		return nil, errUncountable
	}
	return u.database.Query(ctx, statement, args...)
}

// TestPrunedButNotCounted: what was removed is said although the rest cannot be counted.
func TestPrunedButNotCounted(t *testing.T) {
	t.Parallel()
	db, err := open(t.Context(), filepath.Join(t.TempDir(), "store.db"))
	if err != nil {
		t.Fatal(err)
	}
	s := records.New(uncountable{db}, db.schema)
	t.Cleanup(func() { _ = s.Close() })
	_, err = s.PutDocument(t.Context(), []byte(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	pruned, err := s.Prune(t.Context(), retain.Options{Now: time.Now().Add(24 * time.Hour), Sweep: true})
	if !errors.Is(err, errUncountable) || pruned == nil || pruned.Documents.Rows != 1 || pruned.After == nil {
		t.Errorf("%+v, %v", pruned, err)
	}
}

// A sizeless database tells its size once, and fails when it is asked again.
type sizeless struct {
	*database
	asked *bool
}

func (s sizeless) Size(ctx context.Context) (retain.Usage, error) {
	if *s.asked {
		return retain.Usage{}, errUncountable
	}
	*s.asked = true
	return s.database.Size(ctx)
}

// TestPrunedButNotMeasured: what was removed is said, and no size that the store does not have.
func TestPrunedButNotMeasured(t *testing.T) {
	t.Parallel()
	db, err := open(t.Context(), filepath.Join(t.TempDir(), "store.db"))
	if err != nil {
		t.Fatal(err)
	}
	s := records.New(sizeless{db, new(bool)}, db.schema)
	t.Cleanup(func() { _ = s.Close() })
	_, err = s.PutDocument(t.Context(), []byte(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	pruned, err := s.Prune(t.Context(), retain.Options{Now: time.Now().Add(24 * time.Hour), Sweep: true})
	if !errors.Is(err, errUncountable) || pruned == nil || pruned.Documents.Rows != 1 || pruned.After != nil {
		t.Errorf("%+v, %v", pruned, err)
	}
}

// TestPlans checks that a page takes as many statements whatever it has on it, and that none of them
// goes through a table.
func TestPlans(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store.db")
	db, err := open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	w := &watched{database: db}
	s := records.New(w, db.schema)
	t.Cleanup(func() { _ = s.Close() })
	const agent, last, page = "https://agent.example/mcp", "p000.example", 200
	id := resolve.Identifier{Type: "domain", Value: "shared.example"}
	var domains []hostname.Domain
	for i := range page + 1 {
		domains = append(domains, planned(t, s.Custody(), i, agent, id))
	}
	plain := openDB(path, 1, url.Values{})
	t.Cleanup(func() { _ = plain.Close() })
	const (
		publisher = `SEARCH p USING INDEX sqlite_autoindex_custody_publishers_1 `
		file      = `SEARCH f USING INDEX sqlite_autoindex_custody_files_1 (key=?) LEFT-JOIN`
	)
	ctx, k := t.Context(), s.Custody()
	for _, tc := range []struct {
		name string
		ask  func() (int, error)
		want [][]string // the searches of each statement
	}{
		{"publishers of an agent", func() (int, error) {
			list, err := k.PairsOf(ctx, agent, projection.Sells, last, page)
			return len(list), err
		}, [][]string{{`SEARCH pairs USING PRIMARY KEY (agent=? AND state=? AND domain>?)`, `SCAN r`, publisher + `(domain=?)`, file}}},
		{"snapshot", func() (int, error) {
			list, err := k.Grants(ctx, last, page)
			return len(list), err
		}, [][]string{{publisher + `(domain>?)`, file}, {`SEARCH feed_events USING INDEX feed_events_publisher (publisher>? AND publisher<?)`}}},
		{"publishers", func() (int, error) {
			list, err := k.Listed(ctx, last, page)
			return len(list), err
		}, [][]string{{publisher + `(domain>? AND domain<?)`, file}, {`SEARCH due USING PRIMARY KEY (name>? AND name<?)`}}},
		{"some publishers", func() (int, error) {
			list, err := k.Holdings(ctx, domains[1:])
			return len(list), err
		}, [][]string{{publisher + `(domain=?)`, file}}},
		{"what was told of some publishers", func() (int, error) {
			told, err := k.Reported(ctx, domains[1:])
			return len(told), err
		}, [][]string{{`SEARCH feed_events USING INDEX feed_events_publisher (publisher=?)`}}},
		{"an identifier", func() (int, error) {
			list, err := k.Claims(ctx, custodian.CanonicalIdentifier(id), time.Time{}, page)
			return len(list), err
		}, [][]string{{`SEARCH identifiers USING PRIMARY KEY (key=?)`}}},
	} {
		w.asked = nil
		n, err := tc.ask()
		if n != page || err != nil {
			t.Errorf("%s: %d, want %d: %v", tc.name, n, page, err)
		}
		var have [][]string
		for _, a := range w.asked {
			have = append(have, planOf(t, plain, a))
		}
		diff := cmp.Diff(tc.want, have)
		if diff != "" {
			t.Errorf("%s: (-want +have)\n%s", tc.name, diff)
		}
	}
}

// planOf returns how a statement finds its rows.
func planOf(t *testing.T, db *sql.DB, a asked) []string {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), `EXPLAIN QUERY PLAN `+a.statement, a.args...)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	var all []string
	for rows.Next() {
		var id, parent, unused int
		var detail string
		err := rows.Scan(&id, &parent, &unused, &detail)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(detail, "SEARCH") || strings.HasPrefix(detail, "SCAN") {
			all = append(all, detail)
		}
	}
	err = rows.Err()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// planned commits a publisher with a file that lets an agent sell something.
func planned(t *testing.T, k *records.Custody, i int, agent string, id resolve.Identifier) hostname.Domain {
	t.Helper()
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	domain := hostname.Domain(fmt.Sprintf("p%03d.example", i))
	place := "https://" + string(domain) + "/.well-known/adagents.json"
	err := k.Commit(t.Context(), &custodian.Change{
		Publisher: &custody.Publisher{Domain: domain, Location: custody.Location{URL: place, Method: custody.Direct}, TriedAt: at},
		Files:     []*custody.File{{URL: place, TriedAt: at}},
		Index: &custodian.Index{At: at, Identifiers: []resolve.Identifier{id}, Directory: &projection.Change{
			Domain: domain, At: at, Shown: &projection.Shown{}, Pairs: []projection.Pair{{Agent: agent, Made: at}},
			Events: []projection.Event{{Type: projection.Granted, Publisher: string(domain), Agent: projection.AgentName(agent), Entity: string(domain), Live: true, Payload: []byte(`{}`)}},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return domain
}
