package retain_test

import (
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/retain"
)

var (
	noon   = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	limits = retain.Limits{History: 32 * 24 * time.Hour, Guests: 72 * time.Hour, Budget: 25_600_000}
)

func TestAdmit(t *testing.T) {
	t.Parallel()
	if (limits.OfGuests() != retain.Share{Names: 400, Bytes: 6_400_000}) || limits.OfSite().Bytes != 40_000 || limits.OfClient().Bytes != 400_000 {
		t.Fatalf("%+v %+v %+v", limits.OfGuests(), limits.OfSite(), limits.OfClient())
	}
	const site = "s.example"
	type share = retain.Share
	for _, tc := range []struct {
		name                    string
		names, bytes            int64
		have, client, all, more share
		want                    retain.Verdict
	}{
		{name: "the first", names: 1, bytes: 1000, want: retain.Admitted},
		{name: "exactly the rest of a site", names: 1, bytes: 1000, have: share{Names: 499, Bytes: 39_000}, want: retain.Admitted},
		{name: "more than a site may have", bytes: 1001, have: share{Names: 1, Bytes: 39_000}, want: retain.SiteFull},
		{name: "two charges to one site", bytes: 20_001, more: share{Bytes: 20_000}, want: retain.SiteFull},
		{name: "one name more of a site", names: 1, have: share{Names: 500}, want: retain.SiteFull},
		{name: "another version of one of a full site", bytes: 1, have: share{Names: 500, Bytes: 1000}, want: retain.Admitted},
		{name: "a file larger than a site's share", names: 1, bytes: 40_001, want: retain.SiteFull},
		{name: "a client that has brought much", names: 1, bytes: 1, client: share{Bytes: 400_000}, want: retain.ClientFull},
		{name: "a client that has brought many", names: 1, client: share{Names: 10_000}, want: retain.ClientFull},
		{name: "many guests", names: 1, all: share{Names: 400}, want: retain.GuestsFull},
		{name: "large guests", names: 1, bytes: 1, all: share{Bytes: 6_400_000}, want: retain.GuestsFull},
	} {
		d := &retain.Demand{
			Charges: []retain.Charge{{Site: site, Share: share{Names: tc.names, Bytes: tc.bytes}}, {Site: site, Share: tc.more}},
			Client:  tc.client, All: tc.all, Sites: map[string]share{site: tc.have},
		}
		if have := limits.Admit(d); have != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, have, tc.want)
		}
	}
}

func TestSiteOf(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]string{
		"https://a.b.example/x": "b.example", "https://b.example:8443/x": "b.example", "https://com/": "com",
	} {
		if have := retain.SiteOfURL(url); have != want {
			t.Errorf("%s: %s, want %s", url, have, want)
		}
	}
}

func TestPlan(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	for _, tc := range []struct {
		name    string
		usage   retain.Usage
		history time.Duration
		evict   int64
		state   retain.State
	}{
		{"enough", retain.Usage{Bytes: 1000, Live: true, Free: -1}, 32 * day, 0, retain.Enough},
		{"many guests", retain.Usage{Bytes: 1000, Live: true, Free: -1, Guests: retain.Share{Bytes: 6_400_001}}, 32 * day, 640_001, retain.Enough},
		{"full, with guests", retain.Usage{Bytes: 25_000_000, Live: true, Free: -1, Guests: retain.Share{Bytes: 6_000_000}}, 32 * day, 4_520_000, retain.OverBudget},
		{"full, without guests", retain.Usage{Bytes: 25_000_000, Live: true, Free: -1}, 8 * day, 0, retain.OverBudget},
		{"full, with guests of which most protects somebody", retain.Usage{Bytes: 25_000_000, Live: true, Free: -1, Guests: retain.Share{Bytes: 6_000_000}, Protected: 5_900_000}, 8 * day, 100_000, retain.OverBudget},
		{"a log that goes by itself", retain.Usage{Bytes: 25_000_000, Log: 24_000_000, Live: true, Free: -1, Guests: retain.Share{Bytes: 1000}}, 32 * day, 0, retain.OverBudget},
		{"a size that does not go down", retain.Usage{Bytes: 25_000_000, Free: -1, Guests: retain.Share{Bytes: 6_000_000}}, 32 * day, 0, retain.OverBudget},
		{"a disk that is nearly full", retain.Usage{Bytes: 1000, Live: true, Free: 1_000_000, Guests: retain.Share{Bytes: 2_000_000}}, 32 * day, 600_000, retain.DiskLow},
		{"a disk with room", retain.Usage{Bytes: 1000, Live: true, Free: 1_600_000}, 32 * day, 0, retain.Enough},
	} {
		p := limits.Plan(tc.usage, noon)
		if have := noon.Sub(p.History); have != tc.history || p.Evict != tc.evict || !p.Events.Equal(p.History.Add(-8*day)) || !p.Guests.Equal(noon.Add(-72*time.Hour)) || !p.Ended.Equal(noon.Add(-7*day)) {
			t.Errorf("%s: %s %+v", tc.name, have, p)
		}
		if have := limits.State(tc.usage); have != tc.state {
			t.Errorf("%s: state %q, want %q", tc.name, have, tc.state)
		}
	}
}

func TestForgettable(t *testing.T) {
	t.Parallel()
	for name, p := range map[string]custody.Publisher{
		"a place": {Location: custody.Location{URL: "https://a.example/"}}, "a date": {HighWater: noon}, "a move": {Move: &custody.Move{}},
		"a decision": {Rejected: []string{"x"}},
	} {
		if retain.Forgettable(&p) {
			t.Errorf("a publisher with %s is forgotten", name)
		}
	}
	for name, f := range map[string]custody.File{
		"a version": {Hash: "x"}, "a date": {HighWater: noon}, "a refusal": {Refused: &custody.Refusal{}}, "a revocation": {Revocations: make([]custody.Revocation, 1)},
		"too many revocations": {Overflow: true},
	} {
		if retain.ForgettableFile(&f) {
			t.Errorf("a file with %s is forgotten", name)
		}
	}
	for name, p := range map[string]custody.Publisher{"a move": {Move: &custody.Move{}}, "a decision": {Rejected: []string{"x"}}} {
		if retain.Expendable(&p) {
			t.Errorf("a publisher with %s is forgotten after a while", name)
		}
	}
	for name, f := range map[string]custody.File{
		"a refusal": {Refused: &custody.Refusal{}}, "a revocation": {Revocations: make([]custody.Revocation, 1)}, "too many revocations": {Overflow: true},
	} {
		if retain.ExpendableFile(&f) {
			t.Errorf("a file with %s is forgotten after a while", name)
		}
	}
	if !retain.Expendable(&custody.Publisher{HighWater: noon}) || !retain.ExpendableFile(&custody.File{Hash: "x", HighWater: noon}) {
		t.Error("names are never freed")
	}
	if !retain.Forgettable(&custody.Publisher{Domain: "a.example", TriedAt: noon}) || !retain.ForgettableFile(&custody.File{URL: "x", TriedAt: noon}) {
		t.Error("what says nothing is kept")
	}
}
