package registry

import (
	"context"
	"slices"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/directory"
	"github.com/avow-project/avow/internal/service/projection"
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

// AuthorizationRows returns the rows of an agent at some publishers, by type, with how each stands.
// Publishers whose file has changed meanwhile are left out.
func (s *Service) AuthorizationRows(ctx context.Context, v *directory.View,
	list []directory.Row) ([]projection.Row, []custodian.Standing, error) {
	var out []projection.Row
	var standings []custodian.Standing
	for i := range list {
		known, err := s.keeper.Snapshot(ctx, list[i].Domain)
		if err != nil {
			return nil, nil, custodyError(err)
		}
		in := known.Input()
		if in.Document == nil {
			continue
		}
		in.At, in.Disputed = v.At.Early, v.Disputed(in.Domain, in.Identifiers)
		for _, row := range in.Rows(list[i].Sold.Agent) {
			out, standings = append(out, row), append(standings, list[i].Standing)
		}
	}
	return out, standings, nil
}

// PropertyListing is a property with an identifier from the question, and the agents that may sell
// it.
type PropertyListing struct {
	directory.Entry
	Property *adagents.Property
	Agents   []PropertySeller
}

// A PropertySeller is an agent that may sell a property, if a question names what Limited has.
type PropertySeller struct {
	Agent   string
	Limited resolve.Limits
}

// PropertiesOf returns the properties with an identifier, of all publishers that list it as
// their own, from what is known. limit is how many publishers are read.
func (s *Service) PropertiesOf(ctx context.Context, v *directory.View, id Identifier,
	limit int) ([]PropertyListing, error) {
	var out []PropertyListing
	list := v.Lists(id)
	for _, e := range list[:min(limit, len(list))] {
		doc, err := s.Stored(ctx, e.Domain)
		if err != nil {
			return nil, err
		}
		p := listedIn(doc, id)
		if p == nil {
			continue
		}
		found := PropertyListing{Entry: e, Property: p}
		subject := resolve.NewSubject(doc)
		for _, agent := range sellersIn(&subject, doc.Publisher) {
			q := resolve.Question{Publisher: string(e.Domain), Agent: agent, Identifier: CanonicalIdentifier(id), At: v.At.Early}
			d, err := subject.Decide(&q)
			if err == nil && d.Verdict >= resolve.Conditional {
				found.Agents = append(found.Agents, PropertySeller{agent, d.Needs.Limits()})
			}
		}
		out = append(out, found)
	}
	return out, nil
}

// sellersIn returns the agents that a file lets sell something of a publisher at some time, sorted.
func sellersIn(subject *resolve.Subject, publisher string) []string {
	var out []string
	for _, claim := range subject.Claims(publisher, "") {
		out = append(out, claim.Agent)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// listedIn returns the publisher's own property with an identifier; nil when there is none.
func listedIn(doc *resolve.Document, id Identifier) *adagents.Property {
	if doc.State != resolve.Usable {
		return nil
	}
	for _, p := range resolve.Owned(doc) {
		for i := range p.Identifiers {
			if CanonicalIdentifier(
				Identifier{Type: p.Identifiers[i].Type, Value: p.Identifiers[i].Value}) == CanonicalIdentifier(id) {
				return p
			}
		}
	}
	return nil
}
