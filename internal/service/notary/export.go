package notary

import (
	"context"
	"fmt"

	"github.com/avow-project/avow/internal/translog"
)

// Export hands over the log up to the head that was signed last, as the files that a web server
// needs to serve it: those that are not in an earlier copy, whose checkpoint is old, nil for
// none. The checkpoint comes last, so a copy that was cut off is one without a checkpoint, or the
// earlier one. It returns the size, and the tiles that are full now and were not in that copy:
// their beginnings are not needed any more.
func (h *Handler) Export(ctx context.Context, old []byte,
	put func(path string, body []byte) error) (int64, []translog.Tile, error) {
	signed, err := h.Prover.Store.LastSigned(ctx)
	if err != nil {
		return 0, nil, err
	}
	from, err := h.Prover.copied(ctx, old, signed)
	if err != nil {
		return 0, nil, err
	}
	var full []translog.Tile
	for _, t := range tilesBetween(from, signed.Size) {
		body, err := h.tile(ctx, t.Path(), signed)
		if err == nil {
			err = put(t.Path(), body)
		}
		if err != nil {
			return 0, nil, err
		}
		if t.Width == translog.TileWidth {
			full = append(full, t)
		}
	}
	for _, path := range []string{"keys", "policy"} {
		a, err := h.answer(ctx, path)
		if err == nil {
			err = put(path, a.body)
		}
		if err != nil {
			return 0, nil, err
		}
	}
	return signed.Size, full, put("checkpoint", signed.Note)
}

// copied returns how many leaves an earlier copy has. It has to be one of this log, and not to have
// more than was signed.
func (p Prover) copied(ctx context.Context, old []byte, signed *Signed) (int64, error) {
	if old == nil {
		return 0, nil
	}
	named, err := p.Namings(ctx)
	if err != nil {
		return 0, err
	}
	known, err := logKeys(named)
	if err != nil {
		return 0, err
	}
	s, err := p.Store.State(ctx)
	if err != nil {
		return 0, err
	}
	head, _, err := translog.Open(old, known...)
	switch {
	case err != nil:
		return 0, err
	case head.Origin != s.Origin:
		return 0, fmt.Errorf("it is a copy of the log %s, and the store has %s", head.Origin, s.Origin)
	case head.Size > signed.Size:
		return 0, &BehindError{"the copy", head.Size, signed.Size}
	}
	return head.Size, sameRoot("the copy", head.Size, head.Root, p.Store.Tree(ctx))
}

// tilesBetween returns the tiles of a log that one of a smaller size does not have.
func tilesBetween(from, size int64) []translog.Tile {
	if from == size {
		return nil
	}
	var all []translog.Tile
	add := func(t translog.Tile) {
		for t.N = from >> (translog.TileHeight * (t.Level + 1)); ; t.N++ {
			t.Width = t.WidthAt(size)
			if t.Width == 0 {
				return
			}
			all = append(all, t)
		}
	}
	add(translog.Tile{Entries: true})
	for level := 0; size>>(translog.TileHeight*level) > 0; level++ {
		add(translog.Tile{Level: level})
	}
	return all
}
