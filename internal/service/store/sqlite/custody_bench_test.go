package sqlite

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"flag"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/store/records"
	"github.com/avow-project/avow/internal/std/hostname"
)

// The figure that is promised is that of a million:
//
//	go test ./internal/service/store/sqlite -run '^$' -bench CustodyOpen -benchtime 3x -args -publishers=1000000
var publishers = flag.Int("publishers", 10_000, "how many publishers the store of a benchmark has")

// benchDay is when the publishers of the benchmark were asked.
var benchDay = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)

// benchDomain is a publisher's domain.
func benchDomain(i int) string { return fmt.Sprintf("www%07d.publisher.example", i) }

// benchURL is where its file is.
func benchURL(i int) string { return "https://" + benchDomain(i) + "/.well-known/adagents.json" }

// benchRow is a row for one of two tables.
func benchRow(table string, i int) string {
	const form = time.RFC3339
	at := benchDay.Add(time.Duration(i) * time.Millisecond)
	due := at.Add(24 * time.Hour)
	hash := string(registry.HashOf([]byte("{}")))
	record := fmt.Sprintf(`"adopted_at":%[1]q,"first_seen":%[1]q,"confirmed_at":%[1]q,"whole_at":%[1]q,"fresh_until":%[2]q,"hash":%[3]q,"tried_at":%[1]q,
		"headers":{"CacheControl":["max-age=86400"],"Age":"","Date":"Sun, 01 Mar 2026 00:00:00 GMT","Expires":"","ETag":"\"%[4]x\"","LastModified":""},"high_water":%[1]q`,
		at.Format(form), due.Format(form), hash, i)
	record = strings.ReplaceAll(record, "\n\t\t", "")
	if table == "custody_publishers" {
		return fmt.Sprintf(`[%q,1,%d,false,{"domain":%[1]q,"location":{"method":"direct","url":%[3]q},"agents":["https://agent%d.example"],%s}]`,
			benchDomain(i), due.UnixMicro(), benchURL(i), i%1000, record)
	}
	key := sha256.Sum256([]byte(benchURL(i)))
	return fmt.Sprintf(`[%q,%q,1,%d,false,0,{"url":%[2]q,"bytes":2,"keys_until":%[4]q,"last_updated":%[4]q,%[5]s}]`,
		base64.StdEncoding.EncodeToString(key[:]), benchURL(i), due.UnixMicro(), at.Format(form), record)
}

// benchStream writes the stream of a store with many publishers, each with a file of its
// own.
func benchStream(w io.Writer, empty string, n int) error {
	sum, lines := sha256.New(), 0
	out := bufio.NewWriterSize(io.MultiWriter(w, sum), 1<<20)
	for line := range strings.Lines(empty) {
		if strings.HasPrefix(line, `{"end"`) {
			break
		}
		lines++
		_, _ = out.WriteString(line)
		for _, table := range []string{"custody_publishers", "custody_files"} {
			if !strings.HasPrefix(line, `{"table":"`+table+`"`) {
				continue
			}
			for i := range n {
				lines++
				_, err := out.WriteString(benchRow(table, i) + "\n")
				if err != nil {
					return err
				}
			}
		}
	}
	err := out.Flush()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "{\"end\":{\"lines\":%d,\"sha256\":%q}}\n", lines, hex.EncodeToString(sum.Sum(nil)))
	return err
}

// benchReal is how many of the publishers have records that can be read. The others are
// copies of their rows under other names: to pack a million takes minutes, and the
// benchmark asks for these alone.
const benchReal = 1_000

// fillBench makes a store with many publishers.
func fillBench(b *testing.B, path string, n int) {
	b.Helper()
	s, err := Open(b.Context(), path)
	if err != nil {
		b.Fatal(err)
	}
	var empty bytes.Buffer
	err = s.Export(b.Context(), &empty)
	if err != nil {
		b.Fatal(err)
	}
	r, w := io.Pipe()
	go func() { _ = w.CloseWithError(benchStream(w, empty.String(), benchReal)) }()
	err = s.Import(b.Context(), r)
	if err == nil {
		err = s.Close()
	}
	if err != nil {
		b.Fatal(err)
	}
	multiply(b, path, n/benchReal-1)
}

// multiply adds copies of the rows. Names with the copy's number at the end are between
// those of the originals, so that these are spread over the whole table.
func multiply(b *testing.B, path string, copies int) {
	b.Helper()
	db := openDB(path, 1, url.Values{})
	defer func() { _ = db.Close() }()
	for _, statement := range []string{
		`INSERT INTO custody_publishers SELECT domain || n, revision, due + n, held, record, since, place, goal FROM custody_publishers, copies`,
		`INSERT INTO custody_files SELECT randomblob(32), url || n, revision, due + n, held, revoked, record, idle FROM custody_files, copies`,
	} {
		_, err := db.ExecContext(b.Context(), `WITH RECURSIVE copies (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copies WHERE n < $1) `+statement, copies)
		if err != nil {
			b.Fatal(err)
		}
	}
	rows := column(b, db, `SELECT COUNT(*) FROM custody_publishers`)
	b.Logf("there are %s publishers", rows[0])
}

// BenchmarkCustodyOpen measures from opening a store to the first answers: the clock, the
// records of one publisher, and what is to be asked for first.
func BenchmarkCustodyOpen(b *testing.B) {
	path := filepath.Join(b.TempDir(), "store.db")
	fillBench(b, path, *publishers)
	i := 0
	for b.Loop() {
		i += 7_919
		s, err := Open(context.Background(), path)
		if err == nil {
			err = firstAnswers(s, i%benchReal)
		}
		if err == nil {
			err = s.Close()
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

// firstAnswers asks for what a service needs before it is ready, and for a publisher.
func firstAnswers(s *records.Store, i int) error {
	ctx, c := context.Background(), s.Custody()
	_, err := c.Clock(ctx, benchDay)
	if err != nil {
		return err
	}
	p, err := c.Publisher(ctx, hostname.Domain(benchDomain(i)))
	if err != nil {
		return err
	}
	_, err = c.File(ctx, p.Location.URL)
	if err != nil {
		return err
	}
	_, err = c.Due(ctx, benchDay.AddDate(1, 0, 0), 100)
	if err != nil {
		return err
	}
	_, err = c.Holds(ctx, 100)
	return err
}
