package storetest

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/translog"
)

// testLog tests a notary.Store. Open opens an empty store.
func testLog(t *testing.T, open func(t *testing.T) *Logged) {
	for name, test := range map[string]func(*testing.T, *Logged){
		"nothing without a log": logNothing, "leaves": logLeaves, "bundles": logBundles, "two sequencers": logTwo, "what was known": logKnown, "signatures": logSigned, "a successor": logSucceed,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, open(t))
		})
	}
	t.Run("recovery", func(t *testing.T) {
		t.Parallel()
		logRecover(t, open(t), open(t))
	})
}

func logNothing(t *testing.T, s *Logged) {
	ctx := t.Context()
	c := LoggedChange(1, day0)
	c.Leaves = func() []custodian.Leaf {
		t.Error("leaves are made without a log")
		return nil
	}
	ok(t, s.Custody.Commit(ctx, c))
	_, err := s.Log.State(ctx)
	is(t, err, notary.ErrNoLog)
	_, err = s.Log.Sequence(ctx, 10)
	is(t, err, notary.ErrNoLog)
	begin(t, s)
	state := got[*notary.State](t)(s.Log.State(ctx))
	want(t, state.Waiting, int64(1)) // the first leaf alone
	is(t, s.Log.Begin(ctx, "another.example/log", &translog.Leaf{Kind: "log.begin", Subject: translog.Subject{Kind: translog.SubjectLog}, At: day0}), notary.ErrExists)
}

func is(t *testing.T, err, target error) {
	t.Helper()
	if !errors.Is(err, target) {
		t.Errorf("got error %v, want %v", err, target)
	}
}

func logLeaves(t *testing.T, s *Logged) {
	ctx := t.Context()
	begin(t, s)
	for i := range 6 {
		ok(t, s.Custody.Commit(ctx, LoggedChange(i%2, day0.Add(time.Duration(i)*time.Second))))
	}
	_, waiting, err := s.Log.Newest(ctx, translog.Publisher("p1.example"))
	is(t, err, notary.ErrNotFound)
	want(t, waiting, true)
	some := []translog.Subject{translog.Publisher("p0.example"), translog.Publisher("p1.example"), translog.Publisher("never.example")}
	newest := func(want0, want1 notary.Newest) {
		t.Helper()
		all := got[map[translog.Subject]notary.Newest](t)(s.Log.NewestOf(ctx, some))
		want(t, all, map[translog.Subject]notary.Newest{some[0]: want0, some[1]: want1, some[2]: {Index: -1}})
	}
	newest(notary.Newest{Index: -1, Waiting: true}, notary.Newest{Index: -1, Waiting: true})
	got[int](t)(s.Log.Sequence(ctx, 4))
	newest(notary.Newest{Index: 3, Waiting: true}, notary.Newest{Index: 2, Waiting: true})
	sequenceAll(t, s)
	newest(notary.Newest{Index: 5}, notary.Newest{Index: 6})
	want(t, len(got[map[translog.Subject]notary.Newest](t)(s.Log.NewestOf(ctx, nil))), 0)
	_, err = s.Log.NewestOf(ctx, make([]translog.Subject, notary.MaxSubjects+1))
	if err == nil {
		t.Error("too many subjects are looked up at a time")
	}
	prover := notary.Prover{Store: s.Log}
	history := got[[]notary.Entry](t)(prover.History(ctx, translog.Publisher("p1.example"), 10))
	var places []int64
	for _, e := range history {
		places = append(places, e.Index)
		want(t, got[int64](t)(s.Log.IndexOf(ctx, e.Leaf.Number)), e.Index)
	}
	want(t, places, []int64{6, 4, 2})
	_, err = s.Log.IndexOf(ctx, 99)
	is(t, err, notary.ErrNotFound)
	want(t, got[int64](t)(prover.Audit(ctx)), int64(7))
	// A change that does not fit leaves nothing behind.
	c := LoggedChange(1, day0)
	c.Publisher = &custody.Publisher{Domain: "p1.example", Revision: 7}
	is(t, s.Custody.Commit(ctx, c), custodian.ErrConflict)
	want(t, got[*notary.State](t)(s.Log.State(ctx)).Waiting, int64(0))
}

func logBundles(t *testing.T, s *Logged) {
	ctx := t.Context()
	begin(t, s)
	const most = 600
	for i := range most / 20 {
		var leaves []custodian.Leaf
		c := &custodian.Change{Leaves: func() []custodian.Leaf { return leaves }}
		for j := range 20 {
			one := LoggedChange(i*20+j, day0)
			leaf := one.Leaves()[0]
			leaf.Event = j
			c.Events, leaves = append(c.Events, one.Events...), append(leaves, leaf)
		}
		ok(t, s.Custody.Commit(ctx, c))
	}
	sequenceAll(t, s)
	prover := notary.Prover{Store: s.Log}
	want(t, got[int64](t)(prover.Audit(ctx)), int64(most+1))
	want(t, len(got[[][]byte](t)(s.Log.Leaves(ctx, 0))), 256)
	want(t, len(got[[][]byte](t)(s.Log.Leaves(ctx, 2))), most+1-512)
	want(t, len(got[[]byte](t)(s.Log.Tree(ctx).Tile(1, 0))), 2*32)
	_, err := prover.Leaf(ctx, most+1)
	is(t, err, notary.ErrNotFound)
}

// logTwo has two make leaves while three commit: each event becomes one leaf.
func logTwo(t *testing.T, s *Logged) {
	ctx := t.Context()
	begin(t, s)
	const each = 30
	var commits, sequencers sync.WaitGroup
	done := make(chan struct{})
	for w := range 3 {
		commits.Go(func() {
			for i := range each {
				ok(t, s.Custody.Commit(ctx, LoggedChange(w*10+i%10, day0)))
			}
		})
	}
	for range 2 {
		sequencers.Go(func() { sequenceUntil(ctx, t, s, done) })
	}
	commits.Wait()
	close(done)
	sequencers.Wait()
	sequenceAll(t, s)
	want(t, got[int64](t)(notary.Prover{Store: s.Log}.Audit(ctx)), int64(3*each+1))
}

func sequenceUntil(ctx context.Context, t *testing.T, s *Logged, done chan struct{}) {
	for {
		_, err := s.Log.Sequence(ctx, 7)
		ok(t, err)
		select {
		case <-done:
			return
		default:
		}
	}
}

func logKnown(t *testing.T, s *Logged) {
	ctx := t.Context()
	p := &custody.Publisher{Domain: "known.example", Location: custody.Location{Method: custody.Direct, URL: fileURL}, ConfirmedAt: day0, FreshUntil: day0.Add(time.Hour), TriedAt: day0}
	ok(t, s.Custody.Commit(ctx, &custodian.Change{Publisher: p, Files: []*custody.File{{URL: fileURL, TriedAt: day0}}}))
	begin(t, s)
	ok(t, s.Custody.Commit(ctx, LoggedChange(3, day0)))
	for range 2 { // the second time adds nothing
		known := notary.Known{}
		for !known.Done {
			known = got[notary.Known](t)(s.Log.AddKnown(ctx, day0, known))
		}
	}
	sequenceAll(t, s)
	prover := notary.Prover{Store: s.Log}
	want(t, got[int64](t)(prover.Audit(ctx)), int64(4))
	e := got[[]notary.Entry](t)(prover.History(ctx, translog.Publisher("known.example"), 10))
	want(t, e[0].Leaf.Place, translog.Place{Method: "direct", File: translog.File(fileURL).Name})
	e = got[[]notary.Entry](t)(prover.History(ctx, translog.File(fileURL), 10))
	want(t, e[0].Leaf.Counts, translog.None)
}

func logSigned(t *testing.T, s *Logged) {
	ctx := t.Context()
	keys := begin(t, s)
	_, err := s.Log.LastSigned(ctx)
	is(t, err, notary.ErrPending)
	now := day0
	n := notary.New(notary.Config{Store: s.Log, Keys: keys, Now: func() time.Time { return now }})
	ok(t, n.Flush(ctx))
	ok(t, s.Custody.Commit(ctx, LoggedChange(1, day0)))
	now = now.Add(-time.Hour) // the clock goes back, and signatures do not
	ok(t, n.Flush(ctx))
	signed := got[*notary.Signed](t)(s.Log.LastSigned(ctx))
	want(t, signed.Size, int64(2))
	want(t, signed.At, day0.Truncate(time.Second))
	p, err := translog.ParsePolicy([]byte(keys.Policy("")))
	ok(t, err)
	prover := notary.Prover{Store: s.Log}
	proof := got[*translog.Proof](t)(prover.ProofAbout(ctx, translog.Publisher("p1.example")))
	v := got[*translog.Verified](t)(translog.Verify(proof.Text(), p))
	want(t, v.Index, int64(1))
	ok(t, s.Custody.Commit(ctx, LoggedChange(1, day0)))
	_, err = prover.ProofAbout(ctx, translog.Publisher("p1.example"))
	is(t, err, notary.ErrPending)
	_, err = prover.ProofAbout(ctx, translog.Publisher("p2.example"))
	is(t, err, notary.ErrNotFound)
}
