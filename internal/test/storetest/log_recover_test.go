package storetest

import (
	"bytes"
	"encoding/hex"
	"testing"

	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/translog"
)

// logRecover: a store that has the beginning of a log gets the rest, as it was.
func logRecover(t *testing.T, whole, s *Logged) {
	ctx := t.Context()
	keys := begin(t, whole)
	first := keys.First()
	first.At = day0
	ok(t, s.Log.Begin(ctx, logOrigin, first))
	commit := func(l *Logged, from, to int) {
		for i := from; i < to; i++ {
			ok(t, l.Custody.Commit(ctx, LoggedChange(i%7, day0)))
		}
	}
	commit(whole, 0, 299)
	sequenceAll(t, whole)
	commit(s, 0, 5)
	sequenceAll(t, s)
	commit(s, 5, 7) // they wait, and are leaves of the whole log
	leaves := append(got[[][]byte](t)(whole.Log.Leaves(ctx, 0)), got[[][]byte](t)(whole.Log.Leaves(ctx, 1))...)
	before := got[*notary.State](t)(s.Log.State(ctx))
	want(t, before.Size, int64(6))
	want(t, before.Cursor, int64(6))

	// What is not the next leaf, or not as it was, is refused and changes nothing.
	other := bytes.ReplaceAll(leaves[6], []byte("publisher.absent"), []byte("publisher.denied"))
	for name, some := range map[string][][]byte{"a gap": leaves[7:20], "a repetition": leaves[5:20], "another event": append([][]byte{other}, leaves[7:20]...)} {
		err := s.Log.Recover(ctx, 6, some)
		if err == nil {
			t.Errorf("%s is taken", name)
		}
		want(t, *got[*notary.State](t)(s.Log.State(ctx)), *before)
	}
	is(t, s.Log.Recover(ctx, 7, leaves[7:20]), notary.ErrOther)
	is(t, s.Log.Recoverable(ctx, 6, [][]byte{other, leaves[7]}), notary.ErrOther)
	is(t, s.Log.Recoverable(ctx, 6, leaves[7:20]), notary.ErrOther) // one that waits is not among them
	ok(t, s.Log.Recoverable(ctx, 6, leaves[6:256]))
	want(t, got[bool](t)(s.Log.Restored(ctx, 0)), false)

	ok(t, s.Log.Recover(ctx, 6, leaves[6:256]))
	ok(t, s.Log.Recover(ctx, 256, leaves[256:]))
	want(t, *got[*notary.State](t)(s.Log.State(ctx)), *got[*notary.State](t)(whole.Log.State(ctx)))
	want(t, got[int64](t)(notary.Prover{Store: s.Log}.Audit(ctx)), int64(300))
	restored := &translog.Leaf{Kind: "state.restored", Subject: translog.Subject{Kind: translog.SubjectLog}, At: day0}
	ok(t, s.Log.Add(ctx, restored))
	want(t, got[bool](t)(s.Log.Restored(ctx, 0)), true)
	want(t, got[bool](t)(s.Log.Restored(ctx, restored.Number)), false)
}

// logSucceed: a log ends, and another one takes its place.
func logSucceed(t *testing.T, s *Logged) {
	ctx := t.Context()
	begin(t, s)
	ok(t, s.Custody.Commit(ctx, LoggedChange(1, day0)))
	about := translog.Subject{Kind: translog.SubjectLog}
	ok(t, s.Log.End(ctx, &translog.Leaf{Kind: notary.EndKind, Subject: about, At: day0}))
	is(t, s.Log.End(ctx, &translog.Leaf{Kind: notary.EndKind, Subject: about, At: day0}), notary.ErrEnded)
	is(t, s.Log.Add(ctx, &translog.Leaf{Kind: "log.key", Subject: about, At: day0}), notary.ErrEnded)
	ok(t, s.Custody.Commit(ctx, LoggedChange(2, day0))) // in no log
	sequenceAll(t, s)
	ended := got[*notary.State](t)(s.Log.State(ctx))
	want(t, ended.Ended, true)
	want(t, ended.Size, int64(3))
	want(t, ended.Waiting, int64(0))

	first := &translog.Leaf{Kind: "log.begin", Subject: about, At: day0, Old: &translog.Head{Origin: logOrigin, Size: 3, Root: hex.EncodeToString(ended.Root[:])}}
	is(t, s.Log.Succeed(ctx, "another.example/log", logOrigin+"/2", first), notary.ErrExists)
	want(t, *got[*notary.State](t)(s.Log.State(ctx)), *ended)
	ok(t, s.Log.Succeed(ctx, logOrigin, logOrigin+"/2", first))
	ok(t, s.Custody.Commit(ctx, LoggedChange(1, day0)))
	sequenceAll(t, s)
	next := got[*notary.State](t)(s.Log.State(ctx))
	want(t, next.Ended, false)
	want(t, next.Origin, logOrigin+"/2")
	want(t, next.Size, int64(2))
	want(t, next.Cursor > ended.Cursor, true)
	want(t, got[int64](t)(notary.Prover{Store: s.Log}.Audit(ctx)), int64(2))
}
