package registry

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// Document returns the file that speaks for a publisher, whose domain is in canonical
// form, as custody has it: from the records as long as they are fresh, and else from the
// web, with its mirror where the publisher has no formats. It implements resolve.Source.
func (s *Service) Document(ctx context.Context, publisher string) (*resolve.Document, error) {
	return s.mirrored.Document(ctx, publisher)
}

// ownDocuments are the files of publishers without their mirrors.
type ownDocuments struct{ service *Service }

// Document implements resolve.Source.
func (o ownDocuments) Document(ctx context.Context, publisher string) (*resolve.Document, error) {
	s := o.service
	if s.keeper == nil {
		return nil, errNoCustody
	}
	domain := hostname.Domain(publisher)
	if s.hasOptedOut(domain) {
		// A question may be about many publishers, and the others are to be answered.
		return &resolve.Document{Publisher: publisher, State: resolve.Unreachable, FetchedAt: s.moment(),
			Detail: optedOut(domain).Message}, nil
	}
	ctx = asking(budgeted(ctx))
	doc, err := s.keeper.Document(ctx, publisher)
	if errors.Is(err, custodian.ErrNotAdmitted) {
		return s.unkept(ctx, domain)
	}
	if err != nil {
		return nil, StoreTrouble(err)
	}
	return doc, nil
}

// errNoCustody is for a service that was made for its keys alone.
var errNoCustody = errors.New("this service has no records of custody")

// StoreTrouble tells the caller that the store fails, and only the log how.
func StoreTrouble(err error) error {
	if !errors.Is(err, custodian.ErrUnavailable) {
		return err
	}
	if errors.Is(err, ErrReadOnly) {
		return fmt.Errorf("%w: %w", ReadOnly, err)
	}
	return fmt.Errorf("%w: %w", Soon("store_unavailable", "The registry cannot reach its store"), err)
}

// keeperFinder asks the web for the keeper, within the limits of the service.
type keeperFinder struct{ service *Service }

// Domain implements custodian.Finder.
func (f keeperFinder) Domain(ctx context.Context, domain string, o discover.Options) (*discover.Discovery, error) {
	return f.ask(ctx, domain, o, func(ctx context.Context, o discover.Options) (*discover.Discovery, error) {
		return f.service.config.Finder.Domain(ctx, domain, o)
	})
}

// Location implements custodian.Finder.
func (f keeperFinder) Location(ctx context.Context, domain string, at discover.Place,
	o discover.Options) (*discover.Discovery, error) {
	return f.ask(ctx, at.URL, o, func(ctx context.Context, o discover.Options) (*discover.Discovery, error) {
		return f.service.config.Finder.Location(ctx, domain, at, o)
	})
}

// ask makes one question when it has its turn. A fault in the program that one document
// brings to light must not end the service.
func (f keeperFinder) ask(ctx context.Context, about string, o discover.Options,
	question func(context.Context, discover.Options) (*discover.Discovery, error)) (*discover.Discovery, error) {
	r, end := f.service.reservationOf(ctx)
	defer end()
	o.MaxFindings, o.Check = maxFindings, r.check
	if ctx.Value(reservedKey) == nil {
		o.Large = r.enter
	}
	leave, err := f.service.admit(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	var d *discover.Discovery
	err = withoutPanic(about, func() error {
		var err error
		d, err = question(ctx, o)
		return cmp.Or(err, r.err)
	})
	return d, err
}

// withoutPanic turns a fault in the program into an error.
func withoutPanic(about string, work func() error) (err error) {
	defer func() {
		fault := recover()
		if fault != nil {
			err = fmt.Errorf("looking at %s: panic: %v", about, fault)
		}
	}()
	return work()
}

// notice makes the keeper's results known to those who ask for a check.
func (s *Service) notice(ctx context.Context, d *discover.Discovery) {
	if d.Answer == discover.Unchanged {
		return
	}
	c := s.checkedOf(d, complete(ctx, d))
	if !c.complete || !c.worthKeeping() {
		return
	}
	s.remember(c)
}

// remember keeps an answer that no caller waits for here, if there is memory for it.
func (s *Service) remember(c *checked) {
	if c.size() > weighedFrom {
		c.share = s.takeNow("", c.weigh())
		if c.share == nil {
			return
		}
		c.memo.share = c.share
		defer c.share.Leave("")
	}
	s.checks.keep(c)
}

// prepare returns what custody is to be given of a check; nil for nothing. What was not
// carried out to the end says nothing.
func (s *Service) prepare(ctx context.Context, c *checked) *custodian.Keeping {
	if !c.complete || !c.worthKeeping() {
		return nil
	}
	return s.keeper.Prepare(ctx, c.discovery)
}

// ingest gives custody the result of a check.
func (s *Service) ingest(ctx context.Context, c *checked, k *custodian.Keeping) {
	err := k.Keep(ctx)
	if err != nil && !errors.Is(err, custodian.ErrNotAdmitted) {
		s.config.Log.ErrorContext(ctx, "cannot keep what was found", "domain", c.discovery.Domain, "error", err)
	}
}
