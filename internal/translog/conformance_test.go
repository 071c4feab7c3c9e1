package translog_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/avow-project/avow/internal/translog"
)

var update = flag.Bool("update", false, "write the vectors anew")

const vectorsFile = "../../conformance/log/vectors.json"

// vectors are what other implementations are held to; see the README beside them.
type vectors struct {
	Trees       []treeVector `json:"trees"`
	Leaves      []vector     `json:"leaves"`
	Keys        []vector     `json:"keys"`
	Policies    []vector     `json:"policies"`
	Checkpoints []vector     `json:"checkpoints"`
	Proofs      []vector     `json:"proofs"`
	Receipts    []vector     `json:"receipts"`
	Tiles       []vector     `json:"tiles"`
}

type vector struct {
	Name string `json:"name"`
	Text string `json:"text"`
	Good bool   `json:"good"`
	// Policy is that which a checkpoint or a proof is verified with.
	Policy string `json:"policy,omitempty"`
	Hash   string `json:"hash,omitempty"`
}

type treeVector struct {
	Size  int64             `json:"size"`
	Root  string            `json:"root"`
	Tiles map[string]string `json:"tiles"`
}

func TestConformance(t *testing.T) {
	t.Parallel()
	made, err := json.MarshalIndent(makeVectors(t), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	made = append(made, '\n')
	if *update {
		err := os.WriteFile(vectorsFile, made, 0o644)
		if err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(vectorsFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, made) {
		t.Error("the vectors are stale; run go test ./internal/translog -update")
	}
	var v vectors
	err = json.Unmarshal(have, &v)
	if err != nil {
		t.Fatal(err)
	}
	run(t, v.Leaves, func(v vector) error {
		l, err := translog.ParseLeaf([]byte(v.Text))
		if err == nil && (translog.LeafHash([]byte(v.Text)) != v.Hash || l.Sentence() == "") {
			err = fmt.Errorf("another hash")
		}
		return err
	})
	run(t, v.Keys, func(v vector) error { _, err := translog.ParseKey(v.Text); return err })
	run(t, v.Policies, func(v vector) error { _, err := translog.ParsePolicy([]byte(v.Text)); return err })
	run(t, v.Tiles, func(v vector) error { _, err := translog.ParseTile(v.Text); return err })
	run(t, v.Checkpoints, func(v vector) error { _, err := readPolicy(t, v.Policy).Check([]byte(v.Text)); return err })
	run(t, v.Receipts, func(v vector) error {
		r, err := translog.ParseReceipt([]byte(v.Text))
		if err == nil {
			_, err = r.Verify(readPolicy(t, v.Policy))
		}
		return err
	})
	run(t, v.Proofs, func(v vector) error { _, err := translog.Verify([]byte(v.Text), readPolicy(t, v.Policy)); return err })
}

func readPolicy(t *testing.T, text string) *translog.Policy {
	t.Helper()
	p, err := translog.ParsePolicy([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func run(t *testing.T, all []vector, read func(vector) error) {
	t.Helper()
	for _, v := range all {
		err := read(v)
		if (err == nil) != v.Good {
			t.Errorf("%s: %v, want good=%v\n%s", v.Name, err, v.Good, v.Text)
		}
	}
	if len(all) < 5 {
		t.Errorf("only %d vectors", len(all))
	}
}

func makeVectors(t *testing.T) *vectors {
	t.Helper()
	v := &vectors{Trees: makeTrees(t)}
	tr := exampleTree(t)
	for i, b := range tr.leaves {
		v.Leaves = append(v.Leaves, vector{Name: fmt.Sprintf("leaf %d", i), Text: string(b), Good: true, Hash: translog.LeafHash(b)})
	}
	v.Leaves = append(v.Leaves, list(badLeaves(t), false, "")...)
	log, clock, witness := keys(t)
	for _, k := range []*translog.Signer{log, clock, witness} {
		v.Keys = append(v.Keys, vector{Name: "key of " + k.Name, Text: k.String(), Good: true})
	}
	v.Keys = append(v.Keys, list(badKeys(log.String(), log.Private()), false, "")...)
	good, bad := policies(t)
	v.Policies = append(list(good, true, ""), list(bad, false, "")...)
	p := fmt.Sprintf("log %s\nwitness clock %s\nwitness w1 %s\ngroup both all clock w1\nquorum both\n", &log.Key, &clock.Key, &witness.Key)
	signed, wrong := notes(t)
	v.Checkpoints = append(list(wrong, false, p), vector{Name: "signed by all", Text: signed, Good: true, Policy: p})
	v.Proofs = makeProofs(t, p)
	v.Receipts = makeReceipts(t, p)
	for _, path := range []string{"tile/0/000", "tile/1/x001/x234/067", "tile/entries/x001/000.p/255", "tile/63/000.p/1"} {
		v.Tiles = append(v.Tiles, vector{Name: path, Text: path, Good: true})
	}
	for _, path := range badTiles {
		v.Tiles = append(v.Tiles, vector{Name: fmt.Sprintf("not %q", path), Text: path})
	}
	return v
}

func makeProofs(t *testing.T, policy string) []vector {
	t.Helper()
	tr := exampleTree(t)
	var all []vector
	for i := range int64(4) {
		all = append(all, vector{Name: fmt.Sprintf("leaf %d of 4", i), Text: string(tr.proof(t, i, 4).Text()), Good: true, Policy: policy})
	}
	for _, name := range slices.Sorted(maps.Keys(wrongProofs(t))) {
		p := tr.proof(t, 1, 4)
		wrongProofs(t)[name].change(p)
		all = append(all, vector{Name: name, Text: string(p.Text()), Policy: policy})
	}
	good := tr.proof(t, 1, 4).Text()
	return append(all, vector{Name: "another format", Text: string(bytes.Replace(good, []byte("@v1"), []byte("@v2"), 1)), Policy: policy},
		vector{Name: "index with zeros", Text: string(bytes.Replace(good, []byte("index 1"), []byte("index 01"), 1)), Policy: policy},
		vector{Name: "CR", Text: string(bytes.ReplaceAll(good, []byte("\n"), []byte("\r\n"))), Policy: policy})
}

func makeReceipts(t *testing.T, policy string) []vector {
	t.Helper()
	receipts := []vector{
		{Name: "a receipt", Text: string(receipt(t).Text()), Good: true, Policy: policy},
		{Name: "a receipt of two neighbours", Text: string(smallReceipt(t).Text()), Good: true, Policy: policy},
	}
	return append(receipts, list(wrongReceipts(t), false, policy)...)
}

func list(texts map[string]string, good bool, policy string) []vector {
	var all []vector
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		all = append(all, vector{Name: name, Text: texts[name], Good: good, Policy: policy})
	}
	return all
}

// makeTrees has trees around the sizes at which tiles begin. Leaf i is the text "leaf i".
func makeTrees(t *testing.T) []treeVector {
	t.Helper()
	tr := &tree{}
	var all []treeVector
	for _, size := range []int64{0, 1, 2, 255, 256, 257, 65_535, 65_536, 65_537} {
		for i := int64(len(tr.leaves)); i < size; i++ {
			tr.add(t, fmt.Appendf(nil, "leaf %d", i))
		}
		v := treeVector{Size: size, Root: tr.root(t, size).String(), Tiles: map[string]string{}}
		for level := range 3 {
			have := size >> (translog.TileHeight * level)
			n := have / translog.TileWidth
			for _, n := range []int64{n - 1, n} {
				tile := translog.Tile{Level: level, N: n}
				tile.Width = tile.WidthAt(size)
				if n < 0 || tile.Width == 0 {
					continue
				}
				data, err := tlog.ReadTileData(tlog.Tile{H: translog.TileHeight, L: level, N: n, W: tile.Width}, tr)
				if err != nil {
					t.Fatal(err)
				}
				v.Tiles[tile.Path()] = translog.HashOf(data)
			}
		}
		all = append(all, v)
	}
	return all
}
