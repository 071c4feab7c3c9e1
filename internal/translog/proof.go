package translog

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/tlog"
)

const (
	// MaxProof is how many bytes a file with a proof has at most.
	MaxProof = MaxNote + 16<<10
	// maxHashes is how many a proof has in the largest tree that can be.
	maxHashes = 63
	// proofLine is the first line of a file with a proof.
	proofLine = "c2sp.org/tlog-proof@v1"
)

// A Proof shows that a leaf is in the log that a checkpoint is the head of.
type Proof struct {
	// Leaf is the leaf itself; the format calls it extra data, and what it says is covered by
	// the proof.
	Leaf []byte
	// Index is the place of the leaf in the log, counted from 0.
	Index int64
	// Hashes lead from the leaf to the root.
	Hashes []tlog.Hash
	// Signed is the signed checkpoint.
	Signed []byte
}

// Text returns the proof as a file.
func (p *Proof) Text() []byte {
	var b bytes.Buffer
	b.WriteString(proofLine + "\nextra " + base64.StdEncoding.EncodeToString(p.Leaf) +
		"\nindex " + decimal(p.Index) + "\n")
	for _, h := range p.Hashes {
		b.WriteString(h.String() + "\n")
	}
	b.WriteByte('\n')
	b.Write(p.Signed)
	return b.Bytes()
}

var errProof = errors.New("translog: not a proof")

// ParseProof reads a file with a proof. Nothing is verified.
func ParseProof(text []byte) (*Proof, error) {
	if len(text) > MaxProof {
		return nil, fmt.Errorf("%w: it has %d bytes, at most %d are allowed", errProof, len(text), MaxProof)
	}
	head, signed, ok := bytes.Cut(text, []byte("\n\n"))
	if !ok {
		return nil, fmt.Errorf("%w: it has no empty line before a checkpoint", errProof)
	}
	lines := strings.Split(string(head), "\n")
	if len(lines) < 3 || lines[0] != proofLine {
		return nil, fmt.Errorf("%w: it does not begin with the lines %q, extra and index", errProof, proofLine)
	}
	extra, ok := strings.CutPrefix(lines[1], "extra ")
	leaf, err := unbase64(extra)
	if err != nil || !ok {
		return nil, fmt.Errorf("%w: the second line has no leaf in it (extra, with base64)", errProof)
	}
	p := &Proof{Leaf: leaf, Signed: signed}
	index, ok := strings.CutPrefix(lines[2], "index ")
	p.Index, err = strconv.ParseInt(index, 10, 64)
	if err != nil || !ok || p.Index < 0 || decimal(p.Index) != index {
		return nil, fmt.Errorf("%w: %.40q is not an index", errProof, lines[2])
	}
	if len(lines)-3 > maxHashes {
		return nil, fmt.Errorf("%w: it has %d hashes, at most %d are needed", errProof, len(lines)-3, maxHashes)
	}
	for _, l := range lines[3:] {
		h, err := parseHash(l)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errProof, err)
		}
		p.Hashes = append(p.Hashes, h)
	}
	return p, nil
}

// A Verified is what a proof shows.
type Verified struct {
	Leaf  *Leaf
	Index int64
	Head  *Checkpoint
	// Log is the key of the log that signed the head, and Witnesses those who cosigned it,
	// as the policy names them.
	Log       *Key
	Witnesses []Witnessed
}

// Shows reports whether it is about a document with this hash.
func (v *Verified) Shows(hash string) bool {
	return v.Leaf.Counts == hash || v.Leaf.Document != nil && v.Leaf.Document.Hash == hash
}

// CheckFiles returns an error if proofs about publishers and files do not belong together: each file has to be
// one that spoke for a publisher, if there is one.
func CheckFiles(all []*Verified) error {
	var places []string
	for _, v := range all {
		if v.Leaf.Subject.Kind == SubjectPublisher {
			places = append(places, v.Leaf.Place.File)
		}
	}
	for _, v := range all {
		if v.Leaf.Subject.Kind == SubjectFile && len(places) > 0 && !slices.Contains(places, v.Leaf.Subject.Name) {
			return errors.New("the file is not the one that spoke for the publisher")
		}
	}
	return nil
}

// ErrNotIncluded is about a leaf that is not in the log that the checkpoint is the head of.
var ErrNotIncluded = errors.New("translog: the hashes do not lead from the leaf to the root that was signed")

// Verify checks a file with a proof against a policy: its form, the signatures, and that the
// leaf is in the log.
func Verify(text []byte, policy *Policy) (*Verified, error) {
	p, err := ParseProof(text)
	if err != nil {
		return nil, err
	}
	return p.Verify(policy)
}

// Verify checks the proof against a policy.
func (p *Proof) Verify(policy *Policy) (*Verified, error) {
	v, err := policy.Check(p.Signed)
	if err != nil {
		return nil, err
	}
	if p.Index >= v.Head.Size {
		return nil, fmt.Errorf("%w: index %d is not below the size %d of the log", errProof, p.Index, v.Head.Size)
	}
	err = tlog.CheckRecord(p.Hashes, v.Head.Size, v.Head.Root, p.Index, tlog.RecordHash(p.Leaf))
	if err != nil {
		return nil, ErrNotIncluded
	}
	leaf, err := ParseLeaf(p.Leaf)
	if err != nil {
		return nil, err
	}
	return &Verified{Leaf: leaf, Index: p.Index, Head: v.Head, Log: v.Log, Witnesses: v.Witnesses}, nil
}

const (
	// TileHeight is that of tiles: they are 256 hashes wide.
	TileHeight = 8
	// TileWidth is how many hashes, or leaves, a full tile has.
	TileWidth = 1 << TileHeight
	// maxLevel is the highest that a tile can be on.
	maxLevel = 63
)

// A Tile names a part of a log that is served as one file: hashes of a level, or leaves.
type Tile struct {
	// Entries is set for a tile of leaves, which has no Level.
	Entries bool
	Level   int
	N       int64
	// Width is 256 for a full tile.
	Width int
}

// Path returns the path of a tile below that of its log.
func (t Tile) Path() string {
	n := fmt.Sprintf("%03d", t.N%1000)
	for rest := t.N / 1000; rest > 0; rest /= 1000 {
		n = fmt.Sprintf("x%03d/%s", rest%1000, n)
	}
	level := strconv.Itoa(t.Level)
	if t.Entries {
		level = "entries"
	}
	path := "tile/" + level + "/" + n
	if t.Width != TileWidth {
		path += ".p/" + strconv.Itoa(t.Width)
	}
	return path
}

var errPath = errors.New("translog: not the path of a tile")

// ParseTile reads the path of a tile.
func ParseTile(path string) (Tile, error) {
	rest, ok := strings.CutPrefix(path, "tile/")
	level, rest, more := strings.Cut(rest, "/")
	if !ok || !more || len(path) > 100 {
		return Tile{}, errPath
	}
	t := Tile{Width: TileWidth, Entries: level == "entries"}
	number, width, partial := strings.Cut(rest, ".p/")
	if partial {
		t.Width, _ = strconv.Atoi(width) // compared below
	}
	if !t.Entries {
		t.Level, _ = strconv.Atoi(level) // compared below
	}
	for part := range strings.SplitSeq(number, "/") {
		n, err := strconv.ParseUint(strings.TrimPrefix(part, "x"), 10, 16)
		if err != nil || n > 999 || t.N > (math.MaxInt64-999)/1000 {
			return Tile{}, errPath
		}
		t.N = t.N*1000 + int64(n)
	}
	if t.Width < 1 || t.Width > TileWidth || t.Level < 0 || t.Level > maxLevel || t.Path() != path {
		return Tile{}, errPath
	}
	return t, nil
}

// WidthAt returns how many hashes of the tile there are in a log of a size; 0 for none.
func (t Tile) WidthAt(size int64) int {
	shift := TileHeight * t.Level
	if shift >= 63 {
		return 0
	}
	have := size >> shift
	switch full := have / TileWidth; {
	case t.N < full:
		return TileWidth
	case t.N == full:
		return int(have % TileWidth)
	}
	return 0
}
