package ops

import (
	"context"
	"slices"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/answer"
	"github.com/avow-project/avow/internal/catalogue"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/resolve"
)

// questionTools are the tools that say what an agent may sell.
func (o *Set) questionTools() []Operation {
	return []Operation{
		Define(Operation{Name: "validate_agent", Class: edge.Lookup, Tool: Tool{
			"validate_agent", "May this agent sell this inventory?",
			"Says whether an agent may sell something of a publisher, with the reasons and the documents it rests on. What is " +
				"not asked about is left open, and a verdict of conditional says which argument is missing. " +
				"authorized is true for the verdict authorized alone. Only not_authorized is a no: none_asserted, unverified and " +
				"unusable mean that the publisher's file says nothing, could not be had or cannot be used.",
		}}, o.validateAgent),
		Define(Operation{Name: "agent_authorizations", Class: edge.Lookup, Tool: Tool{
			"get_agent_authorizations", "What may this agent sell of this publisher?",
			"Lists what one agent may sell of one publisher: the entries of the publisher's file that name it, with " +
				"countries, times and pinned keys, and how many properties they cover.",
		}}, o.agentAuthorizations),
	}
}

// matchedEntry is the entry that decided, under the names that other registries use.
type matchedEntry struct {
	AuthorizationType string   `json:"authorization_type" doc:"How the entry selects."`
	DelegationType    string   `json:"delegation_type,omitempty" from:"id" doc:"direct, delegated or ad_network."`
	Exclusive         bool     `json:"exclusive" doc:"The publisher calls it the only path."`
	Properties        int      `json:"properties" doc:"How many properties it covers of what was asked."`
	Countries         []string `json:"countries,omitempty" from:"id" doc:"The countries it is limited to."`
	CollectionIDs     []string `json:"collection_ids,omitempty" from:"id" doc:"The content programs it is limited to, as DOMAIN/ID; DOMAIN/* for all of a publisher."`
	PlacementIDs      []string `json:"placement_ids,omitempty" from:"id" doc:"The placements it is limited to."`
	EffectiveFrom     string   `json:"effective_from,omitempty" doc:"When it begins to hold."`
	EffectiveUntil    string   `json:"effective_until,omitempty" doc:"When it ceases to hold."`
	SigningKeys       []string `json:"signing_keys,omitempty" from:"id" doc:"Ids of the keys pinned for the agent."`
	Needs             []string `json:"needs,omitempty" doc:"What the question must say before the entry can be judged."`
	AuthorizedFor     string   `json:"publisher_authorized_for,omitempty" from:"publisher" doc:"What the agent may sell in the publisher's words."`
}

func matchOf(g *resolve.Grant) matchedEntry {
	m := matchedEntry{
		AuthorizationType: string(g.AuthorizationType), DelegationType: g.DelegationType, Exclusive: g.Exclusive,
		Properties: len(g.Properties),
		Countries:  g.Countries, PlacementIDs: g.Placements, EffectiveFrom: wireTimeOrNone(g.From),
		EffectiveUntil: wireTimeOrNone(g.Until),
		SigningKeys:    g.PinnedKeys, Needs: g.Needs, AuthorizedFor: g.AuthorizedFor,
	}
	for _, c := range g.Collections[:min(len(g.Collections), mostInTool)] {
		m.CollectionIDs = append(m.CollectionIDs, c.String())
	}
	return m
}

// validateAgentOutput is the answer of GET /api/authorize, with members under the names that
// clients of other registries read.
type validateAgentOutput struct {
	Authorized bool          `json:"authorized" doc:"True for the verdict authorized alone."`
	Domain     string        `json:"domain" doc:"The publisher in canonical form."`
	AgentURL   string        `json:"agent_url" doc:"The agent in canonical form."`
	Source     string        `json:"source,omitempty" doc:"The URL of the file that decided."`
	Match      *matchedEntry `json:"matched_authorization,omitempty" doc:"The first entry that covers it, or would under a condition."`
	answer.Answer
	Freshness
	Receipt *answer.Receipt `json:"receipt,omitempty" doc:"Inclusion status of the answer in the transparency log; only with proofs."`
}

func (o *Set) validateAgent(ctx context.Context, in *toolInput) (*validateAgentOutput, error) {
	if in.Refresh {
		err := edge.Charge(ctx, edge.Validate)
		if err != nil {
			return nil, err
		}
		_, err = o.service.Validate(ctx,
			registry.ValidateRequest{Domain: in.Publisher, Refresh: true, Caller: registry.CallerOf(ctx)})
		if err != nil {
			return nil, err
		}
	}
	questions, err := o.questions(ctx, in)
	if err != nil {
		return nil, err
	}
	var worst *registry.QuestionAnswer
	for _, q := range questions {
		a, err := o.service.Answer(ctx, q, "")
		if err != nil {
			return nil, err
		}
		if worst == nil || badness(a.Verdict) > badness(worst.Verdict) {
			worst = a
		}
	}
	out := &validateAgentOutput{
		Authorized: worst.Verdict == resolve.Authorized, Domain: worst.Question.Publisher,
		AgentURL:  redact.URL(worst.Question.Agent),
		Answer:    answer.Of(&worst.Question, worst.Answer, mostShown),
		Freshness: freshnessOf(worst.CheckedAt, worst.FreshUntil),
	}
	entitle(out.Reasons)
	if worst.Document != nil {
		out.Source = redact.URL(worst.Document.URL)
	}
	if len(worst.Grants) > 0 {
		m := matchOf(&worst.Grants[0])
		out.Match = &m
	}
	if in.Proofs {
		out.Receipt = o.translog.Receipt(ctx, notary.ClaimOf(&worst.Question, worst.Answer, worst.CheckedAt)).Document()
	}
	return out, nil
}

// badness orders verdicts: of several answers the worst is the answer to all.
func badness(v resolve.Verdict) int {
	return slices.Index([]resolve.Verdict{
		resolve.Authorized, resolve.Conditional, resolve.NoneAsserted, resolve.Unverified, resolve.UnusableFile,
		resolve.NotAuthorized,
	}, v)
}

// questions are those that the arguments come to: one, or with tags one for each property.
func (o *Set) questions(ctx context.Context, in *toolInput) ([]resolve.Question, error) {
	q := in.Question.Question
	if len(in.PropertyTags) == 0 && len(in.PlacementTags) == 0 {
		return []resolve.Question{q}, nil
	}
	doc, err := o.service.Document(ctx, in.Publisher)
	if err != nil {
		return nil, err
	}
	if len(resolve.Owned(doc)) == 0 {
		a, err := o.service.Answer(ctx, q, "")
		if err != nil {
			return nil, err
		}
		if a.Verdict != resolve.Authorized && a.Verdict != resolve.Conditional {
			return []resolve.Question{q}, nil // without a file, or with a revocation, the answer is the same whatever is asked
		}
		doc = a.Document // the file that decided
	}
	return tagged(q, doc, in)
}

// tagged asks about what the publisher has that carries the tags. A tag that nothing carries is
// an error: an answer would be about something else. So is what cannot be named in a question.
func tagged(q resolve.Question, doc *resolve.Document, in *toolInput) ([]resolve.Question, error) {
	owned := resolve.Owned(doc)
	q, err := withPlacements(q, doc.File, owned, in.PlacementTags)
	if err != nil {
		return nil, err
	}
	if len(in.PropertyTags) == 0 {
		return []resolve.Question{q}, nil
	}
	var list []resolve.Question
	for _, p := range owned {
		switch {
		case !shares(p.Tags, in.PropertyTags):
		case p.ID == "":
			return nil, invalid("request.value",
				"a property with these tags has no property_id; ask by identifier_type and identifier_value", "")
		default:
			one := q
			one.Property = p.ID
			list = append(list, one)
		}
	}
	if in.Property != "" {
		list = append(list, q)
	}
	switch {
	case len(list) == 0:
		return nil, invalid("request.value", "no property of the publisher carries any of property_tags; ask by property_id",
			"")
	case len(list) > mostInTool || len(q.Placements) > mostInTool:
		return nil, invalid("request.value",
			"the tags are those of more than a hundred properties or placements; ask by property_id or placement_ids", "")
	}
	return list, nil
}

// withPlacements adds the placements that carry a tag to a question, without those that are on
// properties of other publishers alone.
func withPlacements(q resolve.Question, file *adagents.File, owned []*adagents.Property,
	tags []string) (resolve.Question, error) {
	if len(tags) == 0 {
		return q, nil
	}
	var ids []string
	for _, p := range owned {
		ids = append(ids, p.ID)
	}
	found := false
	for i := range file.Placements {
		p := &file.Placements[i]
		if !shares(p.Tags, tags) || len(p.PropertyIDs) > 0 && !shares(p.PropertyIDs, ids) {
			continue
		}
		if p.ID == "" {
			return q, invalid("request.value", "a placement with these tags has no placement_id; ask by placement_ids", "")
		}
		found = true
		if !slices.Contains(q.Placements, p.ID) {
			q.Placements = append(slices.Clip(q.Placements), p.ID)
		}
	}
	if !found {
		return q, invalid("request.value",
			"no placement of the publisher carries any of placement_tags; ask by placement_ids", "")
	}
	return q, nil
}

// shares reports whether two lists have a member in common.
func shares(a, b []string) bool {
	return slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
}

type agentAuthorizationsInput struct {
	AgentURL string `query:"agent_url" required:"true" doc:"The URL of the agent."`
	Domain   string `query:"domain" required:"true" doc:"The publisher's domain, such as example.com."`
	Country  string `query:"country" doc:"ISO 3166-1 alpha-2 code of a country."`
	Cursor   string `query:"cursor" doc:"next_cursor of the answer before, for more entries."`
}

type authorizationsOutput struct {
	Domain        string            `json:"domain" doc:"The publisher in canonical form."`
	AgentURL      string            `json:"agent_url" doc:"The agent in canonical form."`
	Verdict       string            `json:"verdict" doc:"What the file says about the agent as a whole; only not_authorized is a no."`
	Authorized    int               `json:"properties_authorized" doc:"How many of the publisher's own properties the agent may sell now."`
	Conditional   int               `json:"properties_conditional" doc:"How many it may sell under a condition."`
	Total         int               `json:"properties_total" doc:"How many there are."`
	PublisherWide bool              `json:"publisher_wide" doc:"An entry is for whatever properties the publisher has."`
	Entries       []matchedEntry    `json:"entries" doc:"The entries that cover something, a hundred at most."`
	Next          string            `json:"next_cursor,omitempty" doc:"Give this as cursor for the entries that follow."`
	Reasons       []answer.Reason   `json:"reasons" doc:"The steps that led to the verdict."`
	Evidence      []answer.Evidence `json:"evidence" doc:"The documents it rests on."`
	FreshUntil    string            `json:"fresh_until,omitempty" doc:"How long the answer may be used."`
}

func (o *Set) agentAuthorizations(ctx context.Context, in *agentAuthorizationsInput) (*authorizationsOutput, error) {
	v, err := o.service.Authorization(ctx, in.Domain, in.AgentURL, registry.Narrowing{Country: in.Country})
	if v == nil { // a no is an answer here, with its reasons
		return nil, err
	}
	out := &authorizationsOutput{
		Domain: v.Domain, AgentURL: redact.URL(v.URL), Verdict: v.Verdict.String(), Authorized: v.Authorized,
		Conditional: v.Conditional, Total: v.Total,
		PublisherWide: v.PublisherWide, Entries: []matchedEntry{}, Reasons: answer.ReasonsOf(v.Reasons),
		Evidence: answer.EvidenceOf(v.Evidence), FreshUntil: wireTimeOrNone(v.FreshUntil),
	}
	entitle(out.Reasons)
	part, next, err := paged(v.Grants, in.Cursor, mostInTool)
	if err != nil {
		return nil, err
	}
	out.Next = next
	for i := range part {
		out.Entries = append(out.Entries, matchOf(&part[i]))
	}
	return out, nil
}

// entitle gives reasons the titles of their codes, which quote no outside text.
func entitle(list []answer.Reason) {
	for i := range list {
		list[i].Title = catalogue.Lookup(list[i].Code).Title
	}
}
