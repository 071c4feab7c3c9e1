package subscribe

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/netguard"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/feed"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/webhook"
)

// A Service is what callers can do with their subscriptions.
type Service struct {
	Store Store
	Feed  *feed.Feed
	// Client sends challenges, and Key signs what is sent.
	Client *http.Client
	Key    *webhook.Key
	Now    func() time.Time
}

// A Request is what a subscriber wants to be sent.
type Request struct {
	URL                       string
	Types, Publishers, Agents []string
	// Proofs: say how events stand to the transparency log.
	Proofs bool
	// Cursor is where to begin; empty means with what happens next.
	Cursor string
}

// Create makes a subscription, once its receiver has confirmed that it wants one.
func (s *Service) Create(ctx context.Context, c registry.Caller, r *Request) (*Subscription, error) {
	err := c.Require(registry.ScopeWrite)
	if err != nil {
		return nil, err
	}
	one := &Subscription{ID: registry.NewUUID(), Owner: c.Key.ID, Proofs: r.Proofs, CreatedAt: s.Now(), NextAt: s.Now()}
	one.URL, err = target(r.URL)
	if err != nil {
		return nil, err
	}
	one.Types, err = feed.ParseTypes(strings.Join(r.Types, ","))
	if err != nil {
		return nil, invalid("Invalid type filter: "+err.Error(), "write types like authorization.granted or authorization.*")
	}
	for _, text := range r.Publishers {
		domain, err := custodian.ParseDomain(text)
		if err != nil {
			return nil, invalid("Invalid domain", "write it like example.com")
		}
		one.Publishers = append(one.Publishers, string(domain))
	}
	for _, text := range r.Agents {
		agent, err := registry.AgentURL(text)
		if err != nil {
			return nil, err
		}
		one.Agents = append(one.Agents, agent)
	}
	for _, list := range []*[]string{&one.Types, &one.Publishers, &one.Agents} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	one.Position, err = s.Feed.Last(ctx)
	if r.Cursor != "" {
		one.Position, err = s.Feed.Position(ctx, r.Cursor)
	}
	if err != nil {
		return nil, err
	}
	own, err := s.Store.List(ctx, one.Owner)
	if err != nil {
		return nil, err
	}
	if len(own) >= MostOfOne {
		return nil, errTooMany
	}
	err = webhook.Challenge(ctx, s.Client, one.URL, s.Key, s.Now())
	if err != nil {
		return nil, unconfirmed(ctx, err)
	}
	err = s.Store.Add(ctx, one)
	if errors.Is(err, ErrTooMany) {
		return nil, errTooMany
	}
	return one, err
}

var errTooMany = &registry.Error{
	Kind: registry.Conflict, Code: "subscription_limit", Message: "There are too many subscriptions",
	Hint: "a key may have " + strconv.Itoa(MostOfOne) + ", and the service " + strconv.Itoa(Most) +
		"; delete one that is not needed, or give one subscription more publishers",
}

// unconfirmed says what a receiver did instead of confirming a subscription. Why there is no connection
// is not told.
func unconfirmed(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	why := "It could not be reached, or did not answer within 10 seconds."
	var answer *webhook.StatusError
	switch {
	case errors.As(err, &answer):
		why = "It answered the challenge with status " + strconv.Itoa(answer.Status) + "."
	case errors.Is(err, webhook.ErrChallenge):
		why = "Its answer to the challenge is not JSON with the same member challenge."
	}
	return &registry.Error{
		Kind: registry.Invalid, Code: "subscription_challenge", Message: "The receiver did not confirm the subscription",
		Explanation: why,
		Hint:        `answer a POST whose body has "type": "webhook.challenge" with status 200 and the same body, then create the subscription again`,
	}
}

// target checks a subscriber's URL. What the name leads to is checked with each connection.
func target(text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" || u.Hostname() == "" || u.Opaque != "" || u.User != nil || u.Fragment != "" {
		return "", invalid("Events cannot be sent to this URL", "use https, without credentials and without a fragment")
	}
	u.Host = strings.ToLower(u.Host)
	port := uint64(443)
	if text := u.Port(); text != "" {
		port, err = strconv.ParseUint(text, 10, 16)
	}
	if err != nil || netguard.CheckHost(u.Hostname()) != nil || netguard.CheckPort(uint16(port)) != nil {
		return "", invalid("The host or port of the URL is refused", "name a public host that serves https")
	}
	return u.String(), nil
}

func invalid(message, hint string) error {
	return &registry.Error{Kind: registry.Invalid, Code: "request.value", Message: message, Hint: hint}
}

// List returns the subscriptions of a caller.
func (s *Service) List(ctx context.Context, c registry.Caller) ([]Subscription, error) {
	err := c.Require(registry.ScopeWrite)
	if err != nil {
		return nil, err
	}
	return s.Store.List(ctx, c.Key.ID)
}

// Get returns a subscription of a caller.
func (s *Service) Get(ctx context.Context, c registry.Caller, id string) (*Subscription, error) {
	err := c.Require(registry.ScopeWrite)
	if err != nil {
		return nil, err
	}
	one, err := s.Store.Get(ctx, c.Key.ID, id)
	return one, unknown(err)
}

// Remove removes a subscription of a caller, and returns what it was.
func (s *Service) Remove(ctx context.Context, c registry.Caller, id string) (*Subscription, error) {
	one, err := s.Get(ctx, c, id)
	if err != nil {
		return nil, err
	}
	return one, unknown(s.Store.Remove(ctx, c.Key.ID, id))
}

// Restart has a subscription told again, from a cursor or, for an empty one, where it is. The error
// is feed.ErrExpired when what is to be told may not be kept any more.
func (s *Service) Restart(ctx context.Context, c registry.Caller, id, cursor string) (*Subscription, error) {
	one, err := s.Get(ctx, c, id)
	if err != nil {
		return nil, err
	}
	if cursor == "" && one.expired(s.Now()) {
		return nil, feed.ErrExpired
	}
	var from *feed.Position
	if cursor != "" {
		at, err := s.Feed.Position(ctx, cursor)
		if err != nil {
			return nil, err
		}
		from = &at
	}
	err = s.Store.Restart(ctx, c.Key.ID, id, from, s.Now())
	if err != nil {
		return nil, unknown(err)
	}
	return s.Get(ctx, c, id)
}

// unknown puts it into words that there is no subscription.
func unknown(err error) error {
	if errors.Is(err, ErrNotFound) {
		return &registry.Error{Kind: registry.NotFound, Code: "subscription_not_found", Message: "Subscription not found",
			Hint: "a subscription is shown to the key that made it"}
	}
	return err
}
