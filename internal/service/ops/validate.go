package ops

import (
	"bytes"
	"context"
	"net/http"
	"reflect"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/answer"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/registry"
)

type validateInput struct {
	Body validateBody `body:""`
}

// validateBody asks for a check.
type validateBody struct {
	Domain      string         `json:"domain" maxLength:"2048" doc:"The publisher, as people write it: example.com, also with https:// in front. Needed unless content is given."`
	Content     jsontext.Value `json:"content" doc:"A document to check instead: a JSON object, or a string with the text of a file, whose lines and columns then count. Nothing is fetched."`
	Refresh     bool           `json:"refresh" doc:"Ask again although an earlier answer would do. A caller without a key is given a new answer about a domain every 30 seconds; in between the earlier one is given and says so."`
	CheckAgents bool           `json:"check_agents" doc:"Also ask the agents in the file whether they can be reached."`
	CheckBrand  bool           `json:"check_brand" doc:"Also compare what the file says about its agents with the brand.json of their operators; asks the agents too. The requests of one call are shared."`
	Profile     string         `json:"profile" enum:"default,strict" doc:"How strict the check is."`
	Scopes      []string       `json:"scopes" maxItems:"50" doc:"Tasks that the agents shall perform, such as create_media_buy; some of them make pinned keys mandatory."`
}

// validateReply is the envelope of POST /api/adagents/validate. The three members at
// its end repeat what is in data.validation, for clients that look for them here.
type validateReply struct {
	Success   bool         `json:"success" doc:"True: the question was answered, whatever the answer is."`
	Data      validateData `json:"data"`
	Valid     bool         `json:"valid" doc:"The same as data.validation.valid."`
	Errors    []finding    `json:"errors" doc:"The same as data.validation.errors."`
	Warnings  []finding    `json:"warnings" doc:"The same as data.validation.warnings."`
	Timestamp string       `json:"timestamp" format:"date-time" doc:"When the answer was given."`
}

type validateData struct {
	Domain     string      `json:"domain" doc:"The same as validation.domain."`
	Found      bool        `json:"found" doc:"The well-known URL answers 200, or the file of a manager is in effect for the publisher."`
	Validation *validation `json:"validation"`
	AgentCards *[]card     `json:"agent_cards,omitzero" doc:"What is known about the agents; only present on request."`
}

func (o *Set) adagentsOperations() []Operation {
	return []Operation{
		Define(Operation{
			HTTP: "POST /api/adagents/validate", Name: "validate", Tag: "tools", Class: edge.Validate, Command: "avow validate",
			Shared: true, Limit: FileBody, Enveloped: true, Output: reflect.TypeFor[*validateReply](),
			Statuses: []int{http.StatusForbidden}, Example: `{"domain": "publisher.example"}`,
			Summary: "Check the file of a domain, or a document",
			Description: "Finds the file that speaks for a domain and checks it by every rule. Whatever is found or not found " +
				"on the way is part of the answer: " +
				"the status is 200 as soon as there is a question, but for a domain that has opted out of this service: that is " +
				"403. A document that is sent is checked as it is, and nothing is fetched.",
		}, o.validate),
		Define(Operation{
			HTTP: "POST /api/adagents/validate-cards", Name: "validate_cards", Tag: "tools", Class: edge.Validate,
			Enveloped: true, Example: `{"agent_urls": ["https://agent.example/mcp"]}`,
			Summary: "Ask agents whether they are there",
			Description: "Asks each agent for its A2A card and with an MCP initialize. An agent that asks for credentials is " +
				"treated as reachable.",
		}, o.validateCards),
	}
}

// requestOf reads what is asked for.
func (b *validateBody) requestOf(ctx context.Context) (registry.ValidateRequest, error) {
	req := registry.ValidateRequest{
		Domain: b.Domain, Refresh: b.Refresh, CheckAgents: b.CheckAgents || b.CheckBrand, CheckBrand: b.CheckBrand,
		Scopes: b.Scopes, Caller: registry.CallerOf(ctx),
	}
	if b.Profile == adagents.Strict.String() {
		req.Profile = adagents.Strict
	}
	switch {
	case b.Domain == "" && b.Content == nil:
		return req, fieldError("domain", "request.missing", "Domain is required", "or send the document itself as content")
	case b.Domain != "" && b.Content != nil:
		return req, fieldError("content", "request.value", "domain and content cannot be given together", "give one of them")
	case b.Content == nil:
		return req, nil
	}
	content, err := contentOf(b.Content)
	req.Content = content
	return req, err
}

// contentOf returns the document that a member holds, as an object or in a string.
func contentOf(raw jsontext.Value) ([]byte, error) {
	switch raw.Kind() {
	case '{':
		return raw, nil
	case '"':
		text, err := jsontext.AppendUnquote(make([]byte, 0, len(raw)), raw)
		if err != nil {
			return nil, fieldError("content", "request.value", "content is not a string that can be read", "")
		}
		if len(bytes.TrimSpace(text)) == 0 {
			return nil, fieldError("content", "request.value", "content is empty", "send the text of the file")
		}
		return text, nil
	}
	return nil, fieldError("content", "request.type", "content must be an object or a string", "")
}

// validate answers POST /api/adagents/validate.
func (o *Set) validate(ctx context.Context, in *validateInput) (*preparedReply, error) {
	req, err := in.Body.requestOf(ctx)
	if err != nil {
		return nil, err
	}
	v, err := o.service.Validate(ctx, req)
	if err != nil {
		return nil, err
	}
	return prepare(ctx, v, o.now())
}

// validateReplyOf is the whole answer, but for the time it is given at.
func validateReplyOf(v *registry.Validation) *validateReply {
	shown := validationOf(v)
	reply := &validateReply{
		Success: true, Valid: shown.Valid, Errors: shown.Errors, Warnings: shown.Warnings,
		Data: validateData{Domain: shown.Domain, Found: v.Found() || v.Report != nil && v.Discovery == nil,
			Validation: shown},
	}
	if v.Agents != nil {
		cards := cardsOf(v.Agents)
		for i := range cards {
			cards[i].Operator = answer.OperatorOf(v.Operators[v.Agents[i].URL])
		}
		reply.Data.AgentCards = &cards
	}
	return reply
}
