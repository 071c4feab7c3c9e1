package api

import (
	"embed"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/internal/service/ops"
)

// exampleFiles has an answer of each route, by its id, and by id and status for one
// that is not 200. They are what the service answers to the examples of requests; the
// tests of the calls write them.
//
//go:embed examples/*.json
var exampleFiles embed.FS

// answerExample returns the example of an answer; nil when there is none.
func answerExample(id string, status int) any {
	if status != http.StatusOK {
		id += "_" + strconv.Itoa(status)
	}
	text, err := exampleFiles.ReadFile("examples/" + id + ".json")
	if err != nil {
		return nil
	}
	return jsontext.Value(text)
}

// What examples ask about.
const sampleDomain, sampleAgent, sampleProperty = "publisher.example", "https://agent.example/mcp", "site"

// pathExamples are the wildcards of paths.
var pathExamples = map[string]string{
	"platform": "example_tv", "id": "prop_0123", "agent_url": "https%3A%2F%2Fagent.example%2Fmcp",
	"domain":           "publisher.example",
	"crawl_request_id": "5b1f7c1e-0d7a-4c52-9d3e-2a6f8e4b7c10", "report_id": "2b0cd6a6-66f2-4b1f-8f2e-3a1d3c8a0f00",
	"subscription_id": "7d0c2a51-3b6e-4f08-9c44-61e5a7d9b802",
}

// examplePath fills the wildcards of a path.
func examplePath(p string) string {
	for name, value := range pathExamples {
		p = strings.ReplaceAll(p, "{"+name+"}", value)
	}
	return p
}

// exampleParameters returns the query parameters of the example. The examples are those
// of the route table, so one that cannot be read is a mistake in the program.
func (r *route) exampleParameters() url.Values {
	if r.Input.Body != nil {
		return nil
	}
	values, err := url.ParseQuery(r.Example)
	if err != nil {
		panic(r.Name + ": " + err.Error())
	}
	return values
}

// parameterExample returns the example of a parameter in the type that it has; nil for one
// that the example of the request does without.
func parameterExample(given url.Values, p *ops.Param, kind string) any {
	text := ""
	if p.In == "path" {
		text = pathExamples[p.Names[0]]
	}
	for _, name := range p.Names {
		if p.In == "query" && given.Has(name) {
			text = given.Get(name)
		}
	}
	switch {
	case text == "":
		return nil
	case kind == huma.TypeInteger || kind == huma.TypeBoolean:
		return jsontext.Value(text)
	}
	return text
}
