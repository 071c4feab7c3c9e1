package postgres

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/store/records"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/test/pgtest"
)

// A counted connection counts how often an answer of the server is waited for.
type counted struct {
	net.Conn
	trips *atomic.Int64
	asked atomic.Bool
}

func (c *counted) Write(b []byte) (int, error) {
	c.asked.Store(true)
	return c.Conn.Write(b)
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n > 0 && c.asked.Swap(false) {
		c.trips.Add(1)
	}
	return n, err
}

// A publisher has one file, of a version.
type publisher int

func (p publisher) Get(_ context.Context, r fetch.Request) *fetch.Result {
	body := fmt.Appendf(nil, `{"properties":[{"property_id":"site","property_type":"website","name":"Site","identifiers":[{"type":"domain","value":"v%d.example"}]}],
		"authorized_agents":[{"url":"https://agent.example/mcp","authorized_for":"x","authorization_type":"property_ids","property_ids":["site"]},
		{"url":"https://agent%[1]d.example/mcp","authorized_for":"x","authorization_type":"property_ids","property_ids":["site"]}]}`, int(p))
	return &fetch.Result{Outcome: fetch.Found, URL: r.URL, Body: body, Exchanges: []fetch.Exchange{{
		URL: r.URL, Method: http.MethodGet, Attempt: 1, At: time.Now(), MediaType: "application/json", Status: http.StatusOK, Outcome: fetch.Found,
	}}}
}

// TestRoundTrips: a look at a publisher does not wait for the server more often than it has to.
func TestRoundTrips(t *testing.T) {
	t.Parallel()
	config, err := configure(pgtest.URL(t))
	if err != nil {
		t.Fatal(err)
	}
	schema, err := upgrade(t.Context(), config.ConnConfig)
	if err != nil {
		t.Fatal(err)
	}
	var trips atomic.Int64
	dial := config.ConnConfig.DialFunc
	config.ConnConfig.DialFunc = func(ctx context.Context, network, addr string) (net.Conn, error) {
		c, err := dial(ctx, network, addr)
		return &counted{Conn: c, trips: &trips}, err
	}
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	s := records.New(&database{pool, schema}, schema)
	t.Cleanup(func() { _ = s.Close() })
	web := publisher(0)
	keeper, err := custodian.New(custodian.Config{Store: s.Custody(), Finder: discover.New(discover.Config{Client: &web})})
	if err != nil {
		t.Fatal(err)
	}
	look := func(domain hostname.Domain) int64 {
		before := trips.Load()
		_, err := keeper.Refresh(t.Context(), domain, custodian.RefreshOptions{Force: true})
		if err != nil {
			t.Fatal(err)
		}
		return trips.Load() - before
	}
	for range 3 { // statements are prepared at first
		look("first.example")
		web++
	}
	for _, tc := range []struct {
		what   string
		domain hostname.Domain
		change publisher
		most   int64
	}{
		{"a new publisher", "new.example", 0, 10}, {"no change", "new.example", 0, 7}, {"another file", "new.example", 1, 18},
	} {
		web += tc.change
		have := look(tc.domain)
		if have > tc.most {
			t.Errorf("%s: %d round trips, want %d at most", tc.what, have, tc.most)
		}
	}
}
