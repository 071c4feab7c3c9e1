package web

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/rfc3339"
	"github.com/avow-project/avow/resolve"
)

// An Answerer answers questions from the files of publishers. *registry.Service is one.
type Answerer interface {
	Answer(ctx context.Context, q resolve.Question, brand string) (*registry.QuestionAnswer, error)
	// File returns the document that questions about a publisher are answered from.
	File(ctx context.Context, domain string) (*resolve.Document, error)
}

// asked is a question as somebody wrote it: what is empty is not asked about. The names
// are those of the parameters of GET /api/authorize, but for on, a day.
type asked struct {
	publisher, agent, property, identifier, propertyType, signal, country, on, at string
	placements, collections                                                       []string
}

// askParams are the parameters of a question that are given once at most, with the longest
// value of each.
var askParams = []struct {
	name string
	most int
	of   func(*asked) *string
}{
	{"publisher", longestDomain, func(a *asked) *string { return &a.publisher }},
	{"agent", longestDomain, func(a *asked) *string { return &a.agent }},
	{"property", 255, func(a *asked) *string { return &a.property }},
	{"identifier", longestDomain + 64, func(a *asked) *string { return &a.identifier }},
	{"property_type", 64, func(a *asked) *string { return &a.propertyType }},
	{"signal", 255, func(a *asked) *string { return &a.signal }},
	{"country", 2, func(a *asked) *string { return &a.country }},
	{"on", 10, func(a *asked) *string { return &a.on }},
	{"at", 64, func(a *asked) *string { return &a.at }},
}

// askLists are those that may be given more than once.
var askLists = []struct {
	name string
	most int
	of   func(*asked) *[]string
}{
	{"placement", 255, func(a *asked) *[]string { return &a.placements }},
	{"collection", 510, func(a *asked) *[]string { return &a.collections }},
}

// mostItemsAsked is how many placements or collections a question has on a page.
const mostItemsAsked = 100

// A fieldProblem says what is wrong with one field of a form.
type fieldProblem struct{ field, message, hint string }

// askedOf reads a question. A parameter that is not known is refused: to leave it out would
// ask something else.
func askedOf(q url.Values) (*asked, *fieldProblem) {
	a, known := &asked{}, map[string]bool{}
	for _, p := range askParams {
		known[p.name] = true
		values := filled(q[p.name])
		if len(values) > 1 {
			return a, &fieldProblem{p.name, p.name + " is given more than once", "give it once"}
		}
		for _, v := range values {
			*p.of(a) = v
			if !utf8.ValidString(v) || utf8.RuneCountInString(v) > p.most {
				*p.of(a) = ""
				return a, &fieldProblem{p.name, p.name + " is too long or not UTF-8", "write it again"}
			}
		}
	}
	for _, p := range askLists {
		known[p.name] = true
		for _, v := range filled(q[p.name]) {
			if !utf8.ValidString(v) || utf8.RuneCountInString(v) > p.most || len(*p.of(a)) == mostItemsAsked {
				return a, &fieldProblem{p.name, p.name + " is too long, not UTF-8, or given too often", "ask about less at once"}
			}
			*p.of(a) = append(*p.of(a), v)
		}
	}
	for name := range q {
		if !known[name] {
			return a, &fieldProblem{"publisher", "the address has a parameter that is not known: " + shortened(name, longestItem), "ask with the form"}
		}
	}
	return a, nil
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

// question puts what was asked into the form of package resolve; At is zero for now.
func (a *asked) question() (resolve.Question, *fieldProblem) {
	q := resolve.Question{
		Publisher: a.publisher, Agent: a.agent, Property: a.property, PropertyType: a.propertyType, Placements: a.placements, Signal: a.signal, Country: a.country,
	}
	if a.identifier != "" {
		kind, value, ok := strings.Cut(a.identifier, "=")
		if !ok || kind == "" || value == "" {
			return q, &fieldProblem{"identifier", "an identifier is a type and a value", "write it like domain=www.example.com"}
		}
		q.Identifier = resolve.Identifier{Type: kind, Value: value}
	}
	for _, text := range a.collections {
		domain, id, ok := strings.Cut(text, "/")
		if !ok || domain == "" || id == "" {
			return q, &fieldProblem{"collection", "a collection is a domain and an id", "write it like example.com/morning_show"}
		}
		q.Collections = append(q.Collections, resolve.CollectionRef{PublisherDomain: domain, ID: id})
	}
	at, problem := a.moment()
	q.At = at
	return q, problem
}

// moment returns the instant asked about; zero for now. A day is meant from its beginning.
func (a *asked) moment() (time.Time, *fieldProblem) {
	switch {
	case a.at != "":
		at, err := rfc3339.Parse(a.at)
		if err != nil {
			return at, &fieldProblem{"on", "at is not a time in RFC 3339", "write it like 2026-01-02T00:00:00Z, or choose a day"}
		}
		a.on = at.UTC().Format(time.DateOnly)
		return at, nil
	case a.on == "":
		return time.Time{}, nil
	}
	at, err := time.Parse(time.DateOnly, a.on)
	if err != nil {
		return at, &fieldProblem{"on", "this is not a day", "write it like 2026-01-02"}
	}
	return at, nil
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

// askURL is the address of a question on a page, and apiURL that of the JSON answer.
func askURL(pairs [][2]string) string { return "/ask" + queryOf(pairs) }

func apiURL(pairs [][2]string) string { return "/api/authorize" + queryOf(pairs) }

func queryOf(pairs [][2]string) string {
	var b strings.Builder
	for i, p := range pairs {
		b.WriteByte("?&"[min(i, 1)])
		b.WriteString(url.QueryEscape(p[0]) + "=" + url.QueryEscape(p[1]))
	}
	return b.String()
}

// with returns the address of the same question with one parameter set.
func (a *asked) with(name, value string) string {
	b := *a
	for _, p := range askParams {
		if p.name == name {
			*p.of(&b) = value
		}
	}
	for _, p := range askLists {
		if p.name == name {
			*p.of(&b) = append(slices.Clone(*p.of(&b)), value)
		}
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
	Known  *knownChoices
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
	p.render(w, r, http.StatusOK, "ask", &askPage{Form: a.form(doc, nil), Known: choicesOf(a, doc)})
}

// answered returns the answer to what was asked, with the question; nil when it has replied
// with what is wrong.
func (p *Pages) answered(w http.ResponseWriter, r *http.Request, a *asked) (resolve.Question, *registry.QuestionAnswer) {
	q, problem := a.question()
	if problem != nil {
		p.wrongQuestion(w, r, a, problem)
		return q, nil
	}
	v, err := p.service.Answer(r.Context(), q, "")
	if err != nil {
		p.failedQuestion(w, r, a, err)
		return q, nil
	}
	return q, v
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
	page := &askPage{Form: a.form(v.Document, v), Answer: answerOf(a, v, cmp.Or(origin, exampleBase))}
	page.Answer.Receipt = receiptOf(a, v, p.translog.Receipt(r.Context(), &v.Question, v.Answer, v.CheckedAt, true))
	if end.Verdict != v.Verdict {
		page.Answer.DayEnds = verdictWords(end.Verdict)
	}
	p.render(w, r, http.StatusOK, "ask", page)
}

// exampleBase is where the service is in examples, when it is not known better.
const exampleBase = "http://127.0.0.1:8080"

// wrongQuestion writes the form with what is wrong in it.
func (p *Pages) wrongQuestion(w http.ResponseWriter, r *http.Request, a *asked, problem *fieldProblem) {
	form := a.form(nil, nil)
	form.wrong(problem)
	p.render(w, r, http.StatusBadRequest, "ask", &askPage{Form: form})
}

// fieldsOf has the field of the form for each code of an error about a question.
var fieldsOf = map[string]string{
	"invalid_domain": "publisher", "invalid_publisher": "publisher", "invalid_agent": "agent", "invalid_country": "country", "invalid_property": "property",
	"invalid_identifier": "identifier", "invalid_placements": "placement", "invalid_collections": "collection", "invalid_signal": "signal", "invalid_at": "on",
	"invalid_propertytype": "property_type", "invalid_property_type": "property_type",
}

// failedQuestion writes the form for an error about one of its fields, and a page of its
// own for any other.
func (p *Pages) failedQuestion(w http.ResponseWriter, r *http.Request, a *asked, err error) {
	known := edge.Problem(err)
	if known.Kind == registry.Invalid {
		field := fieldsOf[known.Code]
		if field == "" {
			field = "publisher"
		}
		p.wrongQuestion(w, r, a, &fieldProblem{field, known.Message, known.Hint})
		return
	}
	p.failed(w, r, err, domainForm{Domain: safe(a.publisher)})
}
