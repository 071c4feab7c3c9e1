package records

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/store/highwater"
	"github.com/avow-project/avow/internal/std/hostname"
)

// TakeTurns returns publishers whose turn it is, in alphabetical order.
func (s *Custody) TakeTurns(ctx context.Context, at, until time.Time, most int) ([]custodian.Turn, error) {
	waiting, err := number(ctx, s.db, `SELECT COUNT(*) FROM (SELECT 1 FROM turns WHERE at <= $1 LIMIT 1) AS found`,
		at.UnixMicro())
	if err != nil || waiting == 0 {
		return nil, err
	}
	var out []custodian.Turn
	err = s.db.Update(ctx, func(c Conn) error {
		names, err := list(ctx, c, scanText, `SELECT domain FROM turns WHERE at <= $1 ORDER BY at, domain LIMIT $2`+
			s.db.Dialect().Skip, at.UnixMicro(), int64(most))
		if err == nil {
			err = laterAmong(ctx, c, nil, `UPDATE turns SET at = $1 WHERE domain IN `, names, until.UnixMicro())
		}
		out = nil
		for _, name := range slices.Sorted(slices.Values(names)) {
			out = append(out, custodian.Turn{Domain: hostname.Domain(name), Until: until})
		}
		return err
	})
	return out, err
}

// Tell writes what publishers are told about whose turn it was, and notes when the next turns are, unless
// that was noted meanwhile. Statements are about many publishers, because those that share a file are told
// about together.
func (s *Custody) Tell(ctx context.Context, list []custodian.TurnResult) error {
	var all []*encoded
	for i := range list {
		if list[i].Change == nil {
			continue
		}
		e, err := s.encodeTold(list[i].Change)
		if err != nil {
			return err
		}
		all = append(all, e)
	}
	return s.docs.counted(ctx, func(c Conn) (highwater.State, error) {
		err := s.noteTold(ctx, c, all)
		if err == nil {
			err = writeIndex(ctx, c, all)
		}
		if err == nil {
			err = endTurns(ctx, c, list)
		}
		if err != nil {
			return highwater.State{}, err
		}
		return writeHistory(ctx, s.docs, c, all)
	})
}

// noteTold notes in the rows of publishers what was told. Their records stay as they are.
func (s *Custody) noteTold(ctx context.Context, c Conn, all []*encoded) error {
	type row struct {
		revision, state  int64
		listed, reported string
	}
	groups := map[row][]string{}
	var order []row
	for _, e := range all {
		p := e.change.Publisher
		r := row{p.Revision, stateNumber(e.change.State, e.change.InEffect), p.Listed, p.Reported}
		if groups[r] == nil {
			order = append(order, r)
		}
		groups[r] = append(groups[r], string(p.Domain))
	}
	for _, r := range order {
		err := laterAmong(ctx, c, custodian.ErrConflict,
			`UPDATE custody_publishers SET revision = revision + 1, state = $2, listed = $3, told = $4 WHERE revision = $1 AND domain IN `,
			groups[r], r.revision, r.state, r.listed, r.reported)
		if err != nil {
			return err
		}
	}
	return nil
}

// nextTurnStatements note turns, for batchSizes.
var nextTurnStatements = sync.OnceValue(func() []string {
	return insertStatements(`INSERT INTO turns (domain, at) VALUES `, 2)
})

// endTurns notes when the next turns are, unless that was noted meanwhile.
func endTurns(ctx context.Context, c Conn, list []custodian.TurnResult) error {
	ended := map[time.Time][]string{}
	var next []custodian.TurnResult
	for _, t := range list {
		ended[t.Until] = append(ended[t.Until], string(t.Domain))
		if !t.Next.IsZero() {
			next = append(next, t)
		}
	}
	for until, domains := range ended {
		err := laterAmong(ctx, c, nil, `DELETE FROM turns WHERE at = $1 AND domain IN `, domains, until.UnixMicro())
		if err != nil {
			return err
		}
	}
	slices.SortFunc(next, func(a, b custodian.TurnResult) int { return cmp.Compare(a.Domain, b.Domain) })
	return batches(next, func(i int, some []custodian.TurnResult) error {
		var args []any
		for _, t := range some {
			args = append(args, t.Domain, t.Next.UnixMicro())
		}
		return later(ctx, c, nextTurnStatements()[i]+sooner, args...)
	})
}
