package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/patience"
)

// groupIn returns a group on a new database with a table.
func groupIn(t *testing.T) (*group, *sql.DB) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "group.db")
	load(t, path, `CREATE TABLE numbers (n INTEGER PRIMARY KEY)`)
	db := openDB(path, 1, url.Values{"_txlock": {"immediate"}})
	g := newGroup(&pool{DB: db}, openedFile{}, time.Hour, func() {})
	t.Cleanup(func() {
		g.close()
		_ = db.Close()
	})
	return g, db
}

func insert(n int) func(*transaction) error {
	return func(tx *transaction) error {
		_, err := tx.tx.Exec(`INSERT INTO numbers VALUES ($1)`, n)
		return err
	}
}

// TestGroupTogether: of changes that are made together, those that fail leave nothing
// behind, and the others are there.
func TestGroupTogether(t *testing.T) {
	t.Parallel()
	g, db := groupIn(t)
	refused := errors.New("refused")
	var wg sync.WaitGroup
	for i := range 3 * mostAtOnce {
		wg.Go(func() {
			err := g.do(t.Context(), func(tx *transaction) error {
				err := insert(i)(tx)
				switch i % 4 {
				case 1:
					return refused
				case 2:
					panic("fault")
				case 3:
					err = errors.Join(err, insert(i)(tx))
				}
				return err
			})
			want := [...]string{"", "refused", "panic: fault", "UNIQUE"}[i%4]
			if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("change %d: %v, want %q", i, err, want)
			}
		})
	}
	wg.Wait()
	have := strings.Join(column(t, db, "SELECT n FROM numbers ORDER BY n"), " ")
	var want []string
	for i := 0; i < 3*mostAtOnce; i += 4 {
		want = append(want, fmt.Sprint(i))
	}
	if have != strings.Join(want, " ") {
		t.Errorf("the table has %s", have)
	}
}

// TestGroupTakesBack: a change that has not begun ends with its context, one that has
// begun is waited for.
func TestGroupTakesBack(t *testing.T) {
	t.Parallel()
	g, db := groupIn(t)
	ctx, cancel := context.WithCancel(t.Context())
	begun, proceed := make(chan struct{}), make(chan struct{})
	first := make(chan error)
	go func() {
		first <- g.do(ctx, func(tx *transaction) error {
			close(begun)
			<-proceed
			return insert(1)(tx)
		})
	}()
	<-begun
	short, stop := context.WithTimeout(t.Context(), time.Millisecond)
	defer stop()
	err := g.do(short, insert(2))
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a change in the queue: %v", err)
	}
	cancel()
	close(proceed)
	err = <-first
	if err != nil {
		t.Errorf("a change that had begun: %v", err)
	}
	if have := column(t, db, "SELECT n FROM numbers"); len(have) != 1 || have[0] != "1" {
		t.Errorf("the table has %s", have)
	}
}

// TestGroupPatience: changes that are in no hurry wait for others and are made with one
// that is, when they are many, when their time is over, and when the group is closed.
func TestGroupPatience(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		patient int
		gather  time.Duration
		end     func(t *testing.T, g *group)
	}{
		{"one in a hurry", 3, time.Hour, func(t *testing.T, g *group) {
			err := g.do(t.Context(), insert(1000))
			if err != nil {
				t.Error(err)
			}
		}},
		{"many", mostAtOnce, time.Hour, func(*testing.T, *group) {}},
		{"their time", 3, time.Millisecond, func(*testing.T, *group) {}},
		{"closed", 3, time.Hour, func(_ *testing.T, g *group) { g.close() }},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			g, db := groupIn(t)
			g.gather = test.gather
			ctx := patience.With(t.Context())
			var wg sync.WaitGroup
			for i := range test.patient {
				wg.Go(func() {
					err := g.do(ctx, insert(i))
					if err != nil {
						t.Error(err)
					}
				})
			}
			for test.gather == time.Hour && test.patient < mostAtOnce && g.queued() < test.patient {
				time.Sleep(time.Millisecond)
			}
			test.end(t, g)
			wg.Wait()
			have := column(t, db, "SELECT n FROM numbers WHERE n < 1000")
			if len(have) != test.patient {
				t.Errorf("the table has %s", have)
			}
		})
	}
}

func (g *group) queued() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.waiting)
}

func TestGroupClosed(t *testing.T) {
	t.Parallel()
	g, _ := groupIn(t)
	err := g.do(t.Context(), insert(1))
	if err != nil {
		t.Fatal(err)
	}
	g.close()
	g.close()
	err = g.do(t.Context(), insert(2))
	if !errors.Is(err, errClosed) {
		t.Errorf("after the end: %v", err)
	}
}

// TestGroupRests: when nothing was changed for a while there is time to tidy up, once.
func TestGroupRests(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "group.db")
	load(t, path, `CREATE TABLE numbers (n INTEGER PRIMARY KEY)`)
	db := openDB(path, 1, url.Values{"_txlock": {"immediate"}})
	rests := make(chan struct{})
	g := newGroup(&pool{DB: db}, openedFile{}, time.Millisecond, func() { rests <- struct{}{} })
	<-rests
	for i := range 3 {
		err := g.do(t.Context(), insert(i))
		if err != nil {
			t.Fatal(err)
		}
		<-rests
	}
	g.close()
	err := db.Close()
	if err != nil {
		t.Error(err)
	}
}
