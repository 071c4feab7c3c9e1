package registry

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/service/budget"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/std/hostname"
)

const (
	// reuseTime is how long an answer about a domain is used again, also when it is
	// that no server could be reached.
	reuseTime = time.Minute
	// refreshTime is how often a caller is given a new answer about a domain. A caller's
	// first request is granted at once: the author of a change wants to see it, and how
	// often a site is asked is limited besides.
	refreshTime = 30 * time.Second
	// maxScopes and longestScope limit the scopes of a check.
	maxScopes    = 32
	longestScope = 128
)

// Validate checks the file that speaks for a domain, or the document that the request
// carries. It answers within ten seconds with whatever is known by then. An invalid
// domain gets an answer that says so.
func (s *Service) Validate(ctx context.Context, r ValidateRequest) (*Validation, error) {
	err := checkScopes(r.Scopes)
	if err != nil {
		return nil, err
	}
	if r.Content != nil {
		return s.validateContent(ctx, &r)
	}
	if strings.TrimSpace(r.Domain) == "" {
		return nil, &Error{Kind: Invalid, Code: "domain_required", Message: "Domain is required",
			Hint: "give a domain such as example.com"}
	}
	domain, err := custodian.ParseDomain(r.Domain)
	var input *discover.InputError
	if errors.As(err, &input) {
		return &Validation{Domain: r.Domain, Input: input, CheckedAt: s.moment(), Complete: true}, nil
	}
	err = s.refuseOptedOut(domain)
	if err != nil {
		return nil, err
	}
	l := s.lookingFor(domain, &r)
	c, cached := s.checks.last(domain, l.reuse), true
	if c == nil && r.Known {
		return nil, &Error{Kind: NotFound, Code: "not_checked", Message: "This domain was not checked of late",
			Hint: "have it checked first"}
	}
	if c != nil && r.plain() && !r.CheckAgents {
		err = holdFor(ctx, c)
	} else { // others may have to be asked or waited for
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(asking(budgetFor(ctx, r.Caller)), s.limits.call+s.limits.grace)
		defer cancel()
		c, cached, err = s.look(ctx, domain, l)
	}
	if err != nil {
		return nil, busyOr(err)
	}
	s.config.ObserveCache("validation", cached)
	return s.validationOf(ctx, c, cached, &r)
}

func checkScopes(scopes []string) error {
	long := func(scope string) bool { return len(scope) > longestScope }
	if len(scopes) > maxScopes || slices.ContainsFunc(scopes, long) {
		return &Error{Kind: Invalid, Code: "too_many_scopes", Message: "There are too many scopes",
			Hint: "name 32 tasks at most"}
	}
	return nil
}

// lookingFor says how old an answer may be.
func (s *Service) lookingFor(domain hostname.Domain, r *ValidateRequest) looking {
	switch {
	case !r.Refresh:
		return looking{reuse: reuseTime}
	case r.Caller.Key != nil || s.refreshes.take(refreshKey{r.Caller.Client, domain}, s.config.Now()):
		return looking{fresh: true}
	}
	return looking{reuse: refreshTime, fresh: true}
}

// busyOr turns the end of the time for a call into an error that says so.
func busyOr(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return Soon("timeout", "The domain could not be looked at in time")
	}
	return err
}

// validateContent checks a document at hand. Nothing is sent, and nothing kept.
func (s *Service) validateContent(ctx context.Context, r *ValidateRequest) (*Validation, error) {
	opt := adagents.Options{Profile: r.Profile, Now: s.config.Now(), Scopes: r.Scopes, MaxFindings: maxFindings,
		Fixes: len(r.Content) <= FixesUpTo}
	if r.Domain != "" {
		domain, err := custodian.ParseDomain(r.Domain)
		var input *discover.InputError
		if errors.As(err, &input) {
			return nil, &Error{Kind: Invalid, Code: "invalid_domain", Message: "Invalid domain: " + input.Message,
				Hint: input.Hint}
		}
		opt.Domain = string(domain)
	}
	leave, err := s.reserveContent(ctx, r.Content)
	if err != nil {
		return nil, busyOr(err)
	}
	defer leave()
	return &Validation{
		Domain: opt.Domain, Report: adagents.Check(r.Content, opt), Body: r.Content, CheckedAt: micro(opt.Now),
		Complete: true,
	}, nil
}

// validationOf shows what is known about a domain. What is made of an answer without wishes
// of the caller is made once, see Encoded.
func (s *Service) validationOf(ctx context.Context, c *checked, cached bool, r *ValidateRequest) (*Validation, error) {
	plain := r.plain()
	v := &Validation{
		Domain: c.discovery.Domain, Discovery: c.discovery, CheckedAt: micro(c.discovery.At), FreshUntil: c.freshUntil,
		Cached: cached, Complete: c.complete, memo: &c.memo,
	}
	if !plain {
		d, err := s.recheck(ctx, c.discovery, r.Profile, r.Scopes)
		if err != nil {
			return nil, busyOr(err)
		}
		v.Discovery, v.judged = d, true
	}
	v.Report, v.Body = v.Discovery.Report, v.Discovery.Body
	final := true
	if r.CheckBrand {
		v.Operators = s.compareOperators(ctx, c)
	}
	if r.CheckAgents {
		var p *probe
		p, final = s.probeOnce(ctx, c)
		v.Agents, v.Complete = p.checks, v.Complete && p.complete()
	}
	v.shared = plain && final
	return v, nil
}

// plain reports whether a request has no wishes of its own about the check.
func (r *ValidateRequest) plain() bool {
	return r.Profile == adagents.Default && len(r.Scopes) == 0 && !r.CheckBrand
}

// recheck judges the documents of a discovery again, as the caller wishes. Who speaks
// for the publisher does not depend on that, so nothing has to be asked again.
func (s *Service) recheck(ctx context.Context, d *discover.Discovery, p adagents.Profile,
	scopes []string) (*discover.Discovery, error) {
	size := len(d.Body) + len(d.PointerBody)
	if size > weighedFrom {
		err := budget.Need(ctx, "check", checkFactor*int64(size)) // until the answer is written
		if err != nil {
			return nil, errNoMemory
		}
	}
	leave, err := s.reserveCheck(ctx, budget.ClientOf(ctx), size)
	if err != nil {
		return nil, err
	}
	defer leave()
	return judgeAgain(d, p, scopes), nil
}

// judgeAgain is recheck without its reservation.
func judgeAgain(d *discover.Discovery, p adagents.Profile, scopes []string) *discover.Discovery {
	out := *d
	out.Trail = slices.Clone(d.Trail)
	for i := range out.Trail {
		h := &out.Trail[i]
		if h.Report == nil {
			continue
		}
		again := adagents.Check(h.Result.Body, adagents.Options{
			Profile: p, Now: d.At, Domain: d.Domain, URL: h.Result.URL, Role: roleOf(h.Step), Scopes: scopes,
			MaxFindings: maxFindings,
			Fixes:       len(h.Result.Body) <= FixesUpTo,
		})
		switch h.Report {
		case d.Report:
			out.Report = again
		case d.Pointer:
			out.Pointer = again
		}
		h.Report = again
	}
	return &out
}
