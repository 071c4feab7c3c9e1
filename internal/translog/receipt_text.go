package translog

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/tlog"
)

// write writes leaves and what a map has of them: leaves as they are, and then the hashes of all of
// them together, without those that follow from others.
func (r *Receipt) write(b *bytes.Buffer) {
	all := r.all()
	for i, l := range all {
		word := "leaf"
		if i == len(r.Leaves) {
			word = "map"
		}
		fmt.Fprintf(b, "%s %d %d\n%s", word, l.Index, bytes.Count(l.Leaf, []byte("\n")), l.Leaf)
	}
	fmt.Fprintf(b, "hashes %s\n", hashesText(mergePaths(r.size(), logPaths(all))))
	entries, size := r.mapPaths()
	if len(entries) == 0 {
		return
	}
	for _, l := range r.Leaves {
		if l.Newest != nil {
			fmt.Fprintf(b, "newest %d %d\n", l.Index, l.Newest.Position)
		}
	}
	fmt.Fprintf(b, "entries %s\n", hashesText(mergePaths(size, entries)))
}

// all are the leaves and that with the map.
func (r *Receipt) all() []*ReceiptLeaf {
	var all []*ReceiptLeaf
	for i := range r.Leaves {
		all = append(all, &r.Leaves[i])
	}
	if r.Map != nil {
		all = append(all, r.Map)
	}
	return all
}

// size is the log's by the checkpoint, which is not verified; 0 for none.
func (r *Receipt) size() int64 {
	head, err := Read(r.Signed)
	if err != nil {
		return 0
	}
	return head.Size
}

// logPaths are the ways of leaves to the root of the log.
func logPaths(all []*ReceiptLeaf) []path {
	var paths []path
	for _, l := range all {
		paths = append(paths, path{l.Index, tlog.RecordHash(l.Leaf), &l.Hashes})
	}
	return paths
}

// mapPaths are the ways of entries to the root of the map, and how many it has.
func (r *Receipt) mapPaths() ([]path, int64) {
	var paths []path
	for i := range r.Leaves {
		l := &r.Leaves[i]
		leaf, err := ParseLeaf(l.Leaf)
		if l.Newest != nil && err == nil {
			e := MapEntry{MapKey(leaf.Subject), l.Index}
			paths = append(paths, path{l.Newest.Position, e.hash(), &l.Newest.Hashes})
		}
	}
	if r.Map == nil {
		return paths, 0
	}
	leaf, err := ParseLeaf(r.Map.Leaf)
	if err != nil || leaf.Map == nil {
		return paths, 0
	}
	return paths, leaf.Map.Entries
}

// read reads what write wrote. That lines are in their order is found when they are written again.
func (r *Receipt) read(lines []string) error {
	var hashes, entries []tlog.Hash
	for len(lines) > 0 {
		words := strings.Split(lines[0], " ")
		lines = lines[1:]
		var err error
		switch {
		case len(words) == 3 && (words[0] == "leaf" || words[0] == "map"):
			lines, err = r.readLeaf(words, lines)
		case len(words) == 3 && words[0] == "newest":
			var position int64
			position, err = strconv.ParseInt(words[2], 10, 64)
			if err == nil {
				err = r.setNewest(words[1], &MapStep{Position: position})
			}
		case len(words) == 2 && words[0] == "hashes":
			hashes, err = parseHashes(words[1], maxHashes*(maxReceiptLeaves+1))
		case len(words) == 2 && words[0] == "entries":
			entries, err = parseHashes(words[1], maxHashes*(maxReceiptLeaves+1))
		default:
			err = fmt.Errorf("%.20q is not a line of one", words[0])
		}
		if err != nil {
			return fmt.Errorf("%w: %w", errReceipt, err)
		}
	}
	err := splitPaths(r.size(), logPaths(r.all()), hashes)
	if err != nil {
		return err
	}
	paths, size := r.mapPaths()
	if len(paths) == 0 {
		return nil
	}
	return splitPaths(size, paths, entries)
}

// readLeaf reads a leaf, and returns the lines after it.
func (r *Receipt) readLeaf(words, lines []string) ([]string, error) {
	if len(r.Leaves) == maxReceiptLeaves && words[0] != "map" {
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
	l := ReceiptLeaf{Leaf: []byte(strings.Join(lines[:n], "\n") + "\n"), Index: index}
	if words[0] == "map" {
		r.Map = &l
	} else {
		r.Leaves = append(r.Leaves, l)
	}
	return lines[n:], nil
}

// setNewest notes where the map has a leaf, by its index.
func (r *Receipt) setNewest(index string, step *MapStep) error {
	for i := range r.Leaves {
		if decimal(r.Leaves[i].Index) == index && r.Leaves[i].Newest == nil {
			r.Leaves[i].Newest = step
			return nil
		}
	}
	return fmt.Errorf("%.20q is the index of no leaf in it", index)
}
