package ops

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/wire"
)

type createInput struct {
	Body createBody `body:"unread" doc:"The members of the file, all of them passed on as they are. authorized_agents is needed; it may be empty when there is catalog content. An agent with url and authorized_for alone may sell all properties of the request, by their ids. Three more members steer: include_schema and include_timestamp (true unless false is given; a true that is given replaces an old last_updated), and compute_etag, which sets catalog_etag."`
}

// createBody is a request to make a file. It is read by the same code that checks
// files, so its members are not those of a Go type.
type createBody jsontext.Value

// mostAuthorizedFor is the length of the longest authorized_for.
var mostAuthorizedFor = 500

// Schema describes the request in the OpenAPI document.
func (createBody) Schema(huma.Registry) *huma.Schema {
	objects := &huma.Schema{Type: huma.TypeArray, Items: &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}}
	flag := &huma.Schema{Type: huma.TypeBoolean, Default: true}
	agents := &huma.Schema{Type: huma.TypeArray, Items: &huma.Schema{
		Type: huma.TypeObject, Required: []string{"url", "authorized_for"}, AdditionalProperties: true,
		Description: "An entry of authorized_agents. Without authorization_type and a selector the agent may sell all " +
			"properties of the request.",
		Properties: map[string]*huma.Schema{"url": {Type: huma.TypeString, Format: "uri"},
			"authorized_for": {Type: huma.TypeString, MaxLength: &mostAuthorizedFor}},
	}}
	return &huma.Schema{
		Type: huma.TypeObject, Required: []string{"authorized_agents"}, AdditionalProperties: true,
		Description: "The members of the file, as its JSON Schema at /schemas/v3/adagents.json has them, and three that " +
			"steer.",
		Properties: map[string]*huma.Schema{
			"authorized_agents": agents, "properties": objects, "formats": objects, "placements": objects,
			"collections": objects, "signals": objects, "catalog_etag": {Type: huma.TypeString},
			"placement_tags": {Type: huma.TypeObject}, "contact": {Type: huma.TypeObject},
			"include_schema": flag, "include_timestamp": flag, "compute_etag": {Type: huma.TypeBoolean},
		},
	}
}

// createReply is the envelope of POST /api/adagents/create.
type createReply struct {
	Success   bool       `json:"success" doc:"True."`
	Data      createData `json:"data"`
	Timestamp string     `json:"timestamp" format:"date-time" doc:"When the answer was given."`
}

type createData struct {
	Success      bool        `json:"success" doc:"True."`
	AdagentsJSON string      `json:"adagents_json" doc:"The file as text, in canonical form."`
	Validation   *validation `json:"validation" doc:"The check of that file."`
	Inferred     []inference `json:"inferred" doc:"What was worked out and put into the file besides schema and timestamp."`
}

// inference is a value that was worked out.
type inference struct {
	Pointer string `json:"pointer" doc:"JSON Pointer of the object that received the member."`
	Member  string `json:"member"`
	Value   string `json:"value"`
}

func (o *Set) createOperations() []Operation {
	return []Operation{
		Define(Operation{
			HTTP: "POST /api/adagents/create", Name: "create", Tag: "tools", Class: edge.Create, Command: "avow create",
			Limit: FileBody, Enveloped: true, Output: reflect.TypeFor[*createReply](),
			Example: `{"authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "Display", "property_ids": ["site"]}], ` +
				`"properties": [{"property_id": "site", "property_type": "website", "name": "Example", "identifiers": [{"type": "domain", "value": "example.com"}]}]}`,
			Summary: "Make a file",
			Description: "Makes an adagents.json file from its parts, checks it, and returns it as text. Nothing is stored. " +
				"A file that would have errors is never returned: the answer is then 400 with everything that is wrong.",
		}, o.create),
	}
}

// create answers POST /api/adagents/create.
func (o *Set) create(ctx context.Context, in *createInput) (*preparedReply, error) {
	made, err := o.service.Create(ctx, in.Body)
	if err != nil {
		return nil, cmp.Or(checkObject(in.Body), refusal(made, err))
	}
	data := createData{
		Success: true, AdagentsJSON: string(bytes.Trim(fileMark(), `"`)),
		Validation: validationOf(&registry.Validation{Report: made.Report, Complete: true}), Inferred: []inference{},
	}
	now := wire.API.Time(o.now())
	data.Validation.CheckedAt = now
	for _, x := range made.Inferred {
		data.Inferred = append(data.Inferred, inference{x.Pointer, x.Member, x.Value})
	}
	body, err := json.Marshal(&createReply{Success: true, Data: data, Timestamp: now}, EncodeOptions)
	if err != nil {
		return nil, err
	}
	head, tail, _ := bytes.Cut(body, fileMark())
	return &preparedReply{head: head, file: quoteFile(bytes.TrimSuffix(made.File, []byte("\n"))), tail: tail}, nil
}

// quoteFile returns a file as a JSON string. The place for it is measured first: it is most of the answer, and
// an encoder that does not know its size copies it several times.
func quoteFile(file []byte) []byte {
	escapes := bytes.Count(file, []byte{'\n'}) + bytes.Count(file, []byte{'"'}) + bytes.Count(file, []byte{'\\'})
	text, _ := jsontext.AppendQuote(make([]byte, 0, len(file)+escapes+len(`""`)), file) // a file is UTF-8
	return text
}

// refusal is the error of a file that would have errors, with all of them.
func refusal(made *adagents.Built, err error) error {
	var found *adagents.InvalidError
	if !errors.As(err, &found) {
		return err
	}
	var all findings
	all.addReport(withoutSecrets(made.Report), "", "json")
	return WithExtras(
		invalid("file.invalid", refusalMessage(all.errors), "fix what errors lists; each has a suggestion"),
		ErrorExtras{Errors: all.errors, Warnings: all.warnings},
	)
}

// What is said about a request without content: it is the most common mistake, and the
// sentence stands alone.
const (
	noAgentsMessage  = "authorized_agents array is required"
	noContentMessage = "Name at least one authorized agent, or send catalog content such as formats, properties or " +
		"placements"
)

// mostMessages is the number of findings that the sentence repeats.
const mostMessages = 20

// refusalMessage says what is wrong with a file in one sentence, for clients that show
// nothing else.
func refusalMessage(list []finding) string {
	if len(list) == 1 {
		switch list[0].Code {
		case "file.agents_missing", "file.agents_type":
			return noAgentsMessage
		case "file.no_content":
			return noContentMessage
		}
	}
	var messages []string
	for i := range list {
		if len(messages) == mostMessages {
			messages = append(messages, "and more")
			break
		}
		messages = append(messages, list[i].Message)
	}
	return "Validation failed: " + strings.Join(messages, ", ")
}
