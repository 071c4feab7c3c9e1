package custodian_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/retain"
)

// naming is a file that names another in its place.
func naming(body, successor string) string {
	return strings.Replace(body, "{", `{"superseded_by": "`+successor+`", `, 1)
}

// roles returns those of the documents that led to the answer.
func (l *lab) roles(publisher string) string {
	l.Helper()
	var out []string
	for _, e := range l.document(publisher).Route {
		out = append(out, e.Role+" "+e.URL)
	}
	return strings.Join(out, ", ")
}

// replaced compares whether the answer is from a file that authorizes nobody.
func (l *lab) replaced(publisher string, want bool) {
	l.Helper()
	if d := l.document(publisher); d.Replaced != want {
		l.Fatalf("%s at %s: replaced is %t", publisher, l.clock().Sub(begin), d.Replaced)
	}
}

func TestSuccessorAtFirstSight(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ first, roles string }{
		"own file":       {pub, "replaced " + pub},
		"behind pointer": {network, "pointer " + pub + ", replaced " + network},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			if tc.first != pub {
				l.web.set(pub, pointer(tc.first))
			}
			l.web.set(tc.first, tagged(naming(file("old", 0), second)))
			l.web.set(second, tagged(file("new", time.Minute)))
			l.want("pub.example", "usable new")
			l.has(l.codes(), "publisher.located")
			d := l.document("pub.example")
			if d.URL != second || d.Method != "authoritative_location" || d.Replaced || l.roles("pub.example") != tc.roles {
				t.Errorf("%+v by %s", d, l.roles("pub.example"))
			}
			// The first file is still to be had.
			l.config.IgnoreSuperseded = true
			l.restart()
			l.want("pub.example", "usable old")
			l.replaced("pub.example", false)
			l.config.IgnoreSuperseded = false
			l.restart()
			for range 30 {
				l.pass(time.Hour)
				l.want("pub.example", "usable new")
			}
			if codes := l.codes(); strings.Contains(codes, "move") {
				t.Errorf("%s", codes)
			}
			past, _, err := l.k.DocumentAt(t.Context(), "pub.example", begin.Add(time.Hour))
			if err != nil || told(past) != "usable new" || past.Method != "authoritative_location" || len(past.Route) == 0 {
				t.Errorf("%v, %+v", err, past)
			}
		})
	}
}

// TestSuccessorIsAMove: where a file has spoken, another one has to wait.
func TestSuccessorIsAMove(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]string{"own file": pub, "behind pointer": network} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			if first != pub {
				l.web.set(pub, pointer(first))
			}
			l.web.set(first, lasting(time.Hour, tagged(file("old", 0))))
			l.web.set(second, tagged(file("new", 2*time.Minute)))
			l.want("pub.example", "usable old")
			l.web.set(first, lasting(time.Hour, tagged(naming(file("old2", time.Minute), second))))
			l.pass(time.Hour + time.Minute)
			l.codes()
			l.want("pub.example", "usable old2")
			l.has(l.codes(), "move.held")
			l.replaced("pub.example", false)
			past, _, err := l.k.DocumentAt(t.Context(), "pub.example", l.clock())
			if err != nil || past.Replaced {
				t.Errorf("%v, %+v", err, past)
			}
			for range 24 {
				l.pass(time.Hour + time.Minute)
				l.refresh()
			}
			l.has(l.codes(), "move.adopted")
			l.want("pub.example", "usable new")
			// The first file takes its word back: that is a move, too.
			l.web.set(first, lasting(time.Hour, tagged(file("old3", 2*day))))
			l.pass(2 * day)
			l.want("pub.example", "usable new")
			l.has(l.codes(), "move.held")
		})
	}
}

// TestSuccessorCannotBeHad: the first file describes inventory and authorizes nobody,
// until the other one can be had.
func TestSuccessorCannotBeHad(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, tagged(naming(file("old", 0), second)))
	l.web.set(second, page{status: 503})
	l.want("pub.example", "usable old")
	l.replaced("pub.example", true)
	asked := l.web.requests(second)
	l.replaced("pub.example", true)
	if l.web.requests(second) != asked {
		t.Error("it is asked for with every question")
	}
	past, _, err := l.k.DocumentAt(t.Context(), "pub.example", l.clock())
	if err != nil || !past.Replaced {
		t.Errorf("%v, %+v", err, past)
	}
	l.config.IgnoreSuperseded = true
	l.restart()
	l.replaced("pub.example", false)
	l.config.IgnoreSuperseded = false
	l.restart()
	l.web.set(second, tagged(file("new", time.Minute)))
	l.pass(time.Hour)
	l.want("pub.example", "usable new")
	if codes := l.codes(); strings.Contains(codes, "move") {
		t.Errorf("%s", codes)
	}
}

func TestSuccessorLeadsBack(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, tagged(naming(file("old", 0), second)))
	l.web.set(second, tagged(naming(file("new", time.Minute), pub)))
	l.want("pub.example", "usable old")
	l.replaced("pub.example", true)
	// One that names itself has no successor.
	l.web.set("https://self.example/.well-known/adagents.json", tagged(naming(fileFor("self.example", "self", 0), "https://self.example/.well-known/adagents.json")))
	l.want("self.example", "usable self")
	l.replaced("self.example", false)
}

// TestSuccessorOfRefusedVersion: an old copy cannot lead elsewhere.
func TestSuccessorOfRefusedVersion(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, tagged(file("new", 0)))
	l.want("pub.example", "usable new")
	l.web.set(pub, tagged(naming(file("old", -time.Hour), second)))
	l.web.set(second, tagged(file("evil", time.Hour)))
	l.pass(3 * time.Hour)
	l.refresh()
	l.want("pub.example", "usable new")
	if l.web.requests(second) != 0 || strings.Contains(l.codes(), "move") {
		t.Error("a refused version was followed")
	}
}

// find asks the web about pub.example, as a check does.
func (l *lab) find() *discover.Discovery {
	l.Helper()
	d, err := discover.New(discover.Config{Client: l.web, Now: l.clock}).Domain(l.Context(), "pub.example", discover.Options{IgnoreSuperseded: true})
	if err != nil {
		l.Fatal(err)
	}
	return d
}

// TestSuccessorIsKept: what a check found leads on as well.
func TestSuccessorIsKept(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, tagged(naming(file("old", 0), second)))
	l.web.set(second, tagged(file("new", time.Minute)))
	d := l.find()
	k := l.k.Prepare(t.Context(), d)
	if k.First() {
		t.Error("there is more to find out")
	}
	err := k.Keep(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	last, err := l.k.Last(t.Context(), "pub.example")
	if err != nil || told(last) != "usable new" {
		t.Errorf("%v, %+v", err, last)
	}
	err = l.k.Prepare(t.Context(), l.find()).Keep(t.Context())
	if err != nil || strings.Contains(l.codes(), "move") {
		t.Errorf("%v", err)
	}
}

// TestSuccessorOfANewcomer: what a stranger leads to is kept within the same limits whether
// or not files name others in their place, and one decision is about all of it.
func TestSuccessorOfANewcomer(t *testing.T) {
	t.Parallel()
	one, two := naming(file("old", 0), second), file("new", time.Minute)
	for name, tc := range map[string]struct {
		room  int
		first string
		kept  bool
	}{
		"no room":               {0, pub, false},
		"room for the first":    {len(one), pub, false},
		"room for both":         {len(one) + len(two), pub, true},
		"no room for the third": {len(one) + len(two), network, false},
	} {
		for how, ask := range map[string]func(*lab, context.Context) error{
			"question": func(l *lab, ctx context.Context) error {
				_, err := l.k.Document(ctx, "pub.example")
				return err
			},
			"check": func(l *lab, ctx context.Context) error { return l.k.Prepare(ctx, l.find()).Keep(ctx) },
		} {
			t.Run(name+" "+how, func(t *testing.T) {
				t.Parallel()
				l := newLab(t)
				asked := 0
				l.config.Admit = func(_ context.Context, charges []retain.Charge, take bool) (func(), bool) {
					if !take {
						asked++
					}
					return func() {}, take || retain.Total(charges).Bytes <= int64(tc.room)
				}
				l.restart()
				if tc.first != pub {
					l.web.set(pub, pointer(tc.first))
				}
				l.web.set(tc.first, tagged(one))
				l.web.set(second, tagged(two))
				err := ask(l, custodian.AskedBy(t.Context(), custodian.Stranger))
				if errors.Is(err, custodian.ErrNotAdmitted) != !tc.kept || asked != 1 {
					t.Errorf("%v after %d decisions", err, asked)
				}
				for _, url := range []string{tc.first, second} {
					known, err := l.store.Known(t.Context(), "nobody.example", url)
					if err != nil || known != tc.kept {
						t.Errorf("%s is kept: %t, %v", url, known, err)
					}
				}
				for _, body := range []string{one, two} {
					_, err := l.store.Document(t.Context(), sumOf(body))
					if errors.Is(err, custodian.ErrNotFound) != !tc.kept {
						t.Errorf("a body: %v", err)
					}
				}
				l.want("pub.example", "usable new")
			})
		}
	}
}

// TestSuccessorsAreBounded: a publisher that names another file every time can only have so
// many asked in a day. After that, questions do not have the publisher asked each time.
func TestSuccessorsAreBounded(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	name := func(i int) {
		l.web.set(pub, tagged(naming(file(fmt.Sprint("v", i), time.Duration(i)*time.Minute), fmt.Sprintf("https://victim%d.example/adagents.json", i))))
		l.pass(2 * time.Minute)
		l.refresh()
	}
	for i := range 30 {
		name(i)
	}
	before := l.web.requests("")
	for range 50 {
		l.document("pub.example")
	}
	if n := l.web.requests("") - before; n > 1 {
		t.Errorf("%d requests for 50 questions at once", n)
	}
	before = l.web.requests("")
	for range 4 * 60 {
		l.pass(15 * time.Second)
		l.document("pub.example")
	}
	if n := l.web.requests("") - before; n > 12 {
		t.Errorf("%d requests in an hour", n)
	}
	l.pass(24 * time.Hour)
	l.document("pub.example")
	if l.web.requests("https://victim29.example/adagents.json") == 0 {
		t.Error("a day later the file is not asked for")
	}
}

// TestSuccessorInThePast: the past says what the present said then, also after a move to the
// successor was taken back.
func TestSuccessorInThePast(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	type then struct {
		at       time.Time
		replaced bool
	}
	var said []then
	ask := func(want bool) {
		t.Helper()
		l.pass(2 * time.Hour)
		l.refresh()
		l.replaced("pub.example", want)
		l.pass(time.Minute)
		said = append(said, then{l.clock(), want})
	}
	l.web.set(second, lasting(time.Hour, tagged(file("new", 0))))
	l.web.set(pub, tagged(file("one", 0)))
	ask(false) // nothing is named
	l.web.set(pub, tagged(naming(file("two", time.Minute), second)))
	ask(false) // a move waits
	l.web.set(pub, tagged(file("three", 2*time.Minute)))
	ask(false) // nothing is named any more
	l.has(l.codes(), "move.held", "move.cancelled")
	l.web.set(second, page{status: 404})
	l.web.set(pub, tagged(naming(file("four", 3*time.Minute), second)))
	ask(true) // the successor cannot be had
	l.web.set(second, tagged(file("new", 4*time.Minute)))
	ask(false) // a move waits again
	for _, s := range said {
		d, _, err := l.k.DocumentAt(t.Context(), "pub.example", s.at)
		if err != nil || d.Replaced != s.replaced {
			t.Errorf("%s: %v, %+v", s.at.Sub(begin), err, d)
		}
	}
}
