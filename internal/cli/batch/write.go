package batch

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/question"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/textsafe"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/internal/wire"
	"github.com/avow-project/avow/resolve"
)

// verdictLine is the answer to one question of a batch.
type verdictLine struct {
	line int
	id   string
	q    *resolve.Question
	// err says why the question could not be answered; the rest is then empty.
	err     error
	verdict resolve.Verdict
	// entry is the number of the entry that decided, -1 for none.
	entry      int32
	code       string
	needs      []string
	placements map[string]resolve.Verdict
}

// place is the JSON Pointer of the entry that decided.
func (g *verdictLine) place() string {
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
			code = max(code, question.ExitCodes[resolve.Verdict(v)])
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

// results writes answers, one per line. It appends to a buffer by hand because this is
// done a million times over.
type results struct {
	format string
	out    []byte
	row    []string
	// last is the time that was written last, and lastText how.
	last     time.Time
	lastText string
}

// time writes a moment; most questions are about the same.
func (r *results) time(t time.Time) string {
	if r.lastText == "" || !t.Equal(r.last) {
		r.last, r.lastText = t, wire.Time(t)
	}
	return r.lastText
}

// resultColumns are the columns of the results in CSV: the question, then the answer.
var resultColumns = slices.Concat([]string{"line"}, partNames, []string{"verdict", "entry", "reason", "needs", "placements", "error"})

// resultHeader is what stands above the results.
func resultHeader(format string) []byte {
	if format != "csv" {
		return nil
	}
	return []byte(strings.Join(resultColumns, ",") + "\n")
}

func (r *results) add(g *verdictLine) {
	if r.format == "csv" {
		r.addRow(g)
		return
	}
	r.out = append(r.out, `{"line":`...)
	r.out = strconv.AppendInt(r.out, int64(g.line), 10)
	r.member(`,"id":`, g.id)
	if g.err != nil {
		r.fault(g.err)
		return
	}
	q := g.q
	r.member(`,"publisher":`, q.Publisher)
	r.member(`,"agent":`, q.Agent)
	r.member(`,"property":`, q.Property)
	r.member(`,"identifier":`, identifierText(q))
	r.member(`,"property_type":`, q.PropertyType)
	r.list(`,"placements":`, q.Placements)
	r.list(`,"collections":`, collectionTexts(q.Collections))
	r.member(`,"signal":`, q.Signal)
	r.member(`,"country":`, q.Country)
	r.member(`,"at":`, r.time(q.At))
	r.member(`,"verdict":`, g.verdict.String())
	if g.entry >= 0 {
		r.out = append(r.out, `,"entry":"/authorized_agents/`...)
		r.out = append(strconv.AppendInt(r.out, int64(g.entry), 10), '"')
	}
	r.member(`,"reason":`, g.code)
	r.list(`,"needs":`, g.needs)
	r.verdicts(g)
	r.out = append(r.out, "}\n"...)
}

// verdicts writes those of the placements, in the order of the question.
func (r *results) verdicts(g *verdictLine) {
	if len(g.placements) == 0 {
		return
	}
	r.out = append(r.out, `,"placement_verdicts":{`...)
	for i, id := range g.q.Placements {
		if i > 0 {
			r.out = append(r.out, ',')
		}
		r.out = append(appendJSONString(r.out, id), ':')
		r.out = appendJSONString(r.out, g.placements[id].String())
	}
	r.out = append(r.out, '}')
}

func (r *results) fault(err error) {
	known := console.AsError(err)
	r.out = append(r.out, `,"error":{"message":`...)
	r.out = appendJSONString(r.out, redact.Credentials(known.Message))
	if known.Hint != "" {
		r.out = appendJSONString(append(r.out, `,"hint":`...), redact.Credentials(known.Hint))
	}
	r.out = append(r.out, "}}\n"...)
}

// member writes a member unless it is empty. The name comes with what stands around it.
func (r *results) member(name, value string) {
	if value == "" {
		return
	}
	r.out = appendJSONString(append(r.out, name...), value)
}

func (r *results) list(name string, list []string) {
	if len(list) == 0 {
		return
	}
	r.out = append(append(r.out, name...), '[')
	for i, s := range list {
		if i > 0 {
			r.out = append(r.out, ',')
		}
		r.out = appendJSONString(r.out, s)
	}
	r.out = append(r.out, ']')
}

// appendJSONString writes a string as the other JSON output has it. Most need no escape.
func appendJSONString(out []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			b, err := console.EncodeJSON(s)
			if err != nil {
				// Only what is no string can fail.
				panic(fmt.Sprintf("cli: encoding a string: %v", err))
			}
			return append(out, b...)
		}
	}
	return append(append(append(out, '"'), s...), '"')
}

// addRow writes an answer as a row of CSV.
func (r *results) addRow(g *verdictLine) {
	r.row = append(r.row[:0], strconv.Itoa(g.line), g.id)
	if g.err != nil {
		for len(r.row) < len(resultColumns)-1 {
			r.row = append(r.row, "")
		}
		r.writeRow(append(r.row, faultText(g.err)))
		return
	}
	q := g.q
	r.row = append(r.row, q.Publisher, q.Agent, q.Property, identifierText(q), q.PropertyType,
		strings.Join(q.Placements, " "), strings.Join(collectionTexts(q.Collections), " "), q.Signal, q.Country, r.time(q.At),
		g.verdict.String(), g.place(), g.code, strings.Join(g.needs, " "), placementTexts(g), "")
	r.writeRow(r.row)
}

func (r *results) writeRow(row []string) {
	for i, cell := range row {
		if i > 0 {
			r.out = append(r.out, ',')
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
	known := console.AsError(err)
	if known.Hint == "" {
		return redact.Credentials(known.Message)
	}
	return redact.Credentials(known.Message + "; " + known.Hint)
}

func identifierText(q *resolve.Question) string {
	if q.Identifier.Type == "" {
		return ""
	}
	return q.Identifier.Type + "=" + q.Identifier.Value
}

func collectionTexts(list []resolve.CollectionRef) []string {
	var texts []string
	for _, c := range list {
		texts = append(texts, c.PublisherDomain+"/"+c.ID)
	}
	return texts
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
