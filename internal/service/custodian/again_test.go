package custodian_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// TestAgain: while Again says that a document is the same, it is the one that somebody gets who
// remembers nothing, whatever happens to a publisher, its files, the store and the clock.
func TestAgain(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.config.Remember = time.Hour
	l.restart()
	l.config.Remember = 0 // of those who come later
	random := rand.New(rand.NewPCG(19, 57))
	counts := map[bool]int{}
	for i := range 30 {
		l.goThrough(random, hostname.Domain(fmt.Sprintf("p%d.example", i)), counts)
		l.store.fail(nil, nil)
		l.pass(time.Hour)
	}
	if counts[true] == 0 || counts[false] == 0 {
		t.Errorf("documents were the same again, or not: %v", counts)
	}
}

// goThrough has things happen to a new publisher, and counts how often its document was the same.
func (l *lab) goThrough(random *rand.Rand, domain hostname.Domain, counts map[bool]int) {
	l.Helper()
	own := "https://" + string(domain) + "/.well-known/adagents.json"
	lookAt := func(domain hostname.Domain) {
		// That the store does not take what was found is no failure.
		_, _ = l.k.Refresh(l.Context(), domain, custodian.RefreshOptions{Force: random.IntN(2) == 0})
	}
	look := func() { lookAt(domain) }
	text := func(revoked ...string) page {
		return tagged(fileFor(string(domain), "v", l.clock().Sub(begin), revoked...))
	}
	happens := []func(){
		func() {},
		func() { l.pass(time.Duration(random.IntN(3600)) * time.Second) },
		func() { l.pass(time.Duration(random.IntN(30*3600)) * time.Second) },
		func() { l.pass(-time.Duration(random.IntN(600)) * time.Second) },
		func() { l.web.set(own, text([]string{"other.example", string(domain)}[:random.IntN(3)]...)); look() },
		func() { l.web.set(network, text()); l.web.set(own, pointer(network)); look() },
		func() { // another publisher is looked at, which may share the file
			l.pass(time.Minute)
			l.web.set(network, text())
			l.web.set("https://other.example/.well-known/adagents.json", pointer(network))
			lookAt("other.example")
		},
		func() { l.web.set(own, page{status: 503}); look() },
		func() { l.web.set(own, page{status: 404}); look() },
		func() { l.store.fail(errDisk, nil); look() },
		func() { l.store.fail(nil, nil); look() },
	}
	l.web.set(own, text())
	if random.IntN(2) == 0 {
		l.web.set(network, text())
		l.web.set(own, pointer(network))
	}
	look()
	for range 6 {
		doc, state, fresh := l.k.Fresh(l.Context(), domain)
		if !fresh {
			return
		}
		g, ok := state.Ground()
		happens[random.IntN(len(happens))]()
		now, same := l.k.Again(l.Context(), g)
		counts[same]++
		if !same {
			continue
		}
		other, truth, fresh := l.keeper().Fresh(l.Context(), domain)
		if !ok || !fresh || !reflect.DeepEqual(bare(doc), bare(other)) || now.FreshUntil() != truth.FreshUntil() {
			l.Fatalf("%v %v: the document is\n%+v\nand not\n%+v", ok, fresh, other, doc)
		}
	}
}

// bare is a document without its file, which is that of its hash.
func bare(d *resolve.Document) resolve.Document {
	copied := *d
	copied.File, copied.Prepared = nil, nil
	return copied
}
