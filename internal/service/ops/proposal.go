package ops

import (
	"context"
	"net/http"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/wire"
)

type proposalsInput struct {
	Status string `query:"status" enum:"pending,approved,rejected" doc:"Only those; all when it is left out."`
	Limit  int    `query:"limit" minimum:"1" maximum:"500" default:"100" doc:"How many to list."`
	Offset int    `query:"offset" minimum:"0" maximum:"1000000" default:"0" doc:"How many to leave out."`
}

type proposalInput struct {
	ID string `path:"id" doc:"The proposal_id."`
}

type rulingInput struct {
	ID   string     `path:"id" doc:"The proposal_id."`
	Body rulingBody `body:"" required:"true"`
}

type rulingBody struct {
	ProposalDigest string `json:"proposal_digest" required:"true" missing:"proposal_digest is required" maxLength:"64" doc:"The digest of the proposal that was read, so that nothing else is decided on."`
	Reason         string `json:"reason" doc:"For the one who proposed."`
}

// ProposalHead is what every answer says about a proposal.
type ProposalHead struct {
	ProposalID     string `json:"proposal_id"`
	Platform       string `json:"platform"`
	Status         string `json:"status" enum:"pending,approved,rejected"`
	ProposalDigest string `json:"proposal_digest" doc:"Stands for platform, the mirror as it was, and what it shall become."`
	SubmittedAt    string `json:"submitted_at" format:"date-time"`
	SubmittedBy    string `json:"submitted_by" doc:"The id of a key."`
	DecidedAt      string `json:"decided_at,omitempty" format:"date-time"`
	DecidedBy      string `json:"decided_by,omitempty" doc:"The id of a key."`
	Reason         string `json:"reason,omitempty"`
}

type proposalsReply struct {
	Proposals []ProposalHead `json:"proposals"`
	Total     int            `json:"total"`
}

// proposalReply is one proposal with what it is about.
type proposalReply struct {
	ProposalHead
	AdagentsJSON jsontext.Value `json:"adagents_json" doc:"The file that the mirror shall become."`
}

// rulingReply says what was decided.
type rulingReply struct {
	Success bool `json:"success" doc:"True."`
	ProposalHead
}

func (o *Set) proposalOperations() []Operation {
	ruling := func(verb, summary, description string, approve bool) Operation {
		return Define(Operation{
			HTTP: "POST /api/registry/mirror-proposals/{id}/" + verb, Name: verb + "_proposal", Tag: "mirrors",
			Class: edge.Write, Scope: registry.ScopeModerate, Statuses: []int{http.StatusNotFound, http.StatusConflict},
			Summary: summary, Description: description, Example: `{"proposal_digest": "the digest of the proposal"}`,
		}, func(ctx context.Context, in *rulingInput) (*rulingReply, error) { return o.decide(ctx, in, approve) })
	}
	return []Operation{
		Define(Operation{
			HTTP: "GET /api/registry/mirror-proposals", Name: "proposals", Tag: "mirrors", Class: edge.Read,
			Scope:       registry.ScopeModerate,
			Summary:     "List proposals",
			Description: "Lists what has been proposed for mirrors, the oldest first. It takes a moderator's key.",
		}, o.proposals),
		Define(Operation{
			HTTP: "GET /api/registry/mirror-proposals/{id}", Name: "proposal", Tag: "mirrors", Class: edge.Read,
			Scope:    registry.ScopeWrite,
			Statuses: []int{http.StatusNotFound}, Summary: "One proposal",
			Description: "Returns a proposal with the file that the mirror shall become. It is shown to the key that made it " +
				"and to moderators.",
		}, o.proposal),
		ruling("approve", "Approve a proposal",
			"The mirror becomes what was proposed. The answer is 409 when the mirror has changed since, or the proposal was "+
				"decided.", true),
		ruling("reject", "Reject a proposal", "The mirror stays as it is.", false),
	}
}

func (o *Set) proposalURL(id string) string {
	return o.baseURL + "/api/registry/mirror-proposals/" + id
}

func proposalHead(p *registry.Proposal) ProposalHead {
	return ProposalHead{
		ProposalID: p.ID, Platform: p.Platform, Status: string(p.State), ProposalDigest: string(p.Digest),
		SubmittedAt: wire.API.Time(p.SubmittedAt), SubmittedBy: p.SubmittedBy,
		DecidedAt: wireTimeOrNone(p.DecidedAt), DecidedBy: p.DecidedBy, Reason: p.Reason,
	}
}

// proposals answers GET /api/registry/mirror-proposals.
func (o *Set) proposals(ctx context.Context, in *proposalsInput) (*proposalsReply, error) {
	list, total, err := o.service.Proposals(ctx, registry.CallerOf(ctx),
		registry.ProposalState(in.Status), in.Limit, in.Offset)
	if err != nil {
		return nil, err
	}
	reply := &proposalsReply{Proposals: []ProposalHead{}, Total: total}
	for i := range list {
		reply.Proposals = append(reply.Proposals, proposalHead(&list[i]))
	}
	return reply, nil
}

// proposal answers GET /api/registry/mirror-proposals/{id}.
func (o *Set) proposal(ctx context.Context, in *proposalInput) (*proposalReply, error) {
	p, err := o.service.Proposal(ctx, registry.CallerOf(ctx), in.ID)
	if err != nil {
		return nil, err
	}
	return &proposalReply{proposalHead(&p.Proposal), p.Body}, nil
}

// decide answers the two that end a review.
func (o *Set) decide(ctx context.Context, in *rulingInput, approve bool) (*rulingReply, error) {
	p, err := o.service.Decide(ctx, registry.CallerOf(ctx), in.ID, registry.Ruling{
		Digest: registry.Hash(in.Body.ProposalDigest), Approve: approve, Reason: in.Body.Reason,
	})
	if err != nil {
		return nil, err
	}
	return &rulingReply{true, proposalHead(p)}, nil
}
