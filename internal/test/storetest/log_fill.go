package storetest

import (
	"fmt"
	"maps"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/translog"
)

// A Logged is a store of custody with its transparency log.
type Logged struct {
	Custody custodian.Store
	Log     notary.Store
}

const logOrigin = "registry.example/log"

func begin(t *testing.T, s *Logged) *notary.Keys {
	t.Helper()
	keys, err := notary.NewKeys(logOrigin)
	ok(t, err)
	first := keys.First()
	first.At = day0
	ok(t, s.Log.Begin(t.Context(), logOrigin, first))
	return keys
}

// LoggedChange is a change with one event and its leaf, about a publisher that is named by
// a number.
func LoggedChange(publisher int, at time.Time) *custodian.Change {
	domain := fmt.Sprintf("p%d.example", publisher)
	return &custodian.Change{
		Events: []custody.Event{{Code: "publisher.absent", At: at, Publisher: domain, Message: "m"}},
		Leaves: func() []custodian.Leaf {
			return []custodian.Leaf{{Event: 0, Leaf: translog.Leaf{Kind: "publisher.absent", Subject: translog.Publisher(domain), At: at, Place: translog.Place{Method: translog.None}}}}
		},
	}
}

func sequenceAll(t *testing.T, s *Logged) {
	t.Helper()
	for {
		n, err := s.Log.Sequence(t.Context(), 100)
		ok(t, err)
		if n == 0 {
			return
		}
	}
}

// leavesOf reads all leaves.
func leavesOf(t *testing.T, s *Logged) []*translog.Leaf {
	t.Helper()
	var all []*translog.Leaf
	for {
		texts := got[[][]byte](t)(s.Log.Leaves(t.Context(), int64(len(all)/translog.TileWidth)))
		for _, text := range texts {
			all = append(all, got[*translog.Leaf](t)(translog.ParseLeaf(text)))
		}
		if len(texts) < translog.TileWidth {
			return all
		}
	}
}

// FillLog makes a log with a full bundle, three maps, a signed head and two events that wait, for CheckLog.
func FillLog(t *testing.T, s *Logged) {
	t.Helper()
	ctx, now := t.Context(), day0
	n := notary.New(notary.Config{Store: s.Log, Keys: begin(t, s), Now: func() time.Time { return now }})
	for range 3 {
		for i := range 85 {
			ok(t, s.Custody.Commit(ctx, LoggedChange(i%5, now)))
		}
		sequenceAll(t, s)
		ok(t, s.Log.PinMap(ctx, now, now.Truncate(24*time.Hour)))
		ok(t, s.Log.FinishMap(ctx))
		ok(t, n.Flush(ctx))
		now = now.AddDate(0, 0, 1)
	}
	ok(t, s.Custody.Commit(ctx, LoggedChange(3, now)))
	ok(t, s.Custody.Commit(ctx, LoggedChange(98, now)))
}

// CheckLog looks for what FillLog made, and lets the log go on.
func CheckLog(t *testing.T, s *Logged) {
	t.Helper()
	ctx := t.Context()
	checkMaps := func(size int64, days int) {
		t.Helper()
		want(t, got[int64](t)(notary.Prover{Store: s.Log}.Audit(ctx)), size)
		leaves := leavesOf(t, s)
		for _, i := range []int64{0, 1, 200, 255, 256, size - 1} {
			want(t, got[int64](t)(s.Log.IndexOf(ctx, leaves[i].Number)), i)
		}
		for day := range days {
			at := day0.AddDate(0, 0, day)
			m := got[*notary.Map](t)(s.Log.MapAt(ctx, at.Add(time.Second), size))
			want(t, m.At, at)
			checkEntries(t, s, m, leaves)
		}
	}
	want(t, got[*notary.Signed](t)(s.Log.LastSigned(ctx)).Size, int64(259))
	checkMaps(259, 3)
	sequenceAll(t, s)
	at := day0.AddDate(0, 0, 3)
	ok(t, s.Log.PinMap(ctx, at, at.Truncate(24*time.Hour)))
	ok(t, s.Custody.Commit(ctx, LoggedChange(3, at)))
	ok(t, s.Custody.Commit(ctx, LoggedChange(99, at)))
	sequenceAll(t, s)
	ok(t, s.Log.FinishMap(ctx))
	sequenceAll(t, s)
	checkMaps(264, 4)
}

// checkEntries compares the entries of a map with the leaves.
func checkEntries(t *testing.T, s *Logged, m *notary.Map, leaves []*translog.Leaf) {
	t.Helper()
	newest, have := map[[32]byte]int64{}, map[[32]byte]int64{}
	for i, l := range leaves[:m.Size] {
		if translog.InMap(l.Subject) {
			newest[translog.MapKey(l.Subject)] = int64(i)
		}
	}
	for _, e := range got[[]translog.MapEntry](t)(s.Log.MapEntries(t.Context(), m.Size, []byte{}, nil)) {
		have[e.Key] = e.Index
	}
	if !maps.Equal(have, newest) {
		t.Errorf("the map of %d leaves has %d entries and not the %d newest leaves", m.Size, len(have), len(newest))
	}
}
