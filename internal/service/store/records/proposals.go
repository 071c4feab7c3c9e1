package records

import (
	"context"
	"fmt"
	"time"

	"github.com/avow-project/avow/internal/service/registry"
)

// proposalColumns are the columns of a proposal in the order of scanProposal.
const proposalColumns = `id, platform, document, base, digest, state, submitted_at, submitted_by, decided_at, decided_by, reason`

// scanProposal reads a row of proposalColumns.
func scanProposal(r Rows) (*registry.Proposal, error) {
	p := &registry.Proposal{}
	var document, base, digest, state string
	var submitted int64
	var decided *int64
	err := r.Scan(&p.ID, &p.Platform, &document, &base, &digest, &state, &submitted, &p.SubmittedBy, &decided,
		&p.DecidedBy, &p.Reason)
	if err != nil {
		return nil, err
	}
	p.Document, p.Base, p.Digest = registry.Hash(document), registry.Hash(base), registry.Hash(digest)
	p.State, p.SubmittedAt, p.DecidedAt = registry.ProposalState(state), time.UnixMicro(submitted).UTC(), timeOf(decided)
	return p, nil
}

// PutProposal stores a new proposal. It has the row of the key, so that the proposals of
// one are counted one after the other.
func (s *Store) PutProposal(ctx context.Context, p *registry.Proposal) (err error) {
	defer s.watched(&ctx, "put_proposal", &err)()
	return s.db.Update(ctx, func(c Conn) error {
		_, err := exec(ctx, c, `UPDATE api_keys SET name = name WHERE id = $1`, p.SubmittedBy)
		if err != nil {
			return err
		}
		waiting, err := pendingBy(ctx, c, p.SubmittedBy)
		switch {
		case err != nil:
			return err
		case p.State == registry.Pending && waiting >= registry.MaxPending:
			return registry.ErrTooMany
		}
		return insertProposal(ctx, c, p)
	})
}

func insertProposal(ctx context.Context, c Conn, p *registry.Proposal) error {
	n, err := exec(ctx, c, `INSERT INTO proposals (`+proposalColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
		ON CONFLICT (id) DO NOTHING`,
		p.ID, p.Platform, string(p.Document), string(p.Base), string(p.Digest), string(p.State),
		p.SubmittedAt.UnixMicro(), p.SubmittedBy, optional(p.DecidedAt), p.DecidedBy, p.Reason)
	if err == nil && n == 0 {
		return registry.ErrConflict
	}
	return err
}

// PendingBy returns how many proposals of a key are pending.
func (s *Store) PendingBy(ctx context.Context, key string) (_ int, err error) {
	defer s.watched(&ctx, "pending_by", &err)()
	return pendingBy(ctx, s.db, key)
}

func pendingBy(ctx context.Context, c Conn, key string) (int, error) {
	return number(ctx, c, `SELECT COUNT(*) FROM proposals WHERE state = 'pending' AND submitted_by = $1`, key)
}

// Proposal returns a proposal.
func (s *Store) Proposal(ctx context.Context, id string) (_ *registry.Proposal, err error) {
	defer s.watched(&ctx, "proposal", &err)()
	return get(ctx, s.db, scanProposal, `SELECT `+proposalColumns+` FROM proposals WHERE id = $1`, id)
}

// Proposals returns a page of the proposals in a state, or of all.
func (s *Store) Proposals(ctx context.Context, state registry.ProposalState,
	limit, offset int) (_ []registry.Proposal, _ int, err error) {
	defer s.watched(&ctx, "proposals", &err)()
	n, skip := page(limit, offset)
	// The text is put together from constants; what the caller gives is a parameter.
	where, args := "", []any{}
	if state != "" {
		where, args = ` WHERE state = $1`, []any{string(state)}
	}
	window := fmt.Sprintf(` ORDER BY submitted_at, id LIMIT $%d OFFSET $%d`, len(args)+1, len(args)+2)
	var all []registry.Proposal
	var total int
	err = s.db.Snapshot(ctx, func(c Conn) error {
		var err error
		total, err = number(ctx, c, `SELECT COUNT(*) FROM proposals`+where, args...)
		if err != nil {
			return err
		}
		all, err = list(ctx, c, scanProposal, `SELECT `+proposalColumns+` FROM proposals`+where+window,
			append(args, n, skip)...)
		return err
	})
	if err != nil {
		return nil, 0, err
	}
	return all, total, nil
}

// DecidedProposals returns what was decided lately and can be taken back.
func (s *Store) DecidedProposals(ctx context.Context, since time.Time, limit int) (_ []registry.Proposal, err error) {
	defer s.watched(&ctx, "decided_proposals", &err)()
	return list(ctx, s.db, scanProposal,
		`SELECT `+proposalColumns+` FROM proposals p WHERE decided_at >= $1 AND (state <> 'approved' OR EXISTS (
			SELECT 1 FROM mirrors m WHERE m.platform = p.platform AND m.document = p.document AND m.updated_at = p.decided_at))
			ORDER BY decided_at DESC, id LIMIT $2`, since.UnixMicro(), limit)
}

// ReopenProposal takes a decision back, and the mirror it has led to.
func (s *Store) ReopenProposal(ctx context.Context, p *registry.Proposal, m *registry.Mirror) (err error) {
	defer s.watched(&ctx, "reopen_proposal", &err)()
	return s.db.Update(ctx, func(c Conn) error {
		n, err := exec(ctx, c, `UPDATE proposals SET state = 'pending', decided_at = NULL, decided_by = '', reason = ''
			WHERE id = $1 AND state = $2 AND decided_at = $3`, p.ID, string(p.State), p.DecidedAt.UnixMicro())
		switch {
		case err != nil:
			return err
		case n == 0:
			return absentOrChanged(ctx, c, `SELECT COUNT(*) FROM proposals WHERE id = $1`, p.ID)
		case p.State != registry.Approved:
			return nil
		}
		// The row is held: the same document may have been put again, but not by this decision.
		n, err = exec(ctx, c, `UPDATE mirrors SET updated_at = updated_at WHERE platform = $1 AND updated_at = $2`,
			p.Platform, p.DecidedAt.UnixMicro())
		switch {
		case err != nil:
			return err
		case n == 0:
			return registry.ErrConflict
		case m == nil:
			return deleteMirror(ctx, c, p.Platform, p.Document)
		}
		return putMirror(ctx, c, m, p.Document)
	})
}

// DecideProposal stores a decision and the mirror it leads to.
func (s *Store) DecideProposal(ctx context.Context, p *registry.Proposal, m *registry.Mirror) (err error) {
	defer s.watched(&ctx, "decide_proposal", &err)()
	if p.State == registry.Pending {
		return fmt.Errorf("store: the decision on proposal %s is none", p.ID)
	}
	return s.db.Update(ctx, func(c Conn) error {
		n, err := exec(ctx, c, `UPDATE proposals SET state = $2, decided_at = $3, decided_by = $4, reason = $5
			WHERE id = $1 AND state = 'pending'`,
			p.ID, string(p.State), optional(p.DecidedAt), p.DecidedBy, p.Reason)
		if err != nil {
			return err
		}
		if n == 0 {
			return absentOrChanged(ctx, c, `SELECT COUNT(*) FROM proposals WHERE id = $1`, p.ID)
		}
		if m == nil {
			return nil
		}
		return putMirror(ctx, c, m, p.Base)
	})
}
