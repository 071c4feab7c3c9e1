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
	if (limits.OfGuests() != retain.Share{Names: 400, Bytes: 6_400_000}) || limits.OfSite().Bytes != 100_000 || limits.OfClient().Bytes != 400_000 {
		t.Fatalf("%+v %+v %+v", limits.OfGuests(), limits.OfSite(), limits.OfClient())
	}
	for _, tc := range []struct {
		name string
		n    retain.Newcomer
		want retain.Verdict
	}{
		{"the first", retain.Newcomer{Bytes: 1000}, retain.Admitted},
		{"exactly the rest of a site", retain.Newcomer{Bytes: 1000, Site: retain.Share{Names: 499, Bytes: 99_000}}, retain.Admitted},
		{"more than a site may have", retain.Newcomer{Bytes: 1001, Site: retain.Share{Names: 1, Bytes: 99_000}}, retain.SiteFull},
		{"one name more of a site", retain.Newcomer{Site: retain.Share{Names: 500}}, retain.SiteFull},
		{"a file larger than a site's share", retain.Newcomer{Bytes: 100_001}, retain.SiteFull},
		{"a client that has brought much", retain.Newcomer{Bytes: 1, Client: retain.Share{Bytes: 400_000}}, retain.ClientFull},
		{"a client that has brought many", retain.Newcomer{Client: retain.Share{Names: 10_000}}, retain.ClientFull},
		{"many guests", retain.Newcomer{All: retain.Share{Names: 400}}, retain.GuestsFull},
		{"large guests", retain.Newcomer{Bytes: 1, All: retain.Share{Bytes: 6_400_000}}, retain.GuestsFull},
	} {
		if have := limits.Admit(tc.n); have != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, have, tc.want)
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
		{"roomy", retain.Usage{Bytes: 1000, Live: true, Free: -1}, 32 * day, 0, retain.Roomy},
		{"many guests", retain.Usage{Bytes: 1000, Live: true, Free: -1, Guests: retain.Share{Bytes: 6_400_001}}, 32 * day, 640_001, retain.Roomy},
		{"full, with guests", retain.Usage{Bytes: 25_000_000, Live: true, Free: -1, Guests: retain.Share{Bytes: 6_000_000}}, 32 * day, 4_520_000, retain.OverBudget},
		{"full, without guests", retain.Usage{Bytes: 25_000_000, Live: true, Free: -1}, 8 * day, 0, retain.OverBudget},
		{"a size that does not go down", retain.Usage{Bytes: 25_000_000, Free: -1, Guests: retain.Share{Bytes: 6_000_000}}, 32 * day, 0, retain.OverBudget},
		{"a disk that is nearly full", retain.Usage{Bytes: 1000, Live: true, Free: 1_000_000, Guests: retain.Share{Bytes: 2_000_000}}, 32 * day, 600_000, retain.DiskLow},
		{"a disk with room", retain.Usage{Bytes: 1000, Live: true, Free: 1_600_000}, 32 * day, 0, retain.Roomy},
	} {
		p := limits.Plan(tc.usage, noon)
		if have := noon.Sub(p.History); have != tc.history || p.Evict != tc.evict || !p.Events.Equal(p.History.Add(-8*day)) || !p.Guests.Equal(noon.Add(-72*time.Hour)) {
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
