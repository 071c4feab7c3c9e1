package notary

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/avow-project/avow/internal/translog"
)

// An Audit follows a log leaf by leaf and finds what must not be in one.
type Audit struct {
	*translog.Follower
	edge *Edge
}

// NewAudit returns an audit that begins with an empty log.
func NewAudit() *Audit {
	empty, _ := tlog.TreeHash(0, nil)      // it reads nothing
	edge, _ := NewEdge(noTree{}, 0, empty) // nor does it
	return &Audit{translog.NewFollower(), edge}
}

// noTree is a tree without tiles.
type noTree struct{}

// Tile is part of Tree.
func (noTree) Tile(int, int64) ([]byte, error) { return nil, ErrNotFound }

// Add takes the next leaf. The error says what is wrong with it.
func (a *Audit) Add(text []byte) (*translog.Leaf, error) {
	leaf, err := translog.ParseLeaf(text)
	if err != nil {
		return nil, fmt.Errorf("leaf %d: %w", a.Size, err)
	}
	hash := tlog.RecordHash(text)
	a.edge.Add(hash)
	return leaf, a.Follower.Add(leaf, hash)
}

// Root returns the root over all leaves.
func (a *Audit) Root() (tlog.Hash, error) { return a.edge.Root() }

// Audit reads a whole log, from its first leaf on, and compares the tree with what was noted
// and what was signed. It returns how many leaves there are.
func (p Prover) Audit(ctx context.Context) (int64, error) {
	signed, err := p.Store.LastSigned(ctx) // first, because others go on
	if err != nil && !errors.Is(err, ErrPending) {
		return 0, err
	}
	s, err := p.Store.State(ctx)
	if err != nil {
		return 0, err
	}
	a := NewAudit()
	for a.Size < s.Size {
		leaves, err := p.Store.Leaves(ctx, a.Size/translog.TileWidth)
		if err != nil {
			return a.Size, err
		}
		if int64(len(leaves)) <= a.Size%translog.TileWidth {
			return a.Size, fmt.Errorf("%w: leaf %d is missing", ErrDamaged, a.Size)
		}
		for _, text := range leaves[a.Size%translog.TileWidth:] {
			if a.Size == s.Size {
				break
			}
			_, err := a.Add(text)
			if err != nil {
				return a.Size, fmt.Errorf("%w: %w", ErrDamaged, err)
			}
		}
	}
	root, err := a.Root()
	if err != nil {
		return a.Size, err
	}
	if root != tlog.Hash(s.Root) {
		return a.Size, fmt.Errorf("%w: the root over the leaves is not the one that was noted", ErrDamaged)
	}
	return a.Size, p.compare(ctx, signed, s)
}

// compare holds the tree against the checkpoint that was published last.
func (p Prover) compare(ctx context.Context, signed *Signed, s *State) error {
	if signed == nil {
		return nil
	}
	named, err := p.Namings(ctx)
	if err != nil {
		return err
	}
	keys, err := logKeys(named)
	if err != nil {
		return err
	}
	head, _, err := translog.Open(signed.Note, keys...)
	switch {
	case err != nil:
		return err
	case head.Size > s.Size:
		return &BehindError{"the checkpoint in the store", head.Size, s.Size}
	}
	return sameRoot("the checkpoint in the store", head.Size, head.Root, p.Store.Tree(ctx))
}
