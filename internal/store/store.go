// Package store opens the store that a URL names.
package store

import (
	"context"
	"errors"
	"strings"

	"github.com/avow-project/avow/internal/store/postgres"
	"github.com/avow-project/avow/internal/store/records"
	"github.com/avow-project/avow/internal/store/sqlite"
)

// errScheme does not repeat the URL, which may have a password in it.
var errScheme = errors.New("a store is sqlite:PATH or postgres://USER@HOST/DATABASE")

// A Store has the records of the registry and, behind its method Custody, those of
// custody.
type Store = records.Store

// Open opens the store at sqlite:PATH or postgres://..., makes it when it is missing and
// brings its schema up to date. The context is for opening alone.
func Open(ctx context.Context, url string) (*Store, error) {
	path, ok := strings.CutPrefix(url, "sqlite:")
	switch {
	case ok:
		return sqlite.Open(ctx, path)
	case strings.HasPrefix(url, "postgres://") || strings.HasPrefix(url, "postgresql://"):
		return postgres.Open(ctx, url)
	default:
		return nil, errScheme
	}
}
