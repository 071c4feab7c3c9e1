package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// table is a Markdown table. The first cell of a row names it, and names are
// unique over all tables, so a cell is found again by row and column.
type table struct {
	head []string
	rows [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// cellKey names one figure.
type cellKey struct{ row, column string }

// print writes the table for a terminal, unless it is empty. A figure that
// differs from the recorded one is followed by it in brackets.
func (t table) print(w io.Writer, old map[cellKey]string) {
	if len(t.rows) == 0 {
		return
	}
	fmt.Fprintln(w)
	aligned := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(aligned, strings.Join(t.head, "\t"))
	for _, row := range t.rows {
		shown := make([]string, len(row))
		for i, cell := range row {
			shown[i] = cell
			was, ok := old[cellKey{row[0], t.head[i]}]
			if ok && was != cell {
				shown[i] += " [" + was + "]"
			}
		}
		fmt.Fprintln(aligned, strings.Join(shown, "\t"))
	}
	// The writer below is a terminal or a buffer; its errors have no remedy here.
	_ = aligned.Flush()
}

// markdown writes the table as it is recorded, figures aligned to the right.
func (t table) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s |\n", strings.Join(t.head, " | "))
	b.WriteString("| ---" + strings.Repeat(" | ---:", len(t.head)-1) + " |\n")
	for _, row := range t.rows {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
	}
	return b.String()
}

// readTables collects the cells of every Markdown table in a text.
func readTables(text string) map[cellKey]string {
	cells := map[cellKey]string{}
	var head []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") {
			head = nil
			continue
		}
		row := splitRow(line)
		if head == nil {
			head = row
			continue
		}
		for i, cell := range row {
			if i < len(head) && !strings.HasPrefix(cell, "---") {
				cells[cellKey{row[0], head[i]}] = cell
			}
		}
	}
	return cells
}

func splitRow(line string) []string {
	cells := strings.Split(strings.Trim(line, "|"), "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells
}
