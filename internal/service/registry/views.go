package registry

import (
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/headline"
	"github.com/avow-project/avow/internal/operator"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// A HostingMode says how a publisher's file is served. The values are those of the
// wire.
type HostingMode string

// The modes.
const (
	// SelfHosted: at the publisher's well-known path, and usable.
	SelfHosted HostingMode = "self"
	// SelfInvalid: something is there, and it has errors or cannot be used.
	SelfInvalid HostingMode = "self_invalid"
	// SelfRedirected: a pointer there, or ads.txt, leads to a file elsewhere.
	SelfRedirected HostingMode = "self_redirected"
	// NotHosted: there is no file, or it could not be reached.
	NotHosted HostingMode = "none"
)

// MaxRollups is the number of agents of a publisher whose properties are counted.
const MaxRollups = 50

// A PublisherView is what is known about a publisher.
type PublisherView struct {
	Domain   hostname.Domain
	Mode     HostingMode
	Headline headline.Headline
	// Check is the check it rests on; Document the file, whatever its state.
	Check    LastCheck
	Document *resolve.Document
	// Properties are the publisher's own, in the order of the file.
	Properties []PropertyView
	// Agents are those of usable entries, each once, in the order of the file. Only
	// the first MaxRollups are counted.
	Agents []AgentView
	// Formats and Placements are those of the file.
	Formats    []adagents.FormatDeclaration
	Placements []adagents.Placement
	// Checking is set when the check is out of date and a new check is under way.
	Checking bool
}

// A PropertyView is a property of a publisher.
type PropertyView struct {
	Property *adagents.Property
	// DelegationType is taken from the first entry that covers it and has one; mostly empty.
	DelegationType string
}

// An AgentView is an agent in the file of a publisher.
type AgentView struct {
	// URL is in canonical form, AuthorizedFor as the first entry has it.
	URL, AuthorizedFor string
	// Counted tells that the following are known.
	Counted bool
	Verdict resolve.Verdict
	// Authorized counts the publisher's own properties that the agent may sell,
	// Conditional those it may sell under a condition, Total all of them.
	Authorized, Conditional, Total int
	// Limited is what these depend on.
	Limited resolve.Limits
	// PublisherWide: an entry is for whatever properties the publisher has.
	PublisherWide bool
}

// An AuthorizationView says what one agent may sell of one publisher.
type AuthorizationView struct {
	Domain string
	AgentView
	// Unauthorized are the publisher's own properties that the agent may not sell
	// without condition.
	Unauthorized []*adagents.Property
	Grants       []resolve.Grant
	Reasons      []resolve.Reason
	Evidence     []resolve.Evidence
	// Changes says what would change the verdict, for people.
	Changes               []string
	CheckedAt, FreshUntil time.Time
}

// A Narrowing are the parts of a question that may be left out, whatever it is about. The
// zero value asks about now and anywhere; see resolve.Question.
type Narrowing struct {
	PropertyType string
	Placements   []string
	Collections  []resolve.CollectionRef
	Country      string
	At           time.Time
}

// narrow puts them into a question. now is the instant when none is given.
func (n *Narrowing) narrow(q resolve.Question, now time.Time) resolve.Question {
	q.PropertyType, q.Placements, q.Collections, q.Country, q.At = n.PropertyType, n.Placements, n.Collections, n.Country,
		n.At
	if q.At.IsZero() {
		q.At = now
	}
	return q
}

// PropertyOptions narrow a question about a property that is named as the market does.
type PropertyOptions struct {
	// Publisher narrows the question to the file of one publisher.
	Publisher string
	Narrowing
}

// A QuestionAnswer is the answer to a question about one publisher.
type QuestionAnswer struct {
	// Question is the question in canonical form.
	Question resolve.Question
	*resolve.Answer
	// Document is the file that decided.
	Document *resolve.Document
	// Operator is how the operator of the agent describes it; nil if not requested.
	Operator *operator.Comparison
	Moments
	known *knownPublisher // for Ground; nil when the answer rests on more
}

// Ground returns what the answer rests on; nil when that is more than a Ground can tell.
func (a *QuestionAnswer) Ground() *Ground {
	if a.known == nil {
		return nil
	}
	return a.known.ground(a.Question.At)
}

// Moments are what an answer says about the present.
type Moments struct {
	// CheckedAt is when the answer was given, FreshUntil how long it may be used.
	CheckedAt, FreshUntil time.Time
}

// A PropertyAuthorization says whether an agent may sell a property that is named as
// the market does.
type PropertyAuthorization struct {
	// Agent and Identifier are in canonical form.
	Agent      string
	Identifier Identifier
	// Authorized is true only for the verdict Authorized.
	Authorized bool
	Verdict    resolve.Verdict
	// Contest are the publishers that list the property as their own, the first to do so
	// first; empty unless they are of several sites. An authorization by one that is not
	// known to be the first is Conditional.
	Contest []Contestant
	// Publisher is the one whose file decided, and PropertyID the property there;
	// both empty when none did.
	Publisher, PropertyID string
	// Answer is what the deciding file says; nil if no file was read.
	Answer *resolve.Answer
	// Others are the answers of other files that were asked. They did not decide.
	Others []PublisherAnswer
	// CheckedAt is the instant of the answer, FreshUntil how long it may be used.
	CheckedAt, FreshUntil time.Time
}

// A PublisherAnswer is the answer of one publisher's file.
type PublisherAnswer struct {
	Publisher hostname.Domain
	Answer    *resolve.Answer
	// Claim is set for a file that speaks about another owner's domain: whatever it
	// says, it does not decide.
	Claim bool
	// Lists: it lists the property as its own, or did when its file could last be read;
	// Since is as in Listing.
	Lists bool
	Since time.Time
}

// A ProductAuthorization says how much of a product's selectors an agent may sell.
type ProductAuthorization struct {
	Agent string
	// Authorized: something is selected, and the agent may sell all of it.
	Authorized bool
	// Requested counts the properties selected, Covered those the agent may sell.
	Requested, Covered int
	// Selectors has one element for each publisher of each selector.
	Selectors             []SelectorAnswer
	CheckedAt, FreshUntil time.Time
}

// Coverage is the share of what was asked for that is covered, in whole per cent,
// rounded down. Only what is authorized as a whole is 100.
func (p *ProductAuthorization) Coverage() int {
	switch {
	case p.Authorized:
		return 100
	case p.Requested == 0:
		return 0
	}
	return min(99, 100*p.Covered/p.Requested)
}

// A SelectorAnswer says what one selector comes to at one publisher.
type SelectorAnswer struct {
	PublisherDomain    hostname.Domain
	SelectionType      string
	Requested, Covered int
	// Unauthorized are the ids of properties that are selected and not covered, also
	// of such as do not exist.
	Unauthorized []string
	// Verdict is Authorized when all of it is covered.
	Verdict  resolve.Verdict
	Reasons  []resolve.Reason
	Evidence []resolve.Evidence
	// Problem is why the selector cannot be answered as it is put; empty mostly.
	Problem string
}

// An Expansion are the properties that an agent may sell by a product's selectors.
type Expansion struct {
	Agent string
	// Properties are those the agent may sell without condition, each once.
	Properties []ExpandedProperty
	// Selectors says how each selector went.
	Selectors []SelectorAnswer
	// GeneratedAt is the instant of the answer, FreshUntil how long it may be used.
	GeneratedAt, FreshUntil time.Time
}

// An ExpandedProperty is a property with the publisher it belongs to.
type ExpandedProperty struct {
	PublisherDomain hostname.Domain
	Property        *adagents.Property
}
