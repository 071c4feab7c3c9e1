package adagents

import (
	"github.com/avow-project/avow/internal/format/layout"
	"github.com/avow-project/avow/internal/std/jsontree"
)

// Format returns the canonical bytes of a file: UTF-8 without byte order mark,
// two spaces of indentation, line feeds, one at the end. The members of known
// objects come in the order of the documentation and unknown ones after them
// in the order they were written, as do the tags of a tag map. Short lists of
// plain values take one line.
//
// Nothing is lost or corrected: numbers keep their digits, duplicate members stay,
// and a file with findings is formatted like any other. Formatting the result
// again changes nothing. The error is an *Unusable when src is not JSON.
func Format(src []byte) ([]byte, error) { return format(src, jsontree.Options{Names: names}) }

// format is Format with other limits. The options must have names.
func format(src []byte, opt jsontree.Options) ([]byte, error) {
	tree, err := jsontree.Parse(src, opt)
	if err != nil {
		c := &checker{report: new(Report)}
		c.unreadable(src, err)
		return nil, c.report.Unusable
	}
	return layout.Document(tree), nil
}

// FormatValue returns the canonical text of one value, without indentation of
// its first line and without a line feed at the end. Its members stay in the
// order they were written.
func FormatValue(v Value) []byte { return layout.Value(v) }

// AppendString appends s as a JSON string in canonical form. Besides what JSON
// demands, the characters that show nothing or turn the direction of text are
// written as \u sequences, so that a reviewer sees that they are there;
// everything else stands as it is. Bytes that are not UTF-8 become U+FFFD.
func AppendString(dst []byte, s string) []byte { return layout.AppendString(dst, s) }
