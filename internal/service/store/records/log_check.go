package records

import (
	"bytes"
	"context"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/store/pack"
	"github.com/avow-project/avow/internal/translog"
)

// checkLog compares the root of the tree with the one that is noted. Whether all leaves are
// those of the tree is found by the audit of the log.
func checkLog(ctx context.Context, _ *checker, c Conn, row []any) error {
	root, err := notary.RootAt(tree{ctx, c}, row[3].(int64))
	if err != nil {
		return wrong("the tiles of the log cannot be read: " + err.Error())
	}
	return unless(bytes.Equal(root[:], row[4].([]byte)), "the tiles of the log do not have the root that was noted")
}

// checkLeaf compares a leaf with its hash in the tree.
func checkLeaf(ctx context.Context, _ *checker, c Conn, row []any) error {
	return checkLeafAt(ctx, c, row[0].(int64), row[1].([]byte))
}

// checkBundle compares the leaves of a bundle with their hashes in the tree.
func checkBundle(ctx context.Context, _ *checker, c Conn, row []any) error {
	text, err := pack.Unsized(row[1].([]byte))
	if err != nil {
		return err
	}
	leaves, err := translog.Unbundle(text)
	if err != nil || len(leaves) != translog.TileWidth {
		return wrong("it has no 256 leaves")
	}
	for i, leaf := range leaves {
		err := checkLeafAt(ctx, c, row[0].(int64)*translog.TileWidth+int64(i), leaf)
		if err != nil {
			return err
		}
	}
	return nil
}

func checkLeafAt(ctx context.Context, c Conn, index int64, leaf []byte) error {
	data, err := tree{ctx, c}.Tile(0, index/translog.TileWidth)
	i := index % translog.TileWidth * tlog.HashSize
	if err != nil || int64(len(data)) < i+tlog.HashSize {
		return wrong("the tree has no hash of the leaf")
	}
	h := tlog.RecordHash(leaf)
	return unless(bytes.Equal(h[:], data[i:i+tlog.HashSize]), "the leaf is not the one in the tree")
}
