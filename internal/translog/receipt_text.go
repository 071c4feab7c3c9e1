package translog

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/tlog"
)

// write writes the leaves as they are, and then the hashes of all of them together, without those that
// follow from others.
func (r *Receipt) write(b *bytes.Buffer) {
	for _, l := range r.Leaves {
		fmt.Fprintf(b, "leaf %d %d\n%s", l.Index, bytes.Count(l.Leaf, []byte("\n")), l.Leaf)
	}
	fmt.Fprintf(b, "hashes %s\n", hashesText(mergePaths(r.size(), r.paths())))
}

// size is the log's by the checkpoint, which is not verified; 0 for none.
func (r *Receipt) size() int64 {
	head, err := Read(r.Signed)
	if err != nil {
		return 0
	}
	return head.Size
}

// paths are the paths of the leaves to the root of the log.
func (r *Receipt) paths() []path {
	var paths []path
	for i := range r.Leaves {
		l := &r.Leaves[i]
		paths = append(paths, path{l.Index, tlog.RecordHash(l.Leaf), &l.Hashes})
	}
	return paths
}

// hashesText has hashes in one word; "-" for none.
func hashesText(h []tlog.Hash) string {
	if len(h) == 0 {
		return "-"
	}
	return base64.StdEncoding.EncodeToString(join(h))
}

// parseHashes reads what hashesText has written, at most so many.
func parseHashes(text string, most int) ([]tlog.Hash, error) {
	if text == "-" {
		return nil, nil
	}
	b, err := unbase64(text)
	if err != nil || len(b) == 0 || len(b)%tlog.HashSize != 0 || len(b) > most*tlog.HashSize {
		return nil, errors.New("translog: hashes that cannot be read")
	}
	var all []tlog.Hash
	for ; len(b) > 0; b = b[tlog.HashSize:] {
		all = append(all, tlog.Hash(b[:tlog.HashSize]))
	}
	return all, nil
}

// read reads what write wrote. That lines are in their order is found when they are written again.
func (r *Receipt) read(lines []string) error {
	var hashes []tlog.Hash
	for len(lines) > 0 {
		words := strings.Split(lines[0], " ")
		lines = lines[1:]
		var err error
		switch {
		case len(words) == 3 && words[0] == "leaf":
			lines, err = r.readLeaf(words, lines)
		case len(words) == 2 && words[0] == "hashes":
			hashes, err = parseHashes(words[1], maxHashes*maxReceiptLeaves)
		default:
			err = fmt.Errorf("%.20q is not a line of one", words[0])
		}
		if err != nil {
			return fmt.Errorf("%w: %w", errReceipt, err)
		}
	}
	return splitPaths(r.size(), r.paths(), hashes)
}

// readLeaf reads a leaf, and returns the lines after it.
func (r *Receipt) readLeaf(words, lines []string) ([]string, error) {
	if len(r.Leaves) == maxReceiptLeaves {
		return nil, fmt.Errorf("it has more than %d leaves", maxReceiptLeaves)
	}
	index, err := strconv.ParseInt(words[1], 10, 64)
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(words[2])
	if err != nil || n < 1 || n > len(lines) {
		return nil, fmt.Errorf("%.20q lines of a leaf", words[2])
	}
	r.Leaves = append(r.Leaves, ReceiptLeaf{Leaf: []byte(strings.Join(lines[:n], "\n") + "\n"), Index: index})
	return lines[n:], nil
}
