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
	app  *console.App
	sink *resume.Sink
	// formats are those in which answers are written, the format of the run first.
	formats []string
	several bool
	text    *trailText
	table   *console.Table
	// status is the highest exit code so far.
	status int
}

func newShower(a *console.App, f *flags, sink *resume.Sink, several bool, state *resume.State) *shower {
	s := &shower{app: a, sink: sink, formats: sink.Formats("text", "json", "csv"), several: several,
		status: console.ExitYes}
	s.text = &trailText{w: sink.In("text"), width: a.TextWidth()}
	if f.output == "" && state == nil {
		s.text.paint = a.Style(console.Stdout)
	}
	s.table = &console.Table{W: sink.In("csv"), Begun: state.Begun() > 0, Comma: a.Comma,
		Names: []string{"target", "answer", "method", "url", "code", "message"}}
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
	if err == nil && s.formats[0] == "csv" {
		err = s.table.Write()
	}
	return err
}

// target writes one answer and returns the exit code it stands for.
func (s *shower) target(r *check.Result) (int, error) {
	var code int
	if r.Err != nil {
		code = s.app.SayError(r.Err)
	} else {
		r.Count()
		code = answerCodes[r.Found.Answer]
		if r.Found.NothingFound() {
			code = console.ExitNo
		}
	}
	for _, format := range s.formats {
		err := s.in(format, r)
		if err != nil {
			return code, err
		}
	}
	return code, nil
}

// in writes one answer in a format.
func (s *shower) in(format string, r *check.Result) error {
	switch {
	case format == "json" && r.Err != nil:
		return console.WriteJSONLine(s.sink.In(format),
			discoverDocument{Target: r.Target.Name, Error: console.JSONErrorOf(r.Err)})
	case format == "json":
		return console.WriteJSONLine(s.sink.In(format), discoverDocumentOf(r))
	case format == "csv" && r.Err != nil:
		return s.table.Write(r.Target.Name, "", "", "", "", console.AsError(r.Err).Message)
	case format == "csv":
		return s.row(r)
	case r.Err == nil:
		return s.text.write(r, s.several)
	}
	return nil // the error is on standard error
}

// row writes one answer as a row of a table. Its columns are a contract: new ones may come at the
// end.
func (s *shower) row(r *check.Result) error {
	code := ""
	if len(r.Found.Findings) > 0 {
		code = r.Found.Findings[0].Code
	}
	return s.table.Write(r.Target.Name, r.Found.Answer.String(), r.Found.Method.String(), redact.URL(r.Found.ResolvedURL),
		code, report.AnswerSentence(r.Found))
}
