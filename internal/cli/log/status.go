package log

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/internal/translog"
	"github.com/avow-project/avow/internal/wire"
)

// noLog makes a failure of a command out of the lack of a log.
func noLog(err error) error {
	if errors.Is(err, notary.ErrNoLog) {
		return console.Failure("make one with avow log init, or name another store with --store",
			"the store has no transparency log")
	}
	return err
}

// statusDocument is the JSON output of log status.
type statusDocument struct {
	Origin   string   `json:"origin"`
	Leaves   int64    `json:"leaves"`
	Waiting  int64    `json:"waiting"`
	Signed   int64    `json:"signed"`
	SignedAt string   `json:"signed_at"`
	Keys     []string `json:"keys"`
	// Witnesses are those whose cosignatures the head has.
	Witnesses []signed `json:"witnesses"`
}

func statusCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "status",
		Short: "show the size, head and backlog of the log",
		Long: `Status shows how many leaves the log of a store has, how many of them are signed, when that was
and which witnesses have cosigned it, and how many events wait to become leaves.

Exit codes: 0 it is shown, 2 wrong usage, 3 there is no log.`,
		Example:           "  avow log status\n  avow log status --format json",
		Args:              console.NoArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f, format := sources.AddOperatorFlags(cmd), console.AddChoice(cmd, "format", "output format", "text", "json")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return sources.WithStore(cmd.Context(), a, f, func(ctx context.Context, st *store.Store) error {
			doc, err := status(ctx, st)
			if err != nil {
				return noLog(err)
			}
			if format.Value == "json" {
				return console.WriteJSONLine(a.Out, doc)
			}
			writeStatus(a, doc)
			return nil
		})
	}
	return cmd
}

func status(ctx context.Context, st *store.Store) (*statusDocument, error) {
	s, err := st.Log().State(ctx)
	if err != nil {
		return nil, err
	}
	doc := &statusDocument{Origin: s.Origin, Leaves: s.Size, Waiting: s.Waiting, Keys: []string{}, Witnesses: []signed{}}
	last, err := st.Log().LastSigned(ctx)
	if errors.Is(err, notary.ErrPending) {
		return doc, nil
	}
	if err != nil {
		return nil, err
	}
	doc.Signed, doc.SignedAt = last.Size, wire.Time(last.At)
	lines, err := translog.SignedBy(last.Note)
	if err != nil {
		return nil, err
	}
	for _, l := range lines {
		if l.Name != s.Origin {
			doc.Witnesses = append(doc.Witnesses, signed{l.Name, wire.Time(l.At)})
		}
	}
	doc.Keys, err = notary.Prover{Store: st.Log()}.Keys(ctx)
	return doc, err
}

func writeStatus(a *console.App, doc *statusDocument) {
	fmt.Fprintf(a.Out, "log:      %s\nleaves:   %d\n", console.Safe(doc.Origin), doc.Leaves)
	if doc.Signed > 0 {
		fmt.Fprintf(a.Out, "signed:   %d, at %s\n", doc.Signed, doc.SignedAt)
	} else {
		fmt.Fprintln(a.Out, "signed:   nothing yet")
	}
	for _, w := range doc.Witnesses {
		fmt.Fprintf(a.Out, "witness:  %s, at %s\n", console.Safe(w.By), w.At)
	}
	fmt.Fprintf(a.Out, "waiting:  %s\n", words.Plural(int(doc.Waiting), "event", "events"))
	for _, k := range doc.Keys {
		fmt.Fprintf(a.Out, "key:      %s\n", console.Safe(k))
	}
}

func flushCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "flush",
		Short: "add what is waiting to the log, and sign it",
		Long: `Flush makes leaves of everything that waits and signs the head of the log, for stores that no
service signs. It may run beside the service. What was signed is noted in a file beside the
store first; a store that was put back from an old copy signs nothing. With --policy its witnesses
are asked for cosignatures, as avow serve --log-policy does.

Exit codes: 0 everything is signed, 2 wrong usage, 3 nothing could be signed.`,
		Example:           "  avow log flush --key log.key",
		Args:              console.NoArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f := sources.AddOperatorFlags(cmd)
	var key, policy string
	cmd.Flags().StringVar(&key, "key", "", "`FILE` with the keys of the log")
	cmd.Flags().StringVar(&policy, "policy", "",
		"ask the witnesses in `FILE`, and show the head when its quorum has signed")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if key == "" {
			return console.UsageError("for example: "+cmd.CommandPath()+" --key log.key", "%s needs --key", cmd.CommandPath())
		}
		keys, err := sources.ReadLogKeys(key)
		if err != nil {
			return err
		}
		return sources.WithStore(cmd.Context(), a, f, func(ctx context.Context, st *store.Store) error {
			config := notary.Config{Store: st.Log(), Keys: keys, Guard: st.LogGuard(), Now: a.Env.Now,
				Log: slog.New(slog.NewTextHandler(a.Err, &slog.HandlerOptions{Level: slog.LevelWarn}))}
			if policy != "" {
				config.Policy, _, err = sources.LogPolicy(a, policy, keys)
				if err != nil {
					return err
				}
			}
			err := notary.New(config).Flush(ctx)
			if err != nil {
				return failure(err)
			}
			doc, err := status(ctx, st)
			if err != nil {
				return err
			}
			writeStatus(a, doc)
			return nil
		})
	}
	return cmd
}

// failure says what to do about a log that signs nothing.
func failure(err error) error {
	var behind *notary.BehindError
	if errors.As(err, &behind) {
		return console.Failure("put the newest copy of the store back; if there is none, see avow log recover --help",
			"%v", err)
	}
	if errors.Is(err, notary.ErrUnnamed) {
		return console.Failure("give the file that avow log init or avow log key wrote last for this log", "%v", err)
	}
	return noLog(err)
}

func checkCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check",
		Short: "check the whole log for damage",
		Long: `Check reads every leaf from the first on: its form, its number, that it leads to the leaf before
it about the same subject, and that the tree over all of them is the one that was noted and
signed. It changes nothing, and may run beside the service.

Exit codes: 0 the log is in order, 1 it is not, 2 wrong usage, 3 there is no log.`,
		Example:           "  avow log check",
		Args:              console.NoArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f := sources.AddOperatorFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return sources.WithStore(cmd.Context(), a, f, func(ctx context.Context, st *store.Store) error {
			start := time.Now()
			n, err := notary.Prover{Store: st.Log()}.Audit(ctx)
			var behind *notary.BehindError
			switch {
			case errors.Is(err, notary.ErrDamaged) || errors.As(err, &behind):
				fmt.Fprintf(a.Out, "the log is damaged: %s\n", console.Safe(err.Error()))
				return console.ExitStatus(console.ExitNo)
			case err != nil:
				return noLog(err)
			}
			fmt.Fprintf(a.Out, "the log is in order: %s\n", words.Plural(int(n), "leaf", "leaves"))
			a.Note("read in %s", time.Since(start).Round(time.Millisecond))
			return nil
		})
	}
	return cmd
}
