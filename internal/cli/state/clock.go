package state

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/std/words"
)

const setClockHelp = `Avow notes the latest time that it has seen, so that a clock that goes back cannot keep old
files in use. A time far ahead is not noted unless the dates that web servers send agree.
When a wrong one was noted nevertheless, nothing is in effect until the present reaches it, and
answers name clock.back.

Set-clock shows the latest time in the store, what the clock of this machine shows, and how
many records are dated after the present. With --confirm it makes the present the latest
time: make sure that the clock is right before. Records that are dated after it are not
in effect until they are seen again; each is fetched when a caller asks about it, and avow crawl
--all --force fetches all. Revocations and holds stay as they are. The event
clock.set tells when that was.

It is also the way to say that a clock is right that avow calls ahead (clock.ahead). A
service that runs follows within a minute.

Exit codes: 0 there is nothing to do or it was done, 1 the store has a time after the
present and --confirm was not given, 2 wrong usage, 3 the store cannot be opened
or changed.`

func stateClockCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:               "set-clock",
		Short:             "repair a store that was used with a clock ahead of time",
		Long:              setClockHelp,
		Example:           "  avow state set-clock\n  avow state set-clock --confirm",
		Args:              console.NoArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f, confirm := sources.AddOperatorFlags(cmd), false
	cmd.Flags().BoolVar(&confirm, "confirm", false, "the clock of this machine is right: make the present the latest time")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return sources.WithStore(cmd.Context(), a, f, func(ctx context.Context, st *store.Store) error {
			if confirm {
				return setClock(ctx, a, st)
			}
			return showClock(ctx, a, st)
		})
	}
	return cmd
}

// maxAhead is how far the time in a store may be after the present.
const maxAhead = 5 * time.Minute

// wrongClock says in words what of a store lies after the present; empty for nothing.
func wrongClock(found *store.Ahead, now time.Time) string {
	dated := ""
	if found.Publishers+found.Files > 0 {
		dated = words.Plural(int(found.Publishers), "publisher", "publishers") + " and " + words.Plural(int(found.Files),
			"file", "files") + " are dated after the present"
	}
	if found.Noted.Sub(now) <= maxAhead {
		return dated
	}
	text := "the latest time in the store is " + found.Noted.Format(time.RFC3339) +
		", and the clock of this machine shows " + now.UTC().Format(time.RFC3339)
	if dated != "" {
		text += "; " + dated
	}
	return text
}

func showClock(ctx context.Context, a *console.App, st *store.Store) error {
	now := a.Env.Now()
	found, err := st.Ahead(ctx, now)
	if err != nil {
		return err
	}
	wrong := wrongClock(found, now)
	if wrong == "" {
		noted := "nothing was noted yet"
		if !found.Noted.IsZero() {
			noted = "the latest time in the store is " + found.Noted.Format(time.RFC3339)
		}
		fmt.Fprintf(a.Out, "%s, and the clock of this machine shows %s; nothing lies after it\n", noted,
			now.UTC().Format(time.RFC3339))
		return nil
	}
	fmt.Fprintln(a.Out, wrong)
	return &console.Error{
		Code: console.ExitNo, Message: "nothing was changed",
		Hint: "set the clock of this machine if it is wrong; if it is right, repeat this with --confirm",
	}
}

func setClock(ctx context.Context, a *console.App, st *store.Store) error {
	now := a.Env.Now()
	found, err := st.SetClock(ctx, now)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.Out, "the latest time in the store is %s now; %s and %s have to be seen again before they count\n",
		now.UTC().Format(time.RFC3339),
		words.Plural(int(found.Publishers), "publisher", "publishers"), words.Plural(int(found.Files), "file", "files"))
	if found.Publishers+found.Files > 0 {
		a.Note("avow crawl --all --force asks for all of them now")
	}
	return nil
}

// checkClock adds to the problems of a store that it has times after the present. One that
// is damaged has others to be solved first.
func checkClock(ctx context.Context, a *console.App, st *store.Store,
	problems []store.Problem) ([]store.Problem, error) {
	if len(problems) > 0 {
		return problems, nil
	}
	now := a.Env.Now()
	found, err := st.Ahead(ctx, now)
	if err != nil {
		return nil, err
	}
	wrong := wrongClock(found, now)
	if wrong == "" {
		return nil, nil
	}
	return []store.Problem{{What: "clock.back: " + wrong + ": set the clock, or run avow state set-clock if it is right"}},
		nil
}
