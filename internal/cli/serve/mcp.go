package serve

import (
	"cmp"
	"context"
	"errors"
	"io"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/request"
	"github.com/avow-project/avow/internal/cli/settings"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/service/brand"
	"github.com/avow-project/avow/internal/service/mcp"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/ops"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/server"
	"github.com/avow-project/avow/internal/supply"
)

const mcpHelp = `Mcp answers a language model over standard input and output, in the Model Context
Protocol. It is started by the program that runs the model, not by hand; the examples are
what to put into its settings.

The tools ask whether an agent may sell something, look up publishers, check, repair and
make files, compare versions, explain codes and describe brands. None changes anything, and
text that publishers wrote is marked as data. Publishers are asked as avow authorize asks
them, and what they said is kept in --store, which avow serve and avow mcp may share. Lists
of publishers and agents have those in the store.

A service that runs answers the same at /mcp, over HTTP:
  claude mcp add --transport http avow https://registry.example/mcp

Exit codes: 0 the client is gone, 2 wrong usage, 3 it could not run.`

const mcpExamples = `  claude mcp add avow -- avow mcp
  {"mcpServers": {"avow": {"command": "avow", "args": ["mcp"]}}}`

// MCPCommand returns the command mcp.
func MCPCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:               "mcp [flags]",
		Short:             "run an MCP server for language models, on standard input",
		Long:              mcpHelp,
		Example:           mcpExamples,
		Args:              console.NoArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	store, contact, logKey := new(settings.Store), "", ""
	store.Define(cmd.Flags())
	cmd.Flags().StringVar(&logKey, "log-key", "",
		"`FILE` with the keys of the transparency log of the store, which sign receipts; AVOW_LOG_KEY sets it as well")
	cmd.Flags().StringVar(&contact, "contact", "",
		"contact `ADDRESS` sent in the User-Agent: a URL or an email address; AVOW_CONTACT sets it as well")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		client, err := brandClient(a, &request.Flags{Contact: contact, Timeout: enrichTimeout})
		if err != nil {
			return err
		}
		var keys *notary.Keys
		logKey = cmp.Or(logKey, a.Env.Getenv("AVOW_LOG_KEY"))
		if logKey != "" {
			keys, err = sources.ReadLogKeys(logKey)
			if err != nil {
				return err
			}
		}
		return answerModel(cmd.Context(), a, store, keys, client)
	}
	return cmd
}

func answerModel(ctx context.Context, a *console.App, s *settings.Store, keys *notary.Keys,
	client *fetch.Client) error {
	ctx, stop := console.Stoppable(ctx)
	defer stop()
	log := server.NewLogger(a.Err, "text", logLevels["warn"])
	st, err := sources.OpenNamedStore(ctx, a, s)
	if err != nil {
		return err
	}
	parts := &serviceParts{log: log}
	defer parts.close("store", st)
	provider, err := brandProvider(a, &settings.Service{
		EnrichKey: a.Env.Getenv("AVOW_ENRICH_KEY"), EnrichURL: a.Env.Getenv("AVOW_ENRICH_URL"),
	}, client.UserAgent(), log)
	if err != nil {
		return err
	}
	service := registry.New(registry.Config{
		Store: st, Custody: st.Custody(), Finder: discover.New(discover.Config{Client: client, Now: a.Env.Now}),
		Provider: provider, Brands: brand.NewReader(client), AdsTxt: supply.TextFrom(client), Now: a.Clock, Log: log,
	})
	defer service.Close()
	service.KeepDirectory()
	m := mcp.New(mcp.Config{
		Operations: ops.New(
			ops.Config{Service: service, Translog: &notary.Handler{Prover: notary.Prover{Store: st.Log()}, Keys: keys, Log: log},
				Now: a.Env.Now}), Log: log,
	})
	err = m.Run(registry.WithCaller(ctx, registry.Caller{Client: "this machine"}),
		&sdk.IOTransport{Reader: io.NopCloser(a.Env.Stdin), Writer: unclosed{a.Env.Stdout}})
	if ctx.Err() != nil || errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// unclosed is a stream that stays open.
type unclosed struct{ io.Writer }

// Close does nothing.
func (unclosed) Close() error { return nil }
