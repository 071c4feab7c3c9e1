package web

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/headline"
	"github.com/avow-project/avow/internal/rollout"
	"github.com/avow-project/avow/internal/service/ops"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// networkOf is the summary of a network of so many publishers, of which every tenth has no file.
func networkOf(n int) *rollout.Summary {
	s := &rollout.Summary{Network: new(rollout.Network), Counts: map[rollout.State]int{}, Named: n}
	for i := range n {
		row := rollout.Row{Publisher: hostname.Domain(fmt.Sprintf("publisher-%04d.example", i)), State: rollout.PointsHere, Code: "network.points_here"}
		if i%10 == 3 {
			row.State, row.Code = rollout.Absent, "network.absent"
		}
		s.Rows = append(s.Rows, row)
		s.Counts[row.State]++
	}
	return s
}

// TestSquares: there is a square for each publisher, in a page of at most 60 kB for 300; the Tab key stops
// once for each state.
func TestSquares(t *testing.T) {
	t.Parallel()
	page := &rolloutPage{ID: "x", Name: "network.example", Deploy: &deployment{}}
	page.fill(networkOf(300), map[string][]string{oneParam: {"publisher-0013.example"}})
	body, err := makePage("rollout", page)
	text := string(body)
	if err != nil || len(body) > 60_000 {
		t.Errorf("%d bytes, %v", len(body), err)
	}
	if groups := page.Squares.Groups; len(groups) != 2 || groups[0].Class != "good" || len(groups[0].Squares) != 270 || groups[1].Title != "nothing there" {
		t.Errorf("%d groups", len(groups))
	}
	if links := strings.Count(text, `?one=publisher-`); links != 300 {
		t.Errorf("%d links", links)
	}
	for _, want := range []string{`aria-label="publisher-0013.example"`, `id="one"`, `<a href="/check/publisher-0013.example">`} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	large := squaresOf("/network/1", "x", networkOf(5000))
	if len(large.Groups) != 1 || len(large.Groups[0].Squares) != mostSquares || large.Left != 4600 || large.Groups[0].Class != "none" {
		t.Errorf("%d groups, %d left out", len(large.Groups), large.Left)
	}
	if oneOf(networkOf(3), "<b>") != nil {
		t.Error("a publisher that is not of the network is shown")
	}
}

// drawn is a document with entries that are limited in time and place.
func drawn(t *testing.T) *resolve.Document {
	t.Helper()
	report := adagents.Check([]byte(`{"properties": [{"property_id": "site", "property_type": "website", "name": "x", "identifiers": [{"type": "domain", "value": "a.example"}]}],
		"authorized_agents": [
		{"url": "https://one.example/mcp", "authorized_for": "x", "authorization_type": "property_ids", "property_ids": ["site"], "countries": ["DE", "FR"], "effective_from": "2026-01-01T00:00:00Z", "effective_until": "2026-07-01T00:00:00Z"},
		{"url": "https://two.example/mcp", "authorized_for": "x", "authorization_type": "property_ids", "property_ids": ["site"], "effective_from": "2027-01-01T00:00:00Z"},
		{"url": "https://three.example/mcp", "authorized_for": "x", "authorization_type": "property_ids", "property_ids": ["site"]}]}`), adagents.Options{})
	if report.File == nil {
		t.Fatal(report.Unusable)
	}
	return &resolve.Document{Publisher: "a.example", URL: "https://cdn.example/a.json", State: resolve.Usable, File: report.File, Route: []resolve.Evidence{{URL: "https://a.example/.well-known/adagents.json", Role: "pointer", State: resolve.Usable}}}
}

// TestFlow: the way goes from the publisher over its pointer and the file to agents and properties, and
// ends at a file that cannot be used.
func TestFlow(t *testing.T) {
	t.Parallel()
	doc := drawn(t)
	f := flowOf("a.example", doc, &headline.Headline{State: headline.Sells, Text: "3 agents may sell"}, &pen{trailBytes})
	var words []string
	for _, s := range f.Steps {
		words = append(words, s.Value+" "+s.State)
	}
	const want = "a.example holds, https://a.example/.well-known/adagents.json holds, https://cdn.example/a.json holds, 3 entries holds, 1 property holds"
	if got := strings.Join(words, ", "); got != want || len(f.Picture.Boxes) != 5 {
		t.Errorf("got %s, %d boxes", got, len(f.Picture.Boxes))
	}
	doc.State = resolve.Unusable
	f = flowOf("a.example", doc, &headline.Headline{}, &pen{trailBytes})
	if last := f.Steps[len(f.Steps)-1]; len(f.Steps) != 3 || last.State != stepFails {
		t.Errorf("got %+v", f.Steps)
	}
}

// TestPeriods: bars lie where their times are.
func TestPeriods(t *testing.T) {
	t.Parallel()
	doc := drawn(t)
	now := time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)
	x := periodsOf(doc, now, &pen{trailBytes})
	if len(x.Rows) != 2 || x.Unlimited != 1 {
		t.Fatalf("got %+v", x)
	}
	first, second := x.Rows[0], x.Rows[1]
	if first.Class != "good" || first.Where != "DE, FR" || first.X != "4.55" || first.Width != "45.08" || second.Class != "none" || second.Where != "every country" || second.X != "95.45" || x.Now != "26.96" {
		t.Errorf("%+v, %+v, now at %s", first, second, x.Now)
	}
	doc.File.Agents = doc.File.Agents[2:]
	if periodsOf(doc, now, &pen{trailBytes}) != nil {
		t.Error("entries without limits are drawn")
	}
}

// TestReach: bars are as long as their numbers.
func TestReach(t *testing.T) {
	t.Parallel()
	rows := reachOf([]ops.Reached{{Way: custody.Direct, State: "fresh", Count: 30}, {Way: custody.Direct, State: "stale", Count: 10}, {Way: custody.AuthoritativeLocation, State: "fresh", Count: 20}})
	if len(rows) != 2 || rows[0].Count != 40 || rows[0].Parts[1].X != "75.00" || rows[0].Parts[1].Width != "25.00" || rows[1].Parts[0].Width != "50.00" || rows[0].Label != "fresh: 30. stale: 10. " {
		t.Errorf("got %+v", rows)
	}
}
