package storetest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/store/postgres"
	"github.com/avow-project/avow/internal/service/store/records"
	"github.com/avow-project/avow/internal/service/store/sqlite"
	"github.com/avow-project/avow/internal/test/pgtest"
)

// openStore opens a store in a file or at a URL.
func openStore(ctx context.Context, place string) (registry.Store, error) {
	s, err := openRecords(ctx, place)
	if err != nil {
		return nil, err
	}
	return s, nil
}

func openRecords(ctx context.Context, place string) (*records.Store, error) {
	if filepath.IsAbs(place) {
		return sqlite.Open(ctx, place)
	}
	return postgres.Open(ctx, place)
}

func TestMain(m *testing.M) {
	if !isChild(openStore) {
		os.Exit(pgtest.Main(m))
	}
}

// A database has the stores of tests.
type database struct {
	place  func(t testing.TB) string
	mu     sync.Mutex
	places map[string]string
}

// fresh opens a new store, and closes it when the test ends.
func (d *database) fresh(t testing.TB) *records.Store {
	t.Helper()
	return openAt(t, d.place(t))
}

// same opens the store of the test, which is new for the first call.
func (d *database) same(t testing.TB) *records.Store {
	t.Helper()
	d.mu.Lock()
	place, ok := d.places[t.Name()]
	d.mu.Unlock()
	if !ok {
		place = d.place(t)
		d.mu.Lock()
		d.places[t.Name()] = place
		d.mu.Unlock()
	}
	return openAt(t, place)
}

// openAt opens a store and closes it when the test ends.
func openAt(t testing.TB, place string) *records.Store {
	t.Helper()
	s, err := openRecords(t.Context(), place)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		err := s.Close()
		if err != nil {
			t.Error(err)
		}
	})
	return s
}

// newFile returns where a new SQLite store can be.
func newFile(t testing.TB) string { return filepath.Join(t.TempDir(), "store.db") }

func onSQLite() *database { return &database{place: newFile, places: map[string]string{}} }

// onPostgres copies a database that was a store once: that takes less than all migrations.
func onPostgres(t *testing.T) *database {
	t.Helper()
	prepared := pgtest.URL(t)
	s, err := postgres.Open(t.Context(), prepared)
	if err == nil {
		err = s.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return &database{place: func(t testing.TB) string { return pgtest.Copy(t, prepared) }, places: map[string]string{}}
}

// contract runs the tests that every store has to pass, each in parallel with a store of its own.
func contract(t *testing.T, db *database) {
	t.Run("registry", func(t *testing.T) {
		t.Parallel()
		testRegistry(t, func(t *testing.T) registry.Store { return db.same(t) })
	})
	t.Run("custody", func(t *testing.T) {
		t.Parallel()
		testCustody(t, func(t *testing.T) custodian.Store { return db.same(t).Custody() })
	})
	t.Run("log", func(t *testing.T) {
		t.Parallel()
		testLog(t, func(t *testing.T) *Logged {
			s := db.fresh(t)
			return &Logged{Custody: s.Custody(), Log: s.Log()}
		})
	})
	t.Run("retention", func(t *testing.T) {
		t.Parallel()
		testRetention(t, func(t *testing.T) *records.Store { return db.same(t) })
	})
}

func TestOnSQLite(t *testing.T) {
	t.Parallel()
	contract(t, onSQLite())
}

// TestOnPostgres runs without the race detector, which sees the same code in TestOnSQLite.
func TestOnPostgres(t *testing.T) {
	t.Parallel()
	contract(t, onPostgres(t))
}

// TestWatchedCalls: whatever is asked of a registry.Store is watched, once, with its own context.
func TestWatchedCalls(t *testing.T) {
	t.Parallel()
	s := onSQLite().fresh(t)
	errEnded := errors.New("ended")
	var told []string
	s.Watch(func(ctx context.Context, method string) (context.Context, func(error) error) {
		ctx, cancel := context.WithCancel(ctx)
		cancel()
		told = append(told, strings.ReplaceAll(method, "_", ""))
		return ctx, func(err error) error {
			wantErr(t, err, context.Canceled)
			return errEnded
		}
	})
	methods := reflect.ValueOf((registry.Store)(s))
	var wanted []string
	for i := range reflect.TypeFor[registry.Store]().NumMethod() {
		m := reflect.TypeFor[registry.Store]().Method(i)
		if m.Name == "Close" {
			continue
		}
		wanted = append(wanted, strings.ToLower(m.Name))
		args := []reflect.Value{reflect.ValueOf(t.Context())}
		for k := 1; k < m.Type.NumIn(); k++ {
			arg := reflect.New(m.Type.In(k)).Elem()
			switch arg.Kind() { //nolint:exhaustive // the others stay zero
			case reflect.Pointer:
				arg.Set(reflect.New(arg.Type().Elem()))
			case reflect.Int:
				arg.SetInt(1)
			}
			args = append(args, arg)
		}
		out := methods.MethodByName(m.Name).Call(args)
		err, _ := out[len(out)-1].Interface().(error)
		if !errors.Is(err, errEnded) {
			t.Errorf("%s: %v", m.Name, err)
		}
	}
	want(t, told, wanted)
}

func TestProcesses(t *testing.T) {
	t.Parallel()
	for name, place := range map[string]func(testing.TB) string{"SQLite": newFile, "PostgreSQL": pgtest.URL} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testProcesses(t, place(t), openStore)
		})
	}
}

func BenchmarkStore(b *testing.B) {
	for name, place := range map[string]func(testing.TB) string{"SQLite": newFile, "PostgreSQL": pgtest.URL} {
		b.Run(name, func(b *testing.B) {
			s := openAt(b, place(b))
			benchRegistry(b, s)
			benchCustody(b, s.Custody())
		})
	}
}
