// Package store opens the store that a URL names.
package store

import (
	"context"
	"errors"
	"strings"

	"github.com/avow-project/avow/internal/registry"
	"github.com/avow-project/avow/internal/store/postgres"
	"github.com/avow-project/avow/internal/store/sqlite"
)

// errScheme does not repeat the URL, which may have a password in it.
var errScheme = errors.New("a store is sqlite:PATH or postgres://USER@HOST/DATABASE")

// Open opens the store at sqlite:PATH or postgres://..., makes it when it is missing and
// brings its schema up to date. The context is for opening alone.
func Open(ctx context.Context, url string) (registry.Store, error) {
	path, ok := strings.CutPrefix(url, "sqlite:")
	switch {
	case ok:
		return opened(sqlite.Open(ctx, path))
	case strings.HasPrefix(url, "postgres://") || strings.HasPrefix(url, "postgresql://"):
		return opened(postgres.Open(ctx, url))
	default:
		return nil, errScheme
	}
}

// opened keeps a nil pointer from becoming a store that is not nil.
func opened[S registry.Store](s S, err error) (registry.Store, error) {
	if err != nil {
		return nil, err
	}
	return s, nil
}
