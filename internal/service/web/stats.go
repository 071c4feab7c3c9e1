package web

import (
	"cmp"
	"net/http"
	"strconv"
	"time"

	"github.com/avow-project/avow/internal/service/ops"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/internal/wire"
)

// statsPage is the state of the crawl.
type statsPage struct {
	At      time.Time
	Total   int
	Numbers []statsNumber
	States  coverage
	Rows    []statsRow
	Ages    histogram
	Checked int
	// Unattended: no worker is crawling.
	Unattended bool
}

type statsNumber struct {
	Count     int
	One, Many string
}

type statsRow struct {
	State, Class, Meaning, Percent string
	Count                          int
}

// A histogram is a picture of bars below each other, narrow enough for a phone.
type histogram struct {
	Width, Height int
	Label         string
	Bars          []histogramBar
}

type histogramBar struct {
	X, Y, Width, Height, Base, After int
	Count, Text                      string
}

// The measures of the histogram, in its own units.
const (
	barLong, barHigh, barGap = 160, 18, 10
	barName, barCount        = 86, 74
)

// ageWords are the classes of directory.Ages, and what is older.
var ageWords = []string{"< 1 hour", "1–6 hours", "6–24 hours", "1–3 days", "3–7 days", "> 7 days"}

// stats answers with the state of the crawl.
func (p *Pages) stats(w http.ResponseWriter, r *http.Request) {
	v := p.view(w, r)
	if v == nil {
		return
	}
	s := v.Stats()
	page := &statsPage{At: p.now(), Total: s.KnownPublishers, Unattended: s.Unattended}
	for _, age := range s.LooksByAge {
		page.Checked += age.Publishers
	}
	page.Numbers = []statsNumber{
		{page.Total, "publisher is known", "publishers are known"},
		{s.DiscoveredPublishers, "has a file in effect", "have a file in effect"},
		{s.DiscoveredAgents, "agent may sell something", "agents may sell something"},
		{s.Authorizations, "pair of an agent and a publisher", "pairs of an agent and a publisher"},
		{s.DiscoveredProperties, "property", "properties"},
	}
	if v.Err() != nil {
		p.failed(w, r, v.Err(), domainForm{})
		return
	}
	page.drawStates(s)
	page.Ages = drawAges(s.LooksByAge)
	p.render(w, r, http.StatusOK, "stats", page)
}

// drawStates makes the picture of all publishers by their state.
func (g *statsPage) drawStates(s *ops.StatsReply) {
	at := 0.0
	for _, m := range wire.PublisherStates {
		n := s.PublishersByState[string(m.State)]
		class := cmp.Or(stateClasses[string(m.State)], "none")
		row := statsRow{State: string(m.State), Class: class, Meaning: m.Meaning, Count: n}
		if n > 0 {
			wide := 100 * float64(n) / float64(g.Total)
			row.Percent = strconv.FormatFloat(wide, 'f', 1, 64) + " %"
			g.States.add(coveragePart{Class: class, Title: row.State, Count: n}, at, wide)
			at += wide
		}
		g.Rows = append(g.Rows, row)
	}
}

// drawAges makes the picture of how long ago publishers were last checked.
func drawAges(ages []ops.LookAge) histogram {
	pic := histogram{Width: barName + barLong + barCount, Height: len(ages) * (barHigh + barGap)}
	most := 1
	for _, age := range ages {
		most = max(most, age.Publishers)
	}
	for i, age := range ages {
		n := age.Publishers
		long := barLong * n / most
		if n > 0 {
			long = max(long, 2)
		}
		y := i*(barHigh+barGap) + barGap/2
		pic.Bars = append(pic.Bars, histogramBar{
			X: barName, Y: y, Width: long, Height: barHigh, Base: y + barHigh - 4, After: barName + long + 6,
			Count: words.Thousands(n), Text: ageWords[i],
		})
		if i > 0 {
			pic.Label += ", "
		}
		pic.Label += ageWords[i] + ": " + words.Thousands(n)
	}
	return pic
}
