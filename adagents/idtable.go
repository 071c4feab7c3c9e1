package adagents

import (
	"hash/maphash"
	"math/bits"
)

// idTable finds the file's properties by property_id; of several with one id,
// the first. A map would do, at several times the cost: the hashes are at hand
// from decoding, and the strings need not be held a second time.
type idTable struct {
	list   []Property
	seed   maphash.Seed
	slots  []idSlot // a power of two
	repeat bool     // some id occurs twice
}

type idSlot struct {
	hash  uint32
	index uint32 // one more than that of the property; zero marks a free slot
}

func newIDTable(list []Property, d *decoder) idTable {
	t := idTable{list: list, seed: d.seed, slots: make([]idSlot, 1<<bits.Len(uint(2*len(list))))}
	for i := range d.glances.each {
		if seen := &d.glances.each[i]; seen.named && !t.add(i, seen.id) {
			t.repeat = true
			d.glances.recount(i, &list[i])
		}
	}
	return t
}

// add enters a property unless there is one with its id. The ids are compared
// only when the hash is not new, which is seldom.
func (t *idTable) add(i int, hash uint32) bool {
	mask := uint32(len(t.slots) - 1)
	for k := hash & mask; ; k = (k + 1) & mask {
		s := &t.slots[k]
		if s.index == 0 {
			*s = idSlot{hash, uint32(i) + 1}
			return true
		}
		if s.hash == hash && t.list[s.index-1].ID == t.list[i].ID {
			return false
		}
	}
}

// get returns the index of the first property with an id.
func (t *idTable) get(id string) (int, bool) {
	if id == "" || len(t.list) == 0 {
		return 0, false
	}
	hash := uint32(maphash.String(t.seed, id) >> 32)
	mask := uint32(len(t.slots) - 1)
	for k := hash & mask; t.slots[k].index != 0; k = (k + 1) & mask {
		if s := &t.slots[k]; s.hash == hash && t.list[s.index-1].ID == id {
			return int(s.index) - 1, true
		}
	}
	return 0, false
}

// ids returns the ids, for suggestions.
func (t *idTable) ids() []string {
	var ids []string
	for i := range t.list {
		if t.list[i].ID != "" {
			ids = append(ids, t.list[i].ID)
		}
	}
	return ids
}

// A wordCount counts words of which few are different but many are counted,
// such as the tags of all properties. A table in front of the map catches nearly
// all of them without hashing the word. The zero value has none: it takes more
// memory than all else about a short file.
type wordCount struct {
	counts map[string]int // of words no longer in recent
	recent *[256]wordSlot
}

type wordSlot struct {
	word string
	n    int
}

// tableWords is the number of words from which the table pays.
const tableWords = 64

// expect prepares for a number of words.
func (w *wordCount) expect(n int) {
	if n >= tableWords {
		w.recent = new([256]wordSlot)
	}
}

func (w *wordCount) add(word string) {
	n := len(word)
	if n == 0 || w.recent == nil {
		w.put(word, 1)
		return
	}
	slot := &w.recent[(uint32(word[0])+uint32(word[n/2])*5+uint32(word[n-1])*31+uint32(n)*7)%256]
	if slot.word != word {
		w.put(slot.word, slot.n)
		slot.word, slot.n = word, 0
	}
	slot.n++
}

func (w *wordCount) put(word string, n int) {
	if n == 0 {
		return
	}
	if w.counts == nil {
		w.counts = make(map[string]int)
	}
	w.counts[word] += n
}

// total returns the counts.
func (w *wordCount) total() map[string]int {
	if w.recent == nil {
		return w.counts
	}
	for i := range w.recent {
		w.put(w.recent[i].word, w.recent[i].n)
		w.recent[i].n = 0
	}
	return w.counts
}

// merge adds the counts of another.
func (w *wordCount) merge(other *wordCount) {
	for word, n := range other.total() {
		w.put(word, n)
	}
}
