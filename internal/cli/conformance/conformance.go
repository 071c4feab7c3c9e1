// Package conformance has the command conformance, which runs the conformance suite against other
// implementations.
package conformance

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/suite"
)

const help = `Conformance runs a suite of questions about adagents.json against another implementation, and
reports where its answers differ. Each case has files, a question and a time, and says what its
answer rests on: a sentence of a public document (normative), a reading of this project
(interpretation), or hostile input (robustness). Only normative cases count toward the grade.

docs/conformance.md describes the lines that are exchanged, and conformance/adapters/ has small
programs that connect libraries to the suite.

Exit codes: 0 success, 1 a normative case failed, 2 wrong usage, 3 the suite could not be run.`

// Command returns the command conformance.
func Command(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "conformance run|host|list",
		Short: "run the conformance suite against an implementation",
		Long:  help,
		Example: `  avow conformance run -- node adapter.mjs
  avow conformance run --url http://127.0.0.1:8080
  avow conformance list --only authorize`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return console.UsageError("run "+cmd.CommandPath()+" --help", "%s needs one of run, host and list",
					cmd.CommandPath())
			}
			return console.UsageError("use run, host or list", "%s has no part named %q", cmd.CommandPath(), args[0])
		},
		RunE: func(*cobra.Command, []string) error { return nil },
	}
	console.AddCommands(cmd, runCommand(a), hostCommand(a), listCommand(a))
	return cmd
}

// addOnly adds the flag that chooses cases.
func addOnly(cmd *cobra.Command) *[]string {
	only := cmd.Flags().StringSlice("only", nil,
		"choose cases by `WORDS`: a kind, a label, an id or the beginning of one; may be repeated")
	err := cmd.RegisterFlagCompletionFunc("only",
		cobra.FixedCompletions(append(suite.Kinds(), labels()...), cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic("cli: flag only was defined twice")
	}
	return only
}

func labels() []string {
	var all []string
	for _, l := range suite.Labels() {
		all = append(all, string(l))
	}
	return all
}

// choose returns the cases that are asked for.
func choose(only []string) ([]*suite.Case, error) {
	all, err := suite.Load()
	if err != nil {
		return nil, err
	}
	chosen, unknown := suite.Select(all, only)
	if unknown != "" {
		return nil, console.UsageError("the kinds are "+strings.Join(suite.Kinds(), ", ")+
			"; avow conformance list has the ids", "no case matches %q", unknown)
	}
	return chosen, nil
}

func listCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list [flags]",
		Short: "list the cases of the suite",
		Long: `List prints the cases: id, label and title. As JSON, each case is a line with everything there is
to know about it: the files, the question, the answer, and what the answer rests on.

Exit codes: 0 the cases were printed, 2 wrong usage.`,
		Example: `  avow conformance list --only normative
  avow conformance list --only authorize/country --format json`,
		Args:              console.NoArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	only := addOnly(cmd)
	format := console.AddChoice(cmd, "format", "output format", "text", "json")
	cmd.RunE = func(*cobra.Command, []string) error {
		cases, err := choose(*only)
		if err != nil {
			return err
		}
		return list(a, cases, format.Value)
	}
	return cmd
}

func list(a *console.App, cases []*suite.Case, format string) error {
	if format == "json" {
		text, err := suite.Write(cases)
		if err == nil {
			_, err = a.Out.Write(text)
		}
		return err
	}
	width := 0
	for _, c := range cases {
		width = max(width, len(c.ID))
	}
	for _, c := range cases {
		fmt.Fprintf(a.Out, "%-*s  %-14s  %s\n", width, c.ID, c.Label, c.Title)
	}
	return nil
}

const hostHelp = `Host serves the websites of cases on this machine, for implementations that only know the web. It
is a proxy for https. A certificate authority that is made for the run signs the certificates; --ca
writes it to a file that the implementation has to trust.

If the user name of the proxy is the id of a case, in which / is written as %2F, every host of that
case answers as the case says. Without a user name the sites of all cases answer, under names of
their own: avow conformance run --url URL --hosted asks a registry about these.

The pages can also be read without a proxy: / lists them.

Exit codes: 0 it was told to stop, 2 wrong usage, 3 it cannot serve.`

// requestTime bounds the header of a request.
const requestTime = 10 * time.Second

func hostCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "host [flags]",
		Short: "serve the websites of the cases on this machine",
		Long:  hostHelp,
		Example: `  avow conformance host --ca ca.pem
  avow conformance host --addr 127.0.0.1:9000`,
		Args:              console.NoArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	addr := cmd.Flags().String("addr", "127.0.0.1:8766", "`HOST:PORT` to listen on")
	ca := cmd.Flags().String("ca", "", "write the certificate authority to `FILE`")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return host(cmd.Context(), a, *addr, *ca) }
	return cmd
}

func host(ctx context.Context, a *console.App, addr, ca string) error {
	cases, err := suite.Load()
	if err != nil {
		return err
	}
	h, err := suite.NewHost(cases)
	if err != nil {
		return err
	}
	if ca != "" {
		err = os.WriteFile(ca, h.Authority(), 0o644) //nolint:gosec // a public certificate
		if err != nil {
			return console.Failure("", "cannot write the certificate authority: %v", err)
		}
	}
	ctx, stop := console.Stoppable(ctx)
	defer stop()
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return console.Failure("choose another address with --addr", "cannot listen on %s: %v", addr, err)
	}
	server := &http.Server{Handler: h, ReadHeaderTimeout: requestTime}
	stopped := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stopped()
	a.Note("serving on http://%s the websites of %d cases", listener.Addr(), h.Len())
	err = server.Serve(listener)
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return fmt.Errorf("serve: %w", err)
}
