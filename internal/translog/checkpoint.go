package translog

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// MaxNote is how many bytes a signed checkpoint has at most.
const MaxNote = 64 << 10

// A Checkpoint is the head of a log: how many leaves it has, and the root of the tree over
// them.
type Checkpoint struct {
	Origin string
	Size   int64
	Root   tlog.Hash
}

// Text returns the checkpoint as it is signed.
func (c *Checkpoint) Text() string {
	return c.Origin + "\n" + decimal(c.Size) + "\n" + c.Root.String() + "\n"
}

var errCheckpoint = errors.New("translog: not a checkpoint")

// An unsignedError is about a checkpoint of strangers, or one from before or after a change of keys.
type unsignedError struct{ unverified *note.UnverifiedNoteError }

// Error returns what is wrong.
func (unsignedError) Error() string {
	return "translog: no key that is known here has signed the head of the log"
}

// Unwrap returns the error of the note.
func (e unsignedError) Unwrap() error { return e.unverified }

// parseCheckpoint reads the text of a checkpoint. Further lines are allowed, and mean
// nothing here.
func parseCheckpoint(text string) (*Checkpoint, error) {
	lines := strings.SplitAfter(text, "\n")
	if len(lines) < 4 || lines[len(lines)-1] != "" {
		return nil, fmt.Errorf("%w: it has too few lines", errCheckpoint)
	}
	origin, size := strings.TrimSuffix(lines[0], "\n"), strings.TrimSuffix(lines[1], "\n")
	n, err := strconv.ParseInt(size, 10, 64)
	if err != nil || n < 0 || decimal(n) != size {
		return nil, fmt.Errorf("%w: size %.20q is not a number without leading zeros", errCheckpoint, size)
	}
	root, err := parseHash(strings.TrimSuffix(lines[2], "\n"))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errCheckpoint, err)
	}
	if !isOrigin(origin) {
		return nil, fmt.Errorf("%w: origin %.40q", errCheckpoint, origin)
	}
	for _, l := range lines[3 : len(lines)-1] {
		if l == "\n" {
			return nil, fmt.Errorf("%w: it has an empty line", errCheckpoint)
		}
	}
	return &Checkpoint{origin, n, root}, nil
}

// Read reads a signed checkpoint without verifying anything: whose it would be.
func Read(signed []byte) (*Checkpoint, error) {
	n, err := openUnverified(signed)
	if err != nil {
		return nil, err
	}
	return parseCheckpoint(n.Text)
}

// Trim verifies a signed checkpoint with keys, and returns it with their signatures alone.
func Trim(signed []byte, keys ...*Key) ([]byte, error) {
	n, err := openNote(signed, keys)
	if err != nil {
		return nil, err
	}
	return note.Sign(&note.Note{Text: n.Text, Sigs: n.Sigs})
}

// openUnverified reads a note without checking its signatures.
func openUnverified(signed []byte) (*note.Note, error) {
	n, err := openNote(signed, nil)
	var unverified *note.UnverifiedNoteError
	if errors.As(err, &unverified) {
		return unverified.Note, nil
	}
	return n, err
}

// Sign returns a signed checkpoint. Timed keys sign the time, too.
func Sign(c *Checkpoint, at time.Time, keys ...*Signer) ([]byte, error) {
	_, err := parseCheckpoint(c.Text())
	if err != nil {
		return nil, err
	}
	return note.Sign(&note.Note{Text: c.Text()}, signersAt(at, keys)...)
}

// Cosign adds signatures to a signed checkpoint, which the caller has verified.
func Cosign(signed []byte, at time.Time, keys ...*Signer) ([]byte, error) {
	n, err := openUnverified(signed)
	if err != nil {
		return nil, err
	}
	return note.Sign(n, signersAt(at, keys)...)
}

func signersAt(at time.Time, keys []*Signer) []note.Signer {
	var all []note.Signer
	for _, k := range keys {
		all = append(all, signer{k, at})
	}
	return all
}

// Signatures returns the lines of a signed checkpoint that have the signatures; none of bytes
// that are no signed checkpoint.
func Signatures(signed []byte) []byte {
	i := bytes.LastIndex(signed, []byte("\n\n"))
	if i < 0 {
		return nil
	}
	return signed[i+2:]
}

// A Signature is a line of a signed checkpoint: whose it says it is, and the time in it. It is
// not verified.
type Signature struct {
	Name string
	// At is zero for a signature without a time.
	At time.Time
}

// SignedBy reads the lines with signatures without verifying anything.
func SignedBy(signed []byte) ([]Signature, error) {
	n, err := openUnverified(signed)
	if err != nil {
		return nil, err
	}
	var all []Signature
	for _, s := range n.UnverifiedSigs {
		one := Signature{Name: s.Name}
		raw, err := unbase64(s.Base64)
		if err == nil && len(raw) > 4 {
			seconds, ok := timeIn(raw[4:])
			if ok {
				one.At = time.Unix(int64(seconds), 0).UTC() // at most maxSeconds
			}
		}
		all = append(all, one)
	}
	return all, nil
}

// Open verifies a signed checkpoint with keys, and returns who signed it. A signature of a
// key that is not among them is passed over; one of a key among them that is wrong
// condemns the whole.
func Open(signed []byte, keys ...*Key) (*Checkpoint, []Cosignature, error) {
	n, err := openNote(signed, keys)
	if err != nil {
		return nil, nil, err
	}
	c, err := parseCheckpoint(n.Text)
	if err != nil {
		return nil, nil, err
	}
	var by []Cosignature
	for _, s := range n.Sigs {
		for _, k := range keys {
			if k.Name == s.Name && k.ID() == s.Hash {
				by = append(by, Cosignature{k, signedAt(k, s.Base64)})
			}
		}
	}
	return c, by, nil
}

// signedAt returns when a signature that was verified was made; zero for a plain one.
func signedAt(k *Key, text string) time.Time {
	raw, err := unbase64(text)
	if err != nil || k.Type != Timed {
		return time.Time{}
	}
	return time.Unix(int64(binary.BigEndian.Uint64(raw[4:])), 0).UTC() // at most maxSeconds, by Verify
}

// openNote is note.Open for one text of each note: no signature twice, and base64 in its
// usual form.
func openNote(signed []byte, keys []*Key) (*note.Note, error) {
	if len(signed) > MaxNote {
		return nil, fmt.Errorf("%w: it has %d bytes, at most %d are allowed", errCheckpoint, len(signed), MaxNote)
	}
	var known []note.Verifier
	for _, k := range keys {
		known = append(known, verifier{k})
	}
	n, err := note.Open(signed, note.VerifierList(known...))
	var unverified *note.UnverifiedNoteError
	list := n
	if errors.As(err, &unverified) {
		list = unverified.Note
	}
	if list == nil {
		return nil, fmt.Errorf("%w: %w", errCheckpoint, err)
	}
	seen := map[string]bool{}
	for _, s := range append(append([]note.Signature{}, list.Sigs...), list.UnverifiedSigs...) {
		_, err := unbase64(s.Base64)
		name := fmt.Sprintf("%s+%08x", s.Name, s.Hash)
		if err != nil || seen[name] {
			return nil, fmt.Errorf("%w: the signature of %q is there twice, or not base64 in its usual form",
				errCheckpoint, s.Name)
		}
		seen[name] = true
	}
	if bytes.Count(Signatures(signed), []byte("\n")) != len(seen) {
		return nil, fmt.Errorf("%w: a signature is there twice", errCheckpoint)
	}
	if unverified != nil {
		return nil, unsignedError{unverified}
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errCheckpoint, err)
	}
	return n, nil
}
