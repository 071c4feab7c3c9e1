package vectors_test

import (
	"context"
	"errors"
	"net/netip"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/std/ipclass"
	"github.com/avow-project/avow/internal/test/fakeweb"
	"github.com/avow-project/avow/internal/test/vectors"
)

func scenarios(t *testing.T) []*vectors.Scenario {
	t.Helper()
	all, err := vectors.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestDiscovery asks the question of every scenario in the internet it describes,
// and compares the whole answer and everything that was sent.
func TestDiscovery(t *testing.T) {
	t.Parallel()
	for _, s := range scenarios(t) {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			web, err := fakeweb.Start(s.Archive)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(web.Close)
			d, err := ask(t.Context(), s.Question, web)
			got := answer(t, d, err, s.Want.FileWarnings)
			for _, r := range web.Requests() {
				got.Requests = append(got.Requests, r.URL)
			}
			got.NotLookedUp, got.NotDialled = untouched(web, s.Want)
			if diff := cmp.Diff(s.Want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s\n-want +got:\n%s", s.Summary, diff)
			}
			for _, at := range web.Dials() {
				if ipclass.Of(at.Addr()).Reserved() {
					t.Errorf("a connection was tried to %s", at)
				}
			}
		})
	}
}

// busy is how much longer an exchange may take on a machine that has other things to do. The
// servers of the vectors that take too long take five times the limit, or for ever.
const busy = 3

func ask(ctx context.Context, q vectors.Question, web *fakeweb.Web) (*discover.Discovery, error) {
	client := fetch.New(fetch.Config{Network: web.Network(), Attempts: q.Attempts, HopTimeout: busy * q.HopTimeout})
	finder := discover.New(discover.Config{Client: client, Now: vectors.Now})
	o := discover.Options{IgnoreSuperseded: !q.FollowSuperseded, IfNoneMatch: q.IfNoneMatch, IfModifiedSince: q.IfModifiedSince}
	if q.File {
		return finder.URL(ctx, q.Target, o)
	}
	return finder.Domain(ctx, q.Target, o)
}

// answer puts a discovery into the words of the vectors.
func answer(t *testing.T, d *discover.Discovery, err error, warnings []string) vectors.Want {
	t.Helper()
	if err != nil {
		var input *discover.InputError
		if !errors.As(err, &input) {
			t.Fatal(err)
		}
		return vectors.Want{Error: "input", FileWarnings: warnings}
	}
	w := vectors.Want{
		Answer: d.Answer.String(), Method: d.Method.String(), Found: d.Found, Valid: d.Valid(),
		URL: d.URL, ResolvedURL: d.ResolvedURL, ManagerDomain: d.ManagerDomain, SupersededBy: d.SupersededBy,
	}
	for i := range d.Findings {
		w.Findings = append(w.Findings, d.Findings[i].Code)
	}
	for i := range d.Trail {
		h := &d.Trail[i]
		outcome := fetch.Unasked
		if h.Result != nil {
			outcome = h.Result.Outcome
			w.Reason = string(h.Result.Last().Reason)
		}
		w.Hops = append(w.Hops, vectors.Hop{Step: h.Step.String(), Outcome: outcome.String()})
	}
	if d.Report != nil && d.Report.File != nil {
		w.Usable = usable(d.Report.File)
	}
	w.FileErrors = codes(adagents.Error, d.Pointer, d.Report)
	for _, code := range codes(adagents.Warning, d.Pointer, d.Report) {
		if slices.Contains(warnings, code) {
			w.FileWarnings = append(w.FileWarnings, code)
		}
	}
	w.Findings = sorted(w.Findings)
	return w
}

// usable counts what a consumer can use; an entry that authorizes nothing is not.
func usable(f *adagents.File) vectors.Usable {
	u := vectors.Usable{Properties: len(f.Properties)}
	for i := range f.Agents {
		if !f.Agents[i].Inert() {
			u.Agents++
		}
	}
	return u
}

// codes returns the codes of one severity in some reports.
func codes(severity adagents.Severity, reports ...*adagents.Report) []string {
	var all []string
	for _, r := range reports {
		if r == nil {
			continue
		}
		for i := range r.Findings {
			if r.Findings[i].Severity == severity {
				all = append(all, r.Findings[i].Code)
			}
		}
	}
	return sorted(all)
}

func sorted(words []string) []string {
	slices.Sort(words)
	return slices.Compact(words)
}

// untouched returns those of the wanted hosts that were indeed left alone.
func untouched(web *fakeweb.Web, w vectors.Want) ([]string, []string) {
	var notLookedUp, notDialled []string
	for _, host := range w.NotLookedUp {
		if !slices.Contains(web.Lookups(), host) && !dialled(web, host) {
			notLookedUp = append(notLookedUp, host)
		}
	}
	for _, host := range w.NotDialled {
		if !dialled(web, host) {
			notDialled = append(notDialled, host)
		}
	}
	return notLookedUp, notDialled
}

func dialled(web *fakeweb.Web, host string) bool {
	return slices.ContainsFunc(web.Dials(), func(at netip.AddrPort) bool {
		return slices.ContainsFunc(web.Spec().Addrs(host), func(a netip.Addr) bool { return a.Unmap() == at.Addr() })
	})
}
