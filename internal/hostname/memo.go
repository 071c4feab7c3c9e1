package hostname

// maxMemo bounds the names that are kept; a large file has no more names
// outside ASCII than this, unless each is a few letters long.
const maxMemo = 200_000

// Memo answers as [Canonical] does and remembers the answers that cost much:
// those about names that are not plain. Several passes over a long list of
// international names then take the time of one. The zero value is ready for
// use, by one goroutine; a nil Memo answers and remembers nothing.
type Memo struct {
	known map[string]answer
}

type answer struct {
	name   string
	change Change
	err    error
}

// Canonical is the function [Canonical] with a memory.
func (m *Memo) Canonical(s string) (string, Change, error) {
	if scan(s) == shapePlain {
		return s, 0, nil
	}
	if m == nil || len(s) > maxUnicodeName {
		return Canonical(s)
	}
	a, ok := m.known[s]
	if ok {
		return a.name, a.change, a.err
	}
	a.name, a.change, a.err = Canonical(s)
	if m.known == nil {
		m.known = make(map[string]answer)
	}
	if len(m.known) < maxMemo {
		m.known[s] = a
	}
	return a.name, a.change, a.err
}
