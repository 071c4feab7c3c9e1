package translog_test

import (
	"fmt"
	"testing"

	"github.com/transparency-dev/formats/log"
	fnote "github.com/transparency-dev/formats/note"
	"github.com/transparency-dev/merkle/proof"
	"github.com/transparency-dev/merkle/rfc6962"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/avow-project/avow/internal/translog"
)

// TestProofsOfOthers has every proof of small trees verified by another implementation.
func TestProofsOfOthers(t *testing.T) {
	t.Parallel()
	tr := &tree{}
	const most = 70
	for i := range most {
		tr.add(t, fmt.Appendf(nil, "leaf %d", i))
	}
	for size := int64(1); size <= most; size++ {
		root := tr.root(t, size)
		for i := range size {
			p, err := tlog.ProveRecord(size, i, tr)
			if err != nil {
				t.Fatal(err)
			}
			leaf := rfc6962.DefaultHasher.HashLeaf(tr.leaves[i])
			err = proof.VerifyInclusion(rfc6962.DefaultHasher, uint64(i), uint64(size), leaf, byteSlices(p), root[:])
			if err != nil {
				t.Errorf("leaf %d of %d: %v", i, size, err)
			}
		}
		for old := int64(1); old <= size; old++ {
			p, err := tlog.ProveTree(size, old, tr)
			if err != nil {
				t.Fatal(err)
			}
			before := tr.root(t, old)
			err = proof.VerifyConsistency(rfc6962.DefaultHasher, uint64(old), uint64(size), byteSlices(p), before[:], root[:])
			if err != nil {
				t.Errorf("%d to %d: %v", old, size, err)
			}
		}
	}
}

func byteSlices(hashes []tlog.Hash) [][]byte {
	var all [][]byte
	for _, h := range hashes {
		all = append(all, h[:])
	}
	return all
}

// TestCheckpointsOfOthers has another implementation read what we sign, and us what it signs.
func TestCheckpointsOfOthers(t *testing.T) {
	t.Parallel()
	logKey, clock, witness := keys(t)
	signed := exampleTree(t).proof(t, 1, 4).Signed
	v, err := note.NewVerifier(logKey.String())
	if err != nil {
		t.Fatal(err)
	}
	var others []note.Verifier
	for _, k := range []*translog.Signer{clock, witness} {
		w, err := fnote.NewVerifierForCosignatureV1(k.String())
		if err != nil {
			t.Fatal(err)
		}
		others = append(others, w)
	}
	head, _, n, err := log.ParseCheckpoint(signed, origin, v, others...)
	if err != nil || head.Size != 4 || len(n.Sigs) != 3 {
		t.Fatalf("they read %v %v %v", head, n, err)
	}
	when, err := fnote.CoSigV1Timestamp(n.Sigs[1])
	if err != nil || !when.Equal(at) {
		t.Errorf("they read the time %v %v", when, err)
	}
	skey, vkey, err := note.GenerateKey(nil, "w.example")
	if err != nil {
		t.Fatal(err)
	}
	s, err := fnote.NewSignerForCosignatureV1(skey)
	if err != nil {
		t.Fatal(err)
	}
	timed, err := fnote.VKeyToCosignatureV1(vkey)
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := note.Sign(&note.Note{Text: "w.example\n4\n" + tlog.Hash{}.String() + "\n"}, s)
	if err != nil {
		t.Fatal(err)
	}
	k, err := translog.ParseKey(timed)
	if err != nil {
		t.Fatal(err)
	}
	_, by, err := translog.Open(theirs, k)
	if err != nil || len(by) != 1 || by[0].At.IsZero() {
		t.Errorf("we read %v %v", by, err)
	}
}
