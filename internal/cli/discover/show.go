package discover

import (
	"context"
	"iter"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/internal/cli/check"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/report"
	"github.com/avow-project/avow/internal/cli/resume"
	"github.com/avow-project/avow/internal/redact"
)

// A shower writes answers.
type shower struct {
	app     *console.App
	sink    *resume.Sink
	format  string
	several bool
	text    *trailText
	table   *console.Table
	// status is the highest exit code so far.
	status int
}

func newShower(a *console.App, f *flags, sink *resume.Sink, several bool, state *resume.State) *shower {
	s := &shower{app: a, sink: sink, format: f.format.Value, several: several, status: console.ExitYes}
	s.text = &trailText{w: sink, width: a.TextWidth()}
	if f.output == "" {
		s.text.paint = a.Style(console.Stdout)
	}
	s.table = &console.Table{W: sink, Begun: state.Begun() > 0, Comma: a.Comma, Names: []string{"target", "answer", "method", "url", "code", "message"}}
	return s
}

// known takes note of what an earlier run has found.
func (s *shower) known(note []byte) error {
	var code int
	err := json.Unmarshal(note, &code)
	s.status = max(s.status, code)
	return err
}

// all writes the answers as they come.
func (s *shower) all(ctx context.Context, results iter.Seq[*check.Result]) error {
	for r := range results {
		code, err := s.target(r)
		s.status = max(s.status, code)
		if err == nil {
			err = s.sink.Done(r.Target.Name, code)
		}
		if err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	err := s.sink.End()
	if err == nil && s.format == "csv" {
		err = s.table.Write()
	}
	return err
}

// target writes one answer and returns the exit code it stands for.
func (s *shower) target(r *check.Result) (int, error) {
	if r.Err != nil {
		code := s.app.SayError(r.Err)
		switch s.format {
		case "json", "ndjson":
			return code, console.WriteJSONLine(s.sink, discoverDocument{Target: r.Target.Name, Error: console.JSONErrorOf(r.Err)})
		case "csv":
			return code, s.table.Write(r.Target.Name, "", "", "", "", console.AsError(r.Err).Message)
		}
		return code, nil
	}
	r.Count()
	code := answerCodes[r.Found.Answer]
	if r.Found.NothingFound() {
		code = console.ExitNo
	}
	switch s.format {
	case "json", "ndjson":
		return code, console.WriteJSONLine(s.sink, discoverDocumentOf(r))
	case "csv":
		return code, s.row(r)
	}
	return code, s.text.write(r, s.several)
}

// row writes one answer as a row of a table. Its columns are a contract: new ones may come at the
// end.
func (s *shower) row(r *check.Result) error {
	code := ""
	if len(r.Found.Findings) > 0 {
		code = r.Found.Findings[0].Code
	}
	return s.table.Write(r.Target.Name, r.Found.Answer.String(), r.Found.Method.String(), redact.URL(r.Found.ResolvedURL), code, report.AnswerSentence(r.Found))
}
