package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/retain"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/std/words"
)

const pruneHelp = `Prune removes from the store what its settings do not allow to be kept any longer: versions,
places and events that are older than --keep-history, the files of publishers that only
anonymous callers named and nobody asked for within --keep-anonymous, what checks found of
them, and documents that nothing refers to. When the store is larger than --store-budget,
or its disk nearly full, more of that goes.

What protects somebody stays: revocations, held moves, refused versions that wait, the
latest date of every file, and the version that is in force for each publisher that anybody
but anonymous callers named. avow serve does the same every hour. Prune works in small
steps and may run beside the service; give it the settings of the service, for example the
same --config.

With --dry-run nothing is changed.

Exit codes: 0 done, 2 avow was called wrongly, 3 the store cannot be opened or changed.`

func (a *app) statePruneCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:               "prune",
		Short:             "remove what is not kept any longer",
		Long:              pruneHelp,
		Example:           "  avow state prune --dry-run\n  avow state prune --keep-history 168h --format json",
		Args:              noArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f, format, dry := addReadFlags(cmd), addChoice(cmd, "format", "output format", "text", "json"), false
	f.settings.define(func(flags, _ *pflag.FlagSet) { f.serve.defineRetention(flags) })
	cmd.Flags().BoolVar(&dry, "dry-run", false, "say what would be removed, and remove nothing")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		var pruned *retain.Pruned
		err := a.withState(cmd.Context(), f, func(ctx context.Context, st *store.Store) error {
			err := f.serve.checkRetention()
			if err != nil {
				return err
			}
			pruned, err = st.Prune(ctx, retain.Options{Limits: f.serve.limits, Now: a.env.Now(), DryRun: dry, Sweep: true})
			if errors.Is(err, registry.ErrReadOnly) {
				return failure("make some room first: to remove something takes a little space for a moment", "the disk of the store is full")
			}
			return err
		})
		if err != nil {
			return err
		}
		if format.value == "json" {
			return writeJSONLine(a.out, pruneForJSON(pruned, dry))
		}
		writePruned(a.out, pruned, dry)
		return nil
	}
	return cmd
}

// pruneKinds are the kinds of what is removed, as people call them, one and many.
var pruneKinds = []struct{ name, one, many string }{
	{"guests", "file of a publisher that only anonymous callers named", "files of publishers that only anonymous callers named"},
	{"names", "publisher without a file that only anonymous callers named", "publishers without a file that only anonymous callers named"},
	{"versions", "old version", "old versions"},
	{"places", "old place", "old places"},
	{"events", "old event", "old events"},
	{"checks", "old check", "old checks"},
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
			fmt.Fprintf(w, "%s %s, %s\n", verb, words.Plural(int(r.Rows), k.one, k.many), sizeWords(r.Bytes))
		}
	}
	total := p.Total()
	switch {
	case total.Rows == 0:
		fmt.Fprintf(w, "there is nothing to remove; the store has %s\n", sizeWords(p.Before.Bytes))
	case dry:
		fmt.Fprintf(w, "that is %s; the store has %s\n", sizeWords(total.Bytes), sizeWords(p.Before.Bytes))
	default:
		fmt.Fprintf(w, "that is %s; the store has %s now, and had %s\n", sizeWords(total.Bytes), sizeWords(p.After.Bytes), sizeWords(p.Before.Bytes))
	}
}

// pruneDocument is the JSON output of state prune.
type pruneDocument struct {
	DryRun  bool                   `json:"dry_run"`
	Removed map[string]jsonRemoval `json:"removed"`
	Rows    int64                  `json:"rows"`
	Bytes   int64                  `json:"bytes"`
	// Before and After are the sizes of the store.
	Before int64 `json:"store_bytes_before"`
	After  int64 `json:"store_bytes_after"`
}

type jsonRemoval struct {
	Rows  int64 `json:"rows"`
	Bytes int64 `json:"bytes"`
}

func pruneForJSON(p *retain.Pruned, dry bool) pruneDocument {
	total := p.Total()
	doc := pruneDocument{
		DryRun: dry, Removed: map[string]jsonRemoval{}, Rows: total.Rows, Bytes: total.Bytes, Before: p.Before.Bytes, After: p.After.Bytes,
	}
	for name, r := range p.Kinds() {
		doc.Removed[name] = jsonRemoval(r)
	}
	return doc
}

// sizeUnits are the units of sizes, the largest first.
var sizeUnits = []struct {
	name  string
	bytes int64
}{{"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}}

// sizeWords write a size for people.
func sizeWords(n int64) string {
	for _, u := range sizeUnits {
		if n >= u.bytes {
			return fmt.Sprintf("%.1f %s", float64(n)/float64(u.bytes), u.name)
		}
	}
	return words.Plural(int(n), "byte", "bytes")
}

// sizeValue is a flag with a size in bytes.
type sizeValue struct{ size *int64 }

// String writes the size.
func (v sizeValue) String() string {
	if v.size == nil {
		return ""
	}
	for _, u := range sizeUnits {
		if *v.size >= u.bytes && *v.size%u.bytes == 0 {
			return strconv.FormatInt(*v.size/u.bytes, 10) + u.name
		}
	}
	return strconv.FormatInt(*v.size, 10)
}

// Type names the kind of value in help texts.
func (sizeValue) Type() string { return "SIZE" }

// Set reads a size.
func (v sizeValue) Set(s string) error {
	number, factor := strings.TrimSpace(s), int64(1)
	for _, u := range sizeUnits {
		rest, ok := strings.CutSuffix(strings.ToUpper(number), strings.ToUpper(u.name))
		if ok {
			number, factor = strings.TrimSpace(rest), u.bytes
			break
		}
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 0 || n > (1<<62)/factor {
		return &choiceError{"write a number and a unit, such as 16GB or 500MB"}
	}
	*v.size = n * factor
	return nil
}
