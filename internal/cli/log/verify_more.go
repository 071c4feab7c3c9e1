package log

import (
	"context"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/avow-project/avow/internal/monitor"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/internal/translog"
	"github.com/avow-project/avow/internal/wire"
)

// A copyDocument is a copy of a log that is whole.
type copyDocument struct {
	Path   string `json:"path"`
	Origin string `json:"origin"`
	Size   int64  `json:"size"`
}

// addHistory verifies a proof with all earlier leaves about the same subject.
func (r *result) addHistory(text []byte, policy *translog.Policy) error {
	h, err := translog.ParseHistory(text)
	if err != nil {
		return err
	}
	v, earlier, err := h.Verify(policy)
	if err != nil {
		return err
	}
	r.proved = append(r.proved, v)
	for i, leaf := range earlier {
		r.earlier = append(r.earlier, earlierLeaf{h.Earlier[i].Index, leaf.Kind, leaf.Subject.String(), wire.Time(leaf.At),
			leaf.Sentence()})
	}
	return nil
}

// addCopy verifies a copy of a log, all of it.
func (r *result) addCopy(ctx context.Context, dir string, policy *translog.Policy) error {
	note, err := dirLog(dir).Get(ctx, "checkpoint")
	if err != nil {
		return err
	}
	head, err := policy.Check(note)
	if err != nil {
		return err
	}
	reader, err := monitor.NewReader(ctx, dirLog(dir), head.Head)
	if err != nil {
		return err
	}
	audit := notary.NewAudit()
	err = reader.Leaves(0, func(_ int64, leaves [][]byte) error {
		for _, text := range leaves {
			_, err := audit.Add(text)
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		r.copies = append(r.copies, copyDocument{dir, head.Head.Origin, audit.Size})
	}
	return err
}

// succeeded holds the leaves of a log against what its successor takes over.
func (r *result) succeeded(by string, old *translog.Head) error {
	for _, v := range r.proved {
		switch {
		case v.Head.Origin != old.Origin:
		case v.Head.Size > old.Size || v.Head.Size == old.Size && hex.EncodeToString(v.Head.Root[:]) != old.Root:
			return fmt.Errorf(
				"leaf %d is proved with a head of %s, and the log %s takes only %d of the log %s over, with the root %s: "+
					"whatever else was signed does not count",
				v.Index, words.Plural(int(v.Head.Size), "leaf", "leaves"), by, old.Size, old.Origin, old.Root)
		case v.Head.Size < old.Size && !slices.ContainsFunc(v.Witnesses, func(w translog.Witnessed) bool { return !w.Own }):
			return fmt.Errorf(
				"leaf %d is proved with a head of %s that no witness has cosigned, and the log %s has a successor: anyone who "+
					"has its keys could have signed that since. Take a proof with its last head, of %s (avow log prove %d --from a "+
					"copy of it)",
				v.Index, words.Plural(int(v.Head.Size), "leaf", "leaves"), old.Origin,
				words.Plural(int(old.Size), "leaf", "leaves"), v.Index)
		}
	}
	return nil
}
