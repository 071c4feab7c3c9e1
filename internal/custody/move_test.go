package custody_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
)

// TestMoves follows stories of looks at a publisher whose place was A at the start.
func TestMoves(t *testing.T) {
	t.Parallel()
	type step struct {
		at    time.Duration
		route custody.Route
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
		{"two observations are enough", []step{
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
			p, codes = look(p, s.route, at(s.at))
			if !slices.Equal(codes, s.codes) || p.Location != s.place {
				t.Errorf("%s after %v: %v, at %s", tc.name, s.at, codes, p.Location.URL)
			}
			p = reread(p)
		}
	}
}

// TestFlipFlop: a place that changes every hour never takes effect.
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
	way := func(f func(*custody.Route)) custody.Route {
		w := names(placeB)
		f(&w)
		return w
	}
	tests := []struct {
		name  string
		route custody.Route
		want  []custody.Sign
	}{
		{"none", names(placeB), nil},
		{"a minute older", way(func(w *custody.Route) { w.Facts.LastUpdated = high.Add(-60 * second) }), nil},
		{"older", way(func(w *custody.Route) { w.Facts.LastUpdated = high.Add(-61 * second) }), []custody.Sign{custody.SignRegression}},
		{"undated", way(func(w *custody.Route) { w.Facts.LastUpdated = time.Time{} }), []custody.Sign{custody.SignRegression}},
		{"a minute ahead", way(func(w *custody.Route) { w.Facts.LastUpdated = start.Add(time.Hour + 60*second) }), nil},
		{"ahead", way(func(w *custody.Route) { w.Facts.LastUpdated = start.Add(time.Hour + 61*second) }), []custody.Sign{custody.SignUnusable}},
		{"unusable", way(func(w *custody.Route) { w.Usable = false }), []custody.Sign{custody.SignUnusable}},
		{"no agents", way(func(w *custody.Route) { w.Facts.Agents = nil }), nil},
		{"another agent", way(func(w *custody.Route) { w.Facts.Agents = []string{"https://x.example/"} }), []custody.Sign{custody.SignNewAgent}},
		{"several", way(func(w *custody.Route) {
			w.Facts.Agents, w.Facts.LastUpdated = []string{"https://x.example/"}, time.Time{}
			w.Signs = []custody.Sign{custody.SignDowngrade, custody.SignBrand, custody.SignDowngrade}
		}), []custody.Sign{custody.SignBrand, custody.SignDowngrade, custody.SignNewAgent, custody.SignRegression}},
	}
	for _, tc := range tests {
		p, _ := look(settled(placeA), tc.route, at(time.Hour))
		if p.Move == nil || !slices.Equal(p.Move.Signs, tc.want) || p.Move.Waits(at(25*time.Hour)) != (len(tc.want) > 0) {
			t.Errorf("%s: %+v", tc.name, p.Move)
		}
		if !p.Move.Until().Equal(start.Add(25*time.Hour)) || !p.Move.Waits(at(25*time.Hour-second)) {
			t.Errorf("%s: until %v", tc.name, p.Move.Until())
		}
	}
}

// TestMoveServed: the old place stays in effect, until a week after it was last named.
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

func TestManager(t *testing.T) {
	t.Parallel()
	// The file is gone and there is a manager: nothing is in effect until the move is over.
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

// TestMoveMeasured: a move is measured by what the file at the adopted place said when it
// began, also when only the file was asked for, and not by what it says later.
func TestMoveMeasured(t *testing.T) {
	t.Parallel()
	content := func(hash string, date time.Duration) custody.Content {
		return custody.Content{Hash: hash, HighWater: start.Add(date), Agents: []string{"https://agent.example/mcp", "https://later.example/mcp"}}
	}
	quiet := custody.Route{Outcome: custody.NotModified, Headers: custody.Headers{ETag: `"` + placeA.URL + `"`}, Adopted: content("v2", time.Hour)}
	p, _ := look(settled(placeA), quiet, at(2*time.Hour))
	if p.Learned != "v2" || !p.HighWater.Equal(start.Add(time.Hour)) || len(p.Agents) != 2 {
		t.Errorf("not learned: %+v", p)
	}
	older, newer := names(placeB), names(placeB)
	newer.Facts.LastUpdated = start.Add(2 * time.Hour)
	older.Adopted, newer.Adopted = content("v2", time.Hour), content("v2", time.Hour)
	for _, from := range []*custody.Publisher{p, settled(placeA)} {
		next, _ := look(from, older, at(3*time.Hour))
		if !slices.Equal(next.Move.Signs, []custody.Sign{custody.SignRegression}) {
			t.Errorf("an older copy has the signs %v", next.Move.Signs)
		}
		next, _ = look(from, newer, at(3*time.Hour))
		again := newer
		again.Adopted = content("v3", 5*time.Hour)
		next, _ = look(next, again, at(6*time.Hour))
		if next.Move == nil || len(next.Move.Signs) > 0 {
			t.Fatalf("the move is %+v", next.Move)
		}
		next, _ = look(next, again, at(27*time.Hour))
		if next.Location != placeB || !next.HighWater.Equal(start.Add(5*time.Hour)) {
			t.Errorf("after the move: %+v", next)
		}
	}
}

// TestMoveAfterSilence: what was seen at the adopted place makes it one that has spoken,
// whatever else waits.
func TestMoveAfterSilence(t *testing.T) {
	t.Parallel()
	silent := names(placeA)
	silent.Usable, silent.Facts = false, custody.Facts{}
	p, _ := look(&custody.Publisher{Domain: "pub.example"}, silent, at(0))
	broken := names(placeB)
	broken.Usable = false
	waiting, _ := look(p, broken, at(time.Hour))
	for _, from := range []*custody.Publisher{p, waiting} {
		w := names(placeB)
		next, _ := look(from, w, at(2*time.Hour))
		if next.Location != placeB {
			t.Errorf("the first place with a file was not adopted: %+v", next)
		}
		w.Adopted.Hash = "v1"
		next, _ = look(from, w, at(2*time.Hour))
		if next.Location != placeA || next.Move == nil {
			t.Errorf("moved at once: %+v", next)
		}
	}
}
