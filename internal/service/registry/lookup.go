package registry

import (
	"context"
	"errors"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/headline"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/std/freshness"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// rollupTime is how long the agents of one publisher may be counted. The largest files
// in use take a hundredth of that.
const rollupTime = 2 * time.Second

// Publisher returns what is known about a publisher: from a check that is still fresh,
// or else from a new one. When that takes too long, an older check is shown and a new
// one goes on; without any, the error is Unavailable.
func (s *Service) Publisher(ctx context.Context, domain string) (*PublisherView, error) {
	name, err := publisherName(domain)
	if err != nil {
		return nil, err
	}
	k, err := s.known(ctx, name)
	if err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, s.limits.store)
	defer cancel()
	check := s.lastCheck(limited, k.doc)
	v := &PublisherView{Domain: name, Mode: modeOf(&check, k.doc), Check: check, Document: k.doc, Checking: k.checking,
		Headline: s.Headline(limited, k.doc)}
	if k.doc.State == resolve.Usable {
		v.Formats, v.Placements = k.doc.File.Formats, k.doc.File.Placements
		s.rollUp(v)
	}
	return v, nil
}

// File returns the document that questions about a publisher are answered from.
func (s *Service) File(ctx context.Context, domain string) (*resolve.Document, error) {
	name, err := publisherName(domain)
	if err != nil {
		return nil, err
	}
	k, err := s.known(ctx, name)
	if err != nil {
		return nil, err
	}
	return k.doc, nil
}

// LastFile returns the file that answers about a publisher rested on when it was last checked. It makes
// no request. FetchedAt is zero if the publisher was never checked.
func (s *Service) LastFile(ctx context.Context, domain string) (*resolve.Document, error) {
	name, err := s.custodyOf(domain)
	if err == nil {
		err = s.refuseOptedOut(name)
	}
	if err != nil {
		return nil, err
	}
	doc, err := s.keeper.Last(ctx, name)
	return doc, custodyError(err)
}

// Headline says first what there is to know about the publisher of a document: all interfaces say
// the same.
func (s *Service) Headline(ctx context.Context, doc *resolve.Document) headline.Headline {
	facts := headline.Facts{Document: doc, At: s.config.Now()}
	if state := s.recordOf(ctx, doc); state != nil {
		facts.Publisher, facts.File = state.Publisher, state.File
	}
	return headline.Of(facts)
}

// publisherName reads the domain of a publisher.
func publisherName(domain string) (hostname.Domain, error) {
	name, err := custodian.ParseDomain(domain)
	var input *discover.InputError
	if errors.As(err, &input) {
		return "", &Error{Kind: Invalid, Code: "invalid_domain", Message: "Invalid domain",
			Hint: input.Message + "; " + input.Hint}
	}
	return name, nil
}

// A knownPublisher is the file of a publisher.
type knownPublisher struct {
	doc *resolve.Document
	// fresh is how long the check that it is from counts.
	fresh time.Time
	// checking is set when a newer check is under way.
	checking bool
	// state is what the records say, if no request was needed; nil otherwise.
	state *custodian.State
}

// known returns the file of a publisher within the time of a lookup.
func (s *Service) known(ctx context.Context, name hostname.Domain) (*knownPublisher, error) {
	ctx, cancel := context.WithTimeout(ctx, s.limits.lookup)
	defer cancel()
	doc, state, ok := s.fresh(ctx, name)
	var err error
	if !ok {
		state = nil // it may have changed meanwhile
		doc, err = s.await(budgeted(ctx), name)
	}
	if err == nil {
		return &knownPublisher{doc: doc, fresh: s.freshUntil(ctx, doc, state), state: state}, nil
	}
	if !errors.Is(err, context.DeadlineExceeded) {
		return nil, err
	}
	// The time is over for the caller, but what is known may still count.
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), s.limits.store)
	defer stop()
	doc, err = s.keeper.Last(ctx, name)
	if err == nil && doc.State == resolve.Usable {
		return &knownPublisher{doc: doc, fresh: s.freshUntil(ctx, doc, nil), checking: true}, nil
	}
	return nil, Soon("publisher_lookup_timeout", "The publisher could not be looked up in time")
}

// await returns the file of a publisher that has to be asked. When the time of the caller is
// over, the look goes on for a while, so that the answer is there when it asks again; but not
// when that is done for too many already.
func (s *Service) await(ctx context.Context, name hostname.Domain) (*resolve.Document, error) {
	var doc *resolve.Document
	var err error
	looking, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.limits.call)
	done := make(chan struct{})
	started := s.start(func() {
		defer close(done)
		defer cancel()
		stop := context.AfterFunc(s.ctx, cancel)
		defer stop()
		doc, err = s.Document(looking, string(name))
	})
	if !started {
		cancel()
		return nil, errClosed
	}
	select {
	case <-done:
		return doc, err
	case <-ctx.Done():
	}
	if !errors.Is(ctx.Err(), context.DeadlineExceeded) || !s.stay(done) {
		cancel()
	}
	return nil, ctx.Err()
}

// fresh returns the file of a publisher with its records if no request is needed, and no
// mirror has to be read. Nearly all questions are about such publishers.
func (s *Service) fresh(ctx context.Context, name hostname.Domain) (*resolve.Document, *custodian.State, bool) {
	if s.keeper == nil || s.hasOptedOut(name) {
		return nil, nil, false
	}
	doc, state, ok := s.keeper.Fresh(ctx, name)
	if !ok || !doc.WantsMirror() {
		return doc, state, ok
	}
	mirror, err := s.mirrorFor(ctx, name)
	return doc, state, err == nil && mirror == nil
}

func modeOf(c *LastCheck, doc *resolve.Document) HostingMode {
	switch {
	case doc.State == resolve.Unusable:
		return SelfInvalid
	case doc.State != resolve.Usable:
		return NotHosted
	case !c.Valid:
		return SelfInvalid
	case c.Method != discover.Direct.String():
		return SelfRedirected
	}
	return SelfHosted
}

// rollUp counts what each agent of a publisher may sell.
func (s *Service) rollUp(v *PublisherView) {
	owned := newCatalog(v.Document)
	v.Properties = make([]PropertyView, len(owned.list))
	for i, p := range owned.list {
		v.Properties[i].Property = p
	}
	now := s.config.Now()
	until := time.Now().Add(rollupTime)
	for _, agent := range agentsIn(v.Document.File) {
		if len(v.Agents) < MaxRollups && time.Now().Before(until) {
			count(&agent, owned, now, func(g *resolve.Grant, at int) {
				if v.Properties[at].DelegationType == "" {
					v.Properties[at].DelegationType = g.DelegationType
				}
			})
		}
		v.Agents = append(v.Agents, agent)
	}
}

// agentsIn returns the agents of the entries of a file that have an effect, each once.
func agentsIn(f *adagents.File) []AgentView {
	var out []AgentView
	var hosts hostname.Memo
	seen := map[string]bool{}
	for i := range f.Agents {
		a := &f.Agents[i]
		url, _, err := hosts.CanonicalURL(a.URL)
		if err != nil || a.Inert() || seen[url] {
			continue
		}
		seen[url] = true
		out = append(out, AgentView{URL: url, AuthorizedFor: a.AuthorizedFor})
	}
	return out
}

// count fills in what an agent may sell of a publisher. A file that is made to take
// long leaves the agent uncounted. each is called for every property that a grant
// covers.
func count(agent *AgentView, owned *catalog, at time.Time, each func(g *resolve.Grant, at int)) *resolve.Answer {
	answer, err := judge(owned.doc, resolve.Question{Publisher: owned.doc.Publisher, Agent: agent.URL, At: at})
	if err != nil {
		return nil
	}
	agent.Counted, agent.Verdict = true, answer.Verdict
	owned.sold(answer, each)
	agent.count(owned, &resolve.Question{Publisher: owned.doc.Publisher, Agent: agent.URL, At: at})
	agent.PublisherWide = answer.Verdict == resolve.Authorized && isPublisherWide(owned.doc, agent.URL)
	return answer
}

// count notes how many properties an agent may sell, for a question in canonical form.
func (v *AgentView) count(owned *catalog, q *resolve.Question) {
	row := owned.subject.RowFor(q)
	v.Authorized, v.Conditional, v.Limited, v.Total = row.AuthorizedCount, row.ConditionalCount, row.Limited,
		len(owned.list)
}

// isPublisherWide reports whether an entry of an agent is for all properties of the
// publisher, whatever they are.
func isPublisherWide(doc *resolve.Document, agent string) bool {
	var hosts hostname.Memo
	for i := range doc.File.Agents {
		a := &doc.File.Agents[i]
		url, _, err := hosts.CanonicalURL(a.URL)
		if err != nil || url != agent || a.Inert() {
			continue
		}
		for _, s := range a.Scope().Selectors {
			if s.SelectionType == "all" && names(&s, doc.Publisher, &hosts) {
				return true
			}
		}
	}
	return false
}

// names reports whether a selector is about a publisher.
func names(s *adagents.Selector, publisher string, hosts *hostname.Memo) bool {
	for _, written := range append([]string{s.PublisherDomain}, s.PublisherDomains...) {
		name, _, err := hosts.Canonical(written)
		if err == nil && name == publisher {
			return true
		}
	}
	return false
}

// answerFresh returns how long an answer may be used that rests on these documents. One
// that rests on a silence is asked again soon.
func answerFresh(now time.Time, evidence []resolve.Evidence) time.Time {
	for i := range evidence {
		if evidence[i].State == resolve.Unreachable || evidence[i].State == resolve.Withheld {
			return micro(now.Add(reuseTime))
		}
	}
	return micro(now.Add(freshness.DecisionPolicy.Cap))
}

// earlier returns the earlier of two times.
func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
