// Package answer has the one form in which answers to questions about authorizations are written
// as JSON: by the commands, the service, its tools for language models and the npm package. Its
// members are a contract: new ones may appear, none goes away or changes its meaning. Secrets in
// a file or a URL are left out.
//
// The tag from says which texts are a publisher's, for readers that must not take them for ours:
// publisher for prose, id for an id that it chose. verbatim is a text of ours that stays as it is.
package answer

import (
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/operator"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/resolve"
)

// Answer is the answer to a question.
type Answer struct {
	Verdict   string `json:"verdict" enum:"authorized,conditional,not_authorized,none_asserted,unverified,unusable" doc:"Only authorized is a yes, and only not_authorized is a no."`
	Publisher string `json:"publisher" doc:"The publisher in canonical form."`
	Agent     string `json:"agent" doc:"The agent in canonical form."`
	At        string `json:"at" format:"date-time" doc:"The time asked about."`
	Asked
	Code              string            `json:"code" doc:"The code of the reason that decided."`
	Reasons           []Reason          `json:"reasons" doc:"The steps that led to the verdict."`
	Grants            []Grant           `json:"grants" doc:"The entries that cover what was asked, or would under a condition."`
	Needs             []string          `json:"needs" doc:"What the question must name when the verdict is conditional."`
	PlacementVerdicts map[string]string `json:"placement_verdicts,omitempty" doc:"The verdict on each placement asked about, if there are several."`
	Exclusive         []string          `json:"exclusive_elsewhere" doc:"Other agents that the file calls exclusive for what was asked."`
	Changes           []string          `json:"changes" from:"publisher" doc:"What would change the verdict, in sentences that may quote the publisher."`
	Evidence          []Evidence        `json:"evidence" doc:"The documents that the answer depends on."`
	Skipped           []SkippedEntry    `json:"skipped" doc:"Entries of those documents that have no effect because of a fault."`
	Omitted           map[string]int    `json:"omitted,omitempty" doc:"How many items each of these lists would have beyond those that are shown; absent when all are shown."`
	Operator          *Operator         `json:"operator,omitzero" doc:"How the agent's operator describes the paths; absent unless brand is given."`
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

// Of returns the answer to a question in canonical form. most is how many items a list has, and
// how many properties all grants have together; 0 is for no limit.
func Of(q *resolve.Question, a *resolve.Answer, most int) Answer {
	l := limit{most: most}
	doc := Answer{
		Verdict: a.Verdict.String(), Code: a.Code(), Publisher: q.Publisher, Agent: redact.URL(q.Agent), At: Time(q.At),
		Asked:   AskedOf(q),
		Reasons: ReasonsOf(cut(&l, "reasons", a.Reasons)), Grants: l.grants(a.Grants), Needs: listed(a.Needs),
		Exclusive: mapped(cut(&l, "exclusive_elsewhere", a.Exclusive), redact.URL),
		Changes:   mapped(cut(&l, "changes", a.Changes), redact.Credentials),
		Evidence:  EvidenceOf(a.Evidence), Skipped: cut(&l, "skipped", SkippedOf(a.Skipped)), Omitted: l.omitted,
	}
	if len(a.Placements) > 0 {
		doc.PlacementVerdicts = make(map[string]string, len(a.Placements))
	}
	for id, verdict := range a.Placements {
		doc.PlacementVerdicts[id] = verdict.String()
	}
	return doc
}

// AskedOf returns what a question in canonical form asks about.
func AskedOf(q *resolve.Question) Asked {
	asked := Asked{
		Property: q.Property, PropertyType: q.PropertyType, Placements: q.Placements, Collections: Collections(q.Collections),
		Signal: q.Signal, Country: q.Country,
	}
	if q.Identifier != (resolve.Identifier{}) {
		asked.Identifier = q.Identifier.Type + "=" + q.Identifier.Value
	}
	return asked
}

// A limit shortens lists, and notes by how much.
type limit struct {
	most    int
	omitted map[string]int
}

func (l *limit) omit(name string, n int) {
	if n > 0 {
		if l.omitted == nil {
			l.omitted = map[string]int{}
		}
		l.omitted[name] += n
	}
}

func cut[T any](l *limit, name string, list []T) []T {
	if l.most == 0 || len(list) <= l.most {
		return list
	}
	l.omit(name, len(list)-l.most)
	return list[:l.most]
}

// grants returns grants with as many properties together as the limit allows.
func (l *limit) grants(list []resolve.Grant) []Grant {
	list = cut(l, "grants", list)
	docs, left := make([]Grant, 0, len(list)), l.most
	for i := range list {
		shown := len(list[i].Properties)
		if l.most > 0 {
			shown = min(shown, left)
			left -= shown
			l.omit("properties", len(list[i].Properties)-shown)
		}
		docs = append(docs, grantOf(&list[i], shown))
	}
	return docs
}

// Reason is a step that led to a verdict.
type Reason struct {
	Code    string `json:"code" doc:"A stable code; avow explain describes it."`
	Title   string `json:"title,omitempty" hidden:"true" doc:"The code in a few words."`
	URL     string `json:"url,omitempty" doc:"The document concerned."`
	Pointer string `json:"pointer" from:"publisher" doc:"JSON Pointer of the location in it; empty for the document as a whole."`
	Message string `json:"message" from:"publisher" doc:"The step in a sentence that may quote the publisher."`
}

// ReasonsOf returns reasons in JSON.
func ReasonsOf(list []resolve.Reason) []Reason {
	docs := make([]Reason, 0, len(list))
	for _, r := range list {
		docs = append(docs, Reason{Code: r.Code, URL: redact.URL(r.URL), Pointer: r.Pointer,
			Message: redact.Credentials(r.Message)})
	}
	return docs
}

// Grant is an entry that covers what was asked, or would under a condition. What is null does not
// limit it; pinned_keys are null when none are pinned.
type Grant struct {
	Entry             string    `json:"entry" doc:"JSON Pointer of the agent entry."`
	URL               string    `json:"url" doc:"The document that has it."`
	AuthorizationType string    `json:"authorization_type" from:"id" doc:"How the entry selects what the agent may sell."`
	DelegationType    string    `json:"delegation_type" from:"id" doc:"direct, delegated or ad_network; empty when the entry does not say."`
	AuthorizedFor     string    `json:"authorized_for" from:"publisher" doc:"What the agent may sell, in the publisher's words."`
	Exclusive         bool      `json:"exclusive" doc:"Whether the publisher calls it the only path."`
	PropertyCount     int       `json:"property_count" doc:"How many properties it covers of what was asked."`
	Properties        []Covered `json:"properties" doc:"The properties that it covers of what was asked."`
	Signals           []string  `json:"signals" from:"id" doc:"The ids of the signals it covers of what was asked."`
	Placements        *[]string `json:"placements" from:"id" doc:"The placements it is limited to."`
	Collections       *[]string `json:"collections" from:"id" doc:"The content programs it is limited to, as DOMAIN/ID; DOMAIN/* for all of a publisher."`
	Countries         *[]string `json:"countries" from:"id" doc:"The countries it is limited to."`
	From              *string   `json:"from" format:"date-time" doc:"When it begins to apply."`
	Until             *string   `json:"until" format:"date-time" doc:"When it stops applying."`
	PinnedKeys        *[]string `json:"pinned_keys" from:"id" doc:"The ids of the keys pinned for the agent."`
	Needs             []string  `json:"needs" doc:"What the question must name before the entry can be judged."`
}

// GrantsOf returns grants in JSON, with at most so many properties each; 0 is for no limit.
func GrantsOf(list []resolve.Grant, most int) []Grant {
	docs := make([]Grant, 0, len(list))
	for i := range list {
		shown := len(list[i].Properties)
		if most > 0 {
			shown = min(shown, most)
		}
		docs = append(docs, grantOf(&list[i], shown))
	}
	return docs
}

func grantOf(g *resolve.Grant, shown int) Grant {
	doc := Grant{
		Entry: g.Entry, URL: redact.URL(g.URL), AuthorizationType: string(g.AuthorizationType),
		DelegationType: g.DelegationType,
		AuthorizedFor:  redact.Credentials(g.AuthorizedFor), Exclusive: g.Exclusive, PropertyCount: len(g.Properties),
		Properties: make([]Covered, 0, shown),
		Signals:    listed(g.Signals), Placements: narrowed(g.Placements), Countries: narrowed(g.Countries),
		Collections: narrowed(Collections(g.Collections)),
		From:        OptionalTime(g.From), Until: OptionalTime(g.Until), Needs: listed(g.Needs),
	}
	if g.Pinned {
		doc.PinnedKeys = narrowed(listed(g.PinnedKeys))
	}
	for i := range g.Properties[:shown] {
		doc.Properties = append(doc.Properties, coveredOf(&g.Properties[i]))
	}
	return doc
}

// Covered is a property that an entry covers.
type Covered struct {
	PublisherDomain string `json:"publisher_domain" from:"id"`
	PropertyID      string `json:"property_id" from:"id"`
	PropertyType    string `json:"property_type" from:"id"`
	Name            string `json:"name" from:"publisher"`
	Path            string `json:"path" doc:"How the entry leads to it."`
	URL             string `json:"url" doc:"The document that declares it."`
	Pointer         string `json:"pointer" from:"publisher" doc:"JSON Pointer of the property there."`
	Confirmed       bool   `json:"confirmed" doc:"Whether its publisher confirms it."`
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

// Evidence is a document that an answer depends on.
type Evidence struct {
	Publisher string `json:"publisher" doc:"The publisher it speaks for."`
	Role      string `json:"role" doc:"file, or on the way to it pointer, ads_txt, manager, replaced, successor or mirror."`
	State     string `json:"state" doc:"usable, unusable, absent, unreachable or withheld."`
	Method    string `json:"method" doc:"How it was found: direct, authoritative_location or ads_txt_managerdomain."`
	URL       string `json:"url" doc:"Where it came from in the end."`
	SHA256    string `json:"sha256" doc:"Of its bytes; empty when there is none."`
	FetchedAt string `json:"fetched_at" doc:"When it was obtained, RFC 3339; empty when that is not known."`
}

// EvidenceOf returns evidence in JSON.
func EvidenceOf(list []resolve.Evidence) []Evidence {
	docs := make([]Evidence, 0, len(list))
	for i := range list {
		e := &list[i]
		doc := Evidence{Publisher: e.Publisher, Role: e.Role, State: e.State.String(), Method: e.Method,
			URL: redact.URL(e.URL), SHA256: e.SHA256}
		if !e.FetchedAt.IsZero() {
			doc.FetchedAt = Time(e.FetchedAt.Truncate(time.Millisecond))
		}
		docs = append(docs, doc)
	}
	return docs
}

// Skip is an entry of a file that consumers leave out.
type Skip struct {
	Pointer string `json:"pointer" from:"publisher" doc:"JSON Pointer of the entry."`
	Code    string `json:"code" doc:"The rule that decided it."`
	Reason  string `json:"reason" from:"publisher" doc:"Why, in a sentence that may quote the publisher."`
}

// SkipsOf returns entries that were left out in JSON.
func SkipsOf(list []adagents.Skip) []Skip {
	docs := make([]Skip, 0, len(list))
	for _, s := range list {
		docs = append(docs, Skip{s.Pointer, s.Code, redact.Credentials(s.Reason)})
	}
	return docs
}

// SkippedEntry is such an entry with the file that has it.
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

// Collections writes collections as questions do; nil stays nil.
func Collections(list []resolve.CollectionRef) []string {
	if list == nil {
		return nil
	}
	names := make([]string, 0, len(list))
	for _, c := range list {
		names = append(names, c.String())
	}
	return names
}

// Time writes a time exactly.
func Time(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// OptionalTime is Time, and nil for the zero time.
func OptionalTime(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	s := Time(t)
	return &s
}

// listed makes sure that an empty list is [] in JSON.
func listed(list []string) []string { return mapped(list, func(s string) string { return s }) }

func mapped(list []string, f func(string) string) []string {
	docs := make([]string, 0, len(list))
	for _, s := range list {
		docs = append(docs, f(s))
	}
	return docs
}

// narrowed tells a list that limits from none.
func narrowed(list []string) *[]string {
	if list == nil {
		return nil
	}
	return &list
}

// A Line is the answer to one question of a batch: an answer, or what is wrong with the question.
type Line struct {
	Line int    `json:"line" doc:"The number of the question's line, from 1."`
	ID   string `json:"id,omitempty" doc:"The id of the question."`
	// Code is the code of the answer or of the error.
	Code  string `json:"code,omitempty" doc:"The code of the reason that decided, or of the error."`
	Error string `json:"error,omitempty" doc:"What is wrong with the question; there is no verdict then."`
	Field string `json:"field,omitempty" doc:"The member concerned, as it was written."`
	Hint  string `json:"hint,omitempty" doc:"What to write instead."`
	*Answer
}

// An Unanswered is the line of a question with a fault. It has what the question was about, as far as
// that could be read.
type Unanswered struct {
	Line      int    `json:"line"`
	ID        string `json:"id,omitempty"`
	Code      string `json:"code,omitempty"`
	Error     string `json:"error,omitempty"`
	Field     string `json:"field,omitempty"`
	Hint      string `json:"hint,omitempty"`
	Publisher string `json:"publisher,omitempty"`
	Agent     string `json:"agent,omitempty"`
}

// About has what a question was about, without credentials.
func (u *Unanswered) About(q *resolve.Question) {
	u.Publisher, u.Agent = redact.Credentials(q.Publisher), redact.URL(q.Agent)
}

// A Receipt says how an answer relates to the transparency log. State is always there, so that
// silence never means anything.
type Receipt struct {
	State  string  `json:"state" enum:"included,pending,none" doc:"included: what the answer depends on is in the signed log, and text has the receipt. pending: it will be in a moment. none: there is no proof, and reason says why."`
	Reason string  `json:"reason,omitempty" doc:"Why there is no receipt."`
	Since  *string `json:"since,omitempty" format:"date-time" doc:"When what is pending was decided."`
	Leaves int     `json:"leaves" doc:"How many leaves of the log the receipt proves."`
	Text   string  `json:"text,omitempty" from:"verbatim" doc:"The receipt as a file; avow log verify checks it without a network."`
}

// Operator is what the operator's brand.json says beside the file.
type Operator struct {
	Agreement  string         `json:"agreement" enum:"agree,inline,mismatch,incomplete_publisher,incomplete_operator,not_comparable,ambiguous,unknown" doc:"Whether relationship in the operator's brand.json and delegation_type in the file agree; of several properties, the most serious. It never changes a verdict."`
	Code       string         `json:"code" doc:"The same as a code."`
	Action     string         `json:"action" enum:"proceed,hold" doc:"What a buyer should do: proceed, or hold until a person has looked at it."`
	Message    string         `json:"message" doc:"The same for people."`
	Brand      OperatorBrand  `json:"brand"`
	Properties []OperatorPath `json:"properties" doc:"One for each property that an entry covers; when there are more than 100, the most serious."`
	Omitted    int            `json:"omitted,omitzero" doc:"How many properties were left out; absent when none was."`
}

// OperatorBrand is what became of the brand.json.
type OperatorBrand struct {
	State   string   `json:"state" enum:"found,absent,agent_missing,agent_ambiguous,other_domain,unusable,unreachable,not_asked" doc:"What became of the brand.json. One that could not be fetched or read gives unknown, never a mismatch."`
	Code    string   `json:"code" doc:"The same as a code."`
	URL     string   `json:"url" doc:"Where it was found in the end, or looked for."`
	Message string   `json:"message" from:"publisher" doc:"What is wrong or missing, for people."`
	Notes   []string `json:"notes" from:"publisher" doc:"What else is worth knowing, such as another spelling of the agent's URL."`
}

// OperatorPath is one property with what both sides say about it.
type OperatorPath struct {
	PublisherDomain string `json:"publisher_domain"`
	PropertyID      string `json:"property_id" from:"id"`
	Entry           string `json:"entry" doc:"JSON Pointer of the entry in the publisher's file."`
	DelegationType  string `json:"delegation_type" from:"id" doc:"What the entry says; empty when it says nothing."`
	Relationship    string `json:"relationship" from:"id" doc:"What the brand.json says, owned when it lists the property without one; empty when it does not list it."`
	Pointer         string `json:"pointer" from:"publisher" doc:"JSON Pointer of the property in the brand.json."`
	Agreement       string `json:"agreement" enum:"agree,inline,mismatch,incomplete_publisher,incomplete_operator,not_comparable,ambiguous,unknown"`
	Code            string `json:"code"`
	Action          string `json:"action" enum:"proceed,hold"`
	Message         string `json:"message" from:"publisher" doc:"What both sides say, for people."`
}

// OperatorOf returns a comparison in JSON; nil when there is none.
func OperatorOf(c *operator.Comparison) *Operator {
	if c == nil {
		return nil
	}
	s := c.Statement
	doc := &Operator{
		Agreement: c.Agreement.String(), Code: operator.Code(c.Agreement), Action: c.Action(), Message: c.Advice(),
		Brand: OperatorBrand{State: s.State.String(), Code: s.State.Code(), URL: redact.URL(s.URL),
			Message: redact.Credentials(s.Detail), Notes: []string{}},
		Properties: []OperatorPath{}, Omitted: c.Omitted,
	}
	for _, note := range s.Notes {
		doc.Brand.Notes = append(doc.Brand.Notes, redact.Credentials(note))
	}
	for i := range c.Paths {
		p := &c.Paths[i]
		doc.Properties = append(doc.Properties, OperatorPath{
			p.PublisherDomain, p.PropertyID, p.Entry, p.DelegationType, redact.Credentials(p.Relationship), p.Pointer,
			p.Agreement.String(), operator.Code(p.Agreement), operator.Action(p.Agreement), redact.Credentials(p.Message),
		})
	}
	return doc
}
