package registry

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/avow-project/avow/internal/custody"
)

// proposalForm is what the id of a proposal looks like.
var proposalForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^prop_[0-9a-f]{24}$`) })

// longestReason is the longest reason of a decision, in characters.
const longestReason = 1000

// proposalDigest stands for a proposal as a whole: the platform, what its mirror was,
// and what it shall become.
func proposalDigest(platform string, base, document Hash) Hash {
	return HashOf([]byte(strings.Join([]string{"proposal", platform, string(base), string(document)}, "\n")))
}

// propose stores a change of a mirror for a moderator to decide on.
func (s *Service) propose(ctx context.Context, caller Caller, m *Mirror, base Hash) (*Proposal, error) {
	p := &Proposal{
		ID: "prop_" + randomHex(12), Platform: m.Platform, Document: m.Document, Base: base,
		Digest: proposalDigest(m.Platform, base, m.Document), State: Pending, SubmittedAt: s.moment(),
		SubmittedBy: caller.Key.ID,
	}
	err := s.config.Store.PutProposal(ctx, p)
	if errors.Is(err, ErrTooMany) {
		return nil, tooManyWaiting()
	}
	return p, err
}

// mayPropose refuses a proposal before anything of it is stored.
func (s *Service) mayPropose(ctx context.Context, caller Caller, request []byte) error {
	if len(request) > maxProposal {
		return tooMuchToReview()
	}
	waiting, err := s.config.Store.PendingBy(ctx, caller.Key.ID)
	if err == nil && waiting >= MaxPending {
		return tooManyWaiting()
	}
	return err
}

func tooManyWaiting() *Error {
	return &Error{
		Kind: Limited, Code: "proposals_pending",
		Message: fmt.Sprintf("%d proposals of this key wait for a decision", MaxPending),
		Hint:    "try again when a moderator has decided on some of them",
	}
}

// A ProposalView is a proposal with its document.
type ProposalView struct {
	Proposal
	// Body is the document; nil in a list.
	Body []byte
}

// Proposals returns a page of the proposals in a state, of all for an empty one, and
// how many there are. It takes a moderator.
func (s *Service) Proposals(ctx context.Context, caller Caller, state ProposalState,
	limit, offset int) ([]Proposal, int, error) {
	err := caller.Require(ScopeModerate)
	if err != nil {
		return nil, 0, err
	}
	return s.config.Store.Proposals(ctx, state, limit, offset)
}

// Proposal returns a proposal. Its author and every moderator may see it.
func (s *Service) Proposal(ctx context.Context, caller Caller, id string) (*ProposalView, error) {
	err := caller.Require(ScopeWrite)
	if err != nil {
		return nil, err
	}
	if !proposalForm().MatchString(id) {
		return nil, noProposal()
	}
	p, err := s.config.Store.Proposal(ctx, id)
	switch {
	case errors.Is(err, ErrNotFound):
		return nil, noProposal()
	case err != nil:
		return nil, err
	case p.SubmittedBy != caller.Key.ID && !caller.Key.Permits(ScopeModerate):
		return nil, noProposal() // whether there is one is not everybody's business
	}
	body, err := s.config.Store.Document(ctx, p.Document)
	if err != nil {
		return nil, err
	}
	return &ProposalView{*p, body}, nil
}

func noProposal() *Error {
	return &Error{Kind: NotFound, Code: "proposal_not_found", Message: "Proposal not found"}
}

// A Ruling is what a moderator decides about a proposal.
type Ruling struct {
	// Digest is the proposal's, as the moderator has read it.
	Digest  Hash
	Approve bool
	// Reason is for the one who proposed.
	Reason string
}

func (r *Ruling) check() error {
	switch {
	case r.Digest == "":
		return &Error{
			Kind: Invalid, Code: "digest_required", Message: "proposal_digest is required",
			Hint: "send the proposal_digest of the proposal that you have read",
		}
	case utf8.RuneCountInString(r.Reason) > longestReason:
		return reasonTooLong()
	}
	return nil
}

func reasonTooLong() *Error {
	return &Error{Kind: Invalid, Code: "reason_too_long", Message: "The reason is too long",
		Hint: "use up to 1000 characters"}
}

// Decide approves or rejects a proposal. What is approved is served when it returns.
// It is a Conflict when the proposal is not the one that was read, was decided before,
// or the mirror has changed since it was made.
func (s *Service) Decide(ctx context.Context, caller Caller, id string, r Ruling) (*Proposal, error) {
	err := caller.Require(ScopeModerate)
	if err != nil {
		return nil, err
	}
	err = r.check()
	if err != nil {
		return nil, err
	}
	p, err := s.Proposal(ctx, caller, id)
	if err != nil {
		return nil, err
	}
	switch {
	case p.Digest != r.Digest:
		return nil, &Error{
			Kind: Conflict, Code: "digest_mismatch", Message: "The proposal is not the one that was read",
			Hint: "read it again; a decision names its proposal_digest",
		}
	case p.State != Pending:
		return nil, &Error{Kind: Conflict, Code: "proposal_decided",
			Message: "The proposal is " + string(p.State) + " already"}
	}
	decided := p.Proposal
	decided.State, decided.DecidedAt, decided.DecidedBy, decided.Reason = Rejected, s.moment(), caller.Key.ID,
		PlainText(r.Reason, longestReason)
	var m *Mirror
	if r.Approve {
		decided.State = Approved
		m, err = s.approved(ctx, p)
		if err != nil {
			return nil, err
		}
		m.UpdatedAt = decided.DecidedAt // by which UndoDecision knows it
	}
	defer s.mirrorIndex.forget()
	err = s.config.Store.DecideProposal(ctx, &decided, m)
	if errors.Is(err, ErrConflict) {
		return nil, baseChanged()
	}
	return &decided, err
}

// mostDecided is how many decisions are offered to be taken back.
const mostDecided = 100

// DecidedProposals returns the decisions that UndoDecision can still take back, the latest first. It takes a moderator.
func (s *Service) DecidedProposals(ctx context.Context, caller Caller) ([]Proposal, error) {
	err := caller.Require(ScopeModerate)
	if err != nil {
		return nil, err
	}
	return s.config.Store.DecidedProposals(ctx, s.moment().Add(time.Microsecond-custody.UndoTime), mostDecided)
}

// UndoDecision takes the decision on a proposal that was made at a time back within custody.UndoTime: it is pending
// again, and if it was approved, the mirror is what it was before. It is a Conflict when there is a later decision, or
// the mirror has changed since.
func (s *Service) UndoDecision(ctx context.Context, caller Caller, id string, decided time.Time) error {
	err := caller.Require(ScopeModerate)
	if err != nil {
		return err
	}
	p, err := s.Proposal(ctx, caller, id)
	if err != nil {
		return err
	}
	if p.State == Pending || !p.DecidedAt.Equal(decided) || s.moment().Sub(p.DecidedAt) >= custody.UndoTime {
		return notUndone()
	}
	var before *Mirror
	if p.State == Approved {
		before, err = s.beforeApproval(ctx, &p.Proposal)
		if err != nil {
			return err
		}
	}
	defer s.mirrorIndex.forget()
	err = s.config.Store.ReopenProposal(ctx, &p.Proposal, before)
	if errors.Is(err, ErrConflict) || errors.Is(err, ErrNotFound) {
		return notUndone()
	}
	if err == nil {
		s.config.Log.InfoContext(ctx, "a decision on a proposal was taken back", "proposal", id, "platform", p.Platform,
			"by", caller.Key.ID, "was", p.State, "decided_by", p.DecidedBy, "decided_at", p.DecidedAt, "reason", p.Reason)
	}
	return err
}

// beforeApproval returns what a mirror was before a proposal was approved; nil when there was none. When it was
// superseded is not kept if the approval has ended that: it is superseded from now on, and so served longer.
func (s *Service) beforeApproval(ctx context.Context, p *Proposal) (*Mirror, error) {
	now, err := s.mirror(ctx, p.Platform)
	if err != nil || p.Base == "" {
		return nil, err
	}
	body, err := s.config.Store.Document(ctx, p.Base)
	if errors.Is(err, ErrNotFound) {
		return nil, notUndone()
	}
	if err != nil {
		return nil, err
	}
	leave, err := s.reserveContent(ctx, body)
	if err != nil {
		return nil, busyOr(err)
	}
	defer leave()
	file, err := s.makeMirrorFile(body)
	if err != nil {
		return nil, err
	}
	return s.successor(now, p.Platform, p.Base, file), nil
}

func notUndone() *Error {
	return &Error{
		Kind: Conflict, Code: "not_undone", Message: "This decision cannot be taken back any more",
		Hint: "its ten minutes are over, or the record has changed since; see what is pending now",
	}
}

func baseChanged() *Error {
	return &Error{
		Kind: Conflict, Code: "base_changed",
		Message: "The mirror has changed since the proposal was made, or another moderator has decided",
		Hint:    "look at the proposal again; if the mirror has changed, reject it and ask for a new one",
	}
}

// approved returns what the mirror becomes by a proposal. Its document is checked
// again: rules may have changed since it was proposed.
func (s *Service) approved(ctx context.Context, p *ProposalView) (*Mirror, error) {
	old, err := s.mirror(ctx, p.Platform)
	if err != nil {
		return nil, err
	}
	if documentOf(old) != p.Base {
		return nil, baseChanged()
	}
	file, err := s.makeMirrorFile(p.Body)
	if err != nil {
		return nil, err
	}
	return s.successor(old, p.Platform, p.Document, file), nil
}
