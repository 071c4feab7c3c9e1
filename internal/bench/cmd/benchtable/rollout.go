package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/cli"
	"github.com/avow-project/avow/internal/netguard"
)

// The network whose rollout is measured: publishers that point to one file, some time away.
const (
	rolloutHost    = "rollout" // numbered; pointers to the file
	rolloutURL     = "https://rollout-file.example/rollout.json"
	rolloutCount   = 10_000
	rolloutAway    = 5 * time.Millisecond
	rolloutAtOnce  = 16 // as many as the command asks at once
	rolloutRuns    = 3
	maxRollout     = 1.5
	maxRolloutMB   = 150
	rolloutTask    = "rollout"
	rolloutBare    = "rollout-bare"
	rolloutMissing = "publishers that lead to the file: 10000 of 10000"
)

// rolloutFile is the file of the network, of about 3 MB.
func rolloutFile() []byte {
	var b, names strings.Builder
	b.WriteString(`{"properties":[`)
	for i := range rolloutCount {
		if i > 0 {
			b.WriteString(",")
			names.WriteString(",")
		}
		domain := fmt.Sprintf("%s%d.example", rolloutHost, i)
		fmt.Fprintf(&names, "%q", domain)
		fmt.Fprintf(&b, `{"property_id":"site_%d","property_type":"website","name":"The site number %d of the network, which the network sells","publisher_domain":%q,"identifiers":[{"type":"domain","value":%q},{"type":"subdomain","value":"www.%s"}],"tags":["managed"]}`, i, i, domain, domain, domain)
	}
	b.WriteString(`],"tags":{"managed":{"name":"Managed","description":"All"}},"authorized_agents":[{"url":"https://agent.example/mcp","authorized_for":"all","authorization_type":"publisher_properties","publisher_properties":[{"selection_type":"all","publisher_domains":[`)
	return []byte(b.String() + names.String() + `]}]}],"last_updated":"2026-01-01T00:00:00Z"}`)
}

// rolloutFigures is what was measured of avow network.
type rolloutFigures struct {
	bare, network time.Duration
	ratio         float64
	rss           int64
}

// measureRollout starts the command and bare requests in turns, each in a process of its own.
func measureRollout(o *origins) (*rolloutFigures, error) {
	for i := range rolloutCount {
		_, err := o.certificate(&tls.ClientHelloInfo{ServerName: fmt.Sprintf("%s%d.example", rolloutHost, i)})
		if err != nil {
			return nil, err
		}
	}
	o.rollout()
	var found rolloutFigures
	var failed error
	timed := func(task string) func() {
		return func() {
			_, rss, err := measureTask(o, task)
			if err != nil && failed == nil {
				failed = fmt.Errorf("%s: %w", task, err)
			}
			if task == rolloutTask {
				found.rss = max(found.rss, rss)
			}
		}
	}
	taken := compare(rolloutRuns, timed(rolloutBare), timed(rolloutTask))
	found.bare, found.network, found.ratio = taken.base, taken.work, taken.ratio
	return &found, failed
}

// rolloutAll is the command as users have it, but for the addresses.
func (c *webClient) rolloutAll() {
	var out, messages strings.Builder
	code := cli.Run(context.Background(), cli.Env{
		Args: []string{"network", rolloutURL}, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &messages, Getenv: os.Getenv,
		Network: netguard.Network{Resolver: c, Roots: c.roots, Dial: func(ctx context.Context, _ netip.AddrPort) (net.Conn, error) { return c.dial(ctx) }},
	})
	if code != 0 || !strings.Contains(out.String(), rolloutMissing) {
		c.fail(fmt.Errorf("avow network ended with %d: %.400s %.400s", code, messages.String(), out.String()))
	}
}

// rolloutBareAll gets the same with nothing but net/http.
func (c *webClient) rolloutBareAll() {
	client := &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true, TLSClientConfig: &tls.Config{RootCAs: c.roots, MinVersion: tls.VersionTLS12},
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return c.dial(ctx) },
	}}
	c.bare(client, rolloutURL)
	c.each(rolloutCount, rolloutAtOnce, func(_ *discover.Finder, i int) {
		c.bare(client, fmt.Sprintf("https://%s%d.example/.well-known/adagents.json", rolloutHost, i))
	})
}

// pointer answers for a publisher of the network, after some time.
func (o *origins) pointer(w io.Writer) {
	time.Sleep(rolloutAway)
	_, _ = io.WriteString(w, `{"authoritative_location":"`+rolloutURL+`","last_updated":"2026-01-01T00:00:00Z"}`)
}

func (r *rolloutFigures) limits() []limit {
	all := []limit{{name: "avow network, 10,000 publishers of a 3 MB file: time / bare requests", allowed: maxRollout, have: r.ratio}}
	if r.rss > 0 {
		all = append(all, limit{name: "avow network, 10,000 publishers of a 3 MB file: peak RSS", allowed: maxRolloutMB, have: megabytes(r.rss), unit: " MB"})
	}
	return all
}
