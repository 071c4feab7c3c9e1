package report

import (
	"encoding/csv"
	"io"
	"strconv"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/cli/check"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/textsafe"
)

// CSV writes a row for each target, in cells that neither a terminal nor a spreadsheet obeys.
// The columns are a contract: new ones may come at the end.
type CSV struct {
	W       io.Writer
	started bool
}

// Target writes the row of one result.
func (h *CSV) Target(r *check.Result) error {
	row := []string{
		r.Target.Name, verdictWords[r.Verdict()], strconv.Itoa(r.Counts[adagents.Error]), strconv.Itoa(r.Counts[adagents.Warning]),
		strconv.Itoa(r.Counts[adagents.Info]), "", "", "", "",
	}
	if r.Found != nil {
		row[5], row[6] = r.Found.Method.String(), redact.URL(r.Found.ResolvedURL)
	}
	switch ranked := r.Ranked(); {
	case r.Err != nil:
		row[8] = console.AsError(r.Err).Message
	case len(ranked) > 0:
		row[7], row[8] = r.Findings[ranked[0]].Code, r.Findings[ranked[0]].Message
	}
	return h.write(row)
}

// write writes a row, after the names of the columns.
func (h *CSV) write(rows ...[]string) error {
	if !h.started {
		h.started = true
		rows = append([][]string{{"target", "verdict", "errors", "warnings", "infos", "method", "url", "code", "message"}}, rows...)
	}
	w := csv.NewWriter(h.W)
	for _, row := range rows {
		for i := range row {
			row[i] = textsafe.CSV(textsafe.Terminal(row[i]))
		}
		err := w.Write(row)
		if err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

// Finish writes the names of the columns if there was no target.
func (h *CSV) Finish(*check.Summary) error { return h.write() }
