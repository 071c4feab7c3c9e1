package web

import (
	"bytes"
	"errors"
	"mime/multipart"
	"net/http"
	"strings"

	"github.com/avow-project/avow/internal/domainlist"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/textsafe"
	"github.com/avow-project/avow/internal/std/words"
)

// networkRoutes are the form for a network, and its runs.
func (p *Pages) networkRoutes() {
	p.handle("GET /network", edge.Static, 0, p.networkForm)
	p.handle("POST /network", edge.Validate, largestBody, p.startNetwork)
	p.handle("GET /network/{id}", edge.Read, 0, p.network)
	p.handle("GET /network/{id}/progress", edge.Read, 0, p.networkProgress)
	p.handle("GET /network/{id}/publishers.csv", edge.Read, 0, p.networkTable)
	p.handle("GET /network/{id}/messages.txt", edge.Read, 0, p.networkMessages)
	p.handle("POST /network/{id}/deploy", edge.Validate, largestBody, p.deployNetwork)
}

// networkForm is the form for a network.
type networkForm struct {
	File, List, Column string
	Error, Hint        string
	// Most is how many publishers are asked, and Keyed how many with a key.
	Most, Keyed int
}

func (p *Pages) networkForm(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "public, max-age=300")
	file := safe(r.URL.Query().Get("network"))
	form := &networkForm{File: file, Most: registry.OpenRollout, Keyed: registry.MaxRollout}
	p.render(w, r, http.StatusOK, "network", form)
}

// startNetwork begins a run, and leads to its page.
func (p *Pages) startNetwork(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Robots-Tag", "noindex")
	r.Body = http.MaxBytesReader(w, r.Body, largestBody)
	request, form, status := readNetwork(r)
	if status == http.StatusOK {
		run, err := p.service.StartRollout(request)
		if err == nil {
			http.Redirect(w, r, "/network/"+run.ID, http.StatusSeeOther)
			return
		}
		known := edge.Problem(err)
		if known == edge.Internal {
			p.failed(w, r, err, domainForm{})
			return
		}
		status, _ = edge.Answer(w.Header(), known)
		form.Error, form.Hint = safe(known.Message), safe(known.Hint)
	}
	form.Most, form.Keyed = registry.OpenRollout, registry.MaxRollout
	p.render(w, r, status, "network", form)
}

// readNetwork reads the form. The status is not 200 when the form says what is wrong.
func readNetwork(r *http.Request) (registry.RolloutRequest, *networkForm, int) {
	form := &networkForm{}
	text, problem := readUpload(r, "list")
	if problem != nil {
		form.Error, form.Hint = problem.Message, problem.Hint
		return registry.RolloutRequest{}, form, formStatus(problem)
	}
	form.File, form.Column = safe(strings.TrimSpace(r.PostFormValue("network"))),
		safe(strings.TrimSpace(r.PostFormValue("column")))
	if len(text) <= largestEcho && harmless(text) {
		form.List = string(text)
	}
	request := registry.RolloutRequest{File: strings.TrimSpace(r.PostFormValue("network")),
		Caller: registry.CallerOf(r.Context())}
	if len(request.File) > longestDomain {
		form.Error, form.Hint = "this is too long for the address of a file",
			"write its https URL, or the domain of the network"
		return request, form, http.StatusBadRequest
	}
	if trimmed := bytes.TrimSpace(text); len(trimmed) > 0 && trimmed[0] == '{' {
		form.List = ""
		form.Error, form.Hint = "this is the file itself, and not a list of domains",
			"name its https URL above; the page that follows compares it with what is live"
		return request, form, http.StatusBadRequest
	}
	list, err := domainlist.Read(text,
		domainlist.Options{Column: r.PostFormValue("column"), Most: 4 * registry.MaxRollout})
	switch {
	case err != nil:
		form.Error, form.Hint = listProblem(err)
	case list.Bad > 0:
		form.Error, form.Hint = badLines(list)
	}
	if form.Error != "" {
		return request, form, http.StatusBadRequest
	}
	request.List = list.Domains
	return request, form, http.StatusOK
}

// listProblem says what is wrong with a list.
func listProblem(err error) (string, string) {
	var column *domainlist.ColumnError
	var many *domainlist.TooManyError
	switch {
	case errors.As(err, &many):
		return "the list has more than " + words.Thousands(many.Most) + " lines",
			"use the program for a network of that size: avow network"
	case errors.As(err, &column):
		return safe(column.Error()),
			shortened("write the column’s name or number below; the first line has: "+strings.Join(column.First, ", "),
				longestText)
	}
	return safe("the list is not a CSV file: " + err.Error()), "write one domain in each line"
}

// badLines says which lines are no domains.
func badLines(list *domainlist.List) (string, string) {
	text := words.Plural(list.Bad, "line is not a domain name", "lines are not domain names")
	for i, n := range list.Notes {
		if i == 3 {
			text += " …"
			break
		}
		text += "; line " + words.Thousands(n.Line) + ": " + n.Text
	}
	return safe(text), "correct the list, so that no publisher is left out"
}

// readUpload reads a document from the field of a form, or from its file.
func readUpload(r *http.Request, field string) ([]byte, *registry.Error) {
	tooLarge := &registry.Error{Kind: registry.TooLarge, Message: "this is larger than 5 MB", Hint: "use the program avow"}
	err := r.ParseMultipartForm(largestBody + 1)
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over) || errors.Is(err, multipart.ErrMessageTooLarge):
		return nil, tooLarge
	case err != nil && !errors.Is(err, http.ErrNotMultipart):
		return nil, &registry.Error{Kind: registry.Invalid, Message: "the form could not be read",
			Hint: "please send it again"}
	}
	text := []byte(strings.ReplaceAll(r.PostFormValue(field), "\r\n", "\n"))
	upload, err := uploaded(r)
	switch {
	case err != nil:
		return nil, &registry.Error{Kind: registry.Invalid, Message: "the file could not be read",
			Hint: "please choose it again"}
	case len(upload) > 0:
		text = upload
	}
	if len(text) > largestPaste {
		return nil, tooLarge
	}
	return text, nil
}

// formStatus is the status of a form that says what is wrong.
func formStatus(e *registry.Error) int {
	if e.Kind == registry.TooLarge {
		return http.StatusRequestEntityTooLarge
	}
	return http.StatusBadRequest
}

// run returns the run that a request names. When it returns nil, the request is answered.
func (p *Pages) run(w http.ResponseWriter, r *http.Request) *registry.Rollout {
	w.Header().Set("X-Robots-Tag", "noindex")
	run := p.service.Rollout(r.PathValue("id"))
	if run == nil {
		p.fail(w, r, &problemPage{
			Status: http.StatusNotFound, Title: "This run is not known any more",
			Message: "What was found is kept for two hours, on the machine that has asked.",
			Hint:    "Start again on the page Network.",
		})
	}
	return run
}

// network answers with what a run has found, or how far it is.
func (p *Pages) network(w http.ResponseWriter, r *http.Request) {
	run := p.run(w, r)
	if run != nil {
		p.render(w, r, http.StatusOK, "rollout", p.rolloutPage(run, r.URL.Query(), nil))
	}
}

// deployNetwork says what a file would change that takes the place of the network's.
func (p *Pages) deployNetwork(w http.ResponseWriter, r *http.Request) {
	run := p.run(w, r)
	if run == nil {
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, largestBody)
	result := &deployment{}
	status := http.StatusOK
	doc, problem := readUpload(r, "document")
	state := run.State()
	switch {
	case problem != nil:
		status, result.Error, result.Hint = formStatus(problem), problem.Message, problem.Hint
	case len(bytes.TrimSpace(doc)) == 0:
		status, result.Error, result.Hint = http.StatusBadRequest, "no file was given",
			"choose the file that you are about to deploy"
	case state.Summary == nil:
		status, result.Error, result.Hint = http.StatusConflict, "the run is not over", "wait until it is"
	default:
		d, err := p.service.BeforeDeploy(r.Context(), state.File, doc, registry.CallerOf(r.Context()))
		if err == nil {
			result.compare(d, doc)
			break
		}
		known := edge.Problem(err)
		if known == edge.Internal {
			p.log.ErrorContext(r.Context(), "cannot compare", "error", err)
		}
		status, _ = edge.Answer(w.Header(), known)
		result.Error, result.Hint = safe(known.Message), safe(known.Hint)
	}
	p.render(w, r, status, "rollout", p.rolloutPage(run, r.URL.Query(), result))
}

// progressDocument is how far a run is, for the script of its page.
type progressDocument struct {
	Total int    `json:"total"`
	Done  int    `json:"done"`
	Text  string `json:"text"`
	Ended bool   `json:"ended"`
}

func (p *Pages) networkProgress(w http.ResponseWriter, r *http.Request) {
	run := p.run(w, r)
	if run == nil {
		return
	}
	state := run.State()
	p.reply(w, r, &progressDocument{state.Total, state.Done, p.progressWords(run, &state), !state.Ended.IsZero()}, nil)
}

// networkTable answers with all publishers as a table.
func (p *Pages) networkTable(w http.ResponseWriter, r *http.Request) {
	p.download(w, r, "text/csv; charset=utf-8", "publishers.csv", func(s *registry.RolloutState, b *bytes.Buffer) error {
		return s.Summary.WriteCSV(b, 0)
	})
}

// networkMessages answers with a message for each publisher that has to do something.
func (p *Pages) networkMessages(w http.ResponseWriter, r *http.Request) {
	p.download(w, r, "text/plain; charset=utf-8", "messages.txt", func(s *registry.RolloutState, b *bytes.Buffer) error {
		for i := range s.Summary.Rows {
			row := &s.Summary.Rows[i]
			if text := s.Summary.Message(row); text != "" {
				b.WriteString("To: " + string(row.Publisher) + "\n" + textsafe.Lines(text) + "\n" + strings.Repeat("-", 60) + "\n")
			}
		}
		return nil
	})
}

// download answers with a file about a run that is over.
func (p *Pages) download(w http.ResponseWriter, r *http.Request, media, name string,
	write func(*registry.RolloutState, *bytes.Buffer) error) {
	run := p.run(w, r)
	if run == nil {
		return
	}
	state := run.State()
	if state.Summary == nil {
		http.Redirect(w, r, "/network/"+run.ID, http.StatusSeeOther)
		return
	}
	var b bytes.Buffer
	err := write(&state, &b)
	if err != nil {
		p.failed(w, r, err, domainForm{})
		return
	}
	h := w.Header()
	h.Set("Content-Type", media)
	h.Set("Content-Disposition", `attachment; filename="`+name+`"`)
	h.Set("Cache-Control", "no-store")
	sendPacked(w, r, http.StatusOK, b.Bytes())
}
