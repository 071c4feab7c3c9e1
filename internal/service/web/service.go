package web

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/headline"
	"github.com/avow-project/avow/internal/operator"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/ops"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/supply"
	"github.com/avow-project/avow/resolve"
)

// A Checker checks files. *registry.Service is one.
type Checker interface {
	Validate(ctx context.Context, r registry.ValidateRequest) (*registry.Validation, error)
	// RefreshWait is how long a client waits until a domain is checked again for it.
	RefreshWait(domain hostname.Domain, client string) time.Duration
	// Follow tells of the requests of a check that is under way, and makes none.
	Follow(ctx context.Context, domain string, seen func(discover.Hop)) error
}

// A Service is what the pages show. *registry.Service is one.
type Service interface {
	Checker
	Answerer
	Judge
	Historian
	Moderator
	Surveyor
}

// Config configures New. Service is required.
type Config struct {
	Service Service
	// Reader is what is known of everybody.
	Reader *ops.Reader
	// BaseURL is where the service is reached, without a slash at the end; empty if not set.
	BaseURL string
	// Contact is a URL or an email address of the operator; empty if not set.
	Contact string
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// Log is for the operator; nil for none.
	Log *slog.Logger
}

// Pages answers requests for pages and everything they need. Mount it at "/": it also
// has the page that says there is none.
type Pages struct {
	service Service
	reader  *ops.Reader
	baseURL string
	contact string
	now     func() time.Time
	log     *slog.Logger
	mux     *http.ServeMux
	infos   map[string]edge.Route
	// previews are pictures of reports.
	previews previews
	// streams are those of visitors who wait for a check.
	streams edge.Streams
}

func (p *Pages) handle(pattern string, class *edge.Class, body int64, h http.HandlerFunc) {
	_, path, _ := strings.Cut(pattern, " ")
	p.infos[pattern] = edge.Route{Pattern: strings.TrimSuffix(path, "{$}"), Class: class, MaxBody: body}
	p.mux.HandleFunc(pattern, h)
}

// An Answerer answers questions from the files of publishers. *registry.Service is one.
type Answerer interface {
	Answer(ctx context.Context, q resolve.Question, brand string) (*registry.QuestionAnswer, error)
	// File returns the document that questions about a publisher are answered from.
	File(ctx context.Context, domain string) (*resolve.Document, error)
	// LastFile is File without a request.
	LastFile(ctx context.Context, domain string) (*resolve.Document, error)
	// Headline says first what there is to know about the publisher of a document.
	Headline(ctx context.Context, doc *resolve.Document) headline.Headline
	SupplyPath(ctx context.Context, q supply.Question) (*supply.Answer, error)
	// Relation says how publisher and agent describe each other, and the host of the trust.json that says so.
	Relation(ctx context.Context, a *registry.QuestionAnswer) (operator.Relation, string)
}

// A Judge answers many questions at once. *registry.Service is one.
type Judge interface {
	Verdicts(ctx context.Context, questions []resolve.Question) []registry.QuestionVerdict
}

// A Historian knows publishers over time. *registry.Service is one.
type Historian interface {
	Record(ctx context.Context, domain string) (*registry.Record, error)
	History(ctx context.Context, domain string, limit int) ([]custody.Entry, error)
	// Trust returns what is kept of the trust.json of a domain.
	Trust(ctx context.Context, domain string) (*registry.TrustRecord, error)
	// Replay returns the document that questions were answered from at a time.
	Replay(ctx context.Context, domain string, at time.Time) (*resolve.Document, *custody.Version, error)
}

// A Moderator does what takes a moderator's key. *registry.Service is one.
type Moderator interface {
	Authenticate(ctx context.Context, secret string) (*registry.Key, error)
	Holds(ctx context.Context) ([]custody.Hold, error)
	// HeldChange has what waits with the documents on both sides, and DecidedHolds what can still be
	// taken back by UndoHold.
	HeldChange(ctx context.Context, c registry.Caller, name, what string) (*registry.HeldChange, error)
	DecidedHolds(ctx context.Context) ([]custody.Hold, error)
	DecideHold(ctx context.Context, c registry.Caller, name, what string, confirm bool, reason string) error
	UndoHold(ctx context.Context, c registry.Caller, name, what string, decided time.Time) error
	Alerts(ctx context.Context, c registry.Caller, limit int) ([]custody.NumberedEvent, error)
	Mirrors(ctx context.Context, limit, offset int) ([]registry.MirrorView, int, error)
	Mirror(ctx context.Context, platform string) (*registry.MirrorView, error)
	Proposals(ctx context.Context, c registry.Caller, state registry.ProposalState,
		limit, offset int) ([]registry.Proposal, int, error)
	Proposal(ctx context.Context, c registry.Caller, id string) (*registry.ProposalView, error)
	Decide(ctx context.Context, c registry.Caller, id string, r registry.Ruling) (*registry.Proposal, error)
	DecidedProposals(ctx context.Context, c registry.Caller) ([]registry.Proposal, error)
	UndoDecision(ctx context.Context, c registry.Caller, id string, decided time.Time) error
	Keys(ctx context.Context) ([]registry.Key, error)
}

// A Surveyor has the publishers of networks asked. *registry.Service is one.
type Surveyor interface {
	StartRollout(r registry.RolloutRequest) (*registry.Rollout, error)
	Rollout(id string) *registry.Rollout
	BeforeDeploy(ctx context.Context, url string, doc []byte, caller registry.Caller) (*registry.Deployment, error)
}
