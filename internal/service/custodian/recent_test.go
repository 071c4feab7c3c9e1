package custodian_test

import (
	"sync"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/custodian"
)

// TestRemember: questions do not read the store while a record is remembered, and notice at
// once what their own keeper commits.
func TestRemember(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.config.Remember = time.Hour
	l.restart()
	l.web.set(pub, tagged(file("v1", 0)))
	l.want("pub.example", "usable v1")
	l.want("pub.example", "usable v1")
	before := l.store.timesRead()
	for range 10 {
		l.want("pub.example", "usable v1")
	}
	if n := l.store.timesRead() - before; n != 0 {
		t.Errorf("the store was read %d times", n)
	}
	l.pass(25 * time.Hour)
	l.web.set(pub, tagged(file("v2", time.Hour)))
	l.want("pub.example", "usable v2")
}

// TestRememberWhileWriting: a record that is read while another is committed is not kept.
func TestRememberWhileWriting(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.config.Remember = time.Hour
	l.restart()
	versions := []string{"v1", "v2", "v3", "v4", "v5", "v6"}
	for i, v := range versions {
		l.web.set(pub, tagged(file(v, time.Duration(i)*25*time.Hour)))
		var wait sync.WaitGroup
		for range 4 {
			wait.Go(func() { _, _ = l.k.Document(t.Context(), "pub.example") })
		}
		wait.Wait()
		l.want("pub.example", "usable "+v)
		l.pass(25 * time.Hour)
	}
}

// TestRememberedAgain: a record that is read again and has not changed is the one that documents
// were made from, and one that another process has changed is not.
func TestRememberedAgain(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, pointer(network))
	l.web.set(network, tagged(file("v1", 0)))
	l.want("pub.example", "usable v1")
	other := l.k
	l.k = l.keeper()
	l.k.ReadAgain()
	_, state, fresh := l.k.Fresh(t.Context(), "pub.example")
	if !fresh {
		t.Fatal("the file is not fresh")
	}
	g, _ := state.Ground()
	again := func(want bool) {
		t.Helper()
		before := l.store.timesRead()
		_, same := l.k.Again(t.Context(), g)
		if same != want || l.store.timesRead() == before {
			t.Errorf("the same: %v, want %v, after %d reads", same, want, l.store.timesRead()-before)
		}
	}
	again(true)
	again(true)
	l.web.set(network, tagged(file("v2", time.Minute)))
	l.pass(2 * time.Hour)
	again(true)
	_, err := other.Refresh(t.Context(), "pub.example", custodian.RefreshOptions{Force: true})
	if err != nil {
		t.Fatal(err)
	}
	again(false)
	l.want("pub.example", "usable v2")
}

// TestRememberShared: where others write to the same store, what they have changed is noticed by
// the next question, and nothing else is read again.
func TestRememberShared(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, pointer(network))
	l.web.set(network, tagged(file("v1", 0)))
	l.want("pub.example", "usable v1")
	other := l.k
	l.config.Remember, l.store.shared = time.Hour, true
	l.k = l.keeper()
	l.want("pub.example", "usable v1")
	before := l.store.timesRead()
	var wait sync.WaitGroup
	for range 20 {
		wait.Go(func() {
			_, _, fresh := l.k.Fresh(t.Context(), "pub.example")
			if !fresh {
				t.Error("the file is not fresh")
			}
		})
	}
	wait.Wait()
	if n := l.store.timesRead() - before; n != 0 {
		t.Errorf("the store was read %d times", n)
	}
	_, state, _ := l.k.Fresh(t.Context(), "pub.example")
	g, _ := state.Ground()
	if _, same := l.k.Again(t.Context(), g); !same {
		t.Error("nothing has changed, and the answer is not given again")
	}
	l.web.set(network, tagged(file("v2", time.Minute)))
	l.pass(2 * time.Hour)
	look := func() {
		t.Helper()
		_, err := other.Refresh(t.Context(), "pub.example", custodian.RefreshOptions{Force: true})
		if err != nil {
			t.Fatal(err)
		}
	}
	look()
	if _, same := l.k.Again(t.Context(), g); same {
		t.Error("an answer is given again after another process has changed what it rests on")
	}
	l.want("pub.example", "usable v2")
	l.web.set(pub, tagged(file("own", 2*time.Minute)))
	l.pass(time.Minute)
	look()
	state, err := l.k.State(t.Context(), "pub.example")
	if err != nil || state.Publisher.Move == nil {
		t.Errorf("the publisher moves, which another process has seen, and the record says %+v, %v", state, err)
	}
}
