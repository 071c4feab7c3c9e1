package storetest

import (
	"fmt"
	"maps"
	"slices"
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
			return []custodian.Leaf{
				{Event: 0, Leaf: translog.Leaf{Kind: "publisher.absent", Subject: translog.Publisher(domain), At: at,
					Place: translog.Place{Method: translog.None}}}}
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

// FillLog makes a log with a full bundle, a signed head and two events that wait, for CheckLog.
func FillLog(t *testing.T, s *Logged) {
	t.Helper()
	ctx := t.Context()
	n := notary.New(notary.Config{Store: s.Log, Keys: begin(t, s), Now: func() time.Time { return day0 }})
	for i := range 258 {
		ok(t, s.Custody.Commit(ctx, LoggedChange(i%5, day0)))
	}
	ok(t, n.Flush(ctx))
	ok(t, s.Custody.Commit(ctx, LoggedChange(3, day0)))
	ok(t, s.Custody.Commit(ctx, LoggedChange(98, day0)))
}

// CheckLog looks for what FillLog made, and lets the log go on.
func CheckLog(t *testing.T, s *Logged) {
	t.Helper()
	ctx := t.Context()
	check := func(size int64) {
		t.Helper()
		want(t, got[int64](t)(notary.Prover{Store: s.Log}.Audit(ctx)), size)
		leaves := leavesOf(t, s)
		newest := map[translog.Subject]notary.Newest{}
		for i, l := range leaves {
			want(t, got[int64](t)(s.Log.IndexOf(ctx, l.Number)), int64(i))
			newest[l.Subject] = notary.Newest{Index: int64(i)}
		}
		want(t, got[map[translog.Subject]notary.Newest](t)(s.Log.NewestOf(ctx, slices.Collect(maps.Keys(newest)))), newest)
	}
	want(t, got[*notary.Signed](t)(s.Log.LastSigned(ctx)).Size, int64(259))
	sequenceAll(t, s)
	check(261)
	at := day0.AddDate(0, 0, 3)
	ok(t, s.Custody.Commit(ctx, LoggedChange(3, at)))
	ok(t, s.Custody.Commit(ctx, LoggedChange(99, at)))
	sequenceAll(t, s)
	check(263)
}
