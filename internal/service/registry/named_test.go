package registry_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/registry"
)

// naming is a file of a manager that names publishers.
func naming(domains ...string) string {
	return fileOf("", entry("https://agent.example/mcp", "publisher_properties",
		`"publisher_properties": [{"publisher_domains": ["`+strings.Join(domains, `", "`)+`"], "selection_type": "all"}]`))
}

// askedFor returns how often a URL was asked for.
func (l *fileLab) askedFor(url string) int {
	n := 0
	for _, r := range l.web.Requests() {
		if r.URL == url {
			n++
		}
	}
	return n
}

// The publishers that a file names are looked at, and what they have leads nowhere else.
func TestNamedPublishers(t *testing.T) {
	t.Parallel()
	l := newFileLab(t,
		wellKnown("manager.example"), served(naming("one.example", "two.example", "none.example", "manager.example", "not a name", "127.0.0.1")),
		wellKnown("one.example"), pointerTo(wellKnown("manager.example")),
		wellKnown("two.example"), served(naming("further.example")),
		wellKnown("further.example"), served(simple("further.example")))
	_, err := l.Custody(t.Context(), "manager.example", true)
	if err != nil {
		t.Fatal(err)
	}
	plan := func(want int) {
		t.Helper()
		n, err := l.PlanNames()
		if err != nil || n != want {
			t.Fatalf("%d names, %v; want %d", n, err, want)
		}
		err = l.WatchOnce(t.Context())
		if err != nil {
			t.Fatal(err)
		}
	}
	plan(3)
	for domain, want := range map[string]string{"one.example": "usable", "two.example": "usable", "none.example": "unreachable"} {
		s, err := l.Custody(t.Context(), domain, false)
		if err != nil || s.Served.String() != want || s.Publisher.TriedAt.IsZero() {
			t.Errorf("%s: %+v, %v", domain, s, err)
		}
	}
	// They are guests: what they name is nobody's business, and they are not looked at again.
	before := l.asked()
	plan(0)
	if n := l.asked() - before; n != 0 {
		t.Errorf("%d requests for what is known", n)
	}
	if n := l.askedFor(wellKnown("further.example")); n != 0 {
		t.Errorf("further.example was asked %d times", n)
	}
	// Those with a file are followed.
	l.later(8 * 24 * time.Hour)
	before = l.askedFor(wellKnown("two.example"))
	plan(0)
	if l.askedFor(wellKnown("two.example")) == before {
		t.Error("two.example is not looked at any more")
	}
}

// A file that names very many adds some at a time, no more than there may be guests, and
// nobody who has opted out.
func TestNamedPublishersWithinBounds(t *testing.T) {
	t.Parallel()
	var many []string
	for i := range 100_000 {
		many = append(many, fmt.Sprintf("n%d.example", i))
	}
	l := newFileLab(t, wellKnown("hostile.example"), served(naming(many...)), wellKnown("honest.example"), served(naming("one.example", "two.example", "below.out.example")))
	l.optOut, l.limits.Budget = []string{"out.example"}, 320_000_000
	l.restart(t)
	for _, domain := range []string{"hostile.example", "honest.example"} {
		_, err := l.Custody(t.Context(), domain, true)
		if err != nil {
			t.Fatal(err)
		}
	}
	n, err := l.PlanNames()
	if err != nil || n != registry.NamesOfFile+2 {
		t.Fatalf("%d names, %v", n, err)
	}
	for range 10 {
		_, err := l.PlanNames()
		if err != nil {
			t.Fatal(err)
		}
	}
	n, err = l.store.Custody().NamedWaiting(t.Context(), 1_000_000)
	if err != nil || n != int(l.limits.OfGuests().Names) {
		t.Fatalf("%d names wait, %v", n, err)
	}
}
