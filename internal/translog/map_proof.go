package translog

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/tlog"
)

// A MapStep proves an entry of a map.
type MapStep struct {
	MapEntry
	// Position is the place of the entry in the map, counted from 0.
	Position int64
	// Hashes lead from the entry to the root of the map.
	Hashes []tlog.Hash
}

// check verifies that the entry is in a map.
func (s *MapStep) check(m *MapHead) error {
	root, err := hex.DecodeString(m.Root)
	if err != nil || len(root) != tlog.HashSize || s.Position >= m.Entries || s.Index >= m.Size || tlog.CheckRecord(s.Hashes, m.Entries, tlog.Hash(root), s.Position, s.hash()) != nil {
		return errMapProof
	}
	return nil
}

// errMapProof is about an entry that is not in the map.
var errMapProof = errors.New("translog: the hashes do not lead from the entry to the root of the map")

// A MapProof shows which leaf about a subject was the newest when a map was made, or that there was
// none: with the entry of the subject, or with those between which it would stand.
type MapProof struct {
	Subject Subject
	Steps   []MapStep
	// Map is the proof of the leaf with the map.
	Map *Proof
}

// mapProofLine is the first line of a file with such a proof.
const mapProofLine = "avow-map-proof/1"

// Text returns the proof as a file: what it has of the map, and then the proof of the leaf.
func (p *MapProof) Text() []byte {
	var b bytes.Buffer
	b.WriteString(mapProofLine + "\nsubject " + p.Subject.String() + "\n")
	for i := range p.Steps {
		s := &p.Steps[i]
		fmt.Fprintf(&b, "entry %d %x %d %s\n", s.Position, s.Key, s.Index, hashesText(s.Hashes))
	}
	b.WriteByte('\n')
	b.Write(p.Map.Text())
	return b.Bytes()
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

// IsMapProof reports whether a file begins like a MapProof.
func IsMapProof(text []byte) bool { return bytes.HasPrefix(text, []byte(mapProofLine+"\n")) }

// ParseMapProof reads a file. Nothing is verified.
func ParseMapProof(text []byte) (*MapProof, error) {
	if len(text) > MaxProof {
		return nil, fmt.Errorf("%w: it has %d bytes, at most %d are allowed", errMap, len(text), MaxProof)
	}
	head, rest, ok := bytes.Cut(text, []byte("\n\n"))
	lines := strings.Split(string(head), "\n")
	if !ok || len(lines) < 2 || len(lines) > 4 || lines[0] != mapProofLine {
		return nil, fmt.Errorf("%w: it does not begin with %q, subject and at most two entries before an empty line", errMap, mapProofLine)
	}
	words, ok := strings.CutPrefix(lines[1], "subject ")
	p := &MapProof{}
	p.Subject.Kind, p.Subject.Name, _ = strings.Cut(words, " ")
	if !ok || !InMap(p.Subject) || p.Subject.Kind == SubjectPublisher && !isDomain(p.Subject.Name) || p.Subject.Kind == SubjectFile && !isHash(p.Subject.Name) {
		return nil, fmt.Errorf("%w: %.40q is neither a publisher nor a file", errMap, lines[1])
	}
	for _, line := range lines[2:] {
		s, err := parseMapStep(line)
		if err != nil {
			return nil, err
		}
		p.Steps = append(p.Steps, *s)
	}
	var err error
	p.Map, err = ParseProof(rest)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(p.Text(), text) {
		return nil, fmt.Errorf("%w: a line is written in another way", errMap)
	}
	return p, nil
}

// parseMapStep reads a line with an entry.
func parseMapStep(line string) (*MapStep, error) {
	words := strings.Split(line, " ")
	if len(words) != 5 || words[0] != "entry" || !isHash(words[2]) {
		return nil, fmt.Errorf("%w: %.20q is not a line with an entry", errMap, line)
	}
	s := &MapStep{}
	key, err := hex.DecodeString(words[2])
	if err != nil {
		return nil, err
	}
	s.Key = [sha256.Size]byte(key)
	var wrong [3]error
	s.Position, wrong[0] = strconv.ParseInt(words[1], 10, 64)
	s.Index, wrong[1] = strconv.ParseInt(words[3], 10, 64)
	s.Hashes, wrong[2] = parseHashes(words[4], maxHashes)
	err = errors.Join(wrong[:]...)
	if err != nil || s.Position < 0 || s.Index < 0 {
		return nil, fmt.Errorf("%w: the entry %.20q cannot be read", errMap, line)
	}
	return s, nil
}

// A VerifiedMap is what a MapProof shows.
type VerifiedMap struct {
	// Map is the leaf with the map.
	Map     *Verified
	Subject Subject
	// Newest is the index of the newest leaf about the subject; -1 for none.
	Newest int64
}

// Verify checks the proof against a policy.
func (p *MapProof) Verify(policy *Policy) (*VerifiedMap, error) {
	v, err := p.Map.Verify(policy)
	if err != nil {
		return nil, err
	}
	m := v.Leaf.Map
	if m == nil {
		return nil, fmt.Errorf("%w: leaf %d has no map", errMap, p.Map.Index)
	}
	for i := range p.Steps {
		err := p.Steps[i].check(m)
		if err != nil {
			return nil, err
		}
	}
	key := MapKey(p.Subject)
	if len(p.Steps) == 1 && p.Steps[0].Key == key {
		return &VerifiedMap{v, p.Subject, p.Steps[0].Index}, nil
	}
	if !between(key, p.Steps, m.Entries) {
		return nil, fmt.Errorf("%w: the entries are neither the subject's nor the neighbours of its position", errMap)
	}
	return &VerifiedMap{v, p.Subject, -1}, nil
}

// between reports whether entries that are in a map show that a key is not: neighbours of which one
// is below it and the other above, or the first or the last entry.
func between(key [sha256.Size]byte, steps []MapStep, entries int64) bool {
	order := make([]int, len(steps))
	for i := range steps {
		order[i] = bytes.Compare(steps[i].Key[:], key[:])
	}
	switch len(steps) {
	case 0:
		return entries == 0
	case 1:
		return order[0] > 0 && steps[0].Position == 0 || order[0] < 0 && steps[0].Position == entries-1
	}
	return len(steps) == 2 && order[0] < 0 && order[1] > 0 && steps[1].Position == steps[0].Position+1
}

// Proves says what a verified proof shows, in sentences.
func (v *VerifiedMap) Proves() []string {
	m := v.Map.Leaf
	day, covered := m.At.Format(time.DateOnly), counted(m.Map.Size, "leaf")
	claim := fmt.Sprintf("on %s nothing about %s was in the log of %s", day, v.Subject.words(), v.Map.Head.Origin)
	if v.Newest >= 0 {
		claim = fmt.Sprintf("on %s leaf %d was the newest about %s in the log of %s", day, v.Newest, v.Subject.words(), v.Map.Head.Origin)
	}
	claim += fmt.Sprintf(", by the map in leaf %d, which covers the first %s", v.Map.Index, covered)
	return append([]string{claim}, v.Map.signatures()...)
}

// LeavesOpen says what a verified proof leaves open.
func (v *VerifiedMap) LeavesOpen() []string {
	return append([]string{mapOpen}, v.Map.shown()...)
}

// mapOpen is what every proof by a map leaves open.
const mapOpen = "that the map was calculated rightly: any reader of the whole log can do it again, and avow log monitor --all does"
