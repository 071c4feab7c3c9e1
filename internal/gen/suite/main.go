// Command suite makes the cases of the conformance suite of the vectors: it chooses among those
// that are alike, puts questions and answers into the words of the line protocol, and says what each
// case rests on.
//
//	conformance/suite/basis.json     what the rules rest on; written by hand
//	conformance/suite/released.txt   the meaning of the cases of the last release; written by -release
//	conformance/suite/cases.jsonl    the cases
//	conformance/suite/cases.jsonl.gz the same, as programs have them
//	conformance/suite/manifest.json  how many there are, and which vectors are left out for what reason
package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/internal/gen/genfile"
	"github.com/avow-project/avow/internal/suite"
)

//go:generate go run . -dir ../../../conformance/suite

func main() {
	release := flag.Bool("release", false, "write released.txt for a release, too")
	genfile.Main("suite", "conformance/suite", func() (map[string][]byte, error) {
		dir := flag.Lookup("dir").Value.String()
		files, err := generate(dir)
		if err != nil || !*release {
			return files, err
		}
		files["released.txt"], err = meanings(files["cases.jsonl"])
		return files, err
	})
}

// A manifest describes the suite.
type manifest struct {
	Format   int            `json:"format"`
	License  string         `json:"license"`
	Cases    int            `json:"cases"`
	SHA256   string         `json:"sha256"`
	Kinds    map[string]int `json:"kinds"`
	Labels   map[string]int `json:"labels"`
	LeftOut  map[string]int `json:"vectors_left_out"`
	Released int            `json:"cases_of_the_last_release"`
}

// generate makes the files.
func generate(dir string) (map[string][]byte, error) {
	b, err := readBasis(filepath.Join(dir, "basis.json"))
	if err != nil {
		return nil, err
	}
	released, err := readReleased(filepath.Join(dir, "released.txt"))
	if err != nil {
		return nil, err
	}
	found, leftOut, err := collect(b, dir)
	if err != nil {
		return nil, err
	}
	cases := choose(found, leftOut, released)
	text, err := suite.Write(cases)
	if err != nil {
		return nil, err
	}
	err = unchanged(text, released)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	m := manifest{
		Format: suite.Format, License: "Apache-2.0", Cases: len(cases), SHA256: hex.EncodeToString(sum[:]),
		Kinds: map[string]int{}, Labels: map[string]int{}, LeftOut: leftOut, Released: len(released),
	}
	for _, c := range cases {
		m.Kinds[c.Kind]++
		m.Labels[string(c.Label)]++
	}
	about, err := json.Marshal(m, json.Deterministic(true), jsontext.WithIndent("  "))
	if err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err == nil {
		_, err = w.Write(text)
	}
	if err == nil {
		err = w.Close()
	}
	return map[string][]byte{"cases.jsonl": text, "cases.jsonl.gz": packed.Bytes(), "manifest.json": append(about, '\n')},
		err
}

// A candidate is a case that may be chosen. Those with the same key show the same; up to most of
// them are in the suite.
type candidate struct {
	*suite.Case
	key  string
	most int
}

// choose returns the cases of the suite in the order of their ids. Cases of the last release stay.
// Of others that are alike, those with the shortest names come first: they show the plain thing.
func choose(found []candidate, leftOut map[string]int, released map[string]string) []*suite.Case {
	slices.SortFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(strings.Count(a.ID, "_"), strings.Count(b.ID, "_")), strings.Compare(a.ID, b.ID))
	})
	taken := map[string]int{}
	var out []*suite.Case
	for _, c := range found {
		if _, ok := released[c.ID]; ok {
			taken[c.key]++
		}
	}
	for _, c := range found {
		if _, ok := released[c.ID]; !ok {
			if c.most > 0 && taken[c.key] >= c.most {
				leftOut["shows the same as another case"]++
				continue
			}
			taken[c.key]++
		}
		out = append(out, c.Case)
	}
	slices.SortFunc(out, func(a, b *suite.Case) int { return strings.Compare(a.ID, b.ID) })
	return out
}

// unchanged fails when a case of the last release has another meaning, or is gone.
func unchanged(cases []byte, released map[string]string) error {
	got, err := meanings(cases)
	if err != nil {
		return err
	}
	now, err := readMeanings(got)
	if err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(released)) {
		switch sum, ok := now[id]; {
		case !ok:
			return fmt.Errorf("%s was in the last release and is not there any more", id)
		case sum != released[id]:
			return fmt.Errorf("%s has another meaning than in the last release: give the new case another id", id)
		}
	}
	return nil
}

// meanings writes released.txt: the hash of the meaning and the id of each case, as they are read.
func meanings(cases []byte) ([]byte, error) {
	all, err := suite.Read(cases)
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	for _, c := range all {
		text, err := c.Meaning()
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&out, "%x %s\n", sha256.Sum256(text), c.ID)
	}
	return []byte(out.String()), nil
}

// readReleased reads released.txt.
func readReleased(path string) (map[string]string, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return readMeanings(text)
}

func readMeanings(text []byte) (map[string]string, error) {
	out := map[string]string{}
	for line := range strings.Lines(string(text)) {
		sum, id, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok {
			return nil, fmt.Errorf("%q is not a hash and an id", line)
		}
		out[id] = sum
	}
	return out, nil
}
