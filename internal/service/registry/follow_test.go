package registry_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/service/registry"
)

// stepWords are a step in a few words.
func stepWords(h discover.Hop) string {
	if h.Result == nil {
		return h.URL
	}
	return fmt.Sprintf("%s: %d, %d bytes kept", h.URL, h.Result.Last().Status, len(h.Result.Body))
}

// TestFollow: those who follow a check see its requests, whether they came before it or after it began,
// and make none.
func TestFollow(t *testing.T) {
	t.Parallel()
	const target = "https://cdn.example/pub.json"
	l := newFileLab(t, wellKnown("pub.example"), pointerTo(target), target, served(simple("pub.example")))
	release := l.hold()
	early, late := make(chan string, 100), make(chan string, 100)
	var follow sync.WaitGroup
	begin := func(seen chan string) {
		follow.Go(func() {
			err := l.Follow(t.Context(), "Pub.example", func(h discover.Hop) { seen <- stepWords(h) })
			if err != nil {
				t.Error(err)
			}
			close(seen)
		})
	}
	begin(early)
	var check sync.WaitGroup
	check.Go(func() { l.validate(t, registry.ValidateRequest{Domain: "pub.example"}) })
	if got := <-early; got != wellKnown("pub.example") {
		t.Errorf("the first step is %s", got)
	}
	begin(late)
	if got := <-late; got != wellKnown("pub.example") {
		t.Errorf("the first step of one who came later is %s", got)
	}
	gone, leave := context.WithCancel(t.Context())
	err := l.Follow(gone, "pub.example", func(discover.Hop) { leave() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("one who went away: %v", err)
	}
	release()
	follow.Wait()
	check.Wait()
	want := []string{wellKnown("pub.example") + ": 200, 0 bytes kept", target, target + ": 200, 0 bytes kept"}
	for _, seen := range []chan string{early, late} {
		var got []string
		for step := range seen {
			got = append(got, step)
		}
		if !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if l.asked() != 2 || l.Following() != 0 {
		t.Errorf("%d requests, and %d are followed", l.asked(), l.Following())
	}
}

// TestFollowNothing: a check that does not begin is not waited for long, and one of a domain that must not
// be asked about not at all.
func TestFollowNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := registry.New(registry.Config{OptOut: []string{"private.example"}})
		defer s.Close()
		began := time.Now()
		err := s.Follow(t.Context(), "pub.example", func(discover.Hop) { t.Error("there is no check") })
		if waited := time.Since(began); err != nil || waited != 5*time.Second {
			t.Errorf("waited %v: %v", waited, err)
		}
		for _, domain := range []string{"private.example", "a b", ""} {
			if s.Follow(t.Context(), domain, nil) == nil {
				t.Errorf("%q is followed", domain)
			}
		}
		if s.Following() != 0 {
			t.Errorf("%d are followed", s.Following())
		}
	})
}

// TestFollowEnds: the end of the service is the end of those who follow.
func TestFollowEnds(t *testing.T) {
	t.Parallel()
	l := newFileLab(t)
	ended := make(chan error)
	go func() { ended <- l.Follow(t.Context(), "pub.example", nil) }()
	for l.Following() == 0 {
		runtime.Gosched()
	}
	l.Close()
	err := <-ended
	if err == nil {
		t.Error("the service has ended")
	}
}
