package discover

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/fetch"
)

// TestOneCheckOfManyPublishers: publishers that point to one file have one report of
// it, also when they ask at the same time.
func TestOneCheckOfManyPublishers(t *testing.T) {
	t.Parallel()
	s := network(20)
	f := New(Config{Client: s, Now: testClock})
	reports := make([]*adagents.Report, 20)
	var all sync.WaitGroup
	for i := range reports {
		all.Go(func() {
			d, err := f.Domain(t.Context(), fmt.Sprintf("p%d.example", i), Options{Scopes: []string{"create_media_buy"}})
			if err != nil || d.Answer != Usable {
				t.Errorf("%v, %v", d, err)
				return
			}
			reports[i] = d.Report
		})
	}
	all.Wait()
	for i, r := range reports {
		if r != reports[0] || r.File == nil {
			t.Errorf("p%d.example has a report of its own", i)
		}
	}
}

// TestReportsThatAreNotShared has what makes a check another one.
func TestReportsThatAreNotShared(t *testing.T) {
	t.Parallel()
	plain := networkFile()
	lasting := selling(`"authorization_type": "publisher_properties", "publisher_properties": [{"publisher_domain": "pub.example", "selection_type": "all"}],
		"effective_until": "2026-03-01T12:00:30Z"`)
	particular := selling(`"authorization_type": "property_ids", "property_ids": ["pub"]`, `"properties": [`+property("pub")+`]`,
		`"formats": [{"format_option_id": "f", "format_kind": "coordinated_placements", "params": {"components": [
			{"component_id": "a", "placement_ref": {"placement_id": "x"}, "required": true, "format_kind": "image", "params": {}},
			{"component_id": "b", "placement_ref": {"placement_id": "y"}, "required": false,
			 "format_option_ref": {"scope": "publisher", "publisher_domain": "p1.example", "format_option_id": "f"}}]}}]`)
	many := selling(`"authorization_type": "property_ids", "property_ids": ["pub"]`,
		`"properties": [`+strings.Repeat(`{},`, keptFindings)+property("pub")+`]`)
	for _, tt := range []struct {
		name          string
		file          string
		first, second Options
		later         time.Duration
		shared        bool
	}{
		{"the same", plain, Options{}, Options{}, 0, true},
		{"a moment later", plain, Options{}, Options{}, 59 * time.Second, true},
		{"a minute later", plain, Options{}, Options{}, time.Minute, false},
		{"another profile", plain, Options{}, Options{Profile: adagents.Strict}, 0, false},
		{"other scopes", plain, Options{Scopes: []string{"a"}}, Options{Scopes: []string{"b"}}, 0, false},
		{"fewer findings", plain, Options{}, Options{MaxFindings: 1}, 0, false},
		{"fresh", plain, Options{}, Options{NoCache: true}, 0, false},
		{"after a fresh one", plain, Options{NoCache: true}, Options{}, 0, true},
		{"an entry still holds", lasting, Options{}, Options{}, 29 * time.Second, true},
		{"an entry ended in between", lasting, Options{}, Options{}, 31 * time.Second, false},
		{"about the publisher", particular, Options{}, Options{}, 0, false},
		{"many findings", many, Options{}, Options{}, 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			now := testTime
			s := network(2).serve(networkURL, tt.file)
			f := New(Config{Client: s, Now: func() time.Time { return now }})
			first, _ := f.Domain(t.Context(), "p0.example", tt.first)
			now = now.Add(tt.later)
			if tt.second.NoCache {
				s.serve(networkURL, tt.file)
			}
			second, _ := f.Domain(t.Context(), "p1.example", tt.second)
			if first.Report == nil || second.Report == nil || (first.Report == second.Report) != tt.shared {
				t.Errorf("shared %t, want %t", first.Report == second.Report, tt.shared)
			}
			alone, _ := New(Config{Client: s, Now: func() time.Time { return now }}).Domain(t.Context(), "p1.example", tt.second)
			if got, want := len(second.Report.Findings), len(alone.Report.Findings); got != want {
				t.Errorf("%d findings, %d without the other publisher", got, want)
			}
		})
	}
}

// TestShelfCountsReports: a report takes more memory than its file, and goes before any
// file does, except that there is always room for one.
func TestShelfCountsReports(t *testing.T) {
	t.Parallel()
	s := newRecentFiles(testClock)
	// fill checks a file of a size, whose report counts for another.
	fill := func(url string, size, weight int) {
		text := strings.TrimSuffix(networkFile(), "}") + `, "x": [0` + strings.Repeat(",0", weight/valueBytes) + `]}`
		r := &fetch.Result{Outcome: fetch.Found, Body: []byte(text + strings.Repeat(" ", max(0, size-len(text))))}
		s.put(url, r)
		report := s.report(url, r, adagents.Options{Role: adagents.Authoritative})
		if again := s.report(url, r, adagents.Options{Role: adagents.Authoritative}); again != report {
			t.Errorf("%s was checked twice", url)
		}
	}
	for _, step := range []struct {
		url          string
		size, weight int
		want         string
	}{
		{"a", 3_000_000, 3_000_000, "a+"},
		{"b", 3_000_000, 3_000_000, "a+ b+"},
		{"c", 6_000_000, 6_000_000, "a b+ c+"},
		{"d", 1_500_000, 7_500_000, "a b c d+"},
		{"e", 20_000_000, 50_000_000, "e+"},
		{"f", 1_000_000, 1_000_000, "e f+"},
	} {
		fill(step.url, step.size, step.weight)
		if got := inRecent(s); got != step.want {
			t.Errorf("after %s: %s, want %s", step.url, got, step.want)
		}
	}
	other := &fetch.Result{Outcome: fetch.Found, Body: []byte(networkFile())}
	if r := s.report("f", other, adagents.Options{Role: adagents.Authoritative}); r.File == nil || len(r.File.Agents) != 1 {
		t.Error("a file that is not in the cache has the report of one that is")
	}
	for _, url := range []string{"e", "f"} {
		s.renew(url, &fetch.Result{Outcome: fetch.Absent})
	}
	if _, bytes := s.kept.Size(); bytes != 0 {
		t.Errorf("%d octets of nothing", bytes)
	}
}

// inRecent lists what is kept, the oldest first; + stands for a report.
func inRecent(s *recentFiles) string {
	var list []string
	for _, url := range strings.Split("abcdef", "") {
		k, ok := s.kept.Get(url)
		switch {
		case ok && k.report != nil:
			list = append(list, url+"+")
		case ok:
			list = append(list, url)
		}
	}
	return strings.Join(list, " ")
}

// TestLargeSharedReport: a question that gets the report of another one still asks its
// caller for room, because it may outlive the other.
func TestLargeSharedReport(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := network(2).serve(networkURL, networkFile()+strings.Repeat(" ", largeBytes))
		f := New(Config{Client: s})
		calls := 0
		o := Options{Large: func(ctx context.Context) error { calls++; return ctx.Err() }}
		a, _ := f.Domain(t.Context(), "p0.example", o)
		b, _ := f.Domain(t.Context(), "p1.example", o)
		if a.Report != b.Report || calls != 2 {
			t.Errorf("shared %t, asked for room %d times", a.Report == b.Report, calls)
		}
	})
}
