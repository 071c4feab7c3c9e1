package registry

import (
	"context"

	"github.com/avow-project/avow/internal/service/directory"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// KeepDirectory brings the directory up to date where time passes or a file changes that many
// publishers share, until the service is closed.
func (s *Service) KeepDirectory() {
	if s.keeper != nil {
		s.start(func() { s.keeper.KeepTurns(s.ctx) })
		s.start(s.planNames)
	}
}

// Directory returns what is known at present.
func (s *Service) Directory(ctx context.Context) (*directory.View, error) {
	if s.directory == nil {
		return nil, errNoCustody
	}
	v, err := s.directory.View(ctx)
	return v, StoreTrouble(err)
}

// AgentURL returns the URL of an agent in canonical form, in which agents are compared.
func AgentURL(written string) (string, error) {
	url, _, err := hostname.CanonicalURL(written)
	if err != nil {
		return "", &Error{Kind: Invalid, Code: "invalid_agent", Message: "Invalid agent URL",
			Hint: "write it like https://agent.example/mcp"}
	}
	return url, nil
}

// Stored returns the document that questions about a publisher are answered from, without
// asking anybody.
func (s *Service) Stored(ctx context.Context, domain hostname.Domain) (*resolve.Document, error) {
	if s.hasOptedOut(domain) {
		return nil, optedOut(domain)
	}
	doc, err := s.keeper.Last(ctx, domain)
	return doc, custodyError(err)
}

// CanonicalQuestion returns a question in the form in which it is decided. The publisher may
// be written as people do.
func CanonicalQuestion(q resolve.Question) (resolve.Question, error) {
	name, err := publisherName(q.Publisher)
	if err != nil {
		return q, err
	}
	q.Publisher = string(name)
	q, err = q.Canonical()
	if err != nil {
		return q, questionError(err, "Invalid question")
	}
	return q, nil
}

// StoredAnswer answers a question in canonical form from the records, without asking anybody.
func (s *Service) StoredAnswer(ctx context.Context, q resolve.Question) (*resolve.Answer, error) {
	doc := &resolve.Document{Publisher: q.Publisher, State: resolve.Unreachable, FetchedAt: s.moment()}
	domain := hostname.Domain(q.Publisher)
	if !s.hasOptedOut(domain) {
		var err error
		doc, err = s.keeper.Last(ctx, domain)
		if err != nil {
			return nil, custodyError(err)
		}
	}
	answer, err := judge(doc, q)
	if err != nil {
		return nil, questionError(err, "Invalid question")
	}
	return answer, nil
}
