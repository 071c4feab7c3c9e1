package network

import (
	_ "embed"
	"html/template"
	"io"

	"github.com/avow-project/avow/internal/rollout"
	"github.com/avow-project/avow/internal/wire"
)

//go:embed page.html
var pageText string

// A share is a part of the coverage picture, in percent of its width.
type share struct {
	State    rollout.State
	Count    int
	At, Wide float64
}

// shares divides the picture among the states.
func (s *summary) shares() []share {
	var list []share
	at := 0.0
	for _, state := range rollout.States() {
		if n := s.counts[state]; n > 0 {
			wide := 100 * float64(n) / float64(len(s.rows))
			list = append(list, share{state, n, at, wide})
			at += wide
		}
	}
	return list
}

// writeHTML writes the report as one page that needs nothing else.
func (s *summary) writeHTML(w io.Writer) error {
	t, err := template.New("page").Parse(pageText)
	if err != nil {
		return err
	}
	return t.Execute(w, map[string]any{
		"File": s.file(), "Headline": s.headline(), "Made": wire.Time(s.now), "Shares": s.shares(), "Causes": s.causes(),
		"Rows": s.rows, "Contests": s.contests,
	})
}
