package registry

import (
	"context"

	"golang.org/x/sync/errgroup"

	"github.com/avow-project/avow/internal/service/budget"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// MaxQuestions is the number of questions that one call may have.
const MaxQuestions = 10_000

// A QuestionVerdict is the short answer to one of many questions.
type QuestionVerdict struct {
	// Question is in canonical form, unless it has a fault.
	Question resolve.Question
	// Err says why there is no verdict: a fault of the question, or of the time.
	Err error
	resolve.Decision
	// Detail says why the file of the publisher is not at hand; empty when it is.
	Detail string
}

// Verdicts answers many questions, in their order. The call looks up publishers within the time
// and the requests of a single one: those that it does not come to are Unverified, and known
// the next time if they are asked about again soon.
func (s *Service) Verdicts(ctx context.Context, questions []resolve.Question) []QuestionVerdict {
	ctx, cancel := context.WithTimeout(budgeted(ctx), s.limits.lookup)
	defer cancel()
	out := make([]QuestionVerdict, len(questions))
	var publishers []hostname.Domain
	of := map[hostname.Domain][]*QuestionVerdict{}
	for i, q := range questions {
		name, err := publisherName(q.Publisher)
		if err == nil {
			q.Publisher = string(name)
			q, err = s.canonical(q)
		}
		out[i] = QuestionVerdict{Question: q, Err: err, Decision: resolve.Decision{Entry: -1}}
		if err != nil {
			continue
		}
		if of[name] == nil {
			publishers = append(publishers, name)
		}
		of[name] = append(of[name], &out[i])
	}
	var g errgroup.Group
	g.SetLimit(askedAtOnce)
	for _, name := range publishers {
		g.Go(func() error {
			s.judgeAll(ctx, name, of[name])
			return nil
		})
	}
	_ = g.Wait() // none of them returns an error
	return out
}

// canonical returns a question in canonical form; one without a time is about now.
func (s *Service) canonical(q resolve.Question) (resolve.Question, error) {
	if q.At.IsZero() {
		q.At = s.moment()
	}
	q, err := q.Canonical()
	if err != nil {
		return q, questionError(err, "Invalid question")
	}
	return q, nil
}

// judgeAll answers the questions about one publisher. Its file is not kept any longer than that.
func (s *Service) judgeAll(ctx context.Context, name hostname.Domain, list []*QuestionVerdict) {
	ctx, h := budget.Part(ctx)
	defer h.End()
	doc := inTime(ctx, s.documents(ctx, []hostname.Domain{name})[name])
	subject := resolve.NewSubject(doc)
	for _, v := range list {
		if ctx.Err() != nil {
			v.Err = &Error{Kind: Unavailable, Code: "time_over", Message: "The time for the call was over",
				Hint: "ask about less at once"}
			continue
		}
		decision, err := subject.Decide(&v.Question)
		if err != nil {
			v.Err = questionError(err, "Invalid question")
			continue
		}
		v.Decision = decision
		if doc.State != resolve.Usable && decision.Verdict == resolve.Unverified {
			v.Detail = doc.Detail
		}
	}
}
