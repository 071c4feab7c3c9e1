package wire

import (
	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/operator"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/resolve"
)

// Answer is the answer to a question. Grants say in P what they cover: commands list the
// properties, and the API counts them.
type Answer[P any] struct {
	Verdict   string `json:"verdict" enum:"authorized,conditional,not_authorized,none_asserted,unverified,unusable" doc:"Only not_authorized is a no."`
	Publisher string `json:"publisher" doc:"The publisher in canonical form."`
	Agent     string `json:"agent" doc:"The agent in canonical form."`
	At        string `json:"at" format:"date-time" doc:"The instant asked about."`
	Asked
	Reasons           []Reason          `json:"reasons" doc:"The steps that led to the verdict."`
	Grants            []Grant[P]        `json:"grants" doc:"The entries that cover it, or would under a condition."`
	Needs             []string          `json:"needs" doc:"What the question lacks when the verdict is conditional."`
	PlacementVerdicts map[string]string `json:"placement_verdicts,omitempty" doc:"The verdict on each placement asked about."`
	Exclusive         []string          `json:"exclusive_elsewhere" doc:"Other agents that the file calls exclusive for what was asked."`
	Changes           []string          `json:"changes" doc:"What would change the verdict, for people."`
	Evidence          []Evidence        `json:"evidence" doc:"The documents it rests on."`
	Skipped           []SkippedEntry    `json:"skipped" doc:"Entries of those documents that were left out because of a fault. What they say has no effect."`
	Operator          *OperatorReply    `json:"operator,omitzero" doc:"How the operator of the agent describes the paths; absent unless brand is given."`
}

// Asked are the parts of a question that may be left out.
type Asked struct {
	Property     string   `json:"property,omitempty" doc:"As asked, like the following."`
	Identifier   string   `json:"identifier,omitempty"`
	PropertyType string   `json:"property_type,omitempty"`
	Placements   []string `json:"placements,omitempty"`
	Collections  []string `json:"collections,omitempty"`
	Signal       string   `json:"signal,omitempty"`
	Country      string   `json:"country,omitempty"`
}

// AnswerOf returns an answer in JSON. covered says what a grant covers; both may be nil.
func AnswerOf[P any](f *Form, q *resolve.Question, a *resolve.Answer, both *operator.Comparison, covered func(*resolve.Grant) P) Answer[P] {
	doc := Answer[P]{
		Verdict: a.Verdict.String(), Publisher: q.Publisher, Agent: redact.URL(q.Agent), At: f.Instant(q.At),
		Asked: Asked{
			Property: q.Property, PropertyType: q.PropertyType, Placements: q.Placements, Collections: collectionNames(q.Collections),
			Signal: q.Signal, Country: q.Country,
		},
		Reasons: f.Reasons(a.Reasons), Grants: GrantsOf(f, a.Grants, covered), Needs: NotNil(a.Needs), Exclusive: make([]string, 0, len(a.Exclusive)),
		Changes: Texts(a.Changes), Evidence: f.Evidence(a.Evidence), Skipped: SkippedOf(a.Skipped), Operator: OperatorOf(both),
	}
	if q.Identifier != (resolve.Identifier{}) {
		doc.Identifier = q.Identifier.Type + "=" + q.Identifier.Value
	}
	for _, url := range a.Exclusive {
		doc.Exclusive = append(doc.Exclusive, redact.URL(url))
	}
	if len(a.Placements) > 0 {
		doc.PlacementVerdicts = make(map[string]string, len(a.Placements))
	}
	for id, verdict := range a.Placements {
		doc.PlacementVerdicts[id] = verdict.String()
	}
	return doc
}

// Reason is a step that led to a verdict.
type Reason struct {
	Code    string      `json:"code" doc:"A stable word; avow explain tells more."`
	URL     string      `json:"url,omitempty" doc:"The document concerned."`
	Pointer Opt[string] `json:"pointer,omitzero" doc:"JSON Pointer of the location in it."`
	Message string      `json:"message" doc:"The step in a sentence."`
}

// The message of a publisher that cannot be reached says why. That is for the operator:
// whether a name exists or leads to a private address would let anybody explore the
// network that the service runs in.
const (
	codeUnreachable    = "file.unreachable"
	unreachableMessage = "it could not be determined whether the publisher has a file"
)

// Reasons returns reasons in JSON.
func (f *Form) Reasons(list []resolve.Reason) []Reason {
	docs := make([]Reason, 0, len(list))
	for _, r := range list {
		message := redact.Credentials(r.Message)
		if f.public && r.Code == codeUnreachable {
			message = unreachableMessage
		}
		docs = append(docs, Reason{r.Code, redact.URL(r.URL), optional(f, r.Pointer), message})
	}
	return docs
}

// Grant is an entry that covers what was asked, or would under a condition. For commands
// placements, collections and countries are null when the entry is not narrowed by them,
// pinned_keys when none are pinned.
type Grant[P any] struct {
	Entry             string         `json:"entry" doc:"JSON Pointer of the agent entry."`
	URL               string         `json:"url" doc:"The document it stands in."`
	AuthorizationType string         `json:"authorization_type" doc:"How the entry selects."`
	DelegationType    Opt[string]    `json:"delegation_type,omitzero" doc:"direct, delegated or ad_network."`
	AuthorizedFor     Opt[string]    `json:"authorized_for,omitzero" doc:"What the agent may sell, in the publisher's words."`
	Exclusive         bool           `json:"exclusive" doc:"The publisher calls it the only path."`
	Properties        P              `json:"properties" doc:"How many properties it covers of what was asked."`
	Signals           Opt[[]string]  `json:"signals,omitzero" doc:"The ids of the signals it covers of what was asked."`
	Placements        Opt[*[]string] `json:"placements,omitzero" doc:"The placements it is limited to."`
	Collections       Opt[*[]string] `json:"collections,omitzero" doc:"The content programs it is limited to, as DOMAIN/ID."`
	Countries         Opt[*[]string] `json:"countries,omitzero" doc:"The countries it is limited to."`
	From              Opt[*string]   `json:"from,omitzero" format:"date-time" doc:"When it begins to hold."`
	Until             Opt[*string]   `json:"until,omitzero" format:"date-time" doc:"When it ceases to hold."`
	PinnedKeys        Opt[*[]string] `json:"pinned_keys,omitzero" doc:"The ids of the keys pinned for the agent."`
	Needs             Opt[[]string]  `json:"needs,omitzero" doc:"What the question must say before it can be judged."`
}

// Covered is a property that an entry covers.
type Covered struct {
	PublisherDomain string `json:"publisher_domain"`
	PropertyID      string `json:"property_id"`
	PropertyType    string `json:"property_type"`
	Name            string `json:"name"`
	Path            string `json:"path"`
	URL             string `json:"url"`
	Pointer         string `json:"pointer"`
	Confirmed       bool   `json:"confirmed"`
}

// GrantsOf returns grants in JSON.
func GrantsOf[P any](f *Form, list []resolve.Grant, covered func(*resolve.Grant) P) []Grant[P] {
	docs := make([]Grant[P], 0, len(list))
	for i := range list {
		g := &list[i]
		doc := Grant[P]{
			Entry: g.Entry, URL: redact.URL(g.URL), AuthorizationType: string(g.AuthorizationType), DelegationType: optional(f, g.DelegationType),
			AuthorizedFor: optional(f, redact.Credentials(g.AuthorizedFor)), Exclusive: g.Exclusive, Properties: covered(g),
			Signals: optionalList(f, g.Signals), Placements: narrowed(f, g.Placements), Countries: narrowed(f, g.Countries),
			Collections: narrowed(f, collectionNames(g.Collections)), From: optional(f, f.OptionalTime(g.From)),
			Until: optional(f, f.OptionalTime(g.Until)), Needs: optionalList(f, g.Needs), PinnedKeys: narrowed(f, nil),
		}
		if g.Pinned {
			doc.PinnedKeys = narrowed(f, NotNil(g.PinnedKeys))
		}
		docs = append(docs, doc)
	}
	return docs
}

// CoveredBy lists what a grant covers.
func CoveredBy(g *resolve.Grant) []Covered {
	docs := make([]Covered, 0, len(g.Properties))
	for i := range g.Properties {
		docs = append(docs, coveredOf(&g.Properties[i]))
	}
	return docs
}

// CountCovered counts what a grant covers.
func CountCovered(g *resolve.Grant) int { return len(g.Properties) }

// collectionNames writes collections as questions do; nil stays nil.
func collectionNames(list []resolve.CollectionRef) []string {
	if list == nil {
		return nil
	}
	names := make([]string, 0, len(list))
	for _, c := range list {
		names = append(names, c.PublisherDomain+"/"+c.ID)
	}
	return names
}

func coveredOf(c *resolve.Covered) Covered {
	doc := Covered{
		PublisherDomain: c.PublisherDomain, PropertyID: c.PropertyID, Path: string(c.Path),
		URL: redact.URL(c.URL), Pointer: c.Pointer, Confirmed: c.Confirmed,
	}
	if c.Property != nil {
		doc.PropertyType, doc.Name = c.Property.Type, c.Property.Name
	}
	return doc
}

// narrowed tells a list that narrows from none.
func narrowed(f *Form, list []string) Opt[*[]string] {
	doc := Opt[*[]string]{left: f.public && len(list) == 0}
	if list != nil {
		doc.Value = &list
	}
	return doc
}

// Evidence is a document that an answer rests on.
type Evidence struct {
	Publisher string      `json:"publisher" doc:"The publisher it speaks for."`
	Role      Opt[string] `json:"role,omitzero" doc:"What it is: file, or on the way to it pointer, ads_txt, manager or replaced."`
	State     string      `json:"state" doc:"usable, unusable, absent, unreachable or withheld."`
	Method    string      `json:"method" doc:"How it was found: direct, authoritative_location or ads_txt_managerdomain."`
	URL       string      `json:"url" doc:"Where it came from in the end."`
	SHA256    string      `json:"sha256" doc:"Of its bytes; empty when there is none."`
	FetchedAt Opt[string] `json:"fetched_at,omitzero" format:"date-time" doc:"When it was obtained."`
}

// Evidence returns evidence in JSON.
func (f *Form) Evidence(list []resolve.Evidence) []Evidence {
	docs := make([]Evidence, 0, len(list))
	for i := range list {
		e, fetched := &list[i], ""
		if !e.FetchedAt.IsZero() {
			fetched = f.Time(e.FetchedAt)
		}
		docs = append(docs, Evidence{
			e.Publisher, optional(f, e.Role), e.State.String(), e.Method, redact.URL(e.URL), e.SHA256, optional(f, fetched),
		})
	}
	return docs
}

// Skip is an entry of a file that consumers leave out.
type Skip struct {
	Pointer string `json:"pointer" doc:"JSON Pointer of the entry."`
	Code    string `json:"code" doc:"The rule that decided it."`
	Reason  string `json:"reason" doc:"Why, for people."`
}

// SkipsOf returns entries that were left out in JSON.
func SkipsOf(list []adagents.Skip) []Skip {
	docs := make([]Skip, 0, len(list))
	for _, s := range list {
		docs = append(docs, Skip{s.Pointer, s.Code, redact.Credentials(s.Reason)})
	}
	return docs
}

// SkippedEntry is such an entry with the file that it stands in.
type SkippedEntry struct {
	Publisher string `json:"publisher" doc:"Whose file it is."`
	URL       string `json:"url" doc:"Where the file is."`
	Skip
}

// SkippedOf returns the entries of several files that were left out in JSON.
func SkippedOf(list []resolve.Skipped) []SkippedEntry {
	docs := []SkippedEntry{}
	for i := range list {
		for _, s := range SkipsOf(list[i].Entries) {
			docs = append(docs, SkippedEntry{list[i].Publisher, redact.URL(list[i].URL), s})
		}
	}
	return docs
}
