package records

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Errors of Import. Others are about the store, or name a line of the stream.
var (
	// ErrNotEmpty: something is in the store already.
	ErrNotEmpty = errors.New("the store is not empty")
	// ErrCut: the stream ends too early.
	ErrCut = errors.New("the stream was cut off")
)

// Import fills an empty store with what Export wrote. A store that has nothing but its
// identity and the time it noted is empty, and those become what the stream says. It is one
// transaction: when it fails, for example because the stream was cut off, the store is as it
// was before.
func (s *Store) Import(ctx context.Context, r io.Reader) error {
	in := &importer{from: bufio.NewReaderSize(r, 1<<16), sum: sha256.New()}
	return s.db.Update(ctx, func(c Conn) error {
		if in.lines > 0 {
			return errors.New("store: the transaction was ended by the database; import again")
		}
		err := makeWay(ctx, c)
		if err != nil {
			return err
		}
		err = in.all(ctx, c)
		if err != nil {
			return fmt.Errorf("store: line %d: %w", in.lines, err)
		}
		return nil
	})
}

// makeWay makes sure that the store is empty, but for what every store has that was opened
// once, its identity, the time that was noted and since when it has a history, and takes those
// away.
func makeWay(ctx context.Context, c Conn) error {
	for i := range tables {
		where := ""
		switch tables[i].name {
		case "custody_store":
			where = " WHERE last > 0" // it has given out numbers
		case "custody_clock", "custody_history":
			continue
		}
		n, err := number(ctx, c, fmt.Sprintf(`SELECT COUNT(*) FROM (SELECT 1 FROM %s%s LIMIT 1) AS one_row`,
			tables[i].name, where))
		if err != nil {
			return err
		}
		if n > 0 {
			return ErrNotEmpty
		}
	}
	for _, table := range []string{"custody_clock", "custody_history", "custody_store"} {
		_, err := exec(ctx, c, `DELETE FROM `+table)
		if err != nil {
			return err
		}
	}
	return nil
}

// maxLine bounds a line. The longest has a document of 32 MB, which may not compress.
const maxLine = 64 << 20

// An importer reads lines and counts them.
type importer struct {
	from  *bufio.Reader
	sum   hash.Hash
	lines int64
}

// next reads a line without its line feed. It is valid until the next one.
func (m *importer) next() ([]byte, error) {
	m.lines++
	line, err := m.from.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		line, err = m.long(slices.Clone(line))
	}
	if errors.Is(err, io.EOF) {
		return nil, ErrCut
	}
	if err != nil {
		return nil, err
	}
	return line, nil
}

// long reads the rest of a line that does not fit into the buffer.
func (m *importer) long(line []byte) ([]byte, error) {
	for {
		more, err := m.from.ReadSlice('\n')
		line = append(line, more...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
		if len(line) > maxLine {
			return nil, fmt.Errorf("it is longer than %d bytes", maxLine)
		}
	}
}

// strict is how lines are read.
var strict = json.RejectUnknownMembers(true)

// all reads the whole stream.
func (m *importer) all(ctx context.Context, c Conn) error {
	line, err := m.next()
	if err != nil {
		return err
	}
	var h header
	err = json.Unmarshal(line, &h, strict)
	if err != nil || h.Format == 0 {
		return errors.New("this is not a stream of a store")
	}
	if h.Format != StreamFormat {
		return fmt.Errorf("the stream has format %d, this release reads format %d: "+
			"import it into a new store with the release that wrote it", h.Format, StreamFormat)
	}
	_, _ = m.sum.Write(line)
	line, err = m.next()
	for i := range tables {
		if err != nil {
			return err
		}
		line, err = m.table(ctx, c, &tables[i], line)
	}
	if err != nil {
		return err
	}
	return m.end(line)
}

// table reads a table that begins with a line, and returns the line after it.
func (m *importer) table(ctx context.Context, c Conn, t *table, line []byte) ([]byte, error) {
	var begin tableLine
	err := json.Unmarshal(line, &begin, strict)
	if err != nil || begin.Table != t.name || !slices.Equal(begin.Columns, t.names()) {
		return nil, fmt.Errorf("the table %s with the columns %q does not begin here", t.name, t.names())
	}
	_, _ = m.sum.Write(line)
	insert := t.insert()
	for {
		line, err := m.next()
		if err != nil || !bytes.HasPrefix(line, []byte("[")) {
			return line, err
		}
		_, _ = m.sum.Write(line)
		args, err := t.parse(line)
		if err == nil {
			err = ctx.Err() // a database may not look
		}
		if err != nil {
			return nil, err
		}
		_, err = exec(ctx, c, insert, args...)
		if err != nil {
			return nil, err
		}
	}
}

// end compares what the last line says.
func (m *importer) end(line []byte) error {
	var e endLine
	err := json.Unmarshal(line, &e, strict)
	switch {
	case err != nil || e.End == nil:
		return errors.New("the end does not begin here")
	case e.End.Lines != m.lines-1 || e.End.SHA256 != hex.EncodeToString(m.sum.Sum(nil)):
		return errors.New("the lines are not those that were written")
	}
	_, err = m.from.ReadByte()
	if !errors.Is(err, io.EOF) {
		return errors.New("something comes after the end")
	}
	return nil
}

// parse reads a row.
func (t *table) parse(line []byte) ([]any, error) {
	var values []jsontext.Value
	err := json.Unmarshal(line, &values)
	if err != nil {
		return nil, err
	}
	if len(values) != len(t.columns) {
		return nil, fmt.Errorf("%d values for %d columns", len(values), len(t.columns))
	}
	args := make([]any, len(values))
	for i := range values {
		args[i], err = t.columns[i].parse(values[i])
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", t.columns[i].name, err)
		}
	}
	return args, nil
}

// parse reads a value as scan does. A missing one has the type that the database wants.
func (c *column) parse(v jsontext.Value) (any, error) {
	missing := v.Kind() == 'n'
	if missing && !c.nullable {
		return nil, errors.New("it is missing")
	}
	switch c.kind {
	case isNumber:
		if missing {
			return (*int64)(nil), nil
		}
		return strconv.ParseInt(string(v), 10, 64)
	case kindBool:
		if v.Kind() != 't' && v.Kind() != 'f' {
			return nil, errors.New("it is neither true nor false")
		}
		return v.Kind() == 't', nil
	case isBytes:
		if missing {
			return []byte(nil), nil
		}
		return parseBytes(v)
	case isRecord:
		record := c.record()
		err := json.Unmarshal(v, record, recordJSON)
		if err != nil {
			return nil, err
		}
		return encodeRecord(record)
	default:
		var text string
		err := json.Unmarshal(v, &text)
		return text, err
	}
}

// parseBytes reads Base64.
func parseBytes(v jsontext.Value) ([]byte, error) {
	if v.Kind() != '"' || len(v) < 2 {
		return nil, errors.New("it is not a string")
	}
	b, err := base64.StdEncoding.Strict().AppendDecode([]byte{}, v[1:len(v)-1])
	if err != nil {
		return nil, errors.New("it is not Base64")
	}
	return b, nil
}
