package ops

import (
	"context"
	"strings"

	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/rfc3339"
	"github.com/avow-project/avow/internal/wire"
	"github.com/avow-project/avow/resolve"
)

// Narrowing are the parameters that narrow a question, whatever it is about.
type Narrowing struct {
	PropertyType string   `query:"property_type" filled:"true" maxLength:"64" doc:"The type of the property, for example website."`
	Placements   []string `query:"placement" maxItems:"100" maxLength:"255" doc:"The placement_id of a placement. Several are answered one by one as well, and the verdict is authorized only if all are covered."`
	Collections  []string `query:"collection" maxItems:"100" maxLength:"510" doc:"A content program as DOMAIN/ID. Several are the programs that one piece of inventory belongs to: one that an entry lists is enough."`
	Country      string   `query:"country" filled:"true" maxLength:"2" doc:"ISO 3166-1 alpha-2 code of the country; without it, entries that are limited to countries give the verdict conditional."`
	At           string   `query:"at" filled:"true" maxLength:"64" doc:"The instant asked about, RFC 3339; now when it is not given."`
}

func (n *Narrowing) narrowing() (registry.Narrowing, error) {
	out := registry.Narrowing{PropertyType: n.PropertyType, Placements: n.Placements, Country: n.Country}
	for _, text := range n.Collections {
		domain, id, ok := strings.Cut(text, "/")
		if !ok || domain == "" || id == "" {
			return out, fieldError("collection", "request.value", "collection must be a domain and an id, for example example.com/morning_show", "")
		}
		out.Collections = append(out.Collections, resolve.CollectionRef{PublisherDomain: domain, ID: id})
	}
	if n.At == "" {
		return out, nil
	}
	at, err := rfc3339.Parse(n.At)
	if err != nil {
		return out, fieldError("at", "request.value", "at must be a time in RFC 3339, for example 2026-01-02T00:00:00Z", "")
	}
	out.At = at
	return out, nil
}

type authorizeInput struct {
	Publisher  string `query:"publisher,domain,publisher_domain" required:"true" maxLength:"2048" doc:"The publisher, as people write it."`
	Agent      string `query:"agent,agent_url" required:"true" maxLength:"2048" doc:"The URL of the agent."`
	Property   string `query:"property,property_id" filled:"true" maxLength:"255" doc:"The id of the property in the publisher's file."`
	Identifier string `query:"identifier" filled:"true" maxLength:"2112" doc:"The property as the market names it, TYPE=VALUE, for example domain=www.example.com."`
	Signal     string `query:"signal,signal_id" filled:"true" maxLength:"255" doc:"The id of a signal, asked about instead of properties."`
	Brand      string `query:"brand" filled:"true" maxLength:"2048" doc:"Compare with the brand.json of the agent's operator: auto looks for it at the agent's host and then at its registrable domain, an https URL names it. The result is operator; it never changes the verdict."`
	Proofs     bool   `query:"proofs" doc:"Add receipt: how the answer stands to the transparency log of the service, with proofs of what it rests on."`
	Newest     bool   `query:"newest" doc:"As proofs, and the receipt also proves until which day the log had nothing newer. It is half as long again then."`
	Narrowing
}

// authorizeReply is the answer of GET /api/authorize. Its members are those of the
// command line's JSON.
type authorizeReply struct {
	wire.Answer[int]
	Freshness
	Receipt *receiptDocument `json:"receipt,omitempty" doc:"How the answer stands to the transparency log; only with proofs or newest."`
	// given is the answer if it may be one to give again; nil for others.
	given *registry.QuestionAnswer
}

// httpMoments implements passing. The instant that was asked about is in the question, unless it is
// that of the answer.
func (r *authorizeReply) HTTPMoments() []string {
	return append([]string{`"at":"` + r.At + `"`}, r.Freshness.HTTPMoments()...)
}

// A receiptDocument says how an answer stands to the transparency log. State is always
// there, so that silence never means anything.
type receiptDocument struct {
	State    string  `json:"state" enum:"included,pending,none" doc:"included: what the answer rests on is in the signed log, and text has the receipt. pending: it will be in a moment. none: there is no proof, and reason says why."`
	Reason   string  `json:"reason,omitempty" doc:"Why there is no receipt."`
	Since    *string `json:"since,omitempty" format:"date-time" doc:"When what is pending was decided."`
	Leaves   int     `json:"leaves" doc:"How many leaves of the log the receipt proves."`
	NewestAt *string `json:"newest_at,omitempty" format:"date-time" doc:"When the log had nothing newer about all of them, by the map in the receipt; only with newest, and missing while no map has them."`
	Text     string  `json:"text,omitempty" from:"verbatim" doc:"The receipt as a file; avow log verify checks it without a network."`
}

func receiptOf(r *notary.Receipted) *receiptDocument {
	doc := &receiptDocument{State: r.State, Reason: r.Reason, Since: wire.API.OptionalTime(r.Since), NewestAt: wire.API.OptionalTime(r.NewestAt)}
	if r.Receipt != nil {
		doc.Leaves, doc.Text = len(r.Receipt.Leaves), string(r.Receipt.Text())
	}
	return doc
}

// GivenAnswer implements Given.
func (r *authorizeReply) GivenAnswer() *registry.QuestionAnswer { return r.given }

// question puts the parameters into the form of package resolve. The instant is zero when
// none is given.
func (in *authorizeInput) question() (resolve.Question, error) {
	n, err := in.narrowing()
	if err != nil {
		return resolve.Question{}, err
	}
	q := resolve.Question{
		Publisher: in.Publisher, Agent: in.Agent, Property: in.Property, PropertyType: n.PropertyType, Placements: n.Placements,
		Collections: n.Collections, Signal: in.Signal, Country: n.Country, At: n.At,
	}
	if in.Identifier != "" {
		kind, value, ok := strings.Cut(in.Identifier, "=")
		if !ok || kind == "" || value == "" {
			return q, fieldError("identifier", "request.value", "identifier must be a type and a value, for example domain=www.example.com", "")
		}
		q.Identifier = resolve.Identifier{Type: kind, Value: value}
	}
	return q, nil
}

// authorize answers GET /api/authorize.
func (o *Set) authorize(ctx context.Context, in *authorizeInput) (*authorizeReply, error) {
	q, err := in.question()
	if err != nil {
		return nil, err
	}
	err = in.checkBrand()
	if err != nil {
		return nil, err
	}
	v, err := o.service.Answer(ctx, q, in.Brand)
	if err != nil {
		return nil, err
	}
	reply := &authorizeReply{Answer: wire.AnswerOf(wire.API, &v.Question, v.Answer, v.Operator, wire.CountCovered), Freshness: freshnessOf(v.CheckedAt, v.FreshUntil)}
	if in.Proofs || in.Newest {
		reply.Receipt = receiptOf(o.translog.Receipt(ctx, &v.Question, v.Answer, v.CheckedAt, in.Newest))
	} else {
		reply.given = v
	}
	return reply, nil
}
