package jsontree_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/avow-project/avow/internal/std/jsontree"
)

// watching reads elements of a list in a goroutine of its own while Parse goes
// on, as users of a Watch do.
type watching struct {
	texts    []string // of the first member of each element
	calls    int
	stopped  bool
	ends     chan uint32
	wait     sync.WaitGroup
	next     jsontree.Value
	finished sync.Once
}

func (w *watching) ready(first jsontree.Value, end uint32) {
	if w.calls == 0 {
		w.next = first
		w.wait.Go(w.read)
	}
	w.calls++
	w.ends <- end
}

func (w *watching) read() {
	for end := range w.ends {
		for w.next.Node() < end {
			text := w.next.Text()
			if m, ok := w.next.FirstMember(); ok {
				text = m.Name() + m.Value().Text()
			}
			w.texts = append(w.texts, text)
			w.next = w.next.After()
		}
	}
}

func (w *watching) finish() {
	w.finished.Do(func() { close(w.ends) })
	w.wait.Wait()
}

func (w *watching) stop() {
	w.stopped = true
	w.finish()
}

// watch parses src and returns what was read of the member "list" meanwhile.
func watch(src string, every int) (*watching, *jsontree.Tree, error) {
	w := &watching{ends: make(chan uint32)}
	tree, err := jsontree.Parse([]byte(src), jsontree.Options{
		Names: jsontree.NewNames([]string{"list", "id"}),
		Watch: &jsontree.Watch{Name: 1, Every: every, Ready: w.ready, Stop: w.stop},
	})
	w.finish()
	return w, tree, err
}

func TestWatch(t *testing.T) {
	t.Parallel()
	tests := []struct {
		src   string
		every int
		want  string
	}{
		{`{"list":[{"id":1},{"id":2},{"id":3}]}`, 1, "id1 id2 id3"},
		{`{"list":[{"id":1},{"id":2},{"id":3}]}`, 2, "id1 id2"},
		{`{"list":[{"id":1},{"id":2},{"id":3}]}`, 4, ""},
		{`{"a":{"list":[{}]},"list":[7,{"id":1},8,{"id":{"list":[{"id":2}]}},9]}`, 1, "7 id1 8 id"},
		{`{"list":[{"id":1}],"list":[{"id":2}]}`, 1, "id1"},
		{`{"list":{"id":[1]},"list":[{"id":2}]}`, 1, "id2"},
		{`{"other":[{"id":1}],"id":[[]]}`, 1, ""},
		{`[[{"id":1}],[{"id":2}]]`, 1, ""}, // the root has as many children as the name's id
		{`{"list":[{"id":1},{"id":2},{"id":}]}`, 1, "id1 id2"},
	}
	for _, tt := range tests {
		w, tree, err := watch(tt.src, tt.every)
		if got := strings.Join(w.texts, " "); got != tt.want || w.stopped {
			t.Errorf("%s in steps of %d: read %q, want %q; stopped %v", tt.src, tt.every, got, tt.want, w.stopped)
		}
		plain, perr := jsontree.Parse([]byte(tt.src), jsontree.Options{})
		if (err == nil) != (perr == nil) || err == nil && tree.Len() != plain.Len() {
			t.Errorf("%s: error %v with a watch, %v without", tt.src, err, perr)
		}
	}
}

// TestWatchMoved reads a document with so many more values than its samples let
// expect that the nodes have to move.
func TestWatchMoved(t *testing.T) {
	t.Parallel()
	long := strings.Repeat(`{"id":"`+strings.Repeat("x", 1000)+`"},`, 100)
	src := `{"list":[` + long + strings.Repeat("[],", 2000) + long + `{"id":1}],"id":"end"}`
	w, tree, err := watch(src, 1)
	if err != nil {
		t.Fatal(err)
	}
	n := len(w.texts)
	if !w.stopped || n < 100 || n >= 2201 {
		t.Errorf("%d elements read, stopped %v", n, w.stopped)
	}
	list := tree.Root().Get("list")
	if list.Len() != 2201 || tree.Root().Get("id").Str() != "end" {
		t.Errorf("%d elements, then %q", list.Len(), tree.Root().Get("id").Str())
	}
	if w.next != list.Index(n) || list.Index(n-1).After() != w.next {
		t.Errorf("the reader stopped at node %d, not at element %d", w.next.Node(), n)
	}
}
