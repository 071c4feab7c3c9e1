package network

import (
	_ "embed"
	"html/template"
	"io"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/catalogue"
	"github.com/avow-project/avow/internal/rollout"
	"github.com/avow-project/avow/internal/wire"
)

//go:embed page.html
var pageText string

// A cause is one with what is known of its code.
type cause struct {
	rollout.Cause
	Rule adagents.Rule
}

// causes returns why publishers are in their states.
func causes(s *rollout.Summary) []cause {
	var list []cause
	for _, c := range s.Causes() {
		list = append(list, cause{c, catalogue.Lookup(c.Code)})
	}
	return list
}

// writeHTML writes the report as one page that needs nothing else.
func writeHTML(w io.Writer, s *rollout.Summary) error {
	t, err := template.New("page").Parse(pageText)
	if err != nil {
		return err
	}
	return t.Execute(w, map[string]any{
		"File": s.File(), "Headline": s.Headline(), "Made": wire.Time(s.Now), "Shares": s.Shares(), "Causes": causes(s),
		"Rows": s.Rows, "Contests": s.Contests,
	})
}
