package web

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/headline"
	"github.com/avow-project/avow/internal/service/ops"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/resolve"
)

// flow is the way from a publisher to its properties, as steps and drawn.
type flow struct {
	Steps   []proofStep
	Picture picture
}

// flowOf shows how a publisher leads to a file, and what is in it: publisher, pointer, file, agents, properties.
func flowOf(domain string, doc *resolve.Document, h *headline.Headline, p *pen) *flow {
	f := &flow{Steps: []proofStep{{Kind: "Publisher", Value: safe(domain), State: stepHolds}}}
	stateOf := func(s resolve.State) string {
		if s == resolve.Usable {
			return stepHolds
		}
		return stepFails
	}
	for _, e := range doc.Route {
		f.Steps = append(f.Steps, proofStep{Kind: capital(cmp.Or(roleWords[e.Role], e.Role)), Value: p.url(e.URL),
			State: stateOf(e.State)})
	}
	f.Steps = append(f.Steps, proofStep{Kind: "File", Value: cmp.Or(p.url(doc.URL), "none"), Note: doc.State.String(),
		State: stateOf(doc.State)})
	if doc.State == resolve.Usable {
		state := map[headline.State]string{headline.Sells: stepHolds, headline.Partly: stepOpen}[h.State]
		owned := len(resolve.Owned(doc))
		own := proofStep{Kind: "Properties", Value: words.Plural(owned, "property", "properties"), State: stepHolds,
			Href: "#who"}
		if owned == 0 {
			own.State = stepFails
		}
		f.Steps = append(f.Steps, proofStep{Kind: "Agents", Value: words.Plural(len(doc.File.Agents), "entry", "entries"),
			Note: capital(safe(h.Text)), State: cmp.Or(state, stepFails), Href: "#who"}, own)
	}
	f.Picture = draw(f.Steps)
	return f
}

// A period is an entry with its countries, and when it is in effect as a bar.
type period struct {
	Agent, Entry, Where, When, Class string
	X, Width                         string
}

// periods are the entries that are limited to countries or times. Now is where the present is.
type periods struct {
	Rows            []period
	From, Until     time.Time
	Now             string
	More, Unlimited int
}

// mostPeriods is how many entries are drawn.
const mostPeriods = 20

// periodsOf draws the entries of a file; nil when none is limited.
func periodsOf(doc *resolve.Document, now time.Time, p *pen) *periods {
	if doc.State != resolve.Usable {
		return nil
	}
	x := &periods{From: now, Until: now}
	var limited []*adagents.Agent
	for i := range doc.File.Agents {
		a := &doc.File.Agents[i]
		from, begins := a.EffectiveFrom.Time()
		until, ends := a.EffectiveUntil.Time()
		if !begins && !ends && len(a.Countries) == 0 {
			x.Unlimited++
			continue
		}
		limited = append(limited, a)
		if begins && from.Before(x.From) {
			x.From = from
		}
		if ends && until.After(x.Until) {
			x.Until = until
		}
		if begins && from.After(x.Until) {
			x.Until = from
		}
		if ends && until.Before(x.From) {
			x.From = until
		}
	}
	if limited == nil {
		return nil
	}
	margin := max(x.Until.Sub(x.From)/20, 24*time.Hour)
	x.From, x.Until = x.From.Add(-margin), x.Until.Add(margin)
	x.Now = x.at(now)
	for i, a := range limited {
		if i == mostPeriods || p.dry() {
			x.More = len(limited) - i
			break
		}
		x.Rows = append(x.Rows, x.row(a, now, p))
	}
	return x
}

// at is the place of a time in percent.
func (x *periods) at(t time.Time) string {
	return strconv.FormatFloat(100*t.Sub(x.From).Seconds()/x.Until.Sub(x.From).Seconds(), 'f', 2, 64)
}

func (x *periods) row(a *adagents.Agent, now time.Time, p *pen) period {
	from, begins := a.EffectiveFrom.Time()
	until, ends := a.EffectiveUntil.Time()
	row := period{Agent: p.url(a.URL), Entry: entryNumber(entryIndex(a)), When: p.took(cmp.Or(windowOf(a), "always")),
		Class: "good"}
	row.Where = p.line(cmp.Or(strings.Join(a.Countries, ", "), "every country"), longestText)
	if !begins {
		from = x.From
	}
	if !ends {
		until = x.Until
	}
	if now.Before(from) || now.After(until) {
		row.Class = "none"
	}
	row.X = x.at(from)
	if until.Before(from) {
		until = from
	}
	row.Width = strconv.FormatFloat(max(100*until.Sub(from).Seconds()/x.Until.Sub(x.From).Seconds(), 0.5), 'f', 2, 64)
	return row
}

// coverage is the picture of all publishers by their state.
type coverage struct {
	Label string
	Parts []coveragePart
}

type coveragePart struct {
	Class, Title string
	Count        int
	X, Width     string
	Href         string
}

// add draws a part, behind those before it.
func (c *coverage) add(part coveragePart, at, wide float64) {
	part.X = strconv.FormatFloat(at, 'f', 3, 64)
	part.Width = strconv.FormatFloat(max(wide-0.15, 0.15), 'f', 3, 64)
	c.Parts = append(c.Parts, part)
	if c.Label != "" {
		c.Label += ", "
	}
	c.Label += part.Title + ": " + words.Thousands(part.Count)
}

// reachBar is how many publishers an agent reaches in a way, by their state.
type reachBar struct {
	Title, Label string
	Count        int
	Parts        []coveragePart
}

// reachOf draws the publishers of an agent by how their files are found and how fresh they are.
func reachOf(list []ops.Reached) []reachBar {
	most := 0
	var rows []reachBar
	for _, r := range list {
		name := cmp.Or(wayWords[r.Way], "not known")
		if len(rows) == 0 || rows[len(rows)-1].Title != name {
			rows = append(rows, reachBar{Title: name})
		}
		row := &rows[len(rows)-1]
		row.Parts = append(row.Parts, coveragePart{Class: cmp.Or(stateClasses[r.State], "none"), Title: r.State,
			Count: r.Count})
		row.Count += r.Count
		most = max(most, row.Count)
	}
	for i := range rows {
		at := 0
		for j := range rows[i].Parts {
			part := &rows[i].Parts[j]
			part.X, part.Width = percentOf(at, most), percentOf(part.Count, most)
			at += part.Count
			rows[i].Label += part.Title + ": " + words.Thousands(part.Count) + ". "
		}
	}
	return rows
}

func percentOf(n, all int) string {
	return strconv.FormatFloat(100*float64(n)/float64(all), 'f', 2, 64)
}
