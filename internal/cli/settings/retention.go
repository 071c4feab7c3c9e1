package settings

import (
	"time"

	"github.com/spf13/pflag"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/service/retain"
)

// Retention is how much is kept and for how long.
type Retention struct{ Limits retain.Limits }

// Define adds the flags.
func (r *Retention) Define(flags *pflag.FlagSet) {
	r.Limits = retain.Limits{}.WithDefaults()
	flags.Var(sizeValue{&r.Limits.Budget}, "store-budget",
		"`SIZE` that the store may take, such as 16GB; a quarter of it is for publishers that only anonymous callers named")
	flags.DurationVar(&r.Limits.History, "keep-history", r.Limits.History,
		"`TIME` for which old versions and events are kept")
	flags.DurationVar(&r.Limits.Guests, "keep-anonymous", r.Limits.Guests,
		"`TIME` for which the file of a publisher is kept after an anonymous caller asked for it, unless a key holder did too")
}

// Check finds limits that keep nothing.
func (r *Retention) Check() error {
	switch {
	case r.Limits.Budget < leastBudget:
		return console.UsageError("write it as 16GB", "--store-budget must be 10MB at least")
	case r.Limits.History < 24*time.Hour:
		return console.UsageError("write it as 720h", "--keep-history must be 24h at least")
	case r.Limits.Guests < time.Hour:
		return console.UsageError("write it as 72h", "--keep-anonymous must be 1h at least")
	}
	return nil
}

// leastBudget is what a store needs to be of any use.
const leastBudget = 10_000_000
