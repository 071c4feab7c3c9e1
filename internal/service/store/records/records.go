package records

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/store/highwater"
	"github.com/avow-project/avow/internal/service/store/migrate"
)

// A Store is a registry.Store on a database that has the schema.
type Store struct {
	db    Database
	mark  *highwater.Mark
	watch Watch
	// schema is the version that the database had when it was opened, and newer is set when a
	// process of a newer release has upgraded it since.
	schema int64
	newer  atomic.Pointer[migrate.NewerError]
	// turn counts who took something from the due list.
	turn atomic.Uint32
	// forgot is when sites were last forgotten, and tidied when the due list was last looked at
	// for unused space, in microseconds.
	forgot, tidied atomic.Int64
	guard          notary.Guard
	// logging: there was a transparency log when something was last committed.
	logging atomic.Bool
}

var _ registry.Store = (*Store)(nil)

// New returns the store in a database with a version of the schema. Closing the store closes the
// database.
func New(db Database, schema int64) *Store {
	return &Store{db: db, mark: highwater.Open(""), schema: schema}
}

// A Watch is told that a call of a method of registry.Store begins. It returns the context for the call, and what
// is told how that ended and returns the error to be passed on.
type Watch func(ctx context.Context, method string) (context.Context, func(error) error)

// Watch has the calls of the methods of registry.Store watched. Nothing may be called before.
func (s *Store) Watch(w Watch) { s.watch = w }

// watched begins a call, and returns what ends it.
func (s *Store) watched(ctx *context.Context, method string, err *error) func() {
	if s.watch == nil {
		return func() {}
	}
	inner, end := s.watch(*ctx, method)
	*ctx = inner
	return func() { *err = end(*err) }
}

// Close closes the database. A mark that could not be saved is not a failure of the
// store, and the next one who opens it saves it.
func (s *Store) Close() error {
	_ = s.mark.Close()
	return s.db.Close()
}

// Ping writes a row, because a full or read-only disk can still be read.
func (s *Store) Ping(ctx context.Context) (err error) {
	defer s.watched(&ctx, "ping", &err)()
	_, err = exec(ctx, s.db, `INSERT INTO probes (id, at) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET at = excluded.at`,
		time.Now().UnixMicro())
	if err != nil {
		return err
	}
	_, err = number(ctx, s.db, `SELECT at FROM probes WHERE id = 1`)
	return err
}

// Spend takes one unit of a budget.
func (s *Store) Spend(ctx context.Context, budget, period string, limit int) (_ bool, err error) {
	defer s.watched(&ctx, "spend", &err)()
	if limit <= 0 {
		return false, nil
	}
	n, err := exec(ctx, s.db, `INSERT INTO budgets (budget, period, taken) VALUES ($1, $2, 1)
		ON CONFLICT (budget, period) DO UPDATE SET taken = budgets.taken + 1 WHERE budgets.taken < $3`,
		budget, period, int64(limit))
	return n == 1, err
}

// optional is a time as it is stored: nothing for the zero time.
func optional(t time.Time) *int64 {
	if t.IsZero() {
		return nil
	}
	us := t.UnixMicro()
	return &us
}

// timeOf is the opposite of optional.
func timeOf(us *int64) time.Time {
	if us == nil {
		return time.Time{}
	}
	return time.UnixMicro(*us).UTC()
}

// page bounds a page to what SQL accepts.
func page(limit, offset int) (int64, int64) {
	return int64(max(limit, 0)), int64(max(offset, 0))
}
