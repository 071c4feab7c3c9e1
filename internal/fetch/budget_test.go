package fetch

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

const redirecting = `
-- https://pub.example/a --
302
Location: https://pub.example/b
-- https://pub.example/b --
503 times=1
-- https://pub.example/b --
200
Content-Type: application/json

{}
`

func TestBudget(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		budget, sent, left int
		want               Outcome
	}{
		{0, 0, 0, NoTurn},
		{1, 1, 0, NoTurn},
		{2, 2, 0, ServerError}, // the repetition is not sent, so what the server said stands
		{3, 3, 0, Found},
		{9, 3, 6, Found},
	} {
		web := start(t, redirecting)
		ctx := WithBudget(t.Context(), c.budget)
		r := clientOf(web).Get(ctx, Request{URL: "https://pub.example/a", Redirects: SameSite})
		is(t, r, c.want)
		left, limited := BudgetLeft(ctx)
		if len(web.Requests()) != c.sent || left != c.left || !limited {
			t.Errorf("budget %d: %d requests sent, %d left", c.budget, len(web.Requests()), left)
		}
		last := r.Last()
		if c.want == NoTurn && (last.Reason != BudgetSpent || last.Detail != errSpent.Error()) {
			t.Error(last.Explain())
		}
	}
}

func TestBudgetWithinBudget(t *testing.T) {
	t.Parallel()
	outer := WithBudget(t.Context(), 3)
	wide, narrow := WithBudget(outer, 100), WithBudget(outer, 1)
	steps := []struct {
		ctx  context.Context
		want bool
	}{{narrow, true}, {narrow, false}, {wide, true}, {wide, true}, {wide, false}}
	for i, step := range steps {
		if budgetOf(step.ctx).take() != step.want {
			t.Errorf("step %d: took %v", i, !step.want)
		}
	}
	left := func(ctx context.Context) int {
		n, _ := BudgetLeft(ctx)
		return n
	}
	if left(outer) != 0 || left(wide) != 0 || left(narrow) != 0 {
		t.Error(left(outer), left(wide), left(narrow))
	}
	budgetOf(wide).giveBack()
	if left(outer) != 1 || left(wide) != 1 || left(narrow) != 0 {
		t.Error(left(outer), left(wide), left(narrow))
	}
	_, limited := BudgetLeft(t.Context())
	if limited || left(WithBudget(t.Context(), -5)) != 0 {
		t.Error("a context without a budget has one, or a negative budget is more than nothing")
	}
}

// TestSharedRequestCountsOnce lets two callers share a request: the one who asked
// first pays.
func TestSharedRequestCountsOnce(t *testing.T) {
	t.Parallel()
	labCertificate()
	synctest.Test(t, func(t *testing.T) {
		l, _ := slowly()
		client := l.client(Config{})
		first, second := WithBudget(t.Context(), 5), WithBudget(t.Context(), 5)
		var group sync.WaitGroup
		for _, ctx := range []context.Context{first, second} {
			group.Go(func() { is(t, client.Get(ctx, Request{URL: "https://pub.example/a"}), Found) })
			synctest.Wait()
		}
		group.Wait()
		a, _ := BudgetLeft(first)
		b, _ := BudgetLeft(second)
		if a != 4 || b != 5 {
			t.Errorf("%d and %d left", a, b)
		}
	})
}

// TestWaitingCostsNothing has a turn that does not come: nothing was sent, so nothing
// is taken from the budget.
func TestWaitingCostsNothing(t *testing.T) {
	t.Parallel()
	labCertificate()
	synctest.Test(t, func(t *testing.T) {
		l := &lab{serve: stalled("")}
		client := l.client(Config{PerHost: 1, Budget: 8 * time.Second, Attempts: 1})
		var group sync.WaitGroup
		group.Go(func() { l.patient(client).Get(t.Context(), Request{URL: "https://pub.example/a"}) })
		synctest.Wait()
		ctx := WithBudget(t.Context(), 5)
		r := client.Get(ctx, Request{URL: "https://pub.example/b"})
		is(t, r, NoTurn)
		left, _ := BudgetLeft(ctx)
		if left != 5 || r.Last().Reason != "" {
			t.Errorf("%d left: %s", left, r.Last().Explain())
		}
		group.Wait()
	})
}

// TestVictimOfManyNames makes calls about subdomains of one site, each with a name of
// its own, with the pace of a service. Whatever minute is looked at, the site sees
// sixty requests at most: eight at once and one every 1.2 seconds are 58.
func TestVictimOfManyNames(t *testing.T) {
	t.Parallel()
	labCertificate()
	for _, c := range []struct {
		name     string
		calls    int
		apart    time.Duration
		patience time.Duration
		least    int
	}{
		{"ten thousand callers over minutes", 10_000, 20 * time.Millisecond, 9 * time.Second, 8},
		{"callers who wait for their turn", 200, 0, time.Hour, 57},
	} {
		synctest.Test(t, func(t *testing.T) {
			var mu sync.Mutex
			var at []time.Time
			l := &lab{serve: saying(okHead + "Content-Length: 2\r\n\r\n{}")}
			client := l.client(Config{
				Budget: time.Hour, SiteBurst: 8, SiteEvery: 1200 * time.Millisecond,
				Observe: func(e *Exchange) {
					mu.Lock()
					defer mu.Unlock()
					at = append(at, e.At)
				},
			})
			var group sync.WaitGroup
			for i := range c.calls {
				group.Go(func() {
					ctx, cancel := context.WithTimeout(WithBudget(t.Context(), 16), c.patience)
					defer cancel()
					client.Get(ctx, Request{URL: fmt.Sprintf("https://h%d.pub.example/", i)})
				})
				time.Sleep(c.apart)
			}
			group.Wait()
			n := busiest(at, time.Minute)
			if n > 58 || n < c.least {
				t.Errorf("%s: %d requests within a minute", c.name, n)
			}
		})
	}
}

// busiest returns the largest number of instants within any window. They are in
// order.
func busiest(at []time.Time, window time.Duration) int {
	most, first := 0, 0
	for i := range at {
		for at[i].Sub(at[first]) >= window {
			first++
		}
		most = max(most, i-first+1)
	}
	return most
}

// TestAddressSeats lets names of many sites lead to one address.
func TestAddressSeats(t *testing.T) {
	t.Parallel()
	labCertificate()
	synctest.Test(t, func(t *testing.T) {
		c := &crowd{inside: map[string]int{}, most: map[string]int{}}
		l := &lab{serve: answering(func(w io.Writer, _ *http.Request) {
			c.move("address", 1)
			time.Sleep(2 * time.Second)
			c.move("address", -1)
			say(w, okHead+"Content-Length: 2\r\n\r\n{}")
		})}
		client := l.client(Config{PerAddress: 2, Budget: 30 * time.Second})
		var group sync.WaitGroup
		for i := range 10 {
			group.Go(func() {
				r := client.Get(t.Context(), Request{URL: fmt.Sprintf("https://h%d.example/", i)})
				is(t, r, Found)
				if e := r.Last(); e.Timings.Total != 2*time.Second {
					t.Errorf("waiting counts as the server's time: %+v", e.Timings)
				}
			})
		}
		group.Wait()
		if c.most["address"] != 2 || len(client.hosts.addrs) != 0 {
			t.Errorf("%d at the same time, %d addresses remembered", c.most["address"], len(client.hosts.addrs))
		}
	})
}

// TestAddressTurnNeverComes waits for an address until the time is over.
func TestAddressTurnNeverComes(t *testing.T) {
	t.Parallel()
	labCertificate()
	synctest.Test(t, func(t *testing.T) {
		l := &lab{serve: stalled("")}
		var observed atomic.Int32
		client := l.client(Config{PerAddress: 1, HopTimeout: time.Minute, Budget: 8 * time.Second, Attempts: 1, Observe: func(*Exchange) { observed.Add(1) }})
		var group sync.WaitGroup
		group.Go(func() { client.Get(t.Context(), Request{URL: "https://a.example/"}) })
		synctest.Wait()
		ctx := WithBudget(t.Context(), 3)
		short, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		r := client.Get(short, Request{URL: "https://b.example/"})
		is(t, r, NoTurn)
		left, _ := BudgetLeft(ctx)
		if left != 3 || r.Last().Dialled.IsValid() {
			t.Errorf("%d left: %s", left, r.Last().Explain())
		}
		group.Wait()
		if observed.Load() != 1 || len(client.hosts.addrs) != 0 || len(client.hosts.hosts) != 0 {
			t.Errorf("%d observed, %d addresses and %d hosts remembered", observed.Load(), len(client.hosts.addrs), len(client.hosts.hosts))
		}
	})
}

// TestSecondAddress has a first address that refuses: its slot is given back before
// the second is tried.
func TestSecondAddress(t *testing.T) {
	t.Parallel()
	labCertificate()
	synctest.Test(t, func(t *testing.T) {
		dead := netip.MustParseAddr("93.184.216.90")
		working := &lab{serve: saying(okHead + "Content-Length: 2\r\n\r\n{}")}
		l := &lab{
			lookup: func(context.Context, string) ([]netip.Addr, error) { return []netip.Addr{dead, labAddr}, nil },
			dial: func(ctx context.Context, addr netip.AddrPort) (net.Conn, error) {
				if addr.Addr() == dead {
					return nil, syscall.ECONNREFUSED
				}
				return working.connect(ctx, addr)
			},
		}
		client := l.client(Config{PerAddress: 1})
		r := client.Get(t.Context(), Request{URL: "https://pub.example/"})
		is(t, r, Found)
		if len(client.hosts.addrs) != 0 || r.Last().Dialled.Addr() != labAddr || l.count() != 2 {
			t.Errorf("%d addresses remembered: %s", len(client.hosts.addrs), r.Last().Explain())
		}
	})
}

// TestAddressSlotAndMemory has an exchange that waits for memory: it gives its slot at
// the address away meanwhile, and takes it again.
func TestAddressSlotAndMemory(t *testing.T) {
	t.Parallel()
	labCertificate()
	synctest.Test(t, func(t *testing.T) {
		body := strings.Repeat(" ", largeFrom+10) + "{}"
		l := &lab{serve: saying(okHead + "Content-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + body)}
		client := l.client(Config{PerAddress: 1})
		free := make(chan struct{})
		var group sync.WaitGroup
		group.Go(func() {
			is(t, client.Get(t.Context(), Request{URL: "https://a.example/", Large: func(context.Context) error {
				<-free
				return nil
			}}), Found)
		})
		synctest.Wait()
		is(t, client.Get(t.Context(), Request{URL: "https://b.example/"}), Found)
		close(free)
		group.Wait()
		if len(client.hosts.addrs) != 0 {
			t.Errorf("%d addresses remembered", len(client.hosts.addrs))
		}
	})
}
