package registry_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/service/registry"
)

func TestOutbound(t *testing.T) {
	t.Parallel()
	c := registry.Outbound(fetch.Config{})
	perMinute := c.SiteBurst + int(time.Minute/c.SiteEvery)
	atAddress := c.AddressBurst + int(time.Minute/c.AddressEvery)
	if perMinute > 60 || atAddress != 616 || c.PerAddress != 2 || c.HopTimeout > c.Budget || c.Budget >= 9*time.Second {
		t.Errorf("%d requests a minute: %+v", perMinute, c)
	}
	own := fetch.Config{HopTimeout: 1, Budget: 2, Attempts: 3, SiteBurst: 4, SiteEvery: 5, PerAddress: 6}
	if diff := cmp.Diff(own, registry.Outbound(own), cmp.Comparer(func(a, b fetch.Config) bool {
		return a.HopTimeout == b.HopTimeout && a.Budget == b.Budget && a.Attempts == b.Attempts && a.SiteBurst == b.SiteBurst && a.SiteEvery == b.SiteEvery && a.PerAddress == b.PerAddress
	})); diff != "" {
		t.Error(diff)
	}
}

// TestVictim lets many callers name subdomains of one site through the service. How
// often the site is asked in a longer time is shown in package fetch, with a virtual
// clock.
func TestVictim(t *testing.T) {
	t.Parallel()
	const calls = 300
	var sections []string
	for i := range calls {
		sections = append(sections, wellKnown(fmt.Sprintf("h%d.victim.example", i)), "404")
	}
	l := newFileLab(t, sections...)
	client := fetch.New(registry.Outbound(fetch.Config{Network: l.web.Network()}))
	s := registry.New(registry.Config{Store: l.store, Custody: l.store.Custody(), Finder: discover.New(discover.Config{Client: client}), CallTime: time.Hour})
	defer s.Close()
	begun := time.Now()
	_, err := s.Validate(t.Context(), registry.ValidateRequest{Domain: "h0.victim.example"})
	if err != nil {
		t.Fatal(err)
	}
	s.Limits(2*time.Second, time.Second)
	var group sync.WaitGroup
	for i := range calls {
		group.Go(func() {
			_, err := s.Validate(t.Context(), registry.ValidateRequest{Domain: fmt.Sprintf("h%d.victim.example", i)})
			if err != nil && kindOf(err) != registry.Unavailable { // a busy machine may have no time for all of them
				t.Error(err)
			}
		})
	}
	group.Wait()
	most := 8 + int(time.Since(begun)/(1200*time.Millisecond)) + 1
	if n := len(l.web.Requests()); n > most || n == 0 {
		t.Errorf("the victim was asked %d times, want %d at most", n, most)
	}
}
