package ops

import (
	"context"
	"net/http"
	"strings"

	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/wire"
)

func (o *Set) crawlOperations() []Operation {
	return []Operation{
		Define(Operation{
			HTTP: "POST /api/registry/crawl-request", Name: "crawl_request", Tag: "directory", Class: edge.Write,
			Scope:   registry.ScopeWrite,
			Success: []int{http.StatusAccepted}, Summary: "Have a publisher looked at soon",
			Description: "Puts the publisher before all that are only due, and answers when that is stored. The same " +
				"publisher can be requested every 5 minutes, and a key has 30 requests an hour. " +
				"GET /api/registry/crawl-request/{crawl_request_id} tells what became of it.",
			Example: `{"domain": "publisher.example"}`,
		}, o.crawlRequest),
		Define(Operation{
			HTTP: "GET /api/registry/crawl-request/{crawl_request_id}", Name: "crawl_request_status", Tag: "directory",
			Class: edge.Read, Scope: registry.ScopeWrite,
			Statuses: []int{http.StatusNotFound}, Summary: "What became of a request",
			Description: "Answers the key that made the request, for 30 days.",
		}, o.crawlStatus),
		Define(Operation{
			HTTP: "POST /api/registry/manager-revalidation-request", Name: "manager_revalidation_request", Tag: "directory",
			Class: edge.Write, Scope: registry.ScopeWrite,
			Success: []int{http.StatusAccepted}, Summary: "Have the publishers of a manager looked at soon",
			Description: "Has the manager's file asked for, and every publisher looked at that leads there, whether that is " +
				"due or not. They keep their turn among those that are due: there may be many.",
			Example: `{"manager_domain": "network.example"}`,
		}, o.managerRequest),
		Define(Operation{
			HTTP: "POST /api/registry/brand-crawl-request", Name: "brand_crawl_request", Tag: "directory", Class: edge.Write,
			Scope:   registry.ScopeWrite,
			Success: []int{http.StatusAccepted}, Summary: "Have a brand.json read again",
			Description: "Reads the brand.json of a domain although a day has not passed since the last time, and answers " +
				"when that is done or was tried. It counts as a request about that domain, with the limits of POST " +
				"/api/registry/crawl-request.",
			Example: `{"domain": "house.example"}`,
		}, o.brandRequest),
		Define(Operation{
			HTTP: "POST /api/registry/publisher/{domain}/adagents/revalidate", Name: "revalidate", Tag: "directory",
			Class: edge.Validate, Scope: registry.ScopeModerate,
			Summary: "Look at a publisher now and say what its file is worth",
			Description: "Asks past all caches, keeps what came back, and answers when that is done: with 200, also for a " +
				"file that is not valid. " +
				"It counts as a request about the publisher, of which there is one in 5 minutes, unless force is given. It takes " +
				"a moderator's key.",
		}, o.revalidate),
	}
}

type crawlInput struct {
	Body crawlBody `body:"" required:"true"`
}

type crawlBody struct {
	Domain string `json:"domain" required:"true" missing:"domain is required" maxLength:"2048" doc:"The publisher."`
}

type crawlReply struct {
	Message        string `json:"message"`
	Domain         string `json:"domain" doc:"The publisher in canonical form."`
	CrawlRequestID string `json:"crawl_request_id" format:"uuid" doc:"For GET /api/registry/crawl-request/{crawl_request_id}."`
}

// HTTPStatus says that the request was accepted, not that it is done.
func (*crawlReply) HTTPStatus() int { return http.StatusAccepted }

// crawlRequest answers POST /api/registry/crawl-request.
func (o *Set) crawlRequest(ctx context.Context, in *crawlInput) (*crawlReply, error) {
	q, err := o.service.RequestCrawl(ctx, registry.CallerOf(ctx), strings.TrimSpace(in.Body.Domain))
	if err != nil {
		return nil, err
	}
	return &crawlReply{Message: "Crawl request accepted", Domain: string(q.Domain), CrawlRequestID: q.ID}, nil
}

type crawlStatusInput struct {
	ID string `path:"crawl_request_id" doc:"crawl_request_id of the answer to the request."`
}

type crawlStatusReply struct {
	CrawlRequestID  string  `json:"crawl_request_id" format:"uuid"`
	Domain          string  `json:"domain"`
	Status          string  `json:"status" enum:"queued,running,retrying,completed,invalid,failed" doc:"invalid: the publisher has answered with what cannot be used. failed: it has not answered in five attempts."`
	Attempts        int     `json:"attempts"`
	MaxAttempts     int     `json:"max_attempts"`
	RequestedAt     string  `json:"requested_at" format:"date-time"`
	StartedAt       *string `json:"started_at" format:"date-time" doc:"When the first attempt began."`
	LastAttemptedAt *string `json:"last_attempted_at" format:"date-time"`
	CompletedAt     *string `json:"completed_at" format:"date-time"`
	NextAttemptAt   *string `json:"next_attempt_at" format:"date-time" doc:"While it is retried."`
	LastErrorCode   *string `json:"last_error_code" doc:"publisher_manifest_invalid or crawl_origin_temporarily_unavailable."`
}

// crawlStatus answers GET /api/registry/crawl-request/{crawl_request_id}.
func (o *Set) crawlStatus(ctx context.Context, in *crawlStatusInput) (*crawlStatusReply, error) {
	q, err := o.service.Crawl(ctx, registry.CallerOf(ctx), in.ID)
	if err != nil {
		return nil, err
	}
	out := &crawlStatusReply{
		CrawlRequestID: q.ID, Domain: string(q.Domain), Status: string(q.Status), Attempts: q.Attempts,
		MaxAttempts: custodian.RequestAttempts,
		RequestedAt: wire.API.Time(q.RequestedAt), StartedAt: wire.API.OptionalTime(q.StartedAt),
		LastAttemptedAt: wire.API.OptionalTime(q.AttemptedAt),
		CompletedAt:     wire.API.OptionalTime(q.CompletedAt), NextAttemptAt: wire.API.OptionalTime(q.NextAt),
	}
	if q.Error != "" {
		out.LastErrorCode = &q.Error
	}
	return out, nil
}

type managerInput struct {
	Body managerBody `body:"" required:"true"`
}

type managerBody struct {
	ManagerDomain string `json:"manager_domain" required:"true" missing:"manager_domain is required" maxLength:"2048" doc:"The manager, or another publisher whose file others lead to."`
}

type managerReply struct {
	Message            string `json:"message"`
	ManagerDomain      string `json:"manager_domain" doc:"The manager in canonical form."`
	PublishersEnqueued int    `json:"publishers_enqueued" doc:"Number of publishers that will be checked: those that lead to its file, at most 10,000; 0 when there are none."`
}

// HTTPStatus says that the request was accepted, not that it is done.
func (*managerReply) HTTPStatus() int { return http.StatusAccepted }

// managerRequest answers POST /api/registry/manager-revalidation-request.
func (o *Set) managerRequest(ctx context.Context, in *managerInput) (*managerReply, error) {
	name, n, err := o.service.RequestManager(ctx, registry.CallerOf(ctx), strings.TrimSpace(in.Body.ManagerDomain))
	if err != nil {
		return nil, err
	}
	return &managerReply{Message: "Manager re-validation enqueued", ManagerDomain: string(name), PublishersEnqueued: n},
		nil
}

type brandRequestReply struct {
	Message string `json:"message"`
	Domain  string `json:"domain" doc:"The domain that the brand is known by."`
}

// HTTPStatus says that the request was accepted, not that it is done.
func (*brandRequestReply) HTTPStatus() int { return http.StatusAccepted }

// brandRequest answers POST /api/registry/brand-crawl-request.
func (o *Set) brandRequest(ctx context.Context, in *crawlInput) (*brandRequestReply, error) {
	name, err := o.service.RequestBrand(ctx, registry.CallerOf(ctx), strings.TrimSpace(in.Body.Domain))
	if err != nil {
		return nil, err
	}
	return &brandRequestReply{Message: "Brand crawl request accepted", Domain: string(name)}, nil
}

type revalidateInput struct {
	Domain string `path:"domain" doc:"The publisher."`
	Force  string `query:"force" enum:"1,true" doc:"1 or true: also when the publisher was asked for a moment ago."`
}

type revalidateReply struct {
	Domain                string            `json:"domain"`
	AdagentsValid         bool              `json:"adagents_valid" doc:"A file was found, and neither it nor the way to it has an error."`
	CheckedAt             string            `json:"checked_at" format:"date-time"`
	Error                 string            `json:"error,omitempty" doc:"The first of the errors."`
	Issues                *revalidateIssues `json:"issues,omitzero" doc:"When there are any."`
	PropertiesCount       int               `json:"properties_count" doc:"Of what consumers use."`
	AuthorizedAgentsCount int               `json:"authorized_agents_count" doc:"Of what consumers use."`
	StatusCode            int               `json:"status_code,omitzero"`
	ResponseBytes         *int64            `json:"response_bytes,omitzero"`
	ResolvedURL           string            `json:"resolved_url,omitempty"`
	DiscoveryMethod       string            `json:"discovery_method"`
	ManagerDomain         string            `json:"manager_domain,omitempty"`
}

type revalidateIssues struct {
	Errors   []finding `json:"errors"`
	Warnings []finding `json:"warnings"`
}

// revalidate answers POST /api/registry/publisher/{domain}/adagents/revalidate.
func (o *Set) revalidate(ctx context.Context, in *revalidateInput) (*revalidateReply, error) {
	v, err := o.service.Revalidate(ctx, registry.CallerOf(ctx), in.Domain, in.Force != "")
	if err != nil {
		return nil, err
	}
	doc := validationOf(v)
	reply := &revalidateReply{
		Domain: doc.Domain, AdagentsValid: doc.Valid, CheckedAt: doc.CheckedAt, StatusCode: doc.StatusCode,
		ResponseBytes: doc.ResponseBytes,
		ResolvedURL:   doc.ResolvedURL, DiscoveryMethod: doc.DiscoveryMethod, ManagerDomain: doc.ManagerDomain,
	}
	if len(doc.Errors)+len(doc.Warnings) > 0 {
		reply.Issues = &revalidateIssues{doc.Errors, doc.Warnings}
	}
	if len(doc.Errors) > 0 {
		reply.Error = doc.Errors[0].Message
	}
	if doc.Usable != nil {
		reply.PropertiesCount, reply.AuthorizedAgentsCount = doc.Usable.Properties, doc.Usable.Agents
	}
	return reply, nil
}
