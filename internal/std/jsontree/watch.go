package jsontree

import "math"

// A Watch follows one list of a document while the rest of it is still being
// read, so that a second core can work on the list's elements meanwhile.
type Watch struct {
	// Name is the id, in the Names of the Options, of a member of the
	// document's object. Its first occurrence is followed if it is an array.
	Name uint16
	// Every is the number of elements between two calls of Ready. Only arrays
	// and objects count.
	Every int
	// Ready is called by Parse when the elements from first up to, and not
	// including, the node end are complete. They may be read from then on, by
	// any goroutine that this call happens before; nothing else of the tree
	// may. Calls repeat first, and end grows.
	Ready func(first Value, end uint32)
	// Stop is called by Parse when it must move the nodes: nobody may read
	// them while it returns, and from then on only Parse's result says whether
	// there is a tree. It is not called when there is no need to.
	Stop func()
}

// noNode is the index of no node.
const noNode = math.MaxUint32

// watcher is the part of the parser that serves a Watch. Without one, it costs
// a comparison for each array and object.
type watcher struct {
	tree  *Tree
	watch *Watch
	array uint32 // the array followed, noNode while there is none
	count int    // elements since the last call
}

// consider follows the array at a node if it is the one to watch.
func (p *parser) consider(at uint32) {
	w := &p.watcher
	if w.watch == nil || w.array != noNode || p.nodes[at].kind != Array {
		return
	}
	if name := &p.nodes[at-1]; name.kind == key && name.n == w.watch.Name {
		w.array = at
	}
}

// completed tells of elements once there are enough new ones. When the nodes
// had to move, the tree that readers know lacks the new ones and they hear no
// more.
func (p *parser) completed() {
	w := &p.watcher
	w.count++
	if w.count < w.watch.Every || cap(p.nodes) != len(w.tree.nodes) {
		return
	}
	w.count = 0
	w.watch.Ready(Value{w.tree, w.array + 1}, uint32(len(p.nodes)))
}

// begin lets the tree show all nodes there is room for, so that it need not be
// touched again while others read it.
func (p *parser) begin(t *Tree) {
	p.watcher = watcher{tree: t, watch: p.opt.Watch, array: noNode}
	t.nodes = p.nodes[:cap(p.nodes)]
}

// finish gives the tree its final nodes.
func (p *parser) finish(t *Tree) {
	t.size = len(p.nodes)
	if cap(p.nodes) == len(t.nodes) {
		return
	}
	if p.opt.Watch != nil {
		p.opt.Watch.Stop()
	}
	t.nodes = p.nodes
}
