package custodian_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
)

// counting counts how often all revocations of a file are read. After meanwhile is called,
// a list of what is held belongs to a later record than the one that was read before.
type counting struct {
	custodian.Store
	whole     atomic.Int64
	meanwhile func()
}

func (s *counting) File(ctx context.Context, url string) (*custody.File, error) {
	s.whole.Add(1)
	return s.Store.File(ctx, url)
}

func (s *counting) Delisted(ctx context.Context, url string, after time.Time) ([]custody.Revocation, int64, error) {
	s.whole.Add(1)
	if do := s.meanwhile; do != nil {
		s.meanwhile = nil
		do()
	}
	return s.Store.Delisted(ctx, url, after)
}

// count makes the lab count.
func (l *lab) count() *counting {
	c := &counting{Store: l.store.Store}
	l.store.Store = c
	return c
}

// revoking is a file that revokes very many.
func revoking(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"a%d.co"`, i)
	}
	const entry = `"revoked_at": "2026-02-01T00:00:00Z"}`
	return replace(file("v1", 0, "x.example"), entry, entry+b.String())
}

func TestFreshQuestionReadsNoRevocations(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	c := l.count()
	l.web.set(pub, tagged(revoking(10_000)))
	l.want("pub.example", "usable v1")
	l.want("pub.example", "usable v1")
	before := c.whole.Load()
	for range 10 {
		l.want("pub.example", "usable v1")
	}
	if n := c.whole.Load() - before; n != 0 {
		t.Errorf("all revocations were read %d times", n)
	}
	_, err := l.k.Holds(t.Context())
	if err != nil || c.whole.Load() != before {
		t.Errorf("a list of holds: %v", err)
	}
}

// A list of what is held is used for as long as it is right, and not longer.
func TestHeldListEnds(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	c := l.count()
	l.web.set(pub, lasting(24*time.Hour, tagged(file("v1", 0, "a.example", "b.example"))))
	l.want("pub.example", "usable v1")
	l.pass(24 * time.Hour)
	l.web.set(pub, lasting(24*time.Hour, tagged(file("v2", 24*time.Hour, "b.example"))))
	l.want("pub.example", "usable v2 held a.example")
	l.pass(5*24*time.Hour + 12*time.Hour)
	l.web.set(pub, lasting(24*time.Hour, tagged(file("v3", 48*time.Hour))))
	l.want("pub.example", "usable v3 held a.example b.example")
	before := c.whole.Load()
	l.pass(12*time.Hour - time.Second)
	l.want("pub.example", "usable v3 held a.example b.example")
	if n := c.whole.Load() - before; n != 0 {
		t.Errorf("all revocations were read %d times", n)
	}
	l.pass(time.Second)
	l.want("pub.example", "usable v3")
	l.pass(-time.Second)
	l.want("pub.example", "usable v3 held a.example b.example")
}

// The record and the list of what is held belong together: a domain that the version does
// not list yet, and that is not held any more because a later one lists it again, is not
// free in between.
func TestHeldListOfAnotherRevision(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	other := l.keeper()
	c := l.count()
	l.web.set(pub, tagged(file("v1", 0, "a.example")))
	l.want("pub.example", "usable v1")
	l.pass(24 * time.Hour)
	l.web.set(pub, tagged(file("v2", time.Hour)))
	l.refresh()
	c.meanwhile = func() {
		l.web.set(pub, tagged(file("v3", 2*time.Hour, "a.example")))
		l.pass(time.Minute)
		_, err := other.Refresh(t.Context(), "pub.example", custodian.RefreshOptions{})
		if err != nil {
			t.Error(err)
		}
	}
	l.k = l.keeper()
	l.want("pub.example", "usable v3")
	if c.meanwhile != nil {
		t.Error("nothing happened meanwhile")
	}
}

// Who verifies signatures is told of revocations that the file has, and of those held.
func TestPinsAreRevoked(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	for i, list := range [][]string{{"pub.example"}, {}} {
		l.web.set(pub, tagged(file(fmt.Sprint("v", i), time.Duration(i)*time.Minute, list...)))
		l.pass(time.Hour)
		l.refresh()
		doc, err := l.k.Pins(t.Context(), "pub.example")
		if err != nil || !doc.Revoked {
			t.Errorf("version %d: %+v, %v", i, doc, err)
		}
	}
}
