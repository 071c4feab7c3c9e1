package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sync/errgroup"
)

// crowd counts who is inside at the same time.
type crowd struct {
	mu     sync.Mutex
	inside map[string]int
	most   map[string]int
}

func (c *crowd) move(key string, by int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.inside[key] += by
	c.most[key] = max(c.most[key], c.inside[key])
}

func TestConcurrencyLimits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := impatient()
		l.perHost, l.perSite = 2, 4
		p := newHostLimiter(&l)
		c := &crowd{inside: map[string]int{}, most: map[string]int{}}
		var group sync.WaitGroup
		for i := range 60 {
			host := fmt.Sprintf("h%d.pub.example", i%5)
			if i%6 == 0 {
				host = "other.example"
			}
			group.Go(func() {
				leave, err := p.enter(t.Context(), host)
				if err != nil {
					t.Error(err)
					return
				}
				site, _ := siteOf(host)
				c.move("host "+host, 1)
				c.move("site "+site, 1)
				time.Sleep(time.Second)
				c.move("host "+host, -1)
				c.move("site "+site, -1)
				leave()
			})
		}
		group.Wait()
		for key, most := range c.most {
			want := 2
			if key == "site pub.example" {
				want = 4
			}
			if most > want || key == "site pub.example" && most != want {
				t.Errorf("%s: %d at the same time, want %d", key, most, want)
			}
		}
		if len(p.hosts) != 0 || p.idle.Len() != len(p.sites) {
			t.Errorf("%d hosts and %d of %d sites are left", len(p.hosts), p.idle.Len(), len(p.sites))
		}
	})
}

func TestTurnsAreFair(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := impatient()
		l.perHost = 1
		p := newHostLimiter(&l)
		var order []int
		var group sync.WaitGroup
		for i := range 20 {
			group.Go(func() {
				leave, err := p.enter(t.Context(), "pub.example")
				if err != nil {
					t.Error(err)
					return
				}
				order = append(order, i)
				time.Sleep(time.Second)
				leave()
			})
			synctest.Wait()
		}
		group.Wait()
		if !slices.IsSorted(order) || len(order) != 20 {
			t.Errorf("order %v", order)
		}
	})
}

func TestStartRate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := defaultLimits(&Config{})
		p := newHostLimiter(&l)
		begun := time.Now()
		for i := range 28 {
			leave, err := p.enter(t.Context(), "pub.example")
			if err != nil {
				t.Fatal(err)
			}
			leave()
			// Eight at once, then two a second.
			want := max(0, time.Duration(i-7)*500*time.Millisecond)
			if took := time.Since(begun); took.Round(time.Millisecond) != want {
				t.Errorf("exchange %d began after %s, want %s", i+1, took, want)
			}
		}
	})
}

// TestAddressRate: requests to an address, or an IPv6 network, begin so many at once and then one by one,
// whatever the sites that lead there.
func TestAddressRate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := defaultLimits(&Config{AddressBurst: 4, AddressEvery: 100 * time.Millisecond})
		p := newHostLimiter(&l)
		for _, prefix := range []string{"93.184.216.34/32", "2600::/64"} {
			block, begun := netip.MustParsePrefix(prefix), time.Now()
			for i, addr := 0, block.Addr(); i < 20; i++ {
				leave, err := p.enterAt(t.Context(), addr)
				if err != nil {
					t.Fatal(err)
				}
				leave()
				want := max(0, time.Duration(i-3)*100*time.Millisecond)
				if took := time.Since(begun); took.Round(time.Millisecond) != want {
					t.Errorf("%s: exchange %d began after %s, want %s", prefix, i+1, took, want)
				}
				if block.Contains(addr.Next()) {
					addr = addr.Next()
				}
			}
		}
		short, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		_, err := p.enterAt(short, netip.MustParseAddr("2600::5"))
		if !errors.Is(err, errNoTurn) || len(p.addrs) != 0 {
			t.Errorf("%v, %d addresses remembered", err, len(p.addrs))
		}
	})
}

// TestClientsTakeTurns: a client with many requests for a site has one place in its queue.
func TestClientsTakeTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := defaultLimits(&Config{SiteBurst: 1, SiteEvery: time.Second})
		p := newHostLimiter(&l)
		var group sync.WaitGroup
		begun := map[string]time.Duration{}
		start := time.Now()
		visit := func(client string, i int) {
			group.Go(func() {
				leave, err := p.enter(WithClient(t.Context(), client), fmt.Sprintf("h%d.pub.example", i))
				if err != nil {
					t.Error(err)
					return
				}
				begun[client] = time.Since(start)
				leave()
			})
			synctest.Wait()
		}
		for i := range 50 {
			visit("many", i)
		}
		for i := range 5 {
			visit(fmt.Sprint("few", i), i)
		}
		group.Wait()
		for i := range 5 {
			if took := begun[fmt.Sprint("few", i)]; took > time.Duration(2+i+1)*time.Second {
				t.Errorf("client %d waited %s", i, took)
			}
		}
		if begun["many"] != 54*time.Second || len(p.queues) != 0 {
			t.Errorf("the last was after %s; %d queues are left", begun["many"], len(p.queues))
		}
	})
}

func TestSitesAreForgotten(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := defaultLimits(&Config{})
		p := newHostLimiter(&l)
		visit := func(host string) {
			leave, err := p.enter(t.Context(), host)
			if err != nil {
				t.Fatal(err)
			}
			leave()
		}
		for i := range 1000 {
			visit(fmt.Sprintf("h%d.example", i))
		}
		if len(p.sites) != 1000 {
			t.Errorf("%d sites remembered", len(p.sites))
		}
		time.Sleep(3 * time.Second)
		visit("h0.example") // is not idle any more
		time.Sleep(1500 * time.Millisecond)
		visit("new.example")
		if len(p.sites) != 2 || p.idle.Len() != 2 {
			t.Errorf("%d sites remembered, want 2", len(p.sites))
		}
		for i := range maxIdle + 500 {
			visit(fmt.Sprintf("h%d.example", i))
		}
		if len(p.sites) > maxIdle+1 {
			t.Errorf("%d sites remembered", len(p.sites))
		}
	})
}

func TestTurnNeverComes(t *testing.T) {
	t.Parallel()
	labCertificate()
	synctest.Test(t, func(t *testing.T) {
		l := &lab{serve: stalled("")}
		var observed atomic.Int32
		client := l.client(Config{
			PerHost: 1, PerSite: 1, Budget: 8 * time.Second,
			Observe: func(*Exchange) { observed.Add(1) },
		})
		group, ctx := errgroup.WithContext(t.Context())
		group.Go(func() error {
			l.patient(client).Get(ctx, Request{URL: "https://pub.example/a"})
			return nil
		})
		synctest.Wait()
		for _, url := range []string{"https://pub.example/b", "https://www.pub.example/c"} {
			group.Go(func() error {
				begun := time.Now()
				r := client.Get(ctx, Request{URL: url})
				is(t, r, NoTurn)
				e := r.Last()
				if e.Timings.Wait != time.Since(begun) || e.Dialled.IsValid() || len(r.Exchanges) != 1 || e.Timings.Total != 0 {
					t.Errorf("%+v", e.Timings)
				}
				return nil
			})
		}
		group.Go(func() error {
			given, cancel := context.WithCancel(ctx)
			time.AfterFunc(time.Second, cancel)
			is(t, client.Get(given, Request{URL: "https://pub.example/d"}), Cancelled)
			return nil
		})
		group.Go(func() error {
			short, cancel := context.WithTimeout(ctx, time.Second)
			defer cancel()
			is(t, client.Get(short, Request{URL: "https://pub.example/e"}), NoTurn)
			return nil
		})
		err := group.Wait()
		if err != nil {
			t.Error(err)
		}
		if observed.Load() != 1 {
			t.Errorf("%d exchanges observed, one was made", observed.Load())
		}
		if client.hosts.idle.Len() != 1 || len(client.hosts.hosts) != 0 {
			t.Error("someone is still counted as waiting")
		}
	})
}

func TestRateDoesNotFitTheBudget(t *testing.T) {
	t.Parallel()
	labCertificate()
	synctest.Test(t, func(t *testing.T) {
		l := &lab{serve: saying(okHead + "Content-Length: 2\r\n\r\n{}")}
		client := l.client(Config{Budget: 300 * time.Millisecond})
		for range 8 {
			is(t, client.Get(t.Context(), Request{URL: "https://pub.example/f"}), Found)
		}
		r := client.Get(t.Context(), Request{URL: "https://pub.example/f"})
		is(t, r, NoTurn)
		if r.Last().Detail != errNoTurn.Error() || len(r.Exchanges) != 1 {
			t.Error(r.Last().Explain())
		}
		time.Sleep(time.Minute)
		is(t, client.Get(t.Context(), Request{URL: "https://pub.example/f"}), Found)
	})
}

// TestRepetitionWithoutTurn leaves no allowance for a repetition: what the server
// said stands.
func TestRepetitionWithoutTurn(t *testing.T) {
	t.Parallel()
	labCertificate()
	synctest.Test(t, func(t *testing.T) {
		l, asked := unreliable("503 No")
		limits := defaultLimits(&Config{})
		limits.burst, limits.interval = 1, time.Hour
		r := newClient(&Config{Network: l.network()}, limits).Get(t.Context(), Request{URL: "https://pub.example/f"})
		is(t, r, ServerError)
		if asked.Load() != 1 || len(r.Exchanges) != 1 || r.Last().Status != 503 {
			t.Errorf("asked %d times: %s", asked.Load(), r.Last().Explain())
		}
	})
}

func TestNoTurn(t *testing.T) {
	t.Parallel()
	if NoTurn.String() != "no_turn" || NoTurn.Public() != PublicTimeout || NoTurn.Transient() {
		t.Error(NoTurn, NoTurn.Public(), NoTurn.Transient())
	}
}

func TestWaitIsRecorded(t *testing.T) {
	t.Parallel()
	labCertificate()
	synctest.Test(t, func(t *testing.T) {
		l, _ := slowly()
		client := l.client(Config{PerHost: 1})
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var group sync.WaitGroup
		group.Go(func() { client.Get(ctx, Request{URL: "https://pub.example/a"}) })
		synctest.Wait()
		group.Go(func() {
			e := client.Get(ctx, Request{URL: "https://pub.example/b"}).Last()
			if e.Timings.Wait != 2*time.Second || e.Timings.Total != 2*time.Second || e.Timings.FirstByte != 2*time.Second {
				t.Errorf("%+v", e.Timings)
			}
		})
		group.Wait()
	})
}
