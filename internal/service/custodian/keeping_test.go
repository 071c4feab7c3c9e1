package custodian_test

import (
	"testing"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/service/custodian"
)

// prepared looks at the publisher and prepares what was found.
func (l *lab) prepared() *custodian.Keeping {
	l.Helper()
	d, err := discover.New(discover.Config{Client: l.web, Now: l.clock}).Domain(l.Context(), "pub.example", discover.Options{NoCache: true})
	if err != nil {
		l.Fatal(err)
	}
	return l.k.Prepare(l.Context(), d)
}

func (l *lab) keep(k *custodian.Keeping) {
	l.Helper()
	err := k.Keep(l.Context())
	if err != nil {
		l.Fatal(err)
	}
}

func TestPreparedFirst(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		page page // of the publisher
		file string
		want bool
	}{
		{"own file", tagged(file("v1", 0)), "", true},
		{"a file elsewhere", pointer(network), file("v1", 0), true},
		{"somebody is revoked", tagged(file("v1", 0, "gone.example")), "", false},
		{"no file", page{status: 404}, "", false},
		{"a broken pointer", pointer(network), "", false},
		{"nobody was asked", page{outcome: fetch.NoTurn}, "", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			l.web.set(pub, test.page)
			if test.file != "" {
				l.web.set(network, tagged(test.file))
			}
			k := l.prepared()
			if k.First() != test.want {
				t.Errorf("first observation: %t", k.First())
			}
			l.keep(k)
			l.pass(time.Second)
			again := l.prepared()
			if again.First() {
				t.Error("the second observation is taken for the first")
			}
		})
	}
}

// TestPreparedForAKnownFile: a file that others lead to has a history.
func TestPreparedForAKnownFile(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, pointer(network))
	l.web.set("https://other.example/.well-known/adagents.json", pointer(network))
	l.web.set(network, tagged(file("v1", 0)))
	l.want("other.example", "usable v1")
	if l.prepared().First() {
		t.Error("the file was seen before")
	}
}

// TestPreparedIsMadeAnew keeps what was prepared after another process was faster, with what
// is older and with what is newer.
func TestPreparedIsMadeAnew(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, tagged(file("v1", 0)))
	early := l.prepared()
	same := l.prepared()
	l.pass(time.Minute)
	l.web.set(pub, tagged(file("v2", time.Second, "gone.example")))
	late := l.prepared()
	if !early.First() || !same.First() || late.First() {
		t.Errorf("first observations: %t %t %t", early.First(), same.First(), late.First())
	}
	l.keep(early)
	l.keep(late)
	l.keep(same)
	l.want("pub.example", "usable v2")
	f, err := l.store.File(t.Context(), pub)
	if err != nil || len(f.Revocations) != 1 {
		t.Errorf("%v %+v", err, f)
	}
}

// TestPreparedWhileTheStoreFails: what could not be prepared is remembered like any other
// change that cannot be saved.
func TestPreparedWhileTheStoreFails(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, tagged(file("v1", 0)))
	l.want("pub.example", "usable v1")
	l.pass(time.Hour)
	l.web.set(pub, tagged(file("v2", time.Minute, "gone.example")))
	l.store.fail(errDisk, errDisk)
	k := l.prepared()
	if k.First() || k.Keep(t.Context()) == nil {
		t.Error("it was kept")
	}
	l.store.fail(nil, nil)
	l.pass(time.Minute)
	l.want("pub.example", "usable v2")
}
