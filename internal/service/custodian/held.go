package custodian

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/flight"
	"github.com/avow-project/avow/internal/std/hostname"
)

// maxHeldBytes bounds the lists of held revocations in memory, by estimate. The one that
// was used last stays however large it is.
const maxHeldBytes = 32_000_000

// A heldList has the domains that a revision of a file's record holds revoked although the
// file does not list them any more. It is right from one time until another.
type heldList struct {
	revision    int64
	from, until time.Time
	domains     []string
}

// heldLists are those that were asked for, by URL. A file may list a million domains, and
// all of them are read to know the few that it does not list any more: that is not done
// with every question. Documents share the lists.
type heldLists struct {
	kept  *flight.Cache[string, *heldList]
	reads flight.Group[string, *heldList]
}

func newHeldLists() *heldLists {
	return &heldLists{kept: flight.NewCache(flight.Limits[string, *heldList]{Name: "revocations", Weight: maxHeldBytes})}
}

// get returns the list of a URL if it is that of a revision and a moment.
func (h *heldLists) get(url string, revision int64, at custody.Moment) *heldList {
	l, _ := h.kept.Get(url)
	if l == nil || l.revision != revision || at.Certain().Before(l.from) || !at.Certain().Before(l.until) {
		return nil
	}
	return l
}

// put keeps a list. Where the domains are the same as before, documents go on sharing them.
func (h *heldLists) put(url string, l *heldList) {
	old, _ := h.kept.Get(url)
	if old != nil && slices.Equal(old.domains, l.domains) {
		l.domains = old.domains
	}
	weight := 200 + len(url)
	for _, domain := range l.domains {
		weight += 16 + len(domain)
	}
	h.kept.Put(url, l, weight)
}

// brief returns the record of a URL without its revocations, a new one when there is none,
// and its revision.
func (k *Keeper) brief(ctx context.Context, url string) (*custody.File, int64, error) {
	f, revision, err := k.config.Store.Brief(ctx, url)
	switch {
	case errors.Is(err, ErrNotFound):
		return &custody.File{URL: url}, 0, nil
	case err != nil:
		return nil, 0, unavailable(ctx, err)
	}
	return f, revision, nil
}

// readFile reads the record of a URL without its revocations, and its revision.
type readFile func(ctx context.Context, url string) (*custody.File, int64, error)

// fileAndHeld returns the record of a URL without its revocations, and the domains that it
// holds revoked. Both are of one revision: a domain that one of them has not yet and the
// other one not any more would be free.
func (k *Keeper) fileAndHeld(ctx context.Context, read readFile, url string, at custody.Moment) (*custody.File, []string, error) {
	for range maxTries {
		f, revision, err := read(ctx, url)
		if err != nil || revision == 0 {
			return f, nil, err
		}
		l := k.held.get(url, revision, at)
		if l == nil {
			l, err = k.readHeld(ctx, url, revision, at)
		}
		if err != nil {
			return nil, nil, err
		}
		if l.revision == revision {
			return f, l.domains, nil
		}
		read = k.brief // the other one is of a moment ago
	}
	return nil, nil, fmt.Errorf("%w: the record of %s changes all the time", ErrUnavailable, url)
}

// readHeld reads a list from the store, once for all who want it at the same time.
func (k *Keeper) readHeld(ctx context.Context, url string, revision int64, at custody.Moment) (*heldList, error) {
	return k.held.reads.Do(ctx, fmt.Sprint(url, " ", revision), func(ctx context.Context) (*heldList, error) {
		now := at.Certain()
		// A hold that began at this time ends now.
		records, have, err := k.config.Store.Delisted(ctx, url, now.Add(-custody.RevocationHold-time.Second))
		if err != nil {
			return nil, unavailable(ctx, err)
		}
		l := &heldList{revision: have, from: now, until: now.Add(custody.RevocationHold)}
		f := &custody.File{Revocations: records}
		l.domains = f.Held(at)
		for i := range records {
			over := records[i].First.Add(custody.RevocationHold)
			if over.After(now) && over.Before(l.until) {
				l.until = over
			}
		}
		k.held.put(url, l)
		return l, nil
	})
}

// revokes reports whether authority from a file does not apply to a domain. The record
// needs no revocations.
func (k *Keeper) revokes(ctx context.Context, f *custody.File, domain hostname.Domain, at custody.Moment) (bool, error) {
	records, err := k.config.Store.Revocations(ctx, f.URL, domain)
	if err != nil {
		return false, unavailable(ctx, err)
	}
	one := &custody.File{Overflow: f.Overflow, Revocations: records}
	return one.Revokes(domain, at), nil
}
