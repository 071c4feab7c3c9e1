package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/registry"
)

// decided is a proposal after a decision.
func decided(p *registry.Proposal, state registry.ProposalState) *registry.Proposal {
	d := *p
	d.State, d.DecidedAt, d.DecidedBy, d.Reason = state, day0.Add(time.Hour), "moderator", "because"
	return &d
}

var proposalTests = map[string]func(*testing.T, subject){
	"come back": func(t *testing.T, open subject) {
		s := open(t)
		p := proposal("1", document(t, s, "new"), document(t, s, "old"))
		ok(t, s.PutProposal(t.Context(), p))
		want(t, got[*registry.Proposal](t)(s.Proposal(t.Context(), "1")), p)
		wantErr(t, s.PutProposal(t.Context(), p), registry.ErrConflict)
		d := decided(proposal("2", p.Document, ""), registry.Rejected)
		ok(t, s.PutProposal(t.Context(), d))
		want(t, got[*registry.Proposal](t)(s.Proposal(t.Context(), "2")), d)
	},
	"unknown ones are not found": func(t *testing.T, open subject) {
		s := open(t)
		for _, id := range []string{"", "1", "a\x00b", "\xff"} {
			_, err := s.Proposal(t.Context(), id)
			wantErr(t, err, registry.ErrNotFound)
		}
		wantErr(t, s.DecideProposal(t.Context(), decided(proposal("1", "", ""), registry.Rejected), nil), registry.ErrNotFound)
	},
	"come in pages":            proposalsComeInPages,
	"are decided once":         proposalsAreDecidedOnce,
	"of a key are limited":     proposalsAreLimited,
	"are approved from a base": proposalsHaveABase,
	"are reopened":             proposalsAreReopened,
	"one of many decides":      decisionsCompete,
	"one of many is approved":  approvalsCompete,
	"a decision is a decision": func(t *testing.T, open subject) {
		s := open(t)
		p := proposal("1", document(t, s, "new"), "")
		ok(t, s.PutProposal(t.Context(), p))
		if s.DecideProposal(t.Context(), p, nil) == nil {
			t.Error("a decision to leave it pending was accepted")
		}
	},
}

func proposalsComeInPages(t *testing.T, open subject) {
	s := open(t)
	h := document(t, s, "new")
	// By age, then by ID: d, b, c, a.
	for _, p := range []struct {
		id    string
		age   time.Duration
		state registry.ProposalState
	}{{"a", 1 * time.Hour, registry.Pending}, {"b", 2 * time.Hour, registry.Approved}, {"c", 2 * time.Hour, registry.Pending}, {"d", 3 * time.Hour, registry.Pending}} {
		v := proposal(p.id, h, "")
		v.SubmittedAt, v.State = day0.Add(-p.age), p.state
		ok(t, s.PutProposal(t.Context(), v))
	}
	for _, tc := range []struct {
		state         registry.ProposalState
		limit, offset int
		ids           string
		total         int
	}{
		{"", 10, 0, "dbca", 4}, {"", 2, 1, "bc", 4}, {"", 2, 4, "", 4}, {"", 0, 0, "", 4},
		{registry.Pending, 10, 0, "dca", 3}, {registry.Pending, 1, 1, "c", 3}, {registry.Pending, -1, -1, "", 3},
		{registry.Approved, 10, 0, "b", 1}, {registry.Rejected, 10, 0, "", 0}, {"' OR ''='", 10, 0, "", 0},
	} {
		all, total, err := s.Proposals(t.Context(), tc.state, tc.limit, tc.offset)
		ok(t, err)
		ids := ""
		for _, p := range all {
			ids += p.ID
		}
		if ids != tc.ids || total != tc.total {
			t.Errorf("%+v: have %q of %d", tc, ids, total)
		}
	}
}

// proposalsAreLimited makes more than may wait, several at once.
func proposalsAreLimited(t *testing.T, open subject) {
	s := open(t)
	ok(t, s.PutKey(t.Context(), key("writer", day0)))
	h := document(t, s, "new")
	var refused atomic.Int32
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for n := range registry.MaxPending/8 + 2 {
				err := s.PutProposal(t.Context(), proposal(fmt.Sprint(i, "-", n), h, ""))
				if errors.Is(err, registry.ErrTooMany) {
					refused.Add(1)
				} else if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	want(t, got[int](t)(s.PendingBy(t.Context(), "writer")), registry.MaxPending)
	want(t, int(refused.Load()), 8*(registry.MaxPending/8+2)-registry.MaxPending)
	other := proposal("other", h, "")
	other.SubmittedBy = "another"
	ok(t, s.PutProposal(t.Context(), other))
	ok(t, s.PutProposal(t.Context(), decided(proposal("decided", h, ""), registry.Rejected)))
	late := proposal("late", h, "")
	wantErr(t, s.PutProposal(t.Context(), late), registry.ErrTooMany)
	ok(t, s.DecideProposal(t.Context(), decided(proposal("0-0", h, ""), registry.Rejected), nil))
	ok(t, s.PutProposal(t.Context(), late))
}

func proposalsAreDecidedOnce(t *testing.T, open subject) {
	s := open(t)
	p := proposal("1", document(t, s, "new"), "")
	ok(t, s.PutProposal(t.Context(), p))
	rejected := decided(p, registry.Rejected)
	ok(t, s.DecideProposal(t.Context(), rejected, nil))
	want(t, got[*registry.Proposal](t)(s.Proposal(t.Context(), "1")), rejected)
	wantErr(t, s.DecideProposal(t.Context(), decided(p, registry.Approved), mirror(t, s, "p", "new")), registry.ErrConflict)
	want(t, got[*registry.Proposal](t)(s.Proposal(t.Context(), "1")), rejected)
	_, err := s.Mirror(t.Context(), "p")
	wantErr(t, err, registry.ErrNotFound)
}

// proposalsHaveABase: a decision whose mirror has changed leaves both as they are.
func proposalsHaveABase(t *testing.T, open subject) {
	s := open(t)
	old, next := mirror(t, s, "p", "old"), mirror(t, s, "p", "next")
	fresh, change := proposal("fresh", old.Document, ""), proposal("change", next.Document, old.Document)
	ok(t, s.PutProposal(t.Context(), fresh))
	ok(t, s.PutProposal(t.Context(), change))

	wantErr(t, s.DecideProposal(t.Context(), decided(change, registry.Approved), next), registry.ErrConflict)
	want(t, got[*registry.Proposal](t)(s.Proposal(t.Context(), "change")), change)
	ok(t, s.DecideProposal(t.Context(), decided(fresh, registry.Approved), old))
	want(t, got[*registry.Mirror](t)(s.Mirror(t.Context(), "p")), old)
	ok(t, s.DecideProposal(t.Context(), decided(change, registry.Approved), next))
	want(t, got[*registry.Mirror](t)(s.Mirror(t.Context(), "p")), next)
	want(t, got[*registry.Proposal](t)(s.Proposal(t.Context(), "change")), decided(change, registry.Approved))

	late := proposal("late", old.Document, "")
	ok(t, s.PutProposal(t.Context(), late))
	wantErr(t, s.DecideProposal(t.Context(), decided(late, registry.Approved), old), registry.ErrConflict)
	want(t, got[*registry.Proposal](t)(s.Proposal(t.Context(), "late")).State, registry.Pending)
}

// proposalsAreReopened: a decision that is taken back takes its mirror along.
func proposalsAreReopened(t *testing.T, open subject) {
	s := open(t)
	old, next := mirror(t, s, "p", "old"), mirror(t, s, "p", "next")
	fresh, change := proposal("fresh", old.Document, ""), proposal("change", next.Document, old.Document)
	yes, no := decided(fresh, registry.Approved), decided(change, registry.Rejected)
	old.UpdatedAt, next.UpdatedAt = yes.DecidedAt, no.DecidedAt
	wantErr(t, s.ReopenProposal(t.Context(), yes, nil), registry.ErrNotFound)
	ok(t, s.PutProposal(t.Context(), fresh))
	ok(t, s.PutProposal(t.Context(), change))
	wantErr(t, s.ReopenProposal(t.Context(), yes, nil), registry.ErrConflict)
	ok(t, s.DecideProposal(t.Context(), yes, old))
	ok(t, s.DecideProposal(t.Context(), no, nil))
	want(t, len(got[[]registry.Proposal](t)(s.DecidedProposals(t.Context(), yes.DecidedAt, 10))), 2)
	want(t, len(got[[]registry.Proposal](t)(s.DecidedProposals(t.Context(), yes.DecidedAt, 1))), 1)
	want(t, len(got[[]registry.Proposal](t)(s.DecidedProposals(t.Context(), yes.DecidedAt.Add(time.Second), 10))), 0)
	ok(t, s.ReopenProposal(t.Context(), no, nil))
	want(t, got[*registry.Proposal](t)(s.Proposal(t.Context(), "change")), change)
	approved := decided(change, registry.Approved)
	ok(t, s.DecideProposal(t.Context(), approved, next))
	wantErr(t, s.ReopenProposal(t.Context(), yes, nil), registry.ErrConflict)
	want(t, got[*registry.Proposal](t)(s.Proposal(t.Context(), "fresh")), yes)
	list := got[[]registry.Proposal](t)(s.DecidedProposals(t.Context(), yes.DecidedAt, 10))
	want(t, list, []registry.Proposal{*approved})
	again := *next
	again.UpdatedAt = next.UpdatedAt.Add(time.Second)
	ok(t, s.PutMirror(t.Context(), &again, next.Document))
	wantErr(t, s.ReopenProposal(t.Context(), approved, old), registry.ErrConflict)
	want(t, got[*registry.Proposal](t)(s.Proposal(t.Context(), "change")), approved)
	want(t, len(got[[]registry.Proposal](t)(s.DecidedProposals(t.Context(), yes.DecidedAt, 10))), 0)
	ok(t, s.PutMirror(t.Context(), next, next.Document))
	ok(t, s.ReopenProposal(t.Context(), approved, old))
	want(t, got[*registry.Mirror](t)(s.Mirror(t.Context(), "p")), old)
	ok(t, s.ReopenProposal(t.Context(), yes, nil))
	_, err := s.Mirror(t.Context(), "p")
	wantErr(t, err, registry.ErrNotFound)
	want(t, got[*registry.Proposal](t)(s.Proposal(t.Context(), "fresh")), fresh)
}

// decisionsCompete: many moderators, one proposal.
func decisionsCompete(t *testing.T, open subject) {
	first, second := open(t), open(t)
	m := mirror(t, first, "p", "new")
	p := proposal("1", m.Document, "")
	ok(t, first.PutProposal(t.Context(), p))
	want(t, race(t, func(ctx context.Context, i int) error {
		s := []registry.Store{first, second}[i%2]
		if i%4 < 2 {
			return s.DecideProposal(ctx, decided(p, registry.Approved), m)
		}
		return s.DecideProposal(ctx, decided(p, registry.Rejected), nil)
	}), 1)
	_, total, err := first.Mirrors(t.Context(), 1, 0)
	ok(t, err)
	approved := got[*registry.Proposal](t)(first.Proposal(t.Context(), "1")).State == registry.Approved
	want(t, total == 1, approved)
}

// approvalsCompete: many proposals, one base.
func approvalsCompete(t *testing.T, open subject) {
	first, second := open(t), open(t)
	base := mirror(t, first, "p", "base")
	ok(t, first.PutMirror(t.Context(), base, ""))
	var proposals []*registry.Proposal
	for i := range racers {
		p := proposal(fmt.Sprint(i), document(t, first, fmt.Sprint(i)), base.Document)
		ok(t, first.PutProposal(t.Context(), p))
		proposals = append(proposals, p)
	}
	want(t, race(t, func(ctx context.Context, i int) error {
		m := *base
		m.Document = proposals[i].Document
		return []registry.Store{first, second}[i%2].DecideProposal(ctx, decided(proposals[i], registry.Approved), &m)
	}), 1)
	approved, total, err := first.Proposals(t.Context(), registry.Approved, 10, 0)
	ok(t, err)
	want(t, total, 1)
	want(t, got[*registry.Mirror](t)(first.Mirror(t.Context(), "p")).Document, approved[0].Document)
	_, total, err = first.Proposals(t.Context(), registry.Pending, 10, 0)
	ok(t, err)
	want(t, total, racers-1)
}
