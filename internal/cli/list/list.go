// Package list reads lists of domains, for commands that take many.
package list

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/cli/check"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/std/hostname"
)

// Flags are the flags of commands that take a list.
type Flags struct{ From, Column string }

// AddFlags adds them to a command.
func AddFlags(cmd *cobra.Command) *Flags {
	f := new(Flags)
	cmd.Flags().StringVar(&f.From, "from", "", "read domains from `FILE`, one in each line or in a column of a CSV file; - is standard input")
	cmd.Flags().StringVar(&f.Column, "column", "", "the `COLUMN` of the CSV file that has the domains, by its name or its number")
	return f
}

// mostNotes is the number of lines that are told about one by one.
const mostNotes = 20

// A List is what was read.
type List struct {
	// Domains are in the order of the file, each once.
	Domains []hostname.Domain
	// Bad is the number of lines without a domain that can be read.
	Bad int
}

// Targets returns the domains as targets of a check.
func (l List) Targets() []check.Target {
	var targets []check.Target
	for _, domain := range l.Domains {
		targets = append(targets, check.Target{Name: string(domain), Web: string(domain)})
	}
	return targets
}

// Read reads the list that --from names; an empty one without the flag. Lines that are no
// domain, repeat one, or name it in another spelling are told about, with their numbers.
func (f *Flags) Read(a *console.App) (List, error) {
	if f.From == "" {
		if f.Column != "" {
			return List{}, console.UsageError("--from names the file", "--column is for a list")
		}
		return List{}, nil
	}
	src, err := a.ReadInput(f.From)
	if err != nil {
		return List{}, err
	}
	cells, err := f.cells(bytes.TrimPrefix(src, []byte("\ufeff")))
	if err != nil {
		return List{}, err
	}
	return read(a, f.name(), cells), nil
}

// name is what the list is called in messages.
func (f *Flags) name() string {
	if f.From == console.StdinName {
		return "standard input"
	}
	return f.From
}

// A cell is a text with the line it stands in.
type cell struct {
	line int
	text string
}

// read makes domains of cells.
func read(a *console.App, name string, cells []cell) List {
	var l List
	first := make(map[hostname.Domain]int, len(cells))
	told := 0
	tell := func(line int, format string, args ...any) {
		if told++; told <= mostNotes {
			a.Note("%s:%d: "+format, append([]any{name, line}, args...)...)
		}
	}
	for _, c := range cells {
		written, err := discover.CanonicalDomain(c.text)
		domain := hostname.Domain(written)
		if err != nil {
			l.Bad++
			tell(c.line, "%q is left out: %v", c.text, err)
			continue
		}
		if before, ok := first[domain]; ok {
			tell(c.line, "%s is in line %d already", domain, before)
			continue
		}
		if !strings.EqualFold(c.text, written) {
			tell(c.line, "%q is read as %s", c.text, domain)
		}
		first[domain] = c.line
		l.Domains = append(l.Domains, domain)
	}
	if told > mostNotes {
		a.Note("%s: %d more lines like these", name, told-mostNotes)
	}
	return l
}

// cells returns the texts that are to be domains. Comments begin with #.
func (f *Flags) cells(src []byte) ([]cell, error) {
	comma := separator(src)
	if comma == 0 && f.Column == "" {
		var cells []cell
		for i, line := range strings.Split(string(src), "\n") {
			text, _, _ := strings.Cut(line, "#")
			if text = strings.TrimSpace(text); text != "" {
				cells = append(cells, cell{i + 1, text})
			}
		}
		return cells, nil
	}
	return f.column(src, comma)
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
func (f *Flags) column(src []byte, comma rune) ([]cell, error) {
	r := csv.NewReader(bytes.NewReader(src))
	if comma != 0 {
		r.Comma = comma
	}
	r.Comment, r.FieldsPerRecord, r.LazyQuotes, r.TrimLeadingSpace = '#', -1, true, true
	var cells []cell
	at := -1
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return cells, nil
		}
		if err != nil {
			return nil, console.Failure("", "%s is no CSV file: %v", f.name(), err)
		}
		line, _ := r.FieldPos(0)
		if at < 0 {
			var header bool
			at, header, err = f.find(record)
			if err != nil {
				return nil, err
			}
			if header {
				continue
			}
		}
		text := ""
		if at < len(record) {
			text = strings.TrimSpace(record[at])
		}
		cells = append(cells, cell{line, text})
	}
}

// find returns the number of the column with the domains, and whether the first record has the
// names of columns.
func (f *Flags) find(first []string) (int, bool, error) {
	n, err := strconv.Atoi(f.Column)
	if err == nil {
		if n < 1 || n > len(first) {
			return 0, false, console.UsageError("", "--column %d: %s has %d columns", n, f.name(), len(first))
		}
		return n - 1, slices.Contains(columnNames, strings.ToLower(strings.TrimSpace(first[n-1]))), nil
	}
	wanted := columnNames
	if f.Column != "" {
		wanted = []string{strings.ToLower(f.Column)}
	}
	for _, name := range wanted {
		i := slices.IndexFunc(first, func(cell string) bool { return strings.EqualFold(strings.TrimSpace(cell), name) })
		if i >= 0 {
			return i, true, nil
		}
	}
	return 0, false, console.UsageError("name one with --column, by its name or its number; the first line has: "+strings.Join(first, ", "),
		"%s has several columns, and which one has the domains is not clear", f.name())
}
