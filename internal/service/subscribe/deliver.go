package subscribe

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
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
	// lease is for how long a subscription is taken: longer than an attempt takes.
	lease = time.Minute
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
	// checkEvery is how often avow looks for what is due.
	checkEvery = time.Second
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
	Custody custodian.Records
	// Translog is the transparency log; nil for none.
	Translog *notary.Handler
	Client   *http.Client
	Key      *webhook.Key
	Now      func() time.Time
	// Log is for the operator; nil for none.
	Log *slog.Logger
}

// A Sender tells subscriptions what they want to know. Several processes may have one.
type Sender struct {
	c       Config
	running sync.WaitGroup
	// ended has something after a delivery has ended.
	ended chan struct{}

	mu sync.Mutex
	// load has the deliveries under way, by the names of namesOf.
	load map[string]capacity
	// took is how long receivers take to answer, by the id of the subscription: a mean in which
	// the last answers count most.
	took map[string]time.Duration
	// quiet are subscriptions that nothing was to be told. They are committed together.
	quiet  []Subscription
	failed error
}

// A capacity is a number of deliveries at a time: all of them, and those to slow receivers.
type capacity struct{ all, slow int }

// At any time slow receivers leave room for others: in the process, of the same key, and at the same
// host.
var (
	inProcess = capacity{32, 24}
	ofKey     = capacity{4, 3}
	ofHost    = capacity{4, 3}
	ofOne     = capacity{1, 1}
)

// slowAfter is how long a receiver may take without being slow.
const slowAfter = time.Second

// NewSender returns a Sender.
func NewSender(c Config) *Sender {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return &Sender{c: c, ended: make(chan struct{}, 1), load: map[string]capacity{}, took: map[string]time.Duration{}}
}

// Run tells what there is to tell until the context ends.
func (s *Sender) Run(ctx context.Context) {
	tick := time.NewTicker(checkEvery)
	defer tick.Stop()
	defer s.running.Wait()
	for ctx.Err() == nil {
		moved, _ := s.c.Feed.Wait()
		_, err := s.Begin(ctx)
		if err != nil && ctx.Err() == nil {
			s.c.Log.WarnContext(ctx, "cannot tell subscriptions", "error", err)
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		case <-moved:
		case <-s.ended:
		}
	}
}

// Begin begins deliveries, one page each, to those that are due and that there is capacity for:
// fast receivers first, and then those that have waited longest. It does not wait for them. It
// returns how many there are. The error may be one of deliveries that have ended since the last call.
func (s *Sender) Begin(ctx context.Context) (int, error) {
	err := s.settled(ctx)
	last, failed := s.c.Feed.Last(ctx)
	if failed != nil {
		return 0, errors.Join(err, failed)
	}
	now := s.c.Now()
	due, failed := s.c.Store.Due(ctx, now, last.Number)
	if failed != nil || len(due) == 0 {
		return 0, errors.Join(err, failed)
	}
	chosen := s.admit(due)
	if len(chosen) == 0 {
		return 0, err
	}
	taken, failed := s.c.Store.Take(ctx, chosen, now.Add(lease))
	found := map[string]*Subscription{}
	for i := range taken {
		found[taken[i].ID] = &taken[i]
	}
	for _, d := range chosen {
		one := found[d.ID]
		if one == nil { // another process was faster
			s.release(d)
			continue
		}
		s.running.Go(func() { s.deliver(ctx, d, one, last) })
	}
	return len(taken), errors.Join(err, failed)
}

// Wait waits for deliveries that have begun. The error is as that of Begin.
func (s *Sender) Wait(ctx context.Context) error {
	s.running.Wait()
	return s.settled(ctx)
}

// settled commits what need not be told, and returns what has failed since the last call.
func (s *Sender) settled(ctx context.Context) error {
	s.mu.Lock()
	quiet, failed := s.quiet, s.failed
	s.quiet, s.failed = nil, nil
	s.mu.Unlock()
	if len(quiet) == 0 {
		return failed
	}
	err := s.c.Store.Commit(ctx, quiet)
	if errors.Is(err, ErrFenced) {
		err = nil
	}
	return errors.Join(failed, err)
}

// admit chooses those that there is capacity for, and takes it up.
func (s *Sender) admit(due []Due) []Due {
	s.mu.Lock()
	defer s.mu.Unlock()
	slices.SortStableFunc(due, func(a, b Due) int { return cmp.Compare(s.slow(a), s.slow(b)) })
	var chosen []Due
	for _, d := range due {
		if limits, slow := limitsOf(d), s.slow(d); s.free(limits, slow) {
			for name := range limits {
				s.load[name] = capacity{s.load[name].all + 1, s.load[name].slow + slow}
			}
			d.slow = slow
			chosen = append(chosen, d)
		}
	}
	return chosen
}

// slow is one for a receiver that is slow. One that is not known yet is none.
func (s *Sender) slow(d Due) int {
	if s.took[d.ID] > slowAfter {
		return 1
	}
	return 0
}

// free reports whether there is capacity for one more.
func (s *Sender) free(limits map[string]capacity, slow int) bool {
	for name, most := range limits {
		if has := s.load[name]; has.all >= most.all || has.slow+slow > most.slow {
			return false
		}
	}
	return true
}

// limitsOf has what a delivery needs capacity of, by name.
func limitsOf(d Due) map[string]capacity {
	host := d.URL
	u, err := url.Parse(d.URL)
	if err == nil {
		host = u.Hostname()
	}
	return map[string]capacity{"": inProcess, "key " + d.Owner: ofKey, "host " + host: ofHost, "one " + d.ID: ofOne}
}

// release gives back what admit took up.
func (s *Sender) release(d Due) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name := range limitsOf(d) {
		has := s.load[name]
		s.load[name] = capacity{has.all - 1, has.slow - d.slow}
		if has.all == 1 {
			delete(s.load, name)
		}
	}
}

// deliver tells a subscription what is next, and notes how that went.
func (s *Sender) deliver(ctx context.Context, d Due, one *Subscription, last feed.Position) {
	begin := s.c.Now()
	told, err := s.tell(ctx, one, last)
	if err == nil && told {
		s.note(d.ID, s.c.Now().Sub(begin))
		err = s.c.Store.Commit(ctx, []Subscription{*one})
	}
	s.mu.Lock()
	switch {
	case err != nil && !errors.Is(err, ErrFenced):
		s.failed = errors.Join(s.failed, err)
	case err == nil && !told:
		s.quiet = append(s.quiet, *one)
	}
	s.mu.Unlock()
	s.release(d)
	select {
	case s.ended <- struct{}{}:
	default:
	}
}

// note notes how long a receiver took. What is known of receivers is forgotten from time to time, since
// subscriptions come and go.
func (s *Sender) note(id string, took time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if before, known := s.took[id]; known {
		took = (3*before + took) / 4
	} else if len(s.took) >= 2*Most {
		clear(s.took)
	}
	s.took[id] = took
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
		s.c.Log.WarnContext(ctx, "a subscription is suspended", "subscription", one.ID, "key", one.Owner,
			"problem", one.Problem)
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
	s.Problem = "unreachable" // why there is no connection stays private
	var answer *webhook.StatusError
	if errors.As(err, &answer) {
		s.Problem = "status " + strconv.Itoa(answer.Status)
	}
	s.NextAt = now.Add(pauseAfter(s.Failures))
	if s.Failures >= giveUpFrom && now.Sub(s.FailingSince) >= giveUpAfter || answer != nil &&
		answer.Status == http.StatusGone {
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
