// Package spell finds the known name a misspelt one was probably meant to be.
//
// An unknown member such as "authorised_agents" is far more often a slip than
// an extension, and the message is only useful when it names the member that
// was meant. The distance is the optimal string alignment one: the number of
// insertions, deletions, substitutions and swaps of neighbours, with no letter
// edited twice. British and American spellings differ by one substitution, so
// they need no table of their own. ASCII letter case is ignored, because a
// name that differs in case only is the closest slip there is.
//
// A file may hold a million unknown names, each chosen to be expensive. Work per
// look-up is bounded: words above [MaxLength] bytes never match, distances above
// [MaxDistance] are not computed, and an [Index] compares at most a fixed number
// of candidates.
package spell

import (
	"math/bits"
	"slices"
)

const (
	// MaxLength is the longest word, in bytes, that is ever compared.
	MaxLength = 64
	// MaxDistance is the largest distance at which a name is still proposed.
	MaxDistance = 2
	// maxCandidates bounds the comparisons of one look-up in an Index. It is
	// far above the number of members any object of the format has.
	maxCandidates = 4096
)

// Nearest gives the word in known that is closest to word, if any is within max
// edits. A max above [MaxDistance] is treated as MaxDistance. The distance must also
// be less than half the length of word, since two edits make any three-letter
// word out of any other.
//
// The answer does not depend on the order of known: among words at the same
// distance the one sharing the longest beginning wins, then the first in byte
// order. Nearest does not allocate.
func Nearest(word string, known []string, max int) (string, bool) {
	s, ok := newSearch(word, max)
	if !ok {
		return "", false
	}
	for _, k := range known {
		if len(k) <= MaxLength {
			s.offer(k, signature(k))
		}
	}
	return s.best, s.found
}

// Index is a set of known words prepared for many look-ups. It is immutable, so
// goroutines may share it.
type Index struct {
	// byLength holds the words of each length, so that a look-up sees only
	// those whose length makes a match possible.
	byLength [MaxLength + 1][]entry
}

// entry is a known word with the letters in it, which rule most words out
// without a comparison.
type entry struct {
	word    string
	letters uint32
}

// New prepares an index of known words. Words above [MaxLength] bytes are left
// out, because nothing can match them.
func New(known []string) *Index {
	x := new(Index)
	sorted := slices.Compact(slices.Sorted(slices.Values(known)))
	for _, k := range sorted {
		if len(k) <= MaxLength {
			x.byLength[len(k)] = append(x.byLength[len(k)], entry{k, signature(k)})
		}
	}
	return x
}

// Nearest answers as the function [Nearest] does over the words of the index,
// except that in an index of several thousand words of like length it may stop
// before having seen them all. It does not allocate.
func (x *Index) Nearest(word string, max int) (string, bool) {
	s, ok := newSearch(word, max)
	if !ok {
		return "", false
	}
	left := maxCandidates
	// The same length first: most slips keep it, and each hit narrows the
	// search for the other lengths.
	for _, delta := range [...]int{0, 1, -1, 2, -2} {
		n := len(word) + delta
		if n < 0 || n > MaxLength || abs(delta) > s.limit {
			continue
		}
		for _, e := range x.byLength[n] {
			if left == 0 {
				return s.best, s.found
			}
			left--
			s.offer(e.word, e.letters)
		}
	}
	return s.best, s.found
}

// search is the state of one look-up.
type search struct {
	word    string
	letters uint32
	limit   int // the largest distance still of interest
	best    string
	shared  int // length of the beginning best shares with word
	found   bool
}

func newSearch(word string, max int) (search, bool) {
	limit := min(max, MaxDistance, (len(word)-1)/2)
	if len(word) == 0 || len(word) > MaxLength || limit < 0 {
		return search{}, false
	}
	return search{word: word, letters: signature(word), limit: limit}, true
}

// offer compares one candidate and keeps it when it is better than the best.
func (s *search) offer(candidate string, letters uint32) {
	if abs(len(candidate)-len(s.word)) > s.limit {
		return
	}
	// One edit removes at most one letter and adds at most one.
	if bits.OnesCount32(letters^s.letters) > 2*s.limit {
		return
	}
	d := distance(s.word, candidate, s.limit)
	if d > s.limit {
		return
	}
	shared := sharedPrefix(s.word, candidate)
	better := !s.found || d < s.limit || shared > s.shared || shared == s.shared && candidate < s.best
	if better {
		s.best, s.shared, s.found, s.limit = candidate, shared, true, d
	}
}

// distance computes the optimal string alignment distance of a and b, letter
// case aside, or returns limit+1 as soon as it must exceed limit. Both words
// have at most MaxLength bytes, so three rows on the stack hold the whole state.
func distance(a, b string, limit int) int {
	var rows [3][MaxLength + 1]uint8
	beforeLast, last, row := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		last[j] = uint8(j)
	}
	for i := range len(a) {
		row[0] = uint8(i + 1)
		lowest := row[0]
		for j := range len(b) {
			row[j+1] = cell(a, b, i, j, beforeLast, last, row)
			lowest = min(lowest, row[j+1])
		}
		// A swap reaches back over one row, and the lowest values of
		// neighbouring rows differ by at most one; hence the spare edit.
		if int(lowest) > limit+1 {
			return limit + 1
		}
		beforeLast, last, row = last, row, beforeLast
	}
	return min(int(last[len(b)]), limit+1)
}

// cell is the cheapest way to turn a[:i+1] into b[:j+1].
func cell(a, b string, i, j int, beforeLast, last, row *[MaxLength + 1]uint8) uint8 {
	ca, cb := lower(a[i]), lower(b[j])
	if ca == cb {
		return last[j]
	}
	best := min(last[j], last[j+1], row[j]) + 1
	if i > 0 && j > 0 && ca == lower(b[j-1]) && lower(a[i-1]) == cb {
		best = min(best, beforeLast[j-1]+1)
	}
	return best
}

// signature sets a bit for each letter in s. Other bytes share the bits that
// the 26 letters leave, which only makes the test weaker, never wrong.
func signature(s string) uint32 {
	var set uint32
	for i := range len(s) {
		set |= 1 << (lower(s[i]) & 31)
	}
	return set
}

func sharedPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// lower folds ASCII capitals only: member names are ASCII, and folding more
// would make look-alikes from other scripts equal.
func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
