package registry_test

import (
	"slices"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/retain"
	"github.com/avow-project/avow/internal/std/hostname"
)

// TestUnattended: a service that only answers says so when what is due is not taken, and not
// while somebody is at something.
func TestUnattended(t *testing.T) {
	t.Parallel()
	lab, store := newSpaceLab(t, retain.Limits{})
	custody := store.Custody()
	none := func() bool {
		t.Helper()
		err := lab.CountWorkers(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		said := slices.ContainsFunc(lab.Warnings(), func(w registry.Warning) bool { return w.Code == "workers.none" })
		if said != lab.Unattended() {
			t.Error("the warnings are about something else")
		}
		return said
	}
	expect := func(want ...bool) {
		t.Helper()
		for i := range want {
			if got := none(); got != want[i] {
				t.Errorf("call %d: %t", i, got)
			}
		}
	}
	expect(false, false) // nothing is due
	_, err := custody.Plan(t.Context(), []hostname.Domain{"a.example", "b.example"}, custodian.Wanted, lab.clock())
	if err != nil {
		t.Fatal(err)
	}
	expect(false, false)
	lab.later(6 * time.Minute)
	expect(false, true, true)
	_, err = custody.Take(t.Context(), lab.clock(), time.Minute, 1)
	if err != nil {
		t.Fatal(err)
	}
	expect(false, false) // one is taken, and the other is due
	lab.later(2 * time.Minute)
	expect(false, true) // whoever took it has ended
}
