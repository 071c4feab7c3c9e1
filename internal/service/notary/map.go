package notary

import (
	"context"
	"errors"
	"math"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/translog"
)

// keepMap puts a map into the log once a day, from the day after the first on. One that was begun is
// finished first.
func (n *Notary) keepMap(ctx context.Context) error {
	now := n.config.Now().UTC().Truncate(time.Microsecond)
	day := now.Truncate(24 * time.Hour)
	if !day.After(n.mapped) {
		return nil
	}
	_, err := n.state(ctx)
	if err != nil {
		return err
	}
	text, err := Prover{n.config.Store}.Leaf(ctx, 0)
	if err != nil {
		return err
	}
	first, err := translog.ParseLeaf(text)
	if err != nil {
		return err
	}
	err = n.finishMap(ctx)
	if err == nil && first.At.Before(day) {
		err = n.config.Store.PinMap(ctx, now, day)
		if err == nil {
			err = n.finishMap(ctx)
		}
	}
	if err == nil {
		n.mapped = day
	}
	return err
}

// finishMap makes the leaf of a map that was pinned.
func (n *Notary) finishMap(ctx context.Context) error {
	err := n.config.Store.FinishMap(ctx)
	if err != nil {
		return err
	}
	return n.sequence(ctx)
}

// Latest stands for the last map that there is.
var Latest = time.UnixMicro(math.MaxInt64)

// MapProof proves which leaf about a subject was the newest, or that there was none, by the last map
// from before a time.
func (p Prover) MapProof(ctx context.Context, s translog.Subject, before time.Time) (*translog.MapProof, error) {
	signed, err := p.Store.LastSigned(ctx)
	if err != nil {
		return nil, err
	}
	m, err := p.Store.MapAt(ctx, before, signed.Size)
	if err != nil {
		return nil, err
	}
	steps, err := p.mapSteps(ctx, m, s)
	if err != nil {
		return nil, err
	}
	proof, err := p.proofUnder(ctx, m.Leaf, signed)
	return &translog.MapProof{Subject: s, Steps: steps, Map: proof}, err
}

func (p Prover) mapSteps(ctx context.Context, m *Map, s translog.Subject) ([]translog.MapStep, error) {
	return m.Blocks.Prove(s, func(from, to []byte) ([]translog.MapEntry, error) { return p.Store.MapEntries(ctx, m.Size, from, to) })
}

// fillMap adds the last map to a receipt if it has one of the leaves as the newest about its subject.
func (p Prover) fillMap(ctx context.Context, r *translog.Receipt, subjects []translog.Subject, signed *Signed) error {
	m, err := p.Store.MapAt(ctx, Latest, signed.Size)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	any := false
	for i, s := range subjects {
		l := &r.Leaves[i]
		if l.Index >= m.Size {
			continue
		}
		steps, err := p.mapSteps(ctx, m, s)
		if err != nil {
			return err
		}
		if len(steps) == 1 && steps[0].Key == translog.MapKey(s) && steps[0].Index == l.Index {
			l.Newest, any = &steps[0], true
		}
	}
	if !any {
		return nil
	}
	proof, err := p.proofUnder(ctx, m.Leaf, signed)
	if err == nil {
		r.Map = &translog.ReceiptLeaf{Leaf: proof.Leaf, Index: proof.Index, Hashes: proof.Hashes}
	}
	return err
}

// mapProof answers map/DAY/DOMAIN and map/DAY/DOMAIN/file; the day may be latest.
func (h *Handler) mapProof(ctx context.Context, text string) ([]byte, error) {
	words := strings.Split(text, "/")
	if len(words) < 2 || len(words) > 3 || len(words) == 3 && words[2] != "file" {
		return nil, errPath
	}
	before := Latest
	if words[0] != "latest" {
		day, err := time.Parse(time.DateOnly, words[0])
		if err != nil {
			return nil, errPath
		}
		before = day.AddDate(0, 0, 1)
	}
	domain, err := domainIn(words[1])
	if err != nil {
		return nil, err
	}
	subject := translog.Publisher(domain)
	if len(words) == 3 {
		subject, err = h.Prover.FileOf(ctx, domain)
		if err != nil {
			return nil, err
		}
	}
	proof, err := h.Prover.MapProof(ctx, subject, before)
	if err != nil {
		return nil, err
	}
	return proof.Text(), nil
}
