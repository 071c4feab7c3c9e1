package adagents

import "github.com/avow-project/avow/internal/std/jsontree"

// content is what a rule may know besides the entry it looks at: the file with its
// indexes, and the circumstances of the check.
type content struct {
	opt    Options
	home   string // registrable domain the file is served for
	tree   *jsontree.Tree
	dec    decoder
	file   *File
	index  index
	agents agentState
	// byDomain says that the findings depend on Options.Domain.
	byDomain bool
}
