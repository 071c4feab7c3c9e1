package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/translog"
)

// logMaps lives through some days. Some of them have a process that ends after it has pinned the map,
// while others go on: the map is the one of then, and is there once. Every map proves for some
// publishers what was the newest, also when later maps and leaves are there.
func logMaps(t *testing.T, s *Logged) {
	ctx := t.Context()
	keys := begin(t, s)
	policy := got[*translog.Policy](t)(translog.ParsePolicy([]byte(keys.Policy(""))))
	now := day0
	n := notary.New(notary.Config{Store: s.Log, Keys: keys, Now: func() time.Time { return now }})
	const days, publishers = 5, 300
	for day := range days {
		for i := range publishers / (day + 1) {
			ok(t, s.Custody.Commit(ctx, LoggedChange(i*(day+1), now)))
		}
		// Seen for the first time today, and replaced tomorrow: in no map of a day before.
		ok(t, s.Custody.Commit(ctx, LoggedChange(2000+day, now)))
		if day > 0 {
			ok(t, s.Custody.Commit(ctx, LoggedChange(2000+day-1, now)))
		}
		if day%2 == 1 {
			sequenceAll(t, s)
			ok(t, s.Log.PinMap(ctx, now, now.Truncate(24*time.Hour)))
			ok(t, s.Log.PinMap(ctx, now, now.Truncate(24*time.Hour))) // another process, a moment later
			ok(t, s.Custody.Commit(ctx, LoggedChange(1000+day, now)))
			ok(t, s.Custody.Commit(ctx, LoggedChange(0, now)))
			sequenceAll(t, s)
		}
		ok(t, n.Flush(ctx))
		ok(t, s.Log.FinishMap(ctx))
		ok(t, notary.New(notary.Config{Store: s.Log, Keys: keys, Now: func() time.Time { return now }}).Flush(ctx))
		now = now.Add(24 * time.Hour)
	}
	prover := notary.Prover{Store: s.Log}
	size := got[int64](t)(prover.Audit(ctx)) // it calculates every map
	leaves := leavesOf(t, s)
	want(t, int64(len(leaves)), size)
	var maps []*translog.Leaf
	for _, l := range leaves {
		if l.Map != nil {
			maps = append(maps, l)
		}
	}
	want(t, len(maps), days-1) // none on the first day
	for i, m := range maps {
		want(t, m.At.Truncate(24*time.Hour), day0.AddDate(0, 0, i+1).Truncate(24*time.Hour))
		checkMap(t, s, policy, m, leaves)
	}
	_, err := prover.MapProof(ctx, translog.Publisher("p0.example"), day0)
	is(t, err, notary.ErrNotFound)
}

// checkMap compares what a map proves with the leaves: for some publishers of every sort, and for some
// that nobody knows.
func checkMap(t *testing.T, s *Logged, policy *translog.Policy, m *translog.Leaf, leaves []*translog.Leaf) {
	t.Helper()
	prover := notary.Prover{Store: s.Log}
	newest := map[translog.Subject]int64{}
	for i, l := range leaves[:m.Map.Size] {
		newest[l.Subject] = int64(i)
	}
	for i := range 60 {
		number := i * 7
		if i >= 50 {
			number = 1000*(1+i%2) + (i-50)/2
		}
		subject := translog.Publisher(fmt.Sprintf("p%d.example", number))
		index, known := newest[subject]
		if !known {
			index = -1
		}
		p := got[*translog.MapProof](t)(prover.MapProof(t.Context(), subject, m.At.Add(time.Second)))
		v := got[*translog.VerifiedMap](t)(p.Verify(policy))
		want(t, v.Newest, index)
		want(t, v.Map.Leaf.Number, m.Number)
	}
}
