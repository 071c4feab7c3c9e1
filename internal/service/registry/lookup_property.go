package registry

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

const (
	// maxAsked is the number of publishers that are asked about one property.
	maxAsked = 10
	// maxListed is the number of publishers that the store is asked for, of which maxAsked
	// are asked. Many names of one site must not hide who came after them.
	maxListed = 1_000
	// askedAtOnce is the number of publishers that are asked at the same time.
	askedAtOnce = 8
)

// PropertyAuthorization says whether an agent may sell a property that is named as the
// market does. The files of those who can speak for it decide: for a domain, those of
// the host and of its registrable domain; for an app and the like, those of the
// publishers that list it. A file that lists another owner's domain is shown, and
// decides nothing: any publisher could write one.
func (s *Service) PropertyAuthorization(ctx context.Context, agent string, id Identifier,
	o PropertyOptions) (*PropertyAuthorization, error) {
	now := s.config.Now()
	q, err := s.propertyQuestion(agent, id, o, now)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(budgeted(ctx), s.limits.lookup)
	defer cancel()
	out := &PropertyAuthorization{Agent: q.Agent, Identifier: q.Identifier, CheckedAt: micro(now),
		FreshUntil: micro(now.Add(reuseTime))}
	asked, err := s.askAll(ctx, q, s.speakersFor(ctx, q, now))
	if err != nil {
		return nil, err
	}
	out.decide(asked)
	if out.Answer != nil {
		out.FreshUntil = answerFresh(now, out.Answer.Evidence)
	}
	return out, nil
}

// propertyQuestion puts the question in the form in which publishers are asked. Its
// publisher is empty unless the caller named one.
func (s *Service) propertyQuestion(agent string, id Identifier, o PropertyOptions,
	now time.Time) (resolve.Question, error) {
	q := o.narrow(resolve.Question{Publisher: o.Publisher, Agent: agent, Identifier: id}, now)
	if o.Publisher == "" {
		q.Publisher = "example.com" // any that can be compared
	}
	q, err := q.Canonical()
	if err != nil {
		return q, questionError(err, "Invalid question")
	}
	if q.Identifier == (resolve.Identifier{}) {
		return q, &Error{Kind: Invalid, Code: "invalid_identifier", Message: "Invalid question",
			Hint: "give the type and the value of the identifier"}
	}
	if o.Publisher == "" {
		q.Publisher = ""
	}
	return q, nil
}

// A speaker is a publisher to ask.
type speaker struct {
	publisher hostname.Domain
	// claimant: it speaks about another owner's property.
	claimant bool
	// listing is what is on record of its listing the property; nil for nothing.
	listing *custodian.Listing
}

// speakersFor returns the publishers to ask, those who can decide first.
func (s *Service) speakersFor(ctx context.Context, q resolve.Question, now time.Time) []speaker {
	if q.Publisher != "" {
		return []speaker{{publisher: hostname.Domain(q.Publisher)}}
	}
	host := q.Identifier.Type == "domain" || q.Identifier.Type == "subdomain"
	var out []speaker
	add := func(who speaker) {
		known := func(other speaker) bool { return other.publisher == who.publisher }
		if who.publisher != "" && len(out) < maxAsked && !slices.ContainsFunc(out, known) {
			out = append(out, who)
		}
	}
	if host {
		add(speaker{publisher: hostname.Domain(q.Identifier.Value)})
		site, _ := hostname.Registrable(q.Identifier.Value)
		add(speaker{publisher: hostname.Domain(site)})
	}
	for _, id := range spellings(q.Identifier) {
		for _, v := range worthAsking(s.claims(ctx, id, now), id) {
			if !host || !v.Gone {
				add(speaker{v.Publisher, host && !above(v.Publisher, q.Identifier.Value), &v})
			}
		}
	}
	return out
}

// above reports whether a domain is a host or one of the domains above it, which alone
// can speak for it: a neighbour under the same domain may be anybody's.
func above(domain hostname.Domain, host string) bool {
	return host == string(domain) || strings.HasSuffix(host, "."+string(domain))
}

// spellings returns the identifiers under which files list a property that is asked
// about by one of them: a host is also covered by its domain without www or m, and by
// a pattern over a domain above it.
func spellings(id Identifier) []Identifier {
	out := []Identifier{id}
	if id.Type != "domain" {
		return out
	}
	for _, prefix := range []string{"www.", "m."} {
		rest, found := strings.CutPrefix(id.Value, prefix)
		if found {
			out = append(out, Identifier{Type: "domain", Value: rest})
		}
	}
	for _, name := range upwards(id.Value)[1:] {
		out = append(out, Identifier{Type: "domain", Value: "*." + name})
	}
	return out
}

// upwards returns a host and the domains above it up to that of its site.
func upwards(host string) []string {
	out := []string{host}
	site, _ := hostname.Registrable(host)
	for name := host; site != "" && name != site; {
		_, name, _ = strings.Cut(name, ".")
		out = append(out, name)
	}
	return out
}

// claims asks who lists an identifier, or did until lately. A store that fails returns none.
func (s *Service) claims(ctx context.Context, id Identifier, now time.Time) []custodian.Listing {
	list, err := s.keeper.Claims(ctx, id, now, maxListed)
	if err != nil {
		s.config.Log.ErrorContext(ctx, "cannot look up an identifier", "error", err)
	}
	return list
}

// askAll asks publishers, each independently of the others. One that does not answer in
// time counts as not reached. Who is known to have stopped listing the property is left
// out. The error is about the caller's question or context.
func (s *Service) askAll(ctx context.Context, q resolve.Question, list []speaker) ([]PublisherAnswer, error) {
	var out []PublisherAnswer
	docs := s.documents(ctx, publishersOf(list))
	for _, who := range list {
		q.Publisher = string(who.publisher)
		doc := docs[who.publisher]
		answer, err := judge(doc, q)
		if err != nil {
			return nil, questionError(err, "Invalid question")
		}
		a := PublisherAnswer{Publisher: who.publisher, Answer: answer, Claim: who.claimant}
		if who.listing != nil && !who.claimant {
			a.Since, a.Lists = who.listing.Since, stillLists(doc, q.Identifier)
		}
		if a.Lists || who.listing == nil || !who.listing.Gone {
			out = append(out, a)
		}
	}
	return out, nil
}

func publishersOf(list []speaker) []hostname.Domain {
	out := make([]hostname.Domain, len(list))
	for i := range list {
		out[i] = list[i].publisher
	}
	return out
}

// documents returns the files of publishers. Whatever keeps one from being had, it has
// a document that says so.
func (s *Service) documents(ctx context.Context, publishers []hostname.Domain) map[hostname.Domain]*resolve.Document {
	out := make(map[hostname.Domain]*resolve.Document, len(publishers))
	var mu sync.Mutex
	var g errgroup.Group
	g.SetLimit(askedAtOnce)
	ctx = budgeted(ctx)
	for _, publisher := range publishers {
		g.Go(func() error {
			doc, err := s.Document(ctx, string(publisher))
			if err != nil {
				doc = &resolve.Document{Publisher: string(publisher), State: resolve.Unreachable, FetchedAt: s.moment(),
					Detail: whyNot(ctx)}
			}
			mu.Lock()
			defer mu.Unlock()
			out[publisher] = doc
			return nil
		})
	}
	_ = g.Wait() // none of them returns an error
	return out
}

// whyNot says why a document could not be had, without what is not for strangers.
func whyNot(ctx context.Context) string {
	left, limited := fetch.BudgetLeft(ctx)
	switch {
	case ctx.Err() != nil:
		return "the time for the call was over"
	case limited && left == 0:
		return "the requests of the call were used up"
	}
	return "it could not be looked up"
}

// decide picks the answer that decides: the best of those who can speak for the property,
// the first of equal ones. Where several publishers claim it, only the word of the one that
// was there first is a plain yes.
func (p *PropertyAuthorization) decide(asked []PublisherAnswer) {
	p.Contest = contest(asked, p.Identifier)
	best, most := -1, 0
	for i := range asked {
		if asked[i].Claim {
			continue
		}
		weight := p.weight(&asked[i])
		if best < 0 || weight > most {
			best, most = i, weight
		}
	}
	for i := range asked {
		if i != best {
			p.Others = append(p.Others, asked[i])
		}
	}
	if best < 0 {
		return
	}
	p.Publisher, p.Answer, p.Verdict = string(asked[best].Publisher), asked[best].Answer, p.granted(&asked[best])
	p.Authorized = p.Verdict == resolve.Authorized
	for i := range p.Answer.Grants {
		if len(p.Answer.Grants[i].Properties) > 0 {
			p.PropertyID = p.Answer.Grants[i].Properties[0].PropertyID
			return
		}
	}
}
