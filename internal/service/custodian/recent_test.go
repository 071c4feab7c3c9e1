package custodian_test

import (
	"sync"
	"testing"
	"time"
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
