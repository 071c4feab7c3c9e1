package web

import (
	"net/http"
	"strings"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/changes"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/registry"
)

// proposalPage is a proposed mirror, beside what it is.
type proposalPage struct {
	ID, Platform, By, State, Digest, Reason string
	At                                      time.Time
	Pending                                 bool
	// Now and Next are the files; nil when there is none.
	Now, Next rawText
	// Changes are what is different, and More how many are not shown.
	Changes []changeView
	More    int
}

// proposal answers with a proposal.
func (p *Pages) proposal(w http.ResponseWriter, r *http.Request) {
	caller, ok := p.moderator(w, r)
	if !ok {
		return
	}
	v, err := p.service.Proposal(r.Context(), caller, r.PathValue("id"))
	if err != nil {
		p.failed(w, r, err, domainForm{})
		return
	}
	mirror, err := p.service.Mirror(r.Context(), v.Platform)
	if err != nil && edge.Problem(err).Kind != registry.NotFound {
		p.failed(w, r, err, domainForm{})
		return
	}
	var now []byte
	if mirror != nil {
		now = mirror.Body
	}
	p.renderPrivate(w, r, http.StatusOK, "proposal", proposalOf(v, now))
}

// proposalOf shows a proposal and what the mirror has now.
func proposalOf(v *registry.ProposalView, now []byte) *proposalPage {
	page := &proposalPage{
		ID: v.ID, Platform: safe(v.Platform), By: safe(v.SubmittedBy), State: string(v.State), Digest: string(v.Digest),
		Reason: safe(v.Reason), At: v.SubmittedAt,
		Pending: v.State == registry.Pending,
	}
	next := adagents.Check(v.Body, adagents.Options{})
	page.Next = rawOf(&document{source: redact.Of(v.Body, next)})
	var before *adagents.File
	if now != nil {
		report := adagents.Check(now, adagents.Options{})
		page.Now, before = rawOf(&document{source: redact.Of(now, report)}), report.File
	}
	c := changes.Comparison{Old: before, Next: next.File, Changes: custody.Compare(before, next.File)}
	page.Changes, page.More = changeLines(&c, &pen{findingsBytes})
	return page
}

// undoProposal takes a decision about a proposal back.
func (p *Pages) undoProposal(w http.ResponseWriter, r *http.Request) {
	caller, ok := p.deciding(w, r)
	if ok {
		p.decided(w, r, p.service.UndoDecision(r.Context(), caller, r.PathValue("id"), decidedAt(r)), "undone")
	}
}

// decideProposal decides about a proposal.
func (p *Pages) decideProposal(w http.ResponseWriter, r *http.Request) {
	caller, ok := p.deciding(w, r)
	if !ok {
		return
	}
	approve, reason := r.PostFormValue("do") == "approve", strings.TrimSpace(r.PostFormValue("reason"))
	if reason == "" {
		p.fail(w, r, &problemPage{Status: http.StatusBadRequest, Title: "The reason is missing",
			Message: "Nothing was decided.", Hint: "Go back and write a reason: it is for the one who proposed."})
		return
	}
	_, err := p.service.Decide(r.Context(), caller, r.PathValue("id"),
		registry.Ruling{Digest: registry.Hash(r.PostFormValue("digest")), Approve: approve, Reason: reason})
	p.decided(w, r, err, map[bool]string{true: "approved", false: "declined"}[approve])
}
