// Package store opens the store that a URL names.
package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"path/filepath"
	"strings"

	"github.com/avow-project/avow/internal/service/store/highwater"
	"github.com/avow-project/avow/internal/service/store/migrate"
	"github.com/avow-project/avow/internal/service/store/postgres"
	"github.com/avow-project/avow/internal/service/store/records"
	"github.com/avow-project/avow/internal/service/store/sqlite"
)

// errScheme does not repeat the URL, which may have a password in it.
var errScheme = errors.New("a store is sqlite:PATH or postgres://USER@HOST/DATABASE")

// A Store has the records of the registry and, behind its method Custody, those of
// custody.
type Store = records.Store

// A RestoredError is the error of Open for a store that is older than what was seen of it
// before, or another one.
type RestoredError = highwater.RestoredError

// A NewerError is the error of Open for a store that a newer release has upgraded.
type NewerError = migrate.NewerError

// An Ahead says what of a store lies after a time.
type Ahead = records.Ahead

// A Purpose says what a store is opened for.
type Purpose uint8

// The purposes.
const (
	// Use is for those who answer from the store or change it.
	Use Purpose = iota
	// Inspect is for those who look at a store as it is, which may be an old copy.
	Inspect
	// Mend is for those who make a store one to use: filled, or accepted.
	Mend
)

// Options say how a store is opened.
type Options struct {
	Purpose Purpose
	// Dir is where this machine notes how far databases on other machines have got. Empty
	// means that it does not. A database in a file has its note beside it.
	Dir string
}

// Open opens the store at sqlite:PATH or postgres://... for use, makes it when it is missing
// and brings its schema up to date. The context is for opening alone.
func Open(ctx context.Context, url string) (*Store, error) { return OpenFor(ctx, url, Options{}) }

// OpenFor is Open with options. How far the store had got when it was seen before is read
// first, because others may go on with it meanwhile. Failing to save it is not an error;
// MarkFailure of the store tells it.
func OpenFor(ctx context.Context, url string, o Options) (*Store, error) {
	mark := highwater.Open(markPath(url, o.Dir))
	s, err := open(ctx, url)
	if err != nil {
		return nil, err
	}
	s.GuardLog(guardPath(url, o.Dir))
	err = s.Guard(ctx, mark, o.Purpose != Inspect)
	var restored *RestoredError
	if errors.As(err, &restored) && o.Purpose != Use {
		return s, nil
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func open(ctx context.Context, url string) (*Store, error) {
	path, ok := strings.CutPrefix(url, "sqlite:")
	switch {
	case ok:
		return sqlite.Open(ctx, path)
	case isPostgres(url):
		return postgres.Open(ctx, url)
	default:
		return nil, errScheme
	}
}

func isPostgres(url string) bool {
	return strings.HasPrefix(url, "postgres://") || strings.HasPrefix(url, "postgresql://")
}

// markEnding is what the name of a mark ends with, and guardEnding the ending of the file
// with the checkpoint of the transparency log that was signed last.
const (
	markEnding  = ".seen"
	guardEnding = ".checkpoint"
)

// guardPath returns the file in which this machine notes what was signed of the log of a
// store; empty for none.
func guardPath(url, dir string) string {
	path, ok := strings.CutSuffix(markPath(url, dir), markEnding)
	if !ok {
		return ""
	}
	return path + guardEnding
}

// markPath returns the file with the mark of a store; empty for none. A link to a database
// leads to the mark of the database.
func markPath(url, dir string) string {
	path, ok := strings.CutPrefix(url, "sqlite:")
	switch {
	case ok && path != "":
		real, err := filepath.EvalSymlinks(path)
		if err == nil {
			path = real
		}
		full, err := filepath.Abs(path)
		if err != nil {
			return ""
		}
		return full + markEnding
	case isPostgres(url) && dir != "":
		target := postgres.Target(url)
		if target == "" {
			return ""
		}
		sum := sha256.Sum256([]byte(target))
		return filepath.Join(dir, "postgres-"+hex.EncodeToString(sum[:8])+markEnding)
	}
	return ""
}

// Absent reports whether an error of OpenFor is that the database server is not there yet, or not
// any more: it may be starting.
func Absent(err error) bool { return postgres.Absent(err) }

// A Problem is something in a store that is not as it was written.
type Problem = records.Problem

// Errors of Import.
var (
	// ErrNotEmpty: something is in the store already.
	ErrNotEmpty = records.ErrNotEmpty
	// ErrCut: the stream ends too early.
	ErrCut = records.ErrCut
)

// Check reads everything in a store and returns what is wrong with it, at most
// records.MaxProblems. An error means that the check could not be made.
func Check(ctx context.Context, s *Store) ([]Problem, error) { return s.Check(ctx) }

// Export writes everything that a store knows as lines of JSON; see records.StreamFormat.
func Export(ctx context.Context, s *Store, w io.Writer) error { return s.Export(ctx, w) }

// Import fills an empty store with what Export wrote, as a whole or not at all.
func Import(ctx context.Context, s *Store, r io.Reader) error { return s.Import(ctx, r) }
