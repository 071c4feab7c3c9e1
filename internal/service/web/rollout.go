package web

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/catalogue"
	"github.com/avow-project/avow/internal/changes"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/rollout"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/textsafe"
	"github.com/avow-project/avow/internal/std/words"
)

const (
	// rowsOnPage is the number of publishers of a page, changesOnPage the number of changes that are seen at
	// once, and changesFolded the number behind them.
	rowsOnPage, changesOnPage, changesFolded = 50, 50, 1000
	// namesOfCause is the number of publishers that are named for a cause.
	namesOfCause = 5
)

// rolloutPage is what a run has found, or how far it is.
type rolloutPage struct {
	ID, Name string
	Started  time.Time
	Running  bool
	// Progress says how far the run is, in words and out of Total.
	Progress    string
	Done, Total int
	Error, Hint string
	OptedOut    int

	Headline string
	Took     string
	Cards    []coverageCard
	Picture  coverage
	Squares  squares
	One      *onePublisher
	Causes   []rolloutCause
	Contests []rollout.Contest
	Deploy   *deployment
	Table    rolloutTable
}

// A coverageCard is a number with what it counts. Class is the tone of its states or notHere, and Href leads to
// the publishers.
type coverageCard struct {
	Class, Text, Detail, Href string
	Count                     int
}

// notHere is for the states without a way to the file: the last ones of reports.
const notHere = "not_here"

var cards = []coverageCard{
	{Class: "good", Text: "point at this file"}, {Class: "warn", Text: "reach it another way"},
	{Class: "bad", Text: "lead elsewhere, or are wrong"}, {Class: "none", Text: "have nothing there, or gave no answer"},
	{Class: notHere, Text: "do not lead here"},
}

// selects reports whether a choice is a state, or a card that counts it.
func selects(choice string, s rollout.State) bool {
	order := rollout.States()
	return choice == "" || choice == string(s) || choice == tones[s] ||
		choice == notHere && slices.Index(order, s) >= slices.Index(order, rollout.ServedWrong)
}

// A rolloutCause is why publishers are in a state, with what to do.
type rolloutCause struct {
	Class, State, Code, Title, Why, Hint string
	Publishers                           []string
	Count, More                          int
	To, Message                          string
}

// deployment is what a file would change.
type deployment struct {
	Error, Hint string
	// Done is set when there is a comparison.
	Done   bool
	Alerts int
	Reach  string
	// Lines are seen at once, Folded when they are asked for; More are not shown.
	Lines, Folded []deployLine
	More          int
}

type deployLine struct {
	Class, Severity, Code string
	Text                  []lead
}

// rolloutTable is a page of the publishers.
type rolloutTable struct {
	States     [][2]string
	State, For string
	Rows       []rolloutRow
	// Found is the number of publishers that are meant, and First the number of the first on the
	// page.
	Found, First, Last int
	Before, After      string
}

// tones are the colours of the states.
var tones = map[rollout.State]string{
	rollout.IsHere: "good", rollout.PointsHere: "good", rollout.NothingHere: "bad", rollout.OtherWay: "warn",
	rollout.RevokedPointing: "bad", rollout.Orphan: "bad", rollout.ServedWrong: "bad",
	rollout.Elsewhere: "bad", rollout.OwnFile: "bad", rollout.Absent: "none", rollout.Unresolvable: "none",
	rollout.Unreachable: "none",
}

// rolloutWords are the states for people.
var rolloutWords = map[rollout.State]string{
	rollout.IsHere: "serves the file itself", rollout.PointsHere: "points here",
	rollout.NothingHere: "points here, and has no property in the file", rollout.OtherWay: "reaches it another way",
	rollout.RevokedPointing: "revoked and still pointing", rollout.Orphan: "points here without being named",
	rollout.ServedWrong: "served wrong", rollout.Elsewhere: "leads elsewhere", rollout.OwnFile: "file of its own",
	rollout.Absent:       "nothing there",
	rollout.Unresolvable: "name does not resolve", rollout.Unreachable: "no answer",
}

func (p *Pages) rolloutPage(run *registry.Rollout, q url.Values, d *deployment) *rolloutPage {
	state := run.State()
	page := &rolloutPage{ID: run.ID, Started: run.Started, Running: state.Ended.IsZero(), Done: state.Done,
		Total: state.Total, OptedOut: state.OptedOut, Deploy: d}
	if state.File != "" {
		page.Name = shortened(redact.URL(state.File), longestText)
	}
	switch {
	case page.Running:
		page.Progress = p.progressWords(run, &state)
	case state.Problem != nil:
		page.Error, page.Hint = strings.TrimSuffix(sentence(safe(state.Problem.Message)), "."),
			strings.TrimSuffix(sentence(safe(state.Problem.Hint)), ".")
	case state.Summary != nil:
		page.Took = state.Ended.Sub(run.Started).Round(100 * time.Millisecond).String()
		page.fill(state.Summary, q)
	}
	if page.Deploy == nil {
		page.Deploy = &deployment{}
	}
	return page
}

// progressWords say how far a run is, at which rate, and how long the rest takes.
func (p *Pages) progressWords(run *registry.Rollout, s *registry.RolloutState) string {
	if s.Total == 0 {
		return "Reading the file."
	}
	text := words.Thousands(s.Done) + " of " + words.Plural(s.Total, "publisher was", "publishers were") + " asked"
	if s.Failed > 0 {
		text += ", of which " + words.Thousands(s.Failed) + " gave no answer"
	}
	spent := p.now().Sub(run.Started)
	if spent < time.Second || s.Done == 0 {
		return text + "."
	}
	rate := float64(s.Done) / spent.Seconds()
	left := time.Duration(float64(s.Total-s.Done) / rate * float64(time.Second)).Round(time.Second)
	return text + fmt.Sprintf("; %.1f a second, about %s left.", rate, left)
}

// fill puts what was found on the page.
func (g *rolloutPage) fill(s *rollout.Summary, q url.Values) {
	g.Headline = strconv.FormatFloat(s.Percent(), 'f', 1, 64) + " % of the publishers that the file names lead to it: " +
		words.Thousands(s.Reached) + " of " + words.Thousands(s.Named)
	g.Cards = cardsOf(g.ID, s)
	g.Picture = g.draw(s)
	g.Squares = squaresOf("/network/"+g.ID, g.Picture.Label, s)
	g.One = oneOf(s, q.Get(oneParam))
	for _, c := range s.Causes() {
		g.Causes = append(g.Causes, causeOf(&c))
	}
	for _, c := range s.Contests[:min(len(s.Contests), rowsOnPage)] {
		g.Contests = append(g.Contests, rollout.Contest{Type: shortened(c.Type, longestItem),
			Value: shortened(c.Value, longestItem), ClaimedBy: c.ClaimedBy[:min(len(c.ClaimedBy), namesOfCause)]})
	}
	g.Table = tableOf(g.ID, s, q)
}

// cardsOf sums the states up.
func cardsOf(id string, s *rollout.Summary) []coverageCard {
	list := slices.Clone(cards)
	for i := range list {
		c := &list[i]
		c.Href = tableURL(id, c.Class, "", 0)
		for _, state := range rollout.States() {
			n := s.Counts[state]
			if n == 0 || !selects(c.Class, state) {
				continue
			}
			c.Count += n
			if c.Detail != "" {
				c.Detail += "; "
			}
			c.Detail += rolloutWords[state] + ": " + words.Thousands(n)
		}
	}
	return list
}

// draw makes the picture of all publishers.
func (g *rolloutPage) draw(s *rollout.Summary) coverage {
	pic := coverage{}
	for _, share := range s.Shares() {
		pic.add(coveragePart{Class: tones[share.State], Title: rolloutWords[share.State], Count: share.Count,
			Href: tableURL(g.ID, string(share.State), "", 0)}, share.At, share.Wide)
	}
	return pic
}

func causeOf(c *rollout.Cause) rolloutCause {
	rule := catalogue.Lookup(c.Code)
	var publishers []string
	for _, row := range c.Rows[:min(len(c.Rows), namesOfCause)] {
		publishers = append(publishers, string(row.Publisher))
	}
	return rolloutCause{
		Class: tones[c.State], State: rolloutWords[c.State], Code: c.Code,
		Title: strings.TrimSuffix(sentence(rule.Title), "."), Why: rule.Why, Hint: sentence(rule.Hint),
		Publishers: publishers, Count: len(c.Rows), More: len(c.Rows) - len(publishers),
		To: string(c.Rows[0].Publisher), Message: textsafe.Lines(c.Message),
	}
}

// tableOf returns the page of the publishers that a request asks for.
func tableOf(id string, s *rollout.Summary, q url.Values) rolloutTable {
	t := rolloutTable{For: shortened(strings.ToLower(strings.TrimSpace(q.Get("for"))), longestItem), State: q.Get("state")}
	for _, c := range cards {
		t.States = append(t.States, [2]string{c.Class, c.Text})
	}
	for _, state := range rollout.States() {
		t.States = append(t.States, [2]string{string(state), rolloutWords[state]})
	}
	first, err := strconv.Atoi(q.Get("from"))
	if err != nil || first < 0 || first >= len(s.Rows) {
		first = 0
	}
	for _, r := range worstFirst(s.Rows) {
		if !selects(t.State, r.State) || t.For != "" && !strings.Contains(string(r.Publisher), t.For) &&
			!strings.Contains(r.Code, t.For) {
			continue
		}
		t.Found++
		if t.Found > first && len(t.Rows) < rowsOnPage {
			t.Rows = append(t.Rows, rolloutRowOf(r))
		}
	}
	t.First, t.Last = first+1, first+len(t.Rows)
	if first > 0 {
		t.Before = tableURL(id, t.State, t.For, max(first-rowsOnPage, 0))
	}
	if t.Last < t.Found {
		t.After = tableURL(id, t.State, t.For, t.Last)
	}
	return t
}

// worstFirst returns the rows with those first whose publishers have to do something.
func worstFirst(rows []rollout.Row) []*rollout.Row {
	list := make([]*rollout.Row, len(rows))
	for i := range rows {
		list[i] = &rows[i]
	}
	order := map[string]int{"bad": 0, "none": 1, "warn": 2, "good": 3}
	slices.SortStableFunc(list, func(a, b *rollout.Row) int { return order[tones[a.State]] - order[tones[b.State]] })
	return list
}

// tableURL is the address of a page of publishers.
func tableURL(id, state, text string, from int) string {
	q := url.Values{}
	if state != "" {
		q.Set("state", state)
	}
	if text != "" {
		q.Set("for", text)
	}
	if from > 0 {
		q.Set("from", strconv.Itoa(from))
	}
	u := url.URL{Path: "/network/" + id, RawQuery: q.Encode(), Fragment: "publishers"}
	return u.String()
}

// compare says what a document would change.
func (d *deployment) compare(from *registry.Deployment, doc []byte) {
	live, next := redact.Report(from.LiveBody, from.Live).File, redact.Report(doc, from.Next).File
	list, reach := custody.CompareReach(live, next)
	d.Done, d.Reach = true, changes.ReachWords(reach)
	all := changes.Comparison{Old: live, Next: next, Changes: list}
	named := namesIn(list)
	for _, line := range all.Lines(false) {
		if line.Severity == custody.Alert {
			d.Alerts++
		}
		next := deployLine{severityClasses[line.Severity.String()], line.Severity.String(), line.Code,
			named.Link(safe(line.Text))}
		switch {
		case len(d.Lines) < changesOnPage:
			d.Lines = append(d.Lines, next)
		case len(d.Folded) < changesFolded:
			d.Folded = append(d.Folded, next)
		default:
			d.More++
		}
	}
}

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

type rolloutRow struct{ Publisher, State, Class, Code, Title, Detail, URL string }

func rolloutRowOf(r *rollout.Row) rolloutRow {
	return rolloutRow{string(r.Publisher), rolloutWords[r.State], tones[r.State], r.Code, catalogue.Lookup(r.Code).Title,
		safe(r.Detail), shortened(redact.URL(r.URL), longestText)}
}
