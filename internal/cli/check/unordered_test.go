package check_test

import (
	"context"
	"fmt"
	"io"
	"testing"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/cli/check"
	"github.com/avow-project/avow/internal/cli/console"
)

// TestAsTheyCome has a target that is done only after all others were shown.
func TestAsTheyCome(t *testing.T) {
	t.Parallel()
	last := make(chan struct{})
	targets := []check.Target{{Name: "slow", Web: "slow.example", Ask: func(context.Context) *discover.Discovery {
		<-last
		return &discover.Discovery{}
	}}}
	const others = 40
	for i := range others {
		targets = append(targets, check.Target{Name: fmt.Sprint(i), Web: fmt.Sprintf("p%d.example", i), Ask: func(context.Context) *discover.Discovery {
			return &discover.Discovery{}
		}})
	}
	c := check.NewChecker(console.New(console.Env{Stdout: io.Discard, Stderr: io.Discard}), adagents.Options{}, nil)
	c.AsTheyCome = true
	seen := map[string]bool{}
	for r := range c.Results(t.Context(), targets) {
		seen[r.Target.Name] = true
		if len(seen) == others {
			if seen["slow"] {
				t.Error("the slow one was shown before the others")
			}
			close(last)
		}
	}
	if len(seen) != others+1 {
		t.Errorf("%d results", len(seen))
	}
	for range c.Results(t.Context(), targets[1:]) {
		break // whoever stops early waits for nothing
	}
}
