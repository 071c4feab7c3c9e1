package notary_test

import (
	"errors"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/translog"
)

// wrongMaps is what is broken when a map is not the one over the leaves.
const wrongMaps = "a map has the newest leaves"

// pinMap is a process that ends after it has pinned the map of a day, or before its leaf is made.
func (w *world) pinMap() error {
	day := w.now.Truncate(24 * time.Hour)
	if w.behind() || day.Equal(w.begun.Truncate(24*time.Hour)) {
		return nil
	}
	err := w.store.Log().PinMap(w.ctx, w.now, day)
	if err == nil && w.rng.IntN(2) == 0 {
		err = w.store.Log().FinishMap(w.ctx)
	}
	return err
}

// checkMaps follows all leaves as a reader does who trusts nobody.
func (w *world) checkMaps(texts [][]byte) error {
	f := translog.NewFollower()
	maps := int64(0)
	for _, text := range texts {
		l, err := translog.ParseLeaf(text)
		if err != nil {
			return err
		}
		if l.Map != nil {
			maps++
		}
		err = f.Add(l, tlog.RecordHash(text))
		var fault *translog.FaultError
		if errors.As(err, &fault) && fault.Kind == translog.FaultMap {
			return violated(wrongMaps, "%v", err)
		}
	}
	w.done.maps = max(w.done.maps, maps)
	return nil
}

// proveNewest asks the last map about a subject, and compares with the leaves.
func (w *world) proveNewest(s translog.Subject) error {
	p, err := notary.Prover{Store: w.store.Log()}.MapProof(w.ctx, s, notary.Latest)
	if errors.Is(err, notary.ErrPending) || errors.Is(err, notary.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	v, err := p.Verify(w.policy)
	if err != nil {
		return violated("what is included verifies", "%v", err)
	}
	texts, err := w.leaves()
	if err != nil {
		return err
	}
	newest := int64(-1)
	for i, text := range texts[:v.Map.Leaf.Map.Size] {
		l, err := translog.ParseLeaf(text)
		if err != nil {
			return err
		}
		if l.Subject == s {
			newest = int64(i)
		}
	}
	if v.Newest != newest {
		return violated(wrongMaps, "leaf %d is the newest about %s by the map, and leaf %d is", v.Newest, s, newest)
	}
	return nil
}
