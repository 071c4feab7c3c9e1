package hostname

import "strings"

// maxMemo is how many names that IDNA must judge a Memo takes. Networks have
// thousands of domains in all; this many such names are an attempt to keep a
// reader busy.
const maxMemo = 100_000

// Memo answers as [Canonical] does and remembers the answers that cost much:
// those about names with letters outside ASCII, or with A-labels. Several passes
// over a long list of such names then take the time of one. The zero value is
// ready for use, by one goroutine; a nil Memo answers and remembers nothing.
type Memo struct {
	known map[string]answer
	full  bool
}

type answer struct {
	name   string
	change Change
	err    error
}

// Full reports whether the Memo was asked about more names than it takes. It
// then has refused some that may be good, and its user must give up.
func (m *Memo) Full() bool { return m.full }

// Canonical is the function [Canonical] with a memory.
func (m *Memo) Canonical(s string) (string, Change, error) {
	if m == nil || len(s) > maxUnicodeName || isASCII(s) && !strings.Contains(s, "--") {
		return Canonical(s)
	}
	a, ok := m.known[s]
	if ok {
		return a.name, a.change, a.err
	}
	if len(m.known) == maxMemo {
		m.full = true
		return "", 0, &Error{Kind: IDNA, Input: s}
	}
	a.name, a.change, a.err = Canonical(s)
	if m.known == nil {
		m.known = make(map[string]answer)
	}
	m.known[s] = a
	return a.name, a.change, a.err
}
