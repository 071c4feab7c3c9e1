package translog_test

import (
	"bytes"
	"net/url"
	"testing"

	"github.com/avow-project/avow/translog"
)

// receipt is about a publisher and its file, in a log of a few hundred leaves.
func receipt(t testing.TB) *translog.Receipt {
	t.Helper()
	tr := exampleTree(t)
	for range 300 {
		tr.add(t, tr.leaves[0])
	}
	r := &translog.Receipt{
		Question: url.Values{"publisher": {"example.com"}, "agent": {"https://agent.example/mcp"}}, Verdict: "authorized", At: moment(t, "2026-11-16T15:00:00Z"),
	}
	for _, i := range []int64{2, 1} {
		p := tr.proof(t, i, 304)
		r.Leaves, r.Signed = append(r.Leaves, translog.ReceiptLeaf{Leaf: p.Leaf, Index: i, Hashes: p.Hashes}), p.Signed
	}
	return r
}

func TestReceipt(t *testing.T) {
	t.Parallel()
	text := receipt(t).Text()
	if !translog.IsReceipt(text) || len(text) > 3000 {
		t.Errorf("it has %d bytes:\n%s", len(text), text)
	}
	r, err := translog.ParseReceipt(text)
	if err != nil {
		t.Fatal(err)
	}
	all, err := r.Verify(policy(t))
	if err != nil || len(all) != 2 || all[0].Leaf.Subject != translog.Publisher("example.com") || all[1].Leaf.Subject != translog.File(fileURL) {
		t.Errorf("%v %v", all, err)
	}
}

// TestReceiptEveryByte changes every bit. What is signed cannot change; the words of the
// question are nobody's but the writer's.
func TestReceiptEveryByte(t *testing.T) {
	t.Parallel()
	good, p := receipt(t).Text(), policy(t)
	from := bytes.Index(good, []byte("\nleaf "))
	for i := from; i < len(good); i++ {
		for bit := range 8 {
			bad := bytes.Clone(good)
			bad[i] ^= 1 << bit
			r, err := translog.ParseReceipt(bad)
			if err == nil {
				_, err = r.Verify(p)
			}
			if err == nil {
				t.Fatalf("byte %d with bit %d changed is accepted:\n%s", i, bit, bad)
			}
		}
	}
}

// FuzzReceipt: a receipt that can be read is written as it was, and only one with the
// leaves of the seed is verified.
func FuzzReceipt(f *testing.F) {
	good, p := receipt(f), policy(f)
	f.Add(good.Text())
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := translog.ParseReceipt(text)
		if err != nil {
			return
		}
		if !bytes.Equal(r.Text(), text) {
			t.Errorf("%q became %q", text, r.Text())
		}
		_, err = r.Verify(p)
		for i := range r.Leaves {
			if err == nil && !bytes.Equal(r.Leaves[i].Leaf, good.Leaves[0].Leaf) && !bytes.Equal(r.Leaves[i].Leaf, good.Leaves[1].Leaf) {
				t.Errorf("verified: %q", text)
			}
		}
	})
}
