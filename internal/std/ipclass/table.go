package ipclass

import (
	_ "embed" // for the tables
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"sync"
)

// The tables as text. Their first lines give the format and the source.
var (
	//go:embed special4.txt
	special4 string
	//go:embed special6.txt
	special6 string
	//go:embed extra.txt
	extra string
)

// row is one line of a table. reach is the registry's column "globally
// reachable": Of does not use it, but tests hold the class against it.
type row struct {
	prefix netip.Prefix
	reach  string
	class  Class
}

// tables are the rows of both families, longest prefix first; once as they are and
// once for each first octet of an address, which leaves few rows to look at.
type tables struct {
	v4, v6         []row
	index4, index6 [256][]row
}

// loaded is the content of the embedded text. It is read on first use, so that
// a program that never asks does not pay for it at start.
var loaded = sync.OnceValue(func() *tables {
	t, err := parseTables(special4, special6, extra)
	if err != nil {
		// The text is part of the program, and tests read it: this is a build
		// that was never tested, and it must not connect anywhere.
		panic(err)
	}
	return t
})

// parseTables reads the rows of all texts and sorts them so that the first one
// that contains an address is the most specific.
func parseTables(texts ...string) (*tables, error) {
	t := &tables{}
	for _, text := range texts {
		err := t.add(text)
		if err != nil {
			return nil, err
		}
	}
	longest := func(a, b row) int { return b.prefix.Bits() - a.prefix.Bits() }
	slices.SortStableFunc(t.v4, longest)
	slices.SortStableFunc(t.v6, longest)
	t.index4 = index(t.v4, 4)
	t.index6 = index(t.v6, 16)
	return t, nil
}

// index finds the rows that matter for each first octet of an address of so many
// octets.
func index(rows []row, octets int) [256][]row {
	var ix [256][]row
	for first := range ix {
		start, _ := netip.AddrFromSlice(append([]byte{byte(first)}, make([]byte, octets-1)...))
		for _, r := range rows {
			if r.prefix.Overlaps(netip.PrefixFrom(start, 8)) {
				ix[first] = append(ix[first], r)
			}
		}
	}
	return ix
}

// add reads the rows of one text.
func (t *tables) add(text string) error {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		r, err := parseRow(line)
		if err != nil {
			return err
		}
		if r.prefix.Addr().Is4() {
			t.v4 = append(t.v4, r)
		} else {
			t.v6 = append(t.v6, r)
		}
	}
	return nil
}

// parseRow reads one line. The words after the third column are for readers.
func parseRow(line string) (row, error) {
	fields := strings.Fields(line)
	if len(fields) < 4 {
		return row{}, fmt.Errorf("ipclass: %q has fewer than four columns", line)
	}
	prefix, err := netip.ParsePrefix(fields[0])
	if err != nil {
		return row{}, fmt.Errorf("ipclass: %w", err)
	}
	if prefix != prefix.Masked() {
		return row{}, fmt.Errorf("ipclass: %s has bits beyond its length", prefix)
	}
	class := slices.Index(classNames[:], fields[2])
	if class < 0 {
		return row{}, fmt.Errorf("ipclass: %s has the unknown class %q", prefix, fields[2])
	}
	return row{prefix: prefix, reach: fields[1], class: Class(class)}, nil
}
