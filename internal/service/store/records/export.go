package records

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"hash"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/internal/service/store/pack"
)

// StreamFormat is the version of the format that Export writes and Import reads. It is
// lines of JSON:
//
//	{"avow_store":1}                                              the version
//	{"table":"documents","columns":["hash","size","packed","at"]} a table begins
//	["230d...",4,"KLUv/...",0]                                    a row of it
//	...
//	{"end":{"lines":12,"sha256":"..."}}                           the end
//
// All tables are there, also empty ones, always in the same order, and rows in the order
// of their key, so that equal stores have equal streams. Numbers are integers, times are
// microseconds since 1970, bytes are Base64, records of custody are JSON objects, and what
// is missing is null. The last line has the number of lines before it and the SHA-256 of
// their bytes; a stream without it was cut off.
const StreamFormat = 1

// header is the first line.
type header struct {
	Format int `json:"avow_store"`
}

// tableLine begins a table.
type tableLine struct {
	Table   string   `json:"table"`
	Columns []string `json:"columns"`
}

// endLine is the last line.
type endLine struct {
	End *ending `json:"end"`
}

// An ending says what the stream has to be up to it.
type ending struct {
	Lines  int64  `json:"lines"`
	SHA256 string `json:"sha256"`
}

// Export writes everything that the store knows, as of one moment, as a stream that
// Import reads. It has the hashes of keys in it, though not the keys.
func (s *Store) Export(ctx context.Context, w io.Writer) error {
	out := &exporter{to: bufio.NewWriterSize(w, 1<<16), sum: sha256.New()}
	err := s.db.Snapshot(ctx, func(c Conn) error { return out.all(ctx, c) })
	if err != nil {
		return err
	}
	return out.end()
}

// An exporter writes lines and counts them.
type exporter struct {
	to    *bufio.Writer
	sum   hash.Hash
	lines int64
	// text is the line that is being written.
	text []byte
}

// all writes everything but the end.
func (x *exporter) all(ctx context.Context, c Conn) error {
	err := x.value(header{StreamFormat})
	if err != nil {
		return err
	}
	for i := range tables {
		t := &tables[i]
		err := x.value(tableLine{t.name, t.names()})
		if err != nil {
			return err
		}
		err = t.walk(ctx, c, func(row []any) error { return x.row(t, row) })
		if err != nil {
			return err
		}
	}
	return nil
}

// value writes a line.
func (x *exporter) value(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return x.line(append(text, '\n'))
}

// line writes a line that ends with a line feed.
func (x *exporter) line(text []byte) error {
	x.lines++
	_, _ = x.sum.Write(text) // a hash does not fail
	_, err := x.to.Write(text)
	return err
}

// row writes a row.
func (x *exporter) row(t *table, row []any) error {
	x.text = append(x.text[:0], '[')
	for i, v := range row {
		if i > 0 {
			x.text = append(x.text, ',')
		}
		var err error
		x.text, err = t.columns[i].append(x.text, v)
		if err != nil {
			return fmt.Errorf("table %s, row %v, column %s: %w", t.name, row[:t.key], t.columns[i].name, err)
		}
	}
	return x.line(append(x.text, ']', '\n'))
}

// append writes a value as JSON.
func (c *column) append(to []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case string:
		return jsontext.AppendQuote(to, v)
	case int64:
		return fmt.Appendf(to, "%d", v), nil
	case bool:
		return fmt.Appendf(to, "%t", v), nil
	case []byte:
		if c.kind == isRecord {
			text, err := pack.Unsized(v)
			return append(to, text...), err
		}
		to = append(to, '"')
		to = base64.StdEncoding.AppendEncode(to, v)
		return append(to, '"'), nil
	}
	return append(to, "null"...), nil
}

// end writes the last line.
func (x *exporter) end() error {
	err := x.value(endLine{&ending{x.lines, hex.EncodeToString(x.sum.Sum(nil))}})
	if err != nil {
		return err
	}
	return x.to.Flush()
}
