package hostname

import (
	_ "embed"
	"strings"
	"sync"
)

// rulesText is the Public Suffix List as internal/gen/psl writes it: comment
// lines, then one rule per line.
//
//go:embed psl_gen.txt
var rulesText string

// dateMark introduces the date of the list in the header of rulesText.
const dateMark = "# Date: "

// What the list says about a node, that is, about a rule or one of the names
// above it.
const (
	// flagRule marks a name that is itself a public suffix.
	flagRule = 1 << iota
	// flagException marks a name that a wildcard would cover but must not.
	flagException
	// flagWildcard marks a name whose children are all public suffixes.
	flagWildcard
	// flagParent marks a name that lies above another node.
	flagParent
)

// suffixNode is one slot of the table. The name it stands for is
// rulesText[off:off+size]; a size of zero marks an empty slot.
type suffixNode struct {
	hash  uint32
	off   uint32
	size  uint8
	flags uint8
}

// name returns the name a slot stands for.
func (n *suffixNode) name() string {
	return rulesText[n.off : n.off+uint32(n.size)]
}

// suffixTable is an open-addressing hash table of every rule and every name
// above a rule. Holding the names above lets a lookup stop at the first label,
// counted from the right, that no rule goes through.
type suffixTable struct {
	nodes [tableSize]suffixNode
	// filter has a bit for every hash in the table. It fits the nearest
	// cache and saves most fruitless look-ups the way to memory.
	filter [filterSize / 64]uint64
}

// filterSize is a power of two, several times the number of nodes.
const filterSize = 1 << 16

// mayHave reports whether a name with this hash can be in the table.
func (t *suffixTable) mayHave(h uint32) bool {
	bit := spread(h) % filterSize
	return t.filter[bit/64]&(1<<(bit%64)) != 0
}

// FNV-1a, run from the last octet of a name to the first, so that the hash of
// a name continues the hash of its parent.
const (
	hashStart = 2166136261
	hashPrime = 16777619
)

// tableSize is a power of two, about three times the number of nodes: most
// lookups end at an empty slot, and this keeps the way there short.
const tableSize = 1 << 15

var (
	tableOnce sync.Once
	table     *suffixTable
)

// suffixes builds the table at first use; programs that never ask do not pay.
func suffixes() *suffixTable {
	tableOnce.Do(func() { table = buildTable() })
	return table
}

// buildTable reads rulesText.
func buildTable() *suffixTable {
	t := new(suffixTable)
	for off := 0; off < len(rulesText); {
		end := off + strings.IndexByte(rulesText[off:], '\n')
		if end < off {
			end = len(rulesText)
		}
		if end > off && rulesText[off] != '#' {
			t.addRule(off, end)
		}
		off = end + 1
	}
	return t
}

// addRule enters the rule in rulesText[off:end] and the names above it.
func (t *suffixTable) addRule(off, end int) {
	flag := uint8(flagRule)
	switch rulesText[off] {
	case '!':
		flag, off = flagException, off+1
	case '*':
		flag, off = flagWildcard, off+2
	}
	h := uint32(hashStart)
	for i := end - 1; i >= off; i-- {
		if rulesText[i] == '.' {
			t.enter(h, i+1, end, flagParent)
		}
		h = (h ^ uint32(rulesText[i])) * hashPrime
	}
	t.enter(h, off, end, flag)
}

// enter adds a flag to the name rulesText[off:end], making a node of it if it
// is not one yet.
func (t *suffixTable) enter(h uint32, off, end int, flag uint8) {
	n := t.slot(h, rulesText[off:end])
	if n.size == 0 {
		n.hash, n.off, n.size = h, uint32(off), uint8(end-off)
	}
	n.flags |= flag
	bit := spread(h) % filterSize
	t.filter[bit/64] |= 1 << (bit % 64)
}

// slot returns the slot that holds name, or the empty one where it would go.
func (t *suffixTable) slot(h uint32, name string) *suffixNode {
	for i := spread(h); ; i++ {
		n := &t.nodes[i%tableSize]
		if n.size == 0 {
			return n
		}
		if n.hash == h && n.name() == name {
			return n
		}
	}
}

// spread mixes the high bits of a hash into the low ones that pick the slot.
func spread(h uint32) uint32 {
	return h ^ h>>15
}

// find looks a whole name up.
func (t *suffixTable) find(name string) (suffixNode, bool) {
	h := uint32(hashStart)
	for i := len(name) - 1; i >= 0; i-- {
		h = (h ^ uint32(name[i])) * hashPrime
	}
	n := t.slot(h, name)
	return *n, n.size != 0
}

// suffixStart returns the index in name at which its public suffix starts.
func suffixStart(name string) int {
	t := suffixes()
	h := uint32(hashStart)
	suffix, parent, wild := -1, len(name), false
	for i := len(name) - 1; i >= -1; i-- {
		if i >= 0 && name[i] != '.' {
			h = (h ^ uint32(name[i])) * hashPrime
			continue
		}
		start := i + 1
		if wild || parent == len(name) {
			// The unwritten rule "*" makes every last label a suffix.
			suffix = start
		}
		if !t.mayHave(h) {
			break
		}
		n := t.slot(h, name[start:])
		if n.size == 0 {
			break
		}
		if n.flags&flagException != 0 {
			return parent
		}
		if n.flags&flagRule != 0 {
			suffix = start
		}
		if n.flags&(flagWildcard|flagParent) == 0 {
			break
		}
		wild, parent = n.flags&flagWildcard != 0, start
		h = (h ^ '.') * hashPrime
	}
	return suffix
}

// PublicSuffix returns the part of a canonical name under which the public can
// register names, such as "com", "co.uk" or "github.io". The private section
// of the list counts, because it too separates unrelated owners. A name under
// no rule has its last label as suffix.
func PublicSuffix(name string) string {
	if name == "" {
		return ""
	}
	return name[suffixStart(name):]
}

// IsPublicSuffix reports whether a canonical name is itself a public suffix,
// so that no single publisher owns it. An address is not.
func IsPublicSuffix(name string) bool {
	return name != "" && suffixStart(name) == 0 && !endsInNumber(name)
}

// Registrable returns the registrable domain of a canonical name, its public
// suffix with one more label. It reports false for a name that has none: a
// public suffix, an address or an empty name.
func Registrable(name string) (string, bool) {
	if name == "" || endsInNumber(name) {
		return "", false
	}
	start := suffixStart(name)
	if start <= 1 {
		return "", false
	}
	return name[strings.LastIndexByte(name[:start-1], '.')+1:], true
}

// endsInNumber reports whether the last label of a name makes it an address.
func endsInNumber(name string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	return numeric(last)
}

// ListDate returns the date of the embedded Public Suffix List as YYYY-MM-DD.
// A verdict that rests on the list can then say how old it was.
func ListDate() string {
	_, rest, _ := strings.Cut(rulesText, dateMark)
	date, _, _ := strings.Cut(rest, "\n")
	return date
}
