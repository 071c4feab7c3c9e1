package console

import (
	"cmp"
	"encoding/csv"
	"io"

	"github.com/avow-project/avow/internal/std/textsafe"
)

// A Table writes rows as CSV, in cells that neither a terminal nor a spreadsheet obeys.
type Table struct {
	W     io.Writer
	Names []string // of the columns
	// Begun says that the names of the columns are written.
	Begun bool
	// Comma is between cells; zero means a comma.
	Comma rune
}

// Write writes a row after the names of the columns, or those alone.
func (t *Table) Write(cells ...string) error {
	w := csv.NewWriter(t.W)
	w.Comma = cmp.Or(t.Comma, w.Comma)
	if !t.Begun {
		t.Begun = true
		err := w.Write(t.Names)
		if err != nil {
			return err
		}
	}
	if len(cells) > 0 {
		for i := range cells {
			cells[i] = textsafe.CSV(textsafe.Terminal(cells[i]))
		}
		err := w.Write(cells)
		if err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}
