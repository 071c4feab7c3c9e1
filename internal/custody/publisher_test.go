package custody_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/internal/custody"
)

var (
	inline   = custody.Location{Method: custody.Direct, URL: siteURL}
	placeA   = custody.Location{Method: custody.AuthoritativeLocation, URL: "https://a.example/f.json"}
	placeB   = custody.Location{Method: custody.AuthoritativeLocation, URL: "https://b.example/f.json"}
	managed  = custody.Location{Method: custody.ManagerDomain, URL: "https://m.example/f.json", Manager: "m.example"}
	managed2 = custody.Location{Method: custody.ManagerDomain, URL: "https://n.example/f.json", Manager: "n.example"}
)

// names is a look that finds a place with a good file.
func names(place custody.Location) custody.Route {
	w := custody.Route{Outcome: custody.Whole, To: place, Usable: true, Hash: "pointer to " + place.URL}
	w.Headers.ETag = `"` + place.URL + `"`
	w.Facts.LastUpdated = start.Add(-time.Hour)
	w.Facts.Agents = []string{"https://agent.example/mcp"}
	return w
}

func finds(o custody.Outcome) custody.Route { return custody.Route{Outcome: o, Detail: "because"} }

func look(p *custody.Publisher, w custody.Route, m custody.Moment) (*custody.Publisher, []string) {
	next, events := p.Take(w, m)
	return next, codesOf(events)
}

// settled is a publisher whose place was adopted at the start.
func settled(place custody.Location) *custody.Publisher {
	p, _ := (&custody.Publisher{Domain: "pub.example"}).Take(names(place), at(0))
	return p
}

func TestPublisherFirst(t *testing.T) {
	t.Parallel()
	w := names(placeA)
	w.To.URL = "HTTPS://A.example:443/f.json#x"
	p, codes := look(&custody.Publisher{Domain: "pub.example"}, w, at(0))
	want := &custody.Publisher{
		Domain: "pub.example", Location: placeA, FirstSeen: start, AdoptedAt: start, ConfirmedAt: start, WholeAt: start, FreshUntil: start.Add(day),
		Headers: w.Headers, Hash: w.Hash, TriedAt: start, SpokeAt: start, HighWater: start.Add(-time.Hour), Agents: []string{"https://agent.example/mcp"},
	}
	if diff := cmp.Diff(want, p); diff != "" || !slices.Equal(codes, []string{"publisher.located"}) {
		t.Errorf("%v\n%s", codes, diff)
	}
}

// TestFirstUsable: while nothing has ever spoken for the publisher, there is nothing that
// a move could take away.
func TestFirstUsable(t *testing.T) {
	t.Parallel()
	broken := names(placeA)
	broken.Usable = false
	p, _ := look(&custody.Publisher{Domain: "pub.example"}, broken, at(0))
	if p.Location != placeA || !p.SpokeAt.IsZero() {
		t.Fatalf("%+v", p)
	}
	other := names(placeB)
	other.Usable = false
	held, codes := look(p, other, at(time.Hour))
	if held.Location != placeA || !slices.Equal(codes, []string{"move.held"}) {
		t.Errorf("%v, %+v", codes, held)
	}
	good, codes := look(held, names(placeB), at(2*time.Hour))
	if good.Location != placeB || good.Move != nil || !slices.Equal(codes, []string{"publisher.located"}) || !good.FirstSeen.Equal(start) {
		t.Errorf("%v, %+v", codes, good)
	}
	no, _, err := held.Reject(placeB.URL, at(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	no, _ = look(no, names(placeB), at(2*time.Hour))
	if no.Location != placeA {
		t.Error("a rejected place was adopted")
	}
}

func TestPublisherGone(t *testing.T) {
	t.Parallel()
	p, events := settled(placeA).Take(finds(custody.Gone), at(time.Hour))
	if !p.Absent || p.Standing(at(time.Hour)) != custody.Ended || events[0].Code != "publisher.absent" || events[0].Severity != custody.Alert || p.Location != placeA {
		t.Errorf("%+v, %v", p, events)
	}
	p, codes := look(p, finds(custody.Gone), at(2*time.Hour))
	if len(codes) != 0 || !p.Due().Equal(start.Add(3*time.Hour)) {
		t.Errorf("%v, due %v", codes, p.Due())
	}
	if tag, _ := p.Ask(at(2 * time.Hour)); tag != "" {
		t.Errorf("asks with %q", tag)
	}
	// The history stays: another place is a move, and meanwhile there is nothing.
	other, codes := look(p, names(placeB), at(3*time.Hour))
	if !slices.Equal(codes, []string{"move.held"}) || other.Standing(at(3*time.Hour)) != custody.Ended {
		t.Errorf("%v, %+v", codes, other)
	}
	same, codes := look(p, names(placeA), at(3*time.Hour))
	if !slices.Equal(codes, []string{"publisher.returned"}) || same.Standing(at(3*time.Hour)) != custody.Fresh {
		t.Errorf("%v, %+v", codes, same)
	}
	first, events := (&custody.Publisher{Domain: "pub.example"}).Take(finds(custody.Gone), at(0))
	if first.Standing(at(0)) != custody.Ended || events[0].Severity != custody.Info {
		t.Errorf("%+v, %v", first, events)
	}
	first, codes = look(first, names(placeA), at(time.Hour))
	if first.Location != placeA || first.Absent || !slices.Equal(codes, []string{"publisher.located"}) {
		t.Errorf("%+v, %v", first, codes)
	}
}

func TestPublisherDenied(t *testing.T) {
	t.Parallel()
	firm := finds(custody.Denied)
	firm.Firm = true
	p, codes := look(settled(placeA), firm, at(time.Hour))
	if p.Standing(at(time.Hour)) != custody.Ended || !slices.Equal(codes, []string{"publisher.denied"}) || !p.Due().Equal(start.Add(2*time.Hour)) {
		t.Errorf("%+v, %v", p, codes)
	}
	_, codes = look(p, finds(custody.Denied), at(2*time.Hour))
	if len(codes) != 0 {
		t.Error(codes)
	}
	p, codes = look(p, names(placeA), at(2*time.Hour))
	if p.Standing(at(2*time.Hour)) != custody.Fresh || !slices.Equal(codes, []string{"publisher.returned"}) {
		t.Errorf("%+v, %v", p, codes)
	}
	_, events := (&custody.Publisher{Domain: "pub.example"}).Take(finds(custody.Denied), at(0))
	if events[0].Severity != custody.Info {
		t.Error(events)
	}
}

// TestPublisherStanding has the limits of all times, to the second.
func TestPublisherStanding(t *testing.T) {
	t.Parallel()
	long := names(placeA)
	long.Headers.CacheControl = []string{"max-age=31536000"}
	lazy, _ := look(&custody.Publisher{}, long, at(0))
	short := names(placeA)
	short.Headers.CacheControl = []string{"no-store"}
	floor, _ := look(&custody.Publisher{}, short, at(0))
	short.To = inline
	hasty, _ := look(&custody.Publisher{}, short, at(0))
	failing, _ := look(settled(placeA), finds(custody.Failed), at(time.Hour))
	tests := []struct {
		name string
		p    *custody.Publisher
		at   time.Duration
		want custody.Standing
	}{
		{"new", &custody.Publisher{}, 0, custody.Unknown},
		{"a pointer before a day", floor, day - second, custody.Fresh},
		{"a pointer after a day", floor, day, custody.Stale},
		{"a pointer before a week", lazy, 7*day - second, custody.Fresh},
		{"a pointer after a week", lazy, 7 * day, custody.Expired},
		{"a file that is not to be kept", hasty, 0, custody.Stale},
		{"failing before a day", failing, 25*time.Hour - second, custody.Stale},
		{"failing after a day", failing, 25 * time.Hour, custody.Expired},
	}
	for _, tc := range tests {
		if got := tc.p.Standing(at(tc.at)); got != tc.want {
			t.Errorf("%s: %v", tc.name, got)
		}
	}
	if due := hasty.Due(); !due.Equal(start.Add(custody.MinRecheck)) {
		t.Errorf("hasty: due %v", due)
	}
	if due := (&custody.Publisher{}).Due(); !due.IsZero() {
		t.Errorf("new: due %v", due)
	}
	if due := failing.Due(); !due.Equal(start.Add(time.Hour + time.Minute)) {
		t.Errorf("failing: due %v", due)
	}
	_, codes := look(failing, finds(custody.Invalid), at(25*time.Hour))
	if !slices.Equal(codes, []string{"publisher.expired"}) {
		t.Error(codes)
	}
}

func TestPublisherNotModified(t *testing.T) {
	t.Parallel()
	p := settled(placeA)
	moving, _ := look(p, names(placeB), at(time.Hour))
	gone, _ := look(p, finds(custody.Gone), at(time.Hour))
	failing, _ := look(p, finds(custody.Failed), at(time.Hour))
	tag := func(place custody.Location) custody.Route {
		return custody.Route{Outcome: custody.NotModified, Headers: custody.Headers{ETag: `"` + place.URL + `"`}}
	}
	tests := []struct {
		name  string
		p     *custody.Publisher
		route custody.Route
		at    time.Duration
		good  bool
	}{
		{"same", p, tag(placeA), day, true},
		{"after a failure", failing, tag(placeA), 2 * time.Hour, true},
		{"another", p, tag(placeB), day, false},
		{"before a week", p, tag(placeA), 7*day - second, true},
		{"after a week", p, tag(placeA), 7 * day, false},
		{"moving", moving, tag(placeB), day, false},
		{"gone", gone, tag(placeA), day, false},
		{"new", &custody.Publisher{}, tag(placeA), 0, false},
	}
	for _, tc := range tests {
		next, _ := look(tc.p, tc.route, at(tc.at))
		if good := next.ConfirmedAt.Equal(start.Add(tc.at)) && next.FailingSince.IsZero(); good != tc.good {
			t.Errorf("%s: %+v", tc.name, next)
		}
		if !next.WholeAt.Equal(tc.p.WholeAt) || next.Location != tc.p.Location {
			t.Errorf("%s: %+v", tc.name, next)
		}
	}
	if ask, _ := p.Ask(at(7*day - second)); ask != `"`+placeA.URL+`"` {
		t.Errorf("asks with %q", ask)
	}
	if ask, _ := p.Ask(at(7 * day)); ask != "" {
		t.Errorf("asks with %q after a week", ask)
	}
}

func TestPublisherOvertaken(t *testing.T) {
	t.Parallel()
	p, _ := look(settled(placeA), names(placeB), at(2*time.Hour))
	w := names(placeA)
	w.At = start.Add(time.Hour)
	next, codes := look(p, w, at(3*time.Hour))
	if diff := cmp.Diff(p, next); diff != "" || len(codes) > 0 {
		t.Errorf("%v\n%s", codes, diff)
	}
}

func TestPublisherLearns(t *testing.T) {
	t.Parallel()
	p := settled(placeA)
	w := names(placeA)
	w.Facts.LastUpdated = start.AddDate(1, 0, 0)
	w.Facts.Agents = []string{"https://x.example/"}
	next, _ := look(p, w, at(time.Hour))
	if !next.HighWater.Equal(p.HighWater) || !slices.Equal(next.Agents, p.Agents) {
		t.Errorf("learned from the future: %+v", next)
	}
	w.Facts.LastUpdated, w.Facts.Agents = start, nil
	for i := range custody.MaxAgents + 10 {
		w.Facts.Agents = append(w.Facts.Agents, fmt.Sprintf("https://a%04d.example/", i))
	}
	next, _ = look(p, w, at(time.Hour))
	if len(next.Agents) != custody.MaxAgents || !slices.IsSorted(next.Agents) || !slices.Contains(next.Agents, "https://agent.example/mcp") || !next.HighWater.Equal(start) {
		t.Errorf("%d agents", len(next.Agents))
	}
	if len(p.Agents) != 1 {
		t.Error("Take changed its record")
	}
}
