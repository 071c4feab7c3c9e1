package translog

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

const (
	// MaxHistory is how many bytes a file with a history has at most.
	MaxHistory = MaxProof + MaxHistoryLeaves*(MaxLeaf*4/3+40)
	// MaxHistoryLeaves is how many earlier leaves it has at most.
	MaxHistoryLeaves = 1000
	// historyLine is what the lines with earlier leaves begin with.
	historyLine = "leaf "
)

// A History is everything that a log has about a subject up to a leaf: the proof of that leaf, and
// the leaves that it leads to, back to the first.
type History struct {
	Proof *Proof
	// Earlier are the leaves before, the newest first.
	Earlier []HistoryLeaf
}

// A HistoryLeaf is a leaf with its index.
type HistoryLeaf struct {
	Index int64
	Leaf  []byte
}

// Text returns the history as a file: a proof, an empty line, and a line for each earlier leaf.
// Without an earlier leaf it is a proof.
func (h *History) Text() []byte {
	b := bytes.NewBuffer(h.Proof.Text())
	for i, l := range h.Earlier {
		if i == 0 {
			b.WriteByte('\n')
		}
		b.WriteString(historyLine + decimal(l.Index) + " " + base64.StdEncoding.EncodeToString(l.Leaf) + "\n")
	}
	return b.Bytes()
}

var errHistory = errors.New("translog: not a history")

// IsHistory reports whether a text has a history in it, and not a proof alone.
func IsHistory(text []byte) bool {
	return bytes.HasPrefix(text, []byte(proofLine+"\n")) && bytes.Contains(text, []byte("\n\n"+historyLine))
}

// ParseHistory reads a file with a history. Nothing is verified.
func ParseHistory(text []byte) (*History, error) {
	if len(text) > MaxHistory {
		return nil, fmt.Errorf("%w: it has %d bytes, at most %d are allowed", errHistory, len(text), MaxHistory)
	}
	proof, rest, _ := bytes.Cut(text, []byte("\n\n"+historyLine))
	if len(rest) > 0 {
		proof = append(bytes.Clone(proof), '\n')
	}
	p, err := ParseProof(proof)
	if err != nil {
		return nil, err
	}
	h := &History{Proof: p}
	for line := range strings.SplitSeq(string(rest), "\n"+historyLine) {
		if len(rest) == 0 {
			break
		}
		index, leaf, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		n, err := strconv.ParseInt(index, 10, 64)
		text, wrong := unbase64(leaf)
		if !ok || err != nil || wrong != nil || n < 0 || len(h.Earlier) == MaxHistoryLeaves {
			return nil, fmt.Errorf("%w: %.40q is not a leaf with its index, or there are more than %d",
				errHistory, line, MaxHistoryLeaves)
		}
		h.Earlier = append(h.Earlier, HistoryLeaf{n, text})
	}
	if !bytes.Equal(h.Text(), text) {
		return nil, fmt.Errorf("%w: it is not as it would be written", errHistory)
	}
	return h, nil
}

// Verify checks the history against a policy: the proof, and that each leaf leads to the one before
// it, back to the first. It returns what the proof shows, and the earlier leaves.
func (h *History) Verify(policy *Policy) (*Verified, []*Leaf, error) {
	v, err := h.Proof.Verify(policy)
	if err != nil {
		return nil, nil, err
	}
	leaf := v.Leaf
	var all []*Leaf
	for _, e := range h.Earlier {
		if leaf.Previous == nil || leaf.Previous.Index != e.Index || leaf.Previous.Hash != LeafHash(e.Leaf) {
			return nil, nil, fmt.Errorf("%w: leaf %d is not the one that the leaf after it leads to", errHistory, e.Index)
		}
		before, err := ParseLeaf(e.Leaf)
		if err != nil {
			return nil, nil, err
		}
		if before.Subject != v.Leaf.Subject || before.Number >= leaf.Number {
			return nil, nil, fmt.Errorf("%w: leaf %d is not an earlier one about the same subject", errHistory, e.Index)
		}
		leaf, all = before, append(all, before)
	}
	if leaf.Previous != nil {
		return nil, nil, fmt.Errorf("%w: it does not go back to the first leaf; leaf %d is missing",
			errHistory, leaf.Previous.Index)
	}
	return v, all, nil
}
