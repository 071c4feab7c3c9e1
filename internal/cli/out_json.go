package cli

import (
	"io"

	"github.com/avow-project/avow/adagents"
)

// jsonHandler writes one JSON document per target and line. The members are a
// contract: new ones may appear, none goes away or changes its meaning.
type jsonHandler struct {
	w        io.Writer
	profile  string
	baseline bool
}

type jsonResult struct {
	Target string  `json:"target"`
	Found  bool    `json:"found"`
	Valid  bool    `json:"valid"`
	Kind   *string `json:"kind"` // null when the file cannot be read as either
	// AuthoritativeLocation is where a pointer file points to.
	AuthoritativeLocation string `json:"authoritative_location,omitempty"`
	Profile               string `json:"profile"`
	// Error is set when Found is false.
	Error *jsonError `json:"error,omitzero"`
	// Discovery is the way to the file, for a target on the web.
	Discovery *jsonDiscovery `json:"discovery,omitzero"`
	Counts    jsonCounts     `json:"counts"`
	Findings  []jsonFinding  `json:"findings"`
	Usable    *jsonUsable    `json:"usable"` // null when consumers must not use the file
	Skipped   []jsonSkip     `json:"skipped"`
	// Agents is there when the endpoints were probed.
	Agents *[]jsonAgent `json:"agents,omitzero"`
}

type jsonError struct {
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

// jsonCounts are the exact numbers, also when findings are left out.
type jsonCounts struct {
	Error     int  `json:"error"`
	Warning   int  `json:"warning"`
	Info      int  `json:"info"`
	Omitted   int  `json:"omitted,omitzero"`
	Baselined *int `json:"baselined,omitzero"`
}

type jsonFinding struct {
	Code     string `json:"code"`
	Severity string `json:"severity"`
	Effect   string `json:"effect"`
	// URL is the document or the request concerned, for a target on the web.
	URL       string `json:"url,omitempty"`
	Pointer   string `json:"pointer"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	Message   string `json:"message"`
	Hint      string `json:"hint"`
	Detail    string `json:"detail,omitempty"`
	Spec      string `json:"spec"`
	More      int    `json:"more,omitzero"`
	Baselined bool   `json:"baselined,omitzero"`
}

// jsonUsable is how much of the file consumers use.
type jsonUsable struct {
	Agents      int `json:"agents"`
	Properties  int `json:"properties"`
	Collections int `json:"collections"`
	Placements  int `json:"placements"`
	Formats     int `json:"formats"`
	Signals     int `json:"signals"`
}

type jsonSkip struct {
	Pointer string `json:"pointer"`
	Reason  string `json:"reason"`
	Code    string `json:"code"`
}

func (h *jsonHandler) target(r *result) error {
	doc := jsonResult{Target: r.target.name, Profile: h.profile}
	if r.err != nil {
		doc.Error = errorForJSON(r.err)
		return writeJSONLine(h.w, doc)
	}
	doc.Found = r.found == nil || r.found.Found
	doc.Valid = r.valid()
	doc.Discovery = discoveryForJSON(r.found, r.at)
	if !doc.Found {
		doc.Error = &jsonError{Message: answerSentence(r.found), Hint: r.firstHint()}
	}
	doc.describe(r)
	doc.Counts = jsonCounts{
		Error: r.counts[adagents.Error], Warning: r.counts[adagents.Warning], Info: r.counts[adagents.Info], Omitted: r.omitted,
	}
	if h.baseline {
		doc.Counts.Baselined = &r.baselined
	}
	doc.Findings = findingsForJSON(r)
	if r.agents != nil {
		list := agentsForJSON(r.agents)
		doc.Agents = &list
	}
	return writeJSONLine(h.w, doc)
}

// firstHint is that of the first error about the way.
func (r *result) firstHint() string {
	for _, f := range r.findings {
		if f.doc == nil && f.Severity == adagents.Error {
			return f.Hint
		}
	}
	return ""
}

// describe fills in what is known about the files themselves.
func (doc *jsonResult) describe(r *result) {
	for _, d := range r.docs {
		if d.report.Pointer != nil {
			doc.AuthoritativeLocation = d.report.Pointer.AuthoritativeLocation
		}
	}
	if r.report == nil {
		return
	}
	kind := r.report.Kind.String()
	if kind != "" {
		doc.Kind = &kind
	}
	if !r.unusable() {
		doc.Usable = usableForJSON(r.report)
	}
	for _, s := range r.report.Skipped {
		doc.Skipped = append(doc.Skipped, jsonSkip{s.Pointer, s.Reason, s.Code})
	}
}

func (h *jsonHandler) finish(*tally) error { return nil }

func errorForJSON(err error) *jsonError {
	known := asError(err)
	return &jsonError{Message: known.msg, Hint: known.hint}
}

func findingsForJSON(r *result) []jsonFinding {
	list := make([]jsonFinding, 0, len(r.shown))
	for _, i := range r.shown {
		f := r.findings[i]
		list = append(list, jsonFinding{
			Code: f.Code, Severity: f.Severity.String(), Effect: f.Effect.String(), URL: f.url, Pointer: f.Pointer,
			Line: f.Line, Column: f.Column, Message: f.Message, Hint: f.Hint, Detail: f.detail, Spec: f.Spec,
			More: f.More, Baselined: r.isKnown(i),
		})
	}
	return list
}

func usableForJSON(r *adagents.Report) *jsonUsable {
	f := content(r)
	if f == nil {
		return nil
	}
	return &jsonUsable{
		Agents: activeAgents(f), Properties: len(f.Properties), Collections: len(f.Collections),
		Placements: len(f.Placements), Formats: len(f.Formats), Signals: len(f.Signals),
	}
}
