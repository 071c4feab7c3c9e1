package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/netguard"
)

// The hosts of the measured process.
const (
	publisherHost = "publisher" // numbered; small files
	largeHost     = "large"     // a pointer to the 19 MB file
	hostileHost   = "hostile"   // numbered; pointers to hostile bodies that can be used
	uselessHost   = "useless"   // numbered; pointers to hostile bodies that cannot
)

// Environment of the measured process, which is this program once more.
const (
	webTaskVariable   = "BENCHTABLE_WEB_TASK"
	webOriginVariable = "BENCHTABLE_WEB_ORIGIN"
	webRootsVariable  = "BENCHTABLE_WEB_ROOTS"
)

// webReport is what the measured process prints.
type webReport struct {
	bare, discovery time.Duration // for all publishers, median
	ratio           float64       // median over neighbouring runs
}

const (
	freshDomains = 1000
	atOnce       = 32
	hostileDocs  = 16
)

// webClient is the measured process.
type webClient struct {
	origin string
	roots  *x509.CertPool
	failed atomic.Pointer[error]
}

// runWebTask runs the task named by the environment, and reports whether there is
// one.
func runWebTask(out io.Writer) (bool, error) {
	task := os.Getenv(webTaskVariable)
	if task == "" {
		return false, nil
	}
	c := &webClient{origin: os.Getenv(webOriginVariable), roots: x509.NewCertPool()}
	if !c.roots.AppendCertsFromPEM([]byte(os.Getenv(webRootsVariable))) {
		return true, errors.New("no certificate authority given")
	}
	var report webReport
	switch task {
	case "rates":
		found := compare(3, c.bareAll, c.discoverAll)
		report = webReport{found.base, found.work, found.ratio}
	case rolloutTask:
		c.rolloutAll()
	case rolloutBare:
		c.rolloutBareAll()
	case watchTask:
		c.watchAll()
	case watchBare:
		c.overList("discover")
	case "large":
		c.discover(c.finder(), largeHost+".example", discover.Usable)
	case "hostile":
		c.each(hostileDocs, hostileDocs, func(f *discover.Finder, i int) {
			// Half of them can be used, which takes more memory.
			c.discover(f, fmt.Sprintf("%s%d.example", []string{hostileHost, uselessHost}[i%2], i), []discover.Answer{discover.Usable, discover.Unusable}[i%2])
		})
	default:
		return true, fmt.Errorf("unknown task %q", task)
	}
	failed := c.failed.Load()
	if failed != nil {
		return true, *failed
	}
	_, err := fmt.Fprintln(out, int64(report.bare), int64(report.discovery), report.ratio)
	return true, err
}

// LookupNetIP gives every name the same public address.
func (c *webClient) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.AddrFrom4([4]byte{93, 184, 216, 34})}, nil
}

// dial leads to the origins whatever the address.
func (c *webClient) dial(ctx context.Context) (net.Conn, error) {
	var d net.Dialer
	return d.DialContext(ctx, "tcp", c.origin)
}

// finder has nothing in its caches.
func (c *webClient) finder() *discover.Finder {
	client := fetch.New(fetch.Config{Network: netguard.Network{
		Resolver: c, Roots: c.roots,
		Dial: func(ctx context.Context, _ netip.AddrPort) (net.Conn, error) { return c.dial(ctx) },
	}})
	return discover.New(discover.Config{Client: client})
}

// discoverAll asks for the file of every publisher, several at once.
func (c *webClient) discoverAll() {
	c.each(freshDomains, atOnce, func(f *discover.Finder, i int) {
		c.discover(f, fmt.Sprintf("%s%d.example", publisherHost, i), discover.Usable)
	})
}

func (c *webClient) discover(f *discover.Finder, domain string, want discover.Answer) {
	d, err := f.Domain(context.Background(), domain, discover.Options{})
	if err != nil {
		c.fail(err)
	} else if d.Answer != want {
		c.fail(fmt.Errorf("%s: answer %v, want %v", domain, d.Answer, want))
	}
}

// bareAll gets the same files with nothing but net/http, one connection each.
func (c *webClient) bareAll() { c.bareSome(freshDomains) }

func (c *webClient) bareSome(n int) {
	client := &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true, TLSClientConfig: &tls.Config{RootCAs: c.roots, MinVersion: tls.VersionTLS12},
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return c.dial(ctx) },
	}}
	c.each(n, atOnce, func(_ *discover.Finder, i int) {
		c.bare(client, fmt.Sprintf("https://%s%d.example/.well-known/adagents.json", publisherHost, i))
	})
}

func (c *webClient) bare(client *http.Client, url string) {
	resp, err := client.Get(url)
	if err != nil {
		c.fail(err)
		return
	}
	_, err = io.Copy(io.Discard, resp.Body)
	err = errors.Join(err, resp.Body.Close())
	if err != nil {
		c.fail(err)
	}
}

// each calls work n times, some at once.
func (c *webClient) each(n, atOnce int, work func(f *discover.Finder, i int)) {
	f := c.finder()
	next := make(chan int)
	var wait sync.WaitGroup
	for range atOnce {
		wait.Go(func() {
			for i := range next {
				work(f, i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wait.Wait()
}

func (c *webClient) fail(err error) { c.failed.CompareAndSwap(nil, &err) }
