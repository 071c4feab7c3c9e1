package translog_test

import (
	"bytes"
	"testing"

	"github.com/avow-project/avow/internal/translog"
)

// FuzzLeaf: a leaf that can be read is written as it was.
func FuzzLeaf(f *testing.F) {
	for _, l := range leaves(f) {
		f.Add(text(f, l))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		l, err := translog.ParseLeaf(b)
		if err != nil {
			return
		}
		again, err := l.Text()
		if err != nil || !bytes.Equal(again, b) || l.Sentence() == "" {
			t.Errorf("%q became %q %v", b, again, err)
		}
	})
}

// FuzzProof: the same for a proof, and only leaves of the log are verified.
func FuzzProof(f *testing.F) {
	tr, p := exampleTree(f), policy(f)
	good := [][]byte{tr.proof(f, 1, 4).Text(), tr.proof(f, 0, 1).Text()}
	for _, b := range good {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		read, err := translog.ParseProof(b)
		if err != nil {
			return
		}
		if !bytes.Equal(read.Text(), b) {
			t.Errorf("%q became %q", b, read.Text())
		}
		_, err = read.Verify(p)
		if err == nil && !bytes.Equal(read.Leaf, tr.leaves[read.Index]) {
			t.Errorf("verified: %q", b)
		}
	})
}

// FuzzKey: a key that can be read is written as it was.
func FuzzKey(f *testing.F) {
	log, clock, _ := keys(f)
	f.Add(log.String())
	f.Add(clock.Private())
	f.Fuzz(func(t *testing.T, text string) {
		k, err := translog.ParseKey(text)
		if err == nil && k.String() != text {
			t.Errorf("%q became %q", text, k)
		}
		s, err := translog.ParseSigner(text)
		if err == nil && s.Private() != text {
			t.Errorf("a private key became another")
		}
	})
}

// FuzzTile: a path that can be read is written as it was.
func FuzzTile(f *testing.F) {
	for _, path := range []string{"tile/0/000", "tile/entries/x001/x234/067.p/9", "tile/63/x001/000"} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		tile, err := translog.ParseTile(path)
		if err == nil && tile.Path() != path {
			t.Errorf("%q became %q", path, tile.Path())
		}
	})
}

// FuzzPolicy: a policy that can be read has a quorum that somebody can miss, unless it is
// none.
func FuzzPolicy(f *testing.F) {
	log, clock, witness := keys(f)
	f.Add("log " + log.String() + "\nwitness a " + clock.String() + "\nwitness b " + witness.String() + "\ngroup g 1 a b\nquorum g\n")
	f.Add("# none\nlog " + log.String() + " https://registry.example.com/log\nquorum none\n")
	signed := exampleTree(f).proof(f, 0, 4).Signed
	alone, err := translog.Sign(&translog.Checkpoint{Origin: origin, Size: 0}, at, log)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := translog.ParsePolicy([]byte(text))
		if err != nil {
			return
		}
		_, _ = p.Check(signed) // whether it is satisfied depends on the keys
		_, err = p.Check(alone)
		if (err == nil) && p.Quorum != translog.None {
			t.Errorf("%q is satisfied without a witness", text)
		}
	})
}
