// Package serve has the commands around the registry service: serve, keys and enrich.
package serve

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"sync"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/request"
	"github.com/avow-project/avow/internal/cli/settings"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/netguard"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/server"
)

const serveHelp = `Serve runs the registry service: an HTTP API that validates files, makes them, answers who
may sell what and knows brands, and web pages that do the same for people. Unless --store
names another, its database is a file in the user's state directory.

Unless --addr says otherwise, only this machine can reach it. Before others can, give it a
certificate, or put a proxy in front of it and name the proxy with --trusted-proxies: limits
apply to each client, so the service has to know who the client is.

Every setting can be a flag, an environment variable or a member of the TOML file named by
--config:
--max-conns, AVOW_MAX_CONNS and max_conns. A flag overrides the
environment, which overrides the file. The key of the brand data provider is AVOW_ENRICH_KEY or the
member enrich_key, and has no flag, since the list of processes shows flags.

Any number of processes can share a store in PostgreSQL, and any may end at any time: a
publisher is looked at by one of them, and what it leaves undone another takes up. With --role
all, each answers and looks; api only answers, worker only looks.

With --webhook-key callers with a key can subscribe to changes: what happens is sent to their
URLs, signed with the key in the file, by the processes that look. All processes need the
same key.

The store keeps old versions for --keep-history, and the files of publishers that only
anonymous callers named for --keep-anonymous, within --store-budget; what is over that is
removed in the background, as avow state prune does. Revocations, held moves, refused
versions and the latest date of a file that a key holder asked for are never removed.
On a full disk the service starts and answers from what it has, and /readyz says so.

The first interrupt or SIGTERM lets the requests under way finish, the second ends the
process. SIGHUP reads the certificate again; so does a change of its files.

Exit codes: 0 the service was told to stop, 2 wrong usage, 3 it could not
run.`

const serveExamples = `  avow serve
  avow serve --addr 0.0.0.0:443 --tls-cert chain.pem --tls-key key.pem
  avow serve --store postgres://avow@db.example.com/avow --trusted-proxies 10.0.0.0/8
  avow serve --role worker --store postgres://avow@db.example.com/avow --addr 127.0.0.1:8081
  avow serve --config /etc/avow.toml --log-format json`

// Command returns the command serve.
func Command(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:               "serve [flags]",
		Short:             "run the registry service, or check its health",
		Long:              serveHelp,
		Example:           serveExamples,
		Args:              console.NoArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	s, o := settings.New(cmd), new(settings.Service)
	o.Define(s)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		err := s.Load(a.Env.Getenv)
		if err != nil {
			return err
		}
		err = o.Check()
		if err != nil {
			return err
		}
		warnReadable(a, s)
		return serve(cmd.Context(), a, o)
	}
	console.AddCommands(cmd, healthCommand(a))
	return cmd
}

// warnReadable tells an operator whose configuration has a secret that everybody on the
// machine can read.
func warnReadable(a *console.App, s *settings.Settings) {
	if !s.FileHasSecret {
		return
	}
	info, err := os.Stat(s.File)
	if err == nil && info.Mode().Perm()&0o077 != 0 {
		a.Note("%s has a key or a password in it and can be read by others; chmod 600 changes that", s.File)
	}
}

func serve(ctx context.Context, a *console.App, o *settings.Service) error {
	ctx, stop := console.Stoppable(ctx)
	defer stop()
	request.NoteProxies(a)
	if o.Proxy != "" {
		var err error
		a.Env.Network.Proxy, err = netguard.ParseProxy(o.Proxy)
		if err != nil {
			return console.UsageError("write it as http://proxy.example.com:3128", "--proxy cannot be used: %v", err)
		}
	}
	parts := &serviceParts{
		log: server.NewLogger(a.Err, o.LogFormat.Value, logLevels[o.LogLevel.Value]), metrics: server.NewMetrics(),
	}
	st, err := sources.AwaitStore(ctx, a, &o.Store)
	if err != nil {
		return err
	}
	defer parts.close("store", st)
	parts.store, parts.custody, parts.changes = st, st.Custody(), st.Feed()
	parts.wanted, parts.space = st.Subscriptions(), st
	err = st.Ping(ctx)
	if errors.Is(err, registry.ErrReadOnly) {
		parts.log.Error("the disk of the store is full: answers come from what is kept, "+
			"and nothing new is kept until there is space", "error", err)
	}
	st.Watch(parts.metrics.WatchStore())
	endLog, err := parts.keepLog(ctx, a, o, st)
	if err != nil {
		return err
	}
	defer endLog()
	config, err := assemble(ctx, a, o, parts)
	if err != nil {
		return err
	}
	defer parts.service.Close()
	reload, ignore := reloads(ctx)
	defer ignore()
	config.Reload = reload
	end := parts.returnMemory(ctx)
	defer end()
	first := true
	return server.Run(ctx, *config, func(url string) {
		if first && o.BaseURL != "" {
			url += ", for others " + o.BaseURL
		}
		if first && a.Env.Getenv("GOGC") == "" {
			debug.SetGCPercent(collectAfter)
		}
		if first && a.Env.Getenv("GOMEMLIMIT") == "" {
			debug.SetMemoryLimit(o.LargeMemory + otherMemory)
		}
		a.Note("serving on %s", url)
		if !o.Encrypted() && o.Open() && first {
			a.Note("warning: other machines can connect, and nothing is encrypted; use --tls-cert and --tls-key, " +
				"or listen on 127.0.0.1 behind a proxy")
		}
		first = false
	})
}

// returnMemory gives memory back to the system when the service has no large document, and
// returns what ends that.
func (p *serviceParts) returnMemory(ctx context.Context) func() {
	ctx, cancel := context.WithCancel(ctx)
	var group sync.WaitGroup
	group.Go(func() { server.ReturnMemory(ctx, func() bool { return p.memory.Used()+p.held.Used() == 0 }) })
	return func() {
		cancel()
		group.Wait()
	}
}

// otherMemory is what the service takes besides what is large, with what the garbage
// collector has not found yet: it works harder before there is more than both.
const otherMemory = 160_000_000

// collectAfter is the growth of the heap, in percent, after which garbage is collected: a
// large document is allocated faster than a collection that begins later could end.
const collectAfter = 50

// logLevels are the words of --log-level.
var logLevels = map[string]slog.Level{
	"debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError,
}

// reloads returns a channel that tells when the process is asked to read its files
// again.
func reloads(ctx context.Context) (<-chan struct{}, func()) {
	signals, asked := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, syscall.SIGHUP)
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-ctx.Done():
				return
			case <-signals:
			}
			select {
			case <-ctx.Done():
				return
			case asked <- struct{}{}:
			}
		}
	}()
	return asked, func() {
		signal.Stop(signals)
		cancel()
		<-ended
	}
}

// close closes a part of the service at its end.
func (p *serviceParts) close(name string, c io.Closer) {
	err := c.Close()
	if err != nil {
		p.log.Error("cannot close", "part", name, "error", err)
	}
}
