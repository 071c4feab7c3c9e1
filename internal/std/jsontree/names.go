package jsontree

// Names is a fixed set of member names with small ids, so that a reader can
// switch on numbers instead of comparing strings.
type Names struct {
	written []string // written[id-1] is the name as it stands in most documents, with the colon
	ids     map[string]uint16
}

// NewNames gives the names the ids 1 to len(list), in order.
func NewNames(list []string) *Names {
	n := &Names{written: make([]string, len(list)), ids: make(map[string]uint16, len(list))}
	for i, name := range list {
		n.written[i] = `"` + name + `":`
		n.ids[name] = uint16(i + 1)
	}
	return n
}

// Len returns the number of names.
func (n *Names) Len() int { return len(n.written) }

// ID returns the id of name, or 0 when it is not known.
func (n *Names) ID(name string) uint16 { return n.ids[name] }
