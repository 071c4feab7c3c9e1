package resolve

// A buffer is a list that needs no memory of its own as long as it is short. A slice of an
// array would do, if the compiler could see that it is not kept.
type buffer[T any] struct {
	n    int
	few  [8]T
	more []T // all of them, once there are many
}

func (b *buffer[T]) add(v T) {
	switch {
	case b.n < len(b.few):
		b.few[b.n] = v
	case b.n == len(b.few):
		b.more = append(append(b.more[:0], b.few[:]...), v)
	default:
		b.more = append(b.more, v)
	}
	b.n++
}

// all returns the values, until the next change.
func (b *buffer[T]) all() []T {
	if b.n <= len(b.few) {
		return b.few[:b.n]
	}
	return b.more[:b.n]
}

// cut shortens the list.
func (b *buffer[T]) cut(n int) {
	switch {
	case b.n <= len(b.few):
	case n <= len(b.few):
		copy(b.few[:], b.more[:n])
	default:
		b.more = b.more[:n]
	}
	b.n = n
}

// set makes the list that of other values.
func (b *buffer[T]) set(list []T) {
	b.n = 0
	for _, v := range list {
		b.add(v)
	}
}
