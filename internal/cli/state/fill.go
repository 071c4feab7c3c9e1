package state

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/service/patience"
	"github.com/avow-project/avow/internal/service/store"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/words"
)

// mostFilled is how many publishers can be made up.
const mostFilled = 10_000_000

func stateFillCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "fill",
		Short: "fill a new store with publishers that are made up",
		Long: `Fill puts publishers into a new store that are made up: p0000000.example and so on. Of ten,
six have a file of their own, one points to a file elsewhere, and three point to a file that
200 publishers share. Each lets https://agent.example/mcp sell something, and most let others.
They are looked at and kept as real ones are, without a request to any publisher, so the store shows
how large a machine has to be. Never fill a store that is to be used.

With a larger number, or after an interruption, it goes on with a store that it has filled.

Exit codes: 0 the store is filled, 2 wrong usage, 3 it could not be filled.`,
		Example:           "  avow state fill --store sqlite:large.db --publishers 1000",
		Args:              console.NoArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f := sources.AddStoreFlags(cmd)
	n := cmd.Flags().Int("publishers", 1000, "`NUMBER` of publishers")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *n < 1 || *n > mostFilled {
			return console.UsageError("write it like --publishers 1000", "--publishers must be between 1 and %d", mostFilled)
		}
		return sources.WithStore(cmd.Context(), a, f, func(ctx context.Context, st *store.Store) error {
			return fill(ctx, a, st, *n)
		})
	}
	return cmd
}

// filledTogether is how many are put in side by side: enough for a store to make many in one transaction.
const filledTogether = 128

// fill puts n publishers into a store, but for those that it put there before.
func fill(ctx context.Context, a *console.App, st *store.Store, n int) error {
	known, err := filled(ctx, st, n)
	if err != nil {
		return err
	}
	keeper, err := custodian.New(
		custodian.Config{Store: st.Custody(),
			Finder: discover.New(discover.Config{Client: &madeUp{n, a.Env.Now}, Now: a.Env.Now}), Now: a.Env.Now})
	if err != nil {
		return err
	}
	bar := a.StartProgress(n-len(known), false)
	g, filling := errgroup.WithContext(patience.With(ctx))
	g.SetLimit(filledTogether)
	for group := range groups(n) {
		group = slices.DeleteFunc(group, func(i int) bool { return known[i] })
		if len(group) == 0 {
			continue
		}
		g.Go(func() error {
			for _, i := range group {
				_, err := keeper.Refresh(filling, filledDomain(i), custodian.RefreshOptions{Force: true})
				if err != nil {
					return err
				}
				bar.Step(false)
			}
			return nil
		})
	}
	err = g.Wait()
	if err == nil {
		err = keeper.AllTurns(ctx)
	}
	if stopped := bar.Stop(); err == nil {
		err = stopped
	}
	if err != nil {
		return sources.StoreError(err)
	}
	a.Note("the store has %s", words.Plural(n, "publisher", "publishers"))
	return nil
}

// filled returns the numbers of the publishers that a store was filled with. One that has others, or more than
// n, is not filled.
func filled(ctx context.Context, st *store.Store, n int) (map[int]bool, error) {
	have, err := st.Custody().Counts(ctx)
	if err != nil {
		return nil, err
	}
	others := 0
	for _, g := range have.Groups {
		others += g.Publishers
	}
	known := map[int]bool{}
	for first := 0; first < n && others > 0; first += filledChunk {
		var domains []hostname.Domain
		for i := first; i < min(n, first+filledChunk); i++ {
			domains = append(domains, filledDomain(i))
		}
		revisions, err := st.Custody().Revisions(ctx, domains, nil)
		if err != nil {
			return nil, err
		}
		for i, domain := range domains {
			if revisions[string(domain)] > 0 {
				known[first+i] = true
				others--
			}
		}
	}
	if others > 0 {
		return nil, console.Failure("give the name of a new one with --store",
			"the store has %s that this would not put there", words.Plural(others, "publisher", "publishers"))
	}
	return known, nil
}

// filledChunk is how many publishers are looked for at a time.
const filledChunk = 500

func filledDomain(i int) hostname.Domain { return hostname.Domain(fmt.Sprintf("p%07d.example", i)) }

// sharedBy is how many publishers share a file.
const sharedBy = 200

// sharer is the number of a publisher that shares a file, by its place among all of these.
func sharer(at int) int { return at/3*10 + 7 + at%3 }

// groups returns the numbers of n publishers. Those that share a file are together, and come first: looked at
// side by side, they would get in the way of each other.
func groups(n int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		for first := 0; sharer(first) < n; first += sharedBy {
			var group []int
			for at := first; at < first+sharedBy && sharer(at) < n; at++ {
				group = append(group, sharer(at))
			}
			if !yield(group) {
				return
			}
		}
		for i := range n {
			if i%10 < 7 && !yield([]int{i}) {
				return
			}
		}
	}
}

// madeUp is a web of publishers that are made up. It implements discover.Getter.
type madeUp struct {
	n   int
	now func() time.Time
}

// Get implements discover.Getter.
func (m *madeUp) Get(_ context.Context, r fetch.Request) *fetch.Result {
	x := fetch.Exchange{URL: r.URL, Method: http.MethodGet, Attempt: 1, At: m.now(), MediaType: "application/json",
		Status: http.StatusOK, Outcome: fetch.Found}
	body := m.body(r.URL)
	if body == "" {
		x.Status, x.Outcome = http.StatusNotFound, fetch.Absent
	}
	out := &fetch.Result{Outcome: x.Outcome, URL: r.URL, Exchanges: []fetch.Exchange{x}}
	if body != "" {
		out.Body = []byte(body)
	}
	return out
}

// body is what is at a URL; empty for nothing.
func (m *madeUp) body(url string) string {
	host, path, _ := strings.Cut(strings.TrimPrefix(url, "https://"), "/")
	name, _, _ := strings.Cut(host, ".")
	own := path == ".well-known/adagents.json"
	switch {
	case strings.HasPrefix(name, "network") && !own:
		k, _ := strconv.Atoi(name[len("network"):])
		return m.network(k)
	case strings.HasPrefix(host, "files.") && !own:
		return m.file(strings.TrimPrefix(host, "files."))
	}
	i, err := strconv.Atoi(strings.TrimPrefix(name, "p"))
	switch {
	case err != nil || !own || i >= m.n:
		return ""
	case i%10 < 6:
		return m.file(host)
	case i%10 == 6:
		return `{"authoritative_location": "https://files.` + host + `/adagents.json"}`
	}
	return fmt.Sprintf(`{"authoritative_location": "https://network%d.example/adagents.json"}`, (i/10*3+i%10-7)/sharedBy)
}

// file is that of one publisher, with two properties.
func (m *madeUp) file(domain string) string {
	return fmt.Sprintf(`{"last_updated": "2026-01-01T00:00:00Z", "properties": [
 {"property_id": "site", "property_type": "website", "name": "Site", "identifiers": [{"type": "domain", "value": %[1]q}]},
 {"property_id": "app", "property_type": "mobile_app", "name": "App", "identifiers": [{"type": "ios_bundle", "value": "com.%[1]s"}]}],
 "authorized_agents": [%[2]s]}`, domain,
		agentsOf(domain, `"authorization_type": "property_ids", "property_ids": ["site"]`))
}

// network is the file that some publishers share.
func (m *madeUp) network(k int) string {
	var properties []string
	for j := range sharedBy {
		domain := filledDomain(sharer(k*sharedBy + j))
		properties = append(properties,
			fmt.Sprintf(
				`{"property_id": "p%d", "tags": ["all"], "property_type": "website", "name": "Site", "publisher_domain": %[2]q, "identifiers": [{"type": "domain", "value": %[2]q}]}`, j, domain))
	}
	return fmt.Sprintf(
		`{"last_updated": "2026-01-01T00:00:00Z", "tags": {"all": {"name": "All", "description": "All"}}, "properties": [%s], "authorized_agents": [%s]}`,
		strings.Join(properties, ",\n"),
		agentsOf(strconv.Itoa(k), `"authorization_type": "property_tags", "property_tags": ["all"]`))
}

// agentsOf are entries for the agent of everybody and for one or two of a thousand others, some of which are in many
// files.
func agentsOf(name, scope string) string {
	sum := 0
	for _, r := range name {
		sum = (sum*31 + int(r)) % 1_000_003
	}
	urls := []string{"https://agent.example/mcp", fmt.Sprintf("https://agent%d.example/mcp", sum%10)}
	if sum%2 == 0 {
		urls = append(urls, fmt.Sprintf("https://agent%d.example/mcp", 10+sum%990))
	}
	var out []string
	for _, url := range urls {
		out = append(out, fmt.Sprintf(`{"url": %q, "authorized_for": "All", %s}`, url, scope))
	}
	return strings.Join(out, ", ")
}
