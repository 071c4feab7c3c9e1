package custody_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/custody"
)

var (
	inline   = custody.Location{Method: custody.Direct, URL: siteURL}
	placeA   = custody.Location{Method: custody.AuthoritativeLocation, URL: "https://a.example/f.json"}
	placeB   = custody.Location{Method: custody.AuthoritativeLocation, URL: "https://b.example/f.json"}
	managed  = custody.Location{Method: custody.ManagerDomain, URL: "https://m.example/f.json", Manager: "m.example"}
	managed2 = custody.Location{Method: custody.ManagerDomain, URL: "https://n.example/f.json", Manager: "n.example"}
)

// names is a look that finds a place with a good file.
func names(place custody.Location) custody.Way {
	w := custody.Way{Outcome: custody.Whole, To: place, Usable: true, Hash: "pointer to " + place.URL}
	w.Headers.ETag = `"` + place.URL + `"`
	w.Facts.LastUpdated = start.Add(-time.Hour)
	w.Facts.Agents = []string{"https://agent.example/mcp"}
	return w
}

func finds(o custody.Outcome) custody.Way { return custody.Way{Outcome: o, Detail: "because"} }

func look(p *custody.Publisher, w custody.Way, m custody.Moment) (*custody.Publisher, []string) {
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

// TestMoves follows stories of looks at a publisher whose place was A at the start.
func TestMoves(t *testing.T) {
	t.Parallel()
	type step struct {
		at    time.Duration
		way   custody.Way
		codes []string
		place custody.Location
	}
	const h = time.Hour
	doubtful := names(placeB)
	doubtful.Facts.Agents = append(doubtful.Facts.Agents, "https://stranger.example/mcp")
	tests := []struct {
		name  string
		steps []step
	}{
		{"cosmetic", []step{
			{h, names(custody.Location{Method: custody.AuthoritativeLocation, URL: "https://A.EXAMPLE:443/f.json"}), nil, placeA},
		}},
		{"a day", []step{
			{h, names(placeB), []string{"move.held"}, placeA},
			{2 * h, names(placeB), nil, placeA},
			{25*h - second, names(placeB), nil, placeA},
			{25 * h, names(placeB), []string{"move.adopted"}, placeB},
		}},
		{"two sights are enough", []step{
			{h, names(placeB), []string{"move.held"}, placeA},
			{30 * h, names(placeB), []string{"move.adopted"}, placeB},
		}},
		{"flip back", []step{
			{h, names(placeB), []string{"move.held"}, placeA},
			{20 * h, names(placeA), []string{"move.cancelled"}, placeA},
			{26 * h, names(placeB), []string{"move.held"}, placeA},
			{50*h - second, names(placeB), nil, placeA},
			{50 * h, names(placeB), []string{"move.adopted"}, placeB},
		}},
		{"another place", []step{
			{h, names(placeB), []string{"move.held"}, placeA},
			{20 * h, names(inline), []string{"move.restarted"}, placeA},
			{44*h - second, names(inline), nil, placeA},
			{44 * h, names(inline), []string{"move.adopted"}, inline},
		}},
		{"failures in between", []step{
			{h, names(placeB), []string{"move.held"}, placeA},
			{2 * h, finds(custody.Failed), []string{"publisher.failing"}, placeA},
			{30 * h, names(placeB), []string{"publisher.recovered", "move.adopted"}, placeB},
		}},
		{"a stranger", []step{
			{h, doubtful, []string{"move.held"}, placeA},
			{25 * h, doubtful, nil, placeA},
			{100 * h, names(placeB), nil, placeA},
		}},
		{"a stranger later", []step{
			{h, names(placeB), []string{"move.held"}, placeA},
			{24 * h, doubtful, []string{"move.doubted"}, placeA},
			{25 * h, names(placeB), nil, placeA},
			{26 * h, names(placeA), []string{"move.cancelled"}, placeA},
			{27 * h, names(placeB), []string{"move.held"}, placeA},
			{51 * h, names(placeB), []string{"move.adopted"}, placeB},
		}},
		{"gone in between", []step{
			{h, names(placeB), []string{"move.held"}, placeA},
			{2 * h, finds(custody.Gone), []string{"move.cancelled", "publisher.absent"}, placeA},
			{26 * h, names(placeB), []string{"move.held"}, placeA},
			{27 * h, names(placeA), []string{"move.cancelled", "publisher.returned"}, placeA},
		}},
	}
	for _, tc := range tests {
		p := settled(placeA)
		for _, s := range tc.steps {
			var codes []string
			p, codes = look(p, s.way, at(s.at))
			if !slices.Equal(codes, s.codes) || p.Location != s.place {
				t.Errorf("%s after %v: %v, at %s", tc.name, s.at, codes, p.Location.URL)
			}
			p = reread(p)
		}
	}
}

// TestFlipFlop: a place that changes every hour never comes to count.
func TestFlipFlop(t *testing.T) {
	t.Parallel()
	p := settled(placeA)
	for hour := 1; hour < 24*30; hour++ {
		place := []custody.Location{placeB, placeA, placeB, inline}[hour%4]
		p, _ = look(p, names(place), at(time.Duration(hour)*time.Hour))
		if p.Location != placeA {
			t.Fatalf("moved to %s after %d hours", p.Location.URL, hour)
		}
	}
}

func TestMoveSigns(t *testing.T) {
	t.Parallel()
	high := start.Add(-time.Hour)
	way := func(f func(*custody.Way)) custody.Way {
		w := names(placeB)
		f(&w)
		return w
	}
	tests := []struct {
		name string
		way  custody.Way
		want []custody.Sign
	}{
		{"none", names(placeB), nil},
		{"a minute older", way(func(w *custody.Way) { w.Facts.LastUpdated = high.Add(-60 * second) }), nil},
		{"older", way(func(w *custody.Way) { w.Facts.LastUpdated = high.Add(-61 * second) }), []custody.Sign{custody.SignRegression}},
		{"undated", way(func(w *custody.Way) { w.Facts.LastUpdated = time.Time{} }), []custody.Sign{custody.SignRegression}},
		{"a minute ahead", way(func(w *custody.Way) { w.Facts.LastUpdated = start.Add(time.Hour + 60*second) }), nil},
		{"ahead", way(func(w *custody.Way) { w.Facts.LastUpdated = start.Add(time.Hour + 61*second) }), []custody.Sign{custody.SignUnusable}},
		{"unusable", way(func(w *custody.Way) { w.Usable = false }), []custody.Sign{custody.SignUnusable}},
		{"no agents", way(func(w *custody.Way) { w.Facts.Agents = nil }), nil},
		{"another agent", way(func(w *custody.Way) { w.Facts.Agents = []string{"https://x.example/"} }), []custody.Sign{custody.SignNewAgent}},
		{"several", way(func(w *custody.Way) {
			w.Facts.Agents, w.Facts.LastUpdated = []string{"https://x.example/"}, time.Time{}
			w.Signs = []custody.Sign{custody.SignDowngrade, custody.SignBrand, custody.SignDowngrade}
		}), []custody.Sign{custody.SignBrand, custody.SignDowngrade, custody.SignNewAgent, custody.SignRegression}},
	}
	for _, tc := range tests {
		p, _ := look(settled(placeA), tc.way, at(time.Hour))
		if p.Move == nil || !slices.Equal(p.Move.Signs, tc.want) || p.Move.Waits(at(25*time.Hour)) != (len(tc.want) > 0) {
			t.Errorf("%s: %+v", tc.name, p.Move)
		}
		if !p.Move.Until().Equal(start.Add(25*time.Hour)) || !p.Move.Waits(at(25*time.Hour-second)) {
			t.Errorf("%s: until %v", tc.name, p.Move.Until())
		}
	}
}

// TestMoveServed: the old place goes on to count, until a week after it was last named.
func TestMoveServed(t *testing.T) {
	t.Parallel()
	p := settled(placeA)
	doubtful := names(placeB)
	doubtful.Usable = false
	for hour := 1; hour <= 24*8; hour++ {
		now := at(time.Duration(hour) * time.Hour)
		p, _ = look(p, doubtful, now)
		want := custody.Fresh
		if hour >= 24*7 {
			want = custody.Expired
		}
		if got := p.Standing(now); got != want || !p.Due().Equal(now.Early.Add(custody.MoveRecheck)) {
			t.Fatalf("after %d hours: %v, due %v", hour, got, p.Due())
		}
		if tag, date := p.Ask(now); tag != "" || date != "" {
			t.Fatalf("after %d hours: asks with %q", hour, tag)
		}
	}
}

func TestMoveDecisions(t *testing.T) {
	t.Parallel()
	doubtful := names(placeB)
	doubtful.Facts.Agents = []string{"https://stranger.example/mcp"}
	p, _ := look(settled(placeA), doubtful, at(time.Hour))
	for _, to := range []string{"", placeA.URL, "https://c.example/"} {
		_, _, err := p.Confirm(to, at(2*time.Hour))
		if !errors.Is(err, custody.ErrNotWaiting) {
			t.Errorf("confirm %q: %v", to, err)
		}
		_, _, err = p.Reject(to, at(2*time.Hour))
		if !errors.Is(err, custody.ErrNotWaiting) {
			t.Errorf("reject %q: %v", to, err)
		}
	}
	ok, events, err := p.Confirm("https://B.example/f.json", at(2*time.Hour))
	if err != nil || ok.Location != placeB || ok.Move != nil || !slices.Equal(codesOf(events), []string{"move.confirmed"}) || p.Location != placeA {
		t.Fatalf("%v, %+v, %v", err, ok, events)
	}
	if got := ok.Standing(at(2 * time.Hour)); got != custody.Stale {
		t.Errorf("confirmed and %v", got)
	}
	ok, _ = look(ok, doubtful, at(3*time.Hour))
	if len(ok.Agents) != 2 || ok.Standing(at(3*time.Hour)) != custody.Fresh {
		t.Errorf("%+v", ok)
	}
	_, _, err = ok.Confirm(placeB.URL, at(4*time.Hour))
	if !errors.Is(err, custody.ErrNotWaiting) {
		t.Error(err)
	}
}

func TestMoveRejected(t *testing.T) {
	t.Parallel()
	p, _ := look(settled(placeA), names(placeB), at(time.Hour))
	no, events, err := p.Reject(placeB.URL, at(2*time.Hour))
	if err != nil || !no.Move.Rejected || p.Move.Rejected || !slices.Equal(codesOf(events), []string{"move.rejected"}) {
		t.Fatalf("%v, %+v, %v", err, no, events)
	}
	twice, events, err := no.Reject(placeB.URL, at(2*time.Hour))
	if err != nil || len(events) != 0 || len(twice.Rejected) != 1 {
		t.Errorf("twice: %v, %v", err, events)
	}
	no, _ = look(no, names(placeB), at(3*day))
	no, _ = look(no, names(placeA), at(4*day))
	no, _ = look(no, names(placeB), at(5*day))
	no, _ = look(no, names(placeB), at(7*day))
	if no.Location != placeA || no.Move == nil || !no.Move.Rejected {
		t.Errorf("%+v", no)
	}
	if due := no.Due(); !due.Equal(start.Add(7*day + time.Hour)) {
		t.Errorf("due %v", due)
	}
	yes, _, err := no.Confirm(placeB.URL, at(8*day))
	if err != nil || yes.Location != placeB || yes.Rejected != nil {
		t.Errorf("%v, %+v", err, yes)
	}
	for i := range custody.MaxRejected + 5 {
		place := custody.Location{Method: custody.AuthoritativeLocation, URL: fmt.Sprintf("https://n%d.example/", i)}
		now := at(8*day + time.Duration(i)*time.Minute)
		p, _ = look(p, names(place), now)
		p, _, err = p.Reject(place.URL, now)
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(p.Rejected) != custody.MaxRejected || p.Rejected[0] != "https://n5.example/" {
		t.Errorf("%d, from %s", len(p.Rejected), p.Rejected[0])
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

func TestManager(t *testing.T) {
	t.Parallel()
	// The file is gone and there is a manager: nothing counts until the move is over.
	p, codes := look(settled(inline), names(managed), at(time.Hour))
	if !slices.Equal(codes, []string{"publisher.absent", "move.held"}) || !p.Absent || p.Standing(at(time.Hour)) != custody.Ended {
		t.Errorf("%v, %+v", codes, p)
	}
	p, codes = look(p, names(managed), at(25*time.Hour))
	if !slices.Equal(codes, []string{"move.adopted"}) || p.Absent || p.Location != managed {
		t.Errorf("%v, %+v", codes, p)
	}
	// From one manager to another, or to a file, the old one counts meanwhile.
	for _, place := range []custody.Location{managed2, inline, placeA} {
		next, codes := look(p, names(place), at(26*time.Hour))
		if !slices.Equal(codes, []string{"move.held"}) || next.Standing(at(26*time.Hour)) != custody.Fresh {
			t.Errorf("to %s: %v, %+v", place.URL, codes, next)
		}
	}
	p, _ = look(settled(inline), names(managed), at(time.Hour))
	ok, _, err := p.Confirm(managed.URL, at(2*time.Hour))
	if err != nil || ok.Absent || ok.Standing(at(2*time.Hour)) != custody.Stale {
		t.Errorf("%v, %+v", err, ok)
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
	p, codes := look(settled(placeA), finds(custody.Denied), at(time.Hour))
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
	tag := func(place custody.Location) custody.Way {
		return custody.Way{Outcome: custody.NotModified, Headers: custody.Headers{ETag: `"` + place.URL + `"`}}
	}
	tests := []struct {
		name string
		p    *custody.Publisher
		way  custody.Way
		at   time.Duration
		good bool
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
		next, _ := look(tc.p, tc.way, at(tc.at))
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

// TestMoveClock: the day of a move begins with the later reading and ends with the
// earlier one.
func TestMoveClock(t *testing.T) {
	t.Parallel()
	back := custody.Moment{Early: start.Add(time.Hour), Late: start.Add(5 * time.Hour)}
	p, _ := look(settled(placeA), names(placeB), back)
	p, _ = p.Take(names(placeB), custody.Moment{Early: start.Add(29*time.Hour - second), Late: start.Add(1000 * time.Hour)})
	if p.Location != placeA {
		t.Fatal("moved too early")
	}
	p, _ = p.Take(names(placeB), custody.Moment{Early: start.Add(29 * time.Hour), Late: start.Add(1000 * time.Hour)})
	if p.Location != placeB {
		t.Error("did not move")
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
