package registry

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/avow-project/avow/resolve"
)

// Authorization says what one agent may sell of one publisher. When that is nothing,
// the error is NotFound, and the view comes with it: its verdict tells a no from what
// is not known.
func (s *Service) Authorization(ctx context.Context, domain, agent string, n Narrowing) (*AuthorizationView, error) {
	k, q, err := s.judged(ctx, n.narrow(resolve.Question{Publisher: domain, Agent: agent}, s.config.Now()))
	if err != nil {
		return nil, err
	}
	v, err := authorizationOf(newCatalog(k.doc), q)
	if err != nil {
		return nil, err
	}
	now := s.config.Now()
	v.CheckedAt, v.FreshUntil = micro(now), k.freshAt(now, v.Evidence)
	if v.Verdict < resolve.Conditional {
		return v, noAuthorization(v.Verdict)
	}
	return v, nil
}

// Answer answers a question about one publisher, whatever the verdict is. The publisher
// may be written as people do; the instant is now unless it is given. With brand, the
// answer is compared with the brand.json of the agent's operator: the one at that URL, or
// the one that is found where it is AutoBrand.
func (s *Service) Answer(ctx context.Context, q resolve.Question, brand string) (*QuestionAnswer, error) {
	present := q.At.IsZero()
	if present {
		q.At = s.config.Now()
	}
	if brand != "" {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(budgeted(ctx), s.limits.call)
		defer cancel()
	}
	agent := q.Agent // as it is written
	k, q, err := s.judged(ctx, q)
	if err != nil {
		return nil, err
	}
	answer, err := judge(k.doc, q)
	if err != nil {
		return nil, questionError(err, "Invalid question")
	}
	out := &QuestionAnswer{Question: q, Answer: answer, Document: k.doc}
	now := s.config.Now()
	out.Moments = Moments{micro(now), k.freshAt(now, answer.Evidence)}
	switch {
	case brand != "":
		out.Operator = s.compareOperator(ctx, agent, brand, out)
	case present:
		out.known = k
	}
	return out, nil
}

// The message of a publisher that cannot be reached says why. That is for the operator:
// whether a name exists or leads to a private address would let any client explore the
// network that the service runs in.
const (
	codeUnreachable    = "file.unreachable"
	unreachableMessage = "it could not be determined whether the publisher has a file"
)

// judge answers a question in canonical form from a document. Every answer of the service is made
// here, and leaves out what is not for its clients.
func judge(doc *resolve.Document, q resolve.Question) (*resolve.Answer, error) {
	a, err := resolve.Judge(doc, q)
	if err != nil || !slices.ContainsFunc(a.Reasons, func(r resolve.Reason) bool { return r.Code == codeUnreachable }) {
		return a, err
	}
	public := *a
	public.Reasons = slices.Clone(a.Reasons)
	for i := range public.Reasons {
		if public.Reasons[i].Code == codeUnreachable {
			public.Reasons[i].Message = unreachableMessage
		}
	}
	return &public, nil
}

// judged returns a question in canonical form with the file that decides it.
func (s *Service) judged(ctx context.Context, q resolve.Question) (*knownPublisher, resolve.Question, error) {
	name, err := publisherName(q.Publisher)
	if err != nil {
		return nil, q, err
	}
	q.Publisher = string(name)
	q, err = q.Canonical()
	if err != nil {
		return nil, q, questionError(err, "Invalid question")
	}
	k, err := s.known(ctx, name)
	return k, q, err
}

// freshAt returns how long an answer may be used that is given now.
func (k *knownPublisher) freshAt(now time.Time, evidence []resolve.Evidence) time.Time {
	return earlier(answerFresh(now, evidence), k.freshUntil(micro(now.Add(reuseTime))))
}

// freshUntil returns how long what was found is fresh, or the least there is.
func (k *knownPublisher) freshUntil(least time.Time) time.Time {
	if k.fresh.After(least) {
		return k.fresh
	}
	return least
}

func authorizationOf(owned *catalog, q resolve.Question) (*AuthorizationView, error) {
	answer, err := judge(owned.doc, q)
	if err != nil {
		return nil, questionError(err, "Invalid question")
	}
	v := &AuthorizationView{
		Domain:    q.Publisher,
		AgentView: AgentView{URL: q.Agent, Counted: true, Verdict: answer.Verdict},
		Grants:    answer.Grants, Reasons: answer.Reasons, Evidence: answer.Evidence, Changes: answer.Changes,
	}
	v.count(owned, &q)
	for i, verdict := range owned.sold(answer, nil) {
		if verdict != resolve.Authorized {
			v.Unauthorized = append(v.Unauthorized, owned.list[i])
		}
	}
	if len(answer.Grants) > 0 {
		v.AuthorizedFor = answer.Grants[0].AuthorizedFor
	}
	v.PublisherWide = answer.Verdict == resolve.Authorized && isPublisherWide(owned.doc, q.Agent)
	return v, nil
}

// noAuthorization is the error for an agent without authorization. Only one verdict is
// a no.
func noAuthorization(v resolve.Verdict) *Error {
	e := &Error{Kind: NotFound, Code: "no_authorization", Message: "Agent has no authorization for this publisher"}
	switch v {
	case resolve.Unverified:
		e.Code, e.Hint = "unverified",
			"the publisher's file is not there or could not be reached, so that nothing is known about the agent"
	case resolve.UnusableFile:
		e.Code, e.Hint = "unusable_file", "the publisher's file must not be used until it is fixed"
	case resolve.NoneAsserted:
		e.Code, e.Hint = "none_asserted", "the publisher's file authorizes no agent at all, which denies nothing"
	default:
		e.Hint = "the publisher can add an entry for the agent to its file"
	}
	return e
}

// questionError turns the errors of package resolve into one for the caller.
func questionError(err error, message string) error {
	var question *resolve.QuestionError
	var limit *resolve.LimitError
	switch {
	case errors.As(err, &question):
		if question.Field == "agent" {
			message = "Invalid agent URL"
		}
		return &Error{Kind: Invalid, Code: "invalid_" + question.Field, Message: message,
			Hint: question.Problem + "; " + question.Hint}
	case errors.As(err, &limit):
		return &Error{Kind: Unavailable, Code: "too_complex", Message: "The publisher's file takes too long to compare",
			Hint: limit.Hint}
	}
	return busyOr(err)
}
