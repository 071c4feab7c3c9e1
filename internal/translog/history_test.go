package translog_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/translog"
)

// history is that of the file in the example: leaf 3, which leads to leaf 1.
func history(t testing.TB) *translog.History {
	t.Helper()
	tr := exampleTree(t)
	return &translog.History{Proof: tr.proof(t, 3, 4), Earlier: []translog.HistoryLeaf{{Index: 1, Leaf: tr.leaves[1]}}}
}

func TestHistory(t *testing.T) {
	t.Parallel()
	text := history(t).Text()
	h, err := translog.ParseHistory(text)
	if err != nil || !translog.IsHistory(text) || !bytes.Equal(h.Text(), text) {
		t.Fatalf("it is not read: %v", err)
	}
	v, earlier, err := h.Verify(policy(t))
	if err != nil || v.Index != 3 || len(earlier) != 1 || earlier[0].Kind != "file.adopted" {
		t.Errorf("got %+v, %+v: %v", v, earlier, err)
	}
	tr := exampleTree(t)
	for name, c := range map[string]struct {
		change func(h *translog.History)
		want   string
	}{
		"a leaf less":         {func(h *translog.History) { h.Earlier = nil }, "leaf 1 is missing"},
		"another leaf":        {func(h *translog.History) { h.Earlier[0].Leaf = tr.leaves[2] }, "leads to"},
		"another index":       {func(h *translog.History) { h.Earlier[0].Index = 2 }, "leads to"},
		"a leaf more":         {func(h *translog.History) { h.Earlier = append(h.Earlier, h.Earlier[0]) }, "leads to"},
		"of something else":   {func(h *translog.History) { h.Proof = tr.proof(t, 2, 4) }, "leads to"},
		"a proof that is not": {func(h *translog.History) { h.Proof.Index = 0 }, "do not lead"},
	} {
		h := history(t)
		c.change(h)
		again, err := translog.ParseHistory(h.Text())
		if err == nil {
			_, _, err = again.Verify(policy(t))
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, bad := range map[string]string{
		"an index with a zero": strings.Replace(string(text), "\nleaf 1 ", "\nleaf 01 ", 1),
		"a line too many":      string(text) + "\n",
		"an end that is cut":   string(text[:len(text)-1]),
		"another line":         string(text) + "leaf\n",
	} {
		_, err := translog.ParseHistory([]byte(bad))
		if err == nil {
			t.Errorf("%s is read", name)
		}
	}
	many := history(t)
	for range translog.MaxHistoryLeaves {
		many.Earlier = append(many.Earlier, many.Earlier[0])
	}
	_, err = translog.ParseHistory(many.Text())
	if err == nil {
		t.Error("more leaves than are allowed are read")
	}
}
