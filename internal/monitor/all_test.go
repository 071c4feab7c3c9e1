package monitor_test

import (
	"bytes"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/translog"
)

// addMap adds a map over the first leaves of the log. Forged changes what it says.
func (l *log) addMap(size int64, forged func(m *translog.MapHead)) {
	l.t.Helper()
	newest := map[[32]byte]int64{}
	for i, text := range l.leaves[:size] {
		leaf, err := translog.ParseLeaf(text)
		ok(l.t, err)
		if translog.InMap(leaf.Subject) {
			newest[translog.MapKey(leaf.Subject)] = int64(i)
		}
	}
	var entries []translog.MapEntry
	for key, i := range newest {
		entries = append(entries, translog.MapEntry{Key: key, Index: i})
	}
	slices.SortFunc(entries, func(a, b translog.MapEntry) int { return bytes.Compare(a.Key[:], b.Key[:]) })
	m := &translog.Map{}
	for _, e := range entries {
		ok(l.t, m.Add(e))
	}
	root := m.Root()
	head := &translog.MapHead{Entries: m.Count, Root: hex.EncodeToString(root[:]), Size: size}
	forged(head)
	l.add(translog.Leaf{Kind: "log.map", Subject: translog.Subject{Kind: translog.SubjectMap}, Map: head})
}

func asIs(*translog.MapHead) {}

// TestAll: with everything followed, every leaf is told, and maps and chains of whomever are checked,
// also by a process that begins anew.
func TestAll(t *testing.T) {
	t.Parallel()
	l := newLog(t)
	l.fill(3, "p")
	l.addMap(3, asIs)
	w := newWatch(t, l, "p0.example")
	w.All = true
	w.expect(false, "0 1 2 3")
	if got := w.events[1].Domains; len(got) != 1 || got[0] != "p1.example" {
		t.Errorf("it concerns %v", got)
	}
	l.fill(300, "p")
	size := int64(len(l.leaves))
	l.fill(2, "q") // between the leaves that it covers and its own
	l.addMap(size, asIs)
	w.Tell = nil // nothing is left of the process
	again := newWatch(t, l)
	again.All, again.States = true, w.States
	_, told := again.look("a")
	if list := strings.Fields(told); len(list) != 303 || list[0] != "4" || list[302] != "306" {
		t.Errorf("told %q", told)
	}
	w = again
	l.addMap(int64(len(l.leaves)), func(m *translog.MapHead) { m.Entries-- })
	w.expect(true, "map 307")
	evidence := string(w.events[0].Evidence)
	_, proof, _ := strings.Cut(evidence, "\n\n")
	v, err := translog.Verify([]byte(proof), w.Policy)
	if err != nil || v.Index != 307 || !strings.Contains(evidence, "leaf 307 has a map over the first 307 leaves with 10 entries") {
		t.Errorf("the evidence is %s: %v", evidence, err)
	}
	l.addMap(300, asIs) // it does not cover the map before
	w.expect(true, "map 308")
	l.addMap(int64(len(l.leaves)), func(m *translog.MapHead) { m.Root = strings.Repeat("0", 64) })
	w.expect(true, "map 309")
	l.addMap(int64(len(l.leaves)), func(m *translog.MapHead) { m.Size += 5 })
	w.expect(true, "map 310")
	hidden := absent("p1.example")
	hidden.Previous = &translog.Link{Index: 1, Hash: translog.LeafHash(l.leaves[1])}
	l.add(hidden)
	w.expect(true, "broken 311")
	l.raw([]byte("no leaf\n"))
	l.add(absent("r0.example"))
	l.addMap(int64(len(l.leaves)-1)-1, asIs)
	w.expect(true, "malformed 313 314")
	w.expect(false, "")
}

// TestAllLater: what was read before everything was followed is checked then, and told once.
func TestAllLater(t *testing.T) {
	t.Parallel()
	l := newLog(t)
	l.fill(3, "p")
	l.addMap(3, func(m *translog.MapHead) { m.Entries-- })
	hidden := absent("p1.example")
	hidden.Previous = &translog.Link{Index: 2, Hash: translog.LeafHash(l.leaves[2])}
	l.add(hidden)
	w := newWatch(t, l, "p0.example")
	w.expect(false, "0")
	w.All = true
	w.expect(true, "map broken")
	w.expect(false, "")
	again := newWatch(t, l, "p0.example")
	again.All, again.States = true, w.States
	again.expect(false, "")
}
