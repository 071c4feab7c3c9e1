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

// suffixes are the flags of every rule and every name above a rule. Holding the
// names above lets a look-up stop at the first label, counted from the right,
// that no rule goes through. The map is made at first use; programs that never
// ask do not pay.
var suffixes = sync.OnceValue(buildSuffixes)

func buildSuffixes() map[string]uint8 {
	nodes := make(map[string]uint8, strings.Count(rulesText, "\n"))
	for rule := range strings.SplitSeq(rulesText, "\n") {
		if rule != "" && rule[0] != '#' {
			addRule(nodes, rule)
		}
	}
	return nodes
}

// addRule enters a rule and the names above it.
func addRule(nodes map[string]uint8, rule string) {
	flag := uint8(flagRule)
	switch rule[0] {
	case '!':
		flag, rule = flagException, rule[1:]
	case '*':
		flag, rule = flagWildcard, rule[2:]
	}
	nodes[rule] |= flag
	for {
		_, above, found := strings.Cut(rule, ".")
		if !found {
			return
		}
		nodes[above] |= flagParent
		rule = above
	}
}

// suffixStart returns the index in name at which its public suffix starts, and whether the
// list goes no further: all names below name then have the same suffix.
func suffixStart(name string) (int, bool) {
	nodes := suffixes()
	suffix, parent, wild := -1, len(name), false
	for end := len(name); end >= 0; {
		start := strings.LastIndexByte(name[:end], '.') + 1
		if wild || parent == len(name) {
			// The unwritten rule "*" makes every last label a suffix.
			suffix = start
		}
		flags := nodes[name[start:]]
		if flags&flagException != 0 {
			return parent, true
		}
		if flags&flagRule != 0 {
			suffix = start
		}
		if flags&(flagWildcard|flagParent) == 0 {
			return suffix, true
		}
		wild, parent, end = flags&flagWildcard != 0, start, start-1
	}
	return suffix, false
}

// PublicSuffix returns the part of a canonical name under which the public can
// register names, such as "com", "co.uk" or "github.io". The private section
// of the list counts, because it too separates unrelated owners. A name under
// no rule has its last label as suffix. The bool says that all names below this one have
// the same.
func PublicSuffix(name string) (string, bool) {
	if name == "" {
		return "", false
	}
	start, whole := suffixStart(name)
	return name[start:], whole
}

// IsPublicSuffix reports whether a canonical name is itself a public suffix,
// so that no single publisher owns it. An address is not.
func IsPublicSuffix(name string) bool {
	if name == "" {
		return false
	}
	start, _ := suffixStart(name)
	return start == 0 && !endsInNumber(name)
}

// Registrable returns the registrable domain of a canonical name, its public
// suffix with one more label. It reports false for a name that has none: a
// public suffix, an address or an empty name.
func Registrable(name string) (string, bool) {
	if name == "" || endsInNumber(name) {
		return "", false
	}
	start, _ := suffixStart(name)
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
