package translog_test

import (
	"bytes"
	"errors"
	"flag"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/avow-project/avow/internal/translog"
)

func TestVerify(t *testing.T) {
	t.Parallel()
	tr := exampleTree(t)
	for size := int64(1); size <= 4; size++ {
		for i := range size {
			v, err := translog.Verify(tr.proof(t, i, size).Text(), policy(t))
			if err != nil {
				t.Fatalf("leaf %d of %d: %v", i, size, err)
			}
			if v.Index != i || v.Head.Size != size || v.Log.Name != origin || len(v.Witnesses) != 2 || !v.Witnesses[1].At.Equal(at) {
				t.Errorf("leaf %d of %d: %+v", i, size, v)
			}
		}
	}
	v, err := translog.Verify(tr.proof(t, 3, 4).Text(), policy(t))
	if err != nil {
		t.Fatal(err)
	}
	want := "registry.example.com/log claims: at 2026-11-17T09:00:00Z an older version of the file whose URL has the hash " + translog.File(fileURL).Name[:12] +
		"… was seen and refused; the version in effect was then " + translog.HashOf([]byte(documentA))[:12] +
		"…. It saw a document of 62 bytes with the SHA-256 " + translog.HashOf([]byte(documentB)) + ", which names 0 agents"
	same(t, v.Proves()[0], want)
	if len(v.Proves()) != 4 || len(v.LeavesOpen()) != 2 {
		t.Errorf("it proves %q and leaves open %q", v.Proves(), v.LeavesOpen())
	}
}

type wrongProof struct {
	change func(p *translog.Proof)
	want   error
}

// wrongProofs change a proof so that it is well formed and says something wrong.
func wrongProofs(t testing.TB) map[string]wrongProof {
	t.Helper()
	tr := exampleTree(t)
	other := signer(t, origin, translog.Plain, "somebody else")
	return map[string]wrongProof{
		"another leaf":      {func(p *translog.Proof) { p.Leaf = tr.leaves[2] }, translog.ErrNotIncluded},
		"another index":     {func(p *translog.Proof) { p.Index = 0 }, translog.ErrNotIncluded},
		"a hash less":       {func(p *translog.Proof) { p.Hashes = p.Hashes[1:] }, translog.ErrNotIncluded},
		"a hash more":       {func(p *translog.Proof) { p.Hashes = append(p.Hashes, p.Hashes[0]) }, translog.ErrNotIncluded},
		"an older head":     {func(p *translog.Proof) { p.Signed = tr.proof(t, 1, 3).Signed }, translog.ErrNotIncluded},
		"signed by another": {func(p *translog.Proof) { p.Signed = resign(t, tr, other) }, nil},
		"the log alone":     {func(p *translog.Proof) { log, _, _ := keys(t); p.Signed = resign(t, tr, log) }, translog.ErrQuorum},
		"witnesses alone":   {func(p *translog.Proof) { _, c, w := keys(t); p.Signed = resign(t, tr, c, w) }, translog.ErrUnknownLog},
		"beyond the end":    {func(p *translog.Proof) { p.Index = 4 }, nil},
	}
}

// TestWrongProofs verifies proofs that are well formed and say something wrong.
func TestWrongProofs(t *testing.T) {
	t.Parallel()
	tr := exampleTree(t)
	for name, c := range wrongProofs(t) {
		p := tr.proof(t, 1, 4)
		c.change(p)
		_, err := translog.Verify(p.Text(), policy(t))
		if err == nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func resign(t testing.TB, tr *tree, by ...*translog.Signer) []byte {
	t.Helper()
	signed, err := translog.Sign(&translog.Checkpoint{Origin: origin, Size: 4, Root: tr.root(t, 4)}, at, by...)
	if err != nil {
		t.Fatal(err)
	}
	return signed
}

// TestEveryByte changes every byte of a proof in every bit: nothing but the proof itself
// is a proof.
func TestEveryByte(t *testing.T) {
	t.Parallel()
	good, p := exampleTree(t).proof(t, 1, 4).Text(), policy(t)
	for i := range good {
		for bit := range 8 {
			bad := bytes.Clone(good)
			bad[i] ^= 1 << bit
			_, err := translog.Verify(bad, p)
			if err == nil {
				t.Fatalf("byte %d with bit %d changed is accepted:\n%s", i, bit, bad)
			}
		}
	}
}

var mutated = flag.Int("mutated", 5_000, "how many damaged proofs are verified")

// TestMutated verifies proofs and receipts with random damage.
func TestMutated(t *testing.T) {
	t.Parallel()
	tr, p := exampleTree(t), policy(t)
	var good [][]byte
	for size := int64(1); size <= 4; size++ {
		for i := range size {
			good = append(good, tr.proof(t, i, size).Text())
		}
	}
	good = append(good, receipt(t).Text(), smallReceipt(t).Text(), history(t).Text())
	var known []translog.ReceiptLeaf
	for i, l := range tr.leaves {
		known = append(known, translog.ReceiptLeaf{Leaf: l, Index: int64(i)})
	}
	r := rand.New(rand.NewPCG(24, 1))
	for range *mutated {
		a, b := good[r.IntN(len(good))], good[r.IntN(len(good))]
		bad := mutate(r, a, b)
		if contains(good, bad) {
			continue
		}
		err := verifyAny(bad, p, known)
		if err == nil {
			t.Fatalf("accepted:\n%s\nmade of\n%s", bad, a)
		}
	}
}

// verifyAny returns nil when something is proved that is not so. That signatures of strangers
// are added or lines of signatures change places proves nothing else: what counts is that each leaf is one
// of the log, in its place, and a receipt says what the log has signed.
func verifyAny(text []byte, p *translog.Policy, known []translog.ReceiptLeaf) error {
	leaves, err := provedBy(text, p)
	if err != nil {
		return err
	}
	r, err := translog.ParseReceipt(text)
	if err == nil && (r.Verdict != "authorized" || r.Question.Get("publisher") != "example.com") {
		return nil
	}
	for _, l := range leaves {
		if !slices.ContainsFunc(known, func(k translog.ReceiptLeaf) bool { return k.Index == l.Index && bytes.Equal(k.Leaf, l.Leaf) }) {
			return nil
		}
	}
	return errors.New("every leaf is in the log")
}

// provedBy returns the leaves that a proof or a receipt proves.
func provedBy(text []byte, p *translog.Policy) ([]translog.ReceiptLeaf, error) {
	r, err := translog.ParseReceipt(text)
	if err == nil {
		_, err = r.Verify(p)
		return r.Leaves, err
	}
	all, err := translog.ParseHistory(text) // of a proof it is one leaf
	if err != nil {
		return nil, err
	}
	_, _, err = all.Verify(p)
	leaves := []translog.ReceiptLeaf{{Leaf: all.Proof.Leaf, Index: all.Proof.Index}}
	for _, e := range all.Earlier {
		leaves = append(leaves, translog.ReceiptLeaf{Leaf: e.Leaf, Index: e.Index})
	}
	return leaves, err
}

func contains(all [][]byte, one []byte) bool {
	for _, b := range all {
		if bytes.Equal(b, one) {
			return true
		}
	}
	return false
}

// mutate damages a proof, with parts of another.
func mutate(r *rand.Rand, a, b []byte) []byte {
	out := bytes.Clone(a)
	for range 1 + r.IntN(3) {
		i, j := r.IntN(len(out)), r.IntN(len(b))
		switch lines, other := bytes.SplitAfter(out, []byte("\n")), bytes.SplitAfter(b, []byte("\n")); r.IntN(6) {
		case 0:
			out[i] = byte(r.IntN(256))
		case 1:
			out = append(out[:i:i], out[i+1:]...)
		case 2:
			out = append(append(out[:i:i], b[j]), out[i:]...)
		case 3:
			lines[r.IntN(len(lines))] = other[r.IntN(len(other))]
			out = bytes.Join(lines, nil)
		case 4:
			k := r.IntN(len(lines))
			out = bytes.Join(append(lines[:k:k], lines[k+1:]...), nil)
		case 5:
			k := r.IntN(len(lines))
			out = bytes.Join(append(append(lines[:k:k], other[r.IntN(len(other))]), lines[k:]...), nil)
		}
		if len(out) == 0 {
			return out
		}
	}
	return out
}
