package conformance

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/suite"
)

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
