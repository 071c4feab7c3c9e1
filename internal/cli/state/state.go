// Package state has the command state, which looks after the store as a whole.
package state

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/service/growth"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/std/words"
)

const stateHelp = `State looks after the store as a whole: what is known about publishers and files over
time, every version with its exact bytes, and the records of the registry service. It is
the database of avow serve, which avow authorize, avow resolve and avow watch use as well.

Check reads everything and says what is wrong. Export writes everything as a stream of
lines, and import fills an empty store with it: from one machine to another, or from
SQLite to PostgreSQL. Prune removes what is not kept any longer. Accept-restore is for a
store that was put back from an old copy, and set-clock for one that was used with a clock
that was ahead. Fill fills a new store with publishers that are made up, to see how large a
machine has to be.`

// Command returns the command state.
func Command(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "state",
		Short: "check, back up and restore the store",
		Long:  stateHelp,
		Example: `  avow state check
  avow state export -o state.ndjson
  avow state import state.ndjson --store postgres://avow@db.example.com/avow
  avow state prune --dry-run
  avow state fill --store sqlite:large.db --publishers 1000`,
	}
	return a.Group(cmd, stateCheckCommand(a), stateExportCommand(a), stateImportCommand(a), statePruneCommand(a),
		stateAcceptCommand(a), stateClockCommand(a), stateFillCommand(a))
}

func stateCheckCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check",
		Short: "check the whole store for damage",
		Long: `Check reads every record and the bytes of every version, and compares them with their
checksums. A store that is older than what this machine has seen of it is not in order
either, nor is one with times after the present. It changes nothing, and may run beside the service.

With --growth it also lists everything that can grow while the service runs, in the store and in
memory: the rows of each table, and what bounds it. The JSON output always has that list, and
docs/operating.md has it in full.

Exit codes: 0 the store is in order, 1 it is not, 2 wrong usage, 3 it could
not be checked.`,
		Example: "  avow state check\n  avow state check --growth\n  avow state check --store sqlite:backup.db " +
			"--format json",
		Args:              console.NoArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f, format := addReadFlags(cmd), console.AddChoice(cmd, "format", "output format", "text", "json")
	list := cmd.Flags().Bool("growth", false, "list everything that can grow")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		var problems []store.Problem
		var rows map[string]int64
		err := sources.WithStore(cmd.Context(), a, f, func(ctx context.Context, st *store.Store) error {
			var err error
			problems, err = store.Check(ctx, st)
			if err == nil {
				problems, err = checkClock(ctx, a, st, problems)
			}
			if err != nil {
				return err
			}
			rows, err = st.Rows(ctx)
			if err != nil && len(problems) == 0 {
				return err
			}
			return restoredTo(st.Restored(ctx), func(e *store.RestoredError) {
				problems = append([]store.Problem{{What: "an old copy of the store was put back: " + e.Error()}}, problems...)
			})
		})
		if err != nil {
			return err
		}
		return showProblems(a, format.Value, problems, growing(rows), *list)
	}
	return cmd
}

// stateDocument is the JSON output of state check.
type stateDocument struct {
	OK       bool          `json:"ok"`
	Problems []jsonProblem `json:"problems"`
	Growth   []jsonGrowth  `json:"growth"`
}

// jsonGrowth is one thing that can grow.
type jsonGrowth struct {
	Kind  string `json:"kind"`
	Name  string `json:"name"`
	Rows  *int64 `json:"rows,omitempty"`
	Holds string `json:"holds"`
	Owner string `json:"charged_to,omitempty"`
	Bound string `json:"bound"`
}

type jsonProblem struct {
	Table   string `json:"table,omitempty"`
	Key     string `json:"key,omitempty"`
	Message string `json:"message"`
}

// growing lists everything that can grow, with the rows of tables.
func growing(rows map[string]int64) []jsonGrowth {
	var all []jsonGrowth
	for _, i := range growth.All() {
		one := jsonGrowth{Kind: string(i.Kind), Name: i.Name, Holds: i.Holds, Owner: i.Owner,
			Bound: strings.ReplaceAll(i.Bound, "`", "")}
		if n, ok := rows[i.Name]; ok && i.Kind == growth.Table {
			one.Rows = &n
		}
		all = append(all, one)
	}
	return all
}

func showGrowth(a *console.App, all []jsonGrowth) {
	for _, i := range all {
		rows := ""
		if i.Rows != nil {
			rows = words.Plural(int(*i.Rows), "row", "rows")
		}
		fmt.Fprintf(a.Out, "%-7s  %-20s  %-13s  %s\n", i.Kind, i.Name, rows, i.Bound)
	}
}

func showProblems(a *console.App, format string, problems []store.Problem, all []jsonGrowth, list bool) error {
	doc := stateDocument{OK: len(problems) == 0, Problems: []jsonProblem{}, Growth: all}
	if list && format == "text" {
		showGrowth(a, all)
	}
	for _, p := range problems {
		doc.Problems = append(doc.Problems, jsonProblem{p.Table, p.Key, p.What})
		if format == "text" {
			fmt.Fprintln(a.Out, console.Safe(p.String()))
		}
	}
	switch {
	case format == "json":
		err := console.WriteJSONLine(a.Out, doc)
		if err != nil {
			return err
		}
	case doc.OK:
		fmt.Fprintln(a.Out, "the store is in order")
	default:
		fmt.Fprintf(a.Out, "the store is damaged: %s\n", words.Plural(len(problems), "problem", "problems"))
	}
	if !doc.OK {
		return console.ExitStatus(console.ExitNo)
	}
	return nil
}

func stateExportCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export",
		Short: "write the whole store as lines of JSON",
		Long: `Export writes the whole store as of one moment, as lines of JSON of which the last has a
checksum. Equal stores give equal streams. It may run beside the service.

The stream has no keys of the service, only their hashes; it has all versions of all
files, so its readers know what this store knows. A file that --output makes is
readable for its owner alone. A store that was put back from an old copy is exported as it
is, with a message.

Exit codes: 0 it was written, 2 wrong usage, 3 the store could not be read, or the stream not be
written.`,
		Example:           "  avow state export -o state.ndjson\n  avow state export | gzip > state.ndjson.gz",
		Args:              console.NoArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f, output := addReadFlags(cmd), ""
	cmd.Flags().StringVarP(&output, "output", "o", "", "write to `FILE` instead of standard output")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return sources.WithStore(cmd.Context(), a, f, func(ctx context.Context, st *store.Store) error {
			err := export(ctx, a, st, output)
			if err != nil {
				return err
			}
			return noteRestored(ctx, a, st)
		})
	}
	return cmd
}

func export(ctx context.Context, a *console.App, st *store.Store, output string) error {
	out, err := a.OpenOutput(output)
	if err != nil {
		return err
	}
	err = out.Private()
	if err == nil {
		err = store.Export(ctx, st, out.W)
	}
	return out.Close(err)
}

func stateImportCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "fill an empty store from an export",
		Long: `Import fills a store with what avow state export wrote; - is standard input. The store
has to be empty, and is made when it is missing. Either everything is imported or
nothing. What was exported before this machine has seen more of the store is an old copy
like any other: avow state accept-restore makes it one that can be used.

What an earlier release exported is imported with that release; this one then opens the store.

The transparency log comes along, but not what this machine has to remember outside of the
store: the last checkpoint that was signed (a file ending with .checkpoint), and the two files
of a witness. Copy them from the other machine, and let only one of both sign.

Exit codes: 0 everything was imported, 1 the store is not empty, 2 wrong usage, 3 the stream
could not be read, or not be stored.`,
		Example: "  avow state import state.ndjson --store sqlite:new.db\n  gunzip -c state.ndjson.gz | avow state import " +
			"- --store postgres://avow@db.example.com/avow",
		Args: oneFile,
	}
	f := sources.AddStoreFlags(cmd)
	f.Purpose = store.Mend
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		in, _, err := a.OpenInput(args[0])
		if err != nil {
			return err
		}
		defer func() { _ = in.Close() }() // it was only read
		return sources.WithStore(cmd.Context(), a, f, func(ctx context.Context, st *store.Store) error {
			err := importFrom(ctx, st, args[0], in)
			if err != nil {
				return err
			}
			a.Note("imported %s", args[0])
			noteGuard(ctx, a, st)
			return noteRestored(ctx, a, st)
		})
	}
	return cmd
}

// noteGuard tells what is missing beside a store that came with a transparency log.
func noteGuard(ctx context.Context, a *console.App, st *store.Store) {
	state, err := st.Log().State(ctx)
	guard := st.LogGuard()
	if err == nil && guard.Path != "" && !guard.Used(state.Origin) {
		a.Note(
			"the store has the transparency log %s; what was signed of it elsewhere is not known here: before anything is "+
				"signed, copy the file .checkpoint of the store to %s, or call avow log recover with the newest copy of the log",
			console.Safe(state.Origin), guard.Path)
	}
}

func oneFile(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) != 1:
		return console.UsageError("name the stream that avow state export wrote, or - for standard input",
			"%s takes one file, got %d", cmd.CommandPath(), len(args))
	case args[0] == "":
		return console.EmptyName()
	}
	return nil
}

func importFrom(ctx context.Context, st *store.Store, name string, in io.Reader) error {
	err := store.Import(ctx, st, in)
	switch {
	case errors.Is(err, store.ErrNotEmpty):
		return &console.Error{Code: console.ExitNo, Message: "the store is not empty",
			Hint: "name a new one with --store; nothing is ever merged"}
	case errors.Is(err, store.ErrCut):
		return console.Failure("export again; nothing was imported", "%s was cut off", name)
	case err != nil && ctx.Err() == nil:
		return console.Failure("nothing was imported", "cannot import %s: %s", name,
			strings.TrimPrefix(err.Error(), "store: "))
	}
	return err
}
