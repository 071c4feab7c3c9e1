package report

import (
	"io"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/answer"
	"github.com/avow-project/avow/internal/cli/check"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/headline"
	"github.com/avow-project/avow/internal/wire"
)

// JSON writes one JSON document per target and line. The members are a
// contract: new ones may appear, none goes away or changes its meaning.
type JSON struct {
	W        io.Writer
	Profile  string
	Baseline bool
	heads    headlines
}

type resultDocument struct {
	Target string  `json:"target"`
	Found  bool    `json:"found"`
	Valid  bool    `json:"valid"`
	Kind   *string `json:"kind"` // null when the file cannot be read as either
	// AuthoritativeLocation is where a pointer file points to.
	AuthoritativeLocation string `json:"authoritative_location,omitempty"`
	Profile               string `json:"profile"`
	// Headline is there for a publisher: the first thing to say about it, as everywhere.
	Headline *headline.Headline `json:"headline,omitzero"`
	// Error is set when Found is false.
	Error *console.JSONError `json:"error,omitzero"`
	// Discovery is the way to the file, for a target on the web.
	Discovery *wire.Discovery `json:"discovery,omitzero"`
	Counts    Counts          `json:"counts"`
	Findings  []finding       `json:"findings"`
	Usable    *wire.Usable    `json:"usable"` // null when consumers must not use the file
	Skipped   []answer.Skip   `json:"skipped"`
	// Failed is there when something else than errors decides about the exit code: --fail-on,
	// fail_on, or that the file authorizes none of its agents.
	Failed *bool `json:"failed,omitzero"`
	// Expected is there when the target was compared with a file.
	Expected *expectedDocument `json:"expected,omitzero"`
	// Agents is there when the endpoints were probed.
	Agents *[]wire.Agent `json:"agents,omitzero"`
}

// Counts are the exact numbers, also when findings are left out.
type Counts struct {
	Error     int  `json:"error"`
	Warning   int  `json:"warning"`
	Info      int  `json:"info"`
	Omitted   int  `json:"omitted,omitzero"`
	Baselined *int `json:"baselined,omitzero"`
}

// finding is a finding with what is for commands only.
type finding struct {
	wire.Finding
	Detail    string `json:"detail,omitempty"`
	Baselined bool   `json:"baselined,omitzero"`
}

// Target writes one document.
func (h *JSON) Target(r *check.Result) error {
	doc := resultDocument{Target: r.Target.Name, Profile: h.Profile}
	if r.Err != nil {
		doc.Error = console.JSONErrorOf(r.Err)
		return console.WriteJSONLine(h.W, doc)
	}
	doc.Found = r.Found == nil || r.Found.Found
	doc.Valid = r.Valid()
	doc.Headline = h.heads.of(r)
	doc.Discovery = wire.DiscoveryOf(r.Found, r.At)
	if r.Target.Ask != nil {
		// How it is served is half of the question.
		doc.Discovery.Hops[0].Exchanges = []wire.Exchange{wire.ExchangeOf(r.Found.Trail[0].Result.Last())}
	}
	if !doc.Found {
		doc.Error = &console.JSONError{Message: AnswerSentence(r.Found), Hint: firstHint(r)}
	}
	doc.describe(r)
	doc.Counts = Counts{
		Error: r.Counts[adagents.Error], Warning: r.Counts[adagents.Warning], Info: r.Counts[adagents.Info],
		Omitted: r.Omitted,
	}
	if h.Baseline {
		doc.Counts.Baselined = &r.Baselined
	}
	doc.Findings = findingsForJSON(r)
	doc.Expected = expectedForJSON(r.Expected)
	if r.Failing != nil || r.AuthorizesNone {
		failed := r.AuthorizesNone || *r.Failing > 0
		doc.Failed = &failed
	}
	if r.Agents != nil {
		list := AgentsOf(r.Agents)
		doc.Agents = &list
	}
	return console.WriteJSONLine(h.W, doc)
}

// firstHint is the hint of the first error in discovery.
func firstHint(r *check.Result) string {
	for _, f := range r.Findings {
		if f.Doc == nil && f.Severity == adagents.Error {
			return f.Hint
		}
	}
	return ""
}

// describe fills in what is known about the files themselves.
func (doc *resultDocument) describe(r *check.Result) {
	for _, d := range r.Docs {
		if d.Report.Pointer != nil {
			doc.AuthoritativeLocation = d.Report.Pointer.AuthoritativeLocation
		}
	}
	if r.Report == nil {
		return
	}
	kind := r.Report.Kind.String()
	if kind != "" {
		doc.Kind = &kind
	}
	if !Unusable(r) {
		doc.Usable = UsableOf(r.Report)
	}
	doc.Skipped = answer.SkipsOf(r.Report.Skipped)
}

// Finish has nothing to add.
func (h *JSON) Finish(*check.Summary) error { return nil }

func findingsForJSON(r *check.Result) []finding {
	list := make([]finding, 0, len(r.Shown))
	for _, i := range r.Shown {
		f := r.Findings[i]
		list = append(list, finding{wire.CLI.Finding(f.Finding, f.URL), f.Detail, r.IsKnown(i)})
	}
	return list
}
