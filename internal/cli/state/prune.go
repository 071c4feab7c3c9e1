package state

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/settings"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/retain"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/std/words"
)

const pruneHelp = `Prune removes from the store what its settings do not allow to be kept any longer: versions,
places and events that are older than --keep-history, the files of publishers that only
anonymous callers named and no caller asked for within --keep-anonymous, what checks found of
them, and documents that nothing refers to. When the store is larger than --store-budget,
or its disk nearly full, more of that goes.

What protects a publisher stays: revocations, held moves, refused versions that wait, the
latest date of every file, and the version that is in force for each publisher that anybody
but anonymous callers named. avow serve does the same every hour. Prune works in small
steps and may run beside the service; give it the settings of the service, for example the
same --config.

With --dry-run nothing is changed.

Exit codes: 0 done, 2 wrong usage, 3 the store cannot be opened or changed.`

func statePruneCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:               "prune",
		Short:             "delete old versions and events",
		Long:              pruneHelp,
		Example:           "  avow state prune --dry-run\n  avow state prune --keep-history 168h --format json",
		Args:              console.NoArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f, format, dry := sources.AddOperatorFlags(cmd), console.AddChoice(cmd, "format", "output format", "text", "json"),
		false
	var keep settings.Retention
	f.Settings.Define(func(flags, _ *pflag.FlagSet) { keep.Define(flags) })
	cmd.Flags().BoolVar(&dry, "dry-run", false, "say what would be removed, and remove nothing")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		var pruned *retain.Pruned
		err := sources.WithStore(cmd.Context(), a, f, func(ctx context.Context, st *store.Store) error {
			err := keep.Check()
			if err != nil {
				return err
			}
			pruned, err = st.Prune(ctx, retain.Options{Limits: keep.Limits, Now: a.Env.Now(), DryRun: dry, Sweep: true})
			if errors.Is(err, registry.ErrReadOnly) {
				return console.Failure("make some room first: to remove something takes a little space for a moment",
					"the disk of the store is full")
			}
			return err
		})
		if pruned == nil {
			return err
		}
		if format.Value == "json" {
			return errors.Join(err, console.WriteJSONLine(a.Out, pruneForJSON(pruned, dry)))
		}
		writePruned(a.Out, pruned, dry)
		return err
	}
	return cmd
}

// pruneKinds are the kinds of what is removed, as people call them, one and many.
var pruneKinds = []struct{ name, one, many string }{
	{"guests", "file of a publisher that only anonymous callers named",
		"files of publishers that only anonymous callers named"},
	{"names", "publisher without a file that only anonymous callers named",
		"publishers without a file that only anonymous callers named"},
	{"versions", "old version", "old versions"},
	{"places", "old location", "old locations"},
	{"events", "old event", "old events"},
	{"documents", "document that nothing refers to", "documents that nothing refers to"},
}

// writePruned says what was removed in words.
func writePruned(w io.Writer, p *retain.Pruned, dry bool) {
	kinds, verb := p.Kinds(), "removed"
	if dry {
		verb = "would remove"
	}
	for _, k := range pruneKinds {
		r := kinds[k.name]
		if r.Rows > 0 {
			fmt.Fprintf(w, "%s %s, %s\n", verb, words.Plural(int(r.Rows), k.one, k.many), settings.SizeWords(r.Bytes))
		}
	}
	total := p.Total()
	switch {
	case total.Rows == 0:
		fmt.Fprintf(w, "there is nothing to remove; the store has %s\n", settings.SizeWords(p.Before.Bytes))
	case dry:
		fmt.Fprintf(w, "that is %s; the store has %s\n", settings.SizeWords(total.Bytes), settings.SizeWords(p.Before.Bytes))
	case p.After == nil:
		fmt.Fprintf(w, "that is %s; the store had %s\n", settings.SizeWords(total.Bytes), settings.SizeWords(p.Before.Bytes))
	default:
		fmt.Fprintf(w, "that is %s; the store has %s now, and had %s\n", settings.SizeWords(total.Bytes),
			settings.SizeWords(p.After.Bytes), settings.SizeWords(p.Before.Bytes))
	}
}

// pruneDocument is the JSON output of state prune.
type pruneDocument struct {
	DryRun  bool                   `json:"dry_run"`
	Removed map[string]jsonRemoval `json:"removed"`
	Rows    int64                  `json:"rows"`
	Bytes   int64                  `json:"bytes"`
	// Before is the size of the store when pruning began, After its size now, where that could be found out.
	Before int64  `json:"store_bytes_before"`
	After  *int64 `json:"store_bytes_after,omitempty"`
}

type jsonRemoval struct {
	Rows  int64 `json:"rows"`
	Bytes int64 `json:"bytes"`
}

func pruneForJSON(p *retain.Pruned, dry bool) pruneDocument {
	total := p.Total()
	doc := pruneDocument{
		DryRun: dry, Removed: map[string]jsonRemoval{}, Rows: total.Rows, Bytes: total.Bytes, Before: p.Before.Bytes,
	}
	if p.After != nil {
		doc.After = &p.After.Bytes
	}
	for name, r := range p.Kinds() {
		doc.Removed[name] = jsonRemoval(r)
	}
	return doc
}
