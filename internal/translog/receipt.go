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

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// receiptLine is the first line of a receipt.
const receiptLine = "avow-receipt/1"

// maxReceiptLeaves is how many leaves a receipt has at most: a publisher, and the files that
// an answer rests on.
const maxReceiptLeaves = 16

// A Receipt is an answer with the proofs of what it rests on. The log has signed all of it, so that Question,
// Verdict and At are its word; the leaves are proved, under one checkpoint.
type Receipt struct {
	// Question has what was asked: publisher, agent and so on.
	Question url.Values
	Verdict  string
	At       time.Time
	Leaves   []ReceiptLeaf
	// Signatures are of the log, over everything from the question to the hashes.
	Signatures []ReceiptSignature
	// Signed is the signed checkpoint.
	Signed []byte
}

// A ReceiptSignature is by a key of the log: its name, and its id and the signature in base64, as in a signed
// checkpoint.
type ReceiptSignature struct{ Name, Base64 string }

// A ReceiptLeaf is a leaf with the hashes that lead from it to the root.
type ReceiptLeaf struct {
	Leaf   []byte
	Index  int64
	Hashes []tlog.Hash
}

// Text returns the receipt as a file.
func (r *Receipt) Text() []byte {
	var b bytes.Buffer
	b.WriteString(r.answer())
	for _, s := range r.Signatures {
		fmt.Fprintf(&b, "%s%s %s\n", signedWord, s.Name, s.Base64)
	}
	b.WriteByte('\n')
	b.Write(r.Signed)
	return b.Bytes()
}

// signedWord begins the lines with signatures.
const signedWord = "signed "

// answer is what the log signs.
func (r *Receipt) answer() string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\nquestion %s\nverdict %s\nat %s\n", receiptLine, r.Question.Encode(), r.Verdict, stamp(r.At))
	r.write(&b)
	return b.String()
}

// Sign signs the receipt with keys of the log that sign its heads. It begins with a line that no checkpoint
// has, so that a signature of one never fits the other.
func (r *Receipt) Sign(keys ...*Signer) error {
	text, err := note.Sign(&note.Note{Text: r.answer()}, signersAt(r.At, keys)...)
	if err != nil {
		return err
	}
	r.Signatures = nil
	for line := range strings.Lines(string(Signatures(text))) {
		words := strings.Fields(line) // a dash, the name, the signature
		r.Signatures = append(r.Signatures, ReceiptSignature{words[1], words[2]})
	}
	return nil
}

// ErrAnswerNotSigned is about a receipt whose question and verdict are not the word of its log.
var ErrAnswerNotSigned = errors.New("translog: the log has not signed this question and this verdict")

// checkSigned checks that the receipt is signed by the log whose head it has.
func (r *Receipt) checkSigned(policy *Policy, origin string) error {
	text := r.answer() + "\n"
	for _, s := range r.Signatures {
		text += "\u2014 " + s.Name + " " + s.Base64 + "\n"
	}
	var keys []*Key
	for _, l := range policy.Logs {
		if l.Key.Name == origin {
			keys = append(keys, l.Key)
		}
	}
	_, err := openNote([]byte(text), keys)
	if err != nil {
		return fmt.Errorf("%w (%w)", ErrAnswerNotSigned, err)
	}
	return nil
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
func IsReceipt(text []byte) bool {
	return bytes.HasPrefix(text, []byte(receiptLine+"\n"))
}

// ParseReceipt reads a receipt. Nothing is verified.
func ParseReceipt(text []byte) (*Receipt, error) {
	if len(text) > MaxProof {
		return nil, fmt.Errorf("%w: it has %d bytes, at most %d are allowed", errReceipt, len(text), MaxProof)
	}
	head, signed, ok := bytes.Cut(text, []byte("\n\n"))
	lines := strings.Split(string(head), "\n")
	if !ok || len(lines) < 5 || !IsReceipt(text) {
		return nil, fmt.Errorf("%w: it does not begin with %q, question, verdict, at and leaves before an empty line",
			errReceipt, receiptLine)
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
	body := r.readSignatures(lines[4:])
	err = r.read(body)
	if err == nil && (len(r.Leaves) == 0 || len(r.Leaves) > maxReceiptLeaves) {
		err = fmt.Errorf("%w: it has %d leaves", errReceipt, len(r.Leaves))
	}
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(r.Text(), text) {
		return nil, fmt.Errorf("%w: a line is written in another way", errReceipt)
	}
	return r, nil
}

// readSignatures reads the last lines, and returns the others.
func (r *Receipt) readSignatures(lines []string) []string {
	i := len(lines)
	for i > 0 && strings.HasPrefix(lines[i-1], signedWord) {
		i--
	}
	for _, l := range lines[i:] {
		name, signature, _ := strings.Cut(strings.TrimPrefix(l, signedWord), " ")
		r.Signatures = append(r.Signatures, ReceiptSignature{name, signature})
	}
	return lines[:i]
}

// Verify checks the signature and all leaves of a receipt against a policy.
func (r *Receipt) Verify(policy *Policy) ([]*Verified, error) {
	head, err := policy.Check(r.Signed)
	if err == nil {
		err = r.checkSigned(policy, head.Head.Origin)
	}
	if err != nil {
		return nil, err
	}
	var all []*Verified
	for i := range r.Leaves {
		l := &r.Leaves[i]
		v, err := (&Proof{Leaf: l.Leaf, Index: l.Index, Hashes: l.Hashes, Signed: r.Signed}).Verify(policy)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, nil
}

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
