package monitor_test

import (
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/monitor"
	"github.com/avow-project/avow/internal/translog"
)

// TestAll: with everything followed, every leaf is told, and chains of whomever are checked, also by a process
// that begins anew.
func TestAll(t *testing.T) {
	t.Parallel()
	l := newLog(t)
	l.fill(4, "p")
	w := newWatch(t, l, "p0.example")
	w.All = true
	w.expect(false, "0 1 2 3")
	if got := w.events[1].Domains; len(got) != 1 || got[0] != "p1.example" {
		t.Errorf("it concerns %v", got)
	}
	l.fill(303, "p")
	w.Tell = nil // nothing is left of the process
	again := newWatch(t, l)
	again.All, again.States = true, w.States
	_, told := again.look("a")
	if list := strings.Fields(told); len(list) != 303 || list[0] != "4" || list[302] != "306" {
		t.Errorf("told %q", told)
	}
	w = again
	hidden := absent("p1.example")
	hidden.Previous = &translog.Link{Index: 1, Hash: translog.LeafHash(l.leaves[1])}
	l.add(hidden)
	w.expect(true, "broken 307")
	l.raw([]byte("no leaf\n"))
	l.add(absent("r0.example"))
	w.expect(true, "malformed 309")
	w.expect(false, "")
}

// TestAllLater: what was read before everything was followed is checked then, and told once.
func TestAllLater(t *testing.T) {
	t.Parallel()
	l := newLog(t)
	l.fill(3, "p")
	hidden := absent("p1.example")
	hidden.Previous = &translog.Link{Index: 2, Hash: translog.LeafHash(l.leaves[2])}
	l.add(hidden)
	w := newWatch(t, l, "p0.example")
	w.expect(false, "0")
	w.All = true
	w.expect(true, "broken")
	w.expect(false, "")
	again := newWatch(t, l, "p0.example")
	again.All, again.States = true, w.States
	again.expect(false, "")
}

// located is a leaf about a publisher that a file speaks for.
func located(domain, file string) translog.Leaf {
	return translog.Leaf{Kind: "publisher.located", Subject: translog.Publisher(domain), Place: translog.Place{Method: "authoritative_location", File: translog.File(file).Name}}
}

// TestNewest: the newest leaves about a domain and its file are shown, also those that were read before the
// domain was watched or the file spoke for it.
func TestNewest(t *testing.T) {
	t.Parallel()
	const network = "https://network.example/files.json"
	l := newLog(t)
	l.fill(3, "p")
	l.add(file(network))
	w := newWatch(t, l, "a.example")
	about := func(domain string, want monitor.About) {
		t.Helper()
		got, ok := w.States[origin].About(domain)
		if !ok || got != want {
			t.Errorf("%s: %+v %t, want %+v", domain, got, ok, want)
		}
	}
	w.expect(false, "")
	about("a.example", monitor.About{Size: 4, Publisher: -1, File: -1})
	l.fill(600, "p")
	l.add(located("a.example", network))
	w.expect(false, "604")
	about("a.example", monitor.About{Size: 605, Publisher: 604, File: 3})
	asked := len(l.asked)
	w.expect(false, "")
	about("a.example", monitor.About{Size: 605, Publisher: 604, File: 3})
	if len(l.asked) != asked+1 {
		t.Errorf("what is known was asked for again: %v", l.asked[asked:])
	}
	w.Domains = []string{"a.example", "b.example", "p1.example"}
	l.add(absent("a.example"))
	w.expect(false, "605")
	about("a.example", monitor.About{Size: 606, Publisher: 605, File: -1})
	about("b.example", monitor.About{Size: 606, Publisher: -1, File: -1})
	about("p1.example", monitor.About{Size: 606, Publisher: 599, File: -1})
	_, ok := w.States[origin].About("c.example")
	if ok {
		t.Error("a domain that is not watched is shown")
	}
	l.add(absent("b.example"))
	l.add(absent("p1.example"))
	w.expect(false, "606 607")
	about("b.example", monitor.About{Size: 608, Publisher: 606, File: -1})
}
