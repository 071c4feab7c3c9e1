package jwk

import (
	"slices"
	"strings"
)

const (
	// memoKeys is how many keys a Memo holds before it begins to forget the oldest, and
	// memoLength the length up to which it takes one, in bytes: P-521 has 180.
	memoKeys   = 5000
	memoLength = 300
)

// A Memo answers as [Check] does and remembers what it found about points of curves: the
// same few keys are pinned in thousands of entries and files, and to see whether a point
// is on its curve takes long. The zero value is ready for use, by one goroutine at a time;
// a nil Memo answers and remembers nothing. It keeps none of the strings that it is given.
type Memo struct {
	// known are the latest, and older those that were there when they were as many as are
	// held; by x, which tells nearly all keys apart.
	known, older map[string]verdict
}

// verdict is what was found about one point.
type verdict struct {
	of       point
	problems []Problem
}

// point are the members that hold a key of a curve. Nothing else decides whether it is
// sound.
type point struct{ kty, crv, x, y string }

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

// Held returns about how many bytes of memory the Memo takes.
func (m *Memo) Held() int {
	const each = 300 // with its strings and its place in the map
	return (len(m.known) + len(m.older)) * each
}

func (m *Memo) material(c *checker, k *Key) {
	is := point{k.Kty, k.Crv, k.X, k.Y}
	if m == nil || k.Kty != "OKP" && k.Kty != "EC" || is.length() > memoLength {
		c.material(k)
		return
	}
	problems, ok := m.recall(&is)
	if ok {
		c.problems = append(c.problems, problems...)
		return
	}
	before := len(c.problems)
	c.material(k)
	m.remember(&is, c.problems[before:])
}

func (m *Memo) recall(is *point) ([]Problem, bool) {
	for _, some := range []map[string]verdict{m.known, m.older} {
		v, ok := some[is.x]
		if ok && v.of == *is {
			return v.problems, true
		}
	}
	return nil, false
}

// remember keeps what was found. Of points that are alike in x the last one is kept.
func (m *Memo) remember(is *point, problems []Problem) {
	if m.known == nil || len(m.known) >= memoKeys {
		m.older, m.known = m.known, make(map[string]verdict)
	}
	kept := point{strings.Clone(is.kty), strings.Clone(is.crv), strings.Clone(is.x), strings.Clone(is.y)}
	m.known[kept.x] = verdict{kept, slices.Clone(problems)}
}

func (p *point) length() int { return len(p.kty) + len(p.crv) + len(p.x) + len(p.y) }
