// Package jsontree reads JSON from outside exactly as RFC 8259 writes it and
// keeps where every value stands.
//
// Parse makes one pass over the bytes and leaves a flat list of small nodes: no value
// is copied, no number is converted, no string is unescaped until requested. Every node
// knows its byte offset, so that a finding can name line and column. Member names are
// exact (no case folding), duplicate members are kept and listed, invalid UTF-8 and
// unpaired surrogates are errors, and depth, size and the number of values are bounded.
//
// The package exists because the decoders at hand either lose what a checker
// needs (positions, duplicates, member order) or cost several times the memory
// of the file. Their verdict still counts: a differential fuzz test holds
// Parse to the same accept or reject as jsontext on every input.
package jsontree

import (
	"bytes"
	"unsafe"
)

// A Kind is the type of a JSON value.
type Kind uint8

// The kinds of values. Invalid is the kind of a Value that does not exist.
const (
	Invalid Kind = iota
	Null
	False
	True
	Number
	String
	Array
	Object
	key // a member name; always directly before its value
)

var kindNames = [...]string{"nothing", "null", "a boolean", "a boolean", "a number", "a string", "an array",
	"an object", "a name"}

// String returns the kind with its article, for messages: "an array".
func (k Kind) String() string { return kindNames[k] }

// Limits that hold unless Options says otherwise. They bound what one hostile
// file can cost; real files stay far below.
const (
	// DefaultMaxDepth is deep enough for any declared structure (about 12).
	DefaultMaxDepth = 64
	// DefaultMaxValues bounds memory: the largest real file known has under
	// 150,000 values, a full 20 MB one about a million.
	DefaultMaxValues = 2_000_000
	// DefaultMaxBytes is the size limit of an authoritative file.
	DefaultMaxBytes = 20 << 20
)

// Options bound and tune Parse. The zero value means the defaults above.
type Options struct {
	MaxDepth  int
	MaxValues int
	MaxBytes  int
	// Names are the member names to recognise while scanning; each key then
	// carries the name's id. May be nil.
	Names *Names
}

// escaped marks a string that contains a backslash.
const escaped = 1

// node is one value or member name. Its size (12 bytes) is what makes a tree
// smaller than its file; containers therefore keep no end offset. It has no
// more than four fields, because the compiler puts larger structs together in
// memory before it appends them.
type node struct {
	off uint32 // where it starts
	end uint32 // scalars: where it ends; containers: index of the next node outside
	form
	n uint16 // keys: id in Names; containers: number of children, saturated
}

// form is what a node looks like.
type form struct {
	kind Kind
	flag uint8
}

const manyChildren = 1<<16 - 1

// A Tree is a parsed document. It is immutable and safe for concurrent use.
type Tree struct {
	src   []byte
	text  string // the same bytes as src
	nodes []node
	dups  []duplicate
	start int // offset of the first byte after a byte order mark

	unknown []uint32 // member names that are not known
	notable []uint32 // strings that are long or written with escapes
	crowds  []crowd  // containers with manyChildren or more: a few dozen at most
}

// crowd is a container whose children are too many for its node to count.
type crowd struct {
	node     uint32
	children int
}

// Parse reads exactly one JSON value from src. The tree keeps src: the caller
// must not change it afterwards. The error is always a *Error.
func Parse(src []byte, opt Options) (*Tree, error) {
	setDefault(&opt.MaxDepth, DefaultMaxDepth)
	setDefault(&opt.MaxValues, DefaultMaxValues)
	setDefault(&opt.MaxBytes, DefaultMaxBytes)
	if opt.Names == nil {
		opt.Names = noNames
	}
	if len(src) > opt.MaxBytes {
		return nil, &Error{Kind: TooLarge, Msg: "the file is larger than " + sizeText(opt.MaxBytes)}
	}
	start, err := encodingOf(src)
	if err != nil {
		return nil, err
	}
	t := &Tree{src: src, start: start}
	// The one place that shares bytes between a slice and a string: it makes
	// every string value free, and src is ours by contract.
	t.text = unsafe.String(unsafe.SliceData(src), len(src))
	p := newParser(t, opt)
	serr := p.run(start)
	if serr != nil {
		return nil, blameEncoding(src, serr)
	}
	t.nodes, t.dups, t.unknown, t.notable, t.crowds = p.nodes, p.dups, p.unknown, p.notable, p.crowds
	return t, nil
}

var noNames = NewNames(nil)

func setDefault(n *int, v int) {
	if *n == 0 {
		*n = v
	}
}

// estimate guesses the number of nodes from a few samples, so that the node
// list seldom has to grow: growing would briefly need twice the memory.
func estimate(src []byte, opt Options) int {
	const block, samples = 2 << 10, 16
	limit := 2*opt.MaxValues + 16
	if len(src) <= block*samples {
		return min(countStarts(src)+16, limit)
	}
	total := 0
	for i := range samples {
		at := i * (len(src) - block) / (samples - 1)
		total += countStarts(src[at : at+block])
	}
	guess := int(int64(total) * int64(len(src)) / (block * samples))
	return min(guess+guess/16+64, limit)
}

// countStarts counts the bytes after which a value or a name starts.
func countStarts(b []byte) int {
	return bytes.Count(b, []byte{','}) + bytes.Count(b, []byte{':'}) +
		bytes.Count(b, []byte{'['}) + bytes.Count(b, []byte{'{'}) + 1
}

// HasBOM reports whether the document began with a UTF-8 byte order mark.
func (t *Tree) HasBOM() bool { return t.start > 0 }

// Source returns the bytes of the document. They must not be changed.
func (t *Tree) Source() []byte { return t.src }

// Len returns the number of nodes: values and member names.
func (t *Tree) Len() int { return len(t.nodes) }

// Root returns the document's value.
func (t *Tree) Root() Value { return Value{t, 0} }

// A Duplicate is a member whose name already occurred in its object.
type Duplicate struct {
	Owner Value // the object
	Member
}

// duplicate is the same in node indexes.
type duplicate struct{ owner, key uint32 }

// Duplicates returns the repeated members, in document order of their
// objects' ends.
func (t *Tree) Duplicates() []Duplicate {
	list := make([]Duplicate, len(t.dups))
	for i, d := range t.dups {
		list[i] = Duplicate{Value{t, d.owner}, Member{t, d.key, d.key + 1}}
	}
	return list
}

// next returns the index after the subtree at i.
func (t *Tree) next(i uint32) uint32 {
	n := &t.nodes[i]
	if n.kind == Array || n.kind == Object {
		return n.end
	}
	return i + 1
}

// str returns the string node's decoded content.
func (t *Tree) str(i uint32) string {
	n := &t.nodes[i]
	s := t.text[n.off+1 : n.end-1]
	if n.flag&escaped == 0 {
		return s
	}
	return unescape(s)
}

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
