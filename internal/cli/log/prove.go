package log

import (
	"context"
	"errors"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/monitor"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/translog"
)

const proveHelp = `Prove writes the proof of a leaf in the log of a store, in the form of C2SP
(.tlog-proof): of the newest leaf about a publisher, about the file at its place with --file,
or of the leaf with an index. avow log verify checks it, without the store and the network. A proof
does not show that nothing newer exists: avow log monitor shows the newest entry.

With --history it is followed by all earlier leaves about the same, back to the first, which it
leads to: one file with everything that the log has about a publisher.

With --from a copy of a log, a folder that avow log export has written, takes the place of the
store, and the leaf is named by its index: for a log that has ended, or that another operator keeps.

Exit codes: 0 the proof is written, 1 the log has no such leaf or has not signed it yet,
2 wrong usage, 3 there is no log.`

func proveCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "prove DOMAIN|INDEX",
		Short: "write a proof of what the log has about a publisher",
		Long:  proveHelp,
		Example: `  avow log prove example.com -o example.tlog-proof
  avow log prove example.com --file --history -o file.history
  avow log prove 4711
  avow log prove 4711 --from old-log -o again.tlog-proof`,
	}
	f := sources.AddOperatorFlags(cmd)
	var file, force, history bool
	var output, from string
	cmd.Flags().BoolVar(&history, "history", false,
		"write all earlier leaves about the publisher, or with --file about its file, too")
	cmd.Flags().StringVar(&from, "from", "", "prove a leaf of the copy in the folder `DIR`")
	cmd.Flags().BoolVar(&file, "file", false, "prove what the log has about the publisher's file")
	cmd.Flags().StringVarP(&output, "output", "o", "", "write to `FILE` instead of standard output")
	cmd.Flags().BoolVarP(&force, "force", "f", false, "replace the output file when it is there")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return console.UsageError("for example: "+cmd.CommandPath()+" example.com",
				"%s needs a domain or the index of a leaf", cmd.CommandPath())
		}
		if from != "" && (history || file) {
			return console.UsageError("leave --from out, or name a leaf of the copy by its index alone",
				"--history and --file are for the log of a store, and not for --from")
		}
		if from != "" {
			p, err := proveFrom(cmd.Context(), from, args[0])
			if err != nil {
				return err
			}
			return a.WriteResult(output, p.Text(), force)
		}
		return sources.WithStore(cmd.Context(), a, f, func(ctx context.Context, st *store.Store) error {
			p, err := prove(ctx, notary.Prover{Store: st.Log()}, args[0], file, history)
			switch {
			case errors.Is(err, notary.ErrNotFound):
				a.Note("the log has nothing about %s", console.Safe(args[0]))
				return console.ExitStatus(console.ExitNo)
			case errors.Is(err, notary.ErrPending):
				a.Note("the newest about %s is not signed yet; try again in a few seconds, or sign with avow log flush",
					console.Safe(args[0]))
				return console.ExitStatus(console.ExitNo)
			case err != nil:
				return noLog(err)
			}
			return a.WriteResult(output, p.Text(), force)
		})
	}
	return cmd
}

// proveFrom proves a leaf of a copy. Whether the head of it is to be trusted is for those who verify.
func proveFrom(ctx context.Context, dir, what string) (*translog.Proof, error) {
	index, err := strconv.ParseInt(what, 10, 64)
	if err != nil || !isFolder(dir) {
		return nil, console.UsageError("for example: avow log prove 4711 --from old-log",
			"--from is a folder, and the leaf of a copy is named by its index")
	}
	note, err := dirLog(dir).Get(ctx, "checkpoint")
	if err != nil {
		return nil, console.Failure("", "%s: %v", dir, err)
	}
	head, err := translog.Read(note)
	if err != nil {
		return nil, console.Failure("", "%s: %v", dir, err)
	}
	reader, err := monitor.NewReader(ctx, dirLog(dir), head)
	if err != nil {
		return nil, console.Failure("", "%s: %v", dir, err)
	}
	p, err := reader.Proof(index, note)
	if errors.Is(err, monitor.ErrAbsent) && (index < 0 || index >= head.Size) {
		return nil, &console.Error{Code: console.ExitNo, Message: "the copy has no leaf " + what,
			Hint: "it has those from 0 to " + strconv.FormatInt(head.Size-1, 10)}
	}
	if err != nil {
		return nil, console.Failure("avow log verify says whether the copy is whole", "%s: %v", dir, err)
	}
	return p, nil
}

// prove returns a proof of a leaf, or a history.
func prove(ctx context.Context, p notary.Prover, what string, file, history bool) (interface{ Text() []byte }, error) {
	_, err := p.Store.State(ctx)
	if err != nil {
		return nil, err
	}
	index, err := strconv.ParseInt(what, 10, 64)
	if err == nil && !history {
		return p.Proof(ctx, index)
	}
	domain, _, err := hostname.Canonical(what)
	if err != nil {
		return nil, console.UsageError("give a domain such as example.com, or a number without --history",
			"%q is not a domain name: %v", what, err)
	}
	subject := translog.Publisher(domain)
	if file {
		subject, err = p.FileOf(ctx, domain)
		if err != nil {
			return nil, err
		}
	}
	if history {
		return p.FullHistory(ctx, subject)
	}
	return p.ProofAbout(ctx, subject)
}
