package records

import "errors"

// ErrSwapped is the error of a database whose file was removed or replaced while it is in
// use. Nothing that is written to it would last.
var ErrSwapped = errors.New("the file of the store was taken away while it is in use")

// A Located is a Database in a file.
type Located interface {
	// InPlace returns ErrSwapped when the file is not where it was.
	InPlace() error
}

// InPlace returns ErrSwapped when the file of the store is not where it was.
func (s *Store) InPlace() error {
	l, ok := s.db.(Located)
	if !ok {
		return nil
	}
	return l.InPlace()
}
