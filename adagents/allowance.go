package adagents

import (
	"reflect"
	"sync/atomic"

	"github.com/avow-project/avow/internal/std/jsontree"
)

// An entry takes up to several hundred bytes once it is decoded, however short
// it is written: "1," or "{}," in a list of signals. Without a limit of its
// own, the memory for a file would depend on which list is long, and be a
// hundred times the file.

// bytesPerValue is the memory that decoded entries may take for each JSON value
// that a file may have. With the usual number of values that is room for
// 140,000 signals or half a million properties, more than fit into the largest
// file once they say anything.
const bytesPerValue = 50

// leastAllowance is there for every file: with a limit of a few values, memory
// is no concern.
const leastAllowance = 4 << 20

// allowance is the memory left for decoded entries. Properties are decoded on
// all cores, which share it.
type allowance struct{ left atomic.Int64 }

func newAllowance(maxValues int) *allowance {
	if maxValues == 0 {
		maxValues = jsontree.DefaultMaxValues
	}
	a := new(allowance)
	a.left.Store(max(int64(maxValues)*bytesPerValue, leastAllowance))
	return a
}

// exceeded reports whether some entry was left out for want of room.
func (a *allowance) exceeded() bool { return a != nil && a.left.Load() < 0 }

// afford returns n when there is room for as many entries of a type, and 0 from
// the first time on that there is not. Without an allowance there is room for
// all: parts of a file that has been accepted are decoded that way.
func afford[T any](a *allowance, n int) int {
	if a == nil {
		return n
	}
	if a.left.Add(-int64(n)*int64(reflect.TypeFor[T]().Size())) < 0 {
		return 0
	}
	return n
}

// entries makes the list for the elements of an array, or an empty one when
// there is no room for them.
func entries[T any](d *decoder, v Value) []T {
	return make([]T, afford[T](d.allowed, v.Len()))
}

// mapEntries does the same for the members of an object.
func mapEntries[T any](d *decoder, v Value) []T { return entries[T](d, v)[:0] }

// part makes an object that another one contains.
func part[T any](d *decoder) *T {
	afford[T](d.allowed, 1)
	return new(T)
}
