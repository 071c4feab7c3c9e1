// Package witness has the command witness, which cosigns the heads of transparency logs.
package witness

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/service/server"
	"github.com/avow-project/avow/internal/service/witness"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/internal/translog"
)

const witnessHelp = `Witness cosigns the heads of transparency logs (C2SP tlog-witness). It signs that a head contains
everything that it has signed of that log before, with the time. A policy that asks for the
signature of a witness ensures that the log shows others the same history.

A log sends its head to POST /add-checkpoint. The log lines of the policy say whose heads are
signed. What was signed last is at GET /HASH/checkpoint, where HASH is the SHA-256 of the name of
the log in hexadecimal.

What is signed is in the file of --state before anybody gets it. The file must never go back: a
witness that has forgotten what it signed signs another history. So it is never made anew, only
one process can use it, and how many heads were signed is in a second file, FILE.seen: with an
old copy of the first the witness does not begin. If the state is lost, make a new witness with
another key. Put a server that speaks TLS in front of it.

Exit codes: 0 it was told to stop, 2 wrong usage, 3 it cannot serve.`

const (
	readLimit = 10 * time.Second
	drain     = 10 * time.Second
)

type flags struct {
	files sources.WitnessFiles
	addr  string
}

// Command returns the command witness.
func Command(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "witness",
		Short: "cosign the checkpoints of transparency logs",
		Long:  witnessHelp,
		Example: `  avow witness init --name witness.example.com/w --key witness.key --state witness.json
  avow witness --key witness.key --policy logs.policy --state witness.json --addr 127.0.0.1:8090`,
		Args:              console.NoArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f := &flags{}
	cmd.Flags().StringVar(&f.files.Key, "key", "", "`FILE` with the private key that avow witness init made")
	cmd.Flags().StringVar(&f.files.Policy, "policy", "", "sign for the logs in `FILE`")
	cmd.Flags().StringVar(&f.files.State, "state", "", "`FILE` with what was signed")
	cmd.Flags().StringVar(&f.addr, "addr", "127.0.0.1:8090", "`HOST:PORT` to listen on")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if f.files.Key == "" || f.files.Policy == "" || f.files.State == "" {
			return console.UsageError("make the first and the last with avow witness init", "%s needs --key, --policy and --state", cmd.CommandPath())
		}
		return run(cmd.Context(), a, f)
	}
	console.AddCommands(cmd, initCommand(a))
	return cmd
}

func run(ctx context.Context, a *console.App, f *flags) error {
	w, key, lock, err := f.files.Open(a)
	if err != nil {
		return err
	}
	defer func() { _ = lock.Close() }() // nothing was written to it
	ctx, stop := console.Stoppable(ctx)
	defer stop()
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", f.addr)
	if err != nil {
		return console.Failure("choose another one with --addr", "cannot listen: %v", err)
	}
	a.Note("signing for %s at http://%s as %s", words.Plural(len(w.Origins()), "log", "logs"), l.Addr(), key.String())
	return serve(ctx, l, &witness.Handler{Witness: w, Log: server.NewLogger(a.Err, "text", slog.LevelWarn)})
}

// serve answers until the context ends, and then what is under way.
func serve(ctx context.Context, l net.Listener, h http.Handler) error {
	s := &http.Server{Handler: h, ReadTimeout: readLimit, WriteTimeout: readLimit, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10}
	failed := make(chan error, 1)
	go func() { failed <- s.Serve(l) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), drain)
	defer cancel()
	return s.Shutdown(end)
}

const initHelp = `Init makes a witness: a file with a new private key, and one with the state of a witness that
has signed nothing. It prints the line that others put into their policies. Neither file is
made over one that is there.

Exit codes: 0 the witness was made, 2 wrong usage, 3 it could not be made.`

func initCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:               "init",
		Short:             "create the key and the state of a witness",
		Long:              initHelp,
		Example:           "  avow witness init --name witness.example.com/w --key witness.key --state witness.json",
		Args:              console.NoArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	var name, key, state string
	cmd.Flags().StringVar(&name, "name", "", "`NAME` of the witness, where it will be served, such as witness.example.com/w")
	cmd.Flags().StringVar(&key, "key", "", "write the private key to a new `FILE`")
	cmd.Flags().StringVar(&state, "state", "", "write the state to a new `FILE`")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if name == "" || key == "" || state == "" {
			return console.UsageError("for example: "+cmd.CommandPath()+" --name witness.example.com/w --key witness.key --state witness.json", "%s needs --name, --key and --state", cmd.CommandPath())
		}
		return begin(a, name, key, state)
	}
	return cmd
}

func begin(a *console.App, name, key, state string) error {
	if seen := state + witness.GuardEnding; console.IsFile(seen) {
		return console.UsageError("give another --state: that is of a witness before", "%s exists already", seen)
	}
	var seed [32]byte
	_, _ = rand.Read(seed[:]) // it does not fail
	k, err := translog.NewSigner(name, translog.Timed, seed[:])
	if err != nil {
		return console.UsageError("take a host and a path, such as witness.example.com/w", "--name: %v", err)
	}
	empty, err := witness.Empty(k)
	if err != nil {
		return err
	}
	err = console.WritePrivate(key, []byte(k.Private()+"\n"))
	if err != nil {
		return err
	}
	err = console.WritePrivate(state, empty)
	if err != nil {
		return errors.Join(err, os.Remove(key))
	}
	a.Note("made a witness: its key is in %s, what it signs will be in %s", key, state)
	fmt.Fprint(a.Out, witness.PolicyLine(name, &k.Key))
	return nil
}
