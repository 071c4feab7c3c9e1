package log

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/monitor"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/std/clock"
	"github.com/avow-project/avow/internal/std/filelock"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/internal/translog"
)

const exportHelp = `Export writes the signed log to a folder, as files that any web server or content delivery network
can serve in the place of /log/: tiles, bundles of leaves, keys, policy and checkpoint (C2SP
tlog-tiles). Avow log recover, monitor and verify read such a folder, too.

Call it again to bring the copy up to date: only what is new is written. The checkpoint is written
last, so a copy that was interrupted is still the one before, never half of a new one. A folder with
the copy of another log, or of more leaves than this store has, is refused and left as it is.

Keep a copy on another disk or machine: it is what avow log recover needs when an old copy of the
store had to be put back, and it has to have everything that was signed until then. With --every it
goes on until it is told to stop.

Exit codes: 0 the copy is complete, 2 wrong usage, 3 it could not be written.`

func exportCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export DIR",
		Short: "write the log as files, to serve or to recover from",
		Long:  exportHelp,
		Example: `  avow log export /srv/www/log
  avow log export /mnt/backup/log --every 10s`,
	}
	f := sources.AddOperatorFlags(cmd)
	var every time.Duration
	var policy string
	cmd.Flags().StringVar(&policy, "policy", "",
		"write the policy in `FILE`, with the witnesses of the log, instead of one with its keys alone")
	cmd.Flags().DurationVar(&every, "every", 0, "bring the copy up to date again after this `TIME`, until told to stop")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 || args[0] == "" {
			return console.UsageError("for example: "+cmd.CommandPath()+" /srv/www/log", "%s needs a folder", cmd.CommandPath())
		}
		if every < 0 || every > 0 && every < time.Second {
			return console.UsageError("write it as 10s or 1m", "--every is a second at least")
		}
		ctx, stop := console.Stoppable(cmd.Context())
		defer stop()
		return sources.WithStore(ctx, a, f, func(ctx context.Context, st *store.Store) error {
			h := &notary.Handler{Prover: notary.Prover{Store: st.Log()}, Log: slog.New(slog.DiscardHandler)}
			if policy != "" {
				var err error
				_, h.PolicyText, err = sources.ReadPolicy(a, policy)
				if err != nil {
					return err
				}
			}
			err := exportTo(ctx, a, h, args[0])
			if err != nil || every == 0 {
				return err
			}
			for clock.Pause(ctx, every) {
				err := exportTo(ctx, a, h, args[0])
				if err != nil && ctx.Err() == nil {
					a.SayError(err) // it may be possible the next time
				}
			}
			return nil
		})
	}
	return cmd
}

// exportTo brings a copy up to date.
func exportTo(ctx context.Context, a *console.App, h *notary.Handler, dir string) error {
	_, err := h.Prover.Store.State(ctx)
	if err != nil {
		return noLog(err)
	}
	err = os.MkdirAll(dir, 0o755) //nolint:gosec // it is made to be served
	if err != nil {
		return console.Failure("", "cannot write to %s: %s", dir, console.Reason(err))
	}
	lock, err := filelock.LockBriefly(filepath.Join(dir, "checkpoint"))
	if err != nil {
		return console.Failure("wait until it is done, or name another folder", "%v", err)
	}
	defer func() { _ = lock.Close() }() // nothing was written to it
	old, err := dirLog(dir).Get(ctx, "checkpoint")
	switch {
	case errors.Is(err, monitor.ErrAbsent):
		old = nil
	case err != nil:
		return console.Failure("", "%v", err)
	}
	c := &logCopy{dir: dir}
	size, full, err := h.Export(ctx, old, c.put)
	if err != nil {
		return exportFailure(dir, err)
	}
	c.tidy(full)
	if c.written > 0 {
		a.Note("%s has %s; %s written", dir, words.Plural(int(size), "leaf", "leaves"),
			words.Plural(c.written, "file was", "files were"))
	}
	return nil
}

func exportFailure(dir string, err error) error {
	var behind *notary.BehindError
	switch {
	case errors.As(err, &behind) && behind.Have < behind.Seen:
		return console.Failure(
			"an old copy of the store was put back: see avow log recover --help, and keep the folder, it has what is missing",
			"%s has %s of the log, and the store only %d", dir, words.Plural(int(behind.Seen), "leaf", "leaves"), behind.Have)
	case errors.As(err, &behind):
		return console.Failure("name another folder, and keep this one: it shows that there are two histories",
			"%s has another history of the log than the store", dir)
	case errors.Is(err, notary.ErrPending):
		return console.Failure("sign it with avow log flush, or start avow serve --log-key",
			"nothing of the log is signed yet")
	case errors.Is(err, context.Canceled):
		return err
	}
	return console.Failure("name another folder, or an empty one", "cannot bring %s up to date: %v", dir, err)
}

// A logCopy is a folder with a copy of a log.
type logCopy struct {
	dir     string
	written int
}

// put writes a file unless it is there already.
func (c *logCopy) put(path string, body []byte) error {
	name := filepath.Join(c.dir, filepath.FromSlash(path))
	err := os.MkdirAll(filepath.Dir(name), 0o755) //nolint:gosec // it is made to be served
	if err != nil {
		return err
	}
	have, err := os.ReadFile(name)
	if err == nil && bytes.Equal(have, body) {
		return nil
	}
	c.written++
	return console.WriteFile(name, body)
}

// tidy removes the beginnings of tiles that are full now. What it cannot remove does no harm.
func (c *logCopy) tidy(full []translog.Tile) {
	for _, t := range full {
		_ = os.RemoveAll(filepath.Join(c.dir, filepath.FromSlash(t.Path())+".p"))
	}
}

// A dirLog is a log in a folder, as export writes it.
type dirLog string

// Get is part of monitor.Source.
func (d dirLog) Get(_ context.Context, path string) ([]byte, error) {
	name := filepath.Join(string(d), filepath.FromSlash(path))
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s", monitor.ErrAbsent, path)
	}
	if err == nil && !info.Mode().IsRegular() {
		return nil, errors.New(name + " is not a file")
	}
	limit := maxBundle
	if path == "checkpoint" {
		limit = translog.MaxNote
	}
	return console.ReadFile(name, limit)
}

// isFolder reports whether a log is named by a folder, and not by a URL.
func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}
