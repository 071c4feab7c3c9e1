package serve

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/settings"
	"github.com/avow-project/avow/internal/std/textsafe"
)

const healthHelp = `Health asks the service on this machine whether it is ready, for
containers and monitors that have no other program to do so. It reads the
same settings as avow serve, so it asks where the service listens: at the
first --addr, over https if the service has a certificate.

Exit codes: 0 the service is ready, 1 it runs but is not ready, 2 wrong usage,
3 it does not answer.`

// healthTimeout is how long the service may take; it gives its own store two seconds.
const healthTimeout = 5 * time.Second

// mostHealth is more than the answer has.
const mostHealth = 64 << 10

// healthCommand returns the command serve health.
func healthCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use: "health [flags]", Short: "check whether the service on this machine is ready", Long: healthHelp,
		Example: "  avow serve health\n  avow serve health --addr 127.0.0.1:8081\n  avow serve health --config /etc/avow.toml",
		Args:    console.NoArguments, ValidArgsFunction: cobra.NoFileCompletions,
	}
	var addrs []string
	var certificate string
	s := settings.New(cmd)
	s.Define(func(flags, _ *pflag.FlagSet) {
		flags.StringSliceVar(&addrs, "addr", []string{"127.0.0.1:8080"},
			"`HOST:PORT` that the service listens on; of several the first is asked")
		flags.StringVar(&certificate, "tls-cert", "",
			"`FILE` with the certificate chain of the service in PEM; without it plain HTTP is spoken")
	})
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		s.UseInstalledFile(a)
		err := s.Load(a.Env.Getenv)
		if err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(cmd.Context(), healthTimeout)
		defer cancel()
		return health(ctx, a, addrs, certificate)
	}
	return cmd
}

// health asks the service and shows what it says.
func health(ctx context.Context, a *console.App, addrs []string, certificate string) error {
	if len(addrs) == 0 {
		return console.UsageError("give the --addr of avow serve", "no address to ask")
	}
	addr, err := dialAddr(addrs[0])
	if err != nil {
		return err
	}
	transport, scheme := &http.Transport{DisableKeepAlives: true}, "http://"
	if certificate != "" {
		scheme = "https://"
		transport.TLSClientConfig, err = trustFile(certificate)
		if err != nil {
			return err
		}
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, scheme+addr+"/readyz", nil)
	if err != nil {
		return console.UsageError("write it as 127.0.0.1:8080", "invalid --addr %q", addrs[0])
	}
	client := &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	resp, err := client.Do(r)
	if err != nil {
		return console.Failure("is avow serve running, with this --addr?", "the service does not answer: %v", err)
	}
	defer func() { _ = resp.Body.Close() }() // it was only read
	body, err := io.ReadAll(io.LimitReader(resp.Body, mostHealth))
	if err != nil {
		return console.Failure("", "the service does not answer in full: %v", err)
	}
	fmt.Fprintln(a.Out, textsafe.Terminal(strings.TrimSpace(string(body))))
	if resp.StatusCode != http.StatusOK {
		return console.ExitStatus(console.ExitNo)
	}
	return nil
}

// dialAddr returns the address at which something that listens on addr is reached from
// this machine.
func dialAddr(addr string) (string, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil || port == "" || port == "0" {
		return "", console.UsageError("write it as 127.0.0.1:8080", "invalid --addr %q", addr)
	}
	ip, err := netip.ParseAddr(host)
	switch {
	case host == "":
		host = "localhost"
	case err == nil && ip == netip.IPv6Unspecified():
		host = "::1"
	case err == nil && ip.IsUnspecified():
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port), nil
}

// trustFile trusts the certificate in a file and no other. Whether it is still valid is a
// question for clients: a service with an old one is as ready as before.
func trustFile(name string) (*tls.Config, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, console.Failure("", "cannot read the certificate: %s: %s", name, console.Reason(err))
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, console.UsageError("", "%s has no certificate in PEM", name)
	}
	leaf, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return nil, console.UsageError("", "%s has no certificate: %v", name, err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(leaf)
	config := &tls.Config{RootCAs: pool, Time: func() time.Time { return leaf.NotBefore }, MinVersion: tls.VersionTLS12}
	switch {
	case len(leaf.DNSNames) > 0:
		config.ServerName = strings.Replace(leaf.DNSNames[0], "*", "any", 1)
	case len(leaf.IPAddresses) > 0:
		config.ServerName = leaf.IPAddresses[0].String()
	}
	return config, nil
}
