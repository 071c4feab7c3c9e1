package ops

import (
	"context"
	"errors"

	"github.com/avow-project/avow/internal/answer"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/supply"
)

func (o *Set) supplyOperations() []Operation {
	return []Operation{
		Define(Operation{
			HTTP: "POST /api/registry/verify/supply-path", Name: "verify_supply_path", Tag: "authorization", Class: edge.Lookup,
			Command: "avow supply-path", Issues: true,
			Tool: Tool{
				"verify_supply_path", "Is this supply path verified?",
				"Says whether the agent of a channel owner may sell the owner's channel on a host, from the files of both: the " +
					"state, and what was found at each of five steps. " +
					"Only verified_owner_sold is an authorization; owner_attested and host_delegated help to find paths. " +
					"undetermined says that something could not be found out.",
			},
			Example: `{"owner_domain": "owner.example", "host_domain": "host.example", "agent_url": "https://agent.example/mcp", "collection_id": "retro_news"}`,
			Summary: "Whether an owner's agent may sell a channel on a host",
			Description: "Compares the file of a channel's owner with the file of the host that carries it. The answer is one " +
				"of four states, with five legs that say what was found. Without collection_id each collection of the owner " +
				"is evaluated, and the first with the strongest state answers. This is stricter than an authorization: whatever " +
				"is not understood makes a grant unusable.",
		}, o.supplyPath),
	}
}

type supplyInput struct {
	Body supplyBody `body:""`
}

type supplyBody struct {
	Owner      string `json:"owner_domain" required:"true" maxLength:"2048" doc:"The domain of the channel's owner."`
	Host       string `json:"host_domain" required:"true" maxLength:"2048" doc:"The domain of the publisher whose property carries the channel."`
	Agent      string `json:"agent_url" required:"true" maxLength:"2048" doc:"The https URL of the owner's agent."`
	Collection string `json:"collection_id" filled:"true" maxLength:"256" doc:"The owner's id of the channel; without it every collection is tried."`
	Proofs     bool   `json:"proofs" doc:"Include the receipt: the answer, signed by the log, with proofs of what it depends on."`
}

// supplyReply is the answer of POST /api/registry/verify/supply-path.
type supplyReply struct {
	supply.Document
	Receipt *answer.Receipt `json:"receipt,omitempty" doc:"Inclusion status of the answer in the transparency log; only with proofs."`
}

// supplyPath answers POST /api/registry/verify/supply-path.
func (o *Set) supplyPath(ctx context.Context, in *supplyInput) (*supplyReply, error) {
	b := &in.Body
	a, err := o.service.SupplyPath(ctx,
		supply.Question{Owner: b.Owner, Host: b.Host, Agent: b.Agent, Collection: b.Collection})
	if err != nil {
		return nil, pathError(err)
	}
	reply := &supplyReply{Document: *a.Document(true)}
	if b.Proofs {
		reply.Receipt = o.translog.Receipt(ctx, pathClaim(a)).Document()
	}
	return reply, nil
}

// pathError is what is wrong with a question about a path, for the caller. Clients of other registries
// know the message about domains; over HTTP the rest are issues.
func pathError(err error) error {
	var known *supply.Error
	if !errors.As(err, &known) {
		return err
	}
	code := "request.value"
	if known.Member == supply.OwnerMember || known.Member == supply.HostMember {
		code = "invalid_domain"
	}
	return fieldError(known.Member, code, known.Message, known.Hint)
}

func pathClaim(a *supply.Answer) *notary.Claim {
	return &notary.Claim{Question: a.Values(), Verdict: string(a.State), Evidence: a.Evidence(), At: a.At}
}
