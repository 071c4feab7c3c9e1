package adagents

import (
	"hash/maphash"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/avow-project/avow/internal/std/jsontree"
)

// Reading a large file keeps one core busy for half the time of a check. This
// file has a second one decode the properties that have been read meanwhile;
// what is left of them in the end is shared out as usual. With two idle cores
// that took a quarter off the time for the largest file, and a tenth or less
// while other programs kept both busy. A test holds it to the usual way: with and
// without it, every file must give the same report.

const (
	// earlySize is the size of a file from which decoding begins early.
	earlySize = 1 << 20
	// earlyBatch is the number of properties that are handed over at a time.
	earlyBatch = 256
	// earlyLeast is the length of a property, in bytes, below which decoding
	// waits until their number is known. A list of such is no catalog, and the
	// memory for as many as could still come would be many times the file.
	earlyLeast = 64
)

// early decodes properties while the file is being read.
type early struct {
	part decoder    // what was noted about them
	list []Property // with room for as many as may come
	done int        // number decoded

	first Value // first element of the file's list, once there is one
	next  Value // first element not decoded

	ends chan uint32 // nodes up to which the list may be read
	halt atomic.Bool
	wait sync.WaitGroup
}

// watch returns what has the parser start early decoding, or nil for a file
// that is too short for it.
func (c *run) watch(size int) *jsontree.Watch {
	batch := c.batch
	if batch == 0 && size >= earlySize && runtime.GOMAXPROCS(0) > 1 {
		batch = earlyBatch
	}
	if batch <= 0 {
		return nil
	}
	e := &early{ends: make(chan uint32, 1)}
	e.part.circumstances = c.dec.circumstances
	e.part.seed = maphash.MakeSeed()
	c.dec.early = e
	return &jsontree.Watch{Name: nameProperties, Every: batch, Ready: e.ready, Stop: e.stop}
}

// ready is called by the parser. It never waits: when the worker has not taken
// the last message, the next one will say the same and more.
func (e *early) ready(first Value, end uint32) {
	if !e.first.Exists() {
		e.first, e.next = first, first
		e.wait.Go(e.work)
	}
	select {
	case e.ends <- end:
	default:
	}
}

// work decodes what may be read until it is stopped.
func (e *early) work() {
	for end := range e.ends {
		if e.list == nil && !e.reserve(end) {
			return
		}
		for e.next.Node() < end && e.done < len(e.list) && !e.halt.Load() {
			i := e.done
			e.part.decodeFrom(e.next, e.list[i:i+1], e.part.glances.each[i:i+1])
			e.next = e.next.After()
			e.done++
		}
	}
}

// reserve makes room for the properties that are to be expected when the rest
// of the file is like the part up to a node. It reports false when it should
// not be made yet.
func (e *early) reserve(end uint32) bool {
	tree := e.first.Tree()
	count := 0
	for v := e.first; v.Node() < end; v = v.After() {
		count++
	}
	start := e.first.Offset()
	length := (tree.At(end-1).Offset() - start) / count
	if length < earlyLeast {
		return false
	}
	n := (len(tree.Source()) - start) / length
	n += n/16 + 1
	e.list = make([]Property, n)
	e.part.glances.each = make([]glance, n)
	e.part.glances.hashes = make([]uint32, 0, 2*n)
	e.part.glances.tags.expect(n)
	return true
}

// stop ends the work and waits until nothing is read any more. Only the
// goroutine of the check may call it.
func (e *early) stop() {
	if e != nil && !e.halt.Swap(true) {
		close(e.ends)
		e.wait.Wait()
	}
}

// adopt returns the list for n properties, with those in it that are decoded
// already, their number, and the first element that is not.
func (d *decoder) adopt(v Value, n int) ([]Property, int, Value) {
	first := v.Tree().At(v.Node() + 1)
	d.glances.tags.expect(n)
	e := d.early
	e.stop()
	if e == nil || e.first != first || n == 0 {
		d.seed = maphash.MakeSeed()
		d.glances.each = d.spares.glances.take(n)
		d.glances.hashes = d.hashes.take(2 * n)[:0]
		return d.spares.properties.take(n), 0, first
	}
	d.seed = e.part.seed
	d.glances.each = fit(e.part.glances.each, e.done, n)
	d.glances.hashes, e.part.glances.hashes = e.part.glances.hashes, nil
	d.join(&e.part, nil)
	list := fit(e.list, e.done, n)
	e.list, e.part = nil, decoder{} // what was moved is not held any longer
	return list, e.done, e.next
}

// fit makes a list n long of which the first elements are in use. It moves them
// only if the list is too short, or so long that memory would be held in vain.
func fit[T any](list []T, used, n int) []T {
	if n <= len(list) && n >= len(list)/4*3 {
		return list[:n:n]
	}
	moved := make([]T, n)
	copy(moved, list[:used])
	return moved
}
