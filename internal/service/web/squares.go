package web

import (
	"cmp"
	"net/url"
	"slices"

	"github.com/avow-project/avow/internal/catalogue"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/rollout"
	"github.com/avow-project/avow/internal/std/textsafe"
)

// squares is a picture with a square for each publisher of a network, in as many rows as the window needs.
// Larger networks have one for each publisher that has to do something, as far as there is room.
type squares struct {
	Label  string
	Groups []squareGroup
	// Left is how many publishers have no square.
	Left int
}

// A squareGroup has the squares of a state.
type squareGroup struct {
	Class, Title string
	Squares      []square
}

// A square leads to what there is to say about a publisher.
type square struct{ Publisher, Href string }

// mostSquares is how many squares a picture has at most.
const mostSquares = 400

// oneParam names the publisher that a visitor has chosen.
const oneParam = "one"

// squaresOf draws the publishers of a network by their state, those that lead to the file first.
func squaresOf(page, label string, s *rollout.Summary) squares {
	rows := make([]*rollout.Row, 0, len(s.Rows))
	for i := range s.Rows {
		if len(s.Rows) <= mostSquares || tones[s.Rows[i].State] != "good" {
			rows = append(rows, &s.Rows[i])
		}
	}
	order := rollout.States()
	slices.SortStableFunc(rows, func(a, b *rollout.Row) int {
		return cmp.Compare(slices.Index(order, a.State), slices.Index(order, b.State))
	})
	rows = rows[:min(len(rows), mostSquares)]
	pic := squares{Label: label, Left: len(s.Rows) - len(rows)}
	for i, r := range rows {
		if i == 0 || rows[i-1].State != r.State {
			pic.Groups = append(pic.Groups, squareGroup{Class: tones[r.State], Title: rolloutWords[r.State]})
		}
		g := &pic.Groups[len(pic.Groups)-1]
		g.Squares = append(g.Squares, square{
			Publisher: string(r.Publisher), Href: page + "?" + url.Values{oneParam: {string(r.Publisher)}}.Encode() + "#one",
		})
	}
	return pic
}

// onePublisher is what there is to say about a publisher of a network.
type onePublisher struct {
	rolloutRow
	// Message is what to write to it; empty when it need not do anything.
	Message string
}

// oneOf returns the publisher that a visitor has chosen; nil for none.
func oneOf(s *rollout.Summary, chosen string) *onePublisher {
	n := slices.IndexFunc(s.Rows, func(r rollout.Row) bool { return string(r.Publisher) == chosen })
	if n < 0 {
		return nil
	}
	r := &s.Rows[n]
	return &onePublisher{rolloutRowOf(r), textsafe.Lines(s.Message(r))}
}

func rolloutRowOf(r *rollout.Row) rolloutRow {
	return rolloutRow{string(r.Publisher), rolloutWords[r.State], tones[r.State], r.Code, catalogue.Lookup(r.Code).Title,
		safe(r.Detail), shortened(redact.URL(r.URL), longestText)}
}
