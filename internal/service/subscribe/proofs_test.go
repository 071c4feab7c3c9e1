package subscribe_test

import (
	"database/sql"
	"log/slog"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/feed"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/projection"
	"github.com/avow-project/avow/internal/service/subscribe"
	"github.com/avow-project/avow/internal/test/sqlitetest"
	"github.com/avow-project/avow/internal/translog"
)

// locate has custody know a publisher with a file, with a leaf about each.
func (l *lab) locate(domain string) {
	l.t.Helper()
	url := notary.WellKnown(domain)
	file, at := translog.File(url), l.clock()
	p := l.record(domain)
	p.Location, p.HighWater = custody.Location{Method: custody.Direct, URL: url}, at
	err := l.store.Custody().Commit(l.t.Context(), &custodian.Change{
		Publisher: p,
		Events:    []custody.Event{{Code: "file.gone", At: at, URL: url}, {Code: "publisher.located", At: at, Publisher: domain, URL: url}},
		Leaves: func() []custodian.Leaf {
			return []custodian.Leaf{
				{Event: 0, Leaf: translog.Leaf{Kind: "file.gone", Subject: file, At: at, Counts: translog.None}},
				{Event: 1, Leaf: translog.Leaf{Kind: "publisher.located", Subject: translog.Publisher(domain), At: at, Place: translog.Place{Method: "direct", File: file.Name}}},
			}
		},
	})
	if err != nil {
		l.t.Fatal(err)
	}
}

// logged returns the head of the only delivery that came, and how its only event stands to the log.
func (l *lab) logged() (*feed.LogHead, feed.Logged) {
	l.t.Helper()
	l.tell(l.sender(l.store.Subscriptions()))
	l.receiver.mu.Lock()
	defer l.receiver.mu.Unlock()
	got := l.receiver.got
	l.receiver.got = nil
	if len(got) != 1 || len(got[0].Events) != 1 {
		l.t.Fatalf("delivered %+v", got)
	}
	var e feed.Logged
	err := json.Unmarshal(got[0].Events[0], &e)
	if err != nil {
		l.t.Fatal(err)
	}
	return got[0].Log, e
}

// TestProofs: who wants proofs is told when they are signed, which can be verified, or after half a
// minute that they are not.
func TestProofs(t *testing.T) {
	t.Parallel()
	inStores(t, func(t *testing.T, l *lab) {
		one := l.subscribe(subscribe.Request{Proofs: true})
		if s := l.state(one.ID); !s.Proofs {
			t.Errorf("it is kept as %+v", s)
		}
		l.happen(projection.Created, "one.example")
		head, event := l.logged()
		if head == nil || head.State != notary.NotLogged || head.Reason == "" || event.State != notary.NotLogged {
			t.Errorf("without a log: %+v, %+v", head, event)
		}

		keys, err := notary.NewKeys("registry.example/log")
		if err != nil {
			t.Fatal(err)
		}
		first := keys.First()
		first.At = l.clock()
		err = l.store.Log().Begin(t.Context(), "registry.example/log", first)
		if err != nil {
			t.Fatal(err)
		}
		l.translog = &notary.Handler{Prover: notary.Prover{Store: l.store.Log()}, Log: slog.New(slog.DiscardHandler)}
		l.locate("one.example")
		l.happen(projection.Created, "one.example")
		l.deliver()
		if s := l.state(one.ID); s.State() != "active" || !s.NextAt.Equal(l.clock().Add(2*time.Second)) {
			t.Errorf("while it waits it is %+v", s)
		}
		sign := notary.New(notary.Config{Store: l.store.Log(), Keys: keys, Now: l.clock})
		err = sign.Flush(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		l.deliver()
		l.pass(2 * time.Second)
		head, event = l.logged()
		if head.State != notary.Included || event.State != notary.Included || event.Index == nil || event.File == nil {
			t.Fatalf("when it is signed: %+v, %+v", head, event)
		}
		policy, err := translog.ParsePolicy([]byte(keys.Policy("")))
		if err != nil {
			t.Fatal(err)
		}
		for index, subject := range map[int64]translog.Subject{*event.Index: translog.Publisher("one.example"), *event.File: translog.File(notary.WellKnown("one.example"))} {
			proof, err := l.translog.Prover.Proof(t.Context(), index)
			if err != nil {
				t.Fatal(err)
			}
			proof.Signed = []byte(head.Checkpoint)
			verified, err := proof.Verify(policy)
			if err != nil || verified.Leaf.Subject != subject {
				t.Errorf("leaf %d: %+v, %v", index, verified, err)
			}
		}

		l.locate("two.example")
		l.happen(projection.Created, "two.example")
		l.deliver()
		l.pass(29 * time.Second)
		l.deliver()
		l.pass(2 * time.Second)
		head, event = l.logged()
		if head.State != notary.Included || event.State != notary.Pending || event.Index != nil {
			t.Errorf("after half a minute: %+v, %+v", head, event)
		}
	})
}

// TestProofsOfDamagedRecords: a record that cannot be read keeps nobody from being told.
func TestProofsOfDamagedRecords(t *testing.T) {
	t.Parallel()
	path := sqlitetest.Path(t)
	l := newLab(t, "sqlite:"+path)
	keys, err := notary.NewKeys("registry.example/log")
	if err != nil {
		t.Fatal(err)
	}
	first := keys.First()
	first.At = l.clock()
	err = l.store.Log().Begin(t.Context(), "registry.example/log", first)
	if err != nil {
		t.Fatal(err)
	}
	l.translog = &notary.Handler{Prover: notary.Prover{Store: l.store.Log()}, Log: slog.New(slog.DiscardHandler)}
	l.locate("one.example")
	err = notary.New(notary.Config{Store: l.store.Log(), Keys: keys, Now: l.clock}).Flush(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	l.subscribe(subscribe.Request{Proofs: true})
	l.happen(projection.Created, "one.example")
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	_, err = db.ExecContext(t.Context(), `UPDATE custody_publishers SET record = X'00' WHERE domain = 'one.example'`)
	if err != nil {
		t.Fatal(err)
	}
	_, event := l.logged()
	if event.State != notary.Included || event.Index == nil || event.File == nil {
		t.Errorf("%+v", event)
	}
}
