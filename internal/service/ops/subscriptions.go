package ops

import (
	"context"
	"errors"
	"net/http"

	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/feed"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/subscribe"
	"github.com/avow-project/avow/internal/wire"
)

const subscriptionsPath = "/api/registry/subscriptions"

func (o *Set) subscriptionOperations() []Operation {
	own := func(method, path, id string, class *edge.Class, summary, description string) Operation {
		return Operation{
			HTTP: method + " " + subscriptionsPath + path, Name: id, Tag: "subscriptions", Class: class,
			Scope:    registry.ScopeWrite,
			Statuses: []int{http.StatusNotFound}, Summary: summary, Description: description,
		}
	}
	create := own(http.MethodPost, "", "subscribe", edge.Write, "Be told what changes",
		"Sends the events of the change feed to a URL as they happen, by POST: those of some types, or about some "+
			"publishers or agents. Each delivery is a page of GET /api/registry/feed with subscription_id, of 100 events at "+
			"most, "+
			"signed with signing_key by RFC 9421 (tag adcp/webhook-signing/v1). Answer with a status from 200 to 299 within "+
			"10 seconds. Events come in order and at least once: event_id is the same each time. "+
			"Otherwise the delivery is made again after 10 seconds, and each time after twice as long, up to an hour. After "+
			"three days of that, or after a 410, the subscription is suspended: POST .../resume lets it go on where it was. "+
			"After 90 days of failing that answers 410: use replay. "+
			"With proofs, log has a checkpoint of the transparency log, and each event the indices of leaves under it, as in "+
			"the feed: a delivery waits for them, 30 seconds at most, and what is pending after that is sent as pending. "+
			"Redirects are not followed, and addresses that are not public are not asked. A key may have 20 subscriptions. "+
			`Before the subscription is created, the URL is sent {"type": "webhook.challenge", "challenge": "…"}, signed like deliveries, and has to answer it with a status from 200 to 299 and a JSON object that has the same challenge; the same body will do. `+
			"Otherwise the answer is 400 with code subscription_challenge, and nothing is created. "+
			"Up to 32 deliveries are under way at a time, up to 4 of one key and up to 4 to one host. At each of these, one "+
			"quarter is kept for receivers that answer within a second, and they are told first.")
	create.Success, create.Statuses, create.Example = []int{http.StatusCreated},
		[]int{http.StatusConflict, http.StatusGone},
		`{"url": "https://hooks.example.com/avow", "types": ["authorization.*"], "publishers": ["publisher.example"]}`
	replay := own(http.MethodPost, "/{subscription_id}/replay", "replay_subscription", edge.Write, "Be told again",
		"Goes on from a cursor of the feed or of a delivery, whatever was delivered after it. The cursor "+
			"00000000-0000-7000-8000-000000000000 stands for everything that holds. A suspended subscription is resumed.")
	replay.Statuses, replay.Example = []int{http.StatusNotFound, http.StatusGone},
		`{"cursor": "00000000-0000-7000-8000-000000000000"}`
	resume := own(http.MethodPost, "/{subscription_id}/resume", "resume_subscription", edge.Write,
		"Let a subscription go on",
		"Makes the next delivery at once, where the last one was. It is the way back for a suspended subscription, which "+
			"is suspended again after ten more failures. After 90 days of failing the answer is 410: use replay.")
	resume.Statuses = replay.Statuses
	list := own(http.MethodGet, "", "subscriptions", edge.Read, "Your subscriptions",
		"Lists the subscriptions of the key, the oldest first.")
	list.Statuses = nil
	return []Operation{
		Define(create, o.subscribe),
		Define(list, o.subscriptionList),
		Define(own(http.MethodGet, "/{subscription_id}", "subscription", edge.Read, "One subscription",
			"Says how far deliveries have got, and what was wrong with the last one."), o.subscription),
		Define(own(http.MethodDelete, "/{subscription_id}", "delete_subscription", edge.Write, "Be told no more",
			"Ends a subscription for good, and answers with what it was. A delivery under way may still arrive."),
			o.deleteSubscription),
		Define(resume, o.resumeSubscription),
		Define(replay, o.replaySubscription),
	}
}

type subscribeInput struct {
	Body subscribeBody `body:"" required:"true"`
}

type subscribeBody struct {
	URL        string   `json:"url" required:"true" missing:"url is required" maxLength:"2048" doc:"Where to send events: https, with a public host, without credentials."`
	Types      []string `json:"types" maxItems:"20" doc:"Types of events, such as authorization.granted, or authorization.* for all that begin so; all unless given."`
	Publishers []string `json:"publishers" maxItems:"200" doc:"Domains. Events about one of them or about one of the agents are sent; about all unless one of the two is given."`
	Agents     []string `json:"agents" maxItems:"200" doc:"URLs of agents."`
	Proofs     bool     `json:"proofs" doc:"Say in each delivery how its events stand to the transparency log of the service, as GET /api/registry/feed does with proofs."`
	Cursor     string   `json:"cursor" maxLength:"64" doc:"Where to begin, as in GET /api/registry/feed; with what happens from now on unless given."`
}

type subscriptionIDInput struct {
	ID string `path:"subscription_id" doc:"id of the subscription."`
}

type replaySubscriptionInput struct {
	ID   string                 `path:"subscription_id" doc:"id of the subscription."`
	Body replaySubscriptionBody `body:"" required:"true"`
}

type replaySubscriptionBody struct {
	Cursor string `json:"cursor" required:"true" missing:"cursor is required" maxLength:"64" doc:"Deliver what comes after it."`
}

// subscriptionReply is a subscription as its owner sees it.
type subscriptionReply struct {
	ID            string         `json:"id" format:"uuid"`
	URL           string         `json:"url"`
	Types         []string       `json:"types"`
	Publishers    []string       `json:"publishers" doc:"In canonical form."`
	Agents        []string       `json:"agents" doc:"In canonical form."`
	Proofs        bool           `json:"proofs" doc:"Deliveries say how events stand to the transparency log."`
	State         string         `json:"state" enum:"active,failing,suspended"`
	Cursor        string         `json:"cursor" doc:"Everything up to it was delivered, or is not of interest. It moves on when there is something new. After 90 days of failures what comes after it is not kept any more, and it is refused as too old."`
	CreatedAt     string         `json:"created_at" format:"date-time"`
	DeliveredAt   *string        `json:"last_delivered_at" format:"date-time"`
	Failures      int            `json:"failures" doc:"Attempts that have failed in a row."`
	FailingSince  *string        `json:"failing_since" format:"date-time" doc:"The first failure since something was delivered, also after resume."`
	LastError     *string        `json:"last_error" doc:"unreachable, status with the number of the answer, or cursor_expired: what was to be delivered is not kept any more, and replay begins anew."`
	NextAttemptAt *string        `json:"next_attempt_at" format:"date-time" doc:"While it is failing."`
	SuspendedAt   *string        `json:"suspended_at" format:"date-time"`
	SigningKey    signingKeyJSON `json:"signing_key" doc:"The public key of the signatures, a JSON Web Key."`
	created       bool
}

// HTTPStatus tells a new subscription from a changed one.
func (r *subscriptionReply) HTTPStatus() int {
	if r.created {
		return http.StatusCreated
	}
	return http.StatusOK
}

type signingKeyJSON struct {
	Kty string `json:"kty"`
	Crv string `json:"crv"`
	X   string `json:"x"`
	Kid string `json:"kid" doc:"The keyid of signatures."`
}

type subscriptionsReply struct {
	Subscriptions []subscriptionReply `json:"subscriptions"`
}

func (o *Set) subscriptionOf(s *subscribe.Subscription) *subscriptionReply {
	key := o.subscriptions.Key.Public()
	at := s.Position
	if s.FailingSince.IsZero() { // nothing is missing, so it does not get too old
		at = o.feed.Renewed(at)
	}
	r := &subscriptionReply{
		ID: s.ID, URL: s.URL, Types: wire.NotNil(s.Types), Publishers: wire.NotNil(s.Publishers),
		Agents: wire.NotNil(s.Agents), Proofs: s.Proofs, State: s.State(), Cursor: o.feed.CursorAt(at),
		CreatedAt: wire.API.Time(s.CreatedAt), DeliveredAt: wire.API.OptionalTime(s.DeliveredAt), Failures: s.Failures,
		FailingSince: wire.API.OptionalTime(s.FailingSince),
		LastError:    optional(s.Problem), SuspendedAt: wire.API.OptionalTime(s.SuspendedAt),
		SigningKey: signingKeyJSON{key.Kty, key.Crv, key.X, o.subscriptions.Key.ID()},
	}
	if s.State() == "failing" {
		r.NextAttemptAt = wire.API.OptionalTime(s.NextAt)
	}
	return r
}

// errNoSubscriptions is for a service without a key to sign with.
var errNoSubscriptions = &registry.Error{Kind: registry.NotConfigured, Code: "subscriptions",
	Message: "There are no subscriptions", Hint: "the operator of the service gives it a key with --webhook-key"}

// oneSubscription answers with what a call returns.
func (o *Set) oneSubscription(ctx context.Context,
	call func() (*subscribe.Subscription, error)) (*subscriptionReply, error) {
	if o.subscriptions == nil || o.feed == nil {
		return nil, errNoSubscriptions
	}
	_, err := o.feed.Last(ctx)
	if err != nil {
		return nil, feedProblem(err)
	}
	s, err := call()
	if err != nil {
		return nil, feedProblem(err)
	}
	return o.subscriptionOf(s), nil
}

// subscribe answers POST /api/registry/subscriptions.
func (o *Set) subscribe(ctx context.Context, in *subscribeInput) (*subscriptionReply, error) {
	b := &in.Body
	r, err := o.oneSubscription(ctx, func() (*subscribe.Subscription, error) {
		return o.subscriptions.Create(ctx, registry.CallerOf(ctx),
			&subscribe.Request{URL: b.URL, Types: b.Types, Publishers: b.Publishers, Agents: b.Agents, Proofs: b.Proofs,
				Cursor: b.Cursor})
	})
	if err == nil {
		r.created = true
	}
	return r, err
}

// subscriptionList answers GET /api/registry/subscriptions.
func (o *Set) subscriptionList(ctx context.Context, _ *NoInput) (*subscriptionsReply, error) {
	if o.subscriptions == nil || o.feed == nil {
		return nil, errNoSubscriptions
	}
	_, err := o.feed.Last(ctx)
	if err != nil {
		return nil, feedProblem(err)
	}
	list, err := o.subscriptions.List(ctx, registry.CallerOf(ctx))
	if err != nil {
		return nil, err
	}
	reply := &subscriptionsReply{Subscriptions: []subscriptionReply{}}
	for i := range list {
		reply.Subscriptions = append(reply.Subscriptions, *o.subscriptionOf(&list[i]))
	}
	return reply, nil
}

// subscription answers GET /api/registry/subscriptions/{subscription_id}.
func (o *Set) subscription(ctx context.Context, in *subscriptionIDInput) (*subscriptionReply, error) {
	return o.oneSubscription(ctx, func() (*subscribe.Subscription, error) {
		return o.subscriptions.Get(ctx, registry.CallerOf(ctx), in.ID)
	})
}

// deleteSubscription answers DELETE /api/registry/subscriptions/{subscription_id}.
func (o *Set) deleteSubscription(ctx context.Context, in *subscriptionIDInput) (*subscriptionReply, error) {
	return o.oneSubscription(ctx, func() (*subscribe.Subscription, error) {
		return o.subscriptions.Remove(ctx, registry.CallerOf(ctx), in.ID)
	})
}

// resumeSubscription answers POST /api/registry/subscriptions/{subscription_id}/resume.
func (o *Set) resumeSubscription(ctx context.Context, in *subscriptionIDInput) (*subscriptionReply, error) {
	r, err := o.oneSubscription(ctx, func() (*subscribe.Subscription, error) {
		return o.subscriptions.Restart(ctx, registry.CallerOf(ctx), in.ID, "")
	})
	var refused *registry.Error
	if errors.As(err, &refused) && refused.Kind == registry.Expired {
		refused.Explanation, refused.Hint = "Deliveries have failed for 90 days: not everything is kept any more.",
			"use replay, with the cursor "+feed.Start+" for everything that holds"
	}
	return r, err
}

// replaySubscription answers POST /api/registry/subscriptions/{subscription_id}/replay.
func (o *Set) replaySubscription(ctx context.Context, in *replaySubscriptionInput) (*subscriptionReply, error) {
	return o.oneSubscription(ctx, func() (*subscribe.Subscription, error) {
		return o.subscriptions.Restart(ctx, registry.CallerOf(ctx), in.ID, in.Body.Cursor)
	})
}
