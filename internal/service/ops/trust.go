package ops

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/wire"
)

func (o *Set) trustOperations() []Operation {
	return []Operation{
		Define(Operation{
			HTTP: "GET /api/registry/trust", Name: "trust", Tag: "directory", Class: edge.Read,
			Summary: "The trust.json that is kept of a domain", Example: "domain=agent.example",
			Description: "What an organization says about the agents that it runs, as it was read last on request. The file " +
				"is experimental in AdCP 3.3: it is shown and logged, and no verdict depends on it. Nothing is asked.",
		}, o.trust),
		Define(Operation{
			HTTP: "POST /api/registry/trust-crawl-request", Name: "trust_crawl_request", Tag: "directory", Class: edge.Write,
			Scope:   registry.ScopeWrite,
			Summary: "Have a trust.json read and kept", Example: `{"domain": "agent.example"}`,
			Description: "Reads the trust.json of a domain, keeps it as a version with its hash and an entry in the " +
				"transparency log, and answers when that is done or was tried. " +
				"It counts as a request of its own about that domain, with the limits of POST /api/registry/crawl-request. It is " +
				"not read again without a request, and is among the first to be removed when the store gets full.",
		}, o.trustRequest),
	}
}

type trustReply struct {
	Domain       string               `json:"domain"`
	URL          string               `json:"url"`
	Experimental bool                 `json:"experimental" doc:"Always true: no verdict depends on the file."`
	Standing     string               `json:"standing" enum:"unknown,fresh,stale,expired,ended,shut" doc:"unknown: no version is kept."`
	Version      *wire.CustodyVersion `json:"version" doc:"The version that was read last; null for none."`
	Trouble      string               `json:"trouble,omitempty" doc:"Why the last request brought nothing."`
	Summary      string               `json:"summary,omitempty"`
	Problems     []trustProblem       `json:"problems" doc:"What is wrong with its shape; the first 50."`
	LogSubject   string               `json:"log_subject" doc:"What entries of the transparency log about it are about."`
	Data         jsontext.Value       `json:"data" doc:"The document, a JSON object; null when it is not kept."`
}

type trustProblem struct {
	Pointer string `json:"pointer" doc:"A JSON Pointer into the document."`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

// trust answers GET /api/registry/trust.
func (o *Set) trust(ctx context.Context, in *custodyInput) (*trustReply, error) {
	t, err := o.service.Trust(ctx, in.Domain)
	if err != nil {
		return nil, err
	}
	return trustReplyOf(t), nil
}

// trustRequest answers POST /api/registry/trust-crawl-request.
func (o *Set) trustRequest(ctx context.Context, in *crawlInput) (*trustReply, error) {
	t, err := o.service.RequestTrust(ctx, registry.CallerOf(ctx), in.Body.Domain)
	if err != nil {
		return nil, err
	}
	return trustReplyOf(t), nil
}

func trustReplyOf(t *registry.TrustRecord) *trustReply {
	reply := &trustReply{
		Domain: string(t.Domain), URL: t.URL, Experimental: true, Standing: t.Standing.String(),
		Version: wire.API.CurrentVersion(t.File),
		Trouble: redact.Credentials(t.File.Trouble), Summary: t.Summary, Problems: []trustProblem{},
		LogSubject: t.Subject.String(), Data: jsontext.Value("null"),
	}
	if reply.Version != nil {
		reply.Version.URL = t.URL
	}
	if t.Document == nil {
		return reply
	}
	reply.Data, _ = redact.JSON(t.Body)
	for _, p := range t.Problems {
		reply.Problems = append(reply.Problems,
			trustProblem{t.Document.Root().PointerTo(p.At), redact.Credentials(p.Msg), redact.Credentials(p.Hint)})
	}
	return reply
}
