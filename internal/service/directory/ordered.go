package directory

import (
	"iter"
	"slices"
)

// fullBlock is the number of names from which a block is split.
const fullBlock = 512

// An ordered is a set of names that can be walked in order from any of them. They are in
// blocks, so that a change moves few of them, however many there are.
type ordered struct {
	blocks [][]string
	count  int
}

// find returns the block that has a name, or would have it, and the place in it.
func (o *ordered) find(name string) (int, int, bool) {
	b, exact := slices.BinarySearchFunc(o.blocks, name, func(block []string, name string) int {
		switch {
		case block[0] < name:
			return -1
		case block[0] > name:
			return 1
		}
		return 0
	})
	if !exact && b > 0 {
		b--
	}
	if b == len(o.blocks) {
		return b, 0, false
	}
	i, found := slices.BinarySearch(o.blocks[b], name)
	return b, i, found
}

// add adds a name, if it is not there.
func (o *ordered) add(name string) {
	b, i, found := o.find(name)
	if found {
		return
	}
	o.count++
	if b == len(o.blocks) {
		o.blocks = append(o.blocks, []string{name})
		return
	}
	block := slices.Insert(o.blocks[b], i, name)
	o.blocks[b] = block
	if len(block) >= fullBlock {
		half := len(block) / 2
		o.blocks[b] = slices.Clip(block[:half])
		o.blocks = slices.Insert(o.blocks, b+1, slices.Clone(block[half:]))
	}
}

// remove removes a name, if it is there.
func (o *ordered) remove(name string) {
	b, i, found := o.find(name)
	if !found {
		return
	}
	o.count--
	o.blocks[b] = slices.Delete(o.blocks[b], i, i+1)
	if len(o.blocks[b]) == 0 {
		o.blocks = slices.Delete(o.blocks, b, b+1)
	}
}

// after returns the names that follow one, in order; the empty name is before all others. A
// nil set has none.
func (o *ordered) after(name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if o == nil {
			return
		}
		b, i, found := o.find(name)
		if found {
			i++
		}
		for ; b < len(o.blocks); b, i = b+1, 0 {
			for _, one := range o.blocks[b][i:] {
				if !yield(one) {
					return
				}
			}
		}
	}
}

// len returns the number of names.
func (o *ordered) len() int {
	if o == nil {
		return 0
	}
	return o.count
}
