package translog_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/translog"
)

// A mapping is a map with its entries.
type mapping struct {
	translog.Map
	entries []translog.MapEntry
}

func mappingOf(t testing.TB, newest map[translog.Subject]int64) *mapping {
	t.Helper()
	m := &mapping{}
	for s, i := range newest {
		m.entries = append(m.entries, translog.MapEntry{Key: translog.MapKey(s), Index: i})
	}
	slices.SortFunc(m.entries, func(a, b translog.MapEntry) int { return bytes.Compare(a.Key[:], b.Key[:]) })
	for _, e := range m.entries {
		err := m.Add(e)
		if err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// read returns the entries of a block.
func (m *mapping) read(from, to []byte) ([]translog.MapEntry, error) {
	var all []translog.MapEntry
	for _, e := range m.entries {
		if bytes.Compare(e.Key[:], from) >= 0 && (to == nil || bytes.Compare(e.Key[:], to) < 0) {
			all = append(all, e)
		}
	}
	return all, nil
}

// leaf is the leaf with the map over a log of a size.
func (m *mapping) leaf(t testing.TB, number, size int64) []byte {
	t.Helper()
	root := m.Root()
	return text(t, &translog.Leaf{
		Kind: "log.map", Subject: translog.Subject{Kind: translog.SubjectMap}, Number: number, At: moment(t, "2026-11-18T00:00:01Z"),
		Map: &translog.MapHead{Entries: m.Count, Root: hex.EncodeToString(root[:]), Size: size},
	})
}

// proof is the proof of what a map that is the last leaf of a tree has of a subject.
func (m *mapping) proof(t testing.TB, tr *tree, s translog.Subject) *translog.MapProof {
	t.Helper()
	steps, err := m.Prove(s, m.read)
	if err != nil {
		t.Fatal(err)
	}
	size := int64(len(tr.leaves))
	return &translog.MapProof{Subject: s, Steps: steps, Map: tr.proof(t, size-1, size)}
}

// mapped is the example with a map over its four leaves.
func mapped(t testing.TB) (*tree, *mapping) {
	t.Helper()
	tr := exampleTree(t)
	m := mappingOf(t, map[translog.Subject]int64{translog.Publisher("example.com"): 2, translog.File(fileURL): 3})
	tr.add(t, m.leaf(t, 7, 4))
	return tr, m
}

// mappedReceipt is about a publisher and its file, which were the newest by a map.
func mappedReceipt(t testing.TB) *translog.Receipt {
	t.Helper()
	tr, m := mapped(t)
	r := &translog.Receipt{Question: url.Values{"publisher": {"example.com"}}, Verdict: "authorized", At: moment(t, "2026-11-18T15:00:00Z")}
	for i, s := range map[int64]translog.Subject{2: translog.Publisher("example.com"), 3: translog.File(fileURL)} {
		p := tr.proof(t, i, 5)
		r.Leaves = append(r.Leaves, translog.ReceiptLeaf{Leaf: p.Leaf, Index: i, Hashes: p.Hashes, Newest: &m.proof(t, tr, s).Steps[0]})
		r.Signed = p.Signed
	}
	slices.SortFunc(r.Leaves, func(a, b translog.ReceiptLeaf) int { return int(a.Index - b.Index) })
	p := tr.proof(t, 4, 5)
	r.Map = &translog.ReceiptLeaf{Leaf: p.Leaf, Index: 4, Hashes: p.Hashes}
	return signedReceipt(t, r)
}

// TestMap compares roots with those of package tlog, and proves entries and gaps of maps of many
// sizes.
func TestMap(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 2, 3, 255, 256, 257, 512, 513, 1000} {
		newest := map[translog.Subject]int64{}
		for i := range n {
			newest[translog.Publisher(fmt.Sprintf("p%d.example", i))] = int64(i)
		}
		m, plain := mappingOf(t, newest), &tree{}
		for _, e := range m.entries {
			plain.add(t, append(bytes.Clone(e.Key[:]), 0, 0, 0, 0, 0, 0, byte(e.Index>>8), byte(e.Index)))
		}
		if m.Root() != plain.root(t, int64(n)) {
			t.Errorf("%d entries have another root", n)
		}
		again, err := translog.ReadMap(m.Count, m.Bytes())
		if err != nil || again.Root() != m.Root() {
			t.Errorf("%d entries are read again as %v %v", n, again, err)
			continue
		}
		m.Map = *again
		tr := exampleTree(t)
		tr.add(t, m.leaf(t, 7, int64(n)))
		for i := range min(n, 30) {
			checkMapProof(t, m.proof(t, tr, translog.Publisher(fmt.Sprintf("p%d.example", i))), int64(i))
			checkMapProof(t, m.proof(t, tr, translog.Publisher(fmt.Sprintf("q%d.example", i))), -1)
		}
		checkMapProof(t, m.proof(t, tr, translog.File(fileURL)), -1)
	}
	m := &translog.Map{}
	err := m.Add(translog.MapEntry{Index: 1})
	if err != nil {
		t.Error(err)
	}
	err = m.Add(translog.MapEntry{Index: 2})
	if err == nil {
		t.Error("a key is there twice")
	}
	_, err = translog.ReadMap(257, make([]byte, 64))
	if err == nil {
		t.Error("a block is missing, and it is read")
	}
}

func checkMapProof(t *testing.T, p *translog.MapProof, want int64) {
	t.Helper()
	again, err := translog.ParseMapProof(p.Text())
	if err != nil {
		t.Fatalf("%v\n%s", err, p.Text())
	}
	v, err := again.Verify(policy(t))
	if err != nil || v.Newest != want || v.Subject != p.Subject {
		t.Fatalf("%s: %+v %v", p.Subject, v, err)
	}
}

// TestMapSentences: who reads what is proved learns the day, and what is still open.
func TestMapSentences(t *testing.T) {
	t.Parallel()
	tr, m := mapped(t)
	v, err := m.proof(t, tr, translog.Publisher("example.com")).Verify(policy(t))
	if err != nil {
		t.Fatal(err)
	}
	same(t, v.Proves()[0], "on 2026-11-18 leaf 2 was the newest about example.com in the log of registry.example.com/log, by the map in leaf 4, which covers the first 4 leaves")
	v, err = m.proof(t, tr, translog.Publisher("example.org")).Verify(policy(t))
	if err != nil {
		t.Fatal(err)
	}
	same(t, v.Proves()[0], "on 2026-11-18 nothing about example.org was in the log of registry.example.com/log, by the map in leaf 4, which covers the first 4 leaves")
	if len(v.LeavesOpen()) != 1 {
		t.Errorf("it leaves open %q", v.LeavesOpen())
	}
	r, err := translog.ParseReceipt(mappedReceipt(t).Text())
	if err != nil {
		t.Fatal(err)
	}
	all, err := r.Verify(policy(t))
	if err != nil || len(all) != 2 {
		t.Fatal(all, err)
	}
	same(t, all[0].Proves()[2], "on 2026-11-18 nothing newer about example.com was in the log, by the map in leaf 4, which covers the first 4 leaves")
	same(t, strings.Join(all[0].LeavesOpen()[1:2], ""), "that nothing newer existed after 2026-11-18T00:00:01Z: the log may have a later leaf about the same subject")
}

// wrongMapProofs are well formed, and none of them shows what it says.
func wrongMapProofs(t testing.TB) map[string]*translog.MapProof {
	t.Helper()
	tr, m := mapped(t)
	here, there := translog.Publisher("example.com"), translog.Publisher("example.org")
	change := func(s translog.Subject, f func(p *translog.MapProof)) *translog.MapProof {
		p := m.proof(t, tr, s)
		f(p)
		return p
	}
	return map[string]*translog.MapProof{
		"a map proof of another subject":          change(here, func(p *translog.MapProof) { p.Subject = translog.File(fileURL) }),
		"a map proof with another newest leaf":    change(here, func(p *translog.MapProof) { p.Steps[0].Index = 1 }),
		"a map proof with another position":       change(here, func(p *translog.MapProof) { p.Steps[0].Position ^= 1 }),
		"a map proof with a hash less":            change(here, func(p *translog.MapProof) { p.Steps[0].Hashes = nil }),
		"a map proof without entries":             change(here, func(p *translog.MapProof) { p.Steps = nil }),
		"a map proof with a leaf that has no map": change(here, func(p *translog.MapProof) { p.Map = tr.proof(t, 2, 5) }),
		"a gap that has no neighbours":            change(there, func(p *translog.MapProof) { p.Steps = nil }),
		"a gap where the subject is":              change(there, func(p *translog.MapProof) { p.Subject = here }),
		"a gap with one entry twice":              change(there, func(p *translog.MapProof) { p.Steps = append(p.Steps[:1:1], p.Steps[0]) }),
		"entries beyond the map": change(here, func(p *translog.MapProof) {
			p.Steps[0].Position = 2
		}),
	}
}

// wrongMapReceipts have a map that does not show what they say of it.
func wrongMapReceipts(t testing.TB) map[string]*translog.Receipt {
	t.Helper()
	change := func(f func(r *translog.Receipt)) *translog.Receipt {
		r := mappedReceipt(t)
		f(r)
		return signedReceipt(t, r)
	}
	return map[string]*translog.Receipt{
		"a receipt without its map":       change(func(r *translog.Receipt) { r.Map = nil }),
		"a receipt with a leaf for a map": change(func(r *translog.Receipt) { r.Map = &r.Leaves[0] }),
		"a receipt with entries swapped": change(func(r *translog.Receipt) {
			r.Leaves[0].Newest, r.Leaves[1].Newest = r.Leaves[1].Newest, r.Leaves[0].Newest
		}),
		"a receipt with an older leaf": change(func(r *translog.Receipt) {
			p := exampleTreeWithMap(t).proof(t, 1, 5)
			r.Leaves[1].Leaf, r.Leaves[1].Index, r.Leaves[1].Hashes = p.Leaf, 1, p.Hashes
		}),
	}
}

func exampleTreeWithMap(t testing.TB) *tree {
	t.Helper()
	tr, _ := mapped(t)
	return tr
}

// claimsOf returns what a map shows of subjects by a file: the newest leaf of each.
func claimsOf(text []byte, p *translog.Policy) (map[translog.Subject]int64, error) {
	claims := map[translog.Subject]int64{}
	if translog.IsMapProof(text) {
		m, err := translog.ParseMapProof(text)
		if err != nil {
			return nil, err
		}
		v, err := m.Verify(p)
		if err == nil {
			claims[v.Subject] = v.Newest
		}
		return claims, err
	}
	r, err := translog.ParseReceipt(text)
	if err != nil {
		return nil, err
	}
	all, err := r.Verify(p)
	for _, v := range all {
		if v.Newest != nil {
			claims[v.Leaf.Subject] = v.Index
		}
	}
	return claims, err
}
