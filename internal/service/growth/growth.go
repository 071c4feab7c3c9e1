// Package growth lists everything that can grow while the service runs: what it is, whose it is, what
// bounds it and how it is counted. The list is shown by avow state check, at /metrics and in
// docs/operating.md; tests compare it with the schemas of both databases and with the code.
package growth

import (
	"fmt"
	"slices"
	"strings"
)

// A Kind is where something grows.
type Kind string

// The kinds.
const (
	Table  Kind = "table"
	File   Kind = "file"
	Cache  Kind = "cache"
	Queue  Kind = "queue"
	Count  Kind = "counter" // what is counted for each client, host or caller
	Budget Kind = "budget"  // what others have to fit into
)

// An Item is one thing that can grow.
type Item struct {
	Kind Kind
	// Name is the name of the table, or what metrics call it.
	Name string
	// Holds says what is in it, Owner whom it is charged to, Bound how large it gets, and Counted how that is
	// known. Without Owner it is the service's own.
	Holds, Owner, Bound, Counted string
	// In is where it is in the code, for what is in memory: types or functions with their packages.
	In []string
}

// All returns everything, tables first.
func All() []Item { return slices.Concat(tables, files, memory) }

// Names returns the names of a kind.
func Names(k Kind) []string {
	var names []string
	for _, i := range All() {
		if i.Kind == k {
			names = append(names, i.Name)
		}
	}
	return names
}

// Markdown is the list as docs/operating.md shows it.
func Markdown() string {
	var b strings.Builder
	b.WriteString("| What | Holds | Charged to | Bound | Counted |\n|---|---|---|---|---|\n")
	for _, i := range All() {
		owner := i.Owner
		if owner == "" {
			owner = "the service"
		}
		fmt.Fprintf(&b, "| %s `%s` | %s | %s | %s | %s |\n", i.Kind, i.Name, i.Holds, owner, i.Bound, i.Counted)
	}
	return b.String()
}
