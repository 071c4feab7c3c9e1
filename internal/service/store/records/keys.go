package records

import (
	"context"
	"time"

	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/store/highwater"
)

// keyColumns are the columns of a key in the order of scanKey.
const keyColumns = `id, name, scope, hash, created_at, revoked_at`

// scanKey reads a row of keyColumns.
func scanKey(r Rows) (*registry.Key, error) {
	k := &registry.Key{}
	var scope, hash string
	var created int64
	var revoked *int64
	err := r.Scan(&k.ID, &k.Name, &scope, &hash, &created, &revoked)
	if err != nil {
		return nil, err
	}
	k.Scope, k.Hash = registry.Scope(scope), registry.Hash(hash)
	k.CreatedAt, k.RevokedAt = time.UnixMicro(created).UTC(), timeOf(revoked)
	return k, nil
}

// PutKey stores a new key.
func (s *Store) PutKey(ctx context.Context, k *registry.Key) (err error) {
	defer s.watched(&ctx, "put_key", &err)()
	n, err := exec(ctx, s.db,
		`INSERT INTO api_keys (`+keyColumns+`) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
		k.ID, k.Name, string(k.Scope), string(k.Hash), k.CreatedAt.UnixMicro(), optional(k.RevokedAt))
	if err == nil && n == 0 {
		return registry.ErrConflict
	}
	return err
}

// KeyByHash returns a key, revoked or not.
func (s *Store) KeyByHash(ctx context.Context, h registry.Hash) (_ *registry.Key, err error) {
	defer s.watched(&ctx, "key_by_hash", &err)()
	return get(ctx, s.db, scanKey, `SELECT `+keyColumns+` FROM api_keys WHERE hash = $1`, string(h))
}

// Keys returns all keys in the order of their creation.
func (s *Store) Keys(ctx context.Context) (_ []registry.Key, err error) {
	defer s.watched(&ctx, "keys", &err)()
	return list(ctx, s.db, scanKey, `SELECT `+keyColumns+` FROM api_keys ORDER BY created_at, id`)
}

// RevokeKey marks a key as revoked, and removes its subscriptions. It takes a number, so that a copy of the store from
// before is known to be one: the key would be good in it.
func (s *Store) RevokeKey(ctx context.Context, id string, at time.Time) (err error) {
	defer s.watched(&ctx, "revoke_key", &err)()
	return s.counted(ctx, func(c Conn) (highwater.State, error) {
		n, err := exec(ctx, c, `UPDATE api_keys SET revoked_at = COALESCE(revoked_at, $2) WHERE id = $1`, id, at.UnixMicro())
		if err == nil && n == 0 {
			err = registry.ErrNotFound
		}
		if err == nil {
			_, err = exec(ctx, c, `DELETE FROM subscriptions WHERE owner = $1`, id)
		}
		if err != nil {
			return highwater.State{}, err
		}
		return s.count(ctx, c, 1)
	})
}
