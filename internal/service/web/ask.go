package web

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/answer"
	"github.com/avow-project/avow/internal/question"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/resolve"
)

// asked is a question as the reader wrote it: what is empty is not asked about. The
// names are those of the parameters of GET /api/authorize, but for on, a day.
type asked struct {
	publisher, agent, property, identifier, propertyType, signal, country, on, at string
	placements, collections                                                       []string
	// remark says how the country was read; empty where it was read as it is written.
	remark string
	// q is the question in the form of package resolve; its time is zero for now.
	q resolve.Question
}

// askTexts are the parameters of a question that are given once at most.
var askTexts = map[string]func(*asked) *string{
	"publisher":     func(a *asked) *string { return &a.publisher },
	"agent":         func(a *asked) *string { return &a.agent },
	"property":      func(a *asked) *string { return &a.property },
	"identifier":    func(a *asked) *string { return &a.identifier },
	"property_type": func(a *asked) *string { return &a.propertyType },
	"signal":        func(a *asked) *string { return &a.signal },
	"country":       func(a *asked) *string { return &a.country },
	"at":            func(a *asked) *string { return &a.at },
}

// askLists are those that may be given more than once.
var askLists = map[string]func(*asked) *[]string{
	"placement":  func(a *asked) *[]string { return &a.placements },
	"collection": func(a *asked) *[]string { return &a.collections },
}

// A fieldProblem says what is wrong with one field of a form.
type fieldProblem struct{ field, message, hint string }

// askedOf reads a question. A browser sends the fields of a form that are empty, too: they are
// dropped here, and nowhere else.
func askedOf(query url.Values) (*asked, *fieldProblem) {
	values := url.Values{}
	for name, list := range query {
		if texts := filled(list); texts != nil {
			values[name] = texts
		}
	}
	a := &asked{on: strings.Join(values[dayParam], " ")}
	for i, text := range values["country"] {
		values["country"][i], a.remark = countryCode(text)
	}
	for name, texts := range values {
		if text, ok := askTexts[question.Canonical(name)]; ok {
			*text(a) = texts[0]
		} else if list, ok := askLists[question.Canonical(name)]; ok {
			*list(a) = append(*list(a), texts...)
		}
	}
	r := question.Reader{On: question.Page, Partial: true, Skip: []string{dayParam}}
	q, err := r.Values(values)
	if err != nil {
		return a, fieldProblemOf(err)
	}
	a.q = q.Question
	if q.Given("identifier_type") {
		a.identifier = answer.AskedOf(&a.q).Identifier
	}
	problem := a.readDay()
	return a, problem
}

// fieldProblemOf says at which field of the form a question is wrong.
func fieldProblemOf(err error) *fieldProblem {
	var known *question.Error
	if !errors.As(err, &known) {
		return &fieldProblem{"publisher", "the question cannot be read", "ask with the form"}
	}
	field := question.Canonical(known.Member)
	switch {
	case field == "at":
		field = dayParam
	case strings.HasPrefix(field, "identifier"):
		field = "identifier"
	case field == "":
		field = "publisher"
	}
	return &fieldProblem{field, strings.TrimPrefix(known.Message, known.Member+": "), known.Hint}
}

// filled leaves out what a form sends for fields that are empty.
func filled(values []string) []string {
	var out []string
	for _, v := range values {
		v = strings.TrimSpace(v)
		if v != "" {
			out = append(out, v)
		}
	}
	return out
}

// readDay reads the day asked about, which is meant from its beginning, unless there is a time.
func (a *asked) readDay() *fieldProblem {
	switch {
	case a.at != "":
		a.on = a.q.At.UTC().Format(time.DateOnly)
	case a.on != "":
		at, err := time.Parse(time.DateOnly, a.on)
		if err != nil {
			return &fieldProblem{dayParam, "this is not a day", "write it like 2026-01-02"}
		}
		a.q.At = at
	}
	return nil
}

// pairs are the parameters of GET /api/authorize for a question, in their order.
func (a *asked) pairs(at string) [][2]string {
	var list [][2]string
	add := func(name string, values ...string) {
		for _, v := range values {
			if v != "" {
				list = append(list, [2]string{name, v})
			}
		}
	}
	add("publisher", a.publisher)
	add("agent", a.agent)
	add("property", a.property)
	add("identifier", a.identifier)
	add("property_type", a.propertyType)
	add("placement", a.placements...)
	add("collection", a.collections...)
	add("signal", a.signal)
	add("country", a.country)
	add("at", at)
	return list
}

// with returns the address of the same question with one parameter set.
func (a *asked) with(name, value string) string {
	b := *a
	if text, ok := askTexts[name]; ok {
		*text(&b) = value
	} else if list, ok := askLists[name]; ok {
		*list(&b) = append(slices.Clone(*list(&b)), value)
	}
	pairs := b.pairs(b.at)
	if b.at == "" && b.on != "" {
		pairs = append(pairs, [2]string{"on", b.on})
	}
	return askURL(pairs)
}

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

// answered returns the answer to what was asked, with the question; nil when it has replied
// with what is wrong.
func (p *Pages) answered(w http.ResponseWriter, r *http.Request,
	a *asked) (resolve.Question, *registry.QuestionAnswer) {
	v, err := p.service.Answer(r.Context(), a.q, "")
	if err != nil {
		p.failedQuestion(w, r, a, err)
		return a.q, nil
	}
	return a.q, v
}

// answer answers a question the way GET /api/authorize does.
func (p *Pages) answer(w http.ResponseWriter, r *http.Request, a *asked) {
	q, v := p.answered(w, r, a)
	if v == nil {
		return
	}
	end := v
	if a.at == "" && a.on != "" {
		var err error
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
