package custodian_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/netguard"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/test/sqlitetest"
	"github.com/avow-project/avow/internal/test/testca"
)

// A pipes is an internet of pipes, which work with a virtual clock. Names below .junk.example
// do not exist, all others have a file.
type pipes struct {
	testing.TB
	issuer *testca.Issuer
	leaf   *tls.Certificate

	// stuck: nobody answers until the end of the test.
	stuck bool

	mu sync.Mutex
	// asked has the names that were looked up.
	asked []string
}

func newPipes(t testing.TB) *pipes {
	t.Helper()
	issuer, err := testca.New("pipes", nil)
	if err != nil {
		t.Fatal(err)
	}
	key, err := testca.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := issuer.Leaf("*.example", key)
	if err != nil {
		t.Fatal(err)
	}
	return &pipes{TB: t, issuer: issuer, leaf: leaf}
}

// client returns a client with the limits of the service.
func (p *pipes) client() *fetch.Client {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(p.issuer.PEM())
	return fetch.New(fetch.Config{
		Network:    netguard.Network{Resolver: p, Dial: p.dial, Roots: roots},
		HopTimeout: 5 * time.Second, Budget: 8 * time.Second, Attempts: 2, SiteBurst: 8, SiteEvery: 1200 * time.Millisecond,
	})
}

// LookupNetIP implements netguard.Resolver.
func (p *pipes) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = append(p.asked, strings.TrimSuffix(host, "."))
	if strings.Contains(host, ".junk") {
		return nil, &net.DNSError{Name: host, Err: "no such host", IsNotFound: true}
	}
	return []netip.Addr{netip.MustParseAddr("93.184.216.34")}, nil
}

// since returns how many different names of a kind were looked up, after the first n.
func (p *pipes) since(n int, kind string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	names := map[string]bool{}
	for _, name := range p.asked[n:] {
		if strings.Contains(name, kind) {
			names[name] = true
		}
	}
	return len(names)
}

func (p *pipes) lookups() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.asked)
}

func (p *pipes) dial(ctx context.Context, _ netip.AddrPort) (net.Conn, error) {
	if p.stuck {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	client, server := net.Pipe()
	go p.serve(server)
	return client, nil
}

func (p *pipes) serve(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	secure := tls.Server(conn, &tls.Config{Certificates: []tls.Certificate{*p.leaf}, NextProtos: []string{"http/1.1"}})
	r, err := http.ReadRequest(bufio.NewReader(secure))
	if err != nil {
		return
	}
	body := fileFor(r.Host, "v1", 0)
	_, _ = fmt.Fprintf(secure, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nDate: %s\r\nCache-Control: max-age=86400\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s",
		time.Now().UTC().Format(http.TimeFormat), len(body), body)
}

// watching returns a keeper over pipes. Everybody is asked, the junk first, and a day later
// everything is due.
func watching(t *testing.T, p *pipes, junk, honest int, junkName func(int) string) *custodian.Keeper {
	t.Helper()
	time.Sleep(time.Until(begin)) // files have dates
	s, err := store.Open(t.Context(), "sqlite:"+sqlitetest.Path(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	k, err := custodian.New(custodian.Config{Store: s.Custody(), Finder: discover.New(discover.Config{Client: p.client()}), Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(name string) {
		_, err := k.Refresh(t.Context(), hostname.Domain(name), custodian.RefreshOptions{})
		if err != nil {
			t.Fatal(err)
		}
	}
	for i := range junk {
		ask(junkName(i))
	}
	for i := range honest {
		ask(fmt.Sprintf("honest%d.example", i))
	}
	if got := p.since(0, "honest"); got != honest {
		t.Fatalf("%d publishers on record", got)
	}
	time.Sleep(25 * time.Hour)
	return k
}

// watchDuring watches for a time and returns how many honest publishers were asked in it,
// and how many junk names.
func watchDuring(t *testing.T, p *pipes, k *custodian.Keeper, d time.Duration, force bool) (int, int) {
	t.Helper()
	before := p.lookups()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	err := k.Watch(ctx, custodian.WatchOptions{Parallel: 4, Force: force})
	if err != nil && (!force || ctx.Err() == nil) {
		t.Fatal(err)
	}
	return p.since(before, "honest"), p.since(before, "junk")
}

// TestJunkStarvesNobody has names on record that do not exist, all of them due for longer
// than 60 honest publishers: 200 of one site, or so many of several sites that they are more
// than the workers and more than one batch.
func TestJunkStarvesNobody(t *testing.T) {
	t.Parallel()
	for sites, junk := range map[int]int{1: 200, 8: 320} {
		t.Run(fmt.Sprint(sites), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p := newPipes(t)
				k := watching(t, p, junk, 60, func(i int) string { return fmt.Sprintf("n%d.junk%d.example", i, i%sites) })
				honest, _ := watchDuring(t, p, k, time.Second, false)
				if honest != 60 {
					t.Errorf("%d of 60 honest publishers were asked within a second", honest)
				}
				// The junk has its turn, as often as a site may be asked.
				_, asked := watchDuring(t, p, k, time.Minute, false)
				if asked < min(40*sites, junk-8*sites) || asked > 58*sites {
					t.Errorf("%d junk names were asked within a minute", asked)
				}
			})
		})
	}
}

// TestForceStarvesNobody: when everybody is asked, due or not, the names of one site hold up
// nobody either.
func TestForceStarvesNobody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPipes(t)
		k := watching(t, p, 200, 60, func(i int) string { return fmt.Sprintf("a%d.junk.example", i) })
		honest, _ := watchDuring(t, p, k, time.Second, true)
		if honest != 60 {
			t.Errorf("%d of 60 honest publishers were asked within a second", honest)
		}
		honest, asked := watchDuring(t, p, k, time.Hour, true)
		if honest != 60 || asked != 200 {
			t.Errorf("%d honest publishers and %d junk names were asked in the end", honest, asked)
		}
	})
}

// together returns keepers that share a store, as those of several processes do.
func together(t *testing.T, p *pipes, n int) (custodian.Store, []*custodian.Keeper) {
	t.Helper()
	time.Sleep(time.Until(begin))
	s, err := store.Open(t.Context(), "sqlite:"+sqlitetest.Path(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	var all []*custodian.Keeper
	for range n {
		k, err := custodian.New(custodian.Config{Store: s.Custody(), Finder: discover.New(discover.Config{Client: p.client()}), Now: time.Now})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, k)
	}
	return s.Custody(), all
}

// lookAt has a keeper look at publishers that nothing is known of, and returns how long it took.
func lookAt(t *testing.T, k *custodian.Keeper, domains ...hostname.Domain) time.Duration {
	t.Helper()
	begun := time.Now()
	_, err := k.Plan(t.Context(), domains)
	if err == nil {
		err = k.Watch(t.Context(), custodian.WatchOptions{Once: true})
	}
	if err != nil {
		t.Fatal(err)
	}
	return time.Since(begun)
}

// TestOnceWaitsForOthers: a publisher whose site somebody else is at is looked at when that is
// over, also by a watch that ends when nothing is left.
func TestOnceWaitsForOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPipes(t)
		s, keepers := together(t, p, 1)
		const held = 50 * time.Second
		_, err := s.HoldSites(t.Context(), "somebody else", []string{"honest0.example"}, time.Now(), time.Now().Add(held))
		if err != nil {
			t.Fatal(err)
		}
		took := lookAt(t, keepers[0], "honest0.example", "honest1.example")
		if n := p.since(0, "honest"); n != 2 || took < held {
			t.Errorf("%d of 2 publishers were looked at in %s", n, took)
		}
	})
}

// TestSitesRestFromOthers: what one process has sent to a site counts for the others.
func TestSitesRestFromOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPipes(t)
		_, keepers := together(t, p, 2)
		names := func(kind string, n int) []hostname.Domain {
			var all []hostname.Domain
			for i := range n {
				all = append(all, hostname.Domain(fmt.Sprintf("%s%d.shared.example", kind, i)))
			}
			return all
		}
		lookAt(t, keepers[0], names("first", 8)...)
		took := lookAt(t, keepers[1], names("second", 4)...)
		if n := p.since(0, "shared"); n != 12 || took < 4*time.Second {
			t.Errorf("%d of 12 publishers of a site were looked at, the last four in %s", n, took)
		}
	})
}

// TestLeasesWhatItCanBegin: what a process has no worker for is left to others, so that one that
// hangs, or ends and begins again, holds up no more than it looks at.
func TestLeasesWhatItCanBegin(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const requested, parallel = 120, 4
		p, stuck := newPipes(t), newPipes(t)
		stuck.stuck = true
		s, keepers := together(t, p, 1)
		hangs, err := custodian.New(custodian.Config{Store: s, Finder: discover.New(discover.Config{Client: stuck.client()}), Now: time.Now})
		if err != nil {
			t.Fatal(err)
		}
		for i := range requested {
			err := s.Request(t.Context(), &custodian.Request{ID: fmt.Sprint(i), Domain: hostname.Domain(fmt.Sprintf("honest%d.example", i)), RequestedAt: time.Now()}, custodian.RequestLimits{Caller: requested, Open: requested})
			if err != nil {
				t.Fatal(err)
			}
		}
		watch := func(k *custodian.Keeper, d time.Duration) func() {
			ctx, cancel := context.WithTimeout(t.Context(), d)
			var group sync.WaitGroup
			group.Go(func() {
				err := k.Watch(ctx, custodian.WatchOptions{Parallel: parallel})
				if err != nil {
					t.Error(err)
				}
			})
			return func() { group.Wait(); cancel() }
		}
		first := watch(hangs, 20*time.Second)
		time.Sleep(time.Second)
		second := watch(keepers[0], 5*time.Second)
		second()
		first()
		if n := p.since(0, "honest"); n < requested-parallel {
			t.Errorf("%d of %d publishers were looked at while another process hung with %d", n, requested, parallel)
		}
	})
}
