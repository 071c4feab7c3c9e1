package postgres

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/test/pgtest"
)

// runOn runs statements outside of the store.
func runOn(b *testing.B, url string, statements ...string) {
	b.Helper()
	conn, err := pgx.Connect(b.Context(), url)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = conn.Close(b.Context()) }()
	for _, s := range statements {
		_, err = conn.Exec(b.Context(), s)
		if err != nil {
			b.Fatal(err)
		}
	}
}

// sizeOfDue is the size of the due list with its indexes, in bytes.
func sizeOfDue(b *testing.B, url string) float64 {
	b.Helper()
	conn, err := pgx.Connect(b.Context(), url)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = conn.Close(b.Context()) }()
	var n float64
	err = conn.QueryRow(b.Context(), `SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree('due')`).Scan(&n)
	if err != nil {
		b.Fatal(err)
	}
	return n
}

// BenchmarkTake: what it takes to take 500 rows from due lists of several lengths, all of
// them due, at the 99th percentile.
func BenchmarkTake(b *testing.B) {
	for _, rows := range []int{100_000, 1_000_000, 10_000_000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			url := pgtest.URL(b)
			s, err := Open(b.Context(), url)
			if err != nil {
				b.Fatal(err)
			}
			defer func() { _ = s.Close() }()
			runOn(b, url, fmt.Sprintf(`INSERT INTO due SELECT 'p' || n || '.example', '', 1, 0, n, 0, 0 FROM generate_series(1, %d) AS n`, rows), `VACUUM ANALYZE due`)
			perRow := sizeOfDue(b, url) / float64(rows)
			now := time.Now()
			var spent []time.Duration
			for b.Loop() {
				begun := time.Now()
				tasks, err := s.Custody().Take(b.Context(), now, time.Hour, 500)
				spent = append(spent, time.Since(begun))
				if err != nil || len(tasks) != 500 {
					b.Fatalf("%d rows, %v", len(tasks), err)
				}
			}
			slices.Sort(spent)
			b.ReportMetric(perRow, "B/row")
			b.ReportMetric(float64(spent[len(spent)*99/100].Microseconds())/1000, "p99-ms")
			b.ReportMetric(float64(spent[len(spent)/2].Microseconds())/1000, "p50-ms")
		})
	}
}

// BenchmarkRounds: how much a due list has grown after ten rounds in which every row was
// taken and given back, vacuumed as often as its settings ask for, and while somebody else's
// transaction holds its snapshot.
func BenchmarkRounds(b *testing.B) {
	for _, held := range []bool{false, true} {
		b.Run(fmt.Sprint("held=", held), func(b *testing.B) {
			for b.Loop() {
				b.ReportMetric(grown(b, held), "growth")
			}
		})
	}
}

func grown(b *testing.B, held bool) float64 {
	b.Helper()
	const rows, rounds, batch = 100_000, 10, 256
	url := pgtest.URL(b)
	s, err := Open(b.Context(), url)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	runOn(b, url, fmt.Sprintf(`INSERT INTO due SELECT 'p' || n || '.example', '', 1, 0, n, 0, 0 FROM generate_series(1, %d) AS n`, rows), `VACUUM ANALYZE due`)
	conn, err := pgx.Connect(b.Context(), url)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = conn.Close(b.Context()) }()
	db, err := open(b.Context(), url)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	before := sizeOfDue(b, url)
	if held {
		other, err := pgx.Connect(b.Context(), url)
		if err != nil {
			b.Fatal(err)
		}
		defer func() { _ = other.Close(b.Context()) }()
		_, err = other.Exec(b.Context(), `BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT COUNT(*) FROM documents`)
		if err != nil {
			b.Fatal(err)
		}
	}
	c := s.Custody()
	for round := range rounds {
		now := time.UnixMicro(int64(rows)).Add(time.Duration(round) * 24 * time.Hour)
		for i := 0; i < rows; {
			tasks, err := c.Take(b.Context(), now, time.Hour, batch)
			if err != nil || len(tasks) == 0 {
				b.Fatalf("%d of %d: %v", i, rows, err)
			}
			var leases []custodian.Lease
			for j := range tasks {
				leases = append(leases, tasks[j].Lease)
			}
			err = c.Release(b.Context(), leases, now.Add(24*time.Hour))
			if err != nil {
				b.Fatal(err)
			}
			i += len(tasks)
			if i%(rows/50) < len(tasks) {
				_, err = conn.Exec(b.Context(), `VACUUM due`)
				if err == nil {
					err = db.Tidy(b.Context())
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		}
	}
	return sizeOfDue(b, url) / before
}
