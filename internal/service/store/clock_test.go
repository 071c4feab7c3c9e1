package store

import (
	"testing"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/test/pgtest"
	"github.com/avow-project/avow/internal/test/storetest"
	"github.com/avow-project/avow/resolve"
)

// TestSetClock: the latest time goes back by an operator's word alone, in both databases,
// and every record that is dated after it has to be seen again.
func TestSetClock(t *testing.T) {
	t.Parallel()
	for _, s := range []*Store{sqliteStore(t), opens(t, pgtest.URL(t))} {
		storetest.FillMany(t, s.Custody())
		wrong, right := time.Date(2040, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
		_, err := s.Custody().Clock(t.Context(), wrong)
		ok(t, err)
		app := resolve.Identifier{Type: "ios_bundle", Value: "1234"}
		listed := &custodian.Change{
			Publisher: &custody.Publisher{Domain: "ahead.example", Listed: string(registry.HashOf(nil))},
			Index:     &custodian.Index{At: wrong, Identifiers: []resolve.Identifier{app}},
		}
		ok(t, s.Custody().Commit(t.Context(), listed))
		before, err := s.Ahead(t.Context(), right)
		ok(t, err)
		found, err := s.SetClock(t.Context(), right)
		ok(t, err)
		if *found != *before || found.Noted != wrong || found.Publishers == 0 {
			t.Errorf("found %+v, after %+v was told", found, before)
		}
		sound(t, s)
		claims, err := s.Custody().Claims(t.Context(), app, right, 10)
		if err != nil || len(claims) != 1 || claims[0].Since != right {
			t.Errorf("%+v, %v", claims, err)
		}
		listed.Publisher.Revision, listed.Index = 1, &custodian.Index{At: right.Add(time.Hour)}
		ok(t, s.Custody().Commit(t.Context(), listed))
		claims, err = s.Custody().Claims(t.Context(), app, right.Add(time.Hour), 10)
		if err != nil || len(claims) != 0 {
			t.Errorf("a later file has no effect: %+v, %v", claims, err)
		}
		noted, err := s.Custody().Clock(t.Context(), time.Time{})
		if err != nil || noted != right {
			t.Errorf("noted %s, %v", noted, err)
		}
		after, err := s.Ahead(t.Context(), right)
		if err != nil || after.Publishers != 0 || after.Files != 0 {
			t.Errorf("%+v, %v", after, err)
		}
		events, err := s.Custody().Events(t.Context(), custodian.EventFilter{}, 0, 1_000_000)
		if err != nil || len(events) == 0 || events[len(events)-1].Code != "clock.set" {
			t.Errorf("the last event is not the operator's: %v", err)
		}
	}
}
