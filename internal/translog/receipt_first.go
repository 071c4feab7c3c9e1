package translog

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/tlog"
)

// writeFirst writes leaves and what a map has of them in the first form: each leaf in Base64, with the hashes
// that lead to the root but for those at the end that the leaf above has, too.
func (r *Receipt) writeFirst(b *bytes.Buffer) {
	var before []tlog.Hash
	write := func(word string, l *ReceiptLeaf) {
		shared := sharedEnd(before, l.Hashes)
		own := hashesText(l.Hashes[:len(l.Hashes)-shared])
		fmt.Fprintf(b, "%s %d %s %d %s\n", word, l.Index, base64.StdEncoding.EncodeToString(l.Leaf), shared, own)
		before = l.Hashes
	}
	for i := range r.Leaves {
		write("leaf", &r.Leaves[i])
	}
	if r.Map != nil {
		write("map", r.Map)
	}
	for _, l := range r.Leaves {
		if l.Newest != nil {
			fmt.Fprintf(b, "newest %d %d %s\n", l.Index, l.Newest.Position, hashesText(l.Newest.Hashes))
		}
	}
}

// sharedEnd counts the hashes that two proofs have in common at their ends.
func sharedEnd(a, b []tlog.Hash) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// readFirst reads the lines with leaves and what a map has of them.
func (r *Receipt) readFirst(lines []string) error {
	var before []tlog.Hash
	for _, line := range lines {
		word, _, _ := strings.Cut(line, " ")
		if word == "newest" {
			err := r.parseNewest(line)
			if err != nil {
				return fmt.Errorf("%w: %w", errReceipt, err)
			}
			continue
		}
		if len(r.Leaves) > maxReceiptLeaves {
			break
		}
		l, err := parseReceiptLeaf(line, before)
		if err != nil {
			return err
		}
		before = l.Hashes
		if word == "map" {
			r.Map = l
		} else {
			r.Leaves = append(r.Leaves, *l)
		}
	}
	return nil
}

// parseNewest reads a line with the way from a leaf to the root of the map.
func (r *Receipt) parseNewest(line string) error {
	words := strings.Split(line, " ")
	if len(words) != 4 {
		return fmt.Errorf("%.20q is no line about the newest leaf", line)
	}
	position, err := strconv.ParseInt(words[2], 10, 64)
	if err != nil || position < 0 {
		return fmt.Errorf("%.20q is no position", words[2])
	}
	hashes, err := parseHashes(words[3], maxHashes)
	if err != nil {
		return err
	}
	return r.setNewest(words[1], &MapStep{Position: position, Hashes: hashes})
}

// parseReceiptLeaf reads a line. The hashes before are those of the line above.
func parseReceiptLeaf(line string, before []tlog.Hash) (*ReceiptLeaf, error) {
	words := strings.Split(line, " ")
	if len(words) != 5 || words[0] != "leaf" && words[0] != "map" {
		return nil, fmt.Errorf("%w: %.20q is no line with a leaf", errReceipt, line)
	}
	index, err := strconv.ParseInt(words[1], 10, 64)
	if err != nil || index < 0 {
		return nil, fmt.Errorf("%w: %.20q is no index", errReceipt, words[1])
	}
	leaf, err := unbase64(words[2])
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errReceipt, err)
	}
	shared, err := strconv.Atoi(words[3])
	if err != nil || shared < 0 || shared > len(before) {
		return nil, fmt.Errorf("%w: %.20q hashes of the line above", errReceipt, words[3])
	}
	l := &ReceiptLeaf{Leaf: leaf, Index: index}
	l.Hashes, err = parseHashes(words[4], maxHashes)
	if err != nil {
		return nil, fmt.Errorf("%w: the hashes of leaf %d cannot be read", errReceipt, index)
	}
	l.Hashes = append(l.Hashes, before[len(before)-shared:]...)
	if len(l.Hashes) > maxHashes {
		return nil, fmt.Errorf("%w: leaf %d has too many hashes", errReceipt, index)
	}
	return l, nil
}
