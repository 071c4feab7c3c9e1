package hostname

import "strings"

// maxMemo is how many names that IDNA must judge a Memo takes. Networks have
// thousands of domains in all; this many such names are an attempt to keep a
// reader busy.
const maxMemo = 100_000

// Memo answers as [Canonical] and [CanonicalURL] do and remembers the answers
// that cost much: those about names with letters outside ASCII, or with
// A-labels. Mapping one takes a hundred times as long as looking at a plain
// name; several passes over a long list of such names then take the time of
// one. The zero value is ready for use, by one goroutine; a nil Memo answers
// and remembers nothing.
type Memo struct {
	known map[string]answer
	urls  map[string]urlAnswer // by the host in a URL
	full  bool
}

type answer struct {
	name   string
	change Change
	err    error
}

type urlAnswer struct {
	name string
	kind Kind
}

// Full reports whether the Memo was asked about more names than it takes. It
// then has refused some that may be good, and its user must give up.
func (m *Memo) Full() bool { return m.full }

func keep[T any](known *map[string]T, s string, a T) {
	if *known == nil {
		*known = make(map[string]T)
	}
	(*known)[s] = a
}

// costly reports whether IDNA has a say in a text that is not plain.
func (m *Memo) costly(s string) bool {
	return m != nil && len(s) <= maxUnicodeName && (!isASCII(s) || strings.Contains(s, "--"))
}

// hasSpace reports whether one more name can be taken.
func (m *Memo) hasSpace() bool {
	m.full = m.full || len(m.known)+len(m.urls) >= maxMemo
	return !m.full
}

// Canonical is the function [Canonical] with a memory.
func (m *Memo) Canonical(s string) (string, Change, error) {
	if scan(s) == shapePlain {
		return s, 0, nil
	}
	if !m.costly(s) {
		return Canonical(s)
	}
	a, ok := m.known[s]
	if ok {
		return a.name, a.change, a.err
	}
	if !m.hasSpace() {
		return "", 0, &Error{Kind: IDNA, Input: s}
	}
	a.name, a.change, a.err = Canonical(s)
	keep(&m.known, s, a)
	return a.name, a.change, a.err
}

// urlName returns the canonical form of a host name in a URL.
func (m *Memo) urlName(host string) (string, Kind) {
	if !m.costly(host) {
		name, _, kind := asciiName(host, true)
		return name, kind
	}
	a, ok := m.urls[host]
	if ok {
		return a.name, a.kind
	}
	if !m.hasSpace() {
		return "", IDNA
	}
	a.name, _, a.kind = asciiName(host, true)
	keep(&m.urls, host, a)
	return a.name, a.kind
}
