package subscribe

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/feed"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/webhook"
)

// How subscriptions are told.
const (
	// lease is how long somebody may be at it: more than an attempt takes.
	lease = time.Minute
	// takeAtOnce is how many are taken at a time, and atOnce how many are told at a time.
	takeAtOnce = 64
	atOnce     = 16
	// mostEvents is how many events a delivery has.
	mostEvents = 100
	// firstPause is how long it takes until the second attempt; every further pause is twice as
	// long, up to longestPause.
	firstPause   = 10 * time.Second
	longestPause = time.Hour
	// giveUpAfter is for how long attempts may fail, and giveUpFrom how many have to: one that was
	// resumed has failed for long already.
	giveUpAfter = 3 * 24 * time.Hour
	giveUpFrom  = 10
	// lookEvery is how often it is looked for what is due.
	lookEvery = time.Second
	// proofWait is for how long an event may wait to be in the signed transparency log, for those
	// who want that, and proofPause how often it is looked.
	proofWait  = 30 * time.Second
	proofPause = 2 * time.Second
)

// Config configures a Sender. All members but Translog and Log are required.
type Config struct {
	Feed  *feed.Feed
	Store Store
	// Custody has the files that speak for publishers.
	Custody custodian.Store
	// Translog is the transparency log; nil for none.
	Translog *notary.Handler
	Client   *http.Client
	Key      *webhook.Key
	Now      func() time.Time
	// Log is for the operator; nil means nobody reads it.
	Log *slog.Logger
}

// A Sender tells subscriptions what they want to know. Several processes may have one.
type Sender struct{ c Config }

// NewSender returns a Sender.
func NewSender(c Config) *Sender {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return &Sender{c}
}

// Run tells what there is to tell until the context ends.
func (s *Sender) Run(ctx context.Context) {
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for ctx.Err() == nil {
		moved, _ := s.c.Feed.Wait()
		more, err := s.Round(ctx)
		if err != nil && ctx.Err() == nil {
			s.c.Log.WarnContext(ctx, "cannot tell subscriptions", "error", err)
		}
		if more && err == nil {
			continue
		}
		select {
		case <-ctx.Done():
		case <-look.C:
		case <-moved:
		}
	}
}

// Round tells those that are due, each one page, and reports whether there may be more to do.
func (s *Sender) Round(ctx context.Context) (bool, error) {
	last, err := s.c.Feed.Last(ctx)
	if err != nil {
		return false, err
	}
	now := s.c.Now()
	list, err := s.c.Store.Take(ctx, now, now.Add(lease), last.Number, takeAtOnce)
	if err != nil || len(list) == 0 {
		return false, err
	}
	var mu sync.Mutex
	var quiet []Subscription // those that nothing was to be told
	var failed error
	var group sync.WaitGroup
	places := make(chan struct{}, atOnce)
	for i := range list {
		group.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			one := &list[i]
			told, err := s.tell(ctx, one, last)
			if err == nil && told {
				err = s.c.Store.Commit(ctx, []Subscription{*one})
			}
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err != nil && !errors.Is(err, ErrFenced):
				failed = errors.Join(failed, err)
			case err == nil && !told:
				quiet = append(quiet, *one)
			}
		})
	}
	group.Wait()
	if len(quiet) > 0 {
		err := s.c.Store.Commit(ctx, quiet)
		if err != nil && !errors.Is(err, ErrFenced) {
			failed = errors.Join(failed, err)
		}
	}
	return true, failed
}

// A Delivery is the document that is sent: a page of the feed.
type Delivery struct {
	SubscriptionID string           `json:"subscription_id"`
	Events         []jsontext.Value `json:"events"`
	Cursor         string           `json:"cursor"`
	HasMore        bool             `json:"has_more"`
	Log            *feed.LogHead    `json:"log,omitempty"`
}

// tell sends the next page, and reports whether there was something to send. last is where the feed
// ended before. What is an error here is nothing that the other side has done: the lease ends by
// itself.
func (s *Sender) tell(ctx context.Context, one *Subscription, last feed.Position) (bool, error) {
	if one.expired(s.c.Now()) {
		one.suspend(s.c.Now(), "cursor_expired")
		return true, nil
	}
	page, end, err := s.c.Feed.After(ctx, one.Position, one.filter(), mostEvents)
	if err != nil {
		return false, err
	}
	if len(page.Events) == 0 {
		if !page.More && end.Number < last.Number {
			end = last // what is between was removed, since it does not hold any more
		}
		one.Position, one.NextAt = end, s.c.Now()
		if !page.More { // what could not be told is not kept any more, and nothing else is missing
			one.Failures, one.FailingSince, one.Problem = 0, time.Time{}, ""
		}
		return false, nil
	}
	if one.Proofs {
		err := page.AddLog(ctx, s.c.Translog, s.speaking)
		if err != nil {
			return false, err
		}
		if now := s.c.Now(); page.Pending && now.Sub(page.Oldest).Abs() < proofWait {
			one.NextAt = now.Add(proofPause)
			return false, nil
		}
	}
	d := Delivery{SubscriptionID: one.ID, Cursor: page.Cursor, HasMore: page.More, Log: page.Log}
	for _, e := range page.Events {
		d.Events = append(d.Events, e)
	}
	body, err := json.Marshal(d, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return false, err
	}
	err = webhook.Post(ctx, s.c.Client, one.URL, s.c.Key, body, s.c.Now())
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	one.settle(s.c.Now(), end, err)
	if !one.SuspendedAt.IsZero() {
		s.c.Log.WarnContext(ctx, "a subscription is suspended", "subscription", one.ID, "key", one.Owner, "problem", one.Problem)
	}
	return true, nil
}

// speaking returns publishers with the files that speak for them.
func (s *Sender) speaking(ctx context.Context, publishers []string) ([]notary.Speaking, error) {
	domains := make([]hostname.Domain, 0, len(publishers))
	for _, d := range publishers {
		domains = append(domains, hostname.Domain(d))
	}
	holdings, err := s.c.Custody.Holdings(ctx, domains)
	if err != nil {
		return nil, err
	}
	known := make(map[hostname.Domain]*custody.Publisher)
	for i := range holdings {
		known[holdings[i].Publisher.Domain] = holdings[i].Publisher
	}
	var list []notary.Speaking
	for _, domain := range domains {
		one := notary.Speaking{Publisher: string(domain)}
		if p := known[domain]; p != nil {
			one.File = p.Location.URL
		}
		list = append(list, one)
	}
	return list, nil
}

// settle notes what became of an attempt.
func (s *Subscription) settle(now time.Time, end feed.Position, err error) {
	if err == nil {
		s.Position, s.NextAt, s.DeliveredAt = end, now, now
		s.Failures, s.FailingSince, s.Problem = 0, time.Time{}, ""
		return
	}
	s.Failures++
	if s.FailingSince.IsZero() {
		s.FailingSince = now
	}
	s.Problem = "unreachable" // why there is no connection is nobody's business
	var answer *webhook.StatusError
	if errors.As(err, &answer) {
		s.Problem = "status " + strconv.Itoa(answer.Status)
	}
	s.NextAt = now.Add(pauseAfter(s.Failures))
	if s.Failures >= giveUpFrom && now.Sub(s.FailingSince) >= giveUpAfter || answer != nil && answer.Status == http.StatusGone {
		s.suspend(now, s.Problem)
	}
}

func (s *Subscription) suspend(now time.Time, problem string) {
	s.SuspendedAt, s.Problem = now, problem
}

// pauseAfter is how long it takes until the next attempt after some have failed.
func pauseAfter(failures int) time.Duration {
	pause := firstPause
	for range min(failures-1, 20) {
		pause *= 2
		if pause >= longestPause {
			return longestPause
		}
	}
	return pause
}
