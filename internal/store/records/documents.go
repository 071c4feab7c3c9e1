package records

import (
	"context"
	"fmt"

	"github.com/avow-project/avow/internal/registry"
	"github.com/avow-project/avow/internal/store/pack"
)

// PutDocument stores bytes under their hash.
func (s *Store) PutDocument(ctx context.Context, body []byte) (registry.Hash, error) {
	if len(body) > pack.Max {
		return "", fmt.Errorf("store: document: %w", pack.ErrTooLarge)
	}
	h := registry.HashOf(body)
	known, err := number(ctx, s.db, `SELECT COUNT(*) FROM documents WHERE hash = $1`, string(h))
	if err != nil {
		return "", err
	}
	// Mostly the file has not changed since last time; then nothing needs packing.
	if known > 0 {
		return h, nil
	}
	packed, err := pack.Bytes(body)
	if err != nil {
		return "", fmt.Errorf("store: document: %w", err)
	}
	_, err = exec(ctx, s.db, `INSERT INTO documents (hash, size, packed) VALUES ($1, $2, $3) ON CONFLICT (hash) DO NOTHING`,
		string(h), int64(len(body)), packed)
	if err != nil {
		return "", err
	}
	return h, nil
}

// Document returns stored bytes, after a check that they are still those of the hash.
func (s *Store) Document(ctx context.Context, h registry.Hash) ([]byte, error) {
	var size int64
	var packed []byte
	err := one(ctx, s.db, func(r Rows) error { return r.Scan(&size, &packed) },
		`SELECT size, packed FROM documents WHERE hash = $1`, string(h))
	if err != nil {
		return nil, err
	}
	body, err := pack.Unbytes(packed, size)
	if err != nil {
		return nil, fmt.Errorf("store: document %s: %w", h, err)
	}
	if registry.HashOf(body) != h {
		return nil, fmt.Errorf("store: document %s: %w", h, pack.ErrDamaged)
	}
	return body, nil
}
