package sources

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/request"
)

// Flags say where documents come from.
type Flags struct {
	File string
	Web  *request.Flags
	// State is where files are kept over time, unless NoState.
	State   *StoreFlags
	NoState bool
	AsOf    string
	// mirrors are written as DOMAIN=URL.
	mirrors []string
}

// Add adds the flags to a command.
func (f *Flags) Add(cmd *cobra.Command) {
	f.Web = request.AddFlags(cmd)
	f.Web.AddFollowFlag(cmd)
	flags := cmd.Flags()
	flags.Lookup("verbose").Usage += ", and the entries that were left out of files"
	flags.StringVar(&f.File, "file", "",
		"take the publisher's file from `PATH`, a file or a folder of files, instead of the web")
	flags.BoolVar(&f.NoState, "no-state", false, "ask the web alone: nothing is kept, and what was kept is ignored")
	flags.StringVar(&f.AsOf, "as-of", "",
		"answer from what was adopted at `TIME`, for example 2026-01-02T00:00:00Z; nothing is asked")
	flags.StringArrayVar(&f.mirrors, "mirror", nil,
		"`DOMAIN=URL` of a community mirror: the formats of DOMAIN are taken from it where DOMAIN has no file, or one "+
			"without formats; may be repeated, and AVOW_MIRRORS sets it as well, separated by commas")
	f.State = AddStoreFlags(cmd)
}

// Check finds flags that do not go together. The time of --as-of is zero without one.
func (f *Flags) Check() (time.Time, error) {
	switch {
	case f.File != "" && len(f.mirrors) > 0:
		return time.Time{}, console.UsageError("leave one of them out",
			"--file makes no requests; it cannot be combined with --mirror")
	case f.AsOf == "":
		return time.Time{}, nil
	case len(f.mirrors) > 0:
		return time.Time{}, console.UsageError("leave one of them out",
			"--as-of uses stored records only; it cannot be combined with --mirror")
	case f.File != "":
		return time.Time{}, console.UsageError("leave one of them out",
			"--as-of is about what was kept, and --file about a local file")
	case f.NoState:
		return time.Time{}, console.UsageError("leave one of them out",
			"--as-of is about what was kept, which --no-state leaves aside")
	case f.Web.Refresh:
		return time.Time{}, console.UsageError("leave one of them out",
			"--as-of uses stored records only; it cannot be combined with --refresh")
	}
	at, err := console.ParseInstant(f.AsOf)
	if err != nil {
		return at, console.FlagError("as-of", err)
	}
	return at, nil
}

// QuestionTime is the time that a question is about, unless it says another: now, or the
// time of --as-of.
func QuestionTime(a *console.App, f *Flags) (time.Time, error) {
	at, err := f.Check()
	if err != nil || !at.IsZero() {
		return at, err
	}
	return a.Env.Now(), nil
}
