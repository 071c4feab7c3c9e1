package adagents

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"slices"
	"strings"

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
func Format(src []byte) ([]byte, error) {
	tree, err := jsontree.Parse(src, jsontree.Options{Names: names()})
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

// catalogMembers are the top-level members that catalog_etag speaks for, in
// the order in which they are hashed.
var catalogMembers = [...]string{
	"properties", "collections", "placements", "formats", "signals",
	"tags", "placement_tags", "signal_tags",
}

// CatalogETag returns a version token for the catalog of a file, given its
// top-level object: File.Raw, or the root of Report.Tree. The token is
// "sha256-" and 32 hexadecimal digits. It depends on the catalog's values and
// the order of its lists, not on white space, escapes or the order of members,
// so formatting a file does not make every buyer fetch it anew. A file without
// catalog content has no token; the result is then empty.
func CatalogETag(root Value) string {
	d := digest{sum: sha256.New()}
	for _, name := range catalogMembers {
		v := root.Get(name)
		if !v.Exists() {
			continue
		}
		d.any = d.any || v.Len() > 0
		d.text(name)
		d.value(v)
	}
	if !d.any {
		return ""
	}
	d.flush(0)
	// Half the hash is plenty for telling versions apart and keeps the token
	// readable in logs.
	return "sha256-" + hex.EncodeToString(d.sum.Sum(nil)[:16])
}

// digest hashes values in one fixed spelling: members sorted by name, strings
// with the fewest escapes, numbers as written.
type digest struct {
	sum hash.Hash
	buf []byte
	any bool // some catalog member has content
}

// digestBlock is how much text is gathered before it is hashed: the hash
// works on blocks, and a catalog of 20 MB need not exist a second time.
const digestBlock = 8 << 10

func (d *digest) flush(above int) {
	if len(d.buf) > above {
		d.sum.Write(d.buf)
		d.buf = d.buf[:0]
	}
}

func (d *digest) text(s string) {
	d.buf = AppendString(d.buf, s)
	d.flush(digestBlock)
}

func (d *digest) value(v Value) {
	switch v.Kind() {
	case jsontree.String:
		d.text(v.Str())
	case jsontree.Array:
		d.buf = append(d.buf, '[')
		for _, e := range v.Elems() {
			d.value(e)
			d.buf = append(d.buf, ',')
		}
		d.buf = append(d.buf, ']')
	case jsontree.Object:
		d.object(v)
	default:
		d.buf = append(d.buf, v.Text()...)
	}
}

func (d *digest) object(v Value) {
	members := slices.Collect(v.Members())
	slices.SortStableFunc(members, func(a, b jsontree.Member) int {
		return strings.Compare(a.Name(), b.Name())
	})
	d.buf = append(d.buf, '{')
	for _, m := range members {
		d.text(m.Name())
		d.buf = append(d.buf, ':')
		d.value(m.Value())
		d.buf = append(d.buf, ',')
	}
	d.buf = append(d.buf, '}')
}
