package state

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/service/directory"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/std/hostname"
)

// TestFillGoesOn fills a store in steps, the first of which is interrupted: the others look at nothing again, and in
// the end there is all that one step would have made.
func TestFillGoesOn(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	said := &bytes.Buffer{}
	a := console.New(console.Env{Stderr: said})
	st, err := store.Open(ctx, "sqlite:"+filepath.Join(t.TempDir(), "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	interrupted, interrupt := context.WithCancel(ctx)
	looks := atomic.Int64{}
	a.Env.Now = func() time.Time {
		// Some publishers have to be there, and not all of them.
		if looks.Add(1)%20 == 0 {
			have, err := st.Custody().Counts(ctx)
			if err != nil || len(have.Groups) > 0 {
				interrupt()
			}
		}
		return time.Now()
	}
	err = fill(interrupted, a, st, 265)
	have, countErr := st.Custody().Counts(ctx)
	if err == nil || countErr != nil || len(have.Groups) == 0 {
		t.Fatalf("interrupted: %v, %v, %+v", err, countErr, have)
	}
	for _, n := range []int{265, 338, 338} {
		err = fill(ctx, a, st, n)
		if err != nil {
			t.Fatal(err)
		}
		checkFilled(t, st, n)
	}
	err = fill(ctx, a, st, 337)
	if err == nil || !strings.Contains(err.Error(), "the store has 1 publisher that this would not put there") {
		t.Errorf("fewer publishers than the store has: %v", err)
	}
	if !strings.Contains(said.String(), "the store has 338 publishers") {
		t.Errorf("said %q", said)
	}
}

// checkFilled checks that a store has n publishers, each looked at once, and that all of them let the agent
// of all sell something.
func checkFilled(t *testing.T, st *store.Store, n int) {
	t.Helper()
	var domains []hostname.Domain
	for i := range n {
		domains = append(domains, filledDomain(i))
	}
	revisions, err := st.Custody().Revisions(t.Context(), domains, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, domain := range domains {
		if revisions[string(domain)] != 1 {
			t.Errorf("%s has revision %d", domain, revisions[string(domain)])
		}
	}
	agent, err := st.Custody().Agent(t.Context(), "https://agent.example/mcp")
	if err != nil || *agent != (directory.Agent{URL: agent.URL, Known: n, Publishers: n, Properties: agent.Properties}) || agent.Properties < n {
		t.Errorf("%d publishers: %+v, %v", n, agent, err)
	}
}
