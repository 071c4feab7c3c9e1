package suite

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"github.com/go-json-experiment/json"
)

// hosted returns what asks about a case whose files a registry fetches from a Host, or why there is nothing.
func (r *Registry) hosted(c *Case) (func(context.Context, *Case) (*Answer, error), string) {
	ask := map[string]func(context.Context, *Site) (*Answer, error){
		"discovery": r.discovery, "redirect": r.discovery, "authorize": r.authorize, "supply_path": r.supplyPath,
	}[c.Kind]
	if ask == nil {
		return nil, "no route is about this kind"
	}
	if !r.Hosted {
		return nil, "the registry would have to fetch the files; see --hosted"
	}
	s, ok := SiteOf(c)
	if !ok {
		return nil, "the files cannot be found on the web as the case has them"
	}
	return func(ctx context.Context, _ *Case) (*Answer, error) { return ask(ctx, s) }, ""
}

// judged returns why there is no answer, or nil.
func judged(path string, status int, got map[string]any) *Answer {
	switch {
	case got == nil:
		return noRoute(path)
	case status != http.StatusOK:
		return &Answer{Error: fmt.Sprintf("status %d: %s", status, brief(got)), Lost: lost(status)}
	}
	return nil
}

// discovery has a domain validated.
func (r *Registry) discovery(ctx context.Context, s *Site) (*Answer, error) {
	const path = "/api/adagents/validate"
	body, err := json.Marshal(map[string]any{"domain": s.Case.Question["domain"]})
	if err != nil {
		return nil, err
	}
	status, got, err := r.send(ctx, http.MethodPost, path, body, s)
	if err != nil {
		return nil, err
	}
	if no := judged(path, status, got); no != nil {
		return no, nil
	}
	data, _ := got["data"].(map[string]any)
	validation, _ := data["validation"].(map[string]any)
	answer := map[string]any{"found": data["found"]}
	for name, as := range map[string]string{"answer": "answer", "discovery_method": "method",
		"resolved_url": "resolved_url", "manager_domain": "manager_domain"} {
		if value, ok := validation[name]; ok {
			answer[as] = value
		}
	}
	switch {
	case answer["answer"] != nil:
		answer["usable"] = answer["answer"] == "usable"
	case validation["valid"] == true || data["found"] == false:
		answer["usable"] = validation["valid"]
	default:
		return &Answer{Unsupported: "the registry says that a file is not valid, and not whether it may be used"}, nil
	}
	return &Answer{Answer: answer}, nil
}

// authorize asks whether an agent may sell something.
func (r *Registry) authorize(ctx context.Context, s *Site) (*Answer, error) {
	const path = "/api/authorize"
	query := url.Values{"at": {s.Case.Time}}
	for name, value := range s.Case.Question {
		switch value := value.(type) {
		case string:
			query.Set(name, value)
		case []any:
			for _, v := range value {
				query.Add(name, fmt.Sprint(v))
			}
		default:
			return &Answer{Unsupported: "the route has no parameter " + name}, nil
		}
	}
	status, got, err := r.send(ctx, http.MethodGet, path+"?"+query.Encode(), nil, s)
	if err != nil {
		return nil, err
	}
	if no := judged(path, status, got); no != nil {
		return no, nil
	}
	answer := map[string]any{"verdict": got["verdict"], "authorized": got["verdict"] == "authorized"}
	for name, as := range map[string]string{"needs": "needs", "placement_verdicts": "placements"} {
		if value, ok := got[name]; ok {
			answer[as] = value
		}
	}
	return &Answer{Answer: answer}, nil
}

// supplyPath asks about the path from an owner to a host.
func (r *Registry) supplyPath(ctx context.Context, s *Site) (*Answer, error) {
	const path = "/api/registry/verify/supply-path"
	body := map[string]any{}
	for _, name := range []string{"owner_domain", "host_domain", "agent_url", "collection_id"} {
		if value, ok := s.Case.Question[name]; ok {
			body[name] = value
		}
	}
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	status, got, err := r.send(ctx, http.MethodPost, path, text, s)
	if err != nil {
		return nil, err
	}
	if no := judged(path, status, got); no != nil {
		return no, nil
	}
	answer := map[string]any{"state": got["state"]}
	if id, ok := got["resolved_collection_id"]; ok {
		answer["resolved_collection_id"] = id
	}
	return &Answer{Answer: answer}, nil
}
