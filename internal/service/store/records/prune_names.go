package records

import (
	"context"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/retain"
	"github.com/avow-project/avow/internal/service/store/highwater"
)

// forgetNames removes guests that never had a file.
func (p *pruning) forgetNames(ctx context.Context) error {
	return p.publishers(ctx, `guest > 0 AND guest < $1`, p.plan.Guests.UnixMicro(), p.forget)
}

// forgetSleepers removes guests whose files were removed and that no caller asks for.
func (p *pruning) forgetSleepers(ctx context.Context) error {
	err := p.publishers(ctx, `guest <= 0 AND guest > $1`, -p.plan.Names.UnixMicro(), p.forgetSleeper)
	if err != nil {
		return err
	}
	return p.forgetFiles(ctx)
}

// publishers calls f for guests that a condition with a number selects.
func (p *pruning) publishers(ctx context.Context, where string, n int64,
	f func(context.Context, *custody.Publisher) error) error {
	from := ""
	for {
		some, err := list(ctx, p.store.db, scanPublisher, selectPublisher+`WHERE guest IS NOT NULL AND `+where+
			` AND domain > $2 ORDER BY domain LIMIT $3`, n, from, int64(pruneBatch))
		if err != nil {
			return err
		}
		for i := range some {
			err := f(ctx, &some[i])
			if err != nil {
				return err
			}
		}
		if len(some) < pruneBatch {
			return nil
		}
		from = string(some[len(some)-1].Domain)
	}
}

// forget removes one that never had a file, or only what was found of it.
func (p *pruning) forget(ctx context.Context, v *custody.Publisher) error {
	whole := retain.Forgettable(v)
	if whole {
		p.Names.Rows++
	}
	if p.o.DryRun {
		return nil
	}
	return p.store.counted(ctx, func(c Conn) (highwater.State, error) {
		n, err := number(ctx, c, `SELECT COUNT(*) FROM custody_publishers WHERE domain = $1 AND revision = $2`,
			v.Domain, v.Revision)
		if err != nil || n == 0 {
			return highwater.State{}, err // a caller has asked meanwhile
		}
		if whole {
			return highwater.State{}, removePublisher(ctx, c, v)
		}
		return p.store.dropGuests(ctx, c, []string{string(v.Domain)}, p.o.Now)
	})
}

// removePublisher removes the record of a guest with its places and events, unless it has
// changed.
func removePublisher(ctx context.Context, c Conn, v *custody.Publisher) error {
	n, err := number(ctx, c, `SELECT COUNT(*) FROM custody_publishers WHERE domain = $1 AND revision = $2
		AND NOT EXISTS (SELECT 1 FROM feed_events WHERE live AND publisher <> '' AND publisher = $1)
		AND NOT EXISTS (SELECT 1 FROM feed_events WHERE NOT live AND publisher <> '' AND publisher = $1)`, v.Domain,
		v.Revision)
	if err == nil && n > 0 { // what the feed says of it has ended, and everybody was told
		err = forgetPairs(ctx, c, v.Domain)
	}
	if err != nil || n == 0 {
		return err
	}
	err = replaced(exec(ctx, c, `DELETE FROM custody_publishers WHERE domain = $1 AND revision = $2`,
		v.Domain, v.Revision))
	if err != nil {
		return err
	}
	for _, statement := range []string{
		`DELETE FROM due WHERE name = $1`, `DELETE FROM custody_places WHERE domain = $1`,
		`DELETE FROM custody_events WHERE publisher <> '' AND publisher = $1`,
	} {
		_, err := exec(ctx, c, statement, v.Domain)
		if err != nil {
			return err
		}
	}
	return nil
}

// forgetSleeper removes a guest whose file was removed and that no caller has asked for
// in a long time, unless it or its file protects a publisher: names are limited, and
// those that are never freed would keep others out.
func (p *pruning) forgetSleeper(ctx context.Context, v *custody.Publisher) error {
	if !retain.Expendable(v) {
		return nil
	}
	needed, err := list(ctx, p.store.db, scanSleeper, selectSleeper+`WHERE key = $1 AND guest IS NOT NULL`,
		fileKey(v.Location.URL))
	if err != nil || len(needed) > 0 && !needed[0].expendable() {
		return err
	}
	p.Names.Rows++
	if p.o.DryRun {
		return nil
	}
	return p.store.db.Update(ctx, func(c Conn) error { return removePublisher(ctx, c, v) })
}

// A sleeper is a file of guests whose bytes were removed.
type sleeper struct {
	*custody.File
	key               []byte
	revision, revoked int64
}

const selectSleeper = `SELECT key, url, revision, revoked, record FROM custody_files `

func scanSleeper(r Rows) (*sleeper, error) {
	s := &sleeper{}
	var url string
	var packed []byte
	err := r.Scan(&s.key, &url, &s.revision, &s.revoked, &packed)
	if err != nil {
		return nil, err
	}
	s.File, err = decodeFile(url, s.revision, packed)
	return s, err
}

// expendable reports whether it may be forgotten.
func (s *sleeper) expendable() bool { return s.revoked == 0 && retain.ExpendableFile(s.File) }

// forgetFiles removes the files of such guests that no publisher leads to any more.
func (p *pruning) forgetFiles(ctx context.Context) error {
	if p.o.DryRun {
		return nil
	}
	from := []byte{}
	for {
		some, err := list(ctx, p.store.db, scanSleeper,
			selectSleeper+`WHERE guest IS NOT NULL AND guest <= 0 AND guest > $1 AND key > $2 ORDER BY key LIMIT $3`,
			-p.plan.Names.UnixMicro(), from, int64(pruneBatch))
		if err != nil || len(some) == 0 {
			return err
		}
		for i := range some {
			from = some[i].key
			err := p.forgetFile(ctx, &some[i])
			if err != nil {
				return err
			}
		}
	}
}

// forgetFile removes one of them.
func (p *pruning) forgetFile(ctx context.Context, f *sleeper) error {
	if !f.expendable() {
		return nil
	}
	return p.store.db.Update(ctx, func(c Conn) error {
		leads, err := number(ctx, c,
			`SELECT COUNT(*) FROM custody_publishers WHERE current_file = $1 OR next_file = $1 OR domain = $2`, f.key,
			custodian.OwnerOf(f.URL))
		if err != nil || leads > 0 {
			return err
		}
		n, err := exec(ctx, c, `DELETE FROM custody_files WHERE key = $1 AND revision = $2`, f.key, f.revision)
		if err != nil || n == 0 {
			return err
		}
		_, err = exec(ctx, c, `DELETE FROM custody_events WHERE publisher = '' AND file = $1`, f.key)
		return err
	})
}
