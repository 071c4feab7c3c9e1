package servicetest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"
)

// TestMixedLoad runs everything at once for a long time and watches the memory.
func TestMixedLoad(t *testing.T) { //nolint:paralleltest // the machine is its own
	g := serveGuarded(t)
	ctx, cancel := context.WithTimeout(t.Context(), *loadTime)
	defer cancel()
	var group sync.WaitGroup
	kinds := []struct {
		name  string
		every time.Duration
		ask   func() any
		all   outcomes
	}{
		{name: "cached", every: 5 * time.Millisecond, ask: func() any {
			return g.ask(rand.IntN(500), "/api/adagents/validate", question("small", rand.IntN(20)))
		}},
		{name: "fresh", every: 50 * time.Millisecond, ask: func() any {
			return g.ask(rand.IntN(500), "/api/adagents/validate", question("small", rand.IntN(1_000_000)))
		}},
		{name: "lookups", every: 50 * time.Millisecond, ask: func() any {
			return g.ask(rand.IntN(500), "/api/registry/validate/property-authorization?agent_url=https://agent.example/&identifier_type=domain&identifier_value=small-1.example", "")
		}},
		{name: "create", every: 100 * time.Millisecond, ask: func() any {
			return g.ask(rand.IntN(500), "/api/adagents/create", `{"authorized_agents":[{"url":"https://agent.example/","authorized_for":"All","property_ids":["site"]}],`+
				`"properties":[{"property_id":"site","property_type":"website","name":"Site","identifiers":[{"type":"domain","value":"a.example"}]}]}`)
		}},
		{name: "hostile", every: 5 * time.Second, ask: func() any {
			return g.check(rand.IntN(500), question("hostile", rand.IntN(64)))
		}},
		{name: "lookups of hostile", every: 20 * time.Second, ask: func() any {
			return g.ask(rand.IntN(500), fmt.Sprintf("/api/registry/validate/property-authorization?agent_url=https://agent.example/&identifier_type=domain&identifier_value=hostile-%d.example", rand.IntN(8)), "")
		}},
		{name: "slow readers", every: time.Second, ask: func() any {
			short, done := context.WithTimeout(ctx, 30*time.Second)
			defer done()
			g.ignore(short, rand.IntN(500), question("text", rand.IntN(8)))
			return 0
		}},
	}
	for i := range kinds {
		k := &kinds[i]
		group.Go(func() {
			ticker := time.NewTicker(k.every)
			defer ticker.Stop()
			for ctx.Err() == nil {
				group.Go(func() { k.all.add(k.ask()) })
				select {
				case <-ticker.C:
				case <-ctx.Done():
				}
			}
		})
	}
	minute := time.NewTicker(time.Minute)
	defer minute.Stop()
	for n := 1; ctx.Err() == nil; n++ {
		select {
		case <-minute.C:
			t.Logf("minute %d: %d MiB", n, g.memory("VmRSS")>>20)
		case <-ctx.Done():
		}
	}
	group.Wait()
	for i := range kinds {
		t.Logf("%s: %v", kinds[i].name, kinds[i].all.by)
	}
	for what, n := range kinds[4].all.by {
		if what != wasChecked && what != wasRefused {
			t.Errorf("hostile documents: %d times %v", n, what)
		}
	}
	if kinds[0].all.by[200] == 0 || len(kinds[0].all.by) != 1 {
		t.Errorf("cached answers: %v: %s", kinds[0].all.by, g.log)
	}
	g.checkPeak()
	if *memoryLimit > 0 {
		time.Sleep(restTime)
		t.Logf("at rest for %s: %d MiB", restTime, g.memory("VmRSS")>>20)
	}
}

// restTime is how long the service is left alone after a load, until all that is kept for a
// minute is gone and the system has its memory back.
const restTime = 3 * time.Minute
