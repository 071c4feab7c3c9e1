package suite

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// mostBody bounds what a registry may answer.
const mostBody = 32 << 20

// A Registry asks a registry over HTTP. The files of some kinds go with the request. Those of others
// are on the web, from where a registry fetches them.
type Registry struct {
	// URL is where the API begins, without a final slash.
	URL    string
	Client *http.Client
	// Hosted says that the registry reaches a Host without a user name.
	Hosted bool
	// Timeout bounds each answer.
	Timeout time.Duration

	answered bool
	failures int
}

// Close does nothing.
func (r *Registry) Close() {}

// Ask sends a case to the route for its kind.
func (r *Registry) Ask(ctx context.Context, c *Case) (*Answer, error) {
	ask := map[string]func(context.Context, *Case) (*Answer, error){"check": r.check, "create": r.create}[c.Kind]
	if ask == nil {
		var why string
		ask, why = r.hosted(c)
		if why != "" {
			return &Answer{Unsupported: why}, nil
		}
	}
	ctx, cancel := context.WithTimeout(ctx, r.Timeout)
	defer cancel()
	answer, err := ask(ctx, c)
	if err == nil {
		r.answered = true
		return answer, nil
	}
	r.failures++
	if !r.answered && r.failures >= stubborn {
		return nil, fmt.Errorf("the registry has not answered any of %d questions: %w", stubborn, err)
	}
	return &Answer{Error: err.Error(), Lost: true}, nil
}

// post sends JSON and reads the status and an object, which is nil if the registry has no such
// route.
func (r *Registry) post(ctx context.Context, path string, body any) (int, map[string]any, error) {
	text, err := json.Marshal(body, json.Deterministic(true))
	if err != nil {
		return 0, nil, err
	}
	return r.send(ctx, http.MethodPost, path, text, nil)
}

// send sends a request; a site puts the names of its case back into the answer.
func (r *Registry) send(ctx context.Context, method, path string, body []byte,
	site *Site) (int, map[string]any, error) {
	req, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(r.URL, "/")+path, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	resp, err := r.Client.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	var out map[string]any
	text, err := io.ReadAll(io.LimitReader(resp.Body, mostBody))
	if site != nil {
		text = site.Plain(text)
	}
	if err == nil {
		err = json.Unmarshal(text, &out, jsontext.AllowDuplicateNames(true)) // an answer may repeat a file
	}
	if resp.StatusCode == http.StatusNotFound || resp.StatusCode == http.StatusMethodNotAllowed {
		return resp.StatusCode, nil, nil
	}
	if err != nil {
		return resp.StatusCode, nil, fmt.Errorf("the answer with status %d is not a JSON object: %w", resp.StatusCode, err)
	}
	return resp.StatusCode, out, nil
}

func noRoute(path string) *Answer { return &Answer{Unsupported: "the registry has no route " + path} }

// check sends the text of a file to be validated.
func (r *Registry) check(ctx context.Context, c *Case) (*Answer, error) {
	const path = "/api/adagents/validate"
	if c.Files[0].Base64 != nil || len(c.Question) > 0 {
		return &Answer{Unsupported: "the route takes the text of a file and nothing else"}, nil
	}
	status, got, err := r.post(ctx, path, map[string]any{"content": c.Files[0].Text})
	switch {
	case err != nil:
		return nil, err
	case got == nil:
		return noRoute(path), nil
	case status != http.StatusOK:
		return &Answer{Error: fmt.Sprintf("status %d: %s", status, brief(got)), Lost: lost(status)}, nil
	}
	validation := got
	if data, ok := got["data"].(map[string]any); ok {
		if inner, ok := data["validation"].(map[string]any); ok {
			validation = inner
		}
	}
	return &Answer{Answer: map[string]any{"valid": validation["valid"]}}, nil
}

// create sends the parts of a file.
func (r *Registry) create(ctx context.Context, c *Case) (*Answer, error) {
	const path = "/api/adagents/create"
	var parts any
	err := json.Unmarshal(c.Files[0].Bytes(), &parts)
	if err != nil {
		return nil, err
	}
	status, got, err := r.post(ctx, path, parts)
	switch {
	case err != nil:
		return nil, err
	case got == nil:
		return noRoute(path), nil
	case status == http.StatusBadRequest:
		return &Answer{Answer: map[string]any{"created": false}}, nil
	case status != http.StatusOK:
		return &Answer{Error: fmt.Sprintf("status %d: %s", status, brief(got)), Lost: lost(status)}, nil
	}
	data, _ := got["data"].(map[string]any)
	return &Answer{Answer: Created(data["adagents_json"])}, nil
}

// Created is the answer to a question of kind create, of the file that was made, as JSON or as a
// text with JSON.
func Created(file any) map[string]any {
	members, ok := file.(map[string]any)
	if s, isText := file.(string); isText {
		ok = json.Unmarshal([]byte(s), &members) == nil
	}
	if !ok {
		return map[string]any{"created": false}
	}
	out := map[string]any{"created": true}
	for _, name := range []string{"authorized_agents", "properties"} {
		if value, ok := members[name]; ok {
			out[name] = value
		}
	}
	return out
}

// lost reports whether a status says that the registry did not answer the question.
func lost(status int) bool {
	return status == http.StatusTooManyRequests || status >= http.StatusInternalServerError
}
