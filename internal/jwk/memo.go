package jwk

import (
	"slices"
	"strings"
)

const (
	// memoKeys is how many keys a Memo holds, and memoLength the length up to which it
	// takes one, in bytes: an RSA key of 8,192 bits has 1,400.
	memoKeys   = 1000
	memoLength = 2000
)

// A Memo answers as [Check] does and remembers what it found about the members that hold
// the key itself: the same few keys are pinned in thousands of entries and files, and to
// see whether a point is on its curve takes long. The zero value is ready for use, by one
// goroutine at a time; a nil Memo answers and remembers nothing. It keeps none of the
// strings that it is given.
type Memo struct{ known map[string]verdict }

// verdict is what was found about one key.
type verdict struct {
	of       material
	problems []Problem
}

// material are the members that hold a key. Nothing else decides about its soundness.
type material struct{ kty, crv, x, y, n, e string }

// Check is the function [Check] with a memory.
func (m *Memo) Check(k Key) []Problem {
	var c checker
	if k.Kid == "" {
		c.add(KidMissing, "kid", "the key has no kid, so no signature can refer to it")
	}
	c.privateMaterial(&k)
	m.material(&c, &k)
	c.algorithm(&k)
	c.purpose(&k)
	return c.problems
}

func (m *Memo) material(c *checker, k *Key) {
	if m == nil {
		c.material(k)
		return
	}
	is := material{k.Kty, k.Crv, k.X, k.Y, k.N, k.E}
	known, ok := m.known[is.largest()]
	if ok && known.of == is {
		c.problems = append(c.problems, known.problems...)
		return
	}
	before := len(c.problems)
	c.material(k)
	if is.length() <= memoLength {
		m.remember(is, c.problems[before:])
	}
}

// remember forgets all others when there are too many.
func (m *Memo) remember(is material, problems []Problem) {
	if m.known == nil {
		m.known = make(map[string]verdict)
	}
	if len(m.known) >= memoKeys {
		clear(m.known)
	}
	is = is.clone()
	m.known[is.largest()] = verdict{is, slices.Clone(problems)}
}

// largest returns the member that tells nearly all keys apart: x, or the modulus of an
// RSA key. Of keys that are alike in it the last one is remembered.
func (m *material) largest() string {
	if m.x == "" {
		return m.n
	}
	return m.x
}

func (m *material) length() int {
	return len(m.kty) + len(m.crv) + len(m.x) + len(m.y) + len(m.n) + len(m.e)
}

func (m *material) clone() material {
	return material{
		strings.Clone(m.kty), strings.Clone(m.crv), strings.Clone(m.x),
		strings.Clone(m.y), strings.Clone(m.n), strings.Clone(m.e),
	}
}
