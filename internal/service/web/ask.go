package web

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/question"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/textsafe"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/resolve"
)

// askPage is a question, perhaps with its answer.
type askPage struct {
	Form askForm
	// Known is what there is to choose from, while no agent was named.
	Known *knownChoices
	// About is the headline of the publisher; empty while none is named.
	About  string
	Answer *answerView
	Batch  batchForm
}

// question answers with the form for a question, and the answer once there is one.
func (p *Pages) question(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Robots-Tag", "noindex")
	a, problem := askedOf(r.URL.Query())
	switch {
	case problem != nil:
		p.wrongQuestion(w, r, a, problem)
	case a.publisher == "":
		form := a.form(nil, nil)
		if a.agent != "" {
			form.Publisher.Next = "Whose inventory is it?"
		}
		form.Agent.Focus, form.Publisher.Focus = a.agent == "", a.agent != ""
		p.render(w, r, http.StatusOK, "ask", &askPage{Form: form, Batch: batchForm{Most: registry.MaxQuestions}})
	case a.agent == "":
		p.askWhom(w, r, a)
	default:
		p.answer(w, r, a)
	}
}

// askWhom answers with the form for a publisher whose agents can be chosen from.
func (p *Pages) askWhom(w http.ResponseWriter, r *http.Request, a *asked) {
	doc, err := p.service.File(r.Context(), a.publisher)
	if err != nil {
		p.failedQuestion(w, r, a, err)
		return
	}
	a.publisher = doc.Publisher
	p.render(w, r, http.StatusOK, "ask",
		&askPage{Form: a.form(doc, nil), Known: choicesOf(a, doc), About: p.about(r.Context(), doc)})
}

// about is the headline of a publisher in a line.
func (p *Pages) about(ctx context.Context, doc *resolve.Document) string {
	h := p.service.Headline(ctx, doc)
	return verdictFrom(&h).Words
}

// answered returns the answer to what was asked; nil when it has replied with what is wrong.
func (p *Pages) answered(w http.ResponseWriter, r *http.Request, a *asked) *registry.QuestionAnswer {
	v, err := p.service.Answer(r.Context(), a.q, "")
	if err != nil {
		p.failedQuestion(w, r, a, err)
		return nil
	}
	return v
}

// answer answers a question the way GET /api/authorize does.
func (p *Pages) answer(w http.ResponseWriter, r *http.Request, a *asked) {
	v := p.answered(w, r, a)
	if v == nil {
		return
	}
	end := v
	if a.at == "" && a.on != "" {
		var err error
		q := a.q
		q.At = q.At.Add(24*time.Hour - time.Second)
		end, err = p.service.Answer(r.Context(), q, "")
		if err != nil {
			p.failedQuestion(w, r, a, err)
			return
		}
	}
	a.publisher = v.Question.Publisher
	origin, _ := edge.Origin(r, p.baseURL, p.baseURL != "")
	page := &askPage{Form: a.form(v.Document, v), About: p.about(r.Context(), v.Document),
		Answer: answerOf(a, v, cmp.Or(origin, exampleBase))}
	page.Answer.Receipt = receiptWords(
		"/ask/receipt"+queryOf(a.pairs(v.Question.At.UTC().Format(time.RFC3339Nano))), p.reader.Receipt(r.Context(), v))
	relation, host := p.service.Relation(r.Context(), v)
	page.Answer.Relation = sentence(relation.Sentence(host))
	if end.Verdict != v.Verdict {
		page.Answer.DayEnds = verdictWords(end.Verdict)
	}
	p.render(w, r, http.StatusOK, "ask", page)
}

// receipt answers with the receipt of an answer as a file, or says why there is none.
func (p *Pages) receipt(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Robots-Tag", "noindex")
	a, problem := askedOf(r.URL.Query())
	if problem != nil {
		p.wrongQuestion(w, r, a, problem)
		return
	}
	v := p.answered(w, r, a)
	if v == nil {
		return
	}
	p.sendReceipt(w, r, "avow-"+v.Question.Publisher+"-"+v.Verdict.String(), p.reader.Receipt(r.Context(), v))
}

// exampleBase is where the service is in examples, when it is not known better.
const exampleBase = "http://127.0.0.1:8080"

// wrongQuestion writes the form with what is wrong in it.
func (p *Pages) wrongQuestion(w http.ResponseWriter, r *http.Request, a *asked, problem *fieldProblem) {
	if problem.field == "country" {
		problem.hint = countryHint(a.country, problem.hint)
	}
	form := a.form(nil, nil)
	form.wrong(problem)
	p.render(w, r, http.StatusBadRequest, "ask", &askPage{Form: form})
}

// failedQuestion writes the form for an error about one of its fields, and a page of its
// own for any other.
func (p *Pages) failedQuestion(w http.ResponseWriter, r *http.Request, a *asked, err error) {
	known := edge.Problem(err)
	if known.Kind == registry.Invalid {
		p.wrongQuestion(w, r, a, &fieldProblem{"publisher", known.Message, known.Hint})
		return
	}
	p.failed(w, r, err, domainForm{Domain: safe(a.publisher)})
}

// batchColumns are the parts of a question in a table; id is the caller's own. The same names
// are used by avow authorize --batch.
var batchColumns = slices.DeleteFunc(question.Names(question.Table, false), func(name string) bool {
	return strings.HasPrefix(name, "identifier_")
})

// answerColumns come after them in the table of answers, with line before.
var answerColumns = []string{"verdict", "entry", "reason", "needs", "error"}

// batchForm is the form for a table of questions.
type batchForm struct {
	Questions, Error, Hint string
	// Most is how many questions there may be.
	Most int
	Open bool
}

// A tableQuestion is a line of a table of questions.
type tableQuestion struct {
	line  int
	cells map[string]string
	q     resolve.Question
	err   error
}

// askMany answers a table of questions with a table of answers.
func (p *Pages) askMany(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Robots-Tag", "noindex")
	r.Body = http.MaxBytesReader(w, r.Body, largestBody)
	text, form, status := readBatch(r)
	var rows []tableQuestion
	if status == http.StatusOK {
		var err error
		rows, err = readRows(strings.NewReader(text))
		if err != nil {
			status = http.StatusBadRequest
			form.Error, form.Hint = splitHint(err.Error())
		}
	}
	if status != http.StatusOK {
		form.Open, form.Most = true, registry.MaxQuestions
		p.render(w, r, status, "ask", &askPage{Form: new(asked).form(nil, nil), Batch: form})
		return
	}
	var questions []resolve.Question
	for i := range rows {
		if rows[i].err == nil {
			questions = append(questions, rows[i].q)
		}
	}
	writeAnswers(w, rows, p.service.Verdicts(r.Context(), questions))
}

// splitHint parts what is wrong from what to do.
func splitHint(message string) (string, string) {
	problem, hint, _ := strings.Cut(message, "; ")
	return safe(problem), safe(hint)
}

// readBatch reads the form. The status is not 200 when the form says what is wrong.
func readBatch(r *http.Request) (string, batchForm, int) {
	err := r.ParseForm() // ParseMultipartForm would hide its error
	if err == nil {
		err = r.ParseMultipartForm(largestBody + 1)
	}
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over):
		return "", batchForm{Error: "this is larger than 5 MB", Hint: "send the questions in parts"},
			http.StatusRequestEntityTooLarge
	case err != nil && !errors.Is(err, http.ErrNotMultipart):
		return "", batchForm{Error: "the form could not be read", Hint: "please send it again"}, http.StatusBadRequest
	}
	text := r.PostFormValue("questions")
	upload, err := uploaded(r)
	switch {
	case err != nil:
		return "", batchForm{Error: "the file could not be read", Hint: "please choose it again"}, http.StatusBadRequest
	case len(upload) > 0:
		text = string(upload)
	}
	form := batchForm{}
	if len(text) > largestPaste {
		return "", batchForm{Error: "this is larger than 5 MB", Hint: "send the questions in parts"},
			http.StatusRequestEntityTooLarge
	}
	if len(text) <= largestEcho && harmless([]byte(text)) {
		form.Questions = text
	}
	if strings.TrimSpace(text) == "" {
		form.Error, form.Hint = "there are no questions", "paste a table, or choose a file"
		return "", form, http.StatusBadRequest
	}
	return text, form, http.StatusOK
}

// readRows reads a table of questions: a line of names, and a line for each question.
func readRows(in io.Reader) ([]tableQuestion, error) {
	table := csv.NewReader(in)
	table.FieldsPerRecord = -1
	names, err := table.Read()
	if err != nil {
		return nil,
			errors.New("the table cannot be read; begin with a line of names, for example publisher,agent,property,country")
	}
	reader := &question.Reader{On: question.Table}
	columns, err := reader.Header(names)
	if err != nil {
		return nil, errors.New(problemText(err))
	}
	var rows []tableQuestion
	for {
		cells, err := table.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if len(rows) == registry.MaxQuestions {
			return nil, errors.New("there are more than " + words.Thousands(registry.MaxQuestions) +
				" questions; send them in parts, or use the program: avow authorize --batch")
		}
		rows = append(rows, readRow(table, reader, &columns, cells, err))
	}
	if len(rows) == 0 {
		return nil, errors.New("there are no questions; write one in each line below the names")
	}
	return rows, nil
}

// readRow makes a question of a line.
func readRow(table *csv.Reader, reader *question.Reader, columns *question.Columns, cells []string,
	err error) tableQuestion {
	var fault *csv.ParseError
	if errors.As(err, &fault) {
		return tableQuestion{line: fault.StartLine, err: fault.Err}
	}
	if err != nil {
		return tableQuestion{err: err}
	}
	line, _ := table.FieldPos(0)
	out := tableQuestion{line: line, cells: map[string]string{}}
	q, err := reader.Row(*columns, cells)
	if err != nil {
		out.err = errors.New(problemText(err))
	}
	out.q = q.Question
	for i, name := range columns.Names()[:min(len(cells), len(columns.Names()))] {
		out.cells[name] = strings.TrimSpace(cells[i])
	}
	return out
}

// problemText is what is wrong with a question, in a line.
func problemText(err error) string {
	p := fieldProblemOf(err)
	return strings.TrimSuffix(p.message+"; "+p.hint, "; ")
}

// writeAnswers writes the table of answers. The verdicts are those of the lines without a
// fault, in their order.
func writeAnswers(w http.ResponseWriter, rows []tableQuestion, verdicts []registry.QuestionVerdict) {
	h := w.Header()
	h.Set("Content-Type", "text/csv; charset=utf-8")
	h.Set("Content-Disposition", `attachment; filename="answers.csv"`)
	h.Set("Cache-Control", "no-store")
	out := csv.NewWriter(w)
	_ = out.Write(slices.Concat([]string{"line"}, batchColumns, answerColumns)) // Error tells
	for i := range rows {
		cells := []string{strconv.Itoa(rows[i].line)}
		for _, name := range batchColumns {
			cells = append(cells, cellOf(rows[i].cells[name]))
		}
		if rows[i].err != nil {
			cells = append(cells, "", "", "", "", cellOf(rows[i].err.Error()))
		} else {
			cells = append(cells, verdictCells(&verdicts[0], &cells[len(batchColumns)])...)
			verdicts = verdicts[1:]
		}
		err := out.Write(cells)
		if err != nil {
			return // the caller has gone away
		}
	}
	out.Flush()
}

// cellOf is a text that neither a terminal nor a spreadsheet obeys.
func cellOf(text string) string { return textsafe.CSV(textsafe.Terminal(redact.Credentials(text))) }

// verdictCells are the answer to a question. at is the cell of the time, which is filled in where
// the question leaves it open.
func verdictCells(v *registry.QuestionVerdict, at *string) []string {
	if v.Err != nil {
		known := edge.Problem(v.Err)
		return []string{"", "", "", "", cellOf(strings.TrimSuffix(known.Message+"; "+known.Hint, "; "))}
	}
	if *at == "" {
		*at = v.Question.At.UTC().Format(time.RFC3339)
	}
	entry := ""
	if v.Entry >= 0 {
		entry = "/authorized_agents/" + strconv.Itoa(int(v.Entry))
	}
	needs := ""
	if v.Verdict == resolve.Conditional {
		needs = strings.Join(v.Needs.Strings(), " ")
	}
	return []string{v.Verdict.String(), entry, v.Code, needs, cellOf(v.Detail)}
}
