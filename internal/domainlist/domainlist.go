// Package domainlist reads lists of domains as people have them: one in each line with comments,
// or a column of a CSV file.
package domainlist

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/std/hostname"
)

// mostNotes is the number of lines that are told about one by one.
const mostNotes = 20

// A List is what was read.
type List struct {
	// Domains are in the order of the file, each once. IDs and Names are what the columns property_id
	// or id, and name, say about those that have something there.
	Domains    []hostname.Domain
	IDs, Names map[hostname.Domain]string
	// Bad is the number of lines without a domain that can be read.
	Bad int
	// Notes are about lines that are no domain, repeat one, or name it in another spelling;
	// More is the number of those that are not told about.
	Notes []Note
	More  int
	// Comma is what separates the columns; zero for a list with a single one.
	Comma rune
}

// A Note is about a line. Its text may have outside text.
type Note struct {
	Line int
	Text string
}

// A ColumnError says that it is not clear which column has the domains.
type ColumnError struct {
	// Number is the column that was asked for; zero when it was a name, or none.
	Number int
	// First are the cells of the first line.
	First []string
}

// Error says what is wrong.
func (e *ColumnError) Error() string {
	if e.Number != 0 {
		return fmt.Sprintf("there is no column %d: the list has %d columns", e.Number, len(e.First))
	}
	return "the list has several columns, and which one has the domains is not clear"
}

// A TooManyError says that a list has more lines than are read.
type TooManyError struct{ Most int }

// Error says what is wrong.
func (e *TooManyError) Error() string { return fmt.Sprintf("the list has more than %d lines", e.Most) }

// Options say how a list is read.
type Options struct {
	// Column is the column of a CSV file that has the domains, by its name or its number; empty
	// for the one whose name says so.
	Column string
	// Most is the number of lines with a text that are read; zero means all.
	Most int
}

// Read reads a list. The error is a *ColumnError, a *TooManyError, or that of a CSV file.
func Read(src []byte, o Options) (*List, error) {
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	cells, err := o.cells(src)
	if err != nil {
		return nil, err
	}
	l := &List{Comma: separator(src), IDs: map[hostname.Domain]string{}, Names: map[hostname.Domain]string{}}
	first := make(map[hostname.Domain]int, len(cells))
	for _, c := range cells {
		written, err := discover.CanonicalDomain(c.text)
		domain := hostname.Domain(written)
		if err != nil {
			l.Bad++
			l.note(c.line, "%q is left out: %v", shown(c.text), err)
			continue
		}
		if before, ok := first[domain]; ok {
			l.note(c.line, "%s is in line %d already", domain, before)
			continue
		}
		if !strings.EqualFold(c.text, written) {
			l.note(c.line, "%q is read as %s", shown(c.text), domain)
		}
		first[domain] = c.line
		l.Domains = append(l.Domains, domain)
		if c.id != "" {
			l.IDs[domain] = c.id
		}
		if c.name != "" {
			l.Names[domain] = c.name
		}
	}
	return l, nil
}

// shown is as much of a text as is repeated.
func shown(text string) string {
	const most = 200
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

func (l *List) note(line int, format string, args ...any) {
	if len(l.Notes) == mostNotes {
		l.More++
		return
	}
	l.Notes = append(l.Notes, Note{line, fmt.Sprintf(format, args...)})
}

// A cell is a text with the line it stands in, and what else the line says.
type cell struct {
	line           int
	text, id, name string
}

// cells returns the texts that are to be domains. Comments begin with #.
func (o Options) cells(src []byte) ([]cell, error) {
	comma := separator(src)
	if comma != 0 || o.Column != "" {
		return o.column(src, comma)
	}
	var cells []cell
	number, began := 0, false
	for line := range bytes.Lines(src) {
		number++
		text, _, _ := strings.Cut(string(line), "#")
		text = strings.TrimSpace(text)
		if text == "" || !began && slices.Contains(columnNames, strings.ToLower(strings.Trim(text, `"`))) {
			began = began || text != "" // the name of the only column
			continue
		}
		began = true
		cells = append(cells, cell{line: number, text: text})
		if o.Most > 0 && len(cells) > o.Most {
			return nil, &TooManyError{o.Most}
		}
	}
	return cells, nil
}

// separator returns what separates the columns of the first line with a text; zero for a line
// with a single one.
func separator(src []byte) rune {
	for line := range bytes.Lines(src) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		text, _, _ := bytes.Cut(line, []byte("#"))
		if i := bytes.IndexAny(text, ",;\t"); i >= 0 {
			return rune(text[i])
		}
		return 0
	}
	return 0
}

// columnNames are names of columns that have domains, for lists whose user names none.
var columnNames = []string{"domain", "publisher_domain", "publisher", "hostname", "host", "site", "website"}

// column returns the cells of a column of a CSV file.
func (o Options) column(src []byte, comma rune) ([]cell, error) {
	r := csv.NewReader(bytes.NewReader(src))
	if comma != 0 {
		r.Comma = comma
	}
	r.Comment, r.FieldsPerRecord, r.LazyQuotes, r.TrimLeadingSpace = '#', -1, true, true
	var cells []cell
	at, id, name := -1, -1, -1
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return cells, nil
		}
		if err != nil {
			return nil, err
		}
		line, _ := r.FieldPos(0)
		if at < 0 {
			var header bool
			at, header, err = o.find(record)
			if err != nil {
				return nil, err
			}
			if header {
				id, name = named(record, "property_id", "id"), named(record, "name")
				continue
			}
		}
		in := func(column int) string {
			if column < 0 || column >= len(record) {
				return ""
			}
			return strings.TrimSpace(record[column])
		}
		cells = append(cells, cell{line, in(at), in(id), in(name)})
		if o.Most > 0 && len(cells) > o.Most {
			return nil, &TooManyError{o.Most}
		}
	}
}

// find returns the number of the column with the domains, and whether the first record has the
// names of columns.
func (o Options) find(first []string) (int, bool, error) {
	n, err := strconv.Atoi(o.Column)
	if err == nil {
		if n < 1 || n > len(first) {
			return 0, false, &ColumnError{n, first}
		}
		return n - 1, slices.Contains(columnNames, strings.ToLower(strings.TrimSpace(first[n-1]))), nil
	}
	wanted := columnNames
	if o.Column != "" {
		wanted = []string{strings.ToLower(o.Column)}
	}
	if i := named(first, wanted...); i >= 0 {
		return i, true, nil
	}
	return 0, false, &ColumnError{0, first}
}

// named returns the number of the column with the first of these names that there is, or -1.
func named(first []string, names ...string) int {
	for _, name := range names {
		i := slices.IndexFunc(first, func(cell string) bool { return strings.EqualFold(strings.TrimSpace(cell), name) })
		if i >= 0 {
			return i
		}
	}
	return -1
}
