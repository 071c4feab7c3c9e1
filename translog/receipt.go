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
	// Signed is the signed checkpoint.
	Signed []byte
}

// A ReceiptLeaf is a leaf with the hashes that lead from it to the root.
type ReceiptLeaf struct {
	Leaf   []byte
	Index  int64
	Hashes []tlog.Hash
}

// Text returns the receipt as a file. Leaves that stand close together in a log have most
// of their hashes in common; those are written once.
func (r *Receipt) Text() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\nquestion %s\nverdict %s\nat %s\n", receiptLine, r.Question.Encode(), r.Verdict, stamp(r.At))
	var before []tlog.Hash
	for _, l := range r.Leaves {
		shared := sharedEnd(before, l.Hashes)
		own := "-"
		if n := len(l.Hashes) - shared; n > 0 {
			own = base64.StdEncoding.EncodeToString(join(l.Hashes[:n]))
		}
		fmt.Fprintf(&b, "leaf %d %s %d %s\n", l.Index, base64.StdEncoding.EncodeToString(l.Leaf), shared, own)
		before = l.Hashes
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
	if !ok || len(lines) < 5 || len(lines) > 4+maxReceiptLeaves || lines[0] != receiptLine {
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
	var before []tlog.Hash
	for _, line := range lines[4:] {
		l, err := parseReceiptLeaf(line, before)
		if err != nil {
			return nil, err
		}
		r.Leaves, before = append(r.Leaves, *l), l.Hashes
	}
	if !bytes.Equal(r.Text(), text) {
		return nil, fmt.Errorf("%w: a line is written in another way", errReceipt)
	}
	return r, nil
}

// parseReceiptLeaf reads a line. The hashes before are those of the line above.
func parseReceiptLeaf(line string, before []tlog.Hash) (*ReceiptLeaf, error) {
	words := strings.Split(line, " ")
	if len(words) != 5 || words[0] != "leaf" {
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
	if words[4] != "-" {
		own, err := unbase64(words[4])
		if err != nil || len(own)%tlog.HashSize != 0 || len(own) > maxHashes*tlog.HashSize {
			return nil, fmt.Errorf("%w: the hashes of leaf %d cannot be read", errReceipt, index)
		}
		for ; len(own) > 0; own = own[tlog.HashSize:] {
			l.Hashes = append(l.Hashes, tlog.Hash(own[:tlog.HashSize]))
		}
	}
	l.Hashes = append(l.Hashes, before[len(before)-shared:]...)
	if len(l.Hashes) > maxHashes {
		return nil, fmt.Errorf("%w: leaf %d has too many hashes", errReceipt, index)
	}
	return l, nil
}

// Verify checks all leaves of a receipt against a policy.
func (r *Receipt) Verify(policy *Policy) ([]*Verified, error) {
	var all []*Verified
	for _, l := range r.Leaves {
		v, err := (&Proof{Leaf: l.Leaf, Index: l.Index, Hashes: l.Hashes, Signed: r.Signed}).Verify(policy)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, nil
}
