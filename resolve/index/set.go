package index

import (
	"iter"
	"slices"
)

// few is the number of values up to which a set is a list: most files speak for one
// publisher, and most agents are in one file.
const few = 8

// A set has values, a few or a great many.
type set[T comparable] struct {
	list []T
	many map[T]struct{} // nil as long as there are few
}

// add adds a value that the set does not have.
func (s *set[T]) add(v T) {
	if s.many == nil && len(s.list) < few {
		s.list = append(s.list, v)
		return
	}
	if s.many == nil {
		s.many = make(map[T]struct{}, 2*few)
		for _, one := range s.list {
			s.many[one] = struct{}{}
		}
		s.list = nil
	}
	s.many[v] = struct{}{}
}

func (s *set[T]) remove(v T) {
	if s.many != nil {
		delete(s.many, v)
		return
	}
	if i := slices.Index(s.list, v); i >= 0 {
		s.list = slices.Delete(s.list, i, i+1)
	}
}

func (s *set[T]) empty() bool { return len(s.list)+len(s.many) == 0 }

// all returns the values, in no order; a nil set has none.
func (s *set[T]) all() iter.Seq[T] {
	return func(yield func(T) bool) {
		if s == nil {
			return
		}
		for _, v := range s.list {
			if !yield(v) {
				return
			}
		}
		for v := range s.many {
			if !yield(v) {
				return
			}
		}
	}
}
