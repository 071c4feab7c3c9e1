package registry

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/flight"
	"github.com/avow-project/avow/internal/rollout"
	"github.com/avow-project/avow/internal/service/budget"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/words"
)

// What the rollout of a network may cost. A run asks as many publishers as a network has, so
// that a caller has one at a time, and so many publishers in an hour.
const (
	// MaxRollout is the number of publishers that a key may have asked in an hour: the largest
	// networks have fewer.
	MaxRollout = 20_000
	// OpenRollout is that number for a client without a key.
	OpenRollout = 500
	// rolloutsAtOnce is the number of runs of all callers together. rolloutAsking is the number of
	// publishers that a run with a key asks at the same time, and openAsking that of one without.
	rolloutsAtOnce, rolloutAsking, openAsking = 4, 16, 4
	// openRollouts is who waits in the place of callers without a key: a site, and the memory, is given
	// to all their runs together as to one other caller.
	openRollouts = "networks without a key"
	// rolloutTime is how long a run may take, rolloutLife how long it is kept, and the others
	// how much is kept of all.
	rolloutTime, rolloutLife    = 50 * time.Minute, 2 * time.Hour
	rolloutsKept, rolloutsBytes = 64, 48_000_000
	// sample is the number of publishers of a list that are asked where they lead when
	// the question does not name the file.
	sample = 20
)

// A RolloutRequest asks how far the rollout of a network's file has come.
type RolloutRequest struct {
	// File is the domain of the network, or the https URL of its file. When it is empty the
	// file is the one that most of the first publishers of the list lead to.
	File string
	// List are publishers that are asked besides those that the file names.
	List   []hostname.Domain
	Caller Caller
}

// mostOf is how many publishers a caller may have asked, and what to do about more.
func mostOf(c Caller) (int, string) {
	if c.Key != nil {
		return MaxRollout, "use the program for a network of that size: avow network"
	}
	return OpenRollout, "send an API key as Authorization: Bearer for up to " + words.Thousands(MaxRollout) +
		", or use the program: avow network"
}

// queue is the name under which the run waits for others, and how many publishers it asks at a time.
func (r *RolloutRequest) queue() (string, int) {
	if r.Caller.Key != nil {
		return r.Caller.name(), rolloutAsking
	}
	return openRollouts, openAsking
}

// A Rollout is a run over the publishers of a network.
type Rollout struct {
	// ID names the run. It cannot be guessed.
	ID      string
	Started time.Time
	request RolloutRequest

	mu    sync.Mutex
	state RolloutState
}

// RolloutState is how far a run is.
type RolloutState struct {
	// File is the URL of the file; empty until it was read.
	File string
	// Total is the number of publishers; zero until it is known. Done of them were asked, of
	// which Failed gave no answer. OptedOut are not asked, because they want nothing to do with
	// the service.
	Total, Done, Failed, OptedOut int
	// Ended is when the run was over; zero before that.
	Ended time.Time
	// Problem says why there is no summary.
	Problem *Error
	Summary *rollout.Summary
}

// State returns how far the run is.
func (r *Rollout) State() RolloutState {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state
}

func (r *Rollout) change(f func(*RolloutState)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f(&r.state)
}

// rollouts are the runs of a service.
type rollouts struct {
	kept *flight.Cache[string, *Rollout]
	mu   sync.Mutex
	// runs is the number of runs that go on. running has it for callers and the networks around
	// them, and spent what those have had asked of late.
	runs    int
	running map[string]int
	spent   *flight.Cache[string, int]
}

func newRollouts(now func() time.Time) *rollouts {
	return &rollouts{
		kept: flight.NewCache(flight.Limits[string, *Rollout]{Name: "rollouts", Weight: rolloutsBytes, Count: rolloutsKept,
			Life: rolloutLife, Now: now}),
		running: map[string]int{},
		spent: flight.NewCache(flight.Limits[string, int]{Name: "rollout-callers", Count: 100_000, Life: time.Hour,
			Now: now}),
	}
}

// StartRollout begins a run in the background. The error is an *Error.
func (s *Service) StartRollout(r RolloutRequest) (*Rollout, error) {
	r.File = strings.TrimSpace(r.File)
	most, _ := mostOf(r.Caller)
	switch {
	case r.File == "" && len(r.List) == 0:
		return nil, &Error{Kind: Invalid, Code: "rollout_empty", Message: "Neither a file nor a list was given",
			Hint: "name the network's file, or the publishers"}
	case len(r.List) > most:
		return nil, tooManyPublishers("The list has", len(r.List), r.Caller)
	}
	run := &Rollout{ID: strings.ToLower(rand.Text()), Started: s.moment(), request: r}
	leave, err := s.rollouts.enter(r.Caller)
	if err != nil {
		return nil, err
	}
	s.rollouts.kept.Put(run.ID, run, len(r.List)*32)
	started := s.start(func() {
		defer leave()
		s.runRollout(run)
	})
	if !started {
		leave()
		return nil, errClosed
	}
	return run, nil
}

// Rollout returns a run; nil when there is none of that name, or not any more.
func (s *Service) Rollout(id string) *Rollout {
	run, _ := s.rollouts.kept.Get(id)
	return run
}

func tooManyPublishers(what string, n int, c Caller) *Error {
	most, hint := mostOf(c)
	without := ""
	if c.Key == nil {
		without = " without a key"
	}
	return &Error{
		Kind: TooLarge, Code: "rollout_too_large", Hint: hint,
		Message: what + " " + words.Thousands(n) + " publishers, and this page asks " + words.Thousands(most) + " at most" +
			without,
	}
}

// enter takes the slot of a caller.
func (l *rollouts) enter(c Caller) (func(), error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	blocks := BlocksOf(c.name())
	for _, b := range blocks {
		if l.running[b.Name] >= min(b.Factor, rolloutsAtOnce/2) {
			return nil, &Error{Kind: Limited, Code: "rollout_running", Message: "A run of yours is still under way",
				Hint: "wait until it is over", RetryAfter: 30 * time.Second}
		}
	}
	err := l.afford(c, 1)
	if err != nil {
		return nil, err
	}
	if l.runs >= rolloutsAtOnce {
		return nil, Soon("busy", "Others are having their networks looked at")
	}
	l.count(blocks, 1)
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.count(blocks, -1)
	}, nil
}

// count adds a run of a caller, or takes it away. The lock is held.
func (l *rollouts) count(blocks []Block, n int) {
	l.runs += n
	for _, b := range blocks {
		l.running[b.Name] += n
		if l.running[b.Name] == 0 {
			delete(l.running, b.Name)
		}
	}
}

// afford returns an error if a caller may not have n more publishers asked. The lock is held.
func (l *rollouts) afford(c Caller, n int) error {
	most, hint := mostOf(c)
	for _, b := range BlocksOf(c.name()) {
		spent, _ := l.spent.Get(b.Name)
		if spent+n > most*b.Factor {
			return &Error{
				Kind: Limited, Code: "rollout_spent", Message: "You have had " + words.Thousands(spent) +
					" publishers asked in an hour; the limit is " + words.Thousands(most*b.Factor),
				Hint: "try again later; or " + hint, RetryAfter: 10 * time.Minute,
			}
		}
	}
	return nil
}

// spend takes note of how many publishers a caller has asked, or returns an error if these are too many.
func (l *rollouts) spend(c Caller, n int) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.afford(c, n)
	if err != nil {
		return err
	}
	for _, b := range BlocksOf(c.name()) {
		spent, _ := l.spent.Get(b.Name)
		l.spent.Put(b.Name, spent+n, 0)
	}
	return nil
}

// runRollout makes a run, and keeps what came of it.
func (s *Service) runRollout(run *Rollout) {
	ctx, cancel := context.WithTimeout(s.ctx, rolloutTime)
	defer cancel()
	var summary *rollout.Summary
	err := withoutPanic("a network", func() error {
		var err error
		summary, err = s.sweep(ctx, run)
		return err
	})
	var problem *Error
	if err != nil && !errors.As(err, &problem) {
		problem = &Error{Kind: Unavailable, Code: "rollout_ended", Message: "The run could not be finished",
			Hint: "start it again"}
		if ctx.Err() == nil {
			s.config.Log.Error("a rollout failed", "error", err)
		}
	}
	weight := 0
	if summary != nil {
		for i := range summary.Rows {
			weight += 160 + len(summary.Rows[i].Detail) + len(summary.Rows[i].URL)
		}
	}
	run.change(func(st *RolloutState) { st.Ended, st.Problem, st.Summary = s.moment(), problem, summary })
	run.request.List = nil
	s.rollouts.kept.Weigh(run.ID, func(*Rollout, int) int { return weight })
}

// sweep asks all publishers, and sums up what was found.
func (s *Service) sweep(ctx context.Context, run *Rollout) (*rollout.Summary, error) {
	r := &run.request
	file := r.File
	if file == "" {
		var err error
		file, err = s.likelyFile(ctx, r)
		if err != nil {
			return nil, err
		}
	}
	who, atOnce := r.queue()
	n, err := s.networkFile(ctx, file, who)
	if err != nil {
		return nil, err
	}
	all := n.Publishers(r.List)
	asked := slices.DeleteFunc(slices.Clone(all), s.hasOptedOut)
	most, _ := mostOf(r.Caller)
	switch {
	case len(all) == 0:
		return nil, &Error{Kind: Invalid, Code: "rollout_nobody",
			Message: "The file names no publisher, so there is nothing to check",
			Hint:    "name publishers in publisher_domain or publisher_domains, or give a list"}
	case len(all) > most:
		return nil, tooManyPublishers("The file and the list have", len(all), r.Caller)
	}
	err = s.rollouts.spend(r.Caller, len(asked))
	if err != nil {
		return nil, err
	}
	run.change(func(st *RolloutState) { st.File, st.Total, st.OptedOut = n.URL, len(asked), len(all)-len(asked) })
	var visits []rollout.Visit
	var mu sync.Mutex
	err = s.each(ctx, asked, who, atOnce, func(d *discover.Discovery) {
		mu.Lock()
		defer mu.Unlock()
		v := n.Visit(d)
		visits = append(visits, v)
		run.change(func(st *RolloutState) {
			st.Done++
			if d.Answer == discover.Unreachable {
				st.Failed++
			}
		})
	})
	if err != nil {
		return nil, err
	}
	summary := rollout.NewSummary(n, r.List)
	summary.Name, summary.Now = file, s.moment()
	for _, v := range visits {
		summary.Add(v)
	}
	summary.Finish()
	summary.Release()
	return summary, nil
}

// each asks publishers side by side, some at a time.
func (s *Service) each(ctx context.Context, domains []hostname.Domain, client string, atOnce int,
	found func(*discover.Discovery)) error {
	slots := make(chan struct{}, atOnce)
	var asking sync.WaitGroup
	defer asking.Wait()
	for _, domain := range domains {
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
			return ctx.Err()
		}
		asking.Go(func() {
			defer func() { <-slots }()
			d, err := s.visit(ctx, client, func(ctx context.Context, o discover.Options) (*discover.Discovery, error) {
				return s.config.Finder.Domain(ctx, string(domain), o)
			})
			if ctx.Err() != nil {
				return
			}
			if err != nil {
				s.config.Log.Warn("a publisher of a network was not looked at", "publisher", string(domain), "error", err)
				d = notAsked(domain) // and not left out
			}
			found(d)
		})
	}
	asking.Wait()
	return ctx.Err()
}

// notAsked is a discovery for a publisher that this service could not ask.
func notAsked(domain hostname.Domain) *discover.Discovery {
	return &discover.Discovery{Domain: string(domain), Answer: discover.Unreachable, Findings: []discover.Finding{{
		Code: "fetch.no_turn", Severity: adagents.Error,
		Message: string(domain) + " was not asked: the service was busy or made a mistake", Hint: "start another run",
	}}}
}

// visit asks the web one question within the limits of the service. Nothing is kept of it.
func (s *Service) visit(ctx context.Context, client string,
	question func(context.Context, discover.Options) (*discover.Discovery, error)) (*discover.Discovery, error) {
	ctx, holding := budget.With(fetch.WithClient(fetch.WithBudget(ctx, anonymousRequests), client), client)
	defer holding.End()
	ctx, cancel := context.WithTimeout(ctx, s.limits.call)
	defer cancel()
	leave, err := s.admit(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	r := s.newReservation(ctx)
	defer r.leave()
	var d *discover.Discovery
	err = withoutPanic("a publisher of a network", func() error {
		// Publishers share a large file: the limit of the finder holds it for a moment each.
		found, err := question(ctx, discover.Options{MaxFindings: maxFindings, Check: r.check})
		d = found
		return cmp.Or(err, r.err)
	})
	return d, err
}

// networkFile reads the file of a network.
func (s *Service) networkFile(ctx context.Context, file, client string) (*rollout.Network, error) {
	d, err := s.readFile(ctx, file, client)
	if err != nil {
		return nil, err
	}
	return rollout.New(d.Report.File, d.Body, d.ResolvedURL), nil
}

// readFile reads a file that is named by the domain of its owner or by its URL.
func (s *Service) readFile(ctx context.Context, file, client string) (*discover.Discovery, error) {
	host := file
	if _, rest, ok := strings.Cut(file, "://"); ok {
		host, _, _ = strings.Cut(rest, "/")
	}
	domain, err := hostname.ParseDomain(host)
	if err == nil {
		err = s.refuseOptedOut(domain)
		if err != nil {
			return nil, err
		}
	}
	d, err := s.visit(ctx, client, func(ctx context.Context, o discover.Options) (*discover.Discovery, error) {
		o.Shared = true // pointers may lead to a well-known path
		if strings.Contains(file, "://") {
			return s.config.Finder.URL(ctx, file, o)
		}
		return s.config.Finder.Domain(ctx, file, o)
	})
	var input *discover.InputError
	switch {
	case errors.As(err, &input):
		return nil, &Error{Kind: Invalid, Code: "rollout_file", Message: input.Message, Hint: input.Hint}
	case err != nil:
		return nil, err
	case d.Report == nil || d.Report.File == nil || d.Answer != discover.Usable:
		return nil, &Error{Kind: NotFound, Code: "rollout_file",
			Message: "There is no file of a network that buyers could use: " + answerWords(d),
			Hint:    "check the address, or the file itself"}
	}
	return d, nil
}

// answerWords says in a few words why there is no file.
func answerWords(d *discover.Discovery) string {
	for i := range d.Findings {
		if d.Findings[i].Severity == adagents.Error {
			return d.Findings[i].Message
		}
	}
	if d.Report != nil && d.Report.Unusable != nil {
		return d.Report.Unusable.Error()
	}
	return fmt.Sprintf("the answer is %s", d.Answer)
}

// likelyFile returns the URL that most of the first publishers of a list lead to.
func (s *Service) likelyFile(ctx context.Context, r *RolloutRequest) (string, error) {
	first := slices.DeleteFunc(slices.Clone(r.List[:min(len(r.List), sample)]), s.hasOptedOut)
	votes := map[string]int{}
	var mu sync.Mutex
	who, atOnce := r.queue()
	err := s.each(ctx, first, who, atOnce, func(d *discover.Discovery) {
		mu.Lock()
		defer mu.Unlock()
		if d.Method != discover.Direct && d.Answer == discover.Usable {
			votes[d.ResolvedURL]++
		}
	})
	if err != nil {
		return "", err
	}
	if len(votes) == 0 {
		return "", &Error{Kind: NotFound, Code: "rollout_file",
			Message: "None of the first publishers of the list leads to a file of a network",
			Hint:    "name the file, by its https URL or the network's domain"}
	}
	return rollout.MostVotes(votes), nil
}

// A Deployment is a file that is to take the place of a live one.
type Deployment struct {
	// Live is what is published now, and Next what was given.
	Live     *adagents.Report
	LiveBody []byte
	Next     *adagents.Report
}

// BeforeDeploy returns what is live at the URL of a network's file, and a document that is to take
// its place.
func (s *Service) BeforeDeploy(ctx context.Context, url string, doc []byte, caller Caller) (*Deployment, error) {
	v, err := s.Validate(ctx, ValidateRequest{Content: doc, Caller: caller})
	if err != nil {
		return nil, err
	}
	if v.Report.File == nil {
		return nil, &Error{Kind: Invalid, Code: "rollout_unusable",
			Message: "Buyers could not use this file as that of a network", Hint: "check it first, on the page Check"}
	}
	live, err := s.readFile(ctx, url, caller.name())
	if err != nil {
		return nil, busyOr(err)
	}
	return &Deployment{Live: live.Report, LiveBody: live.Body, Next: v.Report}, nil
}
