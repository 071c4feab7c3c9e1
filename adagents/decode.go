package adagents

import (
	"math"
	"reflect"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/avow-project/avow/internal/format/layout"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/jsontree"
	"github.com/avow-project/avow/internal/std/rfc3339"
)

// A Value is a JSON value at its location in the file.
type Value = jsontree.Value

// A Position is a location in a file: byte offset from 0, line and column from 1,
// columns in Unicode code points.
type Position = jsontree.Position

// A Tree is a parsed JSON document.
type Tree = jsontree.Tree

// The kinds of JSON values.
const (
	Null       = jsontree.Null
	NumberKind = jsontree.Number
	String     = jsontree.String
	Array      = jsontree.Array
	Object     = jsontree.Object
)

// entry is what every object of the model has: its location in the file and what
// the check decided about it.
type entry struct {
	// Raw is the object as written, unknown members included.
	Raw    Value
	effect effect
}

// Pointer returns the JSON Pointer of the object in its file.
func (e *entry) Pointer() string {
	if !e.Raw.Exists() {
		return ""
	}
	return e.Raw.Tree().Pointers([]uint32{e.Raw.Node()})[0]
}

// Position returns where the object starts in its file.
func (e *entry) Position() Position {
	if !e.Raw.Exists() {
		return Position{}
	}
	return e.Raw.Tree().Positions([]int{e.Raw.Offset()})[0]
}

// node returns the number of the object in the tree.
func (e *entry) node() uint32 { return e.Raw.Node() }

// A Timestamp is a point in time as written in the file.
type Timestamp string

// Time returns the instant, and false when the text is not RFC 3339.
func (t Timestamp) Time() (time.Time, bool) {
	if t == "" {
		return time.Time{}, false
	}
	instant, err := rfc3339.Parse(string(t))
	return instant, err == nil
}

// A Number is a JSON number as written, so that no digit is lost. The empty
// Number means that the member is absent or not a number.
type Number string

// Float returns the value, and false when there is none or it is too large.
func (n Number) Float() (float64, bool) {
	f, err := strconv.ParseFloat(string(n), 64)
	return f, err == nil
}

// Int returns the value of a whole number, however it is written (2, 2.0, 2e0).
func (n Number) Int() (int64, bool) {
	f, ok := n.Float()
	if !ok || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return 0, false
	}
	return int64(f), true
}

func numberOf(v Value) Number {
	if !v.Is(jsontree.Number) {
		return ""
	}
	return Number(v.Text())
}

// names returns the member names the scanner recognises.
func names() *jsontree.Names { return layout.Names() }

// memberAt returns the member value at a node, if the node is set.
func memberAt(v Value, node uint32) Value {
	if node == 0 {
		return Value{}
	}
	return v.Tree().At(node)
}

// unknownMember is a member that its object's type does not know.
type unknownMember struct {
	in     *model.ObjectType
	owner  uint32 // the object's node
	member jsontree.Member
}

// decoderState is the part of the decoder that is not generated.
type decoderState struct {
	unknown    []unknownMember
	wrong      []wrongType
	stringSlab slab[string]
	mixed      bool // some list of strings has an element that is none

	circumstances
	fastpaths fastpaths     // of the file's properties
	before    neighbor      // of the property that is looked at
	hosts     hostname.Memo // canonical forms of domains
}

func (d *decoderState) addUnknown(in *model.ObjectType, owner Value, m jsontree.Member) {
	d.unknown = append(d.unknown, unknownMember{in, owner.Node(), m})
}

// wrongType is a known member whose value has another JSON type than declared.
type wrongType struct {
	in    *model.ObjectType
	field int
	value Value
}

func (d *decoderState) mistyped(in *model.ObjectType, field int, v Value) {
	d.wrong = append(d.wrong, wrongType{in, field, v})
}

// strings returns the strings of an array; other elements are left out, the
// check reports them.
func (d *decoderState) strings(v Value) []string {
	if !v.Is(Array) {
		return nil
	}
	list := d.stringSlab.take(d.allowed, v.Len())
	n := 0
	for e, ok := v.FirstElem(); ok && n < len(list); e, ok = e.Next() {
		if s, ok := e.Value().AsString(); ok {
			list[n] = s
			n++
		}
	}
	d.mixed = d.mixed || n < len(list)
	return list[:n:n]
}

// slab hands out slices of one larger allocation. A file has tens of thousands
// of short lists; one allocation for each of them was a quarter of the time.
type slab[T any] struct {
	free []T
	size int // of the last allocation
	owed int // taken, and not yet subtracted from the allowance
}

const (
	// The first allocation is of so many bytes, because most files are small, and many of
	// them may be held in memory; each is twice the one before.
	slabFirst = 256
	slabSize  = 2048
	// slabPart is the size from which a slice gets an allocation of its own:
	// the end of a slab that is too short for it would be lost.
	slabPart = slabSize / 8
)

// take returns a slice of n, or an empty one when memory for it is not allowed. The
// allowance pays for the memory requested, not for the slabs, so the verdict does not
// depend on how the file is split for decoding.
func (s *slab[T]) take(a *allowance, n int) []T {
	s.owed += n
	if n <= len(s.free) && n < slabPart {
		out := s.free[:n:n]
		s.free = s.free[n:]
		return out
	}
	if !s.pay(a) {
		return nil
	}
	if n >= slabPart {
		return make([]T, n)
	}
	first := slabFirst / int(reflect.TypeFor[T]().Size())
	s.size = max(min(max(2*s.size, first), slabSize), n)
	fresh := make([]T, s.size)
	s.free = fresh[n:]
	return fresh[:n:n]
}

// pay subtracts what is owed from the allowance, and reports whether there was
// as much.
func (s *slab[T]) pay(a *allowance) bool {
	owed := s.owed
	s.owed = 0
	return afford[T](a, owed) == owed
}

// An entry takes up to several hundred bytes once it is decoded, however short
// it is written: "1," or "{}," in a list of signals. Without a limit of its
// own, the memory for a file would depend on which list is long, and be a
// hundred times the file.

// bytesPerValue is the memory that decoded entries may take for each JSON value
// that a file may have. With the usual number of values that is enough for
// 140,000 signals or half a million properties, more than fit into the largest
// file once they say anything.
const bytesPerValue = 50

// leastAllowance is there for every file: with a limit of a few values, memory is not a
// concern.
const leastAllowance = 4 << 20

// allowance is the memory left for decoded entries. Properties are decoded on
// all cores, which share it.
type allowance struct{ left atomic.Int64 }

func newAllowance(maxValues int) *allowance {
	if maxValues == 0 {
		maxValues = jsontree.DefaultMaxValues
	}
	a := new(allowance)
	a.left.Store(max(int64(maxValues)*bytesPerValue, leastAllowance))
	return a
}

// exceeded reports whether some entry was left out for lack of memory.
func (a *allowance) exceeded() bool { return a != nil && a.left.Load() < 0 }

// afford returns n when there is memory for as many entries of a type, and 0 from
// the first time on that there is not. Without an allowance there is enough for
// all: parts of a file that has been accepted are decoded that way.
func afford[T any](a *allowance, n int) int {
	if a == nil {
		return n
	}
	if a.left.Add(-int64(n)*int64(reflect.TypeFor[T]().Size())) < 0 {
		return 0
	}
	return n
}

// entries makes the list for the elements of an array, or an empty one when
// there is no memory for them.
func entries[T any](d *decoder, v Value) []T {
	return make([]T, afford[T](d.allowed, v.Len()))
}

// mapEntries does the same for the members of an object.
func mapEntries[T any](d *decoder, v Value) []T { return entries[T](d, v)[:0] }

// part makes an object that another one contains.
func part[T any](d *decoder) *T {
	afford[T](d.allowed, 1)
	return new(T)
}

// fastpath is what the quick look at one property says. Later passes over a long
// list go by it and do not fetch the properties themselves from memory again.
type fastpath struct {
	id        uint32 // hash of the property_id; zero when there is none
	publisher uint32 // hash of the publisher it names in canonical form, or that is implied
	first     uint32 // where the hashes of its identifiers begin in fastpaths.hashes
	plain     bool   // no rule about a single property has anything to say
	// tagged, owned and located matter only while the property is plain: it carries
	// some tag, it names its publisher, and that is known to be no public suffix.
	tagged, owned, located bool
}

// fastpaths are those of a list of properties.
type fastpaths struct {
	each   []fastpath
	hashes []uint32       // of identifiers, one property after the other
	tags   map[string]int // how many of the plain ones have each
}

// recount takes back that a property is plain: the rules have a closer match,
// and whether its tags count depends on what they decide.
func (g *fastpaths) recount(i int, p *Property) {
	if !g.each[i].plain {
		return
	}
	g.each[i].plain = false
	for _, tag := range p.Tags {
		g.tags[tag]--
	}
}

// circumstances are the options that decide how plain a property can be.
type circumstances struct {
	home    string // registrable domain the file is served for
	implied string // publisher of properties that name none
	allowed *allowance
}

// inside reports whether a node lies within a container.
func inside(v Value, node uint32) bool { return v.Node() < node && node < v.EndNode() }

// An AuthorizationType says which list of an agent entry is the agent's scope. A file may
// have others than these; an entry of such a type authorizes nothing.
type AuthorizationType string

// The authorization types.
const (
	ByPropertyIDs         AuthorizationType = "property_ids"
	ByPropertyTags        AuthorizationType = "property_tags"
	ByInlineProperties    AuthorizationType = "inline_properties"
	ByPublisherProperties AuthorizationType = "publisher_properties"
	BySignalIDs           AuthorizationType = "signal_ids"
	BySignalTags          AuthorizationType = "signal_tags"
)
