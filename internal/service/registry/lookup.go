package registry

import (
	"context"
	"errors"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/formats"
	"github.com/avow-project/avow/internal/headline"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/projection"
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
			if s.SelectionType == "all" && projection.NamesPublisher(&s, doc.Publisher, &hosts) {
				return true
			}
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

// A catalog has the properties of a publisher, to compare with what an answer covers.
type catalog struct {
	doc     *resolve.Document
	subject resolve.Subject
	list    []*adagents.Property
	at      map[string]int // places in list by key
}

func newCatalog(doc *resolve.Document) *catalog {
	c := &catalog{doc: doc, subject: resolve.NewSubject(doc), list: resolve.Owned(doc), at: map[string]int{}}
	for i, p := range c.list {
		_, taken := c.at[keyOf(p)]
		if !taken {
			c.at[keyOf(p)] = i
		}
	}
	return c
}

// keyOf tells the properties of a publisher apart: by their id, or, as that is
// optional, by how the market knows them.
func keyOf(p *adagents.Property) string {
	if p.ID != "" {
		return "id " + p.ID
	}
	if len(p.Identifiers) == 0 {
		return "name " + p.Name
	}
	return "as " + p.Identifiers[0].Type + " " + p.Identifiers[0].Value
}

// sold returns which properties an answer covers, under a condition or without. each
// is called for every one that a grant covers; it may be nil.
func (c *catalog) sold(answer *resolve.Answer, each func(g *resolve.Grant, at int)) []resolve.Verdict {
	out := make([]resolve.Verdict, len(c.list))
	for i := range answer.Grants {
		g := &answer.Grants[i]
		verdict := resolve.Authorized
		if len(g.Needs) > 0 {
			verdict = resolve.Conditional
		}
		for k := range g.Properties {
			at, ok := c.at[keyOf(g.Properties[k].Property)]
			if !ok {
				continue
			}
			out[at] = max(out[at], verdict)
			if each != nil {
				each(g, at)
			}
		}
	}
	return out
}

// A Ground is what an answer about the present rests on: the two records that its document is
// from, and a time in which no entry of the file begins or ceases to hold.
type Ground struct {
	records       custodian.Ground
	after, before time.Time // both exclusive; the zero time is open
	// publisher, hash and mirrored are of the document: mirrored if it would have a mirror,
	// were there one.
	publisher hostname.Domain
	hash      string
	mirrored  bool
}

// ground returns what an answer about an instant rests on; nil if that is more than a Ground can tell.
func (k *knownPublisher) ground(at time.Time) *Ground {
	if k.state == nil || k.doc.Prepared == nil {
		return nil
	}
	records, ok := k.state.Ground()
	if !ok {
		return nil
	}
	g := &Ground{records: records, publisher: hostname.Domain(k.doc.Publisher), hash: k.doc.SHA256,
		mirrored: k.doc.WantsMirror()}
	g.after, g.before = k.doc.Prepared.Steady(at)
	return g
}

// Again returns the present if Answer would give the answer again that rests on the ground, but for its
// moments and the instant that it is about. That takes no request. Records that were read more than a
// moment ago are read again, and the store is asked for the time when that is due.
func (s *Service) Again(ctx context.Context, g *Ground) (time.Time, Moments, bool) {
	now := s.config.Now()
	if !g.after.IsZero() && !now.After(g.after) || !g.before.IsZero() && !now.Before(g.before) {
		return now, Moments{}, false
	}
	if g.mirrored {
		m, known := s.mirrorIndex.get(g.publisher, now)
		if !known || m != nil {
			return now, Moments{}, false
		}
	}
	state, ok := s.keeper.Again(ctx, g.records)
	if !ok {
		return now, Moments{}, false
	}
	doc := &resolve.Document{Publisher: string(g.publisher), State: resolve.Usable, SHA256: g.hash}
	k := knownPublisher{fresh: s.freshUntil(ctx, doc, state)}
	return now, Moments{micro(now), k.freshAt(now, nil)}, true
}

// A FormatsView is what can be bought on a publisher's placements.
type FormatsView struct {
	*formats.Report
	CheckedAt, FreshUntil time.Time
}

// Formats answers a question about the formats of a publisher. A publisher without a file
// that can be used, nor a mirror in its place, is an error: what cannot be compared is not
// accepted.
func (s *Service) Formats(ctx context.Context, domain string, q formats.Question) (*FormatsView, error) {
	name, err := publisherName(domain)
	if err != nil {
		return nil, err
	}
	now := s.config.Now()
	k, err := s.known(ctx, name)
	if err != nil {
		return nil, err
	}
	if k.doc.Catalog().State != resolve.Usable {
		return nil, &Error{Kind: NotFound, Code: "no_catalog", Message: "The publisher has no file that can be used",
			Hint: "nothing is known about its formats, so nothing is accepted"}
	}
	report, err := formats.Ask(k.doc, q)
	if err != nil {
		return nil, questionError(err, "Invalid question")
	}
	return &FormatsView{Report: report, CheckedAt: micro(now), FreshUntil: k.freshUntil(micro(now.Add(reuseTime)))}, nil
}

// Catalog returns the formats of each of the placements, in their order.
func (v *PublisherView) Catalog() ([]formats.PlacementReport, error) {
	if len(v.Placements) == 0 {
		return nil, nil
	}
	report, err := formats.Ask(v.Document, formats.Question{})
	if err != nil {
		return nil, questionError(err, "Invalid question")
	}
	return report.Placements[:len(v.Placements)], nil // those of a mirror come after them
}
