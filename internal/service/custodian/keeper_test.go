package custodian_test

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/resolve"
)

const day = 24 * time.Hour

func TestFirstSight(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		pages  map[string]page
		want   string
		method string
		url    string
		way    string
	}{
		{"direct", map[string]page{pub: tagged(file("v1", 0))}, "usable v1", "direct", pub, ""},
		{"pointer", map[string]page{pub: pointer(network), network: tagged(file("v1", 0))}, "usable v1", "authoritative_location", network, "pointer"},
		{
			"manager", map[string]page{"https://pub.example/ads.txt": {body: "MANAGERDOMAIN=manager.example"}, manager: tagged(file("v1", 0))},
			"usable v1", "ads_txt_managerdomain", manager, "ads_txt",
		},
		{
			"manager with a pointer", map[string]page{"https://pub.example/ads.txt": {body: "MANAGERDOMAIN=manager.example"}, manager: pointer(network), network: tagged(file("v1", 0))},
			"usable v1", "ads_txt_managerdomain", network, "ads_txt",
		},
		{
			"manager of others", map[string]page{"https://pub.example/ads.txt": {body: "MANAGERDOMAIN=manager.example"}, manager: tagged(fileFor("x.example", "v1", 0))},
			"absent", "", "", "",
		},
		{"nothing", nil, "absent", "", "", ""},
		{"no JSON", map[string]page{pub: {body: "{"}}, "unusable", "", "", ""},
		{"no agents", map[string]page{pub: {body: "{}"}}, "unusable", "", "", ""},
		{"a page", map[string]page{pub: {outcome: fetch.BadContentType, status: 200}}, "unusable", "", "", ""},
		{"down", map[string]page{pub: {status: 503}}, "unreachable", "", "", ""},
		{"denied", map[string]page{pub: {status: 403}}, "unreachable", "", "", ""},
		{"gone for good", map[string]page{pub: {status: http.StatusGone}}, "unreachable", "", "", ""},
		{"pointer to nothing", map[string]page{pub: pointer(network)}, "unusable", "", "", ""},
		{"pointer to a failure", map[string]page{pub: pointer(network), network: {status: 500}}, "unreachable", "", "", ""},
		{"pointer to a denial", map[string]page{pub: pointer(network), network: {status: 403}}, "unusable", "", "", ""},
		{"pointer to a pointer", map[string]page{pub: pointer(network), network: pointer(second)}, "unusable", "", "", ""},
		{"pointer to a redirect", map[string]page{pub: pointer(network), network: {outcome: fetch.RedirectRefused, status: 301}}, "unusable", "", "", ""},
		{"from the future", map[string]page{pub: tagged(file("v1", 2*time.Minute))}, "withheld", "", "", ""},
		{"slightly from the future", map[string]page{pub: tagged(file("v1", 50*time.Second))}, "usable v1", "direct", pub, ""},
		{"without a turn", map[string]page{pub: {outcome: fetch.NoTurn}}, "unreachable", "", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			for url, p := range tt.pages {
				l.web.set(url, p)
			}
			d := l.document("pub.example")
			if got := told(d); got != tt.want || d.Method != tt.method || d.URL != tt.url {
				t.Fatalf("%s by %q at %q: %s", got, d.Method, d.URL, d.Detail)
			}
			if d.State != resolve.Usable {
				if d.Detail == "" || d.File != nil {
					t.Errorf("%+v", d)
				}
				return
			}
			if d.SHA256 == "" || d.FetchedAt.Sub(begin).Abs() > time.Minute || (len(d.Route) == 1) != (tt.way != "") {
				t.Errorf("%+v", d)
			}
			if tt.way != "" && (d.Route[0].Role != tt.way || d.Route[0].SHA256 == "" || d.Route[0].URL == "") {
				t.Errorf("%+v", d.Route)
			}
			before := l.web.requests("")
			l.restart()
			l.want("pub.example", tt.want)
			if l.web.requests("") != before {
				t.Error("a fresh file was asked for again")
			}
		})
	}
}

func TestNotAPublisher(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	d, err := l.k.Document(t.Context(), "not a domain")
	if err != nil || d.State != resolve.Absent || d.Detail == "" {
		t.Errorf("%+v, %v", d, err)
	}
	_, err = l.k.Refresh(t.Context(), "not a domain", custodian.RefreshOptions{})
	if err == nil {
		t.Error("no error")
	}
	_, err = custodian.New(custodian.Config{})
	if err == nil {
		t.Error("a keeper of nothing")
	}
}

func TestStaleAndExpired(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		failure page
		ends    string
	}{
		{page{status: 503}, "unreachable"},
		{page{outcome: fetch.Timeout}, "unreachable"},
		{page{body: "{"}, "unusable"},
		{page{outcome: fetch.BadContentType, status: 200}, "unusable"},
		{tagged(file("v0", -2*time.Hour)), "withheld"},
	} {
		failure := tc.failure
		for _, direct := range []bool{true, false} {
			l := newLab(t)
			url := pub
			l.web.set(pub, tagged(file("v1", -time.Hour)))
			if !direct {
				url = network
				l.web.set(pub, pointer(network))
				l.web.set(network, tagged(file("v1", -time.Hour)))
			}
			l.want("pub.example", "usable v1")
			l.web.set(url, failure)
			l.pass(day)
			for hour := range 23 {
				l.want("pub.example", "usable v1")
				if hour%4 == 0 {
					l.restart()
				}
				l.pass(time.Hour)
			}
			if d := l.document("pub.example"); d.Detail == "" {
				t.Errorf("%+v: a file that cannot be confirmed is served without a word", failure)
			}
			l.pass(time.Hour + time.Minute)
			l.want("pub.example", tc.ends)
			l.web.set(url, tagged(file("v2", 0)))
			l.pass(time.Hour)
			l.want("pub.example", "usable v2")
		}
	}
}

func TestTakenAway(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name       string
		direct     bool
		page       page
		want, code string
		// later: it is served for an hour after that was first seen.
		later bool
	}{
		{"no file", true, page{status: 404}, "absent", "publisher.absent", false},
		{"no file for good", true, page{status: 410}, "unreachable", "publisher.denied", false},
		{"denied", true, page{status: 403}, "unreachable", "publisher.denied", true},
		{"not acceptable", true, page{status: 406}, "unreachable", "publisher.denied", true},
		{"misdirected", true, page{status: 421}, "unreachable", "publisher.denied", true},
		{"header too large", true, page{status: 431}, "unreachable", "publisher.denied", true},
		{"network has no file", false, page{status: 404}, "unusable", "file.gone", false},
		{"network has no file for good", false, page{status: 410}, "unusable", "file.gone", false},
		{"network denies", false, page{status: 401, outcome: fetch.Forbidden}, "unusable", "file.denied", true},
		{"network denies in a word", false, page{status: 403}, "unusable", "file.denied", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			url, v1 := pub, tagged(file("v1", 0))
			l.web.set(pub, v1)
			if !tt.direct {
				url = network
				l.web.set(pub, pointer(network))
				l.web.set(network, v1)
			}
			l.want("pub.example", "usable v1")
			l.web.set(url, tt.page)
			l.pass(day + time.Second)
			l.codes()
			if tt.later {
				l.want("pub.example", "usable v1")
				if d := l.document("pub.example"); d.Detail == "" {
					t.Error("it is served without a word")
				}
				l.pass(59 * time.Minute)
				l.restart()
				l.want("pub.example", "usable v1")
				l.pass(time.Hour)
			}
			l.want("pub.example", tt.want)
			l.has(l.codes(), tt.code)
			l.restart()
			l.want("pub.example", tt.want)
			// What comes back counts again.
			l.web.set(url, v1)
			l.pass(time.Hour)
			l.want("pub.example", "usable v1")
		})
	}
}

// TestDenialThatPasses: a publisher whose delivery network refuses one request is served
// throughout, and the file of its network is asked for as ever.
func TestDenialThatPasses(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, lasting(time.Hour, pointer(network)))
	l.web.set(network, lasting(time.Hour, tagged(file("v1", 0))))
	l.want("pub.example", "usable v1")
	l.web.set(pub, page{status: 403})
	l.web.set(network, lasting(time.Hour, tagged(file("v2", time.Minute))))
	l.pass(25 * time.Hour)
	l.want("pub.example", "usable v2")
	l.web.set(pub, lasting(time.Hour, pointer(network)))
	l.pass(5 * time.Minute)
	l.refresh()
	l.want("pub.example", "usable v2")
	l.has(l.codes(), "publisher.failing", "publisher.recovered")
}

func TestRevocationIsHeld(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, pointer(network))
	l.web.set(network, tagged(file("v1", 0, "gone.example")))
	l.want("pub.example", "usable v1")
	l.pass(day)
	l.web.set(network, tagged(file("v2", time.Hour)))
	l.codes()
	l.want("pub.example", "usable v2 held gone.example")
	l.has(l.codes(), "revocation.delisted")
	for range 5 {
		l.restart()
		l.pass(day)
		l.want("pub.example", "usable v2 held gone.example")
	}
	l.pass(23 * time.Hour)
	l.want("pub.example", "usable v2 held gone.example")
	l.pass(time.Hour + time.Second)
	l.want("pub.example", "usable v2")
	// It concerns authority from that file alone.
	l.web.set("https://gone.example/.well-known/adagents.json", tagged(fileFor("gone.example", "own", 0)))
	l.want("gone.example", "usable own")
}

func TestRevokedAnswers(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, pointer(network))
	l.web.set(network, tagged(file("v1", 0, "pub.example")))
	l.served("pub.example")
	l.web.set(network, tagged(file("v2", time.Hour)))
	l.pass(2 * day)
	a, err := resolve.New(l.k).Answer(t.Context(), resolve.Question{Publisher: "pub.example", Agent: agent, At: l.clock()})
	if err != nil || a.Verdict != resolve.NotAuthorized || a.Reasons[0].Code != "publisher.revoked" {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestMoveWaits(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, pointer(network))
	l.web.set(network, lasting(time.Hour, tagged(file("old", 0))))
	l.web.set(second, tagged(file("new", time.Minute)))
	l.want("pub.example", "usable old")
	first := l.document("pub.example").Route[0].SHA256
	l.web.set(pub, pointer(second))
	l.pass(day + time.Minute)
	l.codes()
	l.want("pub.example", "usable old")
	l.has(l.codes(), "move.held")
	// The old file counts meanwhile, and is asked for.
	l.web.set(network, lasting(time.Hour, tagged(file("old2", time.Hour, "gone.example"))))
	for range 23 {
		l.restart()
		l.pass(time.Hour)
		l.refresh()
		if d := l.document("pub.example"); d.URL != network || d.Route[0].SHA256 != first {
			t.Fatalf("%s from %s by %+v", told(d), d.URL, d.Route)
		}
	}
	l.want("pub.example", "usable old2")
	l.pass(time.Hour)
	l.codes()
	l.want("pub.example", "usable new")
	l.has(l.codes(), "move.adopted")
	if d := l.document("pub.example"); d.URL != second || d.Route[0].SHA256 == first {
		t.Errorf("%+v", d)
	}
}

func TestMoveFromOwnFile(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, tagged(file("own", 0)))
	l.web.set(network, tagged(file("new", time.Minute)))
	l.want("pub.example", "usable own")
	l.web.set(pub, pointer(network))
	for range 24 {
		l.pass(time.Hour)
		l.refresh()
		l.restart()
		l.want("pub.example", "usable own")
	}
	l.pass(time.Hour + time.Minute)
	l.want("pub.example", "usable new")
	// And back.
	l.web.set(pub, tagged(file("own2", day)))
	l.pass(day)
	l.want("pub.example", "usable new")
	l.pass(day + time.Minute)
	l.want("pub.example", "usable own2")
}

func TestMoveFlipsBack(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(network, tagged(file("old", 0)))
	l.web.set(second, tagged(file("new", time.Minute)))
	l.web.set(pub, pointer(network))
	l.want("pub.example", "usable old")
	for range 5 {
		l.web.set(pub, pointer(second))
		l.pass(23 * time.Hour)
		l.refresh()
		l.want("pub.example", "usable old")
		l.web.set(pub, pointer(network))
		l.pass(time.Hour)
		l.refresh()
		l.want("pub.example", "usable old")
	}
	l.has(l.codes(), "move.held", "move.cancelled")
}

func TestMoveWithSigns(t *testing.T) {
	t.Parallel()
	stranger := func(body string) string {
		return replace(body, agent, "https://stranger.example/mcp")
	}
	for name, tt := range map[string]struct {
		target page
		brand  []string
		sign   custody.Sign
	}{
		"a stranger":   {tagged(stranger(file("new", time.Minute))), nil, custody.SignNewAgent},
		"an older one": {tagged(file("new", -time.Hour)), nil, custody.SignRegression},
		"nothing":      {page{status: 404}, nil, custody.SignUnusable},
		"no file":      {page{body: "{"}, nil, custody.SignUnusable},
		"a brand":      {tagged(file("new", time.Minute)), []string{"https://brand.example"}, custody.SignBrand},
		"a downgrade":  {tagged(replace(file("new", time.Minute), `"authorized_for"`, `"delegation_type": "ad_network", "authorized_for"`)), nil, custody.SignDowngrade},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			if tt.brand != nil {
				l.config.Brand = brand(tt.brand)
				l.k = l.keeper()
			}
			l.web.set(pub, pointer(network))
			l.web.set(network, tagged(replace(file("old", 0), `"authorized_for"`, `"delegation_type": "direct", "authorized_for"`)))
			l.web.set(second, tt.target)
			l.want("pub.example", "usable old")
			l.web.set(pub, pointer(second))
			for range 4 {
				l.pass(day)
				l.want("pub.example", "usable old")
				l.restart()
			}
			s, err := l.k.State(t.Context(), "pub.example")
			if err != nil || s.Publisher.Move == nil || len(s.Publisher.Move.Signs) != 1 || s.Publisher.Move.Signs[0] != tt.sign {
				t.Fatalf("%+v, %v", s.Publisher.Move, err)
			}
			holds, err := l.k.Holds(t.Context())
			if err != nil || len(holds) != 1 || holds[0].Publisher.Domain != "pub.example" {
				t.Fatalf("%+v, %v", holds, err)
			}
			err = l.k.Confirm(t.Context(), "pub.example", network)
			if !errors.Is(err, custody.ErrNotWaiting) {
				t.Errorf("another place was confirmed: %v", err)
			}
			err = l.k.Reject(t.Context(), "pub.example", second)
			if err != nil {
				t.Fatal(err)
			}
			err = l.k.Confirm(t.Context(), "pub.example", second)
			if err != nil {
				t.Fatal(err)
			}
			want := "usable new"
			if tt.sign == custody.SignUnusable {
				want = "unusable"
			}
			l.want("pub.example", want)
		})
	}
}

func TestFrozen(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, pointer(network))
	p := tagged(file("v1", 0))
	l.web.set(network, p)
	l.want("pub.example", "usable v1")
	p.frozen = true
	l.web.set(network, p)
	for range 6 {
		l.pass(day + time.Second)
		l.want("pub.example", "usable v1")
	}
	// The next one is a whole one, and brings what was kept from us.
	v2 := tagged(file("v2", day, "gone.example"))
	v2.headers.ETag, v2.frozen = p.headers.ETag, true
	l.web.set(network, v2)
	l.pass(day)
	l.codes()
	l.want("pub.example", "usable v2")
	l.has(l.codes(), "file.etag_reused", "revocation.observed")
}

func TestRollbackIsConfirmed(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, pointer(network))
	l.web.set(network, tagged(file("v2", 0)))
	l.want("pub.example", "usable v2")
	l.web.set(network, tagged(file("v1", -time.Hour)))
	l.pass(day)
	l.codes()
	l.want("pub.example", "usable v2")
	l.has(l.codes(), "file.rollback")
	holds, err := l.k.Holds(t.Context())
	if err != nil || len(holds) != 1 || holds[0].File == nil || holds[0].File.Refused == nil {
		t.Fatalf("%+v, %v", holds, err)
	}
	changes, err := l.k.Diff(t.Context(), "pub.example", holds[0].File.Hash, holds[0].File.Refused.Hash)
	if err != nil || len(changes) == 0 {
		t.Errorf("%+v, %v", changes, err)
	}
	for _, err := range []error{
		l.k.Reject(t.Context(), network, holds[0].File.Refused.Hash),
		l.k.Confirm(t.Context(), network, holds[0].File.Hash),
		l.k.Confirm(t.Context(), "::://", "x"),
	} {
		if err == nil {
			t.Error("a decision about nothing")
		}
	}
	err = l.k.Confirm(t.Context(), network, holds[0].File.Refused.Hash)
	if err != nil {
		t.Fatal(err)
	}
	l.want("pub.example", "usable v2")
	l.pass(time.Hour)
	l.want("pub.example", "usable v1")
}

func TestForce(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, pointer(network))
	l.web.set(network, tagged(file("v1", 0)))
	l.want("pub.example", "usable v1")
	l.web.set(network, tagged(file("v2", 0)))
	l.refresh()
	l.want("pub.example", "usable v1") // fresh for a day
	l.pass(time.Second)
	_, err := l.k.Refresh(t.Context(), "pub.example", custodian.RefreshOptions{Force: true})
	if err != nil {
		t.Fatal(err)
	}
	l.want("pub.example", "usable v2")
	last := l.web.asked[len(l.web.asked)-1]
	if last.URL != network || !last.NoCache || last.IfNoneMatch != "" {
		t.Errorf("%+v", last)
	}
}

// TestDecisionIsUndone: a decision can be taken back for ten minutes, also by another process.
func TestDecisionIsUndone(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.web.set(pub, pointer(network))
	l.web.set(network, tagged(file("old", 0)))
	l.want("pub.example", "usable old")
	l.web.set(pub, pointer(second))
	l.web.set(second, tagged(file("new", day)))
	l.pass(day)
	l.want("pub.example", "usable old")
	before, err := l.k.Document(t.Context(), "pub.example")
	if err != nil || len(before.Route) != 1 {
		t.Fatalf("%+v, %v", before, err)
	}
	because := custody.Ruling{By: "key_1", Reason: "asked"}
	var seen time.Time // when the decision before was made
	for _, confirm := range []bool{true, false} {
		l.pass(time.Second)
		err := l.k.Decide(t.Context(), "pub.example", second, confirm, because)
		if err != nil {
			t.Fatal(err)
		}
		if confirm {
			l.want("pub.example", "usable new")
		}
		l.restart()
		decided, err := l.k.Decided(t.Context())
		if err != nil || len(decided) != 1 || decided[0].Decision().Reason != "asked" {
			t.Fatalf("%+v, %v", decided, err)
		}
		holds, err := l.k.Holds(t.Context())
		if err != nil || len(holds) != map[bool]int{true: 0, false: 1}[confirm] {
			t.Errorf("%+v, %v", holds, err)
		}
		err = l.k.Undo(t.Context(), "pub.example", second, seen)
		if !errors.Is(err, custody.ErrNotWaiting) {
			t.Errorf("another decision than the one that was seen: %v", err)
		}
		seen = decided[0].Decision().At
		err = l.k.Undo(t.Context(), "pub.example", second, seen)
		if err != nil {
			t.Fatal(err)
		}
		l.want("pub.example", "usable old")
		holds, err = l.k.Holds(t.Context())
		if err != nil || len(holds) != 1 || holds[0].Publisher.Move.Rejected {
			t.Errorf("%+v, %v", holds, err)
		}
	}
	s, err := l.k.State(t.Context(), "pub.example")
	if err != nil || s.Publisher.Location.URL != network {
		t.Fatalf("%+v, %v", s, err)
	}
	doc, err := l.k.Document(t.Context(), "pub.example")
	if err != nil || len(doc.Route) != 1 || doc.Route[0].SHA256 != before.Route[0].SHA256 {
		t.Errorf("it is led there by %+v, %v", doc.Route, err)
	}
	err = l.k.Decide(t.Context(), "pub.example", second, true, because)
	if err != nil {
		t.Fatal(err)
	}
	decided, err := l.k.Decided(t.Context())
	if err != nil || len(decided) != 1 {
		t.Fatalf("%+v, %v", decided, err)
	}
	seen = decided[0].Decision().At
	l.pass(custody.UndoTime)
	decided, err = l.k.Decided(t.Context())
	if err != nil || len(decided) != 0 {
		t.Errorf("%+v, %v", decided, err)
	}
	err = l.k.Undo(t.Context(), "pub.example", second, seen)
	if !errors.Is(err, custody.ErrNotWaiting) {
		t.Errorf("too late: %v", err)
	}
}
