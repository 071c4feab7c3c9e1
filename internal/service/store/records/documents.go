package records

import (
	"context"
	"fmt"
	"time"

	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/store/pack"
)

// PutDocument stores bytes under their hash.
func (s *Store) PutDocument(ctx context.Context, body []byte) (_ registry.Hash, err error) {
	defer s.watched(&ctx, "put_document", &err)()
	if len(body) > pack.Max {
		return "", fmt.Errorf("store: document: %w", pack.ErrTooLarge)
	}
	h := registry.HashOf(body)
	// Mostly the file has not changed since last time; then nothing needs packing.
	known, err := exec(ctx, s.db, touchDocument, string(h), time.Now().UnixMicro())
	if err != nil || known > 0 {
		return h, err
	}
	packed, err := pack.Bytes(body)
	if err != nil {
		return "", fmt.Errorf("store: document: %w", err)
	}
	_, err = exec(ctx, s.db, insertDocument, string(h), int64(len(body)), packed, time.Now().UnixMicro())
	if err != nil {
		return "", err
	}
	return h, nil
}

// insertDocument adds a document. One that is there stays, and counts as stored now.
const insertDocument = `INSERT INTO documents (hash, size, packed, at) VALUES ($1, $2, $3, $4)
	ON CONFLICT (hash) DO UPDATE SET at = excluded.at`

// touchDocument changes the row of a document, if there is one, and has it count as stored now: nothing may
// refer to it yet, and what nothing refers to is removed after a while. The row is locked for the
// transaction.
const touchDocument = `UPDATE documents SET at = $2 WHERE hash = $1`

// Document returns stored bytes, after a check that they are still those of the hash.
func (s *Store) Document(ctx context.Context, h registry.Hash) (_ []byte, err error) {
	defer s.watched(&ctx, "document", &err)()
	return document(ctx, s.db, h)
}

func document(ctx context.Context, c Conn, h registry.Hash) ([]byte, error) {
	var size int64
	var packed []byte
	err := one(ctx, c, func(r Rows) error { return r.Scan(&size, &packed) },
		`SELECT size, packed FROM documents WHERE hash = $1`, string(h))
	if err != nil {
		return nil, err
	}
	return unpackDocument(h, size, packed)
}

// unpackDocument returns the bytes of a document, after a check that they are those of a hash.
func unpackDocument(h registry.Hash, size int64, packed []byte) ([]byte, error) {
	body, err := pack.Unbytes(packed, size)
	if err != nil {
		return nil, fmt.Errorf("store: document %s: %w", h, err)
	}
	if registry.HashOf(body) != h {
		return nil, fmt.Errorf("store: document %s: %w", h, pack.ErrDamaged)
	}
	return body, nil
}
