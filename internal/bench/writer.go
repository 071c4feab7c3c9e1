package bench

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// doc writes one JSON text. It exists so that the bytes of every input depend on
// this package alone: an encoder from elsewhere may change its spacing or its
// escapes with any release, and the recorded figures would change with it.
type doc struct {
	buf    []byte
	indent bool
	// counts holds, per open container, how many elements it has so far.
	counts   []int
	afterKey bool
}

// open begins an object or an array; c is the opening bracket.
func (d *doc) open(c byte) {
	d.next()
	d.buf = append(d.buf, c)
	d.counts = append(d.counts, 0)
}

// close ends the innermost container; c is the closing bracket.
func (d *doc) close(c byte) {
	last := len(d.counts) - 1
	filled := d.counts[last] > 0
	d.counts = d.counts[:last]
	if filled {
		d.newline()
	}
	d.buf = append(d.buf, c)
	if last == 0 && d.indent {
		d.buf = append(d.buf, '\n')
	}
}

// next writes whatever has to stand between the previous element and a new one.
func (d *doc) next() {
	if d.afterKey {
		d.afterKey = false
		return
	}
	if len(d.counts) == 0 {
		return
	}
	last := len(d.counts) - 1
	if d.counts[last] > 0 {
		d.buf = append(d.buf, ',')
	}
	d.counts[last]++
	d.newline()
}

func (d *doc) newline() {
	if !d.indent {
		return
	}
	d.buf = append(d.buf, '\n')
	for range d.counts {
		d.buf = append(d.buf, "  "...)
	}
}

// key writes a member name; the next element written is its value.
func (d *doc) key(name string) {
	d.next()
	d.buf = appendQuoted(d.buf, name, false)
	d.buf = append(d.buf, ':')
	if d.indent {
		d.buf = append(d.buf, ' ')
	}
	d.afterKey = true
}

// raw writes a value, or an already quoted string, as it stands.
func (d *doc) raw(s string) {
	d.next()
	d.buf = append(d.buf, s...)
}

func (d *doc) str(s string) {
	d.next()
	d.buf = appendQuoted(d.buf, s, false)
}

func (d *doc) field(name, value string) {
	d.key(name)
	d.str(value)
}

func (d *doc) number(name string, value int) {
	d.key(name)
	d.raw(strconv.Itoa(value))
}

func (d *doc) strings(name string, values ...string) {
	d.key(name)
	d.open('[')
	for _, v := range values {
		d.str(v)
	}
	d.close(']')
}

// object writes a member whose value is an object filled in by body.
func (d *doc) object(name string, body func()) {
	d.key(name)
	d.element(body)
}

// array writes a member whose value is an array filled in by body.
func (d *doc) array(name string, body func()) {
	d.key(name)
	d.open('[')
	body()
	d.close(']')
}

// element writes an object filled in by body: an array element, or the whole text.
func (d *doc) element(body func()) {
	d.open('{')
	body()
	d.close('}')
}

// appendQuoted writes a JSON string. With escape set it spells everything
// outside ASCII, and the characters that matter in HTML, as \u sequences, the
// way many encoders do by default.
func appendQuoted(dst []byte, s string, escape bool) []byte {
	dst = append(dst, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r < 0x20 || escape && (r >= utf8.RuneSelf || r == '&' || r == '<' || r == '>'):
			dst = appendEscape(dst, r)
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}

// appendEscape writes r as one \u sequence, or as two when it lies outside the
// basic plane.
func appendEscape(dst []byte, r rune) []byte {
	if r1, r2 := utf16.EncodeRune(r); r1 != utf8.RuneError {
		return appendUnit(appendUnit(dst, r1), r2)
	}
	return appendUnit(dst, r)
}

func appendUnit(dst []byte, unit rune) []byte {
	const digits = "0123456789abcdef"
	return append(dst, '\\', 'u', digits[unit>>12&15], digits[unit>>8&15], digits[unit>>4&15], digits[unit&15])
}
