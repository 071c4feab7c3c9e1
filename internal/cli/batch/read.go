package batch

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/question"
	"github.com/avow-project/avow/internal/std/jsontree"
	"github.com/avow-project/avow/internal/std/spell"
	"github.com/avow-project/avow/resolve"
)

// longestQuestion is the most that one question may take. A quotation mark that is never
// closed would otherwise make one question of a whole file.
const longestQuestion = 1 << 20

// The parts of a question, as columns of CSV and members of JSON.
const (
	partID = iota
	partPublisher
	partAgent
	partProperty
	partIdentifier
	partPropertyType
	partPlacement
	partCollection
	partSignal
	partCountry
	partAt
	parts
)

var partNames = []string{
	"id", "publisher", "agent", "property", "identifier", "property_type", "placement", "collection", "signal", "country", "at",
}

// jsonParts makes the parser recognise the names.
var jsonParts = jsontree.NewNames(partNames)

// partOf finds a part by name. Lists may be named in the plural.
func partOf(name string) int {
	i := slices.Index(partNames, name)
	if i < 0 && (name == "placements" || name == "collections") {
		i = slices.Index(partNames, name[:len(name)-1])
	}
	return i
}

// unknownPart is the fault of a name that is no part of a question. It is not ignored:
// a question without the part that was meant would be a wider one.
func unknownPart(kind, name string) error {
	near, ok := spell.Nearest(strings.ToLower(name), partNames, 2)
	hint := "the names are " + strings.Join(partNames, ", ")
	if ok {
		hint = "did you mean " + near + "?"
	}
	return console.UsageError(hint, "unknown %s %q", kind, name)
}

// A written is a question as it stands in a file.
type written struct {
	line  int
	cells [parts]string
	// placements and collections are those of a list in JSON; in CSV they are separated
	// by spaces.
	placements, collections []string
	given                   int    // a bit for each part that a line of JSON has
	raw                     []byte // a line of JSON that is not yet read
	err                     error
}

// A questionReader reads questions one after the other. Its error is io.EOF at the end;
// a question that cannot be read has one of its own.
type questionReader interface {
	next(w *written) error
}

// newQuestionReader looks at the beginning of a file to tell JSON lines from CSV.
func newQuestionReader(r io.Reader) (questionReader, error) {
	limit := &recordLimit{r: r}
	in := bufio.NewReaderSize(limit, 64<<10)
	start, err := in.Peek(3)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if bytes.HasPrefix(start, []byte("\uFEFF")) {
		_, err = in.Discard(3)
		if err != nil {
			return nil, err
		}
	}
	for skip := 1; ; skip++ {
		start, err = in.Peek(skip)
		if err != nil || len(bytes.TrimSpace(start)) > 0 || skip == in.Size() {
			break
		}
	}
	if bytes.HasSuffix(start, []byte("{")) {
		return &lineReader{in: in, limit: limit}, nil
	}
	return newTableReader(in, limit)
}

// recordLimit fails when too much is read for one question.
type recordLimit struct {
	r io.Reader
	n int
}

// errLong is the failure of a question that does not end.
var errLong = errors.New("a question is longer than 1 MiB; is a quotation mark not closed?")

// Read reads and counts.
func (l *recordLimit) Read(b []byte) (int, error) {
	if l.n > longestQuestion {
		return 0, errLong
	}
	n, err := l.r.Read(b)
	l.n += n
	return n, err
}

// tableReader reads CSV with a line of names.
type tableReader struct {
	csv     *csv.Reader
	limit   *recordLimit
	columns []int // part of each column
}

func newTableReader(in *bufio.Reader, limit *recordLimit) (*tableReader, error) {
	t := &tableReader{csv: csv.NewReader(in), limit: limit}
	t.csv.FieldsPerRecord = -1
	t.csv.ReuseRecord = true
	names, err := t.csv.Read()
	if errors.Is(err, io.EOF) {
		return nil, console.Failure("begin with a line of names, for example publisher,agent,property,country", "there are no questions")
	}
	if err != nil {
		return nil, console.Failure("", "the questions cannot be read: %v", err)
	}
	seen := map[int]bool{}
	for _, name := range names {
		part := partOf(strings.ToLower(strings.TrimSpace(name)))
		switch {
		case part < 0:
			return nil, unknownPart("column", name)
		case seen[part]:
			return nil, console.UsageError("", "the column %s is there twice", partNames[part])
		}
		seen[part] = true
		t.columns = append(t.columns, part)
	}
	return t, nil
}

// next reads a row.
func (t *tableReader) next(w *written) error {
	t.limit.n = 0
	cells, err := t.csv.Read()
	var fault *csv.ParseError
	switch {
	case errors.As(err, &fault):
		*w = written{line: fault.StartLine, err: console.UsageError("", "line %d: %v", fault.Line, fault.Err)}
		return nil
	case err != nil:
		return err
	}
	line, _ := t.csv.FieldPos(0)
	*w = written{line: line}
	if len(cells) != len(t.columns) {
		w.err = console.UsageError("put cells with commas into quotation marks", "there are %d cells, and %d names in the first line", len(cells), len(t.columns))
		return nil
	}
	for i, cell := range cells {
		w.cells[t.columns[i]] = strings.TrimSpace(cell)
	}
	return nil
}

// lineReader reads JSON lines. What stands in a line is read later, beside others.
type lineReader struct {
	in    *bufio.Reader
	limit *recordLimit
	line  int
	page  []byte // where lines are kept
}

// next reads a line that is not empty.
func (l *lineReader) next(w *written) error {
	for {
		l.limit.n = 0
		line, err := l.readLine()
		if len(line) == 0 && err != nil || err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		l.line++
		line = bytes.TrimSpace(line)
		if len(line) > 0 {
			*w = written{line: l.line, raw: line}
			return nil
		}
	}
}

// readLine reads a line into memory that is not used again.
func (l *lineReader) readLine() ([]byte, error) {
	line, err := l.in.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		start := bytes.Clone(line)
		line, err = l.in.ReadBytes('\n')
		return append(start, line...), err
	}
	// Many lines share a page, as one allocation for each takes longer than the rest.
	if len(line) > cap(l.page)-len(l.page) {
		l.page = make([]byte, 0, max(64<<10, len(line)))
	}
	at := len(l.page)
	l.page = append(l.page, line...)
	return l.page[at:len(l.page):len(l.page)], err
}

// readAll reads the lines of JSON of some questions. They are read as the elements of one
// array, which takes half the time, unless something is wrong with one of them: then each
// line is read by itself, and its own fault is found.
func readAll(list []written) {
	if len(list) == 0 || list[0].raw == nil {
		return
	}
	size := len("]")
	for i := range list {
		size += len(",") + len(list[i].raw)
	}
	array, starts := make([]byte, 0, min(size, jsontree.DefaultMaxBytes)), make([]int, len(list))
	for i := range list {
		starts[i] = len(array) + 1
		array = append(append(array, ','), list[i].raw...)
		if len(array) > jsontree.DefaultMaxBytes {
			break // it is not going to be read
		}
	}
	array = append(array, ']')
	array[0] = '['
	tree, err := jsontree.Parse(array, jsontree.Options{Names: jsonParts})
	whole := err == nil && len(tree.Duplicates()) == 0 && tree.Root().Len() == len(list)
	if whole {
		for i, v := range tree.Root().Elems() {
			// A line could have two values, and another half of one.
			whole = whole && v.Offset() == starts[i]
		}
	}
	if !whole {
		for i := range list {
			list[i].err = list[i].read()
		}
		return
	}
	for i, v := range tree.Root().Elems() {
		list[i].err = list[i].members(v)
	}
}

// read reads the line of JSON of a question.
func (w *written) read() error {
	tree, err := jsontree.Parse(w.raw, jsontree.Options{MaxBytes: longestQuestion, Names: jsonParts})
	if err != nil {
		return console.UsageError("write one JSON object per line", "the line is no JSON: %v", err)
	}
	if len(tree.Duplicates()) > 0 && tree.Root().Is(jsontree.Object) {
		return console.UsageError("", "a member is there twice")
	}
	return w.members(tree.Root())
}

// members takes over the members of a line.
func (w *written) members(root jsontree.Value) error {
	if !root.Is(jsontree.Object) {
		return console.UsageError("write one JSON object per line", "the line is no JSON object")
	}
	// An answer to a question that cannot be read should still say which one it was.
	w.cells[partID] = root.Get(partNames[partID]).Str()
	for m := range root.Members() {
		err := w.member(m)
		if err != nil {
			return err
		}
	}
	return nil
}

// member takes over one member of a line.
func (w *written) member(m jsontree.Member) error {
	name, v, part := m.Name(), m.Value(), int(m.NameID())-1
	if part < 0 {
		part = partOf(name)
	}
	switch {
	case part < 0:
		return unknownPart("member", name)
	case v.Is(jsontree.Null):
		return nil
	case w.given&(1<<part) != 0:
		return console.UsageError("use one name for it", "%s is there twice", partNames[part])
	}
	w.given |= 1 << part
	switch {
	case v.Is(jsontree.String) && strings.TrimSpace(v.Str()) == "" && part != partID:
		return console.UsageError("leave the member out to ask about none", "the member %s is empty", name)
	case v.Is(jsontree.String):
		w.cells[part] = v.Str()
		return nil
	case v.Is(jsontree.Array) && (part == partPlacement || part == partCollection):
		return w.list(part, v)
	case part == partID && v.Is(jsontree.Number):
		w.cells[part] = v.Text()
		return nil
	}
	return console.UsageError("write it as a string", "the member %s has the wrong type", name)
}

// list takes over a list of placements or collections. An empty one is not the same as
// none: it is likelier a mistake of a program than a wish to ask about everything.
func (w *written) list(part int, v jsontree.Value) error {
	var list []string
	for _, e := range v.Elems() {
		if !e.Is(jsontree.String) || e.Str() == "" {
			return console.UsageError("list ids as strings", "an element of %s is no id", partNames[part])
		}
		list = append(list, e.Str())
	}
	if len(list) == 0 {
		return console.UsageError("leave the member out to ask about none", "the list %s is empty", partNames[part])
	}
	if part == partPlacement {
		w.placements = list
	} else {
		w.collections = list
	}
	return nil
}

// question returns the question in canonical form. What it leaves out is taken from base.
func (w *written) question(base *resolve.Question, last *instant) (resolve.Question, error) {
	q := *base
	set := func(field *string, part int) {
		if w.cells[part] != "" {
			*field = w.cells[part]
		}
	}
	set(&q.Publisher, partPublisher)
	set(&q.Agent, partAgent)
	set(&q.Property, partProperty)
	set(&q.PropertyType, partPropertyType)
	set(&q.Signal, partSignal)
	set(&q.Country, partCountry)
	var err error
	if text := w.cells[partIdentifier]; text != "" {
		q.Identifier, err = question.ParseIdentifier(text)
	}
	if text := w.cells[partAt]; err == nil && text != "" {
		q.At, err = last.parse(text)
	}
	if err == nil {
		err = w.lists(&q)
	}
	if err != nil {
		return q, err
	}
	q, err = q.Canonical()
	return q, question.Error(err)
}

// An instant remembers the time that was read last: most questions of a file are about
// the same.
type instant struct {
	text string
	at   time.Time
}

func (i *instant) parse(text string) (time.Time, error) {
	if text == i.text {
		return i.at, nil
	}
	at, err := console.ParseInstant(text)
	if err == nil {
		i.text, i.at = text, at
	}
	return at, err
}

func (w *written) lists(q *resolve.Question) error {
	placements, collections := w.placements, w.collections
	if w.cells[partPlacement] != "" {
		placements = strings.Fields(w.cells[partPlacement])
	}
	if w.cells[partCollection] != "" {
		collections = strings.Fields(w.cells[partCollection])
	}
	if placements != nil {
		q.Placements = placements
	}
	if collections == nil {
		return nil
	}
	q.Collections = nil
	for _, text := range collections {
		c, err := question.ParseCollection(text)
		if err != nil {
			return err
		}
		q.Collections = append(q.Collections, c)
	}
	return nil
}
