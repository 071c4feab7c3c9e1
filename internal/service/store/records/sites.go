package records

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"
)

// HoldSites gives sites to a holder until a time, and returns those that it has then, each
// with the time at which the site has rested. No other process is given one until it is
// freed or its time is over.
func (s *Custody) HoldSites(ctx context.Context, holder string, sites []string,
	now, until time.Time) (map[string]time.Time, error) {
	sites = slices.Compact(slices.Sorted(slices.Values(sites))) // in one order, for those who do it at once
	held := map[string]time.Time{}
	err := s.db.Update(ctx, func(c Conn) error {
		clear(held)
		return batches(sites, func(i int, some []string) error {
			args := []any{holder, until.UnixMicro(), now.UnixMicro()}
			for _, site := range some {
				args = append(args, site)
			}
			return each(ctx, c, func(r Rows) error {
				var site string
				var rested int64
				err := r.Scan(&site, &rested)
				held[site] = time.UnixMicro(rested).UTC()
				return err
			}, holdStatements()[i], args...)
		})
	})
	return held, err
}

// holdStatements are those of HoldSites for batchSizes.
var holdStatements = sync.OnceValue(func() []string {
	return statements(4, "($%d, $1, $2, 0)", func(rows string) string {
		return `INSERT INTO site_leases (site, holder, until, rested) VALUES ` + rows + ` ON CONFLICT (site) DO UPDATE SET holder = excluded.holder, until = excluded.until
			WHERE site_leases.holder = excluded.holder OR site_leases.until <= $3 RETURNING site, rested`
	})
})

// forgetSites is how often free sites that have rested are forgotten. All have to be looked
// through for that.
const forgetSites = time.Minute

// FreeSites gives sites back, each with the time at which it has rested. Now and then, those
// that have rested for a while are forgotten.
func (s *Custody) FreeSites(ctx context.Context, holder string, rested map[string]time.Time, now time.Time) error {
	err := s.db.Update(ctx, func(c Conn) error {
		for _, site := range slices.Sorted(maps.Keys(rested)) { // in the order of HoldSites
			err := later(ctx, c, `UPDATE site_leases SET until = 0, rested = $3 WHERE site = $1 AND holder = $2`, site, holder,
				rested[site].UnixMicro())
			if err != nil {
				return err
			}
		}
		return nil
	})
	last := s.docs.forgot.Load()
	if err != nil || now.Sub(time.UnixMicro(last)).Abs() < forgetSites ||
		!s.docs.forgot.CompareAndSwap(last, now.UnixMicro()) {
		return err
	}
	_, err = exec(ctx, s.db, `DELETE FROM site_leases WHERE until <= $1 AND rested <= $1`,
		now.Add(-forgetSites).UnixMicro())
	return err
}
