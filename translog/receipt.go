package translog

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/tlog"
)

// receiptLine is the first line of a receipt.
const receiptLine = "avow-receipt/1"

// maxReceiptLeaves is how many leaves a receipt has at most: a publisher, and the files that
// an answer rests on.
const maxReceiptLeaves = 16

// A Receipt is an answer with the proofs of what it rests on. Question, Verdict and At are
// the word of whoever made the receipt; the leaves are proved, under one checkpoint.
type Receipt struct {
	// Question has what was asked: publisher, agent and so on.
	Question url.Values
	Verdict  string
	At       time.Time
	Leaves   []ReceiptLeaf
	// Map is the leaf with a map by which some of the leaves were the newest; nil for none.
	Map *ReceiptLeaf
	// Signed is the signed checkpoint.
	Signed []byte
}

// A ReceiptLeaf is a leaf with the hashes that lead from it to the root.
type ReceiptLeaf struct {
	Leaf   []byte
	Index  int64
	Hashes []tlog.Hash
	// Newest leads to the root of the map of the receipt; nil for a leaf that the map does not have as
	// the newest. The entry itself follows from the leaf.
	Newest *MapStep
}

// Text returns the receipt as a file. Leaves that stand close together in a log have most
// of their hashes in common; those are written once.
func (r *Receipt) Text() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\nquestion %s\nverdict %s\nat %s\n", receiptLine, r.Question.Encode(), r.Verdict, stamp(r.At))
	var before []tlog.Hash
	write := func(word string, l *ReceiptLeaf) {
		shared := sharedEnd(before, l.Hashes)
		own := hashesText(l.Hashes[:len(l.Hashes)-shared])
		fmt.Fprintf(&b, "%s %d %s %d %s\n", word, l.Index, base64.StdEncoding.EncodeToString(l.Leaf), shared, own)
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
			fmt.Fprintf(&b, "newest %d %d %s\n", l.Index, l.Newest.Position, hashesText(l.Newest.Hashes))
		}
	}
	b.WriteByte('\n')
	b.Write(r.Signed)
	return b.Bytes()
}

// sharedEnd counts the hashes that two proofs have in common at their ends.
func sharedEnd(a, b []tlog.Hash) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

func join(hashes []tlog.Hash) []byte {
	var all []byte
	for _, h := range hashes {
		all = append(all, h[:]...)
	}
	return all
}

var errReceipt = errors.New("translog: not a receipt")

// IsReceipt reports whether a file begins like a receipt.
func IsReceipt(text []byte) bool { return bytes.HasPrefix(text, []byte(receiptLine+"\n")) }

// ParseReceipt reads a receipt. Nothing is verified.
func ParseReceipt(text []byte) (*Receipt, error) {
	if len(text) > MaxProof {
		return nil, fmt.Errorf("%w: it has %d bytes, at most %d are allowed", errReceipt, len(text), MaxProof)
	}
	head, signed, ok := bytes.Cut(text, []byte("\n\n"))
	lines := strings.Split(string(head), "\n")
	if !ok || len(lines) < 5 || len(lines) > 5+2*maxReceiptLeaves || lines[0] != receiptLine {
		return nil, fmt.Errorf("%w: it does not begin with %q, question, verdict, at and leaves before an empty line", errReceipt, receiptLine)
	}
	question, err := url.ParseQuery(strings.TrimPrefix(lines[1], "question "))
	if err != nil {
		return nil, fmt.Errorf("%w: the question cannot be read", errReceipt)
	}
	r := &Receipt{Question: question, Verdict: strings.TrimPrefix(lines[2], "verdict "), Signed: signed}
	r.At, err = time.Parse(timeForm, strings.TrimPrefix(lines[3], "at "))
	if err != nil || !isWord(r.Verdict) {
		return nil, fmt.Errorf("%w: it has no verdict with a time", errReceipt)
	}
	err = r.parseLines(lines[4:])
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(r.Text(), text) {
		return nil, fmt.Errorf("%w: a line is written in another way", errReceipt)
	}
	return r, nil
}

// parseLines reads the lines with leaves and what a map has of them.
func (r *Receipt) parseLines(lines []string) error {
	var before []tlog.Hash
	for _, line := range lines {
		word, _, _ := strings.Cut(line, " ")
		if word == "newest" {
			err := r.parseNewest(line)
			if err != nil {
				return err
			}
			continue
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
	if len(r.Leaves) == 0 || len(r.Leaves) > maxReceiptLeaves {
		return fmt.Errorf("%w: it has %d leaves", errReceipt, len(r.Leaves))
	}
	return nil
}

// parseNewest reads a line with the way from a leaf to the root of the map.
func (r *Receipt) parseNewest(line string) error {
	words := strings.Split(line, " ")
	if len(words) != 4 {
		return fmt.Errorf("%w: %.20q is no line about the newest leaf", errReceipt, line)
	}
	position, err := strconv.ParseInt(words[2], 10, 64)
	if err != nil || position < 0 {
		return fmt.Errorf("%w: %.20q is no position", errReceipt, words[2])
	}
	hashes, err := parseHashes(words[3])
	if err != nil {
		return fmt.Errorf("%w: %w", errReceipt, err)
	}
	for i := range r.Leaves {
		if decimal(r.Leaves[i].Index) == words[1] && r.Leaves[i].Newest == nil {
			r.Leaves[i].Newest = &MapStep{Position: position, Hashes: hashes}
			return nil
		}
	}
	return fmt.Errorf("%w: %.20q is the index of no leaf in it", errReceipt, words[1])
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
	l.Hashes, err = parseHashes(words[4])
	if err != nil {
		return nil, fmt.Errorf("%w: the hashes of leaf %d cannot be read", errReceipt, index)
	}
	l.Hashes = append(l.Hashes, before[len(before)-shared:]...)
	if len(l.Hashes) > maxHashes {
		return nil, fmt.Errorf("%w: leaf %d has too many hashes", errReceipt, index)
	}
	return l, nil
}

// Verify checks all leaves of a receipt against a policy.
func (r *Receipt) Verify(policy *Policy) ([]*Verified, error) {
	var newest *Verified
	if r.Map != nil {
		var err error
		newest, err = r.verify(r.Map, policy)
		if err == nil && newest.Leaf.Map == nil {
			err = fmt.Errorf("%w: leaf %d has no map", errReceipt, r.Map.Index)
		}
		if err != nil {
			return nil, err
		}
	}
	var all []*Verified
	for i := range r.Leaves {
		l := &r.Leaves[i]
		v, err := r.verify(l, policy)
		if err != nil {
			return nil, err
		}
		if l.Newest != nil {
			if newest == nil || !InMap(v.Leaf.Subject) {
				return nil, fmt.Errorf("%w: it has no map for leaf %d", errReceipt, l.Index)
			}
			step := MapStep{MapEntry{MapKey(v.Leaf.Subject), l.Index}, l.Newest.Position, l.Newest.Hashes}
			err = step.check(newest.Leaf.Map)
			if err != nil {
				return nil, err
			}
			v.Newest = newest
		}
		all = append(all, v)
	}
	return all, nil
}

func (r *Receipt) verify(l *ReceiptLeaf, policy *Policy) (*Verified, error) {
	return (&Proof{Leaf: l.Leaf, Index: l.Index, Hashes: l.Hashes, Signed: r.Signed}).Verify(policy)
}
