package adagents

import (
	"bytes"
	"cmp"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/avow-project/avow/internal/std/jsontree"
)

// Format returns the canonical bytes of a file: UTF-8 without byte order mark,
// two spaces of indentation, line feeds, one at the end. The members of known
// objects come in the order of the documentation and unknown ones after them
// in the order they were written, as do the tags of a tag map. Short lists of
// plain values take one line.
//
// Nothing is lost or mended: numbers keep their digits, duplicate members stay,
// and a file with findings is formatted like any other. Formatting the result
// again changes nothing. The error is an *Unusable when src is not JSON.
func Format(src []byte) ([]byte, error) {
	tree, err := jsontree.Parse(src, jsontree.Options{Names: names})
	if err != nil {
		c := &run{report: new(Report)}
		c.unreadable(src, err)
		return nil, c.report.Unusable
	}
	root := tree.Root()
	f := newFormatter(tree)
	defer f.release()
	f.value(root.Node(), layoutOf(root), 0)
	return f.text(), nil
}

// FormatValue returns the canonical text of one value, without indentation of
// its first line and without a line feed at the end. Its members stay in the
// order they were written.
func FormatValue(v Value) []byte {
	if !v.Exists() {
		return nil
	}
	f := formatter{from: v.Tree()}
	f.value(v.Node(), nil, 0)
	return f.dst
}

const (
	formatIndent = 2
	// formatWidth is the column a list on one line must not pass, its comma
	// included. It fits a side-by-side review on an ordinary screen.
	formatWidth = 100
)

// formatter writes one document.
type formatter struct {
	from *Tree
	dst  []byte
	line int // where the current line starts in dst
	// members is a stack: each open object has its part at the end.
	members []rankedMember
	// made is the tree of what is written; nil when nobody wants it.
	made *jsontree.Rewriter
	// quoted is what is written as it stands inside of a JSON string, for those who put
	// it into one: which characters need an escape is known here and is a search later.
	quoted  []byte
	quoting bool
	// known are the names that the tree has numbers of; nil when it has others.
	known []writtenName
}

// formatters are used again: how long a document becomes is not known before, and most
// of the room that would do for every one is left empty.
var formatters = sync.Pool{New: func() any { return new(formatter) }}

// mostSpare is the room, in bytes, above which a formatter is not used again.
const mostSpare = 1 << 20

func newFormatter(from *Tree) *formatter {
	f := formatters.Get().(*formatter)
	f.begin(from)
	return f
}

// begin starts a document, where the one before was written unless it is long. The tree
// must know names.
func (f *formatter) begin(from *Tree) {
	*f = formatter{from: from, dst: f.dst[:0], members: f.members[:0], known: writtenNames()}
	if cap(f.dst) > mostSpare {
		f.dst = nil
	}
	size := len(from.Source())
	f.dst = slices.Grow(f.dst, size+size/2)
}

// quote has what is written from the beginning on quoted too, in some memory if it is
// large enough.
func (f *formatter) quote(room []byte) {
	f.quoting = true
	f.quoted = slices.Grow(room[:0], 2*len(f.from.Source()))
}

// text returns what is written, with a line feed at the end: a copy, unless the original
// is too long for being written over.
func (f *formatter) text() []byte {
	f.dst = append(f.dst, '\n')
	if cap(f.dst) > mostSpare {
		return f.dst
	}
	return bytes.Clone(f.dst)
}

// release lets the formatter be used again, after its text was taken.
func (f *formatter) release() {
	if cap(f.dst) <= mostSpare {
		f.from = nil
		formatters.Put(f)
	}
}

// rankedMember is a member with its place in the canonical order. It has no pointer, so
// that sorting a few thousand of them is no work for the garbage collector.
type rankedMember struct {
	rank int32
	node uint32 // of its name
}

// value writes the value at a node. Its layout decides the order of its members.
func (f *formatter) value(node uint32, l *layout, depth int) {
	w := f.from.Written(node)
	switch w.Kind {
	case Object:
		f.object(node, l, depth)
		return
	case Array:
		f.array(node, l, depth)
		return
	}
	start := len(f.dst)
	escapes := f.scalar(node, w)
	if f.made != nil {
		f.made.Scalar(w.Kind, start, f.dst, escapes)
	}
}

// member starts the line of a member, after a comma or not, and writes its name and what
// follows it.
func (f *formatter) member(node uint32, depth int, comma bool) {
	id := f.from.NameIDAt(node)
	if id != 0 && f.known != nil && depth < stampDepth {
		f.knownMember(id, depth, comma)
		return
	}
	f.newLine(depth, comma)
	start := len(f.dst)
	escapes := f.scalar(node, f.from.Written(node))
	if f.made != nil {
		f.made.Key(start, f.dst, id, escapes)
	}
	f.put(": ")
}

// knownMember is member for the name with a number, however it is written in the source.
func (f *formatter) knownMember(id uint16, depth int, comma bool) {
	line, name := lineStampOf(depth, comma), &f.known[id]
	f.dst = appendBoth(f.dst, &line.plain, &name.plain)
	end := len(f.dst)
	start := end - name.plain.n
	f.line = start - depth*formatIndent
	if f.made != nil {
		f.made.Key(start, f.dst[:end-len(": ")], id, false)
	}
	if f.quoting {
		f.quoted = appendBoth(f.quoted, &line.quoted, &name.quoted)
	}
}

// pair is member and then value where both can be written at once, and reports whether it
// did: the name has a number, and the value is short and stays as it is. Most members are
// like that, and one test for all of what they take is quicker than one for each part.
func (f *formatter) pair(node uint32, depth int, comma bool) bool {
	id, w, src := f.from.NameIDAt(node), f.from.Written(node+1), f.from.Source()
	n := len(w.Text)
	if id == 0 || f.known == nil || depth >= stampDepth || n == 0 || n >= jsontree.Notable || w.Off+shortText > len(src) || w.Escaped || !isPlain(w.Text) {
		return false
	}
	line, name, text := lineStampOf(depth, comma), &f.known[id], (*[shortText]byte)(src[w.Off:])
	at := len(f.dst)
	if cap(f.dst)-at < pairSize {
		f.dst = slices.Grow(f.dst, pairSize)
	}
	start := stampBoth((*[pairSize]byte)(f.dst[at:at+pairSize]), &line.plain, &name.plain, text)
	f.dst = f.dst[:at+start+n]
	f.line = at + line.plain.n - depth*formatIndent
	if f.made != nil {
		f.made.Pair(id, at+line.plain.n, at+start-len(": "), w.Kind, at+start, at+start+n)
	}
	if f.quoting {
		f.quotedPair(line, name, text, n, w.Kind == String)
	}
	return true
}

// quotedPair writes a pair as it stands inside of a string.
func (f *formatter) quotedPair(line *lineStamp, name *writtenName, text *[shortText]byte, n int, str bool) {
	at := len(f.quoted)
	if cap(f.quoted)-at < pairSize {
		f.quoted = slices.Grow(f.quoted, pairSize)
	}
	to := (*[pairSize]byte)(f.quoted[at : at+pairSize])
	if !str {
		f.quoted = f.quoted[:at+stampBoth(to, &line.quoted, &name.quoted, text)+n]
		return
	}
	// As in quotePlain, with the first backslash after the name.
	end := stampBoth(to, &line.quoted, &name.quotedString, text) + n
	to[end-1], to[end] = '\\', '"'
	f.quoted = f.quoted[:at+end+1]
}

// scalar writes what is neither an array nor an object, and reports whether there are
// escapes in it. Most texts stay as they are.
func (f *formatter) scalar(node uint32, w jsontree.Written) bool {
	if !w.Escaped && isPlain(w.Text) {
		f.dst = append(f.dst, w.Text...)
		f.quotePlain(w.Text)
		return false
	}
	return f.str(f.from.NameAt(node))
}

// str writes a string and reports whether there are escapes in it.
func (f *formatter) str(s string) bool {
	start := len(f.dst)
	f.dst = AppendString(f.dst, s)
	if f.quoting {
		f.quoted = appendQuoted(f.quoted, f.dst[start:])
	}
	return hasEscape(f.dst[start:])
}

// quotePlain writes a scalar without escapes as it stands inside of a string.
func (f *formatter) quotePlain(text string) {
	switch {
	case !f.quoting:
	case text[0] == '"':
		// The text is copied with its quotes, and a backslash put before each of them.
		start, n := len(f.quoted), len(text)+len(`\\`)
		f.quoted = slices.Grow(f.quoted, n)[:start+n]
		to := f.quoted[start:]
		to[0] = '\\'
		copy(to[1:], text)
		to[n-2], to[n-1] = '\\', '"'
	default:
		f.quoted = append(f.quoted, text...)
	}
}

// put writes what is between the values and names.
func (f *formatter) put(marks string) {
	f.dst = append(f.dst, marks...)
	if f.quoting {
		f.quoted = append(f.quoted, marks...)
	}
}

// mark writes a comma or bracket.
func (f *formatter) mark(c byte) {
	f.dst = append(f.dst, c)
	if f.quoting {
		f.quoted = append(f.quoted, c)
	}
}

// added writes a member that the source does not have.
func (f *formatter) added(m addedMember) {
	start := len(f.dst)
	escapes := f.str(m.name)
	f.made.Key(start, f.dst, names.ID(m.name), escapes)
	f.put(": ")
	start = len(f.dst)
	escapes = f.str(m.value)
	f.made.Scalar(String, start, f.dst, escapes)
}

func hasEscape(text []byte) bool { return bytes.IndexByte(text, '\\') >= 0 }

// open writes the bracket of an array or object, and close the one at its end.
func (f *formatter) open(k jsontree.Kind, bracket byte) uint32 {
	var opened uint32
	if f.made != nil {
		opened = f.made.Open(k, len(f.dst))
	}
	f.mark(bracket)
	return opened
}

func (f *formatter) close(opened uint32, n int, bracket byte) {
	if f.made != nil {
		f.made.Close(opened, n)
	}
	f.mark(bracket)
}

// blanks are what lines begin with.
const blanks = "                                "

// newLine starts a line, after a comma or not.
func (f *formatter) newLine(depth int, comma bool) {
	start := lineStampOf(min(depth, stampDepth-1), comma)
	f.dst = start.plain.appendTo(f.dst)
	if f.quoting {
		f.quoted = start.quoted.appendTo(f.quoted)
	}
	for more := depth - (stampDepth - 1); more > 0; more-- {
		f.put(blanks[:formatIndent])
	}
	f.line = len(f.dst) - depth*formatIndent
}

func (f *formatter) object(node uint32, l *layout, depth int) {
	opened := f.open(Object, '{')
	base := len(f.members)
	f.rank(node, l)
	count := len(f.members) - base
	params := l.params(f.from.At(node))
	for i := range count {
		// By index: the stack may move while the values below are written.
		m := f.members[base+i]
		if f.pair(m.node, depth+1, i > 0) {
			continue
		}
		f.member(m.node, depth+1, i > 0)
		f.value(m.node+1, l.member(m.rank, params), depth+1)
	}
	f.members = f.members[:base]
	if count > 0 {
		f.newLine(depth, false)
	}
	f.close(opened, count, '}')
}

// rank pushes the members of an object in canonical order. Duplicates have the same
// rank and therefore keep their order.
func (f *formatter) rank(node uint32, l *layout) {
	base, last := len(f.members), int32(-1)
	ordered := true
	for m, ok := f.from.At(node).FirstMember(); ok; m, ok = m.Next() {
		rank := l.rank(m.NameID())
		ordered = ordered && rank >= last
		last = rank
		f.members = append(f.members, rankedMember{rank, m.Node()})
	}
	if !ordered {
		sortMembers(f.members[base:])
	}
}

// fewMembers is the number of members up to which they are sorted by insertion. Hardly any
// object has more, and for so few package slices is slower.
const fewMembers = 24

// sortMembers puts members in canonical order.
func sortMembers(list []rankedMember) {
	if len(list) > fewMembers {
		slices.SortStableFunc(list, func(a, b rankedMember) int { return cmp.Compare(a.rank, b.rank) })
		return
	}
	for i, m := range list {
		k := i
		for ; k > 0 && list[k-1].rank > m.rank; k-- {
			list[k] = list[k-1]
		}
		list[k] = m
	}
}

func (f *formatter) array(node uint32, l *layout, depth int) {
	if f.oneLine(node) {
		return
	}
	opened := f.open(Array, '[')
	n := 0
	for e, ok := f.from.At(node).FirstElem(); ok; e, ok = e.Next() {
		f.newLine(depth+1, n > 0)
		f.value(e.Value().Node(), l.elem(), depth+1)
		n++
	}
	f.newLine(depth, false)
	f.close(opened, n, ']')
}

// oneLine writes a list of plain values on the current line if it fits there;
// otherwise it writes nothing.
func (f *formatter) oneLine(node uint32) bool {
	first, ok := f.from.At(node).FirstElem()
	if ok && first.Value().IsContainer() {
		return false
	}
	start, quoted := len(f.dst), len(f.quoted)
	column := utf8.RuneCount(f.dst[f.line:]) + len("],")
	opened := f.open(Array, '[')
	mark, n := start, 0
	for e := first; ok; e, ok = e.Next() {
		if n > 0 {
			f.put(", ")
		}
		n++
		nested := e.Value().IsContainer()
		if !nested {
			f.value(e.Value().Node(), nil, 0)
			column += utf8.RuneCount(f.dst[mark:])
			mark = len(f.dst)
		}
		if nested || column > formatWidth {
			f.undo(start, quoted, opened)
			return false
		}
	}
	f.close(opened, n, ']')
	return true
}

// undo takes back what was written from a bracket on.
func (f *formatter) undo(start, quoted int, opened uint32) {
	f.dst, f.quoted = f.dst[:start], f.quoted[:quoted]
	if f.made != nil {
		f.made.Undo(opened)
	}
}
