package records

import (
	"context"
	"maps"
	"slices"
	"time"
)

// HoldSites gives sites to a holder until a time, and returns those that it has then, each
// with the time at which the site has rested. Nobody else is given one until it is freed or
// its time is over.
func (s *Custody) HoldSites(ctx context.Context, holder string, sites []string, now, until time.Time) (map[string]time.Time, error) {
	sites = slices.Compact(slices.Sorted(slices.Values(sites))) // in one order, for those who do it at once
	held := map[string]time.Time{}
	err := s.db.Update(ctx, func(c Conn) error {
		clear(held)
		for _, site := range sites {
			err := each(ctx, c, func(r Rows) error {
				var rested int64
				err := r.Scan(&rested)
				held[site] = time.UnixMicro(rested).UTC()
				return err
			}, `INSERT INTO site_leases (site, holder, until, rested) VALUES ($1, $2, $3, 0) ON CONFLICT (site) DO UPDATE SET holder = excluded.holder, until = excluded.until
				WHERE site_leases.holder = excluded.holder OR site_leases.until <= $4 RETURNING rested`, site, holder, until.UnixMicro(), now.UnixMicro())
			if err != nil {
				return err
			}
		}
		return nil
	})
	return held, err
}

// forgetSites is how often the sites are forgotten that nobody holds and that have rested. All
// have to be looked through for that.
const forgetSites = time.Minute

// FreeSites gives sites back, each with the time at which it has rested. Now and then, those
// that have rested for a while are forgotten.
func (s *Custody) FreeSites(ctx context.Context, holder string, rested map[string]time.Time, now time.Time) error {
	err := s.db.Update(ctx, func(c Conn) error {
		for _, site := range slices.Sorted(maps.Keys(rested)) { // in the order of HoldSites
			_, err := exec(ctx, c, `UPDATE site_leases SET until = 0, rested = $3 WHERE site = $1 AND holder = $2`, site, holder, rested[site].UnixMicro())
			if err != nil {
				return err
			}
		}
		return nil
	})
	last := s.docs.forgot.Load()
	if err != nil || now.Sub(time.UnixMicro(last)).Abs() < forgetSites || !s.docs.forgot.CompareAndSwap(last, now.UnixMicro()) {
		return err
	}
	_, err = exec(ctx, s.db, `DELETE FROM site_leases WHERE until <= $1 AND rested <= $1`, now.Add(-forgetSites).UnixMicro())
	return err
}
