package report

import (
	"io"
	"strconv"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/cli/check"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/redact"
)

// CSV writes a row for each target, in cells that neither a terminal nor a spreadsheet obeys.
// The columns are a contract: new ones may come at the end.
type CSV struct {
	W io.Writer
	// Begun says that the names of the columns are written.
	Begun bool
	// Comma is between cells; zero means a comma.
	Comma rune
}

// Target writes the row of one result.
func (h *CSV) Target(r *check.Result) error {
	row := []string{
		r.Target.Name, verdictWords[r.Verdict()], strconv.Itoa(r.Counts[adagents.Error]),
		strconv.Itoa(r.Counts[adagents.Warning]),
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
	return h.write(row...)
}

// Finish writes the names of the columns if there was no target.
func (h *CSV) Finish(*check.Summary) error { return h.write() }

func (h *CSV) write(cells ...string) error {
	t := console.Table{W: h.W, Begun: h.Begun, Comma: h.Comma,
		Names: []string{"target", "verdict", "errors", "warnings", "infos", "method", "url", "code", "message"}}
	h.Begun = true
	return t.Write(cells...)
}
