package batch

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/avow-project/avow/internal/answer"
	"github.com/avow-project/avow/internal/cli/console"
	cli "github.com/avow-project/avow/internal/cli/question"
	"github.com/avow-project/avow/internal/question"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/textsafe"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/resolve"
)

// position is the JSON Pointer of the entry that decided.
func (g *verdictLine) position() string {
	if g.entry < 0 {
		return ""
	}
	return "/authorized_agents/" + strconv.Itoa(int(g.entry))
}

// verdictCounts counts verdicts.
type verdictCounts struct {
	verdicts [resolve.Authorized + 1]int
	faults   int
}

func (t *verdictCounts) count(g *verdictLine) {
	if g.err != nil {
		t.faults++
		return
	}
	t.verdicts[g.verdict]++
}

func (t *verdictCounts) add(other *verdictCounts) {
	t.faults += other.faults
	for v, n := range other.verdicts {
		t.verdicts[v] += n
	}
}

// code is the exit code: the highest of all questions.
func (t *verdictCounts) code() int {
	code := console.ExitYes
	if t.faults > 0 {
		code = console.ExitUnknown
	}
	for v, n := range t.verdicts {
		if n > 0 {
			code = max(code, cli.ExitCodes[resolve.Verdict(v)])
		}
	}
	return code
}

// String sums a batch up in a line.
func (t *verdictCounts) String() string {
	total := t.faults
	var parts []string
	for v := len(t.verdicts) - 1; v >= 0; v-- {
		total += t.verdicts[v]
		if t.verdicts[v] > 0 {
			parts = append(parts, words.Thousands(t.verdicts[v])+" "+resolve.Verdict(v).String())
		}
	}
	if t.faults > 0 {
		parts = append(parts, words.Thousands(t.faults)+" not answered because of what is wrong with them")
	}
	return strings.TrimSuffix(words.Plural(total, "question", "questions")+": "+strings.Join(parts, ", "), ": ")
}

// results writes answers, one per line.
type results struct {
	format string
	out    []byte
	row    []string
	// comma is what separates the cells of a row: what did so in the questions.
	comma rune
}

// tableNames are the parts of a question in a table, each under one name.
var tableNames = slices.DeleteFunc(question.Names(question.Table, false), func(name string) bool {
	return strings.HasPrefix(name, "identifier_")
})

// resultColumns are the columns of the results in CSV: the question, then the answer.
var resultColumns = slices.Concat([]string{"line"}, tableNames,
	[]string{"verdict", "entry", "reason", "needs", "placements", "error"})

// resultHeader is what stands above the results.
func resultHeader(format string, comma rune) []byte {
	if format != "csv" {
		return nil
	}
	return []byte(strings.Join(resultColumns, string(comma)) + "\n")
}

func (r *results) add(g *verdictLine) error {
	if r.format == "csv" {
		r.addRow(g)
		return nil
	}
	var line any
	if g.err != nil {
		fault := &answer.Unanswered{Line: g.line, ID: g.id}
		fault.Error, fault.Code, fault.Field, fault.Hint = faultOf(g.err)
		fault.About(g.q)
		line = fault
	} else {
		line = &answer.Line{Line: g.line, ID: g.id, Code: g.whole.Code, Answer: &g.whole}
	}
	text, err := console.EncodeJSON(line)
	r.out = append(append(r.out, text...), '\n')
	return err
}

// faultOf returns what is wrong with a question: the message, the code, the member and the hint.
func faultOf(err error) (string, string, string, string) {
	var known *question.Error
	if errors.As(err, &known) {
		return known.Message, known.Code, known.Member, known.Hint
	}
	other := console.AsError(cli.Error(err))
	return redact.Credentials(other.Message), "request.value", "", redact.Credentials(other.Hint)
}

// addRow writes an answer as a row of CSV.
func (r *results) addRow(g *verdictLine) {
	r.row = append(r.row[:0], strconv.Itoa(g.line), g.id)
	if g.err != nil {
		r.row = append(r.row, redact.Credentials(g.q.Publisher), redact.URL(g.q.Agent))
		for len(r.row) < len(resultColumns)-1 {
			r.row = append(r.row, "")
		}
		r.writeRow(append(r.row, faultText(g.err)))
		return
	}
	q, asked := g.q, answer.AskedOf(g.q)
	r.row = append(r.row, q.Publisher, q.Agent, asked.Property, asked.Identifier, asked.PropertyType,
		strings.Join(asked.Placements, " "), strings.Join(asked.Collections, " "), asked.Signal, asked.Country,
		answer.Time(q.At),
		g.verdict.String(), g.position(), g.code, strings.Join(g.needs, " "), placementTexts(g), "")
	r.writeRow(r.row)
}

func (r *results) writeRow(row []string) {
	for i, cell := range row {
		if i > 0 {
			r.out = append(r.out, byte(r.comma))
		}
		r.out = appendCell(r.out, cell)
	}
	r.out = append(r.out, "\n"...)
}

// appendCell writes a cell that neither a terminal nor a spreadsheet obeys.
func appendCell(out []byte, cell string) []byte {
	cell = textsafe.CSV(textsafe.Terminal(cell))
	if !strings.ContainsAny(cell, "\",; '") {
		return append(out, cell...)
	}
	out = append(out, '"')
	out = append(out, strings.ReplaceAll(cell, `"`, `""`)...)
	return append(out, '"')
}

func faultText(err error) string {
	message, _, _, hint := faultOf(err)
	return strings.TrimSuffix(message+"; "+hint, "; ")
}

// placementTexts are the verdicts of placements as id=verdict.
func placementTexts(g *verdictLine) string {
	var texts []string
	for _, id := range g.q.Placements {
		v, ok := g.placements[id]
		if ok {
			texts = append(texts, id+"="+v.String())
		}
	}
	return strings.Join(texts, " ")
}
