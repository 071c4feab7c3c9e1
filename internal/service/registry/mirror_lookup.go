package registry

import (
	"context"
	"sync"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/websource"
	"github.com/avow-project/avow/resolve"
)

// mirrorIndexTime is how long it may take until a lookup knows of a mirror that another
// process has published.
const mirrorIndexTime = 10 * time.Second

// withMirrors returns what gives the files of publishers the mirrors of the service.
func (s *Service) withMirrors() resolve.Source {
	source, err := websource.WithMirrors(ownDocuments{s}, keeperFinder{s}, websource.MirrorConfig{
		Local: s.localMirror, Discover: discover.Options{MaxFindings: maxFindings}, Timeout: s.limits.call, Now: s.config.Now,
	})
	if err != nil {
		panic(err) // there is no URL in the configuration
	}
	return source
}

// A mirrorIndex knows which mirror describes a publisher. The zero value is ready for
// use.
type mirrorIndex struct {
	mu       sync.Mutex
	at       time.Time
	byDomain map[hostname.Domain]*Mirror // nil when it has to be read
}

// forget makes the next lookup read which mirrors there are.
func (x *mirrorIndex) forget() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.byDomain = nil
}

// known reports whether it need not be read which mirrors there are. The lock is held.
func (x *mirrorIndex) known(now time.Time) bool {
	age := now.Sub(x.at)
	return x.byDomain != nil && age >= 0 && age < mirrorIndexTime
}

// get returns the mirror of a publisher, nil for none, and false if it has to be read which there
// are.
func (x *mirrorIndex) get(publisher hostname.Domain, now time.Time) (*Mirror, bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.known(now) {
		return nil, false
	}
	return x.byDomain[publisher], true
}

// localMirror returns the mirror that has properties of a publisher, nil for none. Of
// several the first in the order of their platforms is taken that is not superseded. A
// store that fails leaves an answer without a mirror.
func (s *Service) localMirror(ctx context.Context, publisher string) (*websource.LocalMirror, error) {
	m, err := s.mirrorFor(ctx, hostname.Domain(publisher))
	if err != nil && ctx.Err() == nil {
		s.config.Log.ErrorContext(ctx, "cannot read which mirrors there are", "error", err)
		return nil, nil
	}
	if m == nil {
		return nil, ctx.Err()
	}
	return &websource.LocalMirror{
		URL: s.config.BaseURL + MirrorPath(m.Platform), SHA256: string(m.Document), At: m.UpdatedAt,
		Body: func(ctx context.Context) ([]byte, error) { return s.config.Store.Document(ctx, m.Document) },
	}, nil
}

// mirrorFor finds the mirror of a publisher.
func (s *Service) mirrorFor(ctx context.Context, publisher hostname.Domain) (*Mirror, error) {
	x := &s.mirrorIndex
	x.mu.Lock()
	defer x.mu.Unlock()
	now := s.config.Now()
	if x.known(now) {
		return x.byDomain[publisher], nil
	}
	found := map[hostname.Domain]*Mirror{}
	for offset := 0; ; offset += mirrorPage {
		list, _, err := s.config.Store.Mirrors(ctx, mirrorPage, offset)
		if err != nil {
			return nil, err
		}
		for i := range list {
			for _, domain := range list[i].PublisherDomains {
				if other := found[domain]; other == nil || other.SupersededBy != "" && list[i].SupersededBy == "" {
					found[domain] = &list[i]
				}
			}
		}
		if len(list) < mirrorPage {
			break
		}
	}
	x.byDomain, x.at = found, now
	return found[publisher], nil
}
