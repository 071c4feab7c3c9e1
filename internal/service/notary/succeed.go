package notary

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/avow-project/avow/internal/translog"
)

// EndKind is the kind of the last leaf of a log.
const EndKind = "log.end"

// End ends the log, with a last leaf that says so, and signs it.
func (n *Notary) End(ctx context.Context) error {
	err := n.sequence(ctx)
	if err == nil {
		err = n.Check(ctx)
	}
	if err != nil {
		return err
	}
	err = n.config.Store.End(ctx, &translog.Leaf{Kind: EndKind, Subject: translog.Subject{Kind: translog.SubjectLog},
		At: n.config.Now().UTC().Truncate(time.Microsecond)})
	if err != nil && !errors.Is(err, ErrEnded) {
		return err
	}
	return n.Flush(ctx)
}

// LastHonest returns the head that a successor of a log names: the last one that this machine signed or
// published of whatever log. It is ErrPending for an unsigned log.
func LastHonest(ctx context.Context, st Store, g Guard) (*translog.Head, error) {
	seen, err := g.read()
	if err != nil {
		return nil, err
	}
	last, err := st.LastSigned(ctx)
	if err != nil && (seen == nil || !errors.Is(err, ErrPending)) {
		return nil, err
	}
	var head *translog.Checkpoint
	if last != nil {
		head, err = translog.Read(last.Note)
		if err != nil {
			return nil, err
		}
	}
	if seen != nil && (head == nil || seen.head.Origin != head.Origin || seen.head.Size > head.Size) {
		head = seen.head
	}
	return &translog.Head{Origin: head.Origin, Size: head.Size, Root: hex.EncodeToString(head.Root[:])}, nil
}

// HandOver notes that a log has a successor: the guard of the old log is kept under another name,
// and the next head is the first of the new log. The first leaf of the log in the store has to name
// what the guard has.
func HandOver(ctx context.Context, st Store, g Guard) error {
	seen, err := g.read()
	if err != nil || seen == nil {
		return err
	}
	s, err := st.State(ctx)
	if err != nil || seen.head.Origin == s.Origin {
		return err
	}
	_, err = st.Sequence(ctx, 1) // the first leaf
	if err != nil {
		return err
	}
	text, err := Prover{st}.Leaf(ctx, 0)
	if err != nil {
		return err
	}
	first, err := translog.ParseLeaf(text)
	if err != nil {
		return err
	}
	if first.Old == nil || first.Old.Origin != seen.head.Origin || first.Old.Size < seen.head.Size {
		return fmt.Errorf("%s is about the log %s, which the log %s does not follow", g.Path, seen.head.Origin, s.Origin)
	}
	return os.Rename(g.Path, g.pathOf(seen.head.Origin))
}

// pathOf is where the last head of a log is kept that has a successor.
func (g *Guard) pathOf(origin string) string {
	return g.Path + "." + translog.HashOf([]byte(origin))[:12]
}

// Used reports whether a log of this name was signed on this machine, or it cannot be told.
func (g *Guard) Used(origin string) bool {
	if g.Path == "" {
		return false
	}
	seen, err := g.read()
	if err != nil || seen != nil && seen.head.Origin == origin {
		return true
	}
	_, err = os.Stat(g.pathOf(origin))
	return !errors.Is(err, fs.ErrNotExist)
}
