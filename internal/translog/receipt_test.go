package translog_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"math/rand/v2"
	"net/url"
	"regexp"
	"slices"
	"testing"

	"github.com/avow-project/avow/internal/translog"
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
	return signedReceipt(t, r)
}

// smallReceipt is about a publisher and its file, whose leaves are neighbours.
func smallReceipt(t testing.TB) *translog.Receipt {
	t.Helper()
	tr := exampleTree(t)
	r := &translog.Receipt{Question: url.Values{"publisher": {"example.com"}}, Verdict: "authorized", At: moment(t, "2026-11-18T15:00:00Z")}
	for i := range int64(2) {
		p := tr.proof(t, 2+i, 4)
		r.Leaves, r.Signed = append(r.Leaves, translog.ReceiptLeaf{Leaf: p.Leaf, Index: p.Index, Hashes: p.Hashes}), p.Signed
	}
	return signedReceipt(t, r)
}

// signedReceipt signs a receipt as its log does.
func signedReceipt(t testing.TB, r *translog.Receipt) *translog.Receipt {
	t.Helper()
	log, _, _ := keys(t)
	err := r.Sign(log)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// wrongReceipts are not written as the form asks for.
func wrongReceipts(t testing.TB) map[string]string {
	t.Helper()
	good := string(smallReceipt(t).Text())
	change := func(pattern, to string) string {
		changed := regexp.MustCompile(pattern).ReplaceAllString(good, to)
		if changed == good {
			t.Errorf("%s is not in\n%s", pattern, good)
		}
		return changed
	}
	have, err := base64.StdEncoding.DecodeString(regexp.MustCompile(`\nhashes ([^\n]+)`).FindStringSubmatch(good)[1])
	if err != nil {
		t.Fatal(err)
	}
	more := base64.StdEncoding.EncodeToString(append(have, have...))
	return map[string]string{
		"a receipt with a hash too many":      change(`\nhashes [^\n]+`, "\nhashes "+more),
		"a receipt without hashes":            change(`\nhashes [^\n]+`, "\nhashes -"),
		"a receipt with a line that is short": change(`\nleaf 2 \d+`, "\nleaf 2 3"),
		"a receipt with another index":        change(`\nleaf 2 `, "\nleaf 1 "),
		"a receipt with a leaf twice":         change(`(?s)\n(leaf 2 .*)\n(leaf 3 )`, "\n$1\n$1\n$2"),
		"a receipt with zeros":                change(`\nleaf 2 `, "\nleaf 02 "),
		"a receipt with another verdict":      change(`\nverdict authorized`, "\nverdict not_authorized"),
		"a receipt with another question":     change(`publisher=example.com`, "publisher=example.org"),
		"a receipt with another time":         change(`\nat 2026`, "\nat 2027"),
		"a receipt that is not signed":        change(`\nsigned [^\n]+`, ""),
		"a receipt signed twice":              change(`(\nsigned [^\n]+)`, "$1$1"),
		"a receipt of the form 2":             change(`^avow-receipt/1`, "avow-receipt/2"),
		"a receipt without a checkpoint":      change(`(?s)\n\n.*`, "\n\n"),
	}
}

// TestManyPaths: a receipt about many leaves of a tree of any size has each hash once, and comes back whole.
func TestManyPaths(t *testing.T) {
	t.Parallel()
	tr := exampleTree(t)
	for len(tr.leaves) < 33 {
		tr.add(t, tr.leaves[0])
	}
	r := rand.New(rand.NewPCG(24, 2))
	for _, size := range []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 33} {
		var all []translog.ReceiptLeaf
		var signed []byte
		for i := range size {
			p := tr.proof(t, i, size)
			all, signed = append(all, translog.ReceiptLeaf{Leaf: p.Leaf, Index: p.Index, Hashes: p.Hashes}), p.Signed
		}
		for n := range min(int(size), 16) {
			out := &translog.Receipt{Question: url.Values{}, Verdict: "authorized", At: moment(t, "2026-11-16T15:00:00Z"), Signed: signed}
			for _, i := range r.Perm(int(size))[:n+1] {
				out.Leaves = append(out.Leaves, all[i])
			}
			in, err := translog.ParseReceipt(out.Text())
			if err != nil || !slices.EqualFunc(in.Leaves, out.Leaves, sameLeaf) {
				t.Fatalf("%d of %d leaves: %v", n+1, size, err)
			}
		}
	}
}

func sameLeaf(a, b translog.ReceiptLeaf) bool {
	return a.Index == b.Index && bytes.Equal(a.Leaf, b.Leaf) && slices.Equal(a.Hashes, b.Hashes)
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

// TestReceiptEveryByte changes every bit.
func TestReceiptEveryByte(t *testing.T) {
	t.Parallel()
	good, p := receipt(t).Text(), policy(t)
	for i := range good {
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

// TestReceiptOfAnother: the clock of the log, a witness and another log cannot sign for the log.
func TestReceiptOfAnother(t *testing.T) {
	t.Parallel()
	_, clock, witness := keys(t)
	for name, by := range map[string]*translog.Signer{
		"clock": clock, "witness": witness, "other log": signer(t, "other.example/log", translog.Plain, "another log"),
		"same name": signer(t, origin, translog.Plain, "a stranger"),
	} {
		r := receipt(t)
		err := r.Sign(by)
		if err != nil {
			t.Fatal(err)
		}
		_, err = r.Verify(policy(t))
		if !errors.Is(err, translog.ErrAnswerNotSigned) {
			t.Errorf("%s: %v", name, err)
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
