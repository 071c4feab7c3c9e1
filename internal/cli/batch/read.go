package batch

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"io"

	"github.com/avow-project/avow/internal/cli/console"
	cli "github.com/avow-project/avow/internal/cli/question"
	"github.com/avow-project/avow/internal/question"
	"github.com/avow-project/avow/internal/std/jsontree"
)

// longestQuestion is the most that one question may take. A quotation mark that is never
// closed would otherwise make one question of a whole file.
const longestQuestion = 1 << 20

// A written is a question as it stands in a file: a line of JSON, or the cells of a row.
type written struct {
	line  int
	raw   []byte
	cells []string
	q     question.Question
	err   error
}

// A questionReader reads questions one after the other. Its error is io.EOF at the end;
// a question that cannot be read has one of its own.
type questionReader interface {
	next(w *written) error
	// header returns the columns of a table, and what separates its cells.
	header() (question.Columns, rune)
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
	columns question.Columns
}

func newTableReader(in *bufio.Reader, limit *recordLimit) (*tableReader, error) {
	t := &tableReader{csv: csv.NewReader(in), limit: limit}
	t.csv.FieldsPerRecord = -1
	t.csv.ReuseRecord = true
	t.csv.Comma = separator(in)
	names, err := t.csv.Read()
	if errors.Is(err, io.EOF) {
		return nil, console.Failure("begin with a line of names, for example publisher,agent,property,country",
			"there are no questions")
	}
	if err != nil {
		return nil, console.Failure("", "the questions cannot be read: %v", err)
	}
	// A wrong name would make every question a wider one, so none is answered.
	t.columns, err = (&question.Reader{On: question.Table}).Header(names)
	return t, cli.Error(err)
}

// separator is what separates the names in the first line: a comma or, as spreadsheets of many
// countries write it, a semicolon.
func separator(in *bufio.Reader) rune {
	var start []byte
	for n := 1; n <= in.Size() && !bytes.Contains(start, []byte("\n")); n = len(start) + 1 {
		_, err := in.Peek(n)
		start, _ = in.Peek(min(in.Buffered(), in.Size()))
		if err != nil {
			break // reading tells of it
		}
	}
	first, _, _ := bytes.Cut(start, []byte("\n"))
	if bytes.ContainsRune(first, ';') && !bytes.ContainsRune(first, ',') {
		return ';'
	}
	return ','
}

func (t *tableReader) header() (question.Columns, rune) { return t.columns, t.csv.Comma }

// next reads a row.
func (t *tableReader) next(w *written) error {
	t.limit.n = 0
	cells, err := t.csv.Read()
	*w = written{cells: w.cells[:0]}
	var fault *csv.ParseError
	switch {
	case errors.As(err, &fault):
		w.line, w.err = fault.StartLine,
			&question.Error{Code: question.Syntax, Message: "the row is not valid CSV: " + fault.Err.Error(),
				Hint: "write quotation marks in pairs"}
		return nil
	case err != nil:
		return err
	}
	w.line, _ = t.csv.FieldPos(0)
	w.cells = append(w.cells, cells...)
	return nil
}

// lineReader reads JSON lines. What stands in a line is read later, beside others.
type lineReader struct {
	in    *bufio.Reader
	limit *recordLimit
	line  int
	page  []byte // where lines are kept
}

func (*lineReader) header() (question.Columns, rune) { return question.Columns{}, ',' }

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

// readAll reads the questions of a block. Lines of JSON are read as the elements of one array,
// which takes half the time, unless something is wrong with one of them: then each line is read
// by itself, and its own fault is found.
func readAll(r *question.Reader, columns question.Columns, list []written) {
	if len(list) == 0 {
		return
	}
	if list[0].raw == nil {
		for i := range list {
			if list[i].err == nil {
				list[i].q, list[i].err = r.Row(columns, list[i].cells)
			}
		}
		return
	}
	root, ok := together(list)
	if !ok {
		for i := range list {
			list[i].q, list[i].err = r.Parse(list[i].raw, longestQuestion)
		}
		return
	}
	for i, v := range root.Elems() {
		list[i].q, list[i].err = r.Object(v)
	}
}

// together reads lines as one array; false when something is wrong with one.
func together(list []written) (jsontree.Value, bool) {
	size := len("]")
	for i := range list {
		size += len(",") + len(list[i].raw)
	}
	if size > jsontree.DefaultMaxBytes {
		return jsontree.Value{}, false
	}
	array, starts := make([]byte, 0, size), make([]int, len(list))
	for i := range list {
		starts[i] = len(array) + 1
		array = append(append(array, ','), list[i].raw...)
	}
	array = append(array, ']')
	array[0] = '['
	tree, err := jsontree.Parse(array, jsontree.Options{Names: question.JSONNames})
	if err != nil || tree.Root().Len() != len(list) {
		return jsontree.Value{}, false
	}
	for i, v := range tree.Root().Elems() {
		// A line could have two values, and another half of one.
		if v.Offset() != starts[i] {
			return jsontree.Value{}, false
		}
	}
	return tree.Root(), true
}
