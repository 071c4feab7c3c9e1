package store

import (
	"context"
	"io"

	"github.com/avow-project/avow/internal/service/store/records"
)

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
