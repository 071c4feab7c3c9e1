package records

import (
	"context"
	"fmt"

	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/store/pack"
	"github.com/avow-project/avow/internal/std/hostname"
)

// SetOutline replaces the outline. Of several that do so at once the last one stays: the first
// part is written first, so that nobody writes while another does.
func (s *Custody) SetOutline(ctx context.Context, o *custodian.Outline) error {
	var packed [][]byte
	for _, part := range o.Parts {
		some, err := pack.Sized(part)
		if err != nil {
			return fmt.Errorf("store: outline: %w", err)
		}
		packed = append(packed, some)
	}
	return s.db.Update(ctx, func(c Conn) error {
		for i, part := range packed {
			_, err := exec(ctx, c, `INSERT INTO outline (place, identity, number, part) VALUES ($1, (SELECT identity FROM custody_store WHERE id = 1), $2, $3)
				ON CONFLICT (place) DO UPDATE SET identity = excluded.identity, number = excluded.number, part = excluded.part`, int64(i), o.Number, part)
			if err != nil {
				return err
			}
		}
		_, err := exec(ctx, c, `DELETE FROM outline WHERE place >= $1`, int64(len(o.Parts)))
		return err
	})
}

// Outline returns what SetOutline was given last. One that was made from another store, or from
// this one before an old copy was put back, is none.
func (s *Custody) Outline(ctx context.Context) (*custodian.Outline, error) {
	err := s.docs.unusable()
	if err != nil {
		return nil, err
	}
	o := &custodian.Outline{}
	err = each(ctx, s.db, func(r Rows) error {
		var packed []byte
		err := r.Scan(&o.Number, &packed)
		o.Parts = append(o.Parts, packed)
		return err
	}, `SELECT o.number, o.part FROM outline o JOIN custody_store s ON s.id = 1 AND s.identity = o.identity AND s.last >= o.number ORDER BY o.place`)
	if err == nil && len(o.Parts) == 0 {
		err = custodian.ErrNotFound
	}
	for i := range o.Parts {
		if err == nil {
			o.Parts[i], err = pack.Unsized(o.Parts[i])
		}
	}
	if err != nil {
		return nil, err
	}
	return o, nil
}

// Users returns the publishers whose adopted place is a URL that is not their own.
func (s *Custody) Users(ctx context.Context, url string) ([]hostname.Domain, error) {
	return list(ctx, s.db, func(r Rows) (*hostname.Domain, error) {
		domain := new(hostname.Domain)
		return domain, r.Scan((*string)(domain))
	}, `SELECT domain FROM custody_publishers WHERE place = $1`, fileKey(url))
}
