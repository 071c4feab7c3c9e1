package registry

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"
)

// maxUnsaved is the number of sightings that are remembered because they could not be
// stored.
const maxUnsaved = 10_000

// unsaved are the domains for which the store has something older than what is known.
// It is not used for them: a publisher may have taken an authorization back.
type unsaved struct {
	mu       sync.Mutex
	byDomain map[string]*Sighting
	// before is when there were too many of them to remember. Nothing is used that was
	// stored about a time before.
	before time.Time
}

func (u *unsaved) add(g *Sighting) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.byDomain == nil {
		u.byDomain = map[string]*Sighting{}
	}
	if len(u.byDomain) >= maxUnsaved && u.byDomain[g.Domain] == nil {
		if g.CheckedAt.After(u.before) {
			u.before = g.CheckedAt
		}
		return
	}
	u.byDomain[g.Domain] = g
}

// remove forgets a domain whose sighting was stored, unless a newer one was not.
func (u *unsaved) remove(g *Sighting) {
	u.mu.Lock()
	defer u.mu.Unlock()
	old := u.byDomain[g.Domain]
	if old != nil && !old.CheckedAt.After(g.CheckedAt) {
		delete(u.byDomain, g.Domain)
	}
}

// overtook reports whether a stored sighting must not be used.
func (u *unsaved) overtook(g *Sighting) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.byDomain[g.Domain] != nil || !g.CheckedAt.After(u.before)
}

// all returns the sightings that were not stored.
func (u *unsaved) all() []*Sighting {
	u.mu.Lock()
	defer u.mu.Unlock()
	return slices.Collect(maps.Values(u.byDomain))
}

// settle tells the store about the sightings it could not take before, so that what it
// has instead is not used after the next start either. They are stored as outdated:
// the documents are not at hand any more.
func (s *Service) settle(ctx context.Context) error {
	for _, g := range s.unsaved.all() {
		outdated := *g
		outdated.FreshUntil, outdated.Body, outdated.Pointer = g.CheckedAt, "", ""
		err := s.config.Store.PutSighting(ctx, &outdated)
		if err != nil {
			return err
		}
		s.unsaved.remove(g)
	}
	return nil
}
