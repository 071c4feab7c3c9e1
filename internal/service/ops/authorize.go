package ops

import (
	"context"

	"github.com/avow-project/avow/internal/answer"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/registry"
)

// authorizeReply is the answer of GET /api/authorize. Its members are those of the
// command line's JSON.
type authorizeReply struct {
	answer.Answer
	Freshness
	Receipt *answer.Receipt `json:"receipt,omitempty" doc:"How the answer stands to the transparency log; only with proofs."`
	// given is the answer if it may be one to give again; nil for others.
	given *registry.QuestionAnswer
}

// HTTPMoments implements passing. The instant that was asked about is in the question, unless it is
// the time of the answer.
func (r *authorizeReply) HTTPMoments() []string {
	return append([]string{`"at":"` + r.At + `"`}, r.Freshness.HTTPMoments()...)
}

// GivenAnswer implements Given.
func (r *authorizeReply) GivenAnswer() *registry.QuestionAnswer { return r.given }

// mostShown is the length of a list in an answer.
const mostShown = 100

// authorize answers GET /api/authorize.
func (o *Set) authorize(ctx context.Context, in *questionInput) (*authorizeReply, error) {
	err := checkBrand(in.Brand)
	if err != nil {
		return nil, err
	}
	v, err := o.service.Answer(ctx, in.Question.Question, in.Brand)
	if err != nil {
		return nil, err
	}
	reply := &authorizeReply{Answer: answer.Of(&v.Question, v.Answer, mostShown),
		Freshness: freshnessOf(v.CheckedAt, v.FreshUntil)}
	reply.Operator = answer.OperatorOf(v.Operator)
	if in.Proofs {
		reply.Receipt = o.translog.Receipt(ctx, notary.ClaimOf(&v.Question, v.Answer, v.CheckedAt)).Document()
	} else {
		reply.given = v
	}
	return reply, nil
}

// checkBrand refuses what is neither auto nor a URL that may be asked.
func checkBrand(brand string) error {
	if brand == "" || brand == registry.AutoBrand {
		return nil
	}
	_, ok := registry.SafeURL(brand)
	if !ok {
		return fieldError("brand", "request.value", "brand must be auto or the https URL of a brand.json", "")
	}
	return nil
}
