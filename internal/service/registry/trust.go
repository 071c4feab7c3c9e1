package registry

import (
	"context"
	"errors"

	"github.com/avow-project/avow/internal/format/trust"
	"github.com/avow-project/avow/internal/operator"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/std/hostname"
)

// A TrustRecord is what is kept of the trust.json of a domain. It is experimental: no verdict depends on it.
type TrustRecord struct {
	Domain hostname.Domain
	URL    string
	*custodian.OtherFile
	// Document is nil when no version is kept. Summary says what it has, and Problems what is wrong with its
	// shape.
	Document *operator.Document
	Summary  string
	Problems []trust.Problem
}

// RequestTrust has the trust.json of a domain read and kept, and returns when that is done or was tried.
func (s *Service) RequestTrust(ctx context.Context, c Caller, domain string) (*TrustRecord, error) {
	name, err := s.crawlable(c, domain)
	switch {
	case err != nil:
		return nil, err
	case hostname.IsSpecialUse(string(name)) || hostname.IsPublicSuffix(string(name)):
		return nil, &Error{Kind: Invalid, Code: "invalid_domain", Message: "Invalid domain",
			Hint: "give the domain of an organization, such as example.com"}
	case s.config.Brands == nil:
		return nil, errNoBrands
	}
	err = s.request(ctx, s.doneAtOnce(c, "trust:"+name))
	if err != nil {
		return nil, err
	}
	_, err = share(ctx, s, "trust "+string(name), s.limits.own, func(ctx context.Context) (struct{}, error) {
		r := s.config.Brands.Trust(budgetFor(ctx, c), name)
		return struct{}{}, custodyError(s.keeper.TakeOtherFile(ctx, name, operator.TrustURL(string(name)), r, isTrust))
	})
	if err != nil {
		return nil, err
	}
	return s.Trust(ctx, string(name))
}

// isTrust says why a body is not a trust.json.
func isTrust(body []byte) error {
	_, err := operator.ParseTrust(body)
	return err
}

// Trust returns what is kept of the trust.json of a domain. It makes no request.
func (s *Service) Trust(ctx context.Context, domain string) (*TrustRecord, error) {
	name, err := s.custodyOf(domain)
	if err == nil {
		err = s.refuseOptedOut(name)
	}
	if err != nil {
		return nil, err
	}
	t := &TrustRecord{Domain: name, URL: operator.TrustURL(string(name))}
	t.OtherFile, err = s.keeper.OtherFile(ctx, t.URL)
	if err != nil {
		return nil, custodyError(err)
	}
	if t.Body == nil {
		return t, nil
	}
	t.Document, err = operator.ParseTrust(t.Body)
	if err != nil {
		return nil, StoreTrouble(errors.Join(custodian.ErrUnavailable, err)) // it was read when it was stored
	}
	t.Summary, t.Problems = trust.Summary(t.Document.Root()), trust.Check(t.Document.Root(), string(name))
	return t, nil
}

// Relation says how the publisher of an answer and the agent describe each other, by the trust.json that is
// kept of the agent's organization; empty when nothing can be said. It changes no answer.
func (s *Service) Relation(ctx context.Context, a *QuestionAnswer) (operator.Relation, string) {
	host, ok := operator.TrustHost(a.Question.Agent)
	if !ok || s.keeper == nil {
		return operator.Unrelated, ""
	}
	t, err := s.Trust(ctx, host)
	if err != nil || t.Document == nil || !t.Standing.Usable() {
		return operator.Unrelated, ""
	}
	return t.Document.Relate(host, &a.Question, a.Answer), host
}
