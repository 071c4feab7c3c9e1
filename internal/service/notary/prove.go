package notary

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/avow-project/avow/internal/translog"
)

// A Prover makes proofs of a log. It needs no key.
type Prover struct{ Store Store }

// Leaf returns the leaf at an index.
func (p Prover) Leaf(ctx context.Context, index int64) ([]byte, error) {
	leaves, err := p.Store.Leaves(ctx, index/translog.TileWidth)
	if err != nil {
		return nil, err
	}
	i := index % translog.TileWidth
	if index < 0 || i >= int64(len(leaves)) {
		return nil, ErrNotFound
	}
	return leaves[i], nil
}

// Proof proves that a leaf is in the log that was signed last.
func (p Prover) Proof(ctx context.Context, index int64) (*translog.Proof, error) {
	signed, err := p.Store.LastSigned(ctx)
	if err != nil {
		return nil, err
	}
	return p.proofUnder(ctx, index, signed)
}

func (p Prover) proofUnder(ctx context.Context, index int64, signed *Signed) (*translog.Proof, error) {
	leaf, err := p.Leaf(ctx, index)
	if err != nil {
		return nil, err
	}
	if index >= signed.Size {
		return nil, ErrPending
	}
	hashes, err := tlog.ProveRecord(signed.Size, index, Hashes(p.Store.Tree(ctx)))
	if err != nil {
		return nil, err
	}
	return &translog.Proof{Leaf: leaf, Index: index, Hashes: hashes, Signed: signed.Note}, nil
}

// ProofAbout proves the newest leaf about a subject. It is ErrPending while there is something
// newer that is not in the signed log.
func (p Prover) ProofAbout(ctx context.Context, s translog.Subject) (*translog.Proof, error) {
	signed, err := p.Store.LastSigned(ctx)
	if err != nil {
		return nil, err
	}
	return p.about(ctx, s, signed)
}

func (p Prover) about(ctx context.Context, s translog.Subject, signed *Signed) (*translog.Proof, error) {
	index, waiting, err := p.Store.Newest(ctx, s)
	if waiting {
		return nil, ErrPending
	}
	if err != nil {
		return nil, err
	}
	return p.proofUnder(ctx, index, signed)
}

// Fill adds the proofs of the newest leaves about subjects to a receipt, under one checkpoint.
func (p Prover) Fill(ctx context.Context, r *translog.Receipt, subjects ...translog.Subject) error {
	signed, err := p.Store.LastSigned(ctx)
	if err != nil {
		return err
	}
	r.Signed = signed.Note
	for _, s := range subjects {
		one, err := p.about(ctx, s, signed)
		if err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
		r.Leaves = append(r.Leaves, translog.ReceiptLeaf{Leaf: one.Leaf, Index: one.Index, Hashes: one.Hashes})
	}
	return nil
}

// History returns the leaves about a subject, the newest first, at most limit of them, with
// their indices.
func (p Prover) History(ctx context.Context, s translog.Subject, limit int) ([]Entry, error) {
	index, _, err := p.Store.Newest(ctx, s)
	if err != nil {
		return nil, err
	}
	var all []Entry
	for len(all) < limit {
		text, err := p.Leaf(ctx, index)
		if err != nil {
			return nil, err
		}
		leaf, err := translog.ParseLeaf(text)
		if err != nil {
			return nil, err
		}
		all = append(all, Entry{index, leaf})
		if leaf.Previous == nil {
			break
		}
		index = leaf.Previous.Index
	}
	return all, nil
}

// FullHistory returns everything that the signed log has about a subject.
func (p Prover) FullHistory(ctx context.Context, s translog.Subject) (*translog.History, error) {
	signed, err := p.Store.LastSigned(ctx)
	if err != nil {
		return nil, err
	}
	index, waiting, err := p.Store.Newest(ctx, s)
	if errors.Is(err, ErrNotFound) && waiting {
		err = ErrPending
	}
	if err != nil {
		return nil, err
	}
	h := &translog.History{}
	bundle, leaves := int64(-1), [][]byte(nil) // many leaves are in one bundle
	for {
		if index/translog.TileWidth != bundle {
			bundle = index / translog.TileWidth
			leaves, err = p.Store.Leaves(ctx, bundle)
		}
		if err == nil && index%translog.TileWidth >= int64(len(leaves)) {
			err = ErrDamaged
		}
		if err != nil {
			return nil, err
		}
		text := leaves[index%translog.TileWidth]
		switch {
		case index >= signed.Size: // not yet
		case h.Proof == nil:
			h.Proof, err = p.proofUnder(ctx, index, signed)
		case len(h.Earlier) == translog.MaxHistoryLeaves:
			err = ErrLong
		default:
			h.Earlier = append(h.Earlier, translog.HistoryLeaf{Index: index, Leaf: text})
		}
		if err != nil {
			return nil, err
		}
		leaf, err := translog.ParseLeaf(text)
		switch {
		case err != nil:
			return nil, err
		case leaf.Previous != nil:
			index = leaf.Previous.Index
		case h.Proof == nil:
			return nil, ErrPending
		default:
			return h, nil
		}
	}
}

// An Entry is a leaf with its index.
type Entry struct {
	Index int64
	Leaf  *translog.Leaf
}

// FileOf returns the file that spoke for a publisher after its newest leaf, or the one at its
// own place if none did.
func (p Prover) FileOf(ctx context.Context, domain string) (translog.Subject, error) {
	own := translog.File(WellKnown(domain))
	entries, err := p.History(ctx, translog.Publisher(domain), 1)
	if errors.Is(err, ErrNotFound) {
		return own, nil
	}
	if err != nil {
		return own, err
	}
	if file := entries[0].Leaf.Place.File; file != "" {
		own.Name = file
	}
	return own, nil
}
