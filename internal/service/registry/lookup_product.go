package registry

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// Limits of a product's selectors in one call.
const (
	// MaxProductPublishers is the number of publishers.
	MaxProductPublishers = 100
	// MaxProductItems is the number of ids and tags, of all selectors together.
	MaxProductItems = 10_000
)

// ProductAuthorization says how much of what a product's selectors pick an agent may
// sell. Every publisher is looked up independently of the others.
func (s *Service) ProductAuthorization(ctx context.Context, agent string,
	selectors []adagents.Selector) (*ProductAuthorization, error) {
	r, err := s.pickAll(ctx, agent, selectors)
	if err != nil {
		return nil, err
	}
	out := &ProductAuthorization{Agent: r.agent, Authorized: true, CheckedAt: micro(r.at), FreshUntil: r.fresh}
	for _, p := range r.picks {
		out.Selectors = append(out.Selectors, p.SelectorAnswer)
		out.Requested += p.Requested
		out.Covered += p.Covered
		out.Authorized = out.Authorized && p.Verdict == resolve.Authorized
	}
	return out, nil
}

// Expand returns the properties that a product's selectors pick and that the agent may
// sell without condition.
func (s *Service) Expand(ctx context.Context, agent string, selectors []adagents.Selector) (*Expansion, error) {
	r, err := s.pickAll(ctx, agent, selectors)
	if err != nil {
		return nil, err
	}
	out := &Expansion{Agent: r.agent, GeneratedAt: micro(r.at), FreshUntil: r.fresh}
	seen := map[*adagents.Property]bool{}
	for _, p := range r.picks {
		out.Selectors = append(out.Selectors, p.SelectorAnswer)
		for _, property := range p.covered {
			if !seen[property] {
				seen[property] = true
				out.Properties = append(out.Properties, ExpandedProperty{p.PublisherDomain, property})
			}
		}
	}
	return out, nil
}

// A picking is what the selectors of a call come to.
type picking struct {
	agent     string
	at, fresh time.Time
	picks     []pick
}

// A pick is what one selector comes to at one publisher.
type pick struct {
	SelectorAnswer
	selector *adagents.Selector
	covered  []*adagents.Property
}

func (s *Service) pickAll(ctx context.Context, agent string, selectors []adagents.Selector) (*picking, error) {
	now := s.config.Now()
	q, err := resolve.Question{Publisher: "example.com", Agent: agent, At: now}.Canonical()
	if err != nil {
		return nil, questionError(err, "Invalid agent URL")
	}
	picks, publishers, err := picksOf(selectors)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(budgeted(ctx), s.limits.lookup)
	defer cancel()
	docs := s.documents(ctx, publishers)
	offers := make(map[hostname.Domain]*offer, len(docs))
	var evidence []resolve.Evidence
	for _, publisher := range publishers {
		q.Publisher = string(publisher)
		offers[publisher], err = newOffer(inTime(ctx, docs[publisher]), q)
		if err != nil {
			return nil, err
		}
		evidence = append(evidence, offers[publisher].answer.Evidence...)
	}
	for i := range picks {
		picks[i].resolve(offers[picks[i].PublisherDomain])
	}
	return &picking{agent: q.Agent, at: now, fresh: answerFresh(now, evidence), picks: picks}, nil
}

// inTime returns a document, or once the time of a call is over one that was not had:
// files can be written so that each takes long to compare.
func inTime(ctx context.Context, doc *resolve.Document) *resolve.Document {
	if ctx.Err() == nil || doc.State != resolve.Usable {
		return doc
	}
	return &resolve.Document{Publisher: doc.Publisher, FetchedAt: doc.FetchedAt, Detail: whyNot(ctx)}
}

// picksOf returns a pick for each publisher of each selector, and the publishers, each
// once.
func picksOf(selectors []adagents.Selector) ([]pick, []hostname.Domain, error) {
	if len(selectors) == 0 {
		return nil, nil, &Error{Kind: Invalid, Code: "selectors_required",
			Message: "Missing required field: publisher_properties (array of selectors)"}
	}
	var picks []pick
	var publishers []hostname.Domain
	items := 0
	for i := range selectors {
		domains, err := checkSelector(&selectors[i], i)
		if err != nil {
			return nil, nil, err
		}
		items += len(selectors[i].PropertyIDs) + len(selectors[i].PropertyTags)
		for _, domain := range domains {
			picks = append(picks, pick{
				SelectorAnswer: SelectorAnswer{PublisherDomain: domain, SelectionType: selectors[i].SelectionType},
				selector:       &selectors[i],
			})
			if !slices.Contains(publishers, domain) {
				publishers = append(publishers, domain)
			}
			if len(publishers) > MaxProductPublishers || len(picks) > MaxProductItems {
				return nil, nil, tooMuch(fmt.Sprintf("ask about %d publishers at most in one call", MaxProductPublishers))
			}
		}
		if items > MaxProductItems {
			return nil, nil, tooMuch(fmt.Sprintf("name %d ids and tags at most in one call", MaxProductItems))
		}
	}
	return picks, publishers, nil
}

func tooMuch(hint string) *Error {
	return &Error{Kind: Invalid, Code: "too_many_selectors", Message: "The selectors ask about too much", Hint: hint}
}

// checkSelector returns the publishers of a selector in canonical form.
func checkSelector(s *adagents.Selector, number int) ([]hostname.Domain, error) {
	refuse := func(hint string) ([]hostname.Domain, error) {
		return nil, &Error{Kind: Invalid, Code: "invalid_selector",
			Message: fmt.Sprintf("Invalid selector publisher_properties[%d]", number), Hint: hint}
	}
	compact := len(s.PublisherDomains) > 0
	switch {
	case compact == (s.PublisherDomain != ""):
		return refuse("give either publisher_domain or publisher_domains")
	case s.SelectionType != "all" && s.SelectionType != "by_id" && s.SelectionType != "by_tag":
		return refuse("selection_type must be all, by_id or by_tag")
	case s.SelectionType == "by_id" && compact:
		return refuse("ids are those of one publisher; give publisher_domain with by_id")
	case s.SelectionType == "by_id" && len(s.PropertyIDs) == 0:
		return refuse("by_id needs property_ids")
	case s.SelectionType == "by_tag" && len(s.PropertyTags) == 0:
		return refuse("by_tag needs property_tags")
	}
	domains := s.PublisherDomains
	if !compact {
		domains = []string{s.PublisherDomain}
	}
	var out []hostname.Domain
	for _, domain := range domains {
		name, err := publisherName(domain)
		if err != nil {
			return refuse("it names something that is not a publisher's domain")
		}
		if len(out) > MaxProductPublishers {
			break // picksOf refuses them all
		}
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out, nil
}

// An offer is the catalog of a publisher with what an agent may sell of it.
type offer struct {
	catalog *catalog
	answer  *resolve.Answer
	sold    []resolve.Verdict
}

func newOffer(doc *resolve.Document, q resolve.Question) (*offer, error) {
	c := newCatalog(doc)
	answer, err := judge(doc, q)
	if err != nil {
		return nil, questionError(err, "Invalid question")
	}
	return &offer{catalog: c, answer: answer, sold: c.sold(answer, nil)}, nil
}

// resolve works out what a selector comes to.
func (p *pick) resolve(s *offer) {
	p.Reasons, p.Evidence = s.answer.Reasons, s.answer.Evidence
	least := resolve.Authorized
	for _, at := range p.positions(s.catalog) {
		p.Requested++
		verdict := resolve.NotAuthorized
		if at >= 0 {
			verdict = max(verdict, s.sold[at])
		}
		least = min(least, verdict)
		if verdict == resolve.Authorized {
			p.Covered++
			p.covered = append(p.covered, s.catalog.list[at])
			continue
		}
		if at >= 0 {
			p.Unauthorized = append(p.Unauthorized, labelOf(s.catalog.list[at]))
		}
	}
	if p.SelectionType == "by_id" {
		p.Unauthorized = p.unauthorizedIDs()
	}
	switch {
	case s.answer.Verdict < resolve.NotAuthorized:
		p.Verdict = s.answer.Verdict
	case p.Requested == 0:
		p.Verdict = resolve.NotAuthorized
		p.Problem = "no property of the publisher is selected"
	default:
		p.Verdict = least
	}
}

// positions returns where the selected properties are in a catalog; -1 for an id that is
// not there.
func (p *pick) positions(c *catalog) []int {
	var out []int
	if p.SelectionType == "by_id" {
		for _, id := range slices.Compact(slices.Sorted(slices.Values(p.selector.PropertyIDs))) {
			at, ok := c.at["id "+id]
			if !ok || id == "" {
				at = -1
			}
			out = append(out, at)
		}
		return out
	}
	wanted := setOf(p.selector.PropertyTags)
	for i, property := range c.list {
		if p.SelectionType == "all" || slices.ContainsFunc(property.Tags, func(tag string) bool { return wanted[tag] }) {
			out = append(out, i)
		}
	}
	return out
}

// setOf returns the members of a list that name something.
func setOf(list []string) map[string]bool {
	out := make(map[string]bool, len(list))
	for _, s := range list {
		if s != "" {
			out[s] = true
		}
	}
	return out
}

// unauthorizedIDs returns the ids asked for that are not covered, in the order in which
// they were given.
func (p *pick) unauthorizedIDs() []string {
	done := make(map[string]bool, len(p.covered))
	for _, property := range p.covered {
		done[property.ID] = true
	}
	var out []string
	for _, id := range p.selector.PropertyIDs {
		if !done[id] {
			done[id] = true
			out = append(out, id)
		}
	}
	return out
}

// labelOf names a property for people and programs.
func labelOf(p *adagents.Property) string {
	if p.ID != "" {
		return p.ID
	}
	return p.Name
}
